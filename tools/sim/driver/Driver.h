//===- Driver.h - State of the stand-in CUDA driver -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the functions of the driver API (Cuda*.cpp) share. Handles that the
// program passes in are looked up, never followed unseen: a wrong one is an
// error code. All work is done at once, so streams are in order by nature.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_DRIVER_H
#define FERRY_SIM_DRIVER_H

#include "../engine/Engine.h"
#include "../gpu/DeviceTable.h"
#include "CudaAPI.h"
#include "Results.h"
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::sim {

struct DeviceState;

/// What a CUmodule points to.
struct LoadedModule {
  DeviceState *Owner;
  Module *M;
};

/// What a CUfunction points to.
struct Function {
  LoadedModule *Owner;
  KernelRecord *Kernel;
  uint32_t MaxDynamicShared; ///< bytes; grows when the program asks for it
};

/// What a CUstream points to.
struct Queue {
  DeviceState *Owner;
};

/// What a CUevent points to.
struct Event {
  DeviceState *Owner;
  bool TakesTime; ///< of the host's clock, when it is recorded
  std::optional<std::chrono::steady_clock::time_point> Recorded;
};

/// A device, and its primary context, which is the only one.
struct DeviceState {
  DeviceState(const Options &Opts, unsigned Number)
      : Engine(Opts, Number), Number(Number) {}

  Device Engine;
  unsigned Number;
  unsigned Retained = 0; ///< references to the primary context
  unsigned Flags = 0;
  uint64_t Limits[3] = {1 << 10, 1 << 20, 8 << 20}; ///< by ContextLimit
  CudaError Failed = CudaError::Success;            ///< a launch's; it stays
  std::set<const DeviceState *> Peers;
  std::map<DevicePointer, uint64_t> Allocations; ///< address and bytes
  std::map<KernelRecord *, Transfers> ByKernel;
  /// Done for the next launch: copies to the device, allocations.
  Transfers Pending;
  KernelRecord *LastKernel = nullptr;
  Transfers Total;

  // libomptarget's own work, which is not the program's.
  Transfers SetUp;
  bool RunsConstructors = false; ///< it prepares to run device constructors
  bool LastWasSetUp = false;     ///< so was the last thing it did
  DevicePointer LastAllocation = 0, ConstructorTable = 0;
};

/// The process-wide state. Made by cuInit, never destroyed: the program may use
/// the device until its very end.
class Driver {
public:
  /// Null before cuInit, and in a child of fork.
  static Driver *get();
  /// Makes it if need be; null if the settings are wrong.
  static Driver *initialize();

  std::recursive_mutex Lock; ///< of everything below
  Options Opts;
  const DeviceModel *Model = nullptr;
  DeviceModel Described; ///< where Model is of a file
  std::vector<std::unique_ptr<DeviceState>> Devices;

  // Live handles.
  std::map<const void *, std::unique_ptr<LoadedModule>> Modules;
  std::map<const void *, std::unique_ptr<Function>> Functions;
  std::map<const void *, std::unique_ptr<Queue>> Streams;
  std::map<const void *, std::unique_ptr<Event>> Events;
  uint64_t ModulesLoaded = 0;

  /// The device of a context, or null.
  DeviceState *fromContext(const void *Context);
  /// The device in whose memory all of [Address, Address + Bytes) lies, or
  /// null. \p Internal: the name of the device runtime's variable there, or
  /// null.
  DeviceState *owner(DevicePointer Address, uint64_t Bytes,
                     const char *&Internal);

  /// Lets kernels use the host's memory if code of the program or its libraries
  /// requires it. To be called when more of it may have been loaded.
  void readRequirements();

  /// Tells the user in one sentence what is wrong.
  void report(const std::string &Sentence);
  /// Leaves the results of this process in the folder that ferry-sim reads.
  /// \p Ended: nothing is to follow.
  void writeResults(bool Ended);

private:
  Driver() = default;
  bool readSettings();
  ProgramResult collect();

  std::string Folder; ///< of ferry-sim; empty without it
  std::vector<std::string> Errors;
  bool PerLine = false, Quiet = false;
};

inline bool startsWith(std::string_view Text, std::string_view Prefix) {
  return Text.substr(0, Prefix.size()) == Prefix;
}

/// The device whose context is the calling thread's, or null.
DeviceState *currentDevice();
void setCurrentDevice(DeviceState *State);

/// A handle to what \p Map holds, or null.
template <typename T>
T *find(std::map<const void *, std::unique_ptr<T>> &Map, const void *Handle) {
  auto It = Map.find(Handle);
  return It == Map.end() ? nullptr : It->second.get();
}
/// Takes ownership and gives the handle.
template <typename T>
void *insert(std::map<const void *, std::unique_ptr<T>> &Map,
             std::unique_ptr<T> Value) {
  T *Handle = Value.get();
  Map[Handle] = std::move(Value);
  return Handle;
}

} // namespace ferry::sim

#endif // FERRY_SIM_DRIVER_H
