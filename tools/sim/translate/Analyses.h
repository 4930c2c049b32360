//===- Analyses.h - The analyses that LLVM's passes ask for ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_ANALYSES_H
#define FERRY_SIM_ANALYSES_H

#include "llvm/Passes/PassBuilder.h"

namespace ferry::sim {

/// Analysis managers that know one another.
struct Analyses {
  llvm::LoopAnalysisManager Loops;
  llvm::FunctionAnalysisManager Functions;
  llvm::CGSCCAnalysisManager SCCs;
  llvm::ModuleAnalysisManager Modules;

  /// Registers LLVM's analyses, but for those that are registered already.
  void fill(llvm::PassBuilder PB) {
    PB.registerModuleAnalyses(Modules);
    PB.registerCGSCCAnalyses(SCCs);
    PB.registerFunctionAnalyses(Functions);
    PB.registerLoopAnalyses(Loops);
    PB.crossRegisterProxies(Loops, Functions, SCCs, Modules);
  }
};

} // namespace ferry::sim

#endif // FERRY_SIM_ANALYSES_H
