//===- StageTarget.h - What GPUs have for staging ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DEVICE_STAGETARGET_H
#define FERRY_DEVICE_STAGETARGET_H

typedef unsigned long long u64;
typedef long long i64;
typedef unsigned u32;

typedef __attribute__((address_space(3))) char *SharedPtr;
typedef __attribute__((address_space(1))) const char *GlobalPtr;

#define INLINE static inline __attribute__((always_inline))

/// Copies \p Size bytes, a multiple of which both addresses are, while the
/// thread goes on; only where the target has cp.async.
template <unsigned Size> INLINE void startCopy(SharedPtr To, GlobalPtr From);

#if defined(__NVPTX__)

INLINE constexpr u32 warpSize() { return 32; }
INLINE u32 threadInBlock() { return __nvvm_read_ptx_sreg_tid_x(); }
INLINE u32 threadsOfBlock() { return __nvvm_read_ptx_sreg_ntid_x(); }
INLINE u32 blockInGrid() { return __nvvm_read_ptx_sreg_ctaid_x(); }
INLINE u32 blocksOfGrid() { return __nvvm_read_ptx_sreg_nctaid_x(); }
INLINE u32 lane() { return threadInBlock() & 31; }

/// How many threads this warp has: the last one of a block may lack some.
INLINE u32 threads() {
  u32 Count = __nvvm_read_ptx_sreg_ntid_x() - (threadInBlock() & ~31u);
  return Count >= 32 ? 32 : Count;
}
INLINE u32 members() { return ~0u >> (32 - threads()); }

template <unsigned Size> INLINE void startCopy(SharedPtr To, GlobalPtr From) {
  if constexpr (Size == 4)
    __nvvm_cp_async_ca_shared_global_4(To, From);
  else if constexpr (Size == 8)
    __nvvm_cp_async_ca_shared_global_8(To, From);
  else
    __nvvm_cp_async_ca_shared_global_16(To, From);
}

/// Waits for the block; what its threads wrote before, all of them see.
INLINE void barrier() { __syncthreads(); }
/// The same; whether \p B holds for all threads of the block.
INLINE bool allOfBlock(bool B) { return __nvvm_bar0_and(B); }
/// Waits for the warp; what its threads wrote before, all of them see.
INLINE void meet() { __nvvm_bar_warp_sync(members()); }
INLINE u64 ballot(bool B) { return __nvvm_vote_ballot_sync(members(), B); }
/// What has a bit for each thread of a warp.
typedef u32 LaneMask;
INLINE bool anyOf(bool B) { return __nvvm_vote_any_sync(members(), B); }
INLINE u32 fromLane(u32 Value, u32 Lane) {
  return __nvvm_shfl_sync_idx_i32(members(), Value, Lane, 31);
}

#elif defined(__AMDGCN__)

INLINE u32 warpSize() { return __builtin_amdgcn_wavefrontsize(); }
INLINE u32 threadInBlock() { return __builtin_amdgcn_workitem_id_x(); }
INLINE u32 threadsOfBlock() { return __builtin_amdgcn_workgroup_size_x(); }
INLINE u32 blockInGrid() { return __builtin_amdgcn_workgroup_id_x(); }
INLINE u32 blocksOfGrid() {
  return __builtin_amdgcn_grid_size_x() / threadsOfBlock();
}
INLINE u32 lane() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
INLINE u32 threads() {
  return __builtin_popcountll(__builtin_amdgcn_ballot_w64(true));
}
INLINE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__attribute__((address_space(3), loader_uninitialized)) static u32 All;
INLINE bool allOfBlock(bool B) {
  barrier();
  if (threadInBlock() == 0)
    All = 1;
  barrier();
  if (!B)
    All = 0;
  barrier();
  return All;
}
INLINE void meet() {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
}
INLINE u64 ballot(bool B) { return __builtin_amdgcn_ballot_w64(B); }
typedef u64 LaneMask;
INLINE bool anyOf(bool B) { return ballot(B) != 0; }
INLINE u32 fromLane(u32 Value, u32 Lane) {
  return __builtin_amdgcn_ds_bpermute(Lane << 2, Value);
}

#else
#error "no staging on this target"
#endif

INLINE u64 fromLane(u64 Value, u32 Lane) {
  return (u64)fromLane((u32)(Value >> 32), Lane) << 32 |
         fromLane((u32)Value, Lane);
}
/// The first of \p Lanes; 0 if there is none.
INLINE u32 firstOf(LaneMask Lanes) { return Lanes ? __builtin_ctzg(Lanes) : 0; }
INLINE u32 countOf(LaneMask Lanes) { return __builtin_popcountg(Lanes); }
/// Whether \p Lanes are next to each other, from \p First on.
INLINE bool areTogether(LaneMask Lanes, u32 First) {
  Lanes >>= First;
  return !(Lanes & (Lanes + 1));
}

#endif // FERRY_DEVICE_STAGETARGET_H
