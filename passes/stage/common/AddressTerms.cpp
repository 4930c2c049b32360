//===- AddressTerms.cpp - What addresses are the sum of -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressTerms.h"
#include "support/LLVMCompat.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

static AddressTerms sum(std::initializer_list<AddressTerm> Terms,
                        int64_t Constant = 0) {
  return {Terms, Constant};
}

static std::optional<AddressTerms> termsOf(GEPOperator &GEP,
                                           const DataLayout &DL) {
  const unsigned Bits = DL.getIndexTypeSizeInBits(GEP.getType());
  ScaledIndices Indices;
  APInt Offset(Bits, 0);
  if (!GEP.collectOffset(DL, Bits, Indices, Offset))
    return std::nullopt;
  AddressTerms Sum =
      sum({{GEP.getPointerOperand(), 1, Bits}}, Offset.getSExtValue());
  for (auto &[Index, Scale] : Indices) {
    const unsigned Width = Index->getType()->getScalarSizeInBits();
    Sum.Terms.push_back({Index, Scale.getSExtValue(), std::min(Width, Bits),
                         Width < Bits ? AddressTerm::Sign : AddressTerm::None});
  }
  return Sum;
}

std::optional<AddressTerms> termsOf(Value &V, unsigned Bits,
                                    const DataLayout &DL) {
  if (auto *GEP = dyn_cast<GEPOperator>(&V))
    return termsOf(*GEP, DL);
  Value *A, *B;
  ConstantInt *C;
  uint64_t Shift;
  if (match(&V, m_AddLike(m_Value(A), m_Value(B))))
    return sum({{A, 1, Bits}, {B, 1, Bits}});
  if (match(&V, m_Sub(m_Value(A), m_Value(B))))
    return sum({{A, 1, Bits}, {B, -1, Bits}});
  if (match(&V, m_Not(m_Value(A))))
    return sum({{A, -1, Bits}}, -1);
  if (match(&V, m_Mul(m_Value(A), m_ConstantInt(C))))
    return sum({{A, C->getValue().sextOrTrunc(Bits).getSExtValue(), Bits}});
  if (match(&V, m_Shl(m_Value(A), m_ConstantInt(Shift))) && Shift < Bits &&
      Shift < 63)
    return sum({{A, int64_t(1) << Shift, Bits - unsigned(Shift)}});
  if (match(&V, m_Trunc(m_Value(A))) || match(&V, m_Freeze(m_Value(A))))
    return sum({{A, 1, Bits}});
  if (!match(&V, m_ZExtOrSExt(m_Value(A))))
    return std::nullopt;
  const unsigned From = A->getType()->getScalarSizeInBits();
  if (Bits <= From)
    return sum({{A, 1, Bits}});
  const bool Signed = !isa<ZExtInst>(V) || cast<ZExtInst>(V).hasNonNeg();
  return sum({{A, 1, From, Signed ? AddressTerm::Sign : AddressTerm::Zero}});
}

} // namespace ferry
