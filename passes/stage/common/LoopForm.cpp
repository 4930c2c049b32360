//===- LoopForm.cpp - Loops as the patterns need them ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopForm.h"
#include "support/Retire.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ferry {

const SCEVAddRecExpr *affineRecurrence(const SCEV *S, const Loop &L) {
  auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S);
  return Recurrence && Recurrence->getLoop() == &L && Recurrence->isAffine()
             ? Recurrence
             : nullptr;
}

bool isKnownBefore(const SCEV *S, const Loop &L, ScalarEvolution &SE,
                   const SCEVExpander &Expander) {
  return SE.isAvailableAtLoopEntry(S, &L) &&
         Expander.isSafeToExpandAt(S, L.getLoopPreheader()->getTerminator());
}

const SCEV *tripCount(const Loop &L, ScalarEvolution &SE) {
  const SCEV *BackEdges = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(BackEdges) ||
      SE.getTypeSizeInBits(BackEdges->getType()) > 64)
    return nullptr;
  Type *I64 = Type::getInt64Ty(L.getHeader()->getContext());
  return SE.getAddExpr(SE.getTruncateOrZeroExtend(BackEdges, I64),
                       SE.getOne(I64));
}

void setUnrolling(Instruction &Branch, unsigned Times) {
  LLVMContext &C = Branch.getContext();
  const char *How = Times == AllIterations ? "full"
                    : Times == 1           ? "disable"
                                           : "count";
  SmallVector<Metadata *, 2> Hint{
      MDString::get(C, std::string("llvm.loop.unroll.") + How)};
  if (Times > 1)
    Hint.push_back(
        ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), Times)));
  Branch.setMetadata(
      LLVMContext::MD_loop,
      makePostTransformationMetadata(C, nullptr, {}, MDNode::get(C, Hint)));
}

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
  retire(*Copy);
}

} // namespace ferry
