//===- TilePlan.h - A nest of loops, tile by tile ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data: TileAnalysis fills it in, TileEmitter writes IR by it.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_TILEPLAN_H
#define FERRY_STAGE_TILEPLAN_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Instruction;
class LoadInst;
class Loop;
class PHINode;
class SCEV;
class Value;
} // namespace llvm

namespace ferry {

/// What the walk reads of one array.
struct TileStream {
  llvm::LoadInst *Load;
  bool ByRow;    ///< the address depends on i and k, else on j and k
  bool AlongK;   ///< neighbours in memory are neighbours in k, else in i or j
  unsigned Size; ///< bytes of an element
};

/// A counter of the walk: what it is in iteration 0, and how much it grows.
struct TileInduction {
  llvm::Value *Start;
  const llvm::SCEV *Step; ///< does not vary in the kernel's loops
};

/// A nest for (i) for (j) { Pre; for (k) Walk; Post } whose iterations
/// (i, j) = Index are the threads' work, with index = i * Width + j.
struct TileNest {
  llvm::Loop *Distribute = nullptr; ///< the block's chunks
  llvm::Loop *Threads = nullptr;    ///< the thread's iterations in a chunk
  llvm::Loop *Walk = nullptr;       ///< one block
  llvm::PHINode *Index = nullptr;
  llvm::Value *Total = nullptr;      ///< iterations (i, j)
  llvm::Value *Width = nullptr;      ///< of j
  unsigned Chunk = 0;                ///< iterations of a block's chunk
  const llvm::SCEV *Trips = nullptr; ///< i64, iterations of the walk

  llvm::SmallVector<llvm::BasicBlock *, 2> Pre; ///< in order
  /// What leads from Pre to After where there is nothing to walk.
  llvm::SmallSetVector<llvm::BasicBlock *, 2> Passing;
  llvm::SmallSetVector<llvm::BasicBlock *, 4> Post;
  llvm::BasicBlock *After = nullptr; ///< of Post, where the walk ends
  /// How the thread's loop goes on; not part of the iteration.
  llvm::SmallPtrSet<llvm::Instruction *, 4> Control;

  /// Instructions that are i and j.
  llvm::SmallPtrSet<llvm::Instruction *, 2> Row, Column;
  llvm::SmallDenseMap<llvm::PHINode *, TileInduction> Inductions;
  llvm::SmallVector<llvm::PHINode *, 2> Carried; ///< other phis of the walk
  llvm::SmallVector<TileStream, 2> Streams;

  /// What must be true for the nest to be as described, and the walk to be
  /// reached.
  llvm::SmallVector<std::pair<llvm::Value *, bool>, 4> Conditions;
  /// Whether all streams can be copied asynchronously if Bases lead to global
  /// memory.
  bool CanBeAsync = false;
  llvm::SmallSetVector<llvm::Value *, 2> Bases;
  /// Values that must be the width, in so many bits.
  llvm::SmallVector<std::pair<llvm::Value *, unsigned>, 2> Widths;
};

/// How many iterations a block takes together, and a thread of them.
struct TilePlan {
  TileNest Nest;
  static constexpr unsigned ThreadRows = 4, ThreadColumns = 4;
  static constexpr unsigned ColumnsOfThreads = 8;
  static constexpr unsigned Columns = ColumnsOfThreads * ThreadColumns;
  static constexpr unsigned MinThreads = 32;
  unsigned MaxThreads = 0; ///< of a block that is tiled
  unsigned Steps = 0;      ///< of the walk, staged at once
  /// Copy the next steps while the thread computes, by cp.async.
  bool Async = false;

  /// Rows of the tile of a block of so many threads.
  static constexpr unsigned rows(unsigned Threads) {
    return Threads / ColumnsOfThreads * ThreadRows;
  }
  /// Elements from one step to the next in shared memory. What is copied along
  /// k is padded, so that it is written without bank conflicts.
  unsigned pitch(const TileStream &S) const {
    return (S.ByRow ? rows(MaxThreads) : Columns) + (S.AlongK ? 1 : 0);
  }
  /// Tiles of a stream in shared memory.
  unsigned buffers() const { return Async ? 2 : 1; }
  /// Bytes of a tile.
  unsigned bytes(const TileStream &S) const {
    return (Steps * pitch(S) * S.Size + 15) / 16 * 16;
  }
  unsigned bytes() const {
    unsigned Sum = 0;
    for (const TileStream &S : Nest.Streams)
      Sum += bytes(S) * buffers();
    return Sum;
  }
};

} // namespace ferry

#endif // FERRY_STAGE_TILEPLAN_H
