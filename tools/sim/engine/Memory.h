//===- Memory.h - Global memory of a simulated device ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One range of addresses, reserved at the same place in every run, of which
// allocations take what they need. Between two of them lies at least GapBytes
// that belongs to nobody, so that an access just behind an array is found.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_MEMORY_H
#define FERRY_SIM_MEMORY_H

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

namespace ferry::sim {

/// Each has addresses of its own.
constexpr uint64_t MostDevices = 16;

class GlobalMemory {
public:
  static constexpr uint64_t AlignBytes = 512; ///< as the CUDA driver's
  static constexpr uint64_t GapBytes = 512;

  /// Reserves \p Bytes for device \p Number. Physical memory is taken when it
  /// is written.
  GlobalMemory(unsigned Number, uint64_t Bytes);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory &) = delete;

  /// Null if there is no room. 0 bytes are an allocation of their own.
  void *allocate(uint64_t Bytes);
  /// False if \p Address is not the begin of an allocation.
  bool release(void *Address);

  /// Makes memory from elsewhere, a module's variables, part of this one.
  void addForeign(const void *Address, uint64_t Bytes);
  void removeForeign(const void *Address);

  struct Range {
    uint64_t Begin = 0, End = 0; ///< [Begin, End)
  };
  /// The allocation that holds \p Address; empty if none does.
  Range find(uint64_t Address) const;
  /// The allocation nearest to \p Address, for reports; empty if there is none.
  Range nearest(uint64_t Address) const;

  /// Whether \p Address is in the range of any device, also of one that does
  /// not exist.
  static bool inAnyArena(uint64_t Address);
  bool inArena(uint64_t Address) const { return Address - Base < Bytes; }
  uint64_t base() const { return Base; }
  uint64_t size() const { return Bytes; }
  uint64_t used() const { return Used; }
  /// Changes whenever an allocation goes.
  uint64_t generation() const {
    return Generation.load(std::memory_order_relaxed);
  }

private:
  uint64_t Base = 0;
  uint64_t Bytes;
  uint64_t Used = 0;
  std::atomic<uint64_t> Generation{0};
  mutable std::mutex Lock;
  std::map<uint64_t, uint64_t> Allocations; ///< begin to end
  std::map<uint64_t, uint64_t> Free;        ///< begin to end, in the arena

  static uint64_t footprint(uint64_t Bytes);
};

} // namespace ferry::sim

#endif // FERRY_SIM_MEMORY_H
