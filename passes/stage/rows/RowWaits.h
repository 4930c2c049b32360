//===- RowWaits.h - What an iteration over rows waits for -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_ROWWAITS_H
#define FERRY_STAGE_ROWWAITS_H

namespace ferry {

namespace sim {
struct DeviceModel;
} // namespace sim
struct KernelLimits;
struct RowUnit;
struct RowUnitPlan;

/// Passes of a load of rows until a warp that is alone goes on: its addresses
/// are in 32 lines.
inline constexpr double RowPasses = 9;

/// How many iterations of \p Unit have their loads under way together.
unsigned overlapOf(const RowUnit &Unit);

/// The same of an iteration that reads tiles.
unsigned overlapOfTiles(const RowUnitPlan &Plan);

/// Clocks that an iteration of \p Plan, as it is, waits for the streams, if
/// what the first level has not comes after \p Far clocks.
double waitForStreams(const RowUnitPlan &Plan, const KernelLimits &Limits,
                      double Far);

/// Clocks that an iteration waits for what it loads beside the streams.
struct OtherWaits {
  double Clocks = 0;   ///< if nothing else is under way
  bool Follow = false; ///< where that is, it finds out in the streams
};

/// What iterations of \p Unit wait for on \p Gpu, where the streams are there
/// and what is elsewhere comes after \p Far clocks.
OtherWaits waitForOthers(const RowUnit &Unit, const sim::DeviceModel &Gpu,
                         double Far);

} // namespace ferry

#endif // FERRY_STAGE_ROWWAITS_H
