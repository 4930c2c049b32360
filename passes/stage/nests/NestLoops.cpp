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

/// Whether \p B is where the walk ends, or leads only there.
bool NestFinder::passesOver(BasicBlock *B) {
  if (B == N.After)
    return true;
  if (!B->getSinglePredecessor() || B->getSingleSuccessor() != N.After)
    return false;
  N.Passing.insert(B);
  return true;
}

/// The blocks from the thread loop's header to the walk.
bool NestFinder::findPre() {
  BasicBlock *Walk = walkBlock();
  auto *Back = dyn_cast<BranchInst>(Walk->getTerminator());
  N.After = N.Walk->getUniqueExitBlock();
  if (!Back || !N.After || N.Walk->getNumBlocks() != 1 ||
      !N.Threads->contains(N.After))
    return false;
  for (BasicBlock *B = N.Threads->getHeader(); B != Walk;) {
    auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    if (!Br || B == N.After || is_contained(N.Pre, B))
      return false;
    N.Pre.push_back(B);
    if (B != N.Threads->getHeader() && !B->getSinglePredecessor())
      return false;
    B = Br->getSuccessor(0);
    if (Br->isUnconditional())
      continue;
    // The walk may be passed over, in all iterations alike.
    bool Enters = !passesOver(B);
    if (!Enters)
      B = Br->getSuccessor(1);
    if ((Enters && !passesOver(Br->getSuccessor(1))) ||
        !require(Br->getCondition(), Enters))
      return false;
  }
  for (BasicBlock *B : N.Pre)
    for (Instruction &I : *B)
      if (writesMemory(I))
        return false;
  return all_of(predecessors(N.After), [&](BasicBlock *B) {
    return B == Walk || is_contained(N.Pre, B) || N.Passing.contains(B);
  });
}

bool NestFinder::findPost() {
  N.Post.insert(N.After);
  for (unsigned I = 0; I < N.Post.size(); ++I) {
    BasicBlock *B = N.Post[I];
    if (B == N.Threads->getLoopLatch())
      continue;
    for (BasicBlock *Next : successors(B))
      N.Post.insert(Next);
  }
  size_t Instructions = 0;
  for (BasicBlock *B : N.Post)
    Instructions += B->sizeWithoutDebug();
  // It is repeated for each iteration that a thread has in a tile.
  return Instructions <= 50 &&
         N.Post.size() + N.Pre.size() + N.Passing.size() + 1 ==
             N.Threads->getNumBlocks();
}

} // namespace ferry
