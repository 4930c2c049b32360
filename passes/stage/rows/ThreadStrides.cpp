//===- ThreadStrides.cpp - How addresses differ between threads -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadStrides.h"
#include "stage/common/GpuModel.h"
#include "stage/common/GpuTarget.h"
#include "stage/common/LaunchValues.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

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
  if (auto *Select = dyn_cast<SelectInst>(V)) {
    Value *Variable = variableOf(*Select);
    return Variable ? of(SE.getSCEV(Variable)) : nullptr;
  }
  if (auto *Phi = dyn_cast<PHINode>(V))
    return ofCounter(*Phi);
  if (auto *Freeze = dyn_cast<FreezeInst>(V))
    return of(SE.getSCEV(Freeze->getOperand(0)));
  // What is left by a number begins anew in one thread of many.
  Value *Dividend, *Divisor;
  const APInt *By = nullptr;
  if (match(V, m_IRem(m_Value(Dividend), m_Value(Divisor))) &&
      Uniformity.isUniform(*Divisor) &&
      (!match(Divisor, m_APInt(By)) || By->abs().uge(gpu::WarpThreads)))
    return of(SE.getSCEV(Dividend));
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

const SCEV *ThreadStrides::ofSum(const SCEVAddExpr &S) {
  Type *Ty = SE.getEffectiveSCEVType(S.getType());
  SmallVector<const SCEV *, 4> Sum;
  for (const SCEV *Op : S.operands()) {
    const SCEV *D = of(Op);
    if (!D)
      return nullptr;
    Sum.push_back(SE.getTruncateOrSignExtend(D, Ty));
  }
  return SE.getAddExpr(Sum);
}

/// The sum, over the factors, of one's derivative times the others.
const SCEV *ThreadStrides::ofProduct(const SCEVMulExpr &S) {
  SmallVector<const SCEV *, 4> Sum{SE.getZero(S.getType())};
  for (auto [I, Op] : enumerate(S.operands())) {
    SmallVector<const SCEV *, 4> Factors(S.operands());
    Factors[I] = of(Op);
    if (!Factors[I])
      return nullptr;
    Sum.push_back(SE.getMulExpr(Factors));
  }
  return SE.getAddExpr(Sum);
}

bool ThreadStrides::areSame(ArrayRef<const SCEV *> Operands) {
  return all_of(Operands, [&](const SCEV *Op) {
    const SCEV *D = of(Op);
    return D && D->isZero();
  });
}

const SCEV *ThreadStrides::of(const SCEV *S) {
  Type *Ty = SE.getEffectiveSCEVType(S->getType());
  auto InTy = [&](const SCEV *D) {
    return D ? SE.getTruncateOrSignExtend(D, Ty) : nullptr;
  };
  switch (S->getSCEVType()) {
  case scUnknown:
    return ofUnknown(*cast<SCEVUnknown>(S));
  case scTruncate:
    if (isSharedPart(*cast<SCEVTruncateExpr>(S)))
      return areSame(S->operands()) ? SE.getZero(Ty) : nullptr;
    [[fallthrough]];
  case scZeroExtend:
  case scSignExtend:
  case scPtrToInt:
    return InTy(of(cast<SCEVCastExpr>(S)->getOperand()));
  case scAddExpr:
    return ofSum(*cast<SCEVAddExpr>(S));
  case scMulExpr:
    return ofProduct(*cast<SCEVMulExpr>(S));
  case scAddRecExpr: {
    // In the same iteration of the loop.
    auto *Recurrence = cast<SCEVAddRecExpr>(S);
    return areSame(Recurrence->operands().drop_front())
               ? InTy(of(Recurrence->getStart()))
               : nullptr;
  }
  default:
    // Quotients, minima: only what is the same everywhere is known.
    return areSame(S->operands()) ? SE.getZero(Ty) : nullptr;
  }
}

bool isSharedPart(const SCEVTruncateExpr &S) {
  return S.getType()->getIntegerBitWidth() < Log2_32(gpu::WarpThreads);
}

Value *variableOf(SelectInst &Select) {
  Value *A = Select.getTrueValue(), *B = Select.getFalseValue();
  if (isa<Constant>(A))
    std::swap(A, B);
  return isa<Constant>(B) ? A : nullptr;
}

} // namespace ferry
