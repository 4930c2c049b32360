//===- DeviceTable.h - The GPUs that can be simulated ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU is described by figures (*.json, or a file of the user's) and by
// the limits of its architecture.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_GPU_DEVICETABLE_H
#define FERRY_SIM_GPU_DEVICETABLE_H

#include <cstdint>
#include <string>
#include <string_view>

namespace ferry::sim {

/// What all GPUs of a compute capability have in common, for each
/// multiprocessor (CUDA C++ Programming Guide, "Technical Specifications per
/// Compute Capability").
struct ArchitectureLimits {
  uint32_t Architecture; ///< 90 for sm_90
  uint32_t Threads;
  uint32_t Blocks;
  uint32_t SharedReservedPerBlock; ///< bytes, by the system
  /// What the driver can set aside of the first level for shared memory: KiB,
  /// ascending, ended by 0 (same guide, "Shared Memory" of each capability).
  uint32_t SharedCarveOuts[10];
  /// Passes that a request of a warp takes at least, to global or to shared
  /// memory: 32 by the load/store units.
  uint32_t LeastWavefronts;
};

/// One GPU: the figures of a description, under the names that it uses.
struct DeviceModel {
  std::string Name;
  uint32_t Architecture = 0; ///< 90 for sm_90
  double Multiprocessors = 0;
  double ClockGHz = 0;
  double SustainedClock = 0; ///< what is left of it when all of it computes
  double L1KiB = 0;          ///< first level and shared memory together
  double MaxSharedKiB = 0;   ///< of a multiprocessor
  double L2MiB = 0;
  double L2TBs = 0;                                  ///< 10^12 bytes a second
  double DramTBs = 0;                                ///< as programs reach it
  double Fp32Lanes = 0, Fp64Lanes = 0, IntLanes = 0; ///< of a multiprocessor
  double IssuePerClock = 0; ///< warps' instructions, of a multiprocessor
  double L1Latency = 0, L2Latency = 0, DramLatency = 0,
         SharedLatency = 0; ///< clocks
  double LaunchUs = 0;      ///< what each launch of a kernel takes beside
  double LinkGBs = 0;       ///< to the host, 10^9 bytes a second
  double LinkUs = 0;        ///< of each copy
  double MemoryClockMHz = 0, MemoryBusBits = 0;

  const ArchitectureLimits &limits() const;
  uint32_t multiprocessors() const {
    return static_cast<uint32_t>(Multiprocessors);
  }
  uint32_t sharedPerMultiprocessor() const { ///< bytes
    return static_cast<uint32_t>(MaxSharedKiB * 1024);
  }
  /// Bytes, if the kernel asks for them.
  uint32_t sharedPerBlockOptin() const {
    return sharedPerMultiprocessor() - limits().SharedReservedPerBlock;
  }
  uint64_t l2Bytes() const { return static_cast<uint64_t>(L2MiB * 1048576); }
};

/// A figure of a description. Nested keys are joined by a dot.
struct Figure {
  const char *Key;
  double DeviceModel::*Value;
  double Least, Most; ///< what makes sense
  bool Whole;         ///< a whole number
};
/// All of them, ended by a null key.
extern const Figure Figures[];
const Figure *findFigure(std::string_view Key);

/// Why the figures of \p Model make no sense, naming one; empty if they do.
std::string whyNoModel(const DeviceModel &Model);

// A description as one text, for the environment: "key=value" in lines.
std::string writeModel(const DeviceModel &Model);
/// Sets what \p Text tells. False if it was not written by writeModel.
bool readModel(std::string_view Text, DeviceModel &Model);

// The same for all of them.
constexpr uint32_t SharedPerBlock = 48 << 10; ///< bytes, without asking
constexpr uint32_t ThreadsPerBlock = 1024;
constexpr uint32_t RegistersPerMultiprocessor = 64 << 10; ///< of 32 bits
constexpr uint32_t RegistersPerThread = 255;
constexpr uint32_t MaxBlockDim[3] = {1024, 1024, 64};
constexpr uint32_t MaxGridDim[3] = {0x7fffffff, 0xffff, 0xffff};

/// The built-in GPU of this name ("a100"), or null.
const DeviceModel *findDeviceModel(std::string_view Name);
/// The first of this architecture. Null if there is none.
const DeviceModel *findDeviceModel(uint32_t Architecture);

/// The oldest that runs code for \p Image; null if none does.
const DeviceModel *findDeviceModelFor(uint32_t Image);

/// "sm_70, sm_75, ...", for messages.
std::string knownArchitectures();
/// "v100, t4, ...", for messages.
std::string knownDevices();

/// Takes "sm_90"; 0 for everything else.
uint32_t parseArchitecture(const char *Text);

/// Whether code for \p Image runs on \p Device: the same major version, and a
/// minor version that is not older.
inline bool runsOn(uint32_t Image, uint32_t Device) {
  return Image / 10 == Device / 10 && Image % 10 <= Device % 10;
}

} // namespace ferry::sim

#endif // FERRY_SIM_GPU_DEVICETABLE_H
