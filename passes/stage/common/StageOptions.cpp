//===- StageOptions.cpp - What the user may say about staging -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageOptions.h"
#include "gpu/DeviceTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

static constexpr char ModeAttribute[] = "ferry-stage";
static constexpr char BytesAttribute[] = "ferry-stage-max-bytes";
static constexpr char GpuAttribute[] = "ferry-stage-gpu";
static constexpr char LevelAttribute[] = "ferry-stage-level";

namespace ferry {

bool noteStageOptions(Function &Kernel, const StageOptions &Options) {
  StageMode Mode = Options.modeFor(Kernel.getName());
  if (Mode == StageMode::Off)
    return false;
  Kernel.addFnAttr(ModeAttribute, Mode == StageMode::Always ? "always" : "on");
  Kernel.addFnAttr(BytesAttribute, utostr(Options.MaxBytes));
  Kernel.addFnAttr(LevelAttribute, utostr(Options.SpeedupLevel));
  if (Options.Gpu)
    Kernel.addFnAttr(GpuAttribute, sim::writeModel(*Options.Gpu));
  return true;
}

std::optional<StageOptions> notedStageOptions(const Function &Kernel) {
  if (!Kernel.hasFnAttribute(ModeAttribute))
    return std::nullopt;
  StageOptions Options;
  if (Kernel.getFnAttribute(ModeAttribute).getValueAsString() == "always")
    Options.Mode = StageMode::Always;
  Options.MaxBytes =
      Kernel.getFnAttributeAsParsedInteger(BytesAttribute, Options.MaxBytes);
  Options.SpeedupLevel = Kernel.getFnAttributeAsParsedInteger(
      LevelAttribute, Options.SpeedupLevel);
  // A file may not be there any more when the program is linked.
  sim::DeviceModel Gpu;
  if (Kernel.hasFnAttribute(GpuAttribute) &&
      sim::readModel(Kernel.getFnAttribute(GpuAttribute).getValueAsString(),
                     Gpu))
    Options.Gpu = std::make_shared<sim::DeviceModel>(Gpu);
  return Options;
}

void removeStageOptions(Function &Kernel) {
  Kernel.removeFnAttr(ModeAttribute);
  Kernel.removeFnAttr(BytesAttribute);
  Kernel.removeFnAttr(LevelAttribute);
  Kernel.removeFnAttr(GpuAttribute);
}

} // namespace ferry
