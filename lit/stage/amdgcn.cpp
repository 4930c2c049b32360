// What Clang makes of kernels for AMD GPUs, with the device runtime linked in:
// it is staged as for other GPUs, and code can be made of it.
// REQUIRES: amdgpu-registered-target
//
// Wavefronts of 64 threads.
// RUN: %amdgcn -march=gfx90a -g %s -o %t.ll
// RUN: %link_amdgcn %t.ll %devicertl-gfx90a.bc -o %t.bc
// RUN: %opt -S -O3 -verify-each -pass-remarks=ferry -pass-remarks-missed=ferry %t.bc -o %t.ll 2> %t.remarks
// RUN: FileCheck %s --check-prefixes=REMARK,WAVE64 --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: for o in 0 2; do llc -O$o -filetype=null %t.ll || exit 1; done
//
// Wavefronts of 32 threads.
// RUN: %amdgcn -march=gfx1030 -g %s -o %t.ll
// RUN: %link_amdgcn %t.ll %devicertl-gfx1030.bc -o %t.bc
// RUN: %opt -S -O3 -pass-remarks=ferry -pass-remarks-missed=ferry %t.bc -o %t.ll 2> %t.remarks
// RUN: FileCheck %s --check-prefixes=REMARK,WAVE32 --input-file=%t.remarks
// RUN: for o in 0 2; do llc -O$o -filetype=null %t.ll || exit 1; done
//
// Wavefronts of 64 threads that do not reach each other.
// RUN: %amdgcn -march=gfx1030 -Xopenmp-target -mwavefrontsize64 -g %s -o %t.ll
// RUN: %link_amdgcn %t.ll %devicertl-gfx1030.bc -o %t.bc
// RUN: %opt -O3 -disable-output -pass-remarks=ferry -pass-remarks-missed=ferry %t.bc 2> %t.remarks
// RUN: FileCheck %s --check-prefix=APART --input-file=%t.remarks
// APART-NOT:     staged {{[0-9]+}} load
// APART-COUNT-7: not staged: {{.*}} [unsupported-target]
//
// There are no asynchronous copies, and no instructions of other GPUs.
// CHECK-NOT: nvvm
// CHECK-NOT: __ferry_stage_

// CHECK-LABEL: define {{.*}}amdgpu_kernel void @{{.*}}rows
// CHECK:         call void @llvm.amdgcn.wave.barrier()
// CHECK:         load double, ptr addrspace(3)
void rows(int N, const double *A, double *S) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < N; ++K)
      // WAVE64: amdgcn.cpp:[[@LINE+2]]:{{.*}} staged 1 load {{.*}} 16.0 instead of 64.0
      // WAVE32: amdgcn.cpp:[[@LINE+1]]:{{.*}} staged 1 load {{.*}} 8.0 instead of 32.0
      Sum += A[I * N + K];
    S[I] = Sum;
  }
}

// Beside a row, what all threads have in common; the step is known at run time.
void steps(int N, int Step, const float *A, const float *X, double *S) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < N; ++K)
      // REMARK: amdgcn.cpp:[[@LINE+1]]:{{.*}} staged 2 loads
      Sum += A[I * N + K * Step] * X[K];
    S[I] = Sum;
  }
}

// CHECK-LABEL: define {{.*}}amdgpu_kernel void @{{.*}}records
// CHECK-NOT:     addrspace(3)
// CHECK:       ret void
struct Particle {
  double X, Y, Z, VX, VY, VZ, Mass;
};
void records(int N, const Particle *P, double *Energy) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    // REMARK: amdgcn.cpp:[[@LINE+1]]:{{.*}} not staged: {{.*}} [cached-record]
    Energy[I] = P[I].Mass / 2 *
                (P[I].VX * P[I].VX + P[I].VY * P[I].VY + P[I].VZ * P[I].VZ);
}

// CHECK-LABEL: define {{.*}}amdgpu_kernel void @{{.*}}product
// CHECK:         br i1 %{{.*}}, label %ferry.tiles
// CHECK:         store double %{{.*}}, ptr addrspace(3)
// CHECK:         call void @llvm.amdgcn.s.barrier()
void product(int N, const double *A, const double *B, double *C) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        // REMARK: amdgcn.cpp:[[@LINE+1]]:{{.*}} staged 2 loads {{.*}} for tiles of up to 128 x 32 iterations
        Sum += A[I * N + K] * B[K * N + J];
      C[I * N + J] = Sum;
    }
}

// An address that comes out of memory might lead to memory of the thread.
// CHECK-LABEL: define {{.*}}amdgpu_kernel void @{{.*}}table
// CHECK-NOT:     addrspace(3)
// CHECK:       ret void
void table(int N, const double *const *A, double *S) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < N; ++K)
      // REMARK: amdgcn.cpp:[[@LINE+1]]:{{.*}} not staged: {{.*}} [not-global]
      Sum += A[I][K];
    S[I] = Sum;
  }
}

// CHECK-LABEL: define {{.*}}amdgpu_kernel void @{{.*}}columns
// CHECK-NOT:     addrspace(3)
// CHECK:       ret void
void columns(int N, const double *A, double *S) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < N; ++K)
      Sum += A[K * N + I];
    S[I] = Sum;
  }
}

// All threads of a block agree, through shared memory, on whether a tile is
// one whose iterations all read.
// CHECK-LABEL: define {{.*}}amdgpu_kernel void @{{.*}}heat
// CHECK:         store i32 1, ptr addrspace(3) @[[ALL:[^,]+]]
// CHECK:         call void @llvm.amdgcn.s.barrier()
// CHECK:         store i32 0, ptr addrspace(3) @[[ALL]]
// CHECK:         call void @llvm.amdgcn.s.barrier()
// CHECK:         load i32, ptr addrspace(3) @[[ALL]]
// CHECK:         store double %{{.*}}, ptr addrspace(3)
void heat(int N, const double *From, double *To) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      if (I > 0 && J > 0 && I + 1 < N && J + 1 < N)
        // REMARK: amdgcn.cpp:[[@LINE+1]]:{{.*}} staged 4 loads {{.*}} for tiles of up to 32 x 64 iterations
        To[I * N + J] = From[I * N + J - 1] + From[I * N + J + 1] +
                        From[(I - 1) * N + J] + From[(I + 1) * N + J];
}
