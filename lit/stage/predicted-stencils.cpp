// The times and sectors that a stencil's remark predicts, of the kernel as it is and
// in tiles, are those of the simulator.
//
// Of doubles on an A100 memory limits both, so it is left, and on a V100 with both types.
//
// RUN: for of in "a100 float" "h100 double" "h100 float"; do gpu=${of%% *} real=${of##* } && \
// RUN:   arch=$(echo $gpu | sed 's/a100/sm_80/; s/h100/sm_90/') && \
// RUN:   %sim_cxx -O3 --offload-arch=$arch -DREAL=$real -mllvm -ferry-stage=off %s -o %t.plain && \
// RUN:   %sim_cxx -O3 --offload-arch=$arch -DREAL=$real -Rpass=ferry-stage %s -o %t.staged 2> %t.remarks && \
// RUN:   for how in plain staged; do \
// RUN:     %ferry_sim --quiet --gpu $gpu --json %t.$how.json -- %t.$how || exit 1; done && \
// RUN:   %python %S/Inputs/compare_predicted.py %t.remarks %t.plain.json %t.staged.json --gpu %source/tools/sim/gpu/$gpu.json --iterations $((2046 * 2046)) --sectors || exit 1; \
// RUN: done
#include <omp.h>

int main() {
  const int N = 2048;
  auto *Old = static_cast<REAL *>(omp_target_alloc(sizeof(REAL) * N * N, 0));
  auto *New = static_cast<REAL *>(omp_target_alloc(sizeof(REAL) * N * N, 0));
  int M = N;
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(Old, New) firstprivate(M)
  for (int I = 1; I < M - 1; ++I)
    for (int J = 1; J < M - 1; ++J)
      New[I * M + J] = REAL(0.25) * (Old[(I - 1) * M + J] + Old[(I + 1) * M + J] + Old[I * M + J - 1] + Old[I * M + J + 1]) - Old[I * M + J];
}
