//===- RangeExpression.cpp - Bounds known at the launch -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RangeExpression.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ferry {

/// The signed value of the lowest \p Bits bits of \p Value.
static int64_t wrap(uint64_t Value, unsigned Bits) {
  return SignExtend64(Value, Bits);
}

/// Whether \p V has \p Bits bits; of 64, unsigned, only 63 are used.
static bool fits(int64_t V, unsigned Bits, bool Signed) {
  if (Signed)
    return Bits >= 64 || isIntN(Bits, V);
  return V >= 0 && (Bits >= 64 || isUIntN(Bits, static_cast<uint64_t>(V)));
}

bool RangeTerm::hasRight() const {
  return (Kind >= Add && Kind <= UDiv) || Kind == Given;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

RangeTable::Term RangeTable::place(RangeTerm T) {
  auto [It, New] =
      Places.try_emplace(std::move(T), static_cast<Term>(Terms.size()));
  if (New)
    Terms.push_back(It->first);
  return It->second;
}

RangeTable::Term RangeTable::place(RangeTerm::KindTy Kind, unsigned Bits,
                                   Term A, Term B) {
  RangeTerm T;
  T.Kind = Kind;
  T.Bits = static_cast<uint8_t>(Bits);
  T.Left = A;
  T.Right = B;
  return place(std::move(T));
}

RangeTable::Term RangeTable::constant(int64_t Value, unsigned Bits) {
  RangeTerm T;
  T.Bits = static_cast<uint8_t>(Bits);
  T.Value = wrap(static_cast<uint64_t>(Value), Bits);
  return place(std::move(T));
}

RangeTable::Term RangeTable::argument(unsigned Number, unsigned Bits) {
  RangeTerm T;
  T.Kind = RangeTerm::Argument;
  T.Bits = static_cast<uint8_t>(Bits);
  T.Value = Number;
  return place(std::move(T));
}

RangeTable::Term RangeTable::ofLaunch(RangeTerm::KindTy Kind) {
  RangeTerm T;
  T.Kind = Kind;
  return place(std::move(T));
}

RangeTable::Term RangeTable::word(unsigned Argument, std::vector<int64_t> Path,
                                  unsigned Bits) {
  RangeTerm T;
  T.Kind = RangeTerm::Word;
  T.Bits = static_cast<uint8_t>(Bits);
  T.Value = Argument;
  T.Path = std::move(Path);
  return place(std::move(T));
}

std::optional<int64_t> RangeTable::constantOf(Term A) const {
  if (Terms[A].Kind != RangeTerm::Constant)
    return std::nullopt;
  return Terms[A].Value;
}

/// \p A as another term and a constant to be added to it.
std::pair<RangeTable::Term, int64_t> RangeTable::splitConstant(Term A) const {
  if (Terms[A].Kind == RangeTerm::Add)
    if (auto C = constantOf(Terms[A].Right))
      return {Terms[A].Left, *C};
  return {A, 0};
}

RangeTable::Term RangeTable::add(Term A, Term B) {
  unsigned Bits = bits(A);
  if (constantOf(A))
    std::swap(A, B);
  auto C = constantOf(B);
  if (auto D = constantOf(A); C && D) {
    int64_t Sum;
    if (!AddOverflow(*C, *D, Sum))
      return constant(Sum, Bits);
  }
  if (C && *C == 0)
    return A;
  if (C) {
    auto [Rest, D] = splitConstant(A);
    int64_t Sum;
    if (Rest != A && !AddOverflow(*C, D, Sum))
      return add(Rest, constant(Sum, Bits));
  } else {
    // Constants to the outside, the rest in one order.
    auto [RestA, DA] = splitConstant(A);
    auto [RestB, DB] = splitConstant(B);
    int64_t Sum;
    if ((DA || DB) && !AddOverflow(DA, DB, Sum))
      return add(add(RestA, RestB), constant(Sum, Bits));
    if (A > B)
      std::swap(A, B);
  }
  return place(RangeTerm::Add, Bits, A, B);
}

RangeTable::Term RangeTable::mul(Term A, Term B) {
  unsigned Bits = bits(A);
  if (constantOf(A))
    std::swap(A, B);
  auto C = constantOf(B);
  if (auto D = constantOf(A); C && D) {
    int64_t Product;
    if (!MulOverflow(*C, *D, Product))
      return constant(Product, Bits);
  }
  if (C && *C == 1)
    return A;
  if (C && *C == 0)
    return B;
  if (C && Terms[A].Kind == RangeTerm::Mul)
    if (auto D = constantOf(Terms[A].Right)) {
      int64_t Product;
      if (!MulOverflow(*C, *D, Product))
        return mul(Terms[A].Left, constant(Product, Bits));
    }
  if (!C && A > B)
    std::swap(A, B);
  return place(RangeTerm::Mul, Bits, A, B);
}

RangeTable::Term RangeTable::choose(RangeTerm::KindTy Kind, Term A, Term B) {
  if (A == B)
    return A;
  bool Signed = Kind == RangeTerm::SMin || Kind == RangeTerm::SMax;
  bool Min = Kind == RangeTerm::SMin || Kind == RangeTerm::UMin;
  auto C = constantOf(A), D = constantOf(B);
  if (C && D) {
    bool Less = Signed ? *C < *D
                       : static_cast<uint64_t>(*C) < static_cast<uint64_t>(*D);
    return Less == Min ? A : B;
  }
  // Exact integers: what both have in common does not count.
  if (Signed && bits(A) == 64) {
    auto [RestA, DA] = splitConstant(A);
    auto [RestB, DB] = splitConstant(B);
    if (RestA == RestB)
      return (DA < DB) == Min ? A : B;
  }
  if (A > B)
    std::swap(A, B);
  return place(Kind, bits(A), A, B);
}

RangeTable::Term RangeTable::divide(RangeTerm::KindTy Kind, Term A, Term B) {
  auto C = constantOf(A), D = constantOf(B);
  if ((D && *D == 1) || (C && *C == 0))
    return A;
  if (C && D && *C >= 0 && *D > 0)
    return constant(*C / *D, bits(A));
  return place(Kind, bits(A), A, B);
}

RangeTable::Term RangeTable::signExtend(Term A, unsigned Bits) {
  if (bits(A) == Bits)
    return A;
  if (auto C = constantOf(A))
    return constant(*C, Bits);
  return place(RangeTerm::SExt, Bits, A, 0);
}

RangeTable::Term RangeTable::zeroExtend(Term A, unsigned Bits) {
  if (bits(A) == Bits)
    return A;
  if (auto C = constantOf(A))
    return constant(static_cast<int64_t>(static_cast<uint64_t>(*C) &
                                         maskTrailingOnes<uint64_t>(bits(A))),
                    Bits);
  return place(RangeTerm::ZExt, Bits, A, 0);
}

RangeTable::Term RangeTable::truncate(Term A, unsigned Bits) {
  if (bits(A) == Bits)
    return A;
  if (auto C = constantOf(A))
    return constant(*C, Bits);
  const RangeTerm &T = Terms[A];
  if ((T.Kind == RangeTerm::SExt || T.Kind == RangeTerm::ZExt) &&
      bits(T.Left) == Bits)
    return T.Left;
  return place(RangeTerm::Trunc, Bits, A, 0);
}

RangeTable::Term RangeTable::demand(RangeTerm::KindTy Kind, Term A,
                                    unsigned Bits) {
  const RangeTerm &T = Terms[A];
  auto C = constantOf(A);
  if ((T.Kind == Kind && T.Value <= Bits) ||
      (C && fits(*C, Bits, Kind == RangeTerm::FitsSigned)))
    return A;
  RangeTerm New;
  New.Kind = Kind;
  New.Value = Bits;
  New.Left = A;
  return place(std::move(New));
}

RangeTable::Term RangeTable::fitsSigned(Term A, unsigned Bits) {
  const RangeTerm &T = Terms[A];
  if (Bits >= 64 || (T.Kind == RangeTerm::SExt && bits(T.Left) <= Bits) ||
      (T.Kind == RangeTerm::ZExt && bits(T.Left) < Bits))
    return A;
  return demand(RangeTerm::FitsSigned, A, Bits);
}

RangeTable::Term RangeTable::fitsUnsigned(Term A, unsigned Bits) {
  const RangeTerm &T = Terms[A];
  if (T.Kind == RangeTerm::ZExt && bits(T.Left) <= Bits)
    return A;
  return demand(RangeTerm::FitsUnsigned, A, Bits);
}

RangeTable::Term RangeTable::given(Term A, Term Demanding) {
  const RangeTerm &T = Terms[Demanding];
  bool Demands = T.Kind == RangeTerm::FitsSigned ||
                 T.Kind == RangeTerm::FitsUnsigned ||
                 T.Kind == RangeTerm::Given;
  for (Term B = A; Demands && Terms[B].Kind == RangeTerm::Given;
       B = Terms[B].Left)
    Demands = Terms[B].Right != Demanding;
  return Demands ? place(RangeTerm::Given, bits(A), A, Demanding) : A;
}

static std::vector<bool> neededBy(const std::vector<RangeTerm> &Terms,
                                  std::initializer_list<uint32_t> Roots) {
  std::vector<bool> Needed(std::max(Roots) + 1);
  for (uint32_t Root : Roots)
    Needed[Root] = true;
  for (size_t I = Needed.size(); I-- > 0;) {
    if (!Needed[I] || Terms[I].isLeaf())
      continue;
    Needed[Terms[I].Left] = true;
    if (Terms[I].hasRight())
      Needed[Terms[I].Right] = true;
  }
  return Needed;
}

std::optional<AccessRange> RangeTable::range(Term First, Term Last,
                                             size_t Limit) const {
  std::vector<bool> Needed = neededBy(Terms, {First, Last});
  AccessRange R;
  std::vector<Term> NewPlace(Needed.size());
  for (size_t I = 0; I < Needed.size(); ++I) {
    if (!Needed[I])
      continue;
    if (R.Terms.size() == Limit)
      return std::nullopt;
    NewPlace[I] = static_cast<Term>(R.Terms.size());
    RangeTerm T = Terms[I];
    if (!T.isLeaf())
      T.Left = NewPlace[T.Left];
    if (T.hasRight())
      T.Right = NewPlace[T.Right];
    R.Terms.push_back(std::move(T));
  }
  R.First = NewPlace[First];
  R.Last = NewPlace[Last];
  return R;
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static std::optional<int64_t> constantAt(const AccessRange &R, uint32_t At) {
  if (R.Terms[At].Kind != RangeTerm::Constant)
    return std::nullopt;
  return R.Terms[At].Value;
}

std::optional<int64_t> AccessRange::constantFirst() const {
  return constantAt(*this, First);
}

std::optional<int64_t> AccessRange::constantLast() const {
  return constantAt(*this, Last);
}

namespace {

/// What is known of a value's sign. Zero is both.
struct Sign {
  bool NotPositive = false;
  bool NotNegative = false;
};

} // namespace

/// The sign of \p T, of 64 bits, from those of its operands.
static Sign signOf(const RangeTerm &T, Sign L, Sign R) {
  switch (T.Kind) {
  case RangeTerm::Constant:
    return {T.Value <= 0, T.Value >= 0};
  case RangeTerm::Add:
    return {L.NotPositive && R.NotPositive, L.NotNegative && R.NotNegative};
  case RangeTerm::Mul:
    return {
        (L.NotPositive && R.NotNegative) || (L.NotNegative && R.NotPositive),
        (L.NotPositive && R.NotPositive) || (L.NotNegative && R.NotNegative)};
  case RangeTerm::SMin:
    return {L.NotPositive || R.NotPositive, L.NotNegative && R.NotNegative};
  case RangeTerm::SMax:
    return {L.NotPositive && R.NotPositive, L.NotNegative || R.NotNegative};
  case RangeTerm::ZExt:
    return {false, true};
  case RangeTerm::FitsUnsigned:
    return {L.NotPositive, true};
  case RangeTerm::SDiv:
  case RangeTerm::FitsSigned:
  case RangeTerm::Given:
    return L;
  default:
    return {};
  }
}

bool AccessRange::alwaysHasPointer() const {
  std::vector<Sign> Signs;
  for (const RangeTerm &T : Terms)
    Signs.push_back(T.Bits < 64
                        ? Sign()
                        : signOf(T, T.isLeaf() ? Sign() : Signs[T.Left],
                                 T.hasRight() ? Signs[T.Right] : Sign()));
  return Signs[First].NotPositive && Signs[Last].NotNegative;
}

std::vector<bool> AccessRange::needs(uint32_t At) const {
  std::vector<bool> Needed = neededBy(Terms, {At});
  Needed.resize(Terms.size());
  return Needed;
}

namespace {

/// Terms that are used more than once get a number and stand at the end.
class Printer {
public:
  Printer(raw_ostream &OS, const AccessRange &R)
      : OS(OS), R(R), Uses(R.Terms.size()), Number(R.Terms.size()) {
    for (const RangeTerm &T : R.Terms) {
      Uses[T.Left] += !T.isLeaf();
      Uses[T.Right] += T.hasRight();
    }
  }

  void print() {
    term(R.First);
    OS << " to ";
    term(R.Last);
    printShared();
  }

  void printFirst() {
    term(R.First);
    printShared();
  }

private:
  raw_ostream &OS;
  const AccessRange &R;
  std::vector<unsigned> Uses;
  std::vector<unsigned> Number; ///< 1 + place in Shared
  std::vector<uint32_t> Shared;

  void printShared() {
    for (size_t I = 0; I < Shared.size(); ++I) {
      OS << (I ? ", %" : " with %") << I << " = ";
      expression(R.Terms[Shared[I]]);
    }
  }

  void term(uint32_t At) {
    const RangeTerm &T = R.Terms[At];
    bool IsCall = T.Kind == RangeTerm::SMin || T.Kind == RangeTerm::SMax;
    bool IsLong = T.hasRight() && (IsCall || !R.Terms[T.Right].isLeaf() ||
                                   !R.Terms[T.Left].isLeaf());
    if (Uses[At] < 2 || !IsLong)
      return expression(T);
    if (!Number[At]) {
      Shared.push_back(At);
      Number[At] = static_cast<unsigned>(Shared.size());
    }
    OS << "%" << Number[At] - 1;
  }

  void call(const Twine &Name, const RangeTerm &T) {
    OS << Name << "(";
    term(T.Left);
    if (T.hasRight()) {
      OS << ", ";
      term(T.Right);
    }
    OS << ")";
  }

  void infix(StringRef Operator, const RangeTerm &T) {
    OS << "(";
    term(T.Left);
    OS << Operator;
    term(T.Right);
    OS << ")";
  }

  void expression(const RangeTerm &T) {
    switch (T.Kind) {
    case RangeTerm::Constant:
      OS << T.Value;
      return;
    case RangeTerm::BlockClauses:
      OS << "clauses of teams or threads";
      return;
    case RangeTerm::BlockThreads:
      OS << "threads of a block";
      return;
    case RangeTerm::Argument:
    case RangeTerm::Word:
      OS << "i" << unsigned(T.Bits) << " argument " << T.Value;
      for (int64_t Offset : T.Path)
        OS << "[" << (Offset < 0 ? "" : "+") << Offset << "]";
      return;
    case RangeTerm::Add:
      return infix(" + ", T);
    case RangeTerm::Mul:
      return infix(" * ", T);
    case RangeTerm::SMin:
      return call("smin", T);
    case RangeTerm::SMax:
      return call("smax", T);
    case RangeTerm::UMin:
      return call("umin", T);
    case RangeTerm::UMax:
      return call("umax", T);
    case RangeTerm::SDiv:
      return infix(" /s ", T);
    case RangeTerm::UDiv:
      return infix(" /u ", T);
    case RangeTerm::SExt:
      return call("sext" + Twine(unsigned(T.Bits)), T);
    case RangeTerm::ZExt:
      return call("zext" + Twine(unsigned(T.Bits)), T);
    case RangeTerm::Trunc:
      return call("trunc" + Twine(unsigned(T.Bits)), T);
    case RangeTerm::FitsSigned:
      return call("signed" + Twine(T.Value), T);
    case RangeTerm::FitsUnsigned:
      return call("unsigned" + Twine(T.Value), T);
    case RangeTerm::Given:
      return call("given", T);
    }
  }
};

} // namespace

void AccessRange::print(raw_ostream &OS) const { Printer(OS, *this).print(); }

void AccessRange::printFirst(raw_ostream &OS) const {
  Printer(OS, *this).printFirst();
}

} // namespace ferry
