//===- KernelInstructions.cpp - What instructions do in kernels -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelInstructions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace ferry {

static bool isIntrinsic(const Value *V, Intrinsic::ID A, Intrinsic::ID B) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call && (Call->getIntrinsicID() == A || Call->getIntrinsicID() == B);
}

bool isThreadNumber(const Value *V) {
  return isIntrinsic(V, Intrinsic::nvvm_read_ptx_sreg_tid_x,
                     Intrinsic::amdgcn_workitem_id_x);
}

bool isBlockNumber(const Value *V) {
  return isIntrinsic(V, Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                     Intrinsic::amdgcn_workgroup_id_x);
}

bool writesMemory(const Instruction &I) {
  return I.mayWriteToMemory() && !I.isLifetimeStartOrEnd() &&
         !isa<AssumeInst, DbgInfoIntrinsic, NoAliasScopeDeclInst>(I);
}

bool synchronizes(const Instruction &I) {
  if (I.isAtomic() || isa<FenceInst>(I) || I.isVolatile())
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && (Call->isConvergent() ||
                  (isa<IntrinsicInst>(Call) && !isa<MemIntrinsic>(Call) &&
                   writesMemory(I)));
}

bool isUnknownCall(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && !isa<IntrinsicInst>(Call) &&
         (!Call->onlyReadsMemory() || !Call->hasFnAttr(Attribute::WillReturn) ||
          !Call->doesNotThrow());
}

bool isGlobalMemory(const Value *Pointer) {
  unsigned Space = Pointer->getType()->getPointerAddressSpace();
  if (Space != 0)
    return Space == 1;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  return all_of(Objects, [](const Value *Object) {
    auto *G = dyn_cast<GlobalVariable>(Object);
    return isa<Argument>(Object) || (G && G->getAddressSpace() <= 1);
  });
}

bool fillsItsBytes(Type *Ty, const DataLayout &DL) {
  return Ty->isSized() && !DL.getTypeStoreSize(Ty).isScalable() &&
         DL.getTypeStoreSizeInBits(Ty) == DL.getTypeSizeInBits(Ty);
}

} // namespace ferry
