//===- Intrinsics.cpp - What device code asks of other threads ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that SimABI.h and Functions.def promise to translated code.
// Their meaning is that of the PTX instructions of the same names (PTX ISA,
// "Parallel Synchronization and Communication Instructions").
//
//===----------------------------------------------------------------------===//

#include "Entry.h"

#include <cstring>

using namespace ferry::sim;

namespace {

/// Accesses that other threads may wait for, between two turns of the others.
constexpr uint32_t SpinsPerTurn = 64;

uint64_t ask(WarpOperation Operation, uint32_t Mask, uint64_t Value,
             uint32_t B = 0, uint32_t C = 0) {
  WarpRequest Request{};
  Request.Operation = Operation;
  Request.Mask = Mask;
  Request.Value = Value;
  Request.B = B;
  Request.C = C;
  return askWarp(currentLane(), Request);
}

/// For operations of whoever is there: who meets whom depends on the place in
/// the program.
uint64_t meet(WarpOperation Operation, uint32_t Order, const void *Frame,
              const void *Site) {
  Lane &L = currentLane();
  WarpRequest Request{};
  Request.Operation = Operation;
  Request.Mask = ~0u;
  Request.Order = Order;
  Request.Depth =
      reinterpret_cast<const char *>(&L) - static_cast<const char *>(Frame);
  Request.Site = Site;
  return askWarp(L, Request);
}

uint64_t arrive(uint32_t Id, uint32_t Count, bool Aligned, bool Value = false) {
  return waitAtBarrier(currentLane(), {Id, Count, Aligned, Value});
}

float asFloat(uint64_t Bits) {
  const auto Low = static_cast<uint32_t>(Bits);
  float F;
  memcpy(&F, &Low, sizeof(F));
  return F;
}

uint32_t asBits(float F) {
  uint32_t Bits;
  memcpy(&Bits, &F, sizeof(Bits));
  return Bits;
}

uint64_t clockNow() {
  Lane &L = currentLane();
  return L.warp().Owner->Owner->Clock += 64;
}

} // namespace

// --- The log -----------------------------------------------------------------

FERRY_SIM_ENTRY void ferry_sim_log_full() { waitForLog(currentLane()); }

FERRY_SIM_ENTRY void ferry_sim_join(uint32_t Order) {
  meet(WarpOperation::Join, Order, __builtin_frame_address(0),
       __builtin_return_address(0));
}

FERRY_SIM_ENTRY void ferry_sim_spin(uint32_t Number) {
  Lane &L = currentLane();
  L.Site = Number;
  if (++L.Spins % SpinsPerTurn == 0)
    yieldLane(L);
}

FERRY_SIM_ENTRY void ferry_sim_step() { waitForStep(currentLane()); }

FERRY_SIM_ENTRY void ferry_sim_unknown(const char *What) {
  endLaunch(currentLane(), FindingKind::Unknown,
            std::string("the simulator does not know ") + What);
}

// --- Barriers ----------------------------------------------------------------

FERRY_SIM_ENTRY uint32_t
ferry_sim_llvm_nvvm_barrier_cta_red_popc_aligned_all(uint32_t Id, uint32_t P) {
  return static_cast<uint32_t>(arrive(Id, 0, true, P & 1));
}
FERRY_SIM_ENTRY uint32_t
ferry_sim_llvm_nvvm_barrier_cta_red_or_aligned_all(uint32_t Id, uint32_t P) {
  return arrive(Id, 0, true, P & 1) != 0;
}
FERRY_SIM_ENTRY uint32_t
ferry_sim_llvm_nvvm_barrier_cta_red_and_aligned_all(uint32_t Id, uint32_t P) {
  // Nobody says no.
  return arrive(Id, 0, true, !(P & 1)) == 0;
}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_barrier0() { arrive(0, 0, true); }
FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_barrier0_popc(uint32_t P) {
  return ferry_sim_llvm_nvvm_barrier_cta_red_popc_aligned_all(0, P != 0);
}
FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_barrier0_or(uint32_t P) {
  return ferry_sim_llvm_nvvm_barrier_cta_red_or_aligned_all(0, P != 0);
}
FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_barrier0_and(uint32_t P) {
  return ferry_sim_llvm_nvvm_barrier_cta_red_and_aligned_all(0, P != 0);
}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_barrier(uint32_t Id, uint32_t Count) {
  arrive(Id, Count, true);
}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_barrier_n(uint32_t Id) {
  arrive(Id, 0, true);
}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_bar_sync(uint32_t Id) {
  arrive(Id, 0, true);
}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_barrier_sync(uint32_t Id) {
  arrive(Id, 0, false);
}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_barrier_sync_cnt(uint32_t Id,
                                                          uint32_t Count) {
  arrive(Id, Count, false);
}
// As later versions of LLVM call them, which read the older names as these.
FERRY_SIM_ENTRY void
ferry_sim_llvm_nvvm_barrier_cta_sync_aligned_all(uint32_t Id) {
  arrive(Id, 0, true);
}
FERRY_SIM_ENTRY void
ferry_sim_llvm_nvvm_barrier_cta_sync_aligned_count(uint32_t Id,
                                                   uint32_t Count) {
  arrive(Id, Count, true);
}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_barrier_cta_sync_all(uint32_t Id) {
  arrive(Id, 0, false);
}
FERRY_SIM_ENTRY void
ferry_sim_llvm_nvvm_barrier_cta_sync_count(uint32_t Id, uint32_t Count) {
  arrive(Id, Count, false);
}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_bar_warp_sync(uint32_t Mask) {
  ask(WarpOperation::Synchronize, Mask, 0);
}

// Memory is consistent at all times here.
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_membar_cta() {}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_membar_gl() {}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_membar_sys() {}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_fence_sc_cluster() {}

FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_nanosleep(uint32_t) {
  yieldLane(currentLane());
}
FERRY_SIM_ENTRY void ferry_sim_llvm_nvvm_exit() { endLane(currentLane()); }
FERRY_SIM_ENTRY void ferry_sim_llvm_trap() {
  endLaunch(currentLane(), FindingKind::Trap,
            "the program stopped itself (a failed assertion, an exception, or "
            "an operation that the device runtime does not support)");
}
FERRY_SIM_ENTRY void ferry_sim_llvm_debugtrap() { ferry_sim_llvm_trap(); }

// --- Warps -------------------------------------------------------------------

FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_activemask() {
  return static_cast<uint32_t>(meet(WarpOperation::ActiveMask, 0,
                                    __builtin_frame_address(0),
                                    __builtin_return_address(0)));
}

#define FERRY_SIM_SHUFFLE(Mode, Operation)                                     \
  FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_shfl_sync_##Mode##_i32(         \
      uint32_t Mask, uint32_t V, uint32_t B, uint32_t C) {                     \
    return static_cast<uint32_t>(ask(Operation, Mask, V, B, C));               \
  }                                                                            \
  FERRY_SIM_ENTRY float ferry_sim_llvm_nvvm_shfl_sync_##Mode##_f32(            \
      uint32_t Mask, float V, uint32_t B, uint32_t C) {                        \
    return asFloat(ask(Operation, Mask, asBits(V), B, C));                     \
  }
FERRY_SIM_SHUFFLE(idx, WarpOperation::ShuffleIndex)
FERRY_SIM_SHUFFLE(up, WarpOperation::ShuffleUp)
FERRY_SIM_SHUFFLE(down, WarpOperation::ShuffleDown)
FERRY_SIM_SHUFFLE(bfly, WarpOperation::ShuffleXor)
#undef FERRY_SIM_SHUFFLE

FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_vote_ballot_sync(uint32_t Mask,
                                                              bool P) {
  return static_cast<uint32_t>(ask(WarpOperation::Ballot, Mask, P));
}
FERRY_SIM_ENTRY bool ferry_sim_llvm_nvvm_vote_any_sync(uint32_t Mask, bool P) {
  return ask(WarpOperation::Ballot, Mask, P) != 0;
}
FERRY_SIM_ENTRY bool ferry_sim_llvm_nvvm_vote_all_sync(uint32_t Mask, bool P) {
  return ask(WarpOperation::Ballot, Mask, !P) == 0;
}
FERRY_SIM_ENTRY bool ferry_sim_llvm_nvvm_vote_uni_sync(uint32_t Mask, bool P) {
  return ask(WarpOperation::Uniform, Mask, P) != 0;
}
FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_match_any_sync_i32(uint32_t Mask,
                                                                uint32_t V) {
  return static_cast<uint32_t>(ask(WarpOperation::Match, Mask, V));
}
FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_match_any_sync_i64(uint32_t Mask,
                                                                uint64_t V) {
  return static_cast<uint32_t>(ask(WarpOperation::Match, Mask, V));
}

#define FERRY_SIM_REDUX(Name, Operation)                                       \
  FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_redux_sync_##Name(              \
      uint32_t V, uint32_t Mask) {                                             \
    return static_cast<uint32_t>(ask(WarpOperation::Operation, Mask, V));      \
  }
FERRY_SIM_REDUX(add, Add)
FERRY_SIM_REDUX(min, MinSigned)
FERRY_SIM_REDUX(max, MaxSigned)
FERRY_SIM_REDUX(umin, MinUnsigned)
FERRY_SIM_REDUX(umax, MaxUnsigned)
FERRY_SIM_REDUX(and, And)
FERRY_SIM_REDUX(or, Or)
FERRY_SIM_REDUX(xor, Xor)
#undef FERRY_SIM_REDUX

// --- Where and when ----------------------------------------------------------

FERRY_SIM_ENTRY bool ferry_sim_llvm_nvvm_isspacep_shared(uint64_t Address) {
  return slots::isShared(Address);
}
FERRY_SIM_ENTRY bool ferry_sim_llvm_nvvm_isspacep_local(uint64_t Address) {
  return slots::isStack(Address);
}
FERRY_SIM_ENTRY bool ferry_sim_llvm_nvvm_isspacep_global(uint64_t Address) {
  return !slots::isShared(Address) && !slots::isStack(Address);
}
FERRY_SIM_ENTRY bool ferry_sim_llvm_nvvm_isspacep_const(uint64_t) {
  return false;
}
// Time goes on by asking for it, which is the same in every run.
FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_read_ptx_sreg_clock() {
  return static_cast<uint32_t>(clockNow());
}
FERRY_SIM_ENTRY uint64_t ferry_sim_llvm_nvvm_read_ptx_sreg_clock64() {
  return clockNow();
}
FERRY_SIM_ENTRY uint64_t ferry_sim_llvm_nvvm_read_ptx_sreg_globaltimer() {
  return clockNow();
}
FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_read_ptx_sreg_smid() {
  const Block &B = *currentLane().warp().Owner;
  return B.Group->SM;
}
FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_read_ptx_sreg_nsmid() {
  return currentLane().warp().Owner->Owner->Current->Blocks.SMs;
}
FERRY_SIM_ENTRY uint32_t ferry_sim_llvm_nvvm_read_ptx_sreg_gridid() {
  return 0;
}

// --- What device/ asks of the engine -----------------------------------------

extern "C" void *ferry_sim_device_malloc(uint64_t Bytes) {
  return currentLane().warp().Owner->Owner->Current->Memory->allocate(Bytes);
}
extern "C" void ferry_sim_device_free(void *Pointer) {
  // Logs that were not read yet name this memory, and the device runtime itself
  // frees memory that other threads still look at: it goes at the next barrier.
  if (Pointer)
    currentLane().warp().Owner->ToFree.push_back(Pointer);
}
extern "C" void ferry_sim_trap_with(const char *Message) {
  endLaunch(currentLane(), FindingKind::Trap, Message);
}
