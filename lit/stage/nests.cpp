// Nests with reuse in two dimensions are taken in tiles: products of matrices in
// every order of memory, of sizes around those of tiles, written in many ways.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 31
//
// A square of 256 has 512 tiles of 8 x 16, for blocks of 32 threads; each reads
// 8 rows and 16 columns of 256 elements of 8 bytes, two elements for a thread:
// 512 * 256 * 24 / 64 requests, and 16 sectors for each.
// RUN: %ferry_sim --strict -- %t.staged square 2>&1 >/dev/null | FileCheck %s
// CHECK: grid 2048, block 32
// CHECK: global loads 49,152 786,432 786,432 1.00
// CHECK: bank conflicts 0
// CHECK: findings: none
// Of 1024 x 1024 iterations there are enough for tiles of 64 x 64, each of which
// reads 64 rows and 64 columns of 48 elements: 256 * 128 * 48 / 4 sectors.
// RUN: %ferry_sim --strict -- %t.staged manyTiles 2>&1 >/dev/null | FileCheck %s --check-prefix=MANY
// MANY: grid 3200, block 128
// MANY: global loads 24,576 393,216 393,216 1.00
// MANY: bank conflicts 0
// RUN: %ferry_sim --strict -- %t.plain square 2>&1 >/dev/null | FileCheck %s --check-prefix=PLAIN
// PLAIN: global loads 1,048,576 4,718,592
#include "Inputs/staged.h"

#include <initializer_list>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOPS(...)                                            \
  PRAGMA(omp target teams distribute parallel for collapse(2)          \
             is_device_ptr(A, B, C) __VA_ARGS__)

namespace {
struct Size {
  int Rows, Columns, Steps;
};
constexpr std::initializer_list<Size> Sizes = {{0, 1, 1}, {1, 0, 3}, {16, 32, 16}, {16, 32, 15}, {15, 64, 40}, {48, 31, 40}, {17, 33, 1}, {33, 65, 33}, {97, 70, 17}, {64, 32, 50}, {19, 130, 0}, {16, 160, 77}};

/// Launches a product for operands of just its size and compares it with the
/// same on the host. AtA and AtB tell where an operand's elements are.
template <class T, class Launch, class FA, class FB>
void product(Size S, Launch Run, FA AtA, FB AtB) {
  int N = S.Rows, M = S.Columns, L = S.Steps;
  staged::Array<T> A(size_t(N) * L, 3), B(size_t(L) * M, L % 2), C(size_t(N) * M);
  T *Before = static_cast<T *>(calloc(size_t(N) * M + 1, sizeof(T)));
  memcpy(Before, C.host(), size_t(N) * M * sizeof(T));
  Run(A.device(), B.device(), C.device(), N, M, L);
  C.read();
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J) {
      T Sum = Before[I * M + J];
      for (int K = 0; K < L; ++K)
        Sum += A.host()[AtA(I, K)] * B.host()[AtB(K, J)];
      check::value("C", C.host()[I * M + J], Sum, I * M + J);
    }
  free(Before);
}

/// C += A * B with loops over Int.
#define PRODUCT(NAME, INT, AT_A, AT_B, ...)                                  \
  template <class T>                                                         \
  void NAME##TiledFewer(const T *A, const T *B, T *C, INT N, INT M, INT L) { \
    LOOPS(__VA_ARGS__)                                                       \
    for (INT I = 0; I < N; ++I)                                              \
      for (INT J = 0; J < M; ++J) {                                          \
        T Sum = C[I * M + J];                                                \
        for (INT K = 0; K < L; ++K)                                          \
          Sum += A[AT_A] * B[AT_B];                                          \
        C[I * M + J] = Sum;                                                  \
      }                                                                      \
  }                                                                          \
  template <class T>                                                         \
  void NAME##All(std::initializer_list<Size> List = Sizes) {                 \
    for (const Size &S : List) {                                             \
      int N = S.Rows, M = S.Columns, L = S.Steps;                            \
      (void)N, (void)M;                                                      \
      product<T>(                                                            \
          S, NAME##TiledFewer<T>, [&](int I, int K) { return AT_A; },        \
          [&](int K, int J) { return AT_B; });                               \
    }                                                                        \
  }

PRODUCT(rowsColumns, int, (I * L + K), (K * M + J))
PRODUCT(rowsRows, int, (I * L + K), (J * L + K))
PRODUCT(columnsColumns, int, (K * N + I), (K * M + J))
PRODUCT(columnsRows, int, (K * N + I), (J * L + K))
PRODUCT(longs, long, (I * L + K), (K * M + J))
PRODUCT(unsigneds, size_t, (I * L + K), (K * M + J))
PRODUCT(backwards, int, (I * L + L - 1 - K), ((L - 1 - K) * M + J))
PRODUCT(threeTeams, int, (I * L + K), (K * M + J), num_teams(3))

/// Sums that are kept in memory: C += A * B.
template <class T>
void storedTiledFewer(const T *A, const T *B, T *C, int N, int M, int L) {
  LOOPS()
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      for (int K = 0; K < L; ++K)
        C[I * M + J] += A[I * L + K] * B[K * M + J];
}

/// The same of C as each iteration makes it first; where there is no step, that
/// stays.
void storedFirstTiledFewer(const double *A, const double *B, double *C, int N, int M, int L, double Beta) {
  LOOPS()
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J) {
      C[I * M + J] *= Beta;
      for (int K = 0; K < L; ++K)
        C[I * M + J] += A[I * L + K] * B[J * L + K];
    }
}

/// Both parts of a complex number, a function of which is written behind them.
void storedComplexTiledFewer(const float *A, const float *B, float *C, int N) {
  LOOPS()
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      float *Z = C + 3 * (I * N + J);
      Z[0] = Z[1] = 0;
      for (int K = 0; K < N; ++K) {
        const float *X = A + 2 * (I * N + K), *Y = B + 2 * (K * N + J);
        Z[0] += X[0] * Y[0] - X[1] * Y[1];
        Z[1] += X[0] * Y[1] + X[1] * Y[0];
      }
      Z[2] = Z[0] * Z[0] + Z[1] * Z[1];
    }
}

/// What is written first is written anew behind the loop.
void writtenTwiceTiledFewer(const double *A, const double *B, double *C, int N, double Beta) {
  LOOPS(schedule(static, 1))
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      C[I * N + J] *= Beta;
      for (int K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[K * N + J];
      C[I * N + J] = Sum;
    }
}

/// One block deals its iterations out to 64 threads: each goes on from what it has
/// written itself.
void chainedSame(const double *A, const double *B, double *C, int N) {
  LOOPS(num_teams(1) thread_limit(64) schedule(static, 1))
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[K * N + J];
      const int X = I * N + J;
      C[X] = X < 64 ? Sum : Sum + C[X - 64];
    }
}

/// Where there is one column, or one row, an iteration may read what it writes:
/// nobody else reads it.
void storedNarrowSame(const double *A, const double *B, double *C, int N, int M, int L) {
  LOOPS()
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      for (int K = 0; K < L; ++K)
        C[I * L + J] += A[I * L + L - 1 - K] * B[K * M + J];
}
void storedRowSame(const double *A, const double *B, double *C, int N, int M, int L) {
  LOOPS()
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      for (int K = 0; K < L; ++K)
        C[I * M + J * L] += A[I * L + K] * B[J * L + L - 1 - K];
}

template <class F>
void forall2(int N, int M, F Body) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      Body(I, J);
}

template <class T>
void lambdaTiledFewer(const T *A, const T *B, T *C, int N, int M, int L) {
  forall2(N, M, [=](int I, int J) {
    T Sum = C[I * M + J];
    for (int K = 0; K < L; ++K)
      Sum += A[I * L + K] * B[K * M + J];
    C[I * M + J] = Sum;
  });
}

/// The program itself makes i and j of one index.
template <class T>
void flatTiledFewer(const T *A, const T *B, T *C, int N, int M, int L) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B, C)
  for (int X = 0; X < N * M; ++X) {
    int I = X / M, J = X % M;
    T Sum = C[X];
    for (int K = 0; K < L; ++K)
      Sum += A[I * L + K] * B[K * M + J];
    C[X] = Sum;
  }
}

/// Indices of two widths: i and j take an instruction more where there is
/// nothing to walk.
struct Matrix {
  double *Data;
  int Width;
};
void wideTiledFewer(Matrix A, Matrix B, Matrix C, int N, int M) {
  forall2(N, M, [=](int I, int J) {
    double Sum = C.Data[size_t(I) * C.Width + J];
    for (int K = 0; K < A.Width; ++K)
      Sum += A.Data[size_t(I) * A.Width + K] * B.Data[size_t(K) * B.Width + J];
    C.Data[size_t(I) * C.Width + J] = Sum;
  });
}

/// What the walk computes depends on i, j and k, and so does what is written.
void factorsTiledFewer(const long *A, const long *B, long *C, int N, int M, int L) {
  LOOPS()
  for (int I = 1; I < N; ++I)
    for (int J = 2; J < M; ++J) {
      long Sum = C[I * M + J], Largest = A[I * L];
      for (int K = 0; K < L; ++K) {
        Sum += A[I * L + K] * B[K * M + J] * (K + I - J);
        Largest = Sum > Largest ? Sum : Largest;
      }
      if (I != J)
        C[I * M + J] = Sum ^ Largest;
    }
}

void fixedTiledFewer(const float *A, const float *B, float *C) {
  LOOPS()
  for (int I = 0; I < 96; ++I)
    for (int J = 0; J < 64; ++J) {
      float Sum = C[I * 64 + J];
      for (int K = 0; K < 50; ++K)
        Sum += A[I * 50 + K] * B[K * 64 + J];
      C[I * 64 + J] = Sum;
    }
}

void squareTiledFewer(const double *A, const double *B, double *C, int N) {
  LOOPS()
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[K * N + J];
      C[I * N + J] = Sum;
    }
}
/// A product, and a function of it and of what was there.
void scaledTiledFewer(const double *A, const double *B, double *C, int N, double Alpha, double Beta) {
  LOOPS()
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[K * N + J];
      C[I * N + J] = Alpha * Sum + Beta * C[I * N + J];
    }
}

/// What depends on the step alone, element by element, in steps of three, and
/// backwards.
void weightedTiledFewer(const double *A, const double *B, double *C, int N) {
  LOOPS()
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[J * N + K] * B[K] + A[3 * K] * B[N - 1 - K];
      C[I * N + J] = Sum;
    }
}

void mixedTiledFewer(const float *A, const int *B, double *C, int N) {
  LOOPS()
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += double(A[K * N + I]) * B[J * N + K];
      C[I * N + J] = Sum;
    }
}

/// Elements of two numbers.
void complexTiledFewer(const double *A, const double *B, double *C, int N) {
  LOOPS()
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Real = 0, Imaginary = 0;
      for (int K = 0; K < N; ++K) {
        const double *X = A + 2 * (I * N + K), *Y = B + 2 * (K * N + J);
        Real += X[0] * Y[0] - X[1] * Y[1];
        Imaginary += X[0] * Y[1] + X[1] * Y[0];
      }
      C[2 * (I * N + J)] = Real;
      C[2 * (I * N + J) + 1] = Imaginary;
    }
}

void arraysTiledFewer(const float (*A)[70], const float (*B)[80], float (*C)[80]) {
  LOOPS()
  for (int I = 0; I < 90; ++I)
    for (int J = 0; J < 80; ++J) {
      float Sum = 0;
      for (int K = 0; K < 70; ++K)
        Sum += A[I][K] * B[K][J];
      C[I][J] = Sum;
    }
}

void manyTilesTiledFewer(const double *A, const double *B, double *C, int N, int L) {
  LOOPS()
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      for (int K = 0; K < L; ++K)
        Sum += A[I * L + K] * B[K * N + J];
      C[I * N + J] = Sum;
    }
}
} // namespace

PROGRAM(rowsColumns) { rowsColumnsAll<double>(); }
PROGRAM(rowsRows) { rowsRowsAll<float>(); }
PROGRAM(columnsColumns) { columnsColumnsAll<double>(); }
PROGRAM(columnsRows) { columnsRowsAll<int>(); }
PROGRAM(longs) { longsAll<double>(); }
PROGRAM(unsigneds) { unsignedsAll<short>(); }
PROGRAM(backwards) { backwardsAll<double>(); }
PROGRAM(threeTeams) { threeTeamsAll<float>({{130, 70, 33}, {64, 160, 20}}); }

PROGRAM(stored) {
  for (const Size &S : Sizes)
    product<double>(
        S, storedTiledFewer<double>,
        [&](int I, int K) { return I * S.Steps + K; },
        [&](int K, int J) { return K * S.Columns + J; });
}

PROGRAM(storedFirst) {
  for (const Size &S : Sizes) {
    int N = S.Rows, M = S.Columns, L = S.Steps;
    staged::Array<double> A(N * L), B(L * M), C(N * M);
    storedFirstTiledFewer(A.device(), B.device(), C.device(), N, M, L, 0.5);
    C.read();
  }
}

PROGRAM(writtenTwice) {
  const int N = 75;
  staged::Array<double> A(N * N), B(N * N), C(N * N);
  writtenTwiceTiledFewer(A.device(), B.device(), C.device(), N, 0.5);
  C.read();
}

PROGRAM(chained) {
  const int N = 75;
  staged::Array<double> A(N * N), B(N * N), C(N * N);
  chainedSame(A.device(), B.device(), C.device(), N);
  C.read();
}

PROGRAM(storedComplex) {
  const int N = 41;
  staged::Array<float> A(2 * N * N), B(2 * N * N), C(3 * N * N);
  storedComplexTiledFewer(A.device(), B.device(), C.device(), N);
  C.read();
}

// One that reads what it has written itself, in the last step.
PROGRAM(storedNarrow) {
  const int N = 64, L = 40;
  staged::Array<double> A(N * L), B(L);
  storedNarrowSame(A.device(), B.device(), A.device(), N, 1, L);
  A.read();
}
PROGRAM(storedRow) {
  const int M = 64, L = 40;
  staged::Array<double> A(L), B(M * L);
  storedRowSame(A.device(), B.device(), B.device(), 1, M, L);
  B.read();
}

PROGRAM(lambda) {
  for (const Size &S : Sizes)
    product<double>(
        S, lambdaTiledFewer<double>,
        [&](int I, int K) { return I * S.Steps + K; },
        [&](int K, int J) { return K * S.Columns + J; });
}

PROGRAM(flat) {
  for (const Size &S : Sizes)
    product<float>(
        S, flatTiledFewer<float>,
        [&](int I, int K) { return I * S.Steps + K; },
        [&](int K, int J) { return K * S.Columns + J; });
}

PROGRAM(wide) {
  for (const Size &S : Sizes) {
    product<double>(
        S,
        [&](double *A, double *B, double *C, int N, int M, int L) {
          wideTiledFewer({A, L}, {B, M}, {C, M}, N, M);
        },
        [&](int I, int K) { return I * S.Steps + K; },
        [&](int K, int J) { return K * S.Columns + J; });
  }
}

PROGRAM(factors) {
  const int N = 70, M = 50, L = 40;
  staged::Array<long> A(N * L), B(L * M), C(N * M);
  factorsTiledFewer(A.device(), B.device(), C.device(), N, M, L);
  C.read();
}

PROGRAM(fixed) {
  staged::Array<float> A(96 * 50), B(50 * 64), C(96 * 64);
  fixedTiledFewer(A.device(), B.device(), C.device());
  C.read();
}

PROGRAM(square) {
  const int N = 256;
  staged::Array<double> A(N * N), B(N * N), C(N * N);
  squareTiledFewer(A.device(), B.device(), C.device(), N);
  C.read();
}

PROGRAM(scaled) {
  const int N = 65;
  staged::Array<double> A(N * N), B(N * N), C(N * N);
  scaledTiledFewer(A.device(), B.device(), C.device(), N, 1.5, -0.25);
  C.read();
}

PROGRAM(weighted) {
  const int N = 67;
  staged::Array<double> A(N * N), B(N * N), C(N * N);
  weightedTiledFewer(A.device(), B.device(), C.device(), N);
  C.read();
}

PROGRAM(mixed) {
  const int N = 83;
  staged::Array<float> A(N * N);
  staged::Array<int> B(N * N);
  staged::Array<double> C(N * N);
  mixedTiledFewer(A.device(), B.device(), C.device(), N);
  C.read();
}

PROGRAM(complex) {
  const int N = 41;
  staged::Array<double> A(2 * N * N), B(2 * N * N), C(2 * N * N);
  complexTiledFewer(A.device(), B.device(), C.device(), N);
  C.read();
}

PROGRAM(arrays) {
  staged::Array<float> A(90 * 70), B(70 * 80), C(90 * 80);
  arraysTiledFewer((const float(*)[70])A.device(), (const float(*)[80])B.device(), (float(*)[80])C.device());
  C.read();
}

PROGRAM(manyTiles) {
  const int N = 1024, L = 48;
  staged::Array<double> A(N * L), B(L * N), C(N * N);
  manyTilesTiledFewer(A.device(), B.device(), C.device(), N, L);
  C.read();
}

// Large tiles, with ends in all directions.
constexpr std::initializer_list<Size> Large = {{529, 610, 35}};
PROGRAM(largeRowsColumns) { rowsColumnsAll<float>(Large); }
PROGRAM(largeRowsRows) { rowsRowsAll<double>(Large); }
PROGRAM(largeColumnsColumns) { columnsColumnsAll<float>(Large); }
PROGRAM(largeColumnsRows) { columnsRowsAll<double>(Large); }

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
