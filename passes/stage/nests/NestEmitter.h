//===- NestEmitter.h - A nest of loops, tile by tile ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_NESTEMITTER_H
#define FERRY_STAGE_NESTEMITTER_H

#include "NestPlan.h"

namespace llvm {
class Function;
class ScalarEvolution;
} // namespace llvm

namespace ferry {

/// Carries \p Plan out. The kernel then calls functions of runtime/device, and
/// all analyses of it are out of date.
void emitNest(llvm::Function &Kernel, const NestPlan &Plan,
              llvm::ScalarEvolution &SE);

} // namespace ferry

#endif // FERRY_STAGE_NESTEMITTER_H
