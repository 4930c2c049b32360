//===- PathPosition.cpp - Where a walk along pointers is ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathPosition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DerivedTypes.h"
#include <numeric>

using namespace llvm;

namespace ferry {

void PathAddress::addTerm(const SCEV *S, int64_t Factor) {
  if (const auto *C = dyn_cast<SCEVConstant>(S)) {
    Factor *= C->getAPInt().getSExtValue();
  } else if (const auto *M = dyn_cast<SCEVMulExpr>(S)) {
    if (const auto *C = dyn_cast<SCEVConstant>(M->getOperand(0)))
      Factor *= C->getAPInt().getSExtValue();
  }
  if (Factor == 0)
    return;
  Stride = std::gcd(Stride, static_cast<uint64_t>(std::abs(Factor)));
  (Factor > 0 ? Up : Down) = true;
}

void PathAddress::add(const SCEV *S, int64_t Factor) {
  if (const auto *C = dyn_cast<SCEVConstant>(S)) {
    Const += Factor * C->getAPInt().getSExtValue();
  } else if (const auto *A = dyn_cast<SCEVAddExpr>(S)) {
    for (const SCEV *Op : A->operands())
      add(Op, Factor);
  } else if (const auto *R = dyn_cast<SCEVAddRecExpr>(S)) {
    add(R->getStart(), Factor);
    for (const SCEV *Op : drop_begin(R->operands()))
      addTerm(Op, Factor);
  } else if (const auto *Cast = dyn_cast<SCEVCastExpr>(S)) {
    add(Cast->getOperand(), Factor);
  } else if (const auto *M = dyn_cast<SCEVMulExpr>(S);
             M && M->getNumOperands() == 2 &&
             isa<SCEVConstant>(M->getOperand(0))) {
    add(M->getOperand(1),
        Factor *
            cast<SCEVConstant>(M->getOperand(0))->getAPInt().getSExtValue());
  } else {
    addTerm(S, Factor);
  }
}

void PathPosition::enterArray(ArrayType *Ty, const DataLayout &DL) {
  if (Ty->getNumElements() == 0)
    return;
  // A pointer to the first row of an array of arrays may go through all rows.
  if (!Arrays.empty() && Arrays.back().first.Begin == Where)
    for (Type *Row = Arrays.back().second; isa<ArrayType>(Row);
         Row = Row->getArrayElementType())
      if (Row == Ty)
        return;
  Arrays.push_back({{Where, DL.getTypeAllocSize(Ty)}, Ty});
}

void PathPosition::moveBy(int64_t First, uint64_t Stride) {
  if (Stride == 0)
    return;
  for (const auto &[A, Ty] : reverse(Arrays))
    if (A.holds(Where) && Stride < A.Bytes) {
      Where.Offset += First;
      return A.addIndex(Where, Stride);
    }
  Where.Offset += First;
  Where.add({Stride, 0});
}

void PathPosition::moveByConstant(int64_t Bytes) {
  if (none_of(Where.Indices, [&](const PathIndex &I) {
        return Bytes % static_cast<int64_t>(I.Stride) == 0;
      }))
    Where.Offset += Bytes;
}

} // namespace ferry
