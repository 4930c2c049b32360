//===- SimPhasesTest.cpp - What blocks do between barriers ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Closed forms of the time that a block takes if it is alone, of what other
// units of a multiprocessor cost, and of what limits a launch.
//
//===----------------------------------------------------------------------===//

#include "SimLaunch.h"
#include "gtest/gtest.h"

using namespace ferry::sim;

namespace {

/// A warp with this many passes, and waits for global memory.
struct Does {
  uint64_t Passes;
  uint64_t Epochs;
};

constexpr double Near = 200, Far = 500;

/// The time of a block whose warps all do the same in each of its phases.
BlockTime blockOf(uint64_t Warps, std::initializer_list<Does> Phases) {
  BlockPhases Block(Warps);
  uint64_t Number = 0;
  for (const Does &D : Phases) {
    WarpUse Use;
    Use.Passes = D.Passes;
    const auto Epochs = static_cast<double>(D.Epochs);
    for (uint64_t W = 0; W < Warps; ++W)
      Block.add(gpu("v100"), Number, Use,
                {{Near * Epochs, Far * Epochs}, D.Epochs});
    ++Number;
  }
  return Block.end();
}

TEST(SimPhases, OneWarpTakesItsChain) {
  const BlockTime Time = blockOf(1, {{8, 4}});
  EXPECT_DOUBLE_EQ(Time.Near, 8 + 4 * Near);
  EXPECT_DOUBLE_EQ(Time.Far, 8 + 4 * Far);
}

TEST(SimPhases, ManyRoundsOverlap) {
  // 32 warps of 100 rounds, 10 passes each: the unit is always busy, and the
  // last warp waits once more.
  EXPECT_DOUBLE_EQ(blockOf(32, {{1000, 100}}).Near, 32 * 1000 + Near);
  // Two warps cannot keep it busy: the first one has let the other go once.
  EXPECT_DOUBLE_EQ(blockOf(2, {{1000, 100}}).Near, 1000 + 100 * Near + 10);
}

TEST(SimPhases, ABarrierKeepsLoadsFromOverlapping) {
  // Each warp loads once, then has much to do.
  const double Together = blockOf(32, {{1000, 1}}).Far;
  EXPECT_DOUBLE_EQ(Together, 32 * 1000 + Far);
  const double Apart = blockOf(32, {{2, 1}, {998, 0}}).Far;
  EXPECT_DOUBLE_EQ(Apart, 32 * 2 + Far + 32 * 998 + 20);
  // Ten times in turn: the unit is idle for ten latencies.
  std::initializer_list<Does> Ten = {{2, 1}, {98, 0}, {2, 1}, {98, 0},
                                     {2, 1}, {98, 0}, {2, 1}, {98, 0},
                                     {2, 1}, {98, 0}};
  EXPECT_DOUBLE_EQ(blockOf(32, Ten).Far, 5 * (32 * 100 + Far) + 9 * 20);
  EXPECT_LT(blockOf(32, {{500, 5}}).Far, 5 * 32 * 100 + 2 * Far);
}

TEST(SimPhases, TheSlowestWarpCountsAndOthersMayEnd) {
  const DeviceModel &V100 = gpu("v100");
  const WarpWaits Short = {{Near, Far}, 1}, Long = {{3 * Near, 3 * Far}, 3};
  for (bool LongFirst : {false, true}) {
    BlockPhases Block(2);
    WarpUse Use;
    Use.Passes = 1;
    Block.add(V100, 0, Use, LongFirst ? Long : Short);
    Block.add(V100, 0, Use, LongFirst ? Short : Long);
    Block.add(V100, 1, Use, Short); // the other one has ended
    const BlockTime Time = Block.end();
    EXPECT_DOUBLE_EQ(Time.Near, 1 + 3 * Near + 1 / 3. + 20 + 1 + Near);
  }
}

TEST(SimPhases, SharedMemoryAndArithmeticCount) {
  const DeviceModel &V100 = gpu("v100");
  WarpUse Use;
  Use.Passes = 4;
  Use.SharedEpochs = 4;
  Use.Work[Fp32Pipe] = 100 * WorkScale;
  BlockPhases One(1);
  One.add(V100, 0, Use, {});
  // Two clocks for each instruction of one warp.
  EXPECT_DOUBLE_EQ(One.end().Far, 4 + 200 + 4 * V100.SharedLatency);
  BlockPhases Many(32);
  for (unsigned W = 0; W < 32; ++W)
    Many.add(V100, 0, Use, {});
  // A warp takes two clocks of 16 lanes on each of four schedulers.
  EXPECT_DOUBLE_EQ(Many.end().Far,
                   32 * 100 * 32 / V100.Fp32Lanes + V100.SharedLatency);
}

// --- Launches ----------------------------------------------------------------

/// One block of \p Warps warps on a GPU.
class OneBlock {
public:
  OneBlock(const DeviceModel &Model, unsigned Warps)
      : Hierarchy(Model),
        Traffic(Hierarchy, {1, Model.multiprocessors(), 1},
                occupancyOf(Model, {32 * Warps, 0, 16, 0}, 1, 0), 0),
        Counts(3) {
    Group.Blocks = 1;
    Group.Warps.resize(Warps);
    for (WarpTrace &Trace : Group.Warps)
      Trace.begin();
  }
  void load(WarpTrace &Trace, uint64_t Line) {
    const uint64_t Sectors[] = {4 * Line, 4 * Line + 1, 4 * Line + 2,
                                4 * Line + 3};
    Traffic.record(Group, Trace, RequestKind::Load, 1, BeginsEpoch, 1, Sectors,
                   4, false);
  }
  void shared(WarpTrace &Trace, uint32_t Passes) {
    Traffic.recordShared(Group, Trace, 2, 0, Passes);
  }
  void barrier() {
    const uint64_t Work[NumPipes] = {};
    for (WarpTrace &Trace : Group.Warps)
      Traffic.endPhase(Group, Trace, Work);
  }
  TimeEstimate end() {
    Traffic.replay(Group, Counts);
    Traffic.finish(Group);
    Traffic.finishAll();
    return estimateTime(Hierarchy.Model, Traffic, {});
  }
  double clocks(const TimeEstimate &Time, Unit U) const {
    return Time.Busy[U] * Hierarchy.Model.ClockGHz * 1e9;
  }

  MemoryHierarchy Hierarchy;
  LaunchTraffic Traffic;
  BlockGroup Group;
  std::vector<InstructionState> Counts;
};

TEST(SimPhases, BarriersReachTheTimeOfALaunch) {
  const DeviceModel &V100 = gpu("v100");
  for (bool Barriers : {false, true}) {
    OneBlock Block(V100, 8);
    uint64_t Line = 0;
    for (unsigned Tile = 0; Tile < 10; ++Tile) {
      for (WarpTrace &Trace : Block.Group.Warps)
        Block.load(Trace, Line++);
      if (Barriers)
        Block.barrier();
      for (WarpTrace &Trace : Block.Group.Warps)
        Block.shared(Trace, 200);
      if (Barriers)
        Block.barrier();
    }
    const TimeEstimate Time = Block.end();
    EXPECT_NEAR(Block.clocks(Time, SharedUnit), 8 * 10 * 200, 1e-6);
    const double Latency = Block.clocks(Time, LatencyUnit);
    if (Barriers)
      EXPECT_NEAR(Latency, 10 * (8 * (1 + 200) + V100.DramLatency) + 20 * 20.,
                  1e-6);
    else
      EXPECT_NEAR(Latency, 8 * 10 * (1 + 200) + V100.DramLatency, 1e-6);
  }
}

TEST(SimPhases, BarriersTakeNoTurnsAtTheCaches) {
  for (bool Barriers : {false, true}) {
    OneBlock Block(gpu("v100"), 2);
    for (unsigned I = 0; I < 4; ++I)
      for (uint64_t L = 0; L < 700; ++L) {
        Block.load(Block.Group.Warps[0], L);
        Block.load(Block.Group.Warps[1], L);
        if (Barriers && L % 100 == 0)
          Block.barrier();
      }
    Block.end();
    EXPECT_EQ(Block.Counts[1].Counts.L1HitSectors, (8 - 1) * 700 * 4U);
  }
}

TEST(SimPhases, HalfTheLoadStoreUnitsTakeTwoPasses) {
  for (auto [Name, Passes] : {std::pair("v100", 1),
                              {"t4", 2},
                              {"a100", 1},
                              {"a10", 2},
                              {"l4", 2},
                              {"h100", 1}}) {
    OneBlock Block(gpu(Name), 1);
    for (unsigned I = 0; I < 100; ++I)
      Block.shared(Block.Group.Warps[0], 1);
    Block.shared(Block.Group.Warps[0], 32); // banks decide
    const TimeEstimate Time = Block.end();
    EXPECT_NEAR(Block.clocks(Time, SharedUnit) *
                    Block.Hierarchy.Model.SustainedClock,
                100 * Passes + 32, 1e-6)
        << Name;
  }
}

TEST(SimPhases, ALowerClockWhereAllComputes) {
  DeviceModel Model = gpu("v100");
  Model.SustainedClock = 0.5;
  OneBlock Slow(Model, 2), Fast(gpu("v100"), 2);
  for (OneBlock *Block : {&Slow, &Fast}) {
    Block->shared(Block->Group.Warps[0], 1000);
    Block->load(Block->Group.Warps[1], 0);
  }
  const TimeEstimate Half = Slow.end(), Whole = Fast.end();
  EXPECT_DOUBLE_EQ(Half.Busy[SharedUnit], 2 * Whole.Busy[SharedUnit]);
  EXPECT_DOUBLE_EQ(Half.Busy[L1Unit], 2 * Whole.Busy[L1Unit]);
  EXPECT_DOUBLE_EQ(Half.Busy[DramUnit], Whole.Busy[DramUnit]);
  EXPECT_DOUBLE_EQ(Half.Busy[LatencyUnit], Whole.Busy[LatencyUnit]);
}

// --- Atomics -----------------------------------------------------------------

WarpAccess wordsAt(uint64_t First, uint64_t Stride) {
  WarpAccess A;
  A.Mask = ~0u;
  A.Size = 4;
  for (uint64_t L = 0; L < 32; ++L)
    A.Address[L] = First + L * Stride;
  return A;
}

TEST(SimAtomics, ABankUpdatesOneWordAfterTheOther) {
  EXPECT_EQ(atomicPasses(wordsAt(0x1000, 0)), 32U); // one word
  EXPECT_EQ(atomicPasses(wordsAt(0x1000, 4)), 1U);
  EXPECT_EQ(atomicPasses(wordsAt(0x1000, 8)), 2U);
  EXPECT_EQ(atomicPasses(wordsAt(0x1000, 128)), 32U); // one bank
}

TEST(SimAtomics, OnePlaceTakesOneAfterTheOther) {
  const DeviceModel &V100 = gpu("v100");
  constexpr uint64_t Requests = 1000;
  // By stride: words of one sector are changed together, and 256 bytes are one
  // part's of the second level.
  const std::pair<uint64_t, uint64_t> AtOnePlace[] = {
      {0, 32}, {4, 4}, {32, 8}, {256, 1}, {4096, 1}};
  for (auto [Stride, AtOne] : AtOnePlace) {
    OneBlock Block(V100, 1);
    for (uint64_t I = 0; I < Requests; ++I)
      Block.Traffic.noteAtomics(Block.Group, wordsAt(0x100000, Stride));
    const TimeEstimate Time = Block.end();
    EXPECT_EQ(Block.Traffic.Second.AtomicsAtOne, AtOne * Requests) << Stride;
    EXPECT_NEAR(Block.clocks(Time, L2Unit),
                static_cast<double>(AtOne * Requests), 1e-6);
  }
}

// --- Limiters ----------------------------------------------------------------

Unit limiterOf(double Dram, double Latency, double Launch) {
  TimeEstimate Time;
  Time.Busy[DramUnit] = Dram;
  Time.Busy[LatencyUnit] = Latency;
  Time.Busy[LaunchUnit] = Launch;
  return Time.limiter();
}

TEST(SimTime, LatencyLimitsWhereNoUnitIsBusy) {
  EXPECT_EQ(limiterOf(2, 1, 0), DramUnit);
  EXPECT_EQ(limiterOf(2, 3, 0), DramUnit); // for two thirds of the time
  EXPECT_EQ(limiterOf(2, 4, 0), LatencyUnit);
  EXPECT_EQ(limiterOf(2, 4, 5), LaunchUnit);
}

} // namespace
