// Each warp of blocks of fewer than four has memory for tiles that are copied ahead.
// Where the largest blocks that a kernel can have, or the options, leave no room for
// them, each tile is waited for. The warps of a block, which a multiprocessor
// has alone, gain by that if their plain loads wait longer: for memory, where a tile
// has many iterations, or for each other, where there are several of them or loads
// have conflicts of banks. What a team's loop has for its threads is not known, so it
// may be one warp.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -mllvm -ferry-stage=off %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_80 %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_reports.py %t.plain.json %t.json --kernels 5
//
// With less memory tiles are shorter.
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -mllvm -ferry-stage=off -Dfewer=fewerNear -Dsmaller=smallerNear %s -o %t.plain
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -mllvm -ferry-stage-max-bytes=16384 -Dfewer=fewerNear -Dsmaller=smallerNear %s -o %t.staged
// RUN: %ferry_sim --strict --quiet --json %t.plain.json -- %t.plain > %t.plain.out
// RUN: %ferry_sim --strict --quiet --json %t.json -- %t.staged > %t.out
// RUN: diff %t.plain.out %t.out
// RUN: %python %S/Inputs/compare_reports.py %t.plain.json %t.json --kernels 5
#include "Inputs/staged.h"

namespace {
constexpr int N = 1000;

#define PRAGMA(Text) _Pragma(#Text)
#define ROWS(Name, Type, Limit)                                                \
  void Name(const Type *A, Type *Sums, int M) {                                \
    PRAGMA(omp target teams distribute parallel for thread_limit(Limit) is_device_ptr(A, Sums)) \
    for (int I = 0; I < N; ++I) {                                              \
      Type Sum = 0;                                                            \
      for (int K = 0; K < M; ++K)                                              \
        Sum += A[I * M + K];                                                   \
      Sums[I] = Sum;                                                           \
    }                                                                          \
  }
#ifndef smaller
#define smaller twoWarpsFewer
#endif
ROWS(smaller, double, 64)
ROWS(floatsFewer, float, 64)
ROWS(conflictingFewer, double, 64)
#ifndef fewer
#define fewer fourWarpsFewer
#endif
ROWS(fewer, double, 128)

void chunksNear(const double *A, double *Sums, int M) {
#pragma omp target teams distribute num_teams(3) thread_limit(128) is_device_ptr(A, Sums)
  for (int First = 0; First < N; First += 50) {
#pragma omp parallel for
    for (int I = First; I < First + 50; ++I) {
      double Sum = 0;
      for (int K = 0; K < M; ++K)
        Sum += A[I * M + K];
      Sums[I] = Sum;
    }
  }
}

template <typename T> void sums(void (*Run)(const T *, T *, int), int M) {
  staged::Array<T> A(N * M), Sums(N);
  Run(A.device(), Sums.device(), M);
  Sums.read();
  for (int I = 0; I < N; ++I) {
    T Sum = 0;
    for (int K = 0; K < M; ++K)
      Sum += A.host()[I * M + K];
    check::value("Sums", Sums.host()[I], Sum, I);
  }
}
} // namespace

PROGRAM(two) { sums(smaller, 203); }
PROGRAM(floats) { sums(floatsFewer, 203); }
PROGRAM(conflicting) { sums(conflictingFewer, 208); }
PROGRAM(four) { sums(fewer, 203); }
PROGRAM(chunks) { sums(chunksNear, 203); }

int main(int Argc, char **Argv) { return staged::run(Argc, Argv); }
