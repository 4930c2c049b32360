// Nests that sum over two loops are taken as if these were one, whatever the
// inner one's length; sums that are read in two ways in each are read element by
// element.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 8
//
// By default, what two loops read as one would is staged, the rest is left.
// RUN: %sim_cxx -O3 -g %s -o %t.default -Rpass=ferry-stage -Rpass-missed=ferry-stage 2>&1 | FileCheck %s --check-prefix=REMARKS
#include "Inputs/staged.h"

#include <initializer_list>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOPS                                                                  \
  PRAGMA(omp target teams distribute parallel for collapse(2)                  \
             is_device_ptr(A, B, C))

namespace {
/// Rows, columns, and steps of both loops.
struct Size {
  int N, M, K, L;
};
constexpr std::initializer_list<Size> Sizes = {
    {16, 32, 5, 7},  {33, 65, 40, 1}, {48, 31, 1, 40}, {97, 70, 17, 2},
    {64, 32, 9, 16}, {16, 32, 0, 3},  {16, 32, 3, 0},  {17, 33, 6, 17},
    {19, 130, 3, 5}, {40, 40, 2, 9},  {32, 64, 4, 64}};

#define SUMS(NAME, INT, AT_A, AT_B)                                            \
  template <class T>                                                           \
  void NAME(const T *A, const T *B, T *C, INT N, INT M, INT K, INT L) {        \
    LOOPS for (INT i = 0; i < N; ++i) for (INT j = 0; j < M; ++j) {            \
      T Sum = C[i * M + j];                                                    \
      for (INT k = 0; k < K; ++k)                                              \
        for (INT l = 0; l < L; ++l)                                            \
          Sum += A[AT_A] * B[AT_B];                                            \
      C[i * M + j] = Sum;                                                      \
    }                                                                          \
  }

// REMARKS-DAG: nests-sums.cpp:[[@LINE+1]]:{{.*}} staged 2 loads
SUMS(rowsTiledFewer, int, (i * K + k) * L + l, (k * L + l) * M + j)
SUMS(columnsTiledFewer, size_t, (k * L + l) * N + i, (j * K + k) * L + l)
SUMS(unsignedsTiledFewer, unsigned, (i * K + k) * L + l, (k * L + l) * M + j)
SUMS(backwardsTiledFewer, int, (i * K + K - 1 - k) * L + L - 1 - l,
     ((K - 1 - k) * L + L - 1 - l) * M + j)
// Of the second operand the last row of each k is not read, and of the first,
// that of the next k is read first.
// REMARKS-DAG: nests-sums.cpp:[[@LINE+1]]:{{.*}} operands that two loops do not read as one would [little-gain]
SUMS(apartTiled, int, (i * K + k) * L + l, (k * (L + 1) + l) * M + j)
SUMS(crossedTiled, int, (i * L + l) * K + k, (k * L + l) * M + j)

/// Launches \p Run for operands that are large enough for all of these.
template <class T, class Launch>
void all(Launch Run, std::initializer_list<Size> List = Sizes) {
  for (const Size &S : List) {
    staged::Array<T> A(size_t(S.N) * S.K * S.L, 3),
        B(size_t(S.K) * (S.L + 1) * S.M, S.L % 2), C(size_t(S.N) * S.M);
    Run(A.device(), B.device(), C.device(), S.N, S.M, S.K, S.L);
    C.read();
  }
}

template <class F> void forall2(int N, int M, F Body) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      Body(I, J);
}

/// What is summed up depends on both counters, and so does what is written.
void factorsTiledFewer(const long *A, const long *B, long *C, int N, int M,
                       int K, int L) {
  forall2(N, M, [=](int i, int j) {
    long Sum = C[i * M + j], Largest = -100;
    for (int k = 0; k < K; ++k)
      for (int l = 0; l < L; ++l) {
        Sum += A[(i * K + k) * L + l] * B[(k * L + l) * M + j] * (3 * k + l - i);
        Largest = Sum > Largest ? Sum : Largest;
      }
    C[i * M + j] = Sum ^ Largest;
  });
}

/// The sum of l ends before that of k goes on.
void squaresLeft(const double *A, const double *B, double *C, int N, int M, int K,
                 int L) {
  LOOPS
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) {
      double Sum = 0;
      for (int k = 0; k < K; ++k) {
        double Inner = 0;
        for (int l = 0; l < L; ++l)
          // REMARKS-DAG: nests-sums.cpp:[[@LINE+1]]:{{.*}} a sum that the loop around the innermost one changes [nest-shape]
          Inner += A[(i * K + k) * L + l] * B[(k * L + l) * M + j];
        Sum += Inner * Inner;
      }
      C[i * M + j] = Sum;
    }
}
} // namespace

PROGRAM(rows) { all<double>(rowsTiledFewer<double>); }
PROGRAM(columns) { all<float>(columnsTiledFewer<float>); }
PROGRAM(unsigneds) { all<double>(unsignedsTiledFewer<double>); }
PROGRAM(backwards) { all<double>(backwardsTiledFewer<double>); }
PROGRAM(apart) { all<double>(apartTiled<double>); }
PROGRAM(crossed) { all<float>(crossedTiled<float>); }
PROGRAM(squares) { all<double>(squaresLeft); }
PROGRAM(factors) { all<long>(factorsTiledFewer); }
constexpr std::initializer_list<Size> Large = {{529, 610, 5, 7}};
PROGRAM(large) { all<double>(rowsTiledFewer<double>, Large); }

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
