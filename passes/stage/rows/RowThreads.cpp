//===- RowThreads.cpp - How many threads have a row -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowThreads.h"
#include "RowPlan.h"
#include "stage/common/GpuTarget.h"
#include "stage/common/LaunchValues.h"
#include "support/DominatingConditions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

bool isOwnNumber(Value *V) {
  while (true) {
    Value *Inner;
    auto *Select = dyn_cast<SelectInst>(V);
    if (Select && (Inner = variableOf(*Select)))
      V = Inner;
    else if (match(V, m_ZExtOrSExt(m_Value(Inner))))
      V = Inner;
    else
      return isThreadNumber(V);
  }
}

/// For how many threads of a block \p Number, which is not negative and differs
/// between them, \p Holds against \p Bound, if that is a constant and these are
/// fewer than a warp has; else null.
const SCEV *RowThreads::firstIterations(Value *Number, CmpInst::Predicate Holds,
                                        const Value *Bound) {
  auto *Limit = dyn_cast<ConstantInt>(Bound);
  auto *Stride =
      Limit ? dyn_cast_or_null<SCEVConstant>(Strides.of(SE.getSCEV(Number)))
            : nullptr;
  if (!Stride || Stride->isZero() || Limit->isNegative())
    return nullptr;
  const uint64_t By = Stride->getAPInt().abs().getLimitedValue(),
                 To = Limit->getLimitedValue();
  uint64_t Threads = gpu::WarpThreads;
  if (Holds == CmpInst::ICMP_EQ)
    Threads = 1;
  else if (ICmpInst::isLT(Holds))
    Threads = divideCeil(To, By);
  else if (ICmpInst::isLE(Holds))
    Threads = To / By + 1;
  return Threads < gpu::WarpThreads
             ? SE.getConstant(Type::getInt64Ty(Limit->getContext()), Threads)
             : nullptr;
}

/// For how many threads of a block \p Compare is \p Met at most, an i64, if all
/// of them know; else null.
const SCEV *RowThreads::threadsOf(const ICmpInst &Compare, bool Met) {
  Value *Number = Compare.getOperand(0), *Threads = Compare.getOperand(1);
  CmpInst::Predicate Holds =
      Met ? Compare.getPredicate() : Compare.getInversePredicate();
  if (isOwnNumber(Threads)) {
    std::swap(Number, Threads);
    Holds = CmpInst::getSwappedPredicate(Holds);
  }
  if (const SCEV *First = firstIterations(Number, Holds, Threads))
    return First;
  if (!isOwnNumber(Number) || !Uniformity.isUniform(*Threads))
    return nullptr;
  Type *I64 = Type::getInt64Ty(Compare.getContext());
  const SCEV *Bound = SE.getSCEV(Threads);
  Bound = CmpInst::isSigned(Holds) ? SE.getNoopOrSignExtend(Bound, I64)
                                   : SE.getNoopOrZeroExtend(Bound, I64);
  if (ICmpInst::isLT(Holds))
    return Bound;
  return ICmpInst::isLE(Holds) ? SE.getAddExpr(Bound, SE.getOne(I64)) : nullptr;
}

/// What \p S is at most, as far as that is known before the launch: a block's
/// part of a loop ends with the loop at the latest. Null otherwise. For
/// estimates: that numbers may wrap is left out of account.
const SCEV *RowThreads::mostOf(const SCEV *S) {
  if (isSameEverywhere(S))
    return S;
  if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(S)) {
    const SCEV *Most = mostOf(S->operands().front());
    return Most ? SE.getZeroExtendExpr(Most, S->getType()) : nullptr;
  }
  if (!isa<SCEVAddExpr>(S))
    return nullptr;
  for (auto [I, Term] : enumerate(S->operands())) {
    SmallVector<const SCEV *, 4> Instead;
    if (isa<SCEVSMinExpr, SCEVUMinExpr>(Term))
      Instead.append(Term->operands().begin(), Term->operands().end());
    else if (const SCEV *Most =
                 isa<SCEVCastExpr>(Term) ? mostOf(Term) : nullptr)
      Instead.push_back(Most);
    for (const SCEV *Other : Instead) {
      SmallVector<const SCEV *, 4> Sum(S->operands().begin(),
                                       S->operands().end());
      Sum[I] = Other;
      if (const SCEV *Most = SE.getAddExpr(Sum); isSameEverywhere(Most))
        return Most;
    }
  }
  return nullptr;
}

/// Whether \p S is the number of the thread's block, in any width.
static bool isNumberOfBlock(const SCEV *S) {
  while (auto *Cast = dyn_cast<SCEVCastExpr>(S))
    S = Cast->getOperand();
  auto *Unknown = dyn_cast<SCEVUnknown>(S);
  return Unknown && isBlockNumber(Unknown->getValue());
}

/// Whether a part of \p S is as \p IsMeant, or of what it freezes.
static bool contains(const SCEV *S, ScalarEvolution &SE,
                     function_ref<bool(const SCEV *)> IsMeant) {
  return SCEVExprContains(S, [&](const SCEV *Part) {
    auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    auto *Freeze =
        Unknown ? dyn_cast<FreezeInst>(Unknown->getValue()) : nullptr;
    return IsMeant(Part) ||
           (Freeze && contains(SE.getSCEV(Freeze->getOperand(0)), SE, IsMeant));
  });
}

/// By how much the iteration \p Start of a block's first part grows from block
/// to block, if that is a constant; or 0.
static uint64_t partOfBlock(const SCEV *Start, ScalarEvolution &SE) {
  uint64_t Part = 0;
  contains(Start, SE, [&](const SCEV *S) {
    auto *Product = dyn_cast<SCEVMulExpr>(S);
    if (Product && Product->getNumOperands() == 2 &&
        isNumberOfBlock(Product->getOperand(1)))
      if (auto *Factor = dyn_cast<SCEVConstant>(Product->getOperand(0)))
        Part = Factor->getAPInt().getLimitedValue();
    return Part != 0;
  });
  return Part;
}

void RowThreads::findChunks(RowUnit &Unit) {
  // The outermost loop in which threads differ gives iterations to them, those
  // around it to blocks.
  for (const Loop *L = Unit.OuterLoop->getParentLoop(); L;
       L = L->getParentLoop()) {
    std::optional<uint64_t> Apart; // from thread to thread
    for (PHINode &Phi : L->getHeader()->phis()) {
      auto *Index = Phi.getType()->isIntegerTy()
                        ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi))
                        : nullptr;
      if (!Index || Index->getLoop() != L)
        continue;
      const SCEV *Start = Index->getStart(), *Stride = Strides.of(Start);
      auto *Known = dyn_cast_or_null<SCEVConstant>(Stride);
      if (Known && !contains(Start, SE, isNumberOfBlock))
        continue;
      if (Known && Known->isZero())
        Unit.Part = partOfBlock(Start, SE);
      else if (Known)
        Apart = Known->getAPInt().abs().getLimitedValue();
      else if (!Stride && !isa<SCEVConstant>(Index->getStepRecurrence(SE)))
        Apart = Apart.value_or(0);
    }
    Unit.Chunk = Apart.value_or(Unit.Chunk);
  }
}

void RowThreads::count(RowUnit &Unit, const BasicBlock &Before,
                       const WarpRegion &Region) {
  auto Count = [&](const ICmpInst &Compare, bool Met) {
    const SCEV *Threads = threadsOf(Compare, Met);
    if (!Threads)
      return;
    if (!Unit.ThreadsInBlock)
      Unit.ThreadsInBlock = Threads;
    if (!Unit.Threads)
      Unit.Threads = mostOf(Threads);
  };
  forEachBranchAbove(Before, DT, UINT_MAX,
                     [&](const BranchInst &Branch, bool Met) {
                       const BasicBlock *At = Branch.getParent();
                       if (At == Region.Entry ||
                           Region.Blocks.contains(const_cast<BasicBlock *>(At)))
                         forEachComparison(Branch.getCondition(), Met, Count);
                     });
}

} // namespace ferry
