//===- TileAnalysis.cpp - Nests of loops that tiles pay for ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code of `distribute parallel for collapse(2)` around one more loop:
//
//   distribute:                          ; all threads, chunk by chunk
//     %lb = phi [ %block << 7, ... ], [ %lb + (%blocks << 7), ... ]
//     %ub = phi [ min(%lb | 127, %total - 1), ... ], ...
//   threads:                             ; from %lb + %thread to %ub
//     %index = phi [ ... ], [ %index + %nthreads, ... ]
//     %i = udiv %index, %width
//     %j = %index - %i * %width
//     ...                                ; Pre
//   walk:
//     %k = phi ...
//     load A[f(%i, %k)], load B[g(%j, %k)]
//   after:
//     ...                                ; Post
//
// Which values of an iteration depend on i, on j and on k is read off the
// instructions that compute them. LLVM's scalar evolution does not help: 32-bit
// sums of products are not known not to wrap here.
//
//===----------------------------------------------------------------------===//

#include "TileAnalysis.h"
#include "KernelInstructions.h"
#include "LoopWalks.h"
#include "TileFinder.h"
#include "closure/RegionInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

bool hasFreeSchedule(const Function &Kernel) {
  StringRef All = Kernel.getFnAttribute("llvm.assume").getValueAsString();
  return is_contained(split(All, ','), FreeScheduleAssumption);
}

//===----------------------------------------------------------------------===//
// Values of an iteration
//===----------------------------------------------------------------------===//

/// Whether \p I may stand in an iteration: other threads may run it at another
/// time, or not at all.
static bool isOrdinary(const Instruction &I) {
  return !isa<AllocaInst>(I) && !synchronizes(I) && !isUnknownCall(I);
}

/// Whether \p V is there before the nest and the same in all threads of all
/// blocks: all must choose the same version.
bool TileFinder::isCommon(Value *V) {
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
    // Which value a phi has may depend on anything.
    if (isa<PHINode>(I) || isBlockNumber(I) ||
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

/// How i and j come out of the index.
bool TileFinder::findWidth() {
  for (BasicBlock *B : N.Pre)
    for (Instruction &I : *B) {
      Value *Width;
      if (!match(&I, m_IDiv(m_Specific(N.Index), m_Value(Width))) ||
          !isInvariant(Width))
        continue;
      if (N.Width && N.Width != Width)
        return false;
      N.Width = Width;
      N.Row.insert(&I);
    }
  // A power of two comes as shifts and masks.
  bool Divided = N.Width;
  const APInt *Number;
  for (BasicBlock *B : N.Pre)
    for (Instruction &I : *B)
      if (!Divided && match(&I, m_And(m_Specific(N.Index), m_APInt(Number))) &&
          Number->isMask() && !Number->isAllOnes() &&
          (!N.Width || cast<ConstantInt>(N.Width)->getValue().ule(*Number)))
        N.Width = ConstantInt::get(I.getType(), *Number + 1);
  if (!N.Width)
    return false;
  auto *Constant = dyn_cast<ConstantInt>(N.Width);
  bool IsPower = Constant && Constant->getValue().isPowerOf2();
  for (BasicBlock *B : N.Pre)
    for (Instruction &I : *B) {
      Value *Row, *Factor;
      if (match(&I, m_IRem(m_Specific(N.Index), m_Specific(N.Width)))) {
        N.Column.insert(&I);
      } else if (match(&I, m_And(m_Specific(N.Index), m_APInt(Number)))) {
        if (IsPower && *Number == Constant->getValue() - 1)
          N.Column.insert(&I);
      } else if (match(&I, m_LShr(m_Specific(N.Index), m_APInt(Number)))) {
        if (IsPower && *Number == Constant->getValue().logBase2())
          N.Row.insert(&I);
      } else if (match(&I, m_Sub(m_Specific(N.Index),
                                 m_Mul(m_Value(Row), m_Value(Factor))))) {
        if (!N.Row.contains(dyn_cast<Instruction>(Row)))
          std::swap(Row, Factor);
        if (!N.Row.contains(dyn_cast<Instruction>(Row)) || !isInvariant(Factor))
          continue;
        // Often it is the width but for bits that are not used.
        unsigned Bits = 0;
        for (User *U : I.users())
          Bits = std::max(Bits, usedBits(I, *U));
        if (Factor != N.Width)
          N.Widths.push_back({Factor, Bits});
        N.Column.insert(&I);
      }
    }
  return true;
}

bool TileFinder::findPhis() {
  BasicBlock *Walk = walkBlock();
  for (PHINode &Phi : Walk->phis()) {
    Value *Start = Phi.getIncomingValue(Phi.getIncomingBlock(0) == Walk);
    auto *Recurrence = SE.isSCEVable(Phi.getType())
                           ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi))
                           : nullptr;
    if (Recurrence && Recurrence->getLoop() == N.Walk &&
        Recurrence->isAffine() &&
        isInvariant(Recurrence->getStepRecurrence(SE)))
      N.Inductions[&Phi] = {Start, Recurrence->getStepRecurrence(SE)};
    else
      N.Carried.push_back(&Phi);
  }
  return !N.Carried.empty() && N.Carried.size() <= 2;
}

/// Nothing if \p V depends on something else than i, j and k.
std::optional<Dependence> TileFinder::dependence(Value *V, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  Dependence D;
  if (!I || isInvariant(I))
    return D;
  if (Depth > 32)
    return std::nullopt;
  if (N.Row.contains(I)) {
    D.On[D.I] = true;
    D.Slope[D.I] = 1;
    return D;
  }
  if (N.Column.contains(I) || I == N.Index) {
    D.On[D.J] = true;
    D.Slope[D.J] = 1;
    if (I == N.Index) {
      D.On[D.I] = true;
      D.Slope[D.I] = std::nullopt;
    }
    return D;
  }
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    auto It = N.Inductions.find(Phi);
    if (It == N.Inductions.end())
      return std::nullopt;
    auto Start = dependence(It->second.Start, Depth + 1);
    if (!Start)
      return std::nullopt;
    auto *Step = dyn_cast<SCEVConstant>(It->second.Step);
    Start->On[D.K] = true;
    Start->Slope[D.K] =
        Step ? std::optional(Step->getAPInt().getSExtValue()) : std::nullopt;
    return Start;
  }
  return dependenceOf(*I, Depth + 1);
}

std::optional<Dependence> TileFinder::dependenceOf(Instruction &I,
                                                   unsigned Depth) {
  bool InWalk = I.getParent() == walkBlock();
  if ((!InWalk && !is_contained(N.Pre, I.getParent())) ||
      (InWalk && I.mayReadFromMemory()) || I.mayHaveSideEffects())
    return std::nullopt;
  Dependence D;
  SmallVector<Dependence, 4> Operands;
  for (Value *Op : I.operands()) {
    auto O = dependence(Op, Depth);
    if (!O)
      return std::nullopt;
    Operands.push_back(*O);
  }
  ConstantInt *Factor;
  const APInt *Mask;
  auto *Power = dyn_cast<ConstantInt>(N.Width);
  if (Power && Power->getValue().isPowerOf2() &&
      match(&I, m_And(m_Specific(N.Index), m_APInt(Mask))) &&
      !Mask->intersects(Power->getValue() - 1)) {
    // What is left of i * Width + j. The mask may cut off more than j.
    D.On[D.I] = true;
    D.Slope[D.I] = Power->getSExtValue();
  } else if (match(&I, m_AddLike(m_Value(), m_Value()))) {
    D.add(Operands[0], 1);
    D.add(Operands[1], 1);
  } else if (match(&I, m_Sub(m_Value(), m_Value()))) {
    D.add(Operands[0], 1);
    D.add(Operands[1], -1);
  } else if (match(&I, m_Not(m_Value()))) {
    D.add(Operands[0], -1);
  } else if (match(&I, m_Mul(m_Value(), m_ConstantInt(Factor)))) {
    D.add(Operands[0], Factor->getSExtValue());
  } else if (match(&I, m_Shl(m_Value(), m_ConstantInt(Factor))) &&
             Factor->getValue().ult(63)) {
    D.add(Operands[0], int64_t(1) << Factor->getZExtValue());
  } else if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(I)) {
    D.add(Operands[0], 1);
  } else if (auto *GEP = dyn_cast<GetElementPtrInst>(&I);
             GEP && GEP->getNumIndices() == 1 &&
             !GEP->getSourceElementType()->isScalableTy()) {
    D.add(Operands[0], 1);
    D.add(Operands[1], static_cast<int64_t>(
                           I.getDataLayout()
                               .getTypeAllocSize(GEP->getSourceElementType())
                               .getFixedValue()));
  } else {
    for (const Dependence &O : Operands)
      D.add(O, 1);
    D.forgetSlopes();
  }
  // Arithmetic shifts that undo others keep numbers of 32 bits as they are.
  Value *Inner;
  if (match(&I, m_AShr(m_Shl(m_Value(Inner), m_ConstantInt()),
                       m_ConstantInt(Factor))))
    return dependence(Inner, Depth);
  return D;
}

bool TileFinder::findStreams() {
  const DataLayout &DL = walkBlock()->getDataLayout();
  bool Rows = false, Columns = false;
  for (Instruction &I : *walkBlock()) {
    if (!I.mayReadOrWriteMemory() ||
        isa<AssumeInst, DbgInfoIntrinsic, NoAliasScopeDeclInst>(I))
      continue;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->isSimple() || Load->getPointerAddressSpace() > 1)
      return false;
    auto D = dependence(Load->getPointerOperand());
    if (!D || D->On[D->I] == D->On[D->J] || !D->On[D->K])
      return false;
    TileStream S{Load, D->On[D->I], false, 0};
    Type *Ty = Load->getType();
    if (!fillsItsBytes(Ty, DL) ||
        DL.getTypeStoreSize(Ty) != DL.getTypeAllocSize(Ty))
      return false;
    S.Size = DL.getTypeStoreSize(Ty);
    auto IsNext = [&](std::optional<int64_t> Slope) {
      return Slope && std::abs(*Slope) == S.Size;
    };
    S.AlongK = IsNext(D->Slope[D->K]);
    if (!isPowerOf2_32(S.Size) || S.Size > 16 ||
        (!S.AlongK && !IsNext(D->Slope[S.ByRow ? D->I : D->J])))
      return false;
    (S.ByRow ? Rows : Columns) = true;
    N.Streams.push_back(S);
  }
  return Rows && Columns;
}

/// Finds what the streams' memory is known by, if asynchronous copies can read
/// all of it: from global memory, 4, 8 or 16 bytes at an aligned address.
void TileFinder::findBases() {
  N.CanBeAsync = all_of(N.Streams, [&](const TileStream &S) {
    Value *Pointer = S.Load->getPointerOperand();
    if (S.Size < 4 || S.Load->getAlign() < S.Size)
      return false;
    if (isGlobalMemory(Pointer))
      return true;
    Value *Base = getUnderlyingObject(Pointer);
    if (!isCommon(Base))
      return false;
    N.Bases.insert(Base);
    return true;
  });
}

/// An iteration may use what is there before the nest and the same for all
/// threads, and nothing of an iteration may be used outside of it.
bool TileFinder::checkOperands() {
  for (BasicBlock *B : N.Threads->blocks())
    for (Instruction &I : *B) {
      if (any_of(I.users(), [&](User *U) {
            return !N.Threads->contains(cast<Instruction>(U));
          }))
        return false;
      if (N.Control.contains(&I))
        continue;
      if (!isOrdinary(I))
        return false;
      for (Value *Op : I.operands()) {
        auto *From = dyn_cast<Instruction>(Op);
        if (From && !N.Threads->contains(From) && !isCommon(From))
          return false;
      }
    }
  return true;
}

bool TileFinder::find(Loop &Walk, TileNest &Found) {
  N.Walk = &Walk;
  N.Threads = Walk.getParentLoop();
  N.Distribute = N.Threads ? N.Threads->getParentLoop() : nullptr;
  Before = N.Distribute ? N.Distribute->getLoopPreheader() : nullptr;
  if (!Before || !findThreadLoop() || !findPre() || !findPost() ||
      !checkOperands() || !findWidth() || !findPhis() || !findStreams())
    return false;
  N.Trips = tripCount(*N.Walk, SE);
  if (!N.Trips || !isInvariant(N.Trips))
    return false;
  findBases();
  Found = std::move(N);
  return true;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

std::optional<TilePlan> planTiles(Function &Kernel, DominatorTree &DT,
                                  PostDominatorTree &PDT, LoopInfo &LI,
                                  ScalarEvolution &SE,
                                  const KernelLimits &Limits,
                                  const StageOptions &Options) {
  TilePlan Plan;
  SmallVector<Loop *, 4> Innermost;
  for (Loop *L : LI.getLoopsInPreorder())
    if (L->isInnermost())
      Innermost.push_back(L);
  if (Innermost.size() != 1 ||
      !TileFinder(Kernel, DT, PDT, SE).find(*Innermost[0], Plan.Nest))
    return std::nullopt;
  // Sectors are read as a whole along k, and neighbouring threads read
  // neighbouring elements.
  unsigned Largest = 0;
  for (const TileStream &S : Plan.Nest.Streams)
    Largest = std::max(Largest, S.Size);
  Plan.Steps = std::clamp(128 / Largest, 8u, TilePlan::MinThreads);
  uint64_t Budget = Limits.budget(Options);
  Plan.MaxThreads = std::min(256u, bit_floor(Limits.MaxThreads));
  Plan.Async = Limits.AsyncCopies && Plan.Nest.CanBeAsync;
  // A second tile for larger blocks comes first.
  Plan.Async = Plan.Async && Plan.bytes() <= Budget;
  for (; Plan.MaxThreads >= TilePlan::MinThreads; Plan.MaxThreads /= 2)
    if (Plan.bytes() <= Budget)
      return Plan;
  return std::nullopt;
}

} // namespace ferry
