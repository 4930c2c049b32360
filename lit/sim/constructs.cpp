// The less common constructs: loop, declare variant, metadirective, scan,
// device_type, if and device clauses.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

namespace {
constexpr int N = 190;
}

#pragma omp begin declare target
static int where() { return 1; }
#pragma omp begin declare variant match(device = {kind(nohost)})
static int where() { return 2; }
#pragma omp end declare variant

static int variantForGPU(int X) { return X + 1000; }
#pragma omp declare variant(variantForGPU) match(device = {arch(nvptx64)})
static int variant(int X) { return X; }
#pragma omp end declare target

#pragma omp begin declare target device_type(nohost)
int OnlyThere = 9;
#pragma omp end declare target

PROGRAM(teams_loop) {
  int A[N];
#pragma omp target teams loop map(from : A)
  for (int I = 0; I < N; ++I)
    A[I] = I * 3;
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 3 * I, I);
}

PROGRAM(parallel_loop) {
  int A[N];
#pragma omp target parallel loop map(from : A) num_threads(60)
  for (int I = 0; I < N; ++I)
    A[I] = I * 5;
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 5 * I, I);
}

PROGRAM(loop_in_parallel) {
  int A[N];
#pragma omp target parallel num_threads(40) map(from : A)
  {
#pragma omp loop bind(parallel)
    for (int I = 0; I < N; ++I)
      A[I] = I + 4;
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I + 4, I);
}

PROGRAM(order_concurrent) {
  int A[N];
#pragma omp target teams distribute parallel for order(concurrent) \
    map(from : A)
  for (int I = 0; I < N; ++I)
    A[I] = I ^ 5;
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I ^ 5, I);
}

PROGRAM(declared_variants) {
  int There = 0, Called = 0;
#pragma omp target map(from : There, Called)
  {
    There = where();
    Called = variant(5);
  }
  check::value("on the host", where() * 10000 + variant(5), 10005);
  check::value("on the device", There * 10000 + Called, 21005);
}

PROGRAM(device_only_variable) {
  int Got = 0;
#pragma omp target map(from : Got)
  {
    Got = 1;
#ifdef __NVPTX__
    Got = OnlyThere;
#endif
  }
  check::value("Got", Got, 9);
}

PROGRAM(kinds_of_target) {
  int A = 0, B = 0, C = 0, D = 0;
#pragma omp target map(tofrom : A)
  A = 1;
#pragma omp target parallel num_threads(9) map(tofrom : B)
  {
#pragma omp atomic
    B += 1;
  }
#pragma omp target teams num_teams(7) map(tofrom : C)
  {
#pragma omp atomic
    C += 1;
  }
#pragma omp target parallel for simd map(tofrom : D) reduction(+ : D)
  for (int I = 0; I < 55; ++I)
    D += 1;
  check::value("target", A, 1);
  check::value("target parallel", B, 9);
  check::value("target teams", C, 7);
  check::value("target parallel for simd", D, 55);
}

PROGRAM(variable_length_arrays) {
  int Rows = 11, Columns = 17;
  double A[Rows][Columns];
#pragma omp target teams distribute parallel for collapse(2) map(from : A)
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J)
      A[I][J] = I * Columns + J;
  for (int I = 0; I < Rows * Columns; ++I)
    check::value("A", A[I / Columns][I % Columns], I, I);
}

PROGRAM(inclusive_scan) {
  constexpr int M = 64;
  int A[M], Prefix[M], Sum = 0;
  for (int I = 0; I < M; ++I)
    A[I] = I * 3 % 7;
  // One thread: the device runtime has no scan across threads.
#pragma omp target map(to : A) map(from : Prefix) map(tofrom : Sum)
#pragma omp simd reduction(inscan, + : Sum)
  for (int I = 0; I < M; ++I) {
    Sum += A[I];
#pragma omp scan inclusive(Sum)
    Prefix[I] = Sum;
  }
  for (int I = 0, S = 0; I < M; ++I) {
    S += A[I];
    check::value("Prefix", Prefix[I], S, I);
  }
}

PROGRAM(blocks_of_a_kernel) {
  int A[N];
#pragma omp target teams num_teams(4) thread_limit(64) map(from : A)
  {
    int Base = omp_get_team_num() * 10;
#pragma omp distribute parallel for
    for (int I = 0; I < N; ++I)
      A[I] = I + Base - omp_get_team_num() * 10;
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], I, I);
}

PROGRAM(many_kernels) {
  int X = 0;
#define KERNEL(K) \
  _Pragma("omp target map(tofrom : X)") X = X * 3 + K;
  KERNEL(1)
  KERNEL(2)
  KERNEL(3)
  KERNEL(4)
  KERNEL(5)
  KERNEL(6)
  KERNEL(7)
  KERNEL(8)
  KERNEL(9)
  KERNEL(10)
  int Want = 0;
  for (int K = 1; K <= 10; ++K)
    Want = Want * 3 + K;
  check::value("X", X, Want);
}

PROGRAM(many_launches) {
  int X = 0;
#pragma omp target data map(tofrom : X)
  for (int R = 0; R < 500; ++R) {
#pragma omp target map(tofrom : X)
    X += R;
  }
  check::value("X", X, 499 * 250);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
