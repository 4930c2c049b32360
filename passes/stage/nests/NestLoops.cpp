//===- NestLoops.cpp - The loops around a tiled walk ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestFinder.h"
#include "stage/common/KernelInstructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

/// Whether \p B is \p Over, or leads only there.
bool NestFinder::passesOver(BasicBlock *B, BasicBlock *Over) {
  if (B == Over)
    return true;
  if (!B->getSinglePredecessor() || B->getSingleSuccessor() != Over)
    return false;
  N.Passing.insert(B);
  return true;
}

/// Finds the blocks from \p From to the loop at \p To, which may be passed over
/// for \p Over, in all iterations alike.
bool NestFinder::findWay(BasicBlock *From, BasicBlock *To, BasicBlock *Over,
                         SmallVectorImpl<BasicBlock *> &Way) {
  for (BasicBlock *B = From; B != To;) {
    auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    if (!Br || B == Over || is_contained(Way, B))
      return stop(*B->getTerminator(), "another way to the innermost loop");
    Way.push_back(B);
    if (B != From && !B->getSinglePredecessor())
      return stop(*Br, "branches before the innermost loop");
    B = Br->getSuccessor(0);
    if (Br->isUnconditional())
      continue;
    bool Enters = !passesOver(B, Over);
    if (!Enters)
      B = Br->getSuccessor(1);
    if ((Enters && !passesOver(Br->getSuccessor(1), Over)) ||
        !require(Br->getCondition(), Enters))
      return stop(*Br, "a branch before the innermost loop");
  }
  return true;
}

/// The blocks from the thread loop's header to the inner loop.
bool NestFinder::findPre() {
  BasicBlock *Body = innerBody();
  auto *Back = dyn_cast<BranchInst>(Body->getTerminator());
  Loop &All = N.Outer ? *N.Outer : *N.InnerLoop;
  N.After = All.getUniqueExitBlock();
  if (!Back || !N.After || N.InnerLoop->getNumBlocks() != 1 ||
      !N.ThreadLoop->contains(N.After))
    return stop(*Body->getTerminator(), "branches in the innermost loop");
  if (!findWay(N.ThreadLoop->getHeader(), All.getHeader(), N.After, N.Pre))
    return false;
  if (N.Outer && !findAround())
    return false;
  findStepStores();
  if (!checkWritesOfPre())
    return false;
  for (BasicBlock *B : predecessors(N.After))
    if (B != N.last() && !is_contained(N.Pre, B) && !N.Passing.contains(B))
      return stop(*B->getTerminator(), "a way around the innermost loop");
  return true;
}

/// The blocks of the loop around the inner loop, before it and behind it.
/// Nothing but addresses may be computed there.
bool NestFinder::findAround() {
  Loop &Outer = *N.Outer;
  BasicBlock *Behind = N.InnerLoop->getUniqueExitBlock(),
             *Latch = Outer.getLoopLatch();
  const Instruction &Where = *innerBody()->getTerminator();
  if (!Behind || !Latch || !Outer.contains(Behind) ||
      Outer.getExitingBlock() != Latch || Outer.getSubLoops().size() != 1)
    return stop(Where, "a loop around the innermost one that is left early");
  const size_t Passing = N.Passing.size();
  if (!findWay(Outer.getHeader(), innerBody(), Behind, N.Around))
    return false;
  for (BasicBlock *B = Behind; B; B = B->getSingleSuccessor()) {
    if (is_contained(N.Around, B))
      return stop(*B->getTerminator(), "branches behind the innermost loop");
    N.Around.push_back(B);
    if (B == Latch)
      break;
  }
  if (N.Around.size() + N.Passing.size() - Passing + 1 != Outer.getNumBlocks())
    return stop(Where, "branches around the innermost loop");
  for (BasicBlock *B : N.Around)
    for (Instruction &I : *B)
      if (readsMemory(I) || writesMemory(I))
        return stop(I, "an access to memory around the innermost loop");
  for (PHINode &Phi : Behind->phis())
    N.Ends.push_back({&Phi, Phi.getIncomingValueForBlock(innerBody())});
  return true;
}

/// Finds the stores of a step whose place does not depend on the step.
void NestFinder::findStepStores() {
  for (Instruction &I : *innerBody()) {
    auto *Store = dyn_cast<StoreInst>(&I);
    auto *To =
        Store ? dyn_cast<Instruction>(Store->getPointerOperand()) : nullptr;
    if (To && Store->isSimple() && N.ThreadLoop->contains(To) &&
        !N.isOfSteps(To))
      N.StepStores.push_back(Store);
  }
}

/// Whether \p I is a store of which steps leave nothing, or what comes behind
/// them, before anything is read there.
bool NestFinder::isOverwritten(const Instruction &I) const {
  auto *Store = dyn_cast<StoreInst>(&I);
  if (!Store || !Store->isSimple())
    return false;
  auto Overwrites = [&](const StoreInst &Later) {
    return Later.getPointerOperand() == Store->getPointerOperand() &&
           accessBytes(Later) >= accessBytes(*Store);
  };
  if (any_of(N.StepStores, [&](const StoreInst *S) { return Overwrites(*S); }))
    return true;
  for (const Instruction &Next : *N.After) {
    if (auto *Later = dyn_cast<StoreInst>(&Next); Later && Overwrites(*Later))
      return true;
    if (readsMemory(Next))
      return false;
  }
  return false;
}

/// Whether tiles can do without what Pre writes.
bool NestFinder::checkWritesOfPre() {
  bool Written = false;
  for (BasicBlock *B : N.Pre)
    for (Instruction &I : *B) {
      if (writesMemory(I) && !isOverwritten(I))
        return stop(I, "a write before the innermost loop");
      if (Written && readsMemory(I))
        return stop(I, "a read behind a write before the innermost loop");
      Written |= writesMemory(I);
    }
  return true;
}

bool NestFinder::findPost() {
  N.Post.insert(N.After);
  for (unsigned I = 0; I < N.Post.size(); ++I) {
    BasicBlock *B = N.Post[I];
    if (B == N.ThreadLoop->getLoopLatch())
      continue;
    for (BasicBlock *Next : successors(B))
      N.Post.insert(Next);
  }
  size_t Instructions = 0;
  for (BasicBlock *B : N.Post)
    Instructions += B->sizeWithoutDebug();
  // It is repeated for each iteration that a thread has in a tile.
  if (Instructions > 50)
    return stop(N.After->front(), "much to do behind the innermost loop");
  return N.Post.size() + N.Pre.size() + N.Passing.size() + N.Around.size() +
                 1 ==
             N.ThreadLoop->getNumBlocks() ||
         stop(N.After->front(), "branches around the innermost loop");
}

} // namespace ferry
