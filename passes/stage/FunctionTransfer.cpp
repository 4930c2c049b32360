//===- FunctionTransfer.cpp - Functions of one module in another ----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionTransfer.h"
#include "support/AddressSpace.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

bool belongsToLaunch(const GlobalVariable &G) {
  return G.getAddressSpace() == SharedMemory;
}

bool isCopiedWithCode(const GlobalVariable &G) {
  // Of what belongs to a launch, all weak definitions are as good.
  return (belongsToLaunch(G) && G.hasInitializer()) ||
         (G.isConstant() && G.hasDefinitiveInitializer());
}

void declareVariables(Module &M) {
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    G.setComdat(nullptr);
    if (G.hasAppendingLinkage()) {
      G.eraseFromParent();
    } else if (!G.isConstant() && !belongsToLaunch(G)) {
      G.setInitializer(nullptr);
      G.setLinkage(GlobalValue::ExternalLinkage);
    }
  }
  for (Function &F : M)
    F.setComdat(nullptr);
}

void FunctionTransfer::map(const GlobalValue &There, GlobalValue &Here) {
  Map[&There] = &Here;
}

Value *FunctionTransfer::materialize(Value *There) {
  if (auto *F = dyn_cast<Function>(There))
    return materializeFunction(*F);
  if (auto *G = dyn_cast<GlobalVariable>(There))
    return materializeVariable(*G);
  return nullptr;
}

Value *FunctionTransfer::materializeFunction(Function &There) {
  if (There.isIntrinsic())
    return To
        .getOrInsertFunction(There.getName(), There.getFunctionType(),
                             There.getAttributes())
        .getCallee();
  // Another file's definition may count instead of one that is interposable.
  const bool Copied = !There.isDeclaration() && !There.isInterposable();
  if (!Copied && !DeclareUnknown)
    return nullptr;
  auto *Here = Function::Create(There.getFunctionType(),
                                Copied ? GlobalValue::InternalLinkage
                                       : GlobalValue::ExternalLinkage,
                                There.getAddressSpace(), There.getName(), &To);
  Here->setCallingConv(There.getCallingConv());
  Here->setAttributes(There.getAttributes());
  if (Copied)
    Functions.push_back({&There, Here});
  return Here;
}

Value *FunctionTransfer::materializeVariable(GlobalVariable &There) {
  const bool Copied = isCopiedWithCode(There);
  if (!Copied && !DeclareUnknown)
    return nullptr;
  auto *Here = new GlobalVariable(
      To, There.getValueType(), There.isConstant(),
      Copied ? GlobalValue::InternalLinkage : GlobalValue::ExternalLinkage,
      /*Initializer=*/nullptr, There.getName(), /*InsertBefore=*/nullptr,
      GlobalValue::NotThreadLocal, There.getAddressSpace());
  Here->setAlignment(There.getAlign());
  Here->setUnnamedAddr(There.getUnnamedAddr());
  if (Copied) {
    Here->setInitializer(PoisonValue::get(There.getValueType()));
    Variables.push_back({&There, Here});
  }
  return Here;
}

void FunctionTransfer::copyBody(const Function &There, Function &Here) {
  for (auto [From, Into] : zip_equal(There.args(), Here.args()))
    Map[&From] = &Into;
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(&Here, &There, Map,
                    CloneFunctionChangeType::DifferentModule, Returns,
                    /*NameSuffix=*/"", /*CodeInfo=*/nullptr,
                    /*TypeMapper=*/nullptr, this);
}

void FunctionTransfer::finish() {
  while (!Functions.empty() || !Variables.empty()) {
    for (auto [There, Here] : std::exchange(Functions, {})) {
      copyBody(*There, *Here);
      Here->setVisibility(GlobalValue::DefaultVisibility);
    }
    for (auto [There, Here] : std::exchange(Variables, {}))
      Here->setInitializer(
          MapValue(There->getInitializer(), Map, RF_None, nullptr, this));
  }
}

void FunctionTransfer::copy(const Function &There, Function &Here) {
  const GlobalValue::LinkageTypes Linkage = Here.getLinkage();
  const GlobalValue::VisibilityTypes Visibility = Here.getVisibility();
  Here.deleteBody();
  map(There, Here);
  copyBody(There, Here);
  Here.setLinkage(Linkage);
  Here.setVisibility(Visibility);
  finish();
  // A list of units of debug information that is empty, of no version.
  if (NamedMDNode *Units = To.getNamedMetadata("llvm.dbg.cu");
      Units && !Units->getNumOperands())
    Units->eraseFromParent();
}

} // namespace ferry
