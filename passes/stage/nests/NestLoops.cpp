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

/// Whether \p B is where the inner loop ends, or leads only there.
bool NestFinder::passesOver(BasicBlock *B) {
  if (B == N.After)
    return true;
  if (!B->getSinglePredecessor() || B->getSingleSuccessor() != N.After)
    return false;
  N.Passing.insert(B);
  return true;
}

/// The blocks from the thread loop's header to the inner loop.
bool NestFinder::findPre() {
  BasicBlock *Body = innerBody();
  auto *Back = dyn_cast<BranchInst>(Body->getTerminator());
  N.After = N.InnerLoop->getUniqueExitBlock();
  if (!Back || !N.After || N.InnerLoop->getNumBlocks() != 1 ||
      !N.ThreadLoop->contains(N.After))
    return stop(*Body->getTerminator(), "branches in the innermost loop");
  for (BasicBlock *B = N.ThreadLoop->getHeader(); B != Body;) {
    auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    if (!Br || B == N.After || is_contained(N.Pre, B))
      return stop(*B->getTerminator(), "another way to the innermost loop");
    N.Pre.push_back(B);
    if (B != N.ThreadLoop->getHeader() && !B->getSinglePredecessor())
      return stop(*Br, "branches before the innermost loop");
    B = Br->getSuccessor(0);
    if (Br->isUnconditional())
      continue;
    // The inner loop may be passed over, in all iterations alike.
    bool Enters = !passesOver(B);
    if (!Enters)
      B = Br->getSuccessor(1);
    if ((Enters && !passesOver(Br->getSuccessor(1))) ||
        !require(Br->getCondition(), Enters))
      return stop(*Br, "a branch before the innermost loop");
  }
  for (BasicBlock *B : N.Pre)
    for (Instruction &I : *B)
      if (writesMemory(I))
        return stop(I, "a write before the innermost loop");
  for (BasicBlock *B : predecessors(N.After))
    if (B != Body && !is_contained(N.Pre, B) && !N.Passing.contains(B))
      return stop(*B->getTerminator(), "a way around the innermost loop");
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
  return N.Post.size() + N.Pre.size() + N.Passing.size() + 1 ==
             N.ThreadLoop->getNumBlocks() ||
         stop(N.After->front(), "branches around the innermost loop");
}

} // namespace ferry
