//===- RangeExpression.h - Bounds known at the launch -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first and the last byte that a kernel accesses through a pointer, as
// expressions over what the launch knows: the kernel's arguments and words of
// the captured objects. Plain data, without pointers into the IR.
//
// Values are signed. Terms narrower than 64 bits wrap around as the program's
// own arithmetic does. Terms of 64 bits stand for exact integers: where one
// does not fit, or a demand of a term is not met, the range is unknown.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_RANGEEXPRESSION_H
#define FERRY_CLOSURE_RANGEEXPRESSION_H

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace ferry {

/// One operation. Operands are places in the same table, before the term.
struct RangeTerm {
  enum KindTy : uint8_t {
    Constant, ///< Value
    Argument, ///< the kernel's parameter number Value, an integer
    Word,     ///< an integer in memory: parameter number Value leads to an
              ///< object; all offsets in Path but the last are those of
              ///< references to the next object
    Add,
    Mul,
    SMin,
    SMax,
    UMin,
    UMax,
    SDiv, ///< demands a divisor above 0
    UDiv, ///< demands a divisor other than 0
    SExt,
    ZExt,
    Trunc,
    FitsSigned,   ///< the first operand; demands that it has Value bits, signed
    FitsUnsigned, ///< the same, unsigned; 64 demands no more than 63
    Given,        ///< the first operand, with what the second demands
    BlockClauses, ///< 1 if clauses of the launch ask for teams or threads, else
                  ///< 0
    BlockThreads, ///< how many threads clauses of the launch ask for, or the
                  ///< runtime takes by itself
  };

  KindTy Kind = Constant;
  uint8_t Bits = 64;
  int64_t Value = 0;
  uint32_t Left = 0;
  uint32_t Right = 0;
  std::vector<int64_t> Path;

  bool isLeaf() const { return Kind <= Word || Kind >= BlockClauses; }
  bool hasValue() const {
    return Kind <= Word || Kind == FitsSigned || Kind == FitsUnsigned;
  }
  bool hasRight() const;

  auto key() const { return std::tie(Kind, Bits, Value, Left, Right, Path); }
  bool operator==(const RangeTerm &T) const { return key() == T.key(); }
  bool operator<(const RangeTerm &T) const { return key() < T.key(); }
};

/// Bytes relative to a pointer; both ends are inside.
struct AccessRange {
  std::vector<RangeTerm> Terms;
  uint32_t First = 0; ///< place of a term of 64 bits
  uint32_t Last = 0;

  /// The first byte, if it is the same at every launch.
  std::optional<int64_t> constantFirst() const;
  std::optional<int64_t> constantLast() const;

  /// Whether the byte that the pointer points to is inside at every launch at
  /// which the range is known.
  bool alwaysHasPointer() const;

  /// For each term, whether the one at \p At needs it.
  std::vector<bool> needs(uint32_t At) const;

  bool operator==(const AccessRange &R) const {
    return Terms == R.Terms && First == R.First && Last == R.Last;
  }

  /// "FIRST to LAST".
  void print(llvm::raw_ostream &OS) const;
  /// "FIRST".
  void printFirst(llvm::raw_ostream &OS) const;
};

/// A growing table of terms, in which equal terms are one and constants are
/// folded. Operands of one operation must have the same width.
class RangeTable {
public:
  using Term = uint32_t;

  Term constant(int64_t Value, unsigned Bits = 64);
  Term argument(unsigned Number, unsigned Bits);
  /// BlockClauses or BlockThreads.
  Term ofLaunch(RangeTerm::KindTy Kind);
  Term word(unsigned Argument, std::vector<int64_t> Path, unsigned Bits);
  Term add(Term A, Term B);
  Term mul(Term A, Term B);
  /// \p Kind is one of SMin, SMax, UMin and UMax.
  Term choose(RangeTerm::KindTy Kind, Term A, Term B);
  /// \p Kind is SDiv or UDiv.
  Term divide(RangeTerm::KindTy Kind, Term A, Term B);
  Term negate(Term A) { return mul(A, constant(-1, bits(A))); }
  Term signExtend(Term A, unsigned Bits);
  Term zeroExtend(Term A, unsigned Bits);
  Term truncate(Term A, unsigned Bits);
  Term fitsSigned(Term A, unsigned Bits);
  Term fitsUnsigned(Term A, unsigned Bits);
  Term given(Term A, Term Demanding);

  unsigned bits(Term A) const { return Terms[A].Bits; }
  std::optional<int64_t> constantOf(Term A) const;
  size_t size() const { return Terms.size(); }

  /// The range from \p First to \p Last with the terms it needs, or nothing if
  /// they are more than \p Limit.
  std::optional<AccessRange> range(Term First, Term Last, size_t Limit) const;

private:
  std::vector<RangeTerm> Terms;
  std::map<RangeTerm, Term> Places;

  Term demand(RangeTerm::KindTy Kind, Term A, unsigned Bits);
  Term place(RangeTerm T);
  Term place(RangeTerm::KindTy Kind, unsigned Bits, Term A, Term B);
  std::pair<Term, int64_t> splitConstant(Term A) const;
};

} // namespace ferry

#endif // FERRY_CLOSURE_RANGEEXPRESSION_H
