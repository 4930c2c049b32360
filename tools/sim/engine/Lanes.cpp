//===- Lanes.cpp - Stacks of lanes, and how they take turns ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane that must wait gives the processor to the next one of its warp that is
// ready, and the last one to the scheduler.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include <algorithm>
#include <cstring>
#include <utility>

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
  for (size_t Line = 0; Line < 4; ++Line)
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

void startLane(Warp &W, unsigned Number) {
  const Block &B = *W.Owner;
  const Launch &Current = *W.Host->Current;
  const uint32_t *Dim = Current.BlockDim;
  const unsigned T = W.threadOf(Number);
  auto *L = reinterpret_cast<Lane *>(
      contextAddress(reinterpret_cast<uint64_t>(slots::stack(B.Slot, T))));
  W.Lanes[Number] = L;
  L->LogEnd = W.Log + size_t(LogRows) * WarpSize;
  L->Instructions = 0;
  std::fill_n(L->Work, NumPipes, 0);
  L->Reached = W.Reached.data();
  L->Shared = B.Shared;
  L->Owner = &W;
  L->LaneId = Number;
  L->Site = L->Spins = 0;
  L->ThreadId[0] = T % Dim[0];
  L->ThreadId[1] = T / Dim[0] % Dim[1];
  L->ThreadId[2] = T / Dim[0] / Dim[1];
  memcpy(L->BlockDim, Dim, sizeof(L->BlockDim));
  memcpy(L->BlockId, B.Id, sizeof(L->BlockId));
  memcpy(L->GridDim, Current.Grid, sizeof(L->GridDim));
  L->DynamicShared = Current.DynamicShared;
  // What ferry_sim_switch takes from a stack: six registers, then where to go.
  // The stack is misaligned by 8 there, as after a call.
  auto **Stack = reinterpret_cast<void **>(L) - 2;
  Stack[0] = reinterpret_cast<void *>(laneMain);
  Stack -= 6;
  std::fill_n(Stack, 6, nullptr);
  W.StackPointer[Number] = static_cast<void *>(Stack);
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

static uint64_t nextRandom(uint64_t &State) {
  // xorshift64 (Marsaglia, 2003).
  State ^= State << 13;
  State ^= State >> 7;
  return State ^= State << 17;
}

void runReady(Warp &W) {
  Worker &Host = *W.Host;
  if (Host.Random)
    W.Turn = nextRandom(Host.Random) % WarpSize;
  const unsigned First = pick(W, W.Ready);
  W.Ready &= ~(1u << First);
  Host.Running = W.Lanes[First];
  Host.Switches.store(Host.Switches.load(std::memory_order_relaxed) + 1,
                      std::memory_order_relaxed);
  ferry_sim_switch(&Host.StackPointer, W.StackPointer[First]);
}

} // namespace ferry::sim
