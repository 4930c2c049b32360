//===- RowPrice.cpp - What rows cost as they are and in tiles -------------===//
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
// copies instead, and a wait for what else it loads. What is done once for a
// walk has to be made up for by as many iterations as the difference goes into
// it.
//
// In a launch of many warps it is another one (ManyWarps.h).
//
// The form is that of the simulator's time (tools/sim/engine/Phases.h). The
// costs of copies and meetings were found with it, as slope and intercept of
// kernels of tools/bench/kernels/programs.h over the length of a row.
//
//===----------------------------------------------------------------------===//

#include "RowPrice.h"
#include "ManyWarps.h"
#include "RowPlan.h"
#include "RowWaits.h"
#include "gpu/DeviceTable.h"
#include "gpu/Rates.h"
#include "stage/common/GpuModel.h"
#include "stage/common/KernelInstructions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

/// The instructions of an iteration of \p L, without requests to memory.
static double instructionsOf(const Loop &L) {
  const sim::FunctionCosts Costs(*L.getHeader()->getParent());
  WarpUse Code;
  for (const BasicBlock *B : L.blocks())
    Code.add(Costs.workOf(*B));
  return Code.instructions();
}

unsigned timesUnrolledInFull(const RowUnitPlan &Plan) {
  // Measured on an H100: 32 iterations with an exp() each are 2,000
  // instructions. A warp that does them once waits for each line of them.
  constexpr double MostCode = 400;
  const Loop &L = *Plan.Unit.InnerLoop;
  double Once = instructionsOf(L);
  for (const BasicBlock *B : L.blocks())
    Once += count_if(
        *B, [](const Instruction &I) { return I.mayReadOrWriteMemory(); });
  unsigned Times = Plan.Tile.Iterations;
  while (Times % 2 == 0 && Times * Once > MostCode)
    Times /= 2;
  return Times;
}

bool RowGain::pays() const {
  constexpr double Worth = 1.02;
  return Gain->Plain.Clocks >= Worth * Gain->Staged.Clocks;
}

RowGain RowPrice::reason() const {
  const RowGain InMany{&Many, ""};
  for (const RowGain &G :
       {InMany, RowGain{&Conflicting, "where rows begin in the same banks"},
        RowGain{&OneWarp, "where a multiprocessor has one warp"}})
    if (G.pays())
      return G;
  return InMany;
}

/// What an iteration of \p Plan saves in launches of few warps, where what the
/// first level has not comes after \p Far clocks, in tiles as \p Tile; \p
/// InFullTiles: if rows are copied by the largest words.
static double savedInFew(const RowUnitPlan &Plan, const KernelLimits &Limits,
                         const TileLayout &Tile, double Far, bool InFullTiles) {
  const double OfTile = (InFullTiles  ? 100.
                         : Plan.Async ? 300.
                                      : 500.) /
                        Tile.Iterations;
  // For a word of each row, copied asynchronously or, sixteen at a time,
  // through registers.
  const double Copy = !Plan.Async ? 3 + Far / 16 : InFullTiles ? 4 : 12;
  // Requests through registers read parts of several rows where a row of a tile
  // does not fill them.
  auto OfSeveral = [&](const Stream &S) {
    const bool Fills = S.words(Plan.Tile.Iterations) % gpu::WarpThreads == 0;
    return Plan.Async || Fills ? 1. : 1.4;
  };
  const double CopyOfUniform = Plan.Async ? 0 : 17;
  const unsigned Overlap = overlapOf(Plan.Unit);
  double Saved = waitForStreams(Plan, Limits, Far);
  // As the loop is, it waits for the streams and what else it loads at the same
  // time, unless that depends on what it has found in them.
  const OtherWaits Others = waitForOthers(Plan.Unit, *Limits.Gpu, Far);
  constexpr double Longer = 1.25; // by what is done before it goes on
  // Where parts are not unrolled every iteration waits for that. They are
  // where full tiles are, which have as many iterations at least.
  const bool Overlaps = Others.Follow || Plan.UnrollsParts;
  Saved += Others.Clocks * ((Others.Follow ? 1. / Overlap : 0) -
                            Longer / (Overlaps ? overlapOfTiles(Plan) : 1));
  for (const Stream &S : Plan.Unit.Streams)
    Saved += S.Kind == Stream::PerThread
                 ? RowPasses * S.Loads.size() -
                       Copy * OfSeveral(S) * S.wordsPerIteration() - OfTile
                 : -CopyOfUniform;
  return Saved;
}

/// Clocks that a warp waits for the code of a walk of \p Plan through tiles:
/// that of a meeting, and the iterations that are unrolled. Where copies go
/// through registers, what was fitted to the simulator has it in it.
static double waitForCode(const RowUnitPlan &Plan) {
  // Bytes; what is computed is there twice, in full tiles and in others.
  constexpr double Meeting = 2660, OfInstruction = 24;
  if (!Plan.Async)
    return 0;
  return sim::clocksOfCode(Meeting + OfInstruction *
                                         instructionsOf(*Plan.Unit.InnerLoop) *
                                         overlapOfTiles(Plan));
}

RowPrice RowPrice::of(const RowUnitPlan &Plan, const KernelLimits &Limits) {
  // Through registers nothing else goes on. Found with the simulator, with sums
  // of rows in blocks of 96; in blocks of one warp it is less.
  const double Agreeing = Plan.Async ? 100 : 1000;
  const sim::DeviceModel &Gpu = *Limits.Gpu;
  const double Wait = memoryWait(Gpu);
  RowPrice Price;
  Price.Meeting = Wait + Agreeing + waitForCode(Plan);
  auto Saved = [&](const TileLayout &Tile) {
    return savedInFew(Plan, Limits, Tile, Wait, Plan.FullTiles && Plan.Async);
  };
  Price.Saved = Saved(Plan.Tile);
  Price.SavedOfConflicting = Price.Saved;
  for (const Stream &S : Plan.Unit.Streams)
    if (S.Kind == Stream::PerThread)
      Price.SavedOfConflicting +=
          (Limits.WarpSize - RowPasses) * double(S.Loads.size());
  // Larger blocks keep the first level busy, which tiles save, too.
  constexpr unsigned FewOfBlock = 4;
  const bool InSmall = !Plan.Async && Limits.maxWarps() <= FewOfBlock;
  Price.SavedByClause = InSmall ? Saved(Plan.SmallTile) : Price.Saved;
  // Found with the simulator, with sums of rows: clocks of a tile.
  constexpr double OfLacking = 500;
  Price.SavedLacking =
      Plan.Async ? Price.Saved : Price.Saved - OfLacking / Plan.Tile.Iterations;
  const OtherWaits Others = waitForOthers(Plan.Unit, Gpu, Wait);
  Price.Follows = Others.Follow;
  Price.WaitsBeside = Plan.Async && Others.Clocks > 0 && !Others.Follow;
  Price.SavedOfNear =
      savedInFew(Plan, Limits, Plan.Tile, Gpu.L2Latency, /*InFullTiles=*/false);
  const ManyWarps Warps(Plan, Limits);
  Price.Many = Warps.gain(std::nullopt);
  Price.Conflicting = Warps.gain(gpu::LineBytes);
  Price.OneWarp = Warps.gainOfOne();
  Price.Thrashing = Warps.thrashing();
  Price.Plain = Warps.plain();
  Price.LeastOfMany = Warps.leastToGain();
  Price.OfMemory = Warps.ofMemory(Price.LeastOfMany, Limits.areThreadsFixed());
  Price.LeastToWait = Warps.leastToWait(Limits.maxWarps());
  Price.MostInBlock = Warps.mostInBlock(Limits.maxWarps());
  return Price;
}

} // namespace ferry
