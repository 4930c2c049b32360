#include "kernels.h"

#include <cstdio>

int main() {
  const int Rows = 4, Columns = 3;
  double A[Rows * Columns], X[Columns], Y[Rows];
  for (int I = 0; I < Rows * Columns; ++I)
    A[I] = I;
  for (int J = 0; J < Columns; ++J)
    X[J] = 1;
#pragma omp target enter data map(to : A) map(alloc : Y)
#ifndef FORGET
#pragma omp target enter data map(to : X)
#endif
  // The device has its own copy now: wrong results if the host's is used.
  for (double &V : A)
    V = -1;
  multiply({A, Columns}, X, Y, Rows);
#pragma omp target exit data map(delete : A, X) map(from : Y)
  int Wrong = 0;
  for (int I = 0; I < Rows; ++I)
    Wrong += Y[I] != 9 * I + 3;
  std::puts(Wrong ? "wrong" : "right");
  return Wrong != 0;
}
