// A refusal is said where that is which is in the way, and names it.
// RUN: %sim_cxx -O3 -g -c -Rpass-missed=ferry-stage %s -o %t.o 2>&1 | FileCheck %s

#pragma omp begin declare target
void elsewhere(double);
#pragma omp end declare target

void calls(const double *A, double *B, int N, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < M; ++K)
      Sum += A[I * M + K];
    // CHECK-DAG: located.cpp:[[@LINE+1]]:{{.*}} called around the loop: elsewhere(double) [unknown-call]
    elsewhere(Sum);
    B[I] = Sum;
  }
}

void updates(const double *A, double *B, int N, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < M; ++K)
      Sum += A[I * M + K];
    // CHECK-DAG: located.cpp:[[@LINE+2]]:{{.*}} [synchronizes]
#pragma omp atomic seq_cst
    B[0] += Sum;
  }
}

void ends(const double *A, double *B, int N, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < M; ++K) {
      // CHECK-DAG: located.cpp:[[@LINE+1]]:{{.*}} [loop-shape]
      if (A[I * M + K] < 0)
        break;
      Sum += A[I * M + K];
    }
    B[I] = Sum;
  }
}

void scatters(const double *A, double **B, int N, int M) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B)
  for (int I = 0; I < N; ++I)
    for (int K = 0; K < M; ++K)
      // CHECK-DAG: located.cpp:[[@LINE+1]]:{{.*}} [unknown-store]
      *B[K] = A[I * M + K];
}

void clears(const double *A, const double *B, double *C, int N) {
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(A, B, C)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      // CHECK-DAG: located.cpp:[[@LINE+1]]:{{.*}}: a write before the innermost loop [nest-shape]
      C[0] = 1;
      for (int K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[K * N + J];
      C[I * N + J] = Sum;
    }
}

void shares(const double *A, const double *B, double *C, int N) {
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(A, B, C)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        // CHECK-DAG: located.cpp:[[@LINE+1]]:{{.*}}: no operand that the iterations of a column share [no-reuse]
        Sum += A[I * N + K] * B[K + I];
      C[I * N + J] = Sum;
    }
}
