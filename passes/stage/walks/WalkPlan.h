//===- WalkPlan.h - A stencil, plane by plane -------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data: WalkPlanner fills it in, WalkEmitter writes IR by it.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_WALKPLAN_H
#define FERRY_STAGE_WALKPLAN_H

#include "stage/stencils/StencilPlan.h"

namespace ferry {

/// Launches of so many iterations, whose columns fill this part of their tiles,
/// in percent.
struct WalkLaunch {
  uint64_t MinIterations;
  unsigned MinFilled;
};

/// A stencil in three dimensions: each thread goes through some planes at one
/// row and column, and keeps in registers what it has read of one plane for the
/// next ones. The fields of Nest are across planes.
struct WalkPlan {
  static constexpr bool NeedsSimpleLoops = false;
  KernelStencil Nest;
  static constexpr TileShape Shape = {1, 1, gpu::WarpThreads};
  unsigned MaxThreads = 0; ///< of a block that walks
  /// Planes of a walk: the most, in launches that fill the GPU with so many
  /// threads, a power of two.
  static constexpr unsigned LeastDepth = 4, MostDepth = 16;
  uint64_t ThreadsToFill = 0;
  /// Launches in which it is worth it, at run time: one of Worth, if it is not
  /// empty, and planes of so many iterations.
  uint64_t MinOfPlane = 0;
  llvm::SmallVector<WalkLaunch, 3> Worth;
  /// Iterations of a plane, in the launch that Gain is about.
  static constexpr uint64_t PricedPlane = 1 << 16;
  PredictedGain Gain;
  /// Sectors that a block loads for an iteration, each one once; and in walks.
  /// Others of both are not of the fields.
  double Before = 0, After = 0, Others = 0;

  /// Planes of a walk in a launch of so many iterations.
  unsigned depth(uint64_t Iterations) const {
    const uint64_t Filling = std::max<uint64_t>(Iterations / ThreadsToFill, 1);
    return std::clamp<uint64_t>(llvm::bit_floor(Filling), LeastDepth,
                                MostDepth);
  }
};

/// The walks for a kernel that is a stencil in three dimensions.
template <>
std::optional<WalkPlan> findPlan(const PlanContext &C,
                                 std::vector<StageNote> &Notes);
LaunchChoice worthwhile(const WalkPlan &Plan, const PlanContext &C);
void print(llvm::raw_ostream &OS, const WalkPlan &Plan);
void remark(llvm::OptimizationRemarkEmitter &ORE, const WalkPlan &Plan);
/// Carries \p Plan out. The kernel then calls functions of runtime/device, and
/// all analyses of it are out of date.
void emit(const WalkPlan &Plan, const PlanContext &C);

} // namespace ferry

#endif // FERRY_STAGE_WALKPLAN_H
