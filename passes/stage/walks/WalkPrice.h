//===- WalkPrice.h - What walks of a stencil save ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_WALKPRICE_H
#define FERRY_STAGE_WALKPRICE_H

#include "WalkPlan.h"
#include "stage/common/PlanContext.h"

namespace ferry {

/// The times of an iteration of a warp of \p Plan's kernel, as it is and in
/// walks, in a launch of \p Iterations, of which \p OfPlane are those of a
/// plane, and whose columns fill \p Filled of their tiles. Reads IR only.
PredictedGain priceOf(const WalkPlan &Plan, const PlanContext &C,
                      uint64_t Iterations, uint64_t OfPlane, double Filled);

/// About how many threads, a power of two, fill the GPU if each walks through
/// \p Plan's planes.
uint64_t threadsToFill(const WalkPlan &Plan, const PlanContext &C);

} // namespace ferry

#endif // FERRY_STAGE_WALKPRICE_H
