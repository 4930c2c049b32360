//===- Phases.cpp - What blocks do between barriers -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Phases.h"
#include "../gpu/DeviceTable.h"
#include "../gpu/Rates.h"

#include <algorithm>
#include <numeric>

namespace ferry::sim {

/// Clocks from the last warp at a barrier to the next instruction. Assumed.
constexpr double ClocksPerBarrier = 20;
/// A load over the link waits this part of what a copy takes, most of which is
/// the driver's. Assumed.
constexpr double LoadOfCopy = 0.1;

void BlockPhases::add(const DeviceModel &Model, uint64_t Number,
                      const WarpUse &Use, const WarpWaits &Waits) {
  if (Number < Closed)
    return; // a warp that the others did not wait for
  if (Number - Closed >= Open.size())
    Open.resize(Number - Closed + 1);
  Phase &P = Open[Number - Closed];
  const auto Instructions = static_cast<double>(std::accumulate(
                                Use.Work, Use.Work + NumPipes, uint64_t(0))) /
                            WorkScale;
  auto Pipe = [&](enum Pipe Which, double Lanes) {
    return static_cast<double>(Use.Work[Which]) / WorkScale * WarpSize / Lanes;
  };
  const double Own[NumServers] = {
      static_cast<double>(Use.Passes),
      (Instructions + static_cast<double>(Use.Requests)) / Model.IssuePerClock,
      Pipe(Fp32Pipe, Model.Fp32Lanes), Pipe(Fp64Pipe, Model.Fp64Lanes),
      Pipe(IntPipe, Model.IntLanes)};
  for (unsigned S = 0; S < NumServers; ++S)
    P.All[S] += Own[S];
  const double Alone =
      clocksAlone(Instructions, static_cast<double>(Use.Passes));
  const double Elsewhere =
      static_cast<double>(Use.SharedEpochs) * Model.SharedLatency +
      static_cast<double>(Use.LinkEpochs) * LoadOfCopy * Model.LinkUs *
          Model.ClockGHz * 1e3;
  if (Alone + Elsewhere + Waits.Far > P.Instructions + P.Waits.Far) {
    std::copy(Own, Own + NumServers, P.Own);
    P.Instructions = Alone;
    P.Waits = {{Waits.Near + Elsewhere, Waits.Far + Elsewhere},
               Waits.Epochs + Use.SharedEpochs + Use.LinkEpochs};
  }
  ++P.Arrived;
  while (!Open.empty() && Open.front().Arrived == Warps)
    closeFirst();
}

double BlockPhases::timeOf(const Phase &P, double Waiting) {
  const auto Most = std::max_element(P.All, P.All + NumServers) -
                    static_cast<const double *>(P.All);
  const double Rounds =
      std::max<double>(static_cast<double>(P.Waits.Epochs), 1);
  const double Others = P.Waits.Epochs ? P.All[Most] - P.Own[Most] : 0;
  return std::max(P.All[Most] + Waiting / Rounds,
                  P.Instructions + Waiting + Others / Rounds);
}

void BlockPhases::closeFirst() {
  const Phase &P = Open.front();
  if (P.Arrived)
    Sum += {timeOf(P, P.Waits.Near), timeOf(P, P.Waits.Far)};
  Open.pop_front();
  ++Closed;
}

BlockTime BlockPhases::end() {
  while (!Open.empty())
    closeFirst();
  const double Barriers =
      Closed ? static_cast<double>(Closed - 1) * ClocksPerBarrier : 0;
  return {Sum.Near + Barriers, Sum.Far + Barriers};
}

} // namespace ferry::sim
