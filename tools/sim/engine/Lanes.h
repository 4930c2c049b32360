//===- Lanes.h - Lanes, warps, blocks and who runs them -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the engine. A worker is a host thread that runs blocks one after
// the other. Within a block it gives each warp its turn; within a warp the
// lanes switch to one another until none can go on. Then the warp's log is read
// (LogReader), and those that wait for one another are let go (Scheduler).
//
// What a lane waits for is kept in the warp, not with the lane: the contexts of
// lanes lie a power of two apart and would push one another out of the cache.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_LANES_H
#define FERRY_SIM_LANES_H

#include "AsyncCopies.h"
#include "Engine.h"
#include "Findings.h"
#include "Memory.h"
#include "SharedShadow.h"
#include "Traffic.h"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ferry::sim {

struct Warp;
struct Block;
struct Worker;

/// A lane is known by its context.
struct Lane : LaneContext {
  Warp &warp() const { return *static_cast<Warp *>(Owner); }
};
static_assert(sizeof(Lane) <= ContextBytes);

enum class WarpOperation : uint8_t {
  ShuffleIndex,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  Ballot,
  Uniform,
  Match,
  Add,
  MinSigned,
  MaxSigned,
  MinUnsigned,
  MaxUnsigned,
  And,
  Or,
  Xor,
  Synchronize,
  ActiveMask, ///< this one and the next: of whoever is there
  Join,
};

/// What a lane asked its warp for.
struct WarpRequest {
  WarpOperation Operation;
  uint32_t Mask;
  uint64_t Value;
  uint32_t B, C;  ///< the operands of shfl.sync
  uint32_t Order; ///< Join: the block's place in reverse post-order
  uint64_t Depth; ///< ActiveMask, Join: bytes of stack in use
  const void *Site;
  bool operator==(const WarpRequest &O) const {
    return Operation == O.Operation && Mask == O.Mask;
  }
};

struct BarrierRequest {
  uint32_t Id;
  uint32_t Count; ///< threads; 0: the whole block
  bool Aligned;   ///< every thread at the same instruction
  bool Value;     ///< for barriers that count
};

constexpr uint32_t NumBarriers = 16; ///< of a block (PTX ISA, "barrier")

/// Who came to a barrier so far.
struct BarrierState {
  const Lane *First = nullptr;
  uint32_t Arrived = 0;
  uint32_t Count = 0; ///< as in the first request
  uint32_t Site = 0;  ///< of First
  uint32_t Votes = 0;
  uint32_t Result = 0; ///< votes, when it was complete the last time
  bool Aligned = false;
  bool Scattered = false; ///< not all at the same instruction
};

struct Warp {
  Block *Owner = nullptr;
  Worker *Host = nullptr; ///< Owner's
  unsigned Index = 0;
  uint32_t All = 0; ///< lanes that exist
  // Each lane that exists is running or in exactly one of these.
  uint32_t Ready = 0, LogFull = 0, InStep = 0, Yielded = 0, AtWarp = 0,
           AtBarrier = 0, Done = 0;
  unsigned Turn = 0;     ///< first lane to look at, when lanes are shuffled
  unsigned Patience = 0; ///< turns given to spinning lanes while others wait
  uint32_t Syncs = 0;    ///< times that lanes were synchronised
  uint64_t *Log = nullptr;
  WarpTrace *Trace = nullptr;   ///< null if no time is calculated
  uint32_t Rows[WarpSize] = {}; ///< words of each lane in the log
  void *StackPointer[WarpSize] = {};
  WarpRequest Request[WarpSize];
  uint64_t Result[WarpSize] = {};
  uint8_t BarrierId[WarpSize] = {};
  Lane *Lanes[WarpSize] = {};
  std::vector<uint8_t> Reached; ///< as LaneContext's

  uint32_t live() const { return All & ~Done; }
  /// The number of a lane's thread within the block.
  unsigned threadOf(unsigned LaneId) const { return Index * WarpSize + LaneId; }
};

struct Block {
  Worker *Owner = nullptr;
  unsigned Slot = 0; ///< of the memory for stacks and shared memory
  uint32_t Id[3] = {0, 0, 0};
  BlockGroup *Group = nullptr;
  uint32_t Tag = 0;      ///< tells its accesses from those of other blocks
  uint32_t Epoch = 0;    ///< barriers passed
  unsigned Done = 0;     ///< lanes
  unsigned Spinning = 0; ///< passes without anything but spinning
  unsigned AtBarrier = 0;
  BarrierState Barriers[NumBarriers];
  std::vector<Warp> Warps;
  std::vector<uint64_t> Logs;
  char *Shared = nullptr;
  std::vector<void *> ToFree; ///< memory of the device's heap
  SharedShadow Shadow;
  std::vector<CopyQueue> Copies; ///< of the threads, once one has copied
  CopyTargets Targets;           ///< of Copies, as far as the logs are read
};

/// A launch, the same for all workers.
struct Launch {
  const Options *Opts;
  GlobalMemory *Memory;
  bool HostMemory; ///< kernels may use the host's
  Findings *Found;
  KernelRecord *Kernel;
  uint32_t Grid[3], BlockDim[3];
  uint32_t DynamicShared;
  void **Arguments;
  Schedule Blocks;
  LaunchTraffic *Traffic; ///< null if no time is calculated
  unsigned Jobs;
  unsigned NumLanes; ///< of a block
  uint64_t SharedBytes;
  unsigned MaxActive;             ///< blocks of a worker
  std::atomic<bool> Ended{false}; ///< before its end, for a reason
  const AddressExplainer *Explainer = nullptr;
  void *Explained = nullptr; ///< what stands for the launch there
};

/// What a worker knows of an instruction.
struct InstructionState {
  InstructionCounters Counts;
  uint64_t Begin = 0, End = 0; ///< the allocation it accessed last
  uint64_t HostPage = 0;       ///< the last one that it accessed
};

struct Worker {
  Launch *Current = nullptr;
  unsigned Job = 0;             ///< of Current's jobs
  void *StackPointer = nullptr; ///< of the scheduler
  Lane *Running = nullptr;
  std::vector<InstructionState> Instructions;
  std::vector<uint32_t> Touched; ///< instructions that were executed
  Counters Total;
  uint64_t Turns = 0;      ///< of spinning lanes, since anything else happened
  uint64_t LogsFilled = 0; ///< since lanes met, or one ended
  uint64_t Random = 0;     ///< state of the generator; 0: natural order
  uint64_t Generation = 0;
  uint32_t LastTag = 0;
  uint64_t Clock = 0;
  std::atomic<uint64_t> Switches{0}; ///< a sign of life
  uint64_t SwitchesAtTick = ~uint64_t(0);
  /// By sector of the device's memory, the tag of the block that touched it
  /// last: by loads, by stores.
  uint32_t *SectorTags[2] = {nullptr, nullptr};
  uint64_t NumSectors = 0;
  std::unordered_map<uint64_t, uint32_t> ForeignTags; ///< of other memory
  std::vector<std::unique_ptr<Block>> Spare;
  std::deque<std::unique_ptr<Block>> Active;
  std::vector<std::unique_ptr<BlockGroup>> SpareGroups, ActiveGroups;
  uint64_t NextGroup = 0; ///< that may be this worker's

  explicit Worker(uint64_t MemoryBytes);
  ~Worker();
  Worker(const Worker &) = delete;

  /// Runs blocks of \p L, which is Current, until there are none left.
  void run(Launch &L);
};

// --- Between the parts of the engine ----------------------------------------

/// The context of the lane whose stack this is called on.
inline Lane &currentLane() {
  const auto Frame = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  return *reinterpret_cast<Lane *>(contextAddress(Frame));
}

/// Where memory for blocks lies; slots are numbered from 0.
namespace slots {
constexpr uint64_t SharedBase = 0x1000'0000'0000;
constexpr uint64_t SharedBytes = SharedRoom; ///< of a slot
constexpr uint64_t StackBase = 0x1100'0000'0000;
constexpr unsigned MaxLanes = 1024;
constexpr unsigned Num = 4096;
inline bool isShared(uint64_t A) { return A - SharedBase < Num * SharedBytes; }
inline bool isStack(uint64_t A) {
  return A - StackBase < StackBytes * Num * MaxLanes;
}
inline char *shared(unsigned Slot) {
  return reinterpret_cast<char *>(SharedBase + Slot * SharedBytes);
}
inline char *stack(unsigned Slot, unsigned Lane) {
  return reinterpret_cast<char *>(
      StackBase + (uint64_t(Slot) * MaxLanes + Lane) * StackBytes);
}
/// Exits with a message if the system has no memory.
unsigned acquire();
void release(unsigned Slot);
} // namespace slots

/// Gives lane \p Number of \p W its context and a stack on which it is ready to
/// begin.
void startLane(Warp &W, unsigned Number);
/// Runs the lanes of \p W that are ready, of which there are some, until none
/// is.
void runReady(Warp &W);
/// Lets lanes go whose warp operation is complete. True if there were any.
bool resolveOperations(Warp &W);
/// Lets the lanes at the innermost meeting point go. True if there were any.
bool resolveJoin(Warp &W);

/// Counts and checks what the lanes of \p W wrote to its log, and empties it.
void readLog(Warp &W);

/// Records a finding about lane \p L, at instruction \p Number of the table (0:
/// unknown).
void addFinding(FindingKind Kind, const Lane &L, uint32_t Number,
                uint64_t Address, std::string Text);
/// The same with a text that takes time to make: it is asked for once.
using FindingText = std::function<std::string()>;
void addFinding(FindingKind Kind, const Lane &L, uint32_t Number,
                uint64_t Address, const FindingText &Text);

/// What is known of the wrong \p Address that instruction \p Number of \p L
/// accesses, to go behind a sentence; empty if nothing is. \p OnHost: the host
/// may have memory there.
std::string explainAddress(const Lane &L, uint64_t Number, uint64_t Address,
                           bool OnHost);

/// Reports the copies that \p L, which ends, has not waited for.
void reportPendingCopies(const Lane &L);

/// What a block of \p L takes, with \p Registers for each thread.
BlockNeeds needsOf(const Launch &L, uint32_t Registers);
/// Adds what the \p Workers of \p L counted to its kernel, and prepares them
/// for the next launch.
void collectCounts(const Launch &L,
                   const std::vector<std::unique_ptr<Worker>> &Workers);
/// Adds what \p Traffic tells of \p L to its kernel.
void collectTraffic(const LaunchTraffic &Traffic, const Launch &L,
                    const DeviceModel &Model);

/// Waiting, called on a lane's stack.
uint64_t askWarp(Lane &L, const WarpRequest &Request);
uint64_t waitAtBarrier(Lane &L, const BarrierRequest &Request);
/// Goes on as soon as the warp's log is read.
void waitForLog(Lane &L);
/// Goes on when every warp of the block had a turn.
void waitForStep(Lane &L);
void yieldLane(Lane &L);
[[noreturn]] void endLane(Lane &L);
/// Ends the whole launch.
[[noreturn]] void endLaunch(Lane &L, FindingKind Kind, std::string Text);

} // namespace ferry::sim

#endif // FERRY_SIM_LANES_H
