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

bool StridedAccesses::isKnownBefore(const SCEV *S) {
  return SE.isAvailableAtLoopEntry(S, &L) &&
         Expander.isSafeToExpandAt(S, L.getLoopPreheader()->getTerminator());
}

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
  auto *Counting = dyn_cast<SCEVAddRecExpr>(Counter);
  if (!Counting || Counting->getLoop() != &L || !Counting->isAffine() ||
      !Counting->getStepRecurrence(SE)->isOne())
    return false;
  Skipped = SE.getMinusSCEV(Fixed, Counting->getStart());
  return isKnownBefore(Skipped);
}

/// The address of \p Load as a walk along the loop, or null. Scalar evolution
/// does not trust the flags of what it does not always run, and does not extend
/// what goes down to zero. But if the index wraps in no iteration that reads,
/// and neither does the counter in it, indices are apart by its step.
const SCEVAddRecExpr *StridedAccesses::addressOf(LoadInst &Load,
                                                 const SCEV *Skipped,
                                                 const SCEV *&StartOfSecond) {
  StartOfSecond = nullptr;
  Value *Pointer = Load.getPointerOperand();
  if (auto *Address = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Pointer)))
    return Address->getLoop() == &L && Address->isAffine() ? Address : nullptr;
  auto *GEP = dyn_cast<GetElementPtrInst>(Pointer);
  if (!GEP || GEP->getNumIndices() != 1 ||
      GEP->getParent() != Load.getParent() ||
      !L.isLoopInvariant(GEP->getPointerOperand()))
    return nullptr;
  auto *Extension = dyn_cast<CastInst>(GEP->getOperand(1));
  auto *Sum =
      Extension ? dyn_cast<OverflowingBinaryOperator>(Extension->getOperand(0))
                : nullptr;
  bool Signed = isa_and_nonnull<SExtInst>(Extension);
  if (!Sum || Sum->getOpcode() != Instruction::Add ||
      cast<Instruction>(Sum)->getParent() != Load.getParent() ||
      !(Signed ? Sum->hasNoSignedWrap()
               : isa<ZExtInst>(Extension) && Sum->hasNoUnsignedWrap()))
    return nullptr;
  auto *Index = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Sum));
  unsigned Fixed = L.isLoopInvariant(Sum->getOperand(0)) ? 0 : 1;
  auto *Counter =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Sum->getOperand(1 - Fixed)));
  if (!Index || Index->getLoop() != &L || !Index->isAffine() || !Counter ||
      !L.isLoopInvariant(Sum->getOperand(Fixed)) ||
      !(Signed
            ? Counter->hasNoSignedWrap()
            : Counter->hasNoUnsignedWrap() || (Counter->hasNoSignedWrap() &&
                                               SE.isKnownNonNegative(Counter))))
    return nullptr;
  Type *Ty = SE.getEffectiveSCEVType(Pointer->getType());
  auto Extend = [&](const SCEV *S) {
    return Signed ? SE.getNoopOrSignExtend(S, Ty)
                  : SE.getNoopOrZeroExtend(S, Ty);
  };
  const SCEV *Size = SE.getConstant(
      Ty, Load.getDataLayout().getTypeAllocSize(GEP->getSourceElementType()));
  const SCEV *Base = SE.getSCEV(GEP->getPointerOperand());
  const SCEV *Step = SE.getNoopOrSignExtend(Index->getStepRecurrence(SE), Ty);
  const SCEV *Second =
      SE.getAddExpr(Index->getStart(), Index->getStepRecurrence(SE));
  auto At = [&](const SCEV *Place) {
    return SE.getAddExpr(Base, SE.getMulExpr(Size, Place));
  };
  if (Skipped)
    StartOfSecond = At(SE.getMinusSCEV(Extend(Second), Step));
  return dyn_cast<SCEVAddRecExpr>(
      SE.getAddRecExpr(At(Extend(Index->getStart())), SE.getMulExpr(Size, Step),
                       &L, SCEV::FlagAnyWrap));
}

std::optional<StageRefusal> StridedAccesses::find(LoadInst &Load,
                                                  StridedAccess &Found) {
  if (!skippedIteration(*Load.getParent(), Found.Skipped))
    return StageRefusal::Conditional;
  auto *Address = addressOf(Load, Found.Skipped, Found.StartOfSecond);
  if (!Address)
    return StageRefusal::NotAffine;
  Found.Start = Address->getStart();
  Found.Step = Address->getStepRecurrence(SE);
  auto *Constant = dyn_cast<SCEVConstant>(Found.Step);
  if (!isKnownBefore(Found.Start) || !isKnownBefore(Found.Step) ||
      (Found.StartOfSecond && !isKnownBefore(Found.StartOfSecond)) ||
      (Constant && Constant->isZero()) ||
      (Found.Skipped && Constant && Constant->getAPInt().isNegative()))
    return StageRefusal::NotAffine;
  return std::nullopt;
}

const SCEV *tripCount(const Loop &L, ScalarEvolution &SE) {
  const SCEV *BackEdges = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(BackEdges) ||
      SE.getTypeSizeInBits(BackEdges->getType()) > 64)
    return nullptr;
  Type *I64 = Type::getInt64Ty(L.getHeader()->getContext());
  return SE.getAddExpr(SE.getTruncateOrZeroExtend(BackEdges, I64),
                       SE.getOne(I64));
}

} // namespace ferry
