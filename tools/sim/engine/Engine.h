//===- Engine.h - Runs translated kernels and counts ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulated device: memory, launches, counters, findings. The stand-in for
// the CUDA driver (../driver) is its only caller besides the unit tests.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_ENGINE_H
#define FERRY_SIM_ENGINE_H

#include "../gpu/Occupancy.h"
#include "SimABI.h"
#include "Timing.h"
#include "ferry/AddressExplainer.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::sim {

struct DeviceModel; // ../gpu/DeviceTable.h

/// What ferry-sim's command line sets.
struct Options {
  /// The GPU; null: the one for which the image was built. It outlives the
  /// devices.
  const DeviceModel *Model = nullptr;
  uint32_t BlocksPerSM = 0;  ///< blocks of one launch that are in flight on an
                             ///< SM together; 0: as many as the device holds
  uint64_t Seed = 0;         ///< 0: lanes and blocks in their natural order
  bool Time = true;          ///< caches and time are calculated
  uint64_t SampleBlocks = 0; ///< that are executed of each launch; 0: all
  uint32_t Jobs = 1;         ///< host threads that run blocks
  uint32_t Devices = 1;
  uint64_t Watchdog = 50'000'000; ///< turns of a lane without progress of any
                                  ///< lane, after which a launch is ended
};

/// Counters of a launch, a kernel or a program. Every unit is in
/// docs/simulator.md.
struct Counters {
#define FERRY_COUNTER(Member, Name) uint64_t Member = 0;
#define FERRY_TIME_COUNTER FERRY_COUNTER
#include "Counters.def"
  /// By pipe, estimated; then those that access memory.
  uint64_t WarpInstructions[NumPipes + 1] = {};
  Counters &operator+=(const Counters &Other);
};

/// What one instruction of one kernel did, for --per-line.
struct InstructionCounters {
  uint64_t Requests = 0;       ///< by warps, to global memory; of a branch: all
  uint64_t Lanes = 0;          ///< in all requests, to any memory
  uint64_t Sectors = 0;        ///< global
  uint64_t LeastSectors = 0;   ///< global, distinct per block
  uint64_t SharedRequests = 0; ///< by warps
  uint64_t Wavefronts = 0;     ///< shared
  uint64_t BankConflicts = 0;  ///< shared: wavefronts beyond the least possible
  uint64_t Divergent = 0;      ///< branches that sent lanes of a warp apart
  uint64_t LinkRequests = 0;   ///< those to the host's memory
  uint64_t LinkSectors = 0;    ///< of these
  // With Options::Time, of the first level.
  uint64_t L1Wavefronts = 0;
  uint64_t L1Sectors = 0, L1HitSectors = 0; ///< of loads
  InstructionCounters &operator+=(const InstructionCounters &Other);
};

/// A kernel and all that its launches did.
struct KernelRecord {
  const KernelInfo *Info;
  const ModuleInfo *Module;
  uint32_t MachineRegisters = 0; ///< of a thread, as ptxas has it; 0: unknown
  uint64_t Launches = 0;
  uint64_t Blocks = 0;             ///< of all launches
  uint64_t SampledBlocks = 0;      ///< those that were executed, if not all
  uint32_t Grid[3] = {0, 0, 0};    ///< of the last launch
  uint32_t Block[3] = {0, 0, 0};   ///< of the last launch
  uint32_t DynamicSharedBytes = 0; ///< of the last launch
  Counters Total;
  /// By instruction number in Module.
  std::vector<InstructionCounters> Instructions;
  TimeEstimate Time;  ///< of all launches
  Occupancy Resident; ///< in the last launch
  /// Of machine code, the most that a warp of the last launch has come to.
  uint64_t CodeBytes = 0;
  double Seconds = 0; ///< of the simulator

  uint32_t registers() const {
    return MachineRegisters ? MachineRegisters : Info->Registers;
  }
};

enum class FindingKind : uint8_t {
  OutOfBounds,         ///< global access outside every allocation
  HostPointer,         ///< the address is the host's
  UninitializedShared, ///< read of shared memory that nobody wrote
  SharedRace,          ///< two lanes, one a writer, no barrier between
  PartialBarrier,      ///< part of the block came to the barrier
  RegionBarrier,       ///< a note: so the runtime does what looks like that
  Deadlock,            ///< nobody can go on
  EndlessSpin,         ///< the watchdog's
  Misaligned,
  AsyncCopy,  ///< used before the copy was waited for
  Trap,       ///< the program asked for it (assertion, __trap)
  Unknown,    ///< a construct the simulator does not know
  BadAddress, ///< the host's processor refused the access
};
/// The name that reports use: "out-of-bounds", "host-pointer", ...
const char *findingName(FindingKind Kind);

/// Whether it is no defect of the program.
inline bool isNote(FindingKind Kind) {
  return Kind == FindingKind::RegionBarrier;
}

/// From now on findings say what \p E knows of wrong addresses. It has to stay.
void explainAddressesWith(const AddressExplainer *E);

/// One finding; equal ones (kind, kernel, instruction) are counted, not
/// kept, and notes of one kernel are equal.
struct Finding {
  FindingKind Kind;
  std::string Kernel;           ///< as mangled
  const InstructionInfo *Where; ///< null if there is none
  uint32_t Block[3], Thread[3];
  uint64_t Address = 0;
  std::string Text; ///< one sentence
  uint64_t Count = 1;
};

/// A translated module on one device.
struct Module {
  const ModuleInfo *Info = nullptr;
  void *Handle = nullptr; ///< of dlopen
  std::vector<std::unique_ptr<KernelRecord>> Kernels;
};

/// One simulated device. Calls may come from any thread; launches of one device
/// run one after the other.
class Device {
public:
  explicit Device(const Options &Opts, unsigned Number);
  ~Device();

  /// Global memory. Addresses are the same in every run. \p Bytes may be 0.
  /// Null when the device's memory is exhausted.
  void *allocate(uint64_t Bytes);
  /// False if \p Pointer is not the begin of an allocation.
  bool release(void *Pointer);
  uint64_t memoryBytes() const;
  uint64_t freeBytes() const;

  /// Loads the shared object at [\p Data, \p Data + \p Bytes). On failure null,
  /// with a sentence in \p Error.
  Module *load(const void *Data, uint64_t Bytes, std::string &Error);
  void unload(Module *M);

  /// From now on kernels may use the host's memory: "requires
  /// unified_shared_memory".
  void allowHostMemory();

  /// Runs a kernel to its end. False if it was ended before (a finding tells
  /// why).
  bool launch(KernelRecord &Kernel, const uint32_t Grid[3],
              const uint32_t Block[3], uint32_t DynamicShared,
              void **Arguments);

  /// Every kernel that was ever loaded, in the order of loading; they outlive
  /// their modules.
  std::vector<KernelRecord *> kernels() const;
  std::vector<Finding> findings() const;

private:
  struct State;
  std::unique_ptr<State> S;

  /// Whether kernel \p Name is not the program's.
  static bool isOwn(std::string_view Name);
  /// Runs kernel \p Name of \p M with one thread, if there is one.
  bool runOnce(const Module &M, std::string_view Name);
};

} // namespace ferry::sim

#endif // FERRY_SIM_ENGINE_H
