// Each block has a part of all iterations. A launch in which that is a few rows, as
// far as it can tell how many blocks there are, takes the kernel as it is without
// staging.
//
// RUN: for how in -DNOTHING -foffload-lto; do \
// RUN:   %sim_cxx -O3 $how -mllvm -ferry-stage=off %s -o %t.plain && \
// RUN:   %sim_cxx -O3 $how %s -o %t.staged && \
// RUN:   %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out && \
// RUN:   %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out && \
// RUN:   diff %t.plain.out %t.out && \
// RUN:   %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 3 || exit 1; done
//
// Where launches do not choose, a warp with a few rows does them as they were.
// RUN: %sim_cxx -O3 -mllvm -ferry-map=false -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 -mllvm -ferry-map=false %s -o %t.staged
// RUN: %run_plain_and_staged --kernels 3
// RUN: not grep -q _unstaged %t.json
#include "Inputs/staged.h"

namespace {
constexpr int M = 100;

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define SUMS(Name, ...)                                                        \
  void Name(const double *A, double *Sums, int N) {                            \
    PRAGMA(omp target teams thread_limit(64) is_device_ptr(A, Sums) __VA_ARGS__) \
    {                                                                          \
      int First = 0;                                                           \
      _Pragma("omp distribute parallel for")                                   \
      for (int I = First; I < N; ++I) {                                        \
        double Sum = 0;                                                        \
        for (int K = 0; K < M; ++K)                                            \
          Sum += A[I * M + K];                                                 \
        Sums[I] = Sum;                                                         \
      }                                                                        \
    }                                                                          \
  }
SUMS(someUnstagedSame, )
SUMS(manyStaged, )
SUMS(blocksStaged, num_teams(50))

template <typename Fn> void sums(Fn Run, int N) {
  staged::Array<double> A(N * M), Sums(N);
  Run(A.device(), Sums.device(), N);
  Sums.read();
}
} // namespace

PROGRAM(parts) {
  sums(someUnstagedSame, 16000);
  sums(manyStaged, 70000);
  sums(blocksStaged, 2000);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
