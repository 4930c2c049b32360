//===- StagePrinters.cpp - What staging sees and would do -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"
#include "StagePass.h"
#include "rows/RowAnalysis.h"
#include "stage/common/GenericAddresses.h"
#include "stage/common/IterationSpace.h"
#include "stage/common/LoopForm.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ferry {

static FunctionAnalysisManager &functionAnalyses(Module &M,
                                                 ModuleAnalysisManager &MAM) {
  return MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
}

PreservedAnalyses StageAccessesPrinterPass::run(Module &M,
                                                ModuleAnalysisManager &MAM) {
  FunctionAnalysisManager &FAM = functionAnalyses(M, MAM);
  for (Function *F : kernelsOf(M)) {
    OS << "Accesses of kernel '" << F->getName() << "':\n";
    const GenericAddresses Shown(*F);
    SimplifiedCopy Copy(*F, FAM);
    const KernelLimits Limits;
    PlanContext C(Copy.get(), FAM, Limits, StageOptions(), StageMode::On);
    RowAnalysis Analysis(C.Kernel, C.DT, C.PDT, C.LI, C.SE);
    for (const RowCandidate &Candidate : Analysis.candidates())
      print(OS, Candidate.Unit);
    print(OS, Analysis.notes());
  }
  return PreservedAnalyses::all();
}

PreservedAnalyses IterationSpacePrinterPass::run(Module &M,
                                                 ModuleAnalysisManager &MAM) {
  FunctionAnalysisManager &FAM = functionAnalyses(M, MAM);
  for (Function *F : kernelsOf(M)) {
    OS << "Iteration space of kernel '" << F->getName() << "':\n";
    if (!hasFreeSchedule(*F))
      OS << "  which thread does which iteration is fixed\n";
    const GenericAddresses Shown(*F);
    const KernelLimits Limits;
    PlanContext C(*F, FAM, Limits, StageOptions(), StageMode::On);
    std::optional<Obstacle> InTheWay;
    if (auto Space = findIterationSpace(C, InTheWay))
      print(OS, *Space);
    else if (InTheWay)
      OS << "  none, " << InTheWay->Why << ":" << *InTheWay->Where << "\n";
    else
      OS << "  none, no loop in another\n";
  }
  return PreservedAnalyses::all();
}

PreservedAnalyses StagePlanPrinterPass::run(Module &M,
                                            ModuleAnalysisManager &MAM) {
  FunctionAnalysisManager &FAM = functionAnalyses(M, MAM);
  for (Function *F : kernelsOf(M)) {
    OS << "Staging plan of kernel '" << F->getName() << "':\n";
    KernelLimits Limits;
    StageMode Mode = Options.modeFor(F->getName());
    if (auto Why = readLimits(*F, Limits, Options)) {
      OS << "  left (" << refusalName(*Why) << ")\n";
      continue;
    }
    if (Mode == StageMode::Off)
      continue;
    const GenericAddresses Shown(*F);
    SimplifiedCopy Copy(*F, FAM);
    PlanContext C(*F, FAM, Limits, Options, Mode);
    PlanContext Simplified(Copy.get(), FAM, Limits, Options, Mode);
    const KernelPlan Plan = decide(C, Simplified);
    print(OS, Plan);
    if (VersionChoice Choice = choiceOf(Plan, C, Simplified); !Choice.empty()) {
      OS << "  launched where ";
      print(OS, Choice);
      OS << "\n";
    }
  }
  return PreservedAnalyses::all();
}

} // namespace ferry
