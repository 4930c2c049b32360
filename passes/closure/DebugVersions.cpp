//===- DebugVersions.cpp - Functions outlined with debug info -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugVersions.h"
#include "support/AddressSpace.h"
#include "support/FunctionTypes.h"
#include "support/Retire.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

static constexpr StringLiteral DebugSuffix = "_debug__";

static bool isGlobalPointer(const Type *Ty) {
  return Ty->isPointerTy() && Ty->getPointerAddressSpace() == GlobalMemory;
}

/// Makes \p Argument of \p Call a pointer of type \p Ty: what it was cast from,
/// if that has this type, else a cast of it.
static void castArgument(Use &Argument, Type *Ty, CallInst &Call) {
  auto *Cast = dyn_cast<AddrSpaceCastInst>(Argument.get());
  if (!Cast || Cast->getPointerOperand()->getType() != Ty) {
    Argument.set(IRBuilder<>(&Call).CreateAddrSpaceCast(Argument.get(), Ty));
    return;
  }
  Argument.set(Cast->getPointerOperand());
  if (Cast->use_empty())
    Cast->eraseFromParent();
}

/// Has what is loaded from \p Slot, which holds a pointer that is now of type
/// \p Ty, be of that type too.
static void retypeLoads(Value *Slot, Type *Ty) {
  for (User *U : make_early_inc_range(Slot->users())) {
    auto *Load = dyn_cast<LoadInst>(U);
    if (!Load || !isGlobalPointer(Load->getType()))
      continue;
    IRBuilder<> B(Load);
    LoadInst *New = B.CreateAlignedLoad(Ty, Slot, Load->getAlign());
    New->copyMetadata(*Load);
    New->takeName(Load);
    for (User *LU : make_early_inc_range(Load->users()))
      if (auto *Cast = dyn_cast<AddrSpaceCastInst>(LU);
          Cast && Cast->getType() == Ty) {
        Cast->replaceAllUsesWith(New);
        Cast->eraseFromParent();
      }
    if (!Load->use_empty())
      Load->replaceAllUsesWith(B.CreateAddrSpaceCast(New, Load->getType()));
    Load->eraseFromParent();
  }
}

/// Has the body of \p F use its parameter \p Mine, of a new type, for \p Old.
static void replaceParameter(Argument &Old, Argument &Mine, Function &F) {
  for (Use &U : make_early_inc_range(Old.uses())) {
    auto *Store = dyn_cast<StoreInst>(U.getUser());
    if (!Store || U.getOperandNo() != 0)
      continue;
    U.set(&Mine);
    retypeLoads(Store->getPointerOperand(), Mine.getType());
  }
  if (Old.use_empty())
    return;
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstInsertionPt());
  Old.replaceAllUsesWith(B.CreateAddrSpaceCast(&Mine, Old.getType()));
}

static void takeGenericPointersIn(Function &F) {
  Type *Generic = PointerType::getUnqual(F.getContext());
  SmallVector<Type *> Types;
  for (Type *Ty : F.getFunctionType()->params())
    Types.push_back(isGlobalPointer(Ty) ? Generic : Ty);
  if (ArrayRef<Type *>(Types) == F.getFunctionType()->params())
    return;
  Function *New = moveToParameters(F, Types);
  for (auto [Old, Mine] : zip_equal(F.args(), New->args()))
    if (Old.getType() != Mine.getType())
      replaceParameter(Old, Mine, *New);
  for (User *U : make_early_inc_range(F.users())) {
    auto *Call = cast<CallInst>(U);
    for (auto [I, Argument] : enumerate(Call->args()))
      if (Argument->getType() != Types[I])
        castArgument(Argument, Types[I], *Call);
    Call->mutateFunctionType(New->getFunctionType());
    Call->setCalledOperand(New);
  }
  retire(F);
}

void takeGenericPointers(Function &Kernel) {
  for (Function &F : make_early_inc_range(*Kernel.getParent()))
    if (F.hasLocalLinkage() && !F.isDeclaration() &&
        F.getName().starts_with(Kernel.getName()) &&
        F.getName().ends_with(DebugSuffix) && all_of(F.uses(), [](Use &U) {
          auto *Call = dyn_cast<CallInst>(U.getUser());
          return Call && Call->isCallee(&U);
        }))
      takeGenericPointersIn(F);
}

void inlineDebugVersion(Function &Kernel) {
  const std::string Name = (Kernel.getName() + DebugSuffix).str();
  for (Instruction &I : instructions(Kernel)) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->getName() != Name)
      continue;
    InlineFunctionInfo Info;
    InlineFunction(*Call, Info, /*MergeAttributes=*/false,
                   /*CalleeAAR=*/nullptr, /*InsertLifetime=*/false);
    if (Callee->use_empty())
      Callee->eraseFromParent();
    return;
  }
}

} // namespace ferry
