//===- IndexPolynomial.h - Addresses as polynomials -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which elements of an array neighbouring iterations share is known when the
// difference of their addresses is. LLVM's scalar evolution does not tell it:
// for 32-bit indices, `sext(i * m + j)` and `sext(i * m + j + 1)` have nothing
// in common there unless no wrap can be proved, and (i + 1) * m is not
// multiplied out. Here sums and products are, as if no wrap ever happened;
// where a value is extended, that becomes a condition to be tested at run time.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_INDEXPOLYNOMIAL_H
#define FERRY_STAGE_INDEXPOLYNOMIAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <map>
#include <optional>

namespace llvm {
class DataLayout;
class Instruction;
class Value;
} // namespace llvm

namespace ferry {

struct AddressTerms;

/// A sum of products of whole numbers: i, j, p, and others, by their numbers in
/// IndexPolynomials.
class Polynomial {
public:
  using Product = llvm::SmallVector<unsigned, 3>; ///< sorted; empty is 1
  static constexpr unsigned I = 0, J = 1, P = 2, FirstAtom = 3;
  static constexpr unsigned MaxDegree = 6, MaxTerms = 32;

  static Polynomial constant(int64_t C);
  static Polynomial atom(unsigned Number);

  /// Nothing where a number does not fit into 64 bits, or there are more than
  /// MaxTerms, or MaxDegree factors in one.
  std::optional<Polynomial> plus(const Polynomial &Other,
                                 int64_t Factor = 1) const;
  std::optional<Polynomial> times(const Polynomial &Other) const;
  /// Divides by 2 to the power of \p Shift, if that leaves no rest.
  std::optional<Polynomial> shiftedRight(unsigned Shift) const;

  /// What \p Atom (I, J or P) is multiplied by; nothing if that depends on one
  /// of them.
  std::optional<Polynomial> factorOf(unsigned Atom) const;
  /// The number that this is, if it is one.
  std::optional<int64_t> asConstant() const;
  /// The number of times that \p Other goes into this, if only a constant is
  /// left.
  std::optional<int64_t> timesOf(const Polynomial &Other) const;

  const std::map<Product, int64_t> &terms() const { return Terms; }
  bool operator==(const Polynomial &Other) const {
    return Terms == Other.Terms;
  }

private:
  std::map<Product, int64_t> Terms; ///< no number is 0 or INT64_MIN

  bool add(const Product &What, int64_t Count);
};

using MaybePolynomial = std::optional<Polynomial>;

/// \p A and \p Factor times \p B; \p A times \p B; P.factorOf(Atom).
MaybePolynomial sum(const MaybePolynomial &A, const MaybePolynomial &B,
                    int64_t Factor = 1);
MaybePolynomial product(const MaybePolynomial &A, const MaybePolynomial &B);
MaybePolynomial factorOf(unsigned Atom, const MaybePolynomial &P);

/// Writes values of one iteration space as polynomials.
class IndexPolynomials {
public:
  /// What stands for itself: the low \p Bits bits of a value, signed.
  struct Atom {
    llvm::Value *V;
    unsigned Bits;
    bool operator==(const Atom &O) const { return V == O.V && Bits == O.Bits; }
  };
  /// A polynomial that must be a number of so many bits. One that is not signed
  /// has no product of I or J with one of the others.
  struct Range {
    Polynomial P;
    unsigned Bits;
    bool Signed;
    bool operator==(const Range &O) const {
      return P == O.P && Bits == O.Bits && Signed == O.Signed;
    }
  };

  /// \p Known tells what has a number of its own (Polynomial::I, J or P), \p
  /// IsAtom what may stand for itself. Other values are refused.
  IndexPolynomials(const llvm::DataLayout &DL,
                   std::function<MaybePolynomial(llvm::Value *)> Known,
                   std::function<bool(llvm::Value *)> IsAtom)
      : DL(DL), Known(std::move(Known)), IsAtom(std::move(IsAtom)) {}

  /// The polynomial that \p V is equal to, modulo 2 to the power of \p Bits,
  /// if the conditions in ranges() hold.
  MaybePolynomial get(llvm::Value *V, unsigned Bits);
  MaybePolynomial get(llvm::Value *V);
  /// The same if it needs no more conditions than there are.
  MaybePolynomial getWithin(llvm::Value *V);

  /// \p P, with the condition that it is a number of \p Bits bits; nothing if
  /// that cannot be tested.
  MaybePolynomial inRange(MaybePolynomial P, unsigned Bits, bool Signed);

  const Atom &atom(unsigned Number) const {
    return Atoms[Number - Polynomial::FirstAtom];
  }
  unsigned numAtoms() const { return Atoms.size(); }
  llvm::ArrayRef<Range> ranges() const { return Ranges; }

private:
  const llvm::DataLayout &DL;
  std::function<MaybePolynomial(llvm::Value *)> Known;
  std::function<bool(llvm::Value *)> IsAtom;
  llvm::SmallVector<Atom, 8> Atoms;
  llvm::SmallVector<Range, 8> Ranges;
  unsigned Visited = 0;
  static constexpr unsigned MaxVisited = 2000;

  MaybePolynomial atomFor(llvm::Value *V, unsigned Bits);
  MaybePolynomial ofInstruction(llvm::Instruction &I, unsigned Bits);
  MaybePolynomial ofTerms(const AddressTerms &Sum);
  MaybePolynomial ofAddress(llvm::Value *Pointer);
};

} // namespace ferry

#endif // FERRY_STAGE_INDEXPOLYNOMIAL_H
