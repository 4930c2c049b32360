//===- NestPlan.h - A nest of loops, tile by tile ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data: NestAnalysis fills it in, NestEmitter writes IR by it.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_NESTPLAN_H
#define FERRY_STAGE_NESTPLAN_H

#include "stage/common/IterationSpace.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class OptimizationRemarkEmitter;
class raw_ostream;
} // namespace llvm

namespace ferry {

/// What the walk reads of one array.
struct NestOperand {
  llvm::LoadInst *Load;
  bool ByRow;    ///< the address depends on i and k, else on j and k
  bool AlongK;   ///< neighbours in memory are neighbours in k, else in i or j
  unsigned Size; ///< bytes of an element
};

/// A counter of the walk: what it is in iteration 0, and how much it grows.
struct NestInduction {
  llvm::Value *Start;
  const llvm::SCEV *Step; ///< does not vary in the kernel's loops
};

/// A nest for (i) for (j) { Pre; for (k) Walk; Post } whose iterations
/// (i, j) = Index are the threads' work, with index = i * Width + j.
struct KernelNest : IterationSpace {
  llvm::Loop *Walk = nullptr;        ///< one block
  const llvm::SCEV *Trips = nullptr; ///< i64, iterations of the walk

  llvm::SmallVector<llvm::BasicBlock *, 2> Pre; ///< in order
  /// What leads from Pre to After where there is nothing to walk.
  llvm::SmallSetVector<llvm::BasicBlock *, 2> Passing;
  llvm::SmallSetVector<llvm::BasicBlock *, 4> Post;
  llvm::BasicBlock *After = nullptr; ///< of Post, where the walk ends
  llvm::SmallDenseMap<llvm::PHINode *, NestInduction> Inductions;
  llvm::SmallVector<llvm::PHINode *, 2> Carried; ///< other phis of the walk
  llvm::SmallVector<NestOperand, 2> Streams;
};

/// What a block copies and computes together.
struct NestPlan {
  static constexpr bool NeedsSimpleLoops = false;
  KernelNest Nest;
  static constexpr TileShape Shape = {4, 4, 8};
  unsigned MaxThreads = 0; ///< of a block that is tiled
  unsigned Steps = 0;      ///< of the walk, staged at once
  /// Copy the next steps while the thread computes, by cp.async.
  bool Async = false;

  /// Elements from one step to the next in shared memory. What is copied along
  /// k is padded, so that it is written without bank conflicts.
  unsigned pitch(const NestOperand &S) const {
    return (S.ByRow ? Shape.rows(MaxThreads) : Shape.columns()) +
           (S.AlongK ? 1 : 0);
  }
  /// Tiles of a stream in shared memory.
  unsigned buffers() const { return Async ? 2 : 1; }
  /// Bytes of a tile.
  unsigned bytes(const NestOperand &S) const {
    return (Steps * pitch(S) * S.Size + 15) / 16 * 16;
  }
  unsigned bytes() const {
    unsigned Sum = 0;
    for (const NestOperand &S : Nest.Streams)
      Sum += bytes(S) * buffers();
    return Sum;
  }
};

void print(llvm::raw_ostream &OS, const NestPlan &Plan);
void remark(llvm::OptimizationRemarkEmitter &ORE, const NestPlan &Plan);

} // namespace ferry

#endif // FERRY_STAGE_NESTPLAN_H
