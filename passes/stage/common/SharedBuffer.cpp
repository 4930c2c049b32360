//===- SharedBuffer.cpp - Shared memory for tiles -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedBuffer.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

GlobalVariable *createSharedArray(Module &M, uint64_t Bytes) {
  auto *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), Bytes);
  auto *G = new GlobalVariable(M, Ty, /*isConstant=*/false,
                               GlobalValue::InternalLinkage,
                               PoisonValue::get(Ty), "ferry.tile", nullptr,
                               GlobalValue::NotThreadLocal, /*AddressSpace=*/3);
  G->setAlignment(Align(16));
  return G;
}

Value *SharedBuffer::share(IRBuilderBase &B, Value *Warp, unsigned Bytes) {
  Module &M = *Kernel.getParent();
  if (!Memory) {
    Memory = createSharedArray(M, 0);
    WarpBytes =
        Function::Create(FunctionType::get(B.getInt32Ty(), false),
                         GlobalValue::ExternalLinkage, "ferry.warp.bytes", M);
    WarpBytes->setDoesNotAccessMemory();
  }
  Most = std::max(Most, Bytes);
  Value *Offset = B.CreateMul(Warp, B.CreateCall(WarpBytes));
  return B.CreatePtrAdd(Memory, B.CreateZExt(Offset, B.getInt64Ty()));
}

void SharedBuffer::finish(unsigned Warps) {
  if (!Memory)
    return;
  GlobalVariable *Final =
      createSharedArray(*Kernel.getParent(), uint64_t(Most) * Warps);
  Final->takeName(Memory);
  Memory->replaceAllUsesWith(Final);
  Memory->eraseFromParent();
  for (User *U : make_early_inc_range(WarpBytes->users())) {
    U->replaceAllUsesWith(ConstantInt::get(U->getType(), Most));
    cast<Instruction>(U)->eraseFromParent();
  }
  WarpBytes->eraseFromParent();
}

} // namespace ferry
