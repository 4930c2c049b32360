//===- StageAnalysis.h - What a kernel reads, step by step ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STAGEANALYSIS_H
#define FERRY_STAGE_STAGEANALYSIS_H

#include "BlockUniformity.h"
#include "StagePlan.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
class SCEVAddRecExpr;
class SCEVUnknown;
class ScalarEvolution;
} // namespace llvm

namespace ferry {

/// Loads that need not be looked at again are marked, until the kernel is done.
/// LLVM's own kind of metadata for it: a new kind would be written to the
/// bitcode of modules, also of those in which nothing is staged.
void markStaged(llvm::LoadInst &Load);
bool isMarkedStaged(const llvm::LoadInst &Load);
void removeStagedMarks(llvm::Function &Kernel);

/// A place where staging may begin, with its region.
struct StageCandidate {
  StageRegion Region;
  StageUnit Unit;
};

/// Finds what can be staged in one kernel. Reads IR only; the kernel's loops
/// must be in simplified form.
class StageAnalysis {
public:
  StageAnalysis(llvm::Function &Kernel, llvm::DominatorTree &DT,
                llvm::PostDominatorTree &PDT, llvm::LoopInfo &LI,
                llvm::ScalarEvolution &SE);

  /// Every place, in the order of the code; what is not one is in notes().
  std::vector<StageCandidate> candidates();

  llvm::ArrayRef<StageNote> notes() const { return Notes; }

  /// The derivative of \p S after the number of the thread in its block: an
  /// expression, or null when it is not known. It is for estimates: that
  /// numbers of few bits may wrap is left out of account.
  const llvm::SCEV *threadStride(const llvm::SCEV *S);

private:
  std::optional<StageCandidate> loopCandidate(llvm::Loop &L);
  std::optional<StageCandidate> lineCandidate(llvm::BasicBlock &B);
  std::optional<StageRefusal> findRegion(llvm::BasicBlock &Before,
                                         const StageUnit &Unit,
                                         StageRegion &Region);
  std::optional<StageRefusal> checkRegion(const StageRegion &Region);
  bool findStores(llvm::Loop &L, StageUnit &Unit);
  void findStreams(llvm::Loop &L, StageUnit &Unit);
  std::optional<int64_t> distance(const Stream &S, const llvm::LoadInst &Load,
                                  const llvm::SCEV *Start);
  bool skippedIteration(llvm::BasicBlock &B, llvm::Loop &L,
                        const llvm::SCEV *&Skipped);
  const llvm::SCEVAddRecExpr *walkOf(llvm::LoadInst &Load, llvm::Loop &L,
                                     const llvm::SCEV *Skipped,
                                     const llvm::SCEV *&StartOfSecond);
  Stream *addLoad(llvm::LoadInst &Load, const llvm::SCEV *Start,
                  const llvm::SCEV *Step, const llvm::SCEV *Skipped,
                  StageUnit &Unit);
  void describe(Stream &S);
  void extendOutwards(StageUnit &Unit);
  static bool isSameEverywhere(const llvm::SCEV *S);
  const llvm::SCEV *strideOfUnknown(const llvm::SCEVUnknown &U);
  void refuse(const llvm::Instruction &Where, StageRefusal Why) {
    Notes.push_back({&Where, Why});
  }

  llvm::Function &F;
  llvm::DominatorTree &DT;
  llvm::PostDominatorTree &PDT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  BlockUniformity Uniformity;
  std::vector<StageNote> Notes;
};

} // namespace ferry

#endif // FERRY_STAGE_STAGEANALYSIS_H
