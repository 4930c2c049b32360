//===- Timing.cpp - How long a launch takes -------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "../gpu/DeviceTable.h"
#include "../gpu/Rates.h"
#include "Traffic.h"

#include <algorithm>
#include <utility>

namespace ferry::sim {

const char *unitName(Unit U) {
  constexpr const char *Names[] = {"l1",      "l2",     "dram", "issue",
                                   "fp32",    "fp64",   "int",  "shared",
                                   "latency", "launch", "link"};
  static_assert(std::size(Names) == NumUnits);
  return Names[U];
}

TimeEstimate &TimeEstimate::operator+=(const TimeEstimate &O) {
  Seconds += O.Seconds;
  Least += O.Least;
  Most += O.Most;
  for (unsigned U = 0; U < NumUnits; ++U)
    Busy[U] += O.Busy[U];
  return *this;
}

Unit TimeEstimate::limiter() const {
  // Waits contain the work that other warps wait for.
  auto U = static_cast<Unit>(std::max_element(Busy, Busy + LatencyUnit) - Busy);
  if (Busy[U] < Busy[LinkUnit])
    U = LinkUnit;
  if (Busy[U] < Busy[LatencyUnit] * LeastOfLimiter)
    U = LatencyUnit;
  if (Busy[U] < Busy[LaunchUnit])
    U = LaunchUnit;
  // Shared memory's passes are part of the first level's.
  return U == L1Unit && Busy[SharedUnit] * 2 > Busy[L1Unit] ? SharedUnit : U;
}

namespace {

/// Of a part of the second level, for each of its atomics.
constexpr double ClocksPerAtomic = 1;

double asDouble(uint64_t Number) { return static_cast<double>(Number); }

/// The busiest multiprocessor's clocks, for each unit that is its own.
class BusiestSM {
public:
  /// \p HitRate: of the second level.
  BusiestSM(const DeviceModel &Model, unsigned Placed, double HitRate)
      : Model(Model), P(Placed), HitRate(HitRate) {}

  void add(const SMWork &Work) {
    auto Pipe = [&](enum Pipe Which, double Lanes) {
      return asDouble(Work.Work[Which]) / WorkScale * WarpSize / Lanes;
    };
    uint64_t All = 0;
    for (uint64_t W : Work.Work)
      All += W;
    most(L1Unit,
         asDouble(Work.GlobalWavefronts + Work.SharedPasses + Work.Fills[P]));
    most(L2Unit, asDouble(Work.L2Sectors[P]) * SectorBytes / L2BytesPerClock);
    most(IssueUnit, (asDouble(All) / WorkScale + asDouble(Work.Requests)) /
                        Model.IssuePerClock);
    most(Fp32Unit, Pipe(Fp32Pipe, Model.Fp32Lanes));
    most(Fp64Unit, Pipe(Fp64Pipe, Model.Fp64Lanes));
    most(IntUnit, Pipe(IntPipe, Model.IntLanes));
    most(SharedUnit, asDouble(Work.SharedPasses));
    most(LatencyUnit, Work.Stalled[P].Near * HitRate +
                          Work.Stalled[P].Far * (1 - HitRate) +
                          clocksOfCode(asDouble(Work.CodeBytes)));
  }

  double Clocks[NumUnits] = {};

private:
  const DeviceModel &Model;
  const unsigned P;
  const double HitRate;

  void most(Unit U, double Of) { Clocks[U] = std::max(Clocks[U], Of); }
};

/// Of the sectors that the second level is read for, those that it has.
double hitRateOf(const SecondLevelCounts &Second) {
  return Second.ReadSectors
             ? asDouble(Second.ReadHitSectors) / asDouble(Second.ReadSectors)
             : 1;
}

/// The time with the first placement of lines.
TimeEstimate timeOf(const DeviceModel &Model, const LaunchTraffic &Traffic) {
  const SecondLevelCounts &Second = Traffic.Second;
  BusiestSM SM(Model, 0, hitRateOf(Second));
  Traffic.forSMs([&](const SMWork &Work) { SM.add(Work); });
  TimeEstimate T;
  for (unsigned U = 0; U < NumUnits; ++U)
    T.Busy[U] = SM.Clocks[U] / (Model.ClockGHz * 1e9);
  // What draws the power that lowers the clock.
  for (Unit U : {L1Unit, SharedUnit, IssueUnit, Fp32Unit, Fp64Unit, IntUnit})
    T.Busy[U] /= Model.SustainedClock;
  T.Busy[L2Unit] = std::max(
      {T.Busy[L2Unit],
       asDouble(Second.ReadSectors + Second.WriteSectors + Second.PartSectors) *
           SectorBytes / (Model.L2TBs * 1e12),
       asDouble(Second.AtomicsAtOne) * ClocksPerAtomic /
           (Model.ClockGHz * 1e9)});
  T.Busy[DramUnit] = asDouble(Second.DramReadBytes + Second.DramWriteBytes) /
                     (Model.DramTBs * 1e12);
  // As one copy of as many bytes.
  if (Traffic.LinkBytes)
    T.Busy[LinkUnit] = Model.LinkUs * 1e-6 +
                       asDouble(Traffic.LinkBytes) / (Model.LinkGBs * 1e9);
  T.Busy[LaunchUnit] = Model.LaunchUs * 1e-6;
  return T;
}

/// \p First with the other placement: longer by as much as it takes longer
/// where both were calculated.
TimeEstimate withOtherPlacement(const DeviceModel &Model,
                                const LaunchTraffic &Traffic,
                                const TimeEstimate &First) {
  const double HitRate = hitRateOf(Traffic.Second);
  BusiestSM Ours(Model, 0, HitRate), Other(Model, 1, HitRate);
  Traffic.forSMs(
      [&](const SMWork &Work) {
        Ours.add(Work);
        Other.add(Work);
      },
      NumPlacements);
  TimeEstimate T = First;
  for (Unit U : {L1Unit, L2Unit, LatencyUnit})
    if (Ours.Clocks[U] > 0)
      T.Busy[U] *= Other.Clocks[U] / Ours.Clocks[U];
  return T;
}

/// The whole time of \p T, with latencies \p Longer.
double totalOf(const TimeEstimate &T, double Longer) {
  double Slowest = 0;
  for (unsigned U = 0; U < NumUnits; ++U)
    if (U != LaunchUnit)
      Slowest = std::max(Slowest, T.Busy[U] * (U == LatencyUnit ? Longer : 1));
  return T.Busy[LaunchUnit] + Slowest;
}

} // namespace

TimeEstimate estimateTime(const DeviceModel &Model,
                          const LaunchTraffic &Traffic,
                          const WaveCounts &Waves) {
  TimeEstimate Result = timeOf(Model, Traffic);
  Result.Seconds = Result.Least = Result.Most = totalOf(Result, 1);
  const TimeEstimate Other = withOtherPlacement(Model, Traffic, Result);
  for (const TimeEstimate *T : {&std::as_const(Result), &Other})
    for (double Count : {Waves.Few, Waves.Assumed, Waves.Many}) {
      const double Seconds = totalOf(*T, Count / Waves.Assumed);
      Result.Least = std::min(Result.Least, Seconds);
      Result.Most = std::max(Result.Most, Seconds);
    }
  return Result;
}

} // namespace ferry::sim
