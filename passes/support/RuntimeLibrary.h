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
} // namespace llvm

namespace ferry {

/// Whether the launch runtime was compiled for the kind of host of \p M.
bool launchRuntimeFits(const llvm::Module &M);

/// Adds the launch runtime to \p M, as module-level assembly. Its functions are
/// hidden and in one section group: the object files of a program share a copy
/// and export none.
void addLaunchRuntime(llvm::Module &M);

} // namespace ferry

#endif // FERRY_SUPPORT_RUNTIMELIBRARY_H
