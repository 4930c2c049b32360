//===- PlanContext.h - What a kernel is planned with ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_PLANCONTEXT_H
#define FERRY_STAGE_PLANCONTEXT_H

#include "KernelLimits.h"
#include "LaunchCondition.h"
#include "llvm/IR/PassManager.h"
#include <vector>

namespace llvm {
class DominatorTree;
class LoopInfo;
class PostDominatorTree;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace ferry {

/// A kernel, LLVM's analyses of it, and what its patterns may take and must
/// heed.
struct PlanContext {
  PlanContext(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM,
              const KernelLimits &Limits, const StageOptions &Options,
              StageMode Mode);

  llvm::Function &Kernel;
  llvm::DominatorTree &DT;
  llvm::PostDominatorTree &PDT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  const llvm::TargetTransformInfo &Target;
  const KernelLimits &Limits;
  uint64_t Budget; ///< bytes of shared memory
  StageMode Mode;  ///< On or Always

  /// Whether launches are asked how many threads a block has.
  bool asksBlockThreads() const {
    return Limits.MayHaveMore && Mode != StageMode::Always;
  }
};

/// The plan of one pattern for a kernel, or nothing; what of the kernel is left
/// then, and why, is added to \p Notes. Reads IR only. Each pattern's planner
/// has a specialization.
template <typename Plan>
std::optional<Plan> findPlan(const PlanContext &C,
                             std::vector<StageNote> &Notes);

} // namespace ferry

#endif // FERRY_STAGE_PLANCONTEXT_H
