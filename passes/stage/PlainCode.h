//===- PlainCode.h - A file's device code without staging -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the optimiser is told of mathematical functions for staging
// (MathFunctions.h) changes what it makes of kernels before these are staged.
// The version of a staged kernel that launches may take instead is to be what
// it is with staging off. So a copy of the module is kept as it was; if there
// are such versions in the end, the copy is simplified as a module is without
// staging, and they are taken from it:
//
//   module:  define void @K_unstaged()   ; K, simplified for staging
//   copy:    define void @K()            ; simplified as with staging off
//
//   module:  define void @K_unstaged()   ; as with staging off
//              call double @__nv_sin.plain(double %x)
//            declare double @__nv_sin.plain(double)   ; what it was told
//
// ferry-join-plain makes of these functions what they are, at the end.
//
// Refuses: what ModuleCopy.h refuses. Such versions stay as they are.
//
// Where kernels are staged when a program is linked, it is the copy that is
// simplified for staging, and the module that is simplified as without.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_PLAINCODE_H
#define FERRY_STAGE_PLAINCODE_H

#include "ModuleCopy.h"

namespace ferry {

/// A module as it was before anything was done to it for staging, if that is
/// kept.
class PlainCode {
public:
  /// Keeps what \p M is.
  ModuleCopy &keep(llvm::Module &M) {
    Copy = std::make_unique<ModuleCopy>(M);
    return *Copy;
  }
  /// What was kept, if there is something; it is kept no longer.
  std::unique_ptr<ModuleCopy> take() { return std::move(Copy); }
  /// Makes of the other versions of kernels in \p M that call mathematical
  /// functions what \p Simplify makes of what was kept, and keeps it no longer.
  void restoreVersions(llvm::Module &M, llvm::ModulePassManager &Simplify,
                       llvm::ModuleAnalysisManager &MAM);

  bool invalidate(llvm::Module &, const llvm::PreservedAnalyses &,
                  llvm::ModuleAnalysisManager::Invalidator &) {
    return false;
  }

private:
  std::unique_ptr<ModuleCopy> Copy;
};

/// Nothing is kept at first.
class PlainCodeAnalysis : public llvm::AnalysisInfoMixin<PlainCodeAnalysis> {
  friend llvm::AnalysisInfoMixin<PlainCodeAnalysis>;
  static llvm::AnalysisKey Key;

public:
  using Result = PlainCode;
  Result run(llvm::Module &, llvm::ModuleAnalysisManager &) { return {}; }
};

/// `ferry-join-plain`: makes one of the two declarations that a mathematical
/// function has then, at the end.
struct JoinPlainPass : llvm::PassInfoMixin<JoinPlainPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace ferry

#endif // FERRY_STAGE_PLAINCODE_H
