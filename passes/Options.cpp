//===- Options.cpp - Command-line options of the passes -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of the passes for users; docs/using.md describes them. Hidden
// ones, for thresholds, stand beside their use (docs/architecture.md). They are
// given with -mllvm to clang (which needs -fplugin=libferry.so beside
// -fpass-plugin=libferry.so to know them in time) and directly to opt.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "gpu/GPUFile.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::OptionCategory Category("Ferry options");

static cl::opt<bool>
    Map("ferry-map", cl::cat(Category), cl::init(true),
        cl::desc("Carry pointers in captured objects over to the device"));

static cl::opt<bool> Parameters(
    "ferry-parameters", cl::cat(Category), cl::init(true),
    cl::desc("Pass what a kernel only reads of captured objects as its "
             "parameters"));

static cl::opt<bool> WholeLayout(
    "ferry-map-whole-layout", cl::cat(Category), cl::init(false),
    cl::desc("Carry over every pointer of a captured object, not only those "
             "that the kernel is seen to use"));

static cl::opt<bool> HostEvidence(
    "ferry-map-host-evidence", cl::cat(Category), cl::init(false), cl::Hidden,
    cl::desc("Take the host version of a kernel for what its device's code "
             "does, which no object is needed for"));

static cl::opt<bool>
    Check("ferry-check", cl::cat(Category), cl::init(false),
          cl::desc("Have launches look whether what kernels access is mapped"));

static cl::opt<bool>
    Simulate("ferry-sim", cl::cat(Category), cl::init(false),
             cl::desc("Carry device code for the simulator, ferry-sim"));

static cl::opt<ferry::StageMode>
    Stage("ferry-stage", cl::cat(Category), cl::init(ferry::StageMode::On),
          cl::desc("Stage read-only global data through shared memory"),
          cl::values(clEnumValN(ferry::StageMode::Off, "off", "never"),
                     clEnumValN(ferry::StageMode::On, "on", "where it pays"),
                     clEnumValN(ferry::StageMode::Always, "always",
                                "wherever it is correct; for tests")));

static cl::opt<uint64_t> StageMaxBytes(
    "ferry-stage-max-bytes", cl::cat(Category),
    cl::init(ferry::StageOptions().MaxBytes),
    cl::desc("Bytes of shared memory that a block may use, the program's own "
             "included"));

namespace {
/// NAME=off|on|always
struct KernelModeParser : cl::parser<std::pair<std::string, ferry::StageMode>> {
  using cl::parser<std::pair<std::string, ferry::StageMode>>::parser;
  bool parse(cl::Option &O, StringRef, StringRef Text,
             std::pair<std::string, ferry::StageMode> &Value) {
    auto [Name, Mode] = Text.rsplit('=');
    auto Known = StringSwitch<std::optional<ferry::StageMode>>(Mode)
                     .Case("off", ferry::StageMode::Off)
                     .Case("on", ferry::StageMode::On)
                     .Case("always", ferry::StageMode::Always)
                     .Default(std::nullopt);
    if (Name.empty() || !Known)
      return O.error(
          "'" + Text +
          "' should be KERNEL=off, KERNEL=on or "
          "KERNEL=always, where KERNEL is a part of a kernel's name");
    Value = {Name.str(), *Known};
    return false;
  }
};
} // namespace

static cl::list<std::pair<std::string, ferry::StageMode>, bool,
                KernelModeParser>
    StageKernels("ferry-stage-kernel", cl::cat(Category),
                 cl::value_desc("kernel=off|on|always"),
                 cl::desc("The same for kernels with this in their names"));

namespace {
using GpuChoice = std::shared_ptr<const ferry::sim::DeviceModel>;
/// NAME|FILE
struct GpuParser : cl::parser<GpuChoice> {
  using cl::parser<GpuChoice>::parser;
  bool parse(cl::Option &O, StringRef, StringRef Text, GpuChoice &Value) {
    auto Model = std::make_shared<ferry::sim::DeviceModel>();
    if (std::string Error; !ferry::sim::findGPU(Text.str(), *Model, Error))
      return O.error(Error);
    Value = std::move(Model);
    return false;
  }
};
} // namespace

static cl::opt<GpuChoice, false, GpuParser>
    StageGpu("ferry-stage-gpu", cl::cat(Category), cl::value_desc("name|file"),
             cl::desc("The GPU that prices are calculated for, as ferry-sim "
                      "knows it (default: by the architecture)"));

static cl::opt<bool> FitChunks(
    "ferry-fit-chunks", cl::cat(Category), cl::init(true),
    cl::desc("Deal loops out to blocks in chunks as long as the blocks are"));

ferry::Options ferry::optionsFromCommandLine() {
  Options O;
  O.Map = Map;
  O.Planner.Parameters = Parameters;
  O.Planner.WholeLayout = WholeLayout;
  O.Planner.HostEvidence = HostEvidence;
  O.Planner.Check = Check;
  O.Simulate = Simulate;
  O.FitChunks = FitChunks;
  O.Stage.Mode = Stage;
  O.Stage.MaxBytes = StageMaxBytes;
  O.Stage.Gpu = StageGpu;
  O.Stage.Kernels.assign(StageKernels.begin(), StageKernels.end());
  return O;
}
