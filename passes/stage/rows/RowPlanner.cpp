//===- RowPlanner.cpp - What is worth staging -----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model counts sectors that a warp's loads touch, as hardware does for a
// request (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory").
// Where the distance between threads is not known it takes them to be far
// apart, and the kernel asks again at run time.
//
//===----------------------------------------------------------------------===//

#include "RowPlanner.h"
#include "StreamWords.h"
#include "ThreadStrides.h"
#include "gpu/DeviceTable.h"
#include "stage/MathFunctions.h"
#include "stage/common/GpuModel.h"
#include "stage/common/KernelInstructions.h"
#include "stage/common/LoopUnrolling.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

static cl::opt<double> LeastRowGain(
    "ferry-stage-row-gain", cl::Hidden, cl::init(1.5),
    cl::desc("How many times the sectors of tiles a row has to read"));

static cl::opt<unsigned>
    MaxPlaces("ferry-stage-max-places", cl::Hidden, cl::init(8),
              cl::desc("Places of a kernel where rows are staged"));

static cl::opt<unsigned>
    MaxWholeIterations("ferry-stage-max-whole-iterations", cl::Hidden,
                       cl::init(256),
                       cl::desc("Iterations of a row that is read again, and "
                                "that a tile holds in whole"));

namespace ferry {

static constexpr double SectorBytes = gpu::SectorBytes;
static constexpr unsigned MostTileIterations = 32;

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

/// Sectors of one request whose threads are Stride bytes apart, of \p Size
/// bytes each.
static double sectorsOfRequest(const std::optional<int64_t> &Stride,
                               double Size, unsigned WarpSize) {
  double Distance = Stride ? std::abs(static_cast<double>(*Stride)) : 1e9;
  double Apart = WarpSize * std::max(1.0, std::ceil(Size / SectorBytes));
  return std::min(Apart, 1 + (WarpSize - 1) * Distance / SectorBytes);
}

/// Sectors for one step of \p S, as the loads are and staged.
static RowCost costOf(const Stream &S, bool StraightLine, unsigned WarpSize) {
  RowCost Cost;
  for (const StreamLoad &L : S.Loads)
    Cost.SectorsBefore +=
        S.Kind == Stream::Uniform
            ? 1
            : sectorsOfRequest(S.ThreadStride, accessBytes(*L.Load), WarpSize);
  double Rows = S.Kind == Stream::Uniform ? 1 : WarpSize;
  // A row that is walked without gaps costs what it holds; one with longer
  // steps a sector for each, and so does a record alone, unless records follow
  // each other closely.
  double PerRow = S.Window / SectorBytes;
  if (StraightLine)
    PerRow = S.ThreadStride && std::abs(*S.ThreadStride) <=
                                   static_cast<int64_t>(S.Window) + 8
                 ? PerRow
                 : PerRow + (SectorBytes - 1) / SectorBytes;
  else if (S.ConstantStep)
    PerRow = std::min(std::max(1.0, PerRow),
                      std::abs(*S.ConstantStep) / SectorBytes);
  Cost.SectorsAfter = Rows * PerRow;
  return Cost;
}

/// Whether \p V is what several neighbours of a warp have in common, most
/// likely: a quotient, or what is left of one, or of any number by a small one.
static bool isSharedValue(const Value *V) {
  using namespace PatternMatch;
  while (auto *Cast = dyn_cast<CastInst>(V))
    V = Cast->getOperand(0);
  const APInt *By;
  const Value *Dividend;
  return match(V, m_IDiv(m_Value(), m_Value())) ||
         match(V, m_Shr(m_Value(), m_Value())) ||
         (match(V, m_IRem(m_Value(), m_APInt(By))) &&
          By->abs().ult(gpu::WarpThreads)) ||
         (match(V, m_IRem(m_Value(Dividend), m_Value())) &&
          isSharedValue(Dividend));
}

static bool isSharedNumber(const SCEV *S) {
  auto *U = dyn_cast<SCEVUnknown>(S);
  auto *Part = dyn_cast<SCEVTruncateExpr>(S);
  return isa<SCEVUDivExpr>(S) || (U && isSharedValue(U->getValue())) ||
         (Part && isSharedPart(*Part));
}

/// Whether \p S is a number that is read from memory. Pointers in a table of
/// rows are apart from each other as rows are allocated: equally, most likely.
static bool isLoadedNumber(const SCEV *S) {
  auto *U = dyn_cast<SCEVUnknown>(S);
  return U && U->getType()->isIntegerTy() && isa<LoadInst>(U->getValue());
}

/// Whether what neighbouring threads read at a time is side by side.
static bool isDenseAcrossThreads(const Stream &S) {
  return S.ThreadStride && all_of(S.Loads, [&](const StreamLoad &L) {
           return uint64_t(std::abs(*S.ThreadStride)) <= accessBytes(*L.Load);
         });
}

/// Why a single stream is not worth staging, if it is not.
static std::optional<StageRefusal>
refuseStream(const Stream &S, bool StraightLine, unsigned WarpSize) {
  RowCost Cost = costOf(S, StraightLine, WarpSize);
  if (S.Kind == Stream::Uniform)
    return S.ConstantStep &&
                   *S.ConstantStep == static_cast<int64_t>(S.Window) &&
                   S.Window <= 8
               ? std::nullopt
               : std::optional(StageRefusal::LongStep);
  if (S.ThreadStride == 0 ||
      (!S.ThreadStrideSum && SCEVExprContains(S.Start, isSharedNumber)))
    return StageRefusal::SharedRow;
  // Rows that are not equally far apart are left when the kernel runs, but by
  // then they have taken shared memory.
  if (!S.ThreadStrideSum && SCEVExprContains(S.Start, isLoadedNumber))
    return StageRefusal::ScatteredRow;
  // Every byte of the sectors is used already.
  if (!StraightLine && isDenseAcrossThreads(S))
    return StageRefusal::AlreadyCoalesced;
  if (S.Word < gpu::BankBytes)
    return StageRefusal::ShortWord;
  if (S.ReadAnyway)
    return StageRefusal::CachedRecord;
  if (Cost.SectorsBefore >= LeastRowGain * Cost.SectorsAfter)
    return std::nullopt;
  return S.ThreadStride && std::abs(*S.ThreadStride) < SectorBytes
             ? StageRefusal::AlreadyCoalesced
             : StageRefusal::LongStep;
}

/// Whether so few threads of a block do iterations around \p Unit at a time
/// that a warp lacks many, by clauses that give them out. Predicted, rows of 64
/// to 256 doubles: with `schedule(static, 4)` and 32 they took 1.1 to 4 times
/// as long in launches of 100,000 iterations; with two, 0.4 to 1.0 times.
static bool haveFewRows(const RowUnit &Unit, const KernelLimits &Limits) {
  const uint64_t Together = Unit.threadsTogether(Limits.MaxThreads);
  if (Together % Limits.WarpSize != 0 &&
      Together < leastInBlock(Limits.WarpSize))
    return true;
  // The runtime chooses blocks of one warp where iterations are few.
  return !Limits.areThreadsFixed() &&
         Unit.threadsTogether(Limits.WarpSize) < leastRows(Limits.WarpSize);
}

/// Why a place is not worth staging, whatever its streams are.
static std::optional<StageNote> refuseUnit(const RowUnit &Unit,
                                           const KernelLimits &Limits) {
  auto Refuse = [&](StageRefusal Why) { return StageNote{Unit.place(), Why}; };
  if (Unit.isStraightLine())
    return Refuse(StageRefusal::CachedRecord);
  if (!Unit.isWhole() && !Unit.UniformTripCount)
    return Refuse(StageRefusal::UnequalRows);
  if (Unit.FollowsValues)
    return Refuse(StageRefusal::CachedRow);
  // Between tiles the optimiser does not see that it need not be read.
  if (Unit.HandsOn)
    return Refuse(StageRefusal::WrittenAhead);
  // Such a meeting is for nothing, and from there on threads with a row and
  // threads without one go on apart.
  if (Unit.Scattering)
    return StageNote{Unit.Scattering, StageRefusal::SomeThreads};
  // A launch takes the largest blocks that it may.
  if (Limits.Lacking)
    return Refuse(StageRefusal::PartialWarp);
  auto *Threads = dyn_cast_or_null<SCEVConstant>(Unit.Threads);
  if (Threads && Threads->getAPInt().slt(leastRows(Limits.WarpSize)))
    return Refuse(StageRefusal::FewRows);
  if (haveFewRows(Unit, Limits))
    return Refuse(StageRefusal::FewRows);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

/// Bytes from one row of a tile to the next, so that the threads of a warp find
/// the same column of their rows in different banks: an odd number of the
/// largest access, of at least a bank's bytes. \p Wide: of the largest that
/// there is.
static unsigned pitchOf(const Stream &S, unsigned Words, bool Wide) {
  uint64_t Largest =
      Wide ? gpu::MaxAccessBytes : std::max(gpu::BankBytes, S.Word);
  for (const StreamLoad &L : S.Loads) {
    uint64_t Size = accessBytes(*L.Load);
    Largest = std::max(
        Largest, std::min<uint64_t>(gpu::MaxAccessBytes, bit_floor(Size)));
  }
  uint64_t Units = divideCeil(Words * S.Word, Largest);
  return static_cast<unsigned>((Units | 1) * Largest);
}

/// Whether a part of a tile of \p Plan, whose iterations are not known yet, is
/// unrolled, and LLVM can read it by the largest accesses.
static bool isUnrolled(const RowUnitPlan &Plan) {
  const RowUnit &Unit = Plan.Unit;
  if (Plan.InAllSteps.empty())
    return Unit.InnerLoop->getNumBlocks() == 1 &&
           Unit.instructions() * RowUnitPlan::MostPartSteps <=
               RowUnitPlan::MostUnrolled;
  // With each of these the block before it and the one behind it become one.
  return Plan.Async &&
         Unit.InnerLoop->getNumBlocks() == 1 + 2 * Plan.InAllSteps.size() &&
         Unit.instructionsInTile() * MostTileIterations <=
             RowUnitPlan::MostUnrolled;
}

/// Whether \p S is copied and read by the largest accesses, where memory is
/// aligned to them. Reading its steps one by one would have bank conflicts.
static bool isWide(const RowUnitPlan &Plan, const Stream &S) {
  return !Plan.Unit.isWhole() && S.isDense() && S.Word >= gpu::BankBytes &&
         isUnrolled(Plan);
}

/// Lays the streams of \p Plan out, with \p Iterations.
static TileLayout layOutTile(const RowUnitPlan &Plan, unsigned Iterations,
                             bool Wide, unsigned WarpSize) {
  const RowUnit &Unit = Plan.Unit;
  TileLayout Tile;
  Tile.Iterations = Iterations;
  for (const Stream &S : Unit.Streams) {
    StreamLayout L{0, 0, Tile.Bytes};
    if (S.Kind == Stream::Uniform) {
      L.Words = Iterations;
      Tile.Bytes += L.Words * S.Word;
    } else {
      L.Words = Unit.isStraightLine() ? S.windowWords() : S.words(Iterations);
      L.Pitch = pitchOf(S, L.Words, Wide && isWide(Plan, S));
      Tile.Bytes += L.Pitch * WarpSize;
    }
    Tile.Bytes = alignTo(Tile.Bytes, gpu::SharedAlignment);
    Tile.Streams.push_back(L);
  }
  return Tile;
}

/// Lays \p Plan out in at most \p Budget bytes; false when that cannot be done.
static bool layOut(RowUnitPlan &Plan, uint64_t Budget,
                   const KernelLimits &Limits) {
  const RowUnit &Unit = Plan.Unit;
  unsigned LongestStep = 1, ShortestStep = gpu::SectorBytes;
  for (const Stream &S : Unit.Streams)
    if (S.Kind == Stream::PerThread) {
      LongestStep = std::max(LongestStep, S.wordsPerIteration() * S.Word);
      ShortestStep = std::min(ShortestStep, S.wordsPerIteration() * S.Word);
    }
  // Long rows make sectors whole and meetings rare.
  constexpr unsigned RowBytes = 2 * gpu::LineBytes;
  unsigned Iterations =
      std::clamp(RowBytes / bit_floor(LongestStep), 1u, MostTileIterations);
  auto *TripCount =
      Unit.isWhole() ? dyn_cast<SCEVConstant>(Unit.TripCount) : nullptr;
  if (TripCount) {
    if (TripCount->getAPInt().ugt(MaxWholeIterations))
      return false;
    Iterations = static_cast<unsigned>(TripCount->getAPInt().getZExtValue());
  }
  // Half a tile has to be long enough to make sectors whole, and asynchronous
  // copies have to be worth their instructions, as many for fewer bytes.
  const unsigned Least =
      Plan.CheckProfit && Plan.Async ? gpu::LineBytes : 2 * gpu::SectorBytes;
  auto CanBeHalved = [&] {
    return !Unit.isWhole() && Iterations * ShortestStep >= Least &&
           Iterations >= 4;
  };
  auto Fits = [&](bool Wide, bool Halved) {
    const unsigned Small = Halved ? Iterations / 2 : Iterations;
    Plan.Tile = layOutTile(Plan, Iterations, Wide, Limits.WarpSize);
    Plan.SmallTile = layOutTile(Plan, Small, Wide, Limits.WarpSize);
    Plan.BlockBytes = Plan.warpBytes() * Plan.Warps;
    return Plan.BlockBytes <= Budget;
  };
  // A warp that is alone can have three tiles under way while it reads one, if
  // these are small.
  constexpr uint64_t SmallTileBytes = 5 * 1024;
  if (Plan.Async && !Unit.isWhole() && Fits(/*Wide=*/true, /*Halved=*/false) &&
      Plan.Tile.Bytes <= SmallTileBytes)
    return true;
  for (;; Iterations /= 2) {
    const bool Halved = CanBeHalved();
    if (Fits(/*Wide=*/true, Halved) || Fits(/*Wide=*/false, Halved))
      return true;
    if (TripCount || !Halved)
      return false;
  }
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Drops the streams of \p Unit that do not pay, and says whether some are
/// left.
static bool keepPaying(RowUnit &Unit, RowCost &Cost, StageMode Mode,
                       const KernelLimits &Limits,
                       std::vector<StageNote> &Notes) {
  SmallVector<Stream, 4> Rows, Uniform;
  for (Stream &S : Unit.Streams) {
    bool CanBeUniform = S.ConstantStep && S.windowWords() == 1 &&
                        *S.ConstantStep == S.Word && !Unit.isWhole();
    std::optional<StageRefusal> Why =
        refuseStream(S, Unit.isStraightLine(), Limits.WarpSize);
    if (!S.Global && !Limits.TellsMemory)
      Notes.push_back({S.Loads[0].Load, StageRefusal::NotGlobal});
    else if (S.Kind == Stream::Uniform && CanBeUniform)
      Uniform.push_back(std::move(S));
    else if (S.Kind == Stream::PerThread && (!Why || Mode == StageMode::Always))
      Rows.push_back(std::move(S));
    else
      Notes.push_back({S.Loads[0].Load, Why.value_or(StageRefusal::SharedRow)});
  }
  if (Rows.empty()) {
    for (const Stream &S : Uniform)
      Notes.push_back({S.Loads[0].Load, StageRefusal::SharedRow});
    return false;
  }
  // What the threads have in common comes along with the rows.
  Unit.Streams.clear();
  for (auto *Kept : {&Rows, &Uniform})
    for (Stream &S : *Kept) {
      RowCost C = costOf(S, Unit.isStraightLine(), Limits.WarpSize);
      Cost.SectorsBefore += C.SectorsBefore;
      Cost.SectorsAfter += C.SectorsAfter;
      Unit.Streams.push_back(std::move(S));
    }
  return true;
}

/// That layOut() found no room for \p Plan in \p Left bytes.
static StageNote noteNoRoom(const RowUnitPlan &Plan, uint64_t Left) {
  const Instruction &Where = *Plan.Unit.place();
  if (Plan.BlockBytes)
    return noteNoBudget(Where, Plan.BlockBytes, Left);
  return {&Where, StageRefusal::NoBudget,
          "a row that is read again may have " + utostr(MaxWholeIterations) +
              " iterations"};
}

static bool overlap(const RowUnit &A, const RowUnit &B) {
  if (A.isStraightLine() && B.isStraightLine())
    return A.StraightLine == B.StraightLine;
  if (A.isStraightLine())
    return B.OuterLoop->contains(A.StraightLine);
  if (B.isStraightLine())
    return A.OuterLoop->contains(B.StraightLine);
  return A.OuterLoop->contains(B.OuterLoop) ||
         B.OuterLoop->contains(A.OuterLoop);
}

/// Whether \p A and \p B have code in common, or one leads into the other.
static bool touch(const WarpRegion &A, const WarpRegion &B) {
  auto Holds = [](const WarpRegion &R, BasicBlock *Block) {
    return R.Blocks.contains(Block);
  };
  return any_of(A.Blocks, [&](BasicBlock *In) { return Holds(B, In); }) ||
         Holds(A, B.Entry) || Holds(A, B.Exit) || Holds(B, A.Entry) ||
         Holds(B, A.Exit);
}

static bool isSame(const WarpRegion &A, const WarpRegion &B) {
  return A.Entry == B.Entry && A.Exit == B.Exit;
}

namespace {
/// A place that pays, if it has room.
struct Choice {
  WarpRegion Region;
  RowUnitPlan Plan;
  size_t Number; ///< in the order of the code

  auto rank() const {
    return std::pair(Plan.Cost.SectorsAfter - Plan.Cost.SectorsBefore, Number);
  }
  bool touches(const RowRegionPlan &P) const {
    return any_of(P.Units,
                  [&](const RowUnitPlan &U) {
                    return overlap(U.Unit, Plan.Unit);
                  }) ||
           (!isSame(P.Region, Region) && touch(P.Region, Region));
  }
};
} // namespace

/// Those of \p Candidates that pay, the greatest gain first.
static std::vector<Choice> choicesOf(std::vector<RowCandidate> Candidates,
                                     const KernelLimits &Limits, StageMode Mode,
                                     std::vector<StageNote> &Notes) {
  std::vector<Choice> Choices;
  for (RowCandidate &C : Candidates) {
    Choice New{std::move(C.Region), {}, Choices.size()};
    New.Plan.CheckProfit = Mode != StageMode::Always;
    if (!keepPaying(C.Unit, New.Plan.Cost, Mode, Limits, Notes))
      continue;
    if (Mode != StageMode::Always)
      if (std::optional<StageNote> Note = refuseUnit(C.Unit, Limits)) {
        Notes.push_back(std::move(*Note));
        continue;
      }
    New.Plan.Async = Limits.AsyncCopies && none_of(C.Unit.Streams, hasGaps);
    New.Plan.Unit = std::move(C.Unit);
    New.Plan.InAllSteps = New.Plan.Unit.blocksForAllSteps();
    Choices.push_back(std::move(New));
  }
  sort(Choices,
       [](const Choice &A, const Choice &B) { return A.rank() < B.rank(); });
  return Choices;
}

/// How many iterations rows of \p Unit have at most if none reaches into the
/// next thread's. What one thread has read, the first-level cache has for the
/// others.
static uint64_t tripCountWithoutOverlap(const RowUnit &Unit) {
  uint64_t Most = UINT64_MAX;
  for (const Stream &S : Unit.Streams)
    if (S.Kind == Stream::PerThread && S.ThreadStride && S.ConstantStep &&
        *S.ConstantStep)
      Most = std::min<uint64_t>(Most, std::abs(*S.ThreadStride) /
                                          std::abs(*S.ConstantStep));
  return Most;
}

/// Why \p Plan does not pay, by prediction or because it never has enough
/// iterations, if that is known.
static std::optional<StageNote> refusePlan(const RowUnitPlan &Plan) {
  if (!Plan.canBeShort())
    return std::nullopt;
  auto Refuse = [&](StageRefusal Why, const Twine &Detail) {
    return StageNote{Plan.Unit.place(), Why, Detail.str()};
  };
  if (!Plan.Unit.isWhole() && !Plan.Price.reason().pays())
    return Refuse(StageRefusal::LittleGain,
                  "limited by " + Twine(Plan.Price.Many.Plain.Limiter) +
                      ", then by " + Plan.Price.Many.Staged.Limiter);
  const uint64_t Least = Plan.minTripCount();
  auto Iterations = [&](uint64_t Most) {
    return (Twine(Most) + " iterations at most, " + Twine(Least) + " needed")
        .str();
  };
  if (Plan.Unit.MaxTripCount < Least)
    return Refuse(StageRefusal::ShortRow, Iterations(Plan.Unit.MaxTripCount));
  if (const uint64_t Apart = tripCountWithoutOverlap(Plan.Unit); Apart < Least)
    return Refuse(StageRefusal::OverlappingRow, Iterations(Apart));
  return std::nullopt;
}

std::vector<RowRegionPlan> chooseRows(std::vector<RowCandidate> Candidates,
                                      const KernelLimits &Limits,
                                      unsigned Warps, uint64_t Budget,
                                      StageMode Mode,
                                      std::vector<StageNote> &Notes) {
  std::vector<RowRegionPlan> Plans;
  unsigned Places = 0;
  for (Choice &C : choicesOf(std::move(Candidates), Limits, Mode, Notes)) {
    if (any_of(Plans, [&](const RowRegionPlan &P) { return C.touches(P); }))
      continue;
    if (Places >= MaxPlaces) {
      Notes.push_back({C.Plan.Unit.place(), StageRefusal::TooMany});
      continue;
    }
    C.Plan.Warps = Warps;
    if (!layOut(C.Plan, Budget, Limits)) {
      Notes.push_back(noteNoRoom(C.Plan, Budget));
      continue;
    }
    C.Plan.FullTiles = C.Plan.canHaveFullTiles();
    if (C.Plan.FullTiles)
      C.Plan.FullUnroll = timesUnrolledInFull(C.Plan);
    C.Plan.UnrollsParts = !C.Plan.Unit.isStraightLine() &&
                          C.Plan.Unit.instructions() * C.Plan.unrollCount() <=
                              RowUnitPlan::MostUnrolled;
    if (!C.Plan.Unit.isWhole())
      C.Plan.Price = RowPrice::of(C.Plan, Limits);
    auto InGrid = [&](unsigned Warps) {
      return SaturatingMultiply(Warps, Limits.Gpu->multiprocessors());
    };
    C.Plan.FewWarps = InGrid(C.Plan.Price.LeastOfMany);
    const MemoryBound &OfMemory = C.Plan.Price.OfMemory;
    C.Plan.OfMemory = {InGrid(OfMemory.Most), InGrid(OfMemory.MostByClause),
                       InGrid(OfMemory.Least)};
    if (std::optional<StageNote> Note = refusePlan(C.Plan)) {
      Notes.push_back(std::move(*Note));
      continue;
    }
    auto Same = find_if(Plans, [&](const RowRegionPlan &P) {
      return isSame(P.Region, C.Region);
    });
    if (Same == Plans.end()) {
      Same = Plans.emplace(Plans.end());
      Same->Region = std::move(C.Region);
    }
    Same->Units.push_back(std::move(C.Plan));
    ++Places;
  }
  return Plans;
}

/// How many blocks of one warp all multiprocessors have room for at once: for
/// the tiles of \p Plan, and in the first level for rows that are read as they
/// are meanwhile.
static unsigned roomFor(const RowPlan &Plan, const KernelLimits &Limits) {
  const sim::DeviceModel &Gpu = *Limits.Gpu;
  const unsigned Tiles = Plan.warpBytes() * Plan.warps(),
                 Rows = 2 * Limits.WarpSize * gpu::LineBytes; // of two streams
  const unsigned Resident =
      residentBlocks(Limits, {Limits.WarpSize, Tiles, 0, 0}).Blocks;
  return Gpu.multiprocessors() *
         std::clamp(unsigned(Gpu.L1KiB * 1024) / (Tiles + Rows), 1u,
                    std::max(Resident, 1u));
}

/// Chooses among \p Candidates, with shared memory for each warp of blocks of a
/// few to copy tiles ahead, or with less if that is too much for one of them.
/// Larger blocks have to do without: the kernel may be launched in smaller
/// ones, and with many. Measured on an H100 with 512 to 16,384 threads in
/// blocks of 32 and 96: kernels took 0.71 and 0.77 times as long as without
/// tiles, and 0.80 and 0.87 times where tiles were waited for.
static std::vector<RowRegionPlan>
chooseRows(const std::vector<RowCandidate> &Candidates, const PlanContext &C,
           std::vector<StageNote> &Notes) {
  auto Choose = [&](unsigned Warps, std::vector<StageNote> &Notes) {
    return chooseRows(Candidates, C.Limits, Warps, C.Budget, C.Mode, Notes);
  };
  const unsigned Warps = std::max(C.Limits.maxWarps(), 1u);
  if (C.Limits.AsyncCopies && Warps < RowUnitPlan::MostShares) {
    std::vector<StageNote> OfAhead;
    auto Plans = Choose(Warps * RowUnitPlan::MostShares, OfAhead);
    if (none_of(OfAhead, [](const StageNote &N) {
          return N.Why == StageRefusal::NoBudget;
        })) {
      append_range(Notes, std::move(OfAhead));
      return Plans;
    }
  }
  return Choose(std::max(Warps, 2u), Notes);
}

/// RowUnit::TimesUnrolled of \p Unit, a loop.
static unsigned timesUnrolled(const RowUnit &Unit, const PlanContext &C) {
  // Calls of functions of libdevice are taken for such that threads have to
  // make together where staging is off.
  auto CallsMath = [](const Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && Callee->isDeclaration() && isMathFunction(*Callee);
  };
  const Loop &L = *Unit.InnerLoop;
  const bool IsLeft = !Unit.Stores.empty() || L.getNumBlocks() != 1 ||
                      findOptionMDForLoop(&L, "llvm.loop.unroll.disable") ||
                      any_of(*L.getHeader(), CallsMath);
  if (IsLeft)
    return 0;
  return timesUnrolled(*Unit.InnerLoop, C.Target, C.SE, C.Limits.SpeedupLevel);
}

template <>
std::optional<RowPlan> findPlan(const PlanContext &C,
                                std::vector<StageNote> &Notes) {
  RowAnalysis Analysis(C.Kernel, C.DT, C.PDT, C.LI, C.SE);
  std::vector<RowCandidate> Candidates = Analysis.candidates();
  for (RowCandidate &Its : Candidates)
    if (!Its.Unit.isStraightLine())
      Its.Unit.TimesUnrolled = timesUnrolled(Its.Unit, C);
  append_range(Notes, Analysis.notes());
  RowPlan Plan{chooseRows(Candidates, C, Notes), C.Limits.MaxThreads};
  for (RowRegionPlan &R : Plan.Regions)
    completeRegion(R, C);
  if (Plan.Regions.empty())
    return std::nullopt;
  const bool LeavesFirstLevel = leaveFirstLevel(Plan, Analysis, C);
  for (RowRegionPlan &R : Plan.Regions)
    if (R.Units.size() > 1 || R.HasPlainLoop || LeavesFirstLevel)
      for (RowUnitPlan &U : R.Units)
        // Where rows are read again, the second level has less of them behind
        // copies that wait for every tile.
        U.RoomFor = std::min(U.RoomFor,
                             roomFor(Plan, C.Limits) /
                                 (U.Rereads && !C.Limits.AsyncCopies ? 2 : 1));
  return Plan;
}

} // namespace ferry
