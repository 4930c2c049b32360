//===- WalkPlanner.h - Stencils that walks pay for --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_WALKPLANNER_H
#define FERRY_STAGE_WALKPLANNER_H

#include "WalkPlan.h"
#include "stage/common/PlanContext.h"

namespace ferry {

/// The walks for a kernel that is a stencil in three dimensions.
template <>
std::optional<WalkPlan> findPlan(const PlanContext &C,
                                 std::vector<StageNote> &Notes);

} // namespace ferry

#endif // FERRY_STAGE_WALKPLANNER_H
