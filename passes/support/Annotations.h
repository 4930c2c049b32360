//===- Annotations.h - What the front end annotates -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_ANNOTATIONS_H
#define FERRY_SUPPORT_ANNOTATIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class GlobalValue;
class Module;
} // namespace llvm

namespace ferry {

/// Calls \p Visit for each annotation of a global value, a string, in \p M. The
/// value is null if it cannot be told.
void forEachAnnotation(
    const llvm::Module &M,
    llvm::function_ref<void(const llvm::GlobalValue *, llvm::StringRef)> Visit);

/// Deletes from \p M the annotations that \p Remove, which would keep functions
/// alive. \returns whether there were any.
bool removeAnnotations(llvm::Module &M,
                       llvm::function_ref<bool(llvm::StringRef)> Remove);

} // namespace ferry

#endif // FERRY_SUPPORT_ANNOTATIONS_H
