//===- RuntimeState.h - What kernels ask the OpenMP runtime -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device runtime keeps its state in shared memory. In most files OpenMPOpt
// finds out what a kernel that begins with all threads reads of it. It does not
// where another kernel begins with one thread, or calls what is not visible:
// until everything is inlined, functions of the runtime are common to both. The
// kernel then asks in each chunk how many threads there are and which it is:
//
//   store i32 1, @IsSPMDMode           ; the first thread
//   barrier
//   ...
//   %spmd = load i32, @IsSPMDMode
//   %none = icmp eq i32 %spmd, 0
//   br i1 %none, ...                   ; never
//
// Nests of loops are not recognized in this, nor are rows as equally long whose
// length is in a variable that another branch would hand on. So OpenMPOpt is
// run once more, where each kernel has its own code of the runtime: on a copy
// of the module (ModuleCopy.h), since a kernel in which nothing is staged then
// is to stay as it was.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_RUNTIMESTATE_H
#define FERRY_STAGE_RUNTIMESTATE_H

#include "llvm/IR/PassManager.h"

namespace ferry {

/// Whether \p Kernel, which begins with all threads, reads state of the runtime
/// around loops that could be staged but for that.
bool hidesLoops(const llvm::Function &Kernel,
                llvm::FunctionAnalysisManager &FAM);

/// Replaces what \p Kernels of \p M read of the runtime's state by what it is,
/// where that can be shown. The other kernels of the module profit, too.
void foldRuntimeState(llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
                      llvm::ArrayRef<llvm::Function *> Kernels);

} // namespace ferry

#endif // FERRY_STAGE_RUNTIMESTATE_H
