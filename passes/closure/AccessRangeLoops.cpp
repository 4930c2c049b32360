//===- AccessRangeLoops.cpp - Ranges: loops and conditions ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of AccessRanges that looks at how often a loop comes round, and at
// the conditions under which an access is executed.
//
//===----------------------------------------------------------------------===//

#include "AccessRanges.h"
#include "WorkSharing.h"
#include "support/DominatingConditions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace ferry {

using Term = RangeTable::Term;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Adds to \p Result what is known if \p Compare holds, or does not hold.
void AccessRanges::addCondition(ICmpInst &Compare, bool Holds,
                                Conditions &Result) {
  if (!Compare.isSigned() && !Compare.isEquality())
    return;
  CmpInst::Predicate P =
      Holds ? Compare.getPredicate() : Compare.getInversePredicate();
  if (P == CmpInst::ICMP_NE)
    return;
  const SCEV *Left = SE.getSCEV(Compare.getOperand(0));
  const SCEV *Right = SE.getSCEV(Compare.getOperand(1));
  if (point(Left)) {
    std::swap(Left, Right);
    P = CmpInst::getSwappedPredicate(P);
  }
  if (point(Left) || !point(Right))
    return;
  bool Strict = P == CmpInst::ICMP_SLT || P == CmpInst::ICMP_SGT;
  if (P != CmpInst::ICMP_SGT && P != CmpInst::ICMP_SGE)
    Result.push_back({Left, Right, /*AtMost=*/true, Strict});
  if (P != CmpInst::ICMP_SLT && P != CmpInst::ICMP_SLE)
    Result.push_back({Left, Right, /*AtMost=*/false, Strict});
}

/// The conditions under which \p At is executed.
const AccessRanges::Conditions &AccessRanges::conditions(BasicBlock *At) {
  constexpr unsigned MaxBlocks = 64, MaxConditions = 16;
  auto [It, New] = KnownConditions.try_emplace(At);
  if (!New)
    return It->second;
  Conditions Result;
  auto AddBranch = [&](const BranchInst &Branch, bool Met) {
    const Loop *L = Loops.getLoopFor(Branch.getParent());
    // What ends a loop is in its count.
    const bool Ends =
        L && L->contains(At) && L->isLoopExiting(Branch.getParent());
    if (!Ends && Result.size() < MaxConditions)
      forEachComparison(Branch.getCondition(), Met,
                        [&](ICmpInst &Compare, bool Holds) {
                          addCondition(Compare, Holds, Result);
                        });
  };
  forEachBranchAbove(*At, Dominators, MaxBlocks, AddBranch);
  return KnownConditions[At] = std::move(Result);
}

/// \p B, of a value X, given the condition \p C on X + \p Offset or, if
/// \p Negated, on \p Offset - X.
AccessRanges::Bounds AccessRanges::narrowed(Bounds B, const Condition &C,
                                            Term Offset, bool Negated) {
  auto Compared = [&](Term X) {
    return Table.add(Negated ? Table.negate(X) : X, Offset);
  };
  // What is compared has to be what the program compares.
  unsigned Bits = widthOf(C.Left);
  Term First = Table.fitsSigned(Compared(B.First), Bits);
  Term Last = Table.fitsSigned(Compared(B.Last), Bits);
  Term Limit = Table.signExtend(*point(C.Right), 64);
  if (C.Strict)
    Limit = Table.add(Limit, Table.constant(C.AtMost ? -1 : 1));
  Limit = Negated ? Table.add(Offset, Table.negate(Limit))
                  : Table.add(Limit, Table.negate(Offset));
  Limit = Table.given(Table.given(Limit, First), Last);
  if (C.AtMost != Negated)
    return {B.First, Table.choose(RangeTerm::SMin, B.Last, Limit)};
  return {Table.choose(RangeTerm::SMax, B.First, Limit), B.Last};
}

/// \p B, of \p S, given the conditions under which \p At is executed.
AccessRanges::Bounds AccessRanges::narrowedValue(Bounds B, const SCEV *S,
                                                 BasicBlock *At) {
  for (const Condition &C : conditions(At)) {
    if (C.Left->getType() != S->getType())
      continue;
    if (std::optional<Term> Offset = point(SE.getMinusSCEV(C.Left, S)))
      B = narrowed(B, C, Table.signExtend(*Offset, 64), /*Negated=*/false);
  }
  return B;
}

/// \p B, of how often \p L has come round, given the conditions under which
/// \p At is executed.
AccessRanges::Bounds AccessRanges::narrowedRounds(Bounds B, const Loop &L,
                                                  BasicBlock *At) {
  for (const Condition &C : conditions(At)) {
    const auto *R = dyn_cast<SCEVAddRecExpr>(C.Left);
    if (!R || R->getLoop() != &L || !R->isAffine())
      continue;
    const auto *Step = dyn_cast<SCEVConstant>(R->getStepRecurrence(SE));
    std::optional<Term> Start = point(R->getStart());
    if (!Step || !Start ||
        !(Step->getAPInt().isOne() || Step->getAPInt().isAllOnes()))
      continue;
    B = narrowed(B, C, Table.signExtend(*Start, 64),
                 Step->getAPInt().isAllOnes());
  }
  return B;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::optional<AccessRanges::Rounds> AccessRanges::rounds(const Loop &L,
                                                         BasicBlock *At) {
  BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || !L.contains(At))
    return std::nullopt;
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  std::optional<Rounds> Result;
  for (BasicBlock *X : Exiting) {
    if (!Dominators.dominates(X, Latch))
      continue;
    const SCEV *Count = SE.getExitCount(&L, X);
    if (isa<SCEVCouldNotCompute>(Count))
      continue;
    // Behind the exit a loop that leaves in round Count has not been there.
    if (X != At && Dominators.dominates(X, At))
      return Rounds{Count, true};
    Result = Rounds{Count, false};
  }
  return Result;
}

std::optional<AccessRanges::Bounds>
AccessRanges::boundsOfRecurrence(const SCEVAddRecExpr &R, BasicBlock *At) {
  const Loop &L = *R.getLoop();
  if (!R.isAffine())
    return std::nullopt;
  std::optional<Rounds> Count = rounds(L, At);
  if (!Count)
    return std::nullopt;
  const SCEV *Step = R.getStepRecurrence(SE);
  const auto *Constant = dyn_cast<SCEVConstant>(Step);
  std::optional<Bounds> Start = bounds(R.getStart(), At);
  if (!Start)
    return std::nullopt;

  std::optional<Term> FixedCount = point(Count->Count), FixedStep = point(Step);
  if (FixedCount && FixedStep) {
    Term Last = Table.zeroExtend(*FixedCount, 64);
    if (Count->OneLess)
      Last = Table.add(Last, Table.constant(-1));
    Bounds Rounds = narrowedRounds(
        {Table.constant(0), Table.fitsUnsigned(Last, 64)}, L, At);
    Bounds Way = scaled(Rounds, Table.signExtend(*FixedStep, 64));
    return Bounds{Table.add(Start->First, Way.First),
                  Table.add(Start->Last, Way.Last)};
  }

  // The count depends on other loops: what it has in common with the start, as
  // in a triangle, is left to scalar evolution.
  Type *Ty = SE.getEffectiveSCEVType(R.getType());
  Demands Checked;
  const SCEV *LastRound = SE.getTruncateOrZeroExtend(Count->Count, Ty);
  if (Count->OneLess)
    LastRound = SE.getMinusSCEV(LastRound, SE.getOne(Ty));
  const SCEV *Last =
      SE.getAddExpr(R.getStart(), SE.getMulExpr(LastRound, Step));
  if (widthOf(Last) == 64 && widthOf(Count->Count) <= 64)
    Last = lastValue(R, *Count, Checked);
  Checked.push_back({Count->Count, widthOf(Count->Count), false});
  std::optional<Bounds> End = bounds(Last, At);
  if (!End)
    return std::nullopt;
  Bounds Result = united(*Start, *End);
  if (Constant && !Constant->getAPInt().isNegative())
    Result = {Start->First, End->Last};
  else if (Constant)
    Result = {End->First, Start->Last};
  return demanding(Result, Checked, At);
}

/// The value of \p R in the last round, in 64 bits, in a form in which what
/// start and count have in common cancels out.
const SCEV *AccessRanges::lastValue(const SCEVAddRecExpr &R, Rounds Count,
                                    Demands &Checked) {
  const SCEV *Rounds = widened(Count.Count, Checked);
  const SCEV *Step = widened(R.getStepRecurrence(SE), Checked);
  const SCEV *Last = widened(R.getStart(), Checked);
  ArrayRef<const SCEV *> Terms(Rounds);
  if (isa<SCEVAddExpr>(Rounds))
    Terms = Rounds->operands();
  for (const SCEV *Term : Terms)
    Last = SE.getAddExpr(Last, SE.getMulExpr(Term, Step));
  return Count.OneLess ? SE.getMinusSCEV(Last, Step) : Last;
}

/// \p S in 64 bits, with extensions of sums made sums of extensions. What that
/// demands is added to \p Checked.
const SCEV *AccessRanges::widened(const SCEV *S, Demands &Checked) {
  Type *Wide = Type::getInt64Ty(S->getType()->getContext());
  auto Each = [&](auto Combine) {
    SmallVector<const SCEV *> Operands;
    for (const SCEV *Op : S->operands())
      Operands.push_back(widened(Op, Checked));
    return Combine(Operands);
  };
  switch (S->getSCEVType()) {
  case scTruncate:
    if (!point(S) && widthOf(S->operands()[0]) <= 64)
      return widened(S->operands()[0], Checked);
    break;
  case scSignExtend:
  case scZeroExtend: {
    const SCEV *Op = widened(S->operands()[0], Checked);
    Checked.push_back(
        {Op, widthOf(S->operands()[0]), S->getSCEVType() == scSignExtend});
    return Op;
  }
  case scAddExpr:
    return Each([&](auto &Ops) { return SE.getAddExpr(Ops); });
  case scMulExpr:
    return Each([&](auto &Ops) { return SE.getMulExpr(Ops); });
  case scSMaxExpr:
  case scSMinExpr:
    return Each([&](auto &Ops) {
      for (const SCEV *Op : Ops)
        Checked.push_back({Op, widthOf(S), true});
      return SE.getMinMaxExpr(S->getSCEVType(), Ops);
    });
  case scAddRecExpr:
    return Each([&](auto &Ops) {
      return SE.getAddRecExpr(Ops, cast<SCEVAddRecExpr>(S)->getLoop(),
                              SCEV::FlagAnyWrap);
    });
  default:
    break;
  }
  if (S->getType()->isPointerTy() || widthOf(S) >= 64)
    return S;
  return SE.getSignExtendExpr(S, Wide);
}

/// \p B, given that \p Checked is met.
std::optional<AccessRanges::Bounds>
AccessRanges::demanding(Bounds B, const Demands &Checked, BasicBlock *At) {
  for (const Demand &D : Checked) {
    std::optional<Bounds> Of = bounds(D.Of, At);
    if (!Of)
      return std::nullopt;
    *Of = fitting(*Of, D.Bits, D.Signed);
    for (Term T : {Of->First, Of->Last})
      B = {Table.given(B.First, T), Table.given(B.Last, T)};
  }
  return B;
}

} // namespace ferry
