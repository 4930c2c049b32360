//===- device.h - writing kernels at the level of warps --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the body of "#pragma omp target teams ompx_bare num_teams(B)
// thread_limit(T)", which starts with all B x T threads and without the OpenMP
// device runtime: what such a kernel accesses is what its source says. The host
// only parses these bodies.
//
//===----------------------------------------------------------------------===//
#ifndef FERRY_LIT_SIM_DEVICE_H
#define FERRY_LIT_SIM_DEVICE_H

#include <omp.h>

#ifdef __NVPTX__

/// For a static variable of a function: one for each block, not initialised.
#define SHARED \
  [[clang::loader_uninitialized]] static __attribute__((address_space(3)))

static inline int threadId() { return __nvvm_read_ptx_sreg_tid_x(); }
static inline int blockId() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static inline int blockSize() { return __nvvm_read_ptx_sreg_ntid_x(); }
static inline int gridSize() { return __nvvm_read_ptx_sreg_nctaid_x(); }
// A macro: reports name the line that uses it.
#define barrier() __syncthreads()

/// cp.async of BYTES (4, 8, 16) from global to shared memory; with another
/// argument only so many bytes are read and the others become 0.
#define COPY_ASYNC(BYTES, TO, FROM, ...)                                       \
  __nvvm_cp_async_ca_shared_global_##BYTES(                                    \
      (__attribute__((address_space(3))) void *)(TO),                          \
      (const __attribute__((address_space(1))) void *)(FROM), ##__VA_ARGS__)
#else

#define SHARED static
static inline int threadId() { return 0; }
static inline int blockId() { return 0; }
static inline int blockSize() { return 1; }
static inline int gridSize() { return 1; }
#define barrier() ((void)0)
#define COPY_ASYNC(BYTES, ...) standInForCopy(__VA_ARGS__)
// Host and device must agree on what a kernel captures, so the host needs
// something of every name.
#define HOST_STAND_IN(NAME) \
  template <class... T>     \
  static inline int NAME(T...) { return 0; }
HOST_STAND_IN(standInForCopy)
HOST_STAND_IN(__nvvm_activemask)
HOST_STAND_IN(__nvvm_bar0_and)
HOST_STAND_IN(__nvvm_bar0_or)
HOST_STAND_IN(__nvvm_bar0_popc)
HOST_STAND_IN(__nvvm_bar_warp_sync)
HOST_STAND_IN(__nvvm_barrier_sync_cnt)
HOST_STAND_IN(__nvvm_cp_async_commit_group)
HOST_STAND_IN(__nvvm_cp_async_wait_all)
HOST_STAND_IN(__nvvm_cp_async_wait_group)
HOST_STAND_IN(__nvvm_match_any_sync_i32)
HOST_STAND_IN(__nvvm_match_any_sync_i64)
HOST_STAND_IN(__nvvm_membar_gl)
HOST_STAND_IN(__nvvm_read_ptx_sreg_laneid)
HOST_STAND_IN(__nvvm_read_ptx_sreg_lanemask_eq)
HOST_STAND_IN(__nvvm_read_ptx_sreg_lanemask_lt)
HOST_STAND_IN(__nvvm_redux_sync_add)
HOST_STAND_IN(__nvvm_redux_sync_min)
HOST_STAND_IN(__nvvm_redux_sync_or)
HOST_STAND_IN(__nvvm_shfl_sync_bfly_i32)
HOST_STAND_IN(__nvvm_shfl_sync_down_f32)
HOST_STAND_IN(__nvvm_shfl_sync_down_i32)
HOST_STAND_IN(__nvvm_shfl_sync_idx_i32)
HOST_STAND_IN(__nvvm_shfl_sync_up_i32)
HOST_STAND_IN(__nvvm_vote_all_sync)
HOST_STAND_IN(__nvvm_vote_any_sync)
HOST_STAND_IN(__nvvm_vote_ballot_sync)
HOST_STAND_IN(__nvvm_vote_uni_sync)
#undef HOST_STAND_IN

#endif

/// Device memory for N values of type T.
template <class T>
class DeviceArray {
  T *Data;
  long N;

public:
  explicit DeviceArray(long N, int Byte = -1)
      : Data(static_cast<T *>(
            omp_target_alloc(N * sizeof(T), omp_get_default_device()))),
        N(N) {
    if (Byte < 0)
      return;
    T *Host = static_cast<T *>(__builtin_malloc(N * sizeof(T)));
    __builtin_memset(Host, Byte, N * sizeof(T));
    write(Host);
    __builtin_free(Host);
  }
  DeviceArray(const DeviceArray &) = delete;
  ~DeviceArray() { omp_target_free(Data, omp_get_default_device()); }
  operator T *() const { return Data; }
  void write(const T *Host) {
    omp_target_memcpy(Data, Host, N * sizeof(T), 0, 0, omp_get_default_device(),
                      omp_get_initial_device());
  }
  void read(T *Host) const {
    omp_target_memcpy(Host, Data, N * sizeof(T), 0, 0, omp_get_initial_device(),
                      omp_get_default_device());
  }
};

#endif
