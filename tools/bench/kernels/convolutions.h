//===- convolutions.h - Convolutions in one and two dimensions ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCH_KERNELS_CONVOLUTIONS_H
#define FERRY_BENCH_KERNELS_CONVOLUTIONS_H

#include "launch.h"
#include <vector>

#ifdef __NVPTX__
#define CONSTANT static const __attribute__((address_space(4)))
#else
#define CONSTANT static const
#endif

/// Every element of the masks.
constexpr float MaskElement = 1 / 512.f;
/// A mask of at most 5 x 5, inside a kernel.
#define CONSTANT_MASK(NAME)                                                    \
  CONSTANT float NAME[] = {                                                    \
      MaskElement, MaskElement, MaskElement, MaskElement, MaskElement,         \
      MaskElement, MaskElement, MaskElement, MaskElement, MaskElement,         \
      MaskElement, MaskElement, MaskElement, MaskElement, MaskElement,         \
      MaskElement, MaskElement, MaskElement, MaskElement, MaskElement,         \
      MaskElement, MaskElement, MaskElement, MaskElement, MaskElement}

/// Between 0 and 1, in double precision.
static float clamped(float X) { return std::fmin(std::fmax(X, 0.0), 1.0); }

/// Blocks of BLOCK threads convolve N floats with a mask of 5 in constant
/// memory, through a tile in shared memory.
template <int Block> static void convolveTiles() {
  const long N = multiple("n", 1 << 14, Block);
  const int Width = int(argument("mask", 5));
  Array<float> A("A", N), B("B", N, false);
  const float *In = A;
  float *Out = B;
  const int Threads = int(argument("threads", Block));
  LAUNCH(N / Block, Block, In, Out) {
    SHARED float Tile[Block + 4];
    CONSTANT_MASK(Mask);
    const int T = threadId(), I = blockId() * Threads + T, Half = Width / 2;
    const int Left = (blockId() - 1) * Threads + T, Right = I + Threads;
    if (T >= Threads - Half)
      Tile[T - (Threads - Half)] = Left < 0 ? 0 : In[Left];
    Tile[Half + T] = In[I];
    if (T < Half)
      Tile[Half + Threads + T] = Right >= int(N) ? 0 : In[Right];
    barrier();
    float Sum = 0;
    UNROLL(4)
    for (int J = 0; J < Width; ++J)
      Sum += Tile[T + J] * Mask[J];
    Out[I] = clamped(Sum);
  }
  sample(N, [&](long I) {
    double Sum = 0;
    for (long J = I - 2; J <= I + 2; ++J)
      Sum += J >= 0 && J < N ? value(J) : 0;
    B.expect(I, Sum * MaskElement, 1e-5);
  });
}

/// The sum of the values around a point of N x N, by a mask of WIDTH x WIDTH.
static double sumAround(long N, long At, long Width) {
  double Sum = 0;
  for (long R = At / N - Width / 2; R <= At / N + Width / 2; ++R)
    for (long C = At % N - Width / 2; C <= At % N + Width / 2; ++C)
      Sum += R >= 0 && R < N && C >= 0 && C < N ? value(R * N + C) : 0;
  return Sum * MaskElement;
}

/// Blocks of 16 x 16 convolve N x N floats with a mask of MASK x MASK in global
/// memory.
static void convolveSquares() {
  const long N = multiple("n", 256, 16);
  const int Width = int(argument("mask", 5));
  Array<float> A("A", N * N), B("B", N * N, false), M("M", Width * Width);
  M.write(std::vector<float>(Width * Width, MaskElement).data());
  const float *In = A, *Mask = M;
  float *Out = B;
  LAUNCH(N / 16 * (N / 16), 256, In, Mask, Out) {
    const int Size = int(N);
    const int I = int(blockRow(N / 16)) * 16 + threadId() / 16;
    const int J = int(blockColumn(N / 16)) * 16 + threadId() % 16;
    const int Top = I - Width / 2, Left = J - Width / 2;
    float Sum = 0;
    UNROLL(1)
    for (int K = 0; K < Width; ++K)
      UNROLL(4)
    for (int L = 0; L < Width; ++L)
      if (Top + K >= 0 && Top + K < Size && Left + L >= 0 && Left + L < Size)
        Sum += In[(Top + K) * Size + Left + L] * Mask[K * Width + L];
    Out[I * Size + J] = clamped(Sum);
  }
  sample(N * N, [&](long At) { B.expect(At, sumAround(N, At, Width), 1e-5); });
}

/// The same with a mask of 5 x 5 in constant memory: a block of EDGE x EDGE
/// threads loads a tile, of which the inner threads make results.
template <int Edge> static void convolveSquareTiles() {
  constexpr int Five = 5, Inner = Edge - Five + 1;
  const long N = argument("n", 256), Across = (N + Inner - 1) / Inner;
  const int Width = int(argument("mask", Five));
  Array<float> A("A", N * N), B("B", N * N, false);
  const float *In = A;
  float *Out = B;
  const int Threads = int(argument("edge", Edge));
  LAUNCH(Across * Across, Edge * Edge, In, Out) {
    SHARED float Tile[Edge * Edge];
    CONSTANT_MASK(Mask);
    const int Size = int(N), Y = threadId() / Edge, X = threadId() % Edge;
    const int OfTile = Threads - Width + 1;
    const int I = int(blockRow(Across)) * OfTile + Y;
    const int J = int(blockColumn(Across)) * OfTile + X;
    const int Top = I - Width / 2, Left = J - Width / 2;
    Tile[Y * Threads + X] = Top >= 0 && Top < Size && Left >= 0 && Left < Size
                                ? In[Top * Size + Left]
                                : 0;
    barrier();
    if (Y < OfTile && X < OfTile && I < Size && J < Size) {
      float Sum = 0;
      UNROLL(1)
      for (int K = 0; K < Width; ++K)
        UNROLL(4)
      for (int L = 0; L < Width; ++L)
        Sum += Tile[(Y + K) * Threads + X + L] * Mask[K * Width + L];
      Out[I * Size + J] = clamped(Sum);
    }
    barrier();
  }
  sample(N * N, [&](long At) { B.expect(At, sumAround(N, At, Five), 1e-5); });
}

#endif // FERRY_BENCH_KERNELS_CONVOLUTIONS_H
