// Rows that are walked from their ends.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 9
//
// 200 rows of 96 doubles, each a multiple of a sector: no sector is read twice.
// RUN: %ferry_sim --strict -- %t.staged sums 2>&1 >/dev/null | FileCheck %s
// CHECK: global loads {{.*}} 4,800 4,800 1.00
// CHECK: findings: none
#include "Inputs/staged.h"

#include <initializer_list>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOP(...)                                                           \
  PRAGMA(omp target teams distribute parallel for is_device_ptr(__VA_ARGS__)) \
  for (int I = 0; I < N; ++I)

namespace {
constexpr int N = 200, M = 96;

void sumsFewer(const double *A, double *B) {
  LOOP(A, B) {
    double Sum = 0;
    for (int J = M - 1; J >= 0; --J)
      Sum = Sum / 2 + A[I * M + J];
    B[I] = Sum;
  }
}

/// Rows of different lengths, from anywhere; each element may be read once.
template <class T>
void raggedFewer(const T *A, const int *Begin, T *B) {
  LOOP(A, Begin, B) {
    T Sum = 0;
    for (int J = Begin[I + 1]; J > Begin[I]; --J)
      Sum = T(3 * Sum + A[J - 1]);
    B[I] = Sum;
  }
}

/// The loop goes up, the row down, in long steps.
void reversedFewer(const int *A, long *B, int Length) {
  LOOP(A, B) {
    long Sum = 0;
    for (long J = 0; J < Length; ++J)
      Sum = 3 * Sum + A[I * 2 * M + 2 * (M - 1 - J)];
    B[I] = Sum;
  }
}

void windowFewer(const float *A, float *B) {
  LOOP(A, B) {
    float Sum = 0;
    for (long J = M - 2; J > 0; --J)
      Sum = Sum / 2 + A[I * M + J - 1] + 3 * A[I * M + J] - A[I * M + J + 1];
    B[I] = Sum;
  }
}

struct Cell {
  double Value;
  int Left, Right;
};
void recordsFewer(const Cell *A, double *B) {
  LOOP(A, B) {
    double Sum = 0;
    for (long J = M - 1; J >= 0; --J)
      Sum = Sum / 2 + A[I * M + J].Value * A[I * M + J].Right;
    B[I] = Sum;
  }
}

/// A short row, again and again.
void againFewer(const double *A, double *B) {
  LOOP(A, B) {
    double Sum = 0;
    for (int K = 0; K < M; ++K)
      for (int J = 15; J >= 0; --J)
        Sum = Sum / 2 + A[I * 16 + J];
    B[I] = Sum;
  }
}

/// What is written is read in the next step.
void inPlace(int *A) {
  LOOP(A)
  for (int J = M - 2; J >= 0; --J)
    A[I * M + J] += 3 * A[I * M + J + 1];
}

/// Rows, and what is written behind them, in them or before them, as the launch
/// has it.
void beside(const int *A, int *B, int Pitch) {
  LOOP(A, B)
  for (int J = M - 1; J >= 0; --J)
    B[I * Pitch + J] = A[I * Pitch + J] + J;
}
} // namespace

PROGRAM(sums) {
  staged::Array<double> A(N * M), B(N);
  sumsFewer(A.device(), B.device());
  B.read();
}

template <class T>
void ragged() {
  staged::Array<int> Begin(N + 1);
  Begin.host()[0] = 0;
  for (int I = 0; I < N; ++I)
    Begin.host()[I + 1] = Begin.host()[I] + (I % 5 ? 70 + I * 7 % 50 : I % 3);
  Begin.write();
  staged::Array<T> A(size_t(Begin.host()[N]), 3), B(N);
  raggedFewer<T>(A.device(), Begin.device(), B.device());
  B.read();
}
PROGRAM(ragged) {
  ragged<double>();
  ragged<short>();
}

PROGRAM(reversed) {
  staged::Array<int> A(2 * N * M);
  staged::Array<long> B(N);
  for (int Length : {0, 1, 31, 33, M}) {
    reversedFewer(A.device(), B.device(), Length);
    B.read();
  }
}

PROGRAM(window) {
  staged::Array<float> A(N * M), B(N);
  windowFewer(A.device(), B.device());
  B.read();
}

PROGRAM(records) {
  staged::Array<double> A(2 * N * M), B(N);
  recordsFewer(reinterpret_cast<Cell *>(A.device()), B.device());
  B.read();
}

PROGRAM(again) {
  staged::Array<double> A(N * 16), B(N);
  againFewer(A.device(), B.device());
  B.read();
}

PROGRAM(stores) {
  staged::Array<int> A(N * M), B(2 * N * M + 2 * M);
  inPlace(A.device());
  A.read();
  int *Row = B.device() + M;
  // With -1 a step writes what the next one reads.
  for (int Shift : {M, M - 1, 1, 0, -1, -2, 1 - M, -M}) {
    beside(Row, Row + Shift, 2 * M);
    B.read();
  }
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
