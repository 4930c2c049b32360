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

SmallVector<const Instruction *, 8> KernelStencil::others() const {
  const auto Staged = loads();
  SmallVector<const Instruction *, 8> Others;
  for (const BasicBlock *B : ThreadLoop->blocks())
    for (const Instruction &I : *B)
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load ? !is_contained(Staged, Load) : isa<StoreInst>(I))
        Others.push_back(&I);
  return Others;
}

bool isNarrow(const KernelStencil &N, unsigned Columns) {
  auto *Width = dyn_cast<ConstantInt>(N.Width);
  return Width && Width->getValue().ult(Columns);
}

LaunchConditions conditionsOf(const KernelStencil &N, uint64_t MinIterations,
                              uint64_t MinRows, uint64_t MinColumns,
                              const PlanContext &C) {
  ScalarEvolution &SE = C.SE;
  const SCEV *Total = sizeOf(SE, N.Total), *Width = sizeOf(SE, N.Width);
  LaunchConditions Large = {{Total, static_cast<int64_t>(MinIterations)},
                            {Width, static_cast<int64_t>(MinColumns)}};
  addWholeRows(Large, N, SE);
  if (MinRows) {
    const SCEV *OfRows =
        SE.getMulExpr(Width, SE.getConstant(Width->getType(), MinRows));
    Large.push_back({SE.getMinusSCEV(Total, OfRows), 0});
  }
  BasicBlock *Reads = N.Fields[0].Loads[0].Load->getParent();
  for (const LoadInst *L : N.loads())
    Reads = C.DT.findNearestCommonDominator(
        Reads, const_cast<BasicBlock *>(L->getParent()));
  append_range(Large, launchGuards(*Reads, C.DT, SE));
  return Large;
}

LaunchChoice worthwhile(const StencilPlan &P, const PlanContext &C) {
  if (!P.MinIterations)
    return {};
  return {conditionsOf(P.Nest, P.MinIterations, P.MinRows, P.MinColumns, C)};
}

void addSectors(OptimizationRemark &R, double Before, double After) {
  R << ore::NV("SectorsAfter", formatFigure(WarpThreads * After))
    << " instead of "
    << ore::NV("SectorsBefore", formatFigure(WarpThreads * Before))
    << " sectors that the block needs for "
    << ore::NV("Iterations", WarpThreads) << " iterations";
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
        *P.Nest.Fields[0].Loads[0].Load, P.Nest.loads().size(), P.bytes(),
        StencilPlan::Shape.rows(P.MaxThreads), StencilPlan::Shape.columns());
    R << " iterations; ";
    addSectors(R, P.Before, P.After);
    addGain(R, P.Gain);
    return R;
  });
}

} // namespace ferry
