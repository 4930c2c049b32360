//===- LaunchCondition.h - When a launch takes the staged kernel -*- C++
//-*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_LAUNCHCONDITION_H
#define FERRY_STAGE_LAUNCHCONDITION_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace llvm {
class SCEV;
} // namespace llvm

namespace ferry {

/// That a value, an i64, is between two limits.
struct LaunchCondition {
  const llvm::SCEV *Value; ///< null: 1 if clauses of the launch ask for a
                           ///< number of teams or threads, else 0
  int64_t Least = INT64_MIN, Most = INT64_MAX;
};

/// All of them.
using LaunchConditions = llvm::SmallVector<LaunchCondition, 4>;

/// What has to hold for a plan to be worth it: all of one of these. Where
/// nothing can be told, there are none.
using LaunchChoice = std::vector<LaunchConditions>;

} // namespace ferry

#endif // FERRY_STAGE_LAUNCHCONDITION_H
