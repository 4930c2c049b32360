//===- StagePass.cpp - The pass ferry-stage -------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings read-only global data through shared memory where a kernel reads it
// badly.
//
// Before, each thread walks along its own row:   After, a tile at a time:
//   loop:                                          call @__ferry_stage_rows8(
//     %p = getelementptr double, ptr %row, %k          @ferry.tile, ...)
//     %a = load double, ptr %p                       loop:
//     ...                                              %a = load double,
//                                                         ptr addrspace(3) ...
//
// RowEmitter.cpp shows the blocks in between.
//
// Requires: the optimised device code of SPMD kernels, loops rotated and not
// yet unrolled; nvptx from sm_70 on, or amdgcn.
//
// Refuses: see StageRefusals.def. What is refused is left as it was.
//
// Source of the idea: the poster on shared-memory prefetching in OpenMPOpt,
// which reads base + k * step locations of a team through shared memory; its
// assumptions (one thread for each iteration, no branches, all data at once) do
// not hold here.
//
//===----------------------------------------------------------------------===//

#include "StagePass.h"
#include "stage/common/RuntimeState.h"
#include "stage/nests/NestAnalysis.h"
#include "stage/nests/NestEmitter.h"
#include "stage/rows/RowEmitter.h"
#include "stage/rows/RowPlanner.h"
#include "stage/stencils/StencilAnalysis.h"
#include "stage/stencils/StencilEmitter.h"
#include "support/StageLibrary.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include <set>

using namespace llvm;

#define DEBUG_TYPE "ferry-stage"

namespace ferry {

namespace {

/// The analyses of one kernel and what they say.
class KernelPlans {
public:
  KernelPlans(Function &F, FunctionAnalysisManager &FAM)
      : DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        Analysis(F, DT, PDT, LI, SE) {}

  std::vector<RowCandidate> candidates() { return Analysis.candidates(); }

  std::vector<RowRegionPlan> plan(const KernelLimits &Limits,
                                  const StageOptions &Options, StageMode Mode) {
    std::vector<RowCandidate> Candidates = Analysis.candidates();
    Notes = Analysis.notes().vec();
    return planStaging(std::move(Candidates), Limits, Options, Mode, Notes);
  }

  DominatorTree &DT;
  PostDominatorTree &PDT;
  LoopInfo &LI;
  ScalarEvolution &SE;
  RowAnalysis Analysis;
  std::vector<StageNote> Notes;
};

class Remarks {
public:
  explicit Remarks(const Function &F) : F(F), Emitter(&F) {}

  void kernelLeft(StageRefusal R) {
    Emitter.emit([&] {
      return OptimizationRemarkMissed(DEBUG_TYPE, "KernelLeft",
                                      DiagnosticLocation(F.getSubprogram()),
                                      &F.getEntryBlock())
             << "not staged: " << refusalMessage(R) << " ["
             << ore::NV("Reason", refusalName(R)) << "]";
    });
  }

  void left(ArrayRef<StageNote> Notes) {
    // Loads of one place in the source are one to the user.
    std::set<std::pair<const MDNode *, StageRefusal>> Said;
    for (const StageNote &N : Notes) {
      const MDNode *Where = N.Where->getDebugLoc().get();
      if (Where && !Said.insert({Where, N.Why}).second)
        continue;
      Emitter.emit([&] {
        return OptimizationRemarkMissed(DEBUG_TYPE, "Left",
                                        N.Where->getDebugLoc(),
                                        N.Where->getParent())
               << "not staged: " << refusalMessage(N.Why) << " ["
               << ore::NV("Reason", refusalName(N.Why)) << "]";
      });
    }
  }

  void tiled(const NestPlan &P) {
    const LoadInst &First = *P.Nest.Streams[0].Load;
    Emitter.emit([&] {
      return tiled(First, P.Nest.Streams.size(), P)
             << " iterations, " << ore::NV("Steps", P.Steps)
             << " steps at a time";
    });
  }

  void tiled(const StencilPlan &P) {
    const LoadInst &First = *P.Nest.Fields[0].Loads[0].Load;
    Emitter.emit([&] {
      return tiled(First, P.loads(), P)
             << " iterations; " << ore::NV("SectorsAfter", format(32 * P.After))
             << " instead of "
             << ore::NV("SectorsBefore", format(32 * P.Before))
             << " sectors that the block needs for 32 iterations";
    });
  }

  void staged(const RowUnitPlan &P) {
    const LoadInst &First = *P.Unit.Streams[0].Loads[0].Load;
    unsigned Loads = 0;
    for (const Stream &S : P.Unit.Streams)
      Loads += S.Loads.size();
    Emitter.emit([&] {
      OptimizationRemark R(DEBUG_TYPE, "Staged", First.getDebugLoc(),
                           First.getParent());
      R << "staged " << ore::NV("Loads", Loads)
        << (Loads == 1 ? " load" : " loads") << " through "
        << ore::NV("Bytes", P.BlockBytes)
        << " bytes of shared memory of the block, in tiles of "
        << ore::NV("Steps", P.Steps)
        << (P.Steps == 1 ? " iteration; " : " iterations; ")
        << ore::NV("SectorsAfter", format(P.Cost.SectorsAfter))
        << " instead of "
        << ore::NV("SectorsBefore", format(P.Cost.SectorsBefore))
        << " sectors for an iteration of a warp";
      return R;
    });
    for (size_t I = 0; I < P.Unit.Streams.size(); ++I) {
      const Stream &S = P.Unit.Streams[I];
      const StreamLayout &L = P.Layout[I];
      Emitter.emit([&] {
        OptimizationRemarkAnalysis R(DEBUG_TYPE, "Stream",
                                     S.Loads[0].Load->getDebugLoc(),
                                     S.Loads[0].Load->getParent());
        R << (S.Kind == Stream::Row ? "a row for each thread, "
                                    : "one row for the warp, ")
          << ore::NV("Words", L.Words) << " words of "
          << ore::NV("Word", S.Word) << " bytes";
        if (unsigned Padding =
                S.Kind == Stream::Row ? L.Pitch - L.Words * S.Word : 0)
          R << ", padded by " << ore::NV("Padding", Padding) << " bytes";
        return R;
      });
    }
  }

private:
  /// What is said of tiles of either kind.
  template <typename Plan>
  static OptimizationRemark tiled(const LoadInst &First, unsigned Loads,
                                  const Plan &P) {
    OptimizationRemark R(DEBUG_TYPE, "Tiled", First.getDebugLoc(),
                         First.getParent());
    R << "staged " << ore::NV("Loads", Loads) << " loads through "
      << ore::NV("Bytes", P.bytes())
      << " bytes of shared memory of the block, for tiles of up to "
      << ore::NV("Rows", Plan::Shape.rows(P.MaxThreads)) << " x "
      << ore::NV("Columns", Plan::Shape.columns());
    return R;
  }
  static std::string format(double Sectors) {
    std::string Text;
    raw_string_ostream(Text) << llvm::format("%.1f", Sectors);
    return Text;
  }

  const Function &F;
  OptimizationRemarkEmitter Emitter;
};

} // namespace

static void simplifyLoops(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, LoopSimplifyPass().run(F, FAM));
}

static bool hasSimpleLoops(Function &F, FunctionAnalysisManager &FAM) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  return all_of(LI.getLoopsInPreorder(),
                [](const Loop *L) { return L->isLoopSimplifyForm(); });
}

/// A copy of a kernel with loops in simplified form, to look at.
class SimplifiedCopy {
public:
  SimplifiedCopy(Function &F, FunctionAnalysisManager &FAM) : FAM(FAM) {
    ValueToValueMapTy Map;
    Copy = CloneFunction(&F, Map);
    simplifyLoops(*Copy, FAM);
  }
  ~SimplifiedCopy() {
    FAM.clear(*Copy, Copy->getName());
    Copy->eraseFromParent();
  }
  Function &get() { return *Copy; }

private:
  FunctionAnalysisManager &FAM;
  Function *Copy;
};

/// Whether something would be staged in \p F, which is not changed; says why
/// not.
static bool wouldStage(Function &F, FunctionAnalysisManager &FAM,
                       const KernelLimits &Limits, const StageOptions &Options,
                       StageMode Mode) {
  SimplifiedCopy Copy(F, FAM);
  KernelPlans Plans(Copy.get(), FAM);
  bool Would = !Plans.plan(Limits, Options, Mode).empty();
  if (!Would)
    Remarks(Copy.get()).left(Plans.Notes);
  return Would;
}

static void cleanUp(Function &F, FunctionAnalysisManager &FAM) {
  removeStagedMarks(F);
  FunctionPassManager FPM;
  FPM.addPass(FixIrreduciblePass());
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FAM.invalidate(F, FPM.run(F, FAM));
}

/// What \p F becomes that is done tile by tile: one of two, or nothing.
struct TiledPlan {
  std::optional<NestPlan> Nest;
  std::optional<StencilPlan> Stencil;

  TiledPlan(Function &F, FunctionAnalysisManager &FAM,
            const KernelLimits &Limits, const StageOptions &Options,
            StageMode Mode) {
    if (!hasFreeSchedule(F))
      return;
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    auto &PDT = FAM.getResult<PostDominatorTreeAnalysis>(F);
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    Nest = planNest(F, DT, PDT, LI, SE, Limits, Options);
    if (!Nest)
      Stencil = planStencil(F, DT, PDT, LI, SE, Limits, Options, Mode);
  }
};

/// Does the iterations of \p F tile by tile, if that pays; whether something
/// changed.
static bool stageTiles(Function &F, FunctionAnalysisManager &FAM,
                       const KernelLimits &Limits, const StageOptions &Options,
                       StageMode Mode, Remarks &Say) {
  TiledPlan Plan(F, FAM, Limits, Options, Mode);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  if (Plan.Nest) {
    Say.tiled(*Plan.Nest);
    emitNest(F, *Plan.Nest, SE);
  } else if (Plan.Stencil) {
    Say.tiled(*Plan.Stencil);
    emitStencil(F, *Plan.Stencil, SE);
  } else {
    return false;
  }
  FAM.invalidate(F, PreservedAnalyses::none());
  return true;
}

/// Stages in \p F region by region; whether something changed.
static bool stageKernel(Function &F, FunctionAnalysisManager &FAM,
                        const StageOptions &Options) {
  StageMode Mode = Options.modeFor(F.getName());
  if (Mode == StageMode::Off)
    return false;
  Remarks Say(F);
  KernelLimits Limits;
  if (auto Why = readLimits(F, Limits)) {
    Say.kernelLeft(*Why);
    return false;
  }
  // The other version is for few iterations.
  if (stageTiles(F, FAM, Limits, Options, Mode, Say))
    return true;
  if (!hasSimpleLoops(F, FAM)) {
    if (!wouldStage(F, FAM, Limits, Options, Mode))
      return false;
    simplifyLoops(F, FAM);
  }
  SharedBuffer Buffer(F);
  for (bool Changed = false;; Changed = true) {
    KernelPlans Plans(F, FAM);
    std::vector<RowRegionPlan> Found = Plans.plan(Limits, Options, Mode);
    if (Found.empty()) {
      Say.left(Plans.Notes);
      Buffer.finish(Limits.MaxThreads / Limits.WarpSize);
      return Changed;
    }
    for (const RowUnitPlan &U : Found.front().Units)
      Say.staged(U);
    // What is left in the region is not looked at again.
    std::vector<StageNote> Final;
    copy_if(Plans.Notes, std::back_inserter(Final), [&](const StageNote &N) {
      return is_contained(Found.front().Region.Blocks, N.Where->getParent());
    });
    Say.left(Final);
    Limits.Staged += Found.front().Units.size();
    emitRows(F, Found.front(), Buffer, Plans.DT, Plans.LI, Plans.SE);
    FAM.invalidate(F, PreservedAnalyses::none());
    simplifyLoops(F, FAM);
  }
}

static SmallVector<Function *, 8> kernelsOf(Module &M) {
  SmallVector<Function *, 8> Kernels;
  for (Function &F : M)
    if (isOpenMPKernel(F))
      Kernels.push_back(&F);
  return Kernels;
}

/// Takes the runtime's state out of kernels with nests that might be taken in
/// tiles; whether something changed.
static bool showNests(Module &M, ModuleAnalysisManager &MAM,
                      function_ref<StageOptions(const Function &)> OptionsFor) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<Function *, 8> Hidden;
  for (Function *F : kernelsOf(M))
    if (OptionsFor(*F).modeFor(F->getName()) != StageMode::Off &&
        hidesNest(*F, FAM))
      Hidden.push_back(F);
  if (Hidden.empty())
    return false;
  foldRuntimeState(M, MAM, Hidden);
  return true;
}

PreservedAnalyses StagePass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!stageRuntimeFits(M))
    return PreservedAnalyses::all();
  auto OptionsFor = [&](const Function &F) {
    return notedStageOptions(F).value_or(Options);
  };
  bool Folded = showNests(M, MAM, OptionsFor);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<Function *, 8> Changed;
  for (Function *F : kernelsOf(M)) {
    if (stageKernel(*F, FAM, OptionsFor(*F)))
      Changed.push_back(F);
    removeStageOptions(*F);
  }
  if (Changed.empty())
    return Folded ? PreservedAnalyses::none() : PreservedAnalyses::all();
  inlineStageRuntime(M);
  for (Function *F : Changed) {
    FAM.invalidate(*F, PreservedAnalyses::none());
    cleanUp(*F, FAM);
  }
  return PreservedAnalyses::none();
}

//===----------------------------------------------------------------------===//
// Printers
//===----------------------------------------------------------------------===//

static void printStream(raw_ostream &OS, const Stream &S) {
  OS << "    " << (S.Kind == Stream::Row ? "row" : "common") << ": "
     << *S.Start;
  if (S.Step)
    OS << " + k * " << *S.Step;
  OS << ", " << S.Window << " bytes in words of " << S.Word << ", "
     << S.Loads.size() << (S.Loads.size() == 1 ? " load" : " loads")
     << ", thread stride ";
  if (S.ThreadStride)
    OS << *S.ThreadStride;
  else
    OS << (S.ThreadStrideKnown ? "varies" : "unknown");
  OS << (S.Global ? "\n" : ", perhaps not global memory\n");
}

static void printUnit(raw_ostream &OS, const RowUnit &Unit) {
  if (Unit.isLine()) {
    OS << "  record\n";
  } else {
    OS << "  loop of " << *Unit.Trips << " iterations, " << Unit.Stores.size()
       << (Unit.Stores.size() == 1 ? " store" : " stores");
    if (Unit.Outer != Unit.Walk)
      OS << ", repeated by "
         << Unit.Walk->getLoopDepth() - Unit.Outer->getLoopDepth()
         << " loops around it";
    OS << "\n";
  }
  for (const Stream &S : Unit.Streams)
    printStream(OS, S);
}

static void printNotes(raw_ostream &OS, ArrayRef<StageNote> Notes) {
  for (const StageNote &N : Notes) {
    OS << "  left (" << refusalName(N.Why) << "):";
    if (isa<LoadInst>(N.Where))
      OS << *N.Where;
    else
      OS << " the loop";
    OS << "\n";
  }
}

PreservedAnalyses StageAccessesPrinterPass::run(Module &M,
                                                ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function *F : kernelsOf(M)) {
    OS << "Accesses of kernel '" << F->getName() << "':\n";
    SimplifiedCopy Copy(*F, FAM);
    KernelPlans Plans(Copy.get(), FAM);
    for (const RowCandidate &C : Plans.candidates())
      printUnit(OS, C.Unit);
    printNotes(OS, Plans.Analysis.notes());
  }
  return PreservedAnalyses::all();
}

static void printPlan(raw_ostream &OS, const RowRegionPlan &Plan) {
  OS << "  region from %" << Plan.Region.Entry->getName() << " to %"
     << Plan.Region.Exit->getName() << ", blocks of up to " << Plan.MaxThreads
     << " threads\n";
  for (const RowUnitPlan &U : Plan.Units) {
    printUnit(OS, U.Unit);
    OS << "    tiles of " << U.Steps << " iterations, " << U.BlockBytes
       << " bytes; sectors for an iteration of a warp: "
       << format("%.1f", U.Cost.SectorsBefore) << ", staged "
       << format("%.1f", U.Cost.SectorsAfter) << "\n";
  }
}

static void printTiled(raw_ostream &OS, const NestPlan &P) {
  OS << "  nest in tiles of up to " << NestPlan::Shape.rows(P.MaxThreads)
     << " x " << NestPlan::Shape.columns() << " iterations, " << P.Steps
     << " steps at a time, " << P.bytes() << " bytes\n";
  for (const NestOperand &S : P.Nest.Streams)
    OS << "    by " << (S.ByRow ? "row" : "column") << ":" << *S.Load << "\n";
}

static void printTiled(raw_ostream &OS, const StencilPlan &P) {
  OS << "  stencil in tiles of up to " << StencilPlan::Shape.rows(P.MaxThreads)
     << " x " << StencilPlan::Shape.columns() << " iterations, " << P.bytes()
     << " bytes; sectors that the block needs for 32 iterations: "
     << format("%.1f", 32 * P.Before) << ", staged "
     << format("%.1f", 32 * P.After) << "\n";
  for (const StencilField &F : P.Nest.Fields)
    OS << "    field: " << F.Loads.size() << " loads, rows " << F.FirstRow
       << " to " << F.LastRow << ", columns " << F.FirstColumn << " to "
       << F.LastColumn << "\n";
}

PreservedAnalyses StagePlanPrinterPass::run(Module &M,
                                            ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function *F : kernelsOf(M)) {
    OS << "Staging plan of kernel '" << F->getName() << "':\n";
    KernelLimits Limits;
    StageMode Mode = Options.modeFor(F->getName());
    if (auto Why = readLimits(*F, Limits)) {
      OS << "  left (" << refusalName(*Why) << ")\n";
      continue;
    }
    if (Mode == StageMode::Off)
      continue;
    TiledPlan Tiled(*F, FAM, Limits, Options, Mode);
    if (Tiled.Nest)
      printTiled(OS, *Tiled.Nest);
    if (Tiled.Stencil)
      printTiled(OS, *Tiled.Stencil);
    if (Tiled.Nest || Tiled.Stencil)
      continue;
    SimplifiedCopy Copy(*F, FAM);
    KernelPlans Plans(Copy.get(), FAM);
    for (const RowRegionPlan &P : Plans.plan(Limits, Options, Mode))
      printPlan(OS, P);
    printNotes(OS, Plans.Notes);
  }
  return PreservedAnalyses::all();
}

} // namespace ferry
