//===- Traffic.cpp - What warps ask of the caches, in a GPU's order -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Traffic.h"
#include "../gpu/DeviceTable.h"
#include "../gpu/Rates.h"
#include "Lanes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ferry::sim {

// --- Words of traces ---------------------------------------------------------

namespace {

constexpr unsigned UseWords = sizeof(WarpUse) / sizeof(uint64_t);
static_assert(sizeof(WarpUse) == UseWords * sizeof(uint64_t));
constexpr unsigned WaitWords = 3;

/// The sectors in a mask of a line's.
unsigned count(unsigned Sectors) {
  // A digit for each mask, without what a population count takes where the
  // processor need not have one.
  return 0x4332322132212110 >> (Sectors * 4) & 0xf;
}

} // namespace

void WarpTrace::begin() {
  Words.clear();
  Next = 0;
  Use = WarpUse();
  std::fill(Waits, Waits + NumPlacements, WarpWaits());
  std::fill(Waited, Waited + NumPlacements, WaitClocks());
  std::fill(Copies, Copies + NumPlacements, CopyWaits());
  Busy = 0;
  BusyAtCommit.clear();
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
      LeastWavefronts(Hierarchy.Model.limits().LeastWavefronts),
      OthersForEach(static_cast<double>(Blocks.NumBlocks) /
                        static_cast<double>(Blocks.executedBlocks()) -
                    1) {
  ++Hierarchy.Launches;
}

/// A launch finds the first level of \p SM empty.
void LaunchTraffic::prepare(Multiprocessor &SM) {
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
}

/// The lines of \p Sectors, each once, as \p Like but for their number and
/// sectors. Returns how many there are.
static unsigned linesOf(const uint64_t *Sectors, unsigned Num, LineWord Like,
                        uint64_t *Words) {
  unsigned Lines = 0;
  uint64_t Highest = 0;
  for (unsigned I = 0; I < Num;) {
    Like.Line = Sectors[I] / SectorsPerLine;
    unsigned Here = 0;
    for (; I < Num && Sectors[I] / SectorsPerLine == Like.Line; ++I)
      Here |= 1u << Sectors[I] % SectorsPerLine;
    // Most accesses ascend: the search is for the others.
    unsigned Known = Lines;
    if (Lines && Like.Line <= Highest)
      Known = static_cast<unsigned>(
          std::find_if(Words, Words + Lines,
                       [&](uint64_t Word) {
                         return LineWord::of(Word).Line == Like.Line;
                       }) -
          Words);
    if (Known < Lines) {
      Words[Known] |= Here;
      continue;
    }
    Highest = std::max(Highest, Like.Line);
    Like.Sectors = static_cast<uint8_t>(Here);
    Words[Lines++] = Like.word();
  }
  return Lines;
}

uint32_t LaunchTraffic::record(BlockGroup &G, WarpTrace &Trace,
                               RequestKind Kind, uint32_t Number, uint8_t Flags,
                               uint32_t BankWavefronts, const uint64_t *Sectors,
                               unsigned Num, bool Full) {
  uint64_t *Words = Trace.Words.room(1 + Num);
  const unsigned Lines = linesOf(Sectors, Num, {0, Kind, Full, 0}, Words + 1);
  Words[0] =
      Request{Number, static_cast<uint8_t>(Lines), Kind,
              Kind != RequestKind::Store && Trace.beginsEpoch(Number, Flags),
              (Flags & AsyncLoad) != 0}
          .word();
  Trace.Words.append(1 + Lines);
  G.Words += Lines + 1;
  const uint32_t Wavefronts =
      std::max({BankWavefronts, tagWavefronts(Lines), LeastWavefronts});
  countRequest(G, Trace, &SMWork::GlobalWavefronts, Wavefronts);
  return Wavefronts;
}

/// Counts a request of \p Instructions that takes \p Passes, to which \p Sum
/// belongs.
void LaunchTraffic::countRequest(const BlockGroup &G, WarpTrace &Trace,
                                 uint64_t SMWork::*Sum, uint32_t Passes,
                                 unsigned Instructions) {
  SMWork &Work = smOf(G).Work;
  Work.Requests += Instructions;
  Work.*Sum += Passes;
  Trace.Use.Requests += Instructions;
  Trace.Use.Passes += Passes;
  Trace.Busy += Passes;
}

void LaunchTraffic::recordShared(BlockGroup &G, WarpTrace &Trace,
                                 uint32_t Number, uint8_t Flags,
                                 uint32_t Passes) {
  // Its load/store units take addresses as they do those of global memory.
  Passes = std::max(Passes, LeastWavefronts);
  // An asynchronous copy is one instruction, counted with its load.
  countRequest(G, Trace, &SMWork::SharedPasses, Passes,
               Flags & AsyncStore ? 0 : 1);
  const bool Begins = Trace.beginsEpoch(Number, Flags);
  Trace.Use.SharedEpochs += Begins;
  if (Begins)
    Trace.Busy += Hierarchy.Model.SharedLatency;
}

void LaunchTraffic::commitCopies(BlockGroup &G, WarpTrace &Trace) {
  *Trace.Words.room(1) = Request::mark(Mark::Commit, 1).word();
  Trace.Words.append(1);
  ++G.Words;
  Trace.BusyAtCommit.push_back(Trace.Busy);
}

void LaunchTraffic::waitForCopies(BlockGroup &G, WarpTrace &Trace,
                                  const CopyEvent &Event) {
  std::vector<double> &Groups = Trace.BusyAtCommit;
  if (Groups.size() <= Event.Last)
    return;
  // Those behind the newest that is waited for.
  Groups.erase(Groups.begin(), Groups.end() - Event.Last - 1);
  const double Clocks = clocksAlone(static_cast<double>(Event.Instructions),
                                    Trace.Busy - Groups.front());
  Groups.erase(Groups.begin());
  uint64_t *Words = Trace.Words.room(WaitWords);
  Words[0] = Request::mark(Mark::Wait, WaitWords).word();
  Words[1] = Event.Last;
  Words[2] = static_cast<uint64_t>(Clocks);
  Trace.Words.append(WaitWords);
  G.Words += WaitWords;
}

uint32_t LaunchTraffic::recordLink(BlockGroup &G, WarpTrace &Trace,
                                   RequestKind Kind, uint32_t Number,
                                   uint8_t Flags, uint32_t BankWavefronts) {
  const uint32_t Wavefronts = std::max(BankWavefronts, LeastWavefronts);
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
  uint64_t *Words = Trace.Words.room(1 + UseWords);
  Words[0] = Request::mark(Mark::Barrier, 1 + UseWords).word();
  memcpy(Words + 1, &Trace.Use, sizeof(WarpUse));
  Trace.Words.append(1 + UseWords);
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

static WaitClocks latencyOf(const DeviceModel &Model, bool Missed) {
  if (Missed)
    return {Model.L2Latency, Model.DramLatency};
  return {Model.L1Latency, Model.L1Latency};
}

/// Ends the epoch of \p Trace, if it is in one.
static void endEpoch(WarpTrace &Trace, const DeviceModel &Model,
                     unsigned Placements) {
  if (Trace.InEpoch)
    for (unsigned P = 0; P < Placements; ++P) {
      Trace.wait(P, latencyOf(Model, Trace.Missed[P]));
      Trace.Missed[P] = false;
    }
  Trace.InEpoch = false;
}

/// \p Trace has come to the end of a phase, in which it has done \p Use.
void LaunchTraffic::closePhase(BlockGroup &G, WarpTrace &Trace,
                               const WarpUse &Use) {
  const DeviceModel &Model = Hierarchy.Model;
  const unsigned Placements = placementsOn(G.SM);
  endEpoch(Trace, Model, Placements);
  const uint64_t Blocks = std::max(G.Blocks, 1u);
  const uint64_t WarpsOfBlock = G.Warps.size() / Blocks;
  const auto Block =
      static_cast<size_t>(&Trace - G.Warps.data()) / WarpsOfBlock;
  for (unsigned P = 0; P < Placements; ++P) {
    if (G.Phases[P].empty())
      G.Phases[P].assign(Blocks, BlockPhases(WarpsOfBlock));
    G.Phases[P][Block].add(Model, Trace.Phase, Use, Trace.Waits[P]);
    Trace.Waits[P] = WarpWaits();
  }
  ++Trace.Phase;
}

/// \p Trace waits for all groups of copies but the \p Last ones, the newest of
/// which it made \p Busy clocks of its own ago.
void LaunchTraffic::endWait(const BlockGroup &G, WarpTrace &Trace,
                            uint32_t Last, double Busy) {
  const DeviceModel &Model = Hierarchy.Model;
  const unsigned Placements = placementsOn(G.SM);
  endEpoch(Trace, Model, Placements);
  for (unsigned P = 0; P < Placements; ++P) {
    const WaitClocks Left =
        Trace.Copies[P].wait(Last, Trace.Waited[P], Busy,
                             latencyOf(Model, false), latencyOf(Model, true));
    if (Left.Far > 0)
      Trace.wait(P, Left);
  }
}

/// Replays the marks that \p Trace has come to.
void LaunchTraffic::passMarks(BlockGroup &G, WarpTrace &Trace) {
  while (Trace.Next < Trace.Words.size()) {
    const uint64_t *Words = Trace.Words.at(Trace.Next);
    const Request R = Request::of(*Words++);
    if (R.Is == Mark::None)
      return;
    Trace.Next += 1 + R.Lines;
    if (R.Is == Mark::Barrier) {
      WarpUse Use;
      memcpy(&Use, Words, sizeof(Use));
      closePhase(G, Trace, Use);
    } else if (R.Is == Mark::Wait) {
      endWait(G, Trace, static_cast<uint32_t>(Words[0]),
              static_cast<double>(Words[1]));
    } else {
      for (CopyWaits &Copies : Trace.Copies)
        Copies.commit();
    }
  }
}

/// Serves the lines of \p R, a load or store, at \p Words, as far as placement
/// \p P of \p SM has them; those of the first one go on to the second level.
template <unsigned P>
static void serveFirst(Multiprocessor &SM, BlockGroup &G, WarpTrace &Trace,
                       const uint64_t *Words, const Request &R,
                       InstructionCounters &Line) {
  unsigned Read = 0, ToSecond = 0;
  bool Missed = false;
  for (unsigned I = 0; I < R.Lines; ++I) {
    LineWord Asked = LineWord::of(Words[I]);
    CacheLine &Here = SM.First[P].access(Asked.Line);
    uint8_t Passed = Asked.Sectors; // a store is written through
    if (Asked.Kind == RequestKind::Load) {
      Passed &= ~Here.Valid;
      Here.Valid |= Asked.Sectors;
      Read += count(Asked.Sectors);
      Missed |= Passed != 0;
      SM.Work.Fills[P] += Passed != 0;
    } else if (Asked.Full) {
      Here.Valid |= Asked.Sectors;
    }
    ToSecond += count(Passed);
    if (!Passed)
      continue;
    Asked.Sectors = Passed;
    SM.Work.L2Sectors[P] += Asked.timeInSectors();
    if (P == 0)
      G.ToSecond.push_back(Asked.word());
  }
  if (R.Copy)
    Trace.Copies[P].start(Trace.Waited[P], Missed);
  else
    Trace.Missed[P] |= Missed;
  if (P == 0 && Read) {
    Line.L1Sectors += Read;
    Line.L1HitSectors += Read - ToSecond;
  }
}

/// Serves the next request of \p Trace.
void LaunchTraffic::serve(Multiprocessor &SM, BlockGroup &G, WarpTrace &Trace,
                          std::vector<InstructionState> &Counts) {
  const uint64_t *Words = Trace.Words.at(Trace.Next);
  const Request R = Request::of(*Words++);
  Trace.Next += 1 + R.Lines;
  const unsigned Placements = placementsOn(G.SM);
  if (R.Epoch) {
    endEpoch(Trace, Hierarchy.Model, Placements);
    Trace.InEpoch = true;
  }
  if (R.Kind == RequestKind::Atomic || R.Kind == RequestKind::Uncached) {
    G.ToSecond.insert(G.ToSecond.end(), Words, Words + R.Lines);
    for (unsigned P = 0; P < Placements; ++P) {
      for (unsigned I = 0; I < R.Lines; ++I)
        SM.Work.L2Sectors[P] += LineWord::of(Words[I]).timeInSectors();
      Trace.Missed[P] = true;
    }
    return;
  }
  InstructionCounters &Line = Counts[R.Number].Counts;
  serveFirst<0>(SM, G, Trace, Words, R, Line);
  if (Placements > 1)
    serveFirst<1>(SM, G, Trace, Words, R, Line);
}

void LaunchTraffic::replay(BlockGroup &G,
                           std::vector<InstructionState> &Counts) {
  Multiprocessor &SM = smOf(G);
  std::vector<WarpTrace *> Left;
  for (WarpTrace &Trace : G.Warps) {
    passMarks(G, Trace);
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
      passMarks(G, *Trace);
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
  for (unsigned P = 0; P < placementsOn(G.SM); ++P) {
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
    Hierarchy.Second.access(Nowhere + Hierarchy.LinesOfOthers++, &Evicted);
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
  CacheLine &Here = Hierarchy.Second.access(Asked.Line, &Evicted);
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
    Second.PartSectors += Asked.timeInSectors() - count(Asked.Sectors);
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
