// Rows are left where tiles would not make a launch faster by prediction: a T4 has two units for
// numbers of 64 bits in each multiprocessor, and is busy with roots however the rows are read.
//
// RUN: %sim_cxx -O2 -g --offload-arch=sm_75 -DREAL=double -c %s -o %t.o -Rpass=ferry-stage -Rpass-missed=ferry-stage 2>&1 | FileCheck %s
// RUN: %sim_cxx -O2 -g --offload-arch=sm_75 -DREAL=float -c %s -o %t.o -Rpass=ferry-stage 2>&1 | FileCheck %s --check-prefix=FLOAT
// RUN: %sim_cxx -O2 -g --offload-arch=sm_80 -DREAL=double -c %s -o %t.o -Rpass=ferry-stage 2>&1 | FileCheck %s --check-prefix=A100
// CHECK-NOT: remark: staged
// CHECK: :[[#@LINE+11]]:{{.*}}not staged: in tiles it would take nearly as long: limited by fp64, then by fp64 [little-gain]
// CHECK-NOT: remark: staged
// FLOAT: predicted for Tesla T4: {{.*}} limited by dram instead of dram
// A100: predicted for NVIDIA A100{{.*}} limited by dram instead of l1

#include <cmath>

void roots(const REAL *A, REAL *Out, int N, int M) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I) {
    REAL Sum = 0;
    for (int K = 0; K < M; ++K)
      Sum += std::sqrt(A[I * M + K]);
    Out[I] = Sum;
  }
}
