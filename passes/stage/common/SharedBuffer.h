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
class Function;
class GlobalVariable;
class IRBuilderBase;
class Module;
class Value;
} // namespace llvm

namespace ferry {

/// An array of \p Bytes bytes in the shared memory of blocks.
llvm::GlobalVariable *createSharedArray(llvm::Module &M, uint64_t Bytes);

/// The shared memory of a kernel's tiles: as many bytes for each warp as the
/// unit with the most needs, since a warp is at one unit at a time. How many is
/// known when everything is emitted; until then a call stands for it.
class SharedBuffer {
public:
  explicit SharedBuffer(llvm::Function &Kernel) : Kernel(Kernel) {}

  /// Where the share of the warp with number \p Warp begins; it will have
  /// \p Bytes bytes at least.
  llvm::Value *share(llvm::IRBuilderBase &B, llvm::Value *Warp, unsigned Bytes);

  /// Lays the memory out for blocks of \p Warps warps, if any was asked for.
  void finish(unsigned Warps);

private:
  llvm::Function &Kernel;
  llvm::GlobalVariable *Memory = nullptr;
  llvm::Function *WarpBytes = nullptr;
  unsigned Most = 0;
};

} // namespace ferry

#endif // FERRY_STAGE_SHAREDBUFFER_H
