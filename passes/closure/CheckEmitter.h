//===- CheckEmitter.h - Have launches looked at -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_CHECKEMITTER_H
#define FERRY_CLOSURE_CHECKEMITTER_H

#include "CheckPlanner.h"

namespace ferry {

/// Has the launch \p Site looked at with \p Plan.
void emitCheck(const LaunchSite &Site, const PlannedCheck &Plan);

/// Whether emitCheck has been at \p Call.
bool isChecked(const llvm::CallBase &Call);

/// Has the checks told how the source calls what the directives in \p M map.
/// \returns whether there are any that were not told of before.
bool tellNamesOfData(llvm::Module &M);

} // namespace ferry

#endif // FERRY_CLOSURE_CHECKEMITTER_H
