// Why real programs are not taken in tiles is said where they read, and nothing
// of rows, which these are not.
// RUN: %sim_cxx -O3 -g -c -Rpass=ferry-stage -Rpass-missed=ferry-stage %s -o %t.o > %t.remarks 2>&1
// RUN: FileCheck %s < %t.remarks
// RUN: not grep -E 'staged [0-9]|tiles-left.cpp:.*(not-affine|conditional)' %t.remarks

double stencil(const double *A, double *B, int N, int M) {
  double Sum = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : Sum) is_device_ptr(A, B)
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < M - 1; ++J) {
      // CHECK-DAG: left.cpp:[[@LINE+3]]:18: {{.*}} sums up over its iterations [reduction]
      // CHECK-DAG: left.cpp:[[@LINE+2]]:39: {{.*}} [reduction]
      // CHECK-DAG: left.cpp:[[@LINE+1]]:60: {{.*}} [reduction]
      double V = A[(I - 1) * M + J] + A[(I + 1) * M + J] + A[I * M + J - 1];
      B[I * M + J] = V;
      Sum += V * V;
    }
  return Sum;
}

long numbers(const int *A, int N, int M) {
  long Most = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(max : Most) is_device_ptr(A)
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < M - 1; ++J) {
      // CHECK-DAG: left.cpp:[[@LINE+1]]:{{.*}} [reduction]
      long V = A[(I - 1) * M + J] + A[(I + 1) * M + J];
      Most = V > Most ? V : Most;
    }
  return Most;
}

double product(const double *A, const double *B, double *C, int N, int M, int L) {
  double Sum = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : Sum) is_device_ptr(A, B, C)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J) {
      double V = 0;
      for (int K = 0; K < L; ++K)
        // CHECK-DAG: left.cpp:[[@LINE+2]]:14: {{.*}} [reduction]
        // CHECK-DAG: left.cpp:[[@LINE+1]]:29: {{.*}} [reduction]
        V += A[I * L + K] * B[K * M + J];
      C[I * M + J] = V;
      Sum += V;
    }
  return Sum;
}

template <class F> double forall(int N, F Body) {
  double Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
  for (int I = 0; I < N; ++I)
    Sum += Body(I);
  return Sum;
}

double flat(const double *A, double *B, int N, int M) {
  return forall(N * M, [=](int X) {
    int I = X / M, J = X % M;
    if (I < 1 || J < 1 || I >= N - 1 || J >= M - 1)
      return 0.;
    // CHECK-DAG: left.cpp:[[@LINE+1]]:{{.*}} [reduction]
    double V = A[(I - 1) * M + J] + A[(I + 1) * M + J] - 2 * A[I * M + J];
    B[I * M + J] = V;
    return V * V;
  });
}

/// It writes to an array that may be the one whose rows are read next.
void written(double *A, const double *B, double *C, int N, int M) {
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(A, B, C)
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < M - 1; ++J) {
      C[I * M + J] = 1;
      // CHECK-DAG: left.cpp:[[@LINE+1]]:{{.*}} the iteration writes before it reads this [unknown-store]
      A[I * M + J] = B[(I - 1) * M + J] + B[(I + 1) * M + J];
    }
}
