//===- KernelLimits.h - What a kernel leaves for staging --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_KERNELLIMITS_H
#define FERRY_STAGE_KERNELLIMITS_H

#include "GpuModel.h"
#include "GpuTarget.h"
#include "StageOptions.h"
#include "StageRefusal.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Module;
} // namespace llvm

namespace ferry {

/// Of kernels: the most threads that a block may have, for OpenMPOpt.
inline constexpr char ThreadLimitAttribute[] = "omp_target_thread_limit";
/// Another one: of num_teams, where that is a constant.
inline constexpr char NumTeamsAttribute[] = "omp_target_num_teams";

/// The kernels of target regions that \p M has the bodies of.
llvm::SmallVector<llvm::Function *, 8> kernelsOf(llvm::Module &M);

/// Facts of a kernel that planning needs.
struct KernelLimits : GpuTarget {
  unsigned MaxThreads = 1024; ///< of a block, a multiple of WarpSize
  /// Only the launch knows how many threads a block has (`thread_limit(n)`).
  /// Tiles are for MaxThreads at most; a block of more does without.
  bool MayHaveMore = false;
  uint64_t Teams = 0;        ///< that a clause asks for, if known; else 0
  unsigned Lacking = 0;      ///< that the last warp of such a block lacks
  uint64_t SharedBytes = 0;  ///< that the kernel uses already
  unsigned SpeedupLevel = 3; ///< as StageOptions have it

  /// How many threads a block has to have if only the launch knows. One of
  /// fewer takes as much shared memory, and leaves room for fewer warps;
  /// without asynchronous copies these are what work while one waits.
  /// Predicted, sums of 150 to 400 in launches of six to eight warps for each
  /// multiprocessor of a V100: up to 1.05 times as long in blocks of 128, in
  /// others none.
  unsigned minThreads() const {
    return AsyncCopies ? MaxThreads / 2 : MaxThreads * 3 / 4;
  }
  unsigned maxWarps() const { return MaxThreads / WarpSize; }
  /// Whether a clause says how many threads a block has, so that the OpenMP
  /// runtime does not choose fewer where iterations are few. One that asks for
  /// as many as there are without it looks the same here; the launch knows
  /// (LaunchCondition).
  bool areThreadsFixed() const {
    return MaxThreads != gpu::DefaultBlockThreads;
  }
  /// Bytes of shared memory that may be used for tiles.
  uint64_t budget(const StageOptions &Options) const;
};

/// Reads a kernel's limits, with what \p Options say of the GPU and of how it
/// is optimised, or says why it cannot be staged at all.
std::optional<StageRefusal> readLimits(const llvm::Function &Kernel,
                                       KernelLimits &Limits,
                                       const StageOptions &Options = {});

} // namespace ferry

#endif // FERRY_STAGE_KERNELLIMITS_H
