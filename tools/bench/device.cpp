//===- device.cpp - What the driver says of the GPU -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints one line: the version of CUDA that the driver is for (13000 is 13.0),
// the architecture (90 is sm_90), multiprocessors, clocks of the GPU and of its
// memory in MHz, bits of the memory's bus, bytes of the second-level cache, and
// the name. Loads the driver's library itself: nothing else is needed.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <dlfcn.h>

/// Numbers of CUdevice_attribute, CUDA driver API.
enum Attribute {
  ClockKHz = 13,
  Multiprocessors = 16,
  MemoryClockKHz = 36,
  BusBits = 37,
  L2Bytes = 38,
  Major = 75,
  Minor = 76,
};

static void *Driver;

template <class... Types> static bool call(const char *Name, Types... Values) {
  auto *Function = reinterpret_cast<int (*)(Types...)>(dlsym(Driver, Name));
  const int Error = Function ? Function(Values...) : -1;
  if (Error)
    std::fprintf(stderr, "device: error: %s gives %d\n", Name, Error);
  return Error == 0;
}

static int attribute(Attribute Which, int Device) {
  int Value = 0;
  call("cuDeviceGetAttribute", &Value, int(Which), Device);
  return Value;
}

int main() {
  Driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!Driver) {
    std::fprintf(stderr, "device: error: there is no NVIDIA driver: %s\n",
                 dlerror());
    return 1;
  }
  int Version = 0, Device = 0;
  char Name[256] = "";
  if (!call("cuInit", 0u) || !call("cuDriverGetVersion", &Version) ||
      !call("cuDeviceGet", &Device, 0) ||
      !call("cuDeviceGetName", &Name[0], int(sizeof(Name)), Device))
    return 1;
  std::printf("%d %d %d %d %d %d %d %s\n", Version,
              10 * attribute(Major, Device) + attribute(Minor, Device),
              attribute(Multiprocessors, Device),
              attribute(ClockKHz, Device) / 1000,
              attribute(MemoryClockKHz, Device) / 1000,
              attribute(BusBits, Device), attribute(L2Bytes, Device), Name);
}
