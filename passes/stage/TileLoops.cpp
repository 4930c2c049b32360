//===- TileLoops.cpp - The loops around a tiled walk ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelInstructions.h"
#include "TileFinder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

/// Whether \p V is what \p IsEnd says, but at most the last iteration.
bool TileFinder::isChunkEnd(Value *V, function_ref<bool(Value *)> IsEnd) {
  auto *Whole = dyn_cast<ConstantInt>(N.Total);
  if (Whole && Whole->getValue().urem(N.Chunk) == 0 && IsEnd(V))
    return true;
  auto IsLast = [&](Value *X) {
    auto *C = dyn_cast<ConstantInt>(X);
    return C && Whole ? C->getValue() == Whole->getValue() - 1
                      : match(X, m_Add(m_Specific(N.Total), m_AllOnes()));
  };
  Value *A, *B;
  return (match(V, m_UMin(m_Value(A), m_Value(B))) ||
          match(V, m_SMin(m_Value(A), m_Value(B)))) &&
         ((IsEnd(A) && IsLast(B)) || (IsEnd(B) && IsLast(A)));
}

/// The loop over the chunks of the block, of which \p Threads is the only inner
/// one.
bool TileFinder::findDistributeLoop() {
  Loop &D = *N.Distribute;
  BasicBlock *Latch = D.getLoopLatch();
  BasicBlock *Exit = D.getUniqueExitBlock();
  if (!Latch || !Exit || D.getExitingBlock() != Latch || D.getParentLoop() ||
      D.getSubLoops().size() != 1 || !Exit->phis().empty() ||
      !Uniformity.isReachedTogether(*Before))
    return false;
  auto *Br = dyn_cast<BranchInst>(Latch->getTerminator());
  CmpInst::Predicate Less;
  Value *NextLower, *Total;
  if (!Br || !Br->isConditional() || Br->getSuccessor(0) != D.getHeader() ||
      !match(Br->getCondition(),
             m_ICmp(Less, m_Value(NextLower), m_Value(Total))) ||
      (Less != CmpInst::ICMP_ULT && Less != CmpInst::ICMP_SLT) ||
      !isCommon(Total))
    return false;
  N.Total = Total;
  PHINode *Lower = nullptr, *Upper = nullptr;
  for (PHINode &Phi : D.getHeader()->phis()) {
    bool IsLower = Phi.getIncomingValueForBlock(Latch) == NextLower;
    PHINode *&Place = IsLower ? Lower : Upper;
    if (Place)
      return false;
    Place = &Phi;
  }
  Value *Stride, *Block;
  uint64_t Shift;
  if (!Lower || !Upper ||
      !match(NextLower, m_c_Add(m_Specific(Lower), m_Value(Stride))) ||
      !isInvariant(Stride) ||
      !match(Lower->getIncomingValueForBlock(Before),
             m_Shl(m_ZExtOrSExtOrSelf(m_Value(Block)), m_ConstantInt(Shift))) ||
      !isBlockNumber(Block) || Shift > 10)
    return false;
  N.Chunk = 1u << Shift;
  auto IsFirstEnd = [&](Value *V) {
    Value *Begin = Lower->getIncomingValueForBlock(Before);
    uint64_t Length;
    return match(V, m_AddLike(m_Specific(Begin), m_ConstantInt(Length))) &&
           Length + 1 == N.Chunk;
  };
  auto IsNextEnd = [&](Value *V) {
    return match(V, m_c_Add(m_Specific(Upper), m_Specific(Stride)));
  };
  if (!isChunkEnd(Upper->getIncomingValueForBlock(Before), IsFirstEnd) ||
      !isChunkEnd(Upper->getIncomingValueForBlock(Latch), IsNextEnd))
    return false;
  for (BasicBlock *B : D.blocks())
    for (Instruction &I : *B)
      if (!N.Threads->contains(B) && I.mayHaveSideEffects() &&
          // On AMD GPUs barriers come with fences.
          !isBlockBarrier(I) &&
          !isa<FenceInst, AssumeInst, DbgInfoIntrinsic>(I))
        return false;
  return findIterations(*Lower, *Upper);
}

/// The thread's iterations of [\p Lower, \p Upper].
bool TileFinder::findIterations(PHINode &Lower, PHINode &Upper) {
  BasicBlock *From = N.Threads->getLoopPredecessor();
  Value *Thread,
      *Start = From ? N.Index->getIncomingValueForBlock(From) : nullptr;
  if (!From ||
      !match(Start,
             m_AddLike(m_Specific(&Lower), m_ZExtOrSelf(m_Value(Thread)))) ||
      !isThreadNumber(Thread))
    return false;
  auto *Guard = dyn_cast<BranchInst>(From->getTerminator());
  BasicBlock *Inside = N.Threads->getHeader();
  if (Guard && Guard->isUnconditional() && From->getSinglePredecessor()) {
    Inside = From;
    Guard = dyn_cast<BranchInst>(From->getSinglePredecessor()->getTerminator());
  }
  if (!Guard || !Guard->isConditional() ||
      Guard->getParent() != N.Distribute->getHeader())
    return false;
  // Whether the loop is not gone on with because At is beyond Upper.
  auto IsBeyond = [&](Value *Condition, bool When, Value *At) {
    CmpInst::Predicate P;
    Value *Limit;
    if (!match(Condition, m_ICmp(P, m_Specific(At), m_Value(Limit))))
      return false;
    if (!When)
      P = CmpInst::getInversePredicate(P);
    if (P == CmpInst::ICMP_UGT || P == CmpInst::ICMP_SGT)
      return Limit == &Upper;
    return (P == CmpInst::ICMP_UGE || P == CmpInst::ICMP_SGE) &&
           match(Limit, m_Add(m_Specific(&Upper), m_One()));
  };
  Value *Skip = Guard->getCondition(), *A, *B;
  bool When = Guard->getSuccessor(0) != Inside;
  if (When && match(Skip, m_LogicalOr(m_Value(A), m_Value(B)))) {
    Skip = isInvariant(A) ? B : A;
    if (!require(isInvariant(A) ? A : B, false))
      return false;
  }
  auto *Again = cast<BranchInst>(N.Threads->getLoopLatch()->getTerminator());
  Value *Next = N.Index->getIncomingValueForBlock(N.Threads->getLoopLatch());
  return IsBeyond(Skip, When, Start) &&
         IsBeyond(Again->getCondition(),
                  !N.Threads->contains(Again->getSuccessor(0)), Next);
}

bool TileFinder::findThreadLoop() {
  Loop &T = *N.Threads;
  BasicBlock *Latch = T.getLoopLatch();
  if (!Latch || T.getExitingBlock() != Latch || T.getSubLoops().size() != 1 ||
      Latch == walkBlock())
    return false;
  auto Phis = T.getHeader()->phis();
  if (Phis.empty() || std::next(Phis.begin()) != Phis.end())
    return false;
  N.Index = &*Phis.begin();
  auto *Br = dyn_cast<BranchInst>(Latch->getTerminator());
  if (!N.Index->getType()->isIntegerTy() || !Br || !Br->isConditional())
    return false;
  auto *Next = dyn_cast<Instruction>(N.Index->getIncomingValueForBlock(Latch));
  auto *Compare = dyn_cast<Instruction>(Br->getCondition());
  Value *Stride;
  if (!Next || !Compare || !Next->hasNUses(2) || !Compare->hasOneUse() ||
      !match(Next, m_c_Add(m_Specific(N.Index), m_Value(Stride))) ||
      !isInvariant(Stride))
    return false;
  N.Control.insert({N.Index, Next, Compare, Br});
  return findDistributeLoop();
}

/// Whether \p B is where the walk ends, or leads only there.
bool TileFinder::passesOver(BasicBlock *B) {
  if (B == N.After)
    return true;
  if (!B->getSinglePredecessor() || B->getSingleSuccessor() != N.After)
    return false;
  N.Passing.insert(B);
  return true;
}

/// The blocks from the thread loop's header to the walk.
bool TileFinder::findPre() {
  BasicBlock *Walk = walkBlock();
  auto *Back = dyn_cast<BranchInst>(Walk->getTerminator());
  N.After = N.Walk->getUniqueExitBlock();
  if (!Back || !N.After || N.Walk->getNumBlocks() != 1 ||
      !N.Threads->contains(N.After))
    return false;
  for (BasicBlock *B = N.Threads->getHeader(); B != Walk;) {
    auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    if (!Br || B == N.After || is_contained(N.Pre, B))
      return false;
    N.Pre.push_back(B);
    if (B != N.Threads->getHeader() && !B->getSinglePredecessor())
      return false;
    B = Br->getSuccessor(0);
    if (Br->isUnconditional())
      continue;
    // The walk may be passed over, in all iterations alike.
    bool Enters = !passesOver(B);
    if (!Enters)
      B = Br->getSuccessor(1);
    if ((Enters && !passesOver(Br->getSuccessor(1))) ||
        !require(Br->getCondition(), Enters))
      return false;
  }
  for (BasicBlock *B : N.Pre)
    for (Instruction &I : *B)
      if (writesMemory(I))
        return false;
  return all_of(predecessors(N.After), [&](BasicBlock *B) {
    return B == Walk || is_contained(N.Pre, B) || N.Passing.contains(B);
  });
}

bool TileFinder::findPost() {
  N.Post.insert(N.After);
  for (unsigned I = 0; I < N.Post.size(); ++I) {
    BasicBlock *B = N.Post[I];
    if (B == N.Threads->getLoopLatch())
      continue;
    for (BasicBlock *Next : successors(B))
      N.Post.insert(Next);
  }
  size_t Instructions = 0;
  for (BasicBlock *B : N.Post)
    Instructions += B->sizeWithoutDebug();
  // It is repeated for each iteration that a thread has in a tile.
  return Instructions <= 50 &&
         N.Post.size() + N.Pre.size() + N.Passing.size() + 1 ==
             N.Threads->getNumBlocks();
}

} // namespace ferry
