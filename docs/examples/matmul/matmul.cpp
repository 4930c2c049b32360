// Matrix multiplication, C = A B, in plain loops. On a GPU they read the same
// elements from memory again and again; Ferry brings them through shared
// memory, and `-mllvm -ferry-stage=off` shows what they do without.
//
//   ferry-clang++ -O3 -fopenmp --ferry-sim -Rpass=ferry-stage matmul.cpp
//   ferry-sim -- ./a.out 128 --only=matmul-elements
//
//   matmul-rows      each thread computes a row of C
//   matmul-elements  each thread computes an element of C
//   matmul-lambda    the same as a lambda that holds the matrices
//
// tiled.cpp has the same by hand.
#include "product.h"

static void rows(Matrix A, Matrix B, Matrix C) {
  int N = C.N;
  const Real *X = A.Data, *Y = B.Data;
  Real *Z = C.Data;
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      Real Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += X[I * N + K] * Y[K * N + J];
      Z[I * N + J] = Sum;
    }
}

static void elements(Matrix A, Matrix B, Matrix C) {
  int N = C.N;
  const Real *X = A.Data, *Y = B.Data;
  Real *Z = C.Data;
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      Real Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += X[I * N + K] * Y[K * N + J];
      Z[I * N + J] = Sum;
    }
}

template <typename Body> void forall(int Rows, int Columns, Body Loop) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J)
      Loop(I, J);
}

static void lambda(Matrix A, Matrix B, Matrix C) {
  forall(C.N, C.N, [=](int I, int J) {
    Real Sum = 0;
    for (int K = 0; K < A.N; ++K)
      Sum += A(I, K) * B(K, J);
    C(I, J) = Sum;
  });
}

int main(int Argc, char **Argv) {
  Product P(Argc, Argv);
  P.run("matmul-rows", rows);
  P.run("matmul-elements", elements);
  P.run("matmul-lambda", lambda);
  return P.finish();
}
// RUN: %wrong_without_ferry
