//===- ExecutionMode.h - How the threads of a kernel begin ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_EXECUTIONMODE_H
#define FERRY_SUPPORT_EXECUTIONMODE_H

#include "llvm/Frontend/OpenMP/OMPDeviceConstants.h"
#include <optional>

namespace llvm {
class Function;
} // namespace llvm

namespace ferry {

/// The mode of \p Kernel, flags of LLVM's OMPTgtExecModeFlags, from the
/// variable that Clang writes beside it; nothing if there is none.
std::optional<llvm::omp::OMPTgtExecModeFlags>
executionMode(const llvm::Function &Kernel);

} // namespace ferry

#endif // FERRY_SUPPORT_EXECUTIONMODE_H
