// On a V100, whose copies go through registers, a launch takes the kernel as it was
// where plain loads find in the first level what an earlier loop has read; where
// that has no room for it, or warps are few and rows are long, it takes the staged
// one. On an A100 copies are asynchronous and pay.
//
// RUN: build() { %sim_cxx -O3 --offload-arch=$1 -mllvm -ferry-stage=off %s -o %t.plain && \
// RUN:   %sim_cxx -O3 --offload-arch=$1 %s -o %t.staged && \
// RUN:   %ferry_sim --gpu $2 --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out && \
// RUN:   %ferry_sim --gpu $2 --strict --quiet --json %t.json -- %t.staged > %t.out && \
// RUN:   diff %t.plain.out %t.out; }; \
// RUN: build sm_70 v100 && %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 5
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DASYNC %s -o %t.async
// RUN: %ferry_sim --gpu a100 --strict --quiet --json %t.async.json -- %t.async
// RUN: FileCheck %s --check-prefix=ASYNC < %t.async.json
// ASYNC-NOT: _unstaged"
#include "Inputs/staged.h"

namespace {
template <typename Body> void forall(int Count, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Loop(I);
}

/// Each row less what its elements are on average.
#define CENTRED(Name)                                                          \
  void Name(const float *A, float *B, int Count, int M) {                      \
    forall(Count, [=](int I) {                                                 \
      float Sum = 0;                                                           \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K];                                                   \
      for (int K = 0; K < M; ++K)                                              \
        B[I * M + K] = A[I * M + K] - Sum / float(M);                          \
    });                                                                        \
  }
CENTRED(twiceUnstaged)
CENTRED(longStaged)
CENTRED(overflowingStaged)

// Few warps, so the staged kernel would find the rows too short for these.
#define PRODUCTS(Name)                                                         \
  void Name(const float *A, float *B, int Count, int M) {                      \
    forall(Count, [=](int I) {                                                 \
      float Sum = 0;                                                           \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K] * B[I * M + K];                                    \
      B[I * M] = Sum;                                                          \
    });                                                                        \
  }
PRODUCTS(fewUnstaged)
PRODUCTS(manyStaged)
} // namespace

template <typename Fn> void rows(Fn Run, int Count, int M) {
  staged::Array<float> A(size_t(Count) * M), B(size_t(Count) * M);
  Run(A.device(), B.device(), Count, M);
  B.read();
}

PROGRAM(walks) {
#ifndef ASYNC
  // First those that have to find the second level as it was.
  rows(twiceUnstaged, 14000, 70);
  rows(fewUnstaged, 14000, 70);
  rows(overflowingStaged, 163840, 16);
  rows(manyStaged, 21000, 48);
#else
  rows(twiceUnstaged, 14000, 70);
#endif
  rows(longStaged, 4000, 150);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
