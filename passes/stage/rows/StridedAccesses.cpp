//===- StridedAccesses.cpp - How loads go through memory ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StridedAccesses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

StridedAccesses::StridedAccesses(Loop &L, DominatorTree &DT,
                                 ScalarEvolution &SE)
    : L(L), DT(DT), SE(SE),
      Expander(SE, L.getHeader()->getDataLayout(), "stage") {}

/// Whether \p B runs in every iteration of the loop, or in every one but one,
/// which is then in \p Skipped:  if (k != x) { B }
bool StridedAccesses::skippedIteration(BasicBlock &B, const SCEV *&Skipped) {
  Skipped = nullptr;
  if (DT.dominates(&B, L.getLoopLatch()))
    return true;
  BasicBlock *Before = B.getSinglePredecessor();
  if (!Before || !DT.dominates(Before, L.getLoopLatch()))
    return false;
  ComparePredicate Predicate;
  Value *Left, *Right;
  BasicBlock *True, *False;
  if (!match(Before->getTerminator(),
             m_Br(m_ICmp(Predicate, m_Value(Left), m_Value(Right)),
                  m_BasicBlock(True), m_BasicBlock(False))) ||
      True == False || !Left->getType()->isIntegerTy() ||
      (Predicate == ICmpInst::ICMP_NE   ? True
       : Predicate == ICmpInst::ICMP_EQ ? False
                                        : nullptr) != &B)
    return false;
  const SCEV *Counter = SE.getSCEV(Left), *Fixed = SE.getSCEV(Right);
  if (SE.isLoopInvariant(Counter, &L))
    std::swap(Counter, Fixed);
  auto *Counting = affineRecurrence(Counter, L);
  if (!Counting || !Counting->getStepRecurrence(SE)->isOne())
    return false;
  Skipped = SE.getMinusSCEV(Fixed, Counting->getStart());
  return isKnownBefore(Skipped);
}

/// Finds where \p Load goes although scalar evolution does not trust the flags
/// of what it does not always run, and does not extend what goes down to zero.
/// But if the index wraps in no iteration that reads, and neither does the
/// counter in it, indices are apart by its step.
bool StridedAccesses::findExtended(LoadInst &Load, StridedAccess &Found) {
  auto *GEP = dyn_cast<GetElementPtrInst>(Load.getPointerOperand());
  if (!GEP || GEP->getNumIndices() != 1 ||
      GEP->getParent() != Load.getParent() ||
      !L.isLoopInvariant(GEP->getPointerOperand()))
    return false;
  Instruction *Sum;
  Value *Fixed, *Counting, *Extended = GEP->getOperand(1);
  if (!match(Extended, m_ZExtOrSExt(m_Instruction(Sum))) ||
      Sum->getParent() != Load.getParent())
    return false;
  const bool Signed = isa<SExtInst>(Extended);
  if (!(Signed ? match(Sum, m_NSWAdd(m_Value(Fixed), m_Value(Counting)))
               : match(Sum, m_NUWAdd(m_Value(Fixed), m_Value(Counting)))))
    return false;
  if (!L.isLoopInvariant(Fixed))
    std::swap(Fixed, Counting);
  auto *Index = affineRecurrence(SE.getSCEV(Sum), L);
  auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Counting));
  if (!Index || !Counter || !L.isLoopInvariant(Fixed) ||
      !(Signed
            ? Counter->hasNoSignedWrap()
            : Counter->hasNoUnsignedWrap() || (Counter->hasNoSignedWrap() &&
                                               SE.isKnownNonNegative(Counter))))
    return false;
  Type *Ty = SE.getEffectiveSCEVType(GEP->getType());
  auto Extend = [&](const SCEV *S) {
    return Signed ? SE.getNoopOrSignExtend(S, Ty)
                  : SE.getNoopOrZeroExtend(S, Ty);
  };
  const SCEV *Size = SE.getConstant(
      Ty, Load.getDataLayout().getTypeAllocSize(GEP->getSourceElementType()));
  const SCEV *Base = SE.getSCEV(GEP->getPointerOperand());
  const SCEV *Step = SE.getNoopOrSignExtend(Index->getStepRecurrence(SE), Ty);
  auto At = [&](const SCEV *Place) {
    return SE.getAddExpr(Base, SE.getMulExpr(Size, Place));
  };
  Found.Start = At(Extend(Index->getStart()));
  Found.Step = SE.getMulExpr(Size, Step);
  if (Found.Skipped)
    Found.StartOfSecond = At(SE.getMinusSCEV(
        Extend(SE.getAddExpr(Index->getStart(), Index->getStepRecurrence(SE))),
        Step));
  return true;
}

std::optional<StageRefusal> StridedAccesses::find(LoadInst &Load,
                                                  StridedAccess &Found) {
  if (!skippedIteration(*Load.getParent(), Found.Skipped))
    return StageRefusal::Conditional;
  const SCEV *Address = SE.getSCEV(Load.getPointerOperand());
  if (auto *Recurrence = affineRecurrence(Address, L)) {
    Found.Start = Recurrence->getStart();
    Found.Step = Recurrence->getStepRecurrence(SE);
  } else if (isa<SCEVAddRecExpr>(Address) || !findExtended(Load, Found)) {
    return StageRefusal::NotAffine;
  }
  auto *Constant = dyn_cast<SCEVConstant>(Found.Step);
  if (!isKnownBefore(Found.Start) || !isKnownBefore(Found.Step) ||
      (Found.StartOfSecond && !isKnownBefore(Found.StartOfSecond)) ||
      (Constant && Constant->isZero()) ||
      (Found.Skipped && Constant && Constant->getAPInt().isNegative()))
    return StageRefusal::NotAffine;
  return std::nullopt;
}

} // namespace ferry
