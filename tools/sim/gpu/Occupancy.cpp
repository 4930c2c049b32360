//===- Occupancy.cpp - How many blocks share a multiprocessor -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Occupancy.h"
#include "../engine/SimABI.h"
#include "DeviceTable.h"

#include <algorithm>

namespace ferry::sim {

const char *limitName(OccupancyLimit Limit) {
  switch (Limit) {
  case OccupancyLimit::Threads:
    return "threads";
  case OccupancyLimit::Blocks:
    return "blocks";
  case OccupancyLimit::Shared:
    return "shared";
  case OccupancyLimit::Registers:
    return "registers";
  case OccupancyLimit::Grid:
    return "grid";
  }
  return "";
}

static uint32_t roundUp(uint32_t Number, uint32_t To) {
  return (Number + To - 1) / To * To;
}

/// The warps whose registers a multiprocessor holds.
static uint32_t warpsByRegisters(uint32_t Registers) {
  constexpr uint32_t Unit = 256, WarpUnit = 4;
  const uint32_t OfWarp =
      roundUp(std::clamp(Registers, 1u, RegistersPerThread) * WarpSize, Unit);
  return RegistersPerMultiprocessor / OfWarp / WarpUnit * WarpUnit;
}

/// What of the first level is left when the driver has set aside the least that
/// holds \p SharedBytes (CUDA C++ Programming Guide, "Shared Memory" of compute
/// capability 7.x).
static uint64_t bytesForCache(const DeviceModel &Model, uint64_t SharedBytes) {
  double CarveOut = SharedBytes ? Model.MaxSharedKiB : 0;
  if (SharedBytes)
    for (uint32_t KiB : Model.limits().SharedCarveOuts)
      if (KiB && uint64_t(KiB) * 1024 >= SharedBytes && KiB < CarveOut)
        CarveOut = KiB;
  constexpr double LeastKiB = 8;
  return static_cast<uint64_t>(std::max(Model.L1KiB - CarveOut, LeastKiB)) *
         1024;
}

Occupancy occupancyOf(const DeviceModel &Model, const BlockNeeds &Needs,
                      uint64_t NumBlocks, uint32_t MostBlocks) {
  const ArchitectureLimits &Limits = Model.limits();
  const uint32_t WarpsOfBlock = (Needs.Threads + WarpSize - 1) / WarpSize;
  Occupancy Result;
  Result.MostWarps = Limits.Threads / WarpSize;
  Result.Blocks = Result.MostWarps / WarpsOfBlock;
  auto Limit = [&](OccupancyLimit By, uint64_t Blocks) {
    if (Blocks < Result.Blocks) {
      Result.Blocks = static_cast<uint32_t>(Blocks);
      Result.Limit = By;
    }
  };
  Limit(OccupancyLimit::Blocks,
        MostBlocks ? std::min(MostBlocks, Limits.Blocks) : Limits.Blocks);
  const uint32_t Shared = Needs.SharedBytes + Limits.SharedReservedPerBlock;
  if (Shared)
    Limit(OccupancyLimit::Shared, Model.sharedPerMultiprocessor() / Shared);
  if (Needs.Registers)
    Limit(OccupancyLimit::Registers,
          warpsByRegisters(Needs.Registers) / WarpsOfBlock);
  const uint64_t SMs = Model.multiprocessors();
  Limit(OccupancyLimit::Grid, (NumBlocks + SMs - 1) / SMs);
  // A launch that was allowed runs, whatever is estimated.
  Result.Blocks = std::max(Result.Blocks, 1u);
  Result.Warps = Result.Blocks * WarpsOfBlock;
  Result.L1Bytes = bytesForCache(Model, uint64_t(Result.Blocks) * Shared);
  // Arrays in local memory go through the same cache, as far as it goes.
  const uint64_t Local =
      uint64_t(Needs.LocalBytes) * Needs.Threads * Result.Blocks;
  Result.L1Bytes -= std::min(Local, Result.L1Bytes * 3 / 4);
  return Result;
}

} // namespace ferry::sim
