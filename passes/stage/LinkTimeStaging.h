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

/// Whether \p M is to be optimised as a whole when it is linked. Clang marks
/// such modules so. The device runtime is marked as well, but they do not have
/// it yet.
bool isForLink(const llvm::Module &M);

/// `ferry-stage-compile`: stages the kernels of a device module; if the module
/// is to be optimised at link time, prepares it for that.
class StageCompiledPass : public llvm::PassInfoMixin<StageCompiledPass> {
public:
  /// \p SimplifyCopy does what has been done to the module, and \p
  /// SimplifyProgram what StageLinkedPass does.
  StageCompiledPass(StageOptions Options, llvm::ModulePassManager SimplifyCopy,
                    llvm::ModulePassManager SimplifyProgram)
      : Options(std::move(Options)), SimplifyCopy(std::move(SimplifyCopy)),
        SimplifyProgram(std::move(SimplifyProgram)) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

private:
  StageOptions Options;
  // LLVM's inliner can be run once.
  llvm::ModulePassManager SimplifyCopy, SimplifyProgram;
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
