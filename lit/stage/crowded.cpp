// Tiles take shared memory, so that a multiprocessor has room for fewer blocks, and
// less of its first level is left for rows that are read as they are. So a launch of
// few warps that has more blocks than that takes a kernel of several loops as it was.
//
// RUN: build() { %sim_cxx -O3 --offload-arch=sm_80 -mllvm -ferry-stage=$1 %s -o %t.$1 && \
// RUN:   %ferry_sim --gpu a100 --strict --quiet --json %t.$1.json -- %t.$1 > %t.$1.out; }; \
// RUN: build off && build on && diff %t.off.out %t.on.out
// RUN: %python %S/Inputs/compare_versions.py %t.off.json %t.on.json --kernels 3
#include "Inputs/staged.h"

namespace {
#define PRODUCTS(Name)                                                         \
  void Name(const double *A, double *B, int Count, int M, int) {               \
    _Pragma("omp target teams distribute parallel for is_device_ptr(A, B)")    \
    for (int I = 0; I < Count; ++I) {                                          \
      double Sum = 0;                                                          \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K] * B[I * M + K];                                    \
      B[I * M] = Sum;                                                          \
    }                                                                          \
  }
PRODUCTS(oneStaged)

#define TWO_LOOPS(Name)                                                        \
  void Name(const double *A, double *B, int Count, int M, int N) {             \
    _Pragma("omp target teams distribute parallel for is_device_ptr(A, B)")    \
    for (int I = 0; I < Count; ++I) {                                          \
      double Sum = 0;                                                          \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K] * B[I * M + K];                                    \
      for (int K = 0; K < N; ++K)                                              \
        Sum += A[(Count - 1 - I) * N + K] / 3;                                 \
      B[I * M] = Sum;                                                          \
    }                                                                          \
  }
TWO_LOOPS(fitStaged)
TWO_LOOPS(crowdedUnstaged)
} // namespace

template <typename Fn> void rows(Fn Run, int Count, int M, int N = 0) {
  const size_t Most = size_t(Count) * (M > N ? M : N);
  staged::Array<double> A(Most), B(Most);
  Run(A.device(), B.device(), Count, M, N);
  B.read();
}

PROGRAM(walks) {
  // First, so that it finds the second level as it was.
  rows(crowdedUnstaged, 20000, 120, 24);
  rows(oneStaged, 20000, 64);
  rows(fitStaged, 4000, 120, 24);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
