//===- Guards.h - On which conditions code is reached -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_GUARDS_H
#define FERRY_STAGE_GUARDS_H

#include "LaunchCondition.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <utility>

namespace llvm {
class BasicBlock;
class DominatorTree;
class PostDominatorTree;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace ferry {

/// Conditions, and what they must be. Each may be poison unless those before it
/// are met.
using GuardList = llvm::SmallVector<std::pair<llvm::Value *, bool>, 4>;

/// The conditions on which control that has come to \p From comes to \p B,
/// which \p From dominates. Nothing if something else decides than branches on
/// what \p IsGuard holds for.
std::optional<GuardList>
findGuards(const llvm::BasicBlock &From, llvm::BasicBlock &B,
           const llvm::DominatorTree &DT, const llvm::PostDominatorTree &PDT,
           llvm::function_ref<bool(llvm::Value *)> IsGuard);

/// What the launch has to be for any thread to come to \p B of a kernel, as far
/// as branches compare values that it gives.
LaunchConditions launchGuards(const llvm::BasicBlock &B,
                              const llvm::DominatorTree &DT,
                              llvm::ScalarEvolution &SE);

} // namespace ferry

#endif // FERRY_STAGE_GUARDS_H
