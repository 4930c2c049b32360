//===- StencilPlanner.cpp - Stencils that tiles pay for -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StencilAnalysis.h"
#include "StencilPrice.h"
#include "gpu/DeviceTable.h"
#include "stage/common/GpuModel.h"
#include "stage/common/KernelInstructions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<double>
    LeastStencilGain("ferry-stage-stencil-gain", cl::Hidden, cl::init(1.1),
                     cl::desc("How many times the time of tiles a stencil has "
                              "to take, by prediction"));

// With fewer, what each block has to find out before its first tile takes as
// long as tiles of most stencils save: by the model of time, on grids of fewer
// than 700 x 700.
static cl::opt<unsigned> LeastStencilIterations(
    "ferry-stage-stencil-iterations", cl::Hidden, cl::init(512 * 1024),
    cl::desc("Iterations that a grid has to have. Default: by prediction, "
             "524288 at least"));

// The instructions of both versions are known to a tenth.
static cl::opt<double> LeastLaunchGain(
    "ferry-stage-stencil-launch-gain", cl::Hidden, cl::init(1.2),
    cl::desc("How many times the time of tiles the smallest launch that takes "
             "them has to take, by prediction"));

static cl::opt<unsigned> LeastGuardedRows(
    "ferry-stage-stencil-guarded-rows", cl::Hidden, cl::init(128),
    cl::desc("Rows that a grid has to have where a stencil is guarded"));

static cl::opt<unsigned> LeastGuardedColumns(
    "ferry-stage-stencil-guarded-columns", cl::Hidden, cl::init(256),
    cl::desc("Columns that a grid has to have where a stencil is guarded"));

namespace ferry {

/// Counts what a block loads, each sector once: more often a sector comes from
/// the first-level cache.
static void estimate(StencilPlan &Plan) {
  constexpr TileShape Shape = StencilPlan::Shape;
  unsigned Threads = Plan.MaxThreads;
  unsigned Iterations = Shape.rows(Threads) * Shape.columns();
  for (const StencilField &F : Plan.Nest.Fields) {
    Plan.Before += sectorsAsItIs(F, Threads);
    Plan.After += sectorsOf(StencilPlan::rows(F, Threads),
                            StencilPlan::pitch(F), F.Size) /
                  Iterations;
  }
  // What else is loaded is loaded by both.
  const double Other = sectorsOfOthers(Plan.Nest, Threads);
  Plan.Before += Other;
  Plan.After += Other;
}

/// The fewest iterations of a launch from which on \p Plan gains: blocks choose
/// the version before their first tile, and in small launches few have one.
static uint64_t leastToGain(const StencilPlan &Plan, const PlanContext &C) {
  constexpr uint64_t Step = 64 * 1024;
  uint64_t Least = LeastStencilIterations;
  if (LeastStencilIterations.getNumOccurrences())
    return Least;
  for (; Least < StencilPlan::PricedIterations; Least += Step) {
    const PredictedGain G = priceOf(Plan, C, Least);
    if (G.Plain.Clocks >= LeastLaunchGain * G.Staged.Clocks)
      break;
  }
  return Least;
}

/// Sets how large a launch has to be. Tiles at the border of a grid, where
/// guards do not hold, are slower than the loops, so they have to be few.
static void setLeast(StencilPlan &Plan, const PlanContext &C) {
  const bool Guarded = !Plan.Nest.Guards.empty();
  Plan.MinIterations = std::max<uint64_t>(
      (Guarded ? 2 : 1) * LeastStencilIterations, leastToGain(Plan, C));
  Plan.MinRows = Guarded ? LeastGuardedRows : 0;
  Plan.MinColumns = StencilPlan::Shape.columns();
  if (Guarded)
    Plan.MinColumns = std::max<uint64_t>(Plan.MinColumns, LeastGuardedColumns);
}

/// Sets the predicted gain of \p Plan; whether that is enough. What iterations
/// of other planes read, tiles of a plane load again, perhaps from memory.
static bool gains(StencilPlan &Plan, const PlanContext &C) {
  Plan.Gain = priceOf(Plan, C, StencilPlan::PricedIterations);
  return !Plan.Nest.ReadsOtherPlanes &&
         Plan.Gain.Plain.Clocks >= LeastStencilGain * Plan.Gain.Staged.Clocks;
}

template <>
std::optional<StencilPlan> findPlan(const PlanContext &C,
                                    std::vector<StageNote> &Notes) {
  auto Nest = findSpace<KernelStencil, StencilFinder>(C, Notes);
  if (!Nest)
    return std::nullopt;
  StencilPlan Plan;
  Plan.Nest = std::move(*Nest);
  auto Leave = [&](StageRefusal Why) {
    for (const LoadInst *Load : Plan.Nest.loads())
      Notes.push_back({Load, Why});
    return std::nullopt;
  };
  if (isNarrow(Plan.Nest, StencilPlan::Shape.columns()))
    return Leave(StageRefusal::NarrowGrid);
  Plan.Async = C.Limits.AsyncCopies && Plan.Nest.CanBeAsync;
  Plan.MaxThreads = TileShape::maxThreads(C.Limits.MaxThreads);
  if (!shrinkTo(Plan, C.Budget)) {
    Plan.MaxThreads = TileShape::MinThreads;
    Notes.push_back(noteNoBudget(*Plan.Nest.Fields[0].Loads[0].Load,
                                 Plan.bytes(), C.Budget));
    return std::nullopt;
  }
  estimate(Plan);
  const bool Gains = gains(Plan, C);
  if (C.Mode == StageMode::Always)
    return Plan;
  if (!Gains)
    return Leave(StageRefusal::LittleGain);
  setLeast(Plan, C);
  return Plan;
}

} // namespace ferry
