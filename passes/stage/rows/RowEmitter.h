//===- RowEmitter.h - Stages rows of memory ---------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files of the row emitter share: RowUnits.cpp makes the two versions
// of each unit, RowMeeting.cpp what the threads of a warp do together,
// FullTiles.cpp the part of it in which the first have rows of full tiles,
// PlainLoops.cpp loops around regions as they were, and RowEmitter.cpp, where
// the whole is described, brings them together.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_ROWEMITTER_H
#define FERRY_STAGE_ROWEMITTER_H

#include "RowPlan.h"
#include "stage/common/PlanContext.h"
#include "support/AddressSpace.h"
#include "support/LLVMCompat.h"
#include "support/StageLibrary.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace ferry {

/// What a thread says of itself when it comes to a unit; in memory until the
/// end.
struct StreamSlots {
  llvm::AllocaInst *Start; ///< i64, address of the first step
  llvm::AllocaInst *Step;  ///< i64, bytes
  /// i1, whether the first, the last iteration reads nothing; or null
  llvm::AllocaInst *NoFirst, *NoLast;
};

/// Of which kind a launch is, i1 each. What is few may thrash as well.
struct KindOfLaunch {
  llvm::Value *IsFew, *Thrashes;
  /// Whether what is few has more blocks than there is room for; null: it has
  /// not.
  llvm::Value *IsCrowded = nullptr;

  /// \p Of the kind that it is.
  llvm::Value *choose(llvm::IRBuilder<> &B,
                      llvm::function_ref<llvm::Value *(LaunchKind)> Of) const;
};

/// A load of a tile, instead of one of a stream.
struct TileLoad {
  llvm::LoadInst *Load;
  unsigned Stream; ///< its number
  uint64_t Offset; ///< in the stream's step
};

/// One unit and its blocks.
struct EmittedUnit {
  const RowUnitPlan *Plan;
  llvm::BasicBlock *Before = nullptr;     ///< ends where the unit begins
  llvm::BasicBlock *Wants = nullptr;      ///< where threads say that they come
  llvm::BasicBlock *StagedHead = nullptr; ///< the unit, reading tiles
  llvm::BasicBlock *FallbackHead = nullptr; ///< as it was, if all agree
  /// The unit as it was, for threads that do not wait for others; or null.
  llvm::BasicBlock *DivergentHead = nullptr;
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> DivergentBlocks;
  llvm::BasicBlock *After = nullptr;
  llvm::BasicBlock *Meet = nullptr;
  llvm::SmallVector<StreamSlots, 4> Streams;
  llvm::AllocaInst *Steps = nullptr;  ///< i32, at most mostSteps() + 1
  llvm::AllocaInst *Column = nullptr; ///< i64, steps since U.TileRow
  llvm::AllocaInst *Left = nullptr;   ///< i32, steps to walk from there
  llvm::AllocaInst *InPart = nullptr; ///< i32, its steps behind full tiles
  /// As it is asked before the region, if the warp agrees on it there.
  std::optional<KindOfLaunch> Kind;
  /// i1: the thread does the unit as it was, without the others. The first is
  /// known before Long, if that is there, the second where the unit begins.
  llvm::Value *Short = nullptr, *Diverges = nullptr;
  /// i1: all threads have short rows, but come apart; so they meet, and do the
  /// unit as it was together. Null: they do not meet for that.
  llvm::Value *ShortInAll = nullptr;
  bool IsLong = false; ///< all that is asked for Short is, before the region
  llvm::BasicBlock *Long = nullptr; ///< where other threads come
  bool mayDiverge() const {
    return Long || !llvm::isa<llvm::Constant>(Diverges);
  }
  /// What a thread that comes writes to its slots.
  llvm::SmallVector<
      std::pair<llvm::TrackingVH<llvm::Value>, llvm::AllocaInst *>, 8>
      Said;
  /// What its versions begin with that is the same each time.
  llvm::SmallVector<std::pair<llvm::Value *, llvm::AllocaInst *>, 4> Firsts;
  llvm::SmallVector<llvm::AllocaInst *, 4> TileRow; ///< the thread's own
  /// Loads that read tiles, each instead of one of a stream.
  llvm::SmallVector<TileLoad, 4> TileLoads;
};

/// Threads of a warp, which lacks none, that are next to each other, if they
/// want a unit and no other does.
struct AdjacentThreads {
  llvm::Value *AreAll;    ///< i1
  llvm::Value *FirstLane; ///< i32, the first of them
  llvm::Value *Rows;      ///< i32, how many they are
  llvm::Value *Steps;     ///< i32, of the first one's row
};

/// What a warp agrees on when it meets for a unit.
struct Agreement {
  std::optional<AdjacentThreads> Adjacent; ///< if these are known to want it
  llvm::Value *Wanted;    ///< the thread's own: whether it wants this unit
  llvm::Value *Lanes;     ///< i64, the threads that want it; if Adjacent, all
  llvm::Value *FirstLane; ///< i32, the first of them
  llvm::Value *Ok;        ///< stage, or let everybody do as it was
  /// Whether the rows are as many as Rows, equally far apart, and of Count
  /// steps.
  llvm::Value *Regular, *Rows, *Count;
  llvm::SmallVector<llvm::Value *, 4> Row0, Stride, Step; ///< of each stream
  /// i32, how many steps at the ends of a common stream no thread reads: 0
  /// or 1.
  llvm::SmallVector<llvm::Value *, 4> CutFirst, CutLast;
  /// i64, the threads that do not read their row's first, its last step,
  /// counted from FirstLane.
  llvm::SmallVector<llvm::Value *, 4> NoFirst, NoLast;
  /// i32, the steps of the longest row and of the thread's own.
  llvm::Value *MaxSteps, *Steps;
  /// i1, whether each thread does by itself what is before the first multiple
  /// of the largest word in its row, and the rest is copied by that.
  llvm::Value *SkipsBefore;

  /// That \p Wanted, \p Lanes and \p Adjacent is all that is known of \p
  /// Streams streams.
  Agreement(llvm::IRBuilder<> &B, llvm::Value *Wanted, llvm::Value *Lanes,
            std::optional<AdjacentThreads> Adjacent, size_t Streams)
      : Adjacent(Adjacent), Wanted(Wanted), Lanes(Lanes), Ok(B.getTrue()),
        Regular(B.getTrue()), SkipsBefore(B.getFalse()) {
    for (auto *None : {&Row0, &Stride, &Step})
      None->assign(Streams, nullptr);
    for (auto *Zero : {&CutFirst, &CutLast})
      Zero->assign(Streams, B.getInt32(0));
    for (auto *Zero : {&NoFirst, &NoLast})
      Zero->assign(Streams, B.getInt64(0));
  }
  void require(llvm::IRBuilder<> &B, llvm::Value *Condition) {
    Ok = B.CreateAnd(Ok, Condition);
  }
};

/// A tile: its number, the step that it begins with, and how many the thread
/// has in it, i32.
struct Tile {
  llvm::Value *Number, *Position, *End;
  llvm::Value *Any; ///< i1, whether it has any
};

/// A warp's tiles in shared memory, which it fills one after the other.
struct TileRing {
  const RowUnitPlan *Plan;
  llvm::Value *Lane;    ///< i32, the thread's number in the warp,
  llvm::Value *Row;     ///< and that of its row in a tile
  llvm::Value *Share;   ///< where they begin
  llvm::Value *IsSmall; ///< i1, whether they are as Plan's SmallTile
  llvm::Value *Ahead;   ///< i32, those that are being copied while one is read
  unsigned LeastAhead, MaxAhead; ///< what Ahead can be

  /// The thread is \p OfThread of a warp that agrees on \p A. Regular rows are
  /// in a tile from the first thread's on.
  void setLane(llvm::IRBuilder<> &B, llvm::Value *OfThread, const Agreement &A);
  /// \p Of the tiles' layout, an i32.
  template <typename GetFn>
  llvm::Value *get(llvm::IRBuilder<> &B, GetFn Of) const {
    const unsigned Is = Of(Plan->Tile), Else = Of(Plan->SmallTile);
    return Is == Else
               ? B.getInt32(Is)
               : B.CreateSelect(IsSmall, B.getInt32(Else), B.getInt32(Is));
  }
  llvm::Value *iterations(llvm::IRBuilder<> &B) const {
    return get(B, [](const TileLayout &T) { return T.Iterations; });
  }
  llvm::Value *pitch(llvm::IRBuilder<> &B, unsigned Stream) const {
    return get(B, [&](const TileLayout &T) { return T.Streams[Stream].Pitch; });
  }
  /// How many bytes behind Share tile \p Number begins, i32 both.
  llvm::Value *offset(llvm::IRBuilder<> &B, llvm::Value *Number) const;
  /// Where \p Stream is in the tile \p Offset bytes behind Share.
  llvm::Value *place(llvm::IRBuilder<> &B, llvm::Value *Offset,
                     unsigned Stream) const;
};

/// Rows of adjacent threads of a warp, in full tiles, i32 both.
struct FullRows {
  llvm::Value *Tiles; ///< in each
  llvm::Value
      *InPart; ///< steps behind these, of a thread that does none before
};

/// How a warp copies a stream of full tiles, as it has chosen.
struct FullStream {
  llvm::PHINode *Way; ///< i32, by what words, and if all threads have a row
  /// Where what the thread itself copies begins, how far it is to its next
  /// rows, i64 both, and where it comes to in the first tile.
  llvm::PHINode *From, *Next, *To;
};

/// What the parts of a loop over full tiles are given.
struct FullLoop {
  const TileRing &Ring;
  const Agreement &A;
  const FullRows &Rows;
  llvm::Value *HasPart;          ///< i1, whether steps are behind full tiles
  llvm::Value *Copies = nullptr; ///< i32, full tiles and the part behind them
  llvm::SmallVector<FullStream, 4> Choices = {}; ///< of each stream of rows
};

/// A loop that reads a tile, once more.
struct TileLoop {
  llvm::BasicBlock *Head, *Latch;
};

/// Where threads of a meeting go on.
struct TileBlocks {
  llvm::Value *Wanted;        ///< whether the thread wants the unit
  llvm::BasicBlock *Fallback; ///< all do the unit as it was
  llvm::BasicBlock *Copy;     ///< all copy a tile
  llvm::BasicBlock *Ready;    ///< those that have something in the tile read it
  llvm::BasicBlock *Finished;
};

/// The shared memory of a kernel's tiles: as many Bytes for each warp.
struct WarpMemory {
  llvm::GlobalVariable *Memory;
  unsigned Bytes;     ///< of each of
  unsigned Warps;     ///< these,
  unsigned MostWarps; ///< of which a block has so many at most, unless
  bool MayHaveMore;   ///< it does without
  unsigned WarpSize;
};

/// Carries out the plan for a region of a kernel, step by step: each step is
/// done for all regions before the next one.
class RowEmitter {
public:
  RowEmitter(const RowRegionPlan &Plan, WarpMemory Memory, const PlanContext &C)
      : F(C.Kernel), Plan(Plan), Memory(Memory), DT(C.DT), LI(C.LI), SE(C.SE),
        I1(llvm::Type::getInt1Ty(F.getContext())),
        I32(llvm::Type::getInt32Ty(F.getContext())),
        I64(llvm::Type::getInt64Ty(F.getContext())),
        Shared(llvm::PointerType::get(F.getContext(), SharedMemory)),
        Global(llvm::PointerType::get(F.getContext(), GlobalMemory)),
        Region(Plan.Region.Blocks.begin(), Plan.Region.Blocks.end()) {}

  /// Makes room for the ways that threads will take.
  void begin();
  /// Writes what each thread says when it comes to a unit. After that LLVM's
  /// analyses are asked for nothing.
  void describeUnits();
  /// Makes the versions of each unit.
  void makeVersions();
  /// Has the threads meet.
  void connect();
  /// What values go through since connect().
  llvm::ArrayRef<llvm::AllocaInst *> slots() const { return Slots; }
  /// The branch to the region as it was if no thread has a long row, or null.
  llvm::BranchInst *choice() const { return Choice; }

private:
  llvm::Function &F;
  const RowRegionPlan &Plan;
  WarpMemory Memory;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::Type *I1, *I32, *I64, *Shared, *Global;
  llvm::SetVector<llvm::BasicBlock *> Region;
  std::vector<EmittedUnit> Units;
  llvm::SmallVector<llvm::AllocaInst *, 32> Slots;
  size_t OwnSlots; ///< the first of these are not the program's values
  /// What is computed in the region, for several blocks, but could be before.
  llvm::SmallVector<llvm::Instruction *, 32> Invariants;
  llvm::DenseMap<const llvm::Instruction *, bool> AreInvariant;
  llvm::AllocaInst *Done;  ///< i1, whether the thread has left the region
  llvm::AllocaInst *Place; ///< i32, where it goes on: 0 start, n behind unit n
  llvm::AllocaInst *Want;  ///< i32, the unit that it has come to, or 0

  llvm::Value *AllShort = nullptr; ///< i1, no thread has a long row
  llvm::BranchInst *Choice = nullptr;
  llvm::BasicBlock *Enter, *Start, *Go, *Resume, *Leave, *Meet;

  llvm::AllocaInst *slot(llvm::Type *Ty, const llvm::Twine &Name) {
    llvm::IRBuilder<> B(&*F.getEntryBlock().begin());
    llvm::AllocaInst *A = B.CreateAlloca(Ty, nullptr, Name);
    Slots.push_back(A);
    return A;
  }
  llvm::BasicBlock *block(const llvm::Twine &Name) {
    return llvm::BasicBlock::Create(F.getContext(), "ferry." + Name, &F);
  }
  /// A bit for each thread of a warp, an i64.
  llvm::Value *allLanes(llvm::IRBuilder<> &B) const {
    return B.getInt64(llvm::maskTrailingOnes<uint64_t>(Memory.WarpSize));
  }
  llvm::Value *createAny(llvm::IRBuilder<> &B, llvm::Value *Condition) {
    return callStageRuntime(B, StageFunction::Any, Condition);
  }
  /// Emits whether the thread has said that it wants unit \p Number.
  llvm::Value *createWants(llvm::IRBuilder<> &B, unsigned Number) {
    return B.CreateICmpEQ(B.CreateLoad(I32, Want), B.getInt32(Number));
  }
  static void redirect(llvm::BasicBlock *From, llvm::BasicBlock *Old,
                       llvm::BasicBlock *New) {
    From->getTerminator()->replaceSuccessorWith(Old, New);
  }

  // RowEmitter.cpp
  void makeSlots();
  /// Whether what \p V is computed from never changes in the region, nor is
  /// asked for behind it.
  bool isInvariant(const llvm::Instruction &V);
  void demote();
  bool isReadBehindMeeting(const llvm::AllocaInst &Slot) const;
  void forgetSlots();
  llvm::Instruction *whereToAsk(const ExpressionExpander &Expander) const;
  void askLengths();
  void keepPlainRegion();

  // RowUnits.cpp: before values go through memory
  void makeVersionsOfLoop(EmittedUnit &U);
  void makeVersionsOfStraightLine(EmittedUnit &U);
  llvm::Value *createIsNear(llvm::IRBuilder<> &B, const RowUnitPlan &Unit,
                            const KindOfLaunch &Kind,
                            ExpressionExpander &Expander);
  llvm::Value *createIsNear(llvm::IRBuilder<> &B, const RowUnitPlan &Unit,
                            const KindOfLaunch &Kind, llvm::Value *Distance);
  KindOfLaunch createKind(llvm::IRBuilder<> &B, const RowUnitPlan &Unit,
                          llvm::Value *Steps);
  llvm::Value *createConflicts(llvm::IRBuilder<> &B, const RowUnitPlan &Unit,
                               unsigned Apart, ExpressionExpander &Expander);
  llvm::Value *createLacksRows(llvm::IRBuilder<> &B, const RowUnit &Unit);
  llvm::Value *createWaitsForCopies(llvm::IRBuilder<> &B,
                                    const RowUnitPlan &Unit,
                                    const KindOfLaunch &Kind,
                                    ExpressionExpander &Expander);
  llvm::Value *createIsBusy(llvm::IRBuilder<> &B, const RowUnitPlan &Unit,
                            const KindOfLaunch &Kind,
                            ExpressionExpander &Expander);
  llvm::Value *createHasMoreWarps(llvm::IRBuilder<> &B);
  llvm::Value *createIsShort(llvm::IRBuilder<> &B, const RowUnitPlan &Unit,
                             const KindOfLaunch &Kind, llvm::Value *Steps,
                             ExpressionExpander &Expander);
  /// The iterations of rows of \p Unit at \p B, for a condition that may be
  /// asked of threads that have none.
  llvm::Value *createStepsToAsk(llvm::IRBuilder<> &B, const RowUnit &Unit,
                                ExpressionExpander &Expander);
  void askLength(EmittedUnit &U);
  void emitChoice(EmittedUnit &U);
  llvm::SmallVector<llvm::BasicBlock *, 8> addVersion(EmittedUnit &U,
                                                      const char *Suffix);
  void describe(EmittedUnit &U, llvm::BasicBlock::iterator At);
  llvm::Value *createConflict(llvm::IRBuilder<> &B, EmittedUnit &U,
                              ExpressionExpander &Expander,
                              llvm::ArrayRef<llvm::Value *> Rows,
                              llvm::ArrayRef<llvm::Value *> Steps,
                              llvm::Value *TripCount);
  llvm::SmallVector<llvm::BasicBlock *, 8>
  cloneBlocks(llvm::Loop &L, const char *Suffix, llvm::ValueToValueMapTy &Map);
  void replaceLoads(EmittedUnit &U);

  // RowMeeting.cpp: while they do
  void emitDispatch();
  void emitWayIn(EmittedUnit &U, unsigned Number);
  void emitWaysOut(EmittedUnit &U, unsigned Number, llvm::BasicBlock *Finished);
  void emitUnit(EmittedUnit &U, unsigned Number, llvm::BasicBlock *Next);
  Agreement agree(llvm::IRBuilder<> &B, EmittedUnit &U, llvm::Value *Wanted,
                  llvm::Value *Lanes,
                  std::optional<AdjacentThreads> Adjacent = {});
  llvm::Value *createAreEnough(llvm::IRBuilder<> &B, llvm::Value *Rows,
                               llvm::Value *FewWarps);
  llvm::Value *createPays(llvm::IRBuilder<> &B, const EmittedUnit &U,
                          const Agreement &A);
  void agreeOnUniform(llvm::IRBuilder<> &B, EmittedUnit &U, unsigned I,
                      Agreement &A);
  void agreeOnRows(llvm::IRBuilder<> &B, EmittedUnit &U, unsigned I,
                   Agreement &A);
  void emitTiles(llvm::IRBuilder<> &B, EmittedUnit &U, const Agreement &A,
                 const TileBlocks &To);
  void emitWhole(llvm::IRBuilder<> &B, EmittedUnit &U, const Agreement &A,
                 const TileBlocks &To);
  void assumeAligned(llvm::IRBuilder<> &B, const EmittedUnit &U);
  void emitTileLoop(EmittedUnit &U, llvm::BasicBlock *Ready,
                    llvm::BasicBlock *Tiled);
  void endTile(llvm::BasicBlock *Latch, EmittedUnit &U, llvm::BasicBlock *Head,
               llvm::BasicBlock *Tiled);
  void emitWaits(llvm::IRBuilder<> &B, const TileRing &Ring);
  Tile tileOf(llvm::IRBuilder<> &B, EmittedUnit &U, const Agreement &A,
              const TileRing &Ring, llvm::Value *Number);
  void copyTile(llvm::IRBuilder<> &B, EmittedUnit &U, const Agreement &A,
                const TileRing &Ring, const Tile &T);
  llvm::Value *warpsOf(llvm::IRBuilder<> &B, llvm::Value *Threads);
  llvm::Value *warpsOfBlock(llvm::IRBuilder<> &B);
  llvm::Value *threadsWithRows(llvm::IRBuilder<> &B, const RowUnit &Unit);
  llvm::Value *warpsWithRows(llvm::IRBuilder<> &B, const RowUnit &Unit);
  llvm::Value *ownShare(llvm::IRBuilder<> &B, llvm::Value *Bytes);
  llvm::Value *createHasShares(llvm::IRBuilder<> &B, llvm::Value *Warps,
                               unsigned Shares);
  TileRing tileRing(llvm::IRBuilder<> &B, const RowUnitPlan &Unit,
                    const Agreement &A);
  TileRing mostTiles(llvm::IRBuilder<> &B, const RowUnitPlan &Unit,
                     const Agreement &A);
  void setTileRows(llvm::IRBuilder<> &B, EmittedUnit &U, const TileRing &Ring,
                   llvm::Value *Offset);

  /// Has \p Copy share code with others if the region has many units: a launch
  /// of little work waits for its code. Measured on an H100: calls made a
  /// kernel of eight units 1.1 to 1.3 times as fast there, of one to three no
  /// faster.
  void shareIfMany(llvm::CallBase &Copy) const {
    constexpr size_t Many = 4;
    if (Plan.Units.size() >= Many)
      shareCode(Copy);
  }

  // FullTiles.cpp
  FullStream chooseFullCopy(llvm::IRBuilder<> &B, const TileRing &Ring,
                            unsigned I, const Agreement &A);
  void copyFullStream(llvm::IRBuilder<> &B, const TileRing &Ring, unsigned I,
                      const Agreement &A, const FullStream &Choice,
                      llvm::Value *Number, llvm::Value *Offset);
  void copyPartOfStream(llvm::IRBuilder<> &B, EmittedUnit &U,
                        const TileRing &Ring, unsigned I, const Agreement &A,
                        llvm::Value *Number, llvm::Value *Offset,
                        llvm::Value *Steps);
  FullRows countFullTiles(llvm::IRBuilder<> &B, const RowUnitPlan &Plan,
                          Agreement &A);
  TileLoop copyTileLoop(llvm::IRBuilder<> &B, EmittedUnit &U,
                        llvm::Value *Steps, const char *Suffix,
                        llvm::ValueToValueMapTy &Map, llvm::BasicBlock *Then);
  void emitStepsBefore(llvm::IRBuilder<> &B, EmittedUnit &U,
                       llvm::Value *Wanted, llvm::BasicBlock *Then);
  void emitFullRead(llvm::IRBuilder<> &B, EmittedUnit &U, const TileRing &Ring,
                    llvm::Value *Offset, llvm::Value *Wanted,
                    llvm::Value *Steps, llvm::BasicBlock *Tiled);
  void copyFullTile(llvm::IRBuilder<> &B, const FullLoop &L,
                    llvm::Value *Number, llvm::Value *Offset);
  void copyFirstTiles(llvm::IRBuilder<> &B, const FullLoop &L);
  void emitBeginOfRows(llvm::IRBuilder<> &B, EmittedUnit &U, const FullLoop &L);
  void copyTileAhead(llvm::IRBuilder<> &B, EmittedUnit &U, const FullLoop &L,
                     llvm::Value *Number, llvm::Value *Offset);
  void readPart(llvm::IRBuilder<> &B, EmittedUnit &U, const FullLoop &L,
                llvm::Value *Offset, llvm::BasicBlock *Finished);
  void emitFullLoop(llvm::IRBuilder<> &B, EmittedUnit &U, const TileRing &Ring,
                    const Agreement &A, const FullRows &Rows,
                    llvm::BasicBlock *Finished);
  AdjacentThreads emitWayOfAdjacent(llvm::IRBuilder<> &B, EmittedUnit &U,
                                    llvm::Value *Lanes,
                                    llvm::BasicBlock *Others);
  void emitFullTiles(llvm::IRBuilder<> &B, EmittedUnit &U, llvm::Value *Wanted,
                     llvm::Value *Lanes, const TileBlocks &To);
};

/// Has the loops of \p F around \p Choices ask first what these ask in each
/// iteration, and be as they were if all conditions hold.
void keepPlainLoops(llvm::Function &F,
                    llvm::ArrayRef<llvm::BranchInst *> Choices);

/// The most iterations of \p Unit that tiles are used for: what is counted in a
/// row, also in bytes, has 32 bits, and a few tiles may be added.
uint64_t mostSteps(const RowUnit &Unit);

/// \p TripCount in 32 bits; one more than mostSteps(), if it is more than that.
llvm::Value *createSteps(llvm::IRBuilder<> &B, const RowUnit &Unit,
                         llvm::Value *TripCount);

/// The bytes from step to step of stream \p I, where known now; else null.
llvm::Value *constantStep(llvm::IRBuilderBase &B, const RowUnitPlan &Plan,
                          unsigned I);

} // namespace ferry

#endif // FERRY_STAGE_ROWEMITTER_H
