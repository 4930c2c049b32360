// The times and sectors that the remark of a walk predicts, of the kernel as it is and
// in walks, are those of the simulator.
//
// RUN: for of in "v100 double" "v100 float" "a100 double" "a100 float" "h100 double" "h100 float"; do gpu=${of%% *} real=${of##* } && \
// RUN:   arch=$(echo $gpu | sed 's/v100/sm_70/; s/a100/sm_80/; s/h100/sm_90/') && \
// RUN:   %sim_cxx -O3 --offload-arch=$arch -DREAL=$real -mllvm -ferry-stage=off %s -o %t.plain && \
// RUN:   %sim_cxx -O3 --offload-arch=$arch -DREAL=$real -Rpass=ferry-stage %s -o %t.staged 2> %t.remarks && \
// RUN:   for how in plain staged; do \
// RUN:     %ferry_sim --quiet --gpu $gpu --json %t.$how.json -- %t.$how || exit 1; done && \
// RUN:   %python %S/Inputs/compare_predicted.py %t.remarks %t.plain.json %t.staged.json --gpu %source/tools/sim/gpu/$gpu.json --iterations $((64 * 256 * 256)) --sectors || exit 1; \
// RUN: done
#include <omp.h>

int main() {
  const int Planes = 66, N = 258;
  auto *Old = static_cast<REAL *>(omp_target_alloc(sizeof(REAL) * Planes * N * N, 0));
  auto *New = static_cast<REAL *>(omp_target_alloc(sizeof(REAL) * Planes * N * N, 0));
  int L = Planes, M = N;
#pragma omp target teams distribute parallel for collapse(3) is_device_ptr(Old, New) firstprivate(L, M)
  for (int P = 1; P < L - 1; ++P)
    for (int I = 1; I < M - 1; ++I)
      for (int J = 1; J < M - 1; ++J) {
        auto O = [&](int Q, int R, int C) { return Old[((P + Q) * M + I + R) * M + J + C]; };
        New[(P * M + I) * M + J] = REAL(0.25) * (O(-1, 0, 0) + O(1, 0, 0) + O(0, -1, 0) + O(0, 1, 0) + O(0, 0, -1) + O(0, 0, 1)) - O(0, 0, 0);
      }
}
