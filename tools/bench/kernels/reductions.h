//===- reductions.h - Sums of an array, step by step ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCH_KERNELS_REDUCTIONS_H
#define FERRY_BENCH_KERNELS_REDUCTIONS_H

#include "launch.h"

#ifdef __NVPTX__
static void warpBarrier() { __nvvm_bar_warp_sync(~0u); }
static double fromLaneBehind(double X, int Distance) {
  const auto Bits = __builtin_bit_cast(unsigned long, X);
  const unsigned Low = __nvvm_shfl_sync_down_i32(~0u, int(Bits), Distance, 31);
  const unsigned High =
      __nvvm_shfl_sync_down_i32(~0u, int(Bits >> 32), Distance, 31);
  return __builtin_bit_cast(double, (unsigned long)High << 32 | Low);
}
#else
static void warpBarrier() {}
static double fromLaneBehind(double X, int) { return X; }
#endif

/// How the threads of a block add what is in shared memory.
enum class Tree {
  Interleaved, ///< every second thread, every fourth...
  Contiguous,  ///< the first threads, elements apart
  Sequential,  ///< the first threads, neighbouring elements
  Unrolled,    ///< the same without a loop, the last warp without barriers
  Shuffles,    ///< within warps by shuffles
};

static double sumOfWarp(double Sum) {
  UNROLL(5)
  for (int Distance = 16; Distance > 0; Distance /= 2)
    Sum += fromLaneBehind(Sum, Distance);
  return Sum;
}

/// Adds the 256 values of a block, which are in Sums, by T; the sum is in
/// Sums[0]. Threads is 256, but unknown to the compiler.
template <Tree Kind, class Shared>
static void addUp(Shared &Sums, int T, int Threads) {
  if (Kind == Tree::Interleaved)
    UNROLL(1)
  for (int S = 1; S < Threads; S *= 2) {
    if (T % (2 * S) == 0)
      Sums[T] += Sums[T + S];
    barrier();
  }
  if (Kind == Tree::Contiguous)
    UNROLL(1)
  for (int S = 1; S < Threads; S *= 2) {
    const int At = 2 * T * S;
    if (At < Threads)
      Sums[At] += Sums[At + S];
    barrier();
  }
  if (Kind == Tree::Sequential)
    UNROLL(1)
  for (int S = Threads / 2; S > 0; S /= 2) {
    if (T < S)
      Sums[T] += Sums[T + S];
    barrier();
  }
  if (Kind == Tree::Unrolled) {
    if (T < 128)
      Sums[T] += Sums[T + 128];
    barrier();
    if (T < 64)
      Sums[T] += Sums[T + 64];
    barrier();
    if (T < 32) {
      UNROLL(6)
      for (int S = 32; S > 0; S /= 2) {
        const double Sum = Sums[T] + Sums[T + S];
        warpBarrier();
        Sums[T] = Sum;
        warpBarrier();
      }
    }
  }
}

/// Blocks of 256 threads add up N doubles, LOADS of them for each thread.
template <Tree Kind, int Loads> static void sumOfDoubles() {
  constexpr int Block = 256;
  const long N = multiple("n", 1 << 20, Block * Loads);
  Array<double> A("A", N), B("B", N / Block / Loads, false);
  const double *In = A;
  double *Out = B;
  const int Threads = int(argument("threads", Block));
  LAUNCH(N / Block / Loads, Block, In, Out) {
    SHARED double Sums[Kind == Tree::Shuffles ? 8 : Block];
    const int T = threadId(), I = blockId() * (Threads * Loads) + T;
    double Sum = I < int(N) ? In[I] : 0;
    if (Loads > 1)
      Sum += I + Threads < int(N) ? In[I + Threads] : 0;
    if (Kind == Tree::Shuffles) {
      Sum = sumOfWarp(Sum);
      if (T % 32 == 0)
        Sums[T / 32] = Sum;
      barrier();
      if (T < 32) {
        Sum = sumOfWarp(T < 8 ? Sums[T] : 0);
        if (T == 0)
          Out[blockId()] = Sum;
      }
    } else {
      Sums[T] = Sum;
      barrier();
      addUp<Kind>(Sums, T, Threads);
      if (T == 0)
        Out[blockId()] = Sums[0];
    }
  }
  sample(N / Block / Loads, [&](long At) {
    double Sum = 0;
    for (long I = 0; I < Block * Loads; ++I)
      Sum += value(At * Block * Loads + I);
    B.expect(At, Sum);
  });
}

/// N floats are added to one, by an atomic for each, or for each block of 128
/// threads that add up 256.
template <bool Cascaded> static void sumByAtomics() {
  constexpr int Block = Cascaded ? 128 : 256;
  const long N = multiple("n", 1 << 18, 256);
  Array<float> A("A", N), B("B", 1, false);
  const float None = 0;
  B.write(&None);
  const float *In = A;
  float *Out = B;
  const int Threads = int(argument("threads", Block));
  LAUNCH(N / 256, Block, In, Out) {
    SHARED float Sums[Cascaded ? Block : 1];
    const int T = threadId(), I = blockId() * 256 + T;
    if (Cascaded) {
      Sums[T] = In[I] + In[I + Threads];
      barrier();
      addUp<Tree::Sequential>(Sums, T, Threads);
      if (T == 0) {
        PRAGMA(omp atomic)
        *Out += Sums[0];
      }
    } else {
      PRAGMA(omp atomic)
      *Out += In[I];
    }
  }
  double Sum = 0;
  for (long I = 0; I < N; ++I)
    Sum += value(I);
  B.expect(0, Sum * timesLaunched(), 1e-3);
}

#endif // FERRY_BENCH_KERNELS_REDUCTIONS_H
