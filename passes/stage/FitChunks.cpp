//===- FitChunks.cpp - Chunks as long as the blocks that run --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FitChunks.h"
#include "common/KernelLimits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

namespace {
/// How deep loops are nested, through all that a function calls or hands on.
class LoopNesting {
public:
  unsigned depthOf(Function &F);

private:
  DenseMap<const Function *, unsigned> Known;
};
} // namespace

/// Whether \p F belongs to the device runtime or to a library, whose loops say
/// nothing of the program's.
static bool isLibrary(const Function &F) {
  constexpr StringLiteral Prefixes[] = {"__kmpc_", "omp_", "_ZN4ompx", "__nv_"};
  return any_of(Prefixes, [&](StringRef Prefix) {
    return F.getName().starts_with(Prefix);
  });
}

unsigned LoopNesting::depthOf(Function &F) {
  auto [Found, IsNew] = Known.try_emplace(&F, 0); // for recursion, too
  if (!IsNew || F.isDeclaration() || isLibrary(F))
    return Found->second;
  const DominatorTree Tree(F);
  const LoopInfo Loops(Tree);
  unsigned Deepest = 0;
  for (BasicBlock &B : F) {
    const unsigned Here = Loops.getLoopDepth(&B);
    Deepest = std::max(Deepest, Here);
    for (Instruction &I : B)
      for (Value *Operand : I.operands())
        if (auto *Used = dyn_cast<Function>(Operand->stripPointerCasts()))
          Deepest = std::max(Deepest, Here + depthOf(*Used));
  }
  return Known[&F] = Deepest;
}

PreservedAnalyses FitChunksPass::run(Module &M, ModuleAnalysisManager &) {
  // A loop over chunks, one over the iterations of a chunk, and one in them.
  constexpr unsigned WithLoop = 3;
  LoopNesting Nesting;
  for (Function *Kernel : kernelsOf(M))
    if (Nesting.depthOf(*Kernel) >= WithLoop)
      Kernel->removeFnAttr(ThreadLimitAttribute);
  return PreservedAnalyses::all();
}

} // namespace ferry
