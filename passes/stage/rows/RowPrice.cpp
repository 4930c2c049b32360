//===- RowPrice.cpp - What a meeting has to make up for -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a launch of few warps nobody works while one waits: the time is that of
// one warp, from its first instruction to its last. An iteration of the loop as
// it is costs, beside what it computes, the passes of its loads through the
// first level, and its part of a wait for memory:
//
//   passes + wait / overlap
//
// where overlap is in how many iterations loads are under way together, once
// the loop is unrolled. An iteration that reads a tile costs its part of the
// copies instead. What is done once for a walk has to be made up for by as many
// iterations as the difference goes into it.
//
// The form is that of the simulator's time (tools/sim/engine/Phases.h). The
// costs of copies and meetings were found with it, as slope and intercept of
// kernels of tools/bench/kernels/programs.h over the length of a row.
//
//===----------------------------------------------------------------------===//

#include "RowPrice.h"
#include "RowPlan.h"
#include "gpu/DeviceTable.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

/// How many iterations of \p Unit have their loads under way together.
static unsigned overlapOf(const RowUnit &Unit) {
  constexpr unsigned Most = 8;    // that LLVM unrolls a loop at run time
  constexpr unsigned Budget = 75; // instructions that it unrolls it to
  constexpr unsigned ByPtxas = 4;
  constexpr unsigned FewLoads = 4; // ptxas leaves loops with more alone
  // What is loaded next may be what is stored; and what is unrolled already
  // remains as it is.
  if (!Unit.Stores.empty() || Unit.Walk->getNumBlocks() != 1 ||
      findOptionMDForLoop(Unit.Walk, "llvm.loop.unroll.disable"))
    return 1;
  const BasicBlock &Body = *Unit.Walk->getHeader();
  // Addresses are part of accesses, and the end of the loop remains one.
  const unsigned Size = count_if(Body, [](const Instruction &I) {
    return !isa<PHINode, GetElementPtrInst, ICmpInst, BranchInst>(I) &&
           !I.isDebugOrPseudoInst();
  });
  if (const unsigned Times = bit_floor(Budget / std::max(Size, 1u)); Times > 1)
    return std::min(Times, Most);
  return count_if(Body,
                  [](const Instruction &I) { return isa<LoadInst>(I); }) <=
                 FewLoads
             ? ByPtxas
             : 1;
}

RowPrice RowPrice::of(const RowUnitPlan &Plan, const KernelLimits &Limits) {
  constexpr double RowPasses = 9; // addresses of a warp in 32 lines
  // For a word of each row, copied asynchronously or through registers.
  const double Copy = Plan.Async ? 12 : 18;
  const double OfTile = 300. / Plan.Tile.Steps;
  const double Agreeing = Plan.Async ? 600 : 100;
  const sim::DeviceModel &Gpu = *Limits.Gpu;
  // Memory is read in pieces of two sectors, so the second level has every
  // other one.
  const double Wait = (Gpu.L2Latency + Gpu.DramLatency) / 2;
  RowPrice Price;
  Price.Meeting = Wait + Agreeing;
  Price.Saved = Wait / overlapOf(Plan.Unit);
  for (const Stream &S : Plan.Unit.Streams)
    if (S.Kind == Stream::Row)
      Price.Saved +=
          RowPasses * S.Loads.size() - Copy * S.wordsPerStep() - OfTile;
  return Price;
}

} // namespace ferry
