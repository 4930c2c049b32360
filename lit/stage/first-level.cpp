// Beside a loop that is staged another one stays as it is, and reads rows, too:
// of lines that its threads walk along the first level has what the next
// iterations read. Tiles take room from it, so that a launch is left as it was
// if the first level has room for these lines and would not have it beside
// tiles; not if it has no room anyway, or blocks are so large that a
// multiprocessor has few. Blocks of one warp have room for fewer such lines.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_70 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_70 %s -o %t.staged
// RUN: for how in plain staged; do %ferry_sim --strict --quiet --json %t.$how.json -- %t.$how > %t.$how.out || exit 1; done
// RUN: diff %t.plain.out %t.staged.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.staged.json --kernels 6
//
// The first level of an A100 has room for one of them beside tiles, not for two.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DA100 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -DA100 %s -o %t.staged
// RUN: for how in plain staged; do %ferry_sim --strict --quiet --json %t.$how.json -- %t.$how > %t.$how.out || exit 1; done
// RUN: diff %t.plain.out %t.staged.out
// RUN: %python %S/Inputs/compare_versions.py %t.plain.json %t.staged.json --kernels 3
#include "Inputs/staged.h"

namespace {
#define PRAGMA(...) _Pragma(#__VA_ARGS__)

/// The sum of a row of A, and of what is read of B, in every other row of one
/// less, so that this is not staged.
#define SUMS(Name, Limit, Read)                                                \
  void Name(const double *A, const float *B, double *Sums, int N, int M) {     \
    PRAGMA(omp target teams distribute parallel for is_device_ptr(A, B, Sums) thread_limit(Limit)) \
    for (int I = 0; I < N; ++I) {                                              \
      double Sum = 0;                                                          \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * (M + 2) + K];                                             \
      for (int K = 0; K < M - I % 2; ++K)                                      \
        Sum += Read;                                                           \
      Sums[I] = Sum;                                                           \
    }                                                                          \
  }

void sums(void (*Run)(const double *, const float *, double *, int, int), int N,
          int M) {
  staged::Array<double> A(N * (M + 2)), Sums(N);
  staged::Array<float> B(N * (M + 4));
  Run(A.device(), B.device(), Sums.device(), N, M);
  Sums.read();
}

#define ROW B[I * (M + 4) + K]

#ifdef A100
SUMS(twoRowsUnstaged, 128, ROW + B[(N - 1 - I) * (M + 4) + K])
SUMS(twoRowsStaged, 128, ROW + B[(N - 1 - I) * (M + 4) + K])
SUMS(oneRowStaged, 128, ROW)

PROGRAM(rows) {
  sums(twoRowsUnstaged, 65536, 64);
  sums(twoRowsStaged, 118000, 64);
  sums(oneRowStaged, 65536, 64);
}
#else
/// Launches of these have blocks of one warp.
#define SHORT_SUMS(Name)                                                       \
  void Name(const int *A, const short *B, double *Sums, int N, int M) {        \
    PRAGMA(omp target teams distribute parallel for is_device_ptr(A, B, Sums)) \
    for (int I = 0; I < N; ++I) {                                              \
      double Sum = 0;                                                          \
      for (int K = 0; K < 128; ++K)                                            \
        Sum += A[I * 128 + K];                                                 \
      for (int K = 0; K < M; ++K)                                              \
        Sum += B[I * (M + 1) + K] * B[(N + I) * (M + 1) + K];                  \
      Sums[I] = Sum;                                                           \
    }                                                                          \
  }
SHORT_SUMS(smallBlocksUnstaged)
SHORT_SUMS(fewSmallBlocksStaged)

void shortSums(void (*Run)(const int *, const short *, double *, int, int),
               int N, int M) {
  staged::Array<int> A(N * 128);
  staged::Array<double> Sums(N);
  staged::Array<short> B(2 * N * (M + 1));
  Run(A.device(), B.device(), Sums.device(), N, M);
  Sums.read();
}

SUMS(roomUnstaged, 128, ROW)
SUMS(noRoomStaged, 128, ROW)
SUMS(largeBlocksStaged, 512, ROW)
SUMS(columnsStaged, 128, B[K * N + I])

PROGRAM(rows) {
  shortSums(smallBlocksUnstaged, 17000, 256);
  sums(roomUnstaged, 49152, 32);
  shortSums(fewSmallBlocksStaged, 8000, 256);
  sums(noRoomStaged, 120000, 32);
  sums(largeBlocksStaged, 49152, 32);
  sums(columnsStaged, 49152, 32);
}
#endif

} // namespace

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
