//===- IndexResidue.cpp - What is known of an index modulo a number -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar evolution knows multiples, but forgets `nsw` where nothing proves that
// the result is used; an index is used as an address, so here it counts. What
// may wrap around keeps its residue modulo powers of two only.
//
//===----------------------------------------------------------------------===//

#include "IndexResidue.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace ferry {

static constexpr unsigned MaxDepth = 8;
/// Larger numbers are of no use and would overflow.
static constexpr uint64_t MaxNumber = UINT64_C(1) << 24;

static IndexResidue normalized(int64_t First, uint64_t Step) {
  auto Most = static_cast<int64_t>(MaxNumber), S = static_cast<int64_t>(Step);
  if (Step > MaxNumber || First > Most || First < -Most)
    return {0, 1};
  if (Step == 0)
    return {First, 0};
  return {(First % S + S) % S, Step};
}

/// The same modulo the greatest power of two.
static IndexResidue wrapping(IndexResidue R) {
  return R.Step ? normalized(R.First, R.Step & -R.Step) : R;
}

/// What scalar evolution knows of \p S: a loop's counter starts at a constant
/// and goes on in steps.
static IndexResidue fromSCEV(const SCEV *S, ScalarEvolution &SE) {
  const SCEV *First = S;
  if (const auto *R = dyn_cast<SCEVAddRecExpr>(S))
    First = R->getStart();
  if (const auto *A = dyn_cast<SCEVAddExpr>(First))
    First = A->getOperand(0);
  const auto *Const = dyn_cast<SCEVConstant>(First);
  if (Const == S)
    return normalized(Const->getAPInt().getSExtValue(), 0);
  const SCEV *Rest = Const ? SE.getMinusSCEV(S, Const) : S;
  IndexResidue R = normalized(
      Const ? Const->getAPInt().getSExtValue() : 0,
      SE.getNonZeroConstantMultiple(Rest).getLimitedValue(MaxNumber + 1));
  return S->getType()->isIntegerTy(64) ? R : wrapping(R);
}

static IndexResidue residue(Value *V, ScalarEvolution &SE, unsigned Depth) {
  if (const auto *C = dyn_cast<ConstantInt>(V);
      C && C->getValue().getSignificantBits() <= 64)
    return normalized(C->getSExtValue(), 0);
  auto Of = [&](Value *Operand) { return residue(Operand, SE, Depth + 1); };
  if (Depth < MaxDepth) {
    if (isa<SExtInst, FreezeInst>(V))
      return Of(cast<Instruction>(V)->getOperand(0));
    if (isa<ZExtInst, TruncInst>(V)) {
      IndexResidue R = Of(cast<Instruction>(V)->getOperand(0));
      return R.Step ? wrapping(R) : fromSCEV(SE.getSCEV(V), SE);
    }
    if (auto *O = dyn_cast<OverflowingBinaryOperator>(V)) {
      IndexResidue A = Of(O->getOperand(0)), B = Of(O->getOperand(1)), R{0, 1};
      switch (O->getOpcode()) {
      case Instruction::Add:
        R = normalized(A.First + B.First, std::gcd(A.Step, B.Step));
        break;
      case Instruction::Sub:
        R = normalized(A.First - B.First, std::gcd(A.Step, B.Step));
        break;
      case Instruction::Shl:
        if (B.Step == 0 && B.First >= 0 && B.First < 24)
          R = normalized(A.First << B.First, A.Step << B.First);
        break;
      case Instruction::Mul:
        if (A.Step == 0)
          std::swap(A, B);
        if (B.Step == 0 && B.First != 0)
          R = normalized(A.First * B.First,
                         A.Step * static_cast<uint64_t>(std::abs(B.First)));
        break;
      }
      return O->hasNoSignedWrap() || V->getType()->isIntegerTy(64)
                 ? R
                 : wrapping(R);
    }
  }
  return fromSCEV(SE.getSCEV(V), SE);
}

IndexResidue indexResidue(Value *Index, ScalarEvolution &SE) {
  if (const auto *C = dyn_cast<ConstantInt>(Index);
      C && C->getValue().getSignificantBits() <= 64)
    return {C->getSExtValue(), 0};
  return residue(Index, SE, 0);
}

} // namespace ferry
