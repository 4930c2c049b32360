// With -foffload-lto=thin the device runtime is never linked into a file's
// device code, so nothing is staged, and that is said. Where the link has
// everything, it stages, and the compilation says nothing.
//
// RUN: compile() { %ferry_clangxx -O3 -fopenmp --offload-arch=sm_80 --cuda-path=%files/cuda \
// RUN:   -Rpass=ferry-stage -Rpass-missed=ferry-stage --offload-device-only -S -emit-llvm %s -o %t.ll $1 2>&1; }; \
// RUN: compile -foffload-lto=thin | FileCheck %s --implicit-check-not=remark: && \
// RUN: compile -foffload-lto | not grep remark:
// CHECK: remark: {{.*}}not staged: {{.*}} [no-device-runtime]

void sums(const double *A, double *B, int N, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[I * M + J];
    B[I] = Sum;
  }
}
