// Threads of a warp that pass a loop over come to the next one before the others. They
// wait there, so that all have it together: in tiles, or as it was where its rows are
// too short. Else the next one would take its time twice. That where no thread passes one
// over is taken for comparison: rows of the first loop are copied if all threads have one.
//
// RUN: build() { %sim_cxx -O3 --offload-arch=sm_80 -mllvm -ferry-stage=$1 $2 %s -o %t && \
// RUN:   %ferry_sim --gpu a100 --strict --quiet --json %t.$1$2.json -- %t > %t.$1$2.out; }; \
// RUN: for s in off on; do build $s && build $s -DALL || exit 1; done
// RUN: diff %t.off.out %t.on.out && diff %t.off-DALL.out %t.on-DALL.out
// RUN: %python %S/Inputs/compare_builds.py %t.on-DALL.json %t.on.json --of time --most 1.35 --kernels 2
#include "Inputs/staged.h"

namespace {
constexpr int Rows = 64;
#ifdef ALL
constexpr int First = 0;
#else
constexpr int First = 5;
#endif

struct Cell {
  double X, Y, Z, U, V;
};

#define TWO_LOOPS(Name)                                                        \
  void Name(const float *A, const Cell *B, double *C, int N, int M) {          \
    _Pragma("omp target teams distribute parallel for is_device_ptr(A, B, C)") \
    for (int I = 0; I < Rows; ++I) {                                           \
      double Sum = 0;                                                          \
      if (I >= First)                                                          \
        for (int K = 0; K < N; ++K)                                            \
          Sum += A[I * N + K];                                                 \
      for (int K = 0; K < M; ++K) {                                            \
        const Cell &Its = B[I * M + K];                                        \
        Sum = Its.X / (Its.Y * Its.Y + 2) + Sum * Its.Z + Its.U * Its.V;       \
      }                                                                        \
      C[I] = Sum;                                                              \
    }                                                                          \
  }
TWO_LOOPS(bothLong)
TWO_LOOPS(secondShort)
} // namespace

template <typename Fn> void rows(Fn Run, int N, int M) {
  staged::Array<float> A(size_t(Rows) * N);
  staged::Array<double> B(size_t(Rows) * M * 5), C(Rows);
  Run(A.device(), reinterpret_cast<Cell *>(B.device()), C.device(), N, M);
  C.read();
}

PROGRAM(walks) {
  rows(bothLong, 64, 160);
  rows(secondShort, 64, 31);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
