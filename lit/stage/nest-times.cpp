// The times that a remark promises for a product are those that the simulator
// finds in a launch that fills the GPU, as it is and in tiles: within 25 %.
//
// RUN: %python %S/Inputs/nest_times.py %source/tools/sim/gpu %t 2048*2048*512 \
// RUN:   '%sim_cxx -O3 %s' '%ferry_sim --quiet --sample-blocks 200' > %t.times
// RUN: count 8 < %t.times
#include <vector>

int main(int Count, char **) {
  const int N = 2047 + Count, L = 511 + Count;
  std::vector<REAL> A(N * L, 1), B(L * N, 2), C(N * N);
  REAL *X = A.data(), *Y = B.data(), *Z = C.data();
#pragma omp target teams distribute parallel for collapse(2) map(to : X[0 : N * L], Y[0 : L * N]) map(from : Z[0 : N * N])
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      REAL Sum = 0;
      for (int K = 0; K < L; ++K)
        Sum += X[I * L + K] * Y[K * N + J];
      Z[I * N + J] = Sum;
    }
}
