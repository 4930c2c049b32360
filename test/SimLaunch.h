//===- SimLaunch.h - Launches of the simulated GPU, request by request ----===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TEST_SIMLAUNCH_H
#define FERRY_TEST_SIMLAUNCH_H

#include "../tools/sim/engine/Lanes.h"
#include "../tools/sim/engine/Timing.h"
#include "../tools/sim/engine/Traffic.h"
#include "../tools/sim/gpu/DeviceTable.h"

#include <numeric>

namespace ferry::sim {

inline const DeviceModel &gpu(const char *Name) {
  return *findDeviceModel(std::string_view(Name));
}

/// A launch whose blocks have some warps; those of one group run together.
class TestLaunch {
public:
  TestLaunch(MemoryHierarchy &Hierarchy, const Schedule &Blocks,
             uint32_t WarpsOfBlock = 1, uint64_t Seed = 0)
      : Model(Hierarchy.Model),
        Traffic(Hierarchy, Blocks,
                occupancyOf(Model, {32 * WarpsOfBlock, 0, 16, 0},
                            Blocks.NumBlocks, Blocks.PerSM),
                Seed),
        Groups(Blocks.numGroups()), Counts(2) {
    for (uint64_t I = 0; I < Groups.size(); ++I) {
      BlockGroup &G = Groups[I];
      G.Index = I;
      G.SM = Blocks.smOf(I);
      G.Blocks = Blocks.blocksOf(I);
      G.Warps.resize(size_t(G.Blocks) * WarpsOfBlock);
      for (WarpTrace &Trace : G.Warps)
        Trace.begin();
    }
  }
  /// One block of one warp.
  explicit TestLaunch(MemoryHierarchy &Hierarchy)
      : TestLaunch(Hierarchy, {1, Hierarchy.Model.multiprocessors(), 1}) {}

  /// A request to [\p Begin, \p Begin + \p Bytes), which begins an epoch.
  void request(RequestKind Kind, uint64_t Begin, uint64_t Bytes,
               uint64_t Group = 0, uint32_t Warp = 0,
               uint8_t Flags = BeginsEpoch) {
    std::vector<uint64_t> Sectors((Begin + Bytes - 1) / 32 - Begin / 32 + 1);
    std::iota(Sectors.begin(), Sectors.end(), Begin / 32);
    BlockGroup &G = Groups[Group];
    Traffic.record(G, G.Warps[Warp], Kind, 1, Flags, 1, Sectors.data(),
                   static_cast<unsigned>(Sectors.size()), Bytes % 32 == 0);
  }
  void load(uint64_t Begin, uint64_t Bytes = LineBytes) {
    request(RequestKind::Load, Begin, Bytes);
  }
  void store(uint64_t Begin, uint64_t Bytes = LineBytes) {
    request(RequestKind::Store, Begin, Bytes);
  }
  void loadLines(RequestKind Kind, uint64_t Num, uint64_t First = 0,
                 uint64_t Apart = 1, uint64_t Group = 0) {
    for (uint64_t I = 0; I < Num; ++I)
      request(Kind, (First + I * Apart) * LineBytes, LineBytes, Group);
  }

  TimeEstimate end() {
    for (BlockGroup &G : Groups) {
      Traffic.replay(G, Counts);
      Traffic.finish(G);
    }
    Traffic.finishAll();
    return estimateTime(Model, Traffic, {});
  }
  double clocks(const TimeEstimate &Time, Unit U) const {
    return Time.Busy[U] * Model.ClockGHz * 1e9;
  }

  uint64_t sectors() const { return Counts[1].Counts.L1Sectors; }
  uint64_t hits() const { return Counts[1].Counts.L1HitSectors; }

  const DeviceModel &Model;
  LaunchTraffic Traffic;
  std::vector<BlockGroup> Groups;
  std::vector<InstructionState> Counts;
};

} // namespace ferry::sim

#endif // FERRY_TEST_SIMLAUNCH_H
