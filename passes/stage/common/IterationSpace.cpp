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
// With collapse(3) there is %p as well (SpaceWidth.cpp).
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
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

bool hasFreeSchedule(const Function &Kernel) {
  return getAssumptions(Kernel).contains(FreeScheduleAssumption);
}

bool hasReduction(const Function &Kernel) {
  return getAssumptions(Kernel).contains(ReductionAssumption);
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

bool SpaceFinder::isGridUniform(Value *V) {
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
    if (isBlockNumber(I) ||
        (Load && Load->getPointerAddressSpace() == SharedMemory) ||
        (Call && !isa<IntrinsicInst>(Call)))
      return false;
    for (Value *Op : I->operands())
      if (auto *From = dyn_cast<Instruction>(Op))
        Work.insert(From);
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
  return S.Chunk && isGridUniform(S.Chunk);
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

/// Finds the end of the loop over the chunks of the block.
bool SpaceFinder::findTotal() {
  Loop &D = *S.DistributeLoop;
  const BasicBlock *Latch = D.getLoopLatch();
  BasicBlock *Exit = D.getUniqueExitBlock();
  const Instruction &Header = *D.getHeader()->getTerminator();
  if (!Latch || !Exit || D.getExitingBlock() != Latch)
    return stop(Header, "chunks that are left early");
  if (D.getParentLoop() || D.getSubLoops().size() != 1)
    return stop(Header, "chunks in a loop, or with several loops");
  if (!Exit->phis().empty())
    return stop(Exit->front(), "a result of the loops");
  if (!Uniformity.isReachedTogether(*Before))
    return stop(*Before->getTerminator(),
                "loops that some threads of a block do not come to");
  auto *Br = dyn_cast<BranchInst>(Latch->getTerminator());
  ComparePredicate Less;
  Value *Total;
  if (!Br || !Br->isConditional() || Br->getSuccessor(0) != D.getHeader() ||
      !match(Br->getCondition(), m_ICmp(Less, m_Value(), m_Value(Total))) ||
      (Less != CmpInst::ICMP_ULT && Less != CmpInst::ICMP_SLT))
    return stop(*Latch->getTerminator(), "chunks up to no number");
  if (!isGridUniform(Total))
    return stop(*Br, "a number of iterations that blocks may differ in");
  S.Total = Total;
  return true;
}

/// Finds where the chunks of the block begin and end.
bool SpaceFinder::findChunks(PHINode *&Lower, PHINode *&Upper) {
  Loop &D = *S.DistributeLoop;
  BasicBlock *Latch = D.getLoopLatch();
  const Instruction &Last = *Latch->getTerminator();
  auto *Compare = cast<ICmpInst>(cast<BranchInst>(Last).getCondition());
  Value *NextLower = Compare->getOperand(0), *Stride;
  for (PHINode &Phi : D.getHeader()->phis()) {
    bool IsLower = Phi.getIncomingValueForBlock(Latch) == NextLower;
    PHINode *&Place = IsLower ? Lower : Upper;
    if (Place)
      return stop(Phi, "a value from chunk to chunk");
    Place = &Phi;
  }
  if (!Lower || !Upper)
    return stop(Last, "chunks without a first or a last iteration");
  Value *Begin = Lower->getIncomingValueForBlock(Before);
  if (!match(NextLower, m_c_Add(m_Specific(Lower), m_Value(Stride))) ||
      !isInvariant(Stride) || !findChunk(Begin))
    return stop(*Lower, "chunks that do not begin at multiples of the block");
  auto IsFirstEnd = [&](Value *V) { return isEndOfChunk(V, Begin); };
  auto IsNextEnd = [&](Value *V) {
    return match(V, m_c_Add(m_Specific(Upper), m_Specific(Stride)));
  };
  if (!isCappedEnd(Upper->getIncomingValueForBlock(Before), IsFirstEnd) ||
      !isCappedEnd(Upper->getIncomingValueForBlock(Latch), IsNextEnd))
    return stop(*Upper, "chunks that do not end before the next one");
  return true;
}

/// The loop over the chunks of the block, of which that of a thread is the only
/// inner one.
bool SpaceFinder::findDistributeLoop() {
  S.NeedsBlocks =
      getAssumptions(*Before->getParent()).contains(DealtScheduleAssumption);
  PHINode *Lower = nullptr, *Upper = nullptr;
  if (!findTotal() || !findChunks(Lower, Upper))
    return false;
  for (BasicBlock *B : S.DistributeLoop->blocks())
    for (Instruction &I : *B)
      if (!S.ThreadLoop->contains(B) && I.mayHaveSideEffects() &&
          // On AMD GPUs barriers come with fences.
          !isBlockBarrier(I) &&
          !isa<FenceInst, AssumeInst, DbgInfoIntrinsic>(I))
        return stop(I, "an effect between the iterations");
  return findIterations(*Lower, *Upper);
}

/// The thread's iterations of [\p Lower, \p Upper].
bool SpaceFinder::findIterations(PHINode &Lower, PHINode &Upper) {
  BasicBlock *From = S.ThreadLoop->getLoopPredecessor();
  Value *Thread,
      *Start = From ? S.Index->getIncomingValueForBlock(From) : nullptr;
  auto *Freeze = dyn_cast_or_null<FreezeInst>(Start);
  if (!From ||
      !match(Freeze ? Freeze->getOperand(0) : Start,
             m_AddLike(m_Specific(&Lower), m_ZExtOrSelf(m_Value(Thread)))) ||
      !isThreadNumber(Thread))
    return stop(*S.Index, "an index that does not begin with the thread's "
                          "number");
  auto *Guard = dyn_cast<BranchInst>(From->getTerminator());
  BasicBlock *Inside = S.ThreadLoop->getHeader();
  if (Guard && Guard->isUnconditional() && From->getSinglePredecessor()) {
    Inside = From;
    Guard = dyn_cast<BranchInst>(From->getSinglePredecessor()->getTerminator());
  }
  if (!Guard || !Guard->isConditional() ||
      Guard->getParent() != S.DistributeLoop->getHeader())
    return stop(*From->getTerminator(), "a way around the iterations");
  // Whether the loop is not gone on with because At is beyond Upper.
  auto IsBeyond = [&](Value *Condition, bool When, Value *At) {
    ComparePredicate P;
    Value *Limit;
    if (!match(Condition, m_c_ICmp(P, m_Specific(At), m_Value(Limit))))
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
      return stop(*Guard, "a condition that blocks may differ in");
  }
  auto *Again = cast<BranchInst>(S.ThreadLoop->getLoopLatch()->getTerminator());
  Value *Next = S.Index->getIncomingValueForBlock(S.ThreadLoop->getLoopLatch());
  if (!IsBeyond(Skip, When, Start))
    return stop(*Guard, "iterations beyond the chunk, or not up to its end");
  return IsBeyond(Again->getCondition(),
                  !S.ThreadLoop->contains(Again->getSuccessor(0)), Next) ||
         stop(*Again, "iterations beyond the chunk, or not up to its end");
}

bool SpaceFinder::refuse(const Instruction &Where, StageRefusal Why) {
  const Obstacle At = InTheWay.value_or(Obstacle{&Where, ""});
  if (Refusals.empty() && (S.Width || findDivisor(S.ThreadLoop->getBlocks()))) {
    StageNote Note = noteInstruction(*At.Where, Why);
    if (Note.Detail.empty())
      Note.Detail = At.Why;
    Refusals.push_back(std::move(Note));
  }
  InTheWay = At;
  return false;
}

bool SpaceFinder::refuseReduced(ArrayRef<LoadInst *> Loads) {
  for (const LoadInst *Load : Loads)
    Refusals.push_back({Load, StageRefusal::Reduction,
                        "each thread sums up over its iterations"});
  return false;
}

/// The thread's loop if it carries a sum beside its index.
bool SpaceFinder::findReducingLoop(unsigned Inner) {
  Loop &T = *S.ThreadLoop;
  BasicBlock *Latch = T.getLoopLatch(), *From = T.getLoopPredecessor();
  if (!Latch || !From || T.getExitingBlock() != Latch ||
      T.getSubLoops().size() != Inner)
    return false;
  unsigned Sums = 0;
  for (PHINode &Phi : T.getHeader()->phis()) {
    Value *Thread;
    if (match(Phi.getIncomingValueForBlock(From),
              m_AddLike(m_Value(), m_ZExtOrSelf(m_Value(Thread)))) &&
        isThreadNumber(Thread))
      S.Index = &Phi;
    else
      ++Sums;
  }
  return S.Index && Sums;
}

bool SpaceFinder::findThreadLoop(unsigned Inner) {
  Loop &T = *S.ThreadLoop;
  BasicBlock *Latch = T.getLoopLatch();
  if (!Latch || T.getExitingBlock() != Latch || T.getSubLoops().size() != Inner)
    return stop(*T.getHeader()->getTerminator(),
                "iterations that are left early, or with other loops");
  auto Phis = T.getHeader()->phis();
  if (Phis.empty())
    return stop(T.getHeader()->front(), "iterations without an index");
  if (std::next(Phis.begin()) != Phis.end()) {
    // One of them is the index, most likely.
    for (PHINode &Phi : Phis) {
      S.Index = &Phi;
      PHINode &Other =
          &Phi == &*Phis.begin() ? *std::next(Phis.begin()) : *Phis.begin();
      stop(Other, "a value from iteration to iteration");
      refuse(Other, StageRefusal::Reduction);
    }
    return false;
  }
  S.Index = &*Phis.begin();
  auto *Br = dyn_cast<BranchInst>(Latch->getTerminator());
  if (!S.Index->getType()->isIntegerTy() || !Br || !Br->isConditional())
    return stop(*Latch->getTerminator(), "iterations that are not counted");
  auto *Next = dyn_cast<Instruction>(S.Index->getIncomingValueForBlock(Latch));
  auto *Compare = dyn_cast<Instruction>(Br->getCondition());
  Value *Stride;
  if (!Next || !Compare || !Next->hasNUses(2) || !Compare->hasOneUse() ||
      !match(Next, m_c_Add(m_Specific(S.Index), m_Value(Stride))) ||
      !isInvariant(Stride))
    return stop(*Br, "iterations that are not counted by equal steps");
  S.Control.insert({S.Index, Next, Compare, Br});
  return true;
}

bool SpaceFinder::findLoops(Loop &ThreadLoop, unsigned Inner) {
  S.ThreadLoop = &ThreadLoop;
  S.DistributeLoop = ThreadLoop.getParentLoop();
  Before = S.DistributeLoop ? S.DistributeLoop->getLoopPreheader() : nullptr;
  if (!Before)
    return stop(*ThreadLoop.getHeader()->getTerminator(),
                "a loop without another one, over chunks, around it");
  return Reduces ? findReducingLoop(Inner)
                 : findThreadLoop(Inner) && findDistributeLoop();
}

bool SpaceFinder::checkOperands() {
  if (Reduces)
    return true;
  for (BasicBlock *B : S.ThreadLoop->blocks())
    for (Instruction &I : *B) {
      if (any_of(I.users(), [&](User *U) {
            return !S.ThreadLoop->contains(cast<Instruction>(U));
          }))
        return stop(I, "a value that is used outside of its iteration");
      if (S.Control.contains(&I))
        continue;
      if (!isOrdinary(I))
        return stop(I, "nothing that each iteration may do by itself");
      for (Value *Op : I.operands()) {
        auto *From = dyn_cast<Instruction>(Op);
        if (From && !S.ThreadLoop->contains(From) && !isGridUniform(From))
          return stop(*From, "a value that blocks may differ in");
      }
    }
  return true;
}

void SpaceFinder::findBases(ArrayRef<LoadInst *> Loads) {
  S.CanBeAsync = all_of(Loads, [&](const LoadInst *Load) {
    // 4, 8 or 16 bytes at an aligned address.
    uint64_t Size = accessBytes(*Load);
    if (Size < 4 || Load->getAlign() < Size)
      return false;
    const Value *Pointer = Load->getPointerOperand();
    if (isGlobalMemory(Pointer))
      return true;
    auto *Base = const_cast<Value *>(getUnderlyingObject(Pointer));
    if (!isGridUniform(Base))
      return false;
    S.Bases.insert(Base);
    return true;
  });
}

SmallVector<Loop *, 4> innermostLoops(const LoopInfo &LI) {
  SmallVector<Loop *, 4> Loops = LI.getLoopsInPreorder();
  erase_if(Loops, [](const Loop *L) { return !L->isInnermost(); });
  return Loops;
}

namespace {
/// Finds only the space.
class LoopsOfSpace : public SpaceFinder {
public:
  LoopsOfSpace(IterationSpace &Space, const PlanContext &C)
      : SpaceFinder(Space, C.Kernel, C.DT, C.PDT, C.SE) {}
  bool find(Loop &ThreadLoop) {
    return findLoops(ThreadLoop, ThreadLoop.getSubLoops().size()) &&
           findWidth(ThreadLoop.getBlocks()) && checkOperands() &&
           (!Reduces || stop(*S.Index, "a sum over a thread's iterations"));
  }
};
} // namespace

std::optional<IterationSpace>
findIterationSpace(const PlanContext &C, std::optional<Obstacle> &None) {
  for (Loop *DistributeLoop : C.LI)
    for (Loop *ThreadLoop : *DistributeLoop) {
      IterationSpace Space;
      LoopsOfSpace Finder(Space, C);
      if (Finder.find(*ThreadLoop))
        return Space;
      if (!None)
        None = Finder.obstacle();
    }
  return std::nullopt;
}

static void printValue(raw_ostream &OS, StringRef What, const Value &V) {
  OS << "  " << What << ": ";
  V.printAsOperand(OS);
  OS << "\n";
}

static void printSames(raw_ostream &OS, StringRef What,
                       ArrayRef<IterationSpace::SameInBits> Sames) {
  for (auto [Same, Bits] : Sames) {
    OS << "  " << What << " in " << Bits;
    printValue(OS, "bits", *Same);
  }
}

void print(raw_ostream &OS, const IterationSpace &S) {
  OS << "  chunks: the loop at %" << S.DistributeLoop->getHeader()->getName()
     << ", iterations of the thread: that at %"
     << S.ThreadLoop->getHeader()->getName() << "\n";
  printValue(OS, "iterations of a chunk", *S.Chunk);
  printValue(OS, "all iterations", *S.Total);
  printValue(OS, "index", *S.Index);
  if (S.PlaneSize)
    printValue(OS, "iterations of a plane", *S.PlaneSize);
  printSames(OS, "a plane", S.PlaneSizes);
  printValue(OS, "width", *S.Width);
  printSames(OS, "the width", S.Widths);
  printSames(OS, "the height", S.Heights);
  if (S.Height)
    printValue(OS, "height", *S.Height);
  for (const Instruction *I : S.PlaneIndices)
    printValue(OS, "p", *I);
  for (const Instruction *I : S.InPlaneIndices)
    printValue(OS, "in the plane", *I);
  for (const Instruction *I : S.RowIndices)
    printValue(OS, "i", *I);
  for (const Instruction *I : S.ColumnIndices)
    printValue(OS, "j", *I);
  if (S.NeedsBlocks)
    OS << "  if there are several blocks\n";
  for (auto [Condition, Holds] : S.Conditions)
    printValue(OS, Holds ? "if" : "unless", *Condition);
}

const SCEV *sizeOf(ScalarEvolution &SE, Value *Size) {
  return SE.getNoopOrZeroExtend(SE.getSCEV(Size),
                                Type::getInt64Ty(Size->getContext()));
}

void addWholeRows(LaunchConditions &All, const IterationSpace &S,
                  ScalarEvolution &SE) {
  if (S.Height || S.PlaneSize)
    return;
  const SCEV *Rest = SE.getURemExpr(sizeOf(SE, S.Total), sizeOf(SE, S.Width));
  All.push_back({Rest, INT64_MIN, 0});
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
