//===- FunctionTypes.h - Other parameters for a function --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_FUNCTIONTYPES_H
#define FERRY_SUPPORT_FUNCTIONTYPES_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Type;
} // namespace llvm

namespace ferry {

/// Makes a function with the parameters \p Types, at least as many as \p F has,
/// and moves the name, the attributes, the metadata and the body of \p F to it.
/// A parameter whose type is the same takes the place of the one of \p F.
/// \returns it. The uses of the other parameters of \p F, which are in the body
/// that was moved, and those of \p F, which is left without a body, are the
/// caller's to replace.
llvm::Function *moveToParameters(llvm::Function &F,
                                 llvm::ArrayRef<llvm::Type *> Types);

} // namespace ferry

#endif // FERRY_SUPPORT_FUNCTIONTYPES_H
