//===- RowPlanner.cpp - What is worth staging -----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model counts sectors of 32 bytes that a warp's loads touch, as hardware
// does for a request (CUDA C++ Best Practices Guide, "Coalesced Access to
// Global Memory"). Where the distance between threads is not known it takes
// them to be far apart, and the kernel asks again at run time.
//
//===----------------------------------------------------------------------===//

#include "RowPlanner.h"
#include "closure/RegionInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Frontend/OpenMP/OMPDeviceConstants.h"
#include "llvm/Frontend/OpenMP/OMPIRBuilder.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Triple.h"
#include <cmath>

using namespace llvm;

namespace ferry {

bool isOpenMPKernel(const Function &F) {
  return !F.isDeclaration() && F.hasFnAttribute("kernel") &&
         F.getName().starts_with("__omp_offloading_");
}

static constexpr double SectorBytes = 32;

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// The execution mode in the kernel's environment: LLVM's OMPTgtExecModeFlags.
static std::optional<unsigned> executionMode(const Function &Kernel) {
  auto *G = Kernel.getParent()->getNamedGlobal(
      (Kernel.getName() + "_kernel_environment").str());
  if (!G || !G->hasInitializer())
    return std::nullopt;
  Constant *Configuration = G->getInitializer()->getAggregateElement(0u);
  Constant *Mode =
      Configuration ? Configuration->getAggregateElement(2u) : nullptr;
  auto *Value = dyn_cast_or_null<ConstantInt>(Mode);
  return Value ? std::optional<unsigned>(Value->getZExtValue()) : std::nullopt;
}

static unsigned maxThreads(const Function &Kernel, const Triple &T) {
  constexpr unsigned Most = 1024;
  // LLVM's reader would add an empty list to modules without annotations.
  if (T.isNVPTX() && !Kernel.getParent()->getNamedMetadata("nvvm.annotations"))
    return std::min<uint64_t>(
        Kernel.getFnAttributeAsParsedInteger("omp_target_thread_limit", Most),
        Most);
  auto [Least, Bound] = OpenMPIRBuilder::readThreadBoundsForKernel(
      T, const_cast<Function &>(Kernel));
  return Bound > 0 ? std::min<unsigned>(Bound, Most) : Most;
}

/// Whether another kernel's code uses \p G directly.
static bool belongsToOther(const GlobalVariable &G, const Function &Kernel) {
  return none_of(G.users(), [&](const User *U) {
    auto *I = dyn_cast<Instruction>(U);
    return !I || I->getFunction() == &Kernel ||
           !isOpenMPKernel(*I->getFunction());
  });
}

/// Which variables the kernel's callees use is not looked at.
static uint64_t sharedBytes(const Function &Kernel) {
  const Module &M = *Kernel.getParent();
  uint64_t Sum = 0;
  for (const GlobalVariable &G : M.globals())
    if (G.getAddressSpace() == 3 && !G.use_empty() &&
        !belongsToOther(G, Kernel))
      Sum = alignTo(Sum, G.getAlign().valueOrOne()) +
            M.getDataLayout().getTypeAllocSize(G.getValueType());
  return Sum;
}

bool isAssumed(const Function &Kernel, StringRef What) {
  StringRef All = Kernel.getFnAttribute("llvm.assume").getValueAsString();
  return is_contained(split(All, ','), What);
}

uint64_t KernelLimits::budget(const StageOptions &Options) const {
  // More than 48 KiB a block has to ask the driver for.
  uint64_t Limit = std::min<uint64_t>(Options.MaxBytes, 48 << 10);
  return Limit > SharedBytes ? Limit - SharedBytes : 0;
}

/// The threads of a wavefront, if each of them can get what any other has
/// (ds_bpermute, which in gfx10 and gfx11 reaches 32 threads).
static std::optional<unsigned> wavefrontSize(const Function &Kernel) {
  StringRef Features =
      Kernel.getFnAttribute("target-features").getValueAsString();
  if (Features.contains("+wavefrontsize32"))
    return 32;
  if (Features.contains("+gfx10-insts") && !Features.contains("+gfx12-insts"))
    return std::nullopt;
  return 64;
}

std::optional<StageRefusal> readLimits(const Function &Kernel,
                                       KernelLimits &Limits) {
  const Module &M = *Kernel.getParent();
  Triple T(M.getTargetTriple());
  StringRef CPU = Kernel.getFnAttribute("target-cpu").getValueAsString();
  unsigned SM = 0;
  // Threads of a warp go their own ways from sm_70 on.
  if (T.isNVPTX() &&
      (!CPU.consume_front("sm_") || CPU.consumeInteger(10, SM) || SM < 70))
    return StageRefusal::UnsupportedTarget;
  std::optional<unsigned> WarpSize = T.isNVPTX() ? 32 : wavefrontSize(Kernel);
  if (!WarpSize)
    return StageRefusal::UnsupportedTarget;
  std::optional<unsigned> Mode = executionMode(Kernel);
  if (!Mode || !(*Mode & omp::OMP_TGT_EXEC_MODE_SPMD))
    return StageRefusal::GenericMode;
  Limits.WarpSize = *WarpSize;
  Limits.TellsMemory = T.isNVPTX();
  Limits.AsyncCopies = SM >= 80;
  Limits.MaxThreads = alignTo(maxThreads(Kernel, T), Limits.WarpSize);
  // How much a clause asks for may be known at the launch only.
  Limits.SharedBytes = isAssumed(Kernel, DynamicMemoryAssumption)
                           ? UINT64_MAX
                           : sharedBytes(Kernel);
  return std::nullopt;
}

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
static RowCost costOf(const Stream &S, bool Line, unsigned WarpSize) {
  RowCost Cost;
  for (const StreamLoad &L : S.Loads)
    Cost.SectorsBefore +=
        S.Kind == Stream::Common
            ? 1
            : sectorsOfRequest(
                  S.ThreadStride,
                  L.Load->getDataLayout().getTypeStoreSize(L.Load->getType()),
                  WarpSize);
  double Rows = S.Kind == Stream::Common ? 1 : WarpSize;
  // A row that is walked without gaps costs what it holds; one with longer
  // steps a sector for each, and so does a record alone, unless records follow
  // each other closely.
  double PerRow = S.Window / SectorBytes;
  if (Line)
    PerRow = S.ThreadStride && std::abs(*S.ThreadStride) <=
                                   static_cast<int64_t>(S.Window) + 8
                 ? PerRow
                 : PerRow + 31 / SectorBytes;
  else if (S.ConstantStep)
    PerRow = std::min(std::max(1.0, PerRow),
                      std::abs(*S.ConstantStep) / SectorBytes);
  Cost.SectorsAfter = Rows * PerRow;
  return Cost;
}

/// Whether \p S is what several neighbours have in common, most likely.
static bool isQuotient(const SCEV *S) {
  auto *U = dyn_cast<SCEVUnknown>(S);
  return isa<SCEVUDivExpr>(S) ||
         (U &&
          PatternMatch::match(U->getValue(),
                              PatternMatch::m_SDiv(PatternMatch::m_Value(),
                                                   PatternMatch::m_Value())));
}

/// Why a single stream is not worth staging, if it is not.
static std::optional<StageRefusal> refuseStream(const Stream &S, bool Line,
                                                unsigned WarpSize) {
  RowCost Cost = costOf(S, Line, WarpSize);
  if (S.Kind == Stream::Common)
    return S.ConstantStep &&
                   *S.ConstantStep == static_cast<int64_t>(S.Window) &&
                   S.Window <= 8
               ? std::nullopt
               : std::optional(StageRefusal::LongStep);
  if (!S.ThreadStrideKnown && SCEVExprContains(S.Start, isQuotient))
    return StageRefusal::SharedRow;
  if (Cost.SectorsBefore >= 1.5 * Cost.SectorsAfter)
    return std::nullopt;
  return S.ThreadStride && std::abs(*S.ThreadStride) < SectorBytes
             ? StageRefusal::AlreadyCoalesced
             : StageRefusal::LongStep;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

/// Bytes from one row of a tile to the next, so that the threads of a warp find
/// the same column of their rows in different banks: an odd number of the
/// largest access, of at least a bank's 4 bytes.
static unsigned pitchOf(const Stream &S, unsigned Words) {
  uint64_t Largest = 4;
  for (const StreamLoad &L : S.Loads) {
    uint64_t Size = L.Load->getDataLayout().getTypeStoreSize(L.Load->getType());
    Largest = std::max(Largest, std::min<uint64_t>(16, bit_floor(Size)));
  }
  uint64_t Units = divideCeil(Words * S.Word, Largest);
  return static_cast<unsigned>((Units | 1) * Largest);
}

/// Lays the streams of \p Plan out, with its Steps.
static void layOutStreams(RowUnitPlan &Plan, const KernelLimits &Limits) {
  Plan.Layout.clear();
  Plan.WarpBytes = 0;
  for (const Stream &S : Plan.Unit.Streams) {
    StreamLayout L{0, 0, Plan.WarpBytes};
    if (S.Kind == Stream::Common) {
      // Threads may be behind each other, by their skews.
      L.Words = Plan.Steps + Plan.MaxSkew;
      Plan.WarpBytes += L.Words * S.Word;
    } else {
      L.Words = Plan.Unit.isLine() ? S.windowWords() : S.words(Plan.Steps);
      L.Pitch = pitchOf(S, L.Words);
      Plan.WarpBytes += L.Pitch * Limits.WarpSize;
    }
    Plan.WarpBytes = alignTo(Plan.WarpBytes, 16);
    Plan.Layout.push_back(L);
  }
  Plan.BlockBytes = Plan.WarpBytes * (Limits.MaxThreads / Limits.WarpSize);
}

/// Lays \p Plan out in at most \p Budget bytes; false when that cannot be done.
static bool layOut(RowUnitPlan &Plan, uint64_t Budget,
                   const KernelLimits &Limits) {
  const RowUnit &Unit = Plan.Unit;
  unsigned LongestStep = 1, ShortestStep = 32;
  for (const Stream &S : Unit.Streams)
    if (S.Kind == Stream::Row) {
      LongestStep = std::max(LongestStep, S.wordsPerStep() * S.Word);
      ShortestStep = std::min(ShortestStep, S.wordsPerStep() * S.Word);
    }
  // Long rows make sectors whole and meetings rare.
  unsigned Steps = std::clamp(256 / bit_floor(LongestStep), 1u, 32u);
  auto *Trips = Unit.isWhole() ? dyn_cast<SCEVConstant>(Unit.Trips) : nullptr;
  if (Trips) {
    if (Trips->getAPInt().ugt(256))
      return false;
    Steps = static_cast<unsigned>(Trips->getAPInt().getZExtValue());
  }
  for (;; Steps /= 2) {
    Plan.Steps = Steps;
    // A tile has to reach into every row.
    unsigned MaxSkew = 32 / Unit.Streams[0].Word - 1;
    Plan.MaxSkew = Unit.isWhole() || MaxSkew >= Steps ? 0 : MaxSkew;
    layOutStreams(Plan, Limits);
    if (Plan.BlockBytes <= Budget)
      return true;
    // A shorter row would break sectors apart.
    if (Trips || Steps * ShortestStep < 64)
      return false;
  }
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

static const Instruction *placeOf(const RowUnit &Unit) {
  return Unit.isLine() ? Unit.Streams[0].Loads[0].Load
                       : Unit.Walk->getHeader()->getTerminator();
}

/// Drops the streams of \p Unit that do not pay, and says whether some are
/// left.
static bool keepPaying(RowUnit &Unit, RowCost &Cost, StageMode Mode,
                       const KernelLimits &Limits,
                       std::vector<StageNote> &Notes) {
  SmallVector<Stream, 4> Rows, Common;
  for (Stream &S : Unit.Streams) {
    bool CanBeCommon = S.ConstantStep && S.windowWords() == 1 &&
                       *S.ConstantStep == S.Word && !Unit.isWhole();
    std::optional<StageRefusal> Why =
        refuseStream(S, Unit.isLine(), Limits.WarpSize);
    if (!S.Global && !Limits.TellsMemory)
      Notes.push_back({S.Loads[0].Load, StageRefusal::NotGlobal});
    else if (S.Kind == Stream::Common && CanBeCommon)
      Common.push_back(std::move(S));
    else if (S.Kind == Stream::Row && (!Why || Mode == StageMode::Always))
      Rows.push_back(std::move(S));
    else
      Notes.push_back({S.Loads[0].Load, Why.value_or(StageRefusal::SharedRow)});
  }
  if (Rows.empty()) {
    for (const Stream &S : Common)
      Notes.push_back({S.Loads[0].Load, StageRefusal::SharedRow});
    return false;
  }
  // What the threads have in common comes along with the rows.
  Unit.Streams.clear();
  for (auto *Kept : {&Rows, &Common})
    for (Stream &S : *Kept) {
      RowCost C = costOf(S, Unit.isLine(), Limits.WarpSize);
      Cost.SectorsBefore += C.SectorsBefore;
      Cost.SectorsAfter += C.SectorsAfter;
      Unit.Streams.push_back(std::move(S));
    }
  return true;
}

static bool overlap(const RowUnit &A, const RowUnit &B) {
  if (A.isLine() && B.isLine())
    return A.Line == B.Line;
  if (A.isLine())
    return B.Outer->contains(A.Line);
  if (B.isLine())
    return A.Outer->contains(B.Line);
  return A.Outer->contains(B.Outer) || B.Outer->contains(A.Outer);
}

std::vector<RowRegionPlan> planStaging(std::vector<RowCandidate> Candidates,
                                       const KernelLimits &Limits,
                                       const StageOptions &Options,
                                       StageMode Mode,
                                       std::vector<StageNote> &Notes) {
  struct Choice {
    WarpRegion Region;
    RowUnitPlan Plan;
    size_t Number; ///< in the order of the code
    auto rank() const {
      return std::pair(Plan.Cost.SectorsAfter - Plan.Cost.SectorsBefore,
                       Number);
    }
  };
  std::vector<Choice> Choices;
  for (RowCandidate &C : Candidates) {
    Choice New{std::move(C.Region), {}, Choices.size()};
    New.Plan.CheckProfit = Mode != StageMode::Always;
    if (!keepPaying(C.Unit, New.Plan.Cost, Mode, Limits, Notes))
      continue;
    const Stream &First = C.Unit.Streams[0];
    // Small records, one behind the other, are one access each, which is the
    // back end's work.
    bool Scattered = First.ThreadStride && std::abs(*First.ThreadStride) > 16;
    if (C.Unit.isLine() && First.Window <= 16 && !Scattered &&
        Mode != StageMode::Always) {
      Notes.push_back({placeOf(C.Unit), StageRefusal::AlreadyCoalesced});
      continue;
    }
    New.Plan.Unit = std::move(C.Unit);
    Choices.push_back(std::move(New));
  }
  // The greatest gain first.
  sort(Choices,
       [](const Choice &A, const Choice &B) { return A.rank() < B.rank(); });

  // A warp is at one unit at a time, so that all units share one budget.
  uint64_t Budget = Limits.budget(Options);
  std::vector<RowRegionPlan> Plans;
  unsigned Places = 0;
  for (Choice &C : Choices) {
    auto Touches = [&](const RowRegionPlan &P) {
      return any_of(P.Units, [&](const RowUnitPlan &U) {
        return overlap(U.Unit, C.Plan.Unit);
      });
    };
    if (any_of(Plans, Touches))
      continue;
    constexpr unsigned MaxPlaces = 4;
    if (Limits.Staged + Places >= MaxPlaces) {
      Notes.push_back({placeOf(C.Plan.Unit), StageRefusal::TooMany});
      continue;
    }
    if (!layOut(C.Plan, Budget, Limits)) {
      Notes.push_back({placeOf(C.Plan.Unit), StageRefusal::NoBudget});
      continue;
    }
    auto Same = find_if(Plans, [&](const RowRegionPlan &P) {
      return P.Region.Entry == C.Region.Entry && P.Region.Exit == C.Region.Exit;
    });
    if (Same == Plans.end()) {
      Plans.push_back(
          {std::move(C.Region), {}, Limits.MaxThreads, Limits.WarpSize});
      Same = std::prev(Plans.end());
    }
    Same->Units.push_back(std::move(C.Plan));
    ++Places;
  }
  return Plans;
}

} // namespace ferry
