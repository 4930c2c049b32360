//===- AccessPaths.cpp - Which pointers does a kernel use? ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before, the host version of a kernel (calls, closures on the stack):
//
//   define internal void @__omp_offloading_..._l3(ptr %f) {
//     call void @__kmpc_fork_teams(ptr @0, i32 1, ptr @outlined, ptr %f)
//
// The clone that is walked, inlined and simplified:
//
//   define void @__omp_offloading_..._l3(ptr %f) {
//     %data = load ptr, ptr %f            ; a member at +0
//     %p = getelementptr double, ptr %data, i64 %i
//     store double 0.0, ptr %p            ; ... that is written through
//
// Result:
//
//   argument 0:
//     [+0] written
//
// What cannot be followed makes a pointer "escape", which is always safe to
// say: a call of code outside the module, a pointer stored to memory, integer
// arithmetic other than differences and comparisons.
//
// InstCombine is not run: it turns copies of pointers into copies of integers.
//
//===----------------------------------------------------------------------===//

#include "AccessPaths.h"
#include "AccessRanges.h"
#include "LaunchSite.h"
#include "WorkSharing.h"
#include "ferry/OffloadABI.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <numeric>

using namespace llvm;

namespace ferry {

//===----------------------------------------------------------------------===//
// PathNode
//===----------------------------------------------------------------------===//

PathNode &PathNode::member(int64_t Offset) {
  auto &P = Members[Offset];
  if (!P)
    P = std::make_unique<PathNode>();
  return *P;
}

PathNode &PathNode::element(uint64_t Stride, uint64_t Offset) {
  auto &P = Elements[{Stride, Offset}];
  if (!P)
    P = std::make_unique<PathNode>();
  return *P;
}

void PathNode::accessed(std::optional<int64_t> Offset, uint64_t Size) {
  if (!Offset)
    return;
  Begin = std::min(Begin, *Offset);
  End = std::max(End, *Offset + static_cast<int64_t>(Size));
}

void PathNode::print(raw_ostream &OS, unsigned Indent, bool Ranges) const {
  ListSeparator LS;
  for (auto [Is, Word] : {std::pair{Read, "read"},
                          {Written, "written"},
                          {Escapes, "escapes"},
                          {Cyclic, "cyclic"},
                          {Called, "called"},
                          {!Comparisons.empty(), "compared"}})
    if (Is)
      OS << LS << Word;
  if (Shift && *Shift)
    OS << LS << "from " << *Shift;
  if (Ranges && Range && !(Range->constantFirst() && Range->constantLast())) {
    OS << LS << "bytes ";
    Range->print(OS);
  }
  OS << "\n";
  for (const auto &[Offset, Node] : Members) {
    OS.indent(Indent) << "[" << (Offset < 0 ? "" : "+") << Offset << "] ";
    Node->print(OS, Indent + 2, Ranges);
  }
  for (const auto &[Where, Node] : Elements) {
    OS.indent(Indent) << "[+" << Where.second << " + i * " << Where.first;
    if (Node->First > INT64_MIN)
      OS << " in " << Node->First << ".." << Node->Last;
    OS << "] ";
    Node->print(OS, Indent + 2, Ranges);
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {

/// An address relative to a base: Const + the sum of unknown multiples.
struct Address {
  int64_t Const = 0;
  uint64_t Stride = 0; ///< 0: the address is Const exactly
  bool Up = false;     ///< some term may add
  bool Down = false;   ///< some term may subtract

  void addTerm(const SCEV *S, int64_t Factor) {
    if (const auto *C = dyn_cast<SCEVConstant>(S)) {
      Factor *= C->getAPInt().getSExtValue();
    } else if (const auto *M = dyn_cast<SCEVMulExpr>(S)) {
      if (const auto *C = dyn_cast<SCEVConstant>(M->getOperand(0)))
        Factor *= C->getAPInt().getSExtValue();
    }
    if (Factor == 0)
      return;
    Stride = std::gcd(Stride, static_cast<uint64_t>(std::abs(Factor)));
    (Factor > 0 ? Up : Down) = true;
  }

  void add(const SCEV *S, int64_t Factor) {
    if (const auto *C = dyn_cast<SCEVConstant>(S)) {
      Const += Factor * C->getAPInt().getSExtValue();
    } else if (const auto *A = dyn_cast<SCEVAddExpr>(S)) {
      for (const SCEV *Op : A->operands())
        add(Op, Factor);
    } else if (const auto *R = dyn_cast<SCEVAddRecExpr>(S)) {
      add(R->getStart(), Factor);
      for (const SCEV *Op : drop_begin(R->operands()))
        addTerm(Op, Factor);
    } else if (const auto *Cast = dyn_cast<SCEVCastExpr>(S)) {
      add(Cast->getOperand(), Factor);
    } else if (const auto *M = dyn_cast<SCEVMulExpr>(S);
               M && M->getNumOperands() == 2 &&
               isa<SCEVConstant>(M->getOperand(0))) {
      add(M->getOperand(1),
          Factor *
              cast<SCEVConstant>(M->getOperand(0))->getAPInt().getSExtValue());
    } else {
      addTerm(S, Factor);
    }
  }
};

/// Where the walk stands: \p Offset bytes behind the start of a node's object,
/// if that is known. \p Base is a value at \p BaseOffset of the object.
struct Position {
  std::optional<int64_t> Offset;
  Value *Base;
  int64_t BaseOffset;
  bool IsCopy; ///< in a copy of the object on the kernel's own stack
  /// Where Offset is not known: the array of the object in which it lies.
  std::optional<std::pair<int64_t, int64_t>> Within = std::nullopt;

  Position at(std::optional<int64_t> NewOffset) const {
    Position P = *this;
    P.Offset = NewOffset;
    return P;
  }
};

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

class Walker {
public:
  Walker(const DataLayout &DL, ScalarEvolution &SE, AccessRanges &Ranges)
      : DL(DL), SE(SE), Ranges(Ranges) {}

  void run(Value *Argument, PathNode &Root) {
    visit(Argument, Root, {0, Argument, 0, false});
    if (Steps > MaxSteps) {
      Root.Escapes = true;
      return;
    }
    for (const auto &[N, Bounds] : Accessed)
      if (Bounds && !N->Escapes && !N->Cyclic)
        N->Range = Ranges.range(*Bounds);
  }

private:
  /// More than any kernel seen; a bound for generated code.
  static constexpr unsigned MaxSteps = 200000;
  static constexpr unsigned MaxDepth = 24;

  const DataLayout &DL;
  ScalarEvolution &SE;
  AccessRanges &Ranges;
  unsigned Steps = 0;
  DenseMap<const PathNode *, PathNode *> Parents;
  /// What is accessed through the pointers; nullopt: it has no known bounds.
  DenseMap<PathNode *, std::optional<AccessRanges::Bounds>> Accessed;
  /// Offset with which a value was reached for a node; nullopt: several.
  DenseMap<std::pair<const Value *, const PathNode *>, std::optional<int64_t>>
      Seen;

  unsigned depth(const PathNode *N) const {
    unsigned D = 0;
    for (; N; N = Parents.lookup(N))
      ++D;
    return D;
  }

  void visit(Value *V, PathNode &N, Position P) {
    if (++Steps > MaxSteps)
      return;
    auto [It, New] = Seen.try_emplace({V, &N}, P.Offset);
    if (!New) {
      // A pointer that moves through a loop: its offset is not a constant.
      if (!It->second || It->second == P.Offset)
        return;
      It->second = std::nullopt;
      P.Offset = std::nullopt;
    }
    // The same value for an object and for one that was reached through it.
    if (isa<PHINode>(V))
      for (PathNode *A = Parents.lookup(&N); A; A = Parents.lookup(A))
        if (Seen.contains({V, A})) {
          A->Cyclic = true;
          return;
        }
    SmallVector<Use *> Uses;
    for (Use &U : V->uses())
      Uses.push_back(&U);
    for (Use *U : Uses)
      visitUse(*U, N, P);
  }

  void visitUse(Use &U, PathNode &N, const Position &P) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I) {
      N.Escapes = true;
      return;
    }
    if (auto *G = dyn_cast<GetElementPtrInst>(I)) {
      APInt Delta(64, 0);
      if (P.Offset && G->accumulateConstantOffset(DL, Delta)) {
        visit(G, N, P.at(*P.Offset + Delta.getSExtValue()));
      } else {
        Position Inside = P.at(std::nullopt);
        if (P.Offset)
          Inside.Within = indexedArray(*G, *P.Offset);
        visit(G, N, Inside);
      }
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
      if (U.getOperandNo() == AtomicRMWInst::getPointerOperandIndex())
        access(A, A->getPointerOperand(),
               DL.getTypeStoreSize(A->getValOperand()->getType()), N, P, true);
      else
        N.Escapes = true;
      if (A->getType()->isPointerTy() &&
          U.getOperandNo() == AtomicRMWInst::getPointerOperandIndex())
        visitPointer(*A, N, P,
                     access(A, A->getPointerOperand(), sizeof(void *), N, P,
                            /*Writes=*/false));
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
        N.Comparisons.insert(I);
    } else if (isa<PtrToIntInst>(I)) {
      visitPtrToInt(I, N);
    } else if (auto *M = dyn_cast<MemTransferInst>(I)) {
      visitCopy(U, *M, N, P);
    } else if (auto *M = dyn_cast<MemSetInst>(I)) {
      access(M, M->getRawDest(), constantLength(*M), N, P, true);
    } else if (auto *II = dyn_cast<IntrinsicInst>(I);
               II && II->getType()->isPointerTy() &&
               (II->getIntrinsicID() == Intrinsic::ptr_annotation ||
                II->getIntrinsicID() == Intrinsic::launder_invariant_group ||
                II->getIntrinsicID() == Intrinsic::strip_invariant_group)) {
      // The same pointer, which the analysis of addresses does not see through.
      Position Alias = P;
      if (P.Offset) {
        Alias.Base = II;
        Alias.BaseOffset = *P.Offset;
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

  /// The bytes of the array that \p G indexes by a variable, with \p Offset the
  /// place of its operand; nothing if it is not an array of known length.
  std::optional<std::pair<int64_t, int64_t>>
  indexedArray(const GetElementPtrInst &G, int64_t Offset) const {
    SmallVector<Value *> Indices;
    for (auto It = gep_type_begin(G), End = gep_type_end(G); It != End; ++It) {
      auto *Index = It.getOperand();
      if (isa<ConstantInt>(Index)) {
        Indices.push_back(Index);
        continue;
      }
      if (Indices.empty() || It.getStructTypeOrNull())
        return std::nullopt;
      Type *Array = GetElementPtrInst::getIndexedType(
          G.getSourceElementType(), ArrayRef<Value *>(Indices));
      if (!isa_and_nonnull<ArrayType>(Array))
        return std::nullopt;
      int64_t First =
          Offset + DL.getIndexedOffsetInType(G.getSourceElementType(), Indices);
      return std::pair{
          First, First + static_cast<int64_t>(DL.getTypeAllocSize(Array))};
    }
    return std::nullopt;
  }

  void visitPtrToInt(Instruction *I, PathNode &N) {
    for (User *UU : I->users()) {
      auto *B = dyn_cast<BinaryOperator>(UU);
      if (isa<ICmpInst>(UU) || (B && B->getOpcode() == Instruction::Sub))
        N.Comparisons.insert(UU);
      else
        N.Escapes = true;
    }
  }

  static uint64_t constantLength(const MemIntrinsic &M) {
    const auto *C = dyn_cast<ConstantInt>(M.getLength());
    return C ? C->getZExtValue() : 1;
  }

  /// The address \p Pointer in terms of the node's object.
  std::optional<Address> address(Value *Pointer, const Position &P) {
    if (P.Offset) {
      Address A;
      A.Const = *P.Offset;
      return A;
    }
    if (!SE.isSCEVable(Pointer->getType()))
      return std::nullopt;
    const SCEV *S = SE.getMinusSCEV(SE.getSCEV(Pointer), SE.getSCEV(P.Base));
    if (isa<SCEVCouldNotCompute>(S))
      return std::nullopt;
    Address A;
    A.Const = P.BaseOffset;
    A.add(S, 1);
    return A;
  }

  std::optional<Address> access(Instruction *I, Value *Pointer, uint64_t Size,
                                PathNode &N, const Position &P, bool Writes) {
    std::optional<Address> A = address(Pointer, P);
    if (!P.IsCopy) {
      (Writes ? N.Written : N.Read) = true;
      noteShift(N, A);
      if (Parents.contains(&N))
        noteRange(*I, Pointer, Size, N, P);
    } else {
      N.Read = true;
    }
    if (A && A->Stride == 0)
      N.accessed(A->Const, Size);
    return A;
  }

  /// Adds to what is accessed through the pointer to \p N.
  void noteRange(Instruction &I, Value *Pointer, uint64_t Size, PathNode &N,
                 const Position &P) {
    auto [It, New] = Accessed.try_emplace(&N);
    if (!New && !It->second)
      return;
    std::optional<AccessRanges::Bounds> B =
        P.Offset ? Ranges.accessAt(I, *P.Offset, Size)
                 : Ranges.access(I, Pointer, P.Base, Size);
    if (B && !P.Offset)
      B = Ranges.shifted(*B, P.BaseOffset);
    It->second = B && !New ? Ranges.united(*It->second, *B) : B;
  }

  /// Keeps in N.Shift the access nearest to the pointer, on the side where all
  /// of them lie.
  static void noteShift(PathNode &N, const std::optional<Address> &A) {
    int64_t S = 0;
    if (A && ((A->Const > 0 && !A->Down) || (A->Const < 0 && !A->Up)))
      S = A->Const;
    if (!N.Shift)
      N.Shift = S;
    else if (*N.Shift > 0 && S > 0)
      N.Shift = std::min(*N.Shift, S);
    else if (*N.Shift < 0 && S < 0)
      N.Shift = std::max(*N.Shift, S);
    else
      N.Shift = 0;
  }

  PathNode &child(PathNode &N, const std::optional<Address> &A,
                  const Position &P) {
    PathNode *C;
    if (A && A->Stride == 0) {
      C = &N.member(A->Const);
    } else {
      // Words at unknown places are pointers at multiples of a word at least.
      uint64_t Stride = A ? A->Stride : sizeof(void *);
      uint64_t Offset = A ? static_cast<uint64_t>(
                                A->Const - alignDownSigned(A->Const, Stride))
                          : 0;
      C = &N.element(Stride, Offset);
      auto [First, Last] = P.Within.value_or(std::pair{INT64_MIN, INT64_MAX});
      C->First = std::min(C->First, First);
      C->Last = std::max(C->Last, Last);
    }
    Parents[C] = &N;
    return *C;
  }

  static int64_t alignDownSigned(int64_t V, uint64_t Stride) {
    auto S = static_cast<int64_t>(Stride);
    int64_t Q = V / S;
    return (V % S < 0 ? Q - 1 : Q) * S;
  }

  /// \p V is the pointer that was read at \p A of the object.
  void visitPointer(Instruction &V, PathNode &N, const Position &P,
                    const std::optional<Address> &A) {
    if (depth(&N) >= MaxDepth) {
      N.Escapes = true;
      return;
    }
    visit(&V, child(N, A, P), {0, &V, 0, false});
  }

  void visitLoad(LoadInst &L, PathNode &N, const Position &P) {
    uint64_t Size = DL.getTypeStoreSize(L.getType());
    std::optional<Address> A =
        access(&L, L.getPointerOperand(), Size, N, P, false);
    if (L.getType()->isPointerTy()) {
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
        visit(ToPtr, child(N, A, P), {0, ToPtr, 0, false});
      else
        Plain = false;
    }
    if (Plain)
      return;
    if (A && A->Stride == 0)
      N.IntegerReads.push_back({A->Const, Size});
    else if (P.Within)
      N.IntegerReads.push_back(
          {P.Within->first,
           static_cast<uint64_t>(P.Within->second - P.Within->first)});
    else
      N.IntegerReads.push_back({0, UINT64_MAX});
  }

  /// \p U is the source or the destination of a copy.
  void visitCopy(Use &U, MemTransferInst &M, PathNode &N, const Position &P) {
    uint64_t Length = constantLength(M);
    bool IsDest = &U == &M.getRawDestUse();
    access(&M, IsDest ? M.getRawDest() : M.getRawSource(), Length, N, P,
           IsDest);
    if (IsDest)
      return;
    // The copy on the kernel's stack is an alias of the object.
    APInt DestOffset(64, 0);
    Value *Dest = M.getRawDest()->stripAndAccumulateConstantOffsets(
        DL, DestOffset, /*AllowNonInbounds=*/true);
    if (P.Offset && isa<AllocaInst>(Dest)) {
      int64_t At = *P.Offset - DestOffset.getSExtValue();
      visit(Dest, N, {At, Dest, At, true});
    } else {
      N.Escapes = true;
    }
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The clone
//===----------------------------------------------------------------------===//

/// Everything in the module that \p Kernels may execute.
static SmallPtrSet<const Function *, 32>
reachableFrom(ArrayRef<const Function *> Kernels) {
  SmallPtrSet<const Function *, 32> Reached;
  SmallVector<const Function *> Worklist(Kernels);
  while (!Worklist.empty()) {
    const Function *F = Worklist.pop_back_val();
    if (!Reached.insert(F).second)
      continue;
    for (const Instruction &I : instructions(F))
      for (const Value *Op : I.operands())
        if (const auto *G =
                dyn_cast<Function>(Op->stripPointerCastsAndAliases()))
          if (!G->isDeclaration())
            Worklist.push_back(G);
  }
  return Reached;
}

/// Number of the operand that is the outlined function, and of the first that
/// it is given, in calls of libomp's fork functions (kmp.h).
static std::optional<std::pair<unsigned, unsigned>>
forkOperands(StringRef Callee) {
  if (Callee == "__kmpc_fork_call" || Callee == "__kmpc_fork_teams")
    return std::pair{2u, 3u};
  if (Callee == "__kmpc_fork_call_if")
    return std::pair{2u, 4u};
  return std::nullopt;
}

/// Turns forks in \p F into direct calls of the outlined functions.
static void callOutlined(Function &F) {
  SmallVector<CallBase *> Calls;
  for (Instruction &I : instructions(F))
    if (auto *CB = dyn_cast<CallBase>(&I))
      if (CB->getCalledFunction())
        Calls.push_back(CB);
  for (CallBase *CB : Calls) {
    auto Operands = forkOperands(CB->getCalledFunction()->getName());
    if (!Operands || CB->arg_size() < Operands->second)
      continue;
    auto [FnAt, First] = *Operands;
    auto *Outlined =
        dyn_cast<Function>(CB->getArgOperand(FnAt)->stripPointerCasts());
    if (!Outlined || Outlined->isVarArg())
      continue;
    IRBuilder<> B(CB);
    // The thread numbers, by reference.
    Value *Id = B.CreateAlloca(B.getInt32Ty());
    SmallVector<Value *> Args{Id, Id};
    Args.append(CB->arg_begin() + First, CB->arg_end());
    FunctionType *Ty = Outlined->getFunctionType();
    if (Ty->getNumParams() != Args.size() ||
        !all_of(zip(Ty->params(), Args), [](auto Pair) {
          return std::get<0>(Pair) == std::get<1>(Pair)->getType();
        }))
      continue;
    B.CreateCall(Outlined, Args);
    if (auto *Invoke = dyn_cast<InvokeInst>(CB)) {
      B.CreateBr(Invoke->getNormalDest());
      Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
    }
    CB->eraseFromParent();
  }
}

static std::unique_ptr<Module>
cloneReachable(const Module &M, ArrayRef<const Function *> Kernels) {
  SmallPtrSet<const Function *, 32> Reached = reachableFrom(Kernels);
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Clone =
      CloneModule(M, Map, [&](const GlobalValue *G) {
        if (const auto *F = dyn_cast<Function>(G))
          return Reached.contains(F);
        const auto *V = dyn_cast<GlobalVariable>(G);
        return V && V->isConstant();
      });
  StripDebugInfo(*Clone);
  StringMap<bool> IsKernel;
  for (const Function *K : Kernels)
    IsKernel[K->getName()] = true;
  for (Function &F : *Clone) {
    if (F.isDeclaration())
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    if (IsKernel.contains(F.getName())) {
      F.removeFnAttr(Attribute::AlwaysInline);
    } else {
      F.addFnAttr(Attribute::AlwaysInline);
      F.setComdat(nullptr);
      F.setLinkage(GlobalValue::InternalLinkage);
    }
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I))
        CB->removeFnAttr(Attribute::NoInline);
    callOutlined(F);
    makeLoopsSerial(F);
  }
  return Clone;
}

/// Takes away the ranges below \p N that depend on a word that the kernel may
/// write.
static void dropUnstableRanges(const KernelPaths &Paths, PathNode &N) {
  auto Stable = [&](const RangeTerm &T) {
    if (T.Kind != RangeTerm::Word)
      return true;
    const PathNode *Object = &Paths[static_cast<size_t>(T.Value)];
    for (int64_t Offset : drop_end(T.Path)) {
      auto It = Object->Members.find(Offset);
      if (It == Object->Members.end())
        return false;
      Object = It->second.get();
    }
    return !Object->Written && !Object->Escapes;
  };
  if (N.Range && !all_of(N.Range->Terms, Stable))
    N.Range = std::nullopt;
  for (auto &[Offset, Inner] : N.Members)
    dropUnstableRanges(Paths, *Inner);
  for (auto &[Where, Inner] : N.Elements)
    dropUnstableRanges(Paths, *Inner);
}

AccessPaths AccessPaths::analyse(const Module &M,
                                 ArrayRef<const Function *> Kernels) {
  AccessPaths Result;
  if (Kernels.empty())
    return Result;
  std::unique_ptr<Module> Clone = cloneReachable(M, Kernels);

  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);

  // Small functions inline faster than what Clang emits.
  FunctionPassManager Promote;
  Promote.addPass(SROAPass(SROAOptions::PreserveCFG));
  Promote.addPass(EarlyCSEPass());
  ModulePassManager Inline;
  Inline.addPass(createModuleToFunctionPassAdaptor(std::move(Promote)));
  Inline.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  Inline.run(*Clone, MAM);
  FunctionPassManager Simplify;
  Simplify.addPass(SROAPass(SROAOptions::ModifyCFG));
  Simplify.addPass(EarlyCSEPass());
  Simplify.addPass(SimplifyCFGPass());
  Simplify.addPass(InstSimplifyPass());
  Simplify.addPass(ADCEPass());

  for (const Function *K : Kernels) {
    Function *F = Clone->getFunction(K->getName());
    Simplify.run(*F, FAM);
    simplifyForRanges(*F);
    FAM.invalidate(*F, PreservedAnalyses::none());
    KernelPaths Paths(F->arg_size());
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(*F);
    AccessRanges Ranges(SE, FAM.getResult<LoopAnalysis>(*F),
                        FAM.getResult<DominatorTreeAnalysis>(*F));
    for (auto [Argument, Root] : zip_equal(F->args(), Paths))
      if (Argument.getType()->isPointerTy())
        Walker(Clone->getDataLayout(), SE, Ranges).run(&Argument, Root);
    for (PathNode &Root : Paths)
      dropUnstableRanges(Paths, Root);
    FAM.clear(*F, F->getName());
    // The comparisons were values of the clone: they stay distinct keys.
    Result.Paths.emplace(K->getName().str(), std::move(Paths));
  }
  return Result;
}

const KernelPaths *AccessPaths::find(StringRef Kernel) const {
  auto It = Paths.find(Kernel);
  return It == Paths.end() ? nullptr : &It->second;
}

void AccessPaths::print(raw_ostream &OS) const {
  for (const auto &[Name, Arguments] : Paths) {
    OS << "access paths of " << Name << ":\n";
    for (const auto &[I, Root] : enumerate(Arguments)) {
      if (!Root.used())
        continue;
      OS << "  argument " << I << ": ";
      Root.print(OS, 4, /*Ranges=*/true);
    }
  }
}

bool AccessPaths::invalidate(Module &, const PreservedAnalyses &PA,
                             ModuleAnalysisManager::Invalidator &) {
  auto Checker = PA.getChecker<AccessPathsAnalysis>();
  return !Checker.preserved() && !Checker.preservedSet<AllAnalysesOn<Module>>();
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

AnalysisKey AccessPathsAnalysis::Key;

AccessPaths AccessPathsAnalysis::run(Module &M, ModuleAnalysisManager &) {
  SetVector<const Function *> Kernels;
  for (const CallBase *Call : findLaunches(M)) {
    const Function *K = M.getFunction(launchedKernel(*Call));
    if (K && !K->isDeclaration())
      Kernels.insert(K);
  }
  return AccessPaths::analyse(M, Kernels.getArrayRef());
}

PreservedAnalyses AccessPathsPrinterPass::run(Module &M,
                                              ModuleAnalysisManager &AM) {
  AM.getResult<AccessPathsAnalysis>(M).print(OS);
  return PreservedAnalyses::all();
}

} // namespace ferry
