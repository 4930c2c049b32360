//===- Entry.h - Functions that translated code calls ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_ENTRY_H
#define FERRY_SIM_ENTRY_H

#include "Lanes.h"

/// For the definition of such a function. What is its caller's, the frame and
/// the return address, tells lanes apart: it must not be inlined away.
#define FERRY_SIM_ENTRY                                                        \
  extern "C" __attribute__((visibility("default"), noinline))

#endif // FERRY_SIM_ENTRY_H
