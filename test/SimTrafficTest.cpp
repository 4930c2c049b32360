//===- SimTrafficTest.cpp - Caches, occupancy and time --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Closed forms: what a pattern of accesses costs follows from the figures of
// the GPU's description.
//
//===----------------------------------------------------------------------===//

#include "SimLaunch.h"
#include "gtest/gtest.h"

using namespace ferry::sim;

namespace {

// --- Wavefronts --------------------------------------------------------------

/// Clocks of a load that hits, lane i at i * Stride elements of Size bytes.
uint32_t wavefronts(uint32_t Size, uint64_t Stride) {
  WarpAccess A;
  A.Mask = ~0u;
  A.Size = Size;
  for (uint64_t L = 0; L < 32; ++L)
    A.Address[L] = 0x100000 + L * Stride * Size;
  uint64_t Sectors[MaxSectors];
  const unsigned Num = sectorsOf(A, Sectors);
  MemoryHierarchy Hierarchy(gpu("a100"));
  TestLaunch Launch(Hierarchy);
  BlockGroup &G = Launch.Groups[0];
  return Launch.Traffic.record(G, G.Warps[0], RequestKind::Load, 1, 0,
                               sharedCost(A, AccessShape::Other).Wavefronts,
                               Sectors, Num, false);
}

// The clocks that gpu-strides of te42kyfo/gpu-benches measured on an A100: 1-2,
// 2, 4, 8, 16, 32, 8.8 for floats, 2, 32, 8.9 for doubles.
TEST(SimWavefronts, StridesAsMeasured) {
  const std::pair<uint64_t, uint32_t> Floats[] = {
      {1, 1}, {2, 2}, {4, 4}, {8, 8}, {16, 16}, {32, 32}, {33, 9}};
  for (auto [Stride, Expected] : Floats)
    EXPECT_EQ(wavefronts(4, Stride), Expected) << Stride;
  const std::pair<uint64_t, uint32_t> Doubles[] = {{1, 2}, {16, 32}, {17, 9}};
  for (auto [Stride, Expected] : Doubles)
    EXPECT_EQ(wavefronts(8, Stride), Expected) << Stride;
}

TEST(SimWavefronts, TwoAtLeastWhereTheCacheIsNarrow) {
  MemoryHierarchy Hierarchy(gpu("a10"));
  TestLaunch Launch(Hierarchy);
  Launch.load(0);
  Launch.end();
  uint64_t Sum = 0;
  Launch.Traffic.forSMs([&](const SMWork &W) { Sum += W.GlobalWavefronts; });
  EXPECT_EQ(Sum, 2U);
}

// --- Caches ------------------------------------------------------------------

/// Sectors that hit when \p Lines lines are read one after the other, twice.
uint64_t hitsOfSecondWalk(Placement P, unsigned Sets, unsigned Ways,
                          uint64_t Bytes, uint64_t Lines) {
  SectoredCache Cache;
  Cache.configure(Bytes, P, Sets, Ways);
  uint64_t Hits = 0;
  for (unsigned Walk = 0; Walk < 2; ++Walk)
    for (uint64_t L = 0; L < Lines; ++L) {
      CacheLine &Here = Cache.access(1000 + L);
      Hits += Walk && Here.Valid == 15;
      Here.Valid = 15;
    }
  return Hits;
}

TEST(SimCache, HoldsItsCapacityAndNothingBeyond) {
  constexpr uint64_t Bytes = 128 << 10, Lines = Bytes / LineBytes;
  EXPECT_EQ(hitsOfSecondWalk(Placement::Modulo, 4, 0, Bytes, Lines), Lines);
  // The line that is needed next has just gone.
  EXPECT_EQ(hitsOfSecondWalk(Placement::Modulo, 4, 0, Bytes, Lines + 4), 0U);
}

TEST(SimCache, TheLineThatWasUsedLastStays) {
  SectoredCache Cache;
  Cache.configure(4 * LineBytes, Placement::Modulo, 1, 0);
  for (uint64_t L : {1, 2, 3, 4, 1})
    Cache.access(L).Valid = 15;
  Cache.access(5).Valid = 15; // 2 has to go
  for (uint64_t L : {1, 3, 4, 5})
    EXPECT_EQ(Cache.access(L).Valid, 15) << L;
  EXPECT_EQ(Cache.access(2).Valid, 0);
}

TEST(SimCache, HashedSetsGiveWaySoftly) {
  constexpr uint64_t Bytes = 128 << 10, Lines = Bytes / LineBytes;
  auto Hits = [&](uint64_t N) {
    return hitsOfSecondWalk(Placement::Hashed, 0, 64, Bytes, N);
  };
  EXPECT_EQ(Hits(Lines / 2), Lines / 2);
  EXPECT_GT(Hits(Lines * 7 / 8), Lines / 2);
  EXPECT_LT(Hits(Lines), Lines);
  EXPECT_LT(Hits(Lines * 3 / 2), Lines / 4);
}

TEST(SimCache, SectorsAreFetchedOneByOne) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  Launch.load(0, 32);
  Launch.load(32, 32); // the same line, another sector
  Launch.load(0, 64);
  Launch.end();
  EXPECT_EQ(Launch.sectors(), 4U);
  EXPECT_EQ(Launch.hits(), 2U);
  EXPECT_EQ(Launch.Traffic.Second.ReadSectors, 2U);
  // Memory is read in halves of a line.
  EXPECT_EQ(Launch.Traffic.Second.ReadHitSectors, 1U);
  EXPECT_EQ(Launch.Traffic.Second.DramReadBytes, 64U);
}

TEST(SimCache, OnlyWhatIsMissingIsReadFromTheSecondLevel) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  Launch.load(32, 32);
  Launch.load(0);
  Launch.end();
  EXPECT_EQ(Launch.sectors(), 5U);
  EXPECT_EQ(Launch.hits(), 1U);
  EXPECT_EQ(Launch.Traffic.Second.ReadSectors, 4U);
}

TEST(SimCache, StoresAreWrittenThroughAndCanBeRead) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  Launch.store(0);
  Launch.load(0);
  Launch.store(0);
  Launch.end();
  EXPECT_EQ(Launch.hits(), 4U);
  EXPECT_EQ(Launch.Traffic.Second.WriteSectors, 8U);
  EXPECT_EQ(Launch.Traffic.Second.ReadSectors, 0U);
  EXPECT_EQ(Launch.Traffic.Second.DramReadBytes, 0U); // no fetch for a store
}

TEST(SimCache, StoresOfPartsOfSectorsTakeLonger) {
  // Bytes that are stored, sectors that take as long.
  const std::pair<uint64_t, unsigned> Stores[] = {{4, 3},  {32, 1},  {36, 3},
                                                  {64, 2}, {100, 4}, {128, 4}};
  for (auto [Bytes, Sectors] : Stores) {
    MemoryHierarchy Hierarchy(gpu("h100"));
    TestLaunch Launch(Hierarchy);
    Launch.store(0, Bytes);
    const TimeEstimate Time = Launch.end();
    const SecondLevelCounts &Second = Launch.Traffic.Second;
    EXPECT_EQ(Second.WriteSectors + Second.PartSectors, Sectors) << Bytes;
    EXPECT_NEAR(Launch.clocks(Time, L2Unit), Sectors * 32 / 64.0, 1e-6)
        << Bytes;
  }
}

TEST(SimCache, UncachedLoadsAndAtomicsPassTheFirstLevel) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  for (unsigned I = 0; I < 2; ++I) {
    Launch.request(RequestKind::Uncached, 0, 32);
    Launch.request(RequestKind::Atomic, 0, 32);
  }
  Launch.end();
  EXPECT_EQ(Launch.sectors(), 0U);
  EXPECT_EQ(Launch.Traffic.Second.ReadSectors, 2U);
  EXPECT_EQ(Launch.Traffic.Second.WriteSectors, 2U);
  EXPECT_EQ(Launch.Traffic.Second.DramReadBytes, 64U);
}

TEST(SimCache, AnAtomicFetchesItsSectorAStoreDoesNot) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  Launch.request(RequestKind::Atomic, 0, 32);
  Launch.request(RequestKind::Store, 256, 32);
  Launch.end();
  EXPECT_EQ(Launch.Traffic.Second.ReadSectors, 0U);
  EXPECT_EQ(Launch.Traffic.Second.WriteSectors, 2U);
  EXPECT_EQ(Launch.Traffic.Second.DramReadBytes, 64U);
}

TEST(SimCache, WhatWasWrittenBackIsNotWrittenAgain) {
  DeviceModel Small = gpu("v100");
  Small.L2MiB = 0.25; // 2048 lines
  MemoryHierarchy Hierarchy(Small);
  TestLaunch Launch(Hierarchy);
  for (uint64_t L = 0; L < 1000; ++L)
    Launch.store(L * LineBytes);
  Launch.loadLines(RequestKind::Load, 20000, 1000);
  Launch.end();
  EXPECT_EQ(Launch.Traffic.Second.DramWriteBytes, 1000U * LineBytes);
}

TEST(SimCache, TheSecondLevelStaysAndWritesBackWhatHasToGo) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  const uint64_t Capacity = Hierarchy.Model.l2Bytes();
  {
    TestLaunch Launch(Hierarchy);
    for (uint64_t A = 0; A < Capacity / 4; A += 128)
      Launch.store(A);
    Launch.end();
    EXPECT_EQ(Launch.Traffic.Second.DramWriteBytes, 0U);
  }
  {
    TestLaunch Launch(Hierarchy);
    for (uint64_t A = 0; A < Capacity / 4; A += 128)
      Launch.load(A);
    Launch.end();
    EXPECT_EQ(Launch.hits(), 0U); // the first level is cleared
    EXPECT_EQ(Launch.Traffic.Second.ReadHitSectors, Capacity / 4 / 32);
    EXPECT_EQ(Launch.Traffic.Second.DramReadBytes, 0U);
  }
  TestLaunch Launch(Hierarchy);
  for (uint64_t A = Capacity; A < 5 * Capacity; A += 128)
    Launch.store(A);
  Launch.end();
  // All that was and is stored, but what is still there.
  EXPECT_EQ(Launch.Traffic.Second.DramWriteBytes,
            4 * Capacity + Capacity / 4 - Capacity);
}

TEST(SimCache, MultiprocessorsHaveFirstLevelsOfTheirOwn) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy, {2, 80, 1});
  for (uint32_t B = 0; B < 2; ++B)
    Launch.request(RequestKind::Load, 0, 128, B);
  Launch.end();
  EXPECT_EQ(Launch.hits(), 0U);
  EXPECT_EQ(Launch.Traffic.Second.ReadSectors, 8U);
  EXPECT_EQ(Launch.Traffic.Second.ReadHitSectors, 4U);
}

// --- Order -------------------------------------------------------------------

TEST(SimSchedule, BlocksGoToMultiprocessorsByTurns) {
  const Schedule S = {1000, 80, 4};
  EXPECT_EQ(S.numGroups(), 3 * 80U + 40);
  EXPECT_EQ(S.firstBlock(79), 79U);
  EXPECT_EQ(S.firstBlock(80), 320U);
  EXPECT_EQ(S.blocksOf(0), 4U);
  EXPECT_EQ(S.blocksOf(240), 1U);
  uint64_t Blocks = 0;
  for (uint64_t G = 0; G < S.numGroups(); ++G)
    Blocks += S.blocksOf(G);
  EXPECT_EQ(Blocks, 1000U);
  EXPECT_EQ(S.numWaves(), 4U);
  EXPECT_EQ(S.mostBlocksOfSM(), 3 * 4U + 1);
  EXPECT_FALSE(S.endsWave(78));
  EXPECT_TRUE(S.endsWave(79));
  EXPECT_TRUE(S.endsWave(279));
}

/// Hits of two warps that read the same two thirds of the first level, twice.
uint64_t hitsOfTwoWarps(uint64_t Seed, uint64_t Apart) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  LaunchTraffic Traffic(Hierarchy, {1, 80, 1},
                        occupancyOf(Hierarchy.Model, {64, 0, 16, 0}, 1, 0),
                        Seed);
  BlockGroup G;
  G.Warps.resize(2);
  std::vector<InstructionState> Counts(2);
  for (uint64_t W = 0; W < 2; ++W) {
    G.Warps[W].begin();
    for (unsigned Walk = 0; Walk < 2; ++Walk)
      for (uint64_t L = 0; L < 700; ++L)
        for (uint64_t Sector = (W * Apart + L) * 4, I = 0; I < 1; ++I)
          Traffic.record(G, G.Warps[W], RequestKind::Load, 1, 0, 1, &Sector, 1,
                         false);
  }
  Traffic.replay(G, Counts);
  return Counts[1].Counts.L1HitSectors;
}

TEST(SimOrder, WarpsTakeTurns) {
  EXPECT_EQ(hitsOfTwoWarps(0, 0), 3 * 700U);
  // One after the other each would find its own 700 lines; by turns the 1,400
  // are more than there is room for.
  EXPECT_LT(hitsOfTwoWarps(0, 700), 700U);
}

// --- Occupancy ---------------------------------------------------------------

TEST(SimOccupancy, EachLimitBindsOnce) {
  const DeviceModel &A100 = gpu("a100");
  constexpr uint64_t Many = 1 << 20;
  auto Of = [&](const BlockNeeds &Needs, uint64_t Blocks = Many,
                uint32_t Most = 0) {
    return occupancyOf(A100, Needs, Blocks, Most);
  };
  auto Check = [](const Occupancy &O, uint32_t Blocks, OccupancyLimit Limit) {
    EXPECT_EQ(O.Blocks, Blocks);
    EXPECT_EQ(O.Limit, Limit) << limitName(O.Limit);
    EXPECT_EQ(O.MostWarps, 64U);
  };
  Check(Of({256, 0, 32, 0}), 8, OccupancyLimit::Threads);
  Check(Of({32, 0, 32, 0}), 32, OccupancyLimit::Blocks);
  // 164 KiB by 40 KiB and what the system takes of each block.
  Check(Of({128, 40 << 10, 32, 0}), 4, OccupancyLimit::Shared);
  // 65,536 registers by 128 for each of 256 threads.
  Check(Of({256, 0, 128, 0}), 2, OccupancyLimit::Registers);
  Check(Of({256, 0, 32, 0}, 200), 2, OccupancyLimit::Grid);
  Check(Of({256, 0, 32, 0}, Many, 3), 3, OccupancyLimit::Blocks);
  // It runs whatever is estimated.
  Check(Of({1024, 0, 255, 0}), 1, OccupancyLimit::Registers);
  EXPECT_EQ(Of({40, 0, 32, 0}).Warps, 64U); // half of them nearly empty
}

TEST(SimOccupancy, LimitsAreNamedAsInReports) {
  std::string Names;
  for (auto L :
       {OccupancyLimit::Threads, OccupancyLimit::Blocks, OccupancyLimit::Shared,
        OccupancyLimit::Registers, OccupancyLimit::Grid})
    Names += std::string(limitName(L)) + " ";
  EXPECT_EQ(Names, "threads blocks shared registers grid ");
}

TEST(SimOccupancy, ResourcesAreGivenOutInUnits) {
  auto Blocks = [](const BlockNeeds &Needs) {
    return occupancyOf(gpu("a100"), Needs, 1 << 20, 0).Blocks;
  };
  // 33 registers of 32 threads are 1056, given out as 1280: 51 warps, by four.
  EXPECT_EQ(Blocks({128, 0, 33, 0}), 48U / 4);
  EXPECT_EQ(Blocks({96, 0, 33, 0}), 48U / 3);
  // The system takes a KiB of each block's shared memory.
  EXPECT_EQ(Blocks({32, 10 << 10, 32, 0}), 164U / 11);
}

TEST(SimOccupancy, TheFirstLevelIsWhatSharedMemoryLeaves) {
  const DeviceModel &V100 = gpu("v100");
  auto KiB = [&](uint32_t SharedBytes, uint32_t LocalBytes = 0) {
    return occupancyOf(V100, {1024, SharedBytes, 32, LocalBytes}, 1 << 20, 0)
               .L1Bytes /
           1024;
  };
  // Two blocks of 1024 threads; carve-outs of 0, 8, 16, 32, 64, 96 KiB.
  EXPECT_EQ(KiB(0), 128U);
  EXPECT_EQ(KiB(4 << 10), 120U);
  EXPECT_EQ(KiB((4 << 10) + 1), 112U);
  EXPECT_EQ(KiB(16 << 10), 96U);
  EXPECT_EQ(KiB(48 << 10), 32U);
  // 16 bytes of local memory for each of 2048 threads, at most three quarters.
  EXPECT_EQ(KiB(0, 16), 96U);
  EXPECT_EQ(KiB(0, 1024), 32U);
}

// --- Time --------------------------------------------------------------------

TEST(SimTime, AChainOfLoadsTakesTheirLatencies) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  const DeviceModel &Model = Hierarchy.Model;
  TestLaunch Launch(Hierarchy);
  constexpr uint64_t Loads = 1000;
  for (uint64_t I = 0; I < Loads; ++I)
    Launch.load(I * 128, 4);
  TimeEstimate Time = Launch.end();
  EXPECT_EQ(Time.limiter(), LatencyUnit);
  // Each takes one pass through the first level beside.
  EXPECT_NEAR(Time.Busy[LatencyUnit],
              Loads * (Model.DramLatency + 1) / (Model.ClockGHz * 1e9), 1e-12);
  EXPECT_NEAR(Time.Seconds, Time.Busy[LatencyUnit] + Model.LaunchUs * 1e-6,
              1e-12);

  // The second level has it now, and the first one after its first load.
  TestLaunch Again(Hierarchy);
  for (uint64_t I = 0; I < Loads; ++I)
    Again.load(0, 4);
  Time = Again.end();
  EXPECT_NEAR(Time.Busy[LatencyUnit],
              (Model.L2Latency + (Loads - 1) * Model.L1Latency + Loads) /
                  (Model.ClockGHz * 1e9),
              1e-12);
}

TEST(SimTime, AStreamTakesTheRateOfMemory) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  const DeviceModel &Model = Hierarchy.Model;
  const uint32_t SMs = Model.multiprocessors();
  TestLaunch Launch(Hierarchy, {SMs, SMs, 1});
  constexpr uint64_t Lines = 4000;
  for (uint32_t B = 0; B < SMs; ++B)
    for (uint64_t I = 0; I < Lines; ++I) {
      std::vector<uint64_t> Sectors(4);
      std::iota(Sectors.begin(), Sectors.end(), (B * Lines + I) * 4);
      BlockGroup &G = Launch.Groups[B];
      Launch.Traffic.record(G, G.Warps[0], RequestKind::Load, 1, 0, 1,
                            Sectors.data(), 4, false);
    }
  const TimeEstimate Time = Launch.end();
  EXPECT_EQ(Launch.Traffic.Second.DramReadBytes, uint64_t(SMs) * Lines * 128);
  EXPECT_EQ(Time.limiter(), DramUnit);
  EXPECT_NEAR(Time.Busy[DramUnit], SMs * Lines * 128.0 / (Model.DramTBs * 1e12),
              1e-12);
}

TEST(SimTime, AnEmptyLaunchIsLimitedByItself) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  const TimeEstimate Time = Launch.end();
  EXPECT_EQ(Time.limiter(), LaunchUnit);
  EXPECT_DOUBLE_EQ(Time.Seconds, Hierarchy.Model.LaunchUs * 1e-6);
  EXPECT_DOUBLE_EQ(Time.Least, Time.Seconds);
  EXPECT_DOUBLE_EQ(Time.Most, Time.Seconds);
}

TEST(SimTime, RegistersMoveTheRangeOnly) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  for (uint64_t I = 0; I < 1000; ++I)
    Launch.load(I * 128, 4);
  Launch.end();
  const TimeEstimate Time =
      estimateTime(Hierarchy.Model, Launch.Traffic, {1, 2, 3});
  const double Launching = Hierarchy.Model.LaunchUs * 1e-6;
  EXPECT_NEAR(Time.Least - Launching, Time.Busy[LatencyUnit] / 2, 1e-12);
  EXPECT_NEAR(Time.Most - Launching, Time.Busy[LatencyUnit] * 3 / 2, 1e-12);
}

} // namespace
