//===- LinkTimeStaging.cpp - Staging under -foffload-lto ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -foffload-lto the body of a kernel's loop is, until everything is
// linked, in a function that the device runtime calls. So a file is compiled as
// without staging, and its code as it is before loops are unrolled and
// vectorized travels beside it (PreparedCode.h).
//
// The pipeline of the link has no place where everything is inlined and not yet
// unrolled. So at its beginning a copy of the program is made, its functions
// get the code that has travelled, and the passes that come before staging when
// there is no link-time optimisation are run on it:
//
//   program:  define void @K()   ; as with staging off, loops unrolled
//   copy:     define void @K()   ; loops as they were; then simplified; then,
//                                ; perhaps, staged
//
// A kernel that is staged there replaces the program's (ModuleCopy.h).
//
// Whether a launch takes the staged kernel or the other version, the host's
// code has to know before that (UnstagedVersion.h). So the compilation of a
// file does the same with a copy of the file alone, linked with the device
// runtime, and keeps the choices.
//
//===----------------------------------------------------------------------===//

#include "LinkTimeStaging.h"
#include "FunctionTransfer.h"
#include "MathFunctions.h"
#include "ModuleCopy.h"
#include "PlainCode.h"
#include "PreparedCode.h"
#include "StagePass.h"
#include "UnstagedVersion.h"
#include "stage/common/KernelLimits.h"
#include "stage/common/StageRemarks.h"
#include "support/DeviceRuntime.h"
#include "support/StageLibrary.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"

using namespace llvm;

namespace ferry {

bool isForLink(const Module &M) {
  const Function *Init = M.getFunction("__kmpc_target_init");
  return Init && Init->isDeclaration() && M.getModuleFlag("ThinLTO");
}

//===----------------------------------------------------------------------===//
// Variables of loops
//===----------------------------------------------------------------------===//

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
// The copy of the program
//===----------------------------------------------------------------------===//

/// Gives functions of \p Copy the bodies that they have in \p Code.
static void takeCode(ModuleCopy &Copy, const PreparedCode &Code) {
  FunctionTransfer Transfer(Copy.module(), /*DeclareUnknown=*/true);
  for (auto [There, Here] : Code.Places)
    Transfer.map(*There, *Copy.copyOf(*Here));
  for (auto [There, Here] : Code.Functions)
    Transfer.copy(*There, *cast<Function>(Copy.copyOf(*Here)));
}

//===----------------------------------------------------------------------===//
// The passes
//===----------------------------------------------------------------------===//

/// Says that \p Kernel cannot replace the program's.
static void remarkNotReplaceable(Function &Kernel) {
  OptimizationRemarkEmitter ORE(&Kernel);
  remarkKernelLeft(ORE, Kernel, StageRefusal::NotReplaceable);
}

/// Leaves kernels of \p Copy that cannot replace the program's.
static void leaveKernels(ModuleCopy &Copy) {
  for (Function *Kernel : kernelsOf(Copy.module())) {
    KernelLimits Limits;
    if (!notedStageOptions(*Kernel) || readLimits(*Kernel, Limits) ||
        Copy.canReplace(*Kernel))
      continue;
    removeStageOptions(*Kernel);
    remarkNotReplaceable(*Kernel);
  }
}

/// Unrolls loops of \p Kernel, as the end of a compilation does. The program's
/// own kernels have that behind them, and are unrolled once more in the link;
/// without it launches that take \p Kernel as it was would take longer.
static void unrollLoops(Function &Kernel, OptimizationLevel Level,
                        FunctionAnalysisManager &FAM) {
  FunctionPassManager FPM;
  FPM.addPass(LoopUnrollPass(LoopUnrollOptions(Level.getSpeedupLevel())));
  FPM.addPass(InstCombinePass());
  FAM.invalidate(Kernel, FPM.run(Kernel, FAM));
}

/// Stages the kernels of \p Copy that are noted for it, a program that is not
/// simplified yet. \returns those in which something is staged.
static SmallVector<StagedKernel, 8> stage(ModuleCopy &Copy,
                                          ModulePassManager &Simplify,
                                          ModuleAnalysisManager &MAM) {
  Module &M = Copy.module();
  Copy.keepOnly(
      [](const Function &F) { return notedStageOptions(F).has_value(); }, MAM);
  for (Function &F : M)
    narrowVariables(F);
  tellOfMathFunctions(M);
  Copy.runQuietly([&](Module &M) { MAM.invalidate(M, Simplify.run(M, MAM)); });
  leaveKernels(Copy);
  SmallVector<StagedKernel, 8> Staged;
  StageOptions Off;
  Off.Mode = StageMode::Off;
  MAM.invalidate(M, StagePass(Off, /*Versions=*/false, &Staged).run(M, MAM));
  MAM.invalidate(M, InlineMathPass().run(M, MAM));
  erase_if(Staged, [&](const StagedKernel &S) {
    const bool Can = Copy.canReplace(*S.Kernel);
    if (!Can)
      remarkNotReplaceable(*S.Kernel);
    return !Can;
  });
  return Staged;
}

//===----------------------------------------------------------------------===//
// When a file is compiled
//===----------------------------------------------------------------------===//

/// The kernels of \p M that the link would stage by \p Options if there were no
/// other files, but for the device runtime.
static SmallVector<StagedKernel, 8> stagedAtLink(Module &M,
                                                 const StageOptions &Options,
                                                 ModulePassManager &Simplify,
                                                 ModuleAnalysisManager &MAM) {
  ModuleCopy Copy(M);
  StringRef Cpu;
  for (Function *Kernel : kernelsOf(Copy.module()))
    if (noteStageOptions(*Kernel, Options))
      Cpu = Kernel->getFnAttribute("target-cpu").getValueAsString();
  if (Cpu.empty() || !linkDeviceRuntime(Copy.module(), Cpu))
    return {};
  SmallVector<StagedKernel, 8> Staged;
  Copy.runQuietly([&](Module &) { Staged = stage(Copy, Simplify, MAM); });
  for (StagedKernel &S : Staged)
    S.Kernel = cast<Function>(Copy.original(*S.Kernel));
  MAM.clear(Copy.module(), Copy.module().getName());
  return Staged;
}

PreservedAnalyses StageCompiledPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  auto *Plain = MAM.getCachedResult<PlainCodeAnalysis>(M);
  if (!stageRuntimeFits(M) || !isForLink(M)) {
    PreservedAnalyses Left = StagePass(Options, /*Versions=*/true).run(M, MAM);
    if (Plain)
      Plain->restoreVersions(M, SimplifyCopy, MAM);
    return Left;
  }
  const std::unique_ptr<ModuleCopy> Told = Plain ? Plain->take() : nullptr;
  if (Told)
    Told->runQuietly(
        [&](Module &M) { MAM.invalidate(M, SimplifyCopy.run(M, MAM)); });
  const SmallVector<StagedKernel, 8> Staged =
      stagedAtLink(Told ? Told->module() : M, Options, SimplifyProgram, MAM);
  addPreparedCode(M, Told.get(), Options);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (const auto &[Kernel, Choice] : Staged) {
    auto *Here =
        Told ? cast_or_null<Function>(Told->original(*Kernel)) : Kernel;
    if (Here && !Choice.empty())
      UnstagedVersion(*Here).keep(Choice,
                                  FAM.getResult<TargetIRAnalysis>(*Here));
  }
  if (Told)
    MAM.clear(Told->module(), Told->module().getName());
  return PreservedAnalyses::none();
}

//===----------------------------------------------------------------------===//
// When a program is linked
//===----------------------------------------------------------------------===//

PreservedAnalyses StageLinkedPass::run(Module &M, ModuleAnalysisManager &MAM) {
  std::vector<PreparedCode> Codes = takePreparedCode(M);
  if (Codes.empty())
    return PreservedAnalyses::all();
  ModuleCopy Copy(M);
  for (const PreparedCode &Code : Codes)
    takeCode(Copy, Code);
  Codes.clear();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(Copy.module())
                  .getManager();
  SmallVector<Function *, 8> Staged;
  for (const StagedKernel &S : stage(Copy, Simplify, MAM)) {
    unrollLoops(*S.Kernel, Level, FAM);
    Staged.push_back(S.Kernel);
  }
  Copy.replace(Staged);
  MAM.clear(Copy.module(), Copy.module().getName());
  return Staged.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

PreservedAnalyses RemovePreparedCodePass::run(Module &M,
                                              ModuleAnalysisManager &) {
  removePreparedCode(M);
  return PreservedAnalyses::all();
}

} // namespace ferry
