//===- walks.h - Walks over a matrix --------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCH_KERNELS_WALKS_H
#define FERRY_BENCH_KERNELS_WALKS_H

#include "launch.h"

enum class Walk { Rows, Columns, RowsOfBlocks };

/// Sums of the rows or columns of a matrix of N x N floats, of which only the
/// first WIDTH elements of each row or column are added up.
template <Walk W> static void sums() {
  const long N = multiple("n", 2048, 256), Width = multiple("width", N, 256);
  Array<float> A("A", N * N), B("B", N, false);
  const float *In = A;
  float *Out = B;
  if (W == Walk::RowsOfBlocks) {
    LAUNCH(N, 256, In, Out) {
      SHARED float Sums[256];
      const int T = threadId();
      float Sum = 0;
      UNROLL(4)
      for (long J = T; J < Width; J += 256)
        Sum += In[blockId() * N + J];
      Sums[T] = Sum;
      for (int Half = 128; Half > 0; Half /= 2) {
        barrier();
        if (T < Half)
          Sums[T] += Sums[T + Half];
      }
      if (T == 0)
        Out[blockId()] = Sums[0];
    }
  } else {
    LAUNCH(N / 256, 256, In, Out) {
      const long I = blockId() * 256 + threadId();
      float Sum = 0;
      UNROLL(4)
      for (long J = 0; J < Width; ++J)
        Sum += W == Walk::Rows ? In[I * N + J] : In[J * N + I];
      Out[I] = Sum;
    }
  }
  sample(N, [&](long I) {
    double Sum = 0;
    for (long J = 0; J < Width; ++J)
      Sum += value(W == Walk::Columns ? J * N + I : I * N + J);
    B.expect(I, Sum);
  });
}

/// C = A + B, blocks of 32 x 32; neighbouring threads in a row or in a column.
template <bool Coalesced> static void matrixAdd() {
  const long N = multiple("n", 1024, 32);
  Array<int> A("A", N * N), B("B", N * N), C("C", N * N, false);
  const int *X = A, *Y = B;
  int *Z = C;
  LAUNCH(N / 32 * (N / 32), 1024, X, Y, Z) {
    const long I = blockColumn(N / 32) * 32 + threadId() % 32;
    const long J = blockRow(N / 32) * 32 + threadId() / 32;
    const long At = Coalesced ? J * N + I : I * N + J;
    Z[At] = X[At] + Y[At];
  }
  sample(N * N, [&](long I) { C.expect(I, 2 * value(I)); });
}

/// Four neighbours of each inner point of a grid of N x N floats, or the point.
template <bool Stencil> static void laplace() {
  const long N = multiple("n", 1024, 32);
  Array<float> A("A", N * N), B("B", N * N, false);
  const float *In = A;
  float *Out = B;
  LAUNCH(N / 32 * (N / 8), 256, In, Out) {
    const int I = blockId() % int(N / 32) * 32 + threadId() % 32;
    const int J = blockId() / int(N / 32) * 8 + threadId() / 32;
    const int Row = int(N), At = J * Row + I;
    if (I > 0 && J > 0 && I < Row - 1 && J < Row - 1)
      Out[At] =
          Stencil
              ? 0.25f * (In[At + 1] + In[At - 1] + In[At - Row] + In[At + Row])
              : In[At];
  }
  sample(N - 2, [&](long I) {
    const long At = (I + 1) * N + N - 2 - I;
    B.expect(At, Stencil ? 0.25 * (value(At + 1) + value(At - 1) +
                                   value(At - N) + value(At + N))
                         : value(At));
  });
}

#endif // FERRY_BENCH_KERNELS_WALKS_H
