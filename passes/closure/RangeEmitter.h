//===- RangeEmitter.h - Emit the computation of ranges ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_RANGEEMITTER_H
#define FERRY_CLOSURE_RANGEEMITTER_H

#include "LaunchSite.h"
#include "RangeExpression.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace ferry {

/// Emits the function of LaunchPlan::Ranges for \p Ranges into \p M.
llvm::Function *emitRanges(llvm::Module &M,
                           const std::vector<AccessRange> &Ranges);

/// Where the array below has how many threads the launch's blocks have: behind
/// the kernel's arguments.
inline size_t placeOfBlockThreads(const LaunchSite &Site) {
  return Site.FallbackArguments.size();
}

/// Stores what \p Ranges are computed from at the launch \p Site to \p
/// Arguments, an array with a place for each of the kernel's, and one more: the
/// first operand of the function above.
void storeRangeArguments(const LaunchSite &Site,
                         const std::vector<AccessRange> &Ranges,
                         llvm::IRBuilder<> &B, llvm::Value *Arguments);

} // namespace ferry

#endif // FERRY_CLOSURE_RANGEEMITTER_H
