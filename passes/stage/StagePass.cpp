//===- StagePass.cpp - The pass ferry-stage -------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings read-only global data through shared memory where a kernel reads it
// badly.
//
// Before, each thread walks along its own row:   After, a tile at a time:
//   loop:                                          call @__ferry_stage_rows8(
//     %p = getelementptr double, ptr %row, %k          @ferry.tile, ...)
//     %a = load double, ptr %p                       loop:
//     ...                                              %a = load double,
//                                                         ptr addrspace(3) ...
//
// rows/RowEmitter.cpp shows the blocks in between. nests/, walks/ and stencils/
// have other patterns; KernelPlan.cpp decides between them.
//
// Requires: the optimised device code of SPMD kernels, loops rotated and not
// yet unrolled; nvptx from sm_70 on, or amdgcn.
//
// Refuses: see common/StageRefusals.def. What is refused is left as it was.
//
// Source of the idea: the poster on shared-memory prefetching in OpenMPOpt,
// which reads base + k * step locations of a team through shared memory; its
// assumptions (one thread for each iteration, no branches, all data at once) do
// not hold here.
//
//===----------------------------------------------------------------------===//

#include "StagePass.h"
#include "KernelPlan.h"
#include "ModuleCopy.h"
#include "UnstagedVersion.h"
#include "stage/common/GenericAddresses.h"
#include "stage/common/LoopForm.h"
#include "stage/common/RuntimeState.h"
#include "stage/common/StageRemarks.h"
#include "support/StageLibrary.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

#define DEBUG_TYPE "ferry-stage"

STATISTIC(KernelsSeen, "Number of kernels that were looked at");
STATISTIC(KernelsStaged, "Number of kernels in which something is staged");

namespace ferry {

/// Does what \p Plan says in \p F, and says so; whether something changed.
static bool carryOut(const KernelPlan &Plan, const PlanContext &C, Function &F,
                     FunctionAnalysisManager &FAM) {
  LLVM_DEBUG(dbgs() << "Staging of " << F.getName() << ":\n";
             print(dbgs(), Plan));
  OptimizationRemarkEmitter ORE(&F);
  remark(ORE, Plan);
  if (!Plan.Pattern)
    return false;
  if (C.asksBlockThreads())
    remarkBlockThreads(ORE, F, C.Limits.minThreads(), C.Limits.MaxThreads);
  emit(Plan, C);
  ++KernelsStaged;
  FAM.invalidate(F, PreservedAnalyses::none());
  // The rest of the pipeline finds what it would have found.
  if (Plan.needsSimpleLoops())
    simplifyLoops(F, FAM);
  return true;
}

/// Stages in \p F what is worth it; whether something changed. \p Choice
/// becomes by what launches can tell whether they are worth it.
static bool stageKernel(Function &F, FunctionAnalysisManager &FAM,
                        const StageOptions &Options, VersionChoice &Choice) {
  const StageMode Mode = Options.modeFor(F.getName());
  if (Mode == StageMode::Off)
    return false;
  ++KernelsSeen;
  KernelLimits Limits;
  if (auto Why = readLimits(F, Limits, Options)) {
    OptimizationRemarkEmitter ORE(&F);
    remarkKernelLeft(ORE, F, *Why);
    return false;
  }
  const GenericAddresses Shown(F);
  if (!hasSimpleLoops(F, FAM)) {
    // A kernel that is left stays exactly as it was.
    {
      SimplifiedCopy Copy(F, FAM);
      PlanContext C(F, FAM, Limits, Options, Mode);
      PlanContext Simplified(Copy.get(), FAM, Limits, Options, Mode);
      KernelPlan Plan = decide(C, Simplified);
      Choice = choiceOf(Plan, C, Simplified);
      if (!Plan.needsSimpleLoops())
        return carryOut(Plan, C, F, FAM);
    }
    simplifyLoops(F, FAM);
    PlanContext C(F, FAM, Limits, Options, Mode);
    return carryOut(decide(C, C), C, F, FAM);
  }
  PlanContext C(F, FAM, Limits, Options, Mode);
  KernelPlan Plan = decide(C, C);
  Choice = choiceOf(Plan, C, C);
  return carryOut(Plan, C, F, FAM);
}

static void cleanUp(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager FPM;
  // The next one takes every branch for one of two ways.
  FPM.addPass(LowerSwitchPass());
  FPM.addPass(FixIrreduciblePass());
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(ADCEPass()); // what only counts what nobody asks for
  FAM.invalidate(F, FPM.run(F, FAM));
}

/// Makes of \p Changed kernels of \p M what the rest of the pipeline expects.
static void finish(Module &M, ArrayRef<Function *> Changed,
                   FunctionAnalysisManager &FAM) {
  if (Changed.empty())
    return;
  inlineStageRuntime(M);
  for (Function *F : Changed) {
    FAM.invalidate(*F, PreservedAnalyses::none());
    cleanUp(*F, FAM);
  }
}

/// Whether something may be staged in \p F, for which \p Options hold.
static bool mayBeStaged(const Function &F, const StageOptions &Options) {
  KernelLimits Limits;
  return Options.modeFor(F.getName()) != StageMode::Off &&
         !readLimits(F, Limits);
}

/// If kernels of \p M have loops that might be staged but for the runtime's
/// state, a copy in which the state is taken out of them. Others that may be
/// staged profit, too.
static std::unique_ptr<ModuleCopy>
showLoops(Module &M, ModuleAnalysisManager &MAM,
          function_ref<StageOptions(const Function &)> OptionsFor) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  auto IsKept = [&](const Function &F) {
    return mayBeStaged(F, OptionsFor(F));
  };
  SmallVector<Function *, 8> Hidden;
  for (Function *F : kernelsOf(M)) {
    if (!IsKept(*F))
      continue;
    const GenericAddresses Shown(*F);
    if (hidesLoops(*F, FAM))
      Hidden.push_back(F);
  }
  if (Hidden.empty())
    return nullptr;
  auto Copy = std::make_unique<ModuleCopy>(M);
  for (Function *&F : Hidden)
    F = cast<Function>(Copy->copyOf(*F));
  Copy->keepOnly(IsKept, MAM);
  Copy->runQuietly([&](Module &M) { foldRuntimeState(M, MAM, Hidden); });
  return Copy;
}

/// \p F, or what is to replace it in \p Copy, if that has it.
static Function &placeToStage(Function &F, const ModuleCopy *Copy) {
  auto *Shown = Copy ? cast_or_null<Function>(Copy->copyOf(F)) : nullptr;
  return Shown && Copy->canReplace(*Shown) ? *Shown : F;
}

PreservedAnalyses StagePass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!stageRuntimeFits(M))
    return PreservedAnalyses::all();
  auto OptionsFor = [&](const Function &F) {
    return notedStageOptions(F).value_or(Options);
  };
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  const std::unique_ptr<ModuleCopy> Copy = showLoops(M, MAM, OptionsFor);
  SmallVector<Function *, 8> Changed, ChangedInCopy;
  for (Function *F : kernelsOf(M)) {
    std::optional<UnstagedVersion> Unstaged;
    if (Versions)
      Unstaged.emplace(*F);
    Function &Place = placeToStage(*F, Copy.get());
    VersionChoice Choice;
    if (stageKernel(Place, FAM, OptionsFor(*F), Choice)) {
      (&Place == F ? Changed : ChangedInCopy).push_back(&Place);
      if (Unstaged && !Choice.empty())
        Unstaged->keep(Choice, FAM.getResult<TargetIRAnalysis>(*F));
      if (Staged)
        Staged->push_back({F, std::move(Choice)});
    }
    for (Function *Told : {F, &Place})
      removeStageOptions(*Told);
  }
  finish(M, Changed, FAM);
  if (Copy) {
    finish(Copy->module(), ChangedInCopy, FAM);
    Copy->replace(ChangedInCopy);
    MAM.clear(Copy->module(), Copy->module().getName());
  }
  return Changed.empty() && ChangedInCopy.empty() ? PreservedAnalyses::all()
                                                  : PreservedAnalyses::none();
}

} // namespace ferry
