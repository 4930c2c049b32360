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
  const CheckPlan *Plan;
  int64_t Device; ///< as the program asks for
  const abi::KernelArgs *Args;
  const void *const *Arguments; ///< of the kernel, as far as they are known
};

/// Looks at \p L, number \p Number of the program's launches, when its data is
/// in place on device \p Device.
void look(const Launch &L, int Device, uint64_t Number);

} // namespace ferry::check

#endif // FERRY_CHECK_LAUNCH_H
