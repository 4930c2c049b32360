//===- GpuModel.h - What is known of GPUs -----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_GPUMODEL_H
#define FERRY_STAGE_GPUMODEL_H

#include "ferry/OffloadABI.h"
#include <cstdint>

/// Figures that hold for the GPUs that Ferry stages for; what differs between
/// them is in GpuTarget.h.
namespace ferry::gpu {

/// Global memory is read in sectors, whatever a thread asks for (CUDA C++ Best
/// Practices Guide, "Coalesced Access to Global Memory").
inline constexpr unsigned SectorBytes = 32;
/// Of the first level; all banks of shared memory have as many in a row.
inline constexpr unsigned LineBytes = 128;
/// A thread loads so many bytes at once at most.
inline constexpr unsigned MaxAccessBytes = 16;
/// Consecutive words of shared memory are in different banks.
inline constexpr unsigned BankBytes = 4;
/// More shared memory than this a block has to ask the driver for.
inline constexpr uint64_t MaxStaticSharedBytes = 48 << 10;
inline constexpr unsigned SharedAlignment = 16;

inline constexpr unsigned MaxBlockThreads = 1024;
/// Of the grids that libomptarget takes by itself, and of their blocks.
inline constexpr unsigned MostDefaultBlocks = 3200,
                          DefaultBlockThreads = abi::DefaultBlockThreads;
/// Of blocks of which only the launch knows how many threads they have.
inline constexpr unsigned PlannedBlockThreads = 256;
/// Of NVIDIA's GPUs.
inline constexpr unsigned WarpThreads = 32;

} // namespace ferry::gpu

#endif // FERRY_STAGE_GPUMODEL_H
