//===- Crash.h - Results of programs that end by a signal -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_CRASH_H
#define FERRY_SIM_CRASH_H

namespace ferry::sim {

/// Calls \p Handler when a signal is about to end the program, then lets it.
/// Signals that the program or a library handles are left to them.
void onCrash(void (*Handler)());

} // namespace ferry::sim

#endif // FERRY_SIM_CRASH_H
