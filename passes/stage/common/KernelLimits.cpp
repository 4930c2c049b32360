//===- KernelLimits.cpp - What a kernel leaves for staging ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelLimits.h"
#include "GpuModel.h"
#include "closure/RegionInfo.h"
#include "support/AddressSpace.h"
#include "support/ExecutionMode.h"
#include "support/LLVMCompat.h"
#include "llvm/Frontend/OpenMP/OMPIRBuilder.h"
#include "llvm/IR/Assumptions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/OpenMPOpt.h"

using namespace llvm;

namespace ferry {

/// Clang gives kernels of target regions this name; others, such as those that
/// call constructors, have another.
static bool isTargetRegion(Function &F) {
  return omp::isOpenMPKernel(F) && F.getName().starts_with("__omp_offloading_");
}

SmallVector<Function *, 8> kernelsOf(Module &M) {
  SmallVector<Function *, 8> Kernels;
  for (Function &F : M)
    if (!F.isDeclaration() && isTargetRegion(F))
      Kernels.push_back(&F);
  return Kernels;
}

/// How many threads a block of \p Kernel has at most, if that is known.
static std::optional<unsigned> maxThreads(const Function &Kernel) {
  Triple T(Kernel.getParent()->getTargetTriple());
  const int64_t Bound =
      canReadThreadBounds(*Kernel.getParent())
          ? OpenMPIRBuilder::readThreadBoundsForKernel(
                T, const_cast<Function &>(Kernel))
                .second
          : Kernel.getFnAttributeAsParsedInteger(ThreadLimitAttribute);
  if (Bound <= 0)
    return std::nullopt;
  return std::min<int64_t>(Bound, gpu::MaxBlockThreads);
}

/// Whether only other kernels' code uses \p G, a variable or an address in one.
static bool belongsToOther(const Constant &G, const Function &Kernel) {
  return all_of(G.users(), [&](const User *U) {
    if (auto *Address = dyn_cast<ConstantExpr>(U))
      return belongsToOther(*Address, Kernel);
    auto *I = dyn_cast<Instruction>(U);
    return I && I->getFunction() != &Kernel &&
           isTargetRegion(const_cast<Function &>(*I->getFunction()));
  });
}

/// Which variables the kernel's callees use is not looked at.
static uint64_t sharedBytes(const Function &Kernel) {
  const Module &M = *Kernel.getParent();
  uint64_t Sum = 0;
  for (const GlobalVariable &G : M.globals())
    if (G.getAddressSpace() == SharedMemory && !G.use_empty() &&
        !belongsToOther(G, Kernel))
      Sum = alignTo(Sum, G.getAlign().valueOrOne()) +
            M.getDataLayout().getTypeAllocSize(G.getValueType());
  return Sum;
}

uint64_t KernelLimits::budget(const StageOptions &Options) const {
  uint64_t Limit = std::min(Options.MaxBytes, gpu::MaxStaticSharedBytes);
  return Limit > SharedBytes ? Limit - SharedBytes : 0;
}

/// Whether loops of \p Kernel are called by the device runtime, which is not
/// there.
static bool lacksDeviceRuntime(const Function &Kernel) {
  return any_of(instructions(Kernel), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && Callee->isDeclaration() &&
           Callee->getName().starts_with("__kmpc_parallel_");
  });
}

std::optional<StageRefusal> readLimits(const Function &Kernel,
                                       KernelLimits &Limits,
                                       const StageOptions &Options) {
  std::optional<GpuTarget> Target = gpuTargetOf(Kernel, Options.Gpu.get());
  if (!Target)
    return StageRefusal::UnsupportedTarget;
  if (lacksDeviceRuntime(Kernel))
    return StageRefusal::NoDeviceRuntime;
  std::optional<omp::OMPTgtExecModeFlags> Mode = executionMode(Kernel);
  if (!Mode || !(*Mode & omp::OMP_TGT_EXEC_MODE_SPMD))
    return StageRefusal::GenericMode;
  static_cast<GpuTarget &>(Limits) = *Target;
  const std::optional<unsigned> MaxThreads = maxThreads(Kernel);
  const unsigned Threads = MaxThreads.value_or(gpu::PlannedBlockThreads);
  Limits.MayHaveMore = !MaxThreads;
  Limits.MaxThreads = alignTo(Threads, Limits.WarpSize);
  Limits.Lacking = Limits.MaxThreads - Threads;
  Limits.Teams = Kernel.getFnAttributeAsParsedInteger(NumTeamsAttribute);
  // How much a clause asks for may be known at the launch only.
  Limits.SharedBytes = getAssumptions(Kernel).contains(DynamicMemoryAssumption)
                           ? UINT64_MAX
                           : sharedBytes(Kernel);
  Limits.SpeedupLevel = Options.SpeedupLevel;
  return std::nullopt;
}

} // namespace ferry
