//===- streams.h - Caches, latencies, streams -----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCH_KERNELS_STREAMS_H
#define FERRY_BENCH_KERNELS_STREAMS_H

#include "launch.h"

static void empty() {
  Array<int> A("A", 1);
  int *Out = A;
  LAUNCH(1, 32, Out)
  if (blockId() > 0)
    *Out = 1;
}

/// A copy between the host's memory, which is not page-locked, and the
/// device's.
template <bool ToDevice> static void copyAcross() {
  const long Bytes = multiple("bytes", 1 << 16, 8);
  const int Device = omp_get_default_device(), Host = omp_get_initial_device();
  Array<char> A("A", Bytes, ToDevice == false);
  std::unique_ptr<char[]> B(new char[Bytes]);
  for (long I = 0; I < Bytes; ++I)
    B[I] = ToDevice ? char(value(I)) : 0;
  char *Data = A;
  for (Timer Time; Time.next();)
    omp_target_memcpy(ToDevice ? Data : B.get(), ToDevice ? B.get() : Data,
                      Bytes, 0, 0, ToDevice ? Device : Host,
                      ToDevice ? Host : Device);
  sample(Bytes, [&](long I) {
    if (B[I] != value(I))
      fail("a copy from the device has other bytes");
    A.expect(I, value(I));
  });
}

/// One block of 1024 threads; every second warp reads what the first one does.
template <class T> static void strides() {
  const long Stride = argument("stride", 1), Loads = 512;
  Array<T> A("A", 63 * Stride + 29), B("B", 1024, false);
  const T *In = A;
  T *Out = B;
  int Zero = int(argument("zero", 0));
  LAUNCH(1, 1024, In, Out) {
    const T *P = In + threadId() % 64 * Stride;
    T Sum = 0;
    UNROLL(1)
    for (long I = 0; I < Loads; I += 8) {
      P += Zero;
      Sum += P[0] * P[4] + P[8] * P[12] + P[16] * P[20] + P[24] * P[28];
    }
    if (Sum < 0)
      Out[threadId()] = Sum;
  }
}

/// One thread follows a chain of pointers through an array, a line at a time.
static void chase() {
  const long Bytes = multiple("bytes", 1 << 16, 1024);
  const long Spacing = multiple("spacing", 128, 8) / 8;
  const long Count = Bytes / 8 / Spacing, Loads = argument("loads", Count);
  if (Count & (Count - 1))
    fail("bytes by spacing is no power of two");
  struct Link {
    const Link *Next;
  };
  Array<long> A("A", Bytes / 8, false), B("B", 1, false);
  const Link *First = reinterpret_cast<const Link *>(static_cast<long *>(A));
  // All residues follow one another: a linear congruential generator.
  auto Next = [=](long I) { return (5 * I + 3) % Count; };
  std::unique_ptr<long[]> Host(new long[Bytes / 8]());
  for (long I = 0; I < Count; ++I)
    Host[I * Spacing] = reinterpret_cast<long>(First + Next(I) * Spacing);
  A.write(Host.get());
  long *Out = B;
  LAUNCH(1, 1, First, Out) {
    const Link *At = First;
    UNROLL(1)
    for (long I = 0; I < Loads; ++I)
      At = At->Next;
    *Out = At - First;
  }
  long At = 0;
  for (long I = 0; I < Loads; ++I)
    At = Next(At);
  B.expect(0, At * Spacing);
}

/// A[i] = 2 B[i] (+ C[i]), doubles.
template <bool Triad> static void stream() {
  const long N = multiple("n", 1 << 22, 1024);
  Array<double> A("A", N, false), B("B", N), C("C", Triad ? N : 1);
  double *X = A;
  const double *Y = B, *Z = C;
  LAUNCH(N / 1024, 1024, X, Y, Z) {
    const long I = long(blockId()) * 1024 + threadId();
    X[I] = 2 * Y[I] + (Triad ? Z[I] : 0);
  }
  sample(N, [&](long I) { A.expect(I, (Triad ? 3 : 2) * value(I)); });
}

/// Blocks of 256 threads in a grid of BLOCKS add up N floats.
static void reduce() {
  const long N = argument("n", 1 << 23), Blocks = argument("blocks", 640);
  Array<float> A("A", N), B("B", Blocks, false);
  const float *In = A;
  float *Out = B;
  LAUNCH(Blocks, 256, In, Out) {
    SHARED float Sums[256];
    const int T = threadId();
    float Sum = 0;
    UNROLL(4)
    for (long I = blockId() * 256 + T; I < N; I += Blocks * 256)
      Sum += In[I];
    Sums[T] = Sum;
    for (int Half = 128; Half > 0; Half /= 2) {
      barrier();
      if (T < Half)
        Sums[T] += Sums[T + Half];
    }
    if (T == 0)
      Out[blockId()] = Sums[0];
  }
  sample(Blocks, [&](long Block) {
    double Sum = 0;
    for (long I = Block * 256; I < N; I += Blocks * 256)
      for (long J = I; J < I + 256 && J < N; ++J)
        Sum += value(J);
    B.expect(Block, Sum);
  });
}

#endif // FERRY_BENCH_KERNELS_STREAMS_H
