//===- RowPlanner.h - What is worth staging ---------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_ROWPLANNER_H
#define FERRY_STAGE_ROWPLANNER_H

#include "RowAnalysis.h"
#include "stage/common/StageOptions.h"

namespace ferry {

/// Whether \p F is the kernel of a target region.
bool isOpenMPKernel(const llvm::Function &F);

/// Whether the front-end plugin noted \p What on \p Kernel
/// (closure/RegionInfo.h).
bool isAssumed(const llvm::Function &Kernel, llvm::StringRef What);

/// Facts of a kernel that planning needs.
struct KernelLimits {
  unsigned MaxThreads = 1024; ///< of a block
  unsigned WarpSize = 32;
  uint64_t SharedBytes = 0; ///< that the kernel uses already
  unsigned Staged = 0;      ///< places where it is staged already
  bool TellsMemory = true;  ///< the kernel can ask whether memory is global
  bool AsyncCopies = false; ///< the target has cp.async

  /// Bytes of shared memory that may be used for tiles.
  uint64_t budget(const StageOptions &Options) const;
};

/// Reads a kernel's limits, or says why it cannot be staged at all.
std::optional<StageRefusal> readLimits(const llvm::Function &Kernel,
                                       KernelLimits &Limits);

/// Chooses among \p Candidates. The plans are for different regions; those that
/// are not taken are noted in \p Notes. \p Mode is not StageMode::Off.
std::vector<RowRegionPlan> planStaging(std::vector<RowCandidate> Candidates,
                                       const KernelLimits &Limits,
                                       const StageOptions &Options,
                                       StageMode Mode,
                                       std::vector<StageNote> &Notes);

} // namespace ferry

#endif // FERRY_STAGE_ROWPLANNER_H
