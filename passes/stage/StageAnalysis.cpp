//===- StageAnalysis.cpp - What a kernel reads, step by step --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

static constexpr char StagedMark[] = "ferry-staged";

void markStaged(LoadInst &Load) {
  if (!isMarkedStaged(Load))
    Load.addAnnotationMetadata(StagedMark);
}

bool isMarkedStaged(const LoadInst &Load) {
  MDNode *Annotations = Load.getMetadata(LLVMContext::MD_annotation);
  return Annotations && any_of(Annotations->operands(), [](const MDOperand &O) {
           auto *Text = dyn_cast<MDString>(O);
           return Text && Text->getString() == StagedMark;
         });
}

void removeStagedMarks(Function &Kernel) {
  for (BasicBlock &B : Kernel)
    for (Instruction &I : B)
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && isMarkedStaged(*Load))
        Load->setMetadata(LLVMContext::MD_annotation, nullptr);
}

StageAnalysis::StageAnalysis(Function &Kernel, DominatorTree &DT,
                             PostDominatorTree &PDT, LoopInfo &LI,
                             ScalarEvolution &SE)
    : F(Kernel), DT(DT), PDT(PDT), LI(LI), SE(SE), Uniformity(F, PDT) {}

std::vector<StageCandidate> StageAnalysis::candidates() {
  Notes.clear();
  std::vector<StageCandidate> Found;
  for (BasicBlock &B : F) {
    Loop *L = LI.getLoopFor(&B);
    if (L && L->isInnermost() && L->getHeader() == &B)
      if (auto C = loopCandidate(*L))
        Found.push_back(std::move(*C));
    if (auto C = lineCandidate(B))
      Found.push_back(std::move(*C));
  }
  return Found;
}

//===----------------------------------------------------------------------===//
// Where all threads come together
//===----------------------------------------------------------------------===//

/// Whether \p I waits for other threads or orders memory between them.
static bool synchronizes(const Instruction &I) {
  if (I.isAtomic() || isa<FenceInst>(I) || I.isVolatile())
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (Call->isConvergent())
    return true;
  return isa<IntrinsicInst>(Call) && Call->mayWriteToMemory() &&
         !isa<MemIntrinsic, AssumeInst, DbgInfoIntrinsic>(Call) &&
         !Call->isLifetimeStartOrEnd();
}

static bool isUnknownCall(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && !isa<IntrinsicInst>(Call) &&
         (!Call->onlyReadsMemory() || !Call->hasFnAttr(Attribute::WillReturn) ||
          !Call->doesNotThrow());
}

/// Whether something is staged in \p Region; then there is nothing new to say.
static bool isStagedAlready(const StageRegion &Region) {
  return any_of(Region.Blocks, [](const BasicBlock *B) {
    return any_of(*B, [](const Instruction &I) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      return Callee && Callee->getName().starts_with("__ferry_stage_");
    });
  });
}

std::optional<StageRefusal>
StageAnalysis::checkRegion(const StageRegion &Region) {
  for (BasicBlock *B : Region.Blocks)
    for (Instruction &I : *B) {
      if (isUnknownCall(I))
        return StageRefusal::UnknownCall;
      if (synchronizes(I))
        return StageRefusal::Synchronizes;
    }
  return std::nullopt;
}

/// The blocks between \p Entry and \p Exit, or nothing when there is another
/// way in or the way leads back to the entry.
static std::optional<StageRegion> closedRegion(BasicBlock *Entry,
                                               BasicBlock *Exit) {
  StageRegion Region{Entry, Exit, {}};
  SmallVector<BasicBlock *, 16> Work(successors(Entry));
  while (!Work.empty()) {
    BasicBlock *B = Work.pop_back_val();
    if (B == Exit)
      continue;
    if (B == Entry)
      return std::nullopt;
    if (Region.Blocks.insert(B))
      append_range(Work, successors(B));
  }
  for (BasicBlock *B : Region.Blocks)
    for (BasicBlock *From : predecessors(B))
      if (From != Entry && !Region.Blocks.contains(From))
        return std::nullopt;
  return Region;
}

/// The smallest region around a unit that \p Before leads to.
std::optional<StageRefusal> StageAnalysis::findRegion(BasicBlock &Before,
                                                      const StageUnit &Unit,
                                                      StageRegion &Region) {
  BasicBlock *Inside = Unit.isLine() ? Unit.Line : Unit.Outer->getHeader();
  for (auto *N = DT.getNode(&Before); N; N = N->getIDom()) {
    BasicBlock *Entry = N->getBlock();
    if (Entry == Inside || !Uniformity.isReachedTogether(*Entry) ||
        !PDT.getNode(Entry))
      continue;
    for (auto *P = PDT.getNode(Entry)->getIDom(); P && P->getBlock();
         P = P->getIDom()) {
      BasicBlock *Exit = P->getBlock();
      if (!Uniformity.isReachedTogether(*Exit) ||
          LI.getLoopFor(Exit) != LI.getLoopFor(Entry))
        continue;
      std::optional<StageRegion> Closed = closedRegion(Entry, Exit);
      if (!Closed)
        break;
      if (!Closed->Blocks.contains(Inside))
        continue;
      Region = std::move(*Closed);
      return checkRegion(Region);
    }
  }
  return StageRefusal::NoCommonEntry;
}

//===----------------------------------------------------------------------===//
// How addresses differ between threads
//===----------------------------------------------------------------------===//

static bool isThreadNumber(const Value *V) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  if (!Call)
    return false;
  StringRef Name = Call->getCalledFunction()->getName();
  return Name == "llvm.nvvm.read.ptx.sreg.tid.x" ||
         Name == "llvm.amdgcn.workitem.id.x";
}

const SCEV *StageAnalysis::strideOfUnknown(const SCEVUnknown &U) {
  Value *V = U.getValue();
  if (isThreadNumber(V))
    return SE.getOne(SE.getEffectiveSCEVType(V->getType()));
  const SCEV *Zero = SE.getZero(SE.getEffectiveSCEVType(V->getType()));
  if (Uniformity.isUniform(*V))
    return Zero;
  // What all threads read at the same place.
  if (auto *Load = dyn_cast<LoadInst>(V)) {
    const SCEV *D = threadStride(SE.getSCEV(Load->getPointerOperand()));
    return D && D->isZero() ? Zero : nullptr;
  }
  return nullptr;
}

const SCEV *StageAnalysis::threadStride(const SCEV *S) {
  Type *Ty = SE.getEffectiveSCEVType(S->getType());
  switch (S->getSCEVType()) {
  case scConstant:
  case scVScale:
    return SE.getZero(Ty);
  case scUnknown:
    return strideOfUnknown(*cast<SCEVUnknown>(S));
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scPtrToInt: {
    const SCEV *Inner = threadStride(cast<SCEVCastExpr>(S)->getOperand());
    return Inner ? SE.getTruncateOrSignExtend(Inner, Ty) : nullptr;
  }
  case scAddExpr: {
    SmallVector<const SCEV *, 4> Sum;
    for (const SCEV *Op : cast<SCEVAddExpr>(S)->operands()) {
      const SCEV *D = threadStride(Op);
      if (!D)
        return nullptr;
      Sum.push_back(SE.getTruncateOrSignExtend(D, Ty));
    }
    return SE.getAddExpr(Sum);
  }
  case scMulExpr: {
    // The sum, over the factors, of one's derivative times the others.
    auto *Product = cast<SCEVMulExpr>(S);
    SmallVector<const SCEV *, 4> Sum;
    for (unsigned I = 0; I < Product->getNumOperands(); ++I) {
      const SCEV *D = threadStride(Product->getOperand(I));
      if (!D)
        return nullptr;
      if (D->isZero())
        continue;
      SmallVector<const SCEV *, 4> Factors{D};
      for (unsigned J = 0; J < Product->getNumOperands(); ++J)
        if (J != I)
          Factors.push_back(Product->getOperand(J));
      Sum.push_back(SE.getMulExpr(Factors));
    }
    return Sum.empty() ? SE.getZero(Ty) : SE.getAddExpr(Sum);
  }
  case scAddRecExpr: {
    // In the same iteration of the loop.
    auto *Recurrence = cast<SCEVAddRecExpr>(S);
    for (const SCEV *Op : drop_begin(Recurrence->operands())) {
      const SCEV *D = threadStride(Op);
      if (!D || !D->isZero())
        return nullptr;
    }
    const SCEV *D = threadStride(Recurrence->getStart());
    return D ? SE.getTruncateOrSignExtend(D, Ty) : nullptr;
  }
  default: {
    // Quotients, minima: only what is the same everywhere is known.
    for (const SCEV *Op : S->operands()) {
      const SCEV *D = threadStride(Op);
      if (!D || !D->isZero())
        return nullptr;
    }
    return SE.getZero(Ty);
  }
  }
}

/// Whether \p Pointer leads to global memory: its address came in with the
/// kernel's parameters, or is that of a global variable. What was read from
/// memory may lead anywhere.
static bool isGlobalMemory(const Value *Pointer) {
  unsigned Space = Pointer->getType()->getPointerAddressSpace();
  if (Space != 0)
    return Space == 1;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  return all_of(Objects, [](const Value *Object) {
    auto *G = dyn_cast<GlobalVariable>(Object);
    return isa<Argument>(Object) || (G && G->getAddressSpace() <= 1);
  });
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

static uint64_t loadSize(const LoadInst &Load) {
  return Load.getDataLayout().getTypeStoreSize(Load.getType());
}

/// Bytes that can be copied at a time so that everything of \p S comes out
/// even.
static unsigned wordOf(const Stream &S) {
  uint64_t Common = S.ConstantStep.value_or(0);
  for (const StreamLoad &L : S.Loads)
    Common = std::gcd(std::gcd(Common, L.Offset), loadSize(*L.Load));
  for (const StreamLoad &L : S.Loads)
    Common = std::min(Common, L.Load->getAlign().value());
  return static_cast<unsigned>(std::min<uint64_t>(Common & -Common, 16));
}

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
std::optional<int64_t> StageAnalysis::distance(const Stream &S,
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

/// Whether \p B runs in every iteration of \p L, or in every one but one, which
/// is then in \p Skipped:  if (k != x) { B }
bool StageAnalysis::skippedIteration(BasicBlock &B, Loop &L,
                                     const SCEV *&Skipped) {
  Skipped = nullptr;
  if (DT.dominates(&B, L.getLoopLatch()))
    return true;
  BasicBlock *Before = B.getSinglePredecessor();
  if (!Before || !DT.dominates(Before, L.getLoopLatch()))
    return false;
  ICmpInst::Predicate Predicate;
  Value *Left, *Right;
  BasicBlock *True, *False;
  if (!match(Before->getTerminator(),
             m_Br(m_ICmp(Predicate, m_Value(Left), m_Value(Right)),
                  m_BasicBlock(True), m_BasicBlock(False))) ||
      True == False || !Left->getType()->isIntegerTy() ||
      (Predicate == ICmpInst::ICMP_NE   ? True
       : Predicate == ICmpInst::ICMP_EQ ? False
                                        : nullptr) != &B)
    return false;
  const SCEV *Counter = SE.getSCEV(Left), *Fixed = SE.getSCEV(Right);
  if (SE.isLoopInvariant(Counter, &L))
    std::swap(Counter, Fixed);
  auto *Counting = dyn_cast<SCEVAddRecExpr>(Counter);
  SCEVExpander Expander(SE, F.getDataLayout(), "stage");
  if (!Counting || Counting->getLoop() != &L || !Counting->isAffine() ||
      !Counting->getStepRecurrence(SE)->isOne())
    return false;
  Skipped = SE.getMinusSCEV(Fixed, Counting->getStart());
  return SE.isAvailableAtLoopEntry(Skipped, &L) &&
         Expander.isSafeToExpandAt(Skipped,
                                   L.getLoopPreheader()->getTerminator());
}

/// The address of \p Load as a walk along \p L, or null. In a loop with a
/// skipped iteration scalar evolution does not trust the flags of what it does
/// not always run. But the index grows from one iteration that is run to the
/// next, and none of them wraps; so they are apart by its step, as far as they
/// are read.
const SCEVAddRecExpr *StageAnalysis::walkOf(LoadInst &Load, Loop &L,
                                            const SCEV *Skipped,
                                            const SCEV *&StartOfSecond) {
  StartOfSecond = nullptr;
  Value *Pointer = Load.getPointerOperand();
  if (auto *Walk = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Pointer)))
    return Walk->getLoop() == &L && Walk->isAffine() ? Walk : nullptr;
  auto *GEP = dyn_cast<GetElementPtrInst>(Pointer);
  if (!Skipped || !GEP || GEP->getNumIndices() != 1 ||
      GEP->getParent() != Load.getParent() ||
      !L.isLoopInvariant(GEP->getPointerOperand()))
    return nullptr;
  auto *Extension = dyn_cast<CastInst>(GEP->getOperand(1));
  auto *Sum =
      Extension ? dyn_cast<OverflowingBinaryOperator>(Extension->getOperand(0))
                : nullptr;
  bool Signed = isa_and_nonnull<SExtInst>(Extension);
  if (!Sum || Sum->getOpcode() != Instruction::Add ||
      cast<Instruction>(Sum)->getParent() != Load.getParent() ||
      !(Signed ? Sum->hasNoSignedWrap()
               : isa<ZExtInst>(Extension) && Sum->hasNoUnsignedWrap()))
    return nullptr;
  auto *Index = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Sum));
  unsigned Fixed = L.isLoopInvariant(Sum->getOperand(0)) ? 0 : 1;
  auto *Counter =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Sum->getOperand(1 - Fixed)));
  if (!Index || Index->getLoop() != &L || !Index->isAffine() || !Counter ||
      !L.isLoopInvariant(Sum->getOperand(Fixed)) ||
      !(Signed ? Counter->hasNoSignedWrap() : Counter->hasNoUnsignedWrap()))
    return nullptr;
  Type *Ty = SE.getEffectiveSCEVType(Pointer->getType());
  auto Extend = [&](const SCEV *S) {
    return Signed ? SE.getNoopOrSignExtend(S, Ty)
                  : SE.getNoopOrZeroExtend(S, Ty);
  };
  const SCEV *Size = SE.getConstant(
      Ty, F.getDataLayout().getTypeAllocSize(GEP->getSourceElementType()));
  const SCEV *Base = SE.getSCEV(GEP->getPointerOperand());
  const SCEV *Step = SE.getNoopOrSignExtend(Index->getStepRecurrence(SE), Ty);
  const SCEV *Second =
      SE.getAddExpr(Index->getStart(), Index->getStepRecurrence(SE));
  auto At = [&](const SCEV *Place) {
    return SE.getAddExpr(Base, SE.getMulExpr(Size, Place));
  };
  StartOfSecond = At(SE.getMinusSCEV(Extend(Second), Step));
  return dyn_cast<SCEVAddRecExpr>(
      SE.getAddRecExpr(At(Extend(Index->getStart())), SE.getMulExpr(Size, Step),
                       &L, SCEV::FlagAnyWrap));
}

Stream *StageAnalysis::addLoad(LoadInst &Load, const SCEV *Start,
                               const SCEV *Step, const SCEV *Skipped,
                               StageUnit &Unit) {
  uint64_t Size = loadSize(Load);
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
    S.ConstantStep = C->getAPInt().getZExtValue();
  S.Window = Size;
  Unit.Streams.push_back(std::move(S));
  return &Unit.Streams.back();
}

void StageAnalysis::describe(Stream &S) {
  S.Word = wordOf(S);
  S.Global = all_of(S.Loads, [](const StreamLoad &L) {
    return isGlobalMemory(L.Load->getPointerOperand());
  });
  const SCEV *Stride = threadStride(S.Start);
  S.ThreadStrideKnown = Stride;
  if (auto *C = dyn_cast_or_null<SCEVConstant>(Stride))
    S.ThreadStride = C->getAPInt().getSExtValue();
  S.Kind = S.ThreadStride == 0 ? Stream::Common : Stream::Row;
}

static bool isStageableType(const LoadInst &Load) {
  const DataLayout &DL = Load.getDataLayout();
  Type *Ty = Load.getType();
  return Ty->isSized() && !DL.getTypeStoreSize(Ty).isScalable() &&
         DL.getTypeStoreSizeInBits(Ty) == DL.getTypeSizeInBits(Ty);
}

void StageAnalysis::findStreams(Loop &L, StageUnit &Unit) {
  SCEVExpander Expander(SE, F.getDataLayout(), "stage");
  const Instruction *At = L.getLoopPreheader()->getTerminator();
  auto CanBeExpanded = [&](const SCEV *S) {
    return SE.isAvailableAtLoopEntry(S, &L) && Expander.isSafeToExpandAt(S, At);
  };
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !Load->isSimple() || isMarkedStaged(*Load))
        continue;
      Value *Pointer = Load->getPointerOperand();
      if (L.isLoopInvariant(Pointer))
        continue;
      unsigned Space = Load->getPointerAddressSpace();
      if (Space > 1) {
        refuse(I, StageRefusal::NotGlobal);
        continue;
      }
      const SCEV *Skipped, *StartOfSecond;
      if (!skippedIteration(*B, L, Skipped)) {
        refuse(I, StageRefusal::Conditional);
        continue;
      }
      auto *Address = walkOf(*Load, L, Skipped, StartOfSecond);
      if (!Address || !CanBeExpanded(Address->getStart()) ||
          !CanBeExpanded(Address->getStepRecurrence(SE)) ||
          (StartOfSecond && !CanBeExpanded(StartOfSecond))) {
        refuse(I, StageRefusal::NotAffine);
        continue;
      }
      const SCEV *Step = Address->getStepRecurrence(SE);
      auto *Constant = dyn_cast<SCEVConstant>(Step);
      if (Constant && !Constant->getAPInt().isStrictlyPositive()) {
        refuse(I, StageRefusal::NotAffine);
        continue;
      }
      if (!isStageableType(*Load)) {
        refuse(I, StageRefusal::UnsuitableType);
        continue;
      }
      Stream *S = addLoad(*Load, Address->getStart(), Step, Skipped, Unit);
      S->StartOfSecond = StartOfSecond;
    }
  for (Stream &S : Unit.Streams)
    describe(S);
}

/// The stores of \p L; false when one of them cannot be described.
bool StageAnalysis::findStores(Loop &L, StageUnit &Unit) {
  SCEVExpander Expander(SE, F.getDataLayout(), "stage");
  const Instruction *At = L.getLoopPreheader()->getTerminator();
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      if (!I.mayWriteToMemory() || isa<AssumeInst, DbgInfoIntrinsic>(I))
        continue;
      auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store || !Store->isSimple())
        return false;
      const SCEV *Start = SE.getSCEV(Store->getPointerOperand());
      int64_t Step = 0;
      if (auto *Address = dyn_cast<SCEVAddRecExpr>(Start);
          Address && Address->getLoop() == &L) {
        auto *Constant = dyn_cast<SCEVConstant>(Address->getStepRecurrence(SE));
        if (!Address->isAffine() || !Constant)
          return false;
        Start = Address->getStart();
        Step = Constant->getAPInt().getSExtValue();
      }
      if (!SE.isAvailableAtLoopEntry(Start, &L) ||
          !Expander.isSafeToExpandAt(Start, At))
        return false;
      Unit.Stores.push_back({Store, Start, Step,
                             F.getDataLayout().getTypeStoreSize(
                                 Store->getValueOperand()->getType())});
    }
  return true;
}

/// What decides in an iteration of \p L whether \p B is reached, if it is not
/// always; false when that changes in the loop.
static bool findGuards(BasicBlock *B, const Loop &L, const DominatorTree &DT,
                       SmallVectorImpl<std::pair<Value *, bool>> &Guards) {
  while (!DT.dominates(B, L.getLoopLatch())) {
    BasicBlock *Before = B->getSinglePredecessor();
    auto *Branch =
        Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
    if (!Branch || !L.contains(Before))
      return false;
    if (Branch->isConditional()) {
      if (!L.isLoopInvariant(Branch->getCondition()))
        return false;
      Guards.push_back({Branch->getCondition(), Branch->getSuccessor(0) == B});
    }
    B = Before;
  }
  return true;
}

/// Widens the unit to the loops around it in which it reads the same again.
void StageAnalysis::extendOutwards(StageUnit &Unit) {
  if (!Unit.Stores.empty())
    return;
  auto Rows = make_filter_range(
      Unit.Streams, [](const Stream &S) { return S.Kind == Stream::Row; });
  SCEVExpander Expander(SE, F.getDataLayout(), "stage");
  for (Loop *L = Unit.Walk->getParentLoop(); L; L = L->getParentLoop()) {
    BasicBlock *Before = L->getLoopPreheader();
    auto Same = [&](const SCEV *S) {
      return SE.isLoopInvariant(S, L) && SE.isAvailableAtLoopEntry(S, L) &&
             Expander.isSafeToExpandAt(S, Before->getTerminator());
    };
    bool Writes = any_of(L->blocks(), [](const BasicBlock *B) {
      return any_of(*B, [](const Instruction &I) {
        return I.mayWriteToMemory() && !isa<AssumeInst, DbgInfoIntrinsic>(I);
      });
    });
    // It has to walk in the first iteration already: what would not be read
    // must not be copied.
    SmallVector<std::pair<Value *, bool>, 2> Guards(Unit.Guards);
    if (!L->isLoopSimplifyForm() || L->getExitingBlock() != L->getLoopLatch() ||
        !findGuards(Unit.Outer->getLoopPreheader(), *L, DT, Guards) ||
        any_of(Guards,
               [&](const auto &G) { return !L->isLoopInvariant(G.first); }))
      return;
    if (!L->getUniqueExitBlock() || Writes ||
        Uniformity.isReachedTogether(*L->getHeader()) || !Same(Unit.Trips) ||
        !all_of(Rows, [&](const Stream &S) {
          return !S.Skipped && Same(S.Start) && Same(S.Step);
        }))
      return;
    Unit.Outer = L;
    Unit.Guards = std::move(Guards);
  }
}

/// Whether \p S is the same in all threads of the block, in every iteration.
bool StageAnalysis::isSameEverywhere(const SCEV *S) {
  return !SCEVExprContains(S, [&](const SCEV *E) {
    auto *U = dyn_cast<SCEVUnknown>(E);
    return isa<SCEVAddRecExpr>(E) || (U && !isa<Argument>(U->getValue()) &&
                                      !isa<Constant>(U->getValue()));
  });
}

std::optional<StageCandidate> StageAnalysis::loopCandidate(Loop &L) {
  const Instruction &Where = *L.getHeader()->getTerminator();
  auto No = [&](StageRefusal Why) {
    refuse(Where, Why);
    return std::nullopt;
  };
  bool Loads = any_of(L.blocks(), [&](BasicBlock *B) {
    return any_of(*B, [&](Instruction &I) {
      auto *Load = dyn_cast<LoadInst>(&I);
      return Load && !isMarkedStaged(*Load) &&
             Load->getPointerAddressSpace() <= 1 &&
             !L.isLoopInvariant(Load->getPointerOperand());
    });
  });
  if (!Loads)
    return std::nullopt;
  if (!L.isLoopSimplifyForm() || L.getExitingBlock() != L.getLoopLatch() ||
      !L.getUniqueExitBlock())
    return No(StageRefusal::LoopShape);
  StageCandidate C;
  C.Unit.Walk = C.Unit.Outer = &L;
  findStreams(L, C.Unit);
  if (C.Unit.Streams.empty())
    return std::nullopt;
  const SCEV *BackEdges = SE.getBackedgeTakenCount(&L);
  SCEVExpander Expander(SE, F.getDataLayout(), "stage");
  Type *I64 = Type::getInt64Ty(F.getContext());
  if (isa<SCEVCouldNotCompute>(BackEdges) ||
      SE.getTypeSizeInBits(BackEdges->getType()) > 64)
    return No(StageRefusal::UnknownTripCount);
  C.Unit.Trips =
      SE.getAddExpr(SE.getTruncateOrZeroExtend(BackEdges, I64), SE.getOne(I64));
  if (!Expander.isSafeToExpandAt(C.Unit.Trips,
                                 L.getLoopPreheader()->getTerminator()))
    return No(StageRefusal::UnknownTripCount);
  C.Unit.SameTrips = isSameEverywhere(C.Unit.Trips);
  if (!findStores(L, C.Unit))
    return No(StageRefusal::UnknownStore);
  extendOutwards(C.Unit);
  if (auto Why =
          findRegion(*C.Unit.Outer->getLoopPreheader(), C.Unit, C.Region)) {
    if (!isStagedAlready(C.Region))
      refuse(Where, *Why);
    return std::nullopt;
  }
  return C;
}

/// Loads at constant distances in one block, with nothing written in between.
std::optional<StageCandidate> StageAnalysis::lineCandidate(BasicBlock &B) {
  StageCandidate C;
  C.Unit.Line = &B;
  Type *I64 = Type::getInt64Ty(F.getContext());
  const SCEV *Step = SE.getZero(I64);
  for (Instruction &I : B) {
    if (I.mayWriteToMemory() || I.mayHaveSideEffects()) {
      if (C.Unit.Streams.empty())
        continue;
      break;
    }
    auto *Load = dyn_cast<LoadInst>(&I);
    if (Load && Load->isSimple() && Load->getPointerAddressSpace() <= 1 &&
        !isMarkedStaged(*Load) && isStageableType(*Load))
      addLoad(*Load, SE.getSCEV(Load->getPointerOperand()), Step, nullptr,
              C.Unit);
  }
  C.Unit.Trips = SE.getOne(I64);
  C.Unit.SameTrips = true;
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
  if (Record.Kind != Stream::Row)
    return std::nullopt;
  // Gaps would be copied: they are small, and within the record.
  C.Unit.Streams.clear();
  C.Unit.Streams.push_back(std::move(Record));
  if (auto Why = findRegion(B, C.Unit, C.Region)) {
    if (!isStagedAlready(C.Region))
      refuse(*C.Unit.Streams[0].Loads[0].Load, *Why);
    return std::nullopt;
  }
  return C;
}

} // namespace ferry
