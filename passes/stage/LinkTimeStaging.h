//===- LinkTimeStaging.h - Staging under -foffload-lto ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_LINKTIMESTAGING_H
#define FERRY_STAGE_LINKTIMESTAGING_H

#include "stage/common/StageOptions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace ferry {

/// `ferry-stage-compile`: stages the kernels of a device module; if the module
/// is to be optimised at link time, prepares it for that.
class StageCompiledPass : public llvm::PassInfoMixin<StageCompiledPass> {
public:
  /// \p Simplify does what has been done to the module.
  StageCompiledPass(StageOptions Options, llvm::ModulePassManager Simplify)
      : Options(std::move(Options)), Simplify(std::move(Simplify)) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

private:
  StageOptions Options;
  llvm::ModulePassManager Simplify;
};

/// Leaves out what was prepared, where the link does not stage.
struct RemovePreparedCodePass : llvm::PassInfoMixin<RemovePreparedCodePass> {
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

/// `ferry-stage-linked`: stages what was prepared so, at the beginning of
/// link-time optimisation.
class StageLinkedPass : public llvm::PassInfoMixin<StageLinkedPass> {
public:
  /// \p Simplify brings a module into the form that ferry-stage needs. \p
  /// Level is the link's.
  StageLinkedPass(llvm::ModulePassManager Simplify,
                  llvm::OptimizationLevel Level)
      : Simplify(std::move(Simplify)), Level(Level) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

private:
  llvm::ModulePassManager Simplify;
  llvm::OptimizationLevel Level;
};

} // namespace ferry

#endif // FERRY_STAGE_LINKTIMESTAGING_H
