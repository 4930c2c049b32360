//===- ModuleCopy.cpp - A copy of a module, for some of its kernels -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleCopy.h"
#include "FunctionTransfer.h"
#include "stage/common/KernelLimits.h"
#include "support/Retire.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

ModuleCopy::ModuleCopy(Module &Original) : Original(Original) {
  ValueToValueMapTy Map;
  Copy = CloneModule(Original, Map);
  for (GlobalValue &G : Original.global_values()) {
    Value *There = Map.lookup(&G);
    Copies[&G] = There;
    Places[There] = WeakTrackingVH(&G);
  }
}

ModuleCopy::~ModuleCopy() { retire(std::move(Copy)); }

GlobalValue *ModuleCopy::copyOf(const GlobalValue &Here) const {
  return dyn_cast_or_null<GlobalValue>(Copies.lookup(&Here));
}

GlobalValue *ModuleCopy::original(const GlobalValue &There) const {
  return dyn_cast_or_null<GlobalValue>(Places.lookup(&There));
}

/// Whether \p F may be called by who has its address: not only what calls it,
/// or has OpenMP's device runtime call it, knows it.
static bool escapes(const Function &F) {
  return any_of(F.uses(), [](const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call)
      return true;
    const Function *Callee = Call->getCalledFunction();
    return !Call->isCallee(&U) &&
           !(Callee && Callee->getName().starts_with("__kmpc_"));
  });
}

/// Erases kernels of \p M that are neither kept nor called.
static void eraseOtherKernels(Module &M,
                              function_ref<bool(const Function &)> IsKept) {
  SmallPtrSet<const Value *, 8> Erased;
  for (Function *Kernel : kernelsOf(M))
    if (!IsKept(*Kernel) && Kernel->use_empty())
      Erased.insert(Kernel);
  if (NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations")) {
    const SmallVector<MDNode *, 8> All(Annotations->operands());
    Annotations->clearOperands();
    for (MDNode *Node : All)
      if (!Erased.contains(
              mdconst::dyn_extract_or_null<Constant>(Node->getOperand(0))))
        Annotations->addOperand(Node);
  }
  for (Function *Kernel : kernelsOf(M))
    if (Erased.contains(Kernel))
      Kernel->eraseFromParent();
}

/// Has passes over \p M know of functions and variables what they may.
static void seal(Module &M) {
  declareVariables(M);
  const SmallVector<Function *, 8> Kernels = kernelsOf(M);
  for (Function &F : M) {
    if (F.isDeclaration() || is_contained(Kernels, &F))
      continue;
    const bool Escapes = escapes(F);
    F.setLinkage(Escapes ? GlobalValue::ExternalLinkage
                         : GlobalValue::InternalLinkage);
    if (!Escapes)
      F.setVisibility(GlobalValue::DefaultVisibility);
  }
}

/// Erases from \p M what nothing uses, the most part of the device runtime, but
/// for functions that OpenMPOpt makes kernels call.
static void eraseUnused(Module &M, ModuleAnalysisManager &MAM) {
  SmallVector<GlobalValue *, 2> Kept;
  for (const char *Name :
       {"__kmpc_get_hardware_thread_id_in_block", "__kmpc_barrier_simple_spmd"})
    if (Function *F = M.getFunction(Name); F && !F->isDeclaration())
      Kept.push_back(F);
  for (GlobalValue *F : Kept)
    F->setLinkage(GlobalValue::ExternalLinkage);
  MAM.invalidate(M, GlobalDCEPass().run(M, MAM));
  for (GlobalValue *F : Kept)
    F->setLinkage(GlobalValue::InternalLinkage);
}

namespace {
/// Keeps remarks of passes that run once more than for Clang from the user, as
/// long as it lives.
class NoRemarks {
public:
  explicit NoRemarks(LLVMContext &C) : C(C), Told(C.getDiagnosticHandler()) {
    C.setDiagnosticHandler(std::make_unique<Handler>(*Told));
  }
  ~NoRemarks() {
    C.setDiagnosticHandler(std::move(Told), /*RespectFilters=*/true);
  }

private:
  struct Handler : DiagnosticHandler {
    explicit Handler(DiagnosticHandler &Told) : Told(Told) {}
    bool handleDiagnostics(const DiagnosticInfo &DI) override {
      return isa<DiagnosticInfoOptimizationBase>(DI) ||
             Told.handleDiagnostics(DI);
    }
    DiagnosticHandler &Told;
  };
  LLVMContext &C;
  std::unique_ptr<DiagnosticHandler> Told;
};
} // namespace

void ModuleCopy::keepOnly(function_ref<bool(const Function &)> IsKept,
                          ModuleAnalysisManager &MAM) {
  eraseOtherKernels(*Copy, IsKept);
  seal(*Copy);
  eraseUnused(*Copy, MAM);
}

void ModuleCopy::runQuietly(function_ref<void(Module &)> Run) {
  const NoRemarks Quiet(Copy->getContext());
  Run(*Copy);
}

/// Whether the module gets a \p G of its own with a kernel.
bool ModuleCopy::isCopied(const GlobalValue &G) const {
  if (auto *F = dyn_cast<Function>(&G))
    return !F->isDeclaration() && !F->isInterposable();
  auto *V = dyn_cast<GlobalVariable>(&G);
  return V && isCopiedWithCode(*V) && (belongsToLaunch(*V) || !original(*V));
}

/// Whether the copy does not have the body of \p F, nor does the module, or
/// another may count.
bool ModuleCopy::isOutside(const Function &F) const {
  const auto *Here = dyn_cast_or_null<Function>(original(F));
  return F.isIntrinsic() ||
         (Here && (Here->isDeclaration() || Here->isInterposable()));
}

/// Whether \p Used, which is not called, may be referred to, and what it refers
/// to, beside what has been \p Seen.
bool ModuleCopy::canReplace(const Constant &Used, ConstantSet &Seen) const {
  if (!Seen.insert(&Used).second)
    return true;
  if (auto *G = dyn_cast<GlobalVariable>(&Used))
    return isCopied(*G) ? canReplace(*G->getInitializer(), Seen)
                        : original(*G) != nullptr;
  // The function may have an address already, and so may what it calls.
  if (isa<GlobalValue, BlockAddress>(Used))
    return false;
  return all_of(Used.operands(), [&](const Use &U) {
    return canReplace(*cast<Constant>(U), Seen);
  });
}

bool ModuleCopy::canReplace(const Function &Kernel) const {
  SmallVector<const Function *, 8> Work{&Kernel};
  SmallPtrSet<const Function *, 8> Seen{&Kernel};
  ConstantSet SeenConstants;
  auto CanUse = [&](const Instruction &I, const Use &U) {
    auto *Used = dyn_cast<Constant>(U);
    auto *Call = dyn_cast<CallBase>(&I);
    auto *Callee = dyn_cast<Function>(U);
    if (!Used || !Callee || !Call || !Call->isCallee(&U))
      return !Used || canReplace(*Used, SeenConstants);
    if (isCopied(*Callee) && Seen.insert(Callee).second)
      Work.push_back(Callee);
    return isCopied(*Callee) || isOutside(*Callee);
  };
  while (!Work.empty()) {
    const Function *F = Work.pop_back_val();
    // Prologues and the like.
    if (F->getNumOperands())
      return false;
    for (const Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if ((Call && Call->isIndirectCall()) ||
          !all_of(I.operands(), [&](const Use &U) { return CanUse(I, U); }))
        return false;
    }
  }
  return true;
}

/// What \p Kernel asks of a launch, passes over the copy have found out.
void ModuleCopy::replaceEnvironment(const Function &Kernel,
                                    const Function &InModule) {
  auto EnvironmentOf = [](Module &M, const Function &F) {
    return M.getNamedGlobal((F.getName() + "_kernel_environment").str());
  };
  GlobalVariable *Here = EnvironmentOf(Original, InModule);
  const GlobalVariable *There = EnvironmentOf(*Copy, Kernel);
  if (!Here || !There || !Here->hasInitializer() || !There->hasInitializer())
    return;
  auto *Whole = dyn_cast<ConstantStruct>(Here->getInitializer());
  if (!Whole)
    return;
  SmallVector<Constant *, 3> Parts;
  for (const Use &Part : Whole->operands())
    Parts.push_back(cast<Constant>(Part));
  // The others are addresses.
  Parts[0] = There->getInitializer()->getAggregateElement(0u);
  Here->setInitializer(ConstantStruct::get(Whole->getType(), Parts));
}

void ModuleCopy::put(const Function &Kernel, Function &Here) {
  if (!Transfer) {
    Transfer = std::make_unique<FunctionTransfer>(Original,
                                                  /*DeclareUnknown=*/false);
    for (const GlobalValue &G : Copy->global_values())
      if (GlobalValue *Known = original(G); Known && !isCopied(G))
        Transfer->map(G, *Known);
  }
  replaceEnvironment(Kernel, Here);
  Transfer->copy(Kernel, Here);
}

void ModuleCopy::replace(ArrayRef<Function *> Kernels) {
  for (Function *Kernel : Kernels)
    put(*Kernel, *cast<Function>(original(*Kernel)));
}

} // namespace ferry
