//===- WarpPrice.h - What a warp's work takes -------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The price of all patterns is a time, for a part of a kernel that all warps do
// again and again in a launch that fills the GPU:
//
//   time = max(first level, second level, memory, issue, pipes,
//              one warp's chain by the warps that take turns)
//
// in clocks of one multiprocessor, for one warp. It is the simulator's model
// (tools/sim/engine/Timing.h, docs/simulator.md, "Caches and time") with
// estimates for what that counts; sources are named there.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_WARPPRICE_H
#define FERRY_STAGE_WARPPRICE_H

#include "costs/Costs.h"
#include "gpu/Occupancy.h"

namespace ferry {

struct KernelLimits;

/// What a warp asks of its multiprocessor.
struct WarpUse {
  double Fp32 = 0, Fp64 = 0, Int = 0, Other = 0; ///< machine instructions
  double Requests = 0;                           ///< to any memory
  double Passes = 0;       ///< of global memory, through the first level
  double SharedPasses = 0; ///< of shared memory, through the same
  double L2Bytes = 0, DramBytes = 0;
  double Waiting = 0; ///< clocks of latency, one after the other

  /// Adds \p Times the estimated instructions of \p W.
  void add(const sim::Work &W, double Times = 1);
  /// Adds \p Times what \p O asks.
  void add(const WarpUse &O, double Times);
  /// Adds the requests of \p Copies from global memory to shared memory.
  /// cp.async (\p Async) is one for both.
  void addCopies(double Copies, bool Async) {
    Requests += Async ? Copies : 2 * Copies;
  }
  double instructions() const { return Fp32 + Fp64 + Int + Other; }
};

/// A time, and the unit that it goes into, as ferry-sim calls it.
struct PredictedTime {
  double Clocks = 0; ///< of a multiprocessor
  const char *Limiter = "";
};

/// The times of a warp for an iteration of what is staged: as it is, and in
/// tiles; and what limits each.
struct PredictedGain {
  PredictedTime Plain, Staged;
  const sim::DeviceModel *Gpu = nullptr;
};

/// The blocks with \p Needs that a multiprocessor has, in a launch that fills
/// the GPU. The kernel of \p Limits has shared memory of its own beside them.
sim::Occupancy residentBlocks(const KernelLimits &Limits,
                              sim::BlockNeeds Needs);

/// Clocks that a warp waits for what the first level does not have. Memory is
/// read in pieces of two sectors, so the second level has every other one.
double memoryWait(const sim::DeviceModel &Gpu);

/// The time of \p Use on \p Gpu, if \p Warps warps of a multiprocessor take
/// turns.
PredictedTime predict(const WarpUse &Use, const sim::DeviceModel &Gpu,
                      double Warps);

/// How many warps of a multiprocessor keep a unit of \p Gpu busy with \p Use:
/// of fewer each takes the time that it takes alone.
double warpsToFill(const WarpUse &Use, const sim::DeviceModel &Gpu);

} // namespace ferry

#endif // FERRY_STAGE_WARPPRICE_H
