// The target regions of units.cpp that are in another unit or a shared library.
#include "units.h"

#pragma omp begin declare target
static int half(const View &X, int I) { return X[I] / 2; }
#pragma omp end declare target

void runSaxpy(int Count, const Saxpy &F) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    F(I);
}

void runSaxpyByValue(int Count, Saxpy F) {
  loop(Count, F);
  loop(Count, [=](int I) { F(I); });
}

void runCopy(int Count, const Copy &Body) { loop(Count, Body); }

int runSum(int Count, const View &X) {
  int Sum = 0;
  loop(Count, [&](int I) {
    int V = half(X, I);
#pragma omp atomic
    Sum += V;
  });
  return Sum;
}
