//===- BlockUniformity.h - Where a block's threads are together -*- C++ -*-===//
//-*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_BLOCKUNIFORMITY_H
#define FERRY_STAGE_BLOCKUNIFORMITY_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class PostDominatorTree;
} // namespace llvm

namespace ferry {

/// Tells of a kernel which values are the same in all threads of a thread
/// block, and which basic blocks all of its threads reach equally often. Both
/// answers err towards "no".
///
/// A basic block is reached by all threads when it is control dependent
/// (Ferrante, Ottenstein and Warren, TOPLAS 1987) on such blocks with uniform
/// branches alone, or when it holds a barrier, which the program promises.
class BlockUniformity {
public:
  BlockUniformity(llvm::Function &Kernel, const llvm::PostDominatorTree &PDT);

  bool isUniform(const llvm::Value &V) { return Uniformity->isUniform(&V); }
  /// The same where \p U has it, which may be behind a loop that some threads
  /// leave before others.
  bool isUniformAt(const llvm::Use &U) {
    return !Uniformity->isDivergentUse(U);
  }
  bool isReachedTogether(const llvm::BasicBlock &B) const {
    return !Apart.contains(&B);
  }

private:
  llvm::FunctionAnalysisManager Analyses; ///< with our sources of divergence
  llvm::UniformityInfo *Uniformity;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Apart;
};

} // namespace ferry

#endif // FERRY_STAGE_BLOCKUNIFORMITY_H
