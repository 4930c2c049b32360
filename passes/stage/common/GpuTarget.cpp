//===- GpuTarget.cpp - What differs between NVIDIA and AMD ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuTarget.h"
#include "gpu/DeviceTable.h"
#include "support/LLVMCompat.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace ferry {

/// The threads of a wavefront, if each of them can get what any other has
/// (ds_bpermute, which in gfx10 and gfx11 reaches 32 threads).
static std::optional<unsigned> wavefrontSize(const Function &Kernel) {
  StringRef Features =
      Kernel.getFnAttribute("target-features").getValueAsString();
  if (Features.contains("+wavefrontsize32"))
    return 32;
  if (Features.contains("+gfx10-insts") && !Features.contains("+gfx12-insts"))
    return std::nullopt;
  return 64;
}

/// The GPU for code of \p SM, as gpuTargetOf() chooses it.
static const sim::DeviceModel *gpuFor(unsigned SM,
                                      const sim::DeviceModel *Asked) {
  if (Asked && sim::runsOn(SM, Asked->Architecture))
    return Asked;
  if (const sim::DeviceModel *Known = sim::findDeviceModelFor(SM))
    return Known;
  // One that came later.
  return sim::findDeviceModel("h100");
}

std::optional<GpuTarget> gpuTargetOf(const Function &Kernel,
                                     const sim::DeviceModel *Asked) {
  GpuTarget Target;
  if (Triple(Kernel.getParent()->getTargetTriple()).isNVPTX()) {
    // Threads of a warp go their own ways from sm_70 on.
    StringRef CPU = Kernel.getFnAttribute("target-cpu").getValueAsString();
    unsigned SM = 0;
    if (!CPU.consume_front("sm_") || CPU.consumeInteger(10, SM) || SM < 70)
      return std::nullopt;
    Target.AsyncCopies = SM >= 80;
    Target.Gpu = gpuFor(SM, Asked);
    return Target;
  }
  std::optional<unsigned> WarpSize = wavefrontSize(Kernel);
  if (!WarpSize)
    return std::nullopt;
  Target.WarpSize = *WarpSize;
  Target.TellsMemory = false;
  Target.Gpu = sim::findDeviceModel("a100");
  return Target;
}

static bool isIntrinsic(const Value *V, Intrinsic::ID A, Intrinsic::ID B) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call && (Call->getIntrinsicID() == A || Call->getIntrinsicID() == B);
}

/// Whether \p V calls \p Name of the device runtime: OpenMPOpt adds calls of a
/// few functions when all others have been inlined.
static bool callsRuntime(const Value *V, StringRef Name) {
  auto *Call = dyn_cast<CallBase>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Name;
}

bool isThreadNumber(const Value *V) {
  return isIntrinsic(V, Intrinsic::nvvm_read_ptx_sreg_tid_x,
                     Intrinsic::amdgcn_workitem_id_x) ||
         callsRuntime(V, "__kmpc_get_hardware_thread_id_in_block");
}

bool isBlockNumber(const Value *V) {
  return isIntrinsic(V, Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                     Intrinsic::amdgcn_workgroup_id_x);
}

bool isOfMathLibrary(const Function &F) {
  return F.getName().starts_with("__nv_") &&
         Triple(F.getParent()->getTargetTriple()).isNVPTX();
}

bool isBlockBarrier(const Instruction &I) {
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return isNVPTXBlockBarrier(*Call) ||
           Call->getIntrinsicID() == Intrinsic::amdgcn_s_barrier;
  return callsRuntime(&I, "__kmpc_barrier_simple_spmd");
}

Value *createIsGlobal(IRBuilderBase &B, Value *Pointer) {
  return B.CreateIntrinsic(Intrinsic::nvvm_isspacep_global, ArrayRef<Type *>(),
                           {Pointer});
}

Instruction *createAsyncCopy(IRBuilderBase &B, unsigned Bytes, Value *From,
                             Value *To) {
  From = B.CreateAddrSpaceCast(From,
                               PointerType::get(B.getContext(), GlobalMemory));
  return B.CreateIntrinsic(
      Bytes == 4   ? Intrinsic::nvvm_cp_async_ca_shared_global_4
      : Bytes == 8 ? Intrinsic::nvvm_cp_async_ca_shared_global_8
                   : Intrinsic::nvvm_cp_async_ca_shared_global_16,
      ArrayRef<Type *>(), {To, From});
}

void createAsyncCommit(IRBuilderBase &B) {
  B.CreateIntrinsic(Intrinsic::nvvm_cp_async_commit_group, ArrayRef<Type *>(),
                    {});
}

void createAsyncWait(IRBuilderBase &B, unsigned Left) {
  B.CreateIntrinsic(Intrinsic::nvvm_cp_async_wait_group, ArrayRef<Type *>(),
                    {B.getInt32(Left)});
}

} // namespace ferry
