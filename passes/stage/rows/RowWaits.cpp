//===- RowWaits.cpp - What an iteration over rows waits for ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowWaits.h"
#include "RowPlan.h"
#include "gpu/DeviceTable.h"
#include "stage/common/GpuModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace ferry {

unsigned overlapOf(const RowUnit &Unit) {
  constexpr unsigned ByPtxas = 4;
  constexpr unsigned FewLoads = 4; // ptxas leaves loops with more alone
  const unsigned Times = Unit.TimesUnrolled;
  const auto Loads = static_cast<unsigned>(
      count_if(*Unit.InnerLoop->getHeader(),
               [](const Instruction &I) { return isa<LoadInst>(I); }));
  if (Times == 0)
    return 1;
  return Times * (Times * Loads <= FewLoads ? ByPtxas : 1);
}

unsigned overlapOfTiles(const RowUnitPlan &Plan) {
  if (Plan.FullTiles)
    return Plan.FullUnroll;
  return Plan.UnrollsParts
             ? Plan.unrollCount()
             : std::clamp(Plan.Unit.TimesUnrolled, 1u, Plan.unrollCount());
}

/// Whether what one of \p Loads has read says, in an iteration of \p L, from
/// where \p Load reads.
static bool follows(const LoadInst &Load,
                    const SmallPtrSetImpl<const Value *> &Loads,
                    const Loop &L) {
  SmallSetVector<const Value *, 8> Work;
  Work.insert(Load.getPointerOperand());
  for (unsigned Next = 0; Next < Work.size(); ++Next) {
    auto *I = dyn_cast<Instruction>(Work[Next]);
    if (!I || !L.contains(I) || isa<PHINode>(I))
      continue;
    if (Loads.contains(I))
      return true;
    Work.insert(I->op_begin(), I->op_end());
  }
  return false;
}

double waitForStreams(const RowUnitPlan &Plan, const KernelLimits &Limits,
                      double Far) {
  const unsigned Overlap = overlapOf(Plan.Unit);
  // Where rows begin at the same place of a sector, the threads of a warp come
  // to the next one together, and need not do so each time that they wait.
  double NewSectors = 1;
  for (const Stream &S : Plan.Unit.Streams)
    if (S.Kind == Stream::PerThread && S.ConstantStep)
      NewSectors =
          std::min(NewSectors, Overlap * std::abs(double(*S.ConstantStep)) /
                                   gpu::SectorBytes);
  return (Far * NewSectors + Limits.Gpu->L1Latency * (1 - NewSectors)) /
         Overlap;
}

OtherWaits waitForOthers(const RowUnit &Unit, const sim::DeviceModel &Gpu,
                         double Far) {
  const SmallPtrSet<const Value *, 8> OfStreams = Unit.loadsOfStreams();
  OtherWaits Wait;
  for (const MovingLoad &Its : Unit.Moving) {
    if (OfStreams.contains(Its.Load))
      continue;
    // The threads of a warp come to other sectors in each iteration, or all
    // together and less often.
    const double New =
        Its.CommonStep
            ? std::min(1., double(*Its.CommonStep) / gpu::SectorBytes)
            : 1;
    Wait.Clocks = std::max(Wait.Clocks, New * Far + (1 - New) * Gpu.L1Latency);
    Wait.Follow |= follows(*Its.Load, OfStreams, *Unit.InnerLoop);
  }
  return Wait;
}

} // namespace ferry
