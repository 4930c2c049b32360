//===- Guards.cpp - On which conditions code is reached -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guards.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

std::optional<GuardList> findGuards(const BasicBlock &From, BasicBlock &B,
                                    const DominatorTree &DT,
                                    const PostDominatorTree &PDT,
                                    function_ref<bool(Value *)> IsGuard) {
  GuardList Guards;
  for (BasicBlock *At = &B; At != &From;) {
    BasicBlock *Above = DT.getNode(At)->getIDom()->getBlock();
    if (!PDT.dominates(At, Above)) {
      auto *Br = dyn_cast<BranchInst>(Above->getTerminator());
      if (!Br || !Br->isConditional() || At->getSinglePredecessor() != Above ||
          !IsGuard(Br->getCondition()))
        return std::nullopt;
      Guards.push_back({Br->getCondition(), Br->getSuccessor(0) == At});
    }
    At = Above;
  }
  std::reverse(Guards.begin(), Guards.end());
  return Guards;
}

} // namespace ferry
