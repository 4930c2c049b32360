//===- RowPlan.cpp - What is staged, and how ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPlan.h"
#include "stage/common/GpuModel.h"
#include "stage/common/Guards.h"
#include "stage/common/LaunchValues.h"
#include "stage/common/PlanContext.h"
#include "stage/common/StageRemarks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace llvm;

namespace ferry {

const Instruction *RowUnit::place() const {
  return isStraightLine() ? Streams[0].Loads[0].Load
                          : InnerLoop->getHeader()->getTerminator();
}

bool RowUnit::isInPlace(const LoopStore &Store) const {
  return any_of(Streams,
                [&](const Stream &S) { return S.Start == Store.Start; });
}

bool RowUnit::isInPlace() const {
  return any_of(Stores, [&](const LoopStore &S) { return isInPlace(S); });
}

SmallPtrSet<const Value *, 8> RowUnit::loadsOfStreams() const {
  SmallPtrSet<const Value *, 8> Loads;
  for (const Stream &S : Streams)
    for (const StreamLoad &L : S.Loads)
      Loads.insert(L.Load);
  return Loads;
}

size_t RowUnit::instructions() const {
  size_t Sum = 0;
  for (const BasicBlock *B : InnerLoop->blocks())
    Sum += B->sizeWithoutDebug();
  return Sum;
}

size_t RowUnit::instructionsInTile() const {
  SmallSetVector<const Instruction *, 16> OfAddresses;
  const SmallPtrSet<const Value *, 8> Staged = loadsOfStreams();
  auto Add = [&](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (I && InnerLoop->contains(I) && !isa<PHINode>(I) &&
        all_of(I->users(), [&](const User *U) {
          auto *User = cast<Instruction>(U);
          return Staged.contains(User) || OfAddresses.contains(User);
        }))
      OfAddresses.insert(I);
  };
  for (const Stream &S : Streams)
    for (const StreamLoad &L : S.Loads)
      Add(L.Load->getPointerOperand());
  for (unsigned Next = 0; Next < OfAddresses.size(); ++Next)
    for (const Value *Operand : OfAddresses[Next]->operands())
      Add(Operand);
  return instructions() - OfAddresses.size();
}

SmallVector<BasicBlock *, 1> RowUnit::blocksForAllSteps() const {
  SmallSetVector<BasicBlock *, 1> LeftOut;
  for (const Stream &S : Streams)
    if (S.Skipped)
      LeftOut.insert(S.Loads.front().Load->getParent());
  const SmallPtrSet<const Value *, 8> Staged = loadsOfStreams();
  auto MayAllRun = [&](const BasicBlock *B) {
    const BasicBlock *Before = B->getSinglePredecessor(),
                     *Then = B->getSingleSuccessor();
    return Before && Then && Then->hasNPredecessors(2) &&
           is_contained(successors(Before), Then) &&
           isa<BranchInst>(Before->getTerminator()) &&
           all_of(make_range(B->begin(), B->getTerminator()->getIterator()),
                  [&](const Instruction &I) {
                    return Staged.contains(&I) ||
                           (!I.mayReadFromMemory() &&
                            isSafeToSpeculativelyExecute(&I));
                  });
  };
  return all_of(LeftOut, MayAllRun) ? to_vector<1>(LeftOut)
                                    : SmallVector<BasicBlock *, 1>();
}

/// Steps that make up for each of several walks in a launch of few warps at
/// least: what is left behind a full tile takes code of its own, for which the
/// warp waits.
static unsigned tileAndAHalf(const RowUnitPlan &Plan) {
  return Plan.Tile.Iterations * 3 / 2;
}

uint64_t RowUnitPlan::minTripCountOfFew(double Saved) const {
  constexpr double Worth = 1.08; // rows seldom end with a tile
  const double Needed = Worth * Price.Meeting;
  // Cells of 48 floats took 1.1 times as long in a tile and a half on an A100,
  // of 64 0.77 times.
  const unsigned Least = Tile.Iterations * 2;
  const unsigned Most = Tile.Iterations * (Async ? 4 : 8);
  if (GoesApart || Saved * Most <= Needed)
    return UINT64_MAX;
  return std::max(Least, static_cast<unsigned>(std::ceil(Needed / Saved)));
}

uint64_t RowUnitPlan::minTripCount(LaunchKind Kind) const {
  if (Unit.isStraightLine())
    return 0;
  const bool Few = Kind == LaunchKind::FewWarps;
  const unsigned Half = divideCeil(Tile.Iterations, 2u);
  // What loops around it read again, the first level has where warps are few.
  if (Unit.isWhole())
    return Few ? UINT64_MAX : Half;
  if (!Few) {
    // On GPUs without asynchronous copies memory limits more. On an H100 rows
    // of 24 floats took 1.4 times as long, of 32 and 48 0.6 to 0.8 times.
    const unsigned Least = Async ? Tile.Iterations : Half;
    return Kind == LaunchKind::Thrashing
               ? std::min(Price.Thrashing.Shortest, Least)
               : Least;
  }
  return minTripCountOfFew(WaitsLittle ? Price.SavedOfConflicting
                                       : Price.Saved);
}

uint64_t RowUnitPlan::minTripCountOfCached(LaunchKind Kind) const {
  uint64_t Least = minTripCount(Kind);
  if (Kind == LaunchKind::FewWarps && WaitsLittle && !Unit.isWhole()) {
    // Predicted, in blocks of 32 to 128 at -O2: 128 iterations took 0.75
    // to 1.09 times as long in tiles on an H100, 512 took 0.44 to 0.94.
    const unsigned Enough = Async ? Tile.Iterations * 8 : 0;
    Least = std::max<uint64_t>(minTripCountOfFew(Price.Saved), Enough);
  }
  if (Kind == LaunchKind::FewWarps && waitsMoreOften())
    return UINT64_MAX;
  if (Kind == LaunchKind::Thrashing ||
      (Kind == LaunchKind::ManyWarps && !Rereads))
    return LongWithoutConflicts
               ? std::max<uint64_t>(Least, RowPrice::EnoughWithoutConflicts)
               : Least;
  if (!Rereads)
    return Least;
  if (!Async && !(Stored && Kind == LaunchKind::ManyWarps))
    return std::max<uint64_t>(Least, Tile.Iterations * 4);
  if (Repeats || Kind == LaunchKind::ManyWarps || Least == UINT64_MAX)
    return UINT64_MAX;
  return std::max<uint64_t>(Least, Walks * tileAndAHalf(*this));
}

uint64_t RowUnitPlan::minTripCountAnywhere(LaunchKind Kind) const {
  const uint64_t Least = minTripCountOfCached(Kind);
  if (Kind != LaunchKind::FewWarps || !asksAlignment())
    return Least;
  const double Saved = std::max(Price.SavedOfNear, 1.);
  return std::max<uint64_t>(
      Least, std::min<uint64_t>(RowPrice::EnoughAnywhere,
                                RowPrice::MeetingAnywhere / Saved + 1));
}

bool RowUnitPlan::isWide(unsigned I) const {
  const Stream &S = Unit.Streams[I];
  const unsigned Part = unrollCount() * S.wordsPerIteration() * S.Word;
  return all_of(
      ArrayRef({Part, Tile.Streams[I].Pitch, Tile.Streams[I].Offset,
                SmallTile.Streams[I].Pitch, SmallTile.Streams[I].Offset}),
      [](unsigned Bytes) { return Bytes % gpu::MaxAccessBytes == 0; });
}

SmallVector<FullCopy, 3> RowUnitPlan::fullCopies(unsigned I) const {
  const Stream &S = Unit.Streams[I];
  const StreamLayout &At = Tile.Streams[I];
  SmallVector<FullCopy, 3> Copies;
  if (!S.ConstantStep)
    return Copies;
  const unsigned Bytes = At.Words * S.Word;
  for (unsigned Word = gpu::MaxAccessBytes; Word >= gpu::BankBytes; Word /= 2) {
    const unsigned Begins = Bytes | At.Pitch | At.Offset |
                            unsigned(Tile.Iterations * *S.ConstantStep);
    if (Word != S.Word && (Word < S.Word || !S.isDense() || Begins % Word))
      continue;
    auto AreInOrder = [&](unsigned Columns) {
      const unsigned Window = S.windowWords();
      return Bytes / Word % Columns == 0 &&
             (S.isDense() || Window % Columns == 0 || Columns % Window == 0);
    };
    // A line at a time takes the fewest passes of the first level, and is in
    // all banks of shared memory.
    unsigned Columns = gpu::LineBytes / Word;
    while (Columns > 1 && !AreInOrder(Columns))
      Columns /= 2;
    if (Columns * Word >= gpu::SectorBytes)
      Copies.push_back({Word, Bytes / Word, Columns});
  }
  return Copies;
}

unsigned RowUnitPlan::mostBefore() const {
  const Stream &First = Unit.Streams.front();
  const unsigned Most = gpu::MaxAccessBytes / First.Word - 1;
  for (auto [I, S] : enumerate(Unit.Streams)) {
    // Rows begin at multiples of a step. What is left of them behind the last
    // full tile has to have room in one.
    const bool IsFine =
        S.Kind == Stream::PerThread && !S.Skipped && S.Word == First.Word &&
        S.Word >= gpu::BankBytes && // and cp.async copies it
        S.ConstantStep == S.Word && S.Window == S.Word &&
        fullCopies(I).front().WordBytes == gpu::MaxAccessBytes &&
        (Tile.Iterations + Most) * S.Word <= Tile.Streams[I].Pitch;
    if (!IsFine)
      return 0;
  }
  return Most;
}

bool RowUnitPlan::canHaveFullTiles() const {
  if (!Async || Unit.isWhole())
    return false;
  if (Unit.instructionsInTile() * Tile.Iterations > MostUnrolled)
    return false;
  for (auto [I, S] : enumerate(Unit.Streams))
    if (S.Kind == Stream::Uniform ? S.Word < gpu::BankBytes
                                  : fullCopies(I).empty())
      return false;
  return true;
}

uint64_t RowUnitPlan::leastDistance(unsigned I, LaunchKind Kind) const {
  constexpr uint64_t Most = UINT32_MAX; // further apart than any rows of tiles
  const std::optional<int64_t> &Step = Unit.Streams[I].ConstantStep;
  const uint64_t Bytes =
      Step ? SaturatingMultiply<uint64_t>(minTripCount(Kind), std::abs(*Step))
           : 0;
  return std::clamp<uint64_t>(Bytes, gpu::SectorBytes, Most);
}

/// Whether \p Stride is made of what \p TripCount is made of: most likely one
/// row begins where another one ends.
static bool isDense(const SCEV *Stride, const SCEV *TripCount) {
  return SCEVExprContains(Stride, [&](const SCEV *Part) {
    return isa<SCEVUnknown>(Part) &&
           SCEVExprContains(TripCount,
                            [&](const SCEV *S) { return S == Part; });
  });
}

std::optional<bool> RowUnitPlan::areNear(LaunchKind Kind) const {
  const Stream &First = Unit.Streams.front();
  if (First.Kind != Stream::PerThread || !First.ThreadStride)
    return std::nullopt;
  return uint64_t(std::abs(*First.ThreadStride)) < leastDistance(0, Kind);
}

const SCEV *RowUnitPlan::distance() const {
  const Stream &First = Unit.Streams.front();
  const SCEV *Sum = First.ThreadStrideSum;
  return First.Kind == Stream::PerThread && Sum && isSameEverywhere(Sum)
             ? Sum
             : nullptr;
}

const SCEV *RowUnitPlan::distanceToAsk() const {
  const SCEV *Sum = distance();
  const bool IsAsked = Sum && !Unit.Streams.front().ThreadStride &&
                       !isDense(Sum, Unit.TripCount);
  return IsAsked ? Sum : nullptr;
}

bool RowUnitPlan::knowsWhetherNear() const {
  return canBeShort() && (Unit.Streams.front().ThreadStride ||
                          (distance() && !distanceToAsk()));
}

/// Adds to \p Choice what has to hold for \p Plan in launches of any of \p
/// Kinds beside \p Others: rows are long enough, by \p MinTripCount, far enough
/// apart, and what is read of them close enough together.
static void addChoice(const RowUnitPlan &Plan, ArrayRef<LaunchKind> Kinds,
                      uint64_t (RowUnitPlan::*MinTripCount)(LaunchKind) const,
                      LaunchConditions Others, LaunchChoice &Choice) {
  uint64_t Steps = UINT64_MAX, Apart = UINT64_MAX;
  for (LaunchKind Kind : Kinds) {
    if (Plan.areNear(Kind).value_or(false))
      continue;
    Steps = std::min(Steps, (Plan.*MinTripCount)(Kind));
    Apart = std::min(Apart, Plan.leastDistance(0, Kind));
  }
  if (Steps == UINT64_MAX && !Choice.empty())
    return;
  Others.push_back(
      {Plan.Unit.TripCount,
       static_cast<int64_t>(std::min<uint64_t>(Steps, INT64_MAX))});
  if (Plan.Unit.Threads)
    Others.push_back({Plan.Unit.Threads, leastRows(gpu::WarpThreads)});
  for (const Stream &S : Plan.Unit.Streams)
    if (!S.ConstantStep && isSameEverywhere(S.Step))
      Others.push_back({S.Step, 1, S.longestStep()});
  const SCEV *Distance = Plan.distanceToAsk();
  if (!Distance) {
    Choice.push_back(std::move(Others));
    return;
  }
  const auto Least = static_cast<int64_t>(Apart);
  for (const LaunchCondition &Far :
       {LaunchCondition{Distance, Least},
        LaunchCondition{Distance, INT64_MIN, -Least}}) {
    Choice.push_back(Others);
    Choice.back().push_back(Far);
  }
}

/// The product of iterations of \p Plan and rows that are read at a time in a
/// launch of \p Iterations iterations.
static const SCEV *iterationsUnderWay(const RowUnitPlan &Plan,
                                      const SCEV *Iterations,
                                      ScalarEvolution &SE) {
  const SCEV *Most =
      SE.getConstant(Iterations->getType(), Plan.Price.Thrashing.MaxRows);
  const SCEV *OfRow = SE.getUMinExpr(
      Plan.Unit.TripCount, SE.getConstant(Plan.Unit.TripCount->getType(),
                                          Plan.Price.Thrashing.MostOfRow));
  return SE.getMulExpr(SE.getSMinExpr(Iterations, Most), OfRow);
}

/// By how many bytes rows of \p Plan are further apart than the multiple of \p
/// Apart below. Null if that is not known before the launch, or is known not to
/// be 0, or \p Apart is.
static const SCEV *restOfDistance(const RowUnitPlan &Plan, unsigned Apart,
                                  ScalarEvolution &SE) {
  const SCEV *Distance = Plan.distance();
  if (!Distance || !Apart)
    return nullptr;
  const SCEV *Rest =
      SE.getURemExpr(Distance, SE.getConstant(Distance->getType(), Apart));
  return isa<SCEVConstant>(Rest) && !Rest->isZero() ? nullptr : Rest;
}

/// Adds to \p Choice what has to hold for \p Plan in launches of any of \p
/// Kinds beside \p Others, wherever its rows are.
static void addChoices(const RowUnitPlan &Plan, ArrayRef<LaunchKind> Kinds,
                       const LaunchConditions &Others, ScalarEvolution &SE,
                       LaunchChoice &Choice) {
  using Trips = uint64_t (RowUnitPlan::*)(LaunchKind) const;
  Trips Most = &RowUnitPlan::minTripCountAnywhere;
  // Rows that lie multiples of so many bytes apart may be shorter.
  SmallVector<std::pair<const SCEV *, Trips>, 2> Fewer;
  auto Find = [&](unsigned Apart, Trips OfMultiples) {
    const SCEV *Rest = restOfDistance(Plan, Apart, SE);
    const Trips More = Fewer.empty() ? Most : Fewer.back().second;
    if (!Rest || all_of(Kinds, [&](LaunchKind K) {
          return (Plan.*OfMultiples)(K) == (Plan.*More)(K);
        }))
      return;
    if (!Rest->isZero())
      Fewer.push_back({Rest, OfMultiples});
    else
      Most = OfMultiples;
  };
  Find(gpu::MaxAccessBytes, &RowUnitPlan::minTripCountOfCached);
  Find(Plan.ConflictingBytes, &RowUnitPlan::minTripCount);
  addChoice(Plan, Kinds, Most, Others, Choice);
  for (const auto &[Rest, OfMultiples] : Fewer) {
    LaunchConditions Apt = Others;
    Apt.push_back({Rest, INT64_MIN, 0});
    addChoice(Plan, Kinds, OfMultiples, std::move(Apt), Choice);
  }
}

/// No clause says how large blocks are.
static constexpr LaunchCondition NoThreadLimit{nullptr, INT64_MIN, 0};

/// Adds to \p Choice what has to hold for \p Plan in launches of \p Kind, which
/// have many warps, beside \p Others: \p Size says how many, times \p OfWarp.
static void addManyWarps(const RowUnitPlan &Plan, LaunchKind Kind,
                         const SCEV *Size, unsigned OfWarp,
                         const LaunchConditions &Others, ScalarEvolution &SE,
                         LaunchChoice &Choice) {
  auto Add = [&](unsigned Warps, std::optional<LaunchCondition> Apart) {
    LaunchConditions All = Others;
    All.push_back({Size, int64_t(Warps) * OfWarp});
    if (Apart)
      All.push_back(*Apart);
    addChoices(Plan, Kind, All, SE, Choice);
  };
  const SCEV *Rest = restOfDistance(Plan, Plan.ConflictingBytes, SE);
  if (!Plan.asksMemory() || (Rest && Rest->isZero()))
    return Add(Plan.FewWarps, std::nullopt);
  Add(Plan.MostOfMemoryByClause + 1, std::nullopt);
  if (Plan.MostOfMemory < Plan.MostOfMemoryByClause)
    Add(std::max(Plan.FewWarps, Plan.MostOfMemory + 1), NoThreadLimit);
  if (Rest)
    Add(Plan.FewWarps, LaunchCondition{Rest, INT64_MIN, 0});
}

/// Whether launches of few warps take the kernel as it is unless \p U, of \p R,
/// has conflicts of banks: it would wait for each tile in blocks that are as
/// large as they can be. Threads find that out as well, but not always before
/// they do something else, and where loops are staged ptxas lets plain ones
/// wait more often.
static bool waitsForCopies(const RowUnitPlan &U, const RowRegionPlan &R,
                           const KernelLimits &Limits) {
  const unsigned Most = Limits.maxWarps();
  const bool PaysAnyway = R.OfThreads && U.Price.LeastToWait <= Most;
  return U.Async && !U.Unit.isWhole() && !PaysAnyway &&
         Most > U.mostWarpsAhead();
}

/// Adds to \p Choice what has to hold for \p U of \p R in launches of few
/// warps, beside \p Few: \p Size says how many, times \p OfWarp.
static void addFewWarps(const RowUnitPlan &U, const RowRegionPlan &R,
                        const SCEV *Size, unsigned OfWarp,
                        const LaunchConditions &Few, const KernelLimits &Limits,
                        ScalarEvolution &SE, LaunchChoice &Choice) {
  auto Add = [&](ArrayRef<LaunchCondition> More) {
    LaunchConditions All = Few;
    append_range(All, More);
    addChoices(U, LaunchKind::FewWarps, All, SE, Choice);
  };
  // What has to hold without conflicts of banks.
  LaunchConditions Other;
  if (U.asksMemoryOfFew())
    Other.push_back({Size, INT64_MIN, (int64_t(U.LeastOfMemory) - 1) * OfWarp});
  // The runtime chooses fewer threads where iterations are few, unless a clause
  // asks for as many as there are without one.
  const bool Waits = waitsForCopies(U, R, Limits),
             ChoosesThreads = R.OfThreads && !Limits.areThreadsFixed();
  if (ChoosesThreads && (Waits || U.waitsByClause()))
    Other.push_back(NoThreadLimit);
  const SCEV *Rest =
      restOfDistance(U, U.Async ? gpu::LineBytes : U.ConflictingBytes, SE);
  if ((Other.empty() && !Waits) || (Rest && Rest->isZero()))
    return Add({});
  if (Rest)
    Add(LaunchCondition{Rest, INT64_MIN, 0});
  if (ChoosesThreads || !Waits)
    Add(Other);
}

/// What is at least leastInBlock() where as many of a block's threads as \p
/// Threads have rows of \p U, and they are in warps that lack few.
static const SCEV *threadsInFullWarps(const SCEV *Threads,
                                      ScalarEvolution &SE) {
  auto Constant = [&](int64_t Number) {
    return SE.getConstant(Threads->getType(), Number);
  };
  const SCEV *Lacks = SE.getUMinExpr(
      SE.getURemExpr(Threads, Constant(gpu::WarpThreads)), Constant(1));
  // So that one whole warp is enough.
  const int64_t More = leastInBlock() - gpu::WarpThreads;
  return SE.getAddExpr(
      Threads,
      SE.getMulExpr(SE.getMinusSCEV(Constant(1), Lacks), Constant(More)));
}

/// How many warps have rows of \p U, of \p R, at most, in a launch that knows
/// of its blocks and their threads.
static const SCEV *warpsWithRows(const RowRegionPlan &R, const RowUnitPlan &U,
                                 const KernelLimits &Limits,
                                 ScalarEvolution &SE) {
  Type *Wide = IntegerType::getInt64Ty(SE.getContext());
  auto Constant = [&](uint64_t Number) { return SE.getConstant(Wide, Number); };
  const SCEV *Threads =
      SE.getUMinExpr(SE.getTruncateOrZeroExtend(U.Unit.Threads, Wide),
                     Constant(uint64_t(Limits.maxWarps()) * gpu::WarpThreads));
  const SCEV *OfBlock =
      SE.getUDivExpr(SE.getAddExpr(Threads, Constant(gpu::WarpThreads - 1)),
                     Constant(gpu::WarpThreads));
  return SE.getMulExpr(SE.getTruncateOrZeroExtend(R.Blocks, Wide), OfBlock);
}

/// Adds to \p Choice what has to hold for \p U of \p R, of which launches know
/// how many blocks they have at most: never where they do not know how many
/// rows a block has. A kernel that finds out itself has few registers left for
/// loops as they were.
static void addBlocks(const RowUnitPlan &U, const RowRegionPlan &R,
                      const KernelLimits &Limits, ScalarEvolution &SE,
                      LaunchChoice &Choice) {
  if (!U.Unit.Threads) { // perhaps a few
    Choice.push_back({{R.Blocks, INT64_MAX}});
    return;
  }
  const SCEV *Warps = warpsWithRows(R, U, Limits, SE);
  const LaunchConditions Others{
      {threadsInFullWarps(U.Unit.Threads, SE), leastInBlock()}};
  // With asynchronous copies memory limits blocks of one warp, which these are
  // not.
  if (U.Async) {
    LaunchConditions Many = Others;
    Many.push_back({Warps, int64_t(U.FewWarps)});
    addChoices(U, LaunchKind::ManyWarps, Many, SE, Choice);
  } else {
    addManyWarps(U, LaunchKind::ManyWarps, Warps, 1, Others, SE, Choice);
  }
  LaunchConditions Few = Others;
  Few.push_back({Warps, INT64_MIN, int64_t(U.FewWarps) - 1});
  if (U.canBeCrowded())
    Few.push_back({R.Blocks, INT64_MIN, int64_t(U.RoomFor)});
  addFewWarps(U, R, Warps, 1, Few, Limits, SE, Choice);
}

/// Adds to \p Choice what has to hold for \p U of \p R, in launches of any
/// kind.
static void addUnit(const RowUnitPlan &U, const RowRegionPlan &R,
                    const KernelLimits &Limits, ScalarEvolution &SE,
                    LaunchChoice &Choice) {
  auto Add = [&](ArrayRef<LaunchKind> Kinds, const LaunchConditions &Others) {
    addChoices(U, Kinds, Others, SE, Choice);
  };
  if (R.Blocks)
    return addBlocks(U, R, Limits, SE, Choice);
  if (!R.Iterations && U.FewWarps == RowUnitPlan::AlwaysFew)
    return Add(LaunchKind::FewWarps, {});
  if (!R.Iterations)
    return Add({LaunchKind::ManyWarps, LaunchKind::FewWarps}, {});
  // There are at most as many warps as iterations are enough for, and most
  // likely as many. What is enough for few warps is for many as well, unless
  // plain loads have a cache to themselves, or there is no room for all blocks.
  const int64_t Many = int64_t(U.FewWarps) * gpu::WarpThreads;
  addManyWarps(U, LaunchKind::ManyWarps, R.Iterations, gpu::WarpThreads, {}, SE,
               Choice);
  LaunchConditions Few;
  if (U.Rereads || U.canBeCrowded() || U.asksMemory() || U.asksMemoryOfFew())
    Few.push_back({R.Iterations, INT64_MIN,
                   std::min(Many - 1, int64_t(U.RoomFor) * gpu::WarpThreads)});
  addFewWarps(U, R, R.Iterations, gpu::WarpThreads, Few, Limits, SE, Choice);
  if (U.Price.Thrashing.Iterations)
    addManyWarps(U, LaunchKind::Thrashing, R.Iterations, gpu::WarpThreads,
                 {{iterationsUnderWay(U, R.Iterations, SE),
                   static_cast<int64_t>(U.Price.Thrashing.Iterations)}},
                 SE, Choice);
}

LaunchChoice worthwhile(const RowPlan &Plan, const PlanContext &C) {
  LaunchChoice Choice;
  for (const RowRegionPlan &R : Plan.Regions)
    for (const RowUnitPlan &U : R.Units) {
      if (!U.CheckProfit)
        return {};
      const size_t Others = Choice.size();
      if (U.canBeShort())
        addUnit(U, R, C.Limits, C.SE, Choice);
      else
        Choice.emplace_back(); // wherever it is reached
      const LaunchConditions Guards =
          launchGuards(*U.Unit.place()->getParent(), C.DT, C.SE);
      for (LaunchConditions &All : drop_begin(Choice, Others))
        append_range(All, Guards);
    }
  return Choice;
}

static void printStream(raw_ostream &OS, const Stream &S) {
  OS << "    " << (S.Kind == Stream::PerThread ? "row" : "uniform") << ": "
     << *S.Start;
  if (S.Step)
    OS << " + k * " << *S.Step;
  OS << ", " << S.Window << " bytes in words of " << S.Word << ", "
     << S.Loads.size() << (S.Loads.size() == 1 ? " load" : " loads")
     << ", thread stride ";
  if (S.ThreadStride)
    OS << *S.ThreadStride;
  else
    OS << (S.ThreadStrideSum ? "varies" : "unknown");
  OS << (S.Global ? "\n" : ", perhaps not global memory\n");
}

void print(raw_ostream &OS, const RowUnit &Unit) {
  if (Unit.isStraightLine()) {
    OS << "  record\n";
  } else {
    OS << "  loop of " << *Unit.TripCount << " iterations, "
       << Unit.Stores.size()
       << (Unit.Stores.size() == 1 ? " store" : " stores");
    if (Unit.OuterLoop != Unit.InnerLoop)
      OS << ", repeated by "
         << Unit.InnerLoop->getLoopDepth() - Unit.OuterLoop->getLoopDepth()
         << " loops around it";
    if (Unit.ThreadsInBlock)
      OS << ", of " << *Unit.ThreadsInBlock << " threads of a block at most";
    OS << "\n";
  }
  for (const Stream &S : Unit.Streams)
    printStream(OS, S);
}

void print(raw_ostream &OS, const RowPlan &Plan) {
  for (const RowRegionPlan &R : Plan.Regions) {
    OS << "  region from %" << R.Region.Entry->getName() << " to %"
       << R.Region.Exit->getName() << ", blocks of up to " << Plan.MaxThreads
       << " threads\n";
    for (const RowUnitPlan &U : R.Units) {
      print(OS, U.Unit);
      OS << "    tiles of " << U.Tile.Iterations << " iterations, "
         << U.BlockBytes << " bytes; sectors for an iteration of a warp: "
         << format("%.1f", U.Cost.SectorsBefore) << ", staged "
         << format("%.1f", U.Cost.SectorsAfter) << "\n";
      if (!U.Unit.isWhole()) {
        print(OS << "    ", U.Price.Many);
        print(OS << "    rows in the same banks: ", U.Price.Conflicting);
        print(OS << "    a warp alone: ", U.Price.OneWarp);
      }
    }
  }
}

static void remarkUnit(OptimizationRemarkEmitter &ORE, const RowUnitPlan &P) {
  const LoadInst &First = *P.Unit.Streams[0].Loads[0].Load;
  unsigned Loads = 0;
  for (const Stream &S : P.Unit.Streams)
    Loads += S.Loads.size();
  ORE.emit([&] {
    OptimizationRemark R(RemarkPass, "Staged", First.getDebugLoc(),
                         First.getParent());
    R << "staged " << ore::NV("Loads", Loads)
      << (Loads == 1 ? " load" : " loads") << " through "
      << ore::NV("Bytes", P.BlockBytes)
      << " bytes of shared memory of the block, in tiles of "
      << ore::NV("Steps", P.Tile.Iterations)
      << (P.Tile.Iterations == 1 ? " iteration; " : " iterations; ")
      << ore::NV("SectorsAfter", formatFigure(P.Cost.SectorsAfter))
      << " instead of "
      << ore::NV("SectorsBefore", formatFigure(P.Cost.SectorsBefore))
      << " sectors for an iteration of a warp";
    if (P.Unit.isWhole())
      return R;
    const RowGain Reason = P.Price.reason();
    addGain(R, *Reason.Gain);
    if (*Reason.Where)
      R << ", " << ore::NV("Where", Reason.Where);
    return R;
  });
}

static void remarkStream(OptimizationRemarkEmitter &ORE, const Stream &S,
                         const StreamLayout &L) {
  ORE.emit([&] {
    OptimizationRemarkAnalysis R(RemarkPass, "Stream",
                                 S.Loads[0].Load->getDebugLoc(),
                                 S.Loads[0].Load->getParent());
    R << (S.Kind == Stream::PerThread ? "a row for each thread, "
                                      : "one row for the warp, ")
      << ore::NV("Words", L.Words) << " words of " << ore::NV("Word", S.Word)
      << " bytes";
    if (unsigned Padding =
            S.Kind == Stream::PerThread ? L.Pitch - L.Words * S.Word : 0)
      R << ", padded by " << ore::NV("Padding", Padding) << " bytes";
    return R;
  });
}

void remark(OptimizationRemarkEmitter &ORE, const RowPlan &Plan) {
  for (const RowRegionPlan &R : Plan.Regions)
    for (const RowUnitPlan &U : R.Units) {
      remarkUnit(ORE, U);
      for (auto [S, Layout] : zip_equal(U.Unit.Streams, U.Tile.Streams))
        remarkStream(ORE, S, Layout);
    }
}

} // namespace ferry
