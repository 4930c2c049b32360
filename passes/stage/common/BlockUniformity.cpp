//===- BlockUniformity.cpp - Where the threads of a block are together ----===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockUniformity.h"
#include "GpuTarget.h"
#include "support/Divergence.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

namespace ferry {

BlockUniformity::BlockUniformity(Function &Kernel,
                                 const PostDominatorTree &PDT) {
  Analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  Analyses.registerPass([] { return DominatorTreeAnalysis(); });
  Analyses.registerPass([] { return CycleAnalysis(); });
  Analyses.registerPass([] { return UniformityInfoAnalysis(); });
  Analyses.registerPass([&Kernel] {
    return TargetIRAnalysis([&Kernel](const Function &F) {
      return targetInfo(
          DivergenceSources(F.getDataLayout(), [&Kernel](const Function &G) {
            return &G == &Kernel;
          }));
    });
  });
  Uniformity = &Analyses.getResult<UniformityInfoAnalysis>(Kernel);

  // Blocks by the block whose branch decides whether they are reached.
  DenseMap<const BasicBlock *, SmallVector<const BasicBlock *, 4>> Dependent;
  SmallVector<const BasicBlock *, 16> Work;
  for (BasicBlock &B : Kernel) {
    if (!PDT.getNode(&B))
      continue;
    if (Uniformity->hasDivergentTerminator(B))
      Work.push_back(&B);
    if (succ_size(&B) < 2)
      continue;
    auto *Stop = PDT.getNode(&B)->getIDom();
    for (BasicBlock *Next : successors(&B))
      for (auto *N = PDT.getNode(Next); N && N != Stop; N = N->getIDom())
        Dependent[&B].push_back(N->getBlock());
  }
  while (!Work.empty())
    for (const BasicBlock *B : Dependent[Work.pop_back_val()])
      if (none_of(*B, isBlockBarrier) && Apart.insert(B).second)
        Work.push_back(B);
}

} // namespace ferry
