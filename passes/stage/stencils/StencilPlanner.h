//===- StencilPlanner.h - Stencils that tiles pay for -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STENCILPLANNER_H
#define FERRY_STAGE_STENCILPLANNER_H

#include "StencilPlan.h"
#include "stage/common/PlanContext.h"

namespace ferry {

/// The tiles for a kernel that is a stencil in two or three dimensions.
template <>
std::optional<StencilPlan> findPlan(const PlanContext &C,
                                    std::vector<StageNote> &Notes);

} // namespace ferry

#endif // FERRY_STAGE_STENCILPLANNER_H
