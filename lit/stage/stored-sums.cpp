// A product whose sums are kept in memory waits for its own stores: launches take
// it in tiles from two panels of steps on, and launches of many warps from as many
// as make up for what tiles take beside them.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_80 %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 4
#include "Inputs/staged.h"

#define PRODUCT(Name)                                                          \
  void Name(const float *A, const float *B, float *C, int N, int L) {          \
    _Pragma("omp target teams distribute parallel for collapse(2) is_device_ptr(A, B, C)") \
    for (int I = 0; I < N; ++I)                                                \
      for (int J = 0; J < N; ++J) {                                            \
        C[I * N + J] = 0;                                                      \
        for (int K = 0; K < L; ++K)                                            \
          C[I * N + J] += A[I * L + K] * B[K * N + J];                         \
      }                                                                        \
  }

namespace {
PRODUCT(fewUnstaged)
PRODUCT(fewStaged)
PRODUCT(manyUnstaged)
PRODUCT(manyStaged)

template <typename Fn> void product(Fn Run, int N, int L) {
  staged::Array<float> A(N * L), B(L * N), C(N * N);
  Run(A.device(), B.device(), C.device(), N, L);
  C.read();
}
} // namespace

PROGRAM(products) {
  product(fewUnstaged, 130, 31);
  product(fewStaged, 130, 32);
  product(manyUnstaged, 500, 33);
  product(manyStaged, 500, 64);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
