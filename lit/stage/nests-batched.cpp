// Products of many matrices with collapse(3): each is a plane, which is taken in
// tiles, of sizes around those of tiles.
//
// RUN: %build_plain_and_staged
// RUN: %run_plain_and_staged --kernels 9
//
// Four squares of 64, in 128 tiles of 8 x 16 for blocks of 32 threads; each reads
// 8 rows and 16 columns of 64 elements of 8 bytes: 128 * 64 * 24 / 4 sectors.
// RUN: %ferry_sim --strict -- %t.staged square 2>&1 >/dev/null | FileCheck %s
// CHECK: grid 512, block 32
// CHECK: global loads {{.*}} 49,152 49,152 1.00
// CHECK: bank conflicts 0
// CHECK: findings: none
#include "Inputs/staged.h"

#include <initializer_list>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOPS(...)                                            \
  PRAGMA(omp target teams distribute parallel for collapse(3)          \
             is_device_ptr(A, B, C) __VA_ARGS__)

namespace {
struct Size {
  int Planes, Rows, Columns, Steps;
};
constexpr std::initializer_list<Size> Sizes = {{0, 3, 3, 2}, {3, 0, 5, 1}, {1, 64, 32, 20}, {3, 16, 32, 16}, {2, 15, 64, 40}, {5, 17, 33, 19}, {2, 33, 65, 33}, {3, 40, 50, 37}, {7, 8, 16, 5}, {2, 70, 19, 0}};

/// Launches products for operands of just their size and compares them with the
/// same on the host.
template <class T, class Launch, class FA, class FB>
void products(Size S, Launch Run, FA AtA, FB AtB) {
  int P = S.Planes, N = S.Rows, M = S.Columns, L = S.Steps;
  staged::Array<T> A(size_t(P) * N * L, 3), B(size_t(P) * L * M, L % 2), C(size_t(P) * N * M);
  Run(A.device(), B.device(), C.device(), P, N, M, L);
  C.read();
  for (int Q = 0; Q < P; ++Q)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < M; ++J) {
        T Sum = 0;
        for (int K = 0; K < L; ++K)
          Sum += A.host()[AtA(Q, I, K)] * B.host()[AtB(Q, K, J)];
        check::value("C", C.host()[(Q * N + I) * M + J], Sum, (Q * N + I) * M + J);
      }
}

/// C[Q] = A[Q] * B[Q] with loops over Int.
#define PRODUCTS(NAME, INT, AT_A, AT_B, ...)                                        \
  template <class T>                                                                \
  void NAME##TiledFewer(const T *A, const T *B, T *C, INT P, INT N, INT M, INT L) { \
    LOOPS(__VA_ARGS__)                                                              \
    for (INT Q = 0; Q < P; ++Q)                                                     \
      for (INT I = 0; I < N; ++I)                                                   \
        for (INT J = 0; J < M; ++J) {                                               \
          T Sum = 0;                                                                \
          for (INT K = 0; K < L; ++K)                                               \
            Sum += A[AT_A] * B[AT_B];                                               \
          C[(Q * N + I) * M + J] = Sum;                                             \
        }                                                                           \
  }                                                                                 \
  template <class T>                                                                \
  void NAME##All() {                                                                \
    for (const Size &S : Sizes) {                                                   \
      int N = S.Rows, M = S.Columns, L = S.Steps;                                   \
      (void)N, (void)M;                                                             \
      products<T>(                                                                  \
          S, NAME##TiledFewer<T>, [&](int Q, int I, int K) { return (void)Q, AT_A; }, \
          [&](int Q, int K, int J) { return (void)Q, AT_B; });                      \
    }                                                                               \
  }

PRODUCTS(ints, int, ((Q * N + I) * L + K), ((Q * L + K) * M + J))
PRODUCTS(longs, long, ((Q * N + I) * L + K), ((Q * L + K) * M + J))
PRODUCTS(unsigneds, unsigned, ((Q * N + I) * L + K), (J * L + Q * L * M + K))
PRODUCTS(commonLeft, int, (I * L + K), ((Q * L + K) * M + J))
PRODUCTS(commonRight, size_t, (Q * N * L + K * N + I), (K * M + J))
PRODUCTS(threeTeams, int, ((Q * N + I) * L + K), ((Q * L + K) * M + J), num_teams(3))

/// The program itself makes three indices of one.
template <class T>
void flatTiledFewer(const T *A, const T *B, T *C, int P, int N, int M, int L) {
#pragma omp target teams distribute parallel for is_device_ptr(A, B, C)
  for (int X = 0; X < P * N * M; ++X) {
    int Q = X / (N * M), I = X % (N * M) / M, J = X % M;
    T Sum = 0;
    for (int K = 0; K < L; ++K)
      Sum += A[(Q * N + I) * L + K] * B[(Q * L + K) * M + J];
    C[X] = Sum;
  }
}

/// Powers of two and others, which are known.
template <int N, int M>
void fixedTiledFewer(const double *A, const double *B, double *C, int P, int, int, int L) {
  LOOPS()
  for (int Q = 0; Q < P; ++Q)
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < M; ++J) {
        double Sum = 0;
        for (int K = 0; K < L; ++K)
          Sum += A[(Q * N + I) * L + K] * B[(Q * L + K) * M + J];
        C[(Q * N + I) * M + J] = Sum;
      }
}
} // namespace

PROGRAM(ints) { intsAll<double>(); }
PROGRAM(longs) { longsAll<float>(); }
PROGRAM(unsigneds) { unsignedsAll<double>(); }
PROGRAM(commonLeft) { commonLeftAll<float>(); }
PROGRAM(commonRight) { commonRightAll<double>(); }
PROGRAM(threeTeams) { threeTeamsAll<float>(); }

PROGRAM(flat) {
  for (const Size &S : Sizes)
    products<double>(
        S, flatTiledFewer<double>,
        [&](int Q, int I, int K) { return (Q * S.Rows + I) * S.Steps + K; },
        [&](int Q, int K, int J) { return (Q * S.Steps + K) * S.Columns + J; });
}

template <int N, int M> void fixedAll() {
  products<double>(
      {3, N, M, 21}, fixedTiledFewer<N, M>,
      [](int Q, int I, int K) { return (Q * N + I) * 21 + K; },
      [](int Q, int K, int J) { return (Q * 21 + K) * M + J; });
}
PROGRAM(fixed) {
  fixedAll<64, 32>();
  fixedAll<96, 48>();
}

PROGRAM(square) {
  const int P = 4, N = 64;
  staged::Array<double> A(P * N * N), B(P * N * N), C(P * N * N);
  intsTiledFewer<double>(A.device(), B.device(), C.device(), P, N, N, N);
  C.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
