//===- KernelClone.cpp - Kernels as the analysis reads them ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelClone.h"
#include "AccessPaths.h"
#include "WorkSharing.h"
#include "ferry/OffloadABI.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <utility>

using namespace llvm;

namespace ferry {

/// What keeps loads in the clone.
static constexpr StringLiteral ObserveFunction = "ferry.observe";

/// Whether \p F belongs to a device's runtime or mathematical library, which
/// Clang links into the device's module: what it is given it does not keep.
static bool isDeviceLibrary(const Function &F) {
  StringRef Name = F.getName();
  return Name.starts_with("__kmpc_") || Name.starts_with("omp_") ||
         Name.starts_with("__nv_") || Name.starts_with("__ocml_");
}

/// Everything in the module that \p Kernels may execute.
static SmallPtrSet<const Function *, 32>
reachableFrom(ArrayRef<const Function *> Kernels) {
  SmallPtrSet<const Function *, 32> Reached;
  SmallVector<const Function *> Worklist(Kernels);
  while (!Worklist.empty()) {
    const Function *F = Worklist.pop_back_val();
    if (!Reached.insert(F).second)
      continue;
    for (const Instruction &I : instructions(F))
      for (const Value *Op : I.operands())
        if (const auto *G =
                dyn_cast<Function>(Op->stripPointerCastsAndAliases()))
          if (!G->isDeclaration() && !isDeviceLibrary(*G))
            Worklist.push_back(G);
  }
  return Reached;
}

/// Number of the operand that is the outlined function, and of the first that
/// it is given, in calls of libomp's fork functions (kmp.h). LLVM's
/// AbstractCallSite reads them off the metadata !callback, which Clang does not
/// give to __kmpc_fork_call_if and to the device's functions.
static std::optional<std::pair<unsigned, unsigned>>
forkOperands(StringRef Callee) {
  if (Callee == "__kmpc_fork_call" || Callee == "__kmpc_fork_teams")
    return std::pair{2u, 3u};
  if (Callee == "__kmpc_fork_call_if")
    return std::pair{2u, 4u};
  return std::nullopt;
}

/// Operands of the device runtime's function for parallel regions
/// (Parallelism.cpp).
enum ParallelOperand : unsigned {
  ParallelFunction = 5,
  ParallelArguments = 7,
  ParallelNumArguments = 8,
};

/// Whether \p Call starts a parallel region on a device.
static bool isParallel(const CallBase &Call) {
  return any_of(abi::Versions, [&](const abi::Version &V) {
    return Call.getCalledFunction()->getName() == V.Parallel &&
           Call.arg_size() == V.ParallelOperands;
  });
}

/// A variable of type \p Ty in the function of \p Call, for its result or its
/// arguments.
static Value *ownVariable(CallBase &Call, Type *Ty) {
  BasicBlock &Entry = Call.getFunction()->getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstInsertionPt());
  AllocaInst *Variable = B.CreateAlloca(Ty);
  Variable->setAlignment(Align(16));
  return B.CreateAddrSpaceCast(Variable, B.getPtrTy());
}

/// Turns \p Call, which starts a parallel region, into a direct call of the
/// outlined function, whose arguments are in an array.
static void callParallel(CallBase &Call) {
  auto *Outlined = dyn_cast<Function>(
      Call.getArgOperand(ParallelFunction)->stripPointerCasts());
  auto *Count = dyn_cast<ConstantInt>(Call.getArgOperand(ParallelNumArguments));
  if (!Outlined || !Count || Outlined->isVarArg() ||
      Outlined->arg_size() != Count->getZExtValue() + 2)
    return;
  IRBuilder<> B(&Call);
  const DataLayout &DL = Call.getModule()->getDataLayout();
  Value *IdPointer = ownVariable(Call, B.getInt32Ty());
  SmallVector<Value *> Args{IdPointer, IdPointer};
  for (const Argument &A : drop_begin(Outlined->args(), 2)) {
    if (DL.getTypeStoreSize(A.getType()) > sizeof(void *))
      return;
    Value *Slot = B.CreateConstGEP1_64(
        B.getPtrTy(), Call.getArgOperand(ParallelArguments), A.getArgNo() - 2);
    Args.push_back(B.CreateLoad(A.getType(), Slot));
  }
  B.CreateCall(Outlined, Args);
  Call.eraseFromParent();
}

/// Turns memory of the device runtime's stack of variables that several threads
/// may see into the kernel's own.
static void privatize(CallBase &Call) {
  auto *Size = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  if (!Size)
    return;
  Type *Byte = Type::getInt8Ty(Call.getContext());
  Call.replaceAllUsesWith(
      ownVariable(Call, ArrayType::get(Byte, Size->getZExtValue())));
  Call.eraseFromParent();
}

/// Replaces calls of the device's runtime in \p F by what they do, as far as
/// the walk has to see it.
static void lowerDeviceRuntime(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *CB = dyn_cast<CallInst>(&I);
    const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
    if (!Callee)
      continue;
    if (isParallel(*CB))
      callParallel(*CB);
    else if (Callee->getName() == "__kmpc_alloc_shared")
      privatize(*CB);
    else if (Callee->getName() == "__kmpc_free_shared")
      CB->eraseFromParent();
  }
}

/// Turns forks in \p F into direct calls of the outlined functions.
static void callOutlined(Function &F) {
  SmallVector<CallBase *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *CB = dyn_cast<CallBase>(&I))
      if (CB->getCalledFunction())
        Calls.push_back(CB);
  for (CallBase *CB : Calls) {
    auto Operands = forkOperands(CB->getCalledFunction()->getName());
    if (!Operands || CB->arg_size() < Operands->second)
      continue;
    auto [FnAt, First] = *Operands;
    auto *Outlined =
        dyn_cast<Function>(CB->getArgOperand(FnAt)->stripPointerCasts());
    if (!Outlined || Outlined->isVarArg())
      continue;
    IRBuilder<> B(CB);
    // The thread numbers, by reference.
    Value *Id = B.CreateAlloca(B.getInt32Ty());
    SmallVector<Value *> Args{Id, Id};
    Args.append(CB->arg_begin() + First, CB->arg_end());
    FunctionType *Ty = Outlined->getFunctionType();
    if (Ty->getNumParams() != Args.size() ||
        !all_of(zip(Ty->params(), Args), [](auto Pair) {
          return std::get<0>(Pair) == std::get<1>(Pair)->getType();
        }))
      continue;
    B.CreateCall(Outlined, Args);
    if (auto *Invoke = dyn_cast<InvokeInst>(CB)) {
      B.CreateBr(Invoke->getNormalDest());
      Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
    }
    CB->eraseFromParent();
  }
}

/// Keeps the loads in \p F but those of its own variables.
static void observeLoads(Function &F) {
  LLVMContext &C = F.getContext();
  FunctionCallee Observe = F.getParent()->getOrInsertFunction(
      ObserveFunction,
      FunctionType::get(Type::getVoidTy(C), /*isVarArg=*/true));
  keepInPlace(*cast<Function>(Observe.getCallee()));
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *L = dyn_cast<LoadInst>(&I);
        L && !isa<AllocaInst>(L->getPointerOperand()->stripPointerCasts()))
      IRBuilder<>(L->getNextNode()).CreateCall(Observe, {L});
}

/// No longer keeps the loads in \p F to whose values \p Drop applies. Tells
/// whether there were any.
static bool forget(Function &F, function_ref<bool(const Value &)> Drop) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->getName() != ObserveFunction ||
        !Drop(*Call->getArgOperand(0)))
      continue;
    Call->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

/// Whether \p V is the address of one of a function's own variables.
static bool isOwnAddress(const Value &V) {
  return V.getType()->isPointerTy() && isa<AllocaInst>(getUnderlyingObject(&V));
}

bool forgetOwnAddresses(Function &F) { return forget(F, isOwnAddress); }

void forgetMarks(Function &F) {
  forget(F, [](const Value &) { return true; });
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (const Function *Callee = Call->getCalledFunction();
          Callee && Callee->getName() == NextIterationFunction)
        Call->eraseFromParent();
}

/// The copy that makes \p A, if all else that is done with it is to read it;
/// else null.
static MemTransferInst *onlyCopyTo(AllocaInst &A) {
  MemTransferInst *Copy = nullptr;
  SmallVector<const Use *> Worklist;
  auto Add = [&](const Value &V) {
    for (const Use &U : V.uses())
      Worklist.push_back(&U);
  };
  Add(A);
  while (!Worklist.empty()) {
    const Use *U = Worklist.pop_back_val();
    auto *I = cast<Instruction>(U->getUser());
    auto *M = dyn_cast<MemTransferInst>(I);
    auto *L = dyn_cast<LoadInst>(I);
    const bool IsCopied = M && !M->isVolatile();
    if (isa<GetElementPtrInst>(I))
      Add(*I);
    else if (IsCopied && U == &M->getRawDestUse() && U->get() == &A && !Copy)
      Copy = M;
    else if (!(IsCopied && U == &M->getRawSourceUse()) &&
             !(L && L->isSimple()) && !I->isLifetimeStartOrEnd())
      return nullptr;
  }
  return Copy;
}

void readOriginals(Function &F) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  SmallVector<AllocaInst *> Copies;
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Copies.push_back(A);
  // A copy may be copied.
  for (bool Changed = true; std::exchange(Changed, false);)
    for (AllocaInst *&A : Copies) {
      MemTransferInst *M = A ? onlyCopyTo(*A) : nullptr;
      if (!M)
        continue;
      APInt Offset(64, 0);
      Value *Object = M->getRawSource()->stripAndAccumulateConstantOffsets(
          DL, Offset, /*AllowNonInbounds=*/true);
      if (!isa<Argument>(Object))
        continue;
      // The copy itself still reads all of the object.
      IRBuilder<> B(A);
      Value *Original =
          B.CreatePtrAdd(Object, B.getInt64(Offset.getZExtValue()));
      A->replaceUsesWithIf(Original, [&](Use &U) {
        auto *I = cast<Instruction>(U.getUser());
        return I != M && !I->isLifetimeStartOrEnd();
      });
      A = nullptr;
      Changed = true;
    }
}

/// Whether memory of type \p Ty holds pointers.
static bool holdsPointers(Type *Ty) {
  if (auto *A = dyn_cast<ArrayType>(Ty))
    return A->getNumElements() && holdsPointers(A->getElementType());
  if (auto *S = dyn_cast<StructType>(Ty))
    return any_of(S->elements(), holdsPointers);
  return Ty->isPointerTy();
}

/// Keeps the addresses of arrays of pointers at the beginning of objects in
/// \p F: to what simplifies the clone they are the objects' own addresses, and
/// where the arrays end would be lost. One step forth and one back.
static void keepArrayAddresses(Function &F) {
  SmallVector<GetElementPtrInst *> Decays;
  for (Instruction &I : instructions(F))
    if (auto *G = dyn_cast<GetElementPtrInst>(&I))
      if (G->hasAllZeroIndices() && G->getType()->isPointerTy())
        Decays.push_back(G);
  for (GetElementPtrInst *G : Decays) {
    Type *Array = G->getSourceElementType();
    if (!Array->isArrayTy())
      Array = G->getResultElementType();
    if (!Array->isArrayTy() || !holdsPointers(Array))
      continue;
    IRBuilder<> B(G);
    auto *Step = StructType::get(Array);
    Value *Behind = B.CreateConstGEP1_64(Step, G->getPointerOperand(), 1);
    Value *Same =
        B.CreateGEP(Step, Behind, {B.getInt64(uint64_t(-1)), B.getInt32(0)});
    G->replaceAllUsesWith(Same);
    G->eraseFromParent();
  }
}

/// Whether the function \p Name has a loop of the construct that one of
/// \p Kernels was made of: Clang outlines it from the kernel at most twice, for
/// the teams and for their threads.
static bool hasOwnLoop(StringRef Name, const StringMap<bool> &Kernels) {
  constexpr unsigned MaxOutlined = 2;
  for (unsigned Level = 0; Level <= MaxOutlined; ++Level) {
    Name.consume_back("_debug__");
    if (Kernels.contains(Name))
      return true;
    if (!Name.consume_back("omp_outlined"))
      return false;
    Name = Name.drop_back(); // '.' or '_'
  }
  return false;
}

std::unique_ptr<Module> cloneKernels(const Module &M,
                                     ArrayRef<const Function *> Kernels,
                                     bool KeepLines) {
  SmallPtrSet<const Function *, 32> Reached = reachableFrom(Kernels);
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Clone =
      CloneModule(M, Map, [&](const GlobalValue *G) {
        if (const auto *F = dyn_cast<Function>(G))
          return Reached.contains(F);
        const auto *V = dyn_cast<GlobalVariable>(G);
        return V && V->isConstant();
      });
  if (KeepLines)
    stripNonLineTableDebugInfo(*Clone);
  else
    StripDebugInfo(*Clone);
  const bool IsDevice = isDeviceModule(M);
  StringMap<bool> IsKernel;
  for (const Function *K : Kernels)
    IsKernel[K->getName()] = true;
  for (Function &F : *Clone) {
    if (F.isDeclaration())
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    if (IsKernel.contains(F.getName())) {
      F.removeFnAttr(Attribute::AlwaysInline);
    } else {
      F.addFnAttr(Attribute::AlwaysInline);
      F.setComdat(nullptr);
      F.setLinkage(GlobalValue::InternalLinkage);
    }
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I))
        CB->removeFnAttr(Attribute::NoInline);
    if (IsDevice)
      lowerDeviceRuntime(F);
    keepArrayAddresses(F);
    callOutlined(F);
    observeLoads(F);
    makeLoopsSerial(F, hasOwnLoop(F.getName(), IsKernel));
  }
  return Clone;
}

} // namespace ferry
