//===- PointerWays.h - Which way pointers go to the device ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_POINTERWAYS_H
#define FERRY_CLOSURE_POINTERWAYS_H

#include "LaunchPlanner.h"

namespace ferry {

/// Tells in the notes of \p Plan, the plan of \p Site, which ways pointers and
/// variables go. Notes on what a kernel that takes parameters has none for are
/// removed: it does not go at all.
void tellWays(const LaunchSite &Site, PlannedLaunch &Plan);

} // namespace ferry

#endif // FERRY_CLOSURE_POINTERWAYS_H
