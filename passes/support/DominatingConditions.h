//===- DominatingConditions.h - What holds at a block -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_DOMINATINGCONDITIONS_H
#define FERRY_SUPPORT_DOMINATINGCONDITIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class BasicBlock;
class BranchInst;
class DominatorTree;
class ICmpInst;
class Value;
} // namespace llvm

namespace ferry {

/// Calls \p Each with the branches that lead to \p At by one of their ways, the
/// nearest first, and whether that is the way of a condition that is met. Looks
/// at \p MaxBlocks blocks above.
void forEachBranchAbove(
    const llvm::BasicBlock &At, const llvm::DominatorTree &DT,
    unsigned MaxBlocks,
    llvm::function_ref<void(const llvm::BranchInst &, bool Met)> Each);

/// Calls \p Each with the comparisons of integers that make up \p Condition,
/// and whether they are met, as far as that follows from whether it is \p Met.
void forEachComparison(
    llvm::Value *Condition, bool Met,
    llvm::function_ref<void(llvm::ICmpInst &, bool Met)> Each);

} // namespace ferry

#endif // FERRY_SUPPORT_DOMINATINGCONDITIONS_H
