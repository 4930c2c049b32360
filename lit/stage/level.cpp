// At -O2 LLVM unrolls a loop over a row half as far as at -O3, and ptxas four times more:
// it waits less, so that in launches of few warps rows of 128 are left as they are, unless
// they begin in the same banks. On a V100 they are at either level: copies through
// registers gain little but conflicts of banks.
//
// RUN: build() { %sim_cxx -O$1 --offload-arch=$2 -Dlevel=level$3 -mllvm -ferry-stage=off %s -o %t.plain && \
// RUN:   %sim_cxx -O$1 --offload-arch=$2 -Dlevel=level$3 %s -o %t.staged && \
// RUN:   %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out && \
// RUN:   %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out && \
// RUN:   diff %t.plain.out %t.out && \
// RUN:   %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 2; }; \
// RUN: build 2 sm_70 Unstaged && build 3 sm_70 Unstaged && build 2 sm_90 Unstaged && build 3 sm_90 Staged
#include "Inputs/staged.h"

namespace {
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define ROWS(Name)                                                             \
  void Name(const float *A, float *Sums, int N, int M, int Pitch) {            \
    PRAGMA(omp target teams distribute parallel for thread_limit(96) is_device_ptr(A, Sums)) \
    for (int I = 0; I < N; ++I) {                                              \
      double Sum = 0;                                                          \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * Pitch + K] * 0.3;                                         \
      Sums[I] = Sum;                                                           \
    }                                                                          \
  }
ROWS(level)
ROWS(inBanksStaged)

void sums(void (*Run)(const float *, float *, int, int, int), int Pitch) {
  constexpr int N = 3840;
  staged::Array<float> A(N * Pitch), Sums(N);
  Run(A.device(), Sums.device(), N, 128, Pitch);
  Sums.read();
}
} // namespace

PROGRAM(both) {
  sums(level, 132);
  sums(inBanksStaged, 128);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
