//===- ThreadStrides.cpp - How addresses differ between threads -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadStrides.h"
#include "stage/common/GpuTarget.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

const SCEV *ThreadStrides::ofUnknown(const SCEVUnknown &U) {
  Value *V = U.getValue();
  if (isThreadNumber(V))
    return SE.getOne(SE.getEffectiveSCEVType(V->getType()));
  const SCEV *Zero = SE.getZero(SE.getEffectiveSCEVType(V->getType()));
  if (Uniformity.isUniform(*V))
    return Zero;
  // What all threads read at the same place.
  if (auto *Load = dyn_cast<LoadInst>(V)) {
    const SCEV *D = of(SE.getSCEV(Load->getPointerOperand()));
    return D && D->isZero() ? Zero : nullptr;
  }
  // The number of a thread as OpenMP's runtime computes it: 0 where there is
  // but one.
  if (auto *Select = dyn_cast<SelectInst>(V)) {
    Value *A = Select->getTrueValue(), *B = Select->getFalseValue();
    if (isa<Constant>(A))
      std::swap(A, B);
    return isa<Constant>(B) ? of(SE.getSCEV(A)) : nullptr;
  }
  if (auto *Phi = dyn_cast<PHINode>(V))
    return ofCounter(*Phi);
  return nullptr;
}

/// Of a value that a loop changes alike in all threads, in a way that scalar
/// evolution does not follow: it is extended and truncated again.
const SCEV *ThreadStrides::ofCounter(PHINode &Phi) {
  if (const SCEV *Known = Assumed.lookup(&Phi))
    return Known;
  const Loop *L = LI.getLoopFor(Phi.getParent());
  BasicBlock *Before = L ? L->getLoopPredecessor() : nullptr;
  if (!Before || L->getHeader() != Phi.getParent() || !L->getLoopLatch())
    return nullptr;
  const SCEV *Start = of(SE.getSCEV(Phi.getIncomingValueForBlock(Before)));
  if (!Start)
    return nullptr;
  Assumed[&Phi] = Start;
  const SCEV *End =
      of(SE.getSCEV(Phi.getIncomingValueForBlock(L->getLoopLatch())));
  Assumed.erase(&Phi);
  return End == Start ? Start : nullptr;
}

const SCEV *ThreadStrides::of(const SCEV *S) {
  Type *Ty = SE.getEffectiveSCEVType(S->getType());
  switch (S->getSCEVType()) {
  case scConstant:
  case scVScale:
    return SE.getZero(Ty);
  case scUnknown:
    return ofUnknown(*cast<SCEVUnknown>(S));
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scPtrToInt: {
    const SCEV *Inner = of(cast<SCEVCastExpr>(S)->getOperand());
    return Inner ? SE.getTruncateOrSignExtend(Inner, Ty) : nullptr;
  }
  case scAddExpr: {
    SmallVector<const SCEV *, 4> Sum;
    for (const SCEV *Op : cast<SCEVAddExpr>(S)->operands()) {
      const SCEV *D = of(Op);
      if (!D)
        return nullptr;
      Sum.push_back(SE.getTruncateOrSignExtend(D, Ty));
    }
    return SE.getAddExpr(Sum);
  }
  case scMulExpr: {
    // The sum, over the factors, of one's derivative times the others.
    auto *Product = cast<SCEVMulExpr>(S);
    SmallVector<const SCEV *, 4> Sum;
    for (unsigned I = 0; I < Product->getNumOperands(); ++I) {
      const SCEV *D = of(Product->getOperand(I));
      if (!D)
        return nullptr;
      if (D->isZero())
        continue;
      SmallVector<const SCEV *, 4> Factors{D};
      for (unsigned J = 0; J < Product->getNumOperands(); ++J)
        if (J != I)
          Factors.push_back(Product->getOperand(J));
      Sum.push_back(SE.getMulExpr(Factors));
    }
    return Sum.empty() ? SE.getZero(Ty) : SE.getAddExpr(Sum);
  }
  case scAddRecExpr: {
    // In the same iteration of the loop.
    auto *Recurrence = cast<SCEVAddRecExpr>(S);
    for (const SCEV *Op : drop_begin(Recurrence->operands())) {
      const SCEV *D = of(Op);
      if (!D || !D->isZero())
        return nullptr;
    }
    const SCEV *D = of(Recurrence->getStart());
    return D ? SE.getTruncateOrSignExtend(D, Ty) : nullptr;
  }
  default: {
    // Quotients, minima: only what is the same everywhere is known.
    for (const SCEV *Op : S->operands()) {
      const SCEV *D = of(Op);
      if (!D || !D->isZero())
        return nullptr;
    }
    return SE.getZero(Ty);
  }
  }
}

bool isSameEverywhere(const SCEV *S) {
  return !SCEVExprContains(S, [&](const SCEV *E) {
    auto *U = dyn_cast<SCEVUnknown>(E);
    return isa<SCEVAddRecExpr>(E) || (U && !isa<Argument>(U->getValue()) &&
                                      !isa<Constant>(U->getValue()));
  });
}

} // namespace ferry
