//===- RowPlanner.h - What is worth staging ---------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_ROWPLANNER_H
#define FERRY_STAGE_ROWPLANNER_H

#include "RowAnalysis.h"
#include "stage/common/PlanContext.h"

namespace ferry {

/// Chooses among \p Candidates. The plans are for regions that have nothing in
/// common; those that are not taken are noted in \p Notes. Shared memory, \p
/// Budget bytes at most, is reserved for \p Warps warps. \p Mode is not
/// StageMode::Off.
std::vector<RowRegionPlan> chooseRows(std::vector<RowCandidate> Candidates,
                                      const KernelLimits &Limits,
                                      unsigned Warps, uint64_t Budget,
                                      StageMode Mode,
                                      std::vector<StageNote> &Notes);

/// Adds to the plans of \p R, which has all its units, what they depend on
/// together: the iterations around them, and rows that several read.
void completeRegion(RowRegionPlan &R, const PlanContext &C);

} // namespace ferry

#endif // FERRY_STAGE_ROWPLANNER_H
