//===- GenericAddresses.cpp - Loads and stores as staging reads them ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GenericAddresses.h"
#include "GpuTarget.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace ferry {

/// The operand of \p I that is the address, if \p I is a load or a store.
static Use *addressIn(Instruction &I) {
  if (isa<LoadInst>(I))
    return &I.getOperandUse(LoadInst::getPointerOperandIndex());
  if (isa<StoreInst>(I))
    return &I.getOperandUse(StoreInst::getPointerOperandIndex());
  return nullptr;
}

GenericAddresses::GenericAddresses(Function &F) {
  for (Instruction &I : instructions(F)) {
    Use *Address = addressIn(I);
    auto *Cast =
        Address ? dyn_cast<AddrSpaceCastOperator>(Address->get()) : nullptr;
    if (!Cast || Cast->getSrcAddressSpace() != GenericMemory ||
        Cast->getDestAddressSpace() != GlobalMemory)
      continue;
    Accesses.push_back({&I, Cast->getPointerOperand(), Cast, Cast->getType()});
    Address->set(Cast->getPointerOperand());
  }
}

GenericAddresses::~GenericAddresses() {
  for (const Access &A : Accesses) {
    auto *I = cast_or_null<Instruction>(A.Instruction);
    Use *Address = I ? addressIn(*I) : nullptr;
    if (!Address || !A.Generic || Address->get() != A.Generic)
      continue;
    // What was between them may be elsewhere now.
    auto *Cast = dyn_cast_or_null<Instruction>(A.Cast);
    const bool Reaches =
        Cast && Cast->getParent() == I->getParent() && Cast->comesBefore(I);
    Address->set(Reaches
                     ? Cast
                     : IRBuilder<>(I).CreateAddrSpaceCast(A.Generic, A.Global));
  }
}

} // namespace ferry
