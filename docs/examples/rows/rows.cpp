// Sums of the rows and of the columns of a matrix that is stored by rows, one
// thread for each sum. The simulated GPU shows why one kernel is slow on a real
// one, and, if -ferry-stage=off is left out, what Ferry makes of it.
//
//   ferry-clang++ -O3 -g -fopenmp --ferry-sim -mllvm -ferry-stage=off rows.cpp
//   ferry-sim -- ./a.out
#include <cstdio>

template <typename Body> void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

const int N = 256;

struct Matrix {
  double *Data;
};

// Neighbouring threads read addresses that are a row apart.
void rows(Matrix A, double *Sums) {
  forall(N, [=](int I) {
    double Sum = 0;
    for (int J = 0; J < N; ++J)
      Sum += A.Data[I * N + J];
    Sums[I] = Sum;
  });
}

// Neighbouring threads read neighbouring addresses.
void columns(Matrix A, double *Sums) {
  forall(N, [=](int J) {
    double Sum = 0;
    for (int I = 0; I < N; ++I)
      Sum += A.Data[I * N + J];
    Sums[J] = Sum;
  });
}

int main() {
  static double A[N * N], OfRows[N], OfColumns[N];
  for (int I = 0; I < N * N; ++I)
    A[I] = I / N;
#pragma omp target data map(to : A) map(from : OfRows, OfColumns)
  {
    rows({A}, OfRows);
    columns({A}, OfColumns);
  }
  std::printf("row 3: %g, column 3: %g\n", OfRows[3], OfColumns[3]);
  return OfRows[3] != 3 * N || OfColumns[3] != N * (N - 1) / 2;
}
