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
#include "CheckEmitter.h"
#include "DataDirectives.h"
#include "DeviceEvidence.h"
#include "LaunchRemarks.h"
#include "LaunchRewriter.h"
#include "support/ModuleNames.h"
#include "support/RuntimeLibrary.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

#define DEBUG_TYPE "ferry-map"

STATISTIC(LaunchesSeen, "Number of launches that were looked at");
STATISTIC(LaunchesRefused, "Number of launches that are left, with a reason");
STATISTIC(LaunchesRewritten, "Number of launches that are rewritten");

namespace ferry {

namespace {

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
  std::optional<PlannedCheck> Check;
};

/// Decides what becomes of the launches of one host module.
class Decider {
public:
  Decider(Module &M, const RegionTable &Regions, const DeviceEvidence &Evidence,
          const PlannerOptions &Options)
      : M(M), Regions(Regions), Evidence(Evidence), Options(Options),
        Supported(launchRuntimeFits(M)) {}

  /// Reads and plans one launch.
  std::variant<Decision, Refusal> decide(CallBase &Call) {
    if (!Supported)
      return Refusal::UnsupportedHost;
    std::variant<LaunchSite, Refusal> Site = readLaunch(Call);
    if (auto *R = std::get_if<Refusal>(&Site))
      return *R;
    auto &S = std::get<LaunchSite>(Site);
    const RegionInfo *Region = Regions.find(S.KernelName);
    auto Result = planLaunch(S, Region, uses(S));
    if (auto *R = std::get_if<Refusal>(&Result))
      return *R;
    auto &Plan = std::get<PlannedLaunch>(Result);
    if (Options.Parameters && Region && !Plan.empty())
      tellMemory(Plan, *Region, uses(S));
    std::optional<PlannedCheck> Check;
    if (Options.Check)
      Check = planCheck(S, Region, uses(S));
    return Decision{std::move(S), std::move(Plan), std::move(Check)};
  }

  /// The plan of \p Site by what the host version of its kernel does.
  /// Nothing if there is none, or it is not all visible.
  std::optional<PlannedLaunch> byHostVersion(const LaunchSite &Site) {
    KernelUses Uses;
    Uses.Paths = hostPaths(Site);
    Uses.Complete = true;
    if (!Uses.Paths)
      return std::nullopt;
    auto Plan = planLaunch(Site, Regions.find(Site.KernelName), Uses);
    auto *Planned = std::get_if<PlannedLaunch>(&Plan);
    if (!Planned || !Planned->Hints.empty())
      return std::nullopt;
    return std::move(*Planned);
  }

private:
  /// Notes what a GPU does not get as parameters.
  void tellMemory(PlannedLaunch &Plan, const RegionInfo &Region,
                  const KernelUses &Uses) const {
    if (Region.SeveralTargets)
      Plan.Hints.push_back(Refusal::SeveralTargets);
    else if (!Region.UnifiedSharedMemory && !Uses.InHostProcess && Uses.Paths &&
             Uses.Complete)
      for (ObjectInMemory &O : objectsInMemory(Region, *Uses.Paths, Uses.Words))
        Plan.Notes.push_back({PointerNote::InMemory, std::move(O.Name), O.Why,
                              /*Ways=*/0, /*Slot=*/std::nullopt});
  }

  Module &M;
  const RegionTable &Regions;
  const DeviceEvidence &Evidence;
  const PlannerOptions &Options;
  const bool Supported;
  std::optional<AccessPaths> HostPaths;

  /// What the host version of the kernel does, or null if there is none.
  const KernelPaths *hostPaths(const LaunchSite &Site) {
    if (!Site.Kernel)
      return nullptr;
    if (!HostPaths)
      HostPaths = AccessPaths::analyse(M, Options.detail());
    return HostPaths->find(Site.KernelName);
  }

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
    if (!Uses.Paths)
      Uses.Paths = hostPaths(Site);
    return Uses;
  }
};

} // namespace

namespace {

/// A kernel in a device's module.
struct DescribedKernel {
  Function *Kernel;
  std::optional<RegionInfo> Region;
};

} // namespace

/// The host's module that \p Kernels were compiled with; null if it cannot be
/// read.
static std::unique_ptr<Module> hostModule(ArrayRef<DescribedKernel> Kernels,
                                          LLVMContext &Context) {
  for (const DescribedKernel &K : Kernels) {
    if (!K.Region || K.Region->HostIR.empty())
      continue;
    auto Buffer = MemoryBuffer::getFile(K.Region->HostIR);
    if (!Buffer)
      return nullptr;
    auto Host = parseBitcodeFile((*Buffer)->getMemBufferRef(), Context);
    if (Host)
      return std::move(*Host);
    consumeError(Host.takeError());
    return nullptr;
  }
  return nullptr;
}

/// Tells, in the compilation for a device, what the host's will do with the
/// launches of \p Kernels. The host's module is as Clang emitted it, and
/// \p Evidence all that its back end will know besides.
static void explainLaunches(ArrayRef<DescribedKernel> Kernels,
                            const DeviceEvidence &Evidence,
                            const PlannerOptions &Options) {
  LLVMContext Context;
  std::unique_ptr<Module> Host = hostModule(Kernels, Context);
  if (!Host)
    return;
  RegionTable Regions = readRegions(*Host);
  Decider Decide(*Host, Regions, Evidence, Options);
  StringMap<CallBase *> Launches;
  for (CallBase *Call : findLaunches(*Host))
    Launches.try_emplace(launchedKernel(*Call), Call);
  for (const DescribedKernel &K : Kernels) {
    CallBase *Call = Launches.lookup(K.Kernel->getName());
    if (!Call || !K.Region)
      continue;
    LaunchRemarks Tell(*K.Kernel, &*K.Region);
    auto Result = Decide.decide(*Call);
    if (auto *R = std::get_if<Refusal>(&Result)) {
      Tell.refused(*R);
      continue;
    }
    const auto &[Site, Plan, Check] = std::get<Decision>(Result);
    Tell.planned(Plan);
    if (!Plan.Hints.empty())
      continue;
    if (std::optional<PlannedLaunch> ByHost = Decide.byHostVersion(Site))
      Tell.differences(Plan, *ByHost);
  }
}

/// The device's half: leaves what the kernels use for the host's compilation,
/// and gives them the words that they read as parameters.
static PreservedAnalyses runOnDevice(Module &M, const PlannerOptions &Options) {
  EvidenceTable Table;
  std::vector<DescribedKernel> Kernels;
  AccessPaths Paths = AccessPaths::analyse(M, Options.detail());
  for (Function *Kernel : deviceKernels(M)) {
    KernelEvidence &Evidence = Table[Kernel->getName().str()];
    Evidence.Paths = Paths.take(Kernel->getName());
    Kernels.push_back({Kernel, regionOf(*Kernel)});
    const std::optional<RegionInfo> &Region = Kernels.back().Region;
    // Words are what the host reads of a device's object.
    if (Region && Options.Parameters && !Options.HostEvidence)
      Evidence.Words =
          chooseWords(*Region, Evidence.Paths, placeOfObjects(*Kernel));
  }
  if (Table.empty())
    return PreservedAnalyses::all();
  writeEvidence(M, Table);
  for (Function &F : M)
    removeRegionAssumption(F);
  const DeviceEvidence Evidence = DeviceEvidence::of(
      std::move(Table), mayTakeWords(Triple(M.getTargetTriple())));
  if (remarksWanted(M) && !Options.HostEvidence)
    explainLaunches(Kernels, Evidence, Options);
  for (const auto &[Kernel, Region] : Kernels)
    if (const KernelWords &Words = Evidence.find(Kernel->getName())->Words;
        !Words.empty())
      addParameters(*Kernel, *Region, Words);
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
      Changed |= renameKernel(M, Name, nameWithWords(Name, Kernel->Words));
  return Changed;
}

/// Has the launch \p Site choose between versions of its kernel, if there are
/// several; whether it does.
static bool chooseVersion(const LaunchSite &Site, const RegionInfo *Region,
                          const DeviceEvidence &Evidence) {
  const KernelEvidence *Kernel = Evidence.find(Site.KernelName);
  if (!Kernel)
    return false;
  const std::string Name = nameWithWords(Site.KernelName, Kernel->Words);
  return chooseVersion(Site, Region, Name, Kernel->Words,
                       Evidence.choiceFor(Name));
}

/// Tells what becomes of \p Call. Compilations for devices have told the user
/// where both the region and the device's code are described.
static void tell(const CallBase &Call, const RegionTable &Regions,
                 const DeviceEvidence &Evidence,
                 const std::variant<Decision, Refusal> &Result) {
  const StringRef Kernel = launchedKernel(Call);
  const RegionInfo *Region = Regions.find(Kernel);
  if (!remarksWanted(*Call.getModule()))
    return;
  LaunchRemarks Tell(*Call.getFunction(), Region, Call.getDebugLoc(),
                     Region && Evidence.find(Kernel) ? RemarkTarget::Record
                                                     : RemarkTarget::User);
  if (auto *R = std::get_if<Refusal>(&Result))
    Tell.refused(*R);
  else
    Tell.planned(std::get<Decision>(Result).Plan);
}

PreservedAnalyses MapPass::run(Module &M, ModuleAnalysisManager &) {
  if (isDeviceModule(M))
    return runOnDevice(M, Options);
  SmallVector<CallBase *> Launches = findLaunches(M);
  RegionTable Regions = readRegions(M);
  for (const std::string &Error : Regions.Errors)
    M.getContext().diagnose(ModuleWarning("ferry: " + Error +
                                          "; compile with the " FERRY_FRONT_END
                                          ".so and the " FERRY_PASSES
                                          ".so of one version"));

  bool Changed = false;
  DeviceEvidence Evidence;
  if (!Options.HostEvidence)
    Evidence = DeviceEvidence::read(M);
  Decider Decide(M, Regions, Evidence, Options);
  for (CallBase *Call : Launches) {
    if (isRewritten(*Call))
      continue;
    std::variant<Decision, Refusal> Result = Decide.decide(*Call);
    ++LaunchesSeen;
    tell(*Call, Regions, Evidence, Result);
    if (auto *R = std::get_if<Refusal>(&Result)) {
      ++LaunchesRefused;
      LLVM_DEBUG(dbgs() << "Left (" << refusalName(*R) << "):" << *Call
                        << "\n");
      if (takesWords(*Call, Evidence))
        M.getContext().emitError(
            "ferry: the kernel " + launchedKernel(*Call) +
            " takes captured words as parameters, and its launch cannot give "
            "them (" +
            refusalName(*R) + "): compile with -mllvm -ferry-parameters=false");
      continue;
    }
    auto &[Site, Plan, Check] = std::get<Decision>(Result);
    Changed |= chooseVersion(Site, Regions.find(Site.KernelName), Evidence);
    if (Check && !isChecked(*Call)) {
      emitCheck(Site, *Check);
      // The check names the place.
      shortenLocation(*Site.Call, /*Known=*/true);
      Changed = true;
    }
    if (Plan.empty()) {
      if (Plan.Flags & LaunchPlan::Always)
        Changed |= watchLaunch(*Call);
      continue;
    }
    rewriteLaunch(Site, Plan);
    ++LaunchesRewritten;
    Changed = true;
  }
  if (launchRuntimeFits(M)) {
    if (Options.Check)
      Changed |= tellNamesOfData(M);
    Changed |= watchDataDirectives(M);
  }
  if (Changed)
    addLaunchRuntime(M);
  Changed |= renameKernels(M, Evidence);
  Changed |= removeRegionAnnotations(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses LaunchPlanPrinterPass::run(Module &M,
                                             ModuleAnalysisManager &) {
  RegionTable Regions = readRegions(M);
  for (const std::string &Error : Regions.Errors)
    OS << "error: " << Error << "\n";
  DeviceEvidence Evidence;
  if (!Options.HostEvidence)
    Evidence = DeviceEvidence::read(M);
  Decider Decide(M, Regions, Evidence, Options);
  for (CallBase *Call : findLaunches(M)) {
    OS << "launch of " << launchedKernel(*Call) << ":";
    auto Result = Decide.decide(*Call);
    if (auto *R = std::get_if<Refusal>(&Result)) {
      OS << " " << refusalName(*R) << "\n";
      continue;
    }
    const auto &[Site, Plan, Check] = std::get<Decision>(Result);
    for (Refusal R : Plan.Hints)
      OS << " " << refusalName(R);
    OS << "\n";
    for (const PointerNote &N : Plan.Notes)
      if (N.Kind == PointerNote::Left)
        OS << "  left: " << N.Name << ": " << refusalName(*N.Why) << "\n";
      else if (N.Kind == PointerNote::LeftBehind)
        OS << "  left behind: " << N.Name << ": " << refusalName(*N.Why)
           << "\n";
      else if (N.Kind == PointerNote::LookedUp)
        OS << "  looked up where it points: " << N.Name << ": "
           << refusalName(*N.Why) << "\n";
    Plan.print(OS);
    if (Check)
      Check->print(OS);
  }
  return PreservedAnalyses::all();
}

} // namespace ferry
