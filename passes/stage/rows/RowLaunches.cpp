//===- RowLaunches.cpp - In which launches rows are staged ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the host asks of a launch's arguments before it takes the kernel with
// tiles. Each list of conditions is enough: rows of one unit pay in one kind of
// launch if all of them hold.
//
//===----------------------------------------------------------------------===//

#include "RowPlan.h"
#include "stage/common/GpuModel.h"
#include "stage/common/Guards.h"
#include "stage/common/LaunchValues.h"
#include "stage/common/PlanContext.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

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

/// What is left of \p S, divided by \p By.
static const SCEV *remainder(const SCEV *S, uint64_t By, ScalarEvolution &SE) {
  return SE.getURemExpr(S, SE.getConstant(S->getType(), By));
}

/// By how many bytes rows of \p Plan are further apart than the multiple of \p
/// Apart below. Null if that is not known before the launch, or is known not to
/// be 0, or \p Apart is.
static const SCEV *restOfDistance(const RowUnitPlan &Plan, unsigned Apart,
                                  ScalarEvolution &SE) {
  const SCEV *Distance = Plan.distance();
  if (!Distance || !Apart)
    return nullptr;
  const SCEV *Rest = remainder(Distance, Apart, SE);
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

/// No clause asks for teams or threads: the runtime chooses smaller blocks
/// where iterations are few.
static constexpr LaunchCondition NoClauses{nullptr, INT64_MIN, 0};

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
  Add(Plan.OfMemory.MostByClause + 1, std::nullopt);
  if (Plan.OfMemory.Most < Plan.OfMemory.MostByClause)
    Add(std::max(Plan.FewWarps, Plan.OfMemory.Most + 1), NoClauses);
  if (Rest)
    Add(Plan.FewWarps, LaunchCondition{Rest, INT64_MIN, 0});
}

/// Whether \p U waits for each tile in blocks that are as large as they can be.
/// Threads find that out as well, but not always before they do something else,
/// and where loops are staged ptxas lets plain ones wait more often.
static bool waitsForCopies(const RowUnitPlan &U, const KernelLimits &Limits) {
  return U.Async && !U.Unit.isWhole() && Limits.maxWarps() > U.mostWarpsAhead();
}

/// How many rows make up for what \p U, of \p R, waits for in a block that is
/// as large as it can be, if it has few, without conflicts of banks. 0 where
/// any do; nothing where none do.
static std::optional<uint64_t> leastRowsOfLargest(const RowUnitPlan &U,
                                                  const RowRegionPlan &R,
                                                  const KernelLimits &Limits) {
  // Predicted, sums of 500 in one block with `thread_limit(192)` and 256: up to
  // 100 rows took 1.03 to 1.3 times as long, from 150 on 0.6 to 1.
  constexpr unsigned MostLacking = 5;
  const bool Waits = waitsForCopies(U, Limits);
  if (Waits && (!R.OfThreads || U.Price.LeastToWait > Limits.maxWarps()))
    return std::nullopt;
  if (!R.Iterations || (!Waits && !U.paysInFullWarps()))
    return 0;
  return uint64_t(Waits ? U.Price.LeastToWait : MostLacking) * gpu::WarpThreads;
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
  const std::optional<uint64_t> LeastRows = leastRowsOfLargest(U, R, Limits);
  const bool Lacks = R.Iterations && U.waitsByClause();
  const bool InAnyBlock = LeastRows == 0 && !Lacks;
  const SCEV *Rest =
      restOfDistance(U, U.Async ? gpu::LineBytes : U.ConflictingBytes, SE);
  if ((InAnyBlock && !U.asksMemoryOfFew()) || (Rest && Rest->isZero()))
    return Add({});
  if (Rest)
    Add(LaunchCondition{Rest, INT64_MIN, 0});
  // Without conflicts of banks:
  LaunchConditions Other;
  if (U.asksMemoryOfFew())
    Other.push_back(
        {Size, INT64_MIN, (int64_t(U.OfMemory.Least) - 1) * OfWarp});
  if (InAnyBlock)
    return Add(Other);
  auto AddOther = [&](const LaunchCondition &Condition) {
    Other.push_back(Condition);
    Add(Other);
    Other.pop_back();
  };
  if (R.OfThreads && !Limits.areThreadsFixed())
    AddOther(NoClauses);
  if (LeastRows && !Lacks)
    AddOther({R.Iterations, int64_t(*LeastRows)});
  // A warp that lacks threads copies small tiles for longer, and rows have to
  // be longer. Predicted, of 140 to 150 floats: 1.01 to 1.03 times as long.
  if (Lacks)
    Other.push_back({U.Unit.TripCount, int64_t(6) * U.Tile.Iterations});
  if (Lacks || (LeastRows && !U.Async))
    AddOther({remainder(R.Iterations, gpu::WarpThreads, SE), INT64_MIN, 0});
}

/// What is at least leastInBlock() where as many of a block's threads as \p
/// Threads have rows of \p U, and they are in warps that lack few.
static const SCEV *threadsInFullWarps(const SCEV *Threads,
                                      ScalarEvolution &SE) {
  auto Constant = [&](int64_t Number) {
    return SE.getConstant(Threads->getType(), Number);
  };
  const SCEV *Lacks =
      SE.getUMinExpr(remainder(Threads, gpu::WarpThreads, SE), Constant(1));
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
/// how many blocks they have and how many rows a block has, both at most.
static void addBlocks(const RowUnitPlan &U, const RowRegionPlan &R,
                      const KernelLimits &Limits, ScalarEvolution &SE,
                      LaunchChoice &Choice) {
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

/// How many threads have rows of \p U, of \p R, at a time, if as many run as
/// iterations are enough for; no more than the teams have that a clause asks
/// for. With asynchronous copies such launches gain as those of more threads
/// do.
static const SCEV *threadsWithRows(const RowUnitPlan &U, const RowRegionPlan &R,
                                   const KernelLimits &Limits,
                                   ScalarEvolution &SE) {
  if (!Limits.Teams || U.Async)
    return R.Iterations;
  return SE.getSMinExpr(R.Iterations,
                        SE.getConstant(R.Iterations->getType(),
                                       Limits.Teams * Limits.MaxThreads));
}

/// Adds to \p Choice what has to hold for \p U of \p R, in launches of any
/// kind.
static void addUnit(const RowUnitPlan &U, const RowRegionPlan &R,
                    const KernelLimits &Limits, ScalarEvolution &SE,
                    LaunchChoice &Choice) {
  auto Add = [&](ArrayRef<LaunchKind> Kinds, const LaunchConditions &Others) {
    addChoices(U, Kinds, Others, SE, Choice);
  };
  // Parts that only blocks know may have a few rows each, and a kernel that
  // finds that out has few registers left for loops as they were, and fewer
  // blocks resident. Predicted for a V100 and an H100, 8,384 rows of 3,200
  // blocks: 2 to 2.6 times as long.
  if (!R.Iterations && !R.OfThreads && !U.Unit.Threads) {
    const SCEV *Never = SE.getZero(Type::getInt64Ty(SE.getContext()));
    Choice.push_back({{Never, 1}});
    return;
  }
  if (R.Blocks)
    return addBlocks(U, R, Limits, SE, Choice);
  if (!R.Iterations && U.FewWarps == RowUnitPlan::AlwaysFew)
    return Add(LaunchKind::FewWarps, {});
  if (!R.Iterations)
    return Add({LaunchKind::ManyWarps, LaunchKind::FewWarps}, {});
  // There are at most as many warps as iterations are enough for, and most
  // likely as many. What is enough for few warps is for many as well, unless
  // plain loads have a cache to themselves, or there is no room for all blocks.
  const SCEV *Threads = threadsWithRows(U, R, Limits, SE);
  const int64_t Many = int64_t(U.FewWarps) * gpu::WarpThreads;
  addManyWarps(U, LaunchKind::ManyWarps, Threads, gpu::WarpThreads, {}, SE,
               Choice);
  LaunchConditions Few;
  if (U.Rereads || U.canBeCrowded() || U.asksMemory() || U.asksMemoryOfFew())
    Few.push_back({Threads, INT64_MIN,
                   std::min(Many - 1, int64_t(U.RoomFor) * gpu::WarpThreads)});
  addFewWarps(U, R, Threads, gpu::WarpThreads, Few, Limits, SE, Choice);
  if (U.Price.Thrashing.Iterations)
    addManyWarps(U, LaunchKind::Thrashing, Threads, gpu::WarpThreads,
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

} // namespace ferry
