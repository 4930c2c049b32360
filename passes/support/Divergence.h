//===- Divergence.h - Values that differ between threads --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM's uniformity analysis is told about device code. NVPTX's own answer
// takes the result of every call for one that differs between threads,
// llvm.smin and the block's number included.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_DIVERGENCE_H
#define FERRY_SUPPORT_DIVERGENCE_H

#include "support/AddressSpace.h"
#include "support/LLVMCompat.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <functional>

namespace ferry {

/// Where values that differ between the threads of a block come from.
class DivergenceSources : public UniformityAnswers<DivergenceSources> {
  std::function<bool(const llvm::Function &)> IsKernel;

public:
  /// The parameters of kernels are the same for every thread; \p IsKernel says
  /// which functions are kernels.
  DivergenceSources(const llvm::DataLayout &DL,
                    std::function<bool(const llvm::Function &)> IsKernel)
      : UniformityAnswers(DL), IsKernel(std::move(IsKernel)) {}

  bool isSourceOfDivergence(const llvm::Value *V) const {
    using namespace llvm;
    if (auto *A = dyn_cast<Argument>(V))
      return !IsKernel(*A->getParent()) || A->hasByValAttr();
    auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return false;
    if (auto *Load = dyn_cast<LoadInst>(I))
      return Load->isAtomic() || !readsCommonMemory(*Load);
    if (I->isAtomic() || isa<AllocaInst>(I))
      return true;
    auto *Call = dyn_cast<CallBase>(I);
    if (!Call)
      return false;
    const Function *Callee = Call->getCalledFunction();
    if (!Callee || !Callee->isIntrinsic())
      return true;
    StringRef Name = Callee->getName();
    if (Name.consume_front("llvm.nvvm."))
      return !Name.starts_with("read.ptx.sreg.ctaid") &&
             !Name.starts_with("read.ptx.sreg.nctaid") &&
             !Name.starts_with("read.ptx.sreg.ntid") &&
             !Name.starts_with("read.ptx.sreg.warpsize") &&
             !Name.starts_with("ptr.") && !isNVPTXBlockReduction(Name);
    if (Name.consume_front("llvm.amdgcn."))
      return !Name.starts_with("workgroup.id") &&
             !Name.starts_with("dispatch.ptr") &&
             !Name.starts_with("implicitarg.ptr");
    return !Call->doesNotAccessMemory();
  }

private:
  /// Whether the same address is the same memory in each thread. It is not on
  /// the stack, where a generic address may lead.
  bool readsCommonMemory(const llvm::LoadInst &Load) const {
    using namespace llvm;
    if (Load.getPointerAddressSpace() == LocalMemory)
      return false;
    if (Load.getPointerAddressSpace() != GenericMemory)
      return true;
    const Value *Object = getUnderlyingObject(Load.getPointerOperand(), 32);
    if (auto *A = dyn_cast<Argument>(Object))
      return IsKernel(*A->getParent());
    return isa<GlobalVariable>(Object);
  }
};

} // namespace ferry

#endif // FERRY_SUPPORT_DIVERGENCE_H
