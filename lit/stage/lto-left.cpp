// With link-time optimisation a kernel in which nothing is staged is, to the last
// instruction, what it is with staging off, also in a program with a staged one.
// A link at a level without staging makes of the files what it makes of those
// compiled without, but for the device runtime, which is not inlined there and in which
// a kernel more has a few instructions change places.
//
// RUN: %sim_cxx -O3 -foffload-lto -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 -foffload-lto %s -o %t.staged
// RUN: %run_plain_and_staged --kernels 4
// RUN: for stage in off on; do \
// RUN:   %sim_cxx -O3 -foffload-lto -mllvm -ferry-stage=$stage -c %s -o %t.o && \
// RUN:   %sim_cxx -O1 -foffload-lto %t.o -o %t.$stage && \
// RUN:   %ferry_sim --strict --quiet --json %t.$stage.json -- %t.$stage > %t.$stage.out || exit 1; done
// RUN: diff %t.plain.out %t.on.out
// RUN: %python %S/Inputs/compare_builds.py %t.off.json %t.on.json --of instructions --most 1.01 --kernels 4

#include "Inputs/staged.h"

#include <initializer_list>

constexpr int N = 333;

namespace {
void rowsFewer(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[I * M + J];
    B[I] = Sum;
  }
}

void columnsExact(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[J * N + I];
    B[I] = Sum;
  }
}

/// An index that comes out of memory, and a branch.
void gatheredExact(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0, Most = -1e9;
    for (int J = 0; J < M; ++J) {
      int At = static_cast<int>(A[(I + J) % N]) + 100;
      if (A[At * 7] > Most)
        Most = A[At * 7];
      Sum += A[At];
    }
    B[I] = Sum + Most;
  }
}

/// Parallel regions in code that was for one thread of the team.
void oneThreadFewer(const double *A, double *B, int M) {
#pragma omp target teams num_teams(5) thread_limit(64) is_device_ptr(A, B)
  {
    int First = N * omp_get_team_num() / 5, End = N * (omp_get_team_num() + 1) / 5;
    for (int Start = First; Start < End; Start += 50) {
      double Factor = A[Start];
#pragma omp parallel for
      for (int I = Start; I < (Start + 50 < End ? Start + 50 : End); ++I) {
        double Sum = 0;
        for (int J = 0; J < M; ++J)
          Sum += A[I * M + J];
        B[I] = Sum * Factor;
      }
    }
  }
}
} // namespace

PROGRAM(left) {
  constexpr int M = 96; // conflicts of banks: two warps of a block gain, too
  staged::Array<double> A(N * M), B(N);
  for (auto *Run : {rowsFewer, columnsExact, gatheredExact, oneThreadFewer}) {
    Run(A.device(), B.device(), M);
    B.read();
  }
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
