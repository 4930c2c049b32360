// What launches of few warps lose by tiles: a unit that the warps of a large block keep
// busy as it is, and for longer with copies; and a loop, not staged, that the threads which
// a branch has led past the rows would do before the others, and the warp twice.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_90 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_90 %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_reports.py %t.plain.json %t.json --kernels 2
#include "Inputs/staged.h"

namespace {
void busyNear(const long *A, const long *B, long *C, int N, int M) {
#pragma omp target teams distribute parallel for thread_limit(512) is_device_ptr(A, B, C)
  for (int I = 0; I < N; ++I) {
    unsigned long Sum = 1;
    for (int K = 0; K < M; ++K) {
      Sum ^= A[I * (M + 3) + K] + Sum / 3;
      Sum ^= B[K] + Sum / 3;
    }
    C[I] = Sum;
  }
}

void thenOtherExact(const float *A, const short *B, float *C, int N, int M, int S) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B, C)
  for (int I = 0; I < N; ++I) {
    float Sum = 0;
    if (I >= 5)
      for (int K = 0; K < M; ++K)
        Sum += A[I * S + K];
    for (int K = 0; K < M; ++K)
      Sum += B[I * S + K];
    C[I] = Sum;
  }
}
} // namespace

PROGRAM(busy) {
  constexpr int N = 4096, M = 150;
  staged::Array<long> A(N * (M + 3)), B(M), C(N);
  busyNear(A.device(), B.device(), C.device(), N, M);
  C.read();
}

PROGRAM(other) {
  constexpr int N = 1024, M = 128, S = 132;
  staged::Array<float> A(N * S), C(N);
  staged::Array<short> B(N * S);
  thenOtherExact(A.device(), B.device(), C.device(), N, M, S);
  C.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
