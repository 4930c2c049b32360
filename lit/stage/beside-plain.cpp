// A kernel with tiles has so much code that its other loops get few registers, and wait
// for each load. In launches of few warps it is left as it is where such a loop is a
// longer one. So it is where a clause asks for blocks of so many threads that there is
// no room for tiles that are copied ahead, and ptxas unrolls the plain loop further.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_90 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_90 %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.json --kernels 12
#include "Inputs/staged.h"
#include <algorithm>

namespace {
#define PRAGMA(...) _Pragma(#__VA_ARGS__)

/// A row of doubles, and as many bytes of one, which are not staged.
#define TWO_LOOPS(Name, Bytes)                                                 \
  void Name(const double *A, double *Sums, int N, int M) {                     \
    auto *B = reinterpret_cast<const unsigned char *>(A);                      \
    PRAGMA(omp target teams distribute parallel for is_device_ptr(A, B, Sums)) \
    for (int I = 0; I < N; ++I) {                                              \
      double Sum = 0;                                                          \
      unsigned Hash = 1;                                                       \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K];                                                   \
      PRAGMA(clang loop unroll(disable))                                       \
      for (int K = 0; K < (Bytes); ++K)                                        \
        Hash = Hash * 31 + B[I * M + K];                                       \
      Sums[I] = Sum + Hash % 1000;                                             \
    }                                                                          \
  }
TWO_LOOPS(longUnstaged, M)
TWO_LOOPS(shortStaged, 8)
TWO_LOOPS(manyWarpsStaged, M)

/// Both in one loop.
void inOneUnstaged(const double *A, double *Sums, int N, int M) {
  auto *B = reinterpret_cast<const unsigned char *>(A);
#pragma omp target teams distribute parallel for is_device_ptr(A, B, Sums)
  for (int I = 0; I < N; ++I) {
    double Sum = 0;
    for (int K = 0; K < M; ++K)
      Sum = Sum * 0.5 + A[I * M + K] + B[I * M + K];
    Sums[I] = Sum;
  }
}

/// A row by one behind all of them, in blocks of \p Limit threads.
#define PRODUCT(Name, Limit)                                                   \
  void Name(const double *A, double *Sums, int N, int M) {                     \
    const double *B = A + N * M / 2;                                           \
    PRAGMA(omp target teams distribute parallel for thread_limit(Limit) is_device_ptr(A, B, Sums)) \
    for (int I = 0; I < N / 2; ++I) {                                          \
      double Sum = 0;                                                          \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K] * B[I * M + K];                                    \
      Sums[I] = Sum;                                                           \
    }                                                                          \
  }
PRODUCT(largeBlocksUnstaged, 256)
PRODUCT(byClauseUnstaged, 128) // as many as without one, where blocks may be smaller
PRODUCT(inBanksStaged, 256)
PRODUCT(smallBlocksStaged, 32)

/// One row, which LLVM unrolls and ptxas does not; from its end it does.
#define SUM(Name, First, Step)                                                 \
  void Name(const double *A, double *Sums, int N, int M) {                     \
    PRAGMA(omp target teams distribute parallel for thread_limit(256) is_device_ptr(A, Sums)) \
    for (int I = 0; I < N; ++I) {                                              \
      double Sum = 0;                                                          \
      for (int K = First; K >= 0 && K < M; K += Step)                          \
        Sum += A[I * M + K];                                                   \
      Sums[I] = Sum;                                                           \
    }                                                                          \
  }
SUM(oneRowStaged, 0, 1)
SUM(backwardsUnstaged, M - 1, -1)

/// Rows of a team's loop, of which nobody knows before the launch how many there are.
#define CHUNKS(Name, Bytes)                                                    \
  void Name(const double *A, double *Sums, int N, int M) {                     \
    auto *B = reinterpret_cast<const unsigned char *>(A);                      \
    staged::Array<long> All(1);                                                \
    *All.host() = N;                                                           \
    All.write();                                                               \
    const long *Count = All.device();                                          \
    PRAGMA(omp target teams distribute is_device_ptr(A, B, Sums, Count))       \
    for (long First = 0; First < *Count; First += 50) {                        \
      PRAGMA(omp parallel for)                                                 \
      for (long I = First; I < std::min(*Count, First + 50); ++I) {            \
        double Sum = 0;                                                        \
        for (int K = 0; K < M; ++K)                                            \
          Sum += A[I * M + K];                                                 \
        PRAGMA(clang loop unroll(disable))                                     \
        for (int K = 0; K < (Bytes); ++K)                                      \
          Sum += B[I * M + K];                                                 \
        Sums[I] = Sum;                                                         \
      }                                                                        \
    }                                                                          \
  }
CHUNKS(chunksStaged, 8)
CHUNKS(chunksUnstaged, M)

void sums(void (*Run)(const double *, double *, int, int), int N, int M) {
  staged::Array<double> A(N * M), Sums(N);
  Run(A.device(), Sums.device(), N, M);
  Sums.read();
}
} // namespace

PROGRAM(left) { // before the second level has what others have left there
  sums(chunksUnstaged, 16000, 150);
  sums(longUnstaged, 2000, 150);
  sums(inOneUnstaged, 2000, 150);
  sums(largeBlocksUnstaged, 4000, 150);
  sums(byClauseUnstaged, 4000, 150);
  sums(backwardsUnstaged, 4000, 150);
}

PROGRAM(taken) {
  sums(chunksStaged, 16000, 160);
  sums(shortStaged, 2000, 200);
  sums(manyWarpsStaged, 34000, 64);
  sums(inBanksStaged, 4000, 160);
  sums(smallBlocksStaged, 4000, 150);
  sums(oneRowStaged, 4000, 150);
}

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
