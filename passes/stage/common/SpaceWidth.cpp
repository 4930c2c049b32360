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
//
//===----------------------------------------------------------------------===//

#include "IterationSpace.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

/// How many of the low bits of \p V its user \p U looks at.
static unsigned usedBits(const Instruction &V, User &U) {
  unsigned Bits = V.getType()->getScalarSizeInBits();
  uint64_t Shift;
  if (isa<TruncInst>(U))
    return U.getType()->getScalarSizeInBits();
  if (match(&U, m_Shl(m_Specific(&V), m_ConstantInt(Shift))) && Shift < Bits)
    return Bits - static_cast<unsigned>(Shift);
  return Bits;
}

static unsigned usedBits(Instruction &V) {
  unsigned Bits = 0;
  for (User *U : V.users())
    Bits = std::max(Bits, usedBits(V, *U));
  return Bits;
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
/// are several.
bool SpaceFinder::findDivision(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B) {
      Value *Width;
      if (!match(&I, m_IDiv(m_Specific(S.Index), m_Value(Width))) ||
          !isInvariant(Width))
        continue;
      if (S.Width && S.Width != Width)
        return stop(I, "another division of the index");
      S.Width = Width;
      S.Row.insert(&I);
    }
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

/// Finds the factors of Total, one of which is Width.
void SpaceFinder::findHeight() {
  Value *Rows, *Columns;
  if (!match(S.Total, m_NSWMul(m_Value(Rows), m_Value(Columns))) &&
      !match(S.Total, m_NUWMul(m_Value(Rows), m_Value(Columns))))
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

/// Notes that \p I, the index less \p Row times \p Factor or the other way
/// round, is j, if it is.
void SpaceFinder::findColumnOf(Instruction &I, Value *Row, Value *Factor) {
  if (!S.Row.contains(dyn_cast<Instruction>(Row)))
    std::swap(Row, Factor);
  if (!S.Row.contains(dyn_cast<Instruction>(Row)) || !isInvariant(Factor) ||
      I.use_empty())
    return;
  // Often it is the width but for bits that are not used.
  if (Factor != S.Width)
    S.Widths.push_back({Factor, usedBits(I)});
  S.Column.insert(&I);
}

/// Notes whether \p I is i or j.
void SpaceFinder::findRowOrColumn(Instruction &I) {
  Value *Row, *Factor;
  const APInt *Number;
  auto *Constant = dyn_cast<ConstantInt>(S.Width);
  bool IsPower = Constant && Constant->getValue().isPowerOf2();
  if (match(&I, m_IRem(m_Specific(S.Index), m_Specific(S.Width)))) {
    S.Column.insert(&I);
  } else if (match(&I, m_And(m_Specific(S.Index), m_APInt(Number)))) {
    if (IsPower && *Number == Constant->getValue() - 1)
      S.Column.insert(&I);
  } else if (match(&I, m_LShr(m_Specific(S.Index), m_APInt(Number)))) {
    if (IsPower && *Number == Constant->getValue().logBase2())
      S.Row.insert(&I);
  } else if (Constant &&
             match(&I, m_c_Add(m_Specific(S.Index),
                               m_Mul(m_Value(Row), m_APInt(Number))))) {
    if (*Number == -Constant->getValue() &&
        S.Row.contains(dyn_cast<Instruction>(Row)))
      S.Column.insert(&I);
  } else if (match(&I, m_Sub(m_Specific(S.Index),
                             m_Mul(m_Value(Row), m_Value(Factor))))) {
    findColumnOf(I, Row, Factor);
  }
}

bool SpaceFinder::findDivisor(ArrayRef<BasicBlock *> Blocks) {
  if (!findDivision(Blocks))
    return false;
  // A power of two comes as shifts and masks.
  if (!S.Width)
    findMask(Blocks);
  return S.Width || stop(*S.Index, "an index that is not divided by a width");
}

bool SpaceFinder::findWidth(ArrayRef<BasicBlock *> Blocks) {
  if (!findDivisor(Blocks))
    return false;
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      findRowOrColumn(I);
  findHeight();
  return true;
}

} // namespace ferry
