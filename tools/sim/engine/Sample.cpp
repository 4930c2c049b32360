//===- Sample.cpp - Some blocks of a grid, and what all would do ----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Traffic.h"

#include <algorithm>

namespace ferry::sim {

uint64_t Schedule::executedBlocks() const {
  if (Sample.empty())
    return NumBlocks;
  uint64_t Sum = 0;
  for (uint64_t G = 0; G < Sample.size(); ++G)
    Sum += blocksOf(G);
  return Sum;
}

/// Neighbours share what they read.
constexpr uint64_t LeastSampledSMs = 4;

void Schedule::sample(uint64_t Blocks) {
  const uint64_t Wanted = std::max<uint64_t>((Blocks + PerSM - 1) / PerSM, 1);
  if (Wanted >= allGroups())
    return;
  // The last wave may be a part of one, whose blocks have more room.
  const uint64_t Waves = std::max<uint64_t>(NumBlocks / perWave(), 1);
  const uint64_t OfWave = std::min<uint64_t>(SMs, allGroups());
  // The same multiprocessors in each wave: their first levels stay.
  const uint64_t Each = std::min(
      std::max<uint64_t>((Wanted + Waves - 1) / Waves, LeastSampledSMs),
      OfWave);
  const uint64_t Taken = std::min((Wanted + Each - 1) / Each, Waves);
  for (uint64_t W = 0; W < Taken; ++W)
    for (uint64_t SM = 0; SM < Each; ++SM)
      Sample.push_back(W * Waves / Taken * SMs + SM);
  // In less than a wave some multiprocessors have a block less than others.
  uint64_t Executed = executedBlocks();
  while (NumBlocks < perWave() && Executed < Blocks &&
         Sample.size() < allGroups()) {
    Sample.push_back(Sample.size());
    Executed += blocksOf(Sample.size() - 1);
  }
  // All but a part of the last wave may not be enough.
  if (Executed < Blocks || Sample.size() == allGroups())
    Sample.clear();
}

namespace {

uint64_t scaled(uint64_t Number, double Factor) {
  return static_cast<uint64_t>(static_cast<double>(Number) * Factor + 0.5);
}

/// What \p Blocks blocks would do, of which \p Half have done First and \p All
/// have done Both: the others do what those of the second half do. What blocks
/// share is fetched by the first ones.
uint64_t extrapolated(uint64_t First, uint64_t Both, double Half, double All,
                      double Blocks) {
  const auto Sum = static_cast<double>(Both);
  return static_cast<uint64_t>(
      Sum + (Sum - static_cast<double>(First)) / (All - Half) * (Blocks - All) +
      0.5);
}

} // namespace

void LaunchTraffic::extrapolate() {
  SMWork Sum;
  forSMs([&](const SMWork &Work) {
    Sum.GlobalWavefronts += Work.GlobalWavefronts;
    Sum.SharedPasses += Work.SharedPasses;
    Sum.Requests += Work.Requests;
    Sum.CodeBytes = std::max(Sum.CodeBytes, Work.CodeBytes);
    for (unsigned P = 0; P < NumPipes; ++P)
      Sum.Work[P] += Work.Work[P];
    Sum.Fills[0] += Work.Fills[0];
    Sum.L2Sectors[0] += Work.L2Sectors[0];
    Sum.Stalled[0] += Work.Stalled[0];
  });
  const auto Executed = static_cast<double>(Blocks.executedBlocks());
  const double OfSM = static_cast<double>(Blocks.mostBlocksOfSM()) / Executed;
  for (uint64_t *Number : {&Sum.GlobalWavefronts, &Sum.SharedPasses,
                           &Sum.Requests, &Sum.Fills[0], &Sum.L2Sectors[0]})
    *Number = scaled(*Number, OfSM);
  for (uint64_t &Number : Sum.Work)
    Number = scaled(Number, OfSM);
  const double Waves = static_cast<double>(Blocks.numWaves()) /
                       static_cast<double>(Blocks.numGroups());
  Sum.Stalled[0] = {Sum.Stalled[0].Near * Waves, Sum.Stalled[0].Far * Waves};
  Extrapolated = Sum;

  const auto All = static_cast<double>(Blocks.NumBlocks);
  const uint64_t Groups = Blocks.numGroups();
  const double Half =
      Executed * static_cast<double>(Groups / 2) / static_cast<double>(Groups);
  auto Extrapolate = [&](auto Of, double To) {
    return extrapolated(Of(OfFirstHalf), Of(Second), Half, Executed, To);
  };
  // What passes the first level is each multiprocessor's own; what passes the
  // second one, all of them share.
  std::vector<bool> Sampled(Blocks.SMs);
  for (uint64_t G = 0; G < Groups; ++G)
    Sampled[Blocks.smOf(G)] = true;
  const double OfSMs =
      static_cast<double>(Blocks.SMs) /
      static_cast<double>(std::count(Sampled.begin(), Sampled.end(), true));
  using Counts = SecondLevelCounts;
  const uint64_t Reads = scaled(
      Extrapolate([](const Counts &C) { return C.ReadSectors; }, All / OfSMs),
      OfSMs);
  const uint64_t Missed = Extrapolate(
      [](const Counts &C) { return C.ReadSectors - C.ReadHitSectors; }, All);
  Second.DramReadBytes =
      Extrapolate([](const Counts &C) { return C.DramReadBytes; }, All);
  Second.ReadSectors = Reads;
  Second.ReadHitSectors = Reads - std::min(Missed, Reads);
  for (uint64_t Counts::*Written :
       {&Counts::WriteSectors, &Counts::PartSectors, &Counts::DramWriteBytes})
    Second.*Written = scaled(Second.*Written, All / Executed);
  Second.AtomicsAtOne = scaled(Second.AtomicsAtOne, All / Executed);
}

} // namespace ferry::sim
