//===- LoopForm.h - Loops as the patterns need them -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_LOOPFORM_H
#define FERRY_STAGE_LOOPFORM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
class Loop;
class SCEV;
class SCEVAddRecExpr;
class SCEVExpander;
class ScalarEvolution;
} // namespace llvm

namespace ferry {

/// \p S, if it is something times the iteration of \p L and something more;
/// else null.
const llvm::SCEVAddRecExpr *affineRecurrence(const llvm::SCEV *S,
                                             const llvm::Loop &L);

/// Whether \p S does not vary in \p L and can be computed in its preheader.
bool isKnownBefore(const llvm::SCEV *S, const llvm::Loop &L,
                   llvm::ScalarEvolution &SE,
                   const llvm::SCEVExpander &Expander);

/// The iterations of \p L, of type i64; null if they are not known.
const llvm::SCEV *tripCount(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// All iterations of a loop, the number of which is known.
inline constexpr unsigned AllIterations = 0;
/// Has LLVM unroll \p Times iterations together of the loop that ends with \p
/// Branch. All of them it unrolls early, so that other passes see that code.
void setUnrolling(llvm::Instruction &Branch, unsigned Times);

/// Whether all loops of \p F are in LLVM's simplified form.
bool hasSimpleLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
/// Brings them into it.
void simplifyLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// A copy of a kernel with simple loops, to look at: the kernel stays as it is.
class SimplifiedCopy {
public:
  SimplifiedCopy(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  SimplifiedCopy(const SimplifiedCopy &) = delete;
  SimplifiedCopy &operator=(const SimplifiedCopy &) = delete;
  ~SimplifiedCopy();

  llvm::Function &get() { return *Copy; }

private:
  llvm::FunctionAnalysisManager &FAM;
  llvm::Function *Copy;
};

} // namespace ferry

#endif // FERRY_STAGE_LOOPFORM_H
