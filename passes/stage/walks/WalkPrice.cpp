//===- WalkPrice.cpp - What walks of a stencil save -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As StencilPrice.cpp has it for tiles, an iteration of a warp in both
// versions. What is done once for a walk is shared by its planes.
//
// As it is, the blocks that run at a time have the iterations of so many
// planes, and then they go on with planes far behind those: each time, what is
// read of the planes around comes from memory again.
//
//===----------------------------------------------------------------------===//

#include "WalkPrice.h"
#include "gpu/DeviceTable.h"
#include "stage/stencils/StencilPrice.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

using gpu::WarpThreads;

namespace {
class WalkPrice : StencilPrice {
public:
  WalkPrice(const WalkPlan &Plan, const PlanContext &C, uint64_t Iterations,
            uint64_t OfPlane, unsigned Depth);
  PredictedGain gain(double Filled) const;
  double warpsToFill() const {
    return std::min(ferry::warpsToFill(staged(), Gpu), resident());
  }

private:
  static constexpr double OfGuard = 3; ///< instructions
  const WalkPlan &Plan;
  const double OfPlane; ///< iterations of a plane
  const double Depth;   ///< planes of a walk
  unsigned Rows = 0;    ///< of the fields, that addresses are kept of
  unsigned Loads = 0;   ///< of an iteration
  unsigned Kept = 0, KeptWords = 0, LoadedWords = 0; ///< and words of 4 bytes
  double FillPasses = 0, Planes = 0;

  WarpUse asItIs() const;
  double choiceOfWalk() const;
  WarpUse staged() const;
  double resident() const;
};
} // namespace

WalkPrice::WalkPrice(const WalkPlan &Plan, const PlanContext &C,
                     uint64_t Iterations, uint64_t OfPlane, unsigned Depth)
    : StencilPrice(Plan.Nest, C, Iterations), Plan(Plan),
      OfPlane(double(OfPlane)), Depth(Depth) {
  for (const StencilField &F : N.Fields) {
    const unsigned Words = divideCeil(F.Size, 4);
    std::set<int> OfField;
    for (const PlaneRun &Run : F.planeRuns()) {
      const unsigned Length = Run.length();
      OfField.insert(Run.Row);
      ++Loads;
      LoadedWords += Words;
      Kept += Length;
      FillPasses += Length * passes(F.Size);
    }
    Rows += OfField.size();
    KeptWords += F.keptWords();
    Planes = std::max<double>(Planes, F.LastPlane - F.FirstPlane);
  }
}

double WalkPrice::resident() const {
  // The walk, and a number of 64 bits for each address.
  constexpr unsigned OfWalk = 24, OfAddress = 2;
  const sim::FunctionCost Plain = Costs.total();
  const unsigned Registers =
      OfWalk + OfAddress * (Rows + N.Accesses.size()) + KeptWords + LoadedWords;
  return warps(std::max(Registers, Plain.Registers), Plain.LocalBytes, 0);
}

/// Instructions by which a block chooses walks and their depth, beside what
/// tiles ask for. Guards are asked of four iterations, and of each.
double WalkPrice::choiceOfWalk() const {
  constexpr double OfLaunch = 36, OfDepth = 14, OfGuards = 20;
  double Guards = 0;
  for (const StencilGuards &G : N.Guards)
    Guards += OfGuards + 4 * OfGuard * G.size();
  return OfLaunch + OfDepth + Guards;
}

WarpUse WalkPrice::asItIs() const {
  WarpUse Use = plain(Plan.Before);
  const double AtATime = warpsOfPlain() * WarpThreads * Gpu.Multiprocessors;
  double Read = bytesRead();
  if (Read * Iterations / WarpThreads > Gpu.l2Bytes())
    for (const StencilField &F : N.Fields)
      Read += F.Size * WarpThreads * (F.LastPlane - F.FirstPlane) *
              std::min(1., OfPlane / AtATime);
  Use.DramBytes = bytesOfMemory(Read);
  return Use;
}

WarpUse WalkPrice::staged() const {
  constexpr double Loop = 4, OfAddress = 2;
  constexpr double WhichTile = 60, FirstAddress = 14;
  const double Addresses = Rows + N.Accesses.size();
  WarpUse Use, Walk;
  Walk.Int = WhichTile + FirstAddress * (N.Fields.size() + N.Accesses.size()) +
             OfAddress * Rows;
  Walk.Requests = Kept;
  Walk.Passes = FillPasses;
  Walk.Waiting = Gpu.L2Latency + Gpu.DramLatency;
  Use.add(Walk, 1 / Depth);
  Use.add(block(), 1 / IterationsOfThread);
  Use.Int += choiceOfWalk() / IterationsOfThread;
  addWork(Use);
  Use.Int += Loop + OfAddress * Addresses;
  for (const StencilGuards &Guards : N.Guards)
    Use.Int += OfGuard * Guards.size();
  Use.Requests += Loads;
  for (const StencilField &F : N.Fields)
    Use.Passes += F.planeRuns().size() * passes(F.Size);
  const double Sectors =
      WarpThreads * (Plan.After + (Plan.After - Plan.Others) * Planes / Depth);
  Use.Passes += Sectors * gpu::SectorBytes / gpu::LineBytes;
  Use.L2Bytes += Sectors * gpu::SectorBytes;
  addOthers(Use);
  // What comes of the next plane, nothing has asked for before, and what an
  // iteration stores keeps the next one's loads from going ahead.
  Use.Waiting += Gpu.L2Latency + Gpu.DramLatency;
  Use.DramBytes = bytesOfMemory(bytesRead() * (1 + Planes / Depth));
  return Use;
}

PredictedGain WalkPrice::gain(double Filled) const {
  PredictedGain Gain;
  Gain.Gpu = &Gpu;
  Gain.Plain = predict(asItIs(), Gpu, warpsOfPlain());
  const double OfLaunch =
      Iterations / Depth / WarpThreads / Gpu.Multiprocessors;
  const WarpUse Use = staged();
  // Warps with idle threads do what others do, but for what memory sees.
  WarpUse OfWarp;
  OfWarp.add(Use, 1 / Filled);
  OfWarp.DramBytes = Use.DramBytes;
  Gain.Staged = predict(OfWarp, Gpu, std::min(resident(), OfLaunch));
  return Gain;
}

PredictedGain priceOf(const WalkPlan &Plan, const PlanContext &C,
                      uint64_t Iterations, uint64_t OfPlane, double Filled) {
  return WalkPrice(Plan, C, Iterations, OfPlane, Plan.depth(Iterations))
      .gain(Filled);
}

uint64_t threadsToFill(const WalkPlan &Plan, const PlanContext &C) {
  const WalkPrice Deep(Plan, C, StencilPlan::PricedIterations,
                       WalkPlan::PricedPlane, WalkPlan::MostDepth);
  const double Threads = std::max(1., Deep.warpsToFill()) * WarpThreads *
                         C.Limits.Gpu->Multiprocessors;
  return PowerOf2Ceil(static_cast<uint64_t>(Threads / 1.5));
}

} // namespace ferry
