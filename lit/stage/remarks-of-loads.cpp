// A load that is left has one reason, and a true one: nothing is said of rows
// where none is walked along.
// RUN: %sim_cxx -O3 -g -c --offload-arch=sm_80 -Rpass=ferry-stage -Rpass-missed=ferry-stage %s -o %t.o > %t.remarks 2>&1
// RUN: FileCheck %s < %t.remarks
// RUN: not grep -E 'remark: staged|not-affine|unknown-store' %t.remarks
// RUN: grep -c 'loads.cpp.*cached-record' %t.remarks | grep -x 2
// RUN: grep -o 'loads.cpp:[0-9]*:[0-9]*: remark' %t.remarks | sort | uniq -d | count 0

#define THREADS target teams distribute parallel for

/// In place, with further arrays.
void inPlace(double *A, const double *W, const double *X, int N, int M) {
#pragma omp THREADS collapse(2) is_device_ptr(A, W, X)
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < M - 1; ++J) {
      // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [little-gain]
      A[I * M + J] = A[(I - 1) * M + J] +
                     // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [little-gain]
                     A[(I + 1) * M + J] +
                     // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [already-coalesced]
                     W[I * M + J] +
                     // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [already-coalesced]
                     X[I * M + J];
    }
}

/// Another array is updated, and there is a sum.
double reduced(const double *A, double *B, const double *W, int N, int M) {
  double Sum = 0;
#pragma omp THREADS collapse(2) reduction(+ : Sum) is_device_ptr(A, B, W)
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < M - 1; ++J) {
      // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [reduction]
      double V = A[(I - 1) * M + J];
      // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [reduction]
      V += A[(I + 1) * M + J];
      // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [already-coalesced]
      V *= W[I * M + J];
      // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [already-coalesced]
      B[I * M + J] += V;
      Sum += V;
    }
  return Sum;
}

/// Which of them is read, is known when something is read.
void chosen(const double *A, const int *Is, double *B, int N, int M) {
#pragma omp THREADS collapse(2) is_device_ptr(A, Is, B)
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < M - 1; ++J)
      // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [already-coalesced]
      if (Is[I * M + J])
        // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}}: whether it is read is known only in the iteration [conditional]
        B[I * M + J] = A[(I - 1) * M + J] *
                       // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [conditional]
                       A[(I + 1) * M + J];
}

/// What is read of other planes, nothing at the same place, and what of its own.
void planes(const double *A, double *B, const double *W, int N, int M, int L) {
#pragma omp THREADS collapse(3) is_device_ptr(A, B, W)
  for (int P = 1; P < N - 1; ++P)
    for (int I = 1; I < M - 1; ++I)
      for (int J = 1; J < L - 1; ++J)
        // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [already-coalesced]
        B[(P * M + I) * L + J] = A[((P - 1) * M + I) * L + J] +
                                 // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [already-coalesced]
                                 A[((P + 1) * M + I) * L + J + 1] +
                                 // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [little-gain]
                                 A[(P * M + I - 1) * L + J] +
                                 // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [little-gain]
                                 A[(P * M + I + 1) * L + J] +
                                 // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [already-coalesced]
                                 W[(P * M + I) * L + J];
}

/// Nothing in an iteration writes what it reads, whatever the loop's step is.
void inARow(double *A, const double *W, int N) {
#pragma omp THREADS is_device_ptr(A, W)
  for (int I = 1; I < N - 1; ++I)
    // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [already-coalesced]
    A[I] = A[I - 1] +
           // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [already-coalesced]
           A[I + 1] +
           // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [already-coalesced]
           W[I];
}

struct Record {
  double A, B, C, D;
};

/// Of a record it is said where it is read first.
void records(const Record *R, double *Out, int N, int M) {
#pragma omp THREADS collapse(2) is_device_ptr(R, Out)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [cached-record]
      Out[I * M + J] = R[I * M + J].A +
                       R[I * M + J].B * R[I * M + J].D;
}

/// Records around the own one: neighbours do not share them.
void around(const Record *R, double *Out, int N, int M) {
#pragma omp THREADS collapse(2) is_device_ptr(R, Out)
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < M - 1; ++J)
      // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [long-step]
      Out[I * M + J] = R[(I - 1) * M + J].A +
                       // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [cached-record]
                       R[I * M + J].B +
                       R[I * M + J].C;
}

/// A transposition.
void turned(const double *A, double *B, int N, int M) {
#pragma omp THREADS collapse(2) is_device_ptr(A, B)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [long-step]
      B[I * M + J] = A[J * N + I];
}

template <class F> void forall(int N, F Body) {
#pragma omp THREADS
  for (int I = 0; I < N; ++I)
    Body(I);
}

/// Several loads of one place in the source are one.
void lambda(const double *A, double *B, int N, int M) {
  forall(N * M, [=](int X) {
    int I = X / M, J = X % M;
    // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [little-gain]
    auto At = [&](int P, int Q) { return A[P * M + Q]; };
    if (I > 0 && J > 0 && I < N - 1 && J < M - 1)
      // CHECK-DAG: loads.cpp:[[#@LINE+1]]:{{.*}} [already-coalesced]
      B[I * M + J] += At(I - 1, J) + At(I + 1, J) + At(I, J - 1);
  });
}
