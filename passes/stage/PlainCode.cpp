//===- PlainCode.cpp - A file's device code without staging ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlainCode.h"
#include "FunctionTransfer.h"
#include "MathFunctions.h"
#include "closure/KernelVersions.h"
#include "stage/common/KernelLimits.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace ferry {

/// Of a function that is declared twice, as code without staging knows it; its
/// value is the function's name.
static constexpr StringLiteral PlainName = "ferry-plain";

AnalysisKey PlainCodeAnalysis::Key;

/// Whether \p Kernel refers to a mathematical function, or what it refers to
/// does.
static bool reachesMath(const Function &Kernel) {
  SmallVector<const Function *, 16> Work{&Kernel};
  SmallPtrSet<const Function *, 16> Seen{&Kernel};
  while (!Work.empty())
    for (const Instruction &I : instructions(*Work.pop_back_val()))
      for (const Value *Operand : I.operand_values()) {
        auto *F = dyn_cast<Function>(Operand->stripPointerCasts());
        if (!F || !Seen.insert(F).second)
          continue;
        if (isMathFunction(*F))
          return true;
        Work.push_back(F);
      }
  return false;
}

/// Declares the mathematical functions that \p Kept declares in \p M as they
/// are there, for code that is taken from it.
static SmallVector<Function *, 8> declarePlain(ModuleCopy &Kept, Module &M) {
  SmallVector<Function *, 8> Declared;
  for (const Function &There : Kept.module()) {
    if (!There.isDeclaration() || !isMathFunction(There))
      continue;
    auto *Here = Function::Create(
        There.getFunctionType(), GlobalValue::ExternalLinkage,
        There.getAddressSpace(), There.getName() + ".plain", &M);
    Here->copyAttributesFrom(&There);
    Here->addFnAttr(PlainName, There.getName());
    Kept.setOriginal(There, *Here);
    Declared.push_back(Here);
  }
  return Declared;
}

void PlainCode::restoreVersions(Module &M, ModulePassManager &Simplify,
                                ModuleAnalysisManager &MAM) {
  const std::unique_ptr<ModuleCopy> Kept = take();
  if (!Kept)
    return;
  SmallVector<std::pair<Function *, Function *>, 4> Versions;
  for (Function *Kernel : kernelsOf(Kept->module()))
    if (Function *Unstaged =
            M.getFunction((Kernel->getName() + UnstagedSuffix).str());
        Unstaged && reachesMath(*Kernel))
      Versions.push_back({Kernel, Unstaged});
  if (Versions.empty())
    return;
  declareVariables(Kept->module());
  Kept->runQuietly(
      [&](Module &Plain) { MAM.invalidate(Plain, Simplify.run(Plain, MAM)); });
  const SmallVector<Function *, 8> Declared = declarePlain(*Kept, M);
  for (auto [Kernel, Unstaged] : Versions)
    if (Kept->canReplace(*Kernel))
      Kept->put(*Kernel, *Unstaged);
  for (Function *F : Declared)
    if (F->use_empty())
      F->eraseFromParent();
  MAM.clear(Kept->module(), Kept->module().getName());
}

PreservedAnalyses JoinPlainPass::run(Module &M, ModuleAnalysisManager &) {
  bool Any = false;
  for (Function &F : make_early_inc_range(M)) {
    if (!F.hasFnAttribute(PlainName))
      continue;
    const std::string Name =
        F.getFnAttribute(PlainName).getValueAsString().str();
    F.removeFnAttr(PlainName);
    if (Function *Known = M.getFunction(Name)) {
      F.replaceAllUsesWith(Known);
      F.eraseFromParent();
    } else {
      F.setName(Name);
    }
    Any = true;
  }
  return Any ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace ferry
