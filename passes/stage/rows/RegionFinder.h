//===- RegionFinder.h - Where the threads of a warp can meet ----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_REGIONFINDER_H
#define FERRY_STAGE_REGIONFINDER_H

#include "RowPlan.h"
#include "stage/common/BlockUniformity.h"
#include "llvm/IR/Dominators.h"

namespace llvm {
class LoopInfo;
class PostDominatorTree;
} // namespace llvm

namespace ferry {

/// Finds regions that all threads of a warp enter and leave together.
class RegionFinder {
public:
  RegionFinder(llvm::DominatorTree &DT, llvm::PostDominatorTree &PDT,
               llvm::LoopInfo &LI, const BlockUniformity &Uniformity)
      : DT(DT), PDT(PDT), LI(LI), Uniformity(Uniformity) {}

  /// Sets \p Region to the smallest one around \p Unit, which \p Before leads
  /// to; or says why it cannot be staged, at \p Where if nothing else is in the
  /// way.
  std::optional<StageNote> find(llvm::BasicBlock &Before,
                                const llvm::Instruction &Where,
                                const RowUnit &Unit, WarpRegion &Region) const;

private:
  llvm::DominatorTree &DT;
  llvm::PostDominatorTree &PDT;
  llvm::LoopInfo &LI;
  const BlockUniformity &Uniformity;
};

} // namespace ferry

#endif // FERRY_STAGE_REGIONFINDER_H
