//===- Timing.h - How long a launch takes ---------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   time = launch + max(first level, second level, memory, issue, pipes,
//                       latency)
//
// Each unit works at its peak and all overlap; the slowest decides, for the
// units of a multiprocessor on the one that has most to do. Latency is that of
// the slowest block as if it were alone (Phases.h), summed over the waves, and
// the wait of the first warps for each line of machine code: they come to it
// together, so that none has it for the others.
// Sources of the idea: the roofline with caches of Ernst et al. (warpspeed,
// arXiv 2204.14242), the chains of Baghsorkhi et al. (PPoPP 2010).
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_TIMING_H
#define FERRY_SIM_TIMING_H

#include <cstdint>

namespace ferry::sim {

struct DeviceModel;
struct Occupancy;
class LaunchTraffic;

enum Unit : unsigned {
  L1Unit,
  L2Unit,
  DramUnit,
  IssueUnit,
  Fp32Unit,
  Fp64Unit,
  IntUnit,
  SharedUnit, ///< a part of the first level's work
  LatencyUnit,
  LaunchUnit,
  LinkUnit, ///< of copies, and where kernels use the host's memory
  NumUnits,
};
/// "l1", "l2", ..., as reports have them.
const char *unitName(Unit U);

/// Of launches; all in seconds. Times of several launches are summed.
struct TimeEstimate {
  double Seconds = 0;
  double Least = 0, Most = 0; ///< with what is assumed otherwise
  double Busy[NumUnits] = {};
  TimeEstimate &operator+=(const TimeEstimate &Other);
  /// The unit that is busy longest, or latency if that is idle too much.
  Unit limiter() const;
};

/// The time of the launch with \p Traffic. \p Waves: waves of blocks with the
/// least, the assumed and the largest number of registers.
struct WaveCounts {
  double Few = 1, Assumed = 1, Many = 1;
};
TimeEstimate estimateTime(const DeviceModel &Model,
                          const LaunchTraffic &Traffic,
                          const WaveCounts &Waves);

} // namespace ferry::sim

#endif // FERRY_SIM_TIMING_H
