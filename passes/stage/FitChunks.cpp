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
/// What a function has, with all that it calls or hands on.
struct Nesting {
  unsigned Depth = 0;   ///< of loops
  bool Divides = false; ///< integers, in a loop

  void include(const Nesting &Other, unsigned At) {
    Depth = std::max(Depth, At + Other.Depth);
    Divides |= Other.Divides;
  }
};

/// Finds that for the functions of a module, each once.
class LoopNesting {
public:
  Nesting of(Function &F);

private:
  DenseMap<const Function *, Nesting> Known;
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

Nesting LoopNesting::of(Function &F) {
  auto [Found, IsNew] = Known.try_emplace(&F); // for recursion, too
  if (!IsNew || F.isDeclaration() || isLibrary(F))
    return Found->second;
  const DominatorTree Tree(F);
  const LoopInfo Loops(Tree);
  Nesting All;
  for (BasicBlock &B : F) {
    const unsigned Here = Loops.getLoopDepth(&B);
    All.include({}, Here);
    for (Instruction &I : B) {
      All.Divides |= Here && I.isIntDivRem();
      for (Value *Operand : I.operands())
        if (auto *Used = dyn_cast<Function>(Operand->stripPointerCasts()))
          All.include(of(*Used), Here);
    }
  }
  return Known[&F] = All;
}

static bool hasAsyncCopies(const Function &Kernel) {
  const auto Target = gpuTargetOf(Kernel);
  return Target && Target->AsyncCopies;
}

PreservedAnalyses FitChunksPass::run(Module &M, ModuleAnalysisManager &) {
  // A loop over chunks, one over the iterations of a chunk, and one in them.
  constexpr unsigned WithLoop = 3;
  LoopNesting Loops;
  for (Function *Kernel : kernelsOf(M))
    if (const Nesting N = Loops.of(*Kernel);
        N.Depth >= WithLoop && (!N.Divides || hasAsyncCopies(*Kernel)))
      Kernel->removeFnAttr(ThreadLimitAttribute);
  return PreservedAnalyses::all();
}

} // namespace ferry
