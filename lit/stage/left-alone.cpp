// Kernels that staging has nothing to offer: the device code is the same with and
// without it, and so is the object file that holds it.
//
// REQUIRES: nvptx-registered-target
// RUN: rm -rf %t && mkdir %t
// RUN: for o in -O2 -O3; do for stage in on off; do \
// RUN:   %sim_cxx $o -mllvm -ferry-stage=$stage -c %s -o %t/$stage.o || exit 1; \
// RUN: done; cmp %t/on.o %t/off.o || exit 1; done
// The sums of a matrix's rows are staged, and the code is another.
// RUN: for stage in on off; do \
// RUN:   %sim_cxx -O3 -DROWS -mllvm -ferry-stage=$stage -c %s -o %t/$stage.o || exit 1; \
// RUN: done; not cmp -s %t/on.o %t/off.o

#define LOOP _Pragma("omp target teams distribute parallel for")

void add(const double *A, const double *B, double *C, int N) {
  LOOP for (int I = 0; I < N; ++I)
      C[I] = A[I] + B[I];
}

void daxpy(double Factor, const double *X, double *Y, int N) {
  LOOP for (int I = 0; I < N; ++I)
      Y[I] += Factor * X[I];
}

void heat(const double *From, double *To, int N) {
  LOOP for (int I = 1; I < N - 1; ++I)
      To[I] = From[I] + 0.1 * (From[I - 1] + From[I + 1] - 2 * From[I]);
}

void along(const double *From, double *To, int N) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 1; J < N - 1; ++J)
      To[I * N + J] = 0.5 * (From[I * N + J - 1] + From[I * N + J + 1]);
}

void heatByRows(const float *From, float *To, int N) {
  LOOP for (int J = 1; J < N - 1; ++J) for (int I = 1; I < N - 1; ++I)
      To[I * N + J] =
          0.25f * (From[(I - 1) * N + J] + From[(I + 1) * N + J] +
                   From[I * N + J - 1] + From[I * N + J + 1]);
}

double sum(const double *A, long N) {
  double Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
  for (long I = 0; I < N; ++I)
    Sum += A[I];
  return Sum;
}

double dot(const double *A, const double *B, int N) {
  double Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
  for (int I = 0; I < N; ++I)
    Sum += A[I] * B[I];
  return Sum;
}

double pi(int N) {
  double Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)
  for (int I = 0; I < N; ++I) {
    double X = (I + 0.5) / N;
    Sum += 4 / (1 + X * X);
  }
  return Sum / N;
}

void columns(const double *A, double *Sums, int N) {
  LOOP for (int J = 0; J < N; ++J) {
    double Sum = 0;
    for (int I = 0; I < N; ++I)
      Sum += A[I * N + J];
    Sums[J] = Sum;
  }
}

void complexProduct(const double (*A)[2], const double (*B)[2], double (*C)[2],
                    int N) {
  LOOP for (int I = 0; I < N; ++I) {
    C[I][0] = A[I][0] * B[I][0] - A[I][1] * B[I][1];
    C[I][1] = A[I][0] * B[I][1] + A[I][1] * B[I][0];
  }
}

void gather(const double *A, const int *Index, double *B, int N) {
  LOOP for (int I = 0; I < N; ++I)
      B[I] = A[Index[I]];
}

#ifdef ROWS
void rows(const double *A, double *Sums, int N) {
  LOOP for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < N; ++J)
      Sum += A[I * N + J];
    Sums[I] = Sum;
  }
}
#endif
