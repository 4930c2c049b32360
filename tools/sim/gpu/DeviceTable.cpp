//===- DeviceTable.cpp - The GPUs that can be simulated -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceTable.h"
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace ferry::sim;

// LeastWavefronts: multiprocessors of sm_75, sm_86 and sm_89 have 16 load/store
// units, the others 32 (figures of the multiprocessor in NVIDIA's white papers
// of Volta, Turing, A100, GA102, Ada and H100). So a warp of floats takes two
// passes there (gpu-cache/a40.txt of te42kyfo/gpu-benches; Jia et al., arXiv
// 1903.07486, for the T4).
static const ArchitectureLimits Limits[] = {
    {70, 2048, 32, 0, {8, 16, 32, 64, 96}, 1},
    {75, 1024, 16, 0, {32, 64}, 2},
    {80, 2048, 32, 1 << 10, {8, 16, 32, 64, 100, 132, 164}, 1},
    {86, 1536, 16, 1 << 10, {8, 16, 32, 64, 100}, 2},
    {89, 1536, 24, 1 << 10, {8, 16, 32, 64, 100}, 2},
    {90, 2048, 32, 1 << 10, {8, 16, 32, 64, 100, 132, 164, 196, 228}, 1},
};

static const ArchitectureLimits *findLimits(uint32_t Architecture) {
  for (const ArchitectureLimits &Known : Limits)
    if (Known.Architecture == Architecture)
      return &Known;
  return nullptr;
}

const ArchitectureLimits &DeviceModel::limits() const {
  return *findLimits(Architecture);
}

const Figure ferry::sim::Figures[] = {
    {"multiprocessors", &DeviceModel::Multiprocessors, 1, 1024, true},
    {"clock_ghz", &DeviceModel::ClockGHz, 0.1, 10, false},
    {"sustained_clock", &DeviceModel::SustainedClock, 0.1, 1, false},
    {"l1_kib", &DeviceModel::L1KiB, 16, 4096, true},
    {"max_shared_kib", &DeviceModel::MaxSharedKiB, 16, 4096, true},
    {"l2_mib", &DeviceModel::L2MiB, 0.25, 4096, false},
    {"l2_tb_s", &DeviceModel::L2TBs, 0.01, 1000, false},
    {"dram_tb_s", &DeviceModel::DramTBs, 0.01, 1000, false},
    {"fp32_lanes", &DeviceModel::Fp32Lanes, 1, 1024, true},
    {"fp64_lanes", &DeviceModel::Fp64Lanes, 1, 1024, true},
    {"int_lanes", &DeviceModel::IntLanes, 1, 1024, true},
    {"issue_per_clock", &DeviceModel::IssuePerClock, 1, 16, true},
    {"latency_clocks.l1", &DeviceModel::L1Latency, 1, 10000, false},
    {"latency_clocks.l2", &DeviceModel::L2Latency, 1, 10000, false},
    {"latency_clocks.dram", &DeviceModel::DramLatency, 1, 10000, false},
    {"latency_clocks.shared", &DeviceModel::SharedLatency, 1, 10000, false},
    {"launch_us", &DeviceModel::LaunchUs, 0, 10000, false},
    {"link_gb_s", &DeviceModel::LinkGBs, 0.1, 100000, false},
    {"link_us", &DeviceModel::LinkUs, 0, 10000, false},
    {"memory_clock_mhz", &DeviceModel::MemoryClockMHz, 1, 100000, true},
    {"memory_bus_bits", &DeviceModel::MemoryBusBits, 1, 100000, true},
    {nullptr, nullptr, 0, 0, false},
};

const Figure *ferry::sim::findFigure(std::string_view Key) {
  for (const Figure *F = Figures; F->Key; ++F)
    if (Key == F->Key)
      return F;
  return nullptr;
}

/// As short as it can be read back; printf would follow the program's locale.
static std::string shortest(double Value) {
  char Text[32];
  return {Text, std::to_chars(Text, Text + sizeof(Text), Value).ptr};
}

std::string ferry::sim::whyNoModel(const DeviceModel &Model) {
  if (!findLimits(Model.Architecture))
    return "'architecture' is one of " + knownArchitectures();
  for (const Figure *F = Figures; F->Key; ++F) {
    const double Value = Model.*F->Value;
    if (!(Value >= F->Least && Value <= F->Most))
      return "'" + std::string(F->Key) + "' is " + shortest(Value) +
             "; possible is " + shortest(F->Least) + " to " + shortest(F->Most);
    if (F->Whole && Value != static_cast<double>(static_cast<uint32_t>(Value)))
      return "'" + std::string(F->Key) + "' is " + shortest(Value) +
             ", which is no whole number";
  }
  if (Model.MaxSharedKiB > Model.L1KiB)
    return "'max_shared_kib' is " + shortest(Model.MaxSharedKiB) +
           ", more than 'l1_kib', of which it is a part";
  if (Model.L1Latency > Model.L2Latency || Model.L2Latency > Model.DramLatency)
    return "'latency_clocks' has " + shortest(Model.L1Latency) + ", " +
           shortest(Model.L2Latency) + ", " + shortest(Model.DramLatency) +
           " for l1, l2, dram; they have to ascend";
  return "";
}

// --- Text --------------------------------------------------------------------

std::string ferry::sim::writeModel(const DeviceModel &Model) {
  std::string Text = "name=" + Model.Name + "\narchitecture=sm_" +
                     std::to_string(Model.Architecture) + "\n";
  for (const Figure *F = Figures; F->Key; ++F)
    Text += std::string(F->Key) + "=" + shortest(Model.*F->Value) + "\n";
  return Text;
}

bool ferry::sim::readModel(std::string_view Text, DeviceModel &Model) {
  while (!Text.empty()) {
    const std::string_view Line = Text.substr(0, Text.find('\n'));
    Text.remove_prefix(std::min(Line.size() + 1, Text.size()));
    const size_t Equal = Line.find('=');
    if (Equal == std::string_view::npos)
      return false;
    const std::string_view Key = Line.substr(0, Equal);
    const std::string Value(Line.substr(Equal + 1));
    if (Key == "name") {
      Model.Name = Value;
    } else if (Key == "architecture") {
      Model.Architecture = parseArchitecture(Value.c_str());
    } else if (const Figure *F = findFigure(Key)) {
      const char *End = Value.data() + Value.size();
      if (std::from_chars(Value.data(), End, Model.*F->Value).ptr != End)
        return false;
    } else {
      return false;
    }
  }
  return whyNoModel(Model).empty();
}

// --- Built-in GPUs -----------------------------------------------------------

namespace {
struct BuiltIn {
  const char *Name;
  DeviceModel Model;
};
} // namespace

static const std::vector<BuiltIn> &builtIns() {
  // Never destroyed: reports are written when the program's statics are gone.
  static const std::vector<BuiltIn> *const All = [] {
    auto *Models = new std::vector<BuiltIn>;
    auto Add = [&](const char *Name, const char *Text) {
      Models->push_back({Name, {}});
      // The files of this folder were checked when they were written.
      if (!readModel(Text, Models->back().Model))
        std::abort();
    };
#define FERRY_SIM_GPU(Name, Text) Add(Name, Text);
#include "BuiltInGPUs.def"
#undef FERRY_SIM_GPU
    return Models;
  }();
  return *All;
}

const DeviceModel *ferry::sim::findDeviceModel(std::string_view Name) {
  for (const BuiltIn &Known : builtIns())
    if (Name == Known.Name)
      return &Known.Model;
  return nullptr;
}

const DeviceModel *ferry::sim::findDeviceModel(uint32_t Architecture) {
  for (const BuiltIn &Known : builtIns())
    if (Known.Model.Architecture == Architecture)
      return &Known.Model;
  return nullptr;
}

const DeviceModel *ferry::sim::findDeviceModelFor(uint32_t Image) {
  for (const BuiltIn &Known : builtIns())
    if (runsOn(Image, Known.Model.Architecture))
      return &Known.Model;
  return nullptr;
}

std::string ferry::sim::knownArchitectures() {
  std::string List;
  for (const ArchitectureLimits &Known : Limits)
    List +=
        (List.empty() ? "sm_" : ", sm_") + std::to_string(Known.Architecture);
  return List;
}

std::string ferry::sim::knownDevices() {
  std::string List;
  for (const BuiltIn &Known : builtIns())
    List += (List.empty() ? "" : ", ") + std::string(Known.Name);
  return List;
}

uint32_t ferry::sim::parseArchitecture(const char *Text) {
  if (std::strncmp(Text, "sm_", 3) != 0 || Text[3] < '1' || Text[3] > '9')
    return 0;
  char *End = nullptr;
  unsigned long Number = std::strtoul(Text + 3, &End, 10);
  return *End == '\0' && Number < 1000 ? static_cast<uint32_t>(Number) : 0;
}
