// Lambdas and other function objects, and templates over them. Captured
// pointers are translated by Ferry.
//
// RUN: %run_at_all_levels
#include "Inputs/check.h"

namespace {
constexpr int N = 260;

template <class F>
void forEach(int Count, F Body) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Body(I);
}

template <class F>
void forEach2(int Rows, int Columns, F Body) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J)
      Body(I, J);
}

template <class T, class F>
T reduce(int Count, T Start, F Body) {
  T Sum = Start;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
  for (int I = 0; I < Count; ++I)
    Sum += Body(I);
  return Sum;
}

template <class T>
struct View {
  T *Data;
  int Columns;
  T &operator()(int I, int J) const { return Data[I * Columns + J]; }
};

struct Axpy {
  const double *X;
  double *Y;
  double Factor;
  void operator()(int I) const { Y[I] += Factor * X[I]; }
};

struct Arrays {
  double *X = new double[N], *Y = new double[N];
  Arrays() {
    for (int I = 0; I < N; ++I)
      X[I] = I, Y[I] = 2 * I + 1;
  }
  ~Arrays() {
    delete[] X;
    delete[] Y;
  }
};
} // namespace

PROGRAM(pointers_by_value) {
  Arrays A;
  double *X = A.X, *Y = A.Y, Factor = 3;
#pragma omp target data map(to : X[0 : N]) map(tofrom : Y[0 : N])
  forEach(N, [=](int I) { Y[I] = Factor * X[I] + Y[I]; });
  for (int I = 0; I < N; ++I)
    check::value("Y", Y[I], 5.0 * I + 1, I);
}

PROGRAM(function_object) {
  Arrays A;
  double *X = A.X, *Y = A.Y;
#pragma omp target data map(to : X[0 : N]) map(tofrom : Y[0 : N])
  forEach(N, Axpy{X, Y, 2});
  for (int I = 0; I < N; ++I)
    check::value("Y", Y[I], 4.0 * I + 1, I);
}

PROGRAM(two_dimensions) {
  constexpr int Rows = 13, Columns = 20;
  Arrays A;
  double *X = A.X, *Y = A.Y;
  View<double> In{X, Columns}, Out{Y, Rows};
#pragma omp target data map(to : X[0 : N]) map(tofrom : Y[0 : N])
  forEach2(Rows, Columns, [=](int I, int J) { Out(J, I) = In(I, J); });
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J)
      check::value("Y", Y[J * Rows + I], X[I * Columns + J], J * Rows + I);
}

PROGRAM(sum_of_a_lambda) {
  Arrays A;
  double *X = A.X, Sum = 0;
#pragma omp target data map(to : X[0 : N])
  Sum = reduce(N, 10.0, [=](int I) { return X[I] * 0.5; });
  check::value("Sum", Sum, 10 + 0.25 * N * (N - 1));
}

PROGRAM(nested_lambdas) {
  Arrays A;
  double *X = A.X, *Y = A.Y;
  auto Square = [=](int I) { return X[I] * X[I]; };
  auto Shift = [=](int I) { return Square(I) + 1; };
#pragma omp target data map(to : X[0 : N]) map(tofrom : Y[0 : N])
  forEach(N, [=](int I) { Y[I] = Shift(I) + Square(0); });
  for (int I = 0; I < N; ++I)
    check::value("Y", Y[I], double(I) * I + 1, I);
}

PROGRAM(lambda_within_the_kernel) {
  int A[N];
#pragma omp target teams distribute parallel for map(from : A)
  for (int I = 0; I < N; ++I) {
    int Calls = 0;
    auto Count = [&](int By) { Calls += By; };
    for (int K = 0; K < 3; ++K)
      Count(I + K);
    A[I] = [=] { return Calls; }();
  }
  for (int I = 0; I < N; ++I)
    check::value("A", A[I], 3 * I + 3, I);
}

PROGRAM(generic_lambda) {
  Arrays A;
  double *X = A.X, *Y = A.Y;
  auto Twice = [](auto Value) { return Value + Value; };
#pragma omp target data map(to : X[0 : N]) map(tofrom : Y[0 : N])
  forEach(N, [=](int I) { Y[I] = Twice(X[I]) + Twice(I); });
  for (int I = 0; I < N; ++I)
    check::value("Y", Y[I], 4.0 * I, I);
}

PROGRAM(launched_again) {
  Arrays A;
  double *X = A.X, *Y = A.Y;
  Axpy Body{X, Y, 1};
  for (int R = 0; R < 5; ++R) {
#pragma omp target data map(to : X[0 : N]) map(tofrom : Y[0 : N])
    for (int K = 0; K < 2; ++K)
      forEach(N, Body);
  }
  for (int I = 0; I < N; ++I)
    check::value("Y", Y[I], 12.0 * I + 1, I);
}

int main(int Argc, char **Argv) { return check::run(Argc, Argv); }
