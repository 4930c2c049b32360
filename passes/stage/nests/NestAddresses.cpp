//===- NestAddresses.cpp - How steps' addresses belong together -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses are written as polynomials in the counters of the inner loop, as if
// no number wrapped. So what is found here is what most likely holds: it
// decides what pays, and is asked at run time where results depend on it.
//
//===----------------------------------------------------------------------===//

#include "NestFinder.h"
#include "stage/common/IndexPolynomial.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

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

  std::optional<Polynomial> get(Value *V) { return All.get(V); }
  std::optional<Polynomial> get(const SCEV *Sum, unsigned Bits = 64);

private:
  const KernelNest &N;
  IndexPolynomials All;

  std::optional<Polynomial> counter(Value *V);
};

} // namespace

std::optional<Polynomial> StepPolynomials::get(const SCEV *Sum, unsigned Bits) {
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
  std::optional<Polynomial> Result = Polynomial::constant(0);
  for (const SCEV *Part : Add->operands()) {
    auto P = get(Part, Bits);
    Result = Result && P ? Result->plus(*P) : std::nullopt;
  }
  return Result;
}

std::optional<Polynomial> StepPolynomials::counter(Value *V) {
  auto *Phi = dyn_cast<PHINode>(V);
  auto It = Phi ? N.Inductions.find(Phi) : N.Inductions.end();
  if (It == N.Inductions.end())
    return std::nullopt;
  const NestInduction &Counter = It->second;
  auto Start = All.get(Counter.Start);
  auto Step = get(Counter.Step);
  auto Grown = Step ? Step->times(Polynomial::atom(
                          Counter.OfOuter ? Polynomial::P : Polynomial::J))
                    : std::nullopt;
  return Start && Grown ? Start->plus(*Grown) : std::nullopt;
}

/// Finds whether the addresses of all operands grow from the last step of one k
/// to the first of the next one as they do in between.
bool NestFinder::findOneLine() {
  StepPolynomials All(N);
  auto Length = All.get(N.InnerTrips);
  return Length && all_of(N.Streams, [&](const NestOperand &S) {
           auto Address = All.get(S.Load->getPointerOperand());
           auto Outer =
               Address ? Address->factorOf(Polynomial::P) : std::nullopt;
           auto Inner =
               Address ? Address->factorOf(Polynomial::J) : std::nullopt;
           auto Line = Inner ? Inner->times(*Length) : std::nullopt;
           return Line && Outer && *Line == *Outer;
         });
}

/// Finds how many loads of the inner loop, each of them included, read at a
/// constant distance from it.
DenseMap<LoadInst *, unsigned> NestFinder::findRecords() {
  StepPolynomials All(N);
  DenseMap<LoadInst *, unsigned> Counts;
  SmallVector<std::pair<LoadInst *, Polynomial>, 8> Known;
  for (Instruction &I : *innerBody()) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load)
      continue;
    Counts[Load] = 1;
    auto Address = All.get(Load->getPointerOperand());
    if (!Address)
      continue;
    for (auto &[Other, At] : Known) {
      auto Distance = Address->plus(At, -1);
      if (!Distance || !Distance->asConstant())
        continue;
      ++Counts[Load];
      ++Counts[Other];
    }
    Known.push_back({Load, *Address});
  }
  return Counts;
}

} // namespace ferry
