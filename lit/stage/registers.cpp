// Addresses of a tile's words are made when they are needed. Computed before
// the loop over tiles, as loop-invariant code motion would, they take some
// hundred registers more, from the kernel's first instruction to its last. What
// waits for memory takes 32 of them at most.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_80 %s -o %t.80
// RUN: %ferry_sim --strict --quiet --json %t.80.json -- %t.80
// RUN: %sim_cxx -O3 --offload-arch=sm_70 %s -o %t.70
// RUN: %ferry_sim --strict --quiet --json %t.70.json -- %t.70
// RUN: %python -c "import json, sys; print([json.load(open(f))['kernels'][0]['registers'] for f in sys.argv[1:]])" %t.80.json %t.70.json | FileCheck %s
//
// Both below 140.
// CHECK: [{{[0-9]?[0-9]|1[0-3][0-9]}}, {{[0-9]?[0-9]|1[0-3][0-9]}}]
#include <vector>

int main() {
  constexpr int N = 200;
  std::vector<double> Matrix(N * N, 1), Sums(N);
  double *A = Matrix.data(), *S = Sums.data();
#pragma omp target teams distribute parallel for map(to : A[0 : N * N]) map(from : S[0 : N])
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < N; ++K)
      Sum += A[I * N + K];
    S[I] = Sum;
  }
  for (double Sum : Sums)
    if (Sum != N)
      return 1;
  return 0;
}
