//===- ReadOrder.cpp - What a kernel may write before it reads ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %a = load double, ptr %f        ; the captured variable
//   store double %x, ptr %p         ; a write that may be to it
//   %b = load double, ptr %f, !ferry.changeable !0
//
// Writes are taken together by the type that they are to. For each type the
// blocks are found which a way leads to from a write.
//
//===----------------------------------------------------------------------===//

#include "ReadOrder.h"
#include "KernelClone.h"
#include "WorkSharing.h"
#include "support/LLVMCompat.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

static constexpr StringLiteral ChangeableKind = "ferry.changeable";

bool mayBeChanged(const Instruction &I) {
  return I.hasMetadata(ChangeableKind);
}

void noteMayBeChanged(Instruction &I) {
  I.setMetadata(ChangeableKind, MDNode::get(I.getContext(), {}));
}

namespace {

bool startsWithAny(StringRef Name, ArrayRef<StringLiteral> Begins) {
  return any_of(Begins, [&](StringRef B) { return Name.starts_with(B); });
}

/// Functions of OpenMP's runtimes that write to nothing of the program's but
/// variables of the kernel's own, and order no more than a barrier does.
bool isHarmlessRuntime(StringRef Name) {
  static constexpr StringLiteral Begins[] = {
      "ferry.",
      "omp_get_",
      "omp_in_",
      "omp_is_",
      "__kmpc_barrier",
      "__kmpc_dist_for_static_init_",
      "__kmpc_distribute_static_",
      "__kmpc_for_static_",
      "__kmpc_get_hardware_",
      "__kmpc_global_thread_num",
      "__kmpc_is_spmd_exec_mode",
      "__kmpc_parallel_level",
      "__kmpc_push_num_",
      "__kmpc_push_proc_bind",
      "__kmpc_target_",
  };
  return startsWithAny(Name, Begins);
}

/// Mathematical functions, which write at most to what they are given.
bool isMathematical(StringRef Name) {
  return startsWithAny(Name, {"__nv_", "__ocml_"});
}

/// Whether \p Pointer leads to a variable of the kernel's own.
bool isOwn(const Value *Pointer) {
  return isa<AllocaInst>(getUnderlyingObject(Pointer));
}

bool mayChangeByCall(const CallBase &Call) {
  if (const auto *II = dyn_cast<IntrinsicInst>(&Call))
    if (II->isAssumeLikeIntrinsic() || II->isLifetimeStartOrEnd() ||
        II->getIntrinsicID() == Intrinsic::stacksave ||
        II->getIntrinsicID() == Intrinsic::stackrestore)
      return false;
  if (const auto *M = dyn_cast<MemIntrinsic>(&Call))
    return !isOwn(M->getRawDest());
  const Function *Callee = Call.getCalledFunction();
  if (Callee && isHarmlessRuntime(Callee->getName()))
    return false;
  return !Callee || !isMathematical(Callee->getName()) ||
         any_of(Call.args(), [](const Use &Argument) {
           return Argument->getType()->isPointerTy() && !isOwn(Argument);
         });
}

/// Whether memory that others reach may be other behind \p I than before it.
bool mayChange(const Instruction &I) {
  if (!I.mayWriteToMemory()) // atomic loads count as writes
    return false;
  if (const auto *S = dyn_cast<StoreInst>(&I); S && S->isUnordered())
    return !isOwn(S->getPointerOperand());
  const auto *Call = dyn_cast<CallBase>(&I);
  return !Call || mayChangeByCall(*Call);
}

/// The type of which \p I accesses memory, or null for any.
MDNode *typeOf(const Instruction &I) {
  return I.isAtomic() || isa<CallBase>(I) ? nullptr
                                          : I.getMetadata(LLVMContext::MD_tbaa);
}

class ReadOrder {
public:
  ReadOrder(Function &F, bool Independent)
      : F(F), Independent(Independent),
        LibraryInfo(Triple(F.getParent()->getTargetTriple())), Alias(Library) {
    Alias.addAAResult(Types);
  }

  void run() {
    MapVector<MDNode *, SmallPtrSet<const Instruction *, 8>> Writes;
    for (const Instruction &I : instructions(F))
      if (mayChange(I))
        Writes[typeOf(I)].insert(&I);
    for (const auto &[Type, Of] : Writes)
      noteBehind(Type, Of);
    for (Instruction &I : instructions(F))
      if (auto *L = dyn_cast<LoadInst>(&I); L && !L->isSimple())
        noteMayBeChanged(*L);
  }

private:
  using Instructions = SmallPtrSetImpl<const Instruction *>;

  Function &F;
  const bool Independent;
  TargetLibraryInfoImpl LibraryInfo;
  TargetLibraryInfo Library{LibraryInfo};
  TypeBasedAAResult Types = typeBasedAliasAnalysis();
  AAResults Alias;

  /// Whether no way leads on from \p I to another iteration.
  bool endsIteration(const Instruction &I) const {
    const auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Independent && Callee && Callee->getName() == NextIterationFunction;
  }

  /// Goes through \p Block. \p Behind: whether one of \p Writes is behind the
  /// place where it stands, at the beginning and, returned, at the end.
  bool walk(BasicBlock &Block, bool Behind, const Instructions &Writes,
            function_ref<void(LoadInst &)> OnLoadBehind) const {
    for (Instruction &I : Block) {
      if (auto *L = dyn_cast<LoadInst>(&I); L && Behind)
        OnLoadBehind(*L);
      if (endsIteration(I))
        Behind = false;
      else if (Writes.contains(&I))
        Behind = true;
    }
    return Behind;
  }

  /// Notes the loads of which one of \p Writes, to memory of \p Type, may have
  /// changed the value.
  void noteBehind(MDNode *Type, const Instructions &Writes) {
    SmallPtrSet<BasicBlock *, 32> Reached; // behind a write from the beginning
    SmallVector<BasicBlock *> Worklist;
    auto Leave = [&](BasicBlock &Block) {
      if (walk(Block, Reached.contains(&Block), Writes, [](LoadInst &) {}))
        for (BasicBlock *Next : successors(&Block))
          if (Reached.insert(Next).second)
            Worklist.push_back(Next);
    };
    for (BasicBlock &Block : F)
      Leave(Block);
    while (!Worklist.empty())
      Leave(*Worklist.pop_back_val());
    for (BasicBlock &Block : F)
      walk(Block, Reached.contains(&Block), Writes, [&](LoadInst &L) {
        if (mayBeSame(Type, typeOf(L)))
          noteMayBeChanged(L);
      });
  }

  bool mayBeSame(MDNode *A, MDNode *B) {
    if (!A || !B)
      return true;
    auto Somewhere = [&](MDNode *Type) {
      AAMDNodes Tags;
      Tags.TBAA = Type;
      return MemoryLocation(F.getArg(0), LocationSize::beforeOrAfterPointer(),
                            Tags);
    };
    return !Alias.isNoAlias(Somewhere(A), Somewhere(B));
  }
};

} // namespace

void noteChangeableLoads(Function &F, bool Independent) {
  if (!F.arg_empty())
    ReadOrder(F, Independent).run();
}

} // namespace ferry
