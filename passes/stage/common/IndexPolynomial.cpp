//===- IndexPolynomial.cpp - Addresses as polynomials ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexPolynomial.h"
#include "AddressTerms.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

Polynomial Polynomial::constant(int64_t C) {
  Polynomial P;
  if (C)
    P.Terms[{}] = C;
  return P;
}

Polynomial Polynomial::atom(unsigned Number) {
  Polynomial P;
  P.Terms[{Number}] = 1;
  return P;
}

/// Adds \p Count times \p What; false if there is no room.
bool Polynomial::add(const Product &What, int64_t Count) {
  int64_t &Mine = Terms[What];
  if (AddOverflow(Mine, Count, Mine) || Mine == INT64_MIN)
    return false;
  if (!Mine)
    Terms.erase(What);
  return Terms.size() <= MaxTerms;
}

std::optional<Polynomial> Polynomial::plus(const Polynomial &Other,
                                           int64_t Factor) const {
  Polynomial Sum = *this;
  for (const auto &[What, Count] : Other.Terms) {
    int64_t Grown;
    if (MulOverflow(Count, Factor, Grown) || !Sum.add(What, Grown))
      return std::nullopt;
  }
  return Sum;
}

std::optional<Polynomial> Polynomial::times(const Polynomial &Other) const {
  Polynomial Result;
  for (const auto &[A, CountA] : Terms)
    for (const auto &[B, CountB] : Other.Terms) {
      Product Both = A;
      Both.append(B.begin(), B.end());
      sort(Both);
      int64_t Count;
      if (Both.size() > MaxDegree || MulOverflow(CountA, CountB, Count) ||
          !Result.add(Both, Count))
        return std::nullopt;
    }
  return Result;
}

std::optional<Polynomial> Polynomial::shiftedRight(unsigned Shift) const {
  Polynomial Result = *this;
  for (auto &[What, Count] : Result.Terms) {
    if (Shift > 62 || Count % (int64_t(1) << Shift))
      return std::nullopt;
    Count >>= Shift;
  }
  return Result;
}

std::optional<Polynomial> Polynomial::factorOf(unsigned Atom) const {
  Polynomial Factor;
  for (const auto &[What, Count] : Terms) {
    if (!is_contained(What, Atom))
      continue;
    Product Rest = What;
    Rest.erase(find(Rest, Atom));
    if (any_of(Rest, [](unsigned Other) { return Other < FirstAtom; }))
      return std::nullopt;
    Factor.Terms[Rest] = Count;
  }
  return Factor;
}

std::optional<int64_t> Polynomial::asConstant() const {
  if (Terms.empty())
    return 0;
  if (Terms.size() > 1 || !Terms.begin()->first.empty())
    return std::nullopt;
  return Terms.begin()->second;
}

std::optional<int64_t> Polynomial::timesOf(const Polynomial &Other) const {
  // The last product is 1 only where there is no other.
  auto Last = Other.Terms.rbegin();
  auto Mine = Terms.find(Last->first);
  int64_t Count = Mine == Terms.end() ? 0 : Mine->second;
  int64_t Times = Count / Last->second;
  if (Last->first.empty()) {
    // The nearest.
    int64_t Rest = Count % Last->second;
    if (std::abs(Rest) > std::abs(Last->second) / 2)
      Times += (Rest < 0) == (Last->second < 0) ? 1 : -1;
  }
  auto Left = plus(Other, -Times);
  return Left && Left->asConstant() ? std::optional(Times) : std::nullopt;
}

MaybePolynomial sum(const MaybePolynomial &A, const MaybePolynomial &B,
                    int64_t Factor) {
  return A && B ? A->plus(*B, Factor) : std::nullopt;
}

MaybePolynomial product(const MaybePolynomial &A, const MaybePolynomial &B) {
  return A && B ? A->times(*B) : std::nullopt;
}

MaybePolynomial factorOf(unsigned Atom, const MaybePolynomial &P) {
  return P ? P->factorOf(Atom) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Values as polynomials
//===----------------------------------------------------------------------===//

MaybePolynomial IndexPolynomials::atomFor(Value *V, unsigned Bits) {
  if (!IsAtom(V))
    return std::nullopt;
  Atom New{V, Bits};
  auto *It = find(Atoms, New);
  unsigned Number = It - Atoms.begin();
  if (It == Atoms.end())
    Atoms.push_back(New);
  return Polynomial::atom(Polynomial::FirstAtom + Number);
}

MaybePolynomial IndexPolynomials::inRange(MaybePolynomial P, unsigned Bits,
                                          bool Signed) {
  if (!P)
    return std::nullopt;
  const auto &Terms = P->terms();
  // How small it gets can be told.
  if (!Signed && (!P->factorOf(Polynomial::I) || !P->factorOf(Polynomial::J)))
    return std::nullopt;
  // A signed value of no more bits is what it is.
  if (Signed && Terms.size() == 1 && Terms.begin()->second == 1 &&
      Terms.begin()->first.size() == 1) {
    unsigned Only = Terms.begin()->first.front();
    if (Only >= Polynomial::FirstAtom && atom(Only).Bits <= Bits)
      return P;
  }
  Range New{*P, Bits, Signed};
  auto Number = P->asConstant();
  bool Known =
      Number && (Signed ? isIntN(Bits, *Number) : isUIntN(Bits, *Number));
  // Several loads have parts of their addresses in common.
  if (!Known && !is_contained(Ranges, New))
    Ranges.push_back(std::move(New));
  return P;
}

MaybePolynomial IndexPolynomials::ofTerms(const AddressTerms &Sum) {
  MaybePolynomial P = Polynomial::constant(Sum.Constant);
  for (const AddressTerm &T : Sum.Terms) {
    MaybePolynomial Part = get(T.V, T.Bits);
    if (T.Extended)
      Part = inRange(Part, T.Bits, T.Extended == AddressTerm::Sign);
    P = sum(P, Part, T.Factor);
  }
  return P;
}

MaybePolynomial IndexPolynomials::ofAddress(Value *Pointer) {
  if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer))
    return ofAddress(Cast->getPointerOperand());
  if (!isa<GEPOperator>(Pointer))
    return atomFor(Pointer, 64);
  if (DL.getIndexTypeSizeInBits(Pointer->getType()) != 64)
    return std::nullopt;
  auto Sum = termsOf(*Pointer, 64, DL);
  return Sum ? ofTerms(*Sum) : std::nullopt;
}

MaybePolynomial IndexPolynomials::ofInstruction(Instruction &I, unsigned Bits) {
  if (auto Sum = termsOf(I, Bits, DL))
    return ofTerms(*Sum);
  unsigned Width = I.getType()->getScalarSizeInBits();
  Value *A, *B;
  uint64_t By;
  if (match(&I, m_Mul(m_Value(A), m_Value(B))))
    return product(get(A, Bits), get(B, Bits));
  if (match(&I, m_AShr(m_Value(A), m_ConstantInt(By))) && By < Width) {
    MaybePolynomial P = get(A, Width);
    return inRange(P ? P->shiftedRight(By) : P, Width - By, /*Signed=*/true);
  }
  const APInt *Mask;
  if (match(&I, m_And(m_Value(A), m_APInt(Mask))) && Mask->isMask()) {
    unsigned Kept = Mask->countr_one();
    if (Bits <= Kept)
      return get(A, Bits);
    // By all bits of the type that it was converted from: elsewhere it may
    // stand for itself with its sign, which here is none.
    unsigned From = std::min<unsigned>(PowerOf2Ceil(Kept), Width);
    return inRange(get(A, From), Kept, /*Signed=*/false);
  }
  return std::nullopt;
}

MaybePolynomial IndexPolynomials::get(Value *V, unsigned Bits) {
  // Values that are used again and again would be written out each time.
  if (++Visited > MaxVisited || Bits > 64 ||
      V->getType()->getScalarSizeInBits() > 64)
    return std::nullopt;
  if (V->getType()->isPointerTy())
    return ofAddress(V);
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    int64_t Number = SignExtend64(C->getZExtValue(), Bits);
    return Number == INT64_MIN ? MaybePolynomial()
                               : Polynomial::constant(Number);
  }
  if (MaybePolynomial P = Known(V))
    return P;
  if (auto *I = dyn_cast<Instruction>(V)) {
    size_t Before = Ranges.size();
    if (MaybePolynomial P = ofInstruction(*I, Bits))
      return P;
    Ranges.truncate(Before);
  }
  return atomFor(V, Bits);
}

MaybePolynomial IndexPolynomials::getWithin(Value *V) {
  size_t Before = Ranges.size();
  MaybePolynomial P = get(V);
  if (Ranges.size() == Before)
    return P;
  Ranges.truncate(Before);
  return std::nullopt;
}

MaybePolynomial IndexPolynomials::get(Value *V) {
  return get(V, V->getType()->isPointerTy()
                    ? 64
                    : V->getType()->getScalarSizeInBits());
}

} // namespace ferry
