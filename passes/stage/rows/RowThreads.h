//===- RowThreads.h - How many threads have a row ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_ROWTHREADS_H
#define FERRY_STAGE_ROWTHREADS_H

#include "ThreadStrides.h"
#include "llvm/IR/InstrTypes.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class ICmpInst;
} // namespace llvm

namespace ferry {

struct RowUnit;
struct WarpRegion;

/// Whether \p V is the number of the thread in its block, as OpenMP's runtime
/// computes it.
bool isOwnNumber(llvm::Value *V);

/// Finds how many threads of a block come to a unit, as far as branches tell by
/// their numbers, or how the iterations around it are given out. Reads IR only.
class RowThreads {
public:
  RowThreads(const llvm::DominatorTree &DT, llvm::ScalarEvolution &SE,
             BlockUniformity &Uniformity, ThreadStrides &Strides)
      : DT(DT), SE(SE), Uniformity(Uniformity), Strides(Strides) {}

  /// Sets Threads and ThreadsInBlock of \p Unit of \p Region, which threads
  /// come to by \p Before.
  void count(RowUnit &Unit, const llvm::BasicBlock &Before,
             const WarpRegion &Region);

  /// Sets Chunk and Part of \p Unit.
  void findChunks(RowUnit &Unit);

private:
  const llvm::SCEV *threadsOf(const llvm::ICmpInst &Compare, bool Met);
  const llvm::SCEV *mostOf(const llvm::SCEV *Threads);
  const llvm::SCEV *firstIterations(llvm::Value *Number,
                                    llvm::CmpInst::Predicate Holds,
                                    const llvm::Value *Bound);

  const llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  BlockUniformity &Uniformity;
  ThreadStrides &Strides;
};

} // namespace ferry

#endif // FERRY_STAGE_ROWTHREADS_H
