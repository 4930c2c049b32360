// Rows of loops that are not `target teams distribute parallel for` alone: `loop`,
// `parallel for` in teams that share no loop, num_threads, and kernels that one thread of
// a team begins, in which most of the work is a parallel loop. They are staged by default,
// and the launch takes the staged version.
//
// RUN: build() { %sim_cxx -O3 --offload-arch=$1 -mllvm -ferry-stage=$2 %s -o %t.$2; }; \
// RUN: run() { %ferry_sim --strict --quiet --seed $2 --json %t.$1.json -- %t.$1 > %t.$1.out; }; \
// RUN: for arch in sm_70 sm_90; do build $arch off && build $arch on && run off 0 || exit 1; \
// RUN:   for seed in 0 7; do run on $seed && diff %t.off.out %t.on.out && \
// RUN:     %python %S/Inputs/compare_versions.py %t.off.json %t.on.json --kernels 11 && \
// RUN:     %python %S/Inputs/compare_reports.py %t.off.json %t.on.json --kernels 11 || exit 1; done; done
#include "Inputs/staged.h"

namespace {
constexpr int Teams = 12;

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define ROW(First)              \
  {                             \
    double Sum = First;         \
    for (int K = 0; K < M; ++K) \
      Sum += A[I * M + K];      \
    Sums[I] = Sum;              \
  }

/// Teams and their threads share the loop.
#define ALL_ROWS(Name, ...)                                \
  void Name(const double *A, double *Sums, int N, int M) { \
    PRAGMA(omp target __VA_ARGS__ is_device_ptr(A, Sums))  \
    for (int I = 0; I < N; ++I)                            \
      ROW(0)                                               \
  }
ALL_ROWS(teamsLoopFewer, teams loop)
ALL_ROWS(limitedLoopFewer, teams loop thread_limit(64))
ALL_ROWS(parallelLoopFewer, parallel loop)
ALL_ROWS(threadsFewer, teams distribute parallel for num_threads(96))
ALL_ROWS(scheduledFewer, teams distribute parallel for num_threads(64) schedule(static, 1))

void runTimeThreadsFewer(const double *A, double *Sums, int N, int M, int Threads) {
#pragma omp target teams distribute parallel for thread_limit(256) num_threads(Threads) is_device_ptr(A, Sums)
  for (int I = 0; I < N; ++I)
    ROW(0)
}

/// Each team has rows of its own, by its number.
#define ROWS_OF_TEAM(Name, ...)                                      \
  void Name(const double *A, double *Sums, int N, int M) {           \
    PRAGMA(omp target teams num_teams(Teams) is_device_ptr(A, Sums)) \
    PRAGMA(omp __VA_ARGS__)                                          \
    for (int Own = 0; Own < N / Teams; ++Own) {                      \
      const int I = omp_get_team_num() * (N / Teams) + Own;          \
      ROW(0)                                                         \
    }                                                                \
  }
ROWS_OF_TEAM(teamsForFewer, parallel for)
ROWS_OF_TEAM(teamsForThreadsFewer, parallel for num_threads(64))

/// One thread reads and writes before and behind the loop.
void beginsAloneFewer(const double *A, double *Sums, int N, int M) {
#pragma omp target is_device_ptr(A, Sums)
  {
    const double First = Sums[0];
#pragma omp parallel for
    for (int I = 0; I < N; ++I)
      ROW(First)
    Sums[1] += First;
  }
}

void teamsBeginAloneFewer(const double *A, double *Sums, int N, int M) {
#pragma omp target teams num_teams(Teams) is_device_ptr(A, Sums)
  {
    const int Begin = omp_get_team_num() * (N / Teams);
    const double First = Sums[Begin];
#pragma omp parallel for
    for (int I = Begin; I < Begin + N / Teams; ++I)
      ROW(First)
    Sums[Begin] *= 2;
  }
}

/// Two loops, the first of which tells what the second one begins with.
void twoLoopsFewer(const double *A, double *Sums, int N, int M) {
#pragma omp target is_device_ptr(A, Sums)
  {
    double Most = 0;
#pragma omp parallel for reduction(max : Most)
    for (int I = 0; I < N; ++I)
      Most = Sums[I] > Most ? Sums[I] : Most;
#pragma omp parallel for
    for (int I = 0; I < N; ++I)
      ROW(Most)
  }
}

template <typename... Threads, typename Fn>
void sums(Fn Run, Threads... T) {
  constexpr int N = Teams * 128, M = 250;
  staged::Array<double> A(N * M), Sums(N);
  Run(A.device(), Sums.device(), N, M, T...);
  Sums.read();
}
} // namespace

PROGRAM(loop) {
  sums(teamsLoopFewer);
  sums(limitedLoopFewer);
  sums(parallelLoopFewer);
}

PROGRAM(threads) {
  sums(threadsFewer);
  sums(scheduledFewer);
  sums(runTimeThreadsFewer, 96);
}

PROGRAM(ofTeam) {
  sums(teamsForFewer);
  sums(teamsForThreadsFewer);
}

PROGRAM(alone) {
  sums(beginsAloneFewer);
  sums(teamsBeginAloneFewer);
  sums(twoLoopsFewer);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
