//===- PlanContext.cpp - What a kernel is planned with --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanContext.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace ferry {

PlanContext::PlanContext(Function &Kernel, FunctionAnalysisManager &FAM,
                         const KernelLimits &Limits,
                         const StageOptions &Options, StageMode Mode)
    : Kernel(Kernel), DT(FAM.getResult<DominatorTreeAnalysis>(Kernel)),
      PDT(FAM.getResult<PostDominatorTreeAnalysis>(Kernel)),
      LI(FAM.getResult<LoopAnalysis>(Kernel)),
      SE(FAM.getResult<ScalarEvolutionAnalysis>(Kernel)),
      Target(FAM.getResult<TargetIRAnalysis>(Kernel)), Limits(Limits),
      Budget(Limits.budget(Options)), Mode(Mode) {}

} // namespace ferry
