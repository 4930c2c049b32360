//===- RegionFinder.cpp - Where the threads of a warp can meet ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionFinder.h"
#include "stage/common/KernelInstructions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

static std::optional<StageNote> check(const WarpRegion &Region) {
  for (BasicBlock *B : Region.Blocks)
    for (Instruction &I : *B) {
      if (isUnknownCall(I))
        return noteInstruction(I, StageRefusal::UnknownCall);
      if (synchronizes(I) && !isRelaxedUpdate(I))
        return noteInstruction(I, StageRefusal::Synchronizes);
    }
  return std::nullopt;
}

/// The blocks between \p Entry and \p Exit, or nothing when there is another
/// way in or the way leads back to the entry.
static std::optional<WarpRegion> closedRegion(BasicBlock *Entry,
                                              BasicBlock *Exit) {
  WarpRegion Region{Entry, Exit, {}};
  SmallVector<BasicBlock *, 16> Work(successors(Entry));
  while (!Work.empty()) {
    BasicBlock *B = Work.pop_back_val();
    if (B == Exit)
      continue;
    if (B == Entry)
      return std::nullopt;
    if (Region.Blocks.insert(B))
      append_range(Work, successors(B));
  }
  for (BasicBlock *B : Region.Blocks)
    for (BasicBlock *From : predecessors(B))
      if (From != Entry && !Region.Blocks.contains(From))
        return std::nullopt;
  return Region;
}

std::optional<StageNote> RegionFinder::find(BasicBlock &Before,
                                            const Instruction &Where,
                                            const RowUnit &Unit,
                                            WarpRegion &Region) const {
  BasicBlock *Inside =
      Unit.isStraightLine() ? Unit.StraightLine : Unit.OuterLoop->getHeader();
  for (auto *N = DT.getNode(&Before); N; N = N->getIDom()) {
    BasicBlock *Entry = N->getBlock();
    if (Entry == Inside || !Uniformity.isReachedTogether(*Entry) ||
        !PDT.getNode(Entry))
      continue;
    for (auto *P = PDT.getNode(Entry)->getIDom(); P && P->getBlock();
         P = P->getIDom()) {
      BasicBlock *Exit = P->getBlock();
      if (!Uniformity.isReachedTogether(*Exit) ||
          LI.getLoopFor(Exit) != LI.getLoopFor(Entry))
        continue;
      std::optional<WarpRegion> Closed = closedRegion(Entry, Exit);
      if (!Closed)
        break;
      if (!Closed->Blocks.contains(Inside))
        continue;
      Region = std::move(*Closed);
      return check(Region);
    }
  }
  return StageNote{&Where, StageRefusal::NoCommonEntry};
}

} // namespace ferry
