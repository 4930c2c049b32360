//===- Traffic.h - What warps ask of the caches, in a GPU's order ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks run one after the other, but what they ask of global memory is written
// down, and replayed as on a GPU:
//
//   grid      block b runs on multiprocessor b % M, in wave b / (M * K), where
//   K
//             blocks are resident on each of the M multiprocessors
//   replay    the warps of the K blocks take turns, a request each, at the
//   first
//             level of their multiprocessor
//   merging   what misses there, of all multiprocessors of a wave, goes to the
//             second level in proportion
//
// So neither the number of host threads nor their speed makes a difference. The
// blocks of one multiprocessor and wave are a group. Source of the idea: the
// distribution of blocks and warps of PPT-GPU (Arafa et al., ICS 2020).
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_TRAFFIC_H
#define FERRY_SIM_TRAFFIC_H

#include "../gpu/Occupancy.h"
#include "Cache.h"
#include "Engine.h"
#include "MemoryModel.h"
#include "Phases.h"
#include "TraceWords.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace ferry::sim {

struct InstructionState;

/// The two ways to place lines in the first level that are calculated: the
/// first counts, the other tells how much it matters.
constexpr unsigned NumPlacements = 2;
/// The other is calculated for some of the multiprocessors.
constexpr unsigned placementsOn(uint32_t SM) {
  constexpr uint32_t OneOf = 8;
  return SM % OneOf ? 1 : NumPlacements;
}

/// What one warp has done since the last replay, and since it began.
struct WarpTrace {
  TraceWords Words;
  size_t Next = 0; ///< in the replay
  WarpUse Use;     ///< since the last barrier, as it is written down
  /// Since the last barrier, as it is replayed.
  WarpWaits Waits[NumPlacements];
  /// Since it began, as it is replayed.
  WaitClocks Waited[NumPlacements];
  CopyWaits Copies[NumPlacements];
  /// Clocks of what it does beside instructions, up to now and when the last
  /// groups of copies were made, as it is written down.
  double Busy = 0;
  std::vector<double> BusyAtCommit;
  uint64_t Phase = 0;              ///< barriers replayed
  bool Missed[NumPlacements] = {}; ///< this epoch
  bool InEpoch = false;
  bool WaitedForLink = false;   ///< this epoch
  uint8_t Iterations[16] = {};  ///< of unrolled loops, by instruction
  uint64_t Work[NumPipes] = {}; ///< up to the last barrier

  void begin();
  /// Waits, as it is replayed, by placement \p P.
  void wait(unsigned P, const WaitClocks &Clocks) {
    Waits[P].Near += Clocks.Near;
    Waits[P].Far += Clocks.Far;
    ++Waits[P].Epochs;
    Waited[P].Near += Clocks.Near;
    Waited[P].Far += Clocks.Far;
  }
  /// Whether an access of instruction \p Number begins an epoch.
  bool beginsEpoch(uint32_t Number, uint8_t Flags) {
    const bool Begins =
        Flags & BeginsEpoch &&
        !(Flags & InUnrolled && Iterations[Number % 16]++ % UnrolledIterations);
    WaitedForLink &= !Begins;
    return Begins;
  }
};

/// What a multiprocessor has to do for a launch.
struct SMWork {
  uint64_t GlobalWavefronts = 0;
  uint64_t SharedPasses = 0;
  uint64_t Requests = 0;  ///< instructions, to any memory
  uint64_t CodeBytes = 0; ///< the most that a warp of the first wave comes to
  uint64_t Work[NumPipes] = {};       ///< times WorkScale
  uint64_t Fills[NumPlacements] = {}; ///< lines
  /// That the second level could read or write in the time that it takes.
  uint64_t L2Sectors[NumPlacements] = {};
  BlockTime Stalled[NumPlacements]; ///< the slowest of each wave, summed
};

/// A multiprocessor: its first level, by both placements, and its work.
struct Multiprocessor {
  SectoredCache First[NumPlacements];
  uint64_t L1Bytes = 0;
  uint64_t Launch = 0; ///< for which all of it is
  SMWork Work;
  /// Of global memory, by place: a counter for those of one hash. Empty if
  /// there were none.
  std::vector<uint64_t> Atomics;
};

/// What went to the second level and to memory.
struct SecondLevelCounts {
  uint64_t ReadSectors = 0, ReadHitSectors = 0, WriteSectors = 0;
  uint64_t PartSectors = 0; ///< as many more would take as long as it takes
  uint64_t DramReadBytes = 0, DramWriteBytes = 0;
  uint64_t AtomicsAtOne = 0; ///< one after the other, in the busiest 256 bytes
};

/// The blocks of one multiprocessor in one wave.
struct BlockGroup {
  uint64_t Index = 0; ///< in the order of waves and multiprocessors
  uint32_t SM = 0;
  uint64_t First = 0; ///< block; the others are a wave's apart
  uint32_t Blocks = 0, Started = 0, Finished = 0;
  std::vector<WarpTrace> Warps;                   ///< of all blocks
  std::vector<BlockPhases> Phases[NumPlacements]; ///< of each block
  uint64_t Words = 0;             ///< of all traces, for requests
  uint64_t Arrivals = 0;          ///< of warps at barriers, in all traces
  std::vector<uint64_t> ToSecond; ///< what the first level passes on
};

/// How the blocks of a grid are spread. Groups are numbered by wave, then by
/// multiprocessor; of a sample only those that are in it.
struct Schedule {
  uint64_t NumBlocks = 1;
  uint32_t SMs = 1, PerSM = 1;
  std::vector<uint64_t> Sample = {}; ///< groups, ascending; empty: all

  uint64_t perWave() const { return uint64_t(SMs) * PerSM; }
  /// Without those of the last wave that have no block.
  uint64_t numGroups() const {
    return Sample.empty() ? allGroups() : Sample.size();
  }
  uint32_t smOf(uint64_t Group) const {
    return static_cast<uint32_t>(place(Group) % SMs);
  }
  uint64_t waveOf(uint64_t Group) const { return place(Group) / SMs; }
  uint64_t firstBlock(uint64_t Group) const {
    return waveOf(Group) * perWave() + smOf(Group);
  }
  uint32_t blocksOf(uint64_t Group) const {
    const uint64_t Left = NumBlocks - firstBlock(Group);
    return static_cast<uint32_t>(
        std::min<uint64_t>((Left + SMs - 1) / SMs, PerSM));
  }
  bool endsWave(uint64_t Group) const {
    return Group + 1 == numGroups() || waveOf(Group + 1) != waveOf(Group);
  }
  /// Blocks of the sample, or all.
  uint64_t executedBlocks() const;
  /// Leaves groups with at least \p Blocks blocks, spread over the grid:
  /// the same multiprocessors in some of the waves. All, if there are no more.
  void sample(uint64_t Blocks);
  /// Blocks of the multiprocessor that has most.
  uint64_t mostBlocksOfSM() const {
    const uint64_t Last = NumBlocks % perWave();
    return NumBlocks / perWave() * PerSM + (Last + SMs - 1) / SMs;
  }
  uint64_t numWaves() const { return (NumBlocks + perWave() - 1) / perWave(); }

private:
  uint64_t allGroups() const {
    const uint64_t Last = NumBlocks % perWave();
    return NumBlocks / perWave() * SMs + std::min<uint64_t>(Last, SMs);
  }
  uint64_t place(uint64_t Group) const {
    return Sample.empty() ? Group : Sample[Group];
  }
};

/// The memory of a device, as far as time needs it: what stays between
/// launches.
class MemoryHierarchy {
public:
  explicit MemoryHierarchy(const DeviceModel &Model);

  const DeviceModel &Model;
  SectoredCache Second;
  std::vector<Multiprocessor> SMs;
  uint64_t Launches = 0;
  uint64_t LinesOfOthers = 0; ///< that stand for blocks left out of samples
};

/// The traffic of one launch. Groups of one multiprocessor come from one host
/// thread, in order.
class LaunchTraffic {
public:
  LaunchTraffic(MemoryHierarchy &Hierarchy, const Schedule &Blocks,
                const Occupancy &Resident, uint64_t Seed);

  /// Writes down a request of instruction \p Number to the \p Num sectors in
  /// \p Sectors. \p Full: whole sectors are stored. \p BankWavefronts: passes
  /// that its addresses would take in shared memory. Returns those that it
  /// takes in the first level.
  uint32_t record(BlockGroup &G, WarpTrace &Trace, RequestKind Kind,
                  uint32_t Number, uint8_t Flags, uint32_t BankWavefronts,
                  const uint64_t *Sectors, unsigned Num, bool Full);
  /// The same for shared memory.
  void recordShared(BlockGroup &G, WarpTrace &Trace, uint32_t Number,
                    uint8_t Flags, uint32_t Passes);
  /// The same for the host's memory, which no cache keeps.
  uint32_t recordLink(BlockGroup &G, WarpTrace &Trace, RequestKind Kind,
                      uint32_t Number, uint8_t Flags, uint32_t BankWavefronts);
  /// The warp makes a group of asynchronous copies; it waits for groups.
  void commitCopies(BlockGroup &G, WarpTrace &Trace);
  void waitForCopies(BlockGroup &G, WarpTrace &Trace, const CopyEvent &Event);
  /// Notes the addresses of an atomic request to global memory.
  void noteAtomics(const BlockGroup &G, const WarpAccess &A);
  /// The warp has come to a barrier of its block, or to its end. \p Work is
  /// what it has done since it began.
  void endPhase(BlockGroup &G, WarpTrace &Trace, const uint64_t *Work);
  void endWarp(BlockGroup &G, WarpTrace &Trace, const uint64_t *Work);

  /// Whether code that warps of \p G come to is new to their multiprocessor.
  bool meetsCode(const BlockGroup &G) const {
    return Blocks.waveOf(G.Index) == 0;
  }
  /// A warp of \p G, which does so, has come to \p Bytes of machine code.
  void noteCode(const BlockGroup &G, uint64_t Bytes) {
    uint64_t &Most = smOf(G).Work.CodeBytes;
    Most = std::max(Most, Bytes);
  }

  /// Whether the traces of \p G take more memory than they should.
  bool isLong(const BlockGroup &G) const {
    return G.Words > MostWords || G.Arrivals > MostWords / 8;
  }
  /// Replays what \p G has written down; hits are counted in \p Counts, by
  /// instruction.
  void replay(BlockGroup &G, std::vector<InstructionState> &Counts);
  /// After the last replay of \p G: it has no more to say.
  void finish(BlockGroup &G);
  /// After the last group, also if some are missing. Of a sample, Second and
  /// the work of a multiprocessor are extrapolated to the grid.
  void finishAll();

  const Occupancy Resident;
  SecondLevelCounts Second;
  uint64_t LinkBytes = 0; ///< to and from the host's memory

  /// The multiprocessors that had work.
  /// Of these, the ones for which all of the first \p Placements ways to place
  /// lines were calculated.
  template <typename Action>
  void forSMs(Action Act, unsigned Placements = 1) const {
    if (Extrapolated && Placements == 1)
      return Act(*Extrapolated);
    for (uint32_t I = 0; I < Hierarchy.SMs.size(); ++I)
      if (Hierarchy.SMs[I].Launch == Hierarchy.Launches &&
          placementsOn(I) >= Placements)
        Act(Hierarchy.SMs[I].Work);
  }

private:
  MemoryHierarchy &Hierarchy;
  const Schedule Blocks;
  const uint64_t Seed;
  const uint32_t LeastWavefronts; ///< of a request, by architecture
  const double OthersForEach;     ///< blocks left out for each that is executed
  // 32 MiB for a group; 256 MiB for what waits for the second level.
  static constexpr uint64_t MostWords = uint64_t(1) << 22;
  static constexpr uint64_t MostPending = uint64_t(1) << 25;

  std::mutex Lock; ///< of what follows, of Second and Hierarchy.Second
  std::map<uint64_t, std::vector<uint64_t>> Waiting; ///< streams by group
  std::vector<std::vector<uint64_t>> Part; ///< those that go on together
  uint64_t PartWords = 0, NextGroup = 0;
  SecondLevelCounts OfFirstHalf; ///< of a sample's groups
  std::optional<SMWork> Extrapolated;
  double LinesOwed = 0; ///< of blocks that are left out

  Multiprocessor &smOf(const BlockGroup &G) {
    Multiprocessor &SM = Hierarchy.SMs[G.SM];
    if (SM.Launch != Hierarchy.Launches)
      prepare(SM);
    return SM;
  }
  void prepare(Multiprocessor &SM);
  void countRequest(const BlockGroup &G, WarpTrace &Trace,
                    uint64_t SMWork::*Sum, uint32_t Passes,
                    unsigned Instructions = 1);
  void closePhase(BlockGroup &G, WarpTrace &Trace, const WarpUse &Use);
  void passMarks(BlockGroup &G, WarpTrace &Trace);
  void endWait(const BlockGroup &G, WarpTrace &Trace, uint32_t Last,
               double Busy);
  void serve(Multiprocessor &SM, BlockGroup &G, WarpTrace &Trace,
             std::vector<InstructionState> &Counts);
  void mergePart();
  void findBusiestPlace();
  void extrapolate();
  void makeRoomForOthers();
  void serveSecond(uint64_t Word);
};

} // namespace ferry::sim

#endif // FERRY_SIM_TRAFFIC_H
