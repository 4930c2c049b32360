// Rows that are done in blocks of columns: a step of the kernel, or of a loop in it, has
// as many as the block is wide, or what is left of the row. That is less than two tiles
// and may be nothing; where copies do not pay for it the kernel is as it was.
//
// RUN: build() { %sim_cxx -O3 --offload-arch=$1 -mllvm -ferry-stage=$2 %s -o %t.$2; }; \
// RUN: run() { %ferry_sim --quiet --json %t.$1.json -- %t.$1 $2 > %t.$1.out; }; \
// RUN: compare() { run off $1 && run on $1 && diff %t.off.out %t.on.out && \
// RUN:   %python %S/Inputs/never_slower.py %t.off.json %t.on.json --kernels $2 --fewer $3; }; \
// RUN: for arch in sm_70 sm_80 sm_90; do build $arch off && build $arch on && \
// RUN:   compare few 12 0 && compare rest 12 0 && compare many 12 2 && compare all 6 0 || exit 1; done
#include "Inputs/staged.h"

#include <algorithm>

namespace {
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define LOOP(...)                                                             \
  PRAGMA(omp target teams distribute parallel for is_device_ptr(__VA_ARGS__)) \
  for (int I = 0; I < N; ++I)

template <int Width, class T>
void products(const T *A, const T *X, T *Y, int N, long M, long Begin) {
  LOOP(A, X, Y) {
    T Sum = 0;
    for (long J = 0; J < std::min(M - Begin, long(Width)); ++J)
      Sum += A[I * M + Begin + J] * X[Begin + J];
    Y[I] += Sum;
  }
}

template <int Width, class T>
void inPlace(T *A, int N, int M, int Begin) {
  LOOP(A)
  for (int J = Begin; J < std::min(M, Begin + Width); ++J)
    A[I * M + J] = A[I * M + J] * 3 + 1;
}

template <int Width, class T>
void allBlocks(const T *A, T *Y, int N, int M) {
  LOOP(A, Y) {
    T Sum = 0;
    for (int Begin = 0; Begin < M; Begin += Width) {
      T OfBlock = 0;
      for (int J = 0; J < std::min(M - Begin, Width); ++J)
        OfBlock += A[I * M + Begin + J];
      Sum = Sum / 2 + OfBlock;
    }
    Y[I] = Sum;
  }
}

/// Of memory that no launch before has brought into the second level.
template <int Width, class T>
void product(int N, int M, int Begin) {
  auto &A = *new staged::Array<T>(N * M);
  staged::Array<T> X(M), Y(N);
  products<Width>(A.device(), X.device(), Y.device(), N, M, Begin);
  Y.read();
}

template <int Width, class T>
void update(int N, int M, int Begin) {
  auto &A = *new staged::Array<T>(N * M);
  inPlace<Width>(A.device(), N, M, Begin);
  A.read();
}

template <int Width, class T>
void sums(int N, int M) {
  staged::Array<T> A(N * M), Y(N);
  allBlocks<Width>(A.device(), Y.device(), N, M);
  Y.read();
}

#define ALL_TYPES(Run, ...)     \
  Run<12, float>(__VA_ARGS__);  \
  Run<24, float>(__VA_ARGS__);  \
  Run<32, float>(__VA_ARGS__);  \
  Run<12, double>(__VA_ARGS__); \
  Run<24, double>(__VA_ARGS__); \
  Run<32, double>(__VA_ARGS__)

void columns(int N, int M, int Begin) {
  ALL_TYPES(product, N, M, Begin);
  ALL_TYPES(update, N, M, Begin);
}
} // namespace

PROGRAM(few) { columns(3000, 100, 8); }
PROGRAM(rest) { columns(12000, 100, 80); }
PROGRAM(many) { columns(40000, 64, 32); }
PROGRAM(all) { ALL_TYPES(sums, 4000, 100); }

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
