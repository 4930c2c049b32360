//===- CudaMemory.cpp - Driver API: memory and copies ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device's memory is ordinary memory of the process at addresses of its
// own, so a copy is a memcpy between checked ranges.
//
//===----------------------------------------------------------------------===//

#include "CudaCall.h"
#include "Driver.h"
#include <algorithm>
#include <cstring>

using namespace ferry::sim;

void ferry::sim::count(DeviceState &State, Belongs To, bool Internal,
                       const Transfers &Counted) {
  State.LastWasSetUp = Internal || State.RunsConstructors;
  if (State.LastWasSetUp) {
    State.SetUp += Counted;
    return;
  }
  State.Total += Counted;
  if (To == Belongs::ToNextLaunch)
    State.Pending += Counted;
  else if (State.LastKernel)
    State.ByKernel[State.LastKernel] += Counted;
}

// --- Allocation --------------------------------------------------------------

static CudaError allocate(DeviceState &State, void **Result, uint64_t Bytes) {
  if (!Result || !Bytes)
    return CudaError::InvalidValue;
  if (Bytes > State.Engine.freeBytes())
    return CudaError::OutOfMemory;
  void *Address = State.Engine.allocate(Bytes);
  if (!Address)
    return CudaError::OutOfMemory;
  State.LastAllocation = reinterpret_cast<DevicePointer>(Address);
  State.Allocations[State.LastAllocation] = Bytes;
  Transfers Counted;
  Counted.Allocations = 1;
  Counted.AllocatedBytes = Bytes;
  count(State, Belongs::ToNextLaunch, false, Counted);
  *Result = Address;
  return CudaError::Success;
}

FERRY_CUDA_API cuMemAlloc_v2(DevicePointer *Address, size_t Bytes) {
  FERRY_CONTEXT;
  return allocate(State, reinterpret_cast<void **>(Address), Bytes);
}
FERRY_CUDA_API cuMemAllocAsync(DevicePointer *Address, size_t Bytes,
                               void *Stream) {
  FERRY_STREAM(Stream);
  return allocate(State, reinterpret_cast<void **>(Address), Bytes);
}
// Managed and page-locked memory can be used by host and device; so can all of
// the simulated device's memory.
FERRY_CUDA_API cuMemAllocManaged(DevicePointer *Address, size_t Bytes,
                                 unsigned Flags) {
  FERRY_CONTEXT;
  constexpr unsigned Global = 1, Host = 2;
  if (Flags != Global && Flags != Host)
    return CudaError::InvalidValue;
  return allocate(State, reinterpret_cast<void **>(Address), Bytes);
}
FERRY_CUDA_API cuMemAllocHost_v2(void **Address, size_t Bytes) {
  FERRY_CONTEXT;
  return allocate(State, Address, Bytes);
}

static CudaError release(Driver &D, DevicePointer Address) {
  if (!Address)
    return CudaError::Success;
  for (auto &State : D.Devices) {
    if (!State->Allocations.erase(Address))
      continue;
    bool Internal = Address == State->ConstructorTable;
    if (Internal)
      State->ConstructorTable = 0;
    if (Address == State->LastAllocation)
      State->LastAllocation = 0;
    Transfers Counted;
    Counted.Frees = 1;
    count(*State, Belongs::ToLastLaunch, Internal, Counted);
    return State->Engine.release(reinterpret_cast<void *>(Address))
               ? CudaError::Success
               : CudaError::InvalidValue;
  }
  return CudaError::InvalidValue;
}

FERRY_CUDA_API cuMemFree_v2(DevicePointer Address) {
  FERRY_CONTEXT;
  return release(*D, Address);
}
FERRY_CUDA_API cuMemFreeAsync(DevicePointer Address, void *Stream) {
  FERRY_STREAM(Stream);
  return Address ? release(*D, Address) : CudaError::InvalidValue;
}
FERRY_CUDA_API cuMemFreeHost(void *Address) {
  FERRY_CONTEXT;
  return Address ? release(*D, reinterpret_cast<DevicePointer>(Address))
                 : CudaError::InvalidValue;
}

FERRY_CUDA_API cuMemGetInfo_v2(size_t *Free, size_t *Total) {
  FERRY_CONTEXT;
  if (Free)
    *Free = State.Engine.freeBytes();
  if (Total)
    *Total = State.Engine.memoryBytes();
  return CudaError::Success;
}

// libomptarget 19 asks for the old name.
FERRY_CUDA_API cuMemGetInfo(size_t *Free, size_t *Total) {
  return cuMemGetInfo_v2(Free, Total);
}

// --- Copies ------------------------------------------------------------------

/// libomptarget allocates a table, reads the addresses of device constructors
/// into it and runs a kernel over it. All of this is its own.
static void beginConstructors(DeviceState &State) {
  if (State.RunsConstructors)
    return;
  State.RunsConstructors = true;
  auto Table = State.Allocations.find(State.LastAllocation);
  if (Table == State.Allocations.end())
    return;
  State.ConstructorTable = Table->first;
  for (Transfers *From : {&State.Total, &State.Pending}) {
    --From->Allocations;
    From->AllocatedBytes -= Table->second;
  }
  ++State.SetUp.Allocations;
  State.SetUp.AllocatedBytes += Table->second;
}

static CudaError copyToDevice(Driver &D, DevicePointer To, const void *From,
                              uint64_t Bytes) {
  if (!Bytes)
    return CudaError::Success;
  const char *Internal;
  DeviceState *State = D.owner(To, Bytes, Internal);
  if (!From || !State)
    return CudaError::InvalidValue;
  if (State->Failed != CudaError::Success)
    return State->Failed;
  std::memmove(reinterpret_cast<void *>(To), From, Bytes);
  Transfers Counted;
  Counted.ToDeviceCopies = 1;
  Counted.ToDeviceBytes = Bytes;
  count(*State, Belongs::ToNextLaunch, Internal, Counted);
  return CudaError::Success;
}

static CudaError copyFromDevice(Driver &D, void *To, DevicePointer From,
                                uint64_t Bytes) {
  if (!Bytes)
    return CudaError::Success;
  const char *Internal;
  DeviceState *State = D.owner(From, Bytes, Internal);
  if (!To || !State)
    return CudaError::InvalidValue;
  if (State->Failed != CudaError::Success)
    return State->Failed;
  if (Internal && (startsWith(Internal, "__init_array_object_") ||
                   startsWith(Internal, "__fini_array_object_")))
    beginConstructors(*State);
  std::memmove(To, reinterpret_cast<const void *>(From), Bytes);
  Transfers Counted;
  Counted.FromDeviceCopies = 1;
  Counted.FromDeviceBytes = Bytes;
  count(*State, Belongs::ToLastLaunch, Internal, Counted);
  return CudaError::Success;
}

static CudaError copyOnDevice(Driver &D, DevicePointer To, DevicePointer From,
                              uint64_t Bytes) {
  if (!Bytes)
    return CudaError::Success;
  const char *Internal;
  DeviceState *Source = D.owner(From, Bytes, Internal);
  DeviceState *Target = D.owner(To, Bytes, Internal);
  if (!Source || !Target)
    return CudaError::InvalidValue;
  for (DeviceState *State : {Source, Target})
    if (State->Failed != CudaError::Success)
      return State->Failed;
  std::memmove(reinterpret_cast<void *>(To),
               reinterpret_cast<const void *>(From), Bytes);
  Transfers Counted;
  Counted.DeviceCopies = 1;
  Counted.DeviceBytes = Bytes;
  count(*Target, Belongs::ToNextLaunch, false, Counted);
  return CudaError::Success;
}

FERRY_CUDA_API cuMemcpyHtoD_v2(DevicePointer To, const void *From,
                               size_t Bytes) {
  FERRY_CONTEXT;
  return copyToDevice(*D, To, From, Bytes);
}
FERRY_CUDA_API cuMemcpyHtoDAsync_v2(DevicePointer To, const void *From,
                                    size_t Bytes, void *Stream) {
  FERRY_STREAM(Stream);
  return copyToDevice(*D, To, From, Bytes);
}
FERRY_CUDA_API cuMemcpyDtoH_v2(void *To, DevicePointer From, size_t Bytes) {
  FERRY_CONTEXT;
  return copyFromDevice(*D, To, From, Bytes);
}
FERRY_CUDA_API cuMemcpyDtoHAsync_v2(void *To, DevicePointer From, size_t Bytes,
                                    void *Stream) {
  FERRY_STREAM(Stream);
  return copyFromDevice(*D, To, From, Bytes);
}
FERRY_CUDA_API cuMemcpyDtoD_v2(DevicePointer To, DevicePointer From,
                               size_t Bytes) {
  FERRY_CONTEXT;
  return copyOnDevice(*D, To, From, Bytes);
}
FERRY_CUDA_API cuMemcpyDtoDAsync_v2(DevicePointer To, DevicePointer From,
                                    size_t Bytes, void *Stream) {
  FERRY_STREAM(Stream);
  return copyOnDevice(*D, To, From, Bytes);
}
FERRY_CUDA_API cuMemcpyPeerAsync(DevicePointer To, void *ToContext,
                                 DevicePointer From, void *FromContext,
                                 size_t Bytes, void *Stream) {
  FERRY_STREAM(Stream);
  if (!D->fromContext(ToContext) || !D->fromContext(FromContext))
    return CudaError::InvalidContext;
  return copyOnDevice(*D, To, From, Bytes);
}

// --- Filling -----------------------------------------------------------------

/// Fills \p Rows rows of \p Count values, which begin \p Pitch bytes apart.
template <typename T>
static CudaError fillRows(Driver &D, DevicePointer To, uint64_t Pitch, T Value,
                          uint64_t Count, uint64_t Rows) {
  uint64_t Row, Extent;
  if (__builtin_mul_overflow(Count, sizeof(T), &Row) || To % sizeof(T))
    return CudaError::InvalidValue;
  if (!Row || !Rows)
    return CudaError::Success;
  if (Rows > 1 && (Pitch < Row || Pitch % sizeof(T)))
    return CudaError::InvalidValue;
  if (__builtin_mul_overflow(Pitch, Rows - 1, &Extent) ||
      __builtin_add_overflow(Extent, Row, &Extent))
    return CudaError::InvalidValue;
  const char *Internal;
  DeviceState *State = D.owner(To, Extent, Internal);
  if (!State)
    return CudaError::InvalidValue;
  if (State->Failed != CudaError::Success)
    return State->Failed;
  for (uint64_t I = 0; I < Rows; ++I)
    std::fill_n(reinterpret_cast<T *>(To + I * Pitch), Count, Value);
  Transfers Counted;
  Counted.Memsets = 1;
  Counted.MemsetBytes = Row * Rows;
  count(*State, Belongs::ToNextLaunch, Internal, Counted);
  return CudaError::Success;
}

template <typename T>
static CudaError fill(Driver &D, DevicePointer To, T Value, uint64_t Count) {
  return fillRows(D, To, 0, Value, Count, 1);
}

FERRY_CUDA_API cuMemsetD8Async(DevicePointer To, unsigned char Value,
                               size_t Count, void *Stream) {
  FERRY_STREAM(Stream);
  return fill(*D, To, Value, Count);
}
FERRY_CUDA_API cuMemsetD16Async(DevicePointer To, unsigned short Value,
                                size_t Count, void *Stream) {
  FERRY_STREAM(Stream);
  return fill(*D, To, Value, Count);
}
FERRY_CUDA_API cuMemsetD32Async(DevicePointer To, unsigned Value, size_t Count,
                                void *Stream) {
  FERRY_STREAM(Stream);
  return fill(*D, To, Value, Count);
}

FERRY_CUDA_API cuMemsetD2D8Async(DevicePointer To, size_t Pitch,
                                 unsigned char Value, size_t Width,
                                 size_t Height, void *Stream) {
  FERRY_STREAM(Stream);
  return fillRows(*D, To, Pitch, Value, Width, Height);
}
FERRY_CUDA_API cuMemsetD2D16Async(DevicePointer To, size_t Pitch,
                                  unsigned short Value, size_t Width,
                                  size_t Height, void *Stream) {
  FERRY_STREAM(Stream);
  return fillRows(*D, To, Pitch, Value, Width, Height);
}
FERRY_CUDA_API cuMemsetD2D32Async(DevicePointer To, size_t Pitch,
                                  unsigned Value, size_t Width, size_t Height,
                                  void *Stream) {
  FERRY_STREAM(Stream);
  return fillRows(*D, To, Pitch, Value, Width, Height);
}

// --- Virtual memory ----------------------------------------------------------

// libomptarget wants these for recording and replaying kernels alone, and does
// without.
#define FERRY_NOT_SUPPORTED(Name)                                              \
  FERRY_CUDA_API Name() { return CudaError::NotSupported; }
FERRY_NOT_SUPPORTED(cuMemAddressReserve)
FERRY_NOT_SUPPORTED(cuMemAddressFree)
FERRY_NOT_SUPPORTED(cuMemCreate)
FERRY_NOT_SUPPORTED(cuMemRelease)
FERRY_NOT_SUPPORTED(cuMemMap)
FERRY_NOT_SUPPORTED(cuMemUnmap)
FERRY_NOT_SUPPORTED(cuMemSetAccess)
FERRY_NOT_SUPPORTED(cuMemGetAllocationGranularity)
