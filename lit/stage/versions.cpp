// A launch that knows that its rows are too short, or too near to each other, or
// its grid too small, takes the kernel as it is without staging, to the last
// instruction and without shared memory. Others take the staged one.
//
// RUN: %sim_cxx -O3 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 19
//
// The same where the kernels are staged when the program is linked.
// RUN: %sim_cxx -O3 -foffload-lto -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 -foffload-lto %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 19
//
// Where everything is to be staged, there is nothing to choose.
// RUN: %sim_cxx -O3 -mllvm -ferry-stage=always -c %s -o %t.always.o
// RUN: llvm-nm %t.always.o | not grep _unstaged
//
// They show in reports under the names that they have in the source.
// RUN: %ferry_sim -- %t.staged words 2>&1 | FileCheck %s
// CHECK-DAG: forall<{{.*}}wordsUnstaged(double const*, double*, int, int){{.*}}, unstaged{{$}}
// CHECK-DAG: forall<{{.*}}wordsStaged(double const*, double*, int, int){{.*}}, line {{[0-9]+$}}
#include "Inputs/staged.h"

namespace {
constexpr int N = 2000;

template <typename Body> void forall(int Count, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Loop(I);
}

template <typename Body> void forall2(int Rows, int Columns, Body Loop) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Columns; ++J)
      Loop(I, J);
}

#define ROW_SUMS(Name)                                                         \
  void Name(const double *A, double *Sums, int Count, int M) {                 \
    forall(Count, [=](int I) {                                                 \
      double Sum = 0;                                                          \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K];                                                   \
      Sums[I] = Sum;                                                           \
    });                                                                        \
  }
ROW_SUMS(wordsUnstaged)
ROW_SUMS(wordsStaged)

/// Lengths that are captured by reference, and through this.
#define REFERENCES(Name)                                                       \
  void Name(const double *A, double *Sums, int Count, int M) {                 \
    forall(Count, [&](int I) {                                                 \
      double Sum = 0;                                                          \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K];                                                   \
      Sums[I] = Sum;                                                           \
    });                                                                        \
  }
REFERENCES(referencesUnstaged)
REFERENCES(referencesStaged)

struct Rows {
  const double *A;
  double *Sums;
  int M;

  void sumsUnstaged(int Count) {
    forall(Count, [this](int I) {
      double Sum = 0;
      for (int K = 0; K < M; ++K)
        Sum += A[I * M + K];
      Sums[I] = Sum;
    });
  }
};
void throughThis(const double *A, double *Sums, int Count, int M) {
  Rows{A, Sums, M}.sumsUnstaged(Count);
}

#define PITCHED(Name, Count)                                                   \
  void Name(const double *A, double *Sums, long M, long Pitch) {               \
    _Pragma("omp target teams distribute parallel for is_device_ptr(A, Sums)") \
    for (long I = 0; I < (Count); ++I) {                                       \
      double Sum = 0;                                                          \
      for (long K = 0; K < M; ++K)                                             \
        Sum += A[I * Pitch + K];                                               \
      Sums[I] = Sum;                                                           \
    }                                                                          \
  }
PITCHED(shortUnstaged, N)
PITCHED(nearUnstaged, N)
PITCHED(apartStaged, N)
PITCHED(downwardsStaged, N)
// Not at multiples of 16 bytes, in few warps.
PITCHED(anywhereUnstaged, N)
PITCHED(longAnywhereStaged, N)
// And the last warp has nearly as many rows as threads.
PITCHED(lastStaged, N + 10)

#define PRODUCT(Name)                                                          \
  void Name(const float *A, const float *B, float *C, int Rows, int Columns,   \
            int Depth) {                                                       \
    forall2(Rows, Columns, [=](int I, int J) {                                 \
      float Sum = 0;                                                           \
      for (int K = 0; K < Depth; ++K)                                          \
        Sum += A[I * Depth + K] * B[K * Columns + J];                          \
      C[I * Columns + J] = Sum;                                                \
    });                                                                        \
  }
PRODUCT(productUnstaged)
PRODUCT(productStaged)
// Of fewer steps than tiles are deep.
PRODUCT(shallowUnstaged)
// Of fewer than make up for the beginning of tiles.
PRODUCT(beginningUnstaged)
// Of fewer than make up for choosing a version.
PRODUCT(choiceUnstaged)
PRODUCT(deepStaged)

void stencilUnstaged(const double *A, double *B, int Rows, int Columns) {
  forall2(Rows, Columns, [=](int I, int J) {
    if (I > 0 && I < Rows - 1 && J > 0 && J < Columns - 1)
      B[I * Columns + J] = A[I * Columns + J - 1] + A[I * Columns + J + 1] + A[(I - 1) * Columns + J] + A[(I + 1) * Columns + J];
  });
}
} // namespace

template <typename Fn> void sums(Fn Run, int M) {
  staged::Array<double> A(N * M), Sums(N);
  Run(A.device(), Sums.device(), N, M);
  Sums.read();
}

PROGRAM(words) {
  sums(wordsUnstaged, 7);
  sums(wordsStaged, 64);
  sums(referencesUnstaged, 7);
  sums(referencesStaged, 64);
  sums(throughThis, 7);
}

template <typename Fn> void pitched(Fn Run, long M, long Pitch) {
  const long Apart = Pitch < 0 ? -Pitch : Pitch;
  staged::Array<double> A((N + 10) * Apart + M), Sums(N + 10);
  Run(A.device() + (Pitch < 0 ? N * Apart : 0), Sums.device(), M, Pitch);
  Sums.read();
}

PROGRAM(pitches) {
  pitched(shortUnstaged, 7, 64);
  pitched(nearUnstaged, 64, 9);
  pitched(apartStaged, 64, 66);
  pitched(downwardsStaged, 64, -66);
  pitched(anywhereUnstaged, 64, 65);
  pitched(longAnywhereStaged, 200, 201);
  pitched(lastStaged, 200, 201);
}

template <typename Fn>
void product(Fn Run, int Rows, int Columns, int Depth) {
  staged::Array<float> A(Rows * Depth), B(Depth * Columns), C(Rows * Columns);
  Run(A.device(), B.device(), C.device(), Rows, Columns, Depth);
  C.read();
}

PROGRAM(products) {
  product(productUnstaged, 12, 12, 12);
  product(productStaged, 128, 128, 300);
  product(shallowUnstaged, 320, 320, 8);
  product(beginningUnstaged, 128, 128, 128);
  product(choiceUnstaged, 512, 400, 24);
  product(deepStaged, 512, 400, 80);
}

PROGRAM(stencil) {
  staged::Array<double> A(130 * 258), B(130 * 258);
  stencilUnstaged(A.device(), B.device(), 130, 258);
  B.read();
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
