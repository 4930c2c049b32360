// Tiles of launches of few warps take memory of the first level, in which a loop beside
// them finds a line again that it has read a part of. An A100 has not enough for the tiles
// and lines of more than 7 warps on each multiprocessor, even if rows begin in the same
// banks, which an H100 has.
//
// RUN: build() { %sim_cxx -O3 --offload-arch=$1 -Dcrowded=crowded$2 -mllvm -ferry-stage=off %s -o %t.plain && \
// RUN:   %sim_cxx -O3 --offload-arch=$1 -Dcrowded=crowded$2 %s -o %t.staged && \
// RUN:   %ferry_sim --gpu $3 --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out && \
// RUN:   %ferry_sim --gpu $3 --strict --quiet --json %t.json -- %t.staged > %t.out && \
// RUN:   diff %t.plain.out %t.out && \
// RUN:   %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 2; }; \
// RUN: build sm_80 Unstaged a100 && build sm_90 Staged h100
#include "Inputs/staged.h"

namespace {
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define ROWS(Name)                                                             \
  void Name(const double *A, double *Sums, int N, int M) {                     \
    auto *B = reinterpret_cast<const short *>(A);                              \
    PRAGMA(omp target teams distribute parallel for is_device_ptr(A, B, Sums)) \
    for (int I = 0; I < N; ++I) {                                              \
      double Sum = 0;                                                          \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K];                                                   \
      for (int K = 0; K < M; ++K)                                              \
        Sum += B[I * M + K];                                                   \
      Sums[I] = Sum;                                                           \
    }                                                                          \
  }
ROWS(crowded)
ROWS(roomStaged)

void sums(void (*Run)(const double *, double *, int, int), int N) {
  constexpr int M = 80;
  staged::Array<double> A(N * M), Sums(N);
  Run(A.device(), Sums.device(), N, M);
  Sums.read();
}
} // namespace

PROGRAM(both) {
  sums(crowded, 26000);
  sums(roomStaged, 20000);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
