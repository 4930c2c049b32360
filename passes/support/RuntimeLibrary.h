//===- RuntimeLibrary.h - The embedded launch runtime -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_RUNTIMELIBRARY_H
#define FERRY_SUPPORT_RUNTIMELIBRARY_H

namespace llvm {
class Module;
}

namespace ferry {

/// Whether the launch runtime was compiled for the architecture of \p M.
bool launchRuntimeFits(const llvm::Module &M);

/// Links the launch runtime into \p M: its functions are linkonce_odr and
/// hidden, so that several object files share one copy and none is exported.
void linkLaunchRuntime(llvm::Module &M);

} // namespace ferry

#endif // FERRY_SUPPORT_RUNTIMELIBRARY_H
