//===- PathWalk.cpp - Follow a pointer through a kernel -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathWalk.h"
#include "IndexResidue.h"
#include "PathPosition.h"
#include "ReadOrder.h"
#include "WorkSharing.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <utility>

using namespace llvm;

namespace ferry {

namespace {

/// Whether \p I stores a pointer, as one.
bool storesPointer(const Instruction &I) {
  const Type *Stored = nullptr;
  if (const auto *S = dyn_cast<StoreInst>(&I))
    Stored = S->getValueOperand()->getType();
  else if (const auto *A = dyn_cast<AtomicRMWInst>(&I))
    Stored = A->getType();
  else if (const auto *A = dyn_cast<AtomicCmpXchgInst>(&I))
    Stored = A->getNewValOperand()->getType();
  return Stored && Stored->getScalarType()->isPointerTy();
}

/// Whether \p I returns the pointer that it is given.
bool returnsArgument(const IntrinsicInst &I) {
  return I.getType()->isPointerTy() &&
         (I.getIntrinsicID() == Intrinsic::ptr_annotation ||
          I.getIntrinsicID() == Intrinsic::launder_invariant_group ||
          I.getIntrinsicID() == Intrinsic::strip_invariant_group);
}

class Walker {
public:
  Walker(const DataLayout &DL, ScalarEvolution &SE, AccessRanges &Ranges,
         CertainRanges *Certain, ComparisonNumbers &Numbers)
      : DL(DL), SE(SE), Ranges(Ranges), Certain(Certain), Numbers(Numbers) {}

  void run(Value *Argument, PathNode &Root) {
    Initial.insert(Argument);
    visit(Argument, Root, PathPosition::atBegin(*Argument));
    if (Steps > MaxSteps) {
      Root.Escapes = true;
      return;
    }
    for (const auto &[N, Bounds] : Accessed)
      if (Bounds && !N->Escapes && !N->Cyclic)
        N->Range = Ranges.range(*Bounds);
    if (Certain)
      keepCertain();
  }

private:
  /// More than any kernel seen; a bound for generated code.
  static constexpr unsigned MaxSteps = 200000;
  static constexpr unsigned MaxDepth = 24;
  /// Members among which code chooses before its place counts as unknown.
  static constexpr unsigned MaxChoices = 16;

  const DataLayout &DL;
  ScalarEvolution &SE;
  AccessRanges &Ranges;
  CertainRanges *Certain; ///< null: they are not wanted
  ComparisonNumbers &Numbers;
  unsigned Steps = 0;
  DenseMap<const PathNode *, PathNode *> Parents;
  /// What is accessed through the pointers; nullopt: it has no known bounds.
  DenseMap<PathNode *, std::optional<AccessRanges::Bounds>> Accessed;
  /// Pointers that are what the launch finds in the object, and only that.
  SmallPtrSet<const Value *, 16> Initial;
  /// Pointers of a table, at a variable index, of which the same is true.
  struct Element {
    AccessRanges::TableWord Word;
    int64_t TableOffset; ///< of Word.Table in the object
  };
  DenseMap<const Value *, Element> InitialElements;
  /// What is surely accessed, by node, guard and, of elements, word.
  struct SureAccess {
    AccessRanges::CertainBounds Bounds;
    const Instruction *First;
    uint64_t Size;
  };
  MapVector<std::tuple<PathNode *, uint32_t, uint32_t>, SureAccess> Sure;

  /// The places with which a value was reached for a node.
  struct Visits {
    SmallVector<PathPlace, 1> Places;
    SmallVector<PathPlace, 1> Active; ///< whose visit has not ended
  };
  std::map<std::pair<const Value *, const PathNode *>, Visits> Seen;
  /// The loads of the pointers that an instruction compares.
  DenseMap<const Instruction *,
           SmallVector<std::pair<const LoadInst *, PathNode *>, 2>>
      Compared;

  unsigned depth(const PathNode *N) const {
    unsigned D = 0;
    for (; N; N = Parents.lookup(N))
      ++D;
    return D;
  }

  void visit(Value *V, PathNode &N, PathPosition P) {
    if (++Steps > MaxSteps)
      return;
    Visits &Earlier = Seen[{V, &N}];
    if (is_contained(Earlier.Places, P.Where))
      return;
    // A pointer that moves through a loop, or one of several members.
    if (isa<PHINode>(V) && !Earlier.Active.empty())
      moveInLoop(P, Earlier.Active.back());
    else if (Earlier.Places.size() >= MaxChoices)
      P.Where.join(Earlier.Places.back());
    if (is_contained(Earlier.Places, P.Where))
      return;
    Earlier.Places.push_back(P.Where);
    // The same value for an object and for one that was reached through it.
    if (isa<PHINode>(V))
      for (PathNode *A = Parents.lookup(&N); A; A = Parents.lookup(A))
        if (Seen.count({V, A})) {
          A->Cyclic = true;
          return;
        }
    SmallVector<Use *> Uses;
    for (Use &U : V->uses())
      Uses.push_back(&U);
    Earlier.Active.push_back(P.Where);
    for (Use *U : Uses)
      visitUse(*U, N, P);
    Earlier.Active.pop_back();
  }

  /// One round of a loop has led from \p Before to \p P: makes it where any
  /// number of rounds may lead.
  static void moveInLoop(PathPosition &P, const PathPlace &Before) {
    const PathPlace After = std::exchange(P.Where, Before);
    if (After.Indices == Before.Indices)
      P.moveBy(0,
               static_cast<uint64_t>(std::abs(After.Offset - Before.Offset)));
    else
      P.Where.join(After);
  }

  void visitUse(Use &U, PathNode &N, const PathPosition &P) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I) {
      N.Escapes = true;
      return;
    }
    if (auto *G = dyn_cast<GetElementPtrInst>(I)) {
      PathPosition Behind = P;
      follow(*G, Behind);
      visit(G, N, Behind);
    } else if (auto *L = dyn_cast<LoadInst>(I)) {
      visitLoad(*L, N, P);
    } else if (auto *S = dyn_cast<StoreInst>(I)) {
      if (U.getOperandNo() == StoreInst::getPointerOperandIndex())
        access(S, S->getPointerOperand(),
               DL.getTypeStoreSize(S->getValueOperand()->getType()), N, P,
               /*Writes=*/true);
      else
        N.Escapes = true;
    } else if (auto *A = dyn_cast<AtomicRMWInst>(I)) {
      visitAtomic(U, *A, N, P);
    } else if (auto *A = dyn_cast<AtomicCmpXchgInst>(I)) {
      if (U.getOperandNo() == AtomicCmpXchgInst::getPointerOperandIndex())
        access(A, A->getPointerOperand(),
               DL.getTypeStoreSize(A->getNewValOperand()->getType()), N, P,
               true);
      else
        N.Escapes = true;
    } else if (isa<PHINode, SelectInst, FreezeInst>(I) ||
               (isa<CastInst>(I) && I->getType()->isPointerTy())) {
      visit(I, N, P);
    } else if (isa<ICmpInst>(I)) {
      // Whether it is null does not change.
      if (!isa<ConstantPointerNull>(I->getOperand(1 - U.getOperandNo())))
        noteComparison(*I, N, P);
    } else if (isa<PtrToIntInst>(I)) {
      visitPtrToInt(I, N, P);
    } else if (auto *M = dyn_cast<MemTransferInst>(I)) {
      visitCopy(U, *M, N, P);
    } else if (auto *M = dyn_cast<MemSetInst>(I)) {
      access(M, M->getRawDest(), constantLength(*M), N, P, true);
    } else if (auto *II = dyn_cast<IntrinsicInst>(I);
               II && returnsArgument(*II)) {
      // The same pointer, which the analysis of addresses does not see through.
      PathPosition Alias = P;
      if (P.Where.constant()) {
        Alias.Base = II;
        Alias.BaseOffset = P.Where.Offset;
      }
      visit(II, N, Alias);
    } else if (auto *II = dyn_cast<IntrinsicInst>(I);
               II &&
               (II->isAssumeLikeIntrinsic() || II->isLifetimeStartOrEnd())) {
      // Says something about the pointer and does nothing with it.
    } else if (auto *CB = dyn_cast<CallBase>(I); CB && CB->isCallee(&U)) {
      N.Called = true;
    } else {
      N.Escapes = true;
    }
  }

  void visitAtomic(Use &U, AtomicRMWInst &A, PathNode &N,
                   const PathPosition &P) {
    if (U.getOperandNo() != AtomicRMWInst::getPointerOperandIndex()) {
      N.Escapes = true;
      return;
    }
    access(&A, A.getPointerOperand(),
           DL.getTypeStoreSize(A.getValOperand()->getType()), N, P,
           /*Writes=*/true);
    if (A.getType()->isPointerTy())
      visitPointer(A, N, P,
                   access(&A, A.getPointerOperand(), sizeof(void *), N, P,
                          /*Writes=*/false));
  }

  /// Moves \p P to where \p G leads.
  void follow(const GetElementPtrInst &G, PathPosition &P) {
    if (G.getType()->isVectorTy())
      return P.moveBy(0, 1);
    Type *Aggregate = nullptr; // the first index has none
    for (auto It = gep_type_begin(G), End = gep_type_end(G); It != End; ++It) {
      if (StructType *S = It.getStructTypeOrNull()) {
        auto Field = cast<ConstantInt>(It.getOperand())->getZExtValue();
        P.Where.Offset += static_cast<int64_t>(
            DL.getStructLayout(S)->getElementOffset(unsigned(Field)));
      } else {
        auto *Array = dyn_cast_or_null<ArrayType>(Aggregate);
        if (Array)
          P.enterArray(Array, DL);
        followIndex(It.getOperand(),
                    It.getSequentialElementStride(DL).getKnownMinValue(), Array,
                    P);
      }
      Aggregate = It.getIndexedType();
    }
    // An array's name is a pointer to its first element.
    if (auto *A = dyn_cast_or_null<ArrayType>(Aggregate))
      P.enterArray(A, DL);
  }

  /// The same for one index of elements of \p Size bytes: of \p Array, or of a
  /// pointer if that is null.
  void followIndex(Value *Index, uint64_t Size, ArrayType *Array,
                   PathPosition &P) {
    if (!SE.isSCEVable(Index->getType()))
      return P.moveBy(0, 1);
    auto [First, Step] = indexResidue(Index, SE);
    const auto FirstByte = First * static_cast<int64_t>(Size);
    if (Step == 0) {
      if (Array)
        P.Where.Offset += FirstByte;
      else
        P.moveByConstant(FirstByte);
      return;
    }
    if (!Array || Array->getNumElements() == 0 || Size == 0)
      return P.moveBy(FirstByte, Step * Size);
    PathArray Whole{P.Where, DL.getTypeAllocSize(Array)};
    P.Where.Offset += FirstByte;
    Whole.addIndex(P.Where, Step * Size);
  }

  void visitPtrToInt(Instruction *I, PathNode &N, const PathPosition &P) {
    for (User *UU : I->users()) {
      auto *B = dyn_cast<BinaryOperator>(UU);
      if (isa<ICmpInst>(UU) || (B && B->getOpcode() == Instruction::Sub))
        noteComparison(*cast<Instruction>(UU), N, P);
      else
        N.Escapes = true;
    }
  }

  /// Notes that \p I compares a pointer of \p N, which was loaded as P.Base.
  void noteComparison(Instruction &I, PathNode &N, const PathPosition &P) {
    N.Comparisons.insert(Numbers.try_emplace(&I, Numbers.size()).first->second);
    const auto *Load = dyn_cast<LoadInst>(P.Base);
    if (!Load)
      return;
    auto &Others = Compared[&I];
    if (is_contained(Others, std::pair(Load, &N)))
      return;
    for (auto [OtherLoad, Other] : Others) {
      if (OtherLoad == Load || Parents.lookup(Other) != Parents.lookup(&N))
        continue;
      const auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(
          SE.getSCEV(const_cast<Value *>(OtherLoad->getPointerOperand())),
          SE.getSCEV(const_cast<Value *>(Load->getPointerOperand()))));
      if (!Distance)
        continue;
      int64_t Bytes = Distance->getAPInt().getSExtValue();
      N.ComparedAt.insert(Bytes);
      Other->ComparedAt.insert(-Bytes);
    }
    Others.push_back({Load, &N});
  }

  static uint64_t constantLength(const MemIntrinsic &M) {
    const auto *C = dyn_cast<ConstantInt>(M.getLength());
    return C ? C->getZExtValue() : 1;
  }

  /// The address \p Pointer in terms of the node's object.
  std::optional<PathAddress> address(Value *Pointer, const PathPosition &P) {
    if (P.Where.constant()) {
      PathAddress A;
      A.Const = P.Where.Offset;
      return A;
    }
    if (!SE.isSCEVable(Pointer->getType()))
      return std::nullopt;
    const SCEV *S = SE.getMinusSCEV(SE.getSCEV(Pointer), SE.getSCEV(P.Base));
    if (isa<SCEVCouldNotCompute>(S))
      return std::nullopt;
    PathAddress A;
    A.Const = P.BaseOffset;
    A.add(S, 1);
    return A;
  }

  std::optional<PathAddress> access(Instruction *I, Value *Pointer,
                                    uint64_t Size, PathNode &N,
                                    const PathPosition &P, bool Writes) {
    std::optional<PathAddress> A = address(Pointer, P);
    if (!P.IsCopy) {
      (Writes ? N.Written : N.Read) = true;
      N.PointersStored |= Writes && storesPointer(*I);
      noteShift(N, A);
      if (Parents.contains(&N))
        noteRange(*I, Pointer, Size, N, P);
      if (Certain && !isHoisted(*I))
        noteCertain(*I, Pointer, Size, N, P);
    } else {
      N.Read = true;
    }
    if (A && A->Stride == 0)
      N.accessed(A->Const, Size);
    return A;
  }

  /// Adds to what is accessed through the pointer to \p N.
  void noteRange(Instruction &I, Value *Pointer, uint64_t Size, PathNode &N,
                 const PathPosition &P) {
    auto [It, New] = Accessed.try_emplace(&N);
    if (!New && !It->second)
      return;
    const bool Fixed = P.Where.constant();
    std::optional<AccessRanges::Bounds> B =
        Fixed ? Ranges.accessAt(I, P.Where.Offset, Size)
              : Ranges.access(I, Pointer, P.Base, Size);
    if (B && !Fixed)
      B = Ranges.shifted(*B, P.BaseOffset);
    It->second = B && !New ? Ranges.united(*It->second, *B) : B;
  }

  /// Adds to what is surely accessed through the pointer to \p N.
  void noteCertain(Instruction &I, Value *Pointer, uint64_t Size, PathNode &N,
                   const PathPosition &P) {
    auto Of = InitialElements.find(P.Base);
    const bool IsElement = Of != InitialElements.end();
    if (!IsElement && !Initial.contains(P.Base))
      return;
    AccessRanges &Sums = Certain->Ranges;
    for (AccessRanges::CertainBounds B : Sums.certain(
             I, Pointer, P.Base, Size,
             IsElement ? std::optional(Of->second.Word) : std::nullopt)) {
      B.Accessed = Sums.shifted(B.Accessed, P.BaseOffset);
      if (IsElement)
        B.Word = Sums.shifted({*B.Word, *B.Word}, Of->second.TableOffset).First;
      auto [It, New] = Sure.try_emplace(
          {&N, B.Guard, B.Word.value_or(UINT32_MAX)}, SureAccess{B, &I, Size});
      if (!New)
        It->second.Bounds.Accessed =
            Sums.united(It->second.Bounds.Accessed, B.Accessed);
    }
  }

  /// Gives the nodes what is surely accessed.
  void keepCertain() {
    constexpr size_t MaxCertain = 8;
    for (const auto &[Key, S] : Sure) {
      PathNode &N = *std::get<PathNode *>(Key);
      std::optional<AccessRange> R = Certain->Ranges.range(S.Bounds), Word;
      if (S.Bounds.Word)
        Word = Certain->Ranges.range(
            AccessRanges::Bounds{*S.Bounds.Word, *S.Bounds.Word});
      if (!R || S.Bounds.Word.has_value() != Word.has_value() || N.Cyclic ||
          N.Certain.size() == MaxCertain)
        continue;
      CertainAccess &A = N.Certain.emplace_back();
      A.Range = std::move(*R);
      A.Word = std::move(Word);
      A.Size = S.Size;
      if (const DebugLoc &Where = S.First->getDebugLoc()) {
        A.Line = Where.getLine();
        A.File = cast<DIScope>(Where.getScope())->getFilename().str();
      }
    }
  }

  /// Notes \p L, at \p A of an object, if it surely loads what the launch finds
  /// there.
  void noteInitial(LoadInst &L, const std::optional<PathAddress> &A,
                   const PathPosition &P) {
    if (!Certain || !Initial.contains(P.Base) || P.IsCopy || !A ||
        !L.isSimple() || (mayBeChanged(L) && Certain->WritesPointers))
      return;
    if (A->Stride)
      InitialElements[&L] = {{L.getPointerOperand(), P.Base}, P.BaseOffset};
    else if (isAt(L, *A, P))
      Initial.insert(&L);
  }

  /// Whether \p L surely loads from \p A: one of several members is none of
  /// them for sure.
  bool isAt(const LoadInst &L, const PathAddress &A, const PathPosition &P) {
    const auto *Distance = dyn_cast<SCEVConstant>(
        SE.getMinusSCEV(SE.getSCEV(const_cast<Value *>(L.getPointerOperand())),
                        SE.getSCEV(P.Base)));
    return Distance &&
           Distance->getAPInt().getSExtValue() + P.BaseOffset == A.Const;
  }

  static void noteRead(PathNode &N, const std::optional<PathAddress> &A,
                       uint64_t Size) {
    if (A && A->Stride == 0)
      N.Reads.insert({A->Const, Size});
    else
      N.ReadsElsewhere = true;
  }

  static void noteShift(PathNode &N, const std::optional<PathAddress> &A) {
    bool OneSided =
        A && ((A->Const > 0 && !A->Down) || (A->Const < 0 && !A->Up));
    N.noteShift(OneSided ? A->Const : 0);
  }

  PathNode &child(PathNode &N, const std::optional<PathAddress> &A,
                  const PathPosition &P) {
    PathNode &C = A && A->Stride == 0 ? N.member(A->Const) : N.element(P.Where);
    Parents[&C] = &N;
    return C;
  }

  /// \p V is the pointer that was read at \p A of the object.
  void visitPointer(Instruction &V, PathNode &N, const PathPosition &P,
                    const std::optional<PathAddress> &A) {
    if (depth(&N) >= MaxDepth) {
      N.Escapes = true;
      return;
    }
    visit(&V, child(N, A, P), PathPosition::atBegin(V));
  }

  void visitLoad(LoadInst &L, PathNode &N, const PathPosition &P) {
    uint64_t Size = DL.getTypeStoreSize(L.getType());
    std::optional<PathAddress> A =
        access(&L, L.getPointerOperand(), Size, N, P, false);
    noteRead(N, A, Size);
    N.Changeable |= mayBeChanged(L);
    if (L.getType()->isPointerTy()) {
      noteInitial(L, A, P);
      visitPointer(L, N, P, A);
      return;
    }
    if (Size < sizeof(void *) || L.getType()->isFloatingPointTy())
      return;
    // Integers (and aggregates) that cover a pointer: followed through a plain
    // conversion, otherwise noted.
    bool Plain = L.getType()->isIntegerTy(64);
    for (User *U : L.users()) {
      auto *ToPtr = dyn_cast<IntToPtrInst>(U);
      if (Plain && ToPtr)
        visit(ToPtr, child(N, A, P), PathPosition::atBegin(*ToPtr));
      else
        Plain = false;
    }
    if (Plain)
      return;
    if (A && A->Stride == 0)
      N.IntegerReads.push_back({A->Const, Size});
    else
      noteIntegerReads(N, P.Where, Size);
  }

  /// Notes each word that a read of \p Size bytes may cover.
  static void noteIntegerReads(PathNode &N, const PathPlace &Where,
                               uint64_t Size) {
    constexpr uint64_t MaxWords = 64;
    if (!Where.bounded()) {
      N.IntegerReads.push_back({0, UINT64_MAX});
    } else if (Where.combinations() <= MaxWords) {
      Where.forEach(
          [&](int64_t Offset) { N.IntegerReads.push_back({Offset, Size}); });
    } else {
      for (const PathIndex &I : Where.Indices)
        Size += (I.Count - 1) * I.Stride;
      N.IntegerReads.push_back({Where.Offset, Size});
    }
  }

  /// \p U is the source or the destination of a copy.
  void visitCopy(Use &U, MemTransferInst &M, PathNode &N,
                 const PathPosition &P) {
    uint64_t Length = constantLength(M);
    bool IsDest = &U == &M.getRawDestUse();
    std::optional<PathAddress> A = access(
        &M, IsDest ? M.getRawDest() : M.getRawSource(), Length, N, P, IsDest);
    if (IsDest)
      return;
    // The copy on the kernel's stack is an alias of the object.
    APInt DestOffset(64, 0);
    Value *Dest = M.getRawDest()->stripAndAccumulateConstantOffsets(
        DL, DestOffset, /*AllowNonInbounds=*/true);
    if (P.Where.constant() && isa<AllocaInst>(Dest)) {
      int64_t At = P.Where.Offset - DestOffset.getSExtValue();
      visit(Dest, N, {{At, {}}, Dest, At, true, {}});
    } else {
      noteRead(N, A, Length);
      N.Escapes = true;
    }
  }
};

} // namespace

void walkPaths(Value &Argument, PathNode &Root, const DataLayout &DL,
               ScalarEvolution &SE, AccessRanges &Ranges,
               CertainRanges *Certain, ComparisonNumbers &Numbers) {
  Walker(DL, SE, Ranges, Certain, Numbers).run(&Argument, Root);
}

bool writesPointers(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    if (const auto *S = dyn_cast<StoreInst>(&I);
        S && isa<AllocaInst>(getUnderlyingObject(S->getPointerOperand())))
      return false;
    if (const auto *M = dyn_cast<MemIntrinsic>(&I))
      return !isa<AllocaInst>(getUnderlyingObject(M->getRawDest()));
    return storesPointer(I);
  });
}

} // namespace ferry
