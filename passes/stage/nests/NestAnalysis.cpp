//===- NestAnalysis.cpp - Nests of loops that tiles pay for ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An iteration (IterationSpace.cpp) with one more loop:
//
//   threads:
//     ...                                ; Pre
//   walk:
//     %k = phi ...
//     load A[f(%i, %k)], load B[g(%j, %k)]
//     store C[h(%i, %j)]                 ; perhaps: a sum in memory
//   after:
//     ...                                ; Post
//
// Or with two more loops, for (k) for (l), that sum up as if they were one:
// what goes from step to step is not changed between them.
//
//===----------------------------------------------------------------------===//

#include "NestFinder.h"
#include "stage/common/GpuModel.h"
#include "stage/common/KernelInstructions.h"
#include "stage/common/LoopForm.h"
#include "support/LLVMCompat.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

//===----------------------------------------------------------------------===//
// Values of an iteration
//===----------------------------------------------------------------------===//

/// What \p V, of the loop around the inner loop, is behind the inner loop.
Value *NestFinder::behindInnerLoop(Value *V) const {
  for (auto [Phi, Is] : N.Ends)
    if (Phi == V)
      return Is;
  return V;
}

/// Notes the counters of \p L, which is the inner loop or around it; its other
/// phis.
SmallVector<PHINode *, 4> NestFinder::findInductions(Loop &L) {
  SmallVector<PHINode *, 4> Others;
  for (PHINode &Phi : L.getHeader()->phis()) {
    Value *Start =
        Phi.getIncomingValue(Phi.getIncomingBlock(0) == L.getLoopLatch());
    auto *Recurrence = SE.isSCEVable(Phi.getType())
                           ? affineRecurrence(SE.getSCEV(&Phi), L)
                           : nullptr;
    if (Recurrence && isInvariant(Recurrence->getStepRecurrence(SE)))
      N.Inductions[&Phi] = {Start, Recurrence->getStepRecurrence(SE),
                            &L == N.Outer};
    else
      Others.push_back(&Phi);
  }
  return Others;
}

bool NestFinder::findPhis() {
  BasicBlock *Body = innerBody();
  for (PHINode *Phi : findInductions(*N.InnerLoop))
    N.Carried.push_back(
        {Phi, Phi->getIncomingValue(Phi->getIncomingBlock(0) == Body),
         Phi->getIncomingValueForBlock(Body)});
  if (N.Carried.empty())
    return stop(*Body->getTerminator(), "an innermost loop without a sum");
  if (N.Carried.size() > MaxCarried)
    return stop(*N.Carried[MaxCarried].Phi, "many values from step to step");
  if (!N.Outer)
    return true;
  // What the inner loop carries goes through the loop around it as it is.
  SmallVector<PHINode *, 4> Outer = findInductions(*N.Outer);
  for (NestCarried &C : N.Carried) {
    auto *Phi = dyn_cast<PHINode>(C.Start);
    if (!Phi || !is_contained(Outer, Phi) ||
        behindInnerLoop(Phi->getIncomingValueForBlock(N.last())) != C.Next ||
        any_of(Phi->users(),
               [&](User *U) { return U != C.Phi && behindInnerLoop(U) == U; }))
      return stop(*C.Phi,
                  "a sum that the loop around the innermost one changes");
    C.Start = Phi->getIncomingValue(Phi->getIncomingBlock(0) == N.last());
    erase(Outer, Phi);
  }
  if (!Outer.empty())
    return stop(*Outer[0], "a value that the innermost loop does not change");
  for (BasicBlock *B : N.Around)
    for (Instruction &I : *B)
      for (User *U : I.users()) {
        auto *Is = dyn_cast<Instruction>(behindInnerLoop(&I));
        if (!N.Outer->contains(cast<Instruction>(U)) &&
            (!Is || Is->getParent() != Body))
          return stop(I, "a value of the loop around the innermost one");
      }
  return true;
}

/// Finds how many steps there are.
bool NestFinder::findSteps() {
  N.TripCount = tripCount(*N.InnerLoop, SE);
  if (!N.TripCount || !isInvariant(N.TripCount))
    return false;
  if (!N.Outer)
    return true;
  N.InnerTripCount = N.TripCount;
  N.OuterTripCount = tripCount(*N.Outer, SE);
  if (!N.OuterTripCount || !isInvariant(N.OuterTripCount))
    return false;
  N.TripCount = SE.getMulExpr(N.OuterTripCount, N.InnerTripCount);
  return isInvariant(N.TripCount);
}

/// Nothing if what is in a sector is read neither in consecutive steps nor in
/// neighbouring iterations, by \p Load or one of the others that read the same
/// record, which are \p OfRecord.
static std::optional<NestOperand> operandOf(LoadInst &Load, const Dependence &D,
                                            unsigned OfRecord) {
  NestOperand S{&Load, NestOperand::ByK, true, false, false, false, 0, 1};
  S.Size = accessBytes(Load);
  auto IsNear = [&](std::optional<int64_t> Slope) {
    return Slope && *Slope != 0 &&
           std::abs(*Slope) < static_cast<int64_t>(gpu::SectorBytes) * OfRecord;
  };
  unsigned Along = D.K;
  if (D.On[D.I] || D.On[D.J]) {
    S.By = D.On[D.I] ? NestOperand::ByRow : NestOperand::ByColumn;
    S.AlongK = IsNear(D.Slope[D.K]);
    Along = S.AlongK ? D.K : D.On[D.I] ? D.I : D.J;
    if (!IsNear(D.Slope[Along]))
      return std::nullopt;
  }
  // At run time it can be told whether one number wraps.
  S.MayWrap = D.Wraps[D.K] || D.Wraps[Along];
  S.Linear = D.Linear[D.K] && D.Wraps[D.K] <= 1 && D.Wraps[Along] <= 1;
  S.Follows = S.Linear && D.Slope[Along] == static_cast<int64_t>(S.Size);
  if (D.Slope[Along])
    S.Apart = std::max(1., std::abs(double(*D.Slope[Along])) / S.Size);
  return S;
}

bool NestFinder::findStreams() {
  bool Found[3] = {};
  const DenseMap<LoadInst *, unsigned> Records = findRecords();
  for (Instruction &I : *innerBody()) {
    if ((!readsMemory(I) && !writesMemory(I)) || is_contained(N.StepStores, &I))
      continue;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load)
      return stop(I, "an access to memory that is no load");
    if (!fitsInTile(*Load))
      return stop(I, "an element that does not fit in a tile");
    auto D = dependence(Load->getPointerOperand());
    if (!D)
      return stop(I, "an address that depends on more than the loops");
    if ((D->On[D->I] && D->On[D->J]) || !D->On[D->K])
      return stop(I, "no element that several iterations read");
    auto S = operandOf(*Load, *D, Records.lookup(Load));
    if (!S)
      return stop(I, "no neighbours in memory of what is read next");
    Found[S->By] = true;
    N.Streams.push_back(*S);
  }
  if (Found[NestOperand::ByRow] && Found[NestOperand::ByColumn])
    return true;
  const Instruction &End = *innerBody()->getTerminator();
  return stop(N.Streams.empty() ? End : *N.Streams[0].Load,
              Found[NestOperand::ByRow]
                  ? "no operand that the iterations of a column share"
                  : "no operand that the iterations of a row share");
}

bool NestFinder::find(Loop &InnerLoop, KernelNest &Found) {
  N.InnerLoop = &InnerLoop;
  Loop *ThreadLoop = InnerLoop.getParentLoop();
  if (InnerLoop.getLoopDepth() == 4) {
    N.Outer = ThreadLoop;
    ThreadLoop = ThreadLoop->getParentLoop();
  }
  if (!ThreadLoop || !findLoops(*ThreadLoop, /*Inner=*/1))
    return false;
  const Instruction &Where = *innerBody()->getTerminator();
  if (ThreadLoop->getLoopLatch() == innerBody() || !findPre() || !findPost() ||
      !checkOperands() || !findWidth(N.Pre) || !findPhis())
    return refuse(Where, StageRefusal::NestShape);
  if (!findStreams())
    return refuse(Where, StageRefusal::NoReuse);
  if (!findSteps())
    return refuse(Where, StageRefusal::UnknownTripCount);
  N.IsCollapsible = !N.Outer || isCollapsible();
  SmallVector<LoadInst *, 2> Loads;
  for (const NestOperand &Stream : N.Streams)
    Loads.push_back(Stream.Load);
  if (Reduces)
    return refuseReduced(Loads);
  findBases(Loads);
  Found = std::move(N);
  return true;
}

} // namespace ferry
