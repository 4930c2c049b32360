//===- ModuleNames.h - What Ferry's modules are called ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_MODULENAMES_H
#define FERRY_SUPPORT_MODULENAMES_H

#include "llvm/Config/llvm-config.h"

#define FERRY_TEXT_OF_(X) #X
#define FERRY_TEXT_OF(X) FERRY_TEXT_OF_(X)

/// The version of LLVM that the modules are for stands in their names.
#define FERRY_PASSES "libferry-" FERRY_TEXT_OF(LLVM_VERSION_MAJOR)
#define FERRY_FRONT_END "libferry-clang-" FERRY_TEXT_OF(LLVM_VERSION_MAJOR)

#endif // FERRY_SUPPORT_MODULENAMES_H
