//===- CudaDevice.cpp - Driver API: devices and contexts ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaCall.h"
#include "Driver.h"
#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace ferry::sim;

FERRY_CUDA_API cuInit(unsigned Flags) {
  if (Flags)
    return CudaError::InvalidValue;
  return Driver::initialize() ? CudaError::Success : CudaError::NoDevice;
}

FERRY_CUDA_API cuDriverGetVersion(int *Version) {
  if (!Version)
    return CudaError::InvalidValue;
  *Version = 12060;
  return CudaError::Success;
}

namespace {
struct ErrorText {
  CudaError Error;
  const char *Name, *Text;
};
} // namespace
static const ErrorText ErrorTexts[] = {
#define CUDA_ERROR(Name, Number, CudaName, Text)                               \
  {CudaError::Name, CudaName, Text},
#include "CudaErrors.def"
#undef CUDA_ERROR
};

static CudaError errorText(CudaError Error, const char **Text,
                           const char *ErrorText::*Member) {
  if (!Text)
    return CudaError::InvalidValue;
  *Text = nullptr;
  for (const ErrorText &Known : ErrorTexts)
    if (Known.Error == Error)
      *Text = Known.*Member;
  return *Text ? CudaError::Success : CudaError::InvalidValue;
}
FERRY_CUDA_API cuGetErrorString(CudaError Error, const char **Text) {
  return errorText(Error, Text, &ErrorText::Text);
}
FERRY_CUDA_API cuGetErrorName(CudaError Error, const char **Name) {
  return errorText(Error, Name, &ErrorText::Name);
}

// --- Devices -----------------------------------------------------------------

/// The call's driver and device, whose number is \p Device.
#define FERRY_DEVICE(Device)                                                   \
  FERRY_DRIVER;                                                                \
  if ((Device) < 0 || static_cast<size_t>(Device) >= D->Devices.size())        \
    return CudaError::InvalidDevice;                                           \
  [[maybe_unused]] DeviceState &State = *D->Devices[Device]

FERRY_CUDA_API cuDeviceGetCount(int *Count) {
  FERRY_DRIVER;
  if (!Count)
    return CudaError::InvalidValue;
  *Count = static_cast<int>(D->Devices.size());
  return CudaError::Success;
}

FERRY_CUDA_API cuDeviceGet(int *Device, int Ordinal) {
  FERRY_DEVICE(Ordinal);
  if (!Device)
    return CudaError::InvalidValue;
  *Device = Ordinal;
  return CudaError::Success;
}

FERRY_CUDA_API cuDeviceGetName(char *Name, int Size, int Device) {
  FERRY_DEVICE(Device);
  if (!Name || Size <= 0)
    return CudaError::InvalidValue;
  size_t Length = std::min<size_t>(Size - 1, D->Model->Name.size());
  std::memcpy(Name, D->Model->Name.data(), Length);
  Name[Length] = '\0';
  return CudaError::Success;
}

/// The sixteen bytes by which libomptarget 22 tells devices apart.
FERRY_CUDA_API cuDeviceGetUuid(void *Uuid, int Device) {
  FERRY_DEVICE(Device);
  if (!Uuid)
    return CudaError::InvalidValue;
  char Bytes[17] = {};
  std::snprintf(Bytes, sizeof(Bytes), "ferry-sim %u", State.Number);
  std::memcpy(Uuid, Bytes, 16);
  return CudaError::Success;
}

FERRY_CUDA_API cuDeviceTotalMem_v2(size_t *Total, int Device) {
  FERRY_DEVICE(Device);
  if (!Total)
    return CudaError::InvalidValue;
  *Total = State.Engine.memoryBytes();
  return CudaError::Success;
}

static uint32_t attributeOf(const DeviceModel &Model, DeviceAttribute Which) {
  switch (Which) {
  case DeviceAttribute::MaxThreadsPerBlock:
    return ThreadsPerBlock;
  case DeviceAttribute::MaxBlockDimX:
    return MaxBlockDim[0];
  case DeviceAttribute::MaxBlockDimY:
    return MaxBlockDim[1];
  case DeviceAttribute::MaxBlockDimZ:
    return MaxBlockDim[2];
  case DeviceAttribute::MaxGridDimX:
    return MaxGridDim[0];
  case DeviceAttribute::MaxGridDimY:
    return MaxGridDim[1];
  case DeviceAttribute::MaxGridDimZ:
    return MaxGridDim[2];
  case DeviceAttribute::MaxSharedMemoryPerBlock:
    return SharedPerBlock;
  case DeviceAttribute::TotalConstantMemory:
    return 64 << 10;
  case DeviceAttribute::WarpSize:
    return WarpSize;
  case DeviceAttribute::MaxPitch:
    return 0x7fffffff;
  case DeviceAttribute::MaxRegistersPerBlock:
  case DeviceAttribute::MaxRegistersPerMultiprocessor:
    return RegistersPerMultiprocessor;
  case DeviceAttribute::ClockRate:
    return static_cast<uint32_t>(Model.ClockGHz * 1e6);
  case DeviceAttribute::TextureAlignment:
    return 512;
  case DeviceAttribute::MultiprocessorCount:
    return Model.multiprocessors();
  case DeviceAttribute::GPUOverlap:
  case DeviceAttribute::CanMapHostMemory:
  case DeviceAttribute::AsyncEngineCount:
  case DeviceAttribute::UnifiedAddressing:
  case DeviceAttribute::ManagedMemory:
    return 1;
  case DeviceAttribute::MemoryClockRate:
    return static_cast<uint32_t>(Model.MemoryClockMHz * 1e3);
  case DeviceAttribute::GlobalMemoryBusWidth:
    return static_cast<uint32_t>(Model.MemoryBusBits);
  case DeviceAttribute::L2CacheSize:
    return static_cast<uint32_t>(
        std::min<uint64_t>(Model.l2Bytes(), INT32_MAX));
  case DeviceAttribute::MaxThreadsPerMultiprocessor:
    return Model.limits().Threads;
  case DeviceAttribute::ComputeCapabilityMajor:
    return Model.Architecture / 10;
  case DeviceAttribute::ComputeCapabilityMinor:
    return Model.Architecture % 10;
  case DeviceAttribute::MaxSharedMemoryPerMultiprocessor:
    return Model.sharedPerMultiprocessor();
  case DeviceAttribute::MaxSharedMemoryPerBlockOptin:
    return Model.sharedPerBlockOptin();
  case DeviceAttribute::MaxBlocksPerMultiprocessor:
    return Model.limits().Blocks;
  case DeviceAttribute::ReservedSharedMemoryPerBlock:
    return Model.limits().SharedReservedPerBlock;
  case DeviceAttribute::Last:
    break;
  }
  return 0;
}

FERRY_CUDA_API cuDeviceGetAttribute(int *Value, DeviceAttribute Which,
                                    int Device) {
  FERRY_DEVICE(Device);
  if (!Value || static_cast<int>(Which) <= 0 || Which >= DeviceAttribute::Last)
    return CudaError::InvalidValue;
  *Value = static_cast<int>(attributeOf(*D->Model, Which));
  return CudaError::Success;
}

// --- Contexts ----------------------------------------------------------------

FERRY_CUDA_API cuDevicePrimaryCtxGetState(int Device, unsigned *Flags,
                                          int *Active) {
  FERRY_DEVICE(Device);
  if (!Flags || !Active)
    return CudaError::InvalidValue;
  *Flags = State.Flags;
  *Active = State.Retained != 0;
  return CudaError::Success;
}

FERRY_CUDA_API cuDevicePrimaryCtxSetFlags_v2(int Device, unsigned Flags) {
  FERRY_DEVICE(Device);
  State.Flags = Flags;
  return CudaError::Success;
}

FERRY_CUDA_API cuDevicePrimaryCtxRetain(void **Context, int Device) {
  FERRY_DEVICE(Device);
  if (!Context)
    return CudaError::InvalidValue;
  ++State.Retained;
  *Context = &State;
  return CudaError::Success;
}

FERRY_CUDA_API cuDevicePrimaryCtxRelease_v2(int Device) {
  FERRY_DEVICE(Device);
  if (!State.Retained)
    return CudaError::InvalidContext;
  --State.Retained;
  return CudaError::Success;
}

FERRY_CUDA_API cuCtxSetCurrent(void *Context) {
  FERRY_DRIVER;
  DeviceState *State = D->fromContext(Context);
  if (Context && (!State || !State->Retained))
    return CudaError::InvalidContext;
  setCurrentDevice(State);
  return CudaError::Success;
}

FERRY_CUDA_API cuCtxGetDevice(int *Device) {
  FERRY_CONTEXT;
  if (!Device)
    return CudaError::InvalidValue;
  *Device = static_cast<int>(State.Number);
  return CudaError::Success;
}

FERRY_CUDA_API cuCtxGetLimit(size_t *Value, int Limit) {
  FERRY_CONTEXT;
  if (!Value || Limit < 0 ||
      Limit > static_cast<int>(ContextLimit::MallocHeapSize))
    return CudaError::InvalidValue;
  *Value = State.Limits[Limit];
  return CudaError::Success;
}

// Stacks and the heap of the simulator have sizes of their own; a program sees
// what it has set.
FERRY_CUDA_API cuCtxSetLimit(int Limit, size_t Value) {
  FERRY_CONTEXT;
  if (Limit < 0 || Limit > static_cast<int>(ContextLimit::MallocHeapSize))
    return CudaError::InvalidValue;
  State.Limits[Limit] = Value;
  return CudaError::Success;
}

FERRY_CUDA_API cuCtxSynchronize() {
  FERRY_CONTEXT;
  return synchronize(State);
}

FERRY_CUDA_API cuDeviceCanAccessPeer(int *Can, int Device, int Peer) {
  FERRY_DEVICE(Device);
  if (!Can)
    return CudaError::InvalidValue;
  if (Peer < 0 || static_cast<size_t>(Peer) >= D->Devices.size())
    return CudaError::InvalidDevice;
  *Can = Device != Peer;
  return CudaError::Success;
}

FERRY_CUDA_API cuCtxEnablePeerAccess(void *Peer, unsigned Flags) {
  FERRY_CONTEXT;
  DeviceState *Other = D->fromContext(Peer);
  if (!Other || Other == &State)
    return CudaError::InvalidContext;
  if (Flags)
    return CudaError::InvalidValue;
  return State.Peers.insert(Other).second ? CudaError::Success
                                          : CudaError::PeerAccessAlreadyEnabled;
}
