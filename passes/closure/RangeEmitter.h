//===- RangeEmitter.h - Emit the computation of ranges ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_RANGEEMITTER_H
#define FERRY_CLOSURE_RANGEEMITTER_H

#include "RangeExpression.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace ferry {

/// Emits the function of LaunchPlan::Ranges for \p Ranges into \p M.
llvm::Function *emitRanges(llvm::Module &M,
                           const std::vector<AccessRange> &Ranges);

} // namespace ferry

#endif // FERRY_CLOSURE_RANGEEMITTER_H
