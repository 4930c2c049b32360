// Nests of loops: collapse, simd, tile, unroll.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

PROGRAM(collapse_2) {
  constexpr int N = 37, M = 41;
  int A[N][M], Want[N][M];
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      Want[I][J] = I * 100 + J;
#pragma omp target teams distribute parallel for collapse(2) map(from : A)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      A[I][J] = I * 100 + J;
  check::array("A", A[0], Want[0], N * M);
}

PROGRAM(collapse_3) {
  constexpr int N = 7, M = 11, K = 13;
  int A[N][M][K] = {}, Want[N][M][K] = {};
  for (int I = 0; I < N; ++I)
    for (int J = 2; J < M; J += 3)
      for (int L = K - 1; L > 0; --L)
        Want[I][J][L] = (I * 31 + J) * 17 + L;
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : A)
  for (int I = 0; I < N; ++I)
    for (int J = 2; J < M; J += 3)
      for (int L = K - 1; L > 0; --L)
        A[I][J][L] = (I * 31 + J) * 17 + L;
  check::array("A", A[0][0], Want[0][0], N * M * K);
}

PROGRAM(triangle) {
  constexpr int N = 45;
  int A[N][N] = {}, Want[N][N] = {};
  for (int I = 0; I < N; ++I)
    for (int J = 0; J <= I; ++J)
      Want[I][J] = I * N + J;
#pragma omp target parallel for collapse(2) map(tofrom : A) num_threads(64)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J <= I; ++J)
      A[I][J] = I * N + J;
  check::array("A", A[0], Want[0], N * N);
}

PROGRAM(collapsed_distribute) {
  constexpr int N = 6, M = 5, K = 40;
  int A[N][M][K];
#pragma omp target teams distribute collapse(2) map(from : A) num_teams(7)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J) {
      int Base = I * 1000 + J * 100;
#pragma omp parallel for
      for (int L = 0; L < K; ++L)
        A[I][J][L] = Base + L;
    }
  for (int I = 0; I < N * M * K; ++I)
    check::value("A", A[0][0][I], I / K / M * 1000 + I / K % M * 100 + I % K,
                 I);
}

PROGRAM(simd) {
  constexpr int N = 400;
  float A[N], B[N], C[N];
  for (int I = 0; I < N; ++I)
    A[I] = I, B[I] = N - I;
#pragma omp target teams distribute parallel for simd map(to : A, B) \
    map(from : C)
  for (int I = 0; I < N; ++I)
    C[I] = A[I] * B[I];
  for (int I = 0; I < N; ++I)
    check::value("C", C[I], float(I) * (N - I), I);
}

PROGRAM(simd_within) {
  constexpr int N = 20, M = 33;
  double A[N][M], Sum[N];
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      A[I][J] = I - J * 0.5;
#pragma omp target teams distribute parallel for map(to : A) map(from : Sum)
  for (int I = 0; I < N; ++I) {
    double S = 0;
#pragma omp simd reduction(+ : S) simdlen(4)
    for (int J = 0; J < M; ++J)
      S += A[I][J];
    Sum[I] = S;
  }
  for (int I = 0; I < N; ++I)
    check::value("Sum", Sum[I], I * M - 0.25 * M * (M - 1), I);
}

PROGRAM(target_simd) {
  constexpr int N = 77;
  int A[N], S = 0;
#pragma omp target simd map(from : A) map(tofrom : S) reduction(+ : S)
  for (int I = 0; I < N; ++I) {
    A[I] = 5 * I;
    S += I;
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 5 * I, I);
  check::value("S", S, N * (N - 1) / 2);
}

PROGRAM(tiled) {
  constexpr int N = 50, M = 30;
  int A[N][M] = {};
#pragma omp target map(tofrom : A)
  {
#pragma omp parallel for num_threads(40)
#pragma omp tile sizes(8, 4)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < M; ++J)
        A[I][J] += I * M + J;
  }
  for (int I = 0; I < N * M; ++I)
    check::value("A", A[0][I], I, I);
}

PROGRAM(unrolled) {
  constexpr int N = 203;
  int A[N], Sum[N];
  for (int I = 0; I < N; ++I)
    A[I] = I * 3;
#pragma omp target teams distribute parallel for map(to : A) map(from : Sum)
  for (int I = 0; I < N; ++I) {
    int S = 0;
#pragma omp unroll partial(4)
    for (int K = 0; K <= I; ++K)
      S += A[K];
    Sum[I] = S;
  }
  for (int I = 0; I < N; ++I)
    check::value("Sum", Sum[I], 3 * I * (I + 1) / 2, I);
}

PROGRAM(long_nest) {
  constexpr int N = 3, M = 500;
  const long Far = 1L << 33;
  long A[N * M];
#pragma omp target teams distribute parallel for collapse(2) map(from : A)
  for (long I = Far; I < Far + N; ++I)
    for (int J = 0; J < M; ++J)
      A[(I - Far) * M + J] = I + J;
  for (int I = 0; I < N * M; ++I)
    check::value("A", A[I], Far + I / M + I % M, I);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
