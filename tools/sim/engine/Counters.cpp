//===- Counters.cpp - What launches add up to -----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include <cstring>

namespace ferry::sim {

Counters &Counters::operator+=(const Counters &O) {
#define FERRY_COUNTER(Member, Name) Member += O.Member;
#define FERRY_TIME_COUNTER FERRY_COUNTER
#include "Counters.def"
  for (unsigned P = 0; P <= NumPipes; ++P)
    WarpInstructions[P] += O.WarpInstructions[P];
  return *this;
}

InstructionCounters &
InstructionCounters::operator+=(const InstructionCounters &O) {
  Requests += O.Requests;
  Lanes += O.Lanes;
  Sectors += O.Sectors;
  LeastSectors += O.LeastSectors;
  SharedRequests += O.SharedRequests;
  Wavefronts += O.Wavefronts;
  BankConflicts += O.BankConflicts;
  Divergent += O.Divergent;
  LinkRequests += O.LinkRequests;
  LinkSectors += O.LinkSectors;
  L1Wavefronts += O.L1Wavefronts;
  L1Sectors += O.L1Sectors;
  L1HitSectors += O.L1HitSectors;
  return *this;
}

/// Adds what instruction \p Info did to the counters of its kernel.
static void addTo(Counters &Total, const InstructionInfo &Info,
                  const InstructionCounters &C) {
  Total.SharedBankConflicts += C.BankConflicts;
  Total.L1Wavefronts += C.L1Wavefronts;
  Total.L1Sectors += C.L1Sectors;
  Total.L1HitSectors += C.L1HitSectors;
  Total.LinkRequests += C.LinkRequests;
  if (Info.Kind != InstructionKind::Store)
    Total.LinkReadBytes += C.LinkSectors * SectorBytes;
  if (Info.Kind != InstructionKind::Load)
    Total.LinkWriteBytes += C.LinkSectors * SectorBytes;
  switch (Info.Kind) {
  case InstructionKind::Load:
    Total.GlobalLoadRequests += C.Requests;
    Total.GlobalLoadSectors += C.Sectors;
    Total.LeastGlobalLoadSectors += C.LeastSectors;
    Total.SharedLoadRequests += C.SharedRequests;
    Total.SharedLoadWavefronts += C.Wavefronts;
    break;
  case InstructionKind::Store:
    Total.GlobalStoreRequests += C.Requests;
    Total.GlobalStoreSectors += C.Sectors;
    Total.LeastGlobalStoreSectors += C.LeastSectors;
    Total.SharedStoreRequests += C.SharedRequests;
    Total.SharedStoreWavefronts += C.Wavefronts;
    break;
  case InstructionKind::Atomic:
    Total.GlobalAtomics += C.Requests;
    Total.GlobalAtomicSectors += C.Sectors;
    Total.SharedAtomics += C.SharedRequests;
    break;
  case InstructionKind::Branch:
    Total.Branches += C.Requests;
    Total.DivergentBranches += C.Divergent;
    break;
  case InstructionKind::Sync:
  case InstructionKind::Arrival:
    break;
  }
}

/// Multiplies all numbers of \p Sum by \p Factor.
template <typename T> static void scale(T &Sum, double Factor) {
  static_assert(sizeof(T) % sizeof(uint64_t) == 0, "a struct of numbers");
  uint64_t Numbers[sizeof(T) / sizeof(uint64_t)];
  memcpy(Numbers, &Sum, sizeof(T));
  for (uint64_t &N : Numbers)
    N = static_cast<uint64_t>(static_cast<double>(N) * Factor + 0.5);
  memcpy(&Sum, Numbers, sizeof(T));
}

/// Moves what \p From counted to \p To, and prepares it for the next launch.
static void moveCounts(Worker &From, Worker &To) {
  To.Total += From.Total;
  From.Total = Counters();
  for (uint32_t I : From.Touched) {
    InstructionState &State = To.Instructions[I];
    if (!State.Counts.Lanes)
      To.Touched.push_back(I);
    State.Counts += From.Instructions[I].Counts;
    From.Instructions[I] = InstructionState();
  }
  From.Touched.clear();
}

/// Adds what \p W counted, \p Factor times, to \p Kernel, and prepares it for
/// the next launch.
static void collect(Worker &W, KernelRecord &Kernel, double Factor) {
  Kernel.Instructions.resize(Kernel.Module->NumInstructions);
  if (Factor != 1)
    scale(W.Total, Factor);
  for (uint32_t I : W.Touched) {
    InstructionState &State = W.Instructions[I];
    if (Factor != 1)
      scale(State.Counts, Factor);
    Kernel.Instructions[I] += State.Counts;
    addTo(W.Total, Kernel.Module->Instructions[I], State.Counts);
    State = InstructionState();
  }
  W.Touched.clear();
  Kernel.Total += W.Total;
  W.Total = Counters();
}

BlockNeeds needsOf(const Launch &L, uint32_t Registers) {
  const KernelInfo &Info = *L.Kernel->Info;
  return {L.NumLanes, Info.SharedBytes + L.DynamicShared, Registers,
          Info.LocalBytes};
}

/// The waves that the grid of \p L takes with another number of registers.
static double wavesOf(const Launch &L, const DeviceModel &Model,
                      uint32_t Registers) {
  const Occupancy Resident = occupancyOf(
      Model, needsOf(L, Registers), L.Blocks.NumBlocks, L.Opts->BlocksPerSM);
  const uint64_t PerWave = uint64_t(L.Blocks.SMs) * Resident.Blocks;
  return static_cast<double>((L.Blocks.NumBlocks + PerWave - 1) / PerWave);
}

void collectCounts(const Launch &L,
                   const std::vector<std::unique_ptr<Worker>> &Workers) {
  const uint64_t Executed = L.Blocks.executedBlocks();
  if (Executed < L.Blocks.NumBlocks)
    L.Kernel->SampledBlocks += Executed;
  // All together: a sample's numbers are rounded once.
  for (unsigned J = 1; J < L.Jobs; ++J)
    moveCounts(*Workers[J], *Workers[0]);
  collect(*Workers[0], *L.Kernel,
          static_cast<double>(L.Blocks.NumBlocks) /
              static_cast<double>(Executed));
}

void collectTraffic(const LaunchTraffic &Traffic, const Launch &L,
                    const DeviceModel &Model) {
  KernelRecord &Kernel = *L.Kernel;
  Counters Sum;
  Kernel.CodeBytes = 0;
  Traffic.forSMs([&](const SMWork &Work) {
    Kernel.CodeBytes = std::max(Kernel.CodeBytes, Work.CodeBytes);
    for (unsigned P = 0; P < NumPipes; ++P)
      Sum.WarpInstructions[P] += Work.Work[P];
    Sum.WarpInstructions[NumPipes] += Work.Requests;
  });
  // Of a sample it is the work of one multiprocessor.
  if (!L.Blocks.Sample.empty())
    for (uint64_t &Number : Sum.WarpInstructions)
      Number = Number * L.Blocks.NumBlocks / L.Blocks.mostBlocksOfSM();
  for (unsigned P = 0; P < NumPipes; ++P)
    Sum.WarpInstructions[P] /= WorkScale;
  Sum.L2ReadSectors = Traffic.Second.ReadSectors;
  Sum.L2ReadHitSectors = Traffic.Second.ReadHitSectors;
  Sum.L2WriteSectors = Traffic.Second.WriteSectors;
  Sum.DramReadBytes = Traffic.Second.DramReadBytes;
  Sum.DramWriteBytes = Traffic.Second.DramWriteBytes;
  Kernel.Total += Sum;
  Kernel.Resident = Traffic.Resident;
  // IR has not the registers of machine code: a quarter less or a third more.
  const uint32_t Registers = Kernel.registers();
  const bool Known = Kernel.MachineRegisters != 0;
  const uint32_t Few = Known ? Registers : Registers * 3 / 4;
  const uint32_t Many = Known ? Registers : Registers * 4 / 3 + 8;
  const WaveCounts Waves = {wavesOf(L, Model, Few),
                            wavesOf(L, Model, Registers),
                            wavesOf(L, Model, Many)};
  Kernel.Time += estimateTime(Model, Traffic, Waves);
}

} // namespace ferry::sim
