//===- KernelInstructions.h - What instructions do in kernels ---*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_KERNELINSTRUCTIONS_H
#define FERRY_STAGE_KERNELINSTRUCTIONS_H

#include <cstdint>

namespace llvm {
class Instruction;
class Type;
class Value;
class DataLayout;
} // namespace llvm

namespace ferry {

/// Whether \p I may write to memory that the program sees, or read from it.
bool writesMemory(const llvm::Instruction &I);
bool readsMemory(const llvm::Instruction &I);

/// Whether \p I waits for other threads or orders memory between them.
bool synchronizes(const llvm::Instruction &I);

/// Whether \p I is an atomic update that orders nothing else and that nobody
/// waits with: what it gives decides on no branch. Threads that come to it
/// later than they would have only do it later.
bool isRelaxedUpdate(const llvm::Instruction &I);

/// Whether \p I calls a function that may do more than read and return.
bool isUnknownCall(const llvm::Instruction &I);

/// Whether \p Pointer leads to global memory: its address came in with the
/// kernel's parameters, or is that of a global variable. What was read from
/// memory may lead anywhere.
bool isGlobalMemory(const llvm::Value *Pointer);

/// Whether \p Pointer may lead to global memory: it is not that of a local
/// variable, or of one that the threads of a block have in common.
bool mayBeGlobalMemory(const llvm::Value *Pointer);

/// Bytes that \p Access, a load or a store, reads or writes.
uint64_t accessBytes(const llvm::Instruction &Access);

/// Whether values of type \p Ty fill the bytes that are loaded for them.
bool fillsItsBytes(llvm::Type *Ty, const llvm::DataLayout &DL);

} // namespace ferry

#endif // FERRY_STAGE_KERNELINSTRUCTIONS_H
