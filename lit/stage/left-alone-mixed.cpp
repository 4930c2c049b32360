// In files with kernels that begin with one thread the runtime's state hides loops from
// staging. Where it finds nothing to do behind that, either, kernels stay as they are:
// in a file in which nothing is staged, and beside one that is.
//
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: for stage in on off; do \
// RUN:   %sim_cxx -O3 -mllvm -ferry-stage=$stage -DNO_ROWS -c %s -o %t.d/$stage.o || exit 1; \
// RUN: done; cmp %t.d/on.o %t.d/off.o
// RUN: %sim_cxx -O3 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 %s -o %t.staged
// RUN: %run_plain_and_staged --kernels 3
#include "Inputs/staged.h"

namespace {
void columnsExact(const double *A, double *C, int N) {
#pragma omp target teams is_device_ptr(A, C)
#pragma omp distribute parallel for
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < N; ++K)
      Sum += A[K * N + I];
    C[I] = Sum;
  }
}

void serialSame(double *C, int N) {
#pragma omp target is_device_ptr(C)
  {
    double Factor = C[0];
#pragma omp parallel for
    for (int I = 1; I < N; ++I)
      C[I] += Factor * I;
  }
}

void rowsFewer(const double *A, double *C, int N) {
  (void)A, (void)C, (void)N;
#ifndef NO_ROWS
#pragma omp target teams is_device_ptr(A, C)
#pragma omp distribute parallel for
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < N; ++K)
      Sum += A[I * N + K];
    C[I] += Sum;
  }
#endif
}
} // namespace

PROGRAM(all) {
  constexpr int N = 300;
  staged::Array<double> A(N * N), C(N);
  columnsExact(A.device(), C.device(), N);
  serialSame(C.device(), N);
  rowsFewer(A.device(), C.device(), N);
  C.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
