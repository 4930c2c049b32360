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

/// Has \p Plan, with its regions complete, leave launches whose warps walk
/// along rows in loops that stay as they are, and find them in the first level,
/// which has no room for them beside tiles; whether it does. Predicted for a
/// V100 and an A100, with a loop of four times as many steps beside a staged
/// one: 1.3 to 2 times as long. Sets for how many blocks of one warp there is
/// room, where copies are not asynchronous (RowUnitPlan::RoomFor).
bool leaveFirstLevel(RowPlan &Plan, RowAnalysis &Analysis,
                     const PlanContext &C);

} // namespace ferry

#endif // FERRY_STAGE_ROWPLANNER_H
