// Rows whose length the threads of a team are handed on are staged in files with kernels that
// begin with one thread, too. These do what they did.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 4
// RUN: %sim_cxx -O3 -Rpass=ferry-stage -c %s -o %t.o 2>&1 | FileCheck %s
#include "Inputs/staged.h"

namespace {
void rowsFewer(const double *A, double *C, int N) {
#pragma omp target teams is_device_ptr(A, C)
#pragma omp distribute parallel for
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < N; ++K)
      Sum += A[I * N + K]; // CHECK-DAG: cpp:[[#@LINE]]:{{.*}} staged 1 load through
    C[I] = Sum;
  }
}

void insideFewer(const double *A, double *C, int N) {
#pragma omp target teams distribute is_device_ptr(A, C)
  for (int Part = 0; Part < 2; ++Part) {
#pragma omp parallel for
    for (int I = Part * N / 2; I < (Part + 1) * N / 2; ++I) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[I * N + K]; // CHECK-DAG: cpp:[[#@LINE]]:{{.*}} staged 1 load through
      C[I] -= Sum;
    }
  }
}

void serial(double *C, int N) {
#pragma omp target is_device_ptr(C)
  {
    double Factor = C[0];
#pragma omp parallel for
    for (int I = 1; I < N; ++I)
      C[I] += Factor * I;
  }
}

void parallel(double *C, int N) {
#pragma omp target teams distribute is_device_ptr(C)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
#pragma omp parallel for reduction(+ : Sum)
    for (int J = 1; J < N; ++J)
      Sum += J;
    C[I] += Sum;
  }
}
} // namespace

PROGRAM(mixed) {
  const int N = 194;
  staged::Array<double> A(N * N), C(N);
  rowsFewer(A.device(), C.device(), N);
  C.read();
  serial(C.device(), N);
  parallel(C.device(), N);
  C.read();
  insideFewer(A.device(), C.device(), N);
  C.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
