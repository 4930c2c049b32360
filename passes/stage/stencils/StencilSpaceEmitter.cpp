//===- StencilSpaceEmitter.cpp - Iterations of a stencil ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StencilSpaceEmitter.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cmath>

using namespace llvm;

namespace ferry {

Value *StencilSpaceEmitter::atom(IRBuilder<> &B, unsigned Number) {
  auto [V, Bits] = N.Atoms[Number - Polynomial::FirstAtom];
  Value *Low = B.CreateTrunc(B.CreateFreeze(V), B.getIntNTy(Bits));
  return B.CreateSExt(Low, I64);
}

Value *StencilSpaceEmitter::polynomial(IRBuilder<> &B, const Polynomial &P,
                                       Value *I, Value *J) {
  Value *Sum = B.getInt64(0);
  for (const auto &[Atoms, Count] : P.terms()) {
    Value *Product = B.getInt64(Count);
    for (unsigned A : Atoms)
      Product = B.CreateMul(Product, A == Polynomial::I   ? I
                                     : A == Polynomial::J ? J
                                     : A == Polynomial::P ? this->P
                                                          : atom(B, A));
    Sum = B.CreateAdd(Sum, Product);
  }
  return Sum;
}

Value *StencilSpaceEmitter::rangesHold(IRBuilder<> &B) {
  std::map<unsigned, std::map<Polynomial::Product, uint64_t>> Bounds;
  for (const IndexPolynomials::Range &R : N.Ranges)
    for (const auto &[Atoms, Count] : R.P.terms()) {
      uint64_t &Most = Bounds[R.Bits - R.Signed][Atoms];
      Most = std::max<uint64_t>(Most, std::abs(Count));
    }
  // Products might wrap themselves; floating point is exact enough.
  Type *Float = B.getFloatTy();
  Value *Hold = B.getTrue();
  for (const auto &[Bits, Terms] : Bounds) {
    Value *Sum = ConstantFP::get(Float, 0);
    for (const auto &[Atoms, Count] : Terms) {
      Value *Product = ConstantFP::get(Float, static_cast<double>(Count));
      for (unsigned A : Atoms) {
        Value *Factor = A == Polynomial::I   ? Height
                        : A == Polynomial::J ? Width
                        : A == Polynomial::P ? Planes
                                             : atom(B, A);
        Product = B.CreateFMul(
            Product, B.CreateUnaryIntrinsic(Intrinsic::fabs,
                                            B.CreateSIToFP(Factor, Float)));
      }
      Sum = B.CreateFAdd(Sum, Product);
    }
    Value *Limit = ConstantFP::get(Float, 0.999 * std::pow(2.0, Bits));
    Hold = B.CreateAnd(Hold, B.CreateFCmpOLT(Sum, Limit));
  }
  return Hold;
}

Value *StencilSpaceEmitter::isNegativeNowhere(IRBuilder<> &B, Value *Planes,
                                              Value *Rows, Value *Columns) {
  Value *Nowhere = B.getTrue(), *Zero = B.getInt64(0);
  auto Least = [&](const Polynomial &Factor, Value *Count) -> Value * {
    if (auto Number = Factor.asConstant(); Number && *Number >= 0)
      return Zero;
    Value *Last =
        B.CreateMul(polynomial(B, Factor), B.CreateSub(Count, B.getInt64(1)));
    return B.CreateBinaryIntrinsic(Intrinsic::smin, Last, Zero);
  };
  for (const IndexPolynomials::Range &R : N.Ranges) {
    if (R.Signed)
      continue;
    Value *Low = polynomial(B, R.P, I0, J0);
    if (Planes)
      Low = B.CreateAdd(Low, Least(*R.P.factorOf(Polynomial::P), Planes));
    Low = B.CreateAdd(Low, Least(*R.P.factorOf(Polynomial::I), Rows));
    Low = B.CreateAdd(Low, Least(*R.P.factorOf(Polynomial::J), Columns));
    Nowhere = B.CreateAnd(Nowhere, B.CreateICmpSGE(Low, Zero));
  }
  return Nowhere;
}

Value *StencilSpaceEmitter::guardsHold(
    IRBuilder<> &B, Iteration &It,
    function_ref<bool(const StencilGuard &)> Asked) {
  Value *Hold = B.getTrue();
  for (const StencilGuards &Guards : N.Guards)
    for (const StencilGuard &G : Guards) {
      if (!Asked(G))
        continue;
      Value *Holds = value(B, G.Condition, It);
      Hold = B.CreateLogicalAnd(Hold, G.Is ? Holds : B.CreateNot(Holds));
    }
  return Hold;
}

void StencilSpaceEmitter::mapIteration(IRBuilder<> &B, Iteration &It) {
  for (const auto *Positions :
       {&N.PlaneIndices, &N.InPlaneIndices, &N.RowIndices, &N.ColumnIndices})
    for (Instruction *I : *Positions)
      value(B, I, It);
  value(B, N.Index, It);
}

/// Has \p I keep no flag that promises something of an iteration that does not
/// come to it. What only such a flag makes the same becomes what an address is
/// taken for (AddressTerms.h): a signed number, a sum.
static void dropPromises(Instruction &I) {
  if (auto *Extension = dyn_cast<ZExtInst>(&I);
      Extension && Extension->hasNonNeg()) {
    ReplaceInstWithInst(
        &I, CastInst::Create(Instruction::SExt, I.getOperand(0), I.getType()));
  } else if (auto *Or = dyn_cast<PossiblyDisjointInst>(&I);
             Or && Or->isDisjoint()) {
    ReplaceInstWithInst(
        &I, BinaryOperator::CreateAdd(I.getOperand(0), I.getOperand(1)));
  } else {
    I.dropPoisonGeneratingFlags();
  }
}

SmallVector<Value *, 4>
StencilSpaceEmitter::addressesIn(IRBuilder<> &B, Iteration &It,
                                 ArrayRef<Value *> Pointers) {
  SmallVector<Value *, 4> Addresses;
  for (Value *Pointer : Pointers)
    Addresses.push_back(value(B, Pointer, It));
  SmallSetVector<Instruction *, 16> Clones;
  for (auto [Original, Clone] : It.Map)
    if (auto *I = dyn_cast<Instruction>(Clone); I && I != Original)
      Clones.insert(I);
  for (Instruction *I : Clones)
    dropPromises(*I);
  return Addresses;
}

} // namespace ferry
