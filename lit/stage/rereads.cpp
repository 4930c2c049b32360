// Plain loads find in the first level what an earlier loop has read of a row, unless
// it has no room for it, or rows lie in the same banks. On a V100, whose copies go
// through registers, a launch takes the kernel as it was then, but where warps are
// few and rows are long; where rows are also written, warps have to be fewer, and
// banks do not count. On an A100, whose copies are asynchronous, it does where rows
// are also written, which keeps the second level busy, or four loops read them, each
// with a meeting. There the first loop has to make up for all meetings where warps are
// few and something is written.
//
// RUN: build() { %sim_cxx -O3 --offload-arch=$1 -D$2 -mllvm -ferry-stage=off %s -o %t.plain && \
// RUN:   %sim_cxx -O3 --offload-arch=$1 -D$2 %s -o %t.staged && \
// RUN:   %ferry_sim --gpu $2 --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out && \
// RUN:   %ferry_sim --gpu $2 --strict --quiet --json %t.json -- %t.staged > %t.out && \
// RUN:   diff %t.plain.out %t.out; }; \
// RUN: build sm_70 v100 && %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 8 && \
// RUN: build sm_80 a100 && %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 9
#include "Inputs/staged.h"

namespace {
template <typename Body> void forall(int Count, Body Loop) {
#pragma omp target teams distribute parallel for
  for (int I = 0; I < Count; ++I)
    Loop(I);
}

/// Each row less what its elements are on average.
#define CENTRED(Name)                                                          \
  void Name(const float *A, float *B, int Count, int M) {                      \
    forall(Count, [=](int I) {                                                 \
      float Sum = 0;                                                           \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K];                                                   \
      for (int K = 0; K < M; ++K)                                              \
        B[I * M + K] = A[I * M + K] - Sum / float(M);                          \
    });                                                                        \
  }
CENTRED(twiceUnstaged)
CENTRED(shortUnstaged)
CENTRED(longStaged)
CENTRED(overflowingStaged)
CENTRED(inBanksStaged)
CENTRED(inBanksUnstaged)
// The second level is busy with what they write.
CENTRED(busyUnstaged)
// Of each row a line is there, though there is no room for rows.
CENTRED(linesUnstaged)

/// Each row times a matrix, column by column.
#define TIMES_MATRIX(Name)                                                     \
  void Name(const float *A, float *B, int Count, int M) {                      \
    forall(Count, [=](int I) {                                                 \
      for (int J = 0; J < M; ++J) {                                            \
        float Sum = 0;                                                         \
        for (int K = 0; K < M; ++K)                                            \
          Sum += A[I * M + K] * A[K * M + J];                                  \
        B[I * M + J] = Sum;                                                    \
      }                                                                        \
    });                                                                        \
  }
TIMES_MATRIX(againUnstaged)
TIMES_MATRIX(againInBanksStaged)

/// No row is written.
#define NEAREST(Name)                                                          \
  void Name(const float *A, float *B, int Count, int M) {                      \
    forall(Count, [=](int I) {                                                 \
      float Sum = 0, Far = 0;                                                  \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K];                                                   \
      for (int K = 0; K < M; ++K)                                              \
        Far += (A[I * M + K] - Sum) * (A[I * M + K] - Sum);                    \
      B[I * M] = Far;                                                          \
    });                                                                        \
  }
NEAREST(readStaged)

/// How far the row is from points, one after the other.
#define POINTS(Name)                                                           \
  void Name(const float *A, float *B, int Count, int M) {                      \
    forall(Count, [=](int I) {                                                 \
      float Least = 1e9;                                                       \
      _Pragma("clang loop unroll(full)") for (int P = 0; P < 4; ++P) {         \
        float Sum = 0;                                                         \
        for (int K = 0; K < M; ++K)                                            \
          Sum += (A[I * M + K] - P) * (A[I * M + K] - P);                      \
        Least = Sum < Least ? Sum : Least;                                     \
      }                                                                        \
      B[I * M] = Least;                                                        \
    });                                                                        \
  }
POINTS(fourTimesUnstaged)
POINTS(fourTimesStaged)

// Few warps, so the staged kernel would find the rows too short for these.
#define PRODUCTS(Name)                                                         \
  void Name(const float *A, float *B, int Count, int M) {                      \
    forall(Count, [=](int I) {                                                 \
      float Sum = 0;                                                           \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K] * B[I * M + K];                                    \
      B[I * M] = Sum;                                                          \
    });                                                                        \
  }
PRODUCTS(fewUnstaged)
PRODUCTS(manyStaged)
} // namespace

template <typename Fn> void rows(Fn Run, int Count, int M) {
  staged::Array<float> A(size_t(Count) * M), B(size_t(Count) * M);
  Run(A.device(), B.device(), Count, M);
  B.read();
}

PROGRAM(walks) {
  // First those that have to find the second level as it was.
#ifdef v100
  rows(twiceUnstaged, 14000, 70);
  rows(inBanksUnstaged, 14000, 64);
  rows(linesUnstaged, 14600, 96);
  rows(busyUnstaged, 4000, 150);
  rows(fewUnstaged, 14000, 70);
  rows(overflowingStaged, 163840, 16);
  rows(manyStaged, 21000, 48);
  rows(longStaged, 2000, 150);
#else
  rows(twiceUnstaged, 14000, 70);
  rows(shortUnstaged, 4000, 70);
  rows(fourTimesUnstaged, 14000, 72);
  rows(againUnstaged, 700, 70);
  rows(againInBanksStaged, 700, 96);
  rows(inBanksStaged, 14000, 64);
  rows(readStaged, 14000, 72);
  rows(fourTimesStaged, 4000, 200);
  rows(longStaged, 4000, 100);
#endif
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
