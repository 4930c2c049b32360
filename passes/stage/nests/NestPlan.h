//===- NestPlan.h - A nest of loops, tile by tile ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data: NestAnalysis fills it in, NestEmitter writes IR by it.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_NESTPLAN_H
#define FERRY_STAGE_NESTPLAN_H

#include "stage/common/GpuModel.h"
#include "stage/common/IterationSpace.h"
#include "stage/common/PlanContext.h"
#include "stage/common/WarpPrice.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class OptimizationRemarkEmitter;
class raw_ostream;
} // namespace llvm

namespace ferry {

/// What the inner loop reads of one array.
struct NestOperand {
  /// What the address depends on beside k.
  enum Dimension { ByRow, ByColumn, ByK };

  llvm::LoadInst *Load;
  Dimension By;
  bool AlongK;   ///< neighbours in memory are near in k, else in i or j
  bool Follows;  ///< and one element behind the other, upwards
  bool Linear;   ///< from step to step the address grows by the same
  bool MayWrap;  ///< unless an index of fewer bits than an address wraps
  unsigned Size; ///< bytes of an element
  /// From an element to its neighbour, in elements; others read what is
  /// between.
  double Apart;
};

/// A counter of the inner loop: what it is in iteration 0, and how much it
/// grows.
struct NestInduction {
  llvm::Value *Start;
  const llvm::SCEV *Step; ///< does not vary in the kernel's loops
  bool OfOuter;           ///< grows with the loop around the inner loop
};

/// What goes from step to step: what it is before the first, and behind one.
struct NestCarried {
  llvm::PHINode *Phi;
  llvm::Value *Start, *Next;
};

/// A nest for (i) for (j) { Pre; for (k) Body; Post } whose iterations
/// (i, j) = Index are the threads' work, with index = i * Width + j. The inner
/// loop may be two loops, for (k) for (l), of which a step is one of the inner
/// one.
struct KernelNest : IterationSpace {
  llvm::Loop *InnerLoop = nullptr;       ///< one block
  const llvm::SCEV *TripCount = nullptr; ///< i64, iterations of the inner loop

  /// The one around the inner loop, if there are two.
  llvm::Loop *Outer = nullptr;
  const llvm::SCEV *OuterTripCount =
      nullptr; ///< i64, of Outer, if there is one
  const llvm::SCEV *InnerTripCount = nullptr; ///< i64, of InnerLoop, with Outer
  /// The blocks of Outer that are not the inner loop.
  llvm::SmallVector<llvm::BasicBlock *, 4> Around;
  /// What values of Outer are behind the inner loop.
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::Value *>, 2> Ends;
  unsigned TimesUnrolled = 1; ///< by LLVM, the inner loop as it is
  /// Whether both loops read all operands as one loop would.
  bool IsCollapsible = true;

  llvm::SmallVector<llvm::BasicBlock *, 2> Pre; ///< in order
  /// What leads from Pre to After where there is nothing to walk.
  llvm::SmallSetVector<llvm::BasicBlock *, 2> Passing;
  llvm::SmallSetVector<llvm::BasicBlock *, 4> Post;
  llvm::BasicBlock *After = nullptr; ///< of Post, where the inner loop ends
  llvm::SmallDenseMap<llvm::PHINode *, NestInduction> Inductions;
  llvm::SmallVector<NestCarried, 2> Carried;
  llvm::SmallVector<NestOperand, 2> Streams;
  /// What each step writes to the same place, as a sum that is kept in memory:
  /// what the last step writes stays.
  llvm::SmallVector<llvm::StoreInst *, 1> StepStores;

  /// The block behind whose last iteration After comes.
  llvm::BasicBlock *last() const {
    return (Outer ? Outer : InnerLoop)->getLoopLatch();
  }
  /// Whether \p I is computed in each step, or for those of one k.
  bool isOfSteps(const llvm::Instruction *I) const {
    const llvm::BasicBlock *B = I->getParent();
    return B == InnerLoop->getHeader() || llvm::is_contained(Around, B);
  }
};

/// How a panel lies in shared memory. Its rows belong to the rows or to the
/// columns of a tile: so many one behind the other in groups, of which a thread
/// has one or several. Pitches are bytes from one to the next.
struct PanelLayout {
  unsigned Rows;       ///< of the panel
  unsigned Group;      ///< rows of a group, which are one thread's
  unsigned RowPitch;   ///< of the rows of a group
  unsigned GroupPitch; ///< of groups
  unsigned StepPitch;  ///< of steps
  unsigned Bytes;      ///< of the panel
  unsigned Vector;     ///< elements that a thread reads at once
  unsigned Chunk;      ///< elements that are copied at once where they can be
  unsigned Places;     ///< chunks whose addresses a thread keeps
  bool SomeThreads;    ///< not all threads of all blocks have so many
  bool MoreThanPlaces; ///< those of some blocks have more
};

/// What a step of a warp takes, in clocks of a multiprocessor.
struct NestTimes {
  double Busy;       ///< of the unit that has most to do
  double OneWarp;    ///< if no other warp is there
  unsigned Resident; ///< blocks of it, of the fewest threads
};

/// What a block copies and computes together.
struct NestTiles {
  TileShape Shape;
  unsigned MaxThreads;   ///< of a block that is tiled
  unsigned UsualThreads; ///< of a block that these tiles are for
  unsigned Depth;        ///< of the inner loop, staged at once
  /// Copy the next steps while the thread computes, by cp.async.
  bool Async;
  /// Consecutive columns of a thread; its rows are all consecutive.
  unsigned ColumnGroup;
  llvm::SmallVector<PanelLayout, 2> Panels; ///< of each stream
  /// Of a warp, for a step of all iterations of its threads, by the price.
  PredictedTime Time;
  NestTimes Times; ///< the same, of what it consists

  /// Steps that are written out one behind the other.
  static constexpr unsigned Unrolled = 4;

  /// Rows of the panel of \p S that a thread reads in a step.
  unsigned panelRowsOfThread(const NestOperand &S) const {
    return S.By == NestOperand::ByRow      ? Shape.ThreadRows
           : S.By == NestOperand::ByColumn ? Shape.ThreadColumns
                                           : 1;
  }
  /// Panels of a stream in shared memory.
  unsigned buffers() const { return Async ? 2 : 1; }
  /// Bytes of the panels of all streams.
  unsigned panelBytes() const {
    unsigned Sum = 0;
    for (const PanelLayout &P : Panels)
      Sum += P.Bytes;
    return Sum;
  }
  unsigned bytes() const { return panelBytes() * buffers(); }
  /// Iterations of a thread.
  unsigned iterations() const { return Shape.ThreadRows * Shape.ThreadColumns; }
  /// The clocks of 32 iterations.
  double clocksOfEach() const { return Time.Clocks / iterations(); }
  /// The clocks of a step of all of them if no other warp is there: in the
  /// simulator more than predicted, by what is not spread over steps evenly.
  double clocksAlone() const { return (Async ? 1.12 : 1) * Times.OneWarp; }
};

struct NestPlan {
  static constexpr bool NeedsSimpleLoops = false;
  KernelNest Nest;
  /// From the largest tiles on, which are taken where there are enough of them
  /// for all multiprocessors.
  llvm::SmallVector<NestTiles, 3> Versions;
  /// Of 32 iterations: as they are, and in the largest tiles.
  PredictedGain Gain;
  NestTimes Plain; ///< of 32 iterations as they are
  /// Steps by which tiles make up for what choosing a version takes, in a
  /// launch of many warps whose threads have one iteration each.
  unsigned StepsForChoice = 0;
  /// Threads of the largest grids that libomptarget takes by itself. With more
  /// iterations a thread has several, and chooses once.
  static constexpr uint64_t MostThreads =
      uint64_t(gpu::MostDefaultBlocks) * gpu::DefaultBlockThreads;
  /// Whether a launch takes tiles only if that is faster by prediction.
  bool OnlyIfFaster = true;

  unsigned bytes() const {
    unsigned Most = 0;
    for (const NestTiles &T : Versions)
      Most = std::max(Most, T.bytes());
    return Most;
  }
  /// Clocks that a warp with tiles takes beside their steps, more than a plain
  /// one. Found with the simulator; as much on an H100.
  unsigned clocksBeside() const { return Versions.back().Async ? 2500 : 8000; }
  /// Steps that a launch of few warps needs for any tiles to pay.
  unsigned minDepth() const;
  /// Steps that are needed in any launch where they store: such a step takes so
  /// long as it is that few would do, but tiles have a beginning and an end. By
  /// the simulator those of two panels pay.
  unsigned leastSteps() const;
  /// Whether minDepth() is enough only in launches of few warps.
  bool asksOnlyFew() const {
    return !Nest.StepStores.empty() && minDepth() < StepsForChoice;
  }
  /// The iterations from which on a launch has many warps.
  uint64_t manyIterations() const;
  /// Steps by which tiles make up for what they take beside them, in a launch
  /// that has just many: each multiprocessor has few warps with tiles then,
  /// which wait as one does that is alone.
  unsigned stepsForJustMany() const;
  /// Warps of a multiprocessor from which on a launch has many, as it is.
  unsigned justMany() const;
};

/// The panels for a kernel that is a nest of loops.
template <>
std::optional<NestPlan> findPlan(const PlanContext &C,
                                 std::vector<StageNote> &Notes);
LaunchChoice worthwhile(const NestPlan &Plan, const PlanContext &C);
void print(llvm::raw_ostream &OS, const NestPlan &Plan);
void remark(llvm::OptimizationRemarkEmitter &ORE, const NestPlan &Plan);
/// Carries \p Plan out. The kernel then calls functions of runtime/device, and
/// all analyses of it are out of date.
void emit(const NestPlan &Plan, const PlanContext &C);

} // namespace ferry

#endif // FERRY_STAGE_NESTPLAN_H
