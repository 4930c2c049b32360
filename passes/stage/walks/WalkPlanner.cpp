//===- WalkPlanner.cpp - Stencils that walks pay for ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WalkPlan.h"
#include "WalkPrice.h"
#include "gpu/DeviceTable.h"
#include "stage/common/KernelInstructions.h"
#include "stage/stencils/StencilAnalysis.h"
#include "stage/stencils/StencilPrice.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<double>
    LeastWalkGain("ferry-stage-walk-gain", cl::Hidden, cl::init(1.1),
                  cl::desc("How many times the time of walks through planes a "
                           "stencil has to take, by prediction"));

// The instructions of both versions are known to a tenth.
static cl::opt<double> LeastWalkLaunchGain(
    "ferry-stage-walk-launch-gain", cl::Hidden, cl::init(1.2),
    cl::desc("How many times the time of walks the smallest launch that takes "
             "them has to take, by prediction"));

static cl::opt<unsigned> MostKeptWords(
    "ferry-stage-walk-kept-words", cl::Hidden, cl::init(96),
    cl::desc("Words of 4 bytes that a thread may keep from plane to plane"));

namespace ferry {

/// Iterations of the smallest planes that are walked through, 32 x 32.
static constexpr uint64_t LeastPlane = 1024;

/// Counts what a block loads, each sector once: more often a sector comes from
/// the first-level cache, which has a plane's rows until the walk has left it.
static void estimate(WalkPlan &Plan) {
  constexpr TileShape Shape = WalkPlan::Shape;
  const unsigned Threads = gpu::DefaultBlockThreads;
  for (const StencilField &F : Plan.Nest.Fields) {
    Plan.Before += sectorsAsItIs(F, Threads);
    Plan.After +=
        sectorsOf(Shape.rows(Threads) + F.LastRow - F.FirstRow,
                  Shape.columns() + F.LastColumn - F.FirstColumn, F.Size) /
        Threads;
  }
  Plan.Others = sectorsOfOthers(Plan.Nest, Threads);
  Plan.Before += Plan.Others;
  Plan.After += Plan.Others;
}

/// Words of 4 bytes that a thread keeps.
static unsigned keptWords(const KernelStencil &N) {
  unsigned Words = 0;
  for (const StencilField &F : N.Fields)
    Words += F.keptWords();
  return Words;
}

/// Sets which launches take \p Plan's walks: small planes may stay in the
/// second level anyway, and a launch of few iterations has few planes for a
/// thread, or too few threads.
static void setLeast(WalkPlan &Plan, const PlanContext &C) {
  constexpr uint64_t Step = 64 * 1024, Most = StencilPlan::PricedIterations;
  auto GainOf = [&](uint64_t Iterations, uint64_t OfPlane, double Filled) {
    const PredictedGain G = priceOf(Plan, C, Iterations, OfPlane, Filled);
    return G.Plain.Clocks / G.Staged.Clocks;
  };
  Plan.MinOfPlane = LeastPlane;
  while (Plan.MinOfPlane < WalkPlan::PricedPlane &&
         GainOf(Most, Plan.MinOfPlane, 1) < LeastWalkLaunchGain)
    Plan.MinOfPlane *= 2;
  // In smaller launches the OpenMP runtime takes blocks of one warp, which have
  // no neighbours in a tile.
  uint64_t Least = gpu::MostDefaultBlocks * gpu::DefaultBlockThreads;
  // Columns that a tile has not are idle threads.
  for (unsigned Filled : {97, 75, 50}) {
    while (Least < Most &&
           GainOf(Least, Plan.MinOfPlane, Filled / 100.) < LeastWalkLaunchGain)
      Least += Step;
    if (Least >= Most &&
        GainOf(Most, Plan.MinOfPlane, Filled / 100.) < LeastWalkGain)
      break;
    Plan.Worth.push_back({Least, Filled});
  }
}

template <>
std::optional<WalkPlan> findPlan(const PlanContext &C,
                                 std::vector<StageNote> &Notes) {
  // What is no stencil across planes may be one in a plane, so that says why.
  std::vector<StageNote> Other;
  auto Nest = findSpace<KernelStencil, VolumeFinder>(C, Other);
  if (!Nest || isNarrow(*Nest, WalkPlan::Shape.columns()) ||
      keptWords(*Nest) > MostKeptWords)
    return std::nullopt;
  WalkPlan Plan;
  Plan.Nest = std::move(*Nest);
  Plan.MaxThreads = TileShape::maxThreads(C.Limits.MaxThreads);
  if (Plan.MaxThreads < TileShape::MinThreads)
    return std::nullopt;
  estimate(Plan);
  Plan.ThreadsToFill = threadsToFill(Plan, C);
  auto *OfPlane = dyn_cast<ConstantInt>(Plan.Nest.PlaneSize);
  Plan.Gain =
      priceOf(Plan, C, StencilPlan::PricedIterations,
              OfPlane ? OfPlane->getLimitedValue() : WalkPlan::PricedPlane,
              /*Filled=*/1);
  if (C.Mode == StageMode::Always)
    return Plan;
  setLeast(Plan, C);
  auto *Total = dyn_cast<ConstantInt>(Plan.Nest.Total);
  if (!Plan.Worth.empty() &&
      Plan.Gain.Plain.Clocks >= LeastWalkGain * Plan.Gain.Staged.Clocks &&
      (!Total || Total->getValue().uge(Plan.Worth[0].MinIterations)))
    return Plan;
  for (const LoadInst *Load : Plan.Nest.loads())
    Notes.push_back({Load, StageRefusal::LittleGain});
  return std::nullopt;
}

} // namespace ferry
