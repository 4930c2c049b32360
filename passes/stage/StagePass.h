//===- StagePass.h - The pass ferry-stage -----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STAGEPASS_H
#define FERRY_STAGE_STAGEPASS_H

#include "closure/KernelVersions.h"
#include "stage/common/StageOptions.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace ferry {

/// A kernel in which something is staged.
struct StagedKernel {
  llvm::Function *Kernel;
  VersionChoice Choice; ///< for what launches that is worth it
};

/// Stages read-only global data of the kernels of a device module.
class StagePass : public llvm::PassInfoMixin<StagePass> {
public:
  /// With \p Versions, kernels are kept as they were beside what they become,
  /// for launches that are not worth it. Those in which something is staged are
  /// added to \p Staged.
  StagePass(StageOptions Options, bool Versions,
            llvm::SmallVectorImpl<StagedKernel> *Staged = nullptr)
      : Options(std::move(Options)), Versions(Versions), Staged(Staged) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

private:
  StageOptions Options;
  bool Versions;
  llvm::SmallVectorImpl<StagedKernel> *Staged;
};

/// Prints what each kernel reads step by step, and what is not a stream and
/// why.
class StageAccessesPrinterPass
    : public llvm::PassInfoMixin<StageAccessesPrinterPass> {
public:
  explicit StageAccessesPrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

/// Prints the iterations (i, j) that the threads of each kernel share, as nests
/// and stencils recognize them, or what is in the way.
class IterationSpacePrinterPass
    : public llvm::PassInfoMixin<IterationSpacePrinterPass> {
public:
  explicit IterationSpacePrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

/// Prints what ferry-stage would do first in each kernel, with the figures of
/// the model, and what it would leave and why.
class StagePlanPrinterPass : public llvm::PassInfoMixin<StagePlanPrinterPass> {
public:
  StagePlanPrinterPass(llvm::raw_ostream &OS, StageOptions Options)
      : OS(OS), Options(std::move(Options)) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
  StageOptions Options;
};

} // namespace ferry

#endif // FERRY_STAGE_STAGEPASS_H
