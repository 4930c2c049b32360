//===- Program.h - What the program tells -----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_PROGRAM_H
#define FERRY_CHECK_PROGRAM_H

#include "Launch.h"

namespace ferry::check {

/// \p L begins on this thread; beginLaunch() and endLaunch() make pairs.
void beginLaunch(const Launch &L);
void endLaunch();

/// Stands before a directive at \p Where that maps, unmaps or updates the
/// \p Number operands \p Pointers, of which \p Names may be null.
void beginData(const abi::Ident *Where, int32_t Number, void *const *Pointers,
               void *const *Names, bool IsNowait);

/// Names what a launch of this thread maps at \p Host.
void nameDataOfLaunch(const char *Host);

} // namespace ferry::check

#endif // FERRY_CHECK_PROGRAM_H
