//===- DeviceTable.cpp - The GPUs that can be simulated -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceTable.h"
#include <cstdlib>
#include <cstring>

using namespace ferry::sim;

// Limits per multiprocessor: CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability". Multiprocessors, clocks, caches and
// buses: NVIDIA's architecture papers and data sheets of Tesla V100 SXM2, T4,
// A100 SXM4 40 GB, A10, L4 and H100 SXM5.
static const DeviceModel Models[] = {
    {70, "Tesla V100-SXM2-16GB", 80, 2048, 32, 96 << 10, 96 << 10, 0, 6 << 20,
     1530000, 877000, 4096},
    {75, "Tesla T4", 40, 1024, 16, 64 << 10, 64 << 10, 0, 4 << 20, 1590000,
     5001000, 256},
    {80, "NVIDIA A100-SXM4-40GB", 108, 2048, 32, 164 << 10, 163 << 10, 1 << 10,
     40 << 20, 1410000, 1215000, 5120},
    {86, "NVIDIA A10", 72, 1536, 16, 100 << 10, 99 << 10, 1 << 10, 6 << 20,
     1695000, 6251000, 384},
    {89, "NVIDIA L4", 58, 1536, 24, 100 << 10, 99 << 10, 1 << 10, 48 << 20,
     2040000, 6251000, 192},
    {90, "NVIDIA H100 80GB HBM3", 132, 2048, 32, 228 << 10, 227 << 10, 1 << 10,
     50 << 20, 1980000, 2619000, 5120},
};

const DeviceModel *ferry::sim::findDeviceModel(uint32_t Architecture) {
  for (const DeviceModel &Model : Models)
    if (Model.Architecture == Architecture)
      return &Model;
  return nullptr;
}

const DeviceModel *ferry::sim::findDeviceModelFor(uint32_t Image) {
  for (const DeviceModel &Model : Models)
    if (runsOn(Image, Model.Architecture))
      return &Model;
  return nullptr;
}

std::string ferry::sim::knownArchitectures() {
  std::string List;
  for (const DeviceModel &Model : Models) {
    if (!List.empty())
      List += ", ";
    List += "sm_" + std::to_string(Model.Architecture);
  }
  return List;
}

uint32_t ferry::sim::parseArchitecture(const char *Text) {
  if (std::strncmp(Text, "sm_", 3) != 0 || Text[3] < '1' || Text[3] > '9')
    return 0;
  char *End = nullptr;
  unsigned long Number = std::strtoul(Text + 3, &End, 10);
  return *End == '\0' && Number < 1000 ? static_cast<uint32_t>(Number) : 0;
}
