//===- MapPass.h - The pass ferry-map ---------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_MAPPASS_H
#define FERRY_CLOSURE_MAPPASS_H

#include "LaunchPlanner.h"
#include "llvm/IR/PassManager.h"

namespace ferry {

/// `ferry-map`: rewrites every kernel launch of a host module so that the
/// pointers in captured objects are valid on the device.
class MapPass : public llvm::PassInfoMixin<MapPass> {
public:
  explicit MapPass(PlannerOptions Options) : Options(Options) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  PlannerOptions Options;
};

/// `print<ferry-launch-plan>`: what `ferry-map` would do.
class LaunchPlanPrinterPass
    : public llvm::PassInfoMixin<LaunchPlanPrinterPass> {
public:
  LaunchPlanPrinterPass(llvm::raw_ostream &OS, PlannerOptions Options)
      : OS(OS), Options(Options) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
  PlannerOptions Options;
};

} // namespace ferry

#endif // FERRY_CLOSURE_MAPPASS_H
