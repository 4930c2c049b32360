//===- RowEmitter.h - Stages rows of memory, warp by warp -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_ROWEMITTER_H
#define FERRY_STAGE_ROWEMITTER_H

#include "RowPlan.h"
#include "stage/common/PlanContext.h"

namespace ferry {

/// Carries \p Plan out. The kernel then calls functions of runtime/device, and
/// all analyses of it are out of date.
void emit(const RowPlan &Plan, const PlanContext &C);

} // namespace ferry

#endif // FERRY_STAGE_ROWEMITTER_H
