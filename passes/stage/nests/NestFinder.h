//===- NestFinder.h - Recognizes a nest of loops ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NestLoops.cpp recognizes the loops, NestAnalysis.cpp, where the whole is
// described, what is computed in them.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_NESTFINDER_H
#define FERRY_STAGE_NESTFINDER_H

#include "NestPlan.h"
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
class NestFinder : SpaceFinder {
public:
  using SpaceFinder::refusal;
  NestFinder(llvm::Function &F, llvm::DominatorTree &DT,
             llvm::PostDominatorTree &PDT, llvm::ScalarEvolution &SE)
      : SpaceFinder(N, F, DT, PDT, SE) {}

  bool find(llvm::Loop &Walk, KernelNest &Found);

private:
  KernelNest N;

  bool passesOver(llvm::BasicBlock *B);
  bool findPre();
  bool findPost();
  bool findPhis();
  bool findStreams();

  llvm::BasicBlock *walkBlock() { return N.Walk->getHeader(); }
  std::optional<Dependence> dependence(llvm::Value *V, unsigned Depth = 0);
  std::optional<Dependence> dependenceOf(llvm::Instruction &I, unsigned Depth);
};

} // namespace ferry

#endif // FERRY_STAGE_NESTFINDER_H
