//===- Rates.h - What all GPUs that are known have in common --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figures of the model of time that do not differ between the GPUs of
// DeviceTable.h; the simulator and the prices of staging have them from here.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_GPU_RATES_H
#define FERRY_SIM_GPU_RATES_H

namespace ferry::sim {

/// Bytes that one multiprocessor gets from the second level in a clock
/// (gpu-cache of te42kyfo/gpu-benches, one block).
constexpr double L2BytesPerClock = 64;

/// A unit that is busy for less of the time does not limit it: Nsight Compute
/// calls a kernel bound by latency if no unit comes to 60 % of its peak.
constexpr double LeastOfLimiter = 0.6;

/// Clocks between two instructions of one warp: four where one needs the
/// other's result (Jia et al., arXiv 1804.06826), and every other one does.
constexpr double ClocksPerInstruction = 2;

/// Clocks that a warp takes alone for \p Instructions and \p Passes through the
/// first level, if it waits for nothing.
constexpr double clocksAlone(double Instructions, double Passes) {
  return Passes + Instructions * ClocksPerInstruction;
}

/// Clocks that a warp waits for \p Bytes of machine code that no warp of its
/// multiprocessor has executed in this launch: 30 for a line. An H100 with a
/// warm second level takes 20 to 80 (tools/bench/gpu: norms, matvec and
/// row_sums in tiles, 6 to 20 KiB); how much of that is code, and not waits
/// that are modelled too short, the measurements do not tell.
constexpr double clocksOfCode(double Bytes) { return Bytes / 128 * 30; }

/// Passes that a request to \p Lines lines takes at least in the first level,
/// for its tags (gpu-strides of te42kyfo/gpu-benches).
constexpr unsigned tagWavefronts(unsigned Lines) { return (Lines + 2 + 3) / 4; }

/// The sectors that the second level could write while it takes a line in which
/// a store writes a part of a sector, if these are not more. A thread that
/// stores 4 or 8 bytes in a line of its own takes an H100 18 ps, among 16.8
/// million (tools/bench/gpu, scale_rows); published are 43, 41 and 17 ps for a
/// V100, an A100 and an H100 (transposes whose columns are written, in
/// docs/model-validation.md): 3.2, 6.9 and 3.7 sectors by their rates. The A100
/// takes half as long in blocks of 16 x 16.
constexpr unsigned SectorsOfPart = 3;

} // namespace ferry::sim

#endif // FERRY_SIM_GPU_RATES_H
