// Nests with a sum in a local array, of as many elements as fit into registers,
// and with a short loop in the innermost one, which is written out: what several
// loads of a step read of one record counts together.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 8
//
// RUN: %sim_cxx -O3 -g %s -o %t.default -Rpass=ferry-stage -Rpass-missed=ferry-stage 2>&1 | FileCheck %s --check-prefix=REMARKS
#include "Inputs/staged.h"

#include <initializer_list>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOPS                                                                  \
  PRAGMA(omp target teams distribute parallel for collapse(2)                  \
             is_device_ptr(A, B, C))

namespace {
struct Size {
  int N, M, K;
};
constexpr std::initializer_list<Size> Sizes = {
    {0, 1, 1},    {16, 32, 16}, {33, 65, 40}, {48, 31, 3},
    {97, 70, 17}, {64, 32, 35}, {16, 32, 0},  {19, 130, 24}};

/// E sums of an iteration, of K steps each.
#define SUMS(NAME, E, AT_A, AT_B, AT_C)                                        \
  template <class T>                                                           \
  void NAME(const T *A, const T *B, T *C, int N, int M, int K) {               \
    LOOPS for (int i = 0; i < N; ++i) for (int j = 0; j < M; ++j) {            \
      T Sum[E] = {};                                                           \
      for (int k = 0; k < K; ++k)                                              \
        for (int e = 0; e < E; ++e)                                            \
          Sum[e] += A[AT_A] * B[AT_B];                                         \
      for (int e = 0; e < E; ++e)                                              \
        C[AT_C] = Sum[e];                                                      \
    }                                                                          \
  }

// REMARKS-DAG: nests-local.cpp:[[@LINE+1]]:{{.*}}staged 5 loads
SUMS(columnsTiledFewer, 4, i * K + k, (k * M + j) * 4 + e, (i * M + j) * 4 + e)
// REMARKS-DAG: nests-local.cpp:[[@LINE+1]]:{{.*}}staged 5 loads
SUMS(planesTiledFewer, 4, i * K + k, (e * K + k) * M + j, (e * N + i) * M + j)
// REMARKS-DAG: nests-local.cpp:[[@LINE+1]]:{{.*}}staged 4 loads
SUMS(rowsTiledTwoThirds, 3, (i * K + k) * 3 + e, k * M + j, (i * M + j) * 3 + e)
SUMS(bothTiledFewer, 8, (i * K + k) * 8 + e, (k * M + j) * 8 + 7 - e,
     (i * M + j) * 8 + e)
// REMARKS-DAG: nests-local.cpp:[[@LINE+1]]:{{.*}}many values from step to step [nest-shape]
SUMS(manyLeft, 9, i * K + k, (k * M + j) * 9 + e, (i * M + j) * 9 + e)

/// One sum, over four steps at once.
template <class T>
void stepsTiledFewer(const T *A, const T *B, T *C, int N, int M, int K) {
  LOOPS
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) {
      T Sum = 0;
      for (int k = 0; k < K; ++k)
        for (int e = 0; e < 4; ++e)
          // REMARKS-DAG: nests-local.cpp:[[@LINE+1]]:{{.*}}staged 8 loads
          Sum += A[(i * K + k) * 4 + e] * B[(k * 4 + e) * M + j];
      C[i * M + j] = Sum;
    }
}

/// Launches \p Run for operands that are large enough for all of these.
template <class T, class Launch>
void all(Launch Run, std::initializer_list<Size> List = Sizes) {
  for (const Size &S : List) {
    staged::Array<T> A(size_t(S.N) * S.K * 8, 3), B(size_t(S.K) * S.M * 9, 1),
        C(size_t(S.N) * S.M * 9);
    Run(A.device(), B.device(), C.device(), S.N, S.M, S.K);
    C.read();
  }
}
} // namespace

PROGRAM(columnsOfDoubles) { all<double>(columnsTiledFewer<double>); }
PROGRAM(columnsOfFloats) { all<float>(columnsTiledFewer<float>); }
PROGRAM(planesOfShorts) { all<short>(planesTiledFewer<short>); }
PROGRAM(rowsOfDoubles) { all<double>(rowsTiledTwoThirds<double>); }
PROGRAM(rowsOfInts) { all<int>(rowsTiledTwoThirds<int>); }
PROGRAM(bothOfFloats) { all<float>(bothTiledFewer<float>); }
PROGRAM(stepsOfDoubles) { all<double>(stepsTiledFewer<double>); }
PROGRAM(many) { all<float>(manyLeft<float>); }

constexpr std::initializer_list<Size> Large = {{529, 310, 19}};
PROGRAM(largeColumns) { all<double>(columnsTiledFewer<double>, Large); }
PROGRAM(largeSteps) { all<double>(stepsTiledFewer<double>, Large); }

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
