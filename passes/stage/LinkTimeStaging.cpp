//===- LinkTimeStaging.cpp - Staging under -foffload-lto ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -foffload-lto the body of a kernel's loop is, until everything is
// linked, in a function that the device runtime calls. So a file is compiled as
// without staging, and its code as it is before loops are unrolled and
// vectorized travels beside it (PreparedCode.h).
//
// The pipeline of the link has no place where everything is inlined and not yet
// unrolled. So at its beginning a copy of the program is made, its functions
// get the code that has travelled, and the passes that come before staging when
// there is no link-time optimisation are run on it:
//
//   program:  define void @K()   ; as with staging off, loops unrolled
//   copy:     define void @K()   ; loops as they were; then simplified; then,
//                                ; perhaps, staged
//
// A kernel that is staged there replaces the program's; nothing else in the
// program changes. With it comes what it calls, and what belongs to a launch,
// as the runtime's state in shared memory does. Other variables are the
// program's, and passes over the copy know nothing of them but that they exist,
// for what the program's other kernels do to them is not in the copy.
//
// Refuses: kernels that refer to something which cannot be replaced so.
//
//===----------------------------------------------------------------------===//

#include "LinkTimeStaging.h"
#include "FunctionTransfer.h"
#include "MathFunctions.h"
#include "PreparedCode.h"
#include "StagePass.h"
#include "stage/common/KernelLimits.h"
#include "stage/common/StageRemarks.h"
#include "support/StageLibrary.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueMap.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

/// Whether \p M is to be optimised as a whole when it is linked. Clang marks
/// such modules so. The device runtime is marked as well, but they do not have
/// it yet.
static bool isForLink(const Module &M) {
  const Function *Init = M.getFunction("__kmpc_target_init");
  return Init && Init->isDeclaration() && M.getModuleFlag("ThinLTO");
}

//===----------------------------------------------------------------------===//
// Variables of loops
//===----------------------------------------------------------------------===//

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
// The copy of the program
//===----------------------------------------------------------------------===//

/// Whether \p F may be called by who has its address: not only what calls it,
/// or has OpenMP's device runtime call it, knows it.
static bool escapes(const Function &F) {
  return any_of(F.uses(), [](const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call)
      return true;
    const Function *Callee = Call->getCalledFunction();
    return !Call->isCallee(&U) &&
           !(Callee && Callee->getName().starts_with("__kmpc_"));
  });
}

/// Erases kernels of \p M that are not to be staged.
static void eraseOtherKernels(Module &M) {
  SmallPtrSet<const Value *, 8> Erased;
  for (Function *Kernel : kernelsOf(M))
    if (!notedStageOptions(*Kernel) && Kernel->use_empty())
      Erased.insert(Kernel);
  if (NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations")) {
    const SmallVector<MDNode *, 8> All(Annotations->operands());
    Annotations->clearOperands();
    for (MDNode *Node : All)
      if (!Erased.contains(
              mdconst::dyn_extract_or_null<Constant>(Node->getOperand(0))))
        Annotations->addOperand(Node);
  }
  for (Function *Kernel : kernelsOf(M))
    if (Erased.contains(Kernel))
      Kernel->eraseFromParent();
}

/// Has passes over \p M know of functions and variables what they may.
static void seal(Module &M) {
  declareVariables(M);
  const SmallVector<Function *, 8> Kernels = kernelsOf(M);
  for (Function &F : M) {
    if (F.isDeclaration() || is_contained(Kernels, &F))
      continue;
    const bool Escapes = escapes(F);
    F.setLinkage(Escapes ? GlobalValue::ExternalLinkage
                         : GlobalValue::InternalLinkage);
    if (!Escapes)
      F.setVisibility(GlobalValue::DefaultVisibility);
  }
}

namespace {
/// A copy of a program in which kernels are staged.
class StagedCopy {
public:
  StagedCopy(Module &Program, ArrayRef<PreparedCode> Codes);

  Module &module() { return *Copy; }
  /// Whether \p Kernel, of the copy, can be in the place of the program's.
  bool canReplace(const Function &Kernel) const;
  void replace(ArrayRef<Function *> Kernels);

private:
  void takeCode(const PreparedCode &Code, const ValueToValueMapTy &Map);
  using ConstantSet = SmallPtrSet<const Constant *, 8>;
  bool canReplace(const Constant &Used, ConstantSet &Seen) const;
  bool isCopied(const GlobalValue &G) const;
  bool isOutside(const Function &F) const;
  void replaceEnvironment(const Function &Kernel);

  Module &Program;
  std::unique_ptr<Module> Copy;
  struct OnlyThese : ValueMapConfig<const Value *> {
    enum { FollowRAUW = false };
  };
  /// What globals of the copy, but for those that passes have made of them, are
  /// in the program.
  ValueMap<const Value *, GlobalValue *, OnlyThese> Places;
};
} // namespace

StagedCopy::StagedCopy(Module &Program, ArrayRef<PreparedCode> Codes)
    : Program(Program) {
  ValueToValueMapTy Map;
  Copy = CloneModule(Program, Map);
  for (GlobalValue &G : Program.global_values())
    Places[Map.lookup(&G)] = &G;
  for (const PreparedCode &Code : Codes)
    takeCode(Code, Map);
  eraseOtherKernels(*Copy);
  seal(*Copy);
}

/// Gives functions of the copy the bodies that they have in \p Code. \p Map is
/// from the program to the copy.
void StagedCopy::takeCode(const PreparedCode &Code,
                          const ValueToValueMapTy &Map) {
  FunctionTransfer Transfer(*Copy, /*DeclareUnknown=*/true);
  for (auto [There, Here] : Code.Places)
    Transfer.map(*There, *cast<GlobalValue>(Map.lookup(Here)));
  for (auto [There, Here] : Code.Functions)
    Transfer.copy(*There, *cast<Function>(Map.lookup(Here)));
}

/// Whether the program gets a \p G of its own with a kernel.
bool StagedCopy::isCopied(const GlobalValue &G) const {
  if (auto *F = dyn_cast<Function>(&G))
    return !F->isDeclaration();
  auto *V = dyn_cast<GlobalVariable>(&G);
  return V && isCopiedWithCode(*V) && (belongsToLaunch(*V) || !Places.count(V));
}

/// Whether neither the program nor the copy have the body of \p F.
bool StagedCopy::isOutside(const Function &F) const {
  const auto *There = dyn_cast_or_null<Function>(Places.lookup(&F));
  return F.isIntrinsic() || (There && There->isDeclaration());
}

/// Whether \p Used, which is not called, may be referred to, and what it refers
/// to, beside what has been \p Seen.
bool StagedCopy::canReplace(const Constant &Used, ConstantSet &Seen) const {
  if (!Seen.insert(&Used).second)
    return true;
  if (auto *G = dyn_cast<GlobalVariable>(&Used))
    return isCopied(*G) ? canReplace(*G->getInitializer(), Seen)
                        : Places.count(G);
  // The function may have an address already, and so may what it calls.
  if (isa<GlobalValue, BlockAddress>(Used))
    return false;
  return all_of(Used.operands(), [&](const Use &U) {
    return canReplace(*cast<Constant>(U), Seen);
  });
}

bool StagedCopy::canReplace(const Function &Kernel) const {
  SmallVector<const Function *, 8> Work{&Kernel};
  SmallPtrSet<const Function *, 8> Seen{&Kernel};
  ConstantSet SeenConstants;
  auto CanUse = [&](const Instruction &I, const Use &U) {
    auto *Used = dyn_cast<Constant>(U);
    auto *Call = dyn_cast<CallBase>(&I);
    auto *Callee = dyn_cast<Function>(U);
    if (!Used || !Callee || !Call || !Call->isCallee(&U))
      return !Used || canReplace(*Used, SeenConstants);
    if (isCopied(*Callee) && Seen.insert(Callee).second)
      Work.push_back(Callee);
    return isCopied(*Callee) || isOutside(*Callee);
  };
  while (!Work.empty()) {
    const Function *F = Work.pop_back_val();
    // Prologues and the like.
    if (F->getNumOperands())
      return false;
    for (const Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if ((Call && Call->isIndirectCall()) ||
          !all_of(I.operands(), [&](const Use &U) { return CanUse(I, U); }))
        return false;
    }
  }
  return true;
}

/// What the kernel asks of a launch, passes over the copy have found out.
void StagedCopy::replaceEnvironment(const Function &Kernel) {
  const std::string Name = (Kernel.getName() + "_kernel_environment").str();
  GlobalVariable *Here = Program.getNamedGlobal(Name);
  GlobalVariable *There = Copy->getNamedGlobal(Name);
  if (!Here || !There || !Here->hasInitializer() || !There->hasInitializer())
    return;
  auto *Whole = dyn_cast<ConstantStruct>(Here->getInitializer());
  if (!Whole)
    return;
  SmallVector<Constant *, 3> Parts;
  for (const Use &Part : Whole->operands())
    Parts.push_back(cast<Constant>(Part));
  // The others are addresses.
  Parts[0] = There->getInitializer()->getAggregateElement(0u);
  Here->setInitializer(ConstantStruct::get(Whole->getType(), Parts));
}

/// Puts \p Kernels, of the copy, in the place of the program's.
void StagedCopy::replace(ArrayRef<Function *> Kernels) {
  FunctionTransfer Transfer(Program, /*DeclareUnknown=*/false);
  for (auto [There, Here] : Places)
    if (auto *G = cast<GlobalValue>(There); !isCopied(*G))
      Transfer.map(*G, *Here);
  for (Function *Kernel : Kernels) {
    replaceEnvironment(*Kernel);
    Transfer.copy(*Kernel, cast<Function>(*Places.lookup(Kernel)));
  }
}

//===----------------------------------------------------------------------===//
// The passes
//===----------------------------------------------------------------------===//

namespace {
/// Keeps remarks of passes that run once more than for Clang from the user, as
/// long as it lives.
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

/// Says that \p Kernel cannot replace the program's.
static void remarkNotReplaceable(Function &Kernel) {
  OptimizationRemarkEmitter ORE(&Kernel);
  remarkKernelLeft(ORE, Kernel, StageRefusal::NotReplaceable);
}

/// Leaves kernels of \p Copy that cannot replace the program's.
static void leaveKernels(StagedCopy &Copy) {
  for (Function *Kernel : kernelsOf(Copy.module())) {
    KernelLimits Limits;
    if (!notedStageOptions(*Kernel) || readLimits(*Kernel, Limits) ||
        Copy.canReplace(*Kernel))
      continue;
    removeStageOptions(*Kernel);
    remarkNotReplaceable(*Kernel);
  }
}

/// Erases from \p M what nothing uses, the most part of the device runtime, but
/// for functions that OpenMPOpt makes kernels call.
static void eraseUnused(Module &M, ModuleAnalysisManager &MAM) {
  SmallVector<GlobalValue *, 2> Kept;
  for (const char *Name :
       {"__kmpc_get_hardware_thread_id_in_block", "__kmpc_barrier_simple_spmd"})
    if (Function *F = M.getFunction(Name); F && !F->isDeclaration())
      Kept.push_back(F);
  for (GlobalValue *F : Kept)
    F->setLinkage(GlobalValue::ExternalLinkage);
  MAM.invalidate(M, GlobalDCEPass().run(M, MAM));
  for (GlobalValue *F : Kept)
    F->setLinkage(GlobalValue::InternalLinkage);
}

/// The kernels of \p Copy that are staged then.
static SmallVector<Function *, 8> stage(StagedCopy &Copy,
                                        ModulePassManager &Simplify,
                                        ModuleAnalysisManager &MAM) {
  Module &M = Copy.module();
  for (Function &F : M)
    narrowVariables(F);
  {
    const NoRemarks Quiet(M.getContext());
    eraseUnused(M, MAM);
    MAM.invalidate(M, Simplify.run(M, MAM));
  }
  leaveKernels(Copy);
  SmallVector<Function *, 8> Staged;
  StageOptions Off;
  Off.Mode = StageMode::Off;
  MAM.invalidate(M, StagePass(Off, /*Versions=*/false, &Staged).run(M, MAM));
  MAM.invalidate(M, InlineMathPass().run(M, MAM));
  erase_if(Staged, [&](Function *F) {
    const bool Can = Copy.canReplace(*F);
    if (!Can)
      remarkNotReplaceable(*F);
    return !Can;
  });
  return Staged;
}

PreservedAnalyses StageCompiledPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  if (!stageRuntimeFits(M) || !isForLink(M))
    return StagePass(Options, /*Versions=*/true).run(M, MAM);
  addPreparedCode(M, Options);
  return PreservedAnalyses::all();
}

PreservedAnalyses StageLinkedPass::run(Module &M, ModuleAnalysisManager &MAM) {
  std::vector<PreparedCode> Codes = takePreparedCode(M);
  if (Codes.empty())
    return PreservedAnalyses::all();
  StagedCopy Copy(M, Codes);
  Codes.clear();
  const SmallVector<Function *, 8> Staged = stage(Copy, Simplify, MAM);
  Copy.replace(Staged);
  MAM.clear(Copy.module(), Copy.module().getName());
  return Staged.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

PreservedAnalyses RemovePreparedCodePass::run(Module &M,
                                              ModuleAnalysisManager &) {
  removePreparedCode(M);
  return PreservedAnalyses::all();
}

} // namespace ferry
