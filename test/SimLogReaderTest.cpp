//===- SimLogReaderTest.cpp - From what lanes wrote down to requests ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimLaunch.h"
#include "gtest/gtest.h"

using namespace ferry::sim;

namespace {

/// A warp of a module of four accesses of four bytes.
class LoggedWarp {
public:
  enum : uint32_t { Load = 1, Store, Atomic, Volatile, Num };

  LoggedWarp()
      : Memory(MostDevices - 1, 1 << 20), Hierarchy(gpu("v100")),
        Time(Hierarchy), Host(Memory.size()) {
    Begin = reinterpret_cast<uint64_t>(Memory.allocate(1 << 16));
    for (uint32_t I = Load; I < Num; ++I) {
      Table[I] = {};
      Table[I].Kind = I == Store    ? InstructionKind::Store
                      : I == Atomic ? InstructionKind::Atomic
                                    : InstructionKind::Load;
      Table[I].Size = Table[I].Align = 4;
      Table[I].Flags = I == Volatile ? ferry::sim::Volatile : 0;
    }
    Code.NumInstructions = Num;
    Code.Instructions = Table;
    Kernel.Info = &Info;
    Kernel.Module = &Code;
    L.Memory = &Memory;
    L.HostMemory = false;
    L.Kernel = &Kernel;
    L.Traffic = &Time.Traffic;
    L.SharedBytes = 0;
    Host.Current = &L;
    Host.Instructions.resize(Num);
    B.Owner = &Host;
    B.Group = &Time.Groups[0];
    B.Tag = 1;
    W.Owner = &B;
    W.Host = &Host;
    W.All = ~0u;
    W.Log = Log;
    W.Trace = &B.Group->Warps[0];
  }

  /// Lane l has accessed the memory's byte l * \p Stride.
  void request(uint32_t Number, uint64_t Stride) {
    for (uint64_t Lane = 0; Lane < WarpSize; ++Lane) {
      Log[Lane] = uint64_t(Number) << LogShift | (Begin + Lane * Stride);
      W.Rows[Lane] = 1;
    }
    readLog(W);
  }
  const InstructionCounters &counts(uint32_t Number) const {
    return Host.Instructions[Number].Counts;
  }
  /// After the last request.
  void end() {
    Time.Traffic.replay(*B.Group, Host.Instructions);
    Time.Traffic.finish(*B.Group);
    Time.Traffic.finishAll();
  }
  const SecondLevelCounts &second() const { return Time.Traffic.Second; }

private:
  GlobalMemory Memory;
  MemoryHierarchy Hierarchy;
  TestLaunch Time;
  uint64_t Begin;
  InstructionInfo Table[Num];
  ModuleInfo Code = {};
  KernelInfo Info = {};
  KernelRecord Kernel = {};
  Launch L;
  Worker Host;
  Block B;
  Warp W;
  uint64_t Log[WarpSize];
};

TEST(SimLogReader, WhatIsStoredWholeCanBeRead) {
  for (uint64_t Stride : {4, 8}) {
    LoggedWarp Warp;
    Warp.request(LoggedWarp::Store, Stride);
    Warp.request(LoggedWarp::Load, Stride);
    Warp.end();
    EXPECT_EQ(Warp.counts(LoggedWarp::Load).L1Sectors, Stride);
    EXPECT_EQ(Warp.counts(LoggedWarp::Load).L1HitSectors,
              Stride == 4 ? 4U : 0U);
  }
}

TEST(SimLogReader, VolatileLoadsPassTheFirstLevel) {
  LoggedWarp Warp;
  for (unsigned I = 0; I < 2; ++I)
    Warp.request(LoggedWarp::Volatile, 4);
  Warp.end();
  EXPECT_EQ(Warp.counts(LoggedWarp::Volatile).Sectors, 8U);
  EXPECT_EQ(Warp.counts(LoggedWarp::Volatile).L1Sectors, 0U);
  EXPECT_EQ(Warp.second().ReadSectors, 8U);
  EXPECT_EQ(Warp.second().ReadHitSectors, 4U);
}

TEST(SimLogReader, AtomicsAtOneAddressAreDoneInTurn) {
  LoggedWarp Warp;
  Warp.request(LoggedWarp::Atomic, 0);
  EXPECT_EQ(Warp.counts(LoggedWarp::Atomic).L1Wavefronts, 32U);
  Warp.request(LoggedWarp::Atomic, 4);
  EXPECT_EQ(Warp.counts(LoggedWarp::Atomic).L1Wavefronts, 33U);
  Warp.end();
  EXPECT_EQ(Warp.second().AtomicsAtOne, 32 + 4U);
  EXPECT_EQ(Warp.second().WriteSectors, 1 + 4U);
}

TEST(SimLogReader, WavefrontsAreThoseOfBanksAndTags) {
  LoggedWarp Warp;
  Warp.request(LoggedWarp::Load, 4);
  EXPECT_EQ(Warp.counts(LoggedWarp::Load).L1Wavefronts, 1U);
  Warp.request(LoggedWarp::Load, 128);
  EXPECT_EQ(Warp.counts(LoggedWarp::Load).L1Wavefronts, 1U + 32);
  Warp.request(LoggedWarp::Load, 132);
  EXPECT_EQ(Warp.counts(LoggedWarp::Load).L1Wavefronts, 1U + 32 + 9);
}

} // namespace
