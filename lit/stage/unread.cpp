// What the program would not read is not copied either: rows that are walked in
// no iteration of the loop around them, and the ends of rows that one iteration
// passes over. The arrays end where the last element is that is read.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 3
#include "Inputs/staged.h"

#include <initializer_list>

namespace {
constexpr int N = 131;

#define LOOP(...)                                                             \
  PRAGMA(omp target teams distribute parallel for is_device_ptr(__VA_ARGS__)) \
  for (int I = 0; I < N; ++I)
#define PRAGMA(X) _Pragma(#X)

/// With M = 0 nothing is read.
void againFewer(const double *A, double *B, int Times, int M) {
  LOOP(A, B) {
    double Sum = 0;
    long Limit = I % 3 + 10 < M ? I % 3 + 10 : M;
    for (int T = 0; T < Times; ++T)
      for (long J = 0; J < Limit; ++J)
        Sum += A[(N - 1 - I) * 12 + J];
    B[I] = Sum;
  }
}

/// As in Jacobi's method.
void jacobiFewer(const double *A, const double *X, double *B) {
  LOOP(A, X, B) {
    double Sum = 0;
    for (int J = 0; J < N; ++J)
      if (I != J)
        Sum += A[I * N + J] * X[J];
    B[I] = Sum;
  }
}

/// Rows that lack their first, an inner or their last element: A[-1] of the first
/// row, and what is behind the last one's end, are not there.
void passOverFewer(const double *A, double *B, int Pass) {
  LOOP(A, B) {
    double Sum = 0;
    for (int J = 0; J < N; ++J)
      if (J != Pass)
        Sum += A[I * N + J - 1];
    B[I] = Sum;
  }
}

PROGRAM(Again) {
  staged::Array<double> None(1), A(N * 12), B(N);
  againFewer(None.device(), B.device(), 3, 0);
  B.read();
  againFewer(A.device(), B.device(), 3, 12);
  B.read();
}

PROGRAM(Jacobi) {
  staged::Array<double> A(N * N), X(N), B(N);
  jacobiFewer(A.device(), X.device(), B.device());
  B.read();
}

PROGRAM(PassOver) {
  // The first row begins with what is passed over, the last one ends with it.
  staged::Array<double> A(N * N - 1), All(N * N), B(N);
  passOverFewer(A.device(), B.device(), 0);
  B.read();
  for (int Pass : {1, N / 2, N - 1, N}) {
    passOverFewer(All.device() + 1, B.device(), Pass);
    B.read();
  }
}
} // namespace

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
