//===- SimDriverTest.cpp - The stand-in CUDA driver -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver API as libomptarget calls it, and as it should never be called: a
// bad argument is an error code, not a crash.
//
//===----------------------------------------------------------------------===//

#include "../tools/sim/driver/CudaAPI.h"
#include "../tools/sim/driver/Driver.h"
#include "../tools/sim/driver/Settings.h"
#include "../tools/sim/gpu/DeviceTable.h"
#include "gtest/gtest.h"
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <thread>

using namespace ferry::sim;
using P = DevicePointer;

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
CudaError cuInit(unsigned);
CudaError cuGetErrorString(CudaError, const char **);
CudaError cuGetErrorName(CudaError, const char **);
CudaError cuDriverGetVersion(int *);
CudaError cuDeviceGetCount(int *);
CudaError cuDeviceGet(int *, int);
CudaError cuDeviceGetName(char *, int, int);
CudaError cuDeviceGetUuid(void *, int);
CudaError cuDeviceTotalMem_v2(size_t *, int);
CudaError cuDeviceGetAttribute(int *, DeviceAttribute, int);
CudaError cuDevicePrimaryCtxGetState(int, unsigned *, int *);
CudaError cuDevicePrimaryCtxRetain(void **, int);
CudaError cuDevicePrimaryCtxRelease_v2(int);
CudaError cuCtxSetCurrent(void *);
CudaError cuCtxGetDevice(int *);
CudaError cuCtxGetLimit(size_t *, int);
CudaError cuCtxSetLimit(int, size_t);
CudaError cuDeviceCanAccessPeer(int *, int, int);
CudaError cuCtxEnablePeerAccess(void *, unsigned);
CudaError cuMemAlloc_v2(P *, size_t);
CudaError cuMemAllocManaged(P *, size_t, unsigned);
CudaError cuMemAllocHost_v2(void **, size_t);
CudaError cuMemFree_v2(P);
CudaError cuMemFreeHost(void *);
CudaError cuMemGetInfo(size_t *, size_t *);
CudaError cuMemcpyHtoD_v2(P, const void *, size_t);
CudaError cuMemcpyHtoDAsync_v2(P, const void *, size_t, void *);
CudaError cuMemcpyDtoH_v2(void *, P, size_t);
CudaError cuMemcpyDtoDAsync_v2(P, P, size_t, void *);
CudaError cuMemcpyPeerAsync(P, void *, P, void *, size_t, void *);
CudaError cuMemsetD32Async(P, unsigned, size_t, void *);
CudaError cuMemsetD2D8Async(P, size_t, unsigned char, size_t, size_t, void *);
CudaError cuMemsetD2D16Async(P, size_t, unsigned short, size_t, size_t, void *);
CudaError cuMemsetD2D32Async(P, size_t, unsigned, size_t, size_t, void *);
CudaError cuMemCreate();
CudaError cuModuleLoadDataEx(void **, const void *, unsigned, void *, void **);
CudaError cuModuleUnload(void *);
CudaError cuModuleGetGlobal_v2(P *, size_t *, void *, const char *);
CudaError cuModuleGetFunction(void **, void *, const char *);
CudaError cuFuncGetAttribute(int *, FunctionAttribute, void *);
CudaError cuFuncGetParamInfo(void *, size_t, size_t *, size_t *);
CudaError cuOccupancyMaxPotentialBlockSize(int *, int *, void *,
                                           size_t (*)(int), size_t, int);
CudaError cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned,
                         unsigned, unsigned, unsigned, void *, void **,
                         void **);
CudaError cuStreamCreate(void **, unsigned);
CudaError cuStreamDestroy_v2(void *);
CudaError cuStreamSynchronize(void *);
CudaError cuStreamQuery(void *);
CudaError cuStreamWaitEvent(void *, void *, unsigned);
CudaError cuLaunchHostFunc(void *, void (*)(void *), void *);
CudaError cuStreamAddCallback(void *, void (*)(void *, CudaError, void *),
                              void *, unsigned);
CudaError cuEventCreate(void **, unsigned);
CudaError cuEventRecord(void *, void *);
CudaError cuEventElapsedTime(float *, void *, void *);
CudaError cuEventQuery(void *);
CudaError cuEventSynchronize(void *);
CudaError cuEventDestroy(void *);
}
// NOLINTEND(readability-identifier-naming)

namespace ferry::sim {
static void PrintTo(CudaError Error, std::ostream *Stream) {
  const char *Name = nullptr;
  cuGetErrorName(Error, &Name);
  *Stream << (Name ? Name : "?");
}
} // namespace ferry::sim

namespace {
class SimDriver : public testing::Test {
protected:
  static void SetUpTestSuite() {
    ::setenv(DevicesSetting.Variable, "2", 1);
    EXPECT_EQ(cuInit(0), CudaError::Success);
    for (int I : {0, 1})
      EXPECT_EQ(cuDevicePrimaryCtxRetain(&Contexts[I], I), CudaError::Success);
  }
  void SetUp() override {
    ASSERT_EQ(cuCtxSetCurrent(Contexts[0]), CudaError::Success);
  }
  static P allocate(size_t Bytes) {
    P Address = 0;
    EXPECT_EQ(cuMemAlloc_v2(&Address, Bytes), CudaError::Success);
    return Address;
  }
  static Transfers totals() { return Driver::get()->Devices[0]->Total; }

  static void *Contexts[2];
  /// No handle of anything; reading there would crash.
  void *const Nowhere = reinterpret_cast<void *>(16);
};
void *SimDriver::Contexts[2];
} // namespace

TEST_F(SimDriver, ErrorsHaveTheirNamesAndNumbers) {
  struct {
    int Number;
    const char *Name;
  } Known[] = {{0, "CUDA_SUCCESS"},
               {1, "CUDA_ERROR_INVALID_VALUE"},
               {2, "CUDA_ERROR_OUT_OF_MEMORY"},
               {200, "CUDA_ERROR_INVALID_IMAGE"},
               {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
               {500, "CUDA_ERROR_NOT_FOUND"},
               {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
               {716, "CUDA_ERROR_MISALIGNED_ADDRESS"},
               {719, "CUDA_ERROR_LAUNCH_FAILED"},
               {801, "CUDA_ERROR_NOT_SUPPORTED"}};
  for (auto [Number, Expected] : Known) {
    const char *Name = nullptr, *Text = nullptr;
    EXPECT_EQ(cuGetErrorName(CudaError(Number), &Name), CudaError::Success);
    EXPECT_STREQ(Name, Expected);
    EXPECT_EQ(cuGetErrorString(CudaError(Number), &Text), CudaError::Success);
    EXPECT_STRNE(Text, "");
  }
  const char *Text = "";
  EXPECT_EQ(cuGetErrorString(CudaError(12345), &Text), CudaError::InvalidValue);
  EXPECT_EQ(Text, nullptr);
  EXPECT_EQ(cuGetErrorString(CudaError::Success, nullptr),
            CudaError::InvalidValue);
}

TEST_F(SimDriver, Devices) {
  int Value = 0;
  EXPECT_EQ(cuDeviceGetCount(&Value), CudaError::Success);
  EXPECT_EQ(Value, 2);
  EXPECT_EQ(cuDeviceGet(&Value, 2), CudaError::InvalidDevice);
  EXPECT_EQ(cuDeviceGet(&Value, -1), CudaError::InvalidDevice);
  EXPECT_EQ(cuDeviceGet(nullptr, 0), CudaError::InvalidValue);
  char Name[8];
  std::memset(Name, 'x', sizeof(Name));
  EXPECT_EQ(cuDeviceGetName(Name, 7, 1), CudaError::Success);
  EXPECT_STREQ(Name, "NVIDIA");
  EXPECT_EQ(Name[7], 'x');
  EXPECT_EQ(cuDeviceGetName(Name, 0, 1), CudaError::InvalidValue);
  char Uuids[2][16];
  for (int I : {0, 1})
    EXPECT_EQ(cuDeviceGetUuid(Uuids[I], I), CudaError::Success);
  EXPECT_NE(std::memcmp(Uuids[0], Uuids[1], 16), 0);
  EXPECT_EQ(cuDeviceGetUuid(Uuids[0], 2), CudaError::InvalidDevice);
  EXPECT_EQ(cuDeviceGetUuid(nullptr, 0), CudaError::InvalidValue);
  size_t Total = 0;
  EXPECT_EQ(cuDeviceTotalMem_v2(&Total, 0), CudaError::Success);
  EXPECT_GT(Total, size_t(1) << 30);
  EXPECT_EQ(cuDeviceTotalMem_v2(&Total, 7), CudaError::InvalidDevice);
}

TEST_F(SimDriver, Attributes) {
  auto Get = [](DeviceAttribute Which) {
    int Value = -1;
    EXPECT_EQ(cuDeviceGetAttribute(&Value, Which, 0), CudaError::Success);
    return Value;
  };
  // The default is an H100: its data sheet has these.
  EXPECT_EQ(Get(DeviceAttribute::MultiprocessorCount), 132);
  EXPECT_EQ(Get(DeviceAttribute::ComputeCapabilityMajor), 9);
  EXPECT_EQ(Get(DeviceAttribute::ComputeCapabilityMinor), 0);
  EXPECT_EQ(Get(DeviceAttribute::WarpSize), 32);
  EXPECT_EQ(Get(DeviceAttribute::MaxThreadsPerBlock), 1024);
  EXPECT_EQ(Get(DeviceAttribute::MaxGridDimX), 2147483647);
  EXPECT_EQ(Get(DeviceAttribute::MaxSharedMemoryPerBlock), 49152);
  EXPECT_EQ(Get(DeviceAttribute::MaxSharedMemoryPerBlockOptin), 232448);
  EXPECT_EQ(Get(DeviceAttribute::ClockRate), 1755000);
  EXPECT_EQ(Get(DeviceAttribute::MemoryClockRate), 2619000);
  EXPECT_EQ(Get(DeviceAttribute::GlobalMemoryBusWidth), 5120);
  EXPECT_EQ(Get(DeviceAttribute::L2CacheSize), 50 << 20);
  EXPECT_EQ(Get(DeviceAttribute(17)), 0); // no time limit for kernels
  int Value;
  for (int Bad : {-1, 0, 150, 100000})
    EXPECT_EQ(cuDeviceGetAttribute(&Value, DeviceAttribute(Bad), 0),
              CudaError::InvalidValue);
  EXPECT_EQ(cuDeviceGetAttribute(nullptr, DeviceAttribute::WarpSize, 0),
            CudaError::InvalidValue);
}

TEST_F(SimDriver, Contexts) {
  int Value = -1;
  EXPECT_EQ(cuCtxSetCurrent(Contexts[1]), CudaError::Success);
  EXPECT_EQ(cuCtxGetDevice(&Value), CudaError::Success);
  EXPECT_EQ(Value, 1);
  EXPECT_EQ(cuCtxSetCurrent(Nowhere), CudaError::InvalidContext);
  EXPECT_EQ(cuCtxSetCurrent(nullptr), CudaError::Success);
  EXPECT_EQ(cuCtxGetDevice(&Value), CudaError::InvalidContext);
  P Address;
  EXPECT_EQ(cuMemAlloc_v2(&Address, 8), CudaError::InvalidContext);
  unsigned Flags;
  EXPECT_EQ(cuDevicePrimaryCtxGetState(0, &Flags, nullptr),
            CudaError::InvalidValue);
  EXPECT_EQ(cuDevicePrimaryCtxGetState(0, &Flags, &Value), CudaError::Success);
  EXPECT_EQ(Value, 1);
}

TEST_F(SimDriver, Limits) {
  size_t Value = 0;
  EXPECT_EQ(cuCtxSetLimit(0, 4096), CudaError::Success);
  EXPECT_EQ(cuCtxGetLimit(&Value, 0), CudaError::Success);
  EXPECT_EQ(Value, 4096U);
  EXPECT_EQ(cuCtxGetLimit(&Value, 99), CudaError::InvalidValue);
  EXPECT_EQ(cuCtxSetLimit(-1, 1), CudaError::InvalidValue);
}

TEST_F(SimDriver, MemoryIsAllocatedAndFreed) {
  size_t Before, During, Total;
  EXPECT_EQ(cuMemGetInfo(&Before, &Total), CudaError::Success);
  EXPECT_LE(Before, Total);
  P Address = allocate(1 << 20);
  EXPECT_EQ(cuMemGetInfo(&During, &Total), CudaError::Success);
  EXPECT_LE(During, Before - (1 << 20));
  EXPECT_EQ(cuMemFree_v2(Address), CudaError::Success);
  EXPECT_EQ(cuMemGetInfo(&During, &Total), CudaError::Success);
  EXPECT_EQ(During, Before);
  // Twice, in the middle, what never was; null is nothing.
  EXPECT_EQ(cuMemFree_v2(Address), CudaError::InvalidValue);
  Address = allocate(64);
  EXPECT_EQ(cuMemFree_v2(Address + 8), CudaError::InvalidValue);
  EXPECT_EQ(cuMemFree_v2(Address), CudaError::Success);
  EXPECT_EQ(cuMemFree_v2(16), CudaError::InvalidValue);
  EXPECT_EQ(cuMemFree_v2(0), CudaError::Success);
}

TEST_F(SimDriver, MemoryThatCannotBe) {
  P Address = 0;
  EXPECT_EQ(cuMemAlloc_v2(&Address, 0), CudaError::InvalidValue);
  EXPECT_EQ(cuMemAlloc_v2(nullptr, 8), CudaError::InvalidValue);
  EXPECT_EQ(cuMemAlloc_v2(&Address, SIZE_MAX), CudaError::OutOfMemory);
  size_t Free, Total;
  EXPECT_EQ(cuMemGetInfo(&Free, &Total), CudaError::Success);
  EXPECT_EQ(cuMemAlloc_v2(&Address, Total + 1), CudaError::OutOfMemory);
  EXPECT_EQ(cuMemAllocManaged(&Address, 8, 77), CudaError::InvalidValue);
  EXPECT_EQ(Address, 0U);
}

TEST_F(SimDriver, HostAndManagedMemoryIsTheHostsToo) {
  void *Host = nullptr;
  P Managed = 0;
  EXPECT_EQ(cuMemAllocHost_v2(&Host, 100), CudaError::Success);
  std::memset(Host, 1, 100);
  EXPECT_EQ(cuMemFreeHost(Host), CudaError::Success);
  EXPECT_EQ(cuMemFreeHost(Host), CudaError::InvalidValue);
  EXPECT_EQ(cuMemFreeHost(nullptr), CudaError::InvalidValue);
  EXPECT_EQ(cuMemAllocManaged(&Managed, 100, 1), CudaError::Success);
  std::memset(reinterpret_cast<void *>(Managed), 1, 100);
  EXPECT_EQ(cuMemFree_v2(Managed), CudaError::Success);
}

TEST_F(SimDriver, CopiesAreMadeAndCounted) {
  Transfers Before = totals();
  P A = allocate(64), B = allocate(64);
  int Data[16], Back[16] = {};
  for (int I = 0; I < 16; ++I)
    Data[I] = I;
  EXPECT_EQ(cuMemcpyHtoD_v2(A, Data, 64), CudaError::Success);
  EXPECT_EQ(cuMemcpyDtoDAsync_v2(B, A, 64, nullptr), CudaError::Success);
  EXPECT_EQ(cuMemsetD32Async(B, 7, 2, nullptr), CudaError::Success);
  EXPECT_EQ(cuMemcpyDtoH_v2(Back, B + 4, 60), CudaError::Success);
  EXPECT_EQ(Back[0], 7);
  EXPECT_EQ(Back[1], 2);
  EXPECT_EQ(Back[14], 15);
  cuMemFree_v2(A);
  cuMemFree_v2(B);
  Transfers After = totals();
  EXPECT_EQ(After.ToDeviceCopies - Before.ToDeviceCopies, 1U);
  EXPECT_EQ(After.ToDeviceBytes - Before.ToDeviceBytes, 64U);
  EXPECT_EQ(After.FromDeviceCopies - Before.FromDeviceCopies, 1U);
  EXPECT_EQ(After.FromDeviceBytes - Before.FromDeviceBytes, 60U);
  EXPECT_EQ(After.DeviceCopies - Before.DeviceCopies, 1U);
  EXPECT_EQ(After.DeviceBytes - Before.DeviceBytes, 64U);
  EXPECT_EQ(After.Memsets - Before.Memsets, 1U);
  EXPECT_EQ(After.MemsetBytes - Before.MemsetBytes, 8U);
  EXPECT_EQ(After.Allocations - Before.Allocations, 2U);
  EXPECT_EQ(After.AllocatedBytes - Before.AllocatedBytes, 128U);
  EXPECT_EQ(After.Frees - Before.Frees, 2U);
}

TEST_F(SimDriver, RowsAreFilled) {
  const Transfers Before = totals();
  const P A = allocate(48);
  EXPECT_EQ(cuMemsetD2D8Async(A, 48, 0, 48, 1, nullptr), CudaError::Success);
  EXPECT_EQ(cuMemsetD2D32Async(A + 4, 16, 7, 2, 3, nullptr),
            CudaError::Success);
  EXPECT_EQ(cuMemsetD2D16Async(A + 2, 16, 9, 1, 2, nullptr),
            CudaError::Success);
  int Back[12];
  EXPECT_EQ(cuMemcpyDtoH_v2(Back, A, 48), CudaError::Success);
  const int Expected[12] = {9 << 16, 7, 7, 0, 9 << 16, 7, 7, 0, 0, 7, 7, 0};
  for (int I = 0; I < 12; ++I)
    EXPECT_EQ(Back[I], Expected[I]) << I;
  EXPECT_EQ(totals().Memsets - Before.Memsets, 3U);
  EXPECT_EQ(totals().MemsetBytes - Before.MemsetBytes, 48U + 24U + 4U);
  // Rows that overlap, the wrong alignment, too far, and far too far.
  EXPECT_EQ(cuMemsetD2D32Async(A, 4, 7, 2, 3, nullptr),
            CudaError::InvalidValue);
  EXPECT_EQ(cuMemsetD2D32Async(A, 18, 7, 2, 2, nullptr),
            CudaError::InvalidValue);
  EXPECT_EQ(cuMemsetD2D8Async(A, 16, 0, 17, 1, nullptr), CudaError::Success);
  EXPECT_EQ(cuMemsetD2D8Async(A + 1, 16, 0, 16, 3, nullptr),
            CudaError::InvalidValue);
  EXPECT_EQ(cuMemsetD2D8Async(A, SIZE_MAX / 2, 0, 1, 4, nullptr),
            CudaError::InvalidValue);
  EXPECT_EQ(cuMemsetD2D8Async(A, 0, 0, 0, 9, nullptr), CudaError::Success);
  cuMemFree_v2(A);
}

TEST_F(SimDriver, CopiesOutsideOfAllocations) {
  Transfers Before = totals();
  P A = allocate(64);
  char Data[128] = {};
  EXPECT_EQ(cuMemcpyHtoD_v2(A, Data, 65), CudaError::InvalidValue);
  EXPECT_EQ(cuMemcpyHtoD_v2(A + 1, Data, 64), CudaError::InvalidValue);
  EXPECT_EQ(cuMemcpyHtoD_v2(A - 1, Data, 2), CudaError::InvalidValue);
  EXPECT_EQ(cuMemcpyHtoD_v2(A, nullptr, 1), CudaError::InvalidValue);
  EXPECT_EQ(cuMemcpyHtoD_v2(0, Data, 1), CudaError::InvalidValue);
  EXPECT_EQ(cuMemcpyHtoD_v2(A + 8, Data, SIZE_MAX), CudaError::InvalidValue);
  EXPECT_EQ(cuMemcpyDtoH_v2(Data, A, 65), CudaError::InvalidValue);
  EXPECT_EQ(cuMemcpyDtoH_v2(Data, reinterpret_cast<P>(Data), 8),
            CudaError::InvalidValue);
  EXPECT_EQ(cuMemcpyDtoDAsync_v2(A, reinterpret_cast<P>(Data), 8, nullptr),
            CudaError::InvalidValue);
  EXPECT_EQ(cuMemsetD32Async(A, 0, 17, nullptr), CudaError::InvalidValue);
  EXPECT_EQ(cuMemsetD32Async(A + 2, 0, 1, nullptr), CudaError::InvalidValue);
  EXPECT_EQ(cuMemsetD32Async(A, 0, SIZE_MAX / 2, nullptr),
            CudaError::InvalidValue);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(A, Data, 8, Nowhere),
            CudaError::InvalidHandle);
  EXPECT_EQ(cuMemcpyHtoD_v2(A, Data, 0), CudaError::Success);
  cuMemFree_v2(A);
  EXPECT_EQ(totals().ToDeviceCopies, Before.ToDeviceCopies);
}

TEST_F(SimDriver, Peers) {
  int Can = 0;
  EXPECT_EQ(cuDeviceCanAccessPeer(&Can, 0, 1), CudaError::Success);
  EXPECT_EQ(Can, 1);
  EXPECT_EQ(cuDeviceCanAccessPeer(&Can, 0, 0), CudaError::Success);
  EXPECT_EQ(Can, 0);
  EXPECT_EQ(cuDeviceCanAccessPeer(&Can, 0, 2), CudaError::InvalidDevice);
  EXPECT_EQ(cuCtxEnablePeerAccess(Contexts[1], 0), CudaError::Success);
  EXPECT_EQ(cuCtxEnablePeerAccess(Contexts[1], 0),
            CudaError::PeerAccessAlreadyEnabled);
  EXPECT_EQ(cuCtxEnablePeerAccess(Contexts[0], 0), CudaError::InvalidContext);
  P A = allocate(8), B = 0;
  cuCtxSetCurrent(Contexts[1]);
  B = allocate(8);
  long Value = 42, Back = 0;
  EXPECT_EQ(cuMemcpyHtoD_v2(A, &Value, 8), CudaError::Success);
  EXPECT_EQ(cuMemcpyPeerAsync(B, Contexts[1], A, Contexts[0], 8, nullptr),
            CudaError::Success);
  EXPECT_EQ(cuMemcpyPeerAsync(B, Nowhere, A, Contexts[0], 8, nullptr),
            CudaError::InvalidContext);
  EXPECT_EQ(cuMemcpyDtoH_v2(&Back, B, 8), CudaError::Success);
  EXPECT_EQ(Back, 42);
  cuMemFree_v2(A);
  cuMemFree_v2(B);
}

TEST_F(SimDriver, StreamsAndEvents) {
  void *Stream = nullptr, *Event = nullptr;
  EXPECT_EQ(cuStreamCreate(nullptr, 0), CudaError::InvalidValue);
  EXPECT_EQ(cuStreamCreate(&Stream, 99), CudaError::InvalidValue);
  ASSERT_EQ(cuStreamCreate(&Stream, 1), CudaError::Success);
  ASSERT_EQ(cuEventCreate(&Event, 0), CudaError::Success);
  EXPECT_EQ(cuEventRecord(Event, Stream), CudaError::Success);
  EXPECT_EQ(cuStreamWaitEvent(Stream, Event, 0), CudaError::Success);
  EXPECT_EQ(cuStreamQuery(Stream), CudaError::Success);
  EXPECT_EQ(cuStreamSynchronize(Stream), CudaError::Success);
  EXPECT_EQ(cuEventSynchronize(Event), CudaError::Success);
  // One is not the other.
  EXPECT_EQ(cuStreamSynchronize(Event), CudaError::InvalidHandle);
  EXPECT_EQ(cuEventRecord(Stream, Stream), CudaError::InvalidHandle);
  EXPECT_EQ(cuEventRecord(Event, Nowhere), CudaError::InvalidHandle);
  EXPECT_EQ(cuStreamWaitEvent(Stream, Nowhere, 0), CudaError::InvalidHandle);
  // A thread without a context can use what names a device by itself.
  cuCtxSetCurrent(nullptr);
  EXPECT_EQ(cuStreamSynchronize(Stream), CudaError::Success);
  EXPECT_EQ(cuEventRecord(Event, Stream), CudaError::Success);
  EXPECT_EQ(cuStreamSynchronize(nullptr), CudaError::InvalidContext);
  cuCtxSetCurrent(Contexts[0]);
  EXPECT_EQ(cuStreamDestroy_v2(Stream), CudaError::Success);
  EXPECT_EQ(cuStreamDestroy_v2(Stream), CudaError::InvalidHandle);
  EXPECT_EQ(cuStreamQuery(Stream), CudaError::InvalidHandle);
  EXPECT_EQ(cuEventDestroy(Event), CudaError::Success);
  EXPECT_EQ(cuEventDestroy(Event), CudaError::InvalidHandle);
}

TEST_F(SimDriver, TimeBetweenEvents) {
  constexpr unsigned DisableTiming = 2;
  void *Start = nullptr, *End = nullptr, *Timeless = nullptr, *Other = nullptr;
  ASSERT_EQ(cuEventCreate(&Start, 0), CudaError::Success);
  ASSERT_EQ(cuEventCreate(&End, 0), CudaError::Success);
  ASSERT_EQ(cuEventCreate(&Timeless, DisableTiming), CudaError::Success);
  float Time = -1;
  const auto Before = std::chrono::steady_clock::now();
  ASSERT_EQ(cuEventRecord(Start, nullptr), CudaError::Success);
  EXPECT_EQ(cuEventElapsedTime(&Time, Start, End), CudaError::InvalidHandle)
      << "the end is not recorded";
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  ASSERT_EQ(cuEventRecord(End, nullptr), CudaError::Success);
  ASSERT_EQ(cuEventRecord(Timeless, nullptr), CudaError::Success);
  const std::chrono::duration<float, std::milli> Passed =
      std::chrono::steady_clock::now() - Before;
  EXPECT_EQ(Time, -1);
  EXPECT_EQ(cuEventElapsedTime(&Time, Start, End), CudaError::Success);
  EXPECT_GE(Time, 3);
  EXPECT_LE(Time, Passed.count());
  float Back = 0;
  EXPECT_EQ(cuEventElapsedTime(&Back, End, Start), CudaError::Success);
  EXPECT_EQ(Back, -Time);
  // Recorded again, it is of the last time.
  ASSERT_EQ(cuEventRecord(Start, nullptr), CudaError::Success);
  EXPECT_EQ(cuEventElapsedTime(&Back, End, Start), CudaError::Success);
  EXPECT_GE(Back, 0);
  EXPECT_EQ(cuEventElapsedTime(&Time, Start, Timeless),
            CudaError::InvalidHandle);
  EXPECT_EQ(cuEventElapsedTime(&Time, Nowhere, End), CudaError::InvalidHandle);
  EXPECT_EQ(cuEventElapsedTime(&Time, Start, Nowhere),
            CudaError::InvalidHandle);
  EXPECT_EQ(cuEventElapsedTime(nullptr, Start, End), CudaError::InvalidValue);
  // Events and streams of one device.
  cuCtxSetCurrent(Contexts[1]);
  EXPECT_EQ(cuEventRecord(End, nullptr), CudaError::InvalidHandle);
  ASSERT_EQ(cuEventCreate(&Other, 0), CudaError::Success);
  ASSERT_EQ(cuEventRecord(Other, nullptr), CudaError::Success);
  EXPECT_EQ(cuEventElapsedTime(&Time, Start, Other), CudaError::InvalidHandle);
  cuCtxSetCurrent(Contexts[0]);
  for (void *Event : {Start, End, Timeless, Other})
    EXPECT_EQ(cuEventDestroy(Event), CudaError::Success);
}

TEST_F(SimDriver, WorkForTheHost) {
  void *Stream = nullptr, *Event = nullptr;
  ASSERT_EQ(cuStreamCreate(&Stream, 1), CudaError::Success);
  ASSERT_EQ(cuEventCreate(&Event, 0), CudaError::Success);
  int Calls = 0;
  const auto Count = [](void *Data) {
    ++*static_cast<int *>(Data);
    EXPECT_EQ(cuCtxSetCurrent(Contexts[0]), CudaError::Success);
  };
  EXPECT_EQ(cuLaunchHostFunc(Stream, Count, &Calls), CudaError::Success);
  EXPECT_EQ(Calls, 1);
  EXPECT_EQ(cuLaunchHostFunc(Stream, nullptr, &Calls), CudaError::InvalidValue);
  EXPECT_EQ(cuLaunchHostFunc(Nowhere, Count, &Calls), CudaError::InvalidHandle);
  struct Seen {
    void *Stream;
    CudaError Status;
  } Last = {nullptr, CudaError::LaunchFailed};
  const auto Note = [](void *Stream, CudaError Status, void *Data) {
    *static_cast<Seen *>(Data) = {Stream, Status};
  };
  EXPECT_EQ(cuStreamAddCallback(Stream, Note, &Last, 1),
            CudaError::InvalidValue);
  EXPECT_EQ(cuStreamAddCallback(Stream, Note, &Last, 0), CudaError::Success);
  EXPECT_EQ(Last.Stream, Stream);
  EXPECT_EQ(Last.Status, CudaError::Success);
  EXPECT_EQ(Calls, 1);
  EXPECT_EQ(cuEventQuery(Event), CudaError::Success);
  EXPECT_EQ(cuEventQuery(Stream), CudaError::InvalidHandle);
  EXPECT_EQ(cuStreamDestroy_v2(Stream), CudaError::Success);
  EXPECT_EQ(cuEventDestroy(Event), CudaError::Success);
}

TEST_F(SimDriver, WhatIsNotSupportedSaysSo) {
  EXPECT_EQ(cuMemCreate(), CudaError::NotSupported);
}

// --- Modules -----------------------------------------------------------------

TEST_F(SimDriver, ImagesThatAreNone) {
  void *Module = nullptr;
  EXPECT_EQ(cuModuleLoadDataEx(nullptr, "", 0, nullptr, nullptr),
            CudaError::InvalidValue);
  EXPECT_EQ(cuModuleLoadDataEx(&Module, nullptr, 0, nullptr, nullptr),
            CudaError::InvalidValue);
  // Nothing can be read there.
  EXPECT_EQ(cuModuleLoadDataEx(&Module, Nowhere, 0, nullptr, nullptr),
            CudaError::InvalidImage);
  const char PTX[256] = "//\n.version 8.0";
  EXPECT_EQ(cuModuleLoadDataEx(&Module, PTX, 0, nullptr, nullptr),
            CudaError::InvalidImage);
  // As NVIDIA's compiler makes it, with no translated code inside.
  Elf64_Ehdr Header = {};
  std::memcpy(Header.e_ident, ELFMAG, SELFMAG);
  Header.e_ident[EI_CLASS] = ELFCLASS64;
  Header.e_ident[EI_DATA] = ELFDATA2LSB;
  Header.e_machine = 190;
  testing::internal::CaptureStderr();
  EXPECT_EQ(cuModuleLoadDataEx(&Module, &Header, 0, nullptr, nullptr),
            CudaError::InvalidImage);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "ferry-sim: error: this program was not built with --ferry-sim: "
            "compile and link it with `ferry-clang++ --ferry-sim`\n");
  EXPECT_EQ(Module, nullptr);
}

TEST_F(SimDriver, HandlesOfNothing) {
  void *Handle;
  int Value;
  EXPECT_EQ(cuModuleUnload(Nowhere), CudaError::InvalidHandle);
  EXPECT_EQ(cuModuleGetFunction(&Handle, Nowhere, "kernel"),
            CudaError::InvalidHandle);
  EXPECT_EQ(cuModuleGetGlobal_v2(nullptr, nullptr, Nowhere, "x"),
            CudaError::InvalidHandle);
  EXPECT_EQ(cuFuncGetAttribute(&Value, FunctionAttribute::MaxThreadsPerBlock,
                               Nowhere),
            CudaError::InvalidHandle);
  EXPECT_EQ(
      cuLaunchKernel(Nowhere, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
      CudaError::InvalidHandle);
}

// What libomptarget 22 asks of a kernel before it launches it.
TEST_F(SimDriver, KernelsAreDescribed) {
  const ArgumentInfo Arguments[] = {{4, 4}, {8, 8}, {1, 1}, {4, 4}};
  KernelInfo Info = {};
  Info.Arguments = Arguments;
  Info.NumArguments = 4;
  Info.MaxThreads = 1024;
  Info.Registers = 32;
  KernelRecord Kernel = {};
  Kernel.Info = &Info;
  auto &Functions = Driver::get()->Functions;
  void *Handle = insert(Functions, std::make_unique<Function>(Function{
                                       nullptr, &Kernel, SharedPerBlock}));
  const size_t Offsets[] = {0, 8, 16, 20};
  for (size_t I = 0; I < 4; ++I) {
    size_t Offset = 99, Size = 99;
    EXPECT_EQ(cuFuncGetParamInfo(Handle, I, &Offset, &Size),
              CudaError::Success);
    EXPECT_EQ(Offset, Offsets[I]);
    EXPECT_EQ(Size, Arguments[I].Size);
  }
  size_t Offset;
  EXPECT_EQ(cuFuncGetParamInfo(Handle, 4, &Offset, nullptr),
            CudaError::InvalidValue);
  EXPECT_EQ(cuFuncGetParamInfo(Nowhere, 0, &Offset, nullptr),
            CudaError::InvalidHandle);

  int Grid, Block;
  const auto Ask = [&](size_t (*SharedOf)(int), size_t Shared, int Limit) {
    EXPECT_EQ(cuOccupancyMaxPotentialBlockSize(&Grid, &Block, Handle, SharedOf,
                                               Shared, Limit),
              CudaError::Success);
    return Block;
  };
  // All 2,048 threads of a multiprocessor, in blocks as large as they may be.
  const int SMs = static_cast<int>(Driver::get()->Model->multiprocessors());
  EXPECT_EQ(Ask(nullptr, 0, 0), 1024);
  EXPECT_EQ(Grid, 2 * SMs);
  EXPECT_EQ(Ask(nullptr, 0, 300), 256);
  EXPECT_EQ(Grid, 8 * SMs);
  // 65,536 registers are enough for 1,024 threads.
  Info.Registers = 64;
  EXPECT_EQ(Ask(nullptr, 0, 0), 1024);
  EXPECT_EQ(Grid, SMs);
  Info.Registers = 32;
  // 228 KiB hold two such blocks of 896 threads, with one KiB more for each.
  EXPECT_EQ(Ask([](int Threads) { return size_t(Threads) * 128; }, 0, 0), 896);
  Info.MaxThreads = 100;
  EXPECT_EQ(Ask(nullptr, 0, 0), 100);
  EXPECT_EQ(
      cuOccupancyMaxPotentialBlockSize(&Grid, &Block, Nowhere, nullptr, 0, 0),
      CudaError::InvalidHandle);
  EXPECT_EQ(
      cuOccupancyMaxPotentialBlockSize(&Grid, nullptr, Handle, nullptr, 0, 0),
      CudaError::InvalidValue);
  Functions.erase(Handle);
}
