//===- transposes.h - Transposes of a matrix ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCH_KERNELS_TRANSPOSES_H
#define FERRY_BENCH_KERNELS_TRANSPOSES_H

#include "launch.h"

enum class Tile { None, Unpadded, Padded };

/// Checks that B is the transpose of A, or A itself.
static void expectTransposed(const Array<float> &B, long N, bool Copied) {
  sample(N * N,
         [&](long I) { B.expect(I, value(Copied ? I : I % N * N + I / N)); });
}

/// One element for each thread of blocks of SIZE x SIZE, neighbours in a row
/// of what is written or of what is read.
template <int Size, bool RowsWritten> static void transposeElements() {
  const long N = multiple("n", 1024, Size);
  Array<float> A("A", N * N), B("B", N * N, false);
  const float *In = A;
  float *Out = B;
  LAUNCH(N / Size * (N / Size), Size * Size, In, Out) {
    const long I = blockColumn(N / Size) * Size + threadId() % Size;
    const long J = blockRow(N / Size) * Size + threadId() / Size;
    if (RowsWritten)
      Out[J * N + I] = In[I * N + J];
    else
      Out[I * N + J] = In[J * N + I];
  }
  expectTransposed(B, N, false);
}

/// Blocks of 32 x ROWS threads, each thread with 32 / ROWS elements of a tile
/// of 32 x 32; the tile in shared memory, or in none.
template <Tile Kind, bool Copied, int Rows = 8> static void transposeTiles() {
  const long N = multiple("n", 1024, 32);
  Array<float> A("A", N * N), B("B", N * N, false);
  const float *In = A;
  float *Out = B;
  LAUNCH(N / 32 * (N / 32), 32 * Rows, In, Out) {
    SHARED float Tile[32][Kind == Tile::Padded ? 33 : 32];
    const int X = threadId() % 32, Y = threadId() / 32;
    const long Left = blockColumn(N / 32) * 32, Top = blockRow(N / 32) * 32;
    if (Kind == Tile::None) {
      for (int J = Y; J < 32; J += Rows)
        Out[Copied ? (Top + J) * N + Left + X : (Left + X) * N + Top + J] =
            In[(Top + J) * N + Left + X];
    } else {
      for (int J = Y; J < 32; J += Rows)
        Tile[J][X] = In[(Top + J) * N + Left + X];
      barrier();
      for (int J = Y; J < 32; J += Rows)
        Out[(Left + J) * N + Top + X] = Tile[X][J];
    }
  }
  expectTransposed(B, N, Copied);
}

/// Blocks of 16 x 32 threads, each thread with two elements of a row.
static void transposePairs() {
  const long N = multiple("n", 1024, 32);
  typedef float Two __attribute__((ext_vector_type(2)));
  Array<float> A("A", N * N), B("B", N * N, false);
  const float *In = A;
  float *Out = B;
  LAUNCH(N / 32 * (N / 32), 512, In, Out) {
    SHARED float Tile[32][33];
    const int X = threadId() % 16 * 2, Y = threadId() / 16;
    const long Left = blockColumn(N / 32) * 32, Top = blockRow(N / 32) * 32;
    const Two Read = *(const Two *)&In[(Top + Y) * N + Left + X];
    Tile[Y][X] = Read.x, Tile[Y][X + 1] = Read.y;
    barrier();
    *(Two *)&Out[(Left + Y) * N + Top + X] = Two{Tile[X][Y], Tile[X + 1][Y]};
  }
  expectTransposed(B, N, false);
}

/// Blocks of 8 x 32 threads, each thread with four elements of a row.
static void transposeVectors() {
  const long N = multiple("n", 1024, 32);
  typedef float Four __attribute__((ext_vector_type(4)));
  Array<float> A("A", N * N), B("B", N * N, false);
  const float *In = A;
  float *Out = B;
  LAUNCH(N / 32 * (N / 32), 256, In, Out) {
    SHARED float Tile[32][33];
    const int X = threadId() % 8 * 4, Y = threadId() / 8;
    const long Left = blockColumn(N / 32) * 32, Top = blockRow(N / 32) * 32;
    const Four Read = *(const Four *)&In[(Top + Y) * N + Left + X];
    Tile[Y][X] = Read.x, Tile[Y][X + 1] = Read.y;
    Tile[Y][X + 2] = Read.z, Tile[Y][X + 3] = Read.w;
    barrier();
    *(Four *)&Out[(Left + Y) * N + Top + X] =
        Four{Tile[X][Y], Tile[X + 1][Y], Tile[X + 2][Y], Tile[X + 3][Y]};
  }
  expectTransposed(B, N, false);
}

#endif // FERRY_BENCH_KERNELS_TRANSPOSES_H
