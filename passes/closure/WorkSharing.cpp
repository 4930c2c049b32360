//===- WorkSharing.cpp - A kernel as one thread executes it ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:                                     After:
//   store i32 0, ptr %lb                        store i32 0, ptr %lb
//   store i32 %last, ptr %ub                    store i32 %last, ptr %ub
//   call void @__kmpc_for_static_init_4(        %l = call i32 @ferry.some.i32()
//       ..., ptr %is_last, ptr %lb, ptr %ub,    store i32 %l, ptr %is_last
//       ptr %stride, ...)                       store i32 1, ptr %stride
// chunk:                                      chunk:
//   br i1 %more, label %body, label %exit       br i1 %more, label %body, ...
//   ...                                         ...
//   br label %chunk                             br label %exit
//
// In the loops that step by the stride themselves, as most do on a GPU, it is
// the 1 that makes them serial: the only thread's next iteration is the next.
//
// and, of collapsed loops,
//
//   %q = sdiv i64 %i, %n                        %q = sdiv i64 %i, %n
//   %m = mul i64 %q, %n                         %m = srem i64 %i, %n
//   %r = sub i64 %i, %m                         %r = freeze i64 %m
//
//===----------------------------------------------------------------------===//

#include "WorkSharing.h"
#include "ReadOrder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include <map>

using namespace llvm;

namespace ferry {

void keepInPlace(Function &Mark) {
  Mark.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  Mark.setDoesNotThrow();
  Mark.addFnAttr(Attribute::WillReturn);
}

//===----------------------------------------------------------------------===//
// Work sharing
//===----------------------------------------------------------------------===//

/// A value of type \p Ty of which nothing is known.
static CallInst *unknownValue(IRBuilder<> &B, Type *Ty) {
  Module &M = *B.GetInsertBlock()->getModule();
  std::string Name = ("ferry.some.i" + Twine(Ty->getIntegerBitWidth())).str();
  return B.CreateCall(M.getOrInsertFunction(Name, Ty));
}

/// The width of the loop variable, by the end of \p Name ("_4u", "_8").
static unsigned variableBits(StringRef Name) {
  Name.consume_back("u");
  return Name.ends_with("_8") ? 64 : 32;
}

/// Operands of the functions of libomp (kmp.h) that give a thread its part.
struct StaticInit {
  unsigned IsLast;
  unsigned Upper;
  unsigned Stride;
};

static std::optional<StaticInit> staticInit(StringRef Name) {
  if (Name.starts_with("__kmpc_for_static_init_") ||
      Name.starts_with("__kmpc_distribute_static_init_"))
    return StaticInit{3, 5, 6};
  if (Name.starts_with("__kmpc_dist_for_static_init_"))
    return StaticInit{3, 5, 7};
  return std::nullopt;
}

/// The blocks in which the variable at \p Pointer is read.
static SmallVector<BasicBlock *> readersOf(const Value *Pointer) {
  SmallVector<BasicBlock *> Blocks;
  SmallVector<const Value *> Worklist{Pointer->stripPointerCasts()};
  while (!Worklist.empty())
    for (const User *U : Worklist.pop_back_val()->users()) {
      if (const auto *Load = dyn_cast<LoadInst>(U))
        Blocks.push_back(const_cast<BasicBlock *>(Load->getParent()));
      else if (isa<CastInst>(U))
        Worklist.push_back(U);
    }
  return Blocks;
}

/// The edge by which \p L ends: the first condition in it.
static std::optional<Loop::Edge> endOf(const Loop &L,
                                       const DominatorTree &Dominators) {
  SmallVector<Loop::Edge> Exits;
  L.getExitEdges(Exits);
  for (const Loop::Edge &End : Exits)
    if (all_of(Exits, [&](const Loop::Edge &E) {
          return Dominators.dominates(End.first, E.first);
        }))
      return End;
  return std::nullopt;
}

/// Leaves \p L, whose rounds are chunks, after the first one.
static void endAfterFirstRound(const Loop &L, const Loop::Edge &End) {
  BasicBlock *Latch = L.getLoopLatch();
  if (Latch && !isa<PHINode>(End.second->front()) &&
      !isa<PHINode>(L.getHeader()->front()))
    Latch->getTerminator()->replaceSuccessorWith(L.getHeader(), End.second);
}

/// Makes i < count, in the loop variable's type \p Ty, of the condition by
/// which a loop ends at \p End: i <= last or i < last + 1 in 64 bits, to which
/// scalar evolution finds no count.
static void compareWithCount(const Loop::Edge &End, Type *Ty, bool Signed) {
  using namespace PatternMatch;
  auto *Branch = dyn_cast<BranchInst>(End.first->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(1) != End.second)
    return;
  auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  Value *Variable;
  if (!Compare ||
      !match(Compare->getOperand(0), m_ZExtOrSExtOrSelf(m_Value(Variable))) ||
      Variable->getType() != Ty)
    return;
  const ICmpInst::Predicate Predicate = Compare->getPredicate();
  Value *Last = Compare->getOperand(1);
  if (Predicate == ICmpInst::ICMP_ULT) {
    if (!match(Last, m_Add(m_Value(Last), m_One())))
      return;
  } else if (Predicate != ICmpInst::ICMP_ULE) {
    return;
  }
  IRBuilder<> B(Branch);
  Value *Count = B.CreateAdd(B.CreateTrunc(Last, Ty), ConstantInt::get(Ty, 1));
  Branch->setCondition(Signed ? B.CreateICmpSLT(Variable, Count)
                              : B.CreateICmpULT(Variable, Count));
}

/// Makes the first chunk that \p Init gives to a thread the whole loop, from
/// whose iterations it steps to the next.
static void serveStatic(CallInst &Init) {
  StringRef Name = Init.getCalledFunction()->getName();
  StaticInit At = *staticInit(Name);
  Value *Stride = Init.getArgOperand(At.Stride);
  SmallVector<BasicBlock *> Steps = readersOf(Stride);
  SmallVector<BasicBlock *> Ends = readersOf(Init.getArgOperand(At.Upper));
  IRBuilder<> B(&Init);
  IntegerType *Ty = B.getIntNTy(variableBits(Name));
  B.CreateStore(unknownValue(B, B.getInt32Ty()), Init.getArgOperand(At.IsLast));
  B.CreateStore(ConstantInt::get(Ty, 1), Stride);
  Function &F = *Init.getFunction();
  Init.eraseFromParent();

  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  const Loop *L = Steps.empty() ? nullptr : Loops.getLoopFor(Steps.front());
  std::optional<Loop::Edge> End = L ? endOf(*L, Dominators) : std::nullopt;
  if (!End)
    return;
  // Where a thread steps from one iteration to its next, the end of its chunk
  // does not matter.
  if (any_of(Ends, [L](BasicBlock *Block) { return L->contains(Block); }))
    endAfterFirstRound(*L, *End);
  else
    compareWithCount(*End, Ty, !Name.ends_with("u"));
}

/// Gives every chunk of a loop with a dynamic schedule all of its iterations.
static void serveDispatch(CallInst &Next, const CallInst &Init) {
  // __kmpc_dispatch_init(loc, thread, schedule, lower, upper, stride, chunk)
  // __kmpc_dispatch_next(loc, thread, is_last, lower, upper, stride)
  IRBuilder<> B(&Next);
  B.CreateStore(Init.getArgOperand(3), Next.getArgOperand(3));
  B.CreateStore(Init.getArgOperand(4), Next.getArgOperand(4));
  for (unsigned Out : {2u, 5u}) {
    Type *Ty = Out == 2 ? Next.getType() : Init.getArgOperand(3)->getType();
    B.CreateStore(unknownValue(B, Ty), Next.getArgOperand(Out));
  }
  Next.replaceAllUsesWith(unknownValue(B, Next.getType()));
  Next.eraseFromParent();
}

/// Marks the ends of the iterations of the loops whose bounds \p Inits give.
static void markIterations(Function &F, ArrayRef<CallInst *> Inits) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  SmallPtrSet<BasicBlock *, 4> Latches;
  for (CallInst *Init : Inits) {
    StaticInit At = *staticInit(Init->getCalledFunction()->getName());
    for (unsigned Operand : {At.Upper, At.Stride})
      for (BasicBlock *Block : readersOf(Init->getArgOperand(Operand)))
        if (const Loop *L = Loops.getLoopFor(Block))
          if (BasicBlock *Latch = L->getLoopLatch())
            Latches.insert(Latch);
  }
  FunctionCallee Next = F.getParent()->getOrInsertFunction(
      NextIterationFunction, Type::getVoidTy(F.getContext()));
  keepInPlace(*cast<Function>(Next.getCallee()));
  for (BasicBlock *Latch : Latches)
    CallInst::Create(Next, "", Latch->getTerminator()->getIterator());
}

void makeLoopsSerial(Function &F, bool Own) {
  SmallVector<CallInst *> Statics, Inits, Nexts;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !Callee->isDeclaration())
      continue;
    StringRef Name = Callee->getName();
    if (auto At = staticInit(Name); At && Call->arg_size() > At->Stride)
      Statics.push_back(Call);
    else if (Name.starts_with("__kmpc_dispatch_init_") && Call->arg_size() == 7)
      Inits.push_back(Call);
    else if (Name.starts_with("__kmpc_dispatch_next_") && Call->arg_size() == 6)
      Nexts.push_back(Call);
  }
  if (Own)
    markIterations(F, Statics);
  for (CallInst *Call : Statics)
    serveStatic(*Call);
  // A function with several loops: whose chunks they are is not clear.
  if (Inits.size() != 1)
    return;
  for (CallInst *Next : Nexts)
    serveDispatch(*Next, *Inits.front());
}

//===----------------------------------------------------------------------===//
// Captured words
//===----------------------------------------------------------------------===//

std::optional<CapturedWord> capturedWord(const LoadInst &Load) {
  constexpr unsigned MaxSteps = 8;
  const DataLayout &DL = Load.getModule()->getDataLayout();
  CapturedWord W{0, {}};
  for (const LoadInst *L = &Load; L;) {
    if (!L->isSimple() || W.Path.size() == MaxSteps)
      return std::nullopt;
    APInt Offset(64, 0);
    const Value *Base =
        L->getPointerOperand()->stripAndAccumulateConstantOffsets(
            DL, Offset, /*AllowNonInbounds=*/true,
            /*AllowInvariantGroup=*/true);
    W.Path.insert(W.Path.begin(), Offset.getSExtValue());
    if (const auto *A = dyn_cast<Argument>(Base)) {
      W.Argument = A->getArgNo();
      return W;
    }
    L = dyn_cast<LoadInst>(Base);
    if (L && !L->getType()->isPointerTy())
      return std::nullopt;
  }
  return std::nullopt;
}

static constexpr StringLiteral HoistedKind = "ferry.hoisted";

bool isHoisted(const Instruction &I) { return I.hasMetadata(HoistedKind); }

/// Replaces the loads of integers in captured objects by one each, at the
/// beginning. If \p Keep, those that were there stay, unused.
static void hoistWords(Function &F, bool Keep) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  std::map<std::pair<std::vector<int64_t>, Type *>, Value *> Read;
  SmallVector<LoadInst *> Loads;
  for (BasicBlock &Block : drop_begin(F))
    for (Instruction &I : Block)
      if (auto *L = dyn_cast<LoadInst>(&I);
          L && L->getType()->isIntegerTy() &&
          none_of(L->users(), [](User *U) { return isa<IntToPtrInst>(U); }))
        Loads.push_back(L);
  for (LoadInst *L : Loads) {
    std::optional<CapturedWord> W = capturedWord(*L);
    if (!W)
      continue;
    std::vector<int64_t> Key{W->Argument};
    Value *V = F.getArg(W->Argument);
    for (auto [I, Offset] : enumerate(W->Path)) {
      Type *Ty = I + 1 == W->Path.size() ? L->getType() : B.getPtrTy();
      Key.push_back(Offset);
      Value *&Known = Read[{Key, Ty}];
      if (!Known) {
        Value *At = Offset ? B.CreatePtrAdd(V, B.getInt64(Offset)) : V;
        Instruction *Load = B.CreateAlignedLoad(Ty, At, Align(1));
        Load->setMetadata(HoistedKind, MDNode::get(F.getContext(), {}));
        Known = Load;
      }
      V = Known;
    }
    if (mayBeChanged(*L))
      noteMayBeChanged(*cast<Instruction>(V));
    L->replaceAllUsesWith(V);
    if (!Keep)
      L->eraseFromParent();
  }
}

/// Makes a remainder of \p Sub if it is X - X / Y * Y.
static void restoreRemainder(BinaryOperator &Sub) {
  using namespace PatternMatch;
  Value *X, *Quotient, *Y;
  if (!match(&Sub, m_Sub(m_Value(X), m_Mul(m_Value(Quotient), m_Value(Y)))))
    return;
  if (match(Y, m_IDiv(m_Specific(X), m_Specific(Quotient))))
    std::swap(Quotient, Y);
  else if (!match(Quotient, m_IDiv(m_Specific(X), m_Specific(Y))))
    return;
  auto *Division = dyn_cast<BinaryOperator>(Quotient);
  if (!Division)
    return;
  IRBuilder<> B(&Sub);
  Value *Remainder = Division->getOpcode() == Instruction::SDiv
                         ? B.CreateSRem(X, Y)
                         : B.CreateURem(X, Y);
  Sub.replaceAllUsesWith(B.CreateFreeze(Remainder));
  Sub.eraseFromParent();
}

void simplifyForRanges(Function &F, bool KeepReads) {
  hoistWords(F, KeepReads);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (I.getOpcode() == Instruction::Sub) {
      restoreRemainder(cast<BinaryOperator>(I));
    } else if (I.getOpcode() == Instruction::URem ||
               I.getOpcode() == Instruction::SRem) {
      IRBuilder<> B(I.getNextNode());
      auto *Frozen = cast<Instruction>(B.CreateFreeze(&I));
      I.replaceUsesWithIf(Frozen,
                          [&](Use &U) { return U.getUser() != Frozen; });
    }
  }
}

} // namespace ferry
