//===- StageLibrary.h - The embedded staging runtime ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_STAGELIBRARY_H
#define FERRY_SUPPORT_STAGELIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class IRBuilderBase;
class Module;
class Type;
class Value;
} // namespace llvm

namespace ferry {

/// Whether there is a staging runtime for the target of \p M.
bool stageRuntimeFits(const llvm::Module &M);

/// Calls the function __ferry_stage_NAME of runtime/device/Stage.cpp.
llvm::Value *callStageRuntime(llvm::IRBuilderBase &B, llvm::StringRef Name,
                              llvm::Type *Result,
                              llvm::ArrayRef<llvm::Value *> Args);

/// Whether \p F is such a function.
bool isStageRuntime(const llvm::Function &F);

/// Puts the bodies of the functions of runtime/device/Stage.cpp in place of all
/// calls of them in \p M, for which stageRuntimeFits() holds.
void inlineStageRuntime(llvm::Module &M);

} // namespace ferry

#endif // FERRY_SUPPORT_STAGELIBRARY_H
