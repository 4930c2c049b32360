//===- products.h - Products of matrices ----------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCH_KERNELS_PRODUCTS_H
#define FERRY_BENCH_KERNELS_PRODUCTS_H

#include "launch.h"

/// Checks C = A B; the product has the first DEPTH columns of A only.
template <class T>
static void expectProduct(const Array<T> &C, long N, long Depth) {
  sample(N * N, [&](long At) {
    double Sum = 0;
    for (long K = 0; K < Depth; ++K)
      Sum += value(At / N * N + K) * value(K * N + At % N);
    C.expect(At, Sum);
  });
}

/// A thread for each element, blocks of 32 x 32. Neighbouring threads are in a
/// row of C, or in a column; neighbouring blocks too.
template <bool Coalesced> static void multiply() {
  const long N = multiple("n", 512, 32), Depth = multiple("depth", N, 32);
  const bool BlocksDown = argument("blocks_down", 1);
  Array<float> A("A", N * N), B("B", N * N), C("C", N * N, false);
  const float *X = A, *Y = B;
  float *Z = C;
  LAUNCH(N / 32 * (N / 32), 1024, X, Y, Z) {
    const int Size = int(N), Tiles = Size / 32;
    const int Quick = blockId() % Tiles * 32, Slow = blockId() / Tiles * 32;
    const int U = threadId() / 32, V = threadId() % 32;
    const int Row = (BlocksDown ? Quick : Slow) + (Coalesced ? U : V);
    const int Column = (BlocksDown ? Slow : Quick) + (Coalesced ? V : U);
    float Sum = 0;
    UNROLL(4)
    for (int K = 0; K < int(Depth); ++K)
      Sum += X[Row * Size + K] * Y[K * Size + Column];
    Z[Row * Size + Column] = Sum;
  }
  expectProduct(C, N, Depth);
}

/// The same with tiles of 32 x 32 of A and B in shared memory.
static void multiplyTiled() {
  const long N = multiple("n", 512, 32), Depth = multiple("depth", N, 32);
  const bool BlocksDown = argument("blocks_down", 1);
  Array<float> A("A", N * N), B("B", N * N), C("C", N * N, false);
  const float *X = A, *Y = B;
  float *Z = C;
  LAUNCH(N / 32 * (N / 32), 1024, X, Y, Z) {
    SHARED float OfA[32][32];
    SHARED float OfB[32][32];
    const int Size = int(N), Tiles = Size / 32;
    const int Quick = blockId() % Tiles * 32, Slow = blockId() / Tiles * 32;
    const int U = threadId() / 32, V = threadId() % 32;
    const int Row = (BlocksDown ? Quick : Slow) + U;
    const int Column = (BlocksDown ? Slow : Quick) + V;
    float Sum = 0;
    for (int K0 = 0; K0 < int(Depth); K0 += 32) {
      OfA[U][V] = X[Row * Size + K0 + V];
      OfB[U][V] = Y[(K0 + U) * Size + Column];
      barrier();
      UNROLL(32)
      for (int K = 0; K < 32; ++K)
        Sum += OfA[U][K] * OfB[K][V];
      barrier();
    }
    Z[Row * Size + Column] = Sum;
  }
  expectProduct(C, N, Depth);
}

/// A thread for each element, blocks of 16 x 16, neighbours in a row.
template <class T> static void multiply16() {
  const long N = multiple("n", 256, 16), Depth = multiple("depth", N, 16);
  Array<T> A("A", N * N), B("B", N * N), C("C", N * N, false);
  const T *X = A, *Y = B;
  T *Z = C;
  LAUNCH(N / 16 * (N / 16), 256, X, Y, Z) {
    const int Size = int(N), Tiles = Size / 16;
    const int Row = blockId() / Tiles * 16 + threadId() / 16;
    const int Column = blockId() % Tiles * 16 + threadId() % 16;
    T Sum = 0;
    UNROLL(4)
    for (int K = 0; K < int(Depth); ++K)
      Sum += X[Row * Size + K] * Y[K * Size + Column];
    Z[Row * Size + Column] = Sum;
  }
  expectProduct(C, N, Depth);
}

/// Tiles of MOST x MOST in shared memory, a size that the compiler does not
/// know.
template <class T, int Most> static void multiplyTiles() {
  const long N = multiple("n", 256, Most), Depth = multiple("depth", N, Most);
  Array<T> A("A", N * N), B("B", N * N), C("C", N * N, false);
  const T *X = A, *Y = B;
  T *Z = C;
  const int Width = int(argument("width", Most));
  LAUNCH(N / Most * (N / Most), Most * Most, X, Y, Z) {
    SHARED T Tiles[2 * Most * Most];
    const int Size = int(N), Across = Size / Width;
    const int U = threadId() / Most, V = threadId() % Most;
    const int Row = blockId() / Across * Width + U;
    const int Column = blockId() % Across * Width + V;
    const int OfB = Width * Width;
    T Sum = 0;
    UNROLL(1)
    for (int K0 = 0; K0 < int(Depth); K0 += Width) {
      Tiles[U * Width + V] = X[Row * Size + K0 + V];
      Tiles[OfB + U * Width + V] = Y[(K0 + U) * Size + Column];
      barrier();
      UNROLL(4)
      for (int K = 0; K < Width; ++K)
        Sum += Tiles[U * Width + K] * Tiles[OfB + K * Width + V];
      barrier();
    }
    Z[Row * Size + Column] = Sum;
  }
  expectProduct(C, N, Depth);
}

/// The product of a matrix of N x N and a vector, a thread for each row, blocks
/// of BLOCK; the vector through tiles in shared memory, or not.
template <bool Tiled, int Block> static void multiplyVector() {
  const long N = multiple("n", 512, Block);
  Array<unsigned> A("A", N * N), B("B", N), C("C", N, false);
  const unsigned *X = A, *Y = B;
  unsigned *Z = C;
  const int Threads = int(argument("threads", Block));
  LAUNCH(N / Block, Block, X, Y, Z) {
    const int Size = int(N), T = threadId(), I = blockId() * Threads + T;
    unsigned Sum = 0;
    if (Tiled) {
      SHARED unsigned Tile[Block];
      UNROLL(1)
      for (int K0 = 0; K0 < Size; K0 += Threads) {
        Tile[T] = Y[K0 + T];
        barrier();
        UNROLL(4)
        for (int K = 0; K < Threads; ++K)
          Sum += X[I * Size + K0 + K] * Tile[K];
        barrier();
      }
    } else {
      UNROLL(4)
      for (int K = 0; K < Size; ++K)
        Sum += X[I * Size + K] * Y[K];
    }
    Z[I] = Sum;
  }
  sample(N, [&](long I) {
    double Sum = 0;
    for (long K = 0; K < N; ++K)
      Sum += value(I * N + K) * value(K);
    C.expect(I, Sum);
  });
}

/// 64 x 64 elements for a block of 512 threads, eight below one another for
/// each thread; tiles are 8 deep.
static void multiplyColumns() {
  const long N = multiple("n", 512, 64), Depth = multiple("depth", N, 8);
  Array<float> A("A", N * N), B("B", N * N), C("C", N * N, false);
  const float *X = A, *Y = B;
  float *Z = C;
  LAUNCH(N / 64 * (N / 64), 512, X, Y, Z) {
    SHARED float OfA[64][8];
    SHARED float OfB[8][64];
    const int Size = int(N), T = threadId(), V = T % 64, U = T / 64;
    const int Top = blockId() / (Size / 64) * 64;
    const int Left = blockId() % (Size / 64) * 64;
    float Sums[8] = {};
    for (int K0 = 0; K0 < int(Depth); K0 += 8) {
      OfA[T / 8][T % 8] = X[(Top + T / 8) * Size + K0 + T % 8];
      OfB[U][V] = Y[(K0 + U) * Size + Left + V];
      barrier();
      UNROLL(8)
      for (int K = 0; K < 8; ++K) {
        const float OneOfB = OfB[K][V];
        UNROLL(8)
        for (int I = 0; I < 8; ++I)
          Sums[I] += OfA[U * 8 + I][K] * OneOfB;
      }
      barrier();
    }
    UNROLL(8)
    for (int I = 0; I < 8; ++I)
      Z[(Top + U * 8 + I) * Size + Left + V] = Sums[I];
  }
  expectProduct(C, N, Depth);
}

/// 128 x 128 elements for a block of 256 threads, 8 x 8 for each thread; tiles
/// are 8 deep.
static void multiplySquares() {
  const long N = multiple("n", 512, 128), Depth = multiple("depth", N, 8);
  Array<float> A("A", N * N), B("B", N * N), C("C", N * N, false);
  const float *X = A, *Y = B;
  float *Z = C;
  LAUNCH(N / 128 * (N / 128), 256, X, Y, Z) {
    SHARED float OfA[128][8];
    SHARED float OfB[8][128];
    const int Size = int(N), T = threadId(), V = T % 16 * 8, U = T / 16 * 8;
    const int Top = blockId() / (Size / 128) * 128;
    const int Left = blockId() % (Size / 128) * 128;
    float Sums[8][8] = {};
    for (int K0 = 0; K0 < int(Depth); K0 += 8) {
      UNROLL(4)
      for (int I = 0; I < 128; I += 32)
        OfA[I + T / 8][T % 8] = X[(Top + I + T / 8) * Size + K0 + T % 8];
      UNROLL(4)
      for (int I = 0; I < 8; I += 2)
        OfB[I + T / 128][T % 128] =
            Y[(K0 + I + T / 128) * Size + Left + T % 128];
      barrier();
      UNROLL(8)
      for (int K = 0; K < 8; ++K) {
        float Down[8], Across[8];
        UNROLL(8)
        for (int I = 0; I < 8; ++I)
          Down[I] = OfA[U + I][K], Across[I] = OfB[K][V + I];
        UNROLL(8)
        for (int I = 0; I < 8; ++I)
          UNROLL(8)
        for (int J = 0; J < 8; ++J)
          Sums[I][J] += Down[I] * Across[J];
      }
      barrier();
    }
    UNROLL(8)
    for (int I = 0; I < 8; ++I)
      UNROLL(8)
    for (int J = 0; J < 8; ++J)
      Z[(Top + U + I) * Size + Left + V + J] = Sums[I][J];
  }
  expectProduct(C, N, Depth);
}

enum class Staged { Nothing, A, Both, BothPadded };

/// C = A B with A of N x 32 and B of 32 x N, or C = A transposed(A); blocks of
/// 32 x 32, all that a block needs is one tile of each.
template <Staged S, bool OfTransposed> static void outerProduct() {
  const long N = multiple("n", 1024, 32);
  Array<float> A("A", N * 32), B("B", N * 32), C("C", N * N, false);
  const float *X = A, *Y = B;
  float *Z = C;
  LAUNCH(N / 32 * (N / 32), 1024, X, Y, Z) {
    SHARED float OfA[32][32];
    SHARED float OfB[32][S == Staged::BothPadded ? 33 : 32];
    const int Size = int(N), U = threadId() / 32, V = threadId() % 32;
    const int Left = blockId() % (Size / 32) * 32;
    const int Row = blockId() / (Size / 32) * 32 + U, Column = Left + V;
    if (S != Staged::Nothing)
      OfA[U][V] = X[Row * 32 + V];
    if (S >= Staged::Both && OfTransposed)
      OfB[V][U] = X[(Left + U) * 32 + V];
    else if (S >= Staged::Both)
      OfB[U][V] = Y[U * Size + Column];
    if (S != Staged::Nothing)
      barrier();
    float Sum = 0;
    UNROLL(32)
    for (int K = 0; K < 32; ++K) {
      const float Right = S >= Staged::Both ? OfB[K][V]
                          : OfTransposed    ? X[Column * 32 + K]
                                            : Y[K * Size + Column];
      Sum += (S == Staged::Nothing ? X[Row * 32 + K] : OfA[U][K]) * Right;
    }
    Z[Row * Size + Column] = Sum;
  }
  sample(N * N, [&](long At) {
    double Sum = 0;
    for (long K = 0; K < 32; ++K)
      Sum += value(At / N * 32 + K) *
             value(OfTransposed ? At % N * 32 + K : K * N + At % N);
    C.expect(At, Sum);
  });
}

#endif // FERRY_BENCH_KERNELS_PRODUCTS_H
