//===- StageLibrary.h - The embedded staging runtime ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_STAGELIBRARY_H
#define FERRY_SUPPORT_STAGELIBRARY_H

namespace llvm {
class Module;
}

namespace ferry {

/// Whether there is a staging runtime for the target of \p M.
bool stageRuntimeFits(const llvm::Module &M);

/// Puts the bodies of the functions of runtime/device/Stage.cpp in place of all
/// calls of them in \p M, for which stageRuntimeFits() holds.
void inlineStageRuntime(llvm::Module &M);

} // namespace ferry

#endif // FERRY_SUPPORT_STAGELIBRARY_H
