//===- RuntimeState.cpp - What kernels ask the OpenMP runtime -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeState.h"
#include "IterationSpace.h"
#include "KernelLimits.h"
#include "support/AddressSpace.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/IPO/OpenMPOpt.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace ferry {

/// Whether \p Kernel reads a number at a fixed place in shared memory. If it is
/// the program's own, this is in vain.
static bool readsState(const Function &Kernel) {
  return any_of(instructions(Kernel), [](const Instruction &I) {
    auto *Load = dyn_cast<LoadInst>(&I);
    return Load && Load->getType()->isIntegerTy() &&
           Load->getPointerAddressSpace() == SharedMemory &&
           isa<Constant>(Load->getPointerOperand());
  });
}

static bool divides(const Instruction &I) {
  return I.isIntDivRem() || I.isLogicalShift();
}

static bool isGlobalLoad(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->getPointerAddressSpace() <= GlobalMemory;
}

static bool hidesNest(const Function &Kernel, const LoopInfo &LI) {
  // In the loop over chunks and that over their iterations an index is divided,
  // and there, or in one more loop, are two loads together.
  auto InIteration = [&](unsigned Depth, auto Holds) {
    return any_of(Kernel, [&](const BasicBlock &B) {
      return LI.getLoopDepth(&B) == Depth && Holds(B);
    });
  };
  auto HasLoads = [](const BasicBlock &B) {
    return count_if(B, isGlobalLoad) > 1;
  };
  return hasFreeSchedule(Kernel) &&
         InIteration(2,
                     [](const BasicBlock &B) { return any_of(B, divides); }) &&
         (InIteration(2, HasLoads) || InIteration(3, HasLoads));
}

/// Whether \p Kernel has a loop in an iteration, and a number in a variable of
/// its own that is read in the loop over chunks: one that what is never called
/// might change.
static bool hidesRow(const Function &Kernel, const LoopInfo &LI) {
  auto ReadsVariable = [](const Instruction &I) {
    auto *Load = dyn_cast<LoadInst>(&I);
    return Load && Load->getType()->isIntegerTy() &&
           isa<AllocaInst>(Load->getPointerOperand());
  };
  bool HasInner = false, Reads = false;
  for (const BasicBlock &B : Kernel) {
    const unsigned Depth = LI.getLoopDepth(&B);
    HasInner |= Depth > 2 && any_of(B, isGlobalLoad);
    Reads |= Depth > 0 && any_of(B, ReadsVariable);
  }
  return HasInner && Reads;
}

bool hidesLoops(const Function &Kernel, FunctionAnalysisManager &FAM) {
  KernelLimits Limits;
  if (readLimits(Kernel, Limits) || !readsState(Kernel))
    return false;
  auto &LI = FAM.getResult<LoopAnalysis>(const_cast<Function &>(Kernel));
  return hidesNest(Kernel, LI) || hidesRow(Kernel, LI);
}

void foldRuntimeState(Module &M, ModuleAnalysisManager &MAM,
                      ArrayRef<Function *> Kernels) {
  MAM.invalidate(M, OpenMPOptPass().run(M, MAM));
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  // What was found out makes branches go away, and with them what variables are
  // in memory for; then, what depends on nothing in a loop leaves it; and then
  // blocks are empty.
  FunctionPassManager FPM;
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(SROAPass(SROAOptions::PreserveCFG));
  FPM.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                              /*UseMemorySSA=*/true));
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(InstCombinePass());
  for (Function *Kernel : Kernels)
    FAM.invalidate(*Kernel, FPM.run(*Kernel, FAM));
}

} // namespace ferry
