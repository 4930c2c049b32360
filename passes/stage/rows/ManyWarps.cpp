//===- ManyWarps.cpp - What rows cost in launches of many warps -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ManyWarps.h"
#include "RowWaits.h"
#include "gpu/DeviceTable.h"
#include "gpu/Rates.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace ferry {

static constexpr double LineBytes = gpu::LineBytes;

/// Bytes by which an iteration of \p Unit goes on in all rows of a thread,
/// those that it changes in place counted once.
static double bytesOfIteration(const RowUnit &Unit) {
  double Bytes = 0;
  for (const Stream &S : Unit.Streams)
    if (S.Kind == Stream::PerThread)
      Bytes += std::abs(double(S.ConstantStep.value_or(0)));
  for (const LoopStore &Store : Unit.Stores)
    if (!Unit.isInPlace(Store))
      Bytes += std::abs(double(Store.Step));
  return Bytes;
}

/// Passes of the first level for a request of a warp, of \p Size bytes each
/// thread, \p Distance bytes apart; far if that is not known.
static double passesOf(std::optional<int64_t> Distance, double Size) {
  constexpr unsigned Banks = gpu::LineBytes / gpu::BankBytes;
  const double Words = std::max(1., Size / gpu::BankBytes);
  if (!Distance)
    return std::max<double>(sim::tagWavefronts(gpu::WarpThreads), Words);
  SmallSet<int64_t, 32> Lines;
  std::set<int64_t> Bank[Banks];
  unsigned Most = 1;
  for (int64_t T = 0; T < gpu::WarpThreads; ++T) {
    const int64_t From = T * std::abs(*Distance);
    for (int64_t At = From; At < From + int64_t(Size); At += gpu::BankBytes) {
      auto &Words = Bank[At / gpu::BankBytes % Banks];
      Words.insert(At / gpu::BankBytes);
      Most = std::max<unsigned>(Most, Words.size());
    }
    Lines.insert(From / gpu::LineBytes);
  }
  return std::max<double>(Most, sim::tagWavefronts(Lines.size()));
}

ManyWarps::ManyWarps(const RowUnitPlan &Plan, const KernelLimits &Limits)
    : Plan(Plan), Gpu(*Limits.Gpu), Rows(Limits.WarpSize),
      Costs(*Plan.Unit.InnerLoop->getHeader()->getParent()),
      ManyRegisters(Plan.Async ? 128 : 168),
      Before(residentBlocks(
          Limits, {Limits.MaxThreads, 0, Costs.total().Registers, 0})),
      After(withTiles(Plan, Limits, Limits.MaxThreads, ManyRegisters)),
      MostAfter(withTiles(Plan, Limits, Limits.MaxThreads, FewRegisters)),
      AfterOfOne(withTiles(Plan, Limits, Limits.WarpSize, ManyRegisters)),
      Both(both()), PlainWait(memoryWait(Gpu) / overlapOf(Plan.Unit)),
      StreamsWait(waitForStreams(Plan, Limits, memoryWait(Gpu))) {}

WarpUse ManyWarps::both() const {
  const SmallPtrSet<const Value *, 8> Staged = Plan.Unit.loadsOfStreams();
  WarpUse Use;
  for (const BasicBlock *B : Plan.Unit.InnerLoop->blocks()) {
    Use.add(Costs.workOf(*B));
    for (const Instruction &I : *B) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!isa<StoreInst>(I) && (!Load || Staged.contains(Load)))
        continue;
      ++Use.Requests;
      auto Store = find_if(Plan.Unit.Stores,
                           [&](const LoopStore &S) { return S.Store == &I; });
      if (Store != Plan.Unit.Stores.end()) {
        // Each is written through to the second level.
        Use.Passes += passesOf(std::nullopt, accessBytes(I));
        Use.L2Bytes += Rows * SectorBytes *
                       (accessBytes(I) < SectorBytes ? sim::SectorsOfPart : 1);
        Use.DramBytes +=
            Rows * std::min(std::abs(double(Store->Step)), SectorBytes);
        continue;
      }
      const double Bytes = Rows * double(accessBytes(I));
      Use.Passes += std::max(1., Bytes / LineBytes);
      Use.L2Bytes += Bytes;
      Use.DramBytes += Bytes;
    }
  }
  return Use;
}

/// Adds what the loads of \p S ask for as they are, with \p C, if rows are \p
/// Distance bytes apart unless more is known.
void ManyWarps::addPlain(WarpUse &Use, const Stream &S, const Cached &C,
                         std::optional<int64_t> Distance) const {
  Use.Requests += S.Loads.size();
  if (S.Kind == Stream::Uniform) {
    Use.Passes += S.Loads.size();
    return;
  }
  for (const StreamLoad &L : S.Loads)
    Use.Passes += passesOf(S.ThreadStride ? S.ThreadStride : Distance,
                           accessBytes(*L.Load));
  const double New = std::min(stepBytes(S) / SectorBytes, 1.); // sectors
  // Each load of a stream has other warps' between it and the one before.
  const double Read =
      Rows * (C.First * New + (1 - C.First) * double(S.Loads.size()));
  Use.Passes += Read; // lines that are filled
  Use.L2Bytes += Read * SectorBytes;
  // Memory is read in halves of a line.
  Use.DramBytes += C.Second * Rows * New * SectorBytes +
                   (1 - C.Second) * Read * LineBytes / 2;
}

/// Adds what tiles of \p S as \p Tile ask for, with \p C.
void ManyWarps::addStaged(WarpUse &Use, const Stream &S, const Cached &C,
                          const TileLayout &Tile) const {
  // Instructions for a word of each row: addresses, and what tells whether
  // there is one; in rows of some hundred steps. Full tiles have them once.
  const double Full =
      32. / (Tile.Iterations * std::max(S.wordsPerIteration(), 1u));
  const double Int = Plan.FullTiles ? 2 * Full : 7,
               Other = Plan.FullTiles ? 0.4 * Full : 1.3;
  const double Copies = S.Kind == Stream::PerThread
                            ? S.wordsPerIteration()
                            : S.wordsPerIteration() / double(gpu::WarpThreads);
  for (const StreamLoad &L : S.Loads)
    Use.SharedPasses +=
        S.Kind == Stream::PerThread
            ? std::max(1., double(accessBytes(*L.Load)) / gpu::BankBytes)
            : 1;
  Use.Requests += S.Loads.size();
  Use.addCopies(Copies, Plan.Async);
  Use.Int += Int * Copies;
  Use.Other += Other * Copies;
  const double Bytes = Copies * S.Word * gpu::WarpThreads;
  const double Passes = std::max(Copies, Bytes / LineBytes);
  Use.Passes += Passes + Bytes / LineBytes;
  Use.SharedPasses += Passes;
  if (S.Kind == Stream::Uniform)
    return; // other warps have read it
  // The rows of a tile begin and end within sectors, some of which the first
  // level has, and within halves of lines, which the second one may have.
  const double Begun = Rows / Tile.Iterations;
  // What lies between words comes along with them.
  const double Read =
      std::max(Bytes, Rows * std::min(stepBytes(S), SectorBytes));
  Use.L2Bytes += Read + Begun * SectorBytes / 4;
  Use.DramBytes += Read + (1 - C.Second) * Begun * LineBytes / 2;
  const double Latency = Gpu.L2Latency + Gpu.DramLatency;
  constexpr double UnderWay = 16; // words, through registers
  Use.Waiting +=
      Plan.Async ? Latency / Tile.Iterations / 2 : Latency * Copies / UnderWay;
}

/// What part of \p Lines lines a cache of \p Bytes still has when they are read
/// again: all of them if there is room, half if there is just not enough, since
/// warps take turns in any order and sets are chosen by hashing. Found with the
/// simulator, as is \p Spread.
static double cachedOf(double Lines, double Bytes, double Spread) {
  constexpr double Half = 1.05;
  const double Full = std::max(Lines * LineBytes / Bytes, 1e-3);
  return std::erfc((Full - Half) / (Spread * Full) / std::sqrt(2)) / 2;
}

/// The same of both levels, if each resident warp reads \p Lines lines.
ManyWarps::Cached ManyWarps::cached(const sim::Occupancy &Resident,
                                    double Lines) const {
  Lines *= Resident.Warps;
  return {cachedOf(Lines, Resident.L1Bytes, 0.15),
          cachedOf(Lines * Gpu.multiprocessors(), Gpu.l2Bytes(), 0.3)};
}

PredictedGain ManyWarps::gain(std::optional<int64_t> Distance,
                              const sim::Occupancy &Before,
                              const sim::Occupancy &After,
                              const TileLayout &Tile) const {
  WarpUse Plain = Both, InTiles = Both;
  const double Lines = Rows * count_if(Plan.Unit.Streams, [](const Stream &S) {
                         return S.Kind == Stream::PerThread;
                       });
  const Cached Hits = cached(Before, Lines);
  const Cached HitsOfTiles = cached(After, Lines + Tile.Bytes / LineBytes);
  for (const Stream &S : Plan.Unit.Streams) {
    addPlain(Plain, S, Hits, Distance);
    addStaged(InTiles, S, HitsOfTiles, Tile);
  }
  Plain.Waiting += PlainWait;
  return {predict(Plain, Gpu, Before.Warps), predict(InTiles, Gpu, After.Warps),
          &Gpu};
}

unsigned ManyWarps::leastToGain() const {
  constexpr double Worth = 1.3; // so much is the wait for tiles overestimated
  unsigned Warps = RowPrice::WarpsOfMany;
  for (; Warps < Before.MostWarps && AfterOfOne.Warps < Warps; Warps *= 2) {
    const PredictedGain G = gain(std::nullopt, atMost(Before, Warps),
                                 atMost(AfterOfOne, Warps), Plan.Tile);
    if (Worth * G.Plain.Clocks >= G.Staged.Clocks)
      break;
  }
  return Warps;
}

bool ManyWarps::isOfMemory(unsigned Warps, bool ByClause, double Worth) const {
  auto IsIn = [&](const sim::Occupancy &InTiles, const TileLayout &Tile) {
    const PredictedGain G =
        gain(std::nullopt, atMost(Before, Warps), atMost(InTiles, Warps), Tile);
    return is_contained({G.Plain.Limiter, G.Staged.Limiter},
                        StringRef("dram")) &&
           G.Plain.Clocks <= Worth * G.Staged.Clocks;
  };
  // Asynchronous copies of such a launch lose nothing.
  if (Plan.Async)
    return false;
  if (!ByClause)
    return IsIn(AfterOfOne, Plan.Tile);
  // Of a block that a multiprocessor has alone the second level has what lies
  // between two tiles.
  return IsIn(MostAfter, MostAfter.Blocks > 1 ? Plan.SmallTile : Plan.Tile);
}

unsigned ManyWarps::mostOfMemory(unsigned Many, bool ByClause) const {
  unsigned Warps = Many;
  while (Warps < Before.Warps && isOfMemory(Warps, ByClause, /*Worth=*/1))
    ++Warps;
  return Warps == Many ? 0 : Warps - 1;
}

unsigned ManyWarps::leastOfMemory(unsigned Many, bool ByClause) const {
  constexpr double Worth = 0.98;
  unsigned Warps = Many;
  while (Warps > 1 && isOfMemory(Warps - 1, ByClause, Worth))
    --Warps;
  return Warps == Many ? UINT_MAX : Warps;
}

MemoryBound ManyWarps::ofMemory(unsigned Many, bool ByClause) const {
  const unsigned Most = mostOfMemory(Many, ByClause);
  return {Most, std::max(Most, mostOfMemory(Many, /*ByClause=*/true)),
          leastOfMemory(Many, ByClause)};
}

unsigned ManyWarps::leastToWait(unsigned MostWarps) const {
  constexpr double Worth = 1.08; // what a meeting takes is not in it
  constexpr double OfTile = 300; // clocks, from the last copy to the next one
  // Beside what an iteration does in any case.
  WarpUse Plain, InTiles;
  Plain.Waiting = StreamsWait;
  for (const Stream &S : Plan.Unit.Streams) {
    Plain.Waiting += RowPasses * double(S.Loads.size());
    addStaged(InTiles, S, Cached(), Plan.Tile);
  }
  InTiles.L2Bytes = InTiles.DramBytes = 0; // few blocks do not fill memory
  const double PlainPasses = plain().Passes / Gpu.SustainedClock;
  auto Pay = [&](unsigned Warps) {
    const bool IsHalf = Plan.isHalved() && 2 * Warps > Plan.Warps;
    InTiles.Waiting = (memoryWait(Gpu) + OfTile) /
                      (IsHalf ? Plan.SmallTile : Plan.Tile).Iterations;
    return std::max(PlainPasses, predict(Plain, Gpu, Warps).Clocks) >=
           Worth * predict(InTiles, Gpu, Warps).Clocks;
  };
  unsigned Least = MostWarps + 1;
  while (Least > 1 && Pay(Least - 1))
    --Least;
  return Least;
}

unsigned ManyWarps::mostInBlock(unsigned MostWarps) const {
  constexpr double Worth = 0.98;
  WarpUse AsItIs = plain(), InTiles = Both;
  for (const Stream &S : Plan.Unit.Streams)
    addStaged(InTiles, S, Cached(), Plan.Tile);
  for (WarpUse *Use : {&AsItIs, &InTiles})
    Use->L2Bytes = Use->DramBytes = 0; // few blocks do not fill memory
  for (unsigned Warps = 1; Warps <= MostWarps; ++Warps) {
    const PredictedTime Tiles = predict(InTiles, Gpu, Warps);
    if (StringRef(Tiles.Limiter) != "latency" &&
        predict(AsItIs, Gpu, Warps).Clocks < Worth * Tiles.Clocks)
      return Warps - 1;
  }
  return MostWarps;
}

PredictedGain ManyWarps::gainOfShort(unsigned Steps) const {
  // Instructions for a row, whatever it has.
  constexpr double Int = 215, Other = 46;
  const unsigned Copied = Steps > Plan.SmallTile.Iterations
                              ? Plan.Tile.Iterations
                              : Plan.SmallTile.Iterations;
  const double Lines = Rows * bytesOfIteration(Plan.Unit) * Steps / LineBytes;
  const Cached Hits = cached(Before, Lines), HitsOfTiles = cached(After, Lines);
  WarpUse Plain, InTiles;
  Plain.add(Both, Steps);
  InTiles.add(Both, Steps);
  for (const Stream &S : Plan.Unit.Streams) {
    WarpUse PlainStep, TileStep;
    addPlain(PlainStep, S, Hits, int64_t(stepBytes(S) * Steps));
    Plain.add(PlainStep, Steps);
    addStaged(TileStep, S, HitsOfTiles, Plan.Tile);
    // What is copied for nothing, the caches have.
    for (double *Bytes : {&TileStep.L2Bytes, &TileStep.DramBytes})
      *Bytes *= Steps / double(Copied);
    InTiles.add(TileStep, Copied);
  }
  Plain.Waiting += PlainWait * Steps;
  InTiles.Int += Int;
  InTiles.Other += Other;
  InTiles.Waiting += Gpu.L2Latency + Gpu.DramLatency;
  return {predict(Plain, Gpu, Before.Warps), predict(InTiles, Gpu, After.Warps),
          &Gpu};
}

unsigned ManyWarps::shortest() const {
  constexpr double Worth = 1.25; // near where rows fit, gains are overestimated
  unsigned Steps = Plan.Tile.Iterations;
  for (; Steps > 1; --Steps)
    if (const PredictedGain G = gainOfShort(Steps - 1);
        G.Plain.Clocks < Worth * G.Staged.Clocks)
      break;
  return Steps;
}

ThrashingPoint ManyWarps::thrashing() const {
  if (any_of(Plan.Unit.Streams, [](const Stream &S) {
        return S.Kind == Stream::PerThread && !S.ConstantStep;
      }))
    return {};
  const double Multiprocessors = Gpu.multiprocessors();
  const auto MaxRows = uint64_t(Multiprocessors * Before.Warps * Rows);
  const auto Iterations =
      uint64_t(Multiprocessors * Before.L1Bytes / bytesOfIteration(Plan.Unit));
  const auto Overflowing = unsigned(divideCeil(Iterations, MaxRows));
  double Longest = 1;
  for (const Stream &S : Plan.Unit.Streams)
    if (S.Kind == Stream::PerThread)
      Longest = std::max(Longest, stepBytes(S));
  const uint32_t OfLine =
      std::max<uint32_t>(uint32_t(LineBytes / Longest), Overflowing);
  return {MaxRows, Iterations, Plan.Async ? UINT32_MAX : OfLine,
          std::max(shortest(), Overflowing)};
}

} // namespace ferry
