//===- RowPlan.cpp - What is staged, and how ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPlan.h"
#include "stage/common/GpuModel.h"
#include "stage/common/LaunchValues.h"
#include "stage/common/PlanContext.h"
#include "stage/common/StageRemarks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace llvm;

namespace ferry {

const Instruction *RowUnit::place() const {
  return isStraightLine() ? Streams[0].Loads[0].Load
                          : InnerLoop->getHeader()->getTerminator();
}

bool RowUnit::isInPlace(const LoopStore &Store) const {
  return any_of(Streams,
                [&](const Stream &S) { return S.Start == Store.Start; });
}

bool RowUnit::isInPlace() const {
  return any_of(Stores, [&](const LoopStore &S) { return isInPlace(S); });
}

SmallPtrSet<const Value *, 8> RowUnit::loadsOfStreams() const {
  SmallPtrSet<const Value *, 8> Loads;
  for (const Stream &S : Streams)
    for (const StreamLoad &L : S.Loads)
      Loads.insert(L.Load);
  return Loads;
}

size_t RowUnit::instructions() const {
  size_t Sum = 0;
  for (const BasicBlock *B : InnerLoop->blocks())
    Sum += B->sizeWithoutDebug();
  return Sum;
}

size_t RowUnit::instructionsInTile() const {
  SmallSetVector<const Instruction *, 16> OfAddresses;
  const SmallPtrSet<const Value *, 8> Staged = loadsOfStreams();
  auto Add = [&](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (I && InnerLoop->contains(I) && !isa<PHINode>(I) &&
        all_of(I->users(), [&](const User *U) {
          auto *User = cast<Instruction>(U);
          return Staged.contains(User) || OfAddresses.contains(User);
        }))
      OfAddresses.insert(I);
  };
  for (const Stream &S : Streams)
    for (const StreamLoad &L : S.Loads)
      Add(L.Load->getPointerOperand());
  for (unsigned Next = 0; Next < OfAddresses.size(); ++Next)
    for (const Value *Operand : OfAddresses[Next]->operands())
      Add(Operand);
  return instructions() - OfAddresses.size();
}

SmallVector<BasicBlock *, 1> RowUnit::blocksForAllSteps() const {
  SmallSetVector<BasicBlock *, 1> LeftOut;
  for (const Stream &S : Streams)
    if (S.Skipped)
      LeftOut.insert(S.Loads.front().Load->getParent());
  const SmallPtrSet<const Value *, 8> Staged = loadsOfStreams();
  auto MayAllRun = [&](const BasicBlock *B) {
    const BasicBlock *Before = B->getSinglePredecessor(),
                     *Then = B->getSingleSuccessor();
    return Before && Then && Then->hasNPredecessors(2) &&
           is_contained(successors(Before), Then) &&
           isa<BranchInst>(Before->getTerminator()) &&
           all_of(make_range(B->begin(), B->getTerminator()->getIterator()),
                  [&](const Instruction &I) {
                    return Staged.contains(&I) ||
                           (!I.mayReadFromMemory() &&
                            isSafeToSpeculativelyExecute(&I));
                  });
  };
  return all_of(LeftOut, MayAllRun) ? to_vector<1>(LeftOut)
                                    : SmallVector<BasicBlock *, 1>();
}

/// Steps that make up for each of several walks in a launch of few warps at
/// least: what is left behind a full tile takes code of its own, for which the
/// warp waits.
static unsigned tileAndAHalf(const RowUnitPlan &Plan) {
  return Plan.Tile.Iterations * 3 / 2;
}

uint64_t RowUnitPlan::minTripCountOfFew(double Saved) const {
  constexpr double Worth = 1.08; // rows seldom end with a tile
  const double Needed = Worth * Price.Meeting;
  // Cells of 48 floats took 1.1 times as long in a tile and a half on an A100,
  // of 64 0.77 times.
  const unsigned Least = Tile.Iterations * 2;
  const unsigned Most = Tile.Iterations * (Async ? 4 : 8);
  if (GoesApart || Saved * Most <= Needed)
    return UINT64_MAX;
  return std::max(Least, static_cast<unsigned>(std::ceil(Needed / Saved)));
}

uint64_t RowUnitPlan::minTripCount(LaunchKind Kind) const {
  if (Unit.isStraightLine())
    return 0;
  const bool Few = Kind == LaunchKind::FewWarps;
  const unsigned Half = divideCeil(Tile.Iterations, 2u);
  // What loops around it read again, the first level has where warps are few.
  if (Unit.isWhole())
    return Few ? UINT64_MAX : Half;
  if (!Few) {
    // On GPUs without asynchronous copies memory limits more. On an H100 rows
    // of 24 floats took 1.4 times as long, of 32 and 48 0.6 to 0.8 times.
    const unsigned Least = Async ? Tile.Iterations : Half;
    return Kind == LaunchKind::Thrashing
               ? std::min(Price.Thrashing.Shortest, Least)
               : Least;
  }
  return minTripCountOfFew(WaitsLittle ? Price.SavedOfConflicting
                                       : Price.Saved);
}

uint64_t RowUnitPlan::minTripCountOfCached(LaunchKind Kind) const {
  uint64_t Least = minTripCount(Kind);
  if (Kind == LaunchKind::FewWarps && WaitsLittle && !Unit.isWhole()) {
    // Predicted, in blocks of 32 to 128 at -O2: 128 iterations took 0.75
    // to 1.09 times as long in tiles on an H100, 512 took 0.44 to 0.94.
    const unsigned Enough = Async ? Tile.Iterations * 8 : 0;
    Least = std::max<uint64_t>(minTripCountOfFew(Price.Saved), Enough);
  }
  if (Kind == LaunchKind::FewWarps && waitsMoreOften())
    return UINT64_MAX;
  if (Kind == LaunchKind::Thrashing ||
      (Kind == LaunchKind::ManyWarps && !Rereads))
    return LongWithoutConflicts
               ? std::max<uint64_t>(Least, RowPrice::EnoughWithoutConflicts)
               : Least;
  if (!Rereads)
    return Least;
  if (!Async && !(Stored && Kind == LaunchKind::ManyWarps))
    return std::max<uint64_t>(Least, Tile.Iterations * 4);
  if (Repeats || Kind == LaunchKind::ManyWarps || Least == UINT64_MAX)
    return UINT64_MAX;
  return std::max<uint64_t>(Least, Walks * tileAndAHalf(*this));
}

uint64_t RowUnitPlan::minTripCountAnywhere(LaunchKind Kind) const {
  const uint64_t Least = minTripCountOfCached(Kind);
  if (Kind != LaunchKind::FewWarps || !asksAlignment())
    return Least;
  const double Saved = std::max(Price.SavedOfNear, 1.);
  return std::max<uint64_t>(
      Least, std::min<uint64_t>(RowPrice::EnoughAnywhere,
                                RowPrice::MeetingAnywhere / Saved + 1));
}

bool RowUnitPlan::isWide(unsigned I) const {
  const Stream &S = Unit.Streams[I];
  const unsigned Part = unrollCount() * S.wordsPerIteration() * S.Word;
  return all_of(
      ArrayRef({Part, Tile.Streams[I].Pitch, Tile.Streams[I].Offset,
                SmallTile.Streams[I].Pitch, SmallTile.Streams[I].Offset}),
      [](unsigned Bytes) { return Bytes % gpu::MaxAccessBytes == 0; });
}

SmallVector<FullCopy, 3> RowUnitPlan::fullCopies(unsigned I) const {
  const Stream &S = Unit.Streams[I];
  const StreamLayout &At = Tile.Streams[I];
  SmallVector<FullCopy, 3> Copies;
  if (!S.ConstantStep)
    return Copies;
  const unsigned Bytes = At.Words * S.Word;
  for (unsigned Word = gpu::MaxAccessBytes; Word >= gpu::BankBytes; Word /= 2) {
    const unsigned Begins = Bytes | At.Pitch | At.Offset |
                            unsigned(Tile.Iterations * *S.ConstantStep);
    if (Word != S.Word && (Word < S.Word || !S.isDense() || Begins % Word))
      continue;
    auto AreInOrder = [&](unsigned Columns) {
      const unsigned Window = S.windowWords();
      return Bytes / Word % Columns == 0 &&
             (S.isDense() || Window % Columns == 0 || Columns % Window == 0);
    };
    // A line at a time takes the fewest passes of the first level, and is in
    // all banks of shared memory.
    unsigned Columns = gpu::LineBytes / Word;
    while (Columns > 1 && !AreInOrder(Columns))
      Columns /= 2;
    if (Columns * Word >= gpu::SectorBytes)
      Copies.push_back({Word, Bytes / Word, Columns});
  }
  return Copies;
}

unsigned RowUnitPlan::mostBefore() const {
  const Stream &First = Unit.Streams.front();
  const unsigned Most = gpu::MaxAccessBytes / First.Word - 1;
  for (auto [I, S] : enumerate(Unit.Streams)) {
    // Rows begin at multiples of a step. What is left of them behind the last
    // full tile has to have room in one.
    const bool IsFine =
        S.Kind == Stream::PerThread && !S.Skipped && S.Word == First.Word &&
        S.Word >= gpu::BankBytes && // and cp.async copies it
        S.ConstantStep == S.Word && S.Window == S.Word &&
        fullCopies(I).front().WordBytes == gpu::MaxAccessBytes &&
        (Tile.Iterations + Most) * S.Word <= Tile.Streams[I].Pitch;
    if (!IsFine)
      return 0;
  }
  return Most;
}

bool RowUnitPlan::canHaveFullTiles() const {
  if (!Async || Unit.isWhole())
    return false;
  if (Unit.instructionsInTile() * Tile.Iterations > MostUnrolled)
    return false;
  for (auto [I, S] : enumerate(Unit.Streams))
    if (S.Kind == Stream::Uniform ? S.Word < gpu::BankBytes
                                  : fullCopies(I).empty())
      return false;
  return true;
}

uint64_t RowUnitPlan::leastDistance(unsigned I, LaunchKind Kind) const {
  constexpr uint64_t Most = UINT32_MAX; // further apart than any rows of tiles
  const std::optional<int64_t> &Step = Unit.Streams[I].ConstantStep;
  const uint64_t Bytes =
      Step ? SaturatingMultiply<uint64_t>(minTripCount(Kind), std::abs(*Step))
           : 0;
  return std::clamp<uint64_t>(Bytes, gpu::SectorBytes, Most);
}

/// Whether \p Stride is made of what \p TripCount is made of: most likely one
/// row begins where another one ends.
static bool isDense(const SCEV *Stride, const SCEV *TripCount) {
  return SCEVExprContains(Stride, [&](const SCEV *Part) {
    return isa<SCEVUnknown>(Part) &&
           SCEVExprContains(TripCount,
                            [&](const SCEV *S) { return S == Part; });
  });
}

std::optional<bool> RowUnitPlan::areNear(LaunchKind Kind) const {
  const Stream &First = Unit.Streams.front();
  if (First.Kind != Stream::PerThread || !First.ThreadStride)
    return std::nullopt;
  return uint64_t(std::abs(*First.ThreadStride)) < leastDistance(0, Kind);
}

const SCEV *RowUnitPlan::distance() const {
  const Stream &First = Unit.Streams.front();
  const SCEV *Sum = First.ThreadStrideSum;
  return First.Kind == Stream::PerThread && Sum && isSameEverywhere(Sum)
             ? Sum
             : nullptr;
}

const SCEV *RowUnitPlan::distanceToAsk() const {
  const SCEV *Sum = distance();
  const bool IsAsked = Sum && !Unit.Streams.front().ThreadStride &&
                       !isDense(Sum, Unit.TripCount);
  return IsAsked ? Sum : nullptr;
}

bool RowUnitPlan::knowsWhetherNear() const {
  return canBeShort() && (Unit.Streams.front().ThreadStride ||
                          (distance() && !distanceToAsk()));
}

static void printStream(raw_ostream &OS, const Stream &S) {
  OS << "    " << (S.Kind == Stream::PerThread ? "row" : "uniform") << ": "
     << *S.Start;
  if (S.Step)
    OS << " + k * " << *S.Step;
  OS << ", " << S.Window << " bytes in words of " << S.Word << ", "
     << S.Loads.size() << (S.Loads.size() == 1 ? " load" : " loads")
     << ", thread stride ";
  if (S.ThreadStride)
    OS << *S.ThreadStride;
  else
    OS << (S.ThreadStrideSum ? "varies" : "unknown");
  OS << (S.Global ? "\n" : ", perhaps not global memory\n");
}

void print(raw_ostream &OS, const RowUnit &Unit) {
  if (Unit.isStraightLine()) {
    OS << "  record\n";
  } else {
    OS << "  loop of " << *Unit.TripCount << " iterations, "
       << Unit.Stores.size()
       << (Unit.Stores.size() == 1 ? " store" : " stores");
    if (Unit.OuterLoop != Unit.InnerLoop)
      OS << ", repeated by "
         << Unit.InnerLoop->getLoopDepth() - Unit.OuterLoop->getLoopDepth()
         << " loops around it";
    if (Unit.ThreadsInBlock)
      OS << ", of " << *Unit.ThreadsInBlock << " threads of a block at most";
    OS << "\n";
  }
  for (const Stream &S : Unit.Streams)
    printStream(OS, S);
}

void print(raw_ostream &OS, const RowPlan &Plan) {
  for (const RowRegionPlan &R : Plan.Regions) {
    OS << "  region from %" << R.Region.Entry->getName() << " to %"
       << R.Region.Exit->getName() << ", blocks of up to " << Plan.MaxThreads
       << " threads\n";
    for (const RowUnitPlan &U : R.Units) {
      print(OS, U.Unit);
      OS << "    tiles of " << U.Tile.Iterations << " iterations, "
         << U.BlockBytes << " bytes; sectors for an iteration of a warp: "
         << format("%.1f", U.Cost.SectorsBefore) << ", staged "
         << format("%.1f", U.Cost.SectorsAfter) << "\n";
      if (!U.Unit.isWhole()) {
        print(OS << "    ", U.Price.Many);
        print(OS << "    rows in the same banks: ", U.Price.Conflicting);
        print(OS << "    a warp alone: ", U.Price.OneWarp);
      }
    }
  }
}

static void remarkUnit(OptimizationRemarkEmitter &ORE, const RowUnitPlan &P) {
  const LoadInst &First = *P.Unit.Streams[0].Loads[0].Load;
  unsigned Loads = 0;
  for (const Stream &S : P.Unit.Streams)
    Loads += S.Loads.size();
  ORE.emit([&] {
    OptimizationRemark R(RemarkPass, "Staged", First.getDebugLoc(),
                         First.getParent());
    R << "staged " << ore::NV("Loads", Loads)
      << (Loads == 1 ? " load" : " loads") << " through "
      << ore::NV("Bytes", P.BlockBytes)
      << " bytes of shared memory of the block, in tiles of "
      << ore::NV("Steps", P.Tile.Iterations)
      << (P.Tile.Iterations == 1 ? " iteration; " : " iterations; ")
      << ore::NV("SectorsAfter", formatFigure(P.Cost.SectorsAfter))
      << " instead of "
      << ore::NV("SectorsBefore", formatFigure(P.Cost.SectorsBefore))
      << " sectors for an iteration of a warp";
    if (P.Unit.isWhole())
      return R;
    const RowGain Reason = P.Price.reason();
    addGain(R, *Reason.Gain);
    if (*Reason.Where)
      R << ", " << ore::NV("Where", Reason.Where);
    return R;
  });
}

static void remarkStream(OptimizationRemarkEmitter &ORE, const Stream &S,
                         const StreamLayout &L) {
  ORE.emit([&] {
    OptimizationRemarkAnalysis R(RemarkPass, "Stream",
                                 S.Loads[0].Load->getDebugLoc(),
                                 S.Loads[0].Load->getParent());
    R << (S.Kind == Stream::PerThread ? "a row for each thread, "
                                      : "one row for the warp, ")
      << ore::NV("Words", L.Words) << " words of " << ore::NV("Word", S.Word)
      << " bytes";
    if (unsigned Padding =
            S.Kind == Stream::PerThread ? L.Pitch - L.Words * S.Word : 0)
      R << ", padded by " << ore::NV("Padding", Padding) << " bytes";
    return R;
  });
}

void remark(OptimizationRemarkEmitter &ORE, const RowPlan &Plan) {
  for (const RowRegionPlan &R : Plan.Regions)
    for (const RowUnitPlan &U : R.Units) {
      remarkUnit(ORE, U);
      for (auto [S, Layout] : zip_equal(U.Unit.Streams, U.Tile.Streams))
        remarkStream(ORE, S, Layout);
    }
}

} // namespace ferry
