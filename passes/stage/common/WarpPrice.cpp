//===- WarpPrice.cpp - What a warp's work takes ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpPrice.h"
#include "KernelLimits.h"
#include "gpu/DeviceTable.h"
#include "gpu/Rates.h"
#include <algorithm>

namespace ferry {

void WarpUse::add(const sim::Work &W, double Times) {
  const double Each = Times / sim::WorkScale;
  Fp32 += Each * W[sim::Fp32Pipe];
  Fp64 += Each * W[sim::Fp64Pipe];
  Int += Each * W[sim::IntPipe];
  Other += Each * W[sim::OtherPipe];
}

void WarpUse::add(const WarpUse &O, double Times) {
  for (auto Figure :
       {&WarpUse::Fp32, &WarpUse::Fp64, &WarpUse::Int, &WarpUse::Other,
        &WarpUse::Requests, &WarpUse::Passes, &WarpUse::SharedPasses,
        &WarpUse::L2Bytes, &WarpUse::DramBytes, &WarpUse::Waiting})
    this->*Figure += Times * O.*Figure;
}

sim::Occupancy residentBlocks(const KernelLimits &Limits,
                              sim::BlockNeeds Needs) {
  Needs.SharedBytes += static_cast<uint32_t>(Limits.SharedBytes);
  return sim::occupancyOf(*Limits.Gpu, Needs, /*NumBlocks=*/UINT32_MAX, 0);
}

double memoryWait(const sim::DeviceModel &Gpu) {
  return (Gpu.L2Latency + Gpu.DramLatency) / 2;
}

/// The time of the unit that \p Use keeps busiest.
static PredictedTime timeOfBusiest(const WarpUse &Use,
                                   const sim::DeviceModel &Gpu) {
  // What one multiprocessor gets if all of them ask, in bytes a clock.
  const double ClocksOfAll = Gpu.ClockGHz * 1e9 * Gpu.Multiprocessors;
  const double L2 =
      std::min(sim::L2BytesPerClock, Gpu.L2TBs * 1e12 / ClocksOfAll);
  const double Dram = Gpu.DramTBs * 1e12 / ClocksOfAll;
  const double Sustained = Gpu.SustainedClock; // of units of the multiprocessor
  const double L1 = (Use.Passes + Use.SharedPasses) / Sustained;
  auto Pipe = [&](double Instructions, double Lanes) {
    return Instructions * sim::WarpSize / Lanes / Sustained;
  };
  const PredictedTime Units[] = {
      {L1, Use.SharedPasses > Use.Passes ? "shared" : "l1"},
      {Use.L2Bytes / L2, "l2"},
      {Use.DramBytes / Dram, "dram"},
      {(Use.instructions() + Use.Requests) / Gpu.IssuePerClock / Sustained,
       "issue"},
      {Pipe(Use.Fp32, Gpu.Fp32Lanes), "fp32"},
      {Pipe(Use.Fp64, Gpu.Fp64Lanes), "fp64"},
      {Pipe(Use.Int, Gpu.IntLanes), "int"}};
  return *std::max_element(
      std::begin(Units), std::end(Units),
      [](const auto &A, const auto &B) { return A.Clocks < B.Clocks; });
}

/// The clocks of a warp that is alone.
static double clocksOfChain(const WarpUse &Use) {
  return sim::clocksAlone(Use.instructions(), Use.Passes + Use.SharedPasses) +
         Use.Waiting;
}

double warpsToFill(const WarpUse &Use, const sim::DeviceModel &Gpu) {
  return clocksOfChain(Use) / timeOfBusiest(Use, Gpu).Clocks;
}

PredictedTime predict(const WarpUse &Use, const sim::DeviceModel &Gpu,
                      double Warps) {
  const PredictedTime Busiest = timeOfBusiest(Use, Gpu);
  const PredictedTime Latency = {clocksOfChain(Use) / Warps, "latency"};
  if (Busiest.Clocks < sim::LeastOfLimiter * Latency.Clocks)
    return Latency;
  return {std::max(Busiest.Clocks, Latency.Clocks), Busiest.Limiter};
}

} // namespace ferry
