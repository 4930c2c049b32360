//===- SpaceWidth.cpp - How i and j come out of one index -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %i = udiv %index, %width
//   %j = %index - %i * %width            ; or urem
//
// or, if the width is a power of two, shifts and masks. OpenMP's front end may
// multiply by another value than it has divided by, which is the width as well.
// With planes:
//
//   %p = udiv %index, %plane.size
//   %in.plane = %index - %p * %plane.size
//   %i = udiv %in.plane, %width
//   %j = %in.plane - %i * %width         ; or urem %index, %width
//
// or
//
//   %p = udiv %index, %plane.size
//   %i = urem (udiv %index, %width), %height
//   %j = urem %index, %width
//
//===----------------------------------------------------------------------===//

#include "IterationSpace.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

/// How many of the low bits of \p I are used.
static unsigned usedBits(Instruction &I, DominatorTree &DT) {
  Function &F = *I.getFunction();
  AssumptionCache AC(F);
  return DemandedBits(F, AC, DT).getDemandedBits(&I).getActiveBits();
}

static const APInt *powerOf2(Value *V) {
  auto *Number = dyn_cast_or_null<ConstantInt>(V);
  return Number && Number->getValue().isPowerOf2() ? &Number->getValue()
                                                   : nullptr;
}

const APInt *IterationSpace::rowMask(Instruction &I) const {
  const APInt *Mask, *Power = powerOf2(Width);
  return Power && match(&I, m_And(m_Specific(Index), m_APInt(Mask))) &&
                 !Mask->intersects(*Power - 1)
             ? Mask
             : nullptr;
}

bool IterationSpace::isRowStart(Instruction &I) const {
  Value *J;
  return !PlaneSize && match(&I, m_Sub(m_Specific(Index), m_Value(J))) &&
         ColumnIndices.contains(dyn_cast<Instruction>(J));
}

/// What \p V is computed of with numbers.
static Value *withoutNumbers(Value *V) {
  for (Value *Inner; match(V, m_CombineOr(m_Trunc(m_Value(Inner)),
                                          m_ZExtOrSExt(m_Value(Inner)))) ||
                     match(V, m_BinOp(m_Value(Inner), m_ConstantInt()));)
    V = Inner;
  return V;
}

/// Finds the number that the index is divided by in \p Blocks; false if there
/// are several. If only what is left counts, there may be no quotient.
bool SpaceFinder::findDivision(ArrayRef<BasicBlock *> Blocks) {
  Value *Remaining = nullptr;
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B) {
      Value *Width;
      if (match(&I, m_IRem(m_Specific(S.Index), m_Value(Width))) &&
          isInvariant(Width))
        Remaining = Width;
      if (!match(&I, m_IDiv(m_Specific(S.Index), m_Value(Width))) ||
          !isInvariant(Width))
        continue;
      if (S.Width && S.Width != Width)
        return stop(I, "another division of the index");
      S.Width = Width;
    }
  if (!S.Width)
    S.Width = Remaining;
  return true;
}

/// Finds the power of two that the index is divided by in \p Blocks.
void SpaceFinder::findMask(ArrayRef<BasicBlock *> Blocks) {
  const APInt *Number;
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      if (match(&I, m_And(m_Specific(S.Index), m_APInt(Number))) &&
          Number->isMask() && !Number->isAllOnes() &&
          (!S.Width || cast<ConstantInt>(S.Width)->getValue().ule(*Number)))
        S.Width = ConstantInt::get(I.getType(), *Number + 1);
}

/// Finds the factors of Total, or with planes of PlaneSize, one of which is
/// Width.
void SpaceFinder::findHeight() {
  Value *Rows, *Columns;
  // With planes it is tested that the product is PlaneSize.
  const bool Found =
      S.PlaneSize
          ? match(withoutNumbers(S.PlaneSize),
                  m_Mul(m_Value(Rows), m_Value(Columns)))
          : S.Total &&
                (match(S.Total, m_NSWMul(m_Value(Rows), m_Value(Columns))) ||
                 match(S.Total, m_NUWMul(m_Value(Rows), m_Value(Columns))));
  if (!Found)
    return;
  // It may have been computed in another way; that it is the same is tested.
  Value *Width = withoutNumbers(S.Width);
  const bool First = withoutNumbers(Rows) == Width,
             Second = withoutNumbers(Columns) == Width;
  if (isa<Constant>(Width) || (!First && !Second) ||
      (First && Second && Rows != Columns))
    return;
  if (!Second)
    std::swap(Rows, Columns);
  S.Height = Rows;
  S.Columns = Columns;
}

//===----------------------------------------------------------------------===//
// One division
//===----------------------------------------------------------------------===//

/// Whether \p I is \p Of by D.By.
bool SpaceFinder::isQuotient(Instruction &I, Value *Of, const Division &D) {
  const APInt *Number, *Power = powerOf2(D.By);
  return match(&I, m_IDiv(m_Specific(Of), m_Specific(D.By))) ||
         (Power && match(&I, m_LShr(m_Specific(Of), m_APInt(Number))) &&
          *Number == Power->logBase2());
}

/// Whether \p Factor, of a quotient, is D.By, or less than nothing by as much
/// if it is \p Negated, as far as \p Remainder, made with it, is used.
SpaceFinder::Answer SpaceFinder::isDivisor(Value *Factor, bool Negated,
                                           const Division &D,
                                           Instruction &Remainder) {
  if (Factor == D.By && !Negated)
    return {true};
  const unsigned Bits = usedBits(Remainder, DT);
  auto *Number = dyn_cast<ConstantInt>(Factor);
  if (auto *By = dyn_cast<ConstantInt>(D.By); By && Number) {
    const APInt &Is = Number->getValue(), &Wanted = By->getValue();
    return {(Negated ? Is + Wanted : Is - Wanted).countr_zero() >= Bits};
  }
  if (Negated)
    return {false};
  return {true, {{Factor, Bits}}};
}

/// Whether \p V, what \p Of has more than \p Remainder, is a quotient times
/// D.By.
SpaceFinder::Answer SpaceFinder::isMultiple(Value *V, Value *Of,
                                            const Division &D,
                                            Instruction &Remainder) {
  auto IsQuotient = [&](Value *Q) {
    return D.Quotients.contains(dyn_cast<Instruction>(Q));
  };
  Value *A, *B;
  const APInt *Number, *Power = powerOf2(D.By);
  if (match(V, m_Mul(m_Value(A), m_Value(B)))) {
    if (!IsQuotient(A))
      std::swap(A, B);
    if (!IsQuotient(A) || !isInvariant(B))
      return {false};
    return isDivisor(B, /*Negated=*/false, D, Remainder);
  }
  if (Power && match(V, m_Shl(m_Value(A), m_APInt(Number))))
    return {IsQuotient(A) && *Number == Power->logBase2()};
  // The part of the index that is i * Width.
  const APInt *Plane = powerOf2(S.PlaneSize);
  return {Power && Plane && Of != S.Index &&
          match(V, m_And(m_Specific(S.Index), m_APInt(Number))) &&
          *Number == *Plane - *Power};
}

/// Whether \p I is what is left of \p Of by D.By.
SpaceFinder::Answer SpaceFinder::isRemainder(Instruction &I, Value *Of,
                                             const Division &D) {
  Value *Multiple, *Quotient, *Factor;
  const APInt *Number, *Power = powerOf2(D.By);
  if (match(&I, m_IRem(m_Specific(Of), m_Specific(D.By))))
    return {true};
  if (match(&I, m_And(m_Specific(Of), m_APInt(Number))))
    return {Power && *Number == *Power - 1};
  if (I.use_empty())
    return {false};
  if (match(&I, m_Sub(m_Specific(Of), m_Value(Multiple))))
    return isMultiple(Multiple, Of, D, I);
  if (!match(&I, m_c_Add(m_Specific(Of),
                         m_Mul(m_Value(Quotient), m_Value(Factor)))) ||
      !D.Quotients.contains(dyn_cast<Instruction>(Quotient)))
    return {false};
  return isDivisor(Factor, /*Negated=*/true, D, I);
}

/// Notes what of \p Blocks is a result of the division \p D of \p Of.
void SpaceFinder::findResults(ArrayRef<BasicBlock *> Blocks, Value *Of,
                              const Division &D) {
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      if (isQuotient(I, Of, D))
        D.Quotients.insert(&I);
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      if (Answer Remainder = isRemainder(I, Of, D); Remainder.Is) {
        D.Remainders.insert(&I);
        if (Remainder.If)
          D.Sames.push_back(*Remainder.If);
      }
}

//===----------------------------------------------------------------------===//
// Two dimensions, or three
//===----------------------------------------------------------------------===//

bool SpaceFinder::findDivisor(ArrayRef<BasicBlock *> Blocks) {
  if (!findDivision(Blocks))
    return false;
  // A power of two comes as shifts and masks.
  if (!S.Width)
    findMask(Blocks);
  return S.Width || stop(*S.Index, "an index that is not divided by a width");
}

/// What values in the plane are divided by in \p Blocks, if that is one number
/// which may be the width.
Value *SpaceFinder::divisorInPlane(ArrayRef<BasicBlock *> Blocks) {
  constexpr unsigned Narrow = 16; // columns, fewer than tiles have
  Value *Width = nullptr;
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B) {
      Value *In, *By;
      const APInt *Shift;
      if (match(&I, m_LShr(m_Value(In), m_APInt(Shift))) &&
          Shift->ult(Shift->getBitWidth()))
        By = ConstantInt::get(
            I.getType(),
            APInt::getOneBitSet(Shift->getBitWidth(), Shift->getZExtValue()));
      else if (!match(&I, m_IDiv(m_Value(In), m_Value(By))))
        continue;
      if (!S.InPlaneIndices.contains(dyn_cast<Instruction>(In)))
        continue;
      if (!isInvariant(By) || (Width && Width != By))
        return nullptr;
      Width = By;
    }
  auto *Number = dyn_cast_or_null<ConstantInt>(Width);
  auto *Size = dyn_cast<ConstantInt>(S.PlaneSize);
  if (Number && (Number->getValue().ult(Narrow) ||
                 (Size && Size->getValue().urem(Number->getValue()) != 0)))
    return nullptr;
  return Width;
}

/// Finds whether the index is divided by the size of a plane, and what is left
/// by the width.
bool SpaceFinder::findPlanes(ArrayRef<BasicBlock *> Blocks) {
  S.PlaneSize = std::exchange(S.Width, nullptr);
  findResults(Blocks, S.Index,
              {S.PlaneSize, S.PlaneIndices, S.InPlaneIndices, S.PlaneSizes});
  S.Width = divisorInPlane(Blocks);
  if (!S.Width)
    return false;
  const Division ByWidth = {S.Width, S.RowIndices, S.ColumnIndices, S.Widths};
  for (Instruction *I : S.InPlaneIndices)
    findResults(Blocks, I, ByWidth);
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      if (match(&I, m_IRem(m_Specific(S.Index), m_Specific(S.Width))))
        S.ColumnIndices.insert(&I);
  return !S.ColumnIndices.empty();
}

/// Finds whether the index is divided by the width, and what that gives, the
/// number of a row of all planes, by the rows of a plane; and the index by the
/// size of a plane.
bool SpaceFinder::findRowsOfAllPlanes(ArrayRef<BasicBlock *> Blocks) {
  SmallSetVector<Value *, 2> Widths, Heights, Sizes;
  Value *Row, *By;
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      if (match(&I, m_IRem(m_Value(Row), m_Value(By))) && isInvariant(By) &&
          match(Row, m_IDiv(m_Specific(S.Index), m_Value()))) {
        Heights.insert(By);
        Widths.insert(cast<Instruction>(Row)->getOperand(1));
      }
  if (Widths.size() != 1 || Heights.size() != 1 || !isInvariant(Widths[0]))
    return false;
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      if (match(&I, m_IDiv(m_Specific(S.Index), m_Value(By))) &&
          By != Widths[0])
        Sizes.insert(By);
  if (Sizes.size() != 1 || !isInvariant(Sizes[0]))
    return false;
  S.Width = Widths[0];
  S.PlaneSize = Sizes[0];
  S.Heights.push_back(
      {Heights[0], Heights[0]->getType()->getIntegerBitWidth()});
  findResults(Blocks, S.Index,
              {S.PlaneSize, S.PlaneIndices, S.InPlaneIndices, S.PlaneSizes});
  Results Rows;
  findResults(Blocks, S.Index, {S.Width, Rows, S.ColumnIndices, S.Widths});
  for (Instruction *I : Rows)
    findResults(Blocks, I,
                {Heights[0], S.PlaneIndices, S.RowIndices, S.Heights});
  return !S.ColumnIndices.empty();
}

bool SpaceFinder::findWidth(ArrayRef<BasicBlock *> Blocks) {
  if (!findRowsOfAllPlanes(Blocks)) {
    if (!findDivisor(Blocks))
      return false;
    if (!findPlanes(Blocks)) {
      // Then a plane is a row.
      S.Width = std::exchange(S.PlaneSize, nullptr);
      S.RowIndices = std::move(S.PlaneIndices);
      S.ColumnIndices = std::move(S.InPlaneIndices);
      S.Widths = std::move(S.PlaneSizes);
      S.PlaneIndices.clear();
      S.InPlaneIndices.clear();
      S.PlaneSizes.clear();
    }
  }
  findHeight();
  return true;
}

} // namespace ferry
