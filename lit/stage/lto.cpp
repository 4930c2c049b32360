// Link-time optimisation of device code: kernels are staged once, when the
// program is linked, with the options that their own file was compiled with.
//
// RUN: build() { %sim_cxx -O3 -foffload-lto -Rpass=ferry-stage $1 -c %s -o %t.main.o && \
// RUN:   %sim_cxx -O3 -foffload-lto -Rpass=ferry-stage -mllvm -ferry-stage=off -DOTHER -c %s -o %t.other.o; }; \
// RUN: link() { %sim_cxx -O3 -foffload-lto -Rpass=ferry-stage %t.main.o %t.other.o -o $1; }; \
// RUN: (build "-mllvm -ferry-stage=off" && link %t.plain) > %t.off.remarks 2>&1 && \
// RUN: build > %t.compile.remarks 2>&1 && link %t.staged > %t.remarks 2>&1
// RUN: not grep remark: %t.off.remarks %t.compile.remarks
// RUN: FileCheck %s --input-file=%t.remarks --implicit-check-not=remark:
// RUN: %run_plain_and_staged --kernels 7
//
// Clang's own link takes one argument more.
// RUN: env FERRY_SIM=1 %clangxx_plain -O3 -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda --cuda-path=%files/cuda -foffload-lto -Rpass=ferry-stage %t.main.o %t.other.o -o %t \
// RUN:   -Wl,--offload-opt=-load-pass-plugin=%passes_module 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --implicit-check-not=remark:

#include "Inputs/staged.h"

#include <initializer_list>

constexpr int N = 333;

#pragma omp begin declare target
double sumOfRow(const double *Row, int M);
#pragma omp end declare target
void compiledWithoutSame(const double *A, double *B, int M);

#ifdef OTHER

#pragma omp begin declare target
double sumOfRow(const double *Row, int M) {
  double Sum = 0;
  for (int J = 0; J < M; ++J)
    // This file's own loops are unrolled when it is compiled.
    // CHECK-DAG: remark: {{.*}}lto.cpp:[[#@LINE+2]]:{{.*}} staged 8 loads
    // CHECK-DAG: remark: {{.*}}lto.cpp:[[#@LINE+1]]:{{.*}} staged 1 load
    Sum += Row[J];
  return Sum;
}
#pragma omp end declare target

void compiledWithoutSame(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[I * M + J];
    B[I] = Sum;
  }
}

#else

namespace {
void rowsFewer(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      // CHECK-DAG: remark: {{.*}}lto.cpp:[[#@LINE+1]]:{{.*}} staged 1 load
      Sum += A[I * M + J];
    B[I] = Sum;
  }
}

void inOtherFileFewer(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I)
    B[I] = sumOfRow(A + I * M, M);
}

void recordsSame(const double *A, double *B, int) {
  struct Record {
    double X, Y, Z, Mass, Energy;
  };
  auto *R = reinterpret_cast<const Record *>(A);
#pragma omp target teams distribute parallel for is_device_ptr(R, B)
  for (int I = 0; I < N; ++I)
    B[I] = R[I].X + R[I].Y * R[I].Energy;
}

void columnsSame(const double *A, double *B, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[J * N + I];
    B[I] = Sum;
  }
}

/// Of 96 x 64: before the link the loop's variable is widened.
void fixedTiledFewer(const double *A, double *C) {
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(A, C)
  for (int I = 0; I < 96; ++I)
    for (int J = 0; J < 64; ++J) {
      double Sum = 0;
      for (int K = 0; K < 250; ++K)
        // CHECK-DAG: remark: {{.*}}lto.cpp:[[#@LINE+1]]:{{.*}} staged 2 loads {{.*}} for tiles
        Sum += A[I * 250 + K] * A[K * 64 + J];
      C[I * 64 + J] = Sum;
    }
}

/// Before the link this loop would be vectorized.
void shortsTiledFewer(const short *A, short *C, int L, int M, int K) {
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(A, C)
  for (int I = 0; I < L; ++I)
    for (int J = 0; J < M; ++J) {
      short Sum = 0;
      for (int Step = 0; Step < K; ++Step)
        // CHECK-DAG: remark: {{.*}}lto.cpp:[[#@LINE+1]]:{{.*}} staged 2 loads {{.*}} for tiles
        Sum += A[I * K + Step] * A[Step * M + J];
      C[I * M + J] = Sum;
    }
}
} // namespace

PROGRAM(linkTime) {
  constexpr int M = 100;
  staged::Array<double> A(N * M), B(N);
  for (auto *Run : {rowsFewer, inOtherFileFewer, recordsSame, columnsSame,
                    compiledWithoutSame}) {
    Run(A.device(), B.device(), M);
    B.read();
  }
  staged::Array<double> C(96 * 64);
  fixedTiledFewer(A.device(), C.device());
  C.read();
  constexpr int Side = 512; // in fewer iterations tiles would not pay
  staged::Array<short> D(Side * Side), E(Side * Side);
  shortsTiledFewer(D.device(), E.device(), Side, Side - 1, Side - 2);
  E.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }

#endif
