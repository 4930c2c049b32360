//===- programs.h - Loops that programs have ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of staging.cpp: shapes of loops as collections of benchmarks and
// mini-apps have them (sparse and dense algebra, meshes, particles, statistics,
// learning), each a thread for a row, a point or a cell. N: the length of a
// row, Rows: how many there are.
//
//===----------------------------------------------------------------------===//
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <cmath>
#include <omp.h>

#define FOR_ROWS                                                               \
  for (Timer Time; Time.next();)                                               \
  _Pragma("omp target teams distribute parallel for") for (int I = 0;          \
                                                           I < Rows; ++I)

/// Makes \p A's values numbers of 0 to \p End - 1.
inline void makeIndices(int *A, long Length, int End, bool Near = false) {
  unsigned Random = 7;
  for (long K = 0; K < Length; ++K) {
    Random = Random * 1664525u + 1013904223u;
    long Off = Near ? K * End / Length + int(Random >> 27) : long(Random >> 8);
    A[K] = int(Off % End);
  }
}

#if defined(KERNEL_sparse) || defined(KERNEL_ragged)
// Rows of N nonzeros, or of up to 2 N, near the diagonal.
static void launch(int N) {
  const int Rows = ProductRows;
  std::vector<int> Begins(Rows + 1);
  for (int I = 0; I < Rows; ++I) {
#if defined(KERNEL_sparse)
    Begins[I + 1] = Begins[I] + N;
#else
    Begins[I + 1] = Begins[I] + int((I * 2654435761u >> 16) % (2 * N + 1));
#endif
  }
  const int Length = Begins[Rows];
  std::vector<int> Columns(Length + 1);
  makeIndices(Columns.data(), Length, Rows, true);
  Array Values(Length + 1), X(Rows), Y(Rows);
  Real *A = Values, *In = X, *Out = Y;
  int *Begin = Begins.data(), *Column = Columns.data();
#pragma omp target data map(to : Begin[0 : Rows + 1], Column[0 : Length + 1])
  FOR_ROWS {
    Real Sum = 0;
    for (int K = Begin[I]; K < Begin[I + 1]; ++K)
      Sum += A[K] * In[Column[K]];
    Out[I] = Sum;
  }
}

#elif defined(KERNEL_corners) || defined(KERNEL_neighbours)
// A cell's eight corners; or a particle's N neighbours, records of four.
static void launch(int N) {
  const int Rows = ProductRows;
#if defined(KERNEL_corners)
  const int M = 8;
  (void)N;
#else
  const int M = N;
#endif
  std::vector<int> Lists(long(Rows) * M);
  makeIndices(Lists.data(), long(Rows) * M, Rows, true);
  Array X(long(Rows) * 4), Y(Rows);
  Real *In = X, *Out = Y;
  int *List = Lists.data();
#pragma omp target data map(to : List[0 : long(Rows) * M])
  FOR_ROWS {
    Real Sum = 0;
    for (int K = 0; K < M; ++K) {
#if defined(KERNEL_corners)
      Sum += In[List[I * M + K]];
#else
      Real *P = In + 4 * List[I * M + K];
      Real DX = P[0] - In[4 * I], DY = P[1] - In[4 * I + 1],
           DZ = P[2] - In[4 * I + 2];
      Sum += P[3] / (Real(0.01) + DX * DX + DY * DY + DZ * DZ);
#endif
    }
    Out[I] = Sum;
  }
}

#elif defined(KERNEL_softmax)
static void launch(int N) {
  const int Rows = ProductRows;
  Array X(long(Rows) * N), Y(long(Rows) * N);
  Real *In = X, *Out = Y;
  FOR_ROWS {
    Real Most = In[I * N], Sum = 0;
    for (int K = 1; K < N; ++K)
      Most = In[I * N + K] > Most ? In[I * N + K] : Most;
    for (int K = 0; K < N; ++K)
      Sum += std::exp(In[I * N + K] - Most);
    for (int K = 0; K < N; ++K)
      Out[I * N + K] = std::exp(In[I * N + K] - Most) / Sum;
  }
}

#elif defined(KERNEL_normalize)
static void launch(int N) {
  const int Rows = ProductRows;
  Array X(long(Rows) * N), Y(long(Rows) * N);
  Real *In = X, *Out = Y;
  FOR_ROWS {
    Real Sum = 0, Squares = 0;
    for (int K = 0; K < N; ++K) {
      Sum += In[I * N + K];
      Squares += In[I * N + K] * In[I * N + K];
    }
    Real Mean = Sum / N, Scale = 1 / std::sqrt(Squares / N - Mean * Mean + 1);
    for (int K = 0; K < N; ++K)
      Out[I * N + K] = (In[I * N + K] - Mean) * Scale;
  }
}

#elif defined(KERNEL_norms) || defined(KERNEL_largest_of_row) ||               \
    defined(KERNEL_two_rows) || defined(KERNEL_distances)
static void launch(int N) {
  const int Rows = ProductRows;
  Array X(long(Rows) * N), Y(long(Rows) * N), Z(Rows);
  Real *A = X, *B = Y, *Out = Z;
  (void)B;
  FOR_ROWS {
    Real Sum = 0;
    for (int K = 0; K < N; ++K) {
#if defined(KERNEL_norms)
      Sum += std::sqrt(std::fabs(A[I * N + K]));
#elif defined(KERNEL_largest_of_row)
      if (A[I * N + K] > A[I * N + int(Sum)])
        Sum = Real(K);
#elif defined(KERNEL_two_rows)
      Sum += A[I * N + K] * B[I * N + K];
#else
      Real D = A[I * N + K] - B[K];
      Sum += D * D;
#endif
    }
    Out[I] = Sum;
  }
}

#elif defined(KERNEL_running_sums) || defined(KERNEL_scale_rows) ||            \
    defined(KERNEL_blur_rows) || defined(KERNEL_transposed)
// What a row becomes: in place, beside it, or a column.
static void launch(int N) {
  const int Rows = ProductRows;
  Array X(long(Rows) * N), Y(long(Rows) * N);
  Real *A = X, *B = Y;
  (void)B;
  FOR_ROWS {
#if defined(KERNEL_running_sums)
    Real Sum = 0;
    for (int K = 0; K + 1 < N; ++K) {
      Sum += A[I * N + K] + 1;
      A[I * N + K + 1] = Sum;
    }
#elif defined(KERNEL_scale_rows)
    for (int K = 0; K < N; ++K)
      A[I * N + K] *= Real(0.5);
#elif defined(KERNEL_blur_rows)
    for (int K = 2; K + 2 < N; ++K)
      B[I * N + K] = A[I * N + K - 2] + 4 * A[I * N + K - 1] +
                     6 * A[I * N + K] + 4 * A[I * N + K + 1] + A[I * N + K + 2];
#else
    for (int K = 0; K < N; ++K)
      B[long(K) * Rows + I] = A[I * N + K];
#endif
  }
}

#elif defined(KERNEL_tridiagonal)
// A system for each row: there and back again.
static void launch(int N) {
  const int Rows = ProductRows;
  Array X(long(Rows) * N), Y(long(Rows) * N), Z(long(Rows) * N);
  Real *Diagonal = X, *Right = Y, *Out = Z;
  FOR_ROWS {
    Real Before = 0;
    for (int K = 0; K < N; ++K) {
      Before = (Right[I * N + K] + Before) / (4 + Diagonal[I * N + K]);
      Out[I * N + K] = Before;
    }
    for (int K = N - 2; K >= 0; --K) {
      Before = Out[I * N + K] - Before / (4 + Diagonal[I * N + K]);
      Out[I * N + K] = Before;
    }
  }
}

#elif defined(KERNEL_clusters)
// The nearest of eight centres, a row of N coordinates for each point.
static void launch(int N) {
  const int Rows = ProductRows, Centres = 8;
  Array X(long(Rows) * N), Y(long(Centres) * N), Z(Rows);
  Real *Point = X, *Centre = Y, *Out = Z;
  FOR_ROWS {
    Real Least = Real(1e30);
    int Nearest = 0;
    for (int C = 0; C < Centres; ++C) {
      Real Sum = 0;
      for (int K = 0; K < N; ++K) {
        Real D = Point[I * N + K] - Centre[C * N + K];
        Sum += D * D;
      }
      if (Sum < Least) {
        Least = Sum;
        Nearest = C;
      }
    }
    Out[I] = Real(Nearest);
  }
}

#elif defined(KERNEL_small_matrices)
// y = A x for a matrix of 8 x 8 in each thread.
static void launch(int) {
  const int Rows = ProductRows, M = 8;
  Array X(long(Rows) * M * M), Y(long(Rows) * M), Z(long(Rows) * M);
  Real *A = X, *In = Y, *Out = Z;
  FOR_ROWS {
    for (int J = 0; J < M; ++J) {
      Real Sum = 0;
      for (int K = 0; K < M; ++K)
        Sum += A[(I * M + J) * M + K] * In[I * M + K];
      Out[I * M + J] = Sum;
    }
  }
}

#elif defined(KERNEL_complex_rows)
struct Complex {
  Real Re, Im;
};
static void launch(int N) {
  const int Rows = ProductRows;
  Array<Complex> X(long(Rows) * N);
  Array Y(Rows);
  Complex *A = X;
  Real *Out = Y;
  FOR_ROWS {
    Real Sum = 0;
    for (int K = 0; K < N; ++K)
      Sum += A[I * N + K].Re * A[I * N + K].Re + A[I * N + K].Im;
    Out[I] = Sum;
  }
}

#elif defined(KERNEL_pairs) || defined(KERNEL_some_pairs)
// A number and what it is; of doubles, with padding behind it.
struct Pair {
  Real Value;
  int Kind;
};
static void launch(int N) {
  const int Rows = ProductRows;
  Array<Pair> X(long(Rows) * N);
  Array Y(Rows);
  Pair *A = X;
  Real *Out = Y;
  FOR_ROWS {
    Real Sum = 0;
    for (int K = 0; K < N; ++K)
#ifdef KERNEL_pairs
      Sum += A[I * N + K].Value * Real(A[I * N + K].Kind);
#else
      Sum += A[I * N + K].Kind ? A[I * N + K].Value : Real(1);
#endif
    Out[I] = Sum;
  }
}

#elif defined(KERNEL_letters)
// Bytes of a row that are as in a pattern.
static void launch(int N) {
  const int Rows = ProductRows;
  Array<char> X(long(Rows) * N * 8);
  Array Y(Rows);
  char *Text = X;
  Real *Out = Y;
  FOR_ROWS {
    int Found = 0;
    for (int K = 0; K < N * 8; ++K)
      Found += Text[I * N * 8 + K] == char(K & 7);
    Out[I] = Real(Found);
  }
}

#elif defined(KERNEL_options)
// Mathematical functions of each thread's own elements.
static void launch(int N) {
  const int Rows = ProductRows * N;
  Array X(Rows), Y(Rows), Z(Rows);
  Real *A = X, *B = Y, *Out = Z;
  FOR_ROWS {
    Real D = std::log(A[I] * A[I] + 1) / std::sqrt(B[I] * B[I] + 1);
    Out[I] = A[I] * std::exp(-D) + B[I] * std::cbrt(D);
  }
}

#elif defined(KERNEL_filter)
// Neighbouring threads read neighbouring elements, N of them.
static void launch(int N) {
  const int Rows = ProductRows;
  Array X(Rows + N), Y(N), Z(Rows);
  Real *A = X, *Weight = Y, *Out = Z;
  FOR_ROWS {
    Real Sum = 0;
    for (int K = 0; K < N; ++K)
      Sum += A[I + K] * Weight[K];
    Out[I] = Sum;
  }
}

#elif defined(KERNEL_heat3)
// Seven points of a grid of N x N x N.
static void launch(int N) {
  Array X(long(N) * N * N), Y(long(N) * N * N);
  Real *A = X, *B = Y;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for collapse(3)
    for (int I = 1; I < N - 1; ++I)
      for (int J = 1; J < N - 1; ++J)
        for (int K = 1; K < N - 1; ++K) {
          int C = (I * N + J) * N + K;
          B[C] = A[C] + Real(0.1) * (A[C - 1] + A[C + 1] + A[C - N] + A[C + N] +
                                     A[C - N * N] + A[C + N * N]);
        }
}

#elif defined(KERNEL_bodies)
static void launch(int N) {
  const int Rows = ProductRows;
  Array X(long(N) * 4), Y(Rows);
  Real *P = X, *Out = Y;
  FOR_ROWS {
    Real Sum = 0;
    for (int K = 0; K < N; ++K) {
      Real DX = P[4 * K] - P[4 * (I % N)],
           DY = P[4 * K + 1] - P[4 * (I % N) + 1];
      Sum += P[4 * K + 3] / std::sqrt(DX * DX + DY * DY + Real(0.01));
    }
    Out[I] = Sum;
  }
}

#elif defined(KERNEL_eight_of_block)
// Each block of 64 threads has eight rows, and most threads none.
static void launch(int N) {
  constexpr int Each = 8;
  const int Teams = ProductRows / Each;
  Array X(long(Teams) * Each * N), Z(Teams * Each);
  Real *A = X, *Out = Z;
  for (Timer Time; Time.next();)
#pragma omp target teams num_teams(Teams) thread_limit(64)
#pragma omp parallel
  {
    const int First = omp_get_team_num() * Each;
    for (int I = omp_get_thread_num(); I < Each; I += omp_get_num_threads()) {
      Real Most = 0;
      for (int K = 0; K < N; ++K)
        Most = A[(First + I) * N + K] > Most ? A[(First + I) * N + K] : Most;
      Out[First + I] = Most;
    }
  }
}

#elif defined(KERNEL_common_rows)
// 32 neighbouring threads have a row of weights in common, and columns of a
// table each; how many is not known when the kernel is compiled.
static void launch(int N) {
  constexpr int Columns = 32;
  const int Rows = N * N * Columns;
  Array Table(long(N) * N * N * Columns), Weights(long(N) * N), Z(Rows);
  Real *T = Table, *W = Weights, *Out = Z;
  int Width = Columns;
  FOR_ROWS {
    int F = I % Width, Y = I / Width % N, X = I / Width / N;
    Real Sum = 0;
    for (int K = 0; K < N; ++K)
      if (W[Y * N + K] > 0)
        Sum += T[((X * N + K) * N + K) * Width + F] * W[Y * N + K];
    Out[I] = Sum;
  }
}

#else
#error "no such kernel"
#endif

#endif // PROGRAMS_H
