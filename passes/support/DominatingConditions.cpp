//===- DominatingConditions.cpp - What holds where code is reached --------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DominatingConditions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

void forEachBranchAbove(const BasicBlock &At, const DominatorTree &DT,
                        unsigned MaxBlocks,
                        function_ref<void(const BranchInst &, bool)> Each) {
  const DomTreeNode *Node = DT.getNode(&At);
  for (unsigned I = 0; Node && I < MaxBlocks; ++I, Node = Node->getIDom()) {
    auto *Branch = dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
    if (!Branch || !Branch->isConditional() ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    for (bool Met : {true, false})
      if (DT.dominates({Node->getBlock(), Branch->getSuccessor(!Met)}, &At))
        Each(*Branch, Met);
  }
}

void forEachComparison(Value *Condition, bool Met,
                       function_ref<void(ICmpInst &, bool)> Each) {
  Value *A, *B;
  if (Met ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
          : match(Condition, m_LogicalOr(m_Value(A), m_Value(B)))) {
    forEachComparison(A, Met, Each);
    forEachComparison(B, Met, Each);
    return;
  }
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  if (Compare && Compare->getOperand(0)->getType()->isIntegerTy())
    Each(*Compare, Met);
}

} // namespace ferry
