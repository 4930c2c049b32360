// A kernel whose launch asks for dynamic shared memory is left alone: together
// with tiles it might be more than a block has.
// RUN: %sim_cxx -O3 -g -Rpass=ferry-stage -Rpass-missed=ferry-stage %s -o %t 2>&1 | FileCheck %s
// RUN: %ferry_sim --strict --quiet -- %t
#include "Inputs/staged.h"

namespace {
// CHECK-NOT: staged 1 load
// CHECK: [[@LINE+4]]:{{.*}} not staged: {{.*}} [no-budget]
void rows(const double *A, double *B, int N, int Bytes) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B) thread_limit(128) ompx_dyn_cgroup_mem(Bytes)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      B[I] += A[I * N + J];
}
// CHECK: [[@LINE+6]]:{{.*}} staged 1 load
// CHECK-NOT: staged 1 load
void rowsStaged(const double *A, double *B, int N) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B) thread_limit(128)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      B[I] += A[I * N + J];
}
} // namespace

PROGRAM(dynamic) {
  const int N = 100;
  staged::Array<double> A(N * N), B(N), C(N);
  rows(A.device(), B.device(), N, 40000);
  rowsStaged(A.device(), C.device(), N);
  B.read();
  C.read();
  for (int I = 0; I < N; ++I)
    check::value("B", B.host()[I], C.host()[I], I);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
