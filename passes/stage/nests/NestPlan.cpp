//===- NestPlan.cpp - A nest of loops, tile by tile -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestPlan.h"
#include "gpu/DeviceTable.h"
#include "stage/common/GpuModel.h"
#include "stage/common/StageRemarks.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

unsigned NestPlan::minDepth() const {
  double AsIs = Plain.OneWarp;
  if (auto *Chunk = dyn_cast<ConstantInt>(Nest.Chunk))
    AsIs *= divideCeil(Chunk->getZExtValue(), TileShape::MinThreads);
  double Least = AsIs;
  for (const NestTiles &T : Versions)
    Least = std::min(Least, T.clocksAlone());
  // On an H100 plain steps that do not store have more under way together than
  // the price says: products of up to 192 x 192 gained nothing.
  const bool GainsLess = Versions.back().Async && Nest.StepStores.empty();
  constexpr unsigned MoreBeside = 9000;
  const auto Needed = static_cast<unsigned>(
      (GainsLess ? MoreBeside : clocksBeside()) / std::max(AsIs - Least, 1.));
  return std::max(Needed, leastSteps());
}

unsigned NestPlan::leastSteps() const {
  return Nest.StepStores.empty() ? 0 : 2 * Versions[0].Depth;
}

unsigned NestPlan::justMany() const {
  // More than fit at once beside the room for tiles take turns.
  return std::min(16u, Plain.Resident);
}

uint64_t NestPlan::manyIterations() const {
  return uint64_t(Gain.Gpu->multiprocessors()) * justMany() * gpu::WarpThreads;
}

unsigned NestPlan::stepsForJustMany() const {
  // A warp has 32 iterations as they are, and several times as many in tiles.
  auto Clocks = [&](double OfEach, double Alone) {
    return std::max(justMany() * OfEach, Alone);
  };
  const double AsIs = Clocks(Gain.Plain.Clocks, Plain.OneWarp);
  double Least = AsIs;
  for (const NestTiles &T : Versions)
    Least = std::min(Least, Clocks(T.clocksOfEach(), T.clocksAlone()));
  const auto Needed =
      static_cast<unsigned>(clocksBeside() / std::max(AsIs - Least, 1.));
  return std::max(Needed, StepsForChoice);
}

LaunchChoice worthwhile(const NestPlan &Plan, const PlanContext &C) {
  if (!Plan.OnlyIfFaster)
    return {};
  ScalarEvolution &SE = C.SE;
  const TileShape &Smallest = Plan.Versions.back().Shape;
  const int64_t Columns = Smallest.columns();
  const int64_t Iterations = Columns * Smallest.rows(TileShape::MinThreads);
  int64_t Depth = INT64_MAX; // of the shallowest tiles
  for (const NestTiles &T : Plan.Versions)
    Depth = std::min<int64_t>(Depth, T.Depth);
  auto With = [&](int64_t LeastIterations, int64_t LeastDepth) {
    LaunchConditions All = {
        {sizeOf(SE, Plan.Nest.Total), std::max(Iterations, LeastIterations)},
        {sizeOf(SE, Plan.Nest.Width), Columns},
        {Plan.Nest.TripCount, std::max(Depth, LeastDepth)}};
    addWholeRows(All, Plan.Nest, SE);
    return All;
  };
  const auto Many = static_cast<int64_t>(Plan.manyIterations());
  LaunchConditions Few = With(Iterations, Plan.minDepth());
  if (Plan.asksOnlyFew())
    Few.push_back({sizeOf(SE, Plan.Nest.Total), INT64_MIN, Many - 1});
  LaunchConditions Several =
      With(static_cast<int64_t>(NestPlan::MostThreads), Depth);
  Several.push_back(
      {SE.getMulExpr(sizeOf(SE, Plan.Nest.Total), Plan.Nest.TripCount),
       static_cast<int64_t>(NestPlan::MostThreads * Plan.StepsForChoice)});
  // So many that warps with tiles are many as well.
  constexpr int64_t Times = 4;
  return {With(Times * Many, Plan.StepsForChoice),
          With(Many, Plan.stepsForJustMany()), std::move(Several),
          std::move(Few)};
}

void print(raw_ostream &OS, const NestPlan &P) {
  static constexpr const char *By[] = {"row", "column", "step"};
  for (const NestTiles &T : P.Versions)
    OS << "  nest in tiles of up to " << T.Shape.rows(T.MaxThreads) << " x "
       << T.Shape.columns() << " iterations, " << T.Shape.ThreadRows << " x "
       << T.Shape.ThreadColumns << " a thread, " << T.Depth
       << " steps at a time, " << T.bytes() << " bytes; limited by "
       << T.Time.Limiter << "\n";
  for (const NestOperand &S : P.Nest.Streams)
    OS << "    by " << By[S.By] << ":" << *S.Load << "\n";
  for (const StoreInst *S : P.Nest.StepStores)
    OS << "    kept in memory:" << *S << "\n";
  OS << "    ";
  print(OS, P.Gain);
}

void remark(OptimizationRemarkEmitter &ORE, const NestPlan &P) {
  const NestTiles &T = P.Versions.front();
  ORE.emit([&] {
    OptimizationRemark R =
        remarkTiled(*P.Nest.Streams[0].Load, P.Nest.Streams.size(), P.bytes(),
                    T.Shape.rows(T.MaxThreads), T.Shape.columns());
    R << " iterations, " << ore::NV("ThreadRows", T.Shape.ThreadRows) << " x "
      << ore::NV("ThreadColumns", T.Shape.ThreadColumns) << " a thread, "
      << ore::NV("Steps", T.Depth) << " steps at a time";
    addGain(R, P.Gain);
    return R;
  });
}

} // namespace ferry
