// A launch in which only a few threads of a block have a row takes the kernel as
// it is without staging: to copy a few rows takes as many instructions as to copy
// one for each thread.
//
// RUN: %sim_cxx -O3 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 4
#include "Inputs/staged.h"

namespace {
constexpr int N = 2000;

#define ROWS_OF_LOOP(Name)                                                     \
  void Name(const double *A, double *Sums, int Rows, int M) {                  \
    _Pragma("omp target teams distribute is_device_ptr(A, Sums)")              \
    for (int Team = 0; Team < N / Rows; ++Team) {                              \
      _Pragma("omp parallel for")                                              \
      for (int I = 0; I < Rows; ++I) {                                         \
        double Sum = 0;                                                        \
        for (int K = 0; K < M; ++K)                                            \
          Sum += A[(Team * Rows + I) * M + K];                                 \
        Sums[Team * Rows + I] = Sum;                                           \
      }                                                                        \
    }                                                                          \
  }
ROWS_OF_LOOP(loopUnstaged)
ROWS_OF_LOOP(loopStaged)

#define ROWS_OF_TEAM(Name)                                                     \
  void Name(const double *A, double *Sums, int Rows, int M) {                  \
    _Pragma("omp target teams num_teams(N / Rows) thread_limit(64) is_device_ptr(A, Sums)") \
    _Pragma("omp parallel")                                                    \
    for (int I = omp_get_thread_num(); I < Rows; I += omp_get_num_threads()) { \
      const int Row = omp_get_team_num() * Rows + I;                           \
      double Sum = 0;                                                          \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[Row * M + K];                                                 \
      Sums[Row] = Sum;                                                         \
    }                                                                          \
  }
ROWS_OF_TEAM(teamUnstaged)
ROWS_OF_TEAM(teamStaged)
} // namespace

template <typename Fn> void sums(Fn Run, int Rows) {
  constexpr int M = 64;
  staged::Array<double> A(N * M), Sums(N);
  Run(A.device(), Sums.device(), Rows, M);
  Sums.read();
}

PROGRAM(rows) {
  sums(loopUnstaged, 8);
  sums(loopStaged, 48);
  sums(teamUnstaged, 10);
  sums(teamStaged, 16);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
