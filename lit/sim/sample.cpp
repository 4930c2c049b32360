// --sample-blocks: kernels whose blocks are alike, a sample against all of them.
// On a GPU of 8 multiprocessors, so that small grids are several waves.
//
// RUN: %sim_cxx -O2 --offload-arch=sm_70 %s -o %t
// RUN: echo '{"architecture": "sm_70", "multiprocessors": 8, "l2_mib": 0.25, "l2_tb_s": 0.24, "dram_tb_s": 0.08}' > %t.gpu
// RUN: for k in 0 1 2 3 4 5 6 7 8 9; do \
// RUN:   %ferry_sim --strict --quiet --gpu %t.gpu --json %t.full -- %t $k || exit 1; \
// RUN:   %ferry_sim --quiet --gpu %t.gpu --sample-blocks 512 --json %t.json -- %t $k || exit 1; \
// RUN:   %python %S/Inputs/check_time.py %t.json --kernels 1 --sampled %t.full || exit 1; \
// RUN:   %ferry_sim --quiet --gpu %t.gpu --sample-blocks 512 --jobs 2 --json %t.jobs -- %t $k || exit 1; \
// RUN:   %python %S/Inputs/same_counters.py %t.json %t.jobs || exit 1; done
//
// Numbers that the factor makes odd are rounded once, however many threads of
// the host have counted: 320 blocks of 2,048, of which not all do the same.
// RUN: %ferry_sim --quiet --gpu %t.gpu --sample-blocks 300 --json %t.json -- %t 10
// RUN: grep '"sampled_blocks": 320,' %t.json
// RUN: for j in 2 3 5; do \
// RUN:   %ferry_sim --quiet --gpu %t.gpu --sample-blocks 300 --jobs $j --json %t.jobs -- %t 10 || exit 1; \
// RUN:   %python %S/Inputs/same_counters.py %t.json %t.jobs || exit 1; done
//
// The report says what it is, and a sample of everything is everything.
// RUN: %ferry_sim --gpu %t.gpu --sample-blocks 512 -- %t 0 2>&1 | FileCheck %s
// CHECK: note: --sample-blocks leaves blocks out: what the program computes is not to be used
// CHECK: extrapolated from {{[0-9]+}} of 2,048 blocks
// RUN: %ferry_sim --strict --quiet --gpu %t.gpu --sample-blocks 5000 --json %t.json -- %t 0
// RUN: not grep sampled_blocks %t.json

#include "Inputs/device.h"
#include <cstdio>
#include <cstdlib>

constexpr int Blocks = 2048, Threads = 256, N = Blocks * Threads;

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define KERNEL(NAME, ...)                                                      \
  static void NAME(const float *In, float *Out) {                              \
    PRAGMA(omp target teams ompx_bare num_teams(Blocks) thread_limit(Threads)  \
               is_device_ptr(In, Out)) {                                       \
      const int T = threadId(), B = blockId(), I = B * Threads + T;            \
      __VA_ARGS__                                                              \
    }                                                                          \
  }

KERNEL(copy, Out[I] = In[I];)
KERNEL(strided, Out[I] = In[B * Threads * 8 + T * 8];)
KERNEL(rows, float S = 0; for (int J = 0; J < 8; ++J) S += In[I * 8 + J];
       Out[I] = S;)
KERNEL(columns, float S = 0; for (int J = 0; J < 8; ++J) S += In[J * N + I];
       Out[I] = S;)
KERNEL(stencil, Out[I] = In[I] + In[I + 1] + In[I + 2];)
KERNEL(broadcast, float S = 0; for (int J = 0; J < 64; ++J) S += In[J];
       Out[I] = S;)
KERNEL(gather, Out[I] = In[(B * 97 + T * 61) % 64 + B * 64];)
KERNEL(compute, float S = In[I]; for (int J = 0; J < 100; ++J) S = S * 0.5f + J;
       Out[I] = S;)
KERNEL(product, float S = 0; for (int J = 0; J < 16; ++J)
       S += In[B / 4 * 64 + J] * In[4 * N + J * 1024 + B % 4 * 256 + T];
       Out[I] = S;)
KERNEL(staged, SHARED float Tile[Threads]; Tile[T] = In[I]; barrier();
       float S = 0; for (int J = 0; J < Threads; ++J) S += Tile[(T + J) % Threads];
       Out[I] = S;)

KERNEL(uneven, if ((B + T) % (3 + B % 5) == 0) Out[I] = In[I];)

int main(int, char **Argv) {
  DeviceArray<float> In(8 * N, 0), Out(N, 0);
  void (*const Kernels[])(const float *, float *) = {
      copy,   strided, rows,    columns, stencil, broadcast,
      gather, compute, product, staged,  uneven};
  Kernels[std::atoi(Argv[1])](In, Out);
}
