// What threads have computed in a region and is used behind it, the parts of a reduction,
// they still have when those that have left it wait for others.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_90 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_90 %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 2
#include "Inputs/staged.h"
#include <algorithm>

namespace {
constexpr int N = 333, M = 160;

long sumStaged(const double *A) {
  long Total = 0;
#pragma omp target teams distribute parallel for reduction(+ : Total) is_device_ptr(A)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < M; ++K)
      Sum += A[I * M + K];
    Total += static_cast<long>(Sum);
  }
  return Total;
}

/// Several rows to each thread, and not to all of them as many.
long mostStaged(const double *A) {
  long Most = -1000000;
#pragma omp target teams distribute parallel for reduction(max : Most) num_teams(3) thread_limit(32) is_device_ptr(A)
  for (int I = 0; I < N; ++I) {
    double Sum = I;
    for (int K = 0; K < M; ++K)
      Sum += A[I * M + K];
    Most = std::max(Most, static_cast<long>(Sum * 100));
  }
  return Most;
}
} // namespace

PROGRAM(reductions) {
  staged::Array<double> A(N * M);
  long Total = 0, Most = -1000000;
  for (int I = 0; I < N; ++I) {
    double Sum = 0, Next = I;
    for (int K = 0; K < M; ++K) {
      Sum += A.host()[I * M + K];
      Next += A.host()[I * M + K];
    }
    Total += static_cast<long>(Sum);
    Most = std::max(Most, static_cast<long>(Next * 100));
  }
  check::value("sum", sumStaged(A.device()), Total, 0);
  check::value("most", mostStaged(A.device()), Most, 0);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
