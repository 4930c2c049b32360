//===- Scheduler.cpp - Who runs next --------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane runs until it waits: for room in the log, for lanes of its warp, for
// its block, or out of courtesy when it spins. Lanes are let go in this order:
//
//   1. those that waited for room in the log, once it is read, and those that
//      run in step with the block, once every warp had a turn;
//   2. those whose warp operation is complete: every lane of its mask is there;
//   3. lanes that meet again after a branch: when no other lane of the warp can
//      run, those at the innermost meeting point go on together;
//   4. those at a barrier, when it is complete;
//   5. spinning ones, when everybody else had a turn.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace ferry::sim {

/// Passes of a block in which only spinning lanes ran, after which another
/// block of the grid is started: it may be the one that they wait for.
constexpr unsigned PassesBeforeNextBlock = 256;
/// The same where they also run in step with their block: they rarely wait.
constexpr unsigned SteppingPasses = 16 * PassesBeforeNextBlock;
/// Blocks that may do so; the stacks of each take addresses.
constexpr unsigned MostWaiting = 16;
/// Turns of spinning lanes before lanes that meet again go on without them.
constexpr unsigned MaxPatience = 8;

// --- Warps -------------------------------------------------------------------

static void reportEndless(Warp &W, const char *Why) {
  const uint32_t Busy = W.Ready | W.Yielded;
  const Lane &L = *W.Lanes[__builtin_ctz(Busy ? Busy : W.live())];
  addFinding(FindingKind::EndlessSpin, L, L.Site, 0, Why);
  W.Host->Current->Ended = true;
}

/// Runs lanes of \p W until all wait for somebody outside.
static void runWarp(Warp &W) {
  Worker &Host = *W.Host;
  while (!Host.Current->Ended.load(std::memory_order_relaxed)) {
    if (W.Ready) {
      runReady(W);
      readLog(W);
      if (W.Trace && Host.Current->Traffic->isLong(*W.Owner->Group))
        Host.Current->Traffic->replay(*W.Owner->Group, Host.Instructions);
    }
    if (W.LogFull) {
      W.Ready = W.LogFull;
      W.LogFull = 0;
      if (++Host.LogsFilled > Host.Current->Opts->Watchdog)
        reportEndless(W,
                      "the thread's loop has no end: it meets no other thread "
                      "and does not return");
    } else if (W.InStep || !W.AtWarp) {
      return;
    } else if (resolveOperations(W)) {
      W.Patience = Host.LogsFilled = 0;
    } else if (W.Yielded && W.Patience < MaxPatience) {
      ++W.Patience;
      W.Ready = W.Yielded;
      W.Yielded = 0;
    } else if (!resolveJoin(W)) {
      return; // NOLINT(bugprone-branch-clone): the order of the cases counts
    }
  }
}

// --- Blocks ------------------------------------------------------------------

static void freeMemory(Block &B) {
  for (void *Pointer : B.ToFree)
    B.Owner->Current->Memory->release(Pointer);
  B.ToFree.clear();
}

/// The lanes of \p W that wait at barrier \p Id.
static uint32_t lanesAt(const Block &B, const Warp &W, uint32_t Id) {
  if (B.AtBarrier == B.Barriers[Id].Arrived)
    return W.AtBarrier; // nobody waits at another
  uint32_t Here = 0;
  for (uint32_t Rest = W.AtBarrier; Rest; Rest &= Rest - 1)
    if (W.BarrierId[__builtin_ctz(Rest)] == Id)
      Here |= Rest & -Rest;
  return Here;
}

/// Whether everybody whom barrier \p Id waits for is there.
static bool isComplete(const Block &B, uint32_t Id) {
  const BarrierState &S = B.Barriers[Id];
  if (!S.Count)
    return S.Arrived == B.Owner->Current->NumLanes - B.Done;
  // A warp arrives as a whole, ended threads included (PTX ISA, "barrier").
  unsigned Counted = 0;
  for (const Warp &W : B.Warps)
    if (const uint32_t Here = lanesAt(B, W, Id))
      Counted += __builtin_popcount(Here | W.Done);
  return Counted >= S.Count;
}

/// The block's threads [0, Num) that wait at one instruction, all others at
/// another one, or they have ended. Num is 0 if it is not so.
static unsigned threadsTogether(const Block &B) {
  const uint32_t Ended = ~0u;
  unsigned Num = 0;
  uint32_t First = Ended, Second = Ended;
  for (unsigned T = 0; T < B.Owner->Current->NumLanes; ++T) {
    const Warp &W = B.Warps[T / WarpSize];
    const unsigned L = T % WarpSize;
    const uint32_t Site = W.Done >> L & 1 ? Ended : W.Lanes[L]->Site;
    if (T == 0)
      First = Site;
    if (!Num && Site != First) {
      Num = T;
      Second = Site;
    }
    if (Num && Site != Second)
      return 0;
  }
  return Num;
}

/// The threads of a parallel region of \p B, if it is because that leaves some
/// over that the block's threads came to different instructions of a barrier
/// (RegionThreads.h), else 0. By whole warps: otherwise hardware need not do
/// what the runtime wants.
static unsigned threadsOfRegion(const Block &B) {
  const Launch &L = *B.Owner->Current;
  const uint32_t Wanted = L.Kernel->Info->RegionThreads;
  if (!Wanted || B.AtBarrier + B.Done != L.NumLanes)
    return 0;
  const unsigned Num = threadsTogether(B);
  return Num % WarpSize == 0 &&
                 (Wanted == KernelInfo::AnyRegionThreads || Wanted == Num)
             ? Num
             : 0;
}

/// Reports barrier \p Id, to which some came and others did not.
static void reportPartial(const Block &B, uint32_t Id) {
  const BarrierState &S = B.Barriers[Id];
  const unsigned OfRegion = threadsOfRegion(B);
  if (OfRegion && !S.Scattered)
    return; // the ones left over have gone on to the kernel's end
  unsigned Here = 0;
  for (const Warp &W : B.Warps)
    for (uint32_t Rest = lanesAt(B, W, Id); Rest; Rest &= Rest - 1)
      Here += W.Lanes[__builtin_ctz(Rest)]->Site == S.Site;
  char Text[200];
  if (OfRegion) {
    const Lane &First = *B.Warps[0].Lanes[0];
    snprintf(Text, sizeof(Text),
             "OpenMP's device runtime takes a barrier of the whole block: %u "
             "threads of a parallel region meet the others at its end",
             OfRegion);
    addFinding(FindingKind::RegionBarrier, First, First.Site, 0, Text);
    return;
  }
  if (S.Scattered)
    snprintf(Text, sizeof(Text),
             "%u of the block's threads are at the barrier, %u at another one",
             Here, S.Arrived - Here);
  else
    snprintf(Text, sizeof(Text),
             "%u of the block's threads are at the barrier, others have ended",
             S.Arrived);
  addFinding(FindingKind::PartialBarrier, *S.First, S.First->Site, 0, Text);
}

/// All threads of \p B have come to a barrier: a phase ends, for warps that
/// have ended as well. What one thread of a warp has done stands for the warp;
/// the others are asked at its end.
static void endPhases(Block &B) {
  for (Warp &W : B.Warps)
    if (W.Trace)
      B.Owner->Current->Traffic->endPhase(
          *B.Group, *W.Trace,
          W.Lanes[__builtin_ctz(W.live() ? W.live() : W.All)]->Work);
}

static void releaseBarrier(Block &B, uint32_t Id) {
  BarrierState &S = B.Barriers[Id];
  if (S.Aligned &&
      (S.Scattered || (B.Done && !B.Owner->Current->Kernel->Info->Generic)))
    reportPartial(B, Id);
  freeMemory(B);
  B.Owner->LogsFilled = 0;
  ++B.Epoch;
  if (S.Arrived == B.Owner->Current->NumLanes - B.Done) {
    ++B.Owner->Total.Barriers;
    endPhases(B);
  }
  for (Warp &W : B.Warps) {
    const uint32_t Here = lanesAt(B, W, Id);
    W.AtBarrier &= ~Here;
    W.Ready |= Here;
  }
  B.AtBarrier -= S.Arrived;
  const unsigned Votes = S.Votes;
  S = BarrierState();
  S.Result = Votes;
}

static bool resolveBarriers(Block &B) {
  bool Any = false;
  for (uint32_t Id = 0; Id < NumBarriers && B.AtBarrier; ++Id)
    if (B.Barriers[Id].Arrived && isComplete(B, Id)) {
      releaseBarrier(B, Id);
      Any = true;
    }
  return Any;
}

/// A warp of \p B that spins, or else one that is not done.
static Warp &spinningWarp(Block &B) {
  Warp *Any = nullptr;
  for (Warp &W : B.Warps) {
    if (W.Yielded)
      return W;
    if (W.live() && !Any)
      Any = &W;
  }
  return *Any;
}

static void reportDeadlock(Block &B) {
  unsigned AtWarp = 0;
  const Lane *Waiting = nullptr;
  for (const Warp &W : B.Warps) {
    AtWarp += __builtin_popcount(W.AtWarp);
    if (W.AtBarrier && !Waiting)
      Waiting = W.Lanes[__builtin_ctz(W.AtBarrier)];
  }
  Launch &L = *B.Owner->Current;
  const Warp &Any = spinningWarp(B);
  const Lane &Who = Waiting ? *Waiting : *Any.Lanes[__builtin_ctz(Any.live())];
  char Text[256];
  snprintf(Text, sizeof(Text),
           "no thread of the block can go on: %u at barriers, %u waiting for "
           "lanes of their warp, %u ended",
           B.AtBarrier, AtWarp, B.Done);
  addFinding(FindingKind::Deadlock, Who, Who.Site, 0, Text);
  L.Ended = true;
}

enum class Pass {
  Finished,
  Running,
  Stepping, ///< threads go on, but none has ended or met others
  Spinning
};

/// Gives every warp of \p B a turn.
static Pass runPass(Block &B) {
  Worker &Host = *B.Owner;
  bool Progress = false;
  unsigned Spinners = 0;
  for (Warp &W : B.Warps) {
    const uint32_t Before = W.Done | W.AtBarrier;
    const uint32_t Syncs = W.Syncs;
    const bool Fresh = W.Ready;
    runWarp(W);
    Progress |= Fresh || Before != (W.Done | W.AtBarrier) || Syncs != W.Syncs;
  }
  if (Host.Current->Ended)
    return Pass::Finished;
  Progress |= resolveBarriers(B);
  if (B.Done == Host.Current->NumLanes)
    return Pass::Finished;
  bool AnyReady = false;
  for (Warp &W : B.Warps) {
    AnyReady |= W.Ready || W.InStep;
    W.LogFull |= W.InStep;
    W.InStep = 0;
    Spinners += __builtin_popcount(W.Yielded);
  }
  if (!Spinners && !AnyReady) {
    reportDeadlock(B);
    return Pass::Finished;
  }
  if (!Progress && !AnyReady)
    Host.Turns += Spinners;
  else
    Host.Turns = 0;
  return Progress ? Pass::Running : AnyReady ? Pass::Stepping : Pass::Spinning;
}

/// Wakes the spinning lanes of \p B. They do not count as progress.
static void wakeSpinners(Block &B) {
  for (Warp &W : B.Warps) {
    W.LogFull |= W.Yielded;
    W.Yielded = 0;
  }
}

static std::unique_ptr<Block> makeBlock(Worker &Host, const Launch &L) {
  std::unique_ptr<Block> B;
  if (!Host.Spare.empty()) {
    B = std::move(Host.Spare.back());
    Host.Spare.pop_back();
  } else {
    B = std::make_unique<Block>();
    B->Slot = slots::acquire();
    B->Shared = slots::shared(B->Slot);
  }
  B->Owner = &Host;
  const unsigned NumWarps = (L.NumLanes + WarpSize - 1) / WarpSize;
  B->Warps.resize(NumWarps);
  B->Logs.resize(static_cast<size_t>(NumWarps) * WarpSize * LogRows);
  B->Shadow.resize(L.SharedBytes);
  return B;
}

/// Whether \p Host has another group, NextGroup. A multiprocessor belongs to
/// one job, so that its groups are in order.
static bool hasNextGroup(Worker &Host, const Launch &L) {
  while (Host.NextGroup < L.Blocks.numGroups() &&
         L.Blocks.smOf(Host.NextGroup) % L.Jobs != Host.Job)
    ++Host.NextGroup;
  return Host.NextGroup < L.Blocks.numGroups();
}

static BlockGroup &openNextGroup(Worker &Host, const Launch &L) {
  std::unique_ptr<BlockGroup> G;
  if (Host.SpareGroups.empty()) {
    G = std::make_unique<BlockGroup>();
  } else {
    G = std::move(Host.SpareGroups.back());
    Host.SpareGroups.pop_back();
  }
  G->Index = Host.NextGroup++;
  G->SM = L.Blocks.smOf(G->Index);
  G->First = L.Blocks.firstBlock(G->Index);
  G->Blocks = L.Blocks.blocksOf(G->Index);
  G->Started = G->Finished = 0;
  if (L.Traffic)
    G->Warps.resize(size_t(G->Blocks) *
                    ((L.NumLanes + WarpSize - 1) / WarpSize));
  Host.ActiveGroups.push_back(std::move(G));
  return *Host.ActiveGroups.back();
}

/// The group of which \p Host starts the next block; null if there is none. One
/// group comes after the other, unless blocks wait for others: a GPU starts
/// those in their order, and they wait for earlier ones.
static BlockGroup *groupToStart(Worker &Host, const Launch &L) {
  const bool Waiting = !Host.Active.empty();
  if (Waiting) {
    const uint64_t Wave =
        Host.ActiveGroups.empty()
            ? 0
            : L.Blocks.waveOf(Host.ActiveGroups.front()->Index);
    while (hasNextGroup(Host, L) && L.Blocks.waveOf(Host.NextGroup) <= Wave)
      openNextGroup(Host, L);
  }
  BlockGroup *First = nullptr;
  for (const std::unique_ptr<BlockGroup> &G : Host.ActiveGroups) {
    auto Next = [&](const BlockGroup &Of) {
      return Of.First + uint64_t(Of.Started) * L.Blocks.SMs;
    };
    if (G->Started < G->Blocks && (!First || Next(*G) < Next(*First)))
      First = G.get();
    if (First && !Waiting)
      break;
  }
  if (!First && hasNextGroup(Host, L))
    First = &openNextGroup(Host, L);
  return First;
}

/// All blocks of \p G have ended, or none will.
static void endGroup(Worker &Host, BlockGroup &G) {
  if (LaunchTraffic *Traffic = Host.Current->Traffic) {
    Traffic->replay(G, Host.Instructions);
    Traffic->finish(G);
  }
  auto It = std::find_if(Host.ActiveGroups.begin(), Host.ActiveGroups.end(),
                         [&](const auto &Known) { return Known.get() == &G; });
  Host.SpareGroups.push_back(std::move(*It));
  Host.ActiveGroups.erase(It);
}

/// The block at \p Place in the order of starts: with a seed, another one near
/// it. A GPU starts blocks in about their order, which programs rely on: a
/// reduction of the device runtime waits for teams that are 1,024 before.
static uint64_t blockAt(uint64_t Place, const Launch &L) {
  constexpr uint64_t Near = 16;
  const uint64_t First = Place - Place % Near;
  const uint64_t Num = std::min(Near, L.Blocks.NumBlocks - First);
  return First + (Place - First + L.Opts->Seed % Num) % Num;
}

/// Starts the next block of \p G.
static void startBlock(Block &B, const Launch &L, BlockGroup &G) {
  const uint32_t InGroup = G.Started++;
  const uint64_t Number =
      blockAt(G.First + uint64_t(InGroup) * L.Blocks.SMs, L);
  B.Group = &G;
  B.Id[0] = static_cast<uint32_t>(Number % L.Grid[0]);
  B.Id[1] = static_cast<uint32_t>(Number / L.Grid[0] % L.Grid[1]);
  B.Id[2] = static_cast<uint32_t>(Number / L.Grid[0] / L.Grid[1]);
  B.Tag = ++B.Owner->LastTag;
  B.Epoch = B.Done = B.Spinning = B.AtBarrier = 0;
  std::fill(B.Barriers, B.Barriers + NumBarriers, BarrierState());
  for (CopyQueue &Q : B.Copies)
    Q.clear();
  B.Targets.clear();
  // What a program reads before it writes is never the same as what it expects.
  memset(B.Shared, 0xA5, L.SharedBytes);
  for (unsigned I = 0; I < B.Warps.size(); ++I) {
    Warp &W = B.Warps[I];
    const unsigned Num = std::min(L.NumLanes - I * WarpSize, WarpSize);
    W.Owner = &B;
    W.Host = B.Owner;
    W.Index = I;
    W.All = Num == WarpSize ? ~0u : (1u << Num) - 1;
    W.Ready = W.All;
    W.LogFull = W.InStep = W.Yielded = 0;
    W.AtWarp = W.AtBarrier = W.Done = 0;
    W.Turn = W.Patience = W.Syncs = 0;
    W.Trace = nullptr;
    if (L.Traffic) {
      W.Trace = &G.Warps[InGroup * B.Warps.size() + I];
      W.Trace->begin();
    }
    W.Log = &B.Logs[static_cast<size_t>(I) * WarpSize * LogRows];
    memset(W.Rows, 0, sizeof(W.Rows));
    W.Reached.resize(L.Kernel->Module->NumBlocks);
    if (L.Traffic && L.Traffic->meetsCode(G))
      std::fill(W.Reached.begin(), W.Reached.end(), 0);
    for (unsigned J = 0; J < Num; ++J)
      startLane(W, J);
  }
}

/// Bytes of machine code that \p W has come to.
static uint64_t executedCode(const Warp &W, const ModuleInfo &Module) {
  uint64_t Bytes = 0;
  for (uint32_t B = 0; B < Module.NumBlocks; ++B)
    Bytes += W.Reached[B] ? Module.CodeBytes[B] : 0;
  return Bytes;
}

static void finishBlock(Block &B) {
  freeMemory(B);
  Worker &Host = *B.Owner;
  for (Warp &W : B.Warps) {
    // Lanes of a warp go together: what the busiest does, the warp does.
    uint64_t Work[NumPipes] = {};
    for (uint32_t Rest = W.All; Rest; Rest &= Rest - 1) {
      const Lane &L = *W.Lanes[__builtin_ctz(Rest)];
      Host.Total.ThreadInstructions += L.Instructions;
      for (unsigned P = 0; P < NumPipes; ++P)
        Work[P] = std::max(Work[P], L.Work[P]);
    }
    if (!W.Trace)
      continue;
    LaunchTraffic &Traffic = *Host.Current->Traffic;
    Traffic.endWarp(*B.Group, *W.Trace, Work);
    if (Traffic.meetsCode(*B.Group))
      Traffic.noteCode(*B.Group,
                       executedCode(W, *Host.Current->Kernel->Module));
  }
  if (++B.Group->Finished == B.Group->Blocks)
    endGroup(Host, *B.Group);
}

/// Runs a pass of the block of \p W that was started last; those before it
/// spin. \returns whether another block should be started.
static bool runNext(Worker &W, const Launch &L) {
  bool Wanted = false;
  std::unique_ptr<Block> B = std::move(W.Active.back());
  W.Active.pop_back();
  switch (runPass(*B)) {
  case Pass::Finished:
    finishBlock(*B);
    W.Spare.push_back(std::move(B));
    // What is left waits for blocks that have not been started.
    Wanted =
        std::all_of(W.Active.begin(), W.Active.end(), [](const auto &Left) {
          return Left->Spinning >= PassesBeforeNextBlock;
        });
    break;
  case Pass::Running:
    B->Spinning = 0;
    wakeSpinners(*B);
    W.Active.push_back(std::move(B));
    break;
  case Pass::Stepping: {
    // A loop of the runtime that waits for another block is one of these.
    Wanted =
        ++B->Spinning % SteppingPasses == 0 && W.Active.size() < MostWaiting;
    wakeSpinners(*B);
    if (Wanted)
      W.Active.push_front(std::move(B));
    else
      W.Active.push_back(std::move(B));
    break;
  }
  case Pass::Spinning:
    Wanted = ++B->Spinning % PassesBeforeNextBlock == 0;
    if (W.Turns > L.Opts->Watchdog) {
      reportEndless(spinningWarp(*B), "threads wait in a loop for something "
                                      "that nobody does");
    }
    wakeSpinners(*B);
    W.Active.push_front(std::move(B));
    break;
  }
  return Wanted;
}

void Worker::run(Launch &L) {
  Turns = 0;
  Random = L.Opts->Seed;
  Generation = L.Memory->generation();
  Instructions.resize(
      std::max<size_t>(Instructions.size(), L.Kernel->Module->NumInstructions));
  NextGroup = 0;
  bool Wanted = true; // another block
  while (!L.Ended) {
    if (Wanted && Active.size() < L.MaxActive)
      if (BlockGroup *G = groupToStart(*this, L)) {
        Active.push_back(makeBlock(*this, L));
        startBlock(*Active.back(), L, *G);
      }
    if (Active.empty())
      break;
    Wanted = runNext(*this, L);
  }
  while (!Active.empty()) {
    finishBlock(*Active.back());
    Spare.push_back(std::move(Active.back()));
    Active.pop_back();
  }
  while (!ActiveGroups.empty())
    endGroup(*this, *ActiveGroups.back());
  Running = nullptr;
  Current = nullptr;
}

} // namespace ferry::sim
