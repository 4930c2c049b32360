//===- IterationSpace.h - How threads share iterations out ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What nests in tiles and stencils in tiles have in common: the loops of
// `distribute parallel for collapse(2)`, recognized. IterationSpace.cpp shows
// them, SpaceEmitter.h writes them anew.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_ITERATIONSPACE_H
#define FERRY_STAGE_ITERATIONSPACE_H

#include "BlockUniformity.h"
#include "GpuModel.h"
#include "LaunchCondition.h"
#include "LoopForm.h"
#include "PlanContext.h"
#include "StageRefusal.h"
#include "support/LLVMCompat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include <optional>
#include <vector>

namespace llvm {
class LoadInst;
class raw_ostream;
} // namespace llvm

namespace ferry {

/// Whether threads may take the iterations of \p Kernel, one combined
/// construct, as they like. The front-end plugin says so (plugin/Regions.h).
bool hasFreeSchedule(const llvm::Function &Kernel);
/// Whether only a reduction is in the way of that.
bool hasReduction(const llvm::Function &Kernel);

/// The iterations (i, j) of two nested loops that the threads of a kernel share
/// as they like, with index = i * Width + j; or (p, i, j) of three, with
/// index = p * PlaneSize + i * Width + j.
struct IterationSpace {
  /// A value that must be the same as another one, in so many bits.
  using SameInBits = std::pair<llvm::Value *, unsigned>;

  llvm::Loop *DistributeLoop = nullptr; ///< the block's chunks
  llvm::Loop *ThreadLoop = nullptr;     ///< the thread's iterations in a chunk
  llvm::PHINode *Index = nullptr;
  llvm::Value *Total = nullptr; ///< all iterations
  llvm::Value *Width = nullptr; ///< of j
  /// Iterations (i, j) of a plane, where there are planes.
  llvm::Value *PlaneSize = nullptr;
  llvm::Value *Chunk = nullptr; ///< iterations that a block takes at a time
  /// Where Total, or with planes PlaneSize, is written as their product:
  /// iterations of i, and what is Width, most likely in other bits.
  llvm::Value *Height = nullptr, *Columns = nullptr;
  /// How the thread's loop goes on; not part of the iteration.
  llvm::SmallPtrSet<llvm::Instruction *, 4> Control;
  /// Instructions that are i and j, and p and i * Width + j, if there are
  /// planes.
  llvm::SmallSetVector<llvm::Instruction *, 2> RowIndices, ColumnIndices,
      PlaneIndices, InPlaneIndices;

  /// Whether \p I is the index, all of it or in its plane, or i; or j; or one
  /// of these.
  bool isOfRow(llvm::Instruction *I) const {
    return I == Index || InPlaneIndices.contains(I) || RowIndices.contains(I);
  }
  bool isOfColumn(llvm::Instruction *I) const {
    return I == Index || InPlaneIndices.contains(I) ||
           ColumnIndices.contains(I);
  }
  bool isInPlane(llvm::Instruction *I) const {
    return isOfRow(I) || isOfColumn(I);
  }
  /// If \p I is the index without j, of a width that is a power of two: the
  /// bits that are left, and perhaps not all of those. Else null.
  const llvm::APInt *rowMask(llvm::Instruction &I) const;
  /// Whether \p I is i times the width as LLVM may write it: the index less j.
  bool isRowStart(llvm::Instruction &I) const;

  /// Whether threads may take the iterations as they like only where there are
  /// several blocks.
  bool NeedsBlocks = false;
  /// What must be true for the space to be as described.
  llvm::SmallVector<std::pair<llvm::Value *, bool>, 4> Conditions;
  /// Values that must be the width, the rows of a plane, or its size.
  llvm::SmallVector<SameInBits, 2> Widths, Heights, PlaneSizes;
  /// Whether all that is staged can be copied asynchronously if Bases lead to
  /// global memory.
  bool CanBeAsync = false;
  llvm::SmallSetVector<llvm::Value *, 2> Bases;
};

/// How many iterations a block takes together, and a thread of them.
struct TileShape {
  unsigned ThreadRows, ThreadColumns;
  unsigned ColumnsOfThreads; ///< a power of two
  static constexpr unsigned MinThreads = gpu::WarpThreads, MaxThreads = 256;

  /// Threads of the largest block that is tiled, of at most \p Limit.
  static unsigned maxThreads(unsigned Limit) {
    return std::min(MaxThreads, llvm::bit_floor(Limit));
  }

  /// Columns and rows of the tile of a block of so many threads.
  constexpr unsigned columns() const {
    return ColumnsOfThreads * ThreadColumns;
  }
  constexpr unsigned rows(unsigned Threads) const {
    return Threads / ColumnsOfThreads * ThreadRows;
  }
};

/// Takes fewer threads for a block of \p P until its tiles fit into \p Budget
/// bytes; whether they do.
template <typename Plan> bool shrinkTo(Plan &P, uint64_t Budget) {
  while (P.MaxThreads >= TileShape::MinThreads && P.bytes() > Budget)
    P.MaxThreads /= 2;
  return P.MaxThreads >= TileShape::MinThreads;
}

/// An instruction by which loops are not what is looked for.
struct Obstacle {
  const llvm::Instruction *Where;
  const char *Why; ///< what it is, for people
};

/// Recognizes an iteration space. Reads IR only.
class SpaceFinder {
public:
  /// Why nothing was found, if the kernel's iterations have two dimensions.
  llvm::ArrayRef<StageNote> refusals() const { return Refusals; }
  /// What was in the way, if that is known.
  const std::optional<Obstacle> &obstacle() const { return InTheWay; }

protected:
  SpaceFinder(IterationSpace &Space, llvm::Function &F, llvm::DominatorTree &DT,
              llvm::PostDominatorTree &PDT, llvm::ScalarEvolution &SE)
      : DT(DT), PDT(PDT), SE(SE), Uniformity(F, PDT),
        Expander(SE, F.getDataLayout(), "tile"), Reduces(hasReduction(F)),
        S(Space) {}

  llvm::DominatorTree &DT;
  llvm::PostDominatorTree &PDT;
  llvm::ScalarEvolution &SE;
  BlockUniformity Uniformity;
  ExpressionExpander Expander;
  /// Whether threads sum up over their iterations. The order of these is that
  /// of the sum, so nothing is found; but it is said of what would have been.
  const bool Reduces;
  IterationSpace &S;
  llvm::BasicBlock *Before = nullptr; ///< leads to the distribute loop
  std::vector<StageNote> Refusals;
  std::optional<Obstacle> InTheWay;

  /// Notes what is in the way. Returns false.
  bool stop(const llvm::Instruction &Where, const char *Why) {
    InTheWay = {&Where, Why};
    return false;
  }
  /// Says why nothing is found, at what is in the way or else at \p Where, if
  /// the iterations of the thread's loop have two dimensions. Returns false.
  bool refuse(const llvm::Instruction &Where, StageRefusal Why);
  /// Says of \p Loads that only the reduction is in the way. Returns false.
  bool refuseReduced(llvm::ArrayRef<llvm::LoadInst *> Loads);

  /// Finds the loops, \p ThreadLoop being that of a thread with \p Inner loops
  /// in it.
  bool findLoops(llvm::Loop &ThreadLoop, unsigned Inner);
  /// Finds how i and j come out of the index, in \p Blocks.
  bool findWidth(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  /// Whether an iteration uses only what is there before the loops and the same
  /// for all threads, and nothing of an iteration is used outside of it.
  bool checkOperands();
  /// Finds what the memory of \p Loads, of powers of two of bytes each, is
  /// known by, and whether asynchronous copies can read it.
  void findBases(llvm::ArrayRef<llvm::LoadInst *> Loads);

  /// Whether \p V is the same in every iteration, and there before the loops.
  bool isInvariant(const llvm::Value *V) {
    auto *I = llvm::dyn_cast<llvm::Instruction>(V);
    return !I || DT.dominates(I, Before->getTerminator());
  }
  bool isInvariant(const llvm::SCEV *Sum) {
    return isKnownBefore(Sum, *S.DistributeLoop, SE, Expander);
  }
  /// Whether \p V is there before the loops and the same in all threads of all
  /// blocks: all must choose the same version.
  bool isGridUniform(llvm::Value *V);
  bool require(llvm::Value *Condition, bool What) {
    if (!isGridUniform(Condition))
      return false;
    S.Conditions.push_back({Condition, What});
    return true;
  }

private:
  using Results = llvm::SmallSetVector<llvm::Instruction *, 2>;
  /// A division by \p By, and where what is found of it is noted.
  struct Division {
    llvm::Value *By;
    Results &Quotients, &Remainders;
    /// What a quotient is multiplied by in place of By.
    llvm::SmallVectorImpl<IterationSpace::SameInBits> &Sames;
  };
  /// Whether something is what is asked for: no, yes, or yes if a value is the
  /// same as the divisor.
  struct Answer {
    bool Is;
    std::optional<IterationSpace::SameInBits> If = std::nullopt;
  };
  bool isQuotient(llvm::Instruction &I, llvm::Value *Of, const Division &D);
  Answer isRemainder(llvm::Instruction &I, llvm::Value *Of, const Division &D);
  Answer isMultiple(llvm::Value *V, llvm::Value *Of, const Division &D,
                    llvm::Instruction &Remainder);
  Answer isDivisor(llvm::Value *Factor, bool Negated, const Division &D,
                   llvm::Instruction &Remainder);
  void findResults(llvm::ArrayRef<llvm::BasicBlock *> Blocks, llvm::Value *Of,
                   const Division &D);
  bool findDivisor(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  bool findDivision(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  void findMask(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  llvm::Value *divisorInPlane(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  bool findPlanes(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  bool findRowsOfAllPlanes(llvm::ArrayRef<llvm::BasicBlock *> Blocks);
  void findHeight();
  bool findThreadLoop(unsigned Inner);
  bool findReducingLoop(unsigned Inner);
  bool findChunk(llvm::Value *Begin);
  bool isEndOfChunk(llvm::Value *V, llvm::Value *Begin);
  bool findDistributeLoop();
  bool findTotal();
  bool findChunks(llvm::PHINode *&Lower, llvm::PHINode *&Upper);
  bool findIterations(llvm::PHINode &Lower, llvm::PHINode &Upper);
  bool isCappedEnd(llvm::Value *V,
                   llvm::function_ref<bool(llvm::Value *)> IsEnd);
};

/// The space of the two outer loops of \p C's kernel, whatever is in an
/// iteration; or what is in the way, if that is known.
std::optional<IterationSpace> findIterationSpace(const PlanContext &C,
                                                 std::optional<Obstacle> &None);

/// Prints \p Space for tests.
void print(llvm::raw_ostream &OS, const IterationSpace &Space);

/// The innermost loops.
llvm::SmallVector<llvm::Loop *, 4> innermostLoops(const llvm::LoopInfo &LI);

/// The loops of \p C's kernel as \p Finder describes them, if its threads may
/// take the iterations as they like. Why it finds none is added to \p Notes.
template <typename Loops, typename Finder>
std::optional<Loops> findSpace(const PlanContext &C,
                               std::vector<StageNote> &Notes) {
  const auto Innermost = innermostLoops(C.LI);
  // Those of a reduction are behind the others.
  if (!hasReduction(C.Kernel) &&
      (!hasFreeSchedule(C.Kernel) || Innermost.size() != 1))
    return std::nullopt;
  for (llvm::Loop *L : Innermost) {
    Finder Find(C.Kernel, C.DT, C.PDT, C.SE);
    Loops Found;
    if (Find.find(*L, Found))
      return Found;
    llvm::append_range(Notes, Find.refusals());
  }
  return std::nullopt;
}

/// Whether a tile can have \p Load's values: their size is a power of two, at
/// most 16, and they fill their bytes.
bool fitsInTile(const llvm::LoadInst &Load);

/// \p Size, of a space, as an i64 without a sign.
const llvm::SCEV *sizeOf(llvm::ScalarEvolution &SE, llvm::Value *Size);

/// Adds to \p All that the iterations of \p S are whole rows, unless that is
/// known. There are no tiles of others.
void addWholeRows(LaunchConditions &All, const IterationSpace &S,
                  llvm::ScalarEvolution &SE);

} // namespace ferry

#endif // FERRY_STAGE_ITERATIONSPACE_H
