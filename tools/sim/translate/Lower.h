//===- Lower.h - What the parts of lowering share ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_LOWER_H
#define FERRY_SIM_LOWER_H

#include "Translate.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace ferry::sim {

/// Replaces inline assembly by intrinsics, by functions of the simulator, or by
/// a report.
void lowerInlineAssembly(llvm::Module &M, Translation &T);

/// Marks an instruction that the device does not execute.
void markOwn(llvm::Value *V);

/// Reads \p Type at \p Offset of the context of the lane that runs \p Builder's
/// function.
llvm::Value *loadField(llvm::IRBuilder<> &Builder, size_t Offset,
                       llvm::Type *Type);

/// Passes and returns i1 as the host's functions do.
void setBoolExtension(llvm::Function &F);

/// Gives \p F a body that reports \p What.
void defineUnknown(llvm::Function &F, llvm::StringRef What, Translation &T);

} // namespace ferry::sim

#endif // FERRY_SIM_LOWER_H
