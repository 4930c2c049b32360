//===- NestAnalysis.h - Nests of loops that tiles pay for -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_NESTANALYSIS_H
#define FERRY_STAGE_NESTANALYSIS_H

#include "NestPlan.h"
#include "stage/common/StageOptions.h"
#include "stage/rows/RowPlanner.h"

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
class PostDominatorTree;
class ScalarEvolution;
} // namespace llvm

namespace ferry {

/// The tiles for \p Kernel, where it is a nest with reuse in two dimensions.
/// Reads IR only.
std::optional<NestPlan> planNest(llvm::Function &Kernel,
                                 llvm::DominatorTree &DT,
                                 llvm::PostDominatorTree &PDT,
                                 llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
                                 const KernelLimits &Limits,
                                 const StageOptions &Options);

} // namespace ferry

#endif // FERRY_STAGE_NESTANALYSIS_H
