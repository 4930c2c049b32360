//===- ThreadStrides.h - How addresses differ between threads ---*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_THREADSTRIDES_H
#define FERRY_STAGE_THREADSTRIDES_H

#include "stage/common/BlockUniformity.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class LoopInfo;
class PHINode;
class SCEV;
class SCEVAddExpr;
class SCEVMulExpr;
class SCEVTruncateExpr;
class SCEVUnknown;
class ScalarEvolution;
class SelectInst;
class Value;
} // namespace llvm

namespace ferry {

/// What values are from one thread of a block to the next. It is no
/// SCEVVisitor, which asks for a method for each kind of expression that a
/// version of LLVM has: most kinds are alike here.
class ThreadStrides {
public:
  ThreadStrides(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
                BlockUniformity &Uniformity)
      : LI(LI), SE(SE), Uniformity(Uniformity) {}

  /// The derivative of \p S after the number of the thread in its block: an
  /// expression, or null when it is not known. It is for estimates: that
  /// numbers of few bits may wrap is left out of account.
  const llvm::SCEV *of(const llvm::SCEV *S);

private:
  const llvm::SCEV *ofUnknown(const llvm::SCEVUnknown &U);
  const llvm::SCEV *ofCounter(llvm::PHINode &Phi);
  const llvm::SCEV *ofSum(const llvm::SCEVAddExpr &S);
  const llvm::SCEV *ofProduct(const llvm::SCEVMulExpr &S);
  bool areSame(llvm::ArrayRef<const llvm::SCEV *> Operands);

  const llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  BlockUniformity &Uniformity;
  /// What counters are taken to have, until the loops' ends have been seen.
  llvm::DenseMap<const llvm::PHINode *, const llvm::SCEV *> Assumed;
};

/// Whether \p S, a part of a number, comes again within a warp if neighbouring
/// threads have numbers that follow each other: of few bits, as LLVM has what
/// is left of a division by 8.
bool isSharedPart(const llvm::SCEVTruncateExpr &S);

/// The number of a thread as OpenMP's runtime computes it is a constant where
/// there is but one: what it is otherwise, if \p Select is of that form; or
/// null.
llvm::Value *variableOf(llvm::SelectInst &Select);

} // namespace ferry

#endif // FERRY_STAGE_THREADSTRIDES_H
