//===- StencilPlan.cpp - A stencil, tile by tile --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StencilPlan.h"
#include "stage/common/GpuModel.h"
#include "stage/common/Guards.h"
#include "stage/common/StageRemarks.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace ferry {

using gpu::WarpThreads;

SmallVector<const Instruction *, 8> StencilPlan::others() const {
  SmallVector<const Instruction *, 8> Others;
  for (const BasicBlock *B : Nest.ThreadLoop->blocks())
    for (const Instruction &I : *B)
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load ? !isStaged(*Load) : isa<StoreInst>(I))
        Others.push_back(&I);
  return Others;
}

LaunchChoice worthwhile(const StencilPlan &P, const PlanContext &C) {
  if (!P.MinIterations)
    return {};
  ScalarEvolution &SE = C.SE;
  const SCEV *Total = sizeOf(SE, P.Nest.Total),
             *Width = sizeOf(SE, P.Nest.Width);
  LaunchConditions Large = {{Total, static_cast<int64_t>(P.MinIterations)},
                            {Width, static_cast<int64_t>(P.MinColumns)}};
  addWholeRows(Large, P.Nest, SE);
  if (P.MinRows) {
    const SCEV *OfRows =
        SE.getMulExpr(Width, SE.getConstant(Width->getType(), P.MinRows));
    Large.push_back({SE.getMinusSCEV(Total, OfRows), 0});
  }
  BasicBlock *Reads = P.Nest.Fields[0].Loads[0].Load->getParent();
  for (const StencilField &F : P.Nest.Fields)
    for (const StencilLoad &L : F.Loads)
      Reads = C.DT.findNearestCommonDominator(Reads, L.Load->getParent());
  append_range(Large, launchGuards(*Reads, C.DT, SE));
  return {Large};
}

void print(raw_ostream &OS, const StencilPlan &P) {
  OS << "  stencil in tiles of up to " << StencilPlan::Shape.rows(P.MaxThreads)
     << " x " << StencilPlan::Shape.columns() << " iterations, " << P.bytes()
     << " bytes; sectors that the block needs for " << WarpThreads
     << " iterations: " << format("%.1f", WarpThreads * P.Before) << ", staged "
     << format("%.1f", WarpThreads * P.After) << "\n";
  for (const StencilField &F : P.Nest.Fields)
    OS << "    field: " << F.Loads.size() << " loads, rows " << F.FirstRow
       << " to " << F.LastRow << ", columns " << F.FirstColumn << " to "
       << F.LastColumn << "\n";
  OS << "    ";
  print(OS, P.Gain);
}

void remark(OptimizationRemarkEmitter &ORE, const StencilPlan &P) {
  ORE.emit([&] {
    OptimizationRemark R = remarkTiled(
        *P.Nest.Fields[0].Loads[0].Load, P.loads(), P.bytes(),
        StencilPlan::Shape.rows(P.MaxThreads), StencilPlan::Shape.columns());
    R << " iterations; "
      << ore::NV("SectorsAfter", formatFigure(WarpThreads * P.After))
      << " instead of "
      << ore::NV("SectorsBefore", formatFigure(WarpThreads * P.Before))
      << " sectors that the block needs for "
      << ore::NV("Iterations", WarpThreads) << " iterations";
    addGain(R, P.Gain);
    return R;
  });
}

} // namespace ferry
