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
// In a launch of many warps units are busy: then the price is the time of the
// one that has most to do (common/WarpPrice.h). As the loop is, rows that a
// multiprocessor's warps walk along are in the first level, if there is room
// for a line of each; every load of a warp has to look for its lines there. In
// tiles each sector is loaded once, by few requests.
//
// Short rows lie close together, so that what counts is how many bytes of them
// are being read at a time: where they are more than the first level has, lines
// are gone before the thread comes to their next words, and a launch that fills
// the GPU reads memory over and over.
//
// The form is that of the simulator's time (tools/sim/engine/Phases.h). The
// costs of copies and meetings were found with it, as slope and intercept of
// kernels of tools/bench/kernels/programs.h over the length of a row.
//
//===----------------------------------------------------------------------===//

#include "RowPrice.h"
#include "RowPlan.h"
#include "gpu/DeviceTable.h"
#include "gpu/Rates.h"
#include "stage/common/GpuModel.h"
#include "stage/common/KernelInstructions.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace ferry {

/// How many iterations of \p Unit have their loads under way together.
static unsigned overlapOf(const RowUnit &Unit) {
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

/// The same of an iteration that reads tiles.
static unsigned overlapOfTiles(const RowUnitPlan &Plan) {
  if (Plan.FullTiles)
    return Plan.FullUnroll;
  return Plan.UnrollsParts
             ? Plan.unrollCount()
             : std::clamp(Plan.Unit.TimesUnrolled, 1u, Plan.unrollCount());
}

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

/// Clocks that an iteration of \p Plan, as it is, waits for the streams, if
/// what the first level has not comes after \p Far clocks.
static double waitForStreams(const RowUnitPlan &Plan,
                             const KernelLimits &Limits, double Far) {
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

namespace {
/// Clocks that an iteration waits for what it loads beside the streams.
struct OtherWaits {
  double Clocks = 0;   ///< if nothing else is under way
  bool Follow = false; ///< where that is, it finds out in the streams
};
} // namespace

/// Passes of a load of rows until a warp that is alone goes on: its addresses
/// are in 32 lines.
constexpr double RowPasses = 9;

/// What iterations of \p Unit wait for on \p Gpu, where the streams are there
/// and what is elsewhere comes after \p Far clocks.
static OtherWaits waitForOthers(const RowUnit &Unit,
                                const sim::DeviceModel &Gpu, double Far) {
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

/// Bytes by which an iteration of \p Unit goes on in all rows of a thread,
/// those that it changes in place counted once.
static double bytesOfIteration(const RowUnit &Unit) {
  double Bytes = 0;
  for (const Stream &S : Unit.Streams)
    if (S.Kind == Stream::PerThread)
      Bytes += std::abs(double(S.ConstantStep.value_or(0)));
  for (const LoopStore &Store : Unit.Stores)
    if (!Unit.isInPlace(Store))
      Bytes += std::abs(double(Store.Step));
  return Bytes;
}

//===----------------------------------------------------------------------===//
// Many warps
//===----------------------------------------------------------------------===//

namespace {

constexpr double LineBytes = gpu::LineBytes;

/// Parts of what is read again that the two levels still have.
struct Cached {
  double First = 1, Second = 1;
};

/// What warps ask for in a launch that fills the GPU with the largest blocks.
class ManyWarps {
public:
  ManyWarps(const RowUnitPlan &Plan, const KernelLimits &Limits)
      : Plan(Plan), Gpu(*Limits.Gpu), Rows(Limits.WarpSize),
        Costs(*Plan.Unit.InnerLoop->getHeader()->getParent()),
        Before(residentBlocks(
            Limits, {Limits.MaxThreads, 0, Costs.total().Registers, 0})),
        After(withTiles(Plan, Limits, Limits.MaxThreads)),
        MostAfter(residentBlocks(
            Limits, {Limits.MaxThreads, Plan.BlockBytes, FewRegisters, 0})),
        AfterOfOne(withTiles(Plan, Limits, Limits.WarpSize)), Both(both()),
        PlainWait(memoryWait(Gpu) / overlapOf(Plan.Unit)),
        StreamsWait(waitForStreams(Plan, Limits, memoryWait(Gpu))) {}

  /// The gain where rows whose distance is not known are \p Distance bytes
  /// apart, with as many warps as there is room for.
  PredictedGain gain(std::optional<int64_t> Distance) const {
    return gain(Distance, Before, After, Plan.Tile);
  }
  /// The gain of a warp that a multiprocessor has alone.
  PredictedGain gainOfOne() const {
    return gain(std::nullopt, atMost(Before, 1), atMost(After, 1), Plan.Tile);
  }

  /// From how many warps for each multiprocessor on, in blocks of one, tiles
  /// pay as they do in a launch that fills the GPU: such a block has the shared
  /// memory of the largest one, and with few there is room for all as the loop
  /// is, and for what they read.
  unsigned leastToGain() const;

  /// Up to how many warps for each multiprocessor, from \p Least on, memory is
  /// busiest, and in tiles as long or longer: as the loop is, both levels have
  /// what its rows share. \p ByClause: if blocks are as large as a clause says;
  /// else they are of one warp. 0: from \p Least on it is not so.
  unsigned mostOfMemory(unsigned Least, bool ByClause) const;
  /// From how many on, fewer than \p Most, tiles keep it busy for longer.
  unsigned leastOfMemory(unsigned Most, bool ByClause) const;

  /// From how many warps of a block on, which a multiprocessor has alone, tiles
  /// pay although each is waited for. Above \p MostWarps: no block can be that
  /// large.
  unsigned leastToWait(unsigned MostWarps) const;

  /// Up to how many warps of a block, which a multiprocessor has alone, tiles
  /// do not keep a unit of it busy for longer; \p MostWarps at most.
  unsigned mostInBlock(unsigned MostWarps) const;

  /// In which launches rows are read that the first level has no room for.
  ThrashingPoint thrashing() const;

  /// What an iteration asks for as it is, where that has room.
  WarpUse plain() const {
    WarpUse Use = Both;
    for (const Stream &S : Plan.Unit.Streams)
      addPlain(Use, S, Cached(), std::nullopt);
    Use.Waiting += StreamsWait;
    return Use;
  }

private:
  const RowUnitPlan &Plan;
  const sim::DeviceModel &Gpu;
  const double Rows; ///< of a warp
  const sim::FunctionCosts Costs;
  /// Of the largest blocks. As loops over tiles are unrolled, these take many
  /// registers; words on their way take some as well.
  const sim::Occupancy Before, After;
  /// After, if these are few: what more warps read, caches have less of.
  const sim::Occupancy MostAfter;
  static constexpr unsigned FewRegisters = 96;
  const sim::Occupancy AfterOfOne; ///< of blocks of one warp
  const WarpUse Both; ///< what an iteration asks for beside the streams
  // Clocks, for what the streams read: from memory, and if the first level has
  // some of it.
  const double PlainWait, StreamsWait;
  static constexpr double SectorBytes = gpu::SectorBytes;
  WarpUse both() const;
  static sim::Occupancy withTiles(const RowUnitPlan &Plan,
                                  const KernelLimits &Limits,
                                  uint32_t Threads) {
    return residentBlocks(
        Limits, {Threads, Plan.BlockBytes, Plan.Async ? 128u : 168u, 0});
  }
  /// Whether memory is busiest with \p Warps warps, of blocks as \p ByClause
  /// tells, and in tiles for so long that plain loads take no more than \p
  /// Worth times that.
  bool isOfMemory(unsigned Warps, bool ByClause, double Worth) const;
  static sim::Occupancy atMost(sim::Occupancy Resident, unsigned Warps) {
    Resident.Warps = std::min<uint32_t>(Resident.Warps, Warps);
    return Resident;
  }
  /// The same with the warps that are resident \p Before and \p After, in tiles
  /// as \p Tile.
  PredictedGain gain(std::optional<int64_t> Distance,
                     const sim::Occupancy &Before, const sim::Occupancy &After,
                     const TileLayout &Tile) const;
  /// The gain of whole rows of \p Steps iterations, at most a tile, that are no
  /// further apart than they are long, if all multiprocessors are full.
  PredictedGain gainOfShort(unsigned Steps) const;
  /// The fewest iterations from which on these pay.
  unsigned shortest() const;
  void addPlain(WarpUse &Use, const Stream &S, const Cached &C,
                std::optional<int64_t> Distance) const;
  void addStaged(WarpUse &Use, const Stream &S, const Cached &C,
                 const TileLayout &Tile) const;
  Cached cached(const sim::Occupancy &Resident, double Lines) const;
  /// Bytes of a row that an iteration goes on by.
  static double stepBytes(const Stream &S) {
    return S.ConstantStep ? std::abs(double(*S.ConstantStep)) : SectorBytes;
  }
};

} // namespace

/// Passes of the first level for a request of a warp, of \p Size bytes each
/// thread, \p Distance bytes apart; far if that is not known.
static double passesOf(std::optional<int64_t> Distance, double Size) {
  constexpr unsigned Banks = gpu::LineBytes / gpu::BankBytes;
  const double Words = std::max(1., Size / gpu::BankBytes);
  if (!Distance)
    return std::max<double>(sim::tagWavefronts(gpu::WarpThreads), Words);
  SmallSet<int64_t, 32> Lines;
  std::set<int64_t> Bank[Banks];
  unsigned Most = 1;
  for (int64_t T = 0; T < gpu::WarpThreads; ++T) {
    const int64_t From = T * std::abs(*Distance);
    for (int64_t At = From; At < From + int64_t(Size); At += gpu::BankBytes) {
      auto &Words = Bank[At / gpu::BankBytes % Banks];
      Words.insert(At / gpu::BankBytes);
      Most = std::max<unsigned>(Most, Words.size());
    }
    Lines.insert(From / gpu::LineBytes);
  }
  return std::max<double>(Most, sim::tagWavefronts(Lines.size()));
}

WarpUse ManyWarps::both() const {
  const SmallPtrSet<const Value *, 8> Staged = Plan.Unit.loadsOfStreams();
  WarpUse Use;
  for (const BasicBlock *B : Plan.Unit.InnerLoop->blocks()) {
    Use.add(Costs.workOf(*B));
    for (const Instruction &I : *B) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!isa<StoreInst>(I) && (!Load || Staged.contains(Load)))
        continue;
      ++Use.Requests;
      auto Store = find_if(Plan.Unit.Stores,
                           [&](const LoopStore &S) { return S.Store == &I; });
      if (Store != Plan.Unit.Stores.end()) {
        // Each is written through to the second level.
        Use.Passes += passesOf(std::nullopt, accessBytes(I));
        Use.L2Bytes += Rows * SectorBytes *
                       (accessBytes(I) < SectorBytes ? sim::SectorsOfPart : 1);
        Use.DramBytes +=
            Rows * std::min(std::abs(double(Store->Step)), SectorBytes);
        continue;
      }
      const double Bytes = Rows * double(accessBytes(I));
      Use.Passes += std::max(1., Bytes / LineBytes);
      Use.L2Bytes += Bytes;
      Use.DramBytes += Bytes;
    }
  }
  return Use;
}

/// Adds what the loads of \p S ask for as they are, with \p C, if rows are \p
/// Distance bytes apart unless more is known.
void ManyWarps::addPlain(WarpUse &Use, const Stream &S, const Cached &C,
                         std::optional<int64_t> Distance) const {
  Use.Requests += S.Loads.size();
  if (S.Kind == Stream::Uniform) {
    Use.Passes += S.Loads.size();
    return;
  }
  for (const StreamLoad &L : S.Loads)
    Use.Passes += passesOf(S.ThreadStride ? S.ThreadStride : Distance,
                           accessBytes(*L.Load));
  const double New = std::min(stepBytes(S) / SectorBytes, 1.); // sectors
  // Each load of a stream has other warps' between it and the one before.
  const double Read =
      Rows * (C.First * New + (1 - C.First) * double(S.Loads.size()));
  Use.Passes += Read; // lines that are filled
  Use.L2Bytes += Read * SectorBytes;
  // Memory is read in halves of a line.
  Use.DramBytes += C.Second * Rows * New * SectorBytes +
                   (1 - C.Second) * Read * LineBytes / 2;
}

/// Adds what tiles of \p S as \p Tile ask for, with \p C.
void ManyWarps::addStaged(WarpUse &Use, const Stream &S, const Cached &C,
                          const TileLayout &Tile) const {
  // Instructions for a word of each row: addresses, and what tells whether
  // there is one; in rows of some hundred steps. Full tiles have them once.
  const double Full =
      32. / (Tile.Iterations * std::max(S.wordsPerIteration(), 1u));
  const double Int = Plan.FullTiles ? 2 * Full : 7,
               Other = Plan.FullTiles ? 0.4 * Full : 1.3;
  const double Copies = S.Kind == Stream::PerThread
                            ? S.wordsPerIteration()
                            : S.wordsPerIteration() / double(gpu::WarpThreads);
  for (const StreamLoad &L : S.Loads)
    Use.SharedPasses +=
        S.Kind == Stream::PerThread
            ? std::max(1., double(accessBytes(*L.Load)) / gpu::BankBytes)
            : 1;
  Use.Requests += S.Loads.size();
  Use.addCopies(Copies, Plan.Async);
  Use.Int += Int * Copies;
  Use.Other += Other * Copies;
  const double Bytes = Copies * S.Word * gpu::WarpThreads;
  const double Passes = std::max(Copies, Bytes / LineBytes);
  Use.Passes += Passes + Bytes / LineBytes;
  Use.SharedPasses += Passes;
  if (S.Kind == Stream::Uniform)
    return; // other warps have read it
  // The rows of a tile begin and end within sectors, some of which the first
  // level has, and within halves of lines, which the second one may have.
  const double Begun = Rows / Tile.Iterations;
  // What lies between words comes along with them.
  const double Read =
      std::max(Bytes, Rows * std::min(stepBytes(S), SectorBytes));
  Use.L2Bytes += Read + Begun * SectorBytes / 4;
  Use.DramBytes += Read + (1 - C.Second) * Begun * LineBytes / 2;
  const double Latency = Gpu.L2Latency + Gpu.DramLatency;
  constexpr double UnderWay = 16; // words, through registers
  Use.Waiting +=
      Plan.Async ? Latency / Tile.Iterations / 2 : Latency * Copies / UnderWay;
}

/// What part of \p Lines lines a cache of \p Bytes still has when they are read
/// again: all of them if there is room, half if there is just not enough, since
/// warps take turns in any order and sets are chosen by hashing. Found with the
/// simulator, as is \p Spread.
static double cachedOf(double Lines, double Bytes, double Spread) {
  constexpr double Half = 1.05;
  const double Full = std::max(Lines * LineBytes / Bytes, 1e-3);
  return std::erfc((Full - Half) / (Spread * Full) / std::sqrt(2)) / 2;
}

/// The same of both levels, if each resident warp reads \p Lines lines.
Cached ManyWarps::cached(const sim::Occupancy &Resident, double Lines) const {
  Lines *= Resident.Warps;
  return {cachedOf(Lines, Resident.L1Bytes, 0.15),
          cachedOf(Lines * Gpu.multiprocessors(), Gpu.l2Bytes(), 0.3)};
}

PredictedGain ManyWarps::gain(std::optional<int64_t> Distance,
                              const sim::Occupancy &Before,
                              const sim::Occupancy &After,
                              const TileLayout &Tile) const {
  WarpUse Plain = Both, InTiles = Both;
  const double Lines = Rows * count_if(Plan.Unit.Streams, [](const Stream &S) {
                         return S.Kind == Stream::PerThread;
                       });
  const Cached Hits = cached(Before, Lines);
  const Cached HitsOfTiles = cached(After, Lines + Tile.Bytes / LineBytes);
  for (const Stream &S : Plan.Unit.Streams) {
    addPlain(Plain, S, Hits, Distance);
    addStaged(InTiles, S, HitsOfTiles, Tile);
  }
  Plain.Waiting += PlainWait;
  return {predict(Plain, Gpu, Before.Warps), predict(InTiles, Gpu, After.Warps),
          &Gpu};
}

unsigned ManyWarps::leastToGain() const {
  constexpr double Worth = 1.3; // so much is the wait for tiles overestimated
  unsigned Warps = RowPrice::WarpsOfMany;
  for (; Warps < Before.MostWarps && AfterOfOne.Warps < Warps; Warps *= 2) {
    const PredictedGain G = gain(std::nullopt, atMost(Before, Warps),
                                 atMost(AfterOfOne, Warps), Plan.Tile);
    if (Worth * G.Plain.Clocks >= G.Staged.Clocks)
      break;
  }
  return Warps;
}

bool ManyWarps::isOfMemory(unsigned Warps, bool ByClause, double Worth) const {
  auto IsIn = [&](const sim::Occupancy &InTiles, const TileLayout &Tile) {
    const PredictedGain G =
        gain(std::nullopt, atMost(Before, Warps), atMost(InTiles, Warps), Tile);
    return is_contained({G.Plain.Limiter, G.Staged.Limiter},
                        StringRef("dram")) &&
           G.Plain.Clocks <= Worth * G.Staged.Clocks;
  };
  // Asynchronous copies of such a launch lose nothing.
  return !Plan.Async && (ByClause ? IsIn(MostAfter, Plan.SmallTile)
                                  : IsIn(AfterOfOne, Plan.Tile));
}

unsigned ManyWarps::mostOfMemory(unsigned Least, bool ByClause) const {
  unsigned Warps = Least;
  while (Warps < Before.Warps && isOfMemory(Warps, ByClause, /*Worth=*/1))
    ++Warps;
  return Warps == Least ? 0 : Warps - 1;
}

unsigned ManyWarps::leastOfMemory(unsigned Most, bool ByClause) const {
  constexpr double Worth = 0.98;
  unsigned Warps = Most;
  while (Warps > 1 && isOfMemory(Warps - 1, ByClause, Worth))
    --Warps;
  return Warps;
}

unsigned ManyWarps::leastToWait(unsigned MostWarps) const {
  constexpr double Worth = 1.08; // what a meeting takes is not in it
  constexpr double OfTile = 300; // clocks, from the last copy to the next one
  // Beside what an iteration does in any case.
  WarpUse Plain, InTiles;
  Plain.Waiting = StreamsWait;
  for (const Stream &S : Plan.Unit.Streams) {
    Plain.Waiting += RowPasses * double(S.Loads.size());
    addStaged(InTiles, S, Cached(), Plan.Tile);
  }
  InTiles.L2Bytes = InTiles.DramBytes = 0; // few blocks do not fill memory
  const double PlainPasses = plain().Passes / Gpu.SustainedClock;
  auto Pay = [&](unsigned Warps) {
    const bool IsHalf = Plan.isHalved() && 2 * Warps > Plan.Warps;
    InTiles.Waiting = (memoryWait(Gpu) + OfTile) /
                      (IsHalf ? Plan.SmallTile : Plan.Tile).Iterations;
    return std::max(PlainPasses, predict(Plain, Gpu, Warps).Clocks) >=
           Worth * predict(InTiles, Gpu, Warps).Clocks;
  };
  unsigned Least = MostWarps + 1;
  while (Least > 1 && Pay(Least - 1))
    --Least;
  return Least;
}

unsigned ManyWarps::mostInBlock(unsigned MostWarps) const {
  constexpr double Worth = 0.98;
  WarpUse AsItIs = plain(), InTiles = Both;
  for (const Stream &S : Plan.Unit.Streams)
    addStaged(InTiles, S, Cached(), Plan.Tile);
  for (WarpUse *Use : {&AsItIs, &InTiles})
    Use->L2Bytes = Use->DramBytes = 0; // few blocks do not fill memory
  for (unsigned Warps = 1; Warps <= MostWarps; ++Warps) {
    const PredictedTime Tiles = predict(InTiles, Gpu, Warps);
    if (StringRef(Tiles.Limiter) != "latency" &&
        predict(AsItIs, Gpu, Warps).Clocks < Worth * Tiles.Clocks)
      return Warps - 1;
  }
  return MostWarps;
}

PredictedGain ManyWarps::gainOfShort(unsigned Steps) const {
  // Instructions for a row, whatever it has.
  constexpr double Int = 215, Other = 46;
  const unsigned Copied = Steps > Plan.SmallTile.Iterations
                              ? Plan.Tile.Iterations
                              : Plan.SmallTile.Iterations;
  const double Lines = Rows * bytesOfIteration(Plan.Unit) * Steps / LineBytes;
  const Cached Hits = cached(Before, Lines), HitsOfTiles = cached(After, Lines);
  WarpUse Plain, InTiles;
  Plain.add(Both, Steps);
  InTiles.add(Both, Steps);
  for (const Stream &S : Plan.Unit.Streams) {
    WarpUse PlainStep, TileStep;
    addPlain(PlainStep, S, Hits, int64_t(stepBytes(S) * Steps));
    Plain.add(PlainStep, Steps);
    addStaged(TileStep, S, HitsOfTiles, Plan.Tile);
    // What is copied for nothing, the caches have.
    for (double *Bytes : {&TileStep.L2Bytes, &TileStep.DramBytes})
      *Bytes *= Steps / double(Copied);
    InTiles.add(TileStep, Copied);
  }
  Plain.Waiting += PlainWait * Steps;
  InTiles.Int += Int;
  InTiles.Other += Other;
  InTiles.Waiting += Gpu.L2Latency + Gpu.DramLatency;
  return {predict(Plain, Gpu, Before.Warps), predict(InTiles, Gpu, After.Warps),
          &Gpu};
}

unsigned ManyWarps::shortest() const {
  constexpr double Worth = 1.25; // near where rows fit, gains are overestimated
  unsigned Steps = Plan.Tile.Iterations;
  for (; Steps > 1; --Steps)
    if (const PredictedGain G = gainOfShort(Steps - 1);
        G.Plain.Clocks < Worth * G.Staged.Clocks)
      break;
  return Steps;
}

ThrashingPoint ManyWarps::thrashing() const {
  if (any_of(Plan.Unit.Streams, [](const Stream &S) {
        return S.Kind == Stream::PerThread && !S.ConstantStep;
      }))
    return {};
  const double Multiprocessors = Gpu.multiprocessors();
  const auto MaxRows = uint64_t(Multiprocessors * Before.Warps * Rows);
  const auto Iterations =
      uint64_t(Multiprocessors * Before.L1Bytes / bytesOfIteration(Plan.Unit));
  const auto Overflowing = unsigned(divideCeil(Iterations, MaxRows));
  double Longest = 1;
  for (const Stream &S : Plan.Unit.Streams)
    if (S.Kind == Stream::PerThread)
      Longest = std::max(Longest, stepBytes(S));
  const uint32_t OfLine =
      std::max<uint32_t>(uint32_t(LineBytes / Longest), Overflowing);
  return {MaxRows, Iterations, Plan.Async ? UINT32_MAX : OfLine,
          std::max(shortest(), Overflowing)};
}

//===----------------------------------------------------------------------===//
// Few warps
//===----------------------------------------------------------------------===//

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
  // Larger blocks keep the first level busy, which tiles save, too.
  constexpr unsigned FewOfBlock = 4;
  Price.SavedByClause =
      Saved(!Plan.Async && Limits.maxWarps() <= FewOfBlock ? Plan.SmallTile
                                                           : Plan.Tile);
  Price.Saved =
      Limits.areThreadsFixed() ? Price.SavedByClause : Saved(Plan.Tile);
  Price.SavedOfConflicting = Price.Saved;
  for (const Stream &S : Plan.Unit.Streams)
    if (S.Kind == Stream::PerThread)
      Price.SavedOfConflicting +=
          (Limits.WarpSize - RowPasses) * double(S.Loads.size());
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
  Price.MostOfMemory =
      Warps.mostOfMemory(Price.LeastOfMany, Limits.areThreadsFixed());
  Price.MostOfMemoryByClause =
      std::max(Warps.mostOfMemory(Price.LeastOfMany, /*ByClause=*/true),
               Price.MostOfMemory);
  Price.LeastOfMemory =
      Warps.leastOfMemory(Price.LeastOfMany, Limits.areThreadsFixed());
  Price.LeastToWait = Warps.leastToWait(Limits.maxWarps());
  Price.MostInBlock = Warps.mostInBlock(Limits.maxWarps());
  return Price;
}

} // namespace ferry
