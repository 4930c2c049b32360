//===- StencilPrice.cpp - What tiles of a stencil save --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All figures are those of a warp's iteration (WarpPrice.h). As it is, the
// kernel divides for each, and a block loads the rows above and below its own.
// In tiles, what is done once for a tile is shared by the thread's iterations.
// What is done once for a block, the choice of the version too, is shared by
// all that the block has in the launch.
//
// A launch finds nothing of its data in the second level; what it writes
// stays there as far as there is room.
//
// How many instructions copies, addresses and the choice take was counted in
// emitted code.
//
//===----------------------------------------------------------------------===//

#include "StencilPrice.h"
#include "gpu/DeviceTable.h"
#include "stage/common/GpuModel.h"
#include "stage/common/KernelInstructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Frontend/OpenMP/OMPGridValues.h"
#include "llvm/IR/Instructions.h"
#include <cmath>
#include <map>
#include <set>

using namespace llvm;

namespace ferry {

using gpu::WarpThreads;
constexpr double LineBytes = gpu::LineBytes;

namespace {
class TilePrice : StencilPrice {
public:
  TilePrice(const StencilPlan &Plan, const PlanContext &C, uint64_t Iterations)
      : StencilPrice(Plan.Nest, C, Iterations), Plan(Plan) {}
  PredictedGain gain() const;

private:
  const StencilPlan &Plan;

  WarpUse staged() const;
  void addIteration(WarpUse &Use) const;
  void addTile(WarpUse &Use) const;
  void addCopies(WarpUse &Use, const StencilField &S) const;
};
} // namespace

double sectorsOf(unsigned Rows, unsigned Columns, unsigned Size) {
  constexpr double Sector = gpu::SectorBytes;
  return Rows * (Columns * Size + Sector - Size) / Sector;
}

double sectorsAsItIs(const StencilField &F, unsigned Threads) {
  double Sectors = 0;
  for (const auto &[Row, Range] : F.columnsOfRowsByPlane())
    Sectors += sectorsOf(1, Threads + Range.second - Range.first, F.Size);
  return Sectors / Threads;
}

double sectorsOfOthers(const KernelStencil &N, unsigned Threads) {
  double Sectors = 0;
  for (const Instruction *I : N.others())
    if (isa<LoadInst>(I))
      Sectors += sectorsOf(1, Threads, accessBytes(*I)) / Threads;
  return Sectors;
}

double StencilPrice::passes(unsigned Bytes) {
  return std::max(1., Bytes * WarpThreads / LineBytes);
}

StencilPrice::StencilPrice(const KernelStencil &N, const PlanContext &C,
                           uint64_t Iterations)
    : N(N), C(C), Gpu(*C.Limits.Gpu), Costs(C.Kernel),
      Iterations(double(Iterations)), Others(N.others()),
      Threads(TileShape::maxThreads(C.Limits.MaxThreads)) {
  const double Chunks = this->Iterations / Threads;
  IterationsOfThread =
      Chunks /
      std::min<double>(Chunks, omp::NVPTXGridValues.GV_Default_Num_Teams);
}

double StencilPrice::warps(unsigned Registers, unsigned LocalBytes,
                           uint64_t SharedBytes) const {
  return residentBlocks(C.Limits, {Threads, static_cast<uint32_t>(SharedBytes),
                                   Registers, LocalBytes})
      .Warps;
}

void StencilPrice::addOthers(WarpUse &Use) const {
  for (const Instruction *I : Others) {
    const unsigned Bytes = accessBytes(*I);
    Use.Requests += 1;
    // And a line each pass, that is filled.
    Use.Passes += 2 * passes(Bytes);
    if (isa<StoreInst>(I)) // the plans' Before and After have the loads
      Use.L2Bytes += Bytes * WarpThreads;
  }
}

double StencilPrice::bytesRead() const {
  double Read = 0;
  for (const StencilField &F : N.Fields)
    Read += F.Size * WarpThreads;
  // What several loads read of one array, each of them has of another's.
  std::map<const Value *, uint64_t> Arrays;
  for (const Instruction *I : Others)
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      uint64_t &Bytes = Arrays[getUnderlyingObject(Load->getPointerOperand())];
      Bytes = std::max(Bytes, accessBytes(*Load));
    }
  for (const auto &[Array, Bytes] : Arrays)
    Read += Bytes * WarpThreads;
  return Read;
}

double StencilPrice::bytesOfMemory(double Read) const {
  double Written = 0;
  for (const Instruction *I : Others)
    if (isa<StoreInst>(I))
      Written += accessBytes(*I) * WarpThreads;
  const double All = (Read + Written) * Iterations / WarpThreads;
  return Read + Written * std::max(0., 1 - Gpu.l2Bytes() / All);
}

//===----------------------------------------------------------------------===//
// As it is
//===----------------------------------------------------------------------===//

/// Whether \p I is a remainder, and the quotient of the same two numbers is
/// computed in \p L as well: LLVM makes a product and a difference of it.
static bool comesWithQuotient(const Instruction &I, const Loop &L) {
  const bool Signed = I.getOpcode() == Instruction::SRem;
  if (!Signed && I.getOpcode() != Instruction::URem)
    return false;
  return any_of(I.getOperand(0)->users(), [&](const User *U) {
    auto *Other = dyn_cast<BinaryOperator>(U);
    return Other && L.contains(Other) &&
           Other->getOpcode() ==
               (Signed ? Instruction::SDiv : Instruction::UDiv) &&
           equal(Other->operands(), I.operands());
  });
}

double StencilPrice::warpsOfPlain() const {
  const sim::FunctionCost Plain = Costs.total();
  return warps(Plain.Registers, Plain.LocalBytes, 0);
}

WarpUse StencilPrice::plain(double Before) const {
  WarpUse Use;
  for (const BasicBlock &B : C.Kernel)
    Use.add(Costs.workOf(B),
            N.DistributeLoop->contains(&B) ? 1 : 1 / IterationsOfThread);
  constexpr double ProductAndDifference = 2;
  for (const BasicBlock *B : N.ThreadLoop->blocks())
    for (const Instruction &I : *B)
      if (comesWithQuotient(I, *N.ThreadLoop)) {
        Use.add(sim::FunctionCosts::workOf(I), -1);
        Use.Int += ProductAndDifference;
      }
  for (const StencilField &F : N.Fields) {
    Use.Requests += F.Loads.size();
    Use.Passes += F.Loads.size() * passes(F.Size);
  }
  const double Sectors = Before * WarpThreads;
  Use.Passes += Sectors * gpu::SectorBytes / LineBytes;
  Use.L2Bytes += Sectors * gpu::SectorBytes;
  addOthers(Use);
  Use.DramBytes = bytesOfMemory(bytesRead());
  Use.Waiting = memoryWait(Gpu);
  return Use;
}

//===----------------------------------------------------------------------===//
// In tiles
//===----------------------------------------------------------------------===//

void StencilPrice::addWork(WarpUse &Use) const {
  SmallPtrSet<const Value *, 16> Given;
  for (const StencilField &F : N.Fields)
    for (const StencilLoad &L : F.Loads)
      Given.insert(L.Load);
  for (const StencilAccess &A : N.Accesses)
    Given.insert(A.Pointer);
  for (const StencilGuards &Guards : N.Guards)
    for (const StencilGuard &G : Guards)
      Given.insert(G.Condition);
  Given.insert(N.Index);
  for (const auto *Positions :
       {&N.PlaneIndices, &N.InPlaneIndices, &N.RowIndices, &N.ColumnIndices})
    Given.insert(Positions->begin(), Positions->end());
  SmallSetVector<const Instruction *, 32> Work;
  for (const BasicBlock *B : N.ThreadLoop->blocks())
    for (const Instruction &I : *B)
      if ((I.mayHaveSideEffects() || I.isTerminator()) &&
          !N.Control.contains(const_cast<Instruction *>(&I)))
        Work.insert(&I);
  for (unsigned At = 0; At < Work.size(); ++At) {
    Use.add(sim::FunctionCosts::workOf(*Work[At]));
    for (const Value *Op : Work[At]->operands())
      if (auto *Used = dyn_cast<Instruction>(Op);
          Used && N.ThreadLoop->contains(Used) && !Given.contains(Used))
        Work.insert(Used);
  }
}

/// Adds what a thread's iteration takes in a tile.
void TilePrice::addIteration(WarpUse &Use) const {
  addWork(Use);
  constexpr double WhetherItExists = 1;
  Use.Int += WhetherItExists;
  Use.Other += WhetherItExists;
  for (const StencilField &F : N.Fields) {
    // What the row above has read is there.
    std::set<std::pair<int, int>> Read;
    for (const StencilLoad &L : F.Loads)
      for (unsigned R = 0; R < StencilPlan::Shape.ThreadRows; ++R)
        Read.insert({L.Row + R, L.Column});
    const double Loads = double(Read.size()) / StencilPlan::Shape.ThreadRows;
    Use.Requests += Loads;
    Use.SharedPasses += Loads * passes(F.Size);
  }
  Use.Waiting += Gpu.SharedLatency;
}

/// Adds what a warp's part of the copy of \p S takes.
void TilePrice::addCopies(WarpUse &Use, const StencilField &S) const {
  constexpr TileShape Shape = StencilPlan::Shape;
  constexpr double Origin = 5, OfRow = 5, Branches = 3;
  const double Rows = StencilPlan::rows(S, Threads);
  const double OfWarp = Rows * WarpThreads / Threads;
  const unsigned Sides = S.LastColumn - S.FirstColumn;
  double Copies = OfWarp * Shape.ThreadColumns;
  double Waits = std::ceil(OfWarp) * Shape.ThreadColumns;
  Use.Int += Origin + OfRow * OfWarp;
  Use.Other += Branches * OfWarp;
  double Lines = Rows * (Shape.columns() * S.Size / LineBytes + 1);
  if (Sides) {
    constexpr double Whose = 20, OfRange = 6;
    // Those of the block's warps that copy some; the others go on.
    const double Elements = Rows * PowerOf2Ceil(Sides);
    const double Rounds =
        std::ceil(Elements / WarpThreads) * WarpThreads / Threads;
    Use.Int += Rounds * (Whose + OfRange * S.columnsOfRows().size());
    Copies += Rounds;
    Waits += std::ceil(Elements / Threads);
    Lines += Rows * Sides / 2;
  }
  Use.addCopies(Copies, Plan.Async);
  Use.Passes += Copies * passes(S.Size) + Lines * WarpThreads / Threads;
  Use.SharedPasses += Copies * passes(S.Size);
  // Each element is stored when it has come.
  if (!Plan.Async)
    Use.Waiting += Waits * memoryWait(Gpu);
}

/// Adds what is done once for a tile.
void TilePrice::addTile(WarpUse &Use) const {
  constexpr double WhichTile = 58, OfAddress = 14, OfGuard = 12;
  constexpr double Barriers = 4;
  Use.Int += WhichTile + OfAddress * N.Accesses.size();
  Use.Int += 2. * N.Accesses.size() * StencilPlan::Shape.ThreadRows;
  for (const StencilGuards &Guards : N.Guards)
    Use.Int += OfGuard * Guards.size();
  Use.Other += Barriers;
  for (const StencilField &F : N.Fields)
    addCopies(Use, F);
  if (Plan.Async)
    Use.Waiting += memoryWait(Gpu);
}

double StencilPrice::choice() const {
  constexpr double OfRows = 50, Divided = 37, OfPlanes = 70;
  return N.PlaneSize ? OfRows + OfPlanes : N.Height ? OfRows : OfRows + Divided;
}

WarpUse StencilPrice::block() const {
  WarpUse Block;
  constexpr double OfRange = 3;
  for (const BasicBlock &B : C.Kernel)
    if (!N.DistributeLoop->contains(&B))
      Block.add(Costs.workOf(B));
  Block.Int += choice();
  Block.Fp32 += OfRange * N.Ranges.size();
  return Block;
}

WarpUse TilePrice::staged() const {
  constexpr TileShape Shape = StencilPlan::Shape;
  WarpUse Use, Tile;
  addTile(Tile);
  Use.add(Tile, 1. / (Shape.ThreadRows * Shape.ThreadColumns));
  Use.add(block(), 1 / IterationsOfThread);
  addIteration(Use);
  Use.L2Bytes = Plan.After * WarpThreads * gpu::SectorBytes;
  addOthers(Use);
  // What is not in tiles, as elements of the next plane: nothing has asked for
  // their lines before, and what an iteration stores keeps the next one's loads
  // from going ahead. On an H100 the 7 points wait for that.
  if (any_of(Others, [](const Instruction *I) { return isa<LoadInst>(I); }))
    Use.Waiting += Gpu.L2Latency + Gpu.DramLatency;
  Use.DramBytes = bytesOfMemory(bytesRead());
  return Use;
}

PredictedGain TilePrice::gain() const {
  // Addresses, bounds, and what a row keeps for the next.
  constexpr unsigned OfTile = 56, OfField = 8, OfAccess = 8;
  const sim::FunctionCost Plain = Costs.total();
  const unsigned Registers =
      OfTile + OfField * N.Fields.size() + OfAccess * N.Accesses.size();
  PredictedGain Gain;
  Gain.Gpu = &Gpu;
  Gain.Plain = predict(plain(Plan.Before), Gpu, warpsOfPlain());
  Gain.Staged = predict(staged(), Gpu,
                        warps(std::max(Registers, Plain.Registers),
                              Plain.LocalBytes, Plan.bytes()));
  return Gain;
}

PredictedGain priceOf(const StencilPlan &Plan, const PlanContext &C,
                      uint64_t Iterations) {
  return TilePrice(Plan, C, Iterations).gain();
}

} // namespace ferry
