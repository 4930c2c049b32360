//===- histograms.h - Histograms by atomics -------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCH_KERNELS_HISTOGRAMS_H
#define FERRY_BENCH_KERNELS_HISTOGRAMS_H

#include "launch.h"
#include <random>
#include <vector>

/// Compares some bins with counts of the host's.
static void expectCounts(const Array<int> &Bins, const std::vector<int> &Counts,
                         long Launches) {
  sample(long(Counts.size()),
         [&](long B) { Bins.expect(B, double(Counts[B]) * Launches); });
}

enum class Counted { Global, Shared, SharedVectors };

/// Counts random bytes; a grid of BLOCKS blocks of 512 threads. Private bins
/// of a block in shared memory, or none; a byte or 16 of them in each load.
template <Counted C> static void countBytes() {
  typedef unsigned Four __attribute__((ext_vector_type(4)));
  constexpr int NumBins = 256, Threads = 512;
  const long N = multiple("n", 1 << 20, 4096), Blocks = argument("blocks", 264);
  Array<unsigned char> A("A", N, false);
  Array<int> B("B", NumBins, false);
  std::vector<int> Counts(NumBins);
  {
    std::vector<unsigned char> Host(N);
    std::mt19937 Random;
    for (unsigned char &Byte : Host)
      ++Counts[Byte = Random() >> 24];
    A.write(Host.data());
    B.write(std::vector<int>(NumBins).data());
  }
  const unsigned char *In = A;
  int *Bins = B;
  LAUNCH(Blocks, Threads, In, Bins) {
    SHARED int Own[C == Counted::Global ? 1 : NumBins];
    const int T = threadId();
    const int First = blockId() * Threads + T, Step = int(Blocks) * Threads;
    if (C == Counted::Global) {
      UNROLL(4)
      for (int I = First; I < int(N); I += Step)
        __atomic_fetch_add(&Bins[In[I]], 1, __ATOMIC_RELAXED);
    } else {
      if (T < NumBins)
        Own[T] = 0;
      barrier();
      if (C == Counted::Shared) {
        UNROLL(4)
        for (int I = First; I < int(N); I += Step)
          __atomic_fetch_add(&Own[In[I]], 1, __ATOMIC_RELAXED);
      } else {
        for (int I = First; I < int(N) / 16; I += Step) {
          const Four Read = ((const Four *)In)[I];
          UNROLL(4)
          for (int W = 0; W < 4; ++W)
            UNROLL(4)
          for (int Shift = 0; Shift < 32; Shift += 8)
            __atomic_fetch_add(&Own[Read[W] >> Shift & 255], 1,
                               __ATOMIC_RELAXED);
        }
      }
      barrier();
      if (T < NumBins && Own[T] > 0)
        __atomic_fetch_add(&Bins[T], Own[T], __ATOMIC_RELAXED);
    }
  }
  expectCounts(B, Counts, timesLaunched());
}

/// Counts N zeros, one for each of a grid's threads; 512 bins, blocks of 512.
template <bool Private> static void countZeros() {
  constexpr int NumBins = 512;
  const long N = multiple("n", 1 << 20, NumBins);
  Array<int> A("A", N, false), B("B", NumBins, false);
  A.write(std::vector<int>(N).data());
  B.write(std::vector<int>(NumBins).data());
  const int *In = A;
  int *Bins = B;
  LAUNCH(N / NumBins, NumBins, In, Bins) {
    SHARED int Own[Private ? NumBins : 1];
    const int T = threadId(), I = blockId() * NumBins + T;
    if (Private) {
      Own[T] = 0;
      barrier();
      __atomic_fetch_add(&Own[In[I]], 1, __ATOMIC_RELAXED);
      barrier();
      __atomic_fetch_add(&Bins[T], Own[T], __ATOMIC_RELAXED);
    } else {
      __atomic_fetch_add(&Bins[In[I]], 1, __ATOMIC_RELAXED);
    }
  }
  std::vector<int> Counts(NumBins);
  Counts[0] = int(N);
  expectCounts(B, Counts, timesLaunched());
}

#endif // FERRY_BENCH_KERNELS_HISTOGRAMS_H
