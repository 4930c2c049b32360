// The times that a remark promises for a product are those that the simulator
// finds in a launch that fills the GPU, as it is and in tiles: within 25 %. Such a
// remark says nothing of sectors.
//
// RUN: for gpu in v100 a100 h100; do for real in double float; do \
// RUN:   arch=$(echo $gpu | sed 's/v100/sm_70/; s/a100/sm_80/; s/h100/sm_90/') && \
// RUN:   %sim_cxx -O3 --offload-arch=$arch -DREAL=$real -mllvm -ferry-stage=off %s -o %t.plain && \
// RUN:   %sim_cxx -O3 --offload-arch=$arch -DREAL=$real -Rpass=ferry-stage %s -o %t.staged 2> %t.remarks && \
// RUN:   for how in plain staged; do \
// RUN:     %ferry_sim --quiet --sample-blocks 200 --gpu $gpu --json %t.$how.json -- %t.$how || exit 1; done && \
// RUN:   %python %S/Inputs/compare_predicted.py %t.remarks %t.plain.json %t.staged.json --gpu %source/tools/sim/gpu/$gpu.json --iterations $((2048 * 2048 * 512)) || exit 1; \
// RUN: done; done
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
