//===- RowPlan.h - What is staged, and how ----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data: RowAnalysis finds places and streams, RowPlanner decides and
// lays out shared memory, RowLaunches says for which launches, RowEmitter
// writes IR.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_ROWPLAN_H
#define FERRY_STAGE_ROWPLAN_H

#include "RowPrice.h"
#include "stage/common/GpuModel.h"
#include "stage/common/Guards.h"
#include "stage/common/KernelLimits.h"
#include "stage/common/LaunchCondition.h"
#include "stage/common/PlanContext.h"
#include "stage/common/StageRefusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <optional>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class LoadInst;
class Loop;
class OptimizationRemarkEmitter;
class SCEV;
class Value;
class raw_ostream;
} // namespace llvm

namespace ferry {

/// A part of a kernel that all threads of a warp enter at Entry's end and leave
/// for Exit, once each time, whatever they do in between, where none waits for
/// another.
struct WarpRegion {
  llvm::BasicBlock *Entry = nullptr; ///< not part of the region
  llvm::BasicBlock *Exit = nullptr;  ///< not part of the region
  llvm::SmallSetVector<llvm::BasicBlock *, 16> Blocks;
};

/// A load of a stream: Offset bytes behind where the stream's step begins.
struct StreamLoad {
  llvm::LoadInst *Load;
  uint64_t Offset;
};

/// Memory that a thread reads step by step: in iteration k it reads Window
/// bytes from Start + k * Step on.
struct Stream {
  enum Kind {
    PerThread, ///< each thread has its own
    Uniform    ///< the threads have one in common
  } Kind;
  llvm::SmallVector<StreamLoad, 4> Loads;
  const llvm::SCEV *Start = nullptr; ///< a pointer
  const llvm::SCEV *Step = nullptr;  ///< in bytes; does not vary in the loop
  std::optional<int64_t> ConstantStep;
  /// The one iteration in which nothing is read, of any integer type; null when
  /// there is none. It may be outside the loop's range.
  const llvm::SCEV *Skipped = nullptr;
  /// Start as the second iteration gives it: that the first one's address is a
  /// step before is known only if it is read. Null when it is known anyway.
  const llvm::SCEV *StartOfSecond = nullptr;
  uint64_t Window = 0;
  unsigned Word = 0; ///< bytes copied at a time, divides all sizes and offsets
  /// Bytes from one thread's start to the next one's, where known.
  std::optional<int64_t> ThreadStride;
  const llvm::SCEV *ThreadStrideSum = nullptr; ///< the same, as an expression
  bool Global = false;                         ///< known to be global memory
  /// Whether loads that are not staged, such as those of a branch, read what
  /// is in the same sectors.
  bool ReadAnyway = false;

  bool isBackwards() const { return ConstantStep && *ConstantStep < 0; }
  /// Whether a tile has what is read as it is in memory, with nothing between.
  /// Otherwise it has step behind step, also where memory has them in the other
  /// order.
  bool isDense() const {
    return ConstantStep && !isBackwards() &&
           Window >= static_cast<uint64_t>(*ConstantStep);
  }
  unsigned windowWords() const { return Window / Word; }
  /// Bytes from one iteration's window to the next at most for tiles to be of
  /// use, where only the launch knows.
  int64_t longestStep() const { return static_cast<int64_t>(2 * Window); }
  /// Words that one more iteration takes in a tile.
  unsigned wordsPerIteration() const {
    return isDense() ? *ConstantStep / Word : windowWords();
  }
  /// Words of a tile of \p Iterations.
  unsigned words(unsigned Iterations) const {
    return Iterations * wordsPerIteration() +
           (windowWords() - wordsPerIteration());
  }
};

/// What the loop writes: Size bytes at Start + k * Step.
struct LoopStore {
  llvm::Instruction *Store;
  const llvm::SCEV *Start;
  int64_t Step;
  uint64_t Size;
  bool AfterLoads = false; ///< an iteration has read all streams before
};

/// A load of the inner loop whose address changes.
struct MovingLoad {
  const llvm::LoadInst *Load;
  /// Bytes from one iteration to the next where all threads read the same, or
  /// nothing.
  std::optional<uint64_t> CommonStep;
};

/// A place where staging may begin: a loop that walks along the streams,
/// perhaps within loops that walk along them again, or loads in a straight
/// line.
struct RowUnit {
  llvm::Loop *InnerLoop = nullptr; ///< its iterations are the steps
  llvm::Loop *OuterLoop = nullptr; ///< replaced: InnerLoop or one around it
  llvm::BasicBlock *StraightLine = nullptr; ///< instead: a block with the loads
  const llvm::SCEV *TripCount = nullptr;    ///< i64, iterations of InnerLoop
  bool UniformTripCount = false;      ///< known to be the same in all threads
  uint64_t MaxTripCount = UINT64_MAX; ///< what TripCount is at most
  /// Conditions under which OuterLoop walks at all, and how they must be.
  GuardList Guards;
  llvm::SmallVector<Stream, 4> Streams;
  llvm::SmallVector<LoopStore, 2> Stores;
  llvm::SmallVector<MovingLoad, 8> Moving; ///< those of the streams as well
  /// Whether it reads where what it has read before says, perhaps again and
  /// again the same.
  bool FollowsValues = false;
  /// Whether it reads what the iteration before has written, unless another
  /// store has changed it. Of the loop as it is LLVM makes a version that keeps
  /// it in a register where none does.
  bool HandsOn = false;
  /// The branch by which some threads of a warp pass it over, anywhere between
  /// those that do not; or null.
  const llvm::Instruction *Scattering = nullptr;
  /// Whether some threads of a warp pass it over, for any reason.
  bool PassedOver = false;
  /// How many threads of a block come to it at most, an i64, where a branch
  /// compares their numbers with one that is known before the launch; or null.
  const llvm::SCEV *Threads = nullptr;
  /// The same, where only the threads of a block may know; or null.
  const llvm::SCEV *ThreadsInBlock = nullptr;
  /// Of iterations that the threads of all blocks share, a block has Part at a
  /// time (`dist_schedule(static, Part)`), 0 for as many as it has threads; and
  /// each of these does Chunk in turn (`schedule(static, Chunk)`), 0 if that is
  /// not known.
  uint64_t Part = 0, Chunk = 1;

  /// How often LLVM unrolls InnerLoop as it is, where iterations are not known.
  /// 0: nobody does, nor loads for the next one sooner, since what is loaded
  /// next may be what is stored, or threads have to call a function together.
  unsigned TimesUnrolled = 1;

  bool isStraightLine() const { return StraightLine; }
  /// Whether \p Store writes from where one of the rows begins.
  bool isInPlace(const LoopStore &Store) const;
  /// Whether one of its stores does.
  bool isInPlace() const;
  /// LLVM's instructions in InnerLoop.
  size_t instructions() const;
  /// Those that a step in a tile has: it needs no addresses in memory.
  size_t instructionsInTile() const;
  /// The blocks that one step leaves out, if all steps may run them in a tile
  /// that has what it leaves out.
  llvm::SmallVector<llvm::BasicBlock *, 1> blocksForAllSteps() const;
  /// The loads that read tiles instead.
  llvm::SmallPtrSet<const llvm::Value *, 8> loadsOfStreams() const;
  /// An instruction of it, for remarks, and to tell what comes first.
  const llvm::Instruction *place() const;
  /// Whether the data of all iterations must be there at once.
  bool isWhole() const { return isStraightLine() || OuterLoop != InnerLoop; }
  /// How many threads of a block that has \p Threads come to it together.
  uint64_t threadsTogether(unsigned Threads) const {
    if (!Chunk)
      return 1;
    return std::min<uint64_t>(Threads,
                              llvm::divideCeil(Part ? Part : Threads, Chunk));
  }
};

/// How many threads of a block have to have a row, as far as that is known. To
/// copy a few rows takes as many instructions as to copy one for each thread of
/// a warp, and plain loads of a few take few passes.
inline constexpr unsigned leastRows(unsigned WarpSize) { return WarpSize / 2; }

/// How many threads of a block have to have a row at least if these are not
/// whole warps: one that lacks threads copies rows one by one. Predicted, rows
/// of 64 and 256 floats in blocks of 128: with 27 to 44 rows 1.1 to 1.5 times
/// as long in tiles on an H100, 0.8 to 1.2 times on a V100; with 48 to 72 rows
/// 0.6 to 1.0 times on both.
inline constexpr unsigned leastInBlock(unsigned WarpSize = gpu::WarpThreads) {
  return WarpSize * 3 / 2;
}

/// Where a stream lies in the shared memory of a warp.
struct StreamLayout {
  unsigned Words;  ///< of a tile's row
  unsigned Pitch;  ///< bytes from row to row, 0 for a common stream
  unsigned Offset; ///< from where the tile begins
};

/// How a warp copies a tile that all its threads read in full: asynchronously,
/// some words of some rows at a time, constants tell where the others are.
struct FullCopy {
  unsigned WordBytes; ///< of one copy; rows begin at multiples of so many bytes
  unsigned Words;     ///< of a row
  unsigned Columns; ///< words of a row that are copied together; divides Words
};

/// A tile of a warp: some iterations of all streams.
struct TileLayout {
  unsigned Iterations = 0;
  llvm::SmallVector<StreamLayout, 4> Streams; ///< one for each
  unsigned Bytes = 0;                         ///< a multiple of 16
};

/// Sectors of 32 bytes that a warp reads for one step, by the model.
struct RowCost {
  double SectorsBefore = 0, SectorsAfter = 0;
};

/// Kinds of launches: how long rows have to be is different in each.
enum class LaunchKind {
  FewWarps,  ///< multiprocessors are idle, and nobody works while a warp waits
  ManyWarps, ///< but the first level has room for the rows that they read
  Thrashing, ///< and it has not
};

/// How one unit is staged.
struct RowUnitPlan {
  RowUnit Unit;
  TileLayout Tile;
  /// What warps of the largest blocks have instead: with as many steps, or half
  /// of them.
  TileLayout SmallTile;
  bool CheckProfit = true; ///< ask at run time whether the rows are far apart
  /// Copy the next tiles while threads read one, by cp.async.
  bool Async = false;
  /// Blocks that one step leaves out, and none where full tiles are read.
  llvm::SmallVector<llvm::BasicBlock *, 1> InAllSteps;
  /// Tiles that all threads of a warp read in full have a loop of their own.
  bool FullTiles = false;
  /// Iterations of that loop that are unrolled together: all that a tile has,
  /// but for what would be more code than a launch can fetch in passing.
  unsigned FullUnroll = 0;
  /// In loops over other tiles, parts of unrollCount() iterations are unrolled.
  bool UnrollsParts = false;
  static constexpr size_t MostUnrolled =
      512; ///< instructions of such a part, or of a full tile
  /// Plain loads find in the first level what another walk has read, unless the
  /// launch thrashes, and that counts: copies wait for it, or what is written
  /// keeps the second level busy.
  bool Rereads = false;
  /// Then: something is written in the region.
  bool Stored = false;
  /// Then, or where others read the same rows: how many units the region has.
  /// Only the first of them that reads a row waits for memory, and has to make
  /// up for all of them.
  unsigned Walks = 1;
  /// Threads that have passed another unit over come to it before the others.
  bool ComesApart = false;
  /// Threads that have passed it over do another loop before the others, which
  /// takes a warp's time twice: that counts where warps are few.
  bool GoesApart = false;
  /// Another loop reads memory as it did in launches of few warps, and longer:
  /// where a kernel has the code of tiles, ptxas has no registers for several
  /// of its loads at a time. Measured on an H100: up to 2.3 times as long.
  bool BesidePlain = false;
  /// A loop around it walks along the same rows again and again.
  bool Repeats = false;
  /// In launches that are not of few warps rows have to be longer, unless plain
  /// loads have conflicts of banks.
  bool LongWithoutConflicts = false;
  /// In launches of few warps shorter rows pay where plain loads have conflicts
  /// of banks: without them they wait little, or tiles as much.
  bool WaitsLittle = false;
  /// In each of these cases it pays where rows lie multiples of so many bytes
  /// apart, a power of two: plain loads have conflicts of banks. 0: it does
  /// not.
  unsigned ConflictingBytes = gpu::LineBytes / 2;
  /// Fewer in the grid leave multiprocessors idle, or room in the first level
  /// that other loops of the kernel need (leaveFirstLevel()).
  unsigned FewWarps = 0;
  static constexpr unsigned AlwaysFew = UINT_MAX; ///< as FewWarps
  /// Launches that read rows as fast as memory gives them, and tiles do not, or
  /// are in blocks of one warp, in which tiles gain little: the kernel is left
  /// as it is, unless plain loads have conflicts of banks.
  MemoryBound OfMemory;
  /// Blocks that all multiprocessors have room for at once, where a launch of
  /// few warps with more of them leaves the kernel as it is: if this has
  /// several units, some of which may be short, or another loop beside them.
  unsigned RoomFor = UINT_MAX;
  RowPrice Price; ///< in a grid of few warps
  RowCost Cost;

  unsigned BlockBytes = 0; ///< of shared memory
  /// Warps that these are for, as many in all units of a kernel: those of the
  /// largest blocks, or more, so that their tiles can be copied ahead.
  unsigned Warps = 0;

  bool isHalved() const { return SmallTile.Iterations != Tile.Iterations; }
  /// Shared memory of a warp of the largest blocks, in bytes. Two of these have
  /// room for a tile.
  unsigned warpBytes() const {
    return std::max(SmallTile.Bytes, llvm::divideCeil(Tile.Bytes, 32u) * 16);
  }
  /// Tiles that can be on their way while one is read, at most.
  unsigned mostAhead() const { return !Async ? 0 : isHalved() ? 1 : 3; }
  /// How many times as much memory as a warp of the largest blocks has is
  /// enough for one of them.
  unsigned sharesToCopyAhead() const { return isHalved() ? MostShares : 2; }
  /// Warps of a block at most whose tiles can be copied ahead.
  unsigned mostWarpsAhead() const { return Warps / sharesToCopyAhead(); }
  /// A warp of a small block has so many times that memory at most.
  static constexpr unsigned MostShares = 4;
  static constexpr unsigned MostPartSteps = 16;
  /// Iterations of a part of a tile, which are unrolled together.
  unsigned unrollCount() const {
    return std::min(SmallTile.Iterations, MostPartSteps);
  }
  /// Whether what is read of stream \p I in such iterations begins at a
  /// multiple of the largest access.
  bool isWide(unsigned I) const;
  /// How rows of stream \p I of a tile can be copied where all threads read
  /// them in full, by the largest words first. Empty if they have to be copied
  /// as in other cases.
  llvm::SmallVector<FullCopy, 3> fullCopies(unsigned I) const;
  /// How many steps of its row a thread does by itself at most so that what
  /// follows begins at a multiple of the largest word, by which full tiles, if
  /// there can be any, are copied then. 0 where rows have to be copied from
  /// their beginning.
  unsigned mostBefore() const;
  /// Whether FullTiles can hold.
  bool canHaveFullTiles() const;
  /// Iterations that make up for a meeting in launches of few warps, if one
  /// saves \p Saved clocks.
  uint64_t minTripCountOfFew(double Saved) const;
  /// Whether none do in the largest blocks if a clause asks for these, by a
  /// price in which tiles save the least; and some do otherwise.
  bool waitsByClause() const {
    return minTripCountOfFew(Price.SavedByClause) == UINT64_MAX &&
           minTripCountOfFew(Price.Saved) != UINT64_MAX;
  }
  /// Whether they do in a warp in which each thread has a row, and not in one
  /// that lacks some, which copies rows word by word.
  bool paysInFullWarps() const {
    return minTripCountOfFew(Price.Saved) != UINT64_MAX &&
           minTripCountOfFew(Price.SavedLacking) == UINT64_MAX;
  }
  /// Iterations that make up for a meeting in launches of \p Kind, where that
  /// is asked.
  uint64_t minTripCount(LaunchKind Kind) const;
  /// The same if plain loads find what they read again, and in different banks.
  uint64_t minTripCountOfCached(LaunchKind Kind) const;
  /// Whether it counts if plain loads have conflicts of banks.
  bool asksBanks() const {
    return Rereads || LongWithoutConflicts || WaitsLittle || waitsMoreOften();
  }
  /// Whether loads that are not staged wait for each other in a kernel with
  /// tiles, which costs more than these save where warps are few and plain
  /// loads of the rows have no conflicts of banks.
  bool waitsMoreOften() const { return BesidePlain || Price.WaitsBeside; }
  /// Whether rows have to be longer in launches of few warps where they do not
  /// begin at multiples of the largest word.
  bool asksAlignment() const { return FullTiles && Async && !Unit.isWhole(); }
  /// The fewest of such rows, as minTripCountOfCached(); they gain even if the
  /// second level has what they read.
  uint64_t minTripCountAnywhere(LaunchKind Kind) const;
  /// The fewest in any launch that is not one of few warps.
  uint64_t minTripCount() const {
    return std::min(minTripCount(LaunchKind::ManyWarps),
                    minTripCount(LaunchKind::Thrashing));
  }
  /// Bytes that rows of stream \p I lie apart at least where staging pays, and
  /// none reaches far into the next one: what one thread has read, the
  /// first-level cache has for the others.
  uint64_t leastDistance(unsigned I, LaunchKind Kind) const;
  /// Whether the first rows lie nearer to each other in launches of \p Kind, if
  /// that is known now.
  std::optional<bool> areNear(LaunchKind Kind) const;
  /// How far the first rows lie apart, in bytes, if that is asked for the whole
  /// launch: not where it is known now, nor where they are near only if they
  /// are short. Else null.
  const llvm::SCEV *distanceToAsk() const;
  /// How far the first rows lie apart, in bytes, if all threads know; or null.
  const llvm::SCEV *distance() const;
  /// Whether threads know before they meet whether the first rows are near to
  /// each other.
  bool knowsWhetherNear() const;
  /// Whether a launch of few warps may have more blocks than that.
  bool canBeCrowded() const { return RoomFor < FewWarps; }
  /// Whether launches of many warps may be of those that memory limits.
  bool asksMemory() const { return OfMemory.MostByClause >= FewWarps; }
  /// The same of few warps.
  bool asksMemoryOfFew() const { return OfMemory.Least < FewWarps; }
  /// Whether the kernel asks for that.
  bool canBeShort() const { return CheckProfit && minTripCount(); }
};

/// What is done in one region.
struct RowRegionPlan {
  WarpRegion Region;
  /// Iterations that the launch's blocks share, an i64, as far as that is known
  /// before it; or null. The region is in one.
  const llvm::SCEV *Iterations = nullptr;
  /// Whether each thread has some of them, and not each block, the threads of
  /// which share what is in one.
  bool OfThreads = false;
  /// Without these: iterations of a loop that whole blocks share, as many of
  /// them at most, an i64; or null. A block has as many rows in one as units
  /// have Threads at most, if that is known before the launch.
  const llvm::SCEV *Blocks = nullptr;
  /// Whether it has another loop that reads memory, of more than a few
  /// iterations, with asynchronous copies beside it.
  bool HasPlainLoop = false;
  std::vector<RowUnitPlan> Units;
};

/// What is done in a kernel, in regions that have nothing in common.
struct RowPlan {
  static constexpr bool NeedsSimpleLoops = true;
  std::vector<RowRegionPlan> Regions;
  unsigned MaxThreads = 0; ///< of a block

  /// Warps that shared memory is reserved for.
  unsigned warps() const { return Regions.front().Units.front().Warps; }
  /// Shared memory of each, in bytes. A warp of a smaller block has that of
  /// those that are missing. It is at one unit at a time, so all share it.
  unsigned warpBytes() const {
    unsigned Most = 0;
    for (const RowRegionPlan &R : Regions)
      for (const RowUnitPlan &U : R.Units)
        Most = std::max(Most, U.warpBytes());
    return Most;
  }
};

void print(llvm::raw_ostream &OS, const RowUnit &Unit);

/// The rows of a kernel that are worth staging.
template <>
std::optional<RowPlan> findPlan(const PlanContext &C,
                                std::vector<StageNote> &Notes);
LaunchChoice worthwhile(const RowPlan &Plan, const PlanContext &C);
void print(llvm::raw_ostream &OS, const RowPlan &Plan);
void remark(llvm::OptimizationRemarkEmitter &ORE, const RowPlan &Plan);
/// Carries \p Plan out. The kernel then calls functions of runtime/device, and
/// all analyses of it are out of date.
void emit(const RowPlan &Plan, const PlanContext &C);

} // namespace ferry

#endif // FERRY_STAGE_ROWPLAN_H
