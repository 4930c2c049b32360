// A unit with regions of its own, for a static library.
#include "units.h"

static int helper(int X) { return X * 2; }
#pragma omp declare target to(helper)

void scale(double *A, int N, double Factor) {
#pragma omp target teams distribute parallel for map(tofrom : A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] *= Factor;
}

long countOnDevice(int N) {
  long Count = 0;
#pragma omp target teams distribute parallel for map(tofrom : Count)
  for (int I = 0; I < N; ++I) {
#pragma omp atomic
    Count += helper(I) + weigh(I);
  }
  return Count;
}

long sumInLibrary(const long *A, int N) { return sumOnDevice(A, N); }
