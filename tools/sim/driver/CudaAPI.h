//===- CudaAPI.h - The part of the CUDA driver API that exists here -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types of the driver API as its binary interface has them, so that no CUDA
// toolkit is needed to build the simulator. The functions are those that
// libomptarget 19 and 22 look up in libcuda.so, with few others.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_CUDAAPI_H
#define FERRY_SIM_CUDAAPI_H

#include <cstddef>
#include <cstdint>

namespace ferry::sim {

enum class CudaError : int {
#define CUDA_ERROR(Name, Number, CudaName, Description) Name = (Number),
#include "CudaErrors.def"
#undef CUDA_ERROR
};

/// The address of device memory.
using DevicePointer = uint64_t;

/// The numbers of CUdevice_attribute that have a value other than 0.
enum class DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  MaxBlockDimX = 2,
  MaxBlockDimY = 3,
  MaxBlockDimZ = 4,
  MaxGridDimX = 5,
  MaxGridDimY = 6,
  MaxGridDimZ = 7,
  MaxSharedMemoryPerBlock = 8,
  TotalConstantMemory = 9,
  WarpSize = 10,
  MaxPitch = 11,
  MaxRegistersPerBlock = 12,
  ClockRate = 13,
  TextureAlignment = 14,
  GPUOverlap = 15,
  MultiprocessorCount = 16,
  CanMapHostMemory = 19,
  MemoryClockRate = 36,
  GlobalMemoryBusWidth = 37,
  L2CacheSize = 38,
  MaxThreadsPerMultiprocessor = 39,
  AsyncEngineCount = 40,
  UnifiedAddressing = 41,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedMemoryPerMultiprocessor = 81,
  MaxRegistersPerMultiprocessor = 82,
  ManagedMemory = 83,
  MaxSharedMemoryPerBlockOptin = 97,
  MaxBlocksPerMultiprocessor = 106,
  ReservedSharedMemoryPerBlock = 111,
  Last = 150, ///< beyond every attribute that exists
};

enum class FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  SharedSizeBytes = 1,
  BinaryVersion = 6,
  MaxDynamicSharedSizeBytes = 8,
  Last = 16, ///< beyond every attribute that exists
};

enum class ContextLimit : int {
  StackSize = 0,
  PrintfFifoSize = 1,
  MallocHeapSize = 2,
};

/// Keys in the list that cuLaunchKernel takes in place of parameters.
constexpr uintptr_t LaunchParameterEnd = 0;
constexpr uintptr_t LaunchParameterBuffer = 1;
constexpr uintptr_t LaunchParameterBufferSize = 2;

} // namespace ferry::sim

/// A function of the driver API.
#define FERRY_CUDA_API                                                         \
  extern "C" __attribute__((visibility("default"))) ferry::sim::CudaError

#endif // FERRY_SIM_CUDAAPI_H
