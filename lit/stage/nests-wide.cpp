// LLVM unrolls the loop of a product whose indices have 64 bits twice as far as with 32:
// it waits half as often, and a warp that is alone, or has few beside it, is as fast as in
// tiles. They pay where a launch has many.
//
// RUN: build() { %sim_cxx -O3 --offload-arch=$1 -D$1 -mllvm -ferry-stage=off %s -o %t.plain && \
// RUN:   %sim_cxx -O3 --offload-arch=$1 -D$1 %s -o %t.staged && \
// RUN:   %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out && \
// RUN:   %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out && \
// RUN:   diff %t.plain.out %t.out && \
// RUN:   %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 5; }; \
// RUN: for arch in sm_70 sm_80 sm_90; do build $arch || exit 1; done
#include "Inputs/staged.h"

namespace {
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define PRODUCT(Name, Type, Index)                                                            \
  void Name(const Type *A, const Type *B, Type *C, Index N, Index M, Index Depth) {           \
    PRAGMA(omp target teams distribute parallel for collapse(2) is_device_ptr(A, B, C))       \
    for (Index I = 0; I < N; ++I)                                                             \
      for (Index J = 0; J < M; ++J) {                                                         \
        Type Sum = 0;                                                                         \
        for (Index K = 0; K < Depth; ++K)                                                     \
          Sum += A[I * Depth + K] * B[K * M + J];                                             \
        C[I * M + J] = Sum;                                                                   \
      }                                                                                       \
  }
PRODUCT(shallowUnstaged, double, long)
PRODUCT(fewUnstaged, float, long)
// Without asynchronous copies plain steps wait longer.
#ifdef sm_70
#define justMany justManyStaged
#else
#define justMany justManyUnstaged
#endif
PRODUCT(justMany, float, long)
PRODUCT(manyStaged, float, long)
PRODUCT(narrowStaged, double, int)

template <typename T, typename Fn> void product(Fn Run, int N, int Depth) {
  staged::Array<T> A(size_t(N) * Depth), B(size_t(N) * Depth), C(size_t(N) * N);
  Run(A.device(), B.device(), C.device(), N, N, Depth);
  C.read();
}
} // namespace

PROGRAM(products) {
  product<double>(shallowUnstaged, 64, 32);
  product<float>(fewUnstaged, 64, 64);
  product<float>(justMany, 256, 256);
  product<float>(manyStaged, 640, 128);
  product<double>(narrowStaged, 128, 256);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
