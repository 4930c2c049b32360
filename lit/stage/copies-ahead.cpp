// Where the largest blocks that a kernel can have leave no room for a tile that is
// copied ahead, each tile is waited for. Two warps of a multiprocessor lose by that,
// unless their plain loads have conflicts of banks; four would wait for each other.
// What a team's loop has for its threads is not known, so it may be two as well.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_80 %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_reports.py %t.plain.json %t.json --kernels 4
#include "Inputs/staged.h"

namespace {
constexpr int N = 1000;

#define ROWS(Name)                                                             \
  void Name(const double *A, double *Sums, int M) {                            \
    _Pragma("omp target teams distribute parallel for thread_limit(Limit) is_device_ptr(A, Sums)") \
    for (int I = 0; I < N; ++I) {                                              \
      double Sum = 0;                                                          \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K];                                                   \
      Sums[I] = Sum;                                                           \
    }                                                                          \
  }
constexpr int Limit = 64;
ROWS(twoWarpsNear)
ROWS(conflictingFewer)

void fourWarpsFewer(const double *A, double *Sums, int M) {
#pragma omp target teams distribute parallel for thread_limit(128) is_device_ptr(A, Sums)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < M; ++K)
      Sum += A[I * M + K];
    Sums[I] = Sum;
  }
}

void chunksNear(const double *A, double *Sums, int M) {
#pragma omp target teams distribute num_teams(3) thread_limit(128) is_device_ptr(A, Sums)
  for (int First = 0; First < N; First += 50) {
#pragma omp parallel for
    for (int I = First; I < First + 50; ++I) {
      double Sum = 0;
      for (int K = 0; K < M; ++K)
        Sum += A[I * M + K];
      Sums[I] = Sum;
    }
  }
}

void sums(void (*Run)(const double *, double *, int), int M) {
  staged::Array<double> A(N * M), Sums(N);
  Run(A.device(), Sums.device(), M);
  Sums.read();
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < M; ++K)
      Sum += A.host()[I * M + K];
    check::value("Sums", Sums.host()[I], Sum, I);
  }
}
} // namespace

PROGRAM(two) { sums(twoWarpsNear, 203); }
PROGRAM(conflicting) { sums(conflictingFewer, 208); }
PROGRAM(four) { sums(fourWarpsFewer, 203); }
PROGRAM(chunks) { sums(chunksNear, 203); }

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
