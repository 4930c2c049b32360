//===- AccessPaths.cpp - Which pointers does a kernel use? ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before, a kernel's host version (calls, closures on the stack):
//
//   define internal void @__omp_offloading_..._l3(ptr %f) {
//     call void @__kmpc_fork_teams(ptr @0, i32 1, ptr @outlined, ptr %f)
//
// The clone that is walked, inlined and simplified:
//
//   define void @__omp_offloading_..._l3(ptr %f) {
//     %data = load ptr, ptr %f            ; a member at +0
//     %p = getelementptr double, ptr %data, i64 %i
//     store double 0.0, ptr %p            ; ... that is written through
//
// Result:
//
//   argument 0:
//     [+0] written
//
// What cannot be followed makes a pointer "escape", which is always safe to
// say: a call of code outside the module, a pointer stored to memory, integer
// arithmetic other than differences and comparisons.
//
// InstCombine is not run: it turns copies of pointers into copies of integers.
//
//===----------------------------------------------------------------------===//

#include "AccessPaths.h"
#include "AccessRanges.h"
#include "KernelClone.h"
#include "LaunchSite.h"
#include "PathWalk.h"
#include "ReadOrder.h"
#include "RegionInfo.h"
#include "WorkSharing.h"
#include "ferry/OffloadABI.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace ferry {

//===----------------------------------------------------------------------===//
// The paths of a kernel
//===----------------------------------------------------------------------===//

/// Takes away the ranges below \p N that depend on a word that the kernel may
/// write.
static void dropUnstableRanges(const KernelPaths &Paths, PathNode &N) {
  auto Stable = [&](const RangeTerm &T) {
    if (T.Kind != RangeTerm::Word)
      return true;
    const PathNode *Object = &Paths[static_cast<size_t>(T.Value)];
    for (int64_t Offset : drop_end(T.Path)) {
      auto It = Object->Members.find(Offset);
      if (It == Object->Members.end())
        return false;
      Object = It->second.get();
    }
    return !Object->Written && !Object->Escapes;
  };
  if (N.Range && !all_of(N.Range->Terms, Stable))
    N.Range = std::nullopt;
  erase_if(N.Certain, [&](const CertainAccess &A) {
    return !all_of(A.Range.Terms, Stable) ||
           (A.Word && !all_of(A.Word->Terms, Stable));
  });
  for (auto &[Offset, Inner] : N.Members)
    dropUnstableRanges(Paths, *Inner);
  for (auto &[Where, Inner] : N.Elements)
    dropUnstableRanges(Paths, *Inner);
}

static void countAsOnHost(PathNode &N) {
  if (N.Range)
    countAsOnHost(*N.Range);
  for (CertainAccess &A : N.Certain) {
    countAsOnHost(A.Range);
    if (A.Word)
      countAsOnHost(*A.Word);
  }
  for (auto &[Offset, Inner] : N.Members)
    countAsOnHost(*Inner);
  for (auto &[Where, Inner] : N.Elements)
    countAsOnHost(*Inner);
}

/// Takes away the launch environment, which is not in the host version.
static void countAsOnHost(KernelPaths &Paths) {
  Paths.erase(Paths.begin());
  for (PathNode &Root : Paths)
    countAsOnHost(Root);
}

namespace {

/// Analyses kernels in a clone of their module.
class KernelAnalysis {
public:
  KernelAnalysis(const Module &M, ArrayRef<const Function *> Kernels,
                 bool Certain);
  KernelPaths run(const Function &Kernel);

private:
  const bool Certain;
  std::unique_ptr<Module> Clone;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  FunctionPassManager Simplify;

  void inlineCalls();
  void simplify(Function &F, const Function &Kernel);
};

} // namespace

KernelAnalysis::KernelAnalysis(const Module &M,
                               ArrayRef<const Function *> Kernels, bool Certain)
    : Certain(Certain), Clone(cloneKernels(M, Kernels, Certain)) {
  PassBuilder PB;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  inlineCalls();
  Simplify.addPass(SROAPass(SROAOptions::ModifyCFG));
  Simplify.addPass(EarlyCSEPass());
  Simplify.addPass(SimplifyCFGPass());
  Simplify.addPass(InstSimplifyPass());
  Simplify.addPass(ADCEPass());
}

void KernelAnalysis::inlineCalls() {
  // Small functions inline faster than what Clang emits.
  FunctionPassManager Promote;
  Promote.addPass(SROAPass(SROAOptions::PreserveCFG));
  Promote.addPass(EarlyCSEPass());
  ModulePassManager Inline;
  Inline.addPass(createModuleToFunctionPassAdaptor(std::move(Promote)));
  Inline.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  Inline.run(*Clone, MAM);
}

/// Makes \p F, the clone of \p Kernel, what the walk reads.
void KernelAnalysis::simplify(Function &F, const Function &Kernel) {
  // A variable whose address is passed on, now to nobody, goes as well.
  do
    Simplify.run(F, FAM);
  while (forgetOwnAddresses(F));
  if (Certain)
    readOriginals(F);
  std::optional<RegionInfo> Region = regionOf(Kernel);
  noteChangeableLoads(F, Region && Region->Independent);
  // To scalar evolution a call makes a loop one that may never end.
  forgetMarks(F);
  simplifyForRanges(F, /*KeepReads=*/Certain);
  FAM.invalidate(F, PreservedAnalyses::none());
}

KernelPaths KernelAnalysis::run(const Function &Kernel) {
  Function &F = *Clone->getFunction(Kernel.getName());
  simplify(F, Kernel);
  KernelPaths Paths(F.arg_size());
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  ComparisonNumbers Numbers;
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
  AccessRanges Ranges(SE, Loops, Dominators);
  // Of their own, as there are bounds for what is computed.
  AccessRanges SureRanges(SE, Loops, Dominators);
  CertainRanges Sure{SureRanges, Certain && writesPointers(F)};
  for (auto [Argument, Root] : zip_equal(F.args(), Paths))
    if (Argument.getType()->isPointerTy())
      walkPaths(Argument, Root, Clone->getDataLayout(), SE, Ranges,
                Certain ? &Sure : nullptr, Numbers);
  for (PathNode &Root : Paths)
    dropUnstableRanges(Paths, Root);
  FAM.clear(F, F.getName());
  return Paths;
}

AccessPaths AccessPaths::analyse(const Module &M,
                                 ArrayRef<const Function *> Kernels,
                                 Detail Wanted) {
  AccessPaths Result;
  if (Kernels.empty())
    return Result;
  KernelAnalysis Analysis(M, Kernels, Wanted == Detail::Certain);
  for (const Function *K : Kernels) {
    KernelPaths Paths = Analysis.run(*K);
    if (isDeviceModule(M))
      countAsOnHost(Paths);
    Result.Paths.emplace(K->getName().str(), std::move(Paths));
  }
  return Result;
}

const KernelPaths *AccessPaths::find(StringRef Kernel) const {
  auto It = Paths.find(Kernel);
  return It == Paths.end() ? nullptr : &It->second;
}

KernelPaths AccessPaths::take(StringRef Kernel) {
  auto Node = Paths.extract(Kernel.str());
  return Node ? std::move(Node.mapped()) : KernelPaths();
}

void AccessPaths::print(raw_ostream &OS) const {
  for (const auto &[Name, Arguments] : Paths) {
    OS << "access paths of " << Name << ":\n";
    for (const auto &[I, Root] : enumerate(Arguments)) {
      if (!Root.used())
        continue;
      OS << "  argument " << I << ": ";
      Root.print(OS, 4, /*Ranges=*/true);
    }
  }
}

bool AccessPaths::invalidate(Module &, const PreservedAnalyses &PA,
                             ModuleAnalysisManager::Invalidator &) {
  auto Checker = PA.getChecker<AccessPathsAnalysis>();
  return !Checker.preserved() && !Checker.preservedSet<AllAnalysesOn<Module>>();
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

bool isDeviceModule(const Module &M) {
  return M.getModuleFlag("openmp-device") != nullptr;
}

SmallVector<Function *> deviceKernels(Module &M) {
  SmallVector<Function *> Kernels;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasLocalLinkage() && !F.arg_empty() &&
        F.getName().starts_with(abi::KernelPrefix))
      Kernels.push_back(&F);
  return Kernels;
}

AnalysisKey AccessPathsAnalysis::Key;

AccessPaths AccessPaths::analyse(Module &M, Detail Wanted) {
  if (isDeviceModule(M)) {
    SmallVector<Function *> Kernels = deviceKernels(M);
    return analyse(
        M, SmallVector<const Function *>(Kernels.begin(), Kernels.end()),
        Wanted);
  }
  SetVector<const Function *> Kernels;
  for (const CallBase *Call : findLaunches(M)) {
    const Function *K = M.getFunction(launchedKernel(*Call));
    if (K && !K->isDeclaration())
      Kernels.insert(K);
  }
  return analyse(M, Kernels.getArrayRef(), Wanted);
}

AccessPaths AccessPathsAnalysis::run(Module &M, ModuleAnalysisManager &) {
  return AccessPaths::analyse(M);
}

PreservedAnalyses AccessPathsPrinterPass::run(Module &M,
                                              ModuleAnalysisManager &AM) {
  AM.getResult<AccessPathsAnalysis>(M).print(OS);
  return PreservedAnalyses::all();
}

} // namespace ferry
