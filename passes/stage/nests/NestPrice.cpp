//===- NestPrice.cpp - What a step of a nest takes ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As it is, a warp has 32 neighbouring iterations of one row: what depends on i
// is one element for all of them, what depends on j is 32. In which level of
// memory these are depends on what else the multiprocessor reads meanwhile:
// blocks that it has at the same time have the same columns or others, by the
// width of the matrix and the number of multiprocessors. Of products of 512 x
// 512 to 2048 x 2048 numbers the simulator finds 3.2 to 4.7 clocks for a step
// of doubles; with every third line from the second level it is in the middle.
//
// In tiles, a thread computes all its iterations from what it reads of its rows
// and columns, and copies its part of the panels. What a copied chunk takes in
// instructions was counted in the emitted code.
//
//===----------------------------------------------------------------------===//

#include "NestPrice.h"
#include "gpu/DeviceTable.h"
#include "gpu/Rates.h"
#include "stage/common/GpuModel.h"
#include "stage/common/KernelInstructions.h"
#include "stage/common/KernelLimits.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

using gpu::WarpThreads;

constexpr double LineBytes = gpu::LineBytes;
/// So many warps that latency does not count.
constexpr double NoWaiting = 1024;
/// Of lines of columns that neighbouring blocks may have read.
constexpr double Missed = 1. / 3;

static unsigned wordsOf(const Type *Ty, const DataLayout &DL) {
  return divideCeil(DL.getTypeStoreSize(const_cast<Type *>(Ty)), 4);
}

NestPrice::NestPrice(const KernelNest &Nest, const KernelLimits &Limits)
    : N(Nest), Limits(Limits) {
  const BasicBlock &Body = *N.InnerLoop->getHeader();
  for (const NestCarried &C : N.Carried)
    CarriedWords += wordsOf(C.Phi->getType(), Body.getDataLayout());
  findComputed();
  findPlain();
}

/// What a step of 32 neighbouring iterations asks for, once the loop is
/// unrolled.
void NestPrice::findPlain() {
  const double Unrolled = N.TimesUnrolled;
  constexpr double Advance = 2; // instructions for an address or a counter
  // An index of 32 bits is made an address in each step.
  const bool IsExtended =
      any_of(*N.InnerLoop->getHeader(), [](const Instruction &I) {
        return isa<SExtInst, ZExtInst>(I) && I.getType()->isIntegerTy(64);
      });
  const double Index = IsExtended ? 4 : 2.5;
  PlainRegisters = sim::FunctionCosts(*N.InnerLoop->getHeader()->getParent())
                       .total()
                       .Registers;
  const double Least = Limits.Gpu->limits().LeastWavefronts;
  const double WarpsOfBlock = double(Limits.MaxThreads) / WarpThreads;
  for (const WarpUse &Use : Computed)
    Plain.add(Use, 1);
  Plain.Int += Advance / Unrolled;
  for (const NestOperand &S : N.Streams) {
    double Passes = Least, Lines, Bytes;
    // What the next steps find where this one has read.
    const double Fetches = S.AlongK ? double(S.Size) / gpu::SectorBytes : 1;
    if (S.By != NestOperand::ByColumn) {
      Lines = Fetches / WarpsOfBlock;
      Bytes = Lines * gpu::SectorBytes;
    } else if (S.AlongK) {
      Passes = sim::tagWavefronts(WarpThreads);
      Lines = WarpThreads * Fetches;
      Bytes = Lines * gpu::SectorBytes;
    } else {
      Bytes = double(S.Size) * WarpThreads;
      Passes = std::max(Least, S.Apart * Bytes / LineBytes);
      Lines = Missed * Bytes / LineBytes;
      Bytes *= Missed;
    }
    Plain.Int += S.AlongK ? Advance / Unrolled : Index;
    Plain.Requests += 1;
    Plain.Passes += Passes + Lines;
    Plain.L2Bytes += Bytes;
  }
  for (const StoreInst *S : N.StepStores) {
    const double Bytes = double(accessBytes(*S)) * WarpThreads;
    Plain.Requests += 1;
    Plain.Passes += Bytes / LineBytes;
    Plain.L2Bytes += Bytes;
  }
  // Loads of all of them are under way together, unless they wait for what is
  // stored before.
  Plain.Waiting = Limits.Gpu->L2Latency / (N.StepStores.empty() ? Unrolled : 1);
}

/// What the inner loop computes that is needed, by how often a thread with
/// several iterations does it.
void NestPrice::findComputed() {
  const BasicBlock &Body = *N.InnerLoop->getHeader();
  SmallDenseMap<const Value *, unsigned> Times;
  for (const NestCarried &C : N.Carried)
    Times[C.Phi] = Each;
  for (const NestOperand &S : N.Streams)
    Times[S.Load] = S.By == NestOperand::ByRow      ? EachRow
                    : S.By == NestOperand::ByColumn ? EachColumn
                                                    : Once;
  for (const Instruction &I : Body) {
    if (Times.count(&I) || isa<PHINode, StoreInst>(I) || I.isTerminator())
      continue;
    unsigned Sum = Once;
    bool FromStreams = false;
    for (const Value *Operand : I.operands())
      if (auto Known = Times.find(Operand); Known != Times.end()) {
        Sum |= Known->second;
        FromStreams = true;
      }
    // The rest are counters and addresses, which tiles have their own of.
    if (!FromStreams)
      continue;
    Times[&I] = Sum;
    Computed[Sum].add(sim::FunctionCosts::workOf(I));
  }
}

unsigned NestPrice::registers(const NestTiles &T) const {
  constexpr unsigned Other = 100; // addresses, bounds, counters
  unsigned Sum = T.Shape.ThreadRows * T.Shape.ThreadColumns * CarriedWords;
  for (auto [S, P] : zip_equal(N.Streams, T.Panels))
    Sum += T.panelRowsOfThread(S) *
           divideCeil(S.Size * (S.AlongK ? P.Vector : 1), 4);
  return Sum + Other;
}

PredictedTime NestPrice::plain() const {
  return predict(
      Plain, *Limits.Gpu,
      residentBlocks(Limits, {Limits.MaxThreads, 0, PlainRegisters, 0}).Warps);
}

double NestPrice::plainIntegers() const {
  WarpUse Integers;
  Integers.Int = Plain.Int;
  return predict(Integers, *Limits.Gpu, NoWaiting).Clocks;
}

/// What a warp asks for in a step of all iterations of its threads.
WarpUse NestPrice::useOf(const NestTiles &T) const {
  constexpr double Copy = 13;    // instructions for a chunk
  constexpr double Loop = 6;     // for the unrolled steps
  constexpr double Barrier = 20; // clocks
  const sim::DeviceModel &Gpu = *Limits.Gpu;
  const double Rows = T.Shape.ThreadRows, Columns = T.Shape.ThreadColumns;
  const double Times[] = {1, Rows, Columns, Rows * Columns};
  WarpUse Use;
  for (unsigned By : {Once, EachRow, EachColumn, Each})
    Use.add(Computed[By], Times[By]);
  for (auto [S, P] : zip_equal(N.Streams, T.Panels)) {
    const double Loads = double(T.panelRowsOfThread(S)) / P.Vector;
    const double Chunks = double(P.Rows) / T.MaxThreads / P.Chunk;
    const double Bytes = double(P.Rows) * S.Size * WarpThreads / T.MaxThreads;
    const double Least = Chunks * Gpu.limits().LeastWavefronts;
    Use.SharedPasses += Loads * Gpu.limits().LeastWavefronts +
                        std::max(Bytes / LineBytes, Least);
    // And those that are filled.
    Use.Passes += std::max(S.Apart * Bytes / LineBytes, Least);
    Use.Passes += Bytes / LineBytes;
    Use.Requests += Loads;
    Use.addCopies(Chunks, T.Async);
    Use.Int += Chunks * Copy;
    Use.L2Bytes += Bytes;
  }
  Use.Other += Loop / T.Unrolled;
  Use.Waiting = Gpu.SharedLatency / T.Unrolled + Barrier / T.Depth;
  // Copies through registers wait for memory, stream by stream.
  if (!T.Async)
    Use.Waiting += (N.Streams.size() * Gpu.DramLatency + Barrier) / T.Depth;
  return Use;
}

NestTimes NestPrice::timesOf(const WarpUse &Use, unsigned SharedBytes,
                             unsigned Registers) const {
  return {
      predict(Use, *Limits.Gpu, NoWaiting).Clocks,
      predict(Use, *Limits.Gpu, 1).Clocks,
      residentBlocks(Limits, {TileShape::MinThreads, SharedBytes, Registers, 0})
          .Blocks};
}

NestTimes NestPrice::plainTimes(unsigned SharedBytes,
                                unsigned Registers) const {
  return timesOf(Plain, SharedBytes, std::max(Registers, PlainRegisters));
}

void NestPrice::setTimes(NestTiles &T, unsigned SharedBytes) const {
  const WarpUse Use = useOf(T);
  const unsigned Registers = registers(T);
  T.Times = timesOf(Use, SharedBytes, Registers);
  T.Time = predict(
      Use, *Limits.Gpu,
      residentBlocks(Limits, {T.MaxThreads, SharedBytes, Registers, 0}).Warps);
}

} // namespace ferry
