//===- Timing.cpp - How long a launch takes -------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "../driver/DeviceTable.h"
#include "Traffic.h"

#include <algorithm>

namespace ferry::sim {

const char *unitName(Unit U) {
  constexpr const char *Names[] = {"l1",   "l2",  "dram",   "issue",   "fp32",
                                   "fp64", "int", "shared", "latency", "launch"};
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
  // Shared memory's passes are part of the first level's.
  auto U = static_cast<Unit>(std::max_element(Busy, Busy + NumUnits) - Busy);
  return U == L1Unit && Busy[SharedUnit] * 2 > Busy[L1Unit] ? SharedUnit : U;
}

namespace {

/// Bytes that one multiprocessor gets from the second level in a clock
/// (gpu-cache of te42kyfo/gpu-benches, one block).
constexpr double L2BytesPerClock = 64;

double asDouble(uint64_t Number) { return static_cast<double>(Number); }

/// The busiest multiprocessor's clocks, for each unit that is its own.
class BusiestSM {
public:
  BusiestSM(const DeviceModel &Model, unsigned Placed, double MissLatency)
      : Model(Model), P(Placed), MissLatency(MissLatency) {}

  void add(const SMWork &Work) {
    auto Pipe = [&](enum Pipe Which, double Lanes) {
      return asDouble(Work.Work[Which]) / WorkScale * WarpSize / Lanes;
    };
    uint64_t All = 0;
    for (uint64_t W : Work.Work)
      All += W;
    most(L1Unit, asDouble(Work.GlobalWavefronts + Work.SharedWavefronts +
                          Work.Fills[P]));
    most(L2Unit, asDouble(Work.L2Sectors[P]) * SectorBytes / L2BytesPerClock);
    most(IssueUnit, (asDouble(All) / WorkScale + asDouble(Work.Requests)) /
                        Model.IssuePerClock);
    most(Fp32Unit, Pipe(Fp32Pipe, Model.Fp32Lanes));
    most(Fp64Unit, Pipe(Fp64Pipe, Model.Fp64Lanes));
    most(IntUnit, Pipe(IntPipe, Model.IntLanes));
    most(SharedUnit, asDouble(Work.SharedWavefronts));
    most(LatencyUnit, asDouble(Work.Chain[P].Clocks) +
                          asDouble(Work.Chain[P].Misses) * MissLatency);
    L2Sectors += asDouble(Work.L2Sectors[P]);
  }

  double Clocks[NumUnits] = {};
  double L2Sectors = 0; ///< of all multiprocessors

private:
  const DeviceModel &Model;
  const unsigned P;
  const double MissLatency;

  void most(Unit U, double Of) { Clocks[U] = std::max(Clocks[U], Of); }
};

/// The time with one placement of lines, but for the number of waves.
TimeEstimate timeOf(const DeviceModel &Model, const LaunchTraffic &Traffic,
                    unsigned Placed, double L2SectorsOfFirst) {
  const SecondLevelCounts &Second = Traffic.Second;
  const double HitRate =
      Second.ReadSectors
          ? asDouble(Second.ReadHitSectors) / asDouble(Second.ReadSectors)
          : 1;
  BusiestSM SM(Model, Placed,
               Model.DramLatency -
                   (Model.DramLatency - Model.L2Latency) * HitRate);
  Traffic.forSMs([&](const SMWork &Work) { SM.add(Work); });
  TimeEstimate T;
  for (unsigned U = 0; U < NumUnits; ++U)
    T.Busy[U] = SM.Clocks[U] / (Model.ClockGHz * 1e9);
  // The second level was calculated for the first placement only.
  const double More =
      L2SectorsOfFirst > 0 ? SM.L2Sectors / L2SectorsOfFirst : 1;
  T.Busy[L2Unit] =
      std::max(T.Busy[L2Unit],
               More * asDouble(Second.ReadSectors + Second.WriteSectors) *
                   SectorBytes / (Model.L2TBs * 1e12));
  T.Busy[DramUnit] = asDouble(Second.DramReadBytes + Second.DramWriteBytes) /
                     (Model.DramTBs * 1e12);
  T.Busy[LaunchUnit] = Model.LaunchUs * 1e-6;
  return T;
}

/// The whole time of \p T, with latencies \p Longer.
double totalOf(const TimeEstimate &T, double Longer) {
  double Slowest = 0;
  for (unsigned U = 0; U < LaunchUnit; ++U)
    Slowest =
        std::max(Slowest, T.Busy[U] * (U == LatencyUnit ? Longer : 1));
  return T.Busy[LaunchUnit] + Slowest;
}

} // namespace

TimeEstimate estimateTime(const DeviceModel &Model,
                          const LaunchTraffic &Traffic,
                          const WaveCounts &Waves) {
  double L2Sectors = 0;
  Traffic.forSMs(
      [&](const SMWork &Work) { L2Sectors += asDouble(Work.L2Sectors[0]); });
  TimeEstimate Result = timeOf(Model, Traffic, 0, L2Sectors);
  Result.Seconds = Result.Least = Result.Most = totalOf(Result, 1);
  for (unsigned P = 0; P < NumPlacements; ++P)
    for (double Count : {Waves.Few, Waves.Assumed, Waves.Many}) {
      const double Seconds = totalOf(timeOf(Model, Traffic, P, L2Sectors),
                                     Count / Waves.Assumed);
      Result.Least = std::min(Result.Least, Seconds);
      Result.Most = std::max(Result.Most, Seconds);
    }
  return Result;
}

} // namespace ferry::sim
