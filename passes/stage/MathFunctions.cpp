//===- MathFunctions.cpp - Mathematical functions of device code ----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"
#include "LinkTimeStaging.h"
#include "PlainCode.h"
#include "stage/common/GpuTarget.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"

using namespace llvm;

namespace ferry {

/// Of functions that are to be inlined behind staging; its value is the name of
/// the attribute that tells to do so, if they had it.
static constexpr StringLiteral LaterName = "ferry-inline-later";
static constexpr StringLiteral Always = "always";

bool isMathFunction(const Function &F) {
  auto IsNumber = [](const Type *Ty) {
    return Ty->isFloatingPointTy() || Ty->isIntegerTy();
  };
  return isOfMathLibrary(F) && !F.isVarArg() && IsNumber(F.getReturnType()) &&
         all_of(F.args(),
                [&](const Argument &A) { return IsNumber(A.getType()); });
}

/// Says that \p F, a function or a call, only computes, but for what memory it
/// accesses.
template <typename T> static void setComputes(T &F) {
  F.removeFnAttr(Attribute::Convergent);
  for (Attribute::AttrKind Kind : {Attribute::WillReturn, Attribute::NoUnwind,
                                   Attribute::NoSync, Attribute::NoFree})
    F.addFnAttr(Kind);
}

/// Says that \p F only computes. It may read tables, which are constant, and
/// use a stack of its own. Of a declaration, calls say it: those in code as it
/// is without staging do not (PlainCode.h).
static void setPure(Function &F) {
  for (const Use &U : F.uses())
    if (auto *Call = dyn_cast<CallBase>(U.getUser());
        Call && Call->isCallee(&U)) {
      setComputes(*Call);
      Call->setDoesNotAccessMemory();
    }
  if (F.isDeclaration()) {
    F.removeFnAttr(Attribute::Convergent);
    return;
  }
  setComputes(F);
  F.setDoesNotAccessMemory();
  // Assembly that nothing but its result is wanted of.
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (auto *Assembly = dyn_cast<InlineAsm>(Call->getCalledOperand());
          Assembly && !Assembly->hasSideEffects() &&
          Call->doesNotAccessMemory())
        setComputes(*Call);
}

/// Whether the body of \p F would be in the way of staging. The others are a
/// few instructions around an intrinsic.
static bool isLarge(const Function &F) {
  constexpr unsigned Few = 30;
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> Loops;
  FindFunctionBackedges(F, Loops);
  return F.getInstructionCount() > Few || !Loops.empty() ||
         any_of(instructions(F), [](const Instruction &I) {
           auto *Call = dyn_cast<CallBase>(&I);
           return isa<AllocaInst>(I) || (Call && Call->isInlineAsm());
         });
}

void tellOfMathFunctions(Module &M) {
  for (Function &F : M)
    if (isMathFunction(F))
      setPure(F);
}

static void inlineLater(Function &F) {
  const bool IsAlways = F.hasFnAttribute(Attribute::AlwaysInline);
  F.addFnAttr(LaterName, IsAlways ? StringRef(Always) : "");
  F.removeFnAttr(Attribute::AlwaysInline);
  F.addFnAttr(Attribute::NoInline);
}

PreservedAnalyses MathFunctionsPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  auto IsUsed = [](const Function &F) {
    return isMathFunction(F) && !F.use_empty();
  };
  if (none_of(M, IsUsed))
    return PreservedAnalyses::all();
  if (!Later) {
    tellOfMathFunctions(M);
    return PreservedAnalyses::none();
  }
  ModuleCopy &Copy = MAM.getResult<PlainCodeAnalysis>(M).keep(M);
  Module &Told = isForLink(M) ? Copy.module() : M;
  tellOfMathFunctions(Told);
  for (Function &F : Told)
    if (isMathFunction(F) && !F.isDeclaration() &&
        !F.hasFnAttribute(Attribute::NoInline) && isLarge(F))
      inlineLater(F);
  return PreservedAnalyses::none();
}

PreservedAnalyses InlineMathPass::run(Module &M, ModuleAnalysisManager &AM) {
  bool Any = false;
  for (Function &F : M) {
    const Attribute Mark = F.getFnAttribute(LaterName);
    if (!Mark.isValid())
      continue;
    F.removeFnAttr(LaterName);
    F.removeFnAttr(Attribute::NoInline);
    if (Mark.getValueAsString() == Always)
      F.addFnAttr(Attribute::AlwaysInline);
    Any = true;
  }
  return Any ? AlwaysInlinerPass().run(M, AM) : PreservedAnalyses::all();
}

} // namespace ferry
