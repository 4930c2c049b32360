//===- NestEmitter.h - A nest of loops, tile by tile ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_NESTEMITTER_H
#define FERRY_STAGE_NESTEMITTER_H

#include "NestPlan.h"
#include "stage/common/PlanContext.h"

namespace ferry {

/// Carries \p Plan out. The kernel then calls functions of runtime/device, and
/// all analyses of it are out of date.
void emit(const NestPlan &Plan, const PlanContext &C);

} // namespace ferry

#endif // FERRY_STAGE_NESTEMITTER_H
