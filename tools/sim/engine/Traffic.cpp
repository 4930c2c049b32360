//===- Traffic.cpp - What warps ask of the caches, in a GPU's order -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Traffic.h"
#include "../driver/DeviceTable.h"
#include "Lanes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ferry::sim {

// --- Words of traces ---------------------------------------------------------

namespace {

/// The first word of a request.
struct Request {
  uint32_t Number; ///< of the instruction
  uint8_t Lines;
  RequestKind Kind;
  bool Epoch;           ///< begins one
  bool Barrier = false; ///< none: the words behind are a WarpUse

  uint64_t word() const {
    return Number | uint64_t(Lines) << 16 | uint64_t(Kind) << 24 |
           uint64_t(Epoch) << 32 | uint64_t(Barrier) << 33;
  }
  static Request of(uint64_t Word) {
    return {static_cast<uint32_t>(Word & 0xffff),
            static_cast<uint8_t>(Word >> 16),
            static_cast<RequestKind>(Word >> 24 & 0xff), (Word >> 32 & 1) != 0,
            (Word >> 33 & 1) != 0};
  }
};

constexpr unsigned UseWords = sizeof(WarpUse) / sizeof(uint64_t);
static_assert(sizeof(WarpUse) == UseWords * sizeof(uint64_t));

/// A line, in traces and behind the first level: its number, the kind and the
/// sectors.
struct LineWord {
  uint64_t Line;
  RequestKind Kind;
  bool Full; ///< whole sectors are stored
  uint8_t Sectors;

  uint64_t word() const {
    return Line << 8 | uint64_t(Full) << 6 | uint64_t(Kind) << 4 | Sectors;
  }
  static LineWord of(uint64_t Word) {
    return {Word >> 8, static_cast<RequestKind>(Word >> 4 & 3),
            (Word >> 6 & 1) != 0, static_cast<uint8_t>(Word & 15)};
  }
};

unsigned count(unsigned Sectors) { return __builtin_popcount(Sectors); }

} // namespace

void WarpTrace::begin() {
  Words.clear();
  Next = 0;
  Use = WarpUse();
  std::fill(Waits, Waits + NumPlacements, WarpWaits());
  std::fill(Work, Work + NumPipes, 0);
  Phase = 0;
  InEpoch = WaitedForLink = false;
  std::fill(Missed, Missed + NumPlacements, false);
  std::fill(std::begin(Iterations), std::end(Iterations), 0);
}

// --- Recording ---------------------------------------------------------------

/// The second level's sets: hashed, of 16 lines (Jia et al., arXiv 1804.06826).
constexpr unsigned SecondWays = 16;

MemoryHierarchy::MemoryHierarchy(const DeviceModel &Model) : Model(Model) {
  Second.configure(Model.l2Bytes(), Placement::Hashed, 0, SecondWays);
  SMs.resize(Model.multiprocessors());
}

LaunchTraffic::LaunchTraffic(MemoryHierarchy &Hierarchy, const Schedule &Blocks,
                             const Occupancy &Resident, uint64_t Seed)
    : Resident(Resident), Hierarchy(Hierarchy), Blocks(Blocks), Seed(Seed),
      OthersForEach(static_cast<double>(Blocks.NumBlocks) /
                        static_cast<double>(Blocks.executedBlocks()) -
                    1) {
  ++Hierarchy.Launches;
}

/// The multiprocessor of \p G, whose first level a launch finds empty.
Multiprocessor &LaunchTraffic::smOf(const BlockGroup &G) {
  Multiprocessor &SM = Hierarchy.SMs[G.SM];
  if (SM.Launch == Hierarchy.Launches)
    return SM;
  SM.Launch = Hierarchy.Launches;
  SM.Work = SMWork();
  SM.Atomics.clear();
  if (SM.L1Bytes != Resident.L1Bytes) {
    SM.L1Bytes = Resident.L1Bytes;
    // Neither is known to be right. Hashed sets of 64 lines give way as softly
    // as measured: from 3/4 of the capacity on. Four sets that hold all of it
    // are what Accel-Sim has.
    SM.First[0].configure(SM.L1Bytes, Placement::Hashed, 0, 64);
    SM.First[1].configure(SM.L1Bytes, Placement::Modulo, 4, 0);
  } else {
    for (SectoredCache &Cache : SM.First)
      Cache.clear();
  }
  return SM;
}

uint32_t LaunchTraffic::record(BlockGroup &G, WarpTrace &Trace,
                               RequestKind Kind, uint32_t Number, uint8_t Flags,
                               uint32_t BankWavefronts, const uint64_t *Sectors,
                               unsigned Num, bool Full) {
  const size_t First = Trace.Words.size();
  Trace.Words.push_back(0);
  uint64_t Highest = 0;
  for (unsigned I = 0; I < Num; ++I) {
    const uint64_t Line = Sectors[I] / SectorsPerLine;
    const uint64_t Sector = uint64_t(1) << Sectors[I] % SectorsPerLine;
    uint64_t *Known = nullptr;
    if (Trace.Words.size() > First + 1 && Line <= Highest)
      for (size_t W = Trace.Words.size() - 1; W > First && !Known; --W)
        if (LineWord::of(Trace.Words[W]).Line == Line)
          Known = &Trace.Words[W];
    if (Known) {
      *Known |= Sector;
      continue;
    }
    Highest = std::max(Highest, Line);
    Trace.Words.push_back(
        LineWord{Line, Kind, Full, static_cast<uint8_t>(Sector)}.word());
  }
  const size_t Lines = Trace.Words.size() - First - 1;
  Trace.Words[First] =
      Request{Number, static_cast<uint8_t>(Lines), Kind,
              Kind != RequestKind::Store && Trace.beginsEpoch(Number, Flags)}
          .word();
  G.Words += Lines + 1;
  const uint32_t Wavefronts =
      std::max({BankWavefronts, tagWavefronts(static_cast<unsigned>(Lines)),
                Hierarchy.Model.limits().LeastWavefronts});
  countRequest(G, Trace, &SMWork::GlobalWavefronts, Wavefronts);
  return Wavefronts;
}

/// Counts a request that takes \p Passes, to which \p Sum belongs.
void LaunchTraffic::countRequest(const BlockGroup &G, WarpTrace &Trace,
                                 uint64_t SMWork::*Sum, uint32_t Passes) {
  SMWork &Work = smOf(G).Work;
  ++Work.Requests;
  Work.*Sum += Passes;
  ++Trace.Use.Requests;
  Trace.Use.Passes += Passes;
}

void LaunchTraffic::recordShared(BlockGroup &G, WarpTrace &Trace,
                                 uint32_t Number, uint8_t Flags,
                                 uint32_t Passes) {
  // Its load/store units take addresses as they do those of global memory.
  Passes = std::max(Passes, Hierarchy.Model.limits().LeastWavefronts);
  countRequest(G, Trace, &SMWork::SharedPasses, Passes);
  Trace.Use.SharedEpochs += Trace.beginsEpoch(Number, Flags);
}

uint32_t LaunchTraffic::recordLink(BlockGroup &G, WarpTrace &Trace,
                                   RequestKind Kind, uint32_t Number,
                                   uint8_t Flags, uint32_t BankWavefronts) {
  const uint32_t Wavefronts =
      std::max(BankWavefronts, Hierarchy.Model.limits().LeastWavefronts);
  countRequest(G, Trace, &SMWork::GlobalWavefronts, Wavefronts);
  if (Kind == RequestKind::Store)
    return Wavefronts;
  Trace.beginsEpoch(Number, Flags);
  Trace.Use.LinkEpochs += !Trace.WaitedForLink;
  Trace.WaitedForLink = true;
  return Wavefronts;
}

/// Addresses share a counter only if there are many of them, of which none
/// decides.
constexpr unsigned AtomicCounterBits = 12;
/// Neighbouring 256 bytes are one part's of the second level (dramid@8 in
/// configs/tested-cfgs of accel-sim/gpgpu-sim_distribution).
constexpr unsigned AtomicShift = 8;

void LaunchTraffic::noteAtomics(const BlockGroup &G, const WarpAccess &A) {
  std::vector<uint64_t> &Counters = smOf(G).Atomics;
  Counters.resize(size_t(1) << AtomicCounterBits);
  uint64_t Words[WarpSize];
  uint32_t Lanes[WarpSize], Num = 0;
  for (uint32_t Rest = A.Mask; Rest; Rest &= Rest - 1) {
    const uint64_t Word = A.Address[__builtin_ctz(Rest)] / BankBytes;
    const auto I =
        static_cast<uint32_t>(std::find(Words, Words + Num, Word) - Words);
    if (I == Num) {
      Words[Num] = Word;
      Lanes[Num++] = 0;
    }
    ++Lanes[I];
  }
  // The words of a sector are changed together, lanes of one word in turn.
  constexpr uint64_t WordsOfSector = SectorBytes / BankBytes;
  for (uint32_t I = 0; I < Num; ++I) {
    bool IsMost = true;
    for (uint32_t J = 0; J < Num; ++J)
      IsMost &= Words[J] / WordsOfSector != Words[I] / WordsOfSector ||
                Lanes[J] < Lanes[I] || (Lanes[J] == Lanes[I] && J >= I);
    const uint64_t Place = Words[I] * BankBytes >> AtomicShift;
    if (IsMost)
      Counters[Place * 0x9e3779b97f4a7c15 >> (64 - AtomicCounterBits)] +=
          Lanes[I];
  }
}

/// Moves what a warp has done since its last barrier into its Use.
static void takeWork(WarpTrace &Trace, const uint64_t *Work) {
  for (unsigned P = 0; P < NumPipes; ++P) {
    Trace.Use.Work[P] = Work[P] - std::min(Work[P], Trace.Work[P]);
    Trace.Work[P] = std::max(Trace.Work[P], Work[P]);
  }
}

void LaunchTraffic::endPhase(BlockGroup &G, WarpTrace &Trace,
                             const uint64_t *Work) {
  takeWork(Trace, Work);
  Trace.Words.push_back(
      Request{0, UseWords, RequestKind::Load, false, true}.word());
  const auto *Words = reinterpret_cast<const uint64_t *>(&Trace.Use);
  Trace.Words.insert(Trace.Words.end(), Words, Words + UseWords);
  Trace.Use = WarpUse();
  ++G.Arrivals;
}

void LaunchTraffic::endWarp(BlockGroup &G, WarpTrace &Trace,
                            const uint64_t *Work) {
  SMWork &Sum = smOf(G).Work;
  for (unsigned P = 0; P < NumPipes; ++P)
    Sum.Work[P] += Work[P];
  takeWork(Trace, Work);
}

// --- The first level ---------------------------------------------------------

/// Ends the epoch of \p Trace, if it is in one.
static void endEpoch(WarpTrace &Trace, const DeviceModel &Model) {
  if (Trace.InEpoch)
    for (unsigned P = 0; P < NumPlacements; ++P) {
      WarpWaits &Waits = Trace.Waits[P];
      Waits.Near += Trace.Missed[P] ? Model.L2Latency : Model.L1Latency;
      Waits.Far += Trace.Missed[P] ? Model.DramLatency : Model.L1Latency;
      ++Waits.Epochs;
      Trace.Missed[P] = false;
    }
  Trace.InEpoch = false;
}

/// \p Trace has come to the end of a phase, in which it has done \p Use.
void LaunchTraffic::closePhase(BlockGroup &G, WarpTrace &Trace,
                               const WarpUse &Use) {
  const DeviceModel &Model = Hierarchy.Model;
  endEpoch(Trace, Model);
  const uint64_t Blocks = std::max(G.Blocks, 1u);
  const uint64_t WarpsOfBlock = G.Warps.size() / Blocks;
  const auto Block =
      static_cast<size_t>(&Trace - G.Warps.data()) / WarpsOfBlock;
  for (unsigned P = 0; P < NumPlacements; ++P) {
    if (G.Phases[P].empty())
      G.Phases[P].assign(Blocks, BlockPhases(WarpsOfBlock));
    G.Phases[P][Block].add(Model, Trace.Phase, Use, Trace.Waits[P]);
    Trace.Waits[P] = WarpWaits();
  }
  ++Trace.Phase;
}

/// Replays the barriers that \p Trace has come to.
void LaunchTraffic::passBarriers(BlockGroup &G, WarpTrace &Trace) {
  while (Trace.Next < Trace.Words.size() &&
         Request::of(Trace.Words[Trace.Next]).Barrier) {
    WarpUse Use;
    memcpy(&Use, &Trace.Words[Trace.Next + 1], sizeof(Use));
    Trace.Next += 1 + UseWords;
    closePhase(G, Trace, Use);
  }
}

/// Serves the next request of \p Trace.
void LaunchTraffic::serve(Multiprocessor &SM, BlockGroup &G, WarpTrace &Trace,
                          std::vector<InstructionState> &Counts) {
  const Request R = Request::of(Trace.Words[Trace.Next++]);
  if (R.Epoch) {
    endEpoch(Trace, Hierarchy.Model);
    Trace.InEpoch = true;
  }
  InstructionCounters &Line = Counts[R.Number].Counts;
  const unsigned Placements = placementsOn(G.SM);
  for (unsigned I = 0; I < R.Lines; ++I) {
    const LineWord Asked = LineWord::of(Trace.Words[Trace.Next++]);
    if (R.Kind == RequestKind::Atomic || R.Kind == RequestKind::Uncached) {
      G.ToSecond.push_back(Asked.word());
      for (unsigned P = 0; P < Placements; ++P) {
        SM.Work.L2Sectors[P] += count(Asked.Sectors);
        Trace.Missed[P] = true;
      }
      continue;
    }
    for (unsigned P = 0; P < Placements; ++P) {
      CacheLine &Here = SM.First[P].access(Asked.Line);
      uint8_t Passed = Asked.Sectors; // a store is written through
      if (R.Kind == RequestKind::Load) {
        Passed &= ~Here.Valid;
        Here.Valid |= Asked.Sectors;
        Trace.Missed[P] |= Passed != 0;
        SM.Work.Fills[P] += Passed != 0;
      } else if (Asked.Full) {
        Here.Valid |= Asked.Sectors;
      }
      SM.Work.L2Sectors[P] += count(Passed);
      if (P)
        continue;
      if (R.Kind == RequestKind::Load) {
        Line.L1Sectors += count(Asked.Sectors);
        Line.L1HitSectors += count(Asked.Sectors & ~Passed);
      }
      if (Passed)
        G.ToSecond.push_back(
            LineWord{Asked.Line, R.Kind, Asked.Full, Passed}.word());
    }
  }
}

void LaunchTraffic::replay(BlockGroup &G,
                           std::vector<InstructionState> &Counts) {
  Multiprocessor &SM = smOf(G);
  std::vector<WarpTrace *> Left;
  for (WarpTrace &Trace : G.Warps) {
    passBarriers(G, Trace);
    if (Trace.Next < Trace.Words.size())
      Left.push_back(&Trace);
  }
  if (Seed && !Left.empty())
    std::rotate(Left.begin(),
                Left.begin() + static_cast<ptrdiff_t>(Seed % Left.size()),
                Left.end());
  while (!Left.empty()) {
    size_t Kept = 0;
    for (WarpTrace *Trace : Left) {
      serve(SM, G, *Trace, Counts);
      passBarriers(G, *Trace);
      if (Trace->Next < Trace->Words.size())
        Left[Kept++] = Trace;
    }
    Left.resize(Kept);
  }
  for (WarpTrace &Trace : G.Warps) {
    Trace.Words.clear();
    Trace.Next = 0;
  }
  G.Words = G.Arrivals = 0;
}

void LaunchTraffic::finish(BlockGroup &G) {
  Multiprocessor &SM = smOf(G);
  for (WarpTrace &Trace : G.Warps) {
    closePhase(G, Trace, Trace.Use);
    Trace.begin(); // the next group may end before all its blocks have begun
  }
  for (unsigned P = 0; P < NumPlacements; ++P) {
    // The slowest block, as if all misses went to memory.
    BlockTime Longest;
    for (BlockPhases &Block : G.Phases[P])
      if (const BlockTime Time = Block.end(); Time.Far > Longest.Far)
        Longest = Time;
    SM.Work.Stalled[P] += Longest;
    G.Phases[P].clear();
  }
  std::lock_guard<std::mutex> Guard(Lock);
  Waiting[G.Index] = std::move(G.ToSecond);
  G.ToSecond.clear();
  for (auto It = Waiting.begin(); It != Waiting.end() && It->first == NextGroup;
       It = Waiting.erase(It), ++NextGroup) {
    PartWords += It->second.size();
    Part.push_back(std::move(It->second));
    const bool IsHalf =
        !Blocks.Sample.empty() && NextGroup + 1 == Blocks.numGroups() / 2;
    if (Blocks.endsWave(NextGroup) || PartWords > MostPending || IsHalf)
      mergePart();
    if (IsHalf)
      OfFirstHalf = Second;
  }
}

void LaunchTraffic::finishAll() {
  std::lock_guard<std::mutex> Guard(Lock);
  for (auto &[Index, Stream] : Waiting)
    Part.push_back(std::move(Stream));
  Waiting.clear();
  mergePart();
  findBusiestPlace();
  if (!Blocks.Sample.empty())
    extrapolate();
}

void LaunchTraffic::findBusiestPlace() {
  std::vector<uint64_t> Sums;
  for (const Multiprocessor &SM : Hierarchy.SMs) {
    if (SM.Launch != Hierarchy.Launches || SM.Atomics.empty())
      continue;
    Sums.resize(SM.Atomics.size());
    for (size_t I = 0; I < Sums.size(); ++I)
      Sums[I] += SM.Atomics[I];
  }
  if (!Sums.empty())
    Second.AtomicsAtOne = *std::max_element(Sums.begin(), Sums.end());
}

// --- The second level --------------------------------------------------------

/// All streams of the part at once, each as far as the others.
void LaunchTraffic::mergePart() {
  uint64_t Longest = 0;
  for (const std::vector<uint64_t> &Stream : Part)
    Longest = std::max<uint64_t>(Longest, Stream.size());
  constexpr uint64_t MostSteps = 4096;
  const uint64_t Steps = std::min(Longest, MostSteps);
  for (uint64_t Step = 0; Step < Steps; ++Step)
    for (const std::vector<uint64_t> &Stream : Part)
      for (uint64_t I = Stream.size() * Step / Steps,
                    End = Stream.size() * (Step + 1) / Steps;
           I < End; ++I)
        serveSecond(Stream[I]);
  Part.clear();
  PartWords = 0;
}

/// The blocks that a sample leaves out would bring lines of their own: as many
/// for each as those of the sample, one of which has come.
void LaunchTraffic::makeRoomForOthers() {
  constexpr uint64_t Nowhere = uint64_t(1) << 56; // no line has this number
  for (LinesOwed += OthersForEach; LinesOwed >= 1; --LinesOwed) {
    CacheLine Evicted;
    Hierarchy.Second.access(Nowhere + Hierarchy.LinesOfOthers++, Evicted);
    Second.DramWriteBytes += uint64_t(SectorBytes) * count(Evicted.Dirty);
  }
}

/// Memory is read in halves of a line.
static uint8_t halvesOf(uint8_t Sectors) {
  return (Sectors & 3 ? 3 : 0) | (Sectors & 12 ? 12 : 0);
}

void LaunchTraffic::serveSecond(uint64_t Word) {
  const LineWord Asked = LineWord::of(Word);
  CacheLine Evicted;
  CacheLine &Here = Hierarchy.Second.access(Asked.Line, Evicted);
  Second.DramWriteBytes += uint64_t(SectorBytes) * count(Evicted.Dirty);
  const bool IsNew = !Here.Valid;
  const bool Reads =
      Asked.Kind == RequestKind::Load || Asked.Kind == RequestKind::Uncached;
  const uint8_t Missing = Asked.Sectors & ~Here.Valid;
  if (Reads) {
    Second.ReadSectors += count(Asked.Sectors);
    Second.ReadHitSectors += count(Asked.Sectors & Here.Valid);
  } else {
    Second.WriteSectors += count(Asked.Sectors);
    Here.Dirty |= Asked.Sectors;
  }
  if (Missing && Asked.Kind != RequestKind::Store) {
    const uint8_t Fetched = halvesOf(Missing);
    Second.DramReadBytes += uint64_t(SectorBytes) * count(Fetched);
    Here.Valid |= Fetched;
  }
  Here.Valid |= Asked.Sectors;
  if (IsNew && OthersForEach > 0)
    makeRoomForOthers();
}

} // namespace ferry::sim
