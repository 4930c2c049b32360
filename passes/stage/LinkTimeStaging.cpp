//===- LinkTimeStaging.cpp - Staging under -foffload-lto ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -foffload-lto the body of a kernel's loop is, until everything is
// linked, in a function that the device runtime calls. So a file's kernels are
// only prepared when it is compiled. There is a copy of each function
//
//   define weak_odr hidden void @ferry.prepared.__omp_offloading_...(...) #0
//   attributes #0 = { "ferry-stage"="on" "ferry-stage-max-bytes"="49152" ... }
//   br i1 %done, label %exit, label %loop, !llvm.loop !1
//   !1 = distinct !{!1, ..., !2, !3}
//   !2 = !{!"llvm.loop.disable_nonforced"}
//   !3 = !{!"ferry.until.linked"}
//
// The attributes are the options that the file was compiled with; the link
// knows only its own. Loops of copies stay as they are, because the pipeline
// before the link unrolls and vectorizes them, and staging looks for loads that
// are one step apart. The functions themselves are what Clang makes of them.
//
// The pipeline of the link has no place where everything is inlined and not yet
// unrolled. So at its beginning copies' loops are freed, and the passes that
// come before that place when there is no link-time optimisation are run: on a
// copy of the module, in which all kernels are the prepared ones. Those that
// are staged there are staged in the module; of the others it keeps what Clang
// has made, and if none is staged all of it. What is staged has behind that
// what its files' pipelines would have done.
//
//===----------------------------------------------------------------------===//

#include "LinkTimeStaging.h"
#include "StagePass.h"
#include "stage/common/KernelLimits.h"
#include "support/StageLibrary.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace ferry {

/// LLVM's word for loops that are left as they are, and Ferry's that it was
/// put there.
static constexpr char Keep[] = "llvm.loop.disable_nonforced";
static constexpr char UntilLinked[] = "ferry.until.linked";

/// What the names of prepared copies begin with.
static constexpr char Prepared[] = "ferry.prepared.";
static constexpr char KernelAttribute[] = "kernel";

/// Whether \p M is to be optimised as a whole when it is linked. Clang marks
/// such modules so. The device runtime is marked as well, but they do not have
/// it yet.
static bool isForLink(const Module &M) {
  const Function *Init = M.getFunction("__kmpc_target_init");
  return Init && Init->isDeclaration() && M.getModuleFlag("ThinLTO");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Says \p Words of each loop of \p F that may be transformed.
static void markLoops(Function &F, ArrayRef<const char *> Words) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  LLVMContext &C = F.getContext();
  SmallVector<MDNode *, 2> Added;
  for (const char *Word : Words)
    Added.push_back(MDNode::get(C, MDString::get(C, Word)));
  for (Loop *L : LI.getLoopsInPreorder())
    if (!hasDisableAllTransformsHint(L))
      L->setLoopID(
          makePostTransformationMetadata(C, L->getLoopID(), {}, Added));
}

static void freeLoops(Function &F) {
  for (BasicBlock &B : F) {
    Instruction &I = *B.getTerminator();
    MDNode *ID = I.getMetadata(LLVMContext::MD_loop);
    if (ID && findOptionMDForLoopID(ID, UntilLinked))
      I.setMetadata(LLVMContext::MD_loop,
                    makePostTransformationMetadata(F.getContext(), ID,
                                                   {Keep, UntilLinked}, {}));
  }
}

/// Makes of a phi of sign extensions the sign extension of a phi.
static void narrow(PHINode &Wide) {
  Type *Narrow = nullptr;
  for (Value *V : Wide.incoming_values()) {
    auto *Extension = dyn_cast<SExtInst>(V);
    if (!Extension || (Narrow && Extension->getSrcTy() != Narrow))
      return;
    Narrow = Extension->getSrcTy();
  }
  IRBuilder<> B(&Wide);
  PHINode *Phi = B.CreatePHI(Narrow, Wide.getNumIncomingValues());
  for (auto [V, Block] : zip(Wide.incoming_values(), Wide.blocks()))
    Phi->addIncoming(cast<SExtInst>(V)->getOperand(0), Block);
  B.SetInsertPoint(Wide.getParent(), Wide.getParent()->getFirstInsertionPt());
  Wide.replaceAllUsesWith(B.CreateSExt(Phi, Wide.getType()));
  Wide.eraseFromParent();
}

/// As long as nothing is known of its bounds, a loop's variable is widened in a
/// way that hides how it goes on.
static void narrowVariables(Function &F) {
  for (BasicBlock &B : F)
    for (PHINode &P : make_early_inc_range(B.phis()))
      narrow(P);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Whether nothing depends on the address of \p F: it is called, or given to
/// OpenMP's device runtime to call. Two functions have two addresses.
static bool isOnlyCalled(const Function &F) {
  return all_of(F.uses(), [](const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || Call->isCallee(&U))
      return Call != nullptr;
    const Function *Callee = Call->getCalledFunction();
    return Callee && Callee->getName().starts_with("__kmpc_");
  });
}

/// Makes a copy of each function of \p M, which calls the others' copies.
static SmallVector<Function *, 8> copyFunctions(Module &M) {
  SmallVector<Function *, 8> Functions, Copies;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
        isOnlyCalled(F))
      Functions.push_back(&F);
  ValueToValueMapTy Map;
  for (Function *F : Functions) {
    Function *Copy =
        Function::Create(F->getFunctionType(), F->getLinkage(),
                         F->getAddressSpace(), Prepared + F->getName(), &M);
    for (auto [From, To] : zip_equal(F->args(), Copy->args()))
      Map[&From] = &To;
    Map[F] = Copy;
    Copies.push_back(Copy);
  }
  for (auto [F, Copy] : zip_equal(Functions, Copies)) {
    SmallVector<ReturnInst *, 4> Returns;
    CloneFunctionInto(Copy, F, Map, CloneFunctionChangeType::LocalChangesOnly,
                      Returns);
    // It is none before it takes the kernel's place.
    Copy->removeFnAttr(KernelAttribute);
    if (!Copy->hasLocalLinkage())
      Copy->setVisibility(GlobalValue::HiddenVisibility);
  }
  const SmallVector<GlobalValue *, 8> Used(Copies.begin(), Copies.end());
  appendToCompilerUsed(M, Used);
  return Copies;
}

static SmallVector<Function *, 8> copiesIn(Module &M) {
  SmallVector<Function *, 8> Copies;
  for (Function &F : M)
    if (!F.isDeclaration() && F.getName().starts_with(Prepared))
      Copies.push_back(&F);
  return Copies;
}

/// The kernel that \p Copy is of, or null.
static Function *kernelOf(const Function &Copy) {
  return notedStageOptions(Copy)
             ? Copy.getParent()->getFunction(
                   Copy.getName().drop_front(StringRef(Prepared).size()))
             : nullptr;
}

/// Has \p Copies call copies that other files have made.
static void linkCopies(ArrayRef<Function *> Copies) {
  const SmallPtrSet<const Function *, 16> IsCopy(Copies.begin(), Copies.end());
  for (Function *Copy : Copies) {
    Function *Of = Copy->getParent()->getFunction(
        Copy->getName().drop_front(StringRef(Prepared).size()));
    if (Of && !Copy->hasLocalLinkage() && !notedStageOptions(*Copy))
      Of->replaceUsesWithIf(Copy, [&](Use &U) {
        auto *Call = dyn_cast<CallBase>(U.getUser());
        return Call && Call->isCallee(&U) &&
               IsCopy.contains(Call->getFunction());
      });
  }
}

/// Makes \p Kernel what \p Copy is.
static void takePlace(Function &Kernel, Function &Copy) {
  const GlobalValue::LinkageTypes Linkage = Kernel.getLinkage();
  Kernel.deleteBody();
  Kernel.splice(Kernel.begin(), &Copy);
  for (auto [From, To] : zip_equal(Copy.args(), Kernel.args()))
    From.replaceAllUsesWith(&To);
  Kernel.setLinkage(Linkage);
  Kernel.setAttributes(Copy.getAttributes());
  Kernel.addFnAttr(KernelAttribute);
  Kernel.copyMetadata(&Copy, 0);
}

/// Puts the copies of kernels in their places, of those that \p IsWanted says,
/// and forgets the others.
static void takeCopies(Module &M, function_ref<bool(StringRef)> IsWanted) {
  removeFromUsedLists(M, [](Constant *C) {
    auto *F = dyn_cast<Function>(C->stripPointerCasts());
    return F && F->getName().starts_with(Prepared);
  });
  SmallVector<Function *, 8> Copies = copiesIn(M);
  linkCopies(Copies);
  for (Function *Copy : Copies)
    freeLoops(*Copy);
  for (Function *Copy : Copies)
    if (Function *Kernel = kernelOf(*Copy);
        Kernel && IsWanted(Kernel->getName()))
      takePlace(*Kernel, *Copy);
  for (Function *Copy : Copies) {
    removeStageOptions(*Copy);
    Copy->removeDeadConstantUsers();
    if (!Copy->isDeclaration())
      Copy->setLinkage(GlobalValue::InternalLinkage);
  }
  // What only copies call that are not wanted goes as well.
  for (bool Any = true; Any;) {
    Any = false;
    for (Function *&Copy : Copies)
      if (Copy && Copy->use_empty()) {
        std::exchange(Copy, nullptr)->eraseFromParent();
        Any = true;
      }
  }
}

/// \p Roots and what they lead to.
static SmallPtrSet<Function *, 16> reachedFrom(ArrayRef<Function *> Roots) {
  SmallVector<Function *, 16> Work(Roots);
  SmallPtrSet<Function *, 16> Reached(Roots.begin(), Roots.end());
  while (!Work.empty())
    for (Instruction &I : instructions(*Work.pop_back_val()))
      for (Value *V : I.operands())
        if (auto *F = dyn_cast<Function>(V->stripPointerCasts());
            F && !F->isDeclaration() && Reached.insert(F).second)
          Work.push_back(F);
  return Reached;
}

/// What kernels of \p M that are not \p Staged have for themselves.
static SmallVector<Function *, 16> leftFunctions(Module &M,
                                                 const StringSet<> &Staged) {
  SmallVector<Function *, 8> Left, Others;
  for (Function *Kernel : kernelsOf(M))
    (Staged.contains(Kernel->getName()) ? Others : Left).push_back(Kernel);
  const SmallPtrSet<Function *, 16> Shared = reachedFrom(Others);
  SmallVector<Function *, 16> Own;
  for (Function *F : reachedFrom(Left))
    if (!Shared.contains(F))
      Own.push_back(F);
  return Own;
}

namespace {
/// Keeps functions from passes that have been run on them, as long as it lives.
class AsTheyAre {
public:
  explicit AsTheyAre(ArrayRef<Function *> Functions) {
    for (Function *F : Functions)
      if (!F->hasOptNone() && !F->hasFnAttribute(Attribute::AlwaysInline)) {
        Kept.push_back({F, F->hasFnAttribute(Attribute::NoInline)});
        F->addFnAttr(Attribute::OptimizeNone);
        F->addFnAttr(Attribute::NoInline);
      }
  }
  ~AsTheyAre() {
    for (auto &[V, WasNoInline] : Kept)
      if (Value *Still = V) {
        auto *F = cast<Function>(Still);
        F->removeFnAttr(Attribute::OptimizeNone);
        if (!WasNoInline)
          F->removeFnAttr(Attribute::NoInline);
      }
  }

private:
  SmallVector<std::pair<WeakTrackingVH, bool>, 8> Kept;
};

/// Keeps remarks of passes that are tried out from the user, as long as it
/// lives.
class NoRemarks {
public:
  explicit NoRemarks(LLVMContext &C) : C(C), Told(C.getDiagnosticHandler()) {
    C.setDiagnosticHandler(std::make_unique<Handler>(*Told));
  }
  ~NoRemarks() {
    C.setDiagnosticHandler(std::move(Told), /*RespectFilters=*/true);
  }

private:
  struct Handler : DiagnosticHandler {
    explicit Handler(DiagnosticHandler &Told) : Told(Told) {}
    bool handleDiagnostics(const DiagnosticInfo &DI) override {
      return isa<DiagnosticInfoOptimizationBase>(DI) ||
             Told.handleDiagnostics(DI);
    }
    DiagnosticHandler &Told;
  };
  LLVMContext &C;
  std::unique_ptr<DiagnosticHandler> Told;
};
} // namespace

//===----------------------------------------------------------------------===//
// The passes
//===----------------------------------------------------------------------===//

static bool prepare(Module &M, const StageOptions &Options) {
  if (all_of(kernelsOf(M), [&](Function *F) {
        return Options.modeFor(F->getName()) == StageMode::Off;
      }))
    return false;
  SmallVector<Function *, 8> Kernels = kernelsOf(M);
  for (Function *Copy : copyFunctions(M)) {
    markLoops(*Copy, {Keep, UntilLinked});
    Function *Of =
        M.getFunction(Copy->getName().drop_front(StringRef(Prepared).size()));
    if (is_contained(Kernels, Of))
      noteStageOptions(*Copy, Options);
  }
  return true;
}

PreservedAnalyses StageCompiledPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  if (!stageRuntimeFits(M) || !isForLink(M))
    return StagePass(Options, /*Versions=*/true).run(M, MAM);
  return prepare(M, Options) ? PreservedAnalyses::none()
                             : PreservedAnalyses::all();
}

/// The names of the kernels of \p M that are staged if all are prepared.
static StringSet<> tryOut(const Module &M, ModulePassManager &Simplify,
                          const StageOptions &Off, ModuleAnalysisManager &MAM) {
  StringSet<> Staged;
  std::unique_ptr<Module> Trial = CloneModule(M);
  takeCopies(*Trial, [](StringRef) { return true; });
  for (Function &F : *Trial)
    narrowVariables(F);
  {
    NoRemarks Quiet(M.getContext());
    Simplify.run(*Trial, MAM);
  }
  StagePass(Off, /*Versions=*/false, &Staged).run(*Trial, MAM);
  MAM.clear(*Trial, Trial->getName());
  return Staged;
}

PreservedAnalyses StageLinkedPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (copiesIn(M).empty())
    return PreservedAnalyses::all();
  StageOptions Off;
  Off.Mode = StageMode::Off;
  const StringSet<> Staged = tryOut(M, Passes.SimplifyTrial, Off, MAM);
  takeCopies(M, [&](StringRef Kernel) { return Staged.contains(Kernel); });
  if (Staged.empty())
    return PreservedAnalyses::none();
  // Loops that Clang has not unrolled before the link, it has left.
  for (Function *F : leftFunctions(M, Staged))
    markLoops(*F, {"llvm.loop.unroll.runtime.disable"});
  for (Function &F : M)
    narrowVariables(F);
  Passes.Simplify.run(M, MAM);
  {
    NoRemarks Said(M.getContext());
    StagePass(Off, /*Versions=*/false).run(M, MAM);
  }
  const AsTheyAre Left(leftFunctions(M, Staged));
  Passes.Optimize.run(M, MAM);
  return PreservedAnalyses::none();
}

} // namespace ferry
