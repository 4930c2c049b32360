//===- LaunchRewriter.h - Emit a planned launch -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_LAUNCHREWRITER_H
#define FERRY_CLOSURE_LAUNCHREWRITER_H

#include "LaunchPlanner.h"

namespace llvm {
class CallInst;
} // namespace llvm

namespace ferry {

/// Puts the calls of the launch runtime around \p Site and \p Plan, as a
/// constant, into its module. The runtime itself is not linked in here.
void rewriteLaunch(const LaunchSite &Site, const PlannedLaunch &Plan);

/// Gives the launch \p Call a shorter text for where it stands if that is not
/// known. If \p Known, also if it is: where something else tells it.
void shortenLocation(llvm::CallInst &Call, bool Known);

} // namespace ferry

#endif // FERRY_CLOSURE_LAUNCHREWRITER_H
