//===- LinkTimeStaging.cpp - Staging under -foffload-lto ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -foffload-lto the body of a kernel's loop is, until everything is
// linked, in a function that the device runtime calls. So a file's kernels are
// only prepared when it is compiled:
//
//   attributes #0 = { "ferry-stage"="on" "ferry-stage-max-bytes"="49152" ... }
//   br i1 %done, label %exit, label %loop, !llvm.loop !1
//   !1 = distinct !{!1, ..., !2, !3}
//   !2 = !{!"llvm.loop.disable_nonforced"}
//   !3 = !{!"ferry.until.linked"}
//
// The attributes are the options that the file was compiled with; the link
// knows only its own. Loops stay as they are, because the pipeline before the
// link unrolls and vectorizes them, and staging looks for loads that are one
// step apart.
//
// The pipeline of the link has no place where everything is inlined and not yet
// unrolled. So at its beginning, if a kernel is prepared, the loops are freed,
// and the passes that come before that place when there is no link-time
// optimisation are run.
//
//===----------------------------------------------------------------------===//

#include "LinkTimeStaging.h"
#include "StagePass.h"
#include "stage/common/KernelLimits.h"
#include "support/StageLibrary.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace ferry {

/// LLVM's word for loops that are left as they are, and Ferry's that it was
/// put there.
static constexpr char Keep[] = "llvm.loop.disable_nonforced";
static constexpr char UntilLinked[] = "ferry.until.linked";

/// Whether \p M is to be optimised as a whole when it is linked. Clang marks
/// such modules so. The device runtime is marked as well, but they do not have
/// it yet.
static bool isForLink(const Module &M) {
  const Function *Init = M.getFunction("__kmpc_target_init");
  return Init && Init->isDeclaration() && M.getModuleFlag("ThinLTO");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static void keepLoops(Function &F) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  LLVMContext &C = F.getContext();
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (hasDisableAllTransformsHint(L))
      continue;
    MDNode *Added[] = {MDNode::get(C, MDString::get(C, Keep)),
                       MDNode::get(C, MDString::get(C, UntilLinked))};
    L->setLoopID(makePostTransformationMetadata(C, L->getLoopID(), {}, Added));
  }
}

static void freeLoops(Function &F) {
  for (BasicBlock &B : F) {
    Instruction &I = *B.getTerminator();
    MDNode *ID = I.getMetadata(LLVMContext::MD_loop);
    if (ID && findOptionMDForLoopID(ID, UntilLinked))
      I.setMetadata(LLVMContext::MD_loop,
                    makePostTransformationMetadata(F.getContext(), ID,
                                                   {Keep, UntilLinked}, {}));
  }
}

/// Makes of a phi of sign extensions the sign extension of a phi.
static void narrow(PHINode &Wide) {
  Type *Narrow = nullptr;
  for (Value *V : Wide.incoming_values()) {
    auto *Extension = dyn_cast<SExtInst>(V);
    if (!Extension || (Narrow && Extension->getSrcTy() != Narrow))
      return;
    Narrow = Extension->getSrcTy();
  }
  IRBuilder<> B(&Wide);
  PHINode *Phi = B.CreatePHI(Narrow, Wide.getNumIncomingValues());
  for (auto [V, Block] : zip(Wide.incoming_values(), Wide.blocks()))
    Phi->addIncoming(cast<SExtInst>(V)->getOperand(0), Block);
  B.SetInsertPoint(Wide.getParent(), Wide.getParent()->getFirstInsertionPt());
  Wide.replaceAllUsesWith(B.CreateSExt(Phi, Wide.getType()));
  Wide.eraseFromParent();
}

/// As long as nothing is known of its bounds, a loop's variable is widened in a
/// way that hides how it goes on.
static void narrowVariables(Function &F) {
  for (BasicBlock &B : F)
    for (PHINode &P : make_early_inc_range(B.phis()))
      narrow(P);
}

//===----------------------------------------------------------------------===//
// The passes
//===----------------------------------------------------------------------===//

static bool prepare(Module &M, const StageOptions &Options) {
  bool Any = false;
  for (Function *F : kernelsOf(M))
    Any |= noteStageOptions(*F, Options);
  if (Any)
    for (Function &F : M)
      if (!F.isDeclaration())
        keepLoops(F);
  return Any;
}

PreservedAnalyses StageCompiledPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  if (!stageRuntimeFits(M) || !isForLink(M))
    return StagePass(Options, /*Versions=*/true).run(M, MAM);
  return prepare(M, Options) ? PreservedAnalyses::none()
                             : PreservedAnalyses::all();
}

PreservedAnalyses StageLinkedPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (none_of(M, [](Function &F) { return notedStageOptions(F); }))
    return PreservedAnalyses::all();
  for (Function &F : M) {
    freeLoops(F);
    narrowVariables(F);
  }
  Simplify.run(M, MAM);
  StageOptions Off;
  Off.Mode = StageMode::Off;
  StagePass(Off, /*Versions=*/false).run(M, MAM);
  return PreservedAnalyses::none();
}

} // namespace ferry
