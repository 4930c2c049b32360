// The loop construct: the program says that iterations may run in any order,
// the compiler chooses how the device's teams and threads share them.
//
//   ferry-clang++ -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu loop.cpp
//
// The kernels multiply a matrix by a vector, y = A x.
#include "../example.h"
#include <vector>

// All it takes for the teams of the device.
static void teamsLoop(const double *A, const double *X, double *Y, int N) {
#pragma omp target teams loop map(to : A[0 : size_t(N) * N], X[0 : N])         \
    map(from : Y[0 : N])
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < N; ++J)
      Sum += A[size_t(I) * N + J] * X[J];
    Y[I] = Sum;
  }
}

// bind says who shares the loop: the outer one the teams, the inner one the
// threads of each team.
static void bound(const double *A, const double *X, double *Y, int N) {
#pragma omp target teams map(to : A[0 : size_t(N) * N], X[0 : N])              \
    map(from : Y[0 : N])
#pragma omp loop bind(teams)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
#pragma omp parallel
#pragma omp loop bind(parallel) reduction(+ : Sum)
    for (int J = 0; J < N; ++J)
      Sum += A[size_t(I) * N + J] * X[J];
    Y[I] = Sum;
  }
}

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams loop
  for (int I = 0; I < N; ++I)
    Loop(I);
}

struct Matrix {
  const double *Data;
  int N;
  double operator()(int I, int J) const { return Data[size_t(I) * N + J]; }
};

struct Vector {
  double *Data;
  double &operator()(int I) const { return Data[I]; }
};

static void multiply(Matrix A, const double *X, Vector Y) {
  forall(A.N, [=](int I) {
    double Sum = 0;
    for (int J = 0; J < A.N; ++J)
      Sum += A(I, J) * X[J];
    Y(I) = Sum;
  });
}

static void lambda(const double *A, const double *X, double *Y, int N) {
#pragma omp target data map(to : A[0 : size_t(N) * N], X[0 : N])               \
    map(tofrom : Y[0 : N])
  multiply({A, N}, X, {Y});
}

int main(int Argc, char **Argv) {
  Example E(Argc, Argv, "rows and columns", 50, 1, 10000);
  int N = E.size();
  std::vector<double> A(size_t(N) * N), X(N), Y(N);
  // A(i, j) = i + j and x = 1, so y(i) = n i + n (n - 1) / 2: exact.
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J)
      A[size_t(I) * N + J] = I + J;
  X.assign(N, 1);
  double Expected = double(N) * N * (N - 1.0);

  auto Run = [&](const char *Name, auto *Multiply) {
    auto Body = [&] {
      Y.assign(N, -1);
      Multiply(A.data(), X.data(), Y.data(), N);
      double Sum = 0;
      for (double Element : Y)
        Sum += Element;
      return Sum;
    };
    E.run(Name, Body, Expected);
  };
  Run("loop-teams", teamsLoop);
  Run("loop-bound", bound);
  Run("loop-lambda", lambda);
  return E.finish();
}
// RUN: %wrong_without_ferry
