//===- TileFinder.h - Recognizes a nest of loops ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TileLoops.cpp recognizes the loops, TileAnalysis.cpp, where the whole is
// described, what is computed in them.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_TILEFINDER_H
#define FERRY_STAGE_TILEFINDER_H

#include "BlockUniformity.h"
#include "TilePlan.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

namespace ferry {

/// How a value of an iteration depends on i, j and k: whether, and how much it
/// grows with each, where that is a known number.
struct Dependence {
  enum { I, J, K };
  bool On[3] = {};
  std::optional<int64_t> Slope[3] = {0, 0, 0};

  void add(const Dependence &Other, int64_t Factor) {
    for (unsigned D : {I, J, K}) {
      On[D] |= Other.On[D];
      std::optional<int64_t> &Mine = Slope[D];
      const std::optional<int64_t> &Its = Other.Slope[D];
      Mine = Mine && Its ? std::optional(*Mine + Factor * *Its) : std::nullopt;
    }
  }
  /// A function of unknown form.
  void forgetSlopes() {
    for (unsigned D : {I, J, K})
      if (On[D])
        Slope[D] = std::nullopt;
  }
};

/// Finds the nest around one loop that walks.
class TileFinder {
public:
  TileFinder(llvm::Function &F, llvm::DominatorTree &DT,
             llvm::PostDominatorTree &PDT, llvm::ScalarEvolution &SE)
      : DT(DT), SE(SE), Uniformity(F, PDT),
        Expander(SE, F.getDataLayout(), "tile") {}

  bool find(llvm::Loop &Walk, TileNest &Found);

private:
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  BlockUniformity Uniformity;
  llvm::SCEVExpander Expander;
  TileNest N;
  llvm::BasicBlock *Before = nullptr; ///< leads to the distribute loop

  bool findDistributeLoop();
  bool findThreadLoop();
  bool isChunkEnd(llvm::Value *V,
                  llvm::function_ref<bool(llvm::Value *)> IsEnd);
  bool findIterations(llvm::PHINode &Lower, llvm::PHINode &Upper);
  bool passesOver(llvm::BasicBlock *B);
  bool findPre();
  bool findPost();
  bool findWidth();
  bool findPhis();
  bool findStreams();
  void findBases();
  bool checkOperands();

  llvm::BasicBlock *walkBlock() { return N.Walk->getHeader(); }
  /// Whether \p V is the same in every iteration, and there before the nest.
  bool isInvariant(const llvm::Value *V) {
    auto *I = llvm::dyn_cast<llvm::Instruction>(V);
    return !I || DT.dominates(I, Before->getTerminator());
  }
  bool isInvariant(const llvm::SCEV *S) {
    return !llvm::isa<llvm::SCEVCouldNotCompute>(S) &&
           SE.isLoopInvariant(S, N.Distribute) && SE.dominates(S, Before) &&
           Expander.isSafeToExpandAt(S, Before->getTerminator());
  }
  bool isCommon(llvm::Value *V);
  bool require(llvm::Value *Condition, bool What) {
    if (!isCommon(Condition))
      return false;
    N.Conditions.push_back({Condition, What});
    return true;
  }
  std::optional<Dependence> dependence(llvm::Value *V, unsigned Depth = 0);
  std::optional<Dependence> dependenceOf(llvm::Instruction &I, unsigned Depth);
};

} // namespace ferry

#endif // FERRY_STAGE_TILEFINDER_H
