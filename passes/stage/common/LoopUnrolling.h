//===- LoopUnrolling.h - How often LLVM unrolls a loop ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_LOOPUNROLLING_H
#define FERRY_STAGE_LOOPUNROLLING_H

namespace llvm {
class Loop;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace ferry {

/// How often LLVM, at -O\p SpeedupLevel, unrolls \p L, which is too large to be
/// unrolled as a whole or has no known number of iterations: as a directive
/// says, or by its own limits for the target and its own estimate of the loop's
/// size.
unsigned timesUnrolled(llvm::Loop &L, const llvm::TargetTransformInfo &Target,
                       llvm::ScalarEvolution &SE, unsigned SpeedupLevel);

} // namespace ferry

#endif // FERRY_STAGE_LOOPUNROLLING_H
