//===- LaunchValues.cpp - Values that a launch gives a kernel -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchValues.h"
#include "GpuTarget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace ferry {

/// Whether \p I neither writes to memory nor waits for another thread that may
/// have written: in the kernel's first block none has, if nothing else is
/// there.
static bool isQuiet(const Instruction &I) {
  return !I.mayWriteToMemory() || isa<AssumeInst, DbgInfoIntrinsic>(I) ||
         (I.getParent()->isEntryBlock() && isBlockBarrier(I));
}

/// Whether a thread does nothing but quiet instructions before \p Load, which
/// it executes once.
static bool isReadFirst(const LoadInst &Load) {
  const BasicBlock *Its = Load.getParent();
  auto UpTo = make_range(Its->begin(), Load.getIterator());
  if (!all_of(UpTo, isQuiet))
    return false;
  SmallSetVector<const BasicBlock *, 8> Before(pred_begin(Its), pred_end(Its));
  for (unsigned I = 0; I < Before.size(); ++I) {
    if (Before[I] == Its || !all_of(*Before[I], isQuiet))
      return false;
    Before.insert(pred_begin(Before[I]), pred_end(Before[I]));
  }
  return true;
}

/// The branch that decides which of its two values \p Phi has, if one of them
/// comes straight from it and the other by a block of its own.
static const BranchInst *choiceOf(const PHINode &Phi) {
  if (Phi.getNumIncomingValues() != 2)
    return nullptr;
  for (unsigned Straight : {0, 1}) {
    const BasicBlock *From = Phi.getIncomingBlock(Straight);
    const BasicBlock *Other = Phi.getIncomingBlock(1 - Straight);
    if (Other->getSinglePredecessor() == From &&
        Other->getSingleSuccessor() == Phi.getParent())
      return dyn_cast<BranchInst>(From->getTerminator());
  }
  return nullptr;
}

/// isLaunchValue(), for a value that is \p Depth operations deep at most.
static bool isLaunchValue(const Value *V, unsigned Depth) {
  if (isa<Argument, Constant>(V))
    return true;
  if (!Depth)
    return false;
  auto Is = [&](const Value *Of) { return isLaunchValue(Of, Depth - 1); };
  if (auto *Load = dyn_cast<LoadInst>(V))
    return Load->isSimple() && Is(Load->getPointerOperand()) &&
           isReadFirst(*Load);
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    const BranchInst *Choice = choiceOf(*Phi);
    return Choice && Choice->isConditional() && Is(Choice->getCondition()) &&
           all_of(Phi->incoming_values(), [&](const Use &U) { return Is(U); });
  }
  if (isa<CastInst, CmpInst, BinaryOperator, GEPOperator>(V))
    return all_of(cast<User>(V)->operands(),
                  [&](const Use &U) { return Is(U); });
  return false;
}

bool isLaunchValue(const Value *V) {
  constexpr unsigned MaxDepth = 8;
  return isLaunchValue(V, MaxDepth);
}

bool isSameEverywhere(const SCEV *S) {
  return !SCEVExprContains(S, [&](const SCEV *E) {
    auto *U = dyn_cast<SCEVUnknown>(E);
    return isa<SCEVAddRecExpr>(E) || (U && !isLaunchValue(U->getValue()));
  });
}

const Argument *parameterOf(const Value *V) {
  auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi || !isLaunchValue(Phi))
    return nullptr;
  const Argument *Parameter = nullptr;
  for (const Use &U : Phi->incoming_values())
    if (auto *A = dyn_cast<Argument>(U)) {
      if (Parameter)
        return nullptr;
      Parameter = A;
    }
  return Parameter;
}

} // namespace ferry
