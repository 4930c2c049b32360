//===- SharedValues.cpp - The pass ferry-shared-values --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block's threads have in common, kernels keep in shared memory: where
// a loop of a team's threads is not the region's own, its bounds and the object
// that it captures are the team's, and the first thread fills them.
//
//   @object = internal addrspace(3) global [8 x i8] poison
//   @begin = internal addrspace(3) global i64 undef
//   define void @kernel(i64 %n) {
//     br i1 %is.first, label %fill, label %go
//   fill:
//     store i64 %n, ptr addrspace(3) @object
//     br label %go
//   go:
//     call void @llvm.nvvm.barrier0()
//     ...
//   loop:                                                ; of teams
//     %b = phi i64 ...
//     br i1 %is.first, label %share, label %work
//   share:
//     store i64 %b, ptr addrspace(3) @begin
//     br label %work
//   work:
//     call void @llvm.nvvm.barrier0()
//     %k = load i64, ptr addrspace(3) @object            ; becomes %n
//     %a = load i64, ptr addrspace(3) @begin             ; becomes %b
//
// As long as loops' bounds and rows are whatever memory has, nothing of them
// can be staged.
//
// Requires: kernels with everything inlined. Memory of which something else is
// known than loads and stores at constant places, or that other functions than
// kernels use, is left.
//
// Two rules. Shared memory is undefined when a block begins, so where all that
// a kernel stores at a place is one parameter or constant, that is what every
// load may find there: no thread, barrier or branch is looked at. GlobalOpt has
// the same rule for constants (optimizeOnceStoredGlobal). And behind a barrier
// all threads find what the first one has stored before, if it is the same in
// all of them and nothing else is stored on the way: a store on another way
// would be a data race. OpenMPOpt finds such values too (AAPointerInfo), but
// not where a loop stores again, and when loads have been spread over loops.
//
//===----------------------------------------------------------------------===//

#include "SharedValues.h"
#include "stage/common/BlockUniformity.h"
#include "stage/common/GpuTarget.h"
#include "support/LLVMCompat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/IPO/OpenMPOpt.h"
#include <map>

using namespace llvm;
using namespace llvm::PatternMatch;

#define DEBUG_TYPE "ferry-shared-values"

STATISTIC(LoadsReplaced, "Number of loads from shared memory replaced");

namespace ferry {

namespace {

/// A load or store of some bytes of a variable.
struct Access {
  Instruction *At;
  int64_t Offset;
  int64_t Size;

  Value *stored() const {
    auto *Store = dyn_cast<StoreInst>(At);
    return Store ? Store->getValueOperand() : nullptr;
  }
  bool isAs(const Access &O) const {
    return Offset == O.Offset && Size == O.Size;
  }
  bool overlaps(const Access &O) const {
    return Offset < O.Offset + O.Size && O.Offset < Offset + Size;
  }
};

/// The accesses to a variable, if there are no other uses of it.
class Accesses {
public:
  explicit Accesses(GlobalVariable &V)
      : Layout(V.getParent()->getDataLayout()), AreKnown(find(V, 0)) {}

  bool areKnown() const { return AreKnown; }
  ArrayRef<Access> all() const { return All; }

private:
  const DataLayout &Layout;
  SmallVector<Access, 16> All;
  const bool AreKnown;

  /// Adds those by \p Pointer, which is \p Offset bytes into the variable.
  bool find(Value &Pointer, int64_t Offset) {
    return all_of(Pointer.uses(), [&](const Use &U) {
      User *By = U.getUser();
      if (isa<AddrSpaceCastOperator>(By))
        return find(*By, Offset);
      if (auto *Element = dyn_cast<GEPOperator>(By)) {
        APInt Inner(Layout.getIndexTypeSizeInBits(Element->getType()), 0);
        return Element->accumulateConstantOffset(Layout, Inner) &&
               find(*By, Offset + Inner.getSExtValue());
      }
      auto *Load = dyn_cast<LoadInst>(By);
      if (Load && Load->isSimple())
        return add(*Load, Offset, *Load->getType());
      auto *Store = dyn_cast<StoreInst>(By);
      return Store && Store->isSimple() &&
             U.getOperandNo() == StoreInst::getPointerOperandIndex() &&
             add(*Store, Offset, *Store->getValueOperand()->getType());
    });
  }

  bool add(Instruction &At, int64_t Offset, Type &Ty) {
    const TypeSize Size = Layout.getTypeStoreSize(&Ty);
    if (Size.isScalable() || !omp::isOpenMPKernel(*At.getFunction()))
      return false;
    All.push_back({&At, Offset, static_cast<int64_t>(Size.getFixedValue())});
    return true;
  }
};

} // namespace

/// Calls \p Each with the stores of \p All in \p Load's kernel that change what
/// it finds, until that says no.
static bool allStores(const Access &Load, ArrayRef<Access> All,
                      function_ref<bool(const Access &)> Each) {
  return all_of(All, [&](const Access &A) {
    return !A.stored() || A.At->getFunction() != Load.At->getFunction() ||
           !A.overlaps(Load) || Each(A);
  });
}

/// Whether \p Load finds all of what \p Store stores, and nothing else.
static bool finds(const Access &Load, const Access &Store) {
  return Store.isAs(Load) && Store.stored()->getType() == Load.At->getType() &&
         !isa<UndefValue>(Store.stored());
}

/// What \p Load may find, if all that is stored there is the same parameter or
/// constant; else null.
static Value *onlyValue(const Access &Load, ArrayRef<Access> All) {
  Value *Found = nullptr;
  const bool IsOne = allStores(Load, All, [&](const Access &Store) {
    Value *Stored = Store.stored();
    if (!isa<Argument, Constant>(Stored) || !finds(Load, Store) ||
        (Found && Found != Stored))
      return false;
    Found = Stored;
    return true;
  });
  return IsOne ? Found : nullptr;
}

namespace {

/// Finds what first threads store for all of a kernel's.
class FirstThreads {
public:
  explicit FirstThreads(Function &Kernel)
      : DT(Kernel), PDT(Kernel), Uniformity(Kernel, PDT) {}

  /// What \p Load finds that a first thread has stored, as a value that its own
  /// thread has; else null.
  Value *valueFor(const Access &Load, ArrayRef<Access> All) {
    Value *Found = nullptr;
    if (!DT.isReachableFromEntry(Load.At->getParent()))
      return nullptr;
    allStores(Load, All, [&](const Access &Store) {
      if (!finds(Load, Store) || !reaches(Store, Load, All))
        return true;
      BranchInst *Branch = branchOf(*Store.At->getParent());
      SmallVector<Instruction *, 4> Alone;
      constexpr unsigned Depth = 4;
      if (!isKnownToAll(Store.At->getOperandUse(0), *Branch, Alone, Depth))
        return true;
      for (Instruction *I : Alone)
        I->moveBefore(*Branch->getParent(), Branch->getIterator());
      Found = Store.stored();
      return false;
    });
    return Found;
  }

private:
  DominatorTree DT;
  PostDominatorTree PDT;
  BlockUniformity Uniformity;

  /// The branch by which the first thread alone comes to \p B, which all
  /// threads of the block come to together; or null.
  BranchInst *branchOf(BasicBlock &B) {
    BasicBlock *Before = B.getSinglePredecessor();
    auto *Branch =
        Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
    if (!Branch || !Branch->isConditional() ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
        !Uniformity.isReachedTogether(*Before))
      return nullptr;
    const auto Is =
        Branch->getSuccessor(0) == &B ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE;
    ComparePredicate Holds;
    Value *Thread;
    return match(Branch->getCondition(),
                 m_ICmp(Holds, m_Value(Thread), m_Zero())) &&
                   Holds == Is && isThreadNumber(Thread)
               ? Branch
               : nullptr;
  }

  /// Whether \p Load finds what \p Store has stored last, which a first thread
  /// alone does: a barrier is between them, and no other store of \p All.
  bool reaches(const Access &Store, const Access &Load, ArrayRef<Access> All) {
    BasicBlock &Alone = *Store.At->getParent();
    const BranchInst *Branch = branchOf(Alone);
    BasicBlock *Together = Alone.getSingleSuccessor();
    if (!Branch || !Together || !is_contained(successors(Branch), Together))
      return false;
    const Instruction *Barrier = nullptr;
    for (const Instruction &I : *Together)
      if (!Barrier && isBlockBarrier(I))
        Barrier = &I;
    if (!Barrier || !DT.dominates(Branch, Barrier) ||
        !DT.dominates(Barrier, Load.At))
      return false;
    SmallPtrSet<BasicBlock *, 1> Again{Alone.getSinglePredecessor()};
    auto Leads = [&](BasicBlock &From, BasicBlock &To) {
      return isPotentiallyReachable(&From, &To, &Again, &DT);
    };
    return allStores(Load, All, [&](const Access &Other) {
      BasicBlock &At = *Other.At->getParent();
      return Other.At == Store.At ||
             (&At != &Alone &&
              (!Leads(*Together, At) || !Leads(At, *Load.At->getParent())));
    });
  }

  /// Whether all threads that come to \p At have the value of \p U, the same
  /// one, or would if what is added to \p Alone were there, which is at most \p
  /// Depth operations deep and computed behind it as yet.
  bool isKnownToAll(const Use &U, const BranchInst &At,
                    SmallVectorImpl<Instruction *> &Alone, unsigned Depth) {
    if (!Uniformity.isUniformAt(U))
      return false;
    auto *I = dyn_cast<Instruction>(U.get());
    if (!I || is_contained(Alone, I) || DT.dominates(I, &At))
      return true;
    if (!Depth || I->mayReadFromMemory() || !isSafeToSpeculativelyExecute(I) ||
        !all_of(I->operands(), [&](const Use &Operand) {
          return isKnownToAll(Operand, At, Alone, Depth - 1);
        }))
      return false;
    Alone.push_back(I);
    return true;
  }
};

} // namespace

/// Whether loads of \p V were replaced. \p Kernels has what is known of those
/// that have been looked at.
static bool replaceLoads(GlobalVariable &V,
                         std::map<Function *, FirstThreads> &Kernels) {
  const Accesses Of(V);
  if (!Of.areKnown())
    return false;
  bool AnyLeft = false, AnyReplaced = false;
  for (const Access &A : Of.all()) {
    if (A.stored())
      continue;
    Value *Known = onlyValue(A, Of.all());
    if (!Known) {
      Function *Kernel = A.At->getFunction();
      Known = Kernels.try_emplace(Kernel, *Kernel)
                  .first->second.valueFor(A, Of.all());
    }
    AnyLeft |= !Known;
    if (!Known)
      continue;
    A.At->replaceAllUsesWith(Known);
    AnyReplaced = true;
    ++LoadsReplaced;
  }
  if (!AnyReplaced)
    return false;
  for (const Access &A : Of.all())
    if (A.stored() ? !AnyLeft : A.At->use_empty())
      A.At->eraseFromParent();
  V.removeDeadConstantUsers();
  if (V.use_empty())
    V.eraseFromParent();
  return true;
}

PreservedAnalyses SharedValuesPass::run(Module &M, ModuleAnalysisManager &) {
  std::map<Function *, FirstThreads> Kernels;
  bool Changed = false;
  for (GlobalVariable &V : make_early_inc_range(M.globals()))
    if (V.getAddressSpace() == SharedMemory && V.hasLocalLinkage() &&
        V.hasInitializer() && isa<UndefValue>(V.getInitializer()))
      Changed |= replaceLoads(V, Kernels);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace ferry
