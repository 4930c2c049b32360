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
class CallBase;
class CallInst;
class Function;
class IRBuilderBase;
class Module;
class Type;
class Value;
} // namespace llvm

namespace ferry {

/// Whether there is a staging runtime for the target of \p M.
bool stageRuntimeFits(const llvm::Module &M);

/// A function of runtime/device/Stage.cpp.
enum class StageFunction {
#define FERRY_STAGE_FUNCTION(Kind, Name, ...) Kind,
#include "ferry/StageFunctions.def"
};
/// One that copies, for each size of words.
enum class StageCopy {
#define FERRY_STAGE_COPY(Kind, Name, ...) Kind,
#include "ferry/StageFunctions.def"
};

/// Calls \p Function with \p Args, which are of the types that
/// StageFunctions.def gives.
llvm::Value *callStageRuntime(llvm::IRBuilderBase &B, StageFunction Function,
                              llvm::ArrayRef<llvm::Value *> Args = {});
/// The same for \p Copy of words of \p WordBytes: 1, 2, 4, 8 or 16, and at
/// least 4 if it only starts.
llvm::CallInst *callStageRuntime(llvm::IRBuilderBase &B, StageCopy Copy,
                                 unsigned WordBytes,
                                 llvm::ArrayRef<llvm::Value *> Args);

/// Has \p Call, of a function of the runtime that returns nothing, share one
/// that is not inlined with others of the same constants in their arguments.
void shareCode(llvm::CallBase &Call);

/// Whether \p F is such a function.
bool isStageRuntime(const llvm::Function &F);

/// Puts the bodies of the functions of runtime/device/Stage.cpp in place of all
/// calls of them in \p M, for which stageRuntimeFits() holds, but for those
/// that share code.
void inlineStageRuntime(llvm::Module &M);

} // namespace ferry

#endif // FERRY_SUPPORT_STAGELIBRARY_H
