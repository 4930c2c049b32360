//===- StencilAnalysis.h - Stencils that tiles pay for ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STENCILANALYSIS_H
#define FERRY_STAGE_STENCILANALYSIS_H

#include "StencilPlan.h"
#include "stage/common/StageOptions.h"
#include "stage/rows/RowPlanner.h"

namespace ferry {

/// The tiles for \p Kernel, where it is a stencil in two dimensions. \p Mode is
/// not StageMode::Off. Reads IR only.
std::optional<StencilPlan>
planStencil(llvm::Function &Kernel, llvm::DominatorTree &DT,
            llvm::PostDominatorTree &PDT, llvm::LoopInfo &LI,
            llvm::ScalarEvolution &SE, const KernelLimits &Limits,
            const StageOptions &Options, StageMode Mode);

} // namespace ferry

#endif // FERRY_STAGE_STENCILANALYSIS_H
