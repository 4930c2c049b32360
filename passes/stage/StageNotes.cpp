//===- StageNotes.cpp - What is said of a kernel's places -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageNotes.h"
#include "rows/ThreadStrides.h"
#include "stage/common/BlockUniformity.h"
#include "stage/common/GpuModel.h"
#include "stage/common/GpuTarget.h"
#include "stage/common/KernelInstructions.h"
#include "stage/common/LoopForm.h"
#include "stage/common/StageRemarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include <set>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

/// Whether \p Why is that a loop does not walk along rows, or comes from how
/// far these are apart.
static bool isOfWalk(StageRefusal Why) {
  return Why == StageRefusal::NotAffine || Why == StageRefusal::Conditional ||
         Why == StageRefusal::UnknownStore ||
         Why == StageRefusal::UnknownTripCount ||
         Why == StageRefusal::SharedRow;
}

//===----------------------------------------------------------------------===//
// Loops over the iterations of a thread
//===----------------------------------------------------------------------===//

namespace {

/// Writes quotients as something that all threads have in common: most
/// neighbours do, unless they are quotients by a number that is small.
class CommonQuotients : public SCEVRewriteVisitor<CommonQuotients> {
public:
  explicit CommonQuotients(ScalarEvolution &SE) : SCEVRewriteVisitor(SE) {}

  const SCEV *visitUDivExpr(const SCEVUDivExpr *S) {
    if (auto *By = dyn_cast<SCEVConstant>(S->getRHS()))
      noteDivisor(By->getAPInt());
    return common(*S);
  }
  const SCEV *visitTruncateExpr(const SCEVTruncateExpr *S) {
    // What is left by a power of two.
    SomeDiffer |=
        SE.getTypeSizeInBits(S->getType()) < Log2_32(gpu::WarpThreads);
    return SCEVRewriteVisitor::visitTruncateExpr(S);
  }
  const SCEV *visitUnknown(const SCEVUnknown *S) {
    Value *By;
    const APInt *Number;
    if (auto *Freeze = dyn_cast<FreezeInst>(S->getValue()))
      return visit(SE.getSCEV(Freeze->getOperand(0)));
    if (!match(S->getValue(), m_IDiv(m_Value(), m_Value(By))))
      return S;
    if (match(By, m_APInt(Number)))
      noteDivisor(*Number);
    return common(*S);
  }
  /// Whether some neighbours of a warp differ in a quotient.
  bool someDiffer() const { return SomeDiffer; }

private:
  bool SomeDiffer = false;

  void noteDivisor(const APInt &Divisor) {
    SomeDiffer |= Divisor.abs().ult(gpu::WarpThreads);
  }
  const SCEV *common(const SCEV &S) {
    return SE.getUnknown(UndefValue::get(S.getType()));
  }
};

/// Tells how neighbouring threads read memory in loops over their iterations.
class IterationLoops {
public:
  explicit IterationLoops(const PlanContext &C)
      : LI(C.LI), SE(C.SE), Uniformity(C.Kernel, C.PDT),
        Strides(LI, SE, Uniformity) {}

  bool isOverIterations(const Loop &L);
  std::optional<StageRefusal> reasonOf(LoadInst &Load);
  /// Whether \p Load reads start + k * step in \p L.
  bool isRow(const LoadInst &Load, const Loop &L) {
    auto *Pointer = const_cast<Value *>(Load.getPointerOperand());
    return affineRecurrence(SE.getSCEV(Pointer), L);
  }
  bool areOfRecord(const LoadInst &A, const LoadInst &B);

private:
  LoopInfo &LI;
  ScalarEvolution &SE;
  BlockUniformity Uniformity;
  ThreadStrides Strides;
};

} // namespace

/// Whether \p L goes on by the number of threads, of a block or of all: from
/// the thread's number or the block's, by a step that only a launch knows, or
/// of a warp's threads at least.
bool IterationLoops::isOverIterations(const Loop &L) {
  auto IsOfBlock = [](const SCEV *S) {
    auto *U = dyn_cast<SCEVUnknown>(S);
    return U && isBlockNumber(U->getValue());
  };
  return any_of(L.getHeader()->phis(), [&](PHINode &Phi) {
    auto *Index = SE.isSCEVable(Phi.getType())
                      ? affineRecurrence(SE.getSCEV(&Phi), L)
                      : nullptr;
    if (!Index)
      return false;
    auto *Step = dyn_cast<SCEVConstant>(Index->getStepRecurrence(SE));
    if (Step && Step->getAPInt().abs().ult(gpu::WarpThreads))
      return false;
    const SCEV *Apart = Strides.of(Index->getStart());
    return (Apart && Apart->isOne()) ||
           SCEVExprContains(Index->getStart(), IsOfBlock);
  });
}

/// Why \p Load is left where threads are apart by their iterations; nothing if
/// it is not known how far apart they read.
std::optional<StageRefusal> IterationLoops::reasonOf(LoadInst &Load) {
  const SCEV *Address = SE.getSCEV(Load.getPointerOperand());
  CommonQuotients Quotients(SE);
  const SCEV *Apart = Strides.of(Quotients.visit(Address));
  if (Apart && Apart->isZero())
    return StageRefusal::SharedRow;
  if (!Apart || Quotients.someDiffer())
    return std::nullopt;
  auto *Bytes = dyn_cast<SCEVConstant>(Apart);
  return Bytes && Bytes->getAPInt().abs().ult(gpu::SectorBytes)
             ? StageRefusal::AlreadyCoalesced
             : StageRefusal::LongStep;
}

/// Whether \p A and \p B are close to each other in every iteration.
bool IterationLoops::areOfRecord(const LoadInst &A, const LoadInst &B) {
  constexpr uint64_t MaxBytes = 256;
  auto AddressOf = [&](const LoadInst &Load) {
    return SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
  };
  auto *Distance =
      dyn_cast<SCEVConstant>(SE.getMinusSCEV(AddressOf(A), AddressOf(B)));
  return Distance && Distance->getAPInt().abs().ule(MaxBytes);
}

namespace {
/// What is said of a loop over iterations.
struct NotesOfLoop {
  std::vector<StageNote> OfWalk;
  /// What else is said, and where; of several reasons that which tells most.
  DenseMap<const Instruction *, StageRefusal> Others;
};
} // namespace

/// Adds to \p Result that \p Load is left because of \p Why, or what that is of
/// a record together with loads that are there already.
static void addReason(std::vector<StageNote> &Result, const LoadInst &Load,
                      StageRefusal Why, IterationLoops &Loops) {
  auto Other = Result.end();
  if (Why == StageRefusal::LongStep)
    Other = find_if(Result, [&](const StageNote &N) {
      return (N.Why == Why || N.Why == StageRefusal::CachedRecord) &&
             Loops.areOfRecord(cast<LoadInst>(*N.Where), Load);
    });
  if (Other == Result.end())
    Result.push_back({&Load, Why});
  else
    Other->Why = StageRefusal::CachedRecord;
}

/// What to say of \p L in place of what \p Said of it as a walk.
static std::vector<StageNote> describe(const Loop &L, const NotesOfLoop &Said,
                                       IterationLoops &Loops) {
  auto IsOfRecord = [&](const LoadInst &Load) {
    return any_of(Said.Others, [&](const auto &Note) {
      auto *First = dyn_cast<LoadInst>(Note.first);
      return First &&
             weightOf(Note.second) > weightOf(StageRefusal::AlreadyCoalesced) &&
             Loops.areOfRecord(*First, Load);
    });
  };
  std::vector<StageNote> Result;
  SmallPtrSet<const Instruction *, 8> Known;
  bool AllKnown = true;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !Load->isSimple() ||
          L.isLoopInvariant(Load->getPointerOperand()) ||
          !mayBeGlobalMemory(Load->getPointerOperand()))
        continue;
      const bool IsSaid = Said.Others.contains(Load) || IsOfRecord(*Load);
      auto Why = Loops.reasonOf(*Load);
      if (Why && !IsSaid)
        addReason(Result, *Load, *Why, Loops);
      if (Why || IsSaid)
        Known.insert(Load);
      else
        AllKnown &= any_of(Said.OfWalk,
                           [&](const StageNote &N) { return N.Where == Load; });
    }
  for (StageNote N : Said.OfWalk) {
    auto *Load = dyn_cast<LoadInst>(N.Where);
    if (Load ? Known.contains(Load) : AllKnown)
      continue;
    // To read it always would not help.
    if (Load && N.Why == StageRefusal::Conditional && !Loops.isRow(*Load, L))
      N.Why = StageRefusal::NotAffine;
    Result.push_back(std::move(N));
  }
  return Result;
}

void describeIterations(std::vector<StageNote> &Notes, const PlanContext &C) {
  auto LoopOf = [&](const StageNote &N) {
    Loop *L = C.LI.getLoopFor(N.Where->getParent());
    return L && L->isInnermost() ? L : nullptr;
  };
  SmallSetVector<Loop *, 4> Found;
  for (const StageNote &N : Notes)
    if (Loop *L = LoopOf(N); L && isOfWalk(N.Why))
      Found.insert(L);
  if (Found.empty())
    return;
  IterationLoops Loops(C);
  Found.remove_if([&](Loop *L) { return !Loops.isOverIterations(*L); });
  MapVector<Loop *, NotesOfLoop> Said;
  std::vector<StageNote> Kept;
  for (StageNote &N : Notes) {
    Loop *L = LoopOf(N);
    if (Found.contains(L) && isOfWalk(N.Why)) {
      Said[L].OfWalk.push_back(std::move(N));
      continue;
    }
    if (Found.contains(L)) {
      auto [Other, IsNew] = Said[L].Others.try_emplace(N.Where, N.Why);
      if (!IsNew && weightOf(N.Why) > weightOf(Other->second))
        Other->second = N.Why;
    }
    Kept.push_back(std::move(N));
  }
  Notes = std::move(Kept);
  for (auto &[L, OfLoop] : Said)
    append_range(Notes, describe(*L, OfLoop, Loops));
}

//===----------------------------------------------------------------------===//
// Several reasons for one load
//===----------------------------------------------------------------------===//

/// The loads of \p F by their numbers in it, which a copy with other loops has
/// as well.
static DenseMap<const Instruction *, unsigned> numberLoads(const Function &F) {
  DenseMap<const Instruction *, unsigned> Numbers;
  for (const Instruction &I : instructions(F))
    if (isa<LoadInst>(I))
      Numbers.try_emplace(&I, Numbers.size());
  return Numbers;
}

void addNotes(std::vector<StageNote> &Notes, std::vector<StageNote> More) {
  append_range(Notes, std::move(More));
  DenseMap<const Function *, DenseMap<const Instruction *, unsigned>> Numbers;
  auto NumberOf = [&](const StageNote &N) {
    const Function *F = N.Where->getFunction();
    auto [It, New] = Numbers.try_emplace(F);
    if (New)
      It->second = numberLoads(*F);
    return It->second.lookup(N.Where);
  };
  DenseMap<unsigned, unsigned> Most; // weight, of what is said of a load
  for (const StageNote &N : Notes)
    if (isa<LoadInst>(N.Where))
      Most[NumberOf(N)] = std::max(Most[NumberOf(N)], weightOf(N.Why));
  std::set<std::pair<unsigned, StageRefusal>> Said;
  erase_if(Notes, [&](const StageNote &N) {
    return isa<LoadInst>(N.Where) &&
           (weightOf(N.Why) < Most[NumberOf(N)] ||
            !Said.insert({NumberOf(N), N.Why}).second);
  });
}

} // namespace ferry
