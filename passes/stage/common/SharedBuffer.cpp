//===- SharedBuffer.cpp - Shared memory for tiles -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedBuffer.h"
#include "GpuModel.h"
#include "support/AddressSpace.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

GlobalVariable *createSharedArray(Module &M, uint64_t Bytes) {
  auto *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), Bytes);
  auto *G = new GlobalVariable(M, Ty, /*isConstant=*/false,
                               GlobalValue::InternalLinkage,
                               PoisonValue::get(Ty), "ferry.tile", nullptr,
                               GlobalValue::NotThreadLocal, SharedMemory);
  G->setAlignment(Align(gpu::SharedAlignment));
  return G;
}

} // namespace ferry
