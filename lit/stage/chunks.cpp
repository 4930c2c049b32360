// Where clauses give the iterations to few threads of a block, each has several
// rows, one after another, and the rest of its warp has none: such kernels are
// left, and the remark says so.
//
// RUN: %sim_cxx -O3 --offload-arch=sm_80 -Rpass=ferry-stage -Rpass-missed=ferry-stage -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark

#include "Inputs/row_sums.h"

#define SUMS(Name, ...) SUMS_BY(int, Name, __VA_ARGS__)
#define SUMS_BY(Index, Name, ...) ROW_SUMS(double, Index, Name, __VA_ARGS__)

namespace {
int Columns = 512, Pitch = 515, Chunk = 4;
}
// CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} not staged: only a few threads of a block have a row, {{.*}} [few-rows]
SUMS(chunks, schedule(static, 4))
// CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} [few-rows]
SUMS(longChunks, schedule(static, 32))
// CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} [few-rows]
SUMS(chosenChunks, schedule(static, Chunk))
// CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} [few-rows]
SUMS(parts, dist_schedule(static, 8))
// CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} [few-rows]
SUMS_BY(long, longParts, dist_schedule(static, 16))
// CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} [few-rows]
SUMS_BY(long, chunksByLong, schedule(static, 4))
// CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} remark: staged
SUMS_BY(long, largePartsByLong, dist_schedule(static, 512) schedule(static, 4))
// CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} [few-rows]
SUMS(smallBlocks, thread_limit(64) schedule(static, 4))
// CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} remark: staged
SUMS(pairs, schedule(static, 2))
// CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} remark: staged
SUMS(largeBlocks, thread_limit(256) schedule(static, 4))
// CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} remark: staged
SUMS(largeParts, dist_schedule(static, 512) schedule(static, 4))
// What is left of an iteration by the columns is frozen before the loop.
void chunksOfTwoLoops(const double *A, const double *B, double *Sums, long Rows, long Width) {
#pragma omp target teams distribute parallel for collapse(2) schedule(static, 32) is_device_ptr(A, B, Sums)
  for (long I = 0; I < Rows; ++I)
    for (long J = 0; J < Width; ++J) {
      double Sum = 0;
      // CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} [few-rows]
      for (long K = 0; K < Columns; ++K)
        Sum += A[(I * Width + J) * Pitch + K] * B[K * Width + J];
      Sums[I * Width + J] = Sum;
    }
}
// Each thread has several rows here as well, but all threads do.
void several(const double *A, double *Sums, int Rows) {
#pragma omp target teams distribute parallel for is_device_ptr(A, Sums)
  for (int I = 0; I < Rows / 4; ++I)
#pragma nounroll
    for (int J = I * 4; J < I * 4 + 4; ++J) {
      double Sum = 0;
      for (int K = 0; K < Columns; ++K)
        // CHECK: chunks.cpp:[[@LINE+1]]:{{.*}} remark: staged
        Sum += A[J * Pitch + K];
      Sums[J] = Sum;
    }
}
