//===- Occupancy.h - How many blocks share a multiprocessor ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_GPU_OCCUPANCY_H
#define FERRY_SIM_GPU_OCCUPANCY_H

#include <cstdint>

namespace ferry::sim {

struct DeviceModel;

/// What a block takes of a multiprocessor.
struct BlockNeeds {
  uint32_t Threads = 1;
  uint32_t SharedBytes = 0; ///< static and dynamic
  uint32_t Registers = 0;   ///< of a thread
  uint32_t LocalBytes = 0;  ///< of a thread
};

enum class OccupancyLimit : uint8_t {
  Threads,
  Blocks,
  Shared,
  Registers,
  Grid
};
/// "threads", "blocks", "shared", "registers", "grid".
const char *limitName(OccupancyLimit Limit);

struct Occupancy {
  uint32_t Blocks = 1; ///< of a multiprocessor
  OccupancyLimit Limit = OccupancyLimit::Threads;
  uint32_t Warps = 1, MostWarps = 1; ///< resident, and possible
  uint64_t L1Bytes = 0;              ///< what is left for the cache
};

/// \p Needs on \p Model, of a grid of \p NumBlocks; \p MostBlocks of a
/// multiprocessor, 0 for as many as it holds. Of several limits that bind, the
/// first of OccupancyLimit. (CUDA C++ Programming Guide, "Hardware
/// Multithreading"; registers are given out by 256 to a warp, warps by four.)
Occupancy occupancyOf(const DeviceModel &Model, const BlockNeeds &Needs,
                      uint64_t NumBlocks, uint32_t MostBlocks);

} // namespace ferry::sim

#endif // FERRY_SIM_GPU_OCCUPANCY_H
