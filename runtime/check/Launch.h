//===- Launch.h - Look at one launch ----------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_LAUNCH_H
#define FERRY_CHECK_LAUNCH_H

#include "ferry/CheckPlan.h"

namespace ferry::check {

/// A launch that is under way on this thread.
struct Launch {
  const CheckPlan *Plan;   ///< null if the program has none
  const abi::Ident *Where; ///< in the source it is; null if the plan tells
  int64_t Device;          ///< as the program asks for
  const abi::KernelArgs *Args;
  const void *const *Arguments; ///< of the kernel, as far as they are known
};

/// Looks at \p L, number \p Number of the program's launches, which has a plan,
/// when its data is in place on its device.
void look(const Launch &L, uint64_t Number);

} // namespace ferry::check

#endif // FERRY_CHECK_LAUNCH_H
