//===- NestAddresses.cpp - How steps' addresses belong together -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which addresses depend on i, on j and on k is read off the instructions that
// compute them. LLVM's scalar evolution does not help: 32-bit sums of products
// are not known not to wrap here.
//
// Distances are those of polynomials in the counters of the inner loop, as if
// no number wrapped. So what is found here is what most likely holds: it
// decides what pays, and is asked at run time where results depend on it.
//
//===----------------------------------------------------------------------===//

#include "NestFinder.h"
#include "stage/common/AddressTerms.h"
#include "stage/common/IndexPolynomial.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

//===----------------------------------------------------------------------===//
// Growth
//===----------------------------------------------------------------------===//

/// Nothing if \p V depends on something else than p, i, j and k.
std::optional<Dependence> NestFinder::dependence(Value *V, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  Dependence D;
  // What depends on the plane alone is the same in a tile.
  if (!I || isInvariant(I) || N.PlaneIndices.contains(I))
    return D;
  if (Depth > 32)
    return std::nullopt;
  if (N.isInPlane(I)) {
    D.On[D.I] = N.isOfRow(I);
    D.On[D.J] = N.isOfColumn(I);
    // The index grows by the width with i.
    if (D.On[D.I])
      D.Slope[D.I] = D.On[D.J] ? std::nullopt : std::optional(1);
    D.Slope[D.J] = D.On[D.J];
    return D;
  }
  if (N.rowMask(*I)) {
    D.On[D.I] = true;
    D.Slope[D.I] = cast<ConstantInt>(N.Width)->getSExtValue();
    // More than j may be cut off.
    ++D.Wraps[D.I];
    return D;
  }
  if (N.isRowStart(*I)) {
    D.On[D.I] = true;
    D.Slope[D.I] = std::nullopt;
    return D;
  }
  return isa<PHINode>(I) ? dependenceOfCounter(cast<PHINode>(*I), Depth + 1)
                         : dependenceOf(*I, Depth + 1);
}

std::optional<Dependence> NestFinder::dependenceOfCounter(PHINode &Phi,
                                                          unsigned Depth) {
  auto It = N.Inductions.find(&Phi);
  if (It == N.Inductions.end())
    return std::nullopt;
  auto D = dependence(It->second.Start, Depth);
  if (!D)
    return std::nullopt;
  auto *Step = dyn_cast<SCEVConstant>(It->second.Step);
  D->On[D->K] = true;
  if (!It->second.OfOuter)
    D->Slope[D->K] =
        Step ? std::optional(Step->getAPInt().getSExtValue()) : std::nullopt;
  auto *Grows = cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
  D->wrap(!Grows->hasNoSignedWrap(), !Grows->hasNoUnsignedWrap());
  return D;
}

std::optional<Dependence> NestFinder::dependenceOf(Instruction &I,
                                                   unsigned Depth) {
  const bool InBody = N.isOfSteps(&I);
  if ((!InBody && !is_contained(N.Pre, I.getParent())) ||
      (InBody && I.mayReadFromMemory()) || I.mayHaveSideEffects())
    return std::nullopt;
  // Arithmetic shifts that undo others keep numbers of 32 bits as they are.
  Value *Inner;
  const APInt *Left, *Right;
  if (match(&I, m_AShr(m_Shl(m_Value(Inner), m_APInt(Left)), m_APInt(Right))) &&
      *Left == *Right) {
    auto D = dependence(Inner, Depth);
    if (D) {
      D->wrap(/*AsSigned=*/true, /*AsUnsigned=*/true);
      D->extend(/*AsSigned=*/true);
    }
    return D;
  }
  Dependence D;
  if (auto Sum =
          termsOf(I, I.getType()->getScalarSizeInBits(), I.getDataLayout()))
    for (const AddressTerm &T : Sum->Terms) {
      auto Part = dependence(T.V, Depth);
      if (!Part)
        return std::nullopt;
      if (T.Extended)
        Part->extend(/*AsSigned=*/!isa<ZExtInst>(I));
      D.add(*Part, T.Factor);
    }
  else if (!addOperands(D, I, Depth))
    return std::nullopt;
  // Tiles begin at multiples of powers of two, so i and j of fewer bits do not
  // wrap within a chunk.
  auto *Flags = dyn_cast<OverflowingBinaryOperator>(&I);
  auto *Less = dyn_cast<TruncInst>(&I);
  if (Flags)
    D.wrap(!Flags->hasNoSignedWrap(), !Flags->hasNoUnsignedWrap());
  else if (Less && !N.isInPlane(dyn_cast<Instruction>(Less->getOperand(0))))
    D.wrap(!Less->hasNoSignedWrap(), !Less->hasNoUnsignedWrap());
  else if (match(&I, m_Not(m_Value())))
    D.wrap(/*AsSigned=*/false, /*AsUnsigned=*/true);
  return D;
}

/// Adds to \p D what \p I, which is no sum, depends on; false if that is not
/// known.
bool NestFinder::addOperands(Dependence &D, Instruction &I, unsigned Depth) {
  unsigned Variant = 0;
  for (Value *Op : I.operands()) {
    auto Part = dependence(Op, Depth);
    if (!Part)
      return false;
    D.add(*Part, 1);
    Variant += !Part->isInvariant();
  }
  D.forgetSlopes(/*StaysLinear=*/I.getOpcode() == Instruction::Mul &&
                 Variant < 2);
  return true;
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

namespace {

/// Polynomials in the counters of a nest's steps: J of the innermost loop, P of
/// the one around it.
class StepPolynomials {
public:
  explicit StepPolynomials(const KernelNest &N)
      : N(N), All(
                  N.InnerLoop->getHeader()->getDataLayout(),
                  [this](Value *V) { return counter(V); },
                  [&N](Value *V) {
                    auto *I = dyn_cast<Instruction>(V);
                    return !I || !N.isOfSteps(I);
                  }) {}

  MaybePolynomial get(Value *V) { return All.get(V); }
  MaybePolynomial get(const SCEV *Sum, unsigned Bits = 64);

private:
  const KernelNest &N;
  IndexPolynomials All;

  MaybePolynomial counter(Value *V);
};

} // namespace

MaybePolynomial StepPolynomials::get(const SCEV *Sum, unsigned Bits) {
  Bits = std::min<unsigned>(Bits, Sum->getType()->getScalarSizeInBits());
  if (auto *Number = dyn_cast<SCEVConstant>(Sum))
    return Polynomial::constant(Number->getAPInt().getSExtValue());
  if (auto *Cast = dyn_cast<SCEVCastExpr>(Sum))
    return get(Cast->getOperand(), Bits);
  if (auto *Unknown = dyn_cast<SCEVUnknown>(Sum))
    return All.get(Unknown->getValue(), Bits);
  // The number of steps of a loop that has one at least.
  if (auto *Max = dyn_cast<SCEVMinMaxExpr>(Sum))
    if (Max->getNumOperands() == 2 && Max->getOperand(0)->isOne())
      return get(Max->getOperand(1), Bits);
  auto *Add = dyn_cast<SCEVAddExpr>(Sum);
  if (!Add)
    return std::nullopt;
  MaybePolynomial Result = Polynomial::constant(0);
  for (const SCEV *Part : Add->operands())
    Result = sum(Result, get(Part, Bits));
  return Result;
}

MaybePolynomial StepPolynomials::counter(Value *V) {
  auto *Phi = dyn_cast<PHINode>(V);
  auto It = Phi ? N.Inductions.find(Phi) : N.Inductions.end();
  if (It == N.Inductions.end())
    return std::nullopt;
  const NestInduction &Counter = It->second;
  return sum(All.get(Counter.Start),
             product(get(Counter.Step),
                     Polynomial::atom(Counter.OfOuter ? Polynomial::P
                                                      : Polynomial::J)));
}

/// Whether the addresses of all operands grow from the last step of one k
/// to the first of the next one as they do in between.
bool NestFinder::isCollapsible() {
  StepPolynomials All(N);
  const MaybePolynomial Length = All.get(N.InnerTripCount);
  return all_of(N.Streams, [&](const NestOperand &S) {
    auto Address = All.get(S.Load->getPointerOperand());
    auto Outer = factorOf(Polynomial::P, Address);
    auto AsOne = product(factorOf(Polynomial::J, Address), Length);
    return AsOne && Outer && *AsOne == *Outer;
  });
}

/// Finds how many loads of the inner loop, each of them included, read at a
/// constant distance from it.
DenseMap<LoadInst *, unsigned> NestFinder::findRecords() {
  StepPolynomials All(N);
  DenseMap<LoadInst *, unsigned> Counts;
  SmallVector<std::pair<LoadInst *, MaybePolynomial>, 8> Others;
  for (Instruction &I : *innerBody())
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      Counts[Load] = 1;
      auto Address = All.get(Load->getPointerOperand());
      for (auto &[Other, At] : Others)
        if (auto Distance = sum(Address, At, -1);
            Distance && Distance->asConstant()) {
          ++Counts[Load];
          ++Counts[Other];
        }
      Others.push_back({Load, Address});
    }
  return Counts;
}

} // namespace ferry
