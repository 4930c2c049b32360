//===- RowAnalysis.cpp - What a kernel reads, step by step ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAnalysis.h"
#include "RowThreads.h"
#include "StreamWords.h"
#include "StridedAccesses.h"
#include "stage/common/GpuTarget.h"
#include "stage/common/KernelInstructions.h"
#include "stage/common/LaunchValues.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

RowAnalysis::RowAnalysis(Function &Kernel, DominatorTree &DT,
                         PostDominatorTree &PDT, LoopInfo &LI,
                         ScalarEvolution &SE)
    : F(Kernel), DT(DT), PDT(PDT), LI(LI), SE(SE), Uniformity(F, PDT),
      Strides(LI, SE, Uniformity), Regions(DT, PDT, LI, Uniformity) {}

std::vector<RowCandidate> RowAnalysis::candidates() {
  Notes.clear();
  std::vector<RowCandidate> Found;
  for (BasicBlock &B : F) {
    Loop *L = LI.getLoopFor(&B);
    if (L && L->isInnermost() && L->getHeader() == &B)
      if (auto C = loopCandidate(*L))
        Found.push_back(std::move(*C));
    if (auto C = straightLineCandidate(B))
      Found.push_back(std::move(*C));
  }
  return Found;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

namespace {
/// A pointer as Base + extended(Index) * Scale + Offset.
struct Address {
  const Value *Base, *Index = nullptr;
  unsigned Extension = 0; ///< the cast's opcode
  uint64_t Scale = 0;
  APInt Offset;

  bool sameButOffset(const Address &O) const {
    return Base == O.Base && Index == O.Index && Extension == O.Extension &&
           Scale == O.Scale;
  }
};
} // namespace

/// Takes a constant off the index: scalar evolution does not look through the
/// extension of a sum that is known not to wrap only here.
static Address addressOf(const Value *Pointer, const DataLayout &DL) {
  Address A{Pointer, nullptr, 0, 0,
            APInt(DL.getIndexTypeSizeInBits(Pointer->getType()), 0)};
  A.Base =
      Pointer->stripAndAccumulateConstantOffsets(DL, A.Offset,
                                                 /*AllowNonInbounds=*/true);
  auto *GEP = dyn_cast<GEPOperator>(A.Base);
  if (!GEP || GEP->getNumIndices() != 1)
    return A;
  A.Base = GEP->getPointerOperand();
  A.Index = GEP->getOperand(1);
  A.Scale = DL.getTypeAllocSize(GEP->getSourceElementType());
  Value *Inner;
  if (!match(A.Index, m_ZExtOrSExt(m_Value(Inner))))
    return A;
  const APInt *Constant;
  Value *Rest;
  bool Signed = isa<SExtInst>(A.Index);
  bool Splits =
      match(Inner, m_DisjointOr(m_Value(Rest), m_APInt(Constant))) ||
      (Signed ? match(Inner, m_NSWAdd(m_Value(Rest), m_APInt(Constant)))
              : match(Inner, m_NUWAdd(m_Value(Rest), m_APInt(Constant))));
  A.Extension = cast<Operator>(A.Index)->getOpcode();
  A.Index = Inner;
  if (!Splits)
    return A;
  unsigned Bits = A.Offset.getBitWidth();
  A.Index = Rest;
  A.Offset += (Signed ? Constant->sext(Bits) : Constant->zext(Bits)) * A.Scale;
  return A;
}

/// How many bytes \p Start, where \p Load reads, is behind \p S, if that is a
/// constant.
std::optional<int64_t> RowAnalysis::distance(const Stream &S,
                                             const LoadInst &Load,
                                             const SCEV *Start) {
  if (auto *D = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Start, S.Start)))
    return D->getAPInt().getSExtValue();
  const DataLayout &DL = F.getDataLayout();
  const StreamLoad &First = S.Loads.front();
  Address A = addressOf(Load.getPointerOperand(), DL);
  Address B = addressOf(First.Load->getPointerOperand(), DL);
  if (!A.sameButOffset(B))
    return std::nullopt;
  return (A.Offset - B.Offset).getSExtValue() +
         static_cast<int64_t>(First.Offset);
}

Stream *RowAnalysis::addLoad(LoadInst &Load, const SCEV *Start,
                             const SCEV *Step, const SCEV *Skipped,
                             RowUnit &Unit) {
  uint64_t Size = accessBytes(Load);
  for (Stream &S : Unit.Streams) {
    if (S.Skipped || Skipped || S.Step != Step ||
        S.Start->getType() != Start->getType())
      continue;
    std::optional<int64_t> Distance = distance(S, Load, Start);
    if (!Distance)
      continue;
    int64_t Offset = *Distance;
    constexpr int64_t MaxWindow = 256;
    if (Offset < -MaxWindow || Offset > MaxWindow)
      continue;
    if (Offset < 0) {
      S.Start = Start;
      S.Window -= Offset;
      for (StreamLoad &L : S.Loads)
        L.Offset -= Offset;
      Offset = 0;
    }
    S.Loads.push_back({&Load, static_cast<uint64_t>(Offset)});
    S.Window = std::max<uint64_t>(S.Window, Offset + Size);
    return &S;
  }
  Stream S;
  S.Loads.push_back({&Load, 0});
  S.Start = Start;
  S.Step = Step;
  S.Skipped = Skipped;
  if (auto *C = dyn_cast<SCEVConstant>(Step))
    S.ConstantStep = C->getAPInt().getSExtValue();
  S.Window = Size;
  Unit.Streams.push_back(std::move(S));
  return &Unit.Streams.back();
}

/// Whether \p S is what is left of a number by another.
static bool isRemainder(const SCEV *S) {
  auto *U = dyn_cast<SCEVUnknown>(S);
  return U && match(U->getValue(), m_IRem(m_Value(), m_Value()));
}

void RowAnalysis::describe(Stream &S) {
  chooseWord(S);
  S.Global = all_of(S.Loads, [](const StreamLoad &L) {
    return isGlobalMemory(L.Load->getPointerOperand());
  });
  S.ThreadStrideSum = Strides.of(S.Start);
  if (auto *C = dyn_cast_or_null<SCEVConstant>(S.ThreadStrideSum))
    S.ThreadStride = C->getAPInt().getSExtValue();
  // Threads that have a quotient in common have neighbours that do not.
  const bool IsCommon =
      S.ThreadStride == 0 && !SCEVExprContains(S.Start, isRemainder);
  S.Kind = IsCommon ? Stream::Uniform : Stream::PerThread;
}

static LoadInst *simpleLoad(Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isSimple() ? Load : nullptr;
}

/// \p I if it is a load from memory that can be staged.
static LoadInst *candidateLoad(Instruction &I) {
  LoadInst *Load = simpleLoad(I);
  return Load && mayBeGlobalMemory(Load->getPointerOperand()) ? Load : nullptr;
}

unsigned RowAnalysis::linesReadIn(const Loop &L, unsigned WarpSize) {
  SmallVector<const SCEV *, 4> Known;
  unsigned Lines = 0;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      LoadInst *Load = candidateLoad(I);
      if (!Load || L.isLoopInvariant(Load->getPointerOperand()))
        continue;
      const SCEV *Address = SE.getSCEV(Load->getPointerOperand());
      auto IsWithin = [](const SCEV *Bytes, uint64_t Most) {
        auto *Number = dyn_cast_or_null<SCEVConstant>(Bytes);
        return Number && Number->getAPInt().abs().ule(Most);
      };
      if (any_of(Known, [&](const SCEV *Other) {
            return IsWithin(SE.getMinusSCEV(Address, Other),
                            gpu::LineBytes - 1);
          }))
        continue;
      Known.push_back(Address);
      // Neighbouring threads read side by side, or all the same.
      Lines += IsWithin(Strides.of(Address), accessBytes(*Load)) ? 1 : WarpSize;
    }
  return Lines;
}

void RowAnalysis::findStreams(Loop &L, StridedAccesses &Accesses,
                              RowUnit &Unit) {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      LoadInst *Load = simpleLoad(I);
      if (!Load || L.isLoopInvariant(Load->getPointerOperand()))
        continue;
      StridedAccess A;
      std::optional<StageRefusal> Why;
      if (!candidateLoad(I))
        Why = StageRefusal::NotGlobal;
      else if (!(Why = Accesses.find(*Load, A)) &&
               !fillsItsBytes(Load->getType(), F.getDataLayout()))
        Why = StageRefusal::UnsuitableType;
      if (Why) {
        refuse(I, *Why);
        continue;
      }
      Stream *S = addLoad(*Load, A.Start, A.Step, A.Skipped, Unit);
      S->StartOfSecond = A.StartOfSecond;
    }
  for (Stream &S : Unit.Streams)
    describe(S);
}

/// Finds the stores of \p L; gives the one that cannot be described, if any.
const Instruction *RowAnalysis::findStores(Loop &L, StridedAccesses &Accesses,
                                           RowUnit &Unit) {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      if (!writesMemory(I))
        continue;
      auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store || !Store->isSimple())
        return &I;
      const SCEV *Start = SE.getSCEV(Store->getPointerOperand());
      int64_t Step = 0;
      if (auto *Address = affineRecurrence(Start, L)) {
        auto *Constant = dyn_cast<SCEVConstant>(Address->getStepRecurrence(SE));
        if (!Constant)
          return &I;
        Start = Address->getStart();
        Step = Constant->getAPInt().getSExtValue();
      }
      if (!Accesses.isKnownBefore(Start))
        return &I;
      Unit.Stores.push_back({Store, Start, Step, accessBytes(*Store)});
    }
  return nullptr;
}

/// Whether an address in \p L depends on what earlier iterations calculated,
/// other than which iteration it is.
bool RowAnalysis::followsValues(const Loop &L) const {
  SmallSetVector<const Value *, 8> Work;
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      if (auto *Load = dyn_cast<LoadInst>(&I))
        Work.insert(Load->getPointerOperand());
  for (unsigned Next = 0; Next < Work.size(); ++Next) {
    auto *I = const_cast<Instruction *>(dyn_cast<Instruction>(Work[Next]));
    if (!I || !L.contains(I) || isa<LoadInst>(I))
      continue;
    if (SE.isSCEVable(I->getType()) && isa<SCEVAddRecExpr>(SE.getSCEV(I)))
      continue;
    if (isa<PHINode>(I) && I->getParent() == L.getHeader())
      return true;
    Work.insert(I->op_begin(), I->op_end());
  }
  return false;
}

/// Whether \p Condition holds for threads anywhere in a warp: it is made of
/// what they have read, or of remainders of their numbers.
bool RowAnalysis::scatters(const Value &Condition) {
  auto IsQuotient = [](const Value *V) { // the same in many neighbours
    while (auto *Cast = dyn_cast<CastInst>(V))
      V = Cast->getOperand(0);
    // Most warps have threads of one, or halves begin with one.
    constexpr unsigned Many = 3 * gpu::WarpThreads,
                       Half = leastRows(gpu::WarpThreads);
    const Value *By;
    const APInt *Number;
    if (match(V, m_IDiv(m_Value(), m_Value(By))))
      return !match(By, m_APInt(Number)) || Number->abs().uge(Many) ||
             Number->abs().urem(Half) == 0;
    return match(V, m_Shr(m_Value(), m_Value(By))) &&
           (!match(By, m_APInt(Number)) || Number->uge(Log2_32(Half)));
  };
  SmallSetVector<const Value *, 8> Work;
  Work.insert(&Condition);
  for (unsigned Next = 0; Next < Work.size(); ++Next) {
    auto *I = dyn_cast<Instruction>(Work[Next]);
    if (!I || isa<PHINode>(I) || isa<CallBase>(I) || IsQuotient(I) ||
        Uniformity.isUniform(*I))
      continue;
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      if (!Uniformity.isUniform(*Load->getPointerOperand()))
        return true;
      continue;
    }
    const bool IsRemainder =
        match(I, m_CombineOr(m_IRem(m_Value(), m_Value()),
                             m_And(m_Value(), m_ConstantInt())));
    if (IsRemainder && !IsQuotient(I->getOperand(0)))
      return true;
    Work.insert(I->op_begin(), I->op_end());
  }
  return false;
}

/// A branch in \p Region by which threads do not come to \p Before and whose
/// condition \p Is; null if there is none. How often loops go around is another
/// matter.
const Instruction *
RowAnalysis::findBranchAround(BasicBlock &Before, const WarpRegion &Region,
                              function_ref<bool(const Value &)> Is) {
  for (BasicBlock *At = &Before; Region.Blocks.contains(At);) {
    At = DT.getNode(At)->getIDom()->getBlock();
    auto *Br = dyn_cast<BranchInst>(At->getTerminator());
    const Loop *Around = LI.getLoopFor(At);
    if (Region.Blocks.contains(At) && Br && Br->isConditional() &&
        !PDT.dominates(&Before, At) && !(Around && Around->isLoopExiting(At)) &&
        Is(*Br->getCondition()))
      return Br;
  }
  return nullptr;
}

/// Whether \p Store certainly writes what one of the next iterations reads of
/// \p S.
bool RowAnalysis::writesAhead(const LoopStore &Store, const Stream &S) const {
  constexpr int64_t Next = 16; // iterations
  if (!S.ConstantStep || !Store.Step || S.ConstantStep != Store.Step)
    return false;
  auto *Known = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Store.Start, S.Start));
  if (!Known)
    return false;
  const int64_t Size = Store.Size, Window = S.Window;
  const int64_t Step = std::abs(Store.Step);
  // As if both went upwards.
  int64_t Distance = Known->getAPInt().getSExtValue();
  if (S.isBackwards())
    Distance = Window - Size - Distance;
  return Distance + Size > Step && Distance < Next * Step &&
         Distance % Step < Window;
}

/// Leaves the streams of \p Unit that its stores are ahead of, and finds out
/// which stores are behind all others.
void RowAnalysis::compareStores(RowUnit &Unit) {
  erase_if(Unit.Streams, [&](const Stream &S) {
    const auto *Store = find_if(Unit.Stores, [&](const LoopStore &Store) {
      return writesAhead(Store, S);
    });
    if (Store == Unit.Stores.end())
      return false;
    refuse(*S.Loads[0].Load, StageRefusal::WrittenAhead);
    const bool MayChange = any_of(Unit.Stores, [&](const LoopStore &Other) {
      return !isa<SCEVConstant>(SE.getMinusSCEV(Other.Start, S.Start));
    });
    Unit.HandsOn |=
        MayChange && SE.getMinusSCEV(Store->Start, S.Start) == S.Step;
    return true;
  });
  for (LoopStore &Store : Unit.Stores)
    Store.AfterLoads = all_of(Unit.Streams, [&](const Stream &S) {
      return all_of(S.Loads, [&](const StreamLoad &Load) {
        return DT.dominates(Load.Load, Store.Store);
      });
    });
}

/// Widens the unit to the loops around it in which it reads the same again.
void RowAnalysis::extendOutwards(RowUnit &Unit) {
  if (!Unit.Stores.empty())
    return;
  auto Rows = make_filter_range(Unit.Streams, [](const Stream &S) {
    return S.Kind == Stream::PerThread;
  });
  for (Loop *L = Unit.InnerLoop->getParentLoop(); L; L = L->getParentLoop()) {
    StridedAccesses Accesses(*L, DT, SE);
    auto Same = [&](const SCEV *S) { return Accesses.isKnownBefore(S); };
    bool Writes = any_of(L->blocks(), [](const BasicBlock *B) {
      return any_of(*B, writesMemory);
    });
    // It has to walk in the first iteration already: what would not be read
    // must not be copied.
    auto IsGuard = [&](Value *V) { return L->isLoopInvariant(V); };
    auto Guards = findGuards(
        *L->getHeader(), *Unit.OuterLoop->getLoopPreheader(), DT, PDT, IsGuard);
    if (!L->isLoopSimplifyForm() || L->getExitingBlock() != L->getLoopLatch() ||
        !Guards || !all_of(make_first_range(Unit.Guards), IsGuard))
      return;
    if (!L->getUniqueExitBlock() || Writes ||
        Uniformity.isReachedTogether(*L->getHeader()) ||
        !Same(Unit.TripCount) || !all_of(Rows, [&](const Stream &S) {
          return !S.Skipped && Same(S.Start) && Same(S.Step);
        }))
      return;
    Unit.OuterLoop = L;
    Unit.Guards.insert(Unit.Guards.begin(), Guards->begin(), Guards->end());
  }
}

/// Finds the region of \p C, at \p Where, which \p Before leads to; or says why
/// not.
bool RowAnalysis::findRegion(BasicBlock &Before, const Instruction &Where,
                             RowCandidate &C) {
  std::optional<StageNote> Note = Regions.find(Before, Where, C.Unit, C.Region);
  if (Note)
    Notes.push_back(std::move(*Note));
  return !Note;
}

/// The branch by which \p L is not a loop that ends behind whole iterations, in
/// simplified form; null if it is one.
static const Instruction *unusualBranch(const Loop &L) {
  if (!L.isLoopSimplifyForm())
    return L.getHeader()->getTerminator();
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (const BasicBlock *B : Exiting)
    if (B != L.getLoopLatch())
      return B->getTerminator();
  const bool IsUsual = !Exiting.empty() && L.getUniqueExitBlock();
  return IsUsual ? nullptr : L.getLoopLatch()->getTerminator();
}

/// The loads of \p L whose addresses change in it.
static SmallVector<MovingLoad, 8> movingLoads(const Loop &L,
                                              ScalarEvolution &SE) {
  SmallVector<MovingLoad, 8> Found;
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || L.isLoopInvariant(Load->getPointerOperand()))
        continue;
      Found.push_back({Load, std::nullopt});
      auto *Address = dyn_cast<SCEVAddRecExpr>(
          SE.getSCEV(const_cast<Value *>(Load->getPointerOperand())));
      if (!Address || Address->getLoop() != &L ||
          !isSameEverywhere(Address->getStart()))
        continue;
      if (auto *Step = dyn_cast<SCEVConstant>(Address->getStepRecurrence(SE)))
        Found.back().CommonStep = Step->getAPInt().abs().getLimitedValue();
    }
  return Found;
}

/// Finds the streams of \p Unit whose sectors other loads of the loop read.
void RowAnalysis::findOtherReaders(RowUnit &Unit) {
  constexpr int64_t Near = gpu::SectorBytes;
  const SmallPtrSet<const Value *, 8> Staged = Unit.loadsOfStreams();
  for (const MovingLoad &Its : Unit.Moving) {
    if (Staged.contains(Its.Load))
      continue;
    auto *Pointer = const_cast<Value *>(Its.Load->getPointerOperand());
    for (Stream &S : Unit.Streams) {
      const std::optional<int64_t> Distance =
          distance(S, *Its.Load, SE.getSCEV(Pointer));
      S.ReadAnyway |= Distance && *Distance > -Near &&
                      *Distance < static_cast<int64_t>(S.Window) + Near;
    }
  }
}

std::optional<RowCandidate> RowAnalysis::loopCandidate(Loop &L) {
  const Instruction &Where = *L.getHeader()->getTerminator();
  auto No = [&](const Instruction &Obstacle, StageRefusal Why) {
    refuse(Obstacle, Why);
    return std::nullopt;
  };
  bool Loads = any_of(L.blocks(), [&](BasicBlock *B) {
    return any_of(*B, [&](Instruction &I) {
      LoadInst *Load = candidateLoad(I);
      return Load && !L.isLoopInvariant(Load->getPointerOperand());
    });
  });
  if (!Loads)
    return std::nullopt;
  if (const Instruction *Branch = unusualBranch(L))
    return No(*Branch, StageRefusal::LoopShape);
  RowCandidate C;
  C.Unit.InnerLoop = C.Unit.OuterLoop = &L;
  StridedAccesses Accesses(L, DT, SE);
  findStreams(L, Accesses, C.Unit);
  if (C.Unit.Streams.empty())
    return std::nullopt;
  C.Unit.TripCount = tripCount(L, SE);
  if (!C.Unit.TripCount || !Accesses.isKnownBefore(C.Unit.TripCount))
    return No(*L.getLoopLatch()->getTerminator(),
              StageRefusal::UnknownTripCount);
  C.Unit.FollowsValues = followsValues(L);
  C.Unit.UniformTripCount = isSameEverywhere(C.Unit.TripCount);
  C.Unit.MaxTripCount = SE.getUnsignedRangeMax(C.Unit.TripCount).getZExtValue();
  if (const Instruction *Store = findStores(L, Accesses, C.Unit))
    return No(*Store, StageRefusal::UnknownStore);
  compareStores(C.Unit);
  if (C.Unit.Streams.empty())
    return std::nullopt;
  C.Unit.Moving = movingLoads(L, SE);
  findOtherReaders(C.Unit);
  extendOutwards(C.Unit);
  BasicBlock &Before = *C.Unit.OuterLoop->getLoopPreheader();
  if (!findRegion(Before, Where, C))
    return std::nullopt;
  C.Unit.Scattering = findBranchAround(
      Before, C.Region, [&](const Value &V) { return scatters(V); });
  C.Unit.PassedOver = findBranchAround(Before, C.Region, [&](const Value &V) {
    return !Uniformity.isUniform(V);
  });
  RowThreads Threads(DT, SE, Uniformity, Strides);
  Threads.count(C.Unit, Before, C.Region);
  Threads.findChunks(C.Unit);
  return C;
}

/// Loads at constant distances in one block, with nothing written in between.
std::optional<RowCandidate> RowAnalysis::straightLineCandidate(BasicBlock &B) {
  RowCandidate C;
  C.Unit.StraightLine = &B;
  Type *I64 = Type::getInt64Ty(F.getContext());
  const SCEV *Step = SE.getZero(I64);
  for (Instruction &I : B) {
    if (I.mayWriteToMemory() || I.mayHaveSideEffects()) {
      if (C.Unit.Streams.empty())
        continue;
      break;
    }
    LoadInst *Load = candidateLoad(I);
    if (Load && fillsItsBytes(Load->getType(), F.getDataLayout()))
      addLoad(*Load, SE.getSCEV(Load->getPointerOperand()), Step, nullptr,
              C.Unit);
  }
  C.Unit.TripCount = SE.getOne(I64);
  C.Unit.UniformTripCount = true;
  // One record is staged; the one of most loads.
  auto Most = max_element(C.Unit.Streams, [](const Stream &A, const Stream &B) {
    return A.Loads.size() < B.Loads.size();
  });
  if (Most == C.Unit.Streams.end() || Most->Loads.size() < 2)
    return std::nullopt;
  Stream Record = std::move(*Most);
  Record.ConstantStep.reset();
  Record.Step = nullptr;
  describe(Record);
  if (Record.Kind != Stream::PerThread)
    return std::nullopt;
  // Gaps would be copied: they are small, and within the record.
  C.Unit.Streams.clear();
  C.Unit.Streams.push_back(std::move(Record));
  if (!findRegion(B, *C.Unit.Streams[0].Loads[0].Load, C))
    return std::nullopt;
  return C;
}

} // namespace ferry
