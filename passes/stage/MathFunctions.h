//===- MathFunctions.h - Mathematical functions of device code --*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang turns sin and the like into functions of CUDA's libdevice. Without a
// toolkit these are declarations of which nothing is known; with one they are
// bodies of branches, tables and inline assembly that are inlined into the
// loops that staging looks at:
//
//   %s = call float @__nv_sinf(float %x)     declare float @__nv_sinf(float) #0
//                                            attributes #0 = { convergent }
//
// With both, staging is to see a call that only computes, and the optimiser is
// to know it as well:
//
//   %s = call float @__nv_sinf(float %x) #0
//   attributes #0 = { nofree nosync nounwind willreturn memory(none) }
//
// So ferry-math-functions, at the beginning, says what the functions do and
// keeps their bodies from being inlined, and ferry-inline-math, behind staging,
// inlines them. The module as it was is kept for kernels' other versions
// (PlainCode.h). With link-time optimisation it is the other way round: the
// module stays as it is, and a copy is told, which is what travels to the link
// (LinkTimeStaging.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_MATHFUNCTIONS_H
#define FERRY_STAGE_MATHFUNCTIONS_H

#include "llvm/IR/PassManager.h"

namespace ferry {

/// Whether \p F is a function of libdevice that computes a number from numbers.
/// Those with pointers (sincos, frexp, norm...) access what these point to.
bool isMathFunction(const llvm::Function &F);

/// Has passes over \p M know what such functions do.
void tellOfMathFunctions(llvm::Module &M);

/// `ferry-math-functions`.
class MathFunctionsPass : public llvm::PassInfoMixin<MathFunctionsPass> {
public:
  /// \p Later: bodies are inlined behind staging, which is to follow.
  explicit MathFunctionsPass(bool Later) : Later(Later) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  bool Later;
};

/// `ferry-inline-math`.
class InlineMathPass : public llvm::PassInfoMixin<InlineMathPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace ferry

#endif // FERRY_STAGE_MATHFUNCTIONS_H
