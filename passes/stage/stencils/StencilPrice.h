//===- StencilPrice.h - What tiles of a stencil save ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STENCILPRICE_H
#define FERRY_STAGE_STENCILPRICE_H

#include "StencilPlan.h"
#include "stage/common/PlanContext.h"

namespace ferry {

/// The times of an iteration of a warp of \p Plan's kernel, as it is and in
/// tiles, in a launch of \p Iterations. \p PlanesStay: what iterations of
/// several planes read stays in the second level so long. Reads IR only.
PredictedGain priceOf(const StencilPlan &Plan, const PlanContext &C,
                      bool PlanesStay, uint64_t Iterations);

} // namespace ferry

#endif // FERRY_STAGE_STENCILPRICE_H
