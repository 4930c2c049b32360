//===- LoopForm.cpp - Loops as the patterns need them ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopForm.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace ferry {

bool hasSimpleLoops(Function &F, FunctionAnalysisManager &FAM) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  return all_of(LI.getLoopsInPreorder(),
                [](const Loop *L) { return L->isLoopSimplifyForm(); });
}

void simplifyLoops(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, LoopSimplifyPass().run(F, FAM));
}

SimplifiedCopy::SimplifiedCopy(Function &F, FunctionAnalysisManager &FAM)
    : FAM(FAM) {
  ValueToValueMapTy Map;
  Copy = CloneFunction(&F, Map);
  simplifyLoops(*Copy, FAM);
}

SimplifiedCopy::~SimplifiedCopy() {
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
}

} // namespace ferry
