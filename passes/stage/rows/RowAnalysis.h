//===- RowAnalysis.h - What a kernel reads, step by step --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_ROWANALYSIS_H
#define FERRY_STAGE_ROWANALYSIS_H

#include "RegionFinder.h"
#include "ThreadStrides.h"
#include "llvm/IR/InstrTypes.h"

namespace llvm {
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace ferry {

class StridedAccesses;

/// A place where staging may begin, with its region.
struct RowCandidate {
  WarpRegion Region;
  RowUnit Unit;
};

/// Finds what can be staged in one kernel. Reads IR only; the kernel's loops
/// must be in simplified form.
class RowAnalysis {
public:
  RowAnalysis(llvm::Function &Kernel, llvm::DominatorTree &DT,
              llvm::PostDominatorTree &PDT, llvm::LoopInfo &LI,
              llvm::ScalarEvolution &SE);

  /// Every place, in the order of the code; what is not one is in notes().
  std::vector<RowCandidate> candidates();

  llvm::ArrayRef<StageNote> notes() const { return Notes; }

  /// How many lines of the first level a warp of \p WarpSize threads needs at a
  /// time in \p L, if that stays as it is: one of each row that a thread walks
  /// along, and those that they read together.
  unsigned linesReadIn(const llvm::Loop &L, unsigned WarpSize);

private:
  std::optional<RowCandidate> loopCandidate(llvm::Loop &L);
  std::optional<RowCandidate> straightLineCandidate(llvm::BasicBlock &B);
  bool findRegion(llvm::BasicBlock &Before, const llvm::Instruction &Where,
                  RowCandidate &C);
  const llvm::Instruction *findStores(llvm::Loop &L, StridedAccesses &Accesses,
                                      RowUnit &Unit);
  bool followsValues(const llvm::Loop &L) const;
  bool scatters(const llvm::Value &Condition);
  const llvm::Instruction *
  findBranchAround(llvm::BasicBlock &Before, const WarpRegion &Region,
                   llvm::function_ref<bool(const llvm::Value &)> Is);
  bool writesAhead(const LoopStore &Store, const Stream &S) const;
  void compareStores(RowUnit &Unit);
  void findStreams(llvm::Loop &L, StridedAccesses &Accesses, RowUnit &Unit);
  std::optional<int64_t> distance(const Stream &S, const llvm::LoadInst &Load,
                                  const llvm::SCEV *Start);
  Stream *addLoad(llvm::LoadInst &Load, const llvm::SCEV *Start,
                  const llvm::SCEV *Step, const llvm::SCEV *Skipped,
                  RowUnit &Unit);
  void describe(Stream &S);
  void findOtherReaders(RowUnit &Unit);
  void extendOutwards(RowUnit &Unit);
  void refuse(const llvm::Instruction &Where, StageRefusal Why) {
    Notes.push_back({&Where, Why});
  }

  llvm::Function &F;
  llvm::DominatorTree &DT;
  llvm::PostDominatorTree &PDT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  BlockUniformity Uniformity;
  ThreadStrides Strides;
  RegionFinder Regions;
  std::vector<StageNote> Notes;
};

} // namespace ferry

#endif // FERRY_STAGE_ROWANALYSIS_H
