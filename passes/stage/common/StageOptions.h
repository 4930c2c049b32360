//===- StageOptions.h - What the user may say about staging -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STAGEOPTIONS_H
#define FERRY_STAGE_STAGEOPTIONS_H

#include "GpuModel.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace ferry {
namespace sim {
struct DeviceModel;
} // namespace sim

enum class StageMode {
  Off,    ///< no kernel is changed
  On,     ///< what the model says will pay
  Always, ///< whatever can be staged correctly; for tests
};

struct StageOptions {
  StageMode Mode = StageMode::On;
  /// Bytes of shared memory that a block may use, its own included.
  uint64_t MaxBytes = gpu::MaxStaticSharedBytes;
  /// The GPU that prices are calculated for, if the user has chosen one.
  std::shared_ptr<const sim::DeviceModel> Gpu;
  /// 2 or 3, as in -O2 and -O3: how far LLVM unrolls what is not staged.
  unsigned SpeedupLevel = 3;
  /// Exceptions from Mode: a part of the kernel's name and what holds for it.
  /// The last one that fits counts.
  std::vector<std::pair<std::string, StageMode>> Kernels;

  /// Whether any kernel may be staged.
  bool anyMode() const { return Mode != StageMode::Off || !Kernels.empty(); }
  StageMode modeFor(llvm::StringRef Kernel) const {
    for (auto It = Kernels.rbegin(); It != Kernels.rend(); ++It)
      if (Kernel.contains(It->first))
        return It->second;
    return Mode;
  }
};

/// Writes what \p Options say of \p Kernel into its attributes, for link-time
/// optimisation. False if it is not to be staged, and then nothing is written.
bool noteStageOptions(llvm::Function &Kernel, const StageOptions &Options);

/// What was written so.
std::optional<StageOptions> notedStageOptions(const llvm::Function &Kernel);

void removeStageOptions(llvm::Function &Kernel);

} // namespace ferry

#endif // FERRY_STAGE_STAGEOPTIONS_H
