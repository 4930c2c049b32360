// Nests and stencils are taken in tiles in files with kernels that begin with one thread, or
// call what the compiler does not see, too. These do what they did.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 7
#include "Inputs/staged.h"

namespace {
// What is called by address cannot be known.
#pragma omp begin declare target
double twice(double X) { return 2 * X; }
double (*Unknown)(double) = twice;
#pragma omp end declare target

void productTiledFewer(const double *A, const double *B, double *C, int N) {
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(A, B, C)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[K * N + J];
      C[I * N + J] = Sum;
    }
}

template <class F>
void forall2(int N, int M, F Body) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      Body(I, J);
}

void lambdaTiledFewer(const double *A, const double *B, double *C, int N) {
  forall2(N, N, [=](int I, int J) {
    double Sum = C[I * N + J];
    for (int K = 0; K < N; ++K)
      Sum += A[K * N + I] * B[K * N + J];
    C[I * N + J] = Sum;
  });
}

void stencilTiledFewer(const double *A, double *C, int N) {
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(A, C)
  for (int I = 1; I < N - 1; ++I)
    for (int J = 1; J < N - 1; ++J)
      C[I * N + J] = A[(I - 1) * N + J] + A[(I + 1) * N + J] + A[I * N + J];
}

// Kernels that begin with one thread.
void serial(double *C, int N) {
#pragma omp target is_device_ptr(C)
  for (int I = 1; I < N; ++I)
    C[I] += C[I - 1] / 2;
}

void teams(double *C, int N) {
#pragma omp target teams is_device_ptr(C) num_teams(3)
  {
    double Factor = omp_get_team_num() + 1;
#pragma omp parallel
    Factor += omp_get_thread_num() == 0;
#pragma omp distribute parallel for
    for (int I = 0; I < N; ++I)
      C[I] *= 2 + omp_get_num_threads() * (Factor < 0);
  }
}

void parallel(double *C, int N) {
#pragma omp target teams distribute is_device_ptr(C)
  for (int I = 0; I < N; ++I) {
    double First = C[I * N];
#pragma omp parallel for
    for (int J = 1; J < N; ++J)
      C[I * N + J] += First;
  }
}

void unknown(double *C, int N) {
#pragma omp target teams distribute parallel for is_device_ptr(C)
  for (int I = 0; I < N; ++I)
    C[I] = Unknown(C[I]);
}
} // namespace

PROGRAM(mixed) {
  const int N = 97;
  staged::Array<double> A(N * N), B(N * N), C(N * N);
  productTiledFewer(A.device(), B.device(), C.device(), N);
  C.read();
  serial(C.device(), N * N);
  teams(C.device(), N * N);
  C.read();
  lambdaTiledFewer(A.device(), B.device(), C.device(), N);
  parallel(C.device(), N);
  unknown(C.device(), N * N);
  C.read();
  stencilTiledFewer(A.device(), C.device(), N);
  C.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
