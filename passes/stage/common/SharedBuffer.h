//===- SharedBuffer.h - Shared memory for tiles -----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_SHAREDBUFFER_H
#define FERRY_STAGE_SHAREDBUFFER_H

#include <cstdint>

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace ferry {

/// An array of \p Bytes bytes in the shared memory of blocks.
llvm::GlobalVariable *createSharedArray(llvm::Module &M, uint64_t Bytes);

} // namespace ferry

#endif // FERRY_STAGE_SHAREDBUFFER_H
