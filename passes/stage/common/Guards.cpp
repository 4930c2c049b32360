//===- Guards.cpp - On which conditions code is reached -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Guards.h"
#include "LaunchValues.h"
#include "support/DominatingConditions.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
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

/// Adds to \p All what \p Compare, which has to be \p Met, says of the launch.
static void addCondition(ICmpInst &Compare, bool Met, ScalarEvolution &SE,
                         LaunchConditions &All) {
  Type *I64 = Type::getInt64Ty(Compare.getContext());
  auto Operand = [&](unsigned I) {
    const SCEV *S = SE.getSCEV(Compare.getOperand(I));
    return Compare.isSigned() ? SE.getTruncateOrSignExtend(S, I64)
                              : SE.getTruncateOrZeroExtend(S, I64);
  };
  const SCEV *Difference = SE.getMinusSCEV(Operand(0), Operand(1));
  if (!isSameEverywhere(Difference) || isa<SCEVConstant>(Difference))
    return;
  const CmpInst::Predicate Holds =
      Met ? Compare.getPredicate() : Compare.getInversePredicate();
  if (Holds == CmpInst::ICMP_EQ)
    All.push_back({Difference, 0, 0});
  else if (Holds == CmpInst::ICMP_NE)
    All.push_back({SE.getUMinExpr(Difference, SE.getOne(I64)), 1});
  else if (ICmpInst::isGT(Holds) || ICmpInst::isGE(Holds))
    All.push_back({Difference, ICmpInst::isGT(Holds)});
  else
    All.push_back({Difference, INT64_MIN, -int64_t(ICmpInst::isLT(Holds))});
}

LaunchConditions launchGuards(const BasicBlock &B, const DominatorTree &DT,
                              ScalarEvolution &SE) {
  LaunchConditions All;
  forEachBranchAbove(B, DT, UINT_MAX, [&](const BranchInst &Branch, bool Met) {
    forEachComparison(Branch.getCondition(), Met,
                      [&](ICmpInst &Compare, bool Holds) {
                        addCondition(Compare, Holds, SE, All);
                      });
  });
  return All;
}

} // namespace ferry
