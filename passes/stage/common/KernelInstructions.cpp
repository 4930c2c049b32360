//===- KernelInstructions.cpp - What instructions do in kernels -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelInstructions.h"
#include "GpuTarget.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/AtomicOrdering.h"

using namespace llvm;

namespace ferry {

/// Whether \p I only tells LLVM something.
static bool isNote(const Instruction &I) {
  return isa<AssumeInst, DbgInfoIntrinsic, NoAliasScopeDeclInst>(I);
}

bool writesMemory(const Instruction &I) {
  return I.mayWriteToMemory() && !I.isLifetimeStartOrEnd() && !isNote(I);
}

bool readsMemory(const Instruction &I) {
  return I.mayReadFromMemory() && !isNote(I);
}

bool synchronizes(const Instruction &I) {
  if (I.isAtomic() || isa<FenceInst>(I) || I.isVolatile())
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && (Call->isConvergent() ||
                  (isa<IntrinsicInst>(Call) && !isa<MemIntrinsic>(Call) &&
                   writesMemory(I)));
}

bool isRelaxedUpdate(const Instruction &I) {
  auto *Update = dyn_cast<AtomicRMWInst>(&I);
  if (!Update || Update->isVolatile() ||
      isStrongerThanMonotonic(Update->getOrdering()))
    return false;
  SmallSetVector<const Value *, 8> Work; // what is made of its result
  Work.insert(Update);
  for (unsigned Next = 0; Next < Work.size(); ++Next)
    for (const User *U : Work[Next]->users()) {
      auto *Store = dyn_cast<StoreInst>(U);
      auto *Call = dyn_cast<CallBase>(U);
      if (cast<Instruction>(U)->isTerminator() ||
          (Call && !Call->doesNotAccessMemory()) ||
          (Store && Store->getValueOperand() == Work[Next] &&
           !mayBeGlobalMemory(Store->getPointerOperand())))
        return false;
      Work.insert(U);
    }
  return true;
}

bool isUnknownCall(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && !isa<IntrinsicInst>(Call) &&
         (!Call->onlyReadsMemory() || !Call->hasFnAttr(Attribute::WillReturn) ||
          !Call->doesNotThrow());
}

bool isGlobalMemory(const Value *Pointer) {
  unsigned Space = Pointer->getType()->getPointerAddressSpace();
  if (Space != GenericMemory)
    return Space == GlobalMemory;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  return all_of(Objects, [](const Value *Object) {
    auto *G = dyn_cast<GlobalVariable>(Object);
    return isa<Argument>(Object) || (G && G->getAddressSpace() <= GlobalMemory);
  });
}

/// Whether \p V is a variable that OpenMP's runtime keeps in shared memory.
static bool isTeamVariable(const Value *V) {
  auto *Call = dyn_cast<CallBase>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == "__kmpc_alloc_shared";
}

bool mayBeGlobalMemory(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  return all_of(Objects, [](const Value *Object) {
    unsigned Space = Object->getType()->getPointerAddressSpace();
    return Space != SharedMemory && Space != LocalMemory &&
           !isa<AllocaInst>(Object) && !isTeamVariable(Object);
  });
}

uint64_t accessBytes(const Instruction &Access) {
  const Type *Ty = getLoadStoreType(const_cast<Instruction *>(&Access));
  return Access.getDataLayout().getTypeStoreSize(const_cast<Type *>(Ty));
}

bool fillsItsBytes(Type *Ty, const DataLayout &DL) {
  return Ty->isSized() && !DL.getTypeStoreSize(Ty).isScalable() &&
         DL.getTypeStoreSizeInBits(Ty) == DL.getTypeSizeInBits(Ty);
}

} // namespace ferry
