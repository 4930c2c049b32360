#include "kernels.h"

template <typename Body> static void forall(int N, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    Loop(I);
}

void multiply(Matrix A, const double *X, double *Y, int Rows) {
  forall(Rows, [=](int I) {
    double Sum = 0;
    for (int J = 0; J < A.Columns; ++J)
      Sum += A.at(I, J) * X[J];
    Y[I] = Sum;
  });
}
