//===- MapPass.cpp - The pass ferry-map -----------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the pointers in captured objects valid on the device, at the launch.
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

struct Decision {
  LaunchSite Site;
  PlannedLaunch Plan;
};

/// Reads and plans one launch.
std::variant<Decision, Refusal> decide(CallBase &Call,
                                       const RegionTable &Regions,
                                       const AccessPaths &Paths,
                                       const PlannerOptions &Options) {
  std::variant<LaunchSite, Refusal> Site = readLaunch(Call);
  if (auto *R = std::get_if<Refusal>(&Site))
    return *R;
  auto &S = std::get<LaunchSite>(Site);
  auto Plan =
      planLaunch(S, Regions.find(S.KernelName),
                 S.Kernel ? Paths.find(S.KernelName) : nullptr, Options);
  if (auto *R = std::get_if<Refusal>(&Plan))
    return *R;
  return Decision{std::move(S), std::move(std::get<PlannedLaunch>(Plan))};
}

} // namespace

PreservedAnalyses MapPass::run(Module &M, ModuleAnalysisManager &AM) {
  SmallVector<CallBase *> Launches = findLaunches(M);
  RegionTable Regions = readRegions(M);
  for (const std::string &Error : Regions.Errors)
    M.getContext().diagnose(ModuleWarning(
        "ferry: " + Error +
        "; compile with the libferry-clang.so and the libferry.so of one "
        "version"));

  bool Changed = false;
  const bool Supported = Launches.empty() || launchRuntimeFits(M);
  for (CallBase *Call : Launches) {
    if (isRewritten(*Call))
      continue;
    Remarks Tell(*Call, Regions.find(launchedKernel(*Call)));
    if (!Supported) {
      Tell.refused(Refusal::UnsupportedHost);
      continue;
    }
    auto Result =
        decide(*Call, Regions, AM.getResult<AccessPathsAnalysis>(M), Options);
    if (auto *R = std::get_if<Refusal>(&Result)) {
      Tell.refused(*R);
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
  Changed |= removeRegionAnnotations(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses LaunchPlanPrinterPass::run(Module &M,
                                             ModuleAnalysisManager &AM) {
  RegionTable Regions = readRegions(M);
  for (const std::string &Error : Regions.Errors)
    OS << "error: " << Error << "\n";
  for (CallBase *Call : findLaunches(M)) {
    OS << "launch of " << launchedKernel(*Call) << ":";
    auto Result =
        decide(*Call, Regions, AM.getResult<AccessPathsAnalysis>(M), Options);
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
    Plan.print(OS);
  }
  return PreservedAnalyses::all();
}

} // namespace ferry
