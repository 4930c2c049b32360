//===- SimTimingTest.cpp - What units have to do, and what is waited for --===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Closed forms of the time of each unit, of the waits of one warp, of the range
// of the time, and of what a sample is taken to tell.
//
//===----------------------------------------------------------------------===//

#include "SimLaunch.h"
#include "gpu/Rates.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace ferry::sim;

namespace {

// --- Units -------------------------------------------------------------------

TEST(SimUnits, AFilledLineTakesAClockOfTheFirstLevel) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  const double Sustained = Hierarchy.Model.SustainedClock;
  TestLaunch Fills(Hierarchy);
  Fills.load(0);       // one pass, one line
  Fills.load(128, 32); // one sector of a line is a fill
  Fills.load(160, 32); // and so is the next one
  Fills.load(0);       // hits
  Fills.store(256);    // written through
  EXPECT_NEAR(Fills.clocks(Fills.end(), L1Unit) * Sustained, 5 + 3, 1e-6);
}

TEST(SimUnits, OneMultiprocessorGets64BytesInAClock) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  constexpr uint64_t Lines = 1000;
  TestLaunch First(Hierarchy);
  First.loadLines(RequestKind::Uncached, Lines);
  First.end();
  TestLaunch Again(Hierarchy);
  Again.loadLines(RequestKind::Uncached, Lines);
  EXPECT_NEAR(Again.clocks(Again.end(), L2Unit), Lines * LineBytes / 64, 1e-6);
}

TEST(SimUnits, RatesCountWhatIsReadAndWritten) {
  const DeviceModel &V100 = gpu("v100");
  MemoryHierarchy Hierarchy(V100);
  TestLaunch Launch(Hierarchy);
  Launch.end();
  SecondLevelCounts &Second = Launch.Traffic.Second;
  Second.ReadSectors = 3000000;
  Second.WriteSectors = 5000000;
  Second.DramReadBytes = 70000000;
  Second.DramWriteBytes = 20000000;
  Launch.Traffic.LinkBytes = 1000000;
  const TimeEstimate Time = estimateTime(V100, Launch.Traffic, {});
  EXPECT_NEAR(Time.Busy[L2Unit], 8e6 * 32 / (V100.L2TBs * 1e12), 1e-12);
  EXPECT_NEAR(Time.Busy[DramUnit], 9e7 / (V100.DramTBs * 1e12), 1e-12);
  EXPECT_NEAR(Time.Busy[LinkUnit],
              V100.LinkUs * 1e-6 + 1e6 / (V100.LinkGBs * 1e9), 1e-12);
  EXPECT_NEAR(Time.Busy[LaunchUnit], V100.LaunchUs * 1e-6, 1e-15);
}

TEST(SimUnits, PipesAndIssue) {
  const DeviceModel &V100 = gpu("v100");
  MemoryHierarchy Hierarchy(V100);
  TestLaunch Launch(Hierarchy, {1, V100.multiprocessors(), 1}, 2);
  BlockGroup &G = Launch.Groups[0];
  Launch.load(0);
  Launch.Traffic.recordShared(G, G.Warps[1], 1, 0, 1);
  // What a copy stores is of the instruction that loads it.
  Launch.Traffic.recordShared(G, G.Warps[1], 1, AsyncStore, 1);
  const uint64_t Work[NumPipes] = {100 * WorkScale, 60 * WorkScale,
                                   40 * WorkScale, 20 * WorkScale};
  for (WarpTrace &Trace : G.Warps)
    Launch.Traffic.endWarp(G, Trace, Work);
  const TimeEstimate Time = Launch.end();
  auto Clocks = [&](Unit U) {
    return Launch.clocks(Time, U) * V100.SustainedClock;
  };
  EXPECT_NEAR(Clocks(Fp32Unit), 200 * 32 / V100.Fp32Lanes, 1e-6);
  EXPECT_NEAR(Clocks(Fp64Unit), 120 * 32 / V100.Fp64Lanes, 1e-6);
  EXPECT_NEAR(Clocks(IntUnit), 80 * 32 / V100.IntLanes, 1e-6);
  EXPECT_NEAR(Clocks(IssueUnit), (440 + 2) / V100.IssuePerClock, 1e-6);
}

TEST(SimUnits, AtomicsOfAllMultiprocessorsMeetInOnePlace) {
  const DeviceModel &V100 = gpu("v100");
  MemoryHierarchy Hierarchy(V100);
  TestLaunch Launch(Hierarchy, {3, V100.multiprocessors(), 1});
  WarpAccess A;
  A.Mask = ~0u;
  A.Size = 4;
  std::fill(A.Address, A.Address + 32, 0x1000);
  for (BlockGroup &G : Launch.Groups)
    Launch.Traffic.noteAtomics(G, A);
  Launch.end();
  EXPECT_EQ(Launch.Traffic.Second.AtomicsAtOne, 3 * 32U);
}

TEST(SimUnits, TheBusiestBankDecidesHowLongAtomicsTake) {
  WarpAccess A;
  A.Mask = ~0u;
  A.Size = 4;
  for (uint64_t L = 0; L < 32; ++L)
    A.Address[L] = 0x1000 + (L < 20 ? 0 : 4 * L);
  EXPECT_EQ(atomicPasses(A), 20U);
}

TEST(SimUnits, TheBusiestOneIsNamedAsInReports) {
  const std::pair<Unit, const char *> Names[] = {
      {L1Unit, "l1"},       {L2Unit, "l2"},           {DramUnit, "dram"},
      {IssueUnit, "issue"}, {Fp32Unit, "fp32"},       {Fp64Unit, "fp64"},
      {IntUnit, "int"},     {SharedUnit, "shared"},   {LaunchUnit, "launch"},
      {LinkUnit, "link"},   {LatencyUnit, "latency"},
  };
  for (auto [U, Name] : Names) {
    TimeEstimate Time;
    std::fill(Time.Busy, Time.Busy + NumUnits, 1);
    Time.Busy[U] = 2;
    EXPECT_STREQ(unitName(Time.limiter()), Name);
  }
}

TEST(SimUnits, SharedMemoryIsMostOfTheFirstLevelsWorkOrNot) {
  TimeEstimate Time;
  Time.Busy[L1Unit] = 10;
  Time.Busy[SharedUnit] = 6;
  EXPECT_EQ(Time.limiter(), SharedUnit);
  Time.Busy[SharedUnit] = 4;
  EXPECT_EQ(Time.limiter(), L1Unit);
}

// --- Waits -------------------------------------------------------------------

TEST(SimWaits, HitsOfTheFirstLevelDoNotWaitForMemory) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  const DeviceModel &Model = Hierarchy.Model;
  TestLaunch Launch(Hierarchy);
  constexpr uint64_t Loads = 100;
  for (uint64_t I = 0; I < Loads; ++I)
    Launch.load(0, 4);
  EXPECT_NEAR(Launch.clocks(Launch.end(), LatencyUnit),
              Model.DramLatency + (Loads - 1) * Model.L1Latency + Loads, 1e-6);
}

TEST(SimWaits, WhatPassesTheFirstLevelWaitsForTheSecond) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  const DeviceModel &Model = Hierarchy.Model;
  TestLaunch Launch(Hierarchy);
  constexpr uint64_t Loads = 100;
  for (uint64_t I = 0; I < Loads; ++I)
    Launch.request(RequestKind::Uncached, 0, 4);
  EXPECT_NEAR(Launch.clocks(Launch.end(), LatencyUnit),
              Model.DramLatency + (Loads - 1) * Model.L2Latency + Loads, 1e-6);
}

TEST(SimWaits, AnAtomicWaitsForTheSecondLevel) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  const DeviceModel &Model = Hierarchy.Model;
  TestLaunch Launch(Hierarchy);
  for (unsigned I = 0; I < 100; ++I)
    Launch.request(RequestKind::Atomic, 0, 4);
  EXPECT_NEAR(Launch.clocks(Launch.end(), LatencyUnit),
              100 * Model.L2Latency + 100, 1e-6);
}

TEST(SimWaits, SharedMemoryHasALatency) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  BlockGroup &G = Launch.Groups[0];
  for (unsigned I = 0; I < 100; ++I)
    Launch.Traffic.recordShared(G, G.Warps[0], 1, I % 2 ? BeginsEpoch : 0, 1);
  EXPECT_NEAR(Launch.clocks(Launch.end(), LatencyUnit),
              50 * Launch.Model.SharedLatency + 100, 1e-6);
}

TEST(SimWaits, TheFirstWarpsWaitForTheirCode) {
  const DeviceModel &V100 = gpu("v100");
  MemoryHierarchy Hierarchy(V100);
  const uint32_t SMs = V100.multiprocessors();
  TestLaunch Launch(Hierarchy, {uint64_t(SMs) + 1, SMs, 1}, 2);
  // Another wave's blocks find it.
  EXPECT_TRUE(Launch.Traffic.meetsCode(Launch.Groups[SMs - 1]));
  EXPECT_FALSE(Launch.Traffic.meetsCode(Launch.Groups[SMs]));
  Launch.Traffic.noteCode(Launch.Groups[1], 12800);
  Launch.Traffic.noteCode(Launch.Groups[1], 6400);
  Launch.Traffic.noteCode(Launch.Groups[2], 9600);
  EXPECT_NEAR(Launch.clocks(Launch.end(), LatencyUnit), 100 * 30, 1e-6);
}

TEST(SimWaits, IterationsOfAnUnrolledLoopWaitTogether) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  BlockGroup &G = Launch.Groups[0];
  for (uint64_t Sector = 0; Sector < 80; Sector += 8)
    Launch.Traffic.record(G, G.Warps[0], RequestKind::Load, 1,
                          BeginsEpoch | InUnrolled, 1, &Sector, 1, false);
  // Ten iterations, of which four are in flight together.
  EXPECT_NEAR(Launch.clocks(Launch.end(), LatencyUnit),
              3 * Launch.Model.DramLatency + 10, 1e-6);
}

TEST(SimWaits, AsynchronousCopiesAreWaitedForWhereTheProgramWaits) {
  const DeviceModel &A100 = gpu("a100");
  // Clocks of latency for two copies, each waited for at \p Last groups.
  auto Clocks = [&](uint32_t Last, uint64_t Instructions) {
    MemoryHierarchy Hierarchy(A100);
    TestLaunch Launch(Hierarchy);
    BlockGroup &G = Launch.Groups[0];
    WarpTrace &Trace = G.Warps[0];
    for (uint64_t I = 0; I < 2; ++I) {
      Launch.request(RequestKind::Load, I * LineBytes, LineBytes, 0, 0,
                     AsyncLoad);
      Launch.Traffic.commitCopies(G, Trace);
      Launch.Traffic.waitForCopies(G, Trace, {true, Last, Instructions});
    }
    Launch.Traffic.waitForCopies(G, Trace, {true, 0, Instructions});
    return Launch.clocks(Launch.end(), LatencyUnit) * A100.SustainedClock;
  };
  const double One = A100.DramLatency, Both = Clocks(0, 0);
  EXPECT_GT(Both, 2 * One);
  // With two under way, the first wait is the second one's, too.
  EXPECT_NEAR(Both - Clocks(1, 0), One, 10);
  // What is done meanwhile is not waited for.
  EXPECT_NEAR(Both - Clocks(0, 50), 2 * clocksAlone(50, 0), 1e-6);
  EXPECT_NEAR(Both - Clocks(0, 10000), 2 * One, 10);
}

TEST(SimWaits, AnEpochWaitsForTheLinkOnce) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  BlockGroup &G = Launch.Groups[0];
  auto Request = [&](RequestKind Kind, uint8_t Flags) {
    Launch.Traffic.recordLink(G, G.Warps[0], Kind, 1, Flags, 1);
  };
  for (unsigned I = 0; I < 10; ++I) {
    Request(RequestKind::Load, BeginsEpoch);
    Request(RequestKind::Load, 0); // under way together with the one before
    Request(RequestKind::Store, BeginsEpoch); // nothing waits for a store
    Request(RequestKind::Load, 0);
  }
  const DeviceModel &Model = Launch.Model;
  EXPECT_NEAR(Launch.clocks(Launch.end(), LatencyUnit),
              10 * 0.1 * Model.LinkUs * Model.ClockGHz * 1e3 + 40, 1e-6);
}

TEST(SimWaits, APhaseHasTheWorkSinceTheLastBarrier) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  BlockGroup &G = Launch.Groups[0];
  uint64_t Work[NumPipes] = {100 * WorkScale};
  Launch.Traffic.endPhase(G, G.Warps[0], Work);
  Work[Fp32Pipe] = 250 * WorkScale;
  Launch.Traffic.endWarp(G, G.Warps[0], Work);
  // Two clocks for each instruction, twenty for the barrier.
  EXPECT_NEAR(Launch.clocks(Launch.end(), LatencyUnit), 2 * 250 + 20, 1e-6);
}

TEST(SimWaits, WarpsThatOthersDidNotWaitForChangeNothing) {
  const DeviceModel &V100 = gpu("v100");
  BlockPhases Block(1);
  WarpUse Use;
  Use.Passes = 7;
  for (uint64_t Phase : {0, 1, 2})
    Block.add(V100, Phase, Use, {});
  Block.add(V100, 0, Use, {}); // long over
  EXPECT_DOUBLE_EQ(Block.end().Far, 3 * 7 + 2 * 20);
}

// --- Order and range ---------------------------------------------------------

TEST(SimOrder, ASeedLetsAnotherWarpBegin) {
  for (uint64_t Seed : {0, 1}) {
    MemoryHierarchy Hierarchy(gpu("v100"));
    TestLaunch Launch(Hierarchy, {1, 80, 1}, 2, Seed);
    Launch.request(RequestKind::Load, 0, 128, 0, 0);
    Launch.request(RequestKind::Store, 0, 128, 0, 1);
    Launch.end();
    EXPECT_EQ(Launch.hits(), Seed ? 4U : 0U);
  }
}

TEST(SimOrder, MultiprocessorsReachTheSecondLevelSideBySide) {
  DeviceModel Small = gpu("v100");
  Small.L2MiB = 0.25; // 2048 lines
  MemoryHierarchy Hierarchy(Small);
  TestLaunch Launch(Hierarchy, {2, 80, 1});
  constexpr uint64_t Lines = 8192;
  for (uint64_t B = 0; B < 2; ++B)
    Launch.loadLines(RequestKind::Uncached, Lines, 0, 1, B);
  Launch.end();
  EXPECT_EQ(Launch.Traffic.Second.ReadHitSectors, Lines * 4);
  EXPECT_EQ(Launch.Traffic.Second.DramReadBytes, Lines * LineBytes);
}

TEST(SimOrder, SectorsOfALineInAnyOrderAreOneLine) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  const uint64_t Sectors[] = {9, 0, 8, 1, 4, 10, 5, 2};
  BlockGroup &G = Launch.Groups[0];
  // Three lines: one more would take another pass.
  EXPECT_EQ(Launch.Traffic.record(G, G.Warps[0], RequestKind::Load, 1, 0, 1,
                                  Sectors, 8, false),
            tagWavefronts(3));
  EXPECT_EQ(G.Words, 1 + 3U);
  Launch.end();
  EXPECT_EQ(Launch.sectors(), 8U);
  EXPECT_EQ(Launch.Traffic.Second.ReadSectors, 8U);
}

/// Sectors that both placements pass on when \p Num lines, \p Apart lines from
/// one another, are read twice.
std::pair<uint64_t, uint64_t> passedOn(uint64_t Num, uint64_t Apart,
                                       TimeEstimate &Time) {
  MemoryHierarchy Hierarchy(gpu("v100"));
  TestLaunch Launch(Hierarchy);
  for (unsigned Walk = 0; Walk < 2; ++Walk)
    Launch.loadLines(RequestKind::Load, Num, 0, Apart);
  Time = Launch.end();
  std::pair<uint64_t, uint64_t> Passed;
  Launch.Traffic.forSMs(
      [&](const SMWork &Work) {
        Passed = {Work.L2Sectors[0], Work.L2Sectors[1]};
      },
      NumPlacements);
  return Passed;
}

TEST(SimRange, TheOtherPlacementHasFourSets) {
  // 1024 lines in four sets of 256, or in hashed ones, which hold 300 lines
  // whatever their distance is.
  TimeEstimate Time;
  const uint64_t Once = 200 * 4, More = 300 * 4;
  EXPECT_EQ(passedOn(200, 64, Time), std::pair(Once, Once));
  EXPECT_DOUBLE_EQ(Time.Most, Time.Seconds);
  EXPECT_EQ(passedOn(300, 64, Time), std::pair(More, 2 * More));
  // Each of the second walk's loads waits for the second level or for memory,
  // which has half of what is read.
  const DeviceModel &V100 = gpu("v100");
  const double Here = 300 * (V100.DramLatency + V100.L1Latency) + 600;
  const double There = 600 * V100.DramLatency + 600;
  EXPECT_NEAR(Time.Busy[LatencyUnit], Here / (V100.ClockGHz * 1e9), 1e-12);
  EXPECT_NEAR(Time.Most - Time.Seconds, (There - Here) / (V100.ClockGHz * 1e9),
              1e-12);
  EXPECT_DOUBLE_EQ(Time.Least, Time.Seconds);
}

// --- Samples -----------------------------------------------------------------

TEST(SimSample, TheSameMultiprocessorsInWavesOfTheWholeGrid) {
  Schedule S = {80 * 4 * 100, 80, 4};
  S.sample(160);
  // At least four multiprocessors, so ten waves of a hundred.
  ASSERT_EQ(S.numGroups(), 40U);
  EXPECT_EQ(S.executedBlocks(), 160U);
  for (uint64_t G = 0; G < 40; ++G) {
    EXPECT_EQ(S.smOf(G), G % 4);
    EXPECT_EQ(S.waveOf(G), G / 4 * 10);
  }
}

TEST(SimSample, AtLeastAsManyBlocksAsAreAskedFor) {
  // Less than a wave, one, several, and a part of one.
  for (uint64_t Blocks : {1, 50, 100, 319, 320, 321, 1000, 3200})
    for (uint64_t Asked : {1, 4, 60, 100, 300, 999, 1000, 5000}) {
      Schedule S = {Blocks, 80, 4};
      S.sample(Asked);
      EXPECT_GE(S.executedBlocks(), std::min(Asked, Blocks))
          << Blocks << " " << Asked;
    }
}

TEST(SimSample, LessThanAWaveIsSampledAsWell) {
  // The first twenty multiprocessors have two blocks, the others one.
  Schedule S = {100, 80, 4};
  S.sample(60);
  EXPECT_EQ(S.numGroups(), 40U);
  EXPECT_EQ(S.executedBlocks(), 20 * 2 + 20U);
  S.Sample.clear();
  S.sample(30);
  EXPECT_EQ(S.executedBlocks(), 15 * 2U);
  S.Sample.clear();
  S.sample(100);
  EXPECT_TRUE(S.Sample.empty()); // all of them
}

/// A GPU of one multiprocessor and 2048 lines of the second level.
DeviceModel smallGPU() {
  DeviceModel Small = gpu("v100");
  Small.Multiprocessors = 1;
  Small.L2MiB = 0.25;
  return Small;
}

/// \p Taken of \p Blocks blocks, which run one after the other.
Schedule sampleOf(uint64_t Blocks, uint64_t Taken) {
  Schedule S = {Blocks, 1, 1};
  S.sample(Taken);
  return S;
}

TEST(SimSample, WhatBlocksShareIsFetchedOnce) {
  const DeviceModel Small = smallGPU();
  MemoryHierarchy Hierarchy(Small);
  TestLaunch Launch(Hierarchy, sampleOf(100, 10));
  ASSERT_EQ(Launch.Groups.size(), 10U);
  for (uint64_t G = 0; G < 10; ++G) {
    Launch.loadLines(RequestKind::Uncached, 16, 0, 1, G);           // of all
    Launch.loadLines(RequestKind::Uncached, 4, 1000 + 4 * G, 1, G); // its own
  }
  Launch.end();
  const SecondLevelCounts &Second = Launch.Traffic.Second;
  EXPECT_EQ(Second.ReadSectors, 100 * 20 * 4U);
  EXPECT_EQ(Second.DramReadBytes, (16 + 100 * 4) * 128U);
  EXPECT_EQ(Second.ReadHitSectors, 100 * 20 * 4 - (16 + 100 * 4) * 4U);
}

TEST(SimSample, TheOtherBlocksTakeRoomInTheSecondLevel) {
  const DeviceModel Small = smallGPU();
  for (uint64_t Blocks : {1, 8}) {
    MemoryHierarchy Hierarchy(Small);
    TestLaunch Launch(Hierarchy, sampleOf(Blocks, 1));
    for (unsigned Walk = 0; Walk < 2; ++Walk)
      Launch.loadLines(RequestKind::Uncached, 1024);
    Launch.end();
    EXPECT_EQ(Launch.Traffic.Second.ReadHitSectors,
              Blocks == 1 ? 1024 * 4U : 0U);
  }
}

TEST(SimSample, StoresAndAtomicsAreOfAllBlocks) {
  const DeviceModel Small = smallGPU();
  MemoryHierarchy Hierarchy(Small);
  TestLaunch Launch(Hierarchy, sampleOf(8, 1));
  WarpAccess A;
  A.Mask = 1;
  A.Size = 4;
  A.Address[0] = 0x1000;
  Launch.Traffic.noteAtomics(Launch.Groups[0], A);
  constexpr uint64_t Lines = 2048;
  for (uint64_t L = 0; L < Lines; ++L)
    Launch.store(L * LineBytes);
  Launch.end();
  const SecondLevelCounts &Second = Launch.Traffic.Second;
  EXPECT_EQ(Second.AtomicsAtOne, 8U);
  EXPECT_EQ(Second.WriteSectors, 8 * Lines * 4);
  // All that is stored, but what is still there.
  const auto Written = static_cast<double>(8 * Lines * LineBytes);
  EXPECT_NEAR(static_cast<double>(Second.DramWriteBytes), Written * 7 / 8,
              Written / 50);
}

TEST(SimSample, TimeIsThatOfAllWaves) {
  const DeviceModel Small = smallGPU();
  auto Clocks = [&](uint64_t Taken, Unit U) {
    MemoryHierarchy Hierarchy(Small);
    TestLaunch Launch(Hierarchy, sampleOf(40, Taken));
    for (uint64_t G = 0; G < Launch.Groups.size(); ++G)
      Launch.loadLines(RequestKind::Load, 10, 10 * G, 1, G);
    return Launch.clocks(Launch.end(), U);
  };
  for (Unit U : {L1Unit, L2Unit, DramUnit, IssueUnit, LatencyUnit})
    EXPECT_NEAR(Clocks(4, U), Clocks(40, U), 1e-6) << unitName(U);
}

// --- Descriptions ------------------------------------------------------------

/// The time of a launch of all kinds of requests.
TimeEstimate timeOfAll(const DeviceModel &Model) {
  MemoryHierarchy Hierarchy(Model);
  TestLaunch Launch(Hierarchy, {64, Model.multiprocessors(), 1});
  for (uint64_t I = 0; I < Launch.Groups.size(); ++I) {
    BlockGroup &G = Launch.Groups[I];
    for (unsigned Walk = 0; Walk < 2; ++Walk)
      Launch.loadLines(RequestKind::Load, 1100, 0, 1, I);
    Launch.loadLines(RequestKind::Uncached, 1100, 1000, 1, I);
    Launch.Traffic.recordShared(G, G.Warps[0], 1, BeginsEpoch, 1);
    const uint64_t Work[NumPipes] = {1000, 1000, 1000, 1000};
    Launch.Traffic.endWarp(G, G.Warps[0], Work);
  }
  Launch.end();
  Launch.Traffic.LinkBytes = 1000;
  return estimateTime(Model, Launch.Traffic, {});
}

/// All that is predicted of it, and the occupancy of another one.
std::string predicted(const DeviceModel &Model) {
  std::string Text;
  for (double Busy : timeOfAll(Model).Busy)
    Text += std::to_string(Busy * 1e12) + " ";
  const Occupancy O = occupancyOf(Model, {32, 20 << 10, 32, 0}, 1 << 20, 0);
  return Text + std::to_string(O.Blocks) + " " + std::to_string(O.L1Bytes);
}

TEST(SimDescription, EachFigureCounts) {
  DeviceModel Small = gpu("v100");
  Small.L2MiB = 0.3;
  const std::string Before = predicted(Small);
  EXPECT_EQ(predicted(Small), Before);
  for (const Figure *F = Figures; F->Key; ++F) {
    DeviceModel Other = Small;
    Other.*F->Value *= F->Whole ? 0.5 : 0.75;
    // What the driver tells programs.
    if (!strncmp(F->Key, "memory_", 7))
      continue;
    EXPECT_NE(predicted(Other), Before) << F->Key;
  }
}

TEST(SimDescription, TheLeastAndTheMostGiveNumbers) {
  for (const Figure *F = Figures; F->Key; ++F)
    for (double Value : {F->Least, F->Most}) {
      DeviceModel Model = gpu("h100");
      Model.L2MiB = 1;
      // More of it takes room here as well.
      Model.*F->Value =
          F->Value == &DeviceModel::L2MiB ? std::min(Value, 256.) : Value;
      if (!whyNoModel(Model).empty())
        continue; // it is refused, beside the other figures
      const TimeEstimate Time = timeOfAll(Model);
      EXPECT_TRUE(std::isfinite(Time.Seconds)) << F->Key << " " << Value;
      EXPECT_GT(Time.Seconds, 0) << F->Key << " " << Value;
      EXPECT_LE(Time.Least, Time.Seconds) << F->Key << " " << Value;
      EXPECT_GE(Time.Most, Time.Seconds) << F->Key << " " << Value;
      EXPECT_TRUE(std::isfinite(Time.Most)) << F->Key << " " << Value;
      for (double Busy : Time.Busy)
        EXPECT_TRUE(Busy >= 0 && Busy <= Time.Seconds * (1 + 1e-9))
            << F->Key << " " << Value;
    }
}

} // namespace
