//===- NestFinder.h - Recognizes a nest of loops ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NestLoops.cpp recognizes the loops, NestAnalysis.cpp, where the whole is
// described, what is computed in them, NestAddresses.cpp what is read together.
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
  /// In how many of its terms it may not grow so, by Slope, because a number of
  /// fewer bits than an address has wrapped; and whether it is such a number,
  /// as a signed or an unsigned one, that may have.
  unsigned Wraps[3] = {};
  bool Signed[3] = {}, Unsigned[3] = {};
  /// Whether it is a sum of something times i, j or k and of what does not
  /// depend on that one, if nothing wraps.
  bool Linear[3] = {true, true, true};

  void add(const Dependence &Other, int64_t Factor) {
    for (unsigned D : {I, J, K}) {
      On[D] |= Other.On[D];
      Wraps[D] += Other.Wraps[D];
      Signed[D] |= Other.Signed[D];
      Unsigned[D] |= Other.Unsigned[D];
      Linear[D] &= Other.Linear[D];
      std::optional<int64_t> &Mine = Slope[D];
      const std::optional<int64_t> &Its = Other.Slope[D];
      Mine = Mine && Its ? std::optional(*Mine + Factor * *Its) : std::nullopt;
    }
  }
  /// The result of arithmetic that may wrap.
  void wrap(bool AsSigned, bool AsUnsigned) {
    for (unsigned D : {I, J, K}) {
      Signed[D] |= On[D] && AsSigned;
      Unsigned[D] |= On[D] && AsUnsigned;
    }
  }
  /// The same in more bits.
  void extend(bool AsSigned) {
    for (unsigned D : {I, J, K}) {
      Wraps[D] += AsSigned ? Signed[D] : Unsigned[D];
      Signed[D] = false;
      Unsigned[D] = On[D] && AsSigned;
    }
  }
  bool isInvariant() const { return !On[I] && !On[J] && !On[K]; }
  /// A function of unknown form, or if \p StaysLinear a product with something
  /// that is invariant.
  void forgetSlopes(bool StaysLinear) {
    for (unsigned D : {I, J, K})
      if (On[D]) {
        if (!StaysLinear || Slope[D] != 0)
          Slope[D] = std::nullopt;
        Linear[D] &= StaysLinear;
      }
  }
};

/// Finds the nest around one loop that walks.
class NestFinder : SpaceFinder {
public:
  using SpaceFinder::refusals;
  NestFinder(llvm::Function &F, llvm::DominatorTree &DT,
             llvm::PostDominatorTree &PDT, llvm::ScalarEvolution &SE)
      : SpaceFinder(N, F, DT, PDT, SE) {}

  bool find(llvm::Loop &InnerLoop, KernelNest &Found);

private:
  /// Values that go from step to step, each in a register or two for every
  /// iteration of a thread.
  static constexpr unsigned MaxCarried = 8;
  KernelNest N;

  bool passesOver(llvm::BasicBlock *B, llvm::BasicBlock *Over);
  bool findWay(llvm::BasicBlock *From, llvm::BasicBlock *To,
               llvm::BasicBlock *Over,
               llvm::SmallVectorImpl<llvm::BasicBlock *> &Way);
  bool findPre();
  bool findAround();
  void findStepStores();
  bool isOverwritten(const llvm::Instruction &I) const;
  bool checkWritesOfPre();
  bool findPost();
  llvm::Value *behindInnerLoop(llvm::Value *V) const;
  llvm::SmallVector<llvm::PHINode *, 4> findInductions(llvm::Loop &L);
  bool findPhis();
  bool findSteps();
  bool isCollapsible();
  llvm::DenseMap<llvm::LoadInst *, unsigned> findRecords();
  bool findStreams();

  llvm::BasicBlock *innerBody() { return N.InnerLoop->getHeader(); }
  std::optional<Dependence> dependence(llvm::Value *V, unsigned Depth = 0);
  std::optional<Dependence> dependenceOfCounter(llvm::PHINode &Phi,
                                                unsigned Depth);
  std::optional<Dependence> dependenceOf(llvm::Instruction &I, unsigned Depth);
  bool addOperands(Dependence &D, llvm::Instruction &I, unsigned Depth);
};

} // namespace ferry

#endif // FERRY_STAGE_NESTFINDER_H
