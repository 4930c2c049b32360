// Which kernels may have their iterations executed by any thread: the plugin
// notes it in the device compilation, and not in the host's.
// RUN: %ferry_plain -O1 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -S -emit-llvm \
// RUN:   --offload-device-only %s -o - -w | %python %S/Inputs/free_kernels.py | FileCheck %s
// RUN: %ferry_plain -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -S -emit-llvm \
// RUN:   --offload-device-only %s -o - -w | %python %S/Inputs/free_kernels.py | FileCheck %s
// RUN: %ferry_plain -O1 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -S -emit-llvm \
// RUN:   --offload-host-only %s -o - | FileCheck %s --check-prefix=HOST
// HOST-NOT: {{ferry_free_schedule|ferry_reduction}}

#define LOOPS(...)                                                              \
  _Pragma(#__VA_ARGS__) for (int I = 0; I < N; ++I) for (int J = 0; J < N; ++J) \
      A[I * N + J] += 1;

// CHECK-DAG: plain free
void plain(double *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2))
}
// CHECK-DAG: clauses free
void clauses(double *A, int N) {
  LOOPS(omp target teams distribute parallel for simd collapse(2) num_teams(N) \
            map(A [0:N * N]) nowait if (N > 3))
}
// CHECK-DAG: instance free
template <class T>
void instance(T *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2))
}
template void instance(float *, int);

// CHECK-DAG: scheduled dealt
void scheduled(double *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2) schedule(static, 1))
}
// CHECK-DAG: constant dealt
constexpr int One = 1;
void constant(double *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2) schedule(static, One))
}
// CHECK-DAG: pairs left
void pairs(double *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2) schedule(static, 2))
}
// CHECK-DAG: chunks left
void chunks(double *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2) schedule(static, N))
}
// CHECK-DAG: whole left
void whole(double *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2) schedule(static))
}
// CHECK-DAG: dynamic left
void dynamic(double *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2) schedule(dynamic, 1))
}
// CHECK-DAG: ordered left
void ordered(double *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2) schedule(monotonic : static, 1))
}
// CHECK-DAG: both left
void both(double *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2) schedule(static, 1) dist_schedule(static, 64))
}
// CHECK-DAG: distributed left
void distributed(double *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2) dist_schedule(static, 128))
}
// CHECK-DAG: threads left
void threads(double *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2) num_threads(N))
}
// CHECK-DAG: limit free
void limit(double *A, int N) {
  LOOPS(omp target teams distribute parallel for collapse(2) thread_limit(N))
}
// CHECK-DAG: outer free
void outer(double *A, int N) {
  LOOPS(omp target teams distribute parallel for)
}
// CHECK-DAG: reduced reduced
void reduced(double *A, int N) {
  double Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
  for (int I = 0; I < N; ++I)
    Sum += A[I];
  A[0] = Sum;
}
// CHECK-DAG: split left
void split(double *A, int N) {
#pragma omp target teams distribute
  for (int I = 0; I < N; ++I)
#pragma omp parallel for
    for (int J = 0; J < N; ++J)
      A[I * N + J] += 1;
}
// CHECK-DAG: lines free
void lines(double *A, int N) {
#pragma omp target map(A[0 : N * N])
  {
    LOOPS(omp teams distribute parallel for collapse(2) thread_limit(64))
  }
}
// CHECK-DAG: sums reduced
void sums(double *A, int N) {
  double Sum = 0;
#pragma omp target map(Sum)
#pragma omp teams distribute parallel for reduction(+ : Sum)
  for (int I = 0; I < N; ++I)
    Sum += A[I];
  A[0] = Sum;
}
// CHECK-DAG: dealt dealt
void dealt(double *A, int N) {
#pragma omp target
  LOOPS(omp teams distribute parallel for collapse(2) schedule(static, 1))
}
// CHECK-DAG: looped free
void looped(double *A, int N) {
#pragma omp target
  LOOPS(omp teams loop)
}
// CHECK-DAG: three left
void three(double *A, int N) {
#pragma omp target
#pragma omp teams
  LOOPS(omp distribute parallel for collapse(2))
}
// CHECK-DAG: single left
void single(double *A, int N) {
#pragma omp target
  LOOPS(omp parallel for collapse(2))
}
