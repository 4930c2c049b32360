//===- IterationSpace.cpp - How threads share iterations out --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code of `distribute parallel for collapse(2)`:
//
//   distribute:                          ; all threads, chunk by chunk
//     %lb = phi [ %block * %nthreads, ... ], [ %lb + %blocks * %nthreads, ... ]
//     %ub = phi [ min(%lb + %nthreads - 1, %total - 1), ... ], ...
//   threads:                             ; from %lb + %thread to %ub
//     %index = phi [ ... ], [ %index + %nthreads, ... ]
//     %i = udiv %index, %width
//     %j = %index - %i * %width
//     ...                                ; the iteration
//
// Where OpenMPOpt takes %nthreads for 128, there are %block << 7 and %lb | 127.
//
//===----------------------------------------------------------------------===//

#include "IterationSpace.h"
#include "GpuTarget.h"
#include "KernelInstructions.h"
#include "closure/RegionInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Assumptions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

bool hasFreeSchedule(const Function &Kernel) {
  return getAssumptions(Kernel).contains(FreeScheduleAssumption);
}

/// Whether \p I may stand in an iteration: other threads may run it at another
/// time, or not at all.
static bool isOrdinary(const Instruction &I) {
  return !isa<AllocaInst>(I) && !synchronizes(I) && !isUnknownCall(I);
}

/// The condition on which \p Phi has one of its values, if one branch decides:
/// captured words come in this way, from memory or as parameters.
static Value *chooser(const PHINode &Phi, const DominatorTree &DT) {
  const BasicBlock *Join = Phi.getParent();
  BasicBlock *Fork = DT.getNode(Join)->getIDom()->getBlock();
  auto *Br = dyn_cast<BranchInst>(Fork->getTerminator());
  bool IsTriangle = all_of(predecessors(Join), [&](const BasicBlock *B) {
    return B == Fork || (B->getSinglePredecessor() == Fork &&
                         B->getSingleSuccessor() == Join);
  });
  return Br && Br->isConditional() && IsTriangle ? Br->getCondition() : nullptr;
}

bool SpaceFinder::isCommon(Value *V) {
  auto *Root = dyn_cast<Instruction>(V);
  if (!Root)
    return true;
  if (!isInvariant(Root) || !Uniformity.isUniform(*Root))
    return false;
  SmallSetVector<Instruction *, 16> Work;
  Work.insert(Root);
  for (unsigned At = 0; At < Work.size(); ++At) {
    Instruction *I = Work[At];
    auto *Call = dyn_cast<CallBase>(I);
    auto *Load = dyn_cast<LoadInst>(I);
    // Which value a phi has may depend on anything, and blocks have shared
    // memory of their own.
    if (auto *Phi = dyn_cast<PHINode>(I)) {
      Value *Condition = chooser(*Phi, DT);
      if (!Condition)
        return false;
      if (auto *From = dyn_cast<Instruction>(Condition))
        Work.insert(From);
    }
    if (isBlockNumber(I) || (Load && Load->getPointerAddressSpace() == 3) ||
        (Call && !isa<IntrinsicInst>(Call)))
      return false;
    for (Value *Op : I->operands())
      if (auto *From = dyn_cast<Instruction>(Op))
        Work.insert(From);
  }
  return true;
}

/// How many of the low bits of \p V its user \p U looks at.
static unsigned usedBits(const Instruction &V, User &U) {
  unsigned Bits = V.getType()->getScalarSizeInBits();
  uint64_t Shift;
  if (isa<TruncInst>(U))
    return U.getType()->getScalarSizeInBits();
  if (match(&U, m_Shl(m_Specific(&V), m_ConstantInt(Shift))) && Shift < Bits)
    return Bits - static_cast<unsigned>(Shift);
  return Bits;
}

/// What \p V is in more or fewer bits.
static Value *withoutCasts(Value *V) {
  for (Value *Inner; match(V, m_CombineOr(m_Trunc(m_Value(Inner)),
                                          m_ZExtOrSExt(m_Value(Inner)))) ||
                     match(V, m_And(m_Value(Inner), m_ConstantInt())) ||
                     match(V, m_AShr(m_Shl(m_Value(Inner), m_ConstantInt()),
                                     m_ConstantInt()));)
    V = Inner;
  return V;
}

/// Finds the factors of Total, one of which is Width.
void SpaceFinder::findHeight() {
  Value *Rows, *Columns;
  if (!match(S.Total, m_NSWMul(m_Value(Rows), m_Value(Columns))) &&
      !match(S.Total, m_NUWMul(m_Value(Rows), m_Value(Columns))))
    return;
  Value *Width = withoutCasts(S.Width);
  if (withoutCasts(Columns) != Width)
    std::swap(Rows, Columns);
  if (withoutCasts(Columns) != Width || isa<Constant>(Width))
    return;
  S.Height = Rows;
  S.Columns = Columns;
}

bool SpaceFinder::findWidth(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B) {
      Value *Width;
      if (!match(&I, m_IDiv(m_Specific(S.Index), m_Value(Width))) ||
          !isInvariant(Width))
        continue;
      if (S.Width && S.Width != Width)
        return false;
      S.Width = Width;
      S.Row.insert(&I);
    }
  // A power of two comes as shifts and masks.
  bool Divided = S.Width;
  const APInt *Number;
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      if (!Divided && match(&I, m_And(m_Specific(S.Index), m_APInt(Number))) &&
          Number->isMask() && !Number->isAllOnes() &&
          (!S.Width || cast<ConstantInt>(S.Width)->getValue().ule(*Number)))
        S.Width = ConstantInt::get(I.getType(), *Number + 1);
  if (!S.Width)
    return false;
  auto *Constant = dyn_cast<ConstantInt>(S.Width);
  bool IsPower = Constant && Constant->getValue().isPowerOf2();
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B) {
      Value *Row, *Factor;
      const APInt *Negative;
      if (match(&I, m_IRem(m_Specific(S.Index), m_Specific(S.Width)))) {
        S.Column.insert(&I);
      } else if (match(&I, m_And(m_Specific(S.Index), m_APInt(Number)))) {
        if (IsPower && *Number == Constant->getValue() - 1)
          S.Column.insert(&I);
      } else if (match(&I, m_LShr(m_Specific(S.Index), m_APInt(Number)))) {
        if (IsPower && *Number == Constant->getValue().logBase2())
          S.Row.insert(&I);
      } else if (Constant &&
                 match(&I, m_c_Add(m_Specific(S.Index),
                                   m_Mul(m_Value(Row), m_APInt(Negative))))) {
        if (*Negative == -Constant->getValue() &&
            S.Row.contains(dyn_cast<Instruction>(Row)))
          S.Column.insert(&I);
      } else if (match(&I, m_Sub(m_Specific(S.Index),
                                 m_Mul(m_Value(Row), m_Value(Factor))))) {
        if (!S.Row.contains(dyn_cast<Instruction>(Row)))
          std::swap(Row, Factor);
        if (!S.Row.contains(dyn_cast<Instruction>(Row)) || !isInvariant(Factor))
          continue;
        // Often it is the width but for bits that are not used.
        if (I.use_empty())
          continue;
        unsigned Bits = 0;
        for (User *U : I.users())
          Bits = std::max(Bits, usedBits(I, *U));
        if (Factor != S.Width)
          S.Widths.push_back({Factor, Bits});
        S.Column.insert(&I);
      }
    }
  return true;
}

/// Whether \p V is what \p IsEnd says, but at most the last iteration.
bool SpaceFinder::isCappedEnd(Value *V, function_ref<bool(Value *)> IsEnd) {
  auto *Whole = dyn_cast<ConstantInt>(S.Total);
  auto *Chunk = dyn_cast<ConstantInt>(S.Chunk);
  if (Whole && Chunk && Whole->getValue().urem(Chunk->getValue()) == 0 &&
      IsEnd(V))
    return true;
  auto IsLast = [&](Value *X) {
    auto *C = dyn_cast<ConstantInt>(X);
    return C && Whole ? C->getValue() == Whole->getValue() - 1
                      : match(X, m_Add(m_Specific(S.Total), m_AllOnes()));
  };
  Value *A, *B;
  return (match(V, m_UMin(m_Value(A), m_Value(B))) ||
          match(V, m_SMin(m_Value(A), m_Value(B)))) &&
         ((IsEnd(A) && IsLast(B)) || (IsEnd(B) && IsLast(A)));
}

/// How long chunks are, if the block's first one begins at \p Begin.
bool SpaceFinder::findChunk(Value *Begin) {
  auto IsBlock = [](Value *V) {
    Value *Block;
    return match(V, m_ZExtOrSExtOrSelf(m_Value(Block))) && isBlockNumber(Block);
  };
  constexpr unsigned MaxShift = 10;
  uint64_t Shift;
  Value *A, *B;
  if (match(Begin, m_Shl(m_Value(A), m_ConstantInt(Shift))) && IsBlock(A) &&
      Shift <= MaxShift)
    S.Chunk = ConstantInt::get(Begin->getType(), 1u << Shift);
  else if (match(Begin, m_Mul(m_Value(A), m_Value(B))) &&
           (IsBlock(A) || IsBlock(B)))
    S.Chunk = IsBlock(A) ? B : A;
  return S.Chunk && isCommon(S.Chunk);
}

/// Whether \p V is the last iteration of a chunk from \p Begin on.
bool SpaceFinder::isEndOfChunk(Value *V, Value *Begin) {
  if (auto *Chunk = dyn_cast<ConstantInt>(S.Chunk))
    return match(
        V, m_AddLike(m_Specific(Begin), m_SpecificInt(Chunk->getValue() - 1)));
  return match(V, m_c_Add(m_Specific(Begin),
                          m_Add(m_Specific(S.Chunk), m_AllOnes()))) ||
         match(V, m_Add(m_c_Add(m_Specific(Begin), m_Specific(S.Chunk)),
                        m_AllOnes()));
}

/// The loop over the chunks of the block, of which \p Threads is the only inner
/// one.
bool SpaceFinder::findDistributeLoop() {
  Loop &D = *S.Distribute;
  BasicBlock *Latch = D.getLoopLatch();
  BasicBlock *Exit = D.getUniqueExitBlock();
  if (!Latch || !Exit || D.getExitingBlock() != Latch || D.getParentLoop() ||
      D.getSubLoops().size() != 1 || !Exit->phis().empty() ||
      !Uniformity.isReachedTogether(*Before))
    return false;
  auto *Br = dyn_cast<BranchInst>(Latch->getTerminator());
  ComparePredicate Less;
  Value *NextLower, *Total;
  if (!Br || !Br->isConditional() || Br->getSuccessor(0) != D.getHeader() ||
      !match(Br->getCondition(),
             m_ICmp(Less, m_Value(NextLower), m_Value(Total))) ||
      (Less != CmpInst::ICMP_ULT && Less != CmpInst::ICMP_SLT) ||
      !isCommon(Total))
    return false;
  S.Total = Total;
  PHINode *Lower = nullptr, *Upper = nullptr;
  for (PHINode &Phi : D.getHeader()->phis()) {
    bool IsLower = Phi.getIncomingValueForBlock(Latch) == NextLower;
    PHINode *&Place = IsLower ? Lower : Upper;
    if (Place)
      return false;
    Place = &Phi;
  }
  Value *Stride;
  if (!Lower || !Upper ||
      !match(NextLower, m_c_Add(m_Specific(Lower), m_Value(Stride))) ||
      !isInvariant(Stride) ||
      !findChunk(Lower->getIncomingValueForBlock(Before)))
    return false;
  auto IsFirstEnd = [&](Value *V) {
    return isEndOfChunk(V, Lower->getIncomingValueForBlock(Before));
  };
  auto IsNextEnd = [&](Value *V) {
    return match(V, m_c_Add(m_Specific(Upper), m_Specific(Stride)));
  };
  if (!isCappedEnd(Upper->getIncomingValueForBlock(Before), IsFirstEnd) ||
      !isCappedEnd(Upper->getIncomingValueForBlock(Latch), IsNextEnd))
    return false;
  for (BasicBlock *B : D.blocks())
    for (Instruction &I : *B)
      if (!S.Threads->contains(B) && I.mayHaveSideEffects() &&
          // On AMD GPUs barriers come with fences.
          !isBlockBarrier(I) &&
          !isa<FenceInst, AssumeInst, DbgInfoIntrinsic>(I))
        return false;
  return findIterations(*Lower, *Upper);
}

/// The thread's iterations of [\p Lower, \p Upper].
bool SpaceFinder::findIterations(PHINode &Lower, PHINode &Upper) {
  BasicBlock *From = S.Threads->getLoopPredecessor();
  Value *Thread,
      *Start = From ? S.Index->getIncomingValueForBlock(From) : nullptr;
  if (!From ||
      !match(Start,
             m_AddLike(m_Specific(&Lower), m_ZExtOrSelf(m_Value(Thread)))) ||
      !isThreadNumber(Thread))
    return false;
  auto *Guard = dyn_cast<BranchInst>(From->getTerminator());
  BasicBlock *Inside = S.Threads->getHeader();
  if (Guard && Guard->isUnconditional() && From->getSinglePredecessor()) {
    Inside = From;
    Guard = dyn_cast<BranchInst>(From->getSinglePredecessor()->getTerminator());
  }
  if (!Guard || !Guard->isConditional() ||
      Guard->getParent() != S.Distribute->getHeader())
    return false;
  // Whether the loop is not gone on with because At is beyond Upper.
  auto IsBeyond = [&](Value *Condition, bool When, Value *At) {
    ComparePredicate P;
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
  auto *Again = cast<BranchInst>(S.Threads->getLoopLatch()->getTerminator());
  Value *Next = S.Index->getIncomingValueForBlock(S.Threads->getLoopLatch());
  return IsBeyond(Skip, When, Start) &&
         IsBeyond(Again->getCondition(),
                  !S.Threads->contains(Again->getSuccessor(0)), Next);
}

bool SpaceFinder::refuse(const Instruction &Where, StageRefusal Why) {
  if (!Refusal && (S.Width || findWidth(S.Threads->getBlocks())))
    Refusal = {&Where, Why};
  return false;
}

bool SpaceFinder::findThreadLoop(unsigned Inner) {
  Loop &T = *S.Threads;
  BasicBlock *Latch = T.getLoopLatch();
  if (!Latch || T.getExitingBlock() != Latch || T.getSubLoops().size() != Inner)
    return false;
  auto Phis = T.getHeader()->phis();
  if (Phis.empty())
    return false;
  if (std::next(Phis.begin()) != Phis.end()) {
    // One of them is the index, most likely.
    for (PHINode &Phi : Phis) {
      S.Index = &Phi;
      refuse(Phi, StageRefusal::Reduction);
    }
    return false;
  }
  S.Index = &*Phis.begin();
  auto *Br = dyn_cast<BranchInst>(Latch->getTerminator());
  if (!S.Index->getType()->isIntegerTy() || !Br || !Br->isConditional())
    return false;
  auto *Next = dyn_cast<Instruction>(S.Index->getIncomingValueForBlock(Latch));
  auto *Compare = dyn_cast<Instruction>(Br->getCondition());
  Value *Stride;
  if (!Next || !Compare || !Next->hasNUses(2) || !Compare->hasOneUse() ||
      !match(Next, m_c_Add(m_Specific(S.Index), m_Value(Stride))) ||
      !isInvariant(Stride))
    return false;
  S.Control.insert({S.Index, Next, Compare, Br});
  return true;
}

bool SpaceFinder::findLoops(Loop &Threads, unsigned Inner) {
  S.Threads = &Threads;
  S.Distribute = Threads.getParentLoop();
  Before = S.Distribute ? S.Distribute->getLoopPreheader() : nullptr;
  return Before && findThreadLoop(Inner) && findDistributeLoop();
}

bool SpaceFinder::checkOperands() {
  for (BasicBlock *B : S.Threads->blocks())
    for (Instruction &I : *B) {
      if (any_of(I.users(), [&](User *U) {
            return !S.Threads->contains(cast<Instruction>(U));
          }))
        return false;
      if (S.Control.contains(&I))
        continue;
      if (!isOrdinary(I))
        return false;
      for (Value *Op : I.operands()) {
        auto *From = dyn_cast<Instruction>(Op);
        if (From && !S.Threads->contains(From) && !isCommon(From))
          return false;
      }
    }
  return true;
}

void SpaceFinder::findBases(ArrayRef<LoadInst *> Loads) {
  const DataLayout &DL = Before->getDataLayout();
  S.CanBeAsync = all_of(Loads, [&](const LoadInst *Load) {
    // 4, 8 or 16 bytes at an aligned address.
    uint64_t Size = DL.getTypeStoreSize(Load->getType());
    if (Size < 4 || Load->getAlign() < Size)
      return false;
    const Value *Pointer = Load->getPointerOperand();
    if (isGlobalMemory(Pointer))
      return true;
    auto *Base = const_cast<Value *>(getUnderlyingObject(Pointer));
    if (!isCommon(Base))
      return false;
    S.Bases.insert(Base);
    return true;
  });
}

Loop *onlyInnermostLoop(const LoopInfo &LI) {
  Loop *Only = nullptr;
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (L->isInnermost() && Only)
      return nullptr;
    Only = L->isInnermost() ? L : Only;
  }
  return Only;
}

bool fitsInTile(const LoadInst &Load) {
  const DataLayout &DL = Load.getDataLayout();
  Type *Ty = Load.getType();
  return Load.isSimple() && mayBeGlobalMemory(Load.getPointerOperand()) &&
         fillsItsBytes(Ty, DL) &&
         DL.getTypeStoreSize(Ty) == DL.getTypeAllocSize(Ty) &&
         isPowerOf2_64(DL.getTypeStoreSize(Ty)) &&
         DL.getTypeStoreSize(Ty) <= 16;
}

} // namespace ferry
