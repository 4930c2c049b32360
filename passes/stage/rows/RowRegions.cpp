//===- RowRegions.cpp - What is planned for all rows of a region ----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPlanner.h"
#include "RowThreads.h"
#include "gpu/DeviceTable.h"
#include "stage/common/GpuModel.h"
#include "stage/common/KernelInstructions.h"
#include "stage/common/LaunchValues.h"
#include "stage/common/WarpPrice.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <cmath>

using namespace llvm;

namespace ferry {

/// What is known before the launch and divided by something that is not, in \p
/// Sum; else null.
static const SCEV *dividedInLaunch(const SCEV *Sum) {
  const SCEV *Found = nullptr;
  SCEVExprContains(Sum, [&](const SCEV *Part) {
    auto *Quotient = dyn_cast<SCEVUDivExpr>(Part);
    if (Quotient && isSameEverywhere(Quotient->getLHS()) &&
        !isSameEverywhere(Quotient->getRHS()))
      Found = Quotient->getLHS();
    return Found != nullptr;
  });
  return Found;
}

/// The iterations of \p L, an i64, if each block has a part of them, one behind
/// the other, and they are known before the launch; else null. `distribute`
/// gives parts to the blocks of `teams` where `parallel for` is not one
/// construct with both. \p OfBlocks: these end with the last of all at the
/// latest.
static const SCEV *iterationsInParts(const Loop &L, bool OfBlocks,
                                     ScalarEvolution &SE) {
  const ICmpInst *Compare = L.getLatchCmpInst();
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy())
    return nullptr;
  Type *I64 = Type::getInt64Ty(Compare->getContext());
  for (Value *Operand : Compare->operands()) {
    const SCEV *S = SE.getSCEV(Operand);
    if (const SCEV *All = dividedInLaunch(S))
      return SE.getTruncateOrZeroExtend(All, I64);
    if (OfBlocks && isa<SCEVSMinExpr, SCEVUMinExpr>(S))
      for (const SCEV *OfAll : S->operands())
        if (isSameEverywhere(OfAll))
          return SE.getAddExpr(SE.getTruncateOrSignExtend(OfAll, I64),
                               SE.getOne(I64));
  }
  return nullptr;
}

/// Whether threads of a block have iterations of \p L of their own.
static bool isOfThreads(const Loop &L, ScalarEvolution &SE) {
  const ICmpInst *Compare = L.getLatchCmpInst();
  return Compare && any_of(Compare->operands(), [&](Value *Operand) {
           return SCEVExprContains(SE.getSCEV(Operand), [](const SCEV *S) {
             auto *U = dyn_cast<SCEVUnknown>(S);
             return U && isOwnNumber(U->getValue());
           });
         });
}

/// Finds the iterations that blocks share around the region of \p R, as far as
/// they are known before the launch.
static void findIterations(RowRegionPlan &R, const PlanContext &C) {
  const BasicBlock &B = *R.Region.Entry;
  R.OfThreads = !C.LI.getLoopFor(&B); // one each
  for (const Loop *L = C.LI.getLoopFor(&B); L; L = L->getParentLoop()) {
    const ICmpInst *Compare = L->getLatchCmpInst();
    if (!Compare)
      continue;
    const SCEV *Index = C.SE.getSCEV(Compare->getOperand(0));
    const SCEV *End = C.SE.getSCEV(Compare->getOperand(1));
    if (isSameEverywhere(Index))
      std::swap(Index, End);
    auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Index);
    if (Recurrence && !isSameEverywhere(Recurrence->getStart()) &&
        isSameEverywhere(End) && End->getType()->isIntegerTy()) {
      R.Iterations =
          C.SE.getTruncateOrSignExtend(End, Type::getInt64Ty(B.getContext()));
      R.OfThreads = !isa<SCEVConstant>(Recurrence->getStepRecurrence(C.SE));
      return;
    }
  }
}

/// Finds the iterations of which each block has a part, of \p R: of its own, or
/// with rows in each that its threads share. Has launches ask for how many rows
/// these are.
static void findParts(RowRegionPlan &R, const PlanContext &C) {
  const Loop *L = C.LI.getLoopFor(R.Region.Entry);
  if (!L)
    return;
  const Loop &Outermost = *L->getOutermostLoop();
  auto IsShared = [](const RowUnitPlan &U) { return U.Unit.ThreadsInBlock; };
  const bool OfBlocks = L != &Outermost || (all_of(R.Units, IsShared) &&
                                            !isOfThreads(Outermost, C.SE));
  const SCEV *Iterations = iterationsInParts(Outermost, OfBlocks, C.SE);
  if (OfBlocks) {
    R.Blocks = Iterations;
    return;
  }
  R.Iterations = Iterations;
  const uint64_t Blocks =
      C.Limits.Teams ? C.Limits.Teams : gpu::MostDefaultBlocks;
  if (!R.Iterations)
    return;
  for (RowUnitPlan &U : R.Units)
    if (!U.Unit.Threads)
      U.Unit.Threads = C.SE.getUDivExpr(
          R.Iterations, C.SE.getConstant(R.Iterations->getType(), Blocks));
}

/// Whether a loop of \p R around \p Unit walks along the same rows again.
static bool isRepeated(const RowUnit &Unit, const RowRegionPlan &R,
                       ScalarEvolution &SE) {
  const Loop *Around = Unit.OuterLoop->getParentLoop();
  return Around && R.Region.Blocks.contains(Around->getHeader()) &&
         any_of(Unit.Streams, [&](const Stream &S) {
           return S.Kind == Stream::PerThread &&
                  SE.isLoopInvariant(S.Start, Around);
         });
}

/// Whether another unit of \p R reads an array of \p Unit as well.
static bool sharesArray(const RowUnit &Unit, const RowRegionPlan &R,
                        ScalarEvolution &SE) {
  auto IsShared = [&](const Stream &S) {
    return S.Kind == Stream::PerThread &&
           any_of(R.Units, [&](const RowUnitPlan &Other) {
             return Other.Unit.InnerLoop != Unit.InnerLoop &&
                    any_of(Other.Unit.Streams, [&](const Stream &O) {
                      return SE.getPointerBase(O.Start) ==
                             SE.getPointerBase(S.Start);
                    });
           });
  };
  return any_of(Unit.Streams, IsShared);
}

/// Finds from how many warps on \p U, which reads rows again, is in a launch of
/// many, and which conflicts of banks count.
static void findLimits(RowUnitPlan &U, const RowRegionPlan &R, bool AreWritten,
                       const KernelLimits &Limits) {
  U.OfMemory = {}; // was about rows that are read once
  // The second level is busy from fewer warps on. Conflicts have to be the
  // worst.
  if (Limits.AsyncCopies) {
    U.FewWarps /= 2;
  } else if (AreWritten) {
    WarpUse AsTheyAre;
    for (const RowUnitPlan &Each : R.Units)
      AsTheyAre.add(Each.Price.Plain, 1);
    U.FewWarps =
        std::min(U.FewWarps, unsigned(warpsToFill(AsTheyAre, *Limits.Gpu) *
                                      Limits.Gpu->multiprocessors()));
  }
  U.Stored = AreWritten;
  if (AreWritten)
    U.Walks = count_if(
        R.Units, [](const RowUnitPlan &Each) { return !Each.Unit.isWhole(); });
  U.ConflictingBytes = AreWritten && !Limits.AsyncCopies ? 0 : gpu::LineBytes;
}

/// Leaves short rows of \p U, which are not written, to launches in which they
/// lie in the same banks. Measured on an H100: in tiles 262,144 times two rows
/// of 8 and 12 doubles and of 24 floats took 1.1 to 1.5 times as long, of 16 of
/// both types, which lie so, 0.8 times. Rows of 33, of 27 kernels, took 1.3
/// times as long, up to 2.6; of 67, 0.84 times.
static void keepShortInBanks(RowUnitPlan &U) {
  constexpr unsigned Least = 16;
  U.LongWithoutConflicts = true;
  U.Price.Thrashing.Shortest = std::max(U.Price.Thrashing.Shortest, Least);
}

/// Leaves rows of \p U, which are read once, as they are in launches that have
/// many warps, but not many more than there is room for in blocks of one, which
/// have as much shared memory as the largest: unless they lie in the same banks
/// and are not written. Measured on an H100, with 40,000 and 65,536 rows of 33
/// to 512: 0.8 to 1.2 times as long in the mean of a kernel, up to 1.5; in
/// larger blocks, which nobody knows of before the launch, 0.7 to 1.0 times.
/// Rows of which an iteration reads several fields or elements gained.
static void leaveBlocksOfOneWarp(RowUnitPlan &U, const KernelLimits &Limits) {
  constexpr size_t Several = 3;
  const bool ReadsSeveral = any_of(U.Unit.Streams, [](const Stream &S) {
    return S.Kind == Stream::PerThread && S.Loads.size() >= Several;
  });
  if (U.Warps >= RowUnitPlan::MostShares && !ReadsSeveral)
    U.OfMemory.Most = U.OfMemory.MostByClause =
        RowPrice::WarpsInBlocksOfOne * Limits.Gpu->multiprocessors();
}

/// Finds the units of \p R that read again what others have read, if that
/// counts. These are staged all together or not: a plain loop has little of the
/// first level left beside tiles.
static void findRereads(RowRegionPlan &R, const KernelLimits &Limits,
                        ScalarEvolution &SE) {
  auto Writes = [](const RowUnitPlan &U) { return !U.Unit.Stores.empty(); };
  const bool AreWritten = any_of(R.Units, Writes);
  // Each meets for rows that the first level has. Measured on an H100: eight
  // units took 1.5 times as long for rows of 48 floats.
  constexpr size_t ManyMeetings = 4;
  const bool AreMany = R.Units.size() >= ManyMeetings;
  uint64_t Thrashing = UINT64_MAX;
  uint32_t MostOfRow = 0;
  for (RowUnitPlan &U : R.Units) {
    if (U.Unit.isWhole())
      continue;
    U.Repeats = isRepeated(U.Unit, R, SE);
    U.Rereads = U.Repeats || ((AreWritten || AreMany || !Limits.AsyncCopies) &&
                              sharesArray(U.Unit, R, SE));
    if (!U.Rereads) {
      if (sharesArray(U.Unit, R, SE))
        U.Walks = R.Units.size();
      if (Limits.AsyncCopies && !AreWritten) {
        keepShortInBanks(U);
        if (U.Walks == 1)
          leaveBlocksOfOneWarp(U, Limits);
      } else if (Limits.AsyncCopies && U.Unit.isInPlace()) {
        leaveBlocksOfOneWarp(U, Limits);
        U.ConflictingBytes = 0;
      }
      continue;
    }
    U.LongWithoutConflicts = Limits.AsyncCopies && !AreWritten;
    if (const uint64_t Own = U.Price.Thrashing.Iterations) {
      Thrashing = std::min(Thrashing, Own);
      MostOfRow = std::max(MostOfRow, U.Price.Thrashing.MostOfRow);
    }
    findLimits(U, R, AreWritten, Limits);
  }
  for (RowUnitPlan &U : R.Units)
    if (U.Rereads && U.Price.Thrashing.Iterations) {
      U.Price.Thrashing.Iterations = Thrashing;
      U.Price.Thrashing.MostOfRow = MostOfRow;
    }
}

/// Leaves launches of few warps as they are where \p U, of \p R, waits for each
/// tile, unless rows have conflicts of banks, and plain loads may wait for more
/// iterations together than LLVM unrolls: ptxas unrolls loops over two rows, or
/// over one from its end, once more, some of them by four; or for several words
/// of one. Measured on an H100 in blocks of 128 and 256: 1.0 to 1.7 times as
/// long in tiles; where rows are changed in place, or four loops read them, 1.0
/// to 1.3.
static void leaveWaiting(RowUnitPlan &U, const RowRegionPlan &R) {
  constexpr size_t ManyLoops = 4;
  size_t Loads = 0;
  bool IsBackwards = false;
  for (const Stream &S : U.Unit.Streams)
    if (S.Kind == Stream::PerThread) {
      Loads += S.Loads.size();
      IsBackwards |= S.isBackwards();
    }
  if (Loads > 1 || IsBackwards || U.Price.WaitsBeside || U.Unit.isInPlace() ||
      R.Units.size() >= ManyLoops)
    U.Price.LeastToWait = UINT_MAX;
}

/// Whether no unit of \p R is in \p L or around it.
static bool hasNoUnit(const Loop *L, const RowRegionPlan &R) {
  return none_of(R.Units, [&](const RowUnitPlan &U) {
    return U.Unit.OuterLoop &&
           (L->contains(U.Unit.OuterLoop) || U.Unit.OuterLoop->contains(L));
  });
}

/// Whether \p L is a loop of \p R that none of its units is in or around.
static bool isOther(const Loop *L, const RowRegionPlan &R) {
  return R.Region.Blocks.contains(L->getHeader()) && hasNoUnit(L, R);
}

/// Whether \p L has no other loops, and may have more than a few iterations.
static bool isLongInnermost(const Loop *L, ScalarEvolution &SE) {
  constexpr unsigned Few = 8;
  const unsigned Most = SE.getSmallConstantMaxTripCount(L);
  return L->isInnermost() && (Most == 0 || Most > Few);
}

/// Whether \p R has a loop behind \p Unit that is none of its units.
static bool
hasOtherLoopBehind(const RowUnit &Unit, const RowRegionPlan &R,
                   const PlanContext &C,
                   const DenseMap<const BasicBlock *, unsigned> &Order) {
  return any_of(C.LI.getLoopsInPreorder(), [&](const Loop *L) {
    return isOther(L, R) && Order.lookup(L->getHeader()) >
                                Order.lookup(Unit.place()->getParent());
  });
}

/// Whether \p R has another loop that reads memory, of more than a few
/// iterations.
static bool hasPlainLoop(const RowRegionPlan &R, const PlanContext &C) {
  auto Reads = [](const Instruction &I) {
    auto *Load = dyn_cast<LoadInst>(&I);
    return Load && mayBeGlobalMemory(Load->getPointerOperand());
  };
  auto IsPlain = [&](const Loop *L) {
    return isLongInnermost(L, C.SE) && isOther(L, R) &&
           any_of(L->blocks(),
                  [&](const BasicBlock *B) { return any_of(*B, Reads); });
  };
  return any_of(C.LI.getLoopsInPreorder(), IsPlain);
}

/// Whether a loop of \p R is left as it was in launches of few warps.
static bool leavesLoop(const RowRegionPlan &R) {
  return any_of(R.Units, [](const RowUnitPlan &U) {
    return U.canBeShort() &&
           U.minTripCountOfCached(LaunchKind::FewWarps) == UINT64_MAX;
  });
}

/// Puts the units of \p R in the order in which threads come to them, and finds
/// those to which these come apart, and those behind which they do another loop
/// apart.
static void sortUnits(RowRegionPlan &R, const PlanContext &C) {
  DenseMap<const BasicBlock *, unsigned> Order;
  for (const BasicBlock *B : ReversePostOrderTraversal<Function *>(&C.Kernel))
    Order.insert({B, Order.size()});
  llvm::sort(R.Units, [&](const RowUnitPlan &A, const RowUnitPlan &B) {
    const Instruction *OfA = A.Unit.place(), *OfB = B.Unit.place();
    return OfA->getParent() == OfB->getParent()
               ? OfA->comesBefore(OfB)
               : Order[OfA->getParent()] < Order[OfB->getParent()];
  });
  bool Apart = false;
  for (RowUnitPlan &U : R.Units) {
    U.ComesApart = Apart;
    Apart |= U.Unit.PassedOver;
    U.GoesApart = U.Unit.PassedOver && hasOtherLoopBehind(U.Unit, R, C, Order);
  }
}

bool leaveFirstLevel(RowPlan &Plan, RowAnalysis &Analysis,
                     const PlanContext &C) {
  unsigned Lines = 0;
  for (const Loop *L : C.LI.getLoopsInPreorder())
    if (isLongInnermost(L, C.SE) &&
        all_of(Plan.Regions,
               [&](const RowRegionPlan &R) { return hasNoUnit(L, R); }))
      Lines = std::max(Lines, Analysis.linesReadIn(*L, C.Limits.WarpSize));
  if (Lines < C.Limits.WarpSize)
    return false;
  const double OfWarp = double(Lines) * gpu::LineBytes;
  auto InBlocksOf = [&](unsigned Threads) {
    constexpr unsigned Registers = 100; // of kernels with tiles, by ptxas
    return residentBlocks(
        C.Limits, {Threads, Plan.warpBytes() * Plan.warps(), Registers, 0});
  };
  const sim::DeviceModel &Gpu = *C.Limits.Gpu;
  // Blocks of one warp have as many tiles each as the largest. With
  // asynchronous copies these are worth it. Predicted for a V100, a loop over
  // 512 shorts beside tiles in 600 such blocks: 1.5 times as long.
  if (!C.Limits.AsyncCopies) {
    const double Room = double(InBlocksOf(C.Limits.WarpSize).L1Bytes) / OfWarp;
    for (RowRegionPlan &R : Plan.Regions)
      for (RowUnitPlan &U : R.Units)
        U.RoomFor = Gpu.multiprocessors() * unsigned(std::max(Room, 1.0));
  }
  const sim::Occupancy Staged = InBlocksOf(Plan.MaxThreads);
  if (Staged.Warps * OfWarp <= double(Staged.L1Bytes))
    return false;
  // Lines that are read again are lost from about so many times on what the
  // first level has room for.
  constexpr double Thrashes = 1.4;
  const double Warps =
      std::min(Thrashes * Gpu.L1KiB * 1024 / OfWarp, double(Staged.MostWarps));
  for (RowRegionPlan &R : Plan.Regions)
    for (RowUnitPlan &U : R.Units)
      U.FewWarps = std::max(U.FewWarps,
                            unsigned(std::ceil(Warps)) * Gpu.multiprocessors());
  return true;
}

void completeRegion(RowRegionPlan &R, const PlanContext &C) {
  sortUnits(R, C);
  findIterations(R, C);
  if (!R.Iterations)
    findParts(R, C);
  findRereads(R, C.Limits, C.SE);
  // At -O2 LLVM unrolls loops so little that ptxas does it once more; and where
  // copies go through registers, tiles gain little but conflicts of banks.
  const bool IsUnrolledOnceMore = C.Limits.SpeedupLevel < 3;
  for (RowUnitPlan &U : R.Units) {
    U.WaitsLittle = IsUnrolledOnceMore || !C.Limits.AsyncCopies;
    if (IsUnrolledOnceMore && U.ConflictingBytes)
      U.ConflictingBytes = gpu::LineBytes;
  }
  R.HasPlainLoop = C.Limits.AsyncCopies && hasPlainLoop(R, C);
  const bool BesidePlain =
      C.Limits.AsyncCopies && (R.HasPlainLoop || leavesLoop(R));
  for (RowUnitPlan &U : R.Units) {
    leaveWaiting(U, R);
    U.BesidePlain = BesidePlain;
    // Of a team's loop it is not known how many warps have rows.
    if (!R.Iterations && (BesidePlain || U.Price.WaitsBeside))
      U.FewWarps = RowUnitPlan::AlwaysFew;
  }
}

} // namespace ferry
