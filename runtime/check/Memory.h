//===- Memory.h - What is on the devices ------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sections of host memory that are mapped, and other memory of devices, as the
// OMPT callbacks tell of them. Safe to be used by several threads.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_MEMORY_H
#define FERRY_CHECK_MEMORY_H

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace ferry::check {

/// How the source calls what a directive maps, and where.
struct DataName {
  std::string Name;
  std::string File;
  unsigned Line = 0;
};

/// Host memory that is mapped.
struct Section {
  char *Begin = nullptr;
  uint64_t Size = 0;
  char *Device = nullptr; ///< where the device has it
  DataName Name;
  uint64_t Launches = 0; ///< that there were when it was mapped

  bool holds(const char *First, const char *Last) const {
    return First >= Begin && Last < Begin + Size;
  }
};

/// A section that is mapped no more.
struct FormerSection : Section {
  uint64_t LastLaunch = 0; ///< before it was unmapped
};

class Memory {
public:
  /// Changes whenever something is allocated or freed.
  uint64_t version() const { return Version.load(std::memory_order_acquire); }

  /// \p Size bytes at \p Device of device \p Number were allocated, for the
  /// host's memory at \p Host unless that is null.
  void allocated(int Number, char *Host, char *Device, uint64_t Size,
                 uint64_t Launches);

  /// What was at \p Device of device \p Number was freed.
  void freed(int Number, char *Device, uint64_t Launches);

  /// The source calls what begins at \p Host by \p Name.
  void named(char *Host, DataName Name);

  /// How the source has called last what begins at \p Host.
  DataName nameOf(char *Host) const;

  /// The section that device \p Number has at \p Device.
  std::optional<Section> sectionOf(int Number, const char *Device) const;

  /// The section of device \p Number that \p Host is in.
  std::optional<Section> find(int Number, const char *Host) const;

  /// Whether one section of device \p Number has all from \p First to \p Last.
  bool isMapped(int Number, const char *First, const char *Last) const;

  /// The section of device \p Number that is nearest to \p First to \p Last.
  std::optional<Section> nearest(int Number, const char *First,
                                 const char *Last) const;

  /// The section of which device \p Number has the copy nearest to \p Address
  /// of its memory.
  std::optional<Section> nearestCopy(int Number, const char *Address) const;

  /// The section of device \p Number that \p First to \p Last was in last.
  std::optional<FormerSection> former(int Number, const char *First,
                                      const char *Last) const;

  /// Whether \p Address is memory that a device was seen to allocate.
  bool isAllocated(const char *Address) const;

  /// Whether \p Address is memory of a device, or shared with one.
  bool isDevices(const char *Address) const;

private:
  struct Allocation {
    uint64_t Size;
    char *Host; ///< of a section, or null
  };
  struct Device {
    std::map<char *, Section> Sections;       ///< by their beginning
    std::map<char *, Allocation> Allocations; ///< sections' copies as well
    std::vector<FormerSection> Former;        ///< the last ones, in a ring
    size_t NextFormer = 0;
  };

  std::atomic<uint64_t> Version{0};
  mutable std::shared_mutex Lock;
  std::map<int, Device> Devices;
  std::map<char *, DataName> Names;

  const Device *device(int Number) const;
  static const Section *sectionAt(const Device &D, const char *Host);
  static const Section *sectionOf(const Device &D, const char *OnDevice);
};

/// That of the process.
Memory &memory();

} // namespace ferry::check

#endif // FERRY_CHECK_MEMORY_H
