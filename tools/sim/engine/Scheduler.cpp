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

extern "C" void ferry_sim_switch(void **From, void *To);
// Stores what a function must keep, changes the stack, and takes it back.
asm(R"(
        .text
        .p2align 4
        .globl  ferry_sim_switch
        .hidden ferry_sim_switch
        .type   ferry_sim_switch, @function
ferry_sim_switch:
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        retq
        .size   ferry_sim_switch, .-ferry_sim_switch
)");

namespace ferry::sim {

/// Passes of a block in which only spinning lanes ran, after which another
/// block of the grid is started: it may be the one that they wait for.
constexpr unsigned PassesBeforeNextBlock = 256;
/// Turns of spinning lanes before lanes that meet again go on without them.
constexpr unsigned MaxPatience = 8;

// --- Lanes -------------------------------------------------------------------

static unsigned pick(const Warp &W, uint32_t From) {
  if (!W.Turn)
    return __builtin_ctz(From);
  const uint32_t Turned = From >> W.Turn | From << (WarpSize - W.Turn);
  return (__builtin_ctz(Turned) + W.Turn) % WarpSize;
}

/// The stacks of a block do not fit into the first-level cache: asks for what
/// \p L of \p W needs while another lane runs.
static void prefetch(const Warp &W, unsigned L) {
  const char *Stack = static_cast<const char *>(W.StackPointer[L]);
  __builtin_prefetch(W.Lanes[L], 1);
  for (unsigned Line = 0; Line < 4; ++Line)
    __builtin_prefetch(Stack + Line * 64, 1);
}

/// Leaves \p L, which is in one of its warp's waiting sets, for the next lane
/// that is ready, or the scheduler.
static void leave(Lane &L) {
  Warp &W = L.warp();
  Worker &Host = *W.Host;
  W.Rows[L.LaneId] = static_cast<uint32_t>(L.Log - W.Log) / WarpSize;
  void **From = &W.StackPointer[L.LaneId];
  if (W.Ready) {
    const unsigned Next = pick(W, W.Ready);
    W.Ready &= ~(1u << Next);
    if (W.Ready)
      prefetch(W, __builtin_ctz(W.Ready));
    Host.Running = W.Lanes[Next];
    ferry_sim_switch(From, W.StackPointer[Next]);
  } else {
    Host.Running = nullptr;
    ferry_sim_switch(From, Host.StackPointer);
  }
  L.Log = W.Log + L.LaneId;
}

/// The first function on a lane's stack.
static void laneMain() {
  Lane &L = currentLane();
  Launch &Current = *L.warp().Host->Current;
  L.Log = L.warp().Log + L.LaneId;
  Current.Kernel->Info->Entry(Current.Arguments);
  endLane(L);
}

void endLane(Lane &L) {
  Warp &W = L.warp();
  W.Done |= 1u << L.LaneId;
  W.Host->LogsFilled = 0;
  reportPendingCopies(L);
  ++W.Owner->Done;
  leave(L);
  __builtin_unreachable();
}

void waitForLog(Lane &L) {
  L.warp().LogFull |= 1u << L.LaneId;
  leave(L);
}

void waitForStep(Lane &L) {
  L.warp().InStep |= 1u << L.LaneId;
  leave(L);
}

void yieldLane(Lane &L) {
  L.warp().Yielded |= 1u << L.LaneId;
  leave(L);
}

uint64_t askWarp(Lane &L, const WarpRequest &Request) {
  Warp &W = L.warp();
  W.Request[L.LaneId] = Request;
  W.AtWarp |= 1u << L.LaneId;
  leave(L);
  return W.Result[L.LaneId];
}

uint64_t waitAtBarrier(Lane &L, const BarrierRequest &Request) {
  Warp &W = L.warp();
  Block &B = *W.Owner;
  const uint32_t Id = Request.Id % NumBarriers;
  BarrierState &S = B.Barriers[Id];
  if (!S.Arrived++) {
    S.First = &L;
    S.Site = L.Site;
    S.Count = Request.Count;
  }
  S.Aligned |= Request.Aligned;
  S.Scattered |= S.Site != L.Site;
  S.Votes += Request.Value;
  W.BarrierId[L.LaneId] = static_cast<uint8_t>(Id);
  W.AtBarrier |= 1u << L.LaneId;
  ++B.AtBarrier;
  leave(L);
  return S.Result;
}

void endLaunch(Lane &L, FindingKind Kind, std::string Text) {
  addFinding(Kind, L, L.Site, 0, std::move(Text));
  L.warp().Host->Current->Ended = true;
  L.warp().Ready = 0; // nobody else gets a turn
  leave(L);
  __builtin_unreachable();
}

// --- Warps -------------------------------------------------------------------

static uint64_t reduce(const Warp &W, uint32_t Group, WarpOperation Operation) {
  uint64_t Result = W.Request[__builtin_ctz(Group)].Value;
  for (uint32_t Rest = Group & (Group - 1); Rest; Rest &= Rest - 1) {
    const uint64_t V = W.Request[__builtin_ctz(Rest)].Value;
    const auto A = static_cast<uint32_t>(Result), B = static_cast<uint32_t>(V);
    const auto SA = static_cast<int32_t>(A), SB = static_cast<int32_t>(B);
    switch (Operation) {
    case WarpOperation::Add:
      Result = A + B;
      break;
    case WarpOperation::MinSigned:
      Result = SA < SB ? A : B;
      break;
    case WarpOperation::MaxSigned:
      Result = SA > SB ? A : B;
      break;
    case WarpOperation::MinUnsigned:
      Result = A < B ? A : B;
      break;
    case WarpOperation::MaxUnsigned:
      Result = A > B ? A : B;
      break;
    case WarpOperation::And:
      Result = A & B;
      break;
    case WarpOperation::Or:
      Result = A | B;
      break;
    default:
      Result = A ^ B;
      break;
    }
  }
  return Result;
}

/// What \p Lane gets from a shuffle (PTX ISA, "shfl.sync", the pseudocode).
static uint64_t shuffle(const Warp &W, uint32_t Group, unsigned Lane) {
  const WarpRequest &R = W.Request[Lane];
  const int Segment = R.C >> 8 & 31, Clamp = R.C & 31, B = R.B & 31;
  const int Self = static_cast<int>(Lane);
  const int Max = (Self & Segment) | (Clamp & ~Segment), Min = Self & Segment;
  int From = Self;
  bool Inside = true;
  switch (R.Operation) {
  case WarpOperation::ShuffleUp:
    From = Self - B;
    Inside = From >= Max;
    break;
  case WarpOperation::ShuffleDown:
    From = Self + B;
    Inside = From <= Max;
    break;
  case WarpOperation::ShuffleXor:
    From = Self ^ B;
    Inside = From <= Max;
    break;
  default:
    From = Min | (B & ~Segment);
    Inside = From <= Max;
    break;
  }
  if (!Inside || !(Group >> From & 1))
    From = Self;
  return W.Request[From].Value;
}

/// Gives the lanes of \p Group the result of their common operation.
static void complete(Warp &W, uint32_t Group) {
  const WarpOperation Operation = W.Request[__builtin_ctz(Group)].Operation;
  uint64_t Common = 0;
  if (Operation == WarpOperation::Ballot ||
      Operation == WarpOperation::Uniform) {
    for (uint32_t Rest = Group; Rest; Rest &= Rest - 1)
      if (W.Request[__builtin_ctz(Rest)].Value)
        Common |= Rest & -Rest;
    if (Operation == WarpOperation::Uniform)
      Common = Common == 0 || Common == Group;
  } else if (Operation >= WarpOperation::Add &&
             Operation <= WarpOperation::Xor) {
    Common = reduce(W, Group, Operation);
  }
  for (uint32_t Rest = Group; Rest; Rest &= Rest - 1) {
    const unsigned L = __builtin_ctz(Rest);
    if (Operation <= WarpOperation::ShuffleXor) {
      W.Result[L] = shuffle(W, Group, L);
    } else if (Operation == WarpOperation::Match) {
      uint64_t Same = 0;
      for (uint32_t Others = Group; Others; Others &= Others - 1)
        if (W.Request[__builtin_ctz(Others)].Value == W.Request[L].Value)
          Same |= Others & -Others;
      W.Result[L] = Same;
    } else {
      W.Result[L] = Common;
    }
  }
  ++W.Syncs;
}

/// Lets lanes go whose operation is complete. True if there were any.
static bool resolveOperations(Warp &W) {
  for (uint32_t Rest = W.AtWarp; Rest; Rest &= Rest - 1) {
    const WarpRequest &R = W.Request[__builtin_ctz(Rest)];
    if (R.Operation >= WarpOperation::ActiveMask)
      continue;
    const uint32_t Need = R.Mask & W.live();
    uint32_t Have = 0;
    for (uint32_t Others = Need & W.AtWarp; Others; Others &= Others - 1)
      if (W.Request[__builtin_ctz(Others)] == R)
        Have |= Others & -Others;
    if (Have != Need || !Need)
      continue;
    complete(W, Need);
    W.AtWarp &= ~Need;
    W.Ready |= Need;
    return true;
  }
  return false;
}

/// Lets the lanes at the innermost meeting point go. True if there were any.
static bool resolveJoin(Warp &W) {
  int Best = -1;
  auto isInner = [&](const WarpRequest &A, const WarpRequest &B) {
    return A.Depth != B.Depth ? A.Depth > B.Depth : A.Order < B.Order;
  };
  for (uint32_t Rest = W.AtWarp; Rest; Rest &= Rest - 1) {
    const int L = __builtin_ctz(Rest);
    if (W.Request[L].Operation >= WarpOperation::ActiveMask &&
        (Best < 0 || isInner(W.Request[L], W.Request[Best])))
      Best = L;
  }
  if (Best < 0)
    return false;
  const WarpRequest &R = W.Request[Best];
  uint32_t Group = 0;
  for (uint32_t Rest = W.AtWarp; Rest; Rest &= Rest - 1) {
    const WarpRequest &O = W.Request[__builtin_ctz(Rest)];
    if (O.Operation == R.Operation && O.Depth == R.Depth && O.Site == R.Site)
      Group |= Rest & -Rest;
  }
  for (uint32_t Rest = Group; Rest; Rest &= Rest - 1)
    W.Result[__builtin_ctz(Rest)] = Group;
  W.AtWarp &= ~Group;
  W.Ready |= Group;
  return true;
}

static uint64_t nextRandom(uint64_t &State) {
  // xorshift64 (Marsaglia, 2003).
  State ^= State << 13;
  State ^= State >> 7;
  return State ^= State << 17;
}

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
      if (Host.Random)
        W.Turn = nextRandom(Host.Random) % WarpSize;
      const unsigned First = pick(W, W.Ready);
      W.Ready &= ~(1u << First);
      Host.Running = W.Lanes[First];
      Host.Switches.store(Host.Switches.load(std::memory_order_relaxed) + 1,
                          std::memory_order_relaxed);
      ferry_sim_switch(&Host.StackPointer, W.StackPointer[First]);
      readLog(W);
    }
    if (W.LogFull) {
      W.Ready = W.LogFull;
      W.LogFull = 0;
      if (++Host.LogsFilled > Host.Current->Opts->Watchdog)
        reportEndless(W,
                      "the thread's loop has no end: it meets no other thread "
                      "and does not return");
    } else if (W.InStep) {
      return;
    } else if (W.AtWarp && resolveOperations(W)) {
      W.Patience = Host.LogsFilled = 0;
    } else if (W.AtWarp && W.Yielded && W.Patience < MaxPatience) {
      ++W.Patience;
      W.Ready = W.Yielded;
      W.Yielded = 0;
    } else if (!W.AtWarp || !resolveJoin(W)) {
      return;
    }
  }
}

// --- Blocks ------------------------------------------------------------------

static void freeMemory(Block &B) {
  for (void *Pointer : B.ToFree)
    B.Owner->Current->Memory->release(Pointer);
  B.ToFree.clear();
}

/// Reports a barrier that some came to and others cannot.
static void reportPartial(const BarrierState &S, const char *Why) {
  char Text[200];
  snprintf(Text, sizeof(Text),
           "%u of the block's threads are at the barrier, %s", S.Arrived, Why);
  addFinding(FindingKind::PartialBarrier, *S.First, S.First->Site, 0, Text);
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

static void releaseBarrier(Block &B, uint32_t Id) {
  BarrierState &S = B.Barriers[Id];
  if (S.Aligned && S.Scattered)
    reportPartial(S, "others at another barrier");
  else if (S.Aligned && B.Done && !B.Owner->Current->Kernel->Info->Generic)
    reportPartial(S, "others have ended");
  freeMemory(B);
  B.Owner->LogsFilled = 0;
  ++B.Epoch;
  if (S.Arrived == B.Owner->Current->NumLanes - B.Done)
    ++B.Owner->Total.Barriers;
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

enum class Pass { Finished, Running, Spinning };

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
  Progress |= AnyReady;
  if (!Progress)
    Host.Turns += Spinners;
  else
    Host.Turns = 0;
  return Progress ? Pass::Running : Pass::Spinning;
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

static void startBlock(Block &B, const Launch &L, uint64_t Number) {
  B.Id[0] = static_cast<uint32_t>(Number % L.Grid[0]);
  B.Id[1] = static_cast<uint32_t>(Number / L.Grid[0] % L.Grid[1]);
  B.Id[2] = static_cast<uint32_t>(Number / L.Grid[0] / L.Grid[1]);
  B.Tag = ++B.Owner->LastTag;
  B.Epoch = B.Done = B.Spinning = B.AtBarrier = 0;
  std::fill(B.Barriers, B.Barriers + NumBarriers, BarrierState());
  B.Copies.clear();
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
    W.Log = &B.Logs[static_cast<size_t>(I) * WarpSize * LogRows];
    memset(W.Rows, 0, sizeof(W.Rows));
    for (unsigned J = 0; J < Num; ++J) {
      const unsigned T = I * WarpSize + J;
      auto *New = reinterpret_cast<Lane *>(
          contextAddress(reinterpret_cast<uint64_t>(slots::stack(B.Slot, T))));
      W.Lanes[J] = New;
      New->LogEnd = W.Log + LogRows * WarpSize;
      New->Instructions = 0;
      New->Shared = B.Shared;
      New->ThreadId[0] = T % L.BlockDim[0];
      New->ThreadId[1] = T / L.BlockDim[0] % L.BlockDim[1];
      New->ThreadId[2] = T / L.BlockDim[0] / L.BlockDim[1];
      memcpy(New->BlockDim, L.BlockDim, sizeof(L.BlockDim));
      memcpy(New->BlockId, B.Id, sizeof(B.Id));
      memcpy(New->GridDim, L.Grid, sizeof(L.Grid));
      New->LaneId = J;
      New->DynamicShared = L.DynamicShared;
      New->Site = 0;
      New->Owner = &W;
      New->Spins = 0;
      New->Top = reinterpret_cast<char *>(New);
      // What ferry_sim_switch takes from a stack: six registers, then where to
      // go. The stack is misaligned by 8 there, as after a call.
      auto **Stack = reinterpret_cast<void **>(New->Top) - 2;
      Stack[0] = reinterpret_cast<void *>(laneMain);
      Stack -= 6;
      memset(Stack, 0, 6 * sizeof(void *));
      W.StackPointer[J] = Stack;
    }
  }
}

static void finishBlock(Block &B) {
  freeMemory(B);
  for (Warp &W : B.Warps)
    for (uint32_t Rest = W.All; Rest; Rest &= Rest - 1)
      B.Owner->Total.ThreadInstructions +=
          W.Lanes[__builtin_ctz(Rest)]->Instructions;
}

void Worker::run(Launch &L) {
  Turns = 0;
  Random = L.Opts->Seed;
  Generation = L.Memory->generation();
  Instructions.resize(
      std::max<size_t>(Instructions.size(), L.Kernel->Module->NumInstructions));
  bool Wanted = true; // another block
  while (!L.Ended) {
    if (Wanted && Active.size() < L.MaxActive) {
      const uint64_t Number = L.Next.fetch_add(1);
      if (Number < L.NumBlocks) {
        Active.push_back(makeBlock(*this, L));
        // With a seed, blocks in another order.
        const uint64_t Shift = Random ? L.Opts->Seed % L.NumBlocks : 0;
        startBlock(*Active.back(), L, (Number + Shift) % L.NumBlocks);
      }
    }
    if (Active.empty())
      break;
    // The block that was started last is first in line: those before it spin.
    Wanted = false;
    std::unique_ptr<Block> B = std::move(Active.back());
    Active.pop_back();
    switch (runPass(*B)) {
    case Pass::Finished:
      finishBlock(*B);
      Spare.push_back(std::move(B));
      Wanted = Active.empty();
      break;
    case Pass::Running:
      B->Spinning = 0;
      wakeSpinners(*B);
      Active.push_back(std::move(B));
      break;
    case Pass::Spinning:
      Wanted = ++B->Spinning % PassesBeforeNextBlock == 0;
      if (Turns > L.Opts->Watchdog) {
        reportEndless(spinningWarp(*B), "threads wait in a loop for something "
                                        "that nobody does");
      }
      wakeSpinners(*B);
      Active.push_front(std::move(B));
      break;
    }
  }
  while (!Active.empty()) {
    finishBlock(*Active.back());
    Spare.push_back(std::move(Active.back()));
    Active.pop_back();
  }
  Running = nullptr;
  Current = nullptr;
}

} // namespace ferry::sim
