//===- DebugVersions.h - Functions outlined with debug info -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With debug info Clang outlines a region twice (CGStmtOpenMP.cpp,
// GenerateOpenMPCapturedStmtFunction): into a function <name>_debug__ whose
// parameters have the types of the source, and one called <name> that calls it.
// On GPUs the first takes what the construct maps as pointers to global memory:
//
//   define void @K_debug__(ptr addrspace(1) %f)       %f.addr = alloca ptr
//     %f.addr = alloca ptr addrspace(1)               store ptr %f, ptr %f.addr
//     store ptr addrspace(1) %f, ptr %f.addr   -->    %g = load ptr, ptr
//     %f.addr %f.1 = load ptr addrspace(1), ptr %f.addr %g = addrspacecast ptr
//     addrspace(1) %f.1 to ptr
//
// An object that the kernel builds itself is not there.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_DEBUGVERSIONS_H
#define FERRY_CLOSURE_DEBUGVERSIONS_H

namespace llvm {
class Function;
} // namespace llvm

namespace ferry {

/// Has the debug versions of what was outlined from \p Kernel take pointers to
/// any memory.
void takeGenericPointers(llvm::Function &Kernel);

/// Inlines the debug version of \p Kernel, so that the kernel begins as one
/// without debug info does.
void inlineDebugVersion(llvm::Function &Kernel);

} // namespace ferry

#endif // FERRY_CLOSURE_DEBUGVERSIONS_H
