// The rows of a warp's threads that are next to each other are copied together, wherever
// the first of them is: a loop over the interior of a grid leaves the first thread of the
// first warp without a row, and would wait for that warp. That where every thread has one
// is taken for comparison; without asynchronous copies a warp that lacks rows takes longer.
//
// RUN: build() { %sim_cxx -O3 --offload-arch=$1 -mllvm -ferry-stage=$2 $3 %s -o %t && \
// RUN:   %ferry_sim --strict --quiet --json %t.$1$2$3.json -- %t > %t.$1$2$3.out; }; \
// RUN: for a in sm_70 sm_90; do \
// RUN:   build $a off && build $a on && build $a on -DALL && diff %t.${a}off.out %t.${a}on.out && \
// RUN:   %python %S/Inputs/compare_reports.py %t.${a}off.json %t.${a}on.json --kernels 2 || exit 1; done
// RUN: %python %S/Inputs/compare_builds.py %t.sm_90on-DALL.json %t.sm_90on.json --of time --most 1.2 --kernels 2
// RUN: %python %S/Inputs/compare_builds.py %t.sm_70on-DALL.json %t.sm_70on.json --of time --most 1.4 --kernels 2
#include "Inputs/staged.h"

namespace {
constexpr int N = 1024, M = 160;
#ifdef ALL
constexpr int First = 0, End = N;
#else
constexpr int First = 2, End = N - 1;
#endif

void interiorFewer(const float *A, float *B) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    float Sum = 0;
    if (I >= First && I < End)
      for (int K = 0; K < M; ++K)
        Sum += A[I * M + K];
    B[I] = Sum;
  }
}

// The first warp has one row, of its last thread.
void lastOfWarpFewer(const float *A, float *B) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    float Sum = 0;
    if (I >= First * 31 / 2)
      for (int K = 0; K < M; ++K)
        Sum += A[I * M + K] * 2;
    B[I] = Sum;
  }
}

template <typename Fn> void rows(Fn Run, int First, int End, int Factor) {
  staged::Array<float> A(N * M), B(N);
  Run(A.device(), B.device());
  B.read();
  for (int I = 0; I < N; ++I) {
    float Sum = 0;
    for (int K = 0; K < M && I >= First && I < End; ++K)
      Sum += A.host()[I * M + K] * Factor;
    check::value("B", B.host()[I], Sum, I);
  }
}
} // namespace

PROGRAM(interior) { rows(interiorFewer, First, End, 1); }
PROGRAM(last) { rows(lastOfWarpFewer, First * 31 / 2, N, 2); }

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
