//===- staging.cpp - Kernels that tools/bench/staging measures ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   -DKERNEL_<name> -DREAL=double|float, arguments: n, rows, launches
//
// builds one kernel, alone in its module, as one writes it without a thought
// about memory. It is launched once; the program prints a checksum of the bits
// of every array. Of a product of n x n elements, `rows` rows are computed; the
// kernels of kernels/programs.h have as many rows of n elements.
// With a number of launches it is launched so often, after a launch that is not
// timed, and the seconds of one launch stand behind the checksum.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <vector>

using Real = REAL;
static unsigned long Checksum = 0xcbf29ce484222325;
static int ProductRows;
static long Launches;
static double Seconds;

/// Counts the launches and takes their time.
class Timer {
public:
  bool next() {
    const double Now = omp_get_wtime();
    if (Done == 1)
      Start = Now;
    else if (Done > Launches)
      Seconds = (Now - Start) / double(Launches);
    return Done++ <= Launches;
  }

private:
  long Done = 0;
  double Start = 0;
};

/// Elements that are on the device as long as this lives.
template <class T = Real> class Array {
public:
  explicit Array(long Length) : Bytes(Length * long(sizeof(T))), Host(Length) {
    unsigned Random = 1;
    Real *Reals = reinterpret_cast<Real *>(Host.data());
    for (long K = 0; K < Bytes / long(sizeof(Real)); ++K) {
      Random = Random * 1664525u + 1013904223u;
      Reals[K] = Real(int(Random >> 12) - 0x80000) / Real(299993);
    }
    char *P = reinterpret_cast<char *>(Host.data());
#pragma omp target enter data map(to : P[0 : Bytes])
  }
  Array(const Array &) = delete;
  ~Array() {
    char *P = reinterpret_cast<char *>(Host.data());
#pragma omp target exit data map(from : P[0 : Bytes])
    for (long K = 0; K < Bytes; ++K)
      Checksum = (Checksum ^ (unsigned char)P[K]) * 0x100000001b3;
  }
  operator T *() { return Host.data(); }

private:
  long Bytes;
  std::vector<T> Host;
};

#if defined(KERNEL_poster)
// Each thread reads its row of 16 elements again and again.
static void launch(int N) {
  const int M = 16;
  Array A(long(N) * M), Out(N);
  Real *V = A, *Sums = Out;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      Real Sum = 0;
      for (int J = 0; J < N; ++J)
        for (int K = 0; K < M; ++K)
          Sum += V[I * M + K] * 3;
      Sums[I] = Sum;
    }
}

#elif defined(KERNEL_poster_matmul)
// A thread for each row of the product.
static void launch(int N) {
  const int Rows = ProductRows;
  Array A(long(Rows) * N), B(long(N) * N), C(long(Rows) * N);
  Real *X = A, *Y = B, *Z = C;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for
    for (int I = 0; I < Rows; ++I)
      for (int J = 0; J < N; ++J) {
        Real Sum = 0;
        for (int K = 0; K < N; ++K)
          Sum += X[I * N + K] * Y[K * N + J];
        Z[I * N + J] = Sum;
      }
}

#elif defined(KERNEL_matvec)
static void launch(int N) {
  Array A(long(N) * N), X(N), Y(N);
  Real *M = A, *In = X, *Out = Y;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      Real Sum = 0;
      for (int J = 0; J < N; ++J)
        Sum += M[I * N + J] * In[J];
      Out[I] = Sum;
    }
}

#elif defined(KERNEL_matvec_transposed)
// The same with the matrix stored by columns.
static void launch(int N) {
  Array A(long(N) * N), X(N), Y(N);
  Real *M = A, *In = X, *Out = Y;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      Real Sum = 0;
      for (int J = 0; J < N; ++J)
        Sum += M[J * N + I] * In[J];
      Out[I] = Sum;
    }
}

#elif defined(KERNEL_jacobi)
static void launch(int N) {
  Array A(long(N) * N), B(N), X(N), Y(N);
  Real *M = A, *Right = B, *Old = X, *New = Y;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      Real Sum = 0;
      for (int J = 0; J < N; ++J)
        if (I != J)
          Sum += M[I * N + J] * Old[J];
      New[I] = (Right[I] - Sum) / M[I * N + I];
    }
}

#elif defined(KERNEL_row_sums)
static void launch(int N) {
  Array A(long(N) * N), Out(N);
  Real *M = A, *Sums = Out;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      Real Sum = 0;
      for (int J = 0; J < N; ++J)
        Sum += M[I * N + J];
      Sums[I] = Sum;
    }
}

#elif defined(KERNEL_records)
// Some fields of an array of structures.
struct Particle {
  Real X, Y, Z, VX, VY, VZ, Mass;
};
static void launch(int N) {
  Array<Particle> A(N * 64);
  Array Out(N * 64);
  Particle *P = A;
  Real *Energy = Out;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N * 64; ++I)
      Energy[I] = P[I].Mass / 2 *
                  (P[I].VX * P[I].VX + P[I].VY * P[I].VY + P[I].VZ * P[I].VZ);
}

#elif defined(KERNEL_strided)
// Every second column of each row.
static void launch(int N) {
  Array A(long(N) * N), Out(N);
  Real *M = A, *Sums = Out;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for
    for (int I = 0; I < N; ++I) {
      Real Sum = 0;
      for (int J = 0; J < N; J += 2)
        Sum += M[I * N + J];
      Sums[I] = Sum;
    }
}

#elif defined(KERNEL_matmul) || defined(KERNEL_matmul_stored)
static void launch(int N) {
  const int Rows = ProductRows;
  Array A(long(Rows) * N), B(long(N) * N), C(long(Rows) * N);
  Real *X = A, *Y = B, *Z = C;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for collapse(2)
    for (int I = 0; I < Rows; ++I)
      for (int J = 0; J < N; ++J) {
#ifdef KERNEL_matmul_stored // in memory
        Real &Sum = Z[I * N + J];
#else
        Real Sum;
#endif
        Sum = 0;
        for (int K = 0; K < N; ++K)
          Sum += X[I * N + K] * Y[K * N + J];
        Z[I * N + J] = Sum;
      }
}

#elif defined(KERNEL_matmul_forall)
template <class Body> static void forall(int N, int M, Body Loop) {
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for collapse(2)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < M; ++J)
        Loop(I, J);
}
static void launch(int N) {
  const int Rows = ProductRows;
  Array A(long(Rows) * N), B(long(N) * N), C(long(Rows) * N);
  Real *X = A, *Y = B, *Z = C;
  forall(Rows, N, [=](int I, int J) {
    Real Sum = 0;
    for (int K = 0; K < N; ++K)
      Sum += X[I * N + K] * Y[K * N + J];
    Z[I * N + J] = Sum;
  });
}

#elif defined(KERNEL_heat)
// Five points of a grid.
static void launch(int N) {
  Array A(long(N) * N), B(long(N) * N);
  Real *Old = A, *New = B;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for collapse(2)
    for (int I = 1; I < N - 1; ++I)
      for (int J = 1; J < N - 1; ++J)
        New[I * N + J] = Real(0.2) * (Old[I * N + J] + Old[(I - 1) * N + J] +
                                      Old[(I + 1) * N + J] +
                                      Old[I * N + J - 1] + Old[I * N + J + 1]);
}

#elif defined(KERNEL_volume)
// Seven points of a grid in three dimensions: ten planes.
static void launch(int N) {
  const int Planes = 10;
  Array A(long(Planes) * N * N), B(long(Planes) * N * N);
  Real *Old = A, *New = B;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for collapse(3)
    for (int P = 1; P < Planes - 1; ++P)
      for (int I = 1; I < N - 1; ++I)
        for (int J = 1; J < N - 1; ++J) {
          auto At = [=](int Q, int R, int C) {
            return Old[((P + Q) * N + I + R) * N + J + C];
          };
          New[(P * N + I) * N + J] =
              Real(0.4) * At(0, 0, 0) +
              Real(0.1) * (At(-1, 0, 0) + At(1, 0, 0) + At(0, -1, 0) +
                           At(0, 1, 0) + At(0, 0, -1) + At(0, 0, 1));
        }
}

#elif defined(KERNEL_pi)
static void launch(int N) {
  const int Steps = N * 64;
  const Real Width = Real(1) / Steps;
  Real Sum = 0;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for reduction(+ : Sum)
    for (int I = 0; I < Steps; ++I) {
      Real X = (I + Real(0.5)) * Width;
      Sum += 4 / (1 + X * X);
    }
  Array Out(1);
  Out[0] = Sum * Width;
}

#elif defined(KERNEL_sum) || defined(KERNEL_largest) || defined(KERNEL_dot)
#if defined(KERNEL_sum)
#define REDUCTION + : Result
#define STEP Result += X[I]
#elif defined(KERNEL_dot)
#define REDUCTION + : Result
#define STEP Result += X[I] * Y[I]
#else
#define REDUCTION                                                              \
  max:                                                                         \
  Result
#define STEP Result = std::max(Result, X[I])
#endif
static void launch(int N) {
  const int Length = N * 64;
  Real Result = 0;
  {
    Array A(Length), B(Length);
    Real *X = A, *Y = B;
    for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for reduction(REDUCTION)
      for (int I = 0; I < Length; ++I)
        STEP;
    (void)Y;
  }
  Array Out(1);
  Out[0] = Result;
}

#elif defined(KERNEL_daxpy) || defined(KERNEL_vadd) || defined(KERNEL_add) ||  \
    defined(KERNEL_copy) || defined(KERNEL_mul) || defined(KERNEL_triad)
// Element by element; copy to triad are BabelStream's.
#if defined(KERNEL_daxpy)
#define STEP B[I] += S * A[I]
#elif defined(KERNEL_vadd) || defined(KERNEL_add)
#define STEP C[I] = A[I] + B[I]
#elif defined(KERNEL_copy)
#define STEP C[I] = A[I]
#elif defined(KERNEL_mul)
#define STEP B[I] = S * C[I]
#else
#define STEP A[I] = B[I] + S * C[I]
#endif
static void launch(int N) {
  const int Length = N * 64;
  const Real S = Real(0.4);
  Array P(Length), Q(Length), R(Length);
  Real *A = P, *B = Q, *C = R;
  for (Timer Time; Time.next();)
#pragma omp target teams distribute parallel for
    for (int I = 0; I < Length; ++I)
      STEP;
  (void)S, (void)A, (void)B, (void)C;
}

#else
#include "kernels/programs.h"
#endif

int main(int Count, char **Arguments) {
  if (Count != 3 && Count != 4)
    return 2;
  ProductRows = std::atoi(Arguments[2]);
  Launches = Count == 4 ? std::atoi(Arguments[3]) : 0;
  launch(std::atoi(Arguments[1]));
  std::printf("%016lx", Checksum);
  if (Launches)
    std::printf(" %.9f", Seconds);
  std::printf("\n");
}
