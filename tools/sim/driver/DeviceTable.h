//===- DeviceTable.h - The GPUs that can be simulated ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_DEVICETABLE_H
#define FERRY_SIM_DEVICETABLE_H

#include <cstdint>
#include <string>

namespace ferry::sim {

/// One GPU of each architecture, with the limits that NVIDIA publishes.
struct DeviceModel {
  uint32_t Architecture; ///< 90 for sm_90
  const char *Name;
  uint32_t Multiprocessors;
  uint32_t ThreadsPerMultiprocessor;
  uint32_t BlocksPerMultiprocessor;
  uint32_t SharedPerMultiprocessor; ///< bytes
  uint32_t SharedPerBlockOptin;     ///< bytes, if the kernel asks for them
  uint32_t SharedReservedPerBlock;  ///< bytes, by the system
  uint32_t L2Bytes;
  uint32_t ClockKHz;
  uint32_t MemoryClockKHz;
  uint32_t MemoryBusBits;
};

// The same for all of them.
constexpr uint32_t SharedPerBlock = 48 << 10; ///< bytes, without asking
constexpr uint32_t ThreadsPerBlock = 1024;
constexpr uint32_t RegistersPerMultiprocessor = 64 << 10; ///< of 32 bits
constexpr uint32_t MaxBlockDim[3] = {1024, 1024, 64};
constexpr uint32_t MaxGridDim[3] = {0x7fffffff, 0xffff, 0xffff};

/// Null if there is none of this architecture.
const DeviceModel *findDeviceModel(uint32_t Architecture);

/// The oldest that runs code for \p Image; null if none does.
const DeviceModel *findDeviceModelFor(uint32_t Image);

/// "sm_70, sm_75, ...", for messages.
std::string knownArchitectures();

/// Takes "sm_90"; 0 for everything else.
uint32_t parseArchitecture(const char *Text);

/// Whether code for \p Image runs on \p Device: the same major version, and a
/// minor version that is not older.
inline bool runsOn(uint32_t Image, uint32_t Device) {
  return Image / 10 == Device / 10 && Image % 10 <= Device % 10;
}

} // namespace ferry::sim

#endif // FERRY_SIM_DEVICETABLE_H
