//===- WalkPlan.cpp - A stencil, plane by plane ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WalkPlan.h"
#include "stage/common/StageRemarks.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace ferry {

using gpu::WarpThreads;

LaunchChoice worthwhile(const WalkPlan &P, const PlanContext &C) {
  constexpr unsigned Columns = WalkPlan::Shape.columns();
  ScalarEvolution &SE = C.SE;
  const SCEV *Width = sizeOf(SE, P.Nest.Width);
  auto Number = [&](uint64_t N) { return SE.getConstant(Width->getType(), N); };
  const SCEV *Tiles = SE.getUDivExpr(SE.getAddExpr(Width, Number(Columns - 1)),
                                     Number(Columns));
  LaunchChoice Choice;
  for (const WalkLaunch &L : P.Worth) {
    LaunchConditions &All = Choice.emplace_back(
        conditionsOf(P.Nest, L.MinIterations, /*MinRows=*/0, Columns, C));
    All.push_back(
        {sizeOf(SE, P.Nest.PlaneSize), static_cast<int64_t>(P.MinOfPlane)});
    All.push_back(
        {SE.getMinusSCEV(SE.getMulExpr(Width, Number(100)),
                         SE.getMulExpr(Tiles, Number(Columns * L.MinFilled))),
         0});
  }
  return Choice;
}

/// Loads of fields that a thread does not do again, and all.
static std::pair<unsigned, unsigned> loadsOf(const KernelStencil &N) {
  unsigned Kept = 0;
  for (const StencilField &F : N.Fields)
    for (const PlaneRun &Run : F.planeRuns())
      Kept += Run.Planes.size() - 1;
  return {Kept, N.loads().size()};
}

void print(raw_ostream &OS, const WalkPlan &P) {
  const auto [Kept, All] = loadsOf(P.Nest);
  OS << "  walk through planes, of tiles of up to "
     << WalkPlan::Shape.rows(P.MaxThreads) << " x " << WalkPlan::Shape.columns()
     << " iterations; " << Kept << " of " << All
     << " loads kept from plane to plane; sectors that the block needs for "
     << WarpThreads << " iterations: " << format("%.1f", WarpThreads * P.Before)
     << ", staged " << format("%.1f", WarpThreads * P.After) << "\n";
  for (const StencilField &F : P.Nest.Fields)
    OS << "    field: " << F.Loads.size() << " loads, planes " << F.FirstPlane
       << " to " << F.LastPlane << ", rows " << F.FirstRow << " to "
       << F.LastRow << ", columns " << F.FirstColumn << " to " << F.LastColumn
       << "\n";
  OS << "    ";
  print(OS, P.Gain);
}

void remark(OptimizationRemarkEmitter &ORE, const WalkPlan &P) {
  ORE.emit([&] {
    const auto [Kept, All] = loadsOf(P.Nest);
    const LoadInst &First = *P.Nest.Fields[0].Loads[0].Load;
    OptimizationRemark R(RemarkPass, "Walked", placeOf(First),
                         First.getParent());
    R << "staged " << ore::NV("Kept", Kept) << " of " << ore::NV("Loads", All)
      << " loads in registers, which keep them from plane to plane, for tiles "
         "of up to "
      << ore::NV("Rows", WalkPlan::Shape.rows(P.MaxThreads)) << " x "
      << ore::NV("Columns", WalkPlan::Shape.columns()) << " iterations; ";
    addSectors(R, P.Before, P.After);
    addGain(R, P.Gain);
    return R;
  });
}

} // namespace ferry
