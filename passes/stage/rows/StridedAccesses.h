//===- StridedAccesses.h - How loads go through memory ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STRIDEDACCESSES_H
#define FERRY_STAGE_STRIDEDACCESSES_H

#include "stage/common/LoopForm.h"
#include "stage/common/StageRefusal.h"
#include "support/LLVMCompat.h"
#include <optional>

namespace llvm {
class DominatorTree;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace ferry {

/// Addresses Start + k * Step in iteration k. See Stream for the last two.
struct StridedAccess {
  const llvm::SCEV *Start, *Step, *Skipped, *StartOfSecond = nullptr;
};

/// What is known of a loop, in simplified form, before it begins.
class StridedAccesses {
public:
  StridedAccesses(llvm::Loop &L, llvm::DominatorTree &DT,
                  llvm::ScalarEvolution &SE);

  bool isKnownBefore(const llvm::SCEV *S) const {
    return ferry::isKnownBefore(S, L, SE, Expander);
  }

  /// Sets \p Found to how \p Load, of the loop, goes through memory; or says
  /// why that is not known.
  std::optional<StageRefusal> find(llvm::LoadInst &Load, StridedAccess &Found);

private:
  bool skippedIteration(llvm::BasicBlock &B, const llvm::SCEV *&Skipped);
  bool findExtended(llvm::LoadInst &Load, StridedAccess &Found);

  llvm::Loop &L;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  ExpressionExpander Expander;
};

} // namespace ferry

#endif // FERRY_STAGE_STRIDEDACCESSES_H
