//===- PlainLoops.cpp - Loops over regions, with all rows short -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   before:                              before:
//     br chunk                             br %short, chunk.short, chunk
//   chunk:                               chunk.short:
//     br %short, plain, staged             ...                  ; as it was
//   ...                                    br %more, chunk.short, exit
//     br %more, chunk, exit              chunk:
//                                          ...                  ; staged
//                                          br %more, chunk, exit
//
// A region stands in the loop over the chunks of a block. What the staged
// version needs in every chunk LLVM puts before that loop, where the threads of
// a launch with short rows would pay for it as well. So the loop is there
// twice, and the question comes before it.
//
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace ferry {

/// Whether \p L can be there twice: all that it computes stays in it.
static bool canBeCloned(const Loop &L) {
  const BasicBlock *Exit = L.getUniqueExitBlock();
  return L.getLoopPreheader() && L.isSafeToClone() && Exit &&
         Exit->phis().empty() && all_of(L.blocks(), [&](const BasicBlock *B) {
           return all_of(*B, [&](const Instruction &I) {
             return all_of(I.users(), [&](const User *U) {
               return L.contains(cast<Instruction>(U));
             });
           });
         });
}

/// Asks the conditions of \p Choices, branches in \p L, before \p L.
static void askBefore(Loop &L, ArrayRef<BranchInst *> Choices, LoopInfo &LI,
                      DominatorTree &DT) {
  if (!canBeCloned(L) || !all_of(Choices, [&](const BranchInst *Choice) {
        return L.isLoopInvariant(Choice->getCondition());
      }))
    return;
  BasicBlock *Before = L.getLoopPreheader();
  BasicBlock *Staged = SplitBlock(Before, Before->getTerminator(), &DT, &LI);
  IRBuilder<> B(Before->getTerminator());
  Value *AllShort = B.getTrue();
  for (BranchInst *Choice : Choices)
    AllShort = B.CreateAnd(AllShort, Choice->getCondition());
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 32> Short;
  cloneLoopWithPreheader(Staged, Before, &L, Map, ".short", &LI, &DT, Short);
  remapInstructionsInBlocks(Short, Map);
  for (BranchInst *Choice : Choices)
    cast<BranchInst>(Map[Choice])->setCondition(B.getTrue());
  // One of several may still be short.
  if (Choices.size() == 1)
    Choices.front()->setCondition(B.getFalse());
  ReplaceInstWithInst(
      Before->getTerminator(),
      BranchInst::Create(cast<BasicBlock>(Map[Staged]), Staged, AllShort));
}

void keepPlainLoops(Function &F, ArrayRef<BranchInst *> Choices) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  MapVector<Loop *, SmallVector<BranchInst *, 2>> Around;
  for (BranchInst *Choice : Choices)
    if (Loop *L = LI.getLoopFor(Choice->getParent()))
      Around[L->getOutermostLoop()].push_back(Choice);
  for (auto &[L, Of] : Around)
    askBefore(*L, Of, LI, DT);
  removeUnreachableBlocks(F);
}

} // namespace ferry
