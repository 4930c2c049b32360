//===- Reconverge.cpp - Where lanes that were sent apart meet again -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   br i1 %divergent, label %then, label %end
//   then:  store ...; br label %end
//   end:                                     ; immediate post-dominator
//     call void @ferry_sim_join(i32 7)       ; 7th block in reverse post-order
//
// Only where it makes a difference to a counter: when something between the
// branch and its post-dominator is written to the log. LLVM's uniformity
// analysis tells which branches can diverge.
//
// Source of the idea: reconvergence at immediate post-dominators is the stack
// mechanism of Fung, Sham, Yuan and Aamodt, "Dynamic Warp Formation and
// Scheduling for Efficient GPU Control Flow", MICRO 2007.
//
//===----------------------------------------------------------------------===//

#include "Analyses.h"
#include "Translate.h"
#include "support/Divergence.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ferry::sim {

/// Whether \p I may write to the log or wait for other lanes.
static bool mayLog(const Instruction &I) {
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return !isa<AllocaInst>(getUnderlyingObject(Pointer, 32));
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && !isa<DbgInfoIntrinsic, AssumeInst>(Call) &&
         !Call->isLifetimeStartOrEnd() && !Call->doesNotAccessMemory();
}

namespace {

/// The meeting points of one function.
class Joins {
public:
  Joins(Function &F, UniformityInfo &Uniformity, const PostDominatorTree &Tree,
        Translation &T)
      : F(F), Uniformity(Uniformity), Tree(Tree), T(T),
        IsKernel(is_contained(T.Kernels, &F)) {}

  void insert() {
    for (BasicBlock &B : F)
      if (B.getTerminator()->getNumSuccessors() > 1 &&
          Uniformity.hasDivergentTerminator(B))
        T.DivergentBranches.insert(B.getTerminator());
    for (BasicBlock &B : F) {
      if (T.DivergentBranches.contains(B.getTerminator()))
        addJoinOf(B);
      // Which lanes are active is asked where lanes have met as far as they do.
      for (Instruction &I : B)
        if (auto *Call = dyn_cast<IntrinsicInst>(&I))
          if (Call->getCalledFunction()->getName() == "llvm.nvvm.activemask")
            At.insert(&B);
    }
    emit();
  }

private:
  Function &F;
  UniformityInfo &Uniformity;
  const PostDominatorTree &Tree;
  Translation &T;
  bool IsKernel;
  SmallSetVector<BasicBlock *, 16> At;

  bool blockLogs(const BasicBlock &B) const {
    return T.DivergentBranches.contains(B.getTerminator()) || any_of(B, mayLog);
  }

  void addJoinOf(BasicBlock &Branch) {
    auto *Node = Tree.getNode(&Branch);
    auto *Above = Node ? Node->getIDom() : nullptr;
    BasicBlock *Meeting = Above ? Above->getBlock() : nullptr;
    if (!Meeting || At.contains(Meeting))
      return;
    // Lanes that meet at the end of a kernel do nothing together any more.
    if (IsKernel && isa<ReturnInst>(Meeting->getTerminator()) &&
        !blockLogs(*Meeting))
      return;
    SmallPtrSet<BasicBlock *, 16> Seen;
    SmallVector<BasicBlock *, 16> Work(successors(&Branch));
    while (!Work.empty()) {
      BasicBlock *B = Work.pop_back_val();
      if (B == Meeting || !Seen.insert(B).second)
        continue;
      if (blockLogs(*B)) {
        At.insert(Meeting);
        return;
      }
      append_range(Work, successors(B));
    }
  }

  void emit() {
    if (At.empty())
      return;
    Module &M = *F.getParent();
    Type *I32 = Type::getInt32Ty(M.getContext());
    FunctionCallee Join = M.getOrInsertFunction(
        "ferry_sim_join", Type::getVoidTy(M.getContext()), I32);
    uint32_t Order = 0;
    for (BasicBlock *B : ReversePostOrderTraversal<Function *>(&F)) {
      if (At.contains(B)) {
        IRBuilder<> Builder(&*B->getFirstInsertionPt());
        Builder.SetCurrentDebugLocation(DebugLoc());
        Builder.CreateCall(Join, ConstantInt::get(I32, Order));
      }
      ++Order;
    }
  }
};

} // namespace

void insertJoins(Module &M, Translation &T) {
  SmallPtrSet<const Function *, 8> Kernels(T.Kernels.begin(), T.Kernels.end());
  Analyses Known;
  FunctionAnalysisManager &FAM = Known.Functions;
  FAM.registerPass([&] {
    return TargetIRAnalysis([&](const Function &F) {
      return targetInfo(
          DivergenceSources(F.getDataLayout(), [&](const Function &G) {
            return Kernels.contains(&G);
          }));
    });
  });
  Known.fill(PassBuilder());
  for (Function &F : M)
    if (!F.isDeclaration())
      Joins(F, FAM.getResult<UniformityInfoAnalysis>(F),
            FAM.getResult<PostDominatorTreeAnalysis>(F), T)
          .insert();
}

} // namespace ferry::sim
