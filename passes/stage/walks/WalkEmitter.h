//===- WalkEmitter.h - Walks through planes ---------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_WALKEMITTER_H
#define FERRY_STAGE_WALKEMITTER_H

#include "WalkPlan.h"
#include "stage/common/PlanContext.h"

namespace ferry {

/// Carries \p Plan out. The kernel then calls functions of runtime/device, and
/// all analyses of it are out of date.
void emit(const WalkPlan &Plan, const PlanContext &C);

} // namespace ferry

#endif // FERRY_STAGE_WALKEMITTER_H
