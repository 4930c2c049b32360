//===- MapPass.cpp - The pass ferry-map -----------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the pointers in captured objects valid on the device, at the launch. In
// a device's module the pass only leaves what the kernels use, for the host's.
//
// Before:                                  After:
//   %rc = call i32 @__tgt_target_kernel(     %a = call ptr
//   @__ferry_launch_begin(
//           ..., ptr %args)                         ptr @ferry.plan, ...)
//                                            %rc = call i32
//                                            @__tgt_target_kernel(
//                                                    ..., ptr %a)
//                                            call void @__ferry_launch_end(...)
//
// Requires: a host module as Clang 19 emits it; the front end's annotations
// where references and `this` are captured. It runs first in the pipeline, at
// every optimisation level, while the launch still has the form that Clang gave
// it.
//
// Refuses: see Refusals.def. A refused launch is left as it was.
//
// Source of the idea: Truby et al., "Pointers Inside Lambda Closure Objects in
// OpenMP Target Offload Regions" (2018) for lambdas that capture pointers by
// value, and OpenMP 5.2, section 5.8.6; the access paths, the images and the
// treatment of references and nested objects are Ferry's own.
//
//===----------------------------------------------------------------------===//

#include "MapPass.h"
#include "DataDirectives.h"
#include "DeviceEvidence.h"
#include "LaunchRewriter.h"
#include "support/RuntimeLibrary.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

#define DEBUG_TYPE "ferry-map"

namespace ferry {

namespace {

class Remarks {
public:
  Remarks(CallBase &Call, const RegionInfo *Region)
      : Block(*Call.getParent()), Emitter(Call.getFunction()),
        Where(location(Call, Region)) {}

  void refused(Refusal R) {
    Emitter.emit([&] {
      return OptimizationRemarkMissed(DEBUG_TYPE, "LaunchLeft", Where, &Block)
             << "launch left as it is: " << refusalMessage(R) << " ["
             << ore::NV("Reason", refusalName(R)) << "]";
    });
  }

  void hint(Refusal R) {
    Emitter.emit([&] {
      return OptimizationRemarkAnalysis(DEBUG_TYPE, "Launch", Where, &Block)
             << refusalMessage(R) << " [" << ore::NV("Reason", refusalName(R))
             << "]";
    });
  }

  void note(const PointerNote &N) {
    if (N.Kind == PointerNote::Left) {
      Emitter.emit([&] {
        return OptimizationRemarkMissed(DEBUG_TYPE, "PointerLeft", Where,
                                        &Block)
               << "'" << ore::NV("Pointer", N.Name)
               << "' left as it is: " << refusalMessage(*N.Why) << " ["
               << ore::NV("Reason", refusalName(*N.Why)) << "]";
      });
      return;
    }
    if (N.Kind == PointerNote::LookedUp) {
      Emitter.emit([&] {
        return OptimizationRemarkMissed(DEBUG_TYPE, "PointerLookedUp", Where,
                                        &Block)
               << "'" << ore::NV("Pointer", N.Name)
               << "' is looked up where it points: " << refusalMessage(*N.Why)
               << " [" << ore::NV("Reason", refusalName(*N.Why)) << "]";
      });
      return;
    }
    if (N.Kind == PointerNote::NeedsMap) {
      Emitter.emit([&] {
        return OptimizationRemarkAnalysis(DEBUG_TYPE, "NeedsMap", Where, &Block)
               << "the data behind '" << ore::NV("Pointer", N.Name)
               << "' has to be mapped when the region is entered";
      });
      return;
    }
    Emitter.emit([&] {
      return OptimizationRemark(DEBUG_TYPE, "PointerMapped", Where, &Block)
             << "'" << ore::NV("Pointer", N.Name)
             << "' carried over: " << ore::NV("Way", way(N.Kind));
    });
  }

private:
  const BasicBlock &Block;
  OptimizationRemarkEmitter Emitter;
  DiagnosticLocation Where;

  /// Clang gives the launch itself no location.
  static DiagnosticLocation location(const CallBase &Call,
                                     const RegionInfo *Region) {
    if (const DebugLoc &L = Call.getDebugLoc())
      return L;
    DISubprogram *Function = Call.getFunction()->getSubprogram();
    if (!Function)
      return DiagnosticLocation();
    if (Region)
      return DiagnosticLocation(DebugLoc(DILocation::get(
          Call.getContext(), Region->Line, Region->Column, Function)));
    return DiagnosticLocation(Function);
  }

  static StringRef way(PointerNote::KindTy Kind) {
    switch (Kind) {
    case PointerNote::Translated:
      return "translated in the device's copy";
    case PointerNote::Attached:
      return "attached in the mapped object";
    default:
      return "the variable is found or made on the device";
    }
  }
};

/// A warning that belongs to no instruction.
class ModuleWarning : public DiagnosticInfo {
public:
  explicit ModuleWarning(std::string Message)
      : DiagnosticInfo(kind(), DS_Warning), Message(std::move(Message)) {}
  void print(DiagnosticPrinter &DP) const override { DP << Message; }

private:
  std::string Message;

  static int kind() {
    static const int Kind = getNextAvailablePluginDiagnosticKind();
    return Kind;
  }
};

/// Whether the pass has been at \p Call before.
bool isRewritten(const CallBase &Call) {
  if (Call.arg_size() != abi::LaunchNumOperands)
    return false;
  const auto *Args = dyn_cast<CallInst>(Call.getArgOperand(abi::LaunchArgs));
  const Function *F = Args ? Args->getCalledFunction() : nullptr;
  return F && F->getName() == LaunchBeginFunction;
}

/// Whether the kernel that \p Call launches takes more than its arguments.
bool takesWords(const CallBase &Call, const DeviceEvidence &Evidence) {
  const KernelEvidence *Kernel = Evidence.find(launchedKernel(Call));
  return Kernel && !Kernel->Words.empty();
}

struct Decision {
  LaunchSite Site;
  PlannedLaunch Plan;
};

/// Decides what becomes of the launches of one module.
class Decider {
public:
  Decider(Module &M, ModuleAnalysisManager &AM, const RegionTable &Regions,
          const DeviceEvidence &Evidence, const PlannerOptions &Options)
      : M(M), AM(AM), Regions(Regions), Evidence(Evidence), Options(Options) {}

  /// Reads and plans one launch.
  std::variant<Decision, Refusal> decide(CallBase &Call) {
    std::variant<LaunchSite, Refusal> Site = readLaunch(Call);
    if (auto *R = std::get_if<Refusal>(&Site))
      return *R;
    auto &S = std::get<LaunchSite>(Site);
    const RegionInfo *Region = Regions.find(S.KernelName);
    auto Result = planLaunch(S, Region, uses(S));
    if (auto *R = std::get_if<Refusal>(&Result))
      return *R;
    auto &Plan = std::get<PlannedLaunch>(Result);
    if (Options.Parameters && Region && Region->SeveralTargets && !Plan.empty())
      Plan.Hints.push_back(Refusal::SeveralTargets);
    return Decision{std::move(S), std::move(Plan)};
  }

private:
  Module &M;
  ModuleAnalysisManager &AM;
  const RegionTable &Regions;
  const DeviceEvidence &Evidence;
  const PlannerOptions &Options;

  /// What the code of the devices does, else what the host version shows.
  KernelUses uses(const LaunchSite &Site) {
    KernelUses Uses;
    if (const KernelEvidence *Kernel = Evidence.find(Site.KernelName)) {
      Uses.Paths = &Kernel->Paths;
      Uses.Words = &Kernel->Words;
    }
    Uses.InHostProcess = Evidence.inHostProcess();
    Uses.Complete =
        !Options.WholeLayout && (Uses.Paths || Options.HostEvidence);
    if (!Uses.Paths && !Options.WholeLayout && !Options.HostEvidence)
      Uses.Why = Refusal::NoDeviceEvidence;
    if (!Uses.Paths && Site.Kernel)
      Uses.Paths = AM.getResult<AccessPathsAnalysis>(M).find(Site.KernelName);
    return Uses;
  }
};

} // namespace

/// The device's half: leaves what the kernels use for the host's compilation,
/// and gives them the words that they read as parameters.
static PreservedAnalyses runOnDevice(Module &M, ModuleAnalysisManager &AM,
                                     const PlannerOptions &Options) {
  EvidenceTable Table;
  SmallVector<std::pair<Function *, RegionInfo>> Regions;
  AccessPaths Paths = AccessPathsAnalysis().run(M, AM);
  for (Function *Kernel : deviceKernels(M)) {
    KernelEvidence &Evidence = Table[Kernel->getName().str()];
    Evidence.Paths = Paths.take(Kernel->getName());
    std::optional<RegionInfo> Region = regionOf(*Kernel);
    // Words are what the host reads of a device's object.
    if (!Region || !Options.Parameters || Options.HostEvidence)
      continue;
    Evidence.Words =
        chooseWords(*Region, Evidence.Paths, placeOfObjects(*Kernel));
    if (!Evidence.Words.empty())
      Regions.push_back({Kernel, std::move(*Region)});
  }
  if (Table.empty())
    return PreservedAnalyses::all();
  writeEvidence(M, Table);
  for (Function &F : M)
    removeRegionAssumption(F);
  for (auto &[Kernel, Region] : Regions)
    addParameters(*Kernel, Region, Table[Kernel->getName().str()].Words);
  return PreservedAnalyses::none();
}

/// Has \p M, a host's module, name the kernels as the devices do.
static bool renameKernels(Module &M, const DeviceEvidence &Evidence) {
  for (StringRef Name : Evidence.conflicts())
    M.getContext().emitError(
        "ferry: the kernel " + Name +
        " takes other parameters on one device than on another: compile for "
        "all devices with Ferry and the same options, or with -mllvm "
        "-ferry-parameters=false");
  bool Changed = false;
  for (StringRef Name : Evidence.kernelsWithWords())
    if (const KernelEvidence *Kernel = Evidence.find(Name))
      Changed |= renameKernel(M, Name, Name.str() + wordsSuffix(Kernel->Words));
  return Changed;
}

PreservedAnalyses MapPass::run(Module &M, ModuleAnalysisManager &AM) {
  if (isDeviceModule(M))
    return runOnDevice(M, AM, Options);
  SmallVector<CallBase *> Launches = findLaunches(M);
  RegionTable Regions = readRegions(M);
  for (const std::string &Error : Regions.Errors)
    M.getContext().diagnose(ModuleWarning(
        "ferry: " + Error +
        "; compile with the libferry-clang.so and the libferry.so of one "
        "version"));

  bool Changed = false;
  DeviceEvidence Evidence;
  if (!Options.HostEvidence)
    Evidence = DeviceEvidence::read(M);
  Decider Decide(M, AM, Regions, Evidence, Options);
  const bool Supported = Launches.empty() || launchRuntimeFits(M);
  for (CallBase *Call : Launches) {
    if (isRewritten(*Call))
      continue;
    Remarks Tell(*Call, Regions.find(launchedKernel(*Call)));
    std::variant<Decision, Refusal> Result = Refusal::UnsupportedHost;
    if (Supported)
      Result = Decide.decide(*Call);
    if (auto *R = std::get_if<Refusal>(&Result)) {
      Tell.refused(*R);
      if (takesWords(*Call, Evidence))
        M.getContext().emitError(
            "ferry: the kernel " + launchedKernel(*Call) +
            " takes captured words as parameters, and its launch cannot give "
            "them (" +
            refusalName(*R) + "): compile with -mllvm -ferry-parameters=false");
      continue;
    }
    auto &[Site, Plan] = std::get<Decision>(Result);
    for (Refusal R : Plan.Hints)
      Tell.hint(R);
    for (const PointerNote &N : Plan.Notes)
      Tell.note(N);
    if (Plan.empty())
      continue;
    rewriteLaunch(Site, Plan);
    Changed = true;
  }
  if (launchRuntimeFits(M))
    Changed |= watchDataDirectives(M);
  if (Changed)
    addLaunchRuntime(M);
  Changed |= renameKernels(M, Evidence);
  Changed |= removeRegionAnnotations(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses LaunchPlanPrinterPass::run(Module &M,
                                             ModuleAnalysisManager &AM) {
  RegionTable Regions = readRegions(M);
  for (const std::string &Error : Regions.Errors)
    OS << "error: " << Error << "\n";
  DeviceEvidence Evidence;
  if (!Options.HostEvidence)
    Evidence = DeviceEvidence::read(M);
  Decider Decide(M, AM, Regions, Evidence, Options);
  for (CallBase *Call : findLaunches(M)) {
    OS << "launch of " << launchedKernel(*Call) << ":";
    auto Result = Decide.decide(*Call);
    if (auto *R = std::get_if<Refusal>(&Result)) {
      OS << " " << refusalName(*R) << "\n";
      continue;
    }
    const PlannedLaunch &Plan = std::get<Decision>(Result).Plan;
    for (Refusal R : Plan.Hints)
      OS << " " << refusalName(R);
    OS << "\n";
    for (const PointerNote &N : Plan.Notes)
      if (N.Kind == PointerNote::Left && N.Why)
        OS << "  left: " << N.Name << ": " << refusalName(*N.Why) << "\n";
      else if (N.Kind == PointerNote::LookedUp)
        OS << "  looked up where it points: " << N.Name << ": "
           << refusalName(*N.Why) << "\n";
    Plan.print(OS);
  }
  return PreservedAnalyses::all();
}

} // namespace ferry
