// Rows that are too short for tiles: each thread does them as they were, which
// costs little more than the question. Rows that are of other lengths in other
// threads cost nothing: they are left. So do, nearly, rows most of which the next
// thread's has as well: how far they lie apart is asked before the loop, too. Rows
// that loops around them read again are left where few warps share a cache, and all
// rows in blocks that do not consist of whole warps.
//
// RUN: %sim_cxx -O3 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_reports.py %t.plain.json %t.json --kernels 7
#include "Inputs/staged.h"

#include <initializer_list>

namespace {
constexpr int N = 1000;

#define LOOP(...)                                                             \
  PRAGMA(omp target teams distribute parallel for is_device_ptr(__VA_ARGS__)) \
  for (int I = 0; I < N; ++I)
#define PRAGMA(X) _Pragma(#X)

void rowsShort(const double *A, double *Sums, int M) {
  LOOP(A, Sums) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[I * M + J];
    Sums[I] = Sum;
  }
}

void inPlaceShort(double *A, int M) {
  LOOP(A) {
    double Sum = 0;
    for (int J = 0; J < M - 1; ++J) {
      Sum += A[I * M + J] + 1;
      A[I * M + J + 1] = Sum;
    }
  }
}

/// Long rows, but the next one begins \p Apart elements further.
void overlappingNear(const double *A, double *Sums, int M, int Apart) {
  LOOP(A, Sums) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[I * Apart + J];
    Sums[I] = Sum;
  }
}

/// Long rows, in blocks whose last warp lacks threads: left before the launch.
void fiftyThreadsExact(const double *A, double *Sums, int M) {
  PRAGMA(omp target teams distribute parallel for thread_limit(50) is_device_ptr(A, Sums))
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int J = 0; J < M; ++J)
      Sum += A[I * M + J];
    Sums[I] = Sum;
  }
}

/// The nearest of \p K centres.
void againShort(const double *A, const double *Centres, double *Least, int M, int K) {
  LOOP(A, Centres, Least) {
    double Min = 1e300;
    for (int C = 0; C < K; ++C) {
      double Sum = 0;
      for (int J = 0; J < M; ++J)
        Sum += (A[I * M + J] - Centres[C * M + J]) * (A[I * M + J] - Centres[C * M + J]);
      Min = Sum < Min ? Sum : Min;
    }
    Least[I] = Min;
  }
}

/// A sparse matrix times a vector.
void sparseSame(const int *Begin, const int *Column, const double *A, const double *X, double *Y) {
  LOOP(Begin, Column, A, X, Y) {
    double Sum = 0;
    for (int K = Begin[I]; K < Begin[I + 1]; ++K)
      Sum += A[K] * X[Column[K]];
    Y[I] = Sum;
  }
}

/// Long rows for some threads of each warp.
void someSame(const int *Begin, const double *A, double *Y) {
  LOOP(Begin, A, Y) {
    double Sum = 0;
    for (int K = Begin[I]; K < Begin[I + 1]; ++K)
      Sum += A[K];
    Y[I] = Sum;
  }
}

/// The rows of a sparse matrix begin here.
void begin(staged::Array<int> &Begin, int Short, int Long) {
  for (int I = 0, At = 0; I <= N; ++I) {
    Begin.host()[I] = At;
    At += I % 32 < 16 ? Long : Short;
  }
  Begin.write();
}
} // namespace

PROGRAM(rows) {
  for (int M : {3, 10, 15}) {
    staged::Array<double> A(N * M), Sums(N);
    rowsShort(A.device(), Sums.device(), M);
    Sums.read();
  }
}

PROGRAM(inPlace) {
  for (int M : {3, 10, 15}) {
    staged::Array<double> A(N * M);
    inPlaceShort(A.device(), M);
    A.read();
  }
}

PROGRAM(overlapping) {
  // Far enough for a launch of many warps, not for one of few.
  for (int Apart : {5, 16, 28}) {
    staged::Array<double> A(N * Apart + 256), Sums(N);
    overlappingNear(A.device(), Sums.device(), 256, Apart);
    Sums.read();
  }
}

PROGRAM(fifty) {
  constexpr int M = 100;
  staged::Array<double> A(N * M), Sums(N);
  fiftyThreadsExact(A.device(), Sums.device(), M);
  Sums.read();
}

PROGRAM(again) {
  for (int M : {3, 8, 16}) {
    staged::Array<double> A(N * M), Centres(4 * M), Least(N);
    againShort(A.device(), Centres.device(), Least.device(), M, 4);
    Least.read();
  }
}

PROGRAM(sparse) {
  for (int M : {3, 10, 27}) {
    staged::Array<int> Begin(N + 1), Column(N * M);
    staged::Array<double> A(N * M), X(N), Y(N);
    begin(Begin, M, M);
    for (int I = 0; I < N * M; ++I)
      Column.host()[I] = (I / M + I % M * 7) % N;
    Column.write();
    sparseSame(Begin.device(), Column.device(), A.device(), X.device(), Y.device());
    Y.read();
  }
}

PROGRAM(some) {
  staged::Array<int> Begin(N + 1);
  staged::Array<double> A(N * 128), Y(N);
  begin(Begin, 5, 200);
  someSame(Begin.device(), A.device(), Y.device());
  Y.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
