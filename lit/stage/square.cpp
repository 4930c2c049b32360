// Of a square matrix with a size of 64 bits LLVM writes the row's beginning as the
// index less what is left of it by the size, and that by no division: products and
// stencils are taken in tiles nevertheless, and rows are not mistaken.
//
// RUN: %sim_cxx -O3 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 %s -o %t.staged
// RUN: %run_plain_and_staged --kernels 4
// RUN: grep -q 'raggedSame.*_unstaged"' %t.json
#include "Inputs/staged.h"

namespace {
void productTiledFewer(const double *A, const double *B, double *C, long N) {
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(A, B, C)
  for (long I = 0; I < N; ++I)
    for (long J = 0; J < N; ++J) {
      double Sum = 0;
      for (long K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[K * N + J];
      C[I * N + J] += Sum;
    }
}

void stencilTiledFewer(const double *A, const double *, double *C, long N) {
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(A, C)
  for (long I = 0; I < N; ++I)
    for (long J = 0; J < N; ++J)
      if (I > 0 && I < N - 1 && J > 0 && J < N - 1)
        C[I * N + J] = A[I * N + J - 1] + A[I * N + J + 1] + A[(I - 1) * N + J] + A[(I + 1) * N + J];
}

// Who does which iteration is fixed, so this is no nest: one operand is common to
// neighbours, the other is theirs side by side.
void fixedSame(const double *A, const double *B, double *C, long N) {
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(A, B, C) schedule(static, 2)
  for (long I = 0; I < N; ++I)
    for (long J = 0; J < N; ++J) {
      double Sum = 0;
      for (long K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[K * N + J];
      C[I * N + J] = Sum;
    }
}
/// All but the last iteration of the product: no tiles of these.
void raggedSame(const double *A, const double *B, double *C, long N, long Count) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B, C)
  for (long X = 0; X < Count; ++X) {
    double Sum = 0;
    for (long K = 0; K < N; ++K)
      Sum += A[X / N * N + K] * B[K * N + X % N];
    C[X] = Sum;
  }
}

void ragged(const double *A, const double *B, double *C, long N) {
  raggedSame(A, B, C, N, N * N - 1);
}
} // namespace

template <typename Fn> void square(Fn Run, long N) {
  staged::Array<double> A(N * N), B(N * N), C(N * N);
  Run(A.device(), B.device(), C.device(), N);
  C.read();
}

PROGRAM(squares) {
  square(ragged, 200);
  square(fixedSame, 100);
  square(productTiledFewer, 200);
  square(stencilTiledFewer, 1030);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
