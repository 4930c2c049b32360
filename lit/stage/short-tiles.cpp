// A row in small steps beside one in steps of 256 bytes, of which a tile holds
// two: then tiles begin where the rows do, not with a sector.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 1
#include "Inputs/staged.h"

#include <initializer_list>

static void smallAndLargeSteps(const float *A, const float *B, float *Sums,
                               long N, long M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B, Sums)
  for (long I = 0; I < N; ++I) {
    float Sum = 0;
    for (long J = 0; J < M; ++J) {
      Sum += A[I * M + J];
      for (int K = 0; K < 40; ++K)
        Sum += B[(I * M + J) * 64 + K];
    }
    Sums[I] = Sum;
  }
}

PROGRAM(tilesOfAStep) {
  constexpr int N = 77;
  for (int M : {1, 2, 9}) {
    staged::Array<float> A(N * M, 3), B(N * M * 64), Sums(N);
    smallAndLargeSteps(A.device(), B.device(), Sums.device(), N, M);
    Sums.read();
    for (long I = 0; I < N; ++I) {
      float Sum = 0;
      for (long J = 0; J < M; ++J) {
        Sum += A.host()[I * M + J];
        for (int K = 0; K < 40; ++K)
          Sum += B.host()[(I * M + J) * 64 + K];
      }
      check::value("Sums", Sums.host()[I], Sum, I);
    }
  }
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
