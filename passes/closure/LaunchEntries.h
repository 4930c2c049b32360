//===- LaunchEntries.h - What a launch hands to libomptarget ----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_LAUNCHENTRIES_H
#define FERRY_CLOSURE_LAUNCHENTRIES_H

#include "LaunchPlanner.h"

namespace ferry {

/// Adds to \p Plan, in which all objects are, which entries of \p Site's launch
/// it keeps, and how their memory is sent.
void planEntries(const LaunchSite &Site, PlannedLaunch &Plan);

} // namespace ferry

#endif // FERRY_CLOSURE_LAUNCHENTRIES_H
