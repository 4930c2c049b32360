//===- NestAnalysis.cpp - Nests of loops that tiles pay for ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An iteration (IterationSpace.cpp) with one more loop:
//
//   threads:
//     ...                                ; Pre
//   walk:
//     %k = phi ...
//     load A[f(%i, %k)], load B[g(%j, %k)]
//   after:
//     ...                                ; Post
//
// Or with two more loops, for (k) for (l), that sum up as if they were one:
// what goes from step to step is not changed between them.
//
// Which values of an iteration depend on i, on j and on k is read off the
// instructions that compute them. LLVM's scalar evolution does not help: 32-bit
// sums of products are not known not to wrap here.
//
//===----------------------------------------------------------------------===//

#include "NestAnalysis.h"
#include "NestFinder.h"
#include "stage/common/GpuModel.h"
#include "stage/common/KernelInstructions.h"
#include "stage/rows/StridedAccesses.h"
#include "support/LLVMCompat.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

//===----------------------------------------------------------------------===//
// Values of an iteration
//===----------------------------------------------------------------------===//

/// What \p V, of the loop around the inner loop, is behind the inner loop.
Value *NestFinder::behindInnerLoop(Value *V) const {
  for (auto [Phi, Is] : N.Ends)
    if (Phi == V)
      return Is;
  return V;
}

/// Notes the counters of \p L, which is the inner loop or around it; its other
/// phis.
SmallVector<PHINode *, 4> NestFinder::findInductions(Loop &L) {
  SmallVector<PHINode *, 4> Others;
  for (PHINode &Phi : L.getHeader()->phis()) {
    Value *Start =
        Phi.getIncomingValue(Phi.getIncomingBlock(0) == L.getLoopLatch());
    auto *Recurrence = SE.isSCEVable(Phi.getType())
                           ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi))
                           : nullptr;
    if (Recurrence && Recurrence->getLoop() == &L && Recurrence->isAffine() &&
        isInvariant(Recurrence->getStepRecurrence(SE)))
      N.Inductions[&Phi] = {Start, Recurrence->getStepRecurrence(SE),
                            &L == N.Outer};
    else
      Others.push_back(&Phi);
  }
  return Others;
}

bool NestFinder::findPhis() {
  BasicBlock *Body = innerBody();
  for (PHINode *Phi : findInductions(*N.InnerLoop))
    N.Carried.push_back(
        {Phi, Phi->getIncomingValue(Phi->getIncomingBlock(0) == Body),
         Phi->getIncomingValueForBlock(Body)});
  if (N.Carried.empty())
    return stop(*Body->getTerminator(), "an innermost loop without a sum");
  if (N.Carried.size() > MaxCarried)
    return stop(*N.Carried[MaxCarried].Phi, "many values from step to step");
  if (!N.Outer)
    return true;
  // What the inner loop carries goes through the loop around it as it is.
  SmallVector<PHINode *, 4> Outer = findInductions(*N.Outer);
  for (NestCarried &C : N.Carried) {
    auto *Phi = dyn_cast<PHINode>(C.Start);
    if (!Phi || !is_contained(Outer, Phi) ||
        behindInnerLoop(Phi->getIncomingValueForBlock(N.last())) != C.Next ||
        any_of(Phi->users(),
               [&](User *U) { return U != C.Phi && behindInnerLoop(U) == U; }))
      return stop(*C.Phi,
                  "a sum that the loop around the innermost one changes");
    C.Start = Phi->getIncomingValue(Phi->getIncomingBlock(0) == N.last());
    erase(Outer, Phi);
  }
  if (!Outer.empty())
    return stop(*Outer[0], "a value that the innermost loop does not change");
  for (BasicBlock *B : N.Around)
    for (Instruction &I : *B)
      for (User *U : I.users()) {
        auto *Is = dyn_cast<Instruction>(behindInnerLoop(&I));
        if (!N.Outer->contains(cast<Instruction>(U)) &&
            (!Is || Is->getParent() != Body))
          return stop(I, "a value of the loop around the innermost one");
      }
  return true;
}

/// Finds how many steps there are.
bool NestFinder::findSteps() {
  N.TripCount = tripCount(*N.InnerLoop, SE);
  if (!N.TripCount || !isInvariant(N.TripCount))
    return false;
  if (!N.Outer)
    return true;
  N.InnerTrips = N.TripCount;
  N.OuterTrips = tripCount(*N.Outer, SE);
  if (!N.OuterTrips || !isInvariant(N.OuterTrips))
    return false;
  N.TripCount = SE.getMulExpr(N.OuterTrips, N.InnerTrips);
  return isInvariant(N.TripCount);
}

/// Nothing if \p V depends on something else than p, i, j and k.
std::optional<Dependence> NestFinder::dependence(Value *V, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  Dependence D;
  // What depends on the plane alone is the same in a tile.
  if (!I || isInvariant(I) || N.PlaneIndices.contains(I))
    return D;
  if (Depth > 32)
    return std::nullopt;
  if (N.RowIndices.contains(I)) {
    D.On[D.I] = true;
    D.Slope[D.I] = 1;
    return D;
  }
  if (N.isInPlane(I)) {
    D.On[D.J] = true;
    D.Slope[D.J] = 1;
    if (!N.ColumnIndices.contains(I)) {
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
    if (!It->second.OfOuter)
      Start->Slope[D.K] =
          Step ? std::optional(Step->getAPInt().getSExtValue()) : std::nullopt;
    auto *Grows = cast<SCEVAddRecExpr>(SE.getSCEV(Phi));
    Start->wrap(!Grows->hasNoSignedWrap(), !Grows->hasNoUnsignedWrap());
    return Start;
  }
  return dependenceOf(*I, Depth + 1);
}

std::optional<Dependence>
NestFinder::dependenceOfAddress(GetElementPtrInst &GEP, unsigned Depth) {
  const DataLayout &DL = GEP.getDataLayout();
  const unsigned Bits = DL.getIndexTypeSizeInBits(GEP.getType());
  ScaledIndices Offsets;
  APInt Constant(Bits, 0);
  auto Sum = dependence(GEP.getPointerOperand(), Depth);
  if (!Sum || !GEP.collectOffset(DL, Bits, Offsets, Constant))
    return std::nullopt;
  for (auto &[Index, Factor] : Offsets) {
    auto D = dependence(Index, Depth);
    if (!D)
      return std::nullopt;
    if (Index->getType()->getScalarSizeInBits() < Bits)
      D->extend(/*AsSigned=*/true);
    Sum->add(*D, Factor.getSExtValue());
  }
  return Sum;
}

std::optional<Dependence> NestFinder::dependenceOf(Instruction &I,
                                                   unsigned Depth) {
  bool InBody = N.isOfSteps(&I);
  if ((!InBody && !is_contained(N.Pre, I.getParent())) ||
      (InBody && I.mayReadFromMemory()) || I.mayHaveSideEffects())
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
    ++D.Wraps[D.I];
  } else if (match(&I, m_AddLike(m_Value(), m_Value()))) {
    D.add(Operands[0], 1);
    D.add(Operands[1], 1);
  } else if (match(&I, m_Sub(m_Value(), m_Value()))) {
    D.add(Operands[0], 1);
    D.add(Operands[1], -1);
  } else if (match(&I, m_Not(m_Value()))) {
    D.add(Operands[0], -1);
    D.wrap(/*AsSigned=*/false, /*AsUnsigned=*/true);
  } else if (match(&I, m_Mul(m_Value(), m_ConstantInt(Factor)))) {
    D.add(Operands[0], Factor->getSExtValue());
  } else if (match(&I, m_Shl(m_Value(), m_ConstantInt(Factor))) &&
             Factor->getValue().ult(63)) {
    D.add(Operands[0], int64_t(1) << Factor->getZExtValue());
  } else if (isa<SExtInst, ZExtInst>(I)) {
    D.add(Operands[0], 1);
    D.extend(/*AsSigned=*/isa<SExtInst>(I));
  } else if (isa<TruncInst, FreezeInst>(I)) {
    D.add(Operands[0], 1);
  } else if (auto *GEP = dyn_cast<GetElementPtrInst>(&I)) {
    auto Sum = dependenceOfAddress(*GEP, Depth);
    if (!Sum)
      return std::nullopt;
    D = *Sum;
  } else {
    for (const Dependence &O : Operands)
      D.add(O, 1);
    D.forgetSlopes(I.getOpcode() == Instruction::Mul &&
                   (Operands[0].isInvariant() || Operands[1].isInvariant()));
  }
  // Tiles begin at multiples of powers of two, so i and j of fewer bits do not
  // wrap within a chunk.
  auto *Flags = dyn_cast<OverflowingBinaryOperator>(&I);
  auto *Less = dyn_cast<TruncInst>(&I);
  if (Flags)
    D.wrap(!Flags->hasNoSignedWrap(), !Flags->hasNoUnsignedWrap());
  else if (Less && !N.isInPlane(dyn_cast<Instruction>(Less->getOperand(0))))
    D.wrap(!Less->hasNoSignedWrap(), !Less->hasNoUnsignedWrap());
  // Arithmetic shifts that undo others keep numbers of 32 bits as they are.
  Value *Inner;
  if (match(&I, m_AShr(m_Shl(m_Value(Inner), m_ConstantInt()),
                       m_ConstantInt(Factor)))) {
    D = dependence(Inner, Depth).value_or(D);
    D.wrap(/*AsSigned=*/true, /*AsUnsigned=*/true);
    D.extend(/*AsSigned=*/true);
  }
  return D;
}

/// Nothing if what is in a sector is read neither in consecutive steps nor in
/// neighbouring iterations, by \p Load or one of the others that read the same
/// record, which are \p OfRecord.
static std::optional<NestOperand> operandOf(LoadInst &Load, const Dependence &D,
                                            unsigned OfRecord) {
  NestOperand S{&Load, NestOperand::ByK, true, false, false, false, 0, 1};
  S.Size = accessBytes(Load);
  auto IsNear = [&](std::optional<int64_t> Slope) {
    return Slope && *Slope != 0 &&
           std::abs(*Slope) < static_cast<int64_t>(gpu::SectorBytes) * OfRecord;
  };
  unsigned Along = D.K;
  if (D.On[D.I] || D.On[D.J]) {
    S.By = D.On[D.I] ? NestOperand::ByRow : NestOperand::ByColumn;
    S.AlongK = IsNear(D.Slope[D.K]);
    Along = S.AlongK ? D.K : D.On[D.I] ? D.I : D.J;
    if (!IsNear(D.Slope[Along]))
      return std::nullopt;
  }
  // At run time it can be told whether one number wraps.
  S.MayWrap = D.Wraps[D.K] || D.Wraps[Along];
  S.Linear = D.Linear[D.K] && D.Wraps[D.K] <= 1 && D.Wraps[Along] <= 1;
  S.Follows = S.Linear && D.Slope[Along] == static_cast<int64_t>(S.Size);
  if (D.Slope[Along])
    S.Apart = std::max(1., std::abs(double(*D.Slope[Along])) / S.Size);
  return S;
}

bool NestFinder::findStreams() {
  bool Found[3] = {};
  const DenseMap<LoadInst *, unsigned> Records = findRecords();
  for (Instruction &I : *innerBody()) {
    if (!I.mayReadOrWriteMemory() ||
        isa<AssumeInst, DbgInfoIntrinsic, NoAliasScopeDeclInst>(I))
      continue;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load)
      return stop(I, "an access to memory that is no load");
    if (!fitsInTile(*Load))
      return stop(I, "an element that does not fit in a tile");
    auto D = dependence(Load->getPointerOperand());
    if (!D)
      return stop(I, "an address that depends on more than the loops");
    if ((D->On[D->I] && D->On[D->J]) || !D->On[D->K])
      return stop(I, "no element that several iterations read");
    auto S = operandOf(*Load, *D, Records.lookup(Load));
    if (!S)
      return stop(I, "no neighbours in memory of what is read next");
    Found[S->By] = true;
    N.Streams.push_back(*S);
  }
  if (Found[NestOperand::ByRow] && Found[NestOperand::ByColumn])
    return true;
  const Instruction &End = *innerBody()->getTerminator();
  return stop(N.Streams.empty() ? End : *N.Streams[0].Load,
              Found[NestOperand::ByRow]
                  ? "no operand that the iterations of a column share"
                  : "no operand that the iterations of a row share");
}

bool NestFinder::find(Loop &InnerLoop, KernelNest &Found) {
  N.InnerLoop = &InnerLoop;
  Loop *ThreadLoop = InnerLoop.getParentLoop();
  if (InnerLoop.getLoopDepth() == 4) {
    N.Outer = ThreadLoop;
    ThreadLoop = ThreadLoop->getParentLoop();
  }
  if (!ThreadLoop || !findLoops(*ThreadLoop, /*Inner=*/1))
    return false;
  const Instruction &Where = *innerBody()->getTerminator();
  if (ThreadLoop->getLoopLatch() == innerBody() || !findPre() || !findPost() ||
      !checkOperands() || !findWidth(N.Pre) || !findPhis())
    return refuse(Where, StageRefusal::NestShape);
  if (!findStreams())
    return refuse(Where, StageRefusal::NoReuse);
  if (!findSteps())
    return refuse(Where, StageRefusal::UnknownTripCount);
  N.IsOneLine = !N.Outer || findOneLine();
  SmallVector<LoadInst *, 2> Loads;
  for (const NestOperand &Stream : N.Streams)
    Loads.push_back(Stream.Load);
  if (Reduces)
    return refuseReduced(Loads);
  findBases(Loads);
  Found = std::move(N);
  return true;
}

} // namespace ferry
