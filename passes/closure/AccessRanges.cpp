//===- AccessRanges.cpp - Which bytes does a kernel access? ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of scalar evolution is equal to the program's modulo its width. Here
// it becomes an interval of exact integers, equal to it modulo its width as
// well. Where the program looks at the value (an extension, a comparison, a
// division) the interval has to have the width that it has there, and then it
// holds the program's values themselves: arithmetic that wraps around makes a
// range unknown and never wrong, without a proof that it does not.
//
// The bounds of
//
//   for (int i = first; i < end; ++i)  // {first,+,1}, end - first rounds
//     a[i] = 0;                        // 8 * sext({first,+,1})
//
// are 8 * signed32(sext(first)) to 8 * signed32(sext(first) + zext(end - first)
// - 1) + 7.
//
// Conditions around the access make an interval narrower where they compare a
// value of the loop with one that is the same throughout the kernel, both
// signed. Others are not looked at: a range may be too large.
//
//===----------------------------------------------------------------------===//

#include "AccessRanges.h"
#include "WorkSharing.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ferry {

using Term = RangeTable::Term;

unsigned AccessRanges::widthOf(const SCEV *S) const {
  return static_cast<unsigned>(SE.getTypeSizeInBits(S->getType()));
}

bool AccessRanges::exhausted() {
  return ++Steps > MaxSteps || Table.size() > MaxTableTerms;
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// \p S, if it is the same throughout the kernel and the launch can compute it.
std::optional<Term> AccessRanges::point(const SCEV *S) {
  if (exhausted() || !S->getType()->isSingleValueType() || widthOf(S) > 64)
    return std::nullopt;
  unsigned Bits = widthOf(S);
  auto Fold = [&](auto Combine) -> std::optional<Term> {
    std::optional<Term> Result;
    for (const SCEV *Op : S->operands()) {
      std::optional<Term> T = point(Op);
      if (!T)
        return std::nullopt;
      Result = Result ? Combine(*Result, *T) : *T;
    }
    return Result;
  };
  auto Choose = [&](RangeTerm::KindTy Kind) {
    return Fold([&](Term A, Term B) { return Table.choose(Kind, A, B); });
  };
  auto Convert = [&](auto Conversion) -> std::optional<Term> {
    std::optional<Term> T = point(S->operands()[0]);
    return T ? std::optional(Conversion(*T)) : std::nullopt;
  };
  switch (S->getSCEVType()) {
  case scConstant:
    return Table.constant(cast<SCEVConstant>(S)->getAPInt().getSExtValue(),
                          Bits);
  case scTruncate:
    return Convert([&](Term T) { return Table.truncate(T, Bits); });
  case scZeroExtend:
    return Convert([&](Term T) { return Table.zeroExtend(T, Bits); });
  case scSignExtend:
    return Convert([&](Term T) { return Table.signExtend(T, Bits); });
  case scPtrToInt:
    return Convert([&](Term T) { return T; });
  case scAddExpr:
    return Fold([&](Term A, Term B) { return Table.add(A, B); });
  case scMulExpr:
    return Fold([&](Term A, Term B) { return Table.mul(A, B); });
  case scUDivExpr:
    return Fold(
        [&](Term A, Term B) { return Table.divide(RangeTerm::UDiv, A, B); });
  case scSMaxExpr:
    return Choose(RangeTerm::SMax);
  case scSMinExpr:
    return Choose(RangeTerm::SMin);
  case scUMaxExpr:
    return Choose(RangeTerm::UMax);
  case scUMinExpr:
    return Choose(RangeTerm::UMin);
  case scAddRecExpr:
    return Round ? pointInRound(*cast<SCEVAddRecExpr>(S)) : std::nullopt;
  case scUnknown:
    return pointOf(cast<SCEVUnknown>(S)->getValue());
  default:
    return std::nullopt;
  }
}

std::optional<Term> AccessRanges::pointOf(Value *V) {
  if (auto *A = dyn_cast<Argument>(V)) {
    if (!A->getType()->isIntegerTy())
      return std::nullopt;
    return Table.argument(A->getArgNo(), A->getType()->getIntegerBitWidth());
  }
  if (auto *L = dyn_cast<LoadInst>(V)) {
    auto Bits = static_cast<unsigned>(SE.getTypeSizeInBits(L->getType()));
    std::optional<CapturedWord> W = capturedWord(*L);
    if (!W)
      return std::nullopt;
    return Table.word(W->Argument, std::move(W->Path), Bits);
  }
  // Of a kernel's threads, the clone shows one that goes on.
  if (auto *Call = dyn_cast<CallInst>(V); Round && Call)
    if (const Function *Callee = Call->getCalledFunction();
        Callee && Callee->getName() == "__kmpc_target_init")
      return Table.constant(-1, 32);
  auto *I = dyn_cast<Instruction>(V);
  return I ? pointOfInstruction(*I) : std::nullopt;
}

std::optional<Term> AccessRanges::pointOfInstruction(Instruction &I) {
  Instruction *Op = &I;
  if (auto *Freeze = dyn_cast<FreezeInst>(&I))
    Op = dyn_cast<Instruction>(Freeze->getOperand(0));
  if (!Op)
    return std::nullopt;
  bool Divides = Op->getOpcode() == Instruction::SDiv ||
                 Op->getOpcode() == Instruction::UDiv;
  bool Remains = Op->getOpcode() == Instruction::SRem ||
                 Op->getOpcode() == Instruction::URem;
  if (!Divides && !Remains)
    return std::nullopt;
  std::optional<Term> A = point(SE.getSCEV(Op->getOperand(0)));
  std::optional<Term> B = point(SE.getSCEV(Op->getOperand(1)));
  if (!A || !B)
    return std::nullopt;
  bool Signed = Op->getOpcode() == Instruction::SDiv ||
                Op->getOpcode() == Instruction::SRem;
  Term Quotient =
      Table.divide(Signed ? RangeTerm::SDiv : RangeTerm::UDiv, *A, *B);
  if (Divides)
    return Quotient;
  return Table.add(*A, Table.negate(Table.mul(Quotient, *B)));
}

std::optional<AccessRange> AccessRanges::value(const SCEV *S) {
  std::optional<Term> T = point(S);
  return T ? Table.range(*T, *T, MaxTerms) : std::nullopt;
}

std::optional<AccessRange> AccessRanges::ofLaunch(RangeTerm::KindTy Kind) {
  const Term T = Table.ofLaunch(Kind);
  return Table.range(T, T, MaxTerms);
}

void countAsOnHost(AccessRange &Range) {
  for (RangeTerm &T : Range.Terms)
    if (T.Kind == RangeTerm::Argument || T.Kind == RangeTerm::Word)
      --T.Value;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

AccessRanges::Bounds AccessRanges::fitting(Bounds B, unsigned Bits,
                                           bool Signed) {
  if (Signed)
    return {Table.fitsSigned(B.First, Bits), Table.fitsSigned(B.Last, Bits)};
  return {Table.fitsUnsigned(B.First, Bits), Table.fitsUnsigned(B.Last, Bits)};
}

/// The products of the values in \p B with \p Factor.
AccessRanges::Bounds AccessRanges::scaled(Bounds B, Term Factor) {
  Term First = Table.mul(B.First, Factor), Last = Table.mul(B.Last, Factor);
  if (auto C = Table.constantOf(Factor)) {
    if (*C < 0)
      std::swap(First, Last);
    return {First, Last};
  }
  return {Table.choose(RangeTerm::SMin, First, Last),
          Table.choose(RangeTerm::SMax, First, Last)};
}

AccessRanges::Bounds AccessRanges::shifted(Bounds B, int64_t Offset) {
  Term By = Table.constant(Offset);
  return {Table.add(B.First, By), Table.add(B.Last, By)};
}

AccessRanges::Bounds AccessRanges::united(Bounds A, Bounds B) {
  return {Table.choose(RangeTerm::SMin, A.First, B.First),
          Table.choose(RangeTerm::SMax, A.Last, B.Last)};
}

/// The integers that \p S, modulo its width, can be when \p At is executed.
std::optional<AccessRanges::Bounds> AccessRanges::bounds(const SCEV *S,
                                                         BasicBlock *At) {
  if (exhausted() || Depth > MaxDepth)
    return std::nullopt;
  if (std::optional<Term> P = point(S)) {
    Term Wide = Table.signExtend(*P, 64);
    return Bounds{Wide, Wide};
  }
  if (!S->getType()->isSingleValueType() || widthOf(S) > 64)
    return std::nullopt;
  ++Depth;
  std::optional<Bounds> Result;
  switch (S->getSCEVType()) {
  case scTruncate:
  case scPtrToInt:
    Result = bounds(S->operands()[0], At);
    break;
  case scSignExtend:
    Result = bounds(S->operands()[0], At);
    if (Result)
      Result = fitting(*Result, widthOf(S->operands()[0]), true);
    break;
  case scZeroExtend:
    Result = boundsOfZeroExtension(S, At);
    break;
  case scAddExpr:
    Result = boundsOfAdd(S, At);
    break;
  case scMulExpr:
    Result = boundsOfMul(S, At);
    break;
  case scUDivExpr:
    Result = boundsOfDivision(S, At);
    break;
  case scAddRecExpr:
    Result = boundsOfRecurrence(*cast<SCEVAddRecExpr>(S), At);
    break;
  case scSMaxExpr:
  case scSMinExpr:
  case scUMaxExpr:
  case scUMinExpr:
  case scSequentialUMinExpr:
    Result = boundsOfChoice(S, At);
    break;
  case scUnknown:
    Result = boundsOfValue(cast<SCEVUnknown>(S)->getValue(), At);
    break;
  default:
    break;
  }
  --Depth;
  if (Result && S->getType()->isIntegerTy() &&
      !isa<SCEVAddRecExpr, SCEVAddExpr, SCEVMulExpr>(S))
    Result = narrowedValue(*Result, S, At);
  return Result;
}

std::optional<AccessRanges::Bounds>
AccessRanges::boundsOfZeroExtension(const SCEV *S, BasicBlock *At) {
  const SCEV *Op = S->operands()[0];
  unsigned Bits = widthOf(Op);
  // What was cut off may be a digit, such as i % 16.
  if (isa<SCEVTruncateExpr>(Op) && Bits <= 16)
    return Bounds{Table.constant(0), Table.constant((int64_t{1} << Bits) - 1)};
  std::optional<Bounds> B = bounds(Op, At);
  return B ? std::optional(fitting(*B, Bits, false)) : std::nullopt;
}

/// Whether \p S is max(X, ...) - X, as the count of a loop from X is.
static bool isDistanceToMaximum(const SCEV *S, ScalarEvolution &SE) {
  return any_of(S->operands(), [&](const SCEV *Max) {
    if (!isa<SCEVSMaxExpr, SCEVUMaxExpr>(Max))
      return false;
    const SCEV *Rest = SE.getMinusSCEV(S, Max);
    return any_of(Max->operands(), [&](const SCEV *X) {
      return SE.getAddExpr(Rest, X)->isZero();
    });
  });
}

/// The terms that are the same throughout the kernel are one point.
std::optional<AccessRanges::Bounds> AccessRanges::boundsOfAdd(const SCEV *S,
                                                              BasicBlock *At) {
  std::optional<Term> Fixed;
  std::optional<Bounds> Sum;
  for (const SCEV *Op : S->operands()) {
    if (std::optional<Term> P = point(Op)) {
      Fixed = Fixed ? Table.add(*Fixed, *P) : *P;
      continue;
    }
    std::optional<Bounds> B = bounds(Op, At);
    if (!B)
      return std::nullopt;
    Sum = Sum ? Bounds{Table.add(Sum->First, B->First),
                       Table.add(Sum->Last, B->Last)}
              : *B;
  }
  if (!Sum)
    return std::nullopt;
  if (Fixed) {
    Term Wide = Table.signExtend(*Fixed, 64);
    Sum = Bounds{Table.add(Sum->First, Wide), Table.add(Sum->Last, Wide)};
  }
  if (isDistanceToMaximum(S, SE))
    Sum->First = Table.choose(RangeTerm::SMax, Sum->First, Table.constant(0));
  return Sum;
}

std::optional<AccessRanges::Bounds> AccessRanges::boundsOfMul(const SCEV *S,
                                                              BasicBlock *At) {
  std::optional<Term> Fixed;
  std::optional<Bounds> Product;
  for (const SCEV *Op : S->operands()) {
    if (std::optional<Term> P = point(Op)) {
      Fixed = Fixed ? Table.mul(*Fixed, *P) : *P;
      continue;
    }
    std::optional<Bounds> B = bounds(Op, At);
    if (!B)
      return std::nullopt;
    if (!Product) {
      Product = B;
      continue;
    }
    Bounds Low = scaled(*Product, B->First), High = scaled(*Product, B->Last);
    Product = united(Low, High);
  }
  if (!Fixed || !Product)
    return Product;
  return scaled(*Product, Table.signExtend(*Fixed, 64));
}

std::optional<AccessRanges::Bounds>
AccessRanges::boundsOfChoice(const SCEV *S, BasicBlock *At) {
  RangeTerm::KindTy Kind;
  switch (S->getSCEVType()) {
  case scSMaxExpr:
    Kind = RangeTerm::SMax;
    break;
  case scSMinExpr:
    Kind = RangeTerm::SMin;
    break;
  case scUMaxExpr:
    Kind = RangeTerm::UMax;
    break;
  default:
    Kind = RangeTerm::UMin;
  }
  bool Signed = Kind == RangeTerm::SMax || Kind == RangeTerm::SMin;
  std::optional<Bounds> Result;
  for (const SCEV *Op : S->operands()) {
    std::optional<Bounds> B = bounds(Op, At);
    if (!B)
      return std::nullopt;
    *B = fitting(*B, widthOf(S), Signed);
    Result = Result ? Bounds{Table.choose(Kind, Result->First, B->First),
                             Table.choose(Kind, Result->Last, B->Last)}
                    : *B;
  }
  return Result;
}

std::optional<AccessRanges::Bounds>
AccessRanges::boundsOfDivision(const SCEV *S, BasicBlock *At) {
  const auto *D = cast<SCEVUDivExpr>(S);
  std::optional<Term> Divisor = point(D->getRHS());
  std::optional<Bounds> B = bounds(D->getLHS(), At);
  if (!Divisor || !B)
    return std::nullopt;
  Term Wide = Table.zeroExtend(*Divisor, 64);
  *B = fitting(*B, widthOf(S), false);
  return Bounds{Table.divide(RangeTerm::SDiv, B->First, Wide),
                Table.divide(RangeTerm::SDiv, B->Last, Wide)};
}

//===----------------------------------------------------------------------===//
// What scalar evolution does not know
//===----------------------------------------------------------------------===//

std::optional<AccessRanges::Bounds>
AccessRanges::boundsAtScope(Value *V, BasicBlock *At) {
  if (!SE.isSCEVable(V->getType()))
    return std::nullopt;
  return bounds(SE.getSCEVAtScope(V, Loops.getLoopFor(At)), At);
}

std::optional<AccessRanges::Bounds>
AccessRanges::boundsOfRemainder(Instruction &I, BasicBlock *At) {
  std::optional<Term> Divisor = point(SE.getSCEV(I.getOperand(1)));
  std::optional<Bounds> B = boundsAtScope(I.getOperand(0), At);
  if (!Divisor || !B)
    return std::nullopt;
  unsigned Bits = I.getType()->getIntegerBitWidth();
  bool Signed = I.getOpcode() == Instruction::SRem;
  *B = fitting(fitting(*B, Bits, Signed), 64, false);
  Term Wide =
      Signed ? Table.signExtend(*Divisor, 64) : Table.zeroExtend(*Divisor, 64);
  Term Most = Table.fitsUnsigned(Table.add(Wide, Table.constant(-1)), 64);
  return Bounds{Table.given(Table.constant(0), B->First),
                Table.choose(RangeTerm::SMin, Most, B->Last)};
}

std::optional<AccessRanges::Bounds>
AccessRanges::boundsOfValue(Value *V, BasicBlock *At) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return std::nullopt;
  if (auto *Freeze = dyn_cast<FreezeInst>(I)) {
    if (auto *Op = dyn_cast<Instruction>(Freeze->getOperand(0));
        Op && (Op->getOpcode() == Instruction::SRem ||
               Op->getOpcode() == Instruction::URem))
      return boundsOfRemainder(*Op, At);
    return boundsAtScope(Freeze->getOperand(0), At);
  }
  if (I->getOpcode() == Instruction::SRem)
    return boundsOfRemainder(*I, At);
  if (I->getOpcode() == Instruction::SDiv) {
    std::optional<Term> Divisor = point(SE.getSCEV(I->getOperand(1)));
    std::optional<Bounds> B = boundsAtScope(I->getOperand(0), At);
    if (!Divisor || !B)
      return std::nullopt;
    *B = fitting(*B, I->getType()->getIntegerBitWidth(), true);
    Term Wide = Table.signExtend(*Divisor, 64);
    return Bounds{Table.divide(RangeTerm::SDiv, B->First, Wide),
                  Table.divide(RangeTerm::SDiv, B->Last, Wide)};
  }
  if (auto *S = dyn_cast<SelectInst>(I)) {
    std::optional<Bounds> A = boundsAtScope(S->getTrueValue(), At);
    std::optional<Bounds> B = A ? boundsAtScope(S->getFalseValue(), At) : A;
    return B ? std::optional(united(*A, *B)) : std::nullopt;
  }
  auto *P = dyn_cast<PHINode>(I);
  if (!P)
    return std::nullopt;
  if (Loops.isLoopHeader(P->getParent()))
    return std::nullopt;
  std::optional<Bounds> Result;
  for (Value *Incoming : P->incoming_values()) {
    std::optional<Bounds> B = boundsAtScope(Incoming, At);
    if (!B)
      return std::nullopt;
    Result = Result ? united(*Result, *B) : *B;
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

std::optional<AccessRanges::Bounds>
AccessRanges::accessAt(Instruction &Access, int64_t Offset, uint64_t Size) {
  Term Length = Table.constant(static_cast<int64_t>(Size));
  if (auto *M = dyn_cast<MemIntrinsic>(&Access)) {
    std::optional<Bounds> B = boundsAtScope(M->getLength(), Access.getParent());
    if (!B)
      return std::nullopt;
    Length = Table.fitsUnsigned(B->Last, 64);
  }
  return Bounds{Table.constant(Offset),
                Table.add(Length, Table.constant(Offset - 1))};
}

std::optional<AccessRanges::Bounds> AccessRanges::access(Instruction &Access,
                                                         Value *Pointer,
                                                         Value *Base,
                                                         uint64_t Size) {
  BasicBlock *At = Access.getParent();
  if (!SE.isSCEVable(Pointer->getType()))
    return std::nullopt;
  const SCEV *Distance = SE.getMinusSCEV(
      SE.getSCEVAtScope(Pointer, Loops.getLoopFor(At)), SE.getSCEV(Base));
  if (isa<SCEVCouldNotCompute>(Distance))
    return std::nullopt;
  std::optional<Bounds> Place = bounds(Distance, At);
  std::optional<Bounds> Extent = accessAt(Access, 0, Size);
  if (!Place || !Extent)
    return std::nullopt;
  return Bounds{Table.add(Place->First, Extent->First),
                Table.add(Place->Last, Extent->Last)};
}

std::optional<AccessRange> AccessRanges::range(Bounds B) const {
  return Table.range(B.First, B.Last, MaxTerms);
}

} // namespace ferry
