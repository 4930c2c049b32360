//===- CertainAccesses.cpp - Which bytes are surely accessed? -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ranges of AccessRanges.cpp may be too large, and the access may never be
// executed. What is said to be a mistake must be one, so here the opposite is
// computed: bytes that a launch accesses if a condition holds that the launch
// can evaluate. In
//
//   for (int i = 0; i < n; ++i)   // n > 0
//     if (masked[i])
//       a[i] = 0;
//     else
//       b[i] = c[i + 1];
//
// `masked` is surely accessed at 0 and at n - 1; of the others nothing is
// known.
//
// An access is looked at in the first round of all loops around it, and in the
// last one. In that round it is executed if all branches go its way on which
// the way to it depends. These are found from the access upwards: block B is
// reached from D, which dominates it, if every way from D, or from one
// successor of D, comes to B before the function ends or a loop around B goes
// on to another round. The condition of that branch, in that round, is then a
// part of the condition of the access. It need not be necessary.
//
// A loop has a last round if it has one exit and scalar evolution knows its
// count exactly.
//
// In rows[i][j] the loop over i chooses the pointer, which lies at 8 * i of the
// table. Its first and last round are looked at, and in each of them the first
// and the last round of the loop over j: two pointers, and of the row that each
// leads to the first and the last element.
//
//===----------------------------------------------------------------------===//

#include "AccessRanges.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace ferry {

using Term = RangeTable::Term;

//===----------------------------------------------------------------------===//
// Values in one round
//===----------------------------------------------------------------------===//

/// How often \p L has come round when Round.At is executed the last time.
std::optional<Term> AccessRanges::lastRound(const Loop &L) {
  BasicBlock *Exit = L.getExitingBlock();
  BasicBlock *Latch = L.getLoopLatch();
  if (!Exit || !Latch || !Dominators.dominates(Exit, Latch))
    return std::nullopt;
  const SCEV *Count = SE.getExitCount(&L, Exit);
  if (isa<SCEVCouldNotCompute>(Count))
    return std::nullopt;
  std::optional<Term> Rounds = point(Count);
  if (!Rounds)
    return std::nullopt;
  Term Last = Table.fitsUnsigned(Table.zeroExtend(*Rounds, 64), 64);
  // Behind the exit a loop that leaves in round Count has not been there.
  if (Exit != Round->At && Dominators.dominates(Exit, Round->At))
    Last = Table.add(Last, Table.constant(-1));
  return Last;
}

std::optional<Term> AccessRanges::pointInRound(const SCEVAddRecExpr &R) {
  const Loop &L = *R.getLoop();
  if (!R.isAffine() || !L.contains(Round->At))
    return std::nullopt;
  std::optional<Term> Start = point(R.getStart());
  if (!Start || Round->isFirstOf(L))
    return Start;
  std::optional<Term> Step = point(R.getStepRecurrence(SE));
  std::optional<Term> Last = Step ? lastRound(L) : std::nullopt;
  if (!Last)
    return std::nullopt;
  unsigned Bits = widthOf(&R);
  Term Rounds = Bits < 64 ? Table.truncate(*Last, Bits) : *Last;
  return Table.add(*Start, Table.mul(Rounds, *Step));
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// A term that is not negative if \p Left and \p Right compare as \p P says.
std::optional<Term> AccessRanges::guardOf(CmpInst::Predicate P, Value *Left,
                                          Value *Right) {
  if (!Left->getType()->isIntegerTy() || !SE.isSCEVable(Left->getType()))
    return std::nullopt;
  std::optional<Term> A = point(SE.getSCEV(Left));
  std::optional<Term> B = A ? point(SE.getSCEV(Right)) : std::nullopt;
  if (!B)
    return std::nullopt;
  auto Wide = [&](Term T) {
    return CmpInst::isUnsigned(P)
               ? Table.fitsUnsigned(Table.zeroExtend(T, 64), 64)
               : Table.signExtend(T, 64);
  };
  Term AMinusB = Table.add(Wide(*A), Table.negate(Wide(*B)));
  Term BMinusA = Table.negate(AMinusB);
  auto Less = [&](Term T) { return Table.add(T, Table.constant(-1)); };
  switch (P) {
  case CmpInst::ICMP_EQ:
    return Table.choose(RangeTerm::SMin, AMinusB, BMinusA);
  case CmpInst::ICMP_NE:
    return Less(Table.choose(RangeTerm::SMax, AMinusB, BMinusA));
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
    return Less(BMinusA);
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    return BMinusA;
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
    return Less(AMinusB);
  default:
    return AMinusB;
  }
}

/// A term that is not negative if \p V holds, or does not hold.
std::optional<Term> AccessRanges::guardOf(Value *V, bool Holds) {
  using namespace PatternMatch;
  if (exhausted())
    return std::nullopt;
  Value *A, *B;
  const bool IsAnd = match(V, m_LogicalAnd(m_Value(A), m_Value(B)));
  if (IsAnd || match(V, m_LogicalOr(m_Value(A), m_Value(B)))) {
    std::optional<Term> Left = guardOf(A, Holds);
    std::optional<Term> Right = Left ? guardOf(B, Holds) : std::nullopt;
    if (!Right)
      return std::nullopt;
    return Table.choose(IsAnd == Holds ? RangeTerm::SMin : RangeTerm::SMax,
                        *Left, *Right);
  }
  if (match(V, m_Not(m_Value(A))))
    return guardOf(A, !Holds);
  auto *Compare = dyn_cast<ICmpInst>(V);
  if (!Compare)
    return std::nullopt;
  return guardOf(Holds ? Compare->getPredicate()
                       : Compare->getInversePredicate(),
                 Compare->getOperand(0), Compare->getOperand(1));
}

/// Whether every way from the edge \p From to \p To comes to \p At before the
/// function ends and before a loop around \p At goes on to another round.
bool AccessRanges::leadsTo(BasicBlock *From, BasicBlock *To,
                           BasicBlock *At) const {
  constexpr size_t MaxBlocks = 256;
  auto GoesRound = [&](BasicBlock *X, BasicBlock *Y) {
    const Loop *L = Loops.getLoopFor(Y);
    return L && L->getHeader() == Y && L->contains(X) && L->contains(At);
  };
  if (GoesRound(From, To))
    return false;
  SmallPtrSet<BasicBlock *, 32> Seen{To};
  SmallVector<BasicBlock *> Worklist{To};
  while (!Worklist.empty()) {
    BasicBlock *X = Worklist.pop_back_val();
    if (X == At)
      continue;
    if (succ_empty(X) || Seen.size() > MaxBlocks)
      return false;
    for (BasicBlock *Y : successors(X)) {
      if (GoesRound(X, Y))
        return false;
      if (Seen.insert(Y).second)
        Worklist.push_back(Y);
    }
  }
  return true;
}

/// A term that is not negative if Round.At is executed in that round.
std::optional<Term> AccessRanges::guard() {
  Term Result = Table.constant(0);
  auto Demand = [&](Term T) {
    Result = Table.choose(RangeTerm::SMin, Result, T);
  };
  for (const Loop *L = Loops.getLoopFor(Round->At); L; L = L->getParentLoop()) {
    if (Round->isFirstOf(*L))
      continue;
    std::optional<Term> Last = lastRound(*L);
    if (!Last)
      return std::nullopt;
    Demand(*Last);
  }
  const DomTreeNode *Node = Dominators.getNode(Round->At);
  for (; Node && Node->getIDom(); Node = Node->getIDom()) {
    BasicBlock *B = Node->getBlock(), *D = Node->getIDom()->getBlock();
    if (all_of(successors(D), [&](BasicBlock *S) { return leadsTo(D, S, B); }))
      continue;
    auto *Branch = dyn_cast<BranchInst>(D->getTerminator());
    if (!Branch || !Branch->isConditional())
      return std::nullopt;
    const Loop *L = Loops.getLoopFor(D);
    // What ends a loop is in its count.
    if (L && L->contains(Round->At) && !Round->isFirstOf(*L) &&
        L->getExitingBlock() == D)
      continue;
    const bool Holds = leadsTo(D, Branch->getSuccessor(0), B);
    if (!Holds && !leadsTo(D, Branch->getSuccessor(1), B))
      return std::nullopt;
    std::optional<Term> Condition = guardOf(Branch->getCondition(), Holds);
    if (!Condition)
      return std::nullopt;
    Demand(*Condition);
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The loops in whose rounds \p S differs.
static SmallPtrSet<const Loop *, 2> loopsOf(const SCEV *S) {
  SmallPtrSet<const Loop *, 2> Result;
  SCEVExprContains(S, [&](const SCEV *Part) {
    if (auto *R = dyn_cast<SCEVAddRecExpr>(Part))
      Result.insert(R->getLoop());
    return false;
  });
  return Result;
}

SmallVector<AccessRanges::CertainBounds, 4>
AccessRanges::certain(Instruction &Access, Value *Pointer, Value *Base,
                      uint64_t Size, std::optional<TableWord> Word) {
  SmallVector<CertainBounds, 4> Result;
  BasicBlock *At = Access.getParent();
  if (auto *M = dyn_cast<MemIntrinsic>(&Access);
      (M && !isa<ConstantInt>(M->getLength())) || Size == 0 ||
      !SE.isSCEVable(Pointer->getType()))
    return Result;
  const SCEV *Distance = SE.getMinusSCEV(
      SE.getSCEVAtScope(Pointer, Loops.getLoopFor(At)), SE.getSCEV(Base));
  if (isa<SCEVCouldNotCompute>(Distance))
    return Result;
  const SCEV *Place = nullptr;
  SmallPtrSet<const Loop *, 2> Choosers;
  if (Word) {
    Place = SE.getMinusSCEV(SE.getSCEV(Word->Address), SE.getSCEV(Word->Table));
    if (isa<SCEVCouldNotCompute>(Place))
      return Result;
    Choosers = loopsOf(Place);
  }
  bool HasOthers = false;
  for (const Loop *L = Loops.getLoopFor(At); L; L = L->getParentLoop())
    HasOthers |= !Choosers.contains(L);

  for (bool ChoosersAreFirst : {true, false})
    for (bool IsFirst : {true, false}) {
      const bool AllAreFirst = ChoosersAreFirst && IsFirst;
      if ((!AllAreFirst && Result.empty()) ||
          (!ChoosersAreFirst && Choosers.empty()) || (!IsFirst && !HasOthers))
        break;
      Round = RoundOf{At, IsFirst, ChoosersAreFirst, Choosers};
      std::optional<Term> Guard = guard();
      std::optional<Term> First = Guard ? point(Distance) : std::nullopt;
      std::optional<Term> Lies = First && Place ? point(Place) : std::nullopt;
      Round = std::nullopt;
      if (!First || (Place && !Lies))
        continue;
      const Term Begin = Table.signExtend(*First, 64);
      const Term Last =
          Table.add(Begin, Table.constant(static_cast<int64_t>(Size) - 1));
      // A loop without a first round has no last one.
      if (!AllAreFirst)
        Guard = Table.choose(RangeTerm::SMin, Result[0].Guard, *Guard);
      Result.push_back({{Begin, Last}, *Guard, {}});
      if (Lies)
        Result.back().Word = Table.signExtend(*Lies, 64);
    }
  return Result;
}

std::optional<AccessRange> AccessRanges::range(CertainBounds C) {
  if (auto G = Table.constantOf(C.Guard)) {
    if (*G < 0)
      return std::nullopt;
    return range(C.Accessed);
  }
  // Empty unless the guard holds: Last is at most First - 1 then.
  constexpr int64_t Large = int64_t{1} << 61;
  Term Holds = Table.choose(RangeTerm::SMin,
                            Table.choose(RangeTerm::SMax,
                                         Table.add(C.Guard, Table.constant(1)),
                                         Table.constant(0)),
                            Table.constant(1));
  Term Most = Table.add(Table.add(C.Accessed.First, Table.constant(-1)),
                        Table.mul(Holds, Table.constant(Large)));
  return range(Bounds{C.Accessed.First,
                      Table.choose(RangeTerm::SMin, C.Accessed.Last, Most)});
}

} // namespace ferry
