//===- RangeEmitter.cpp - Emit the computation of ranges ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The range {-8 * sext(argument 0), -1} becomes
//
//   define private void @ferry.ranges(ptr %arguments, ptr %result) {
//     %p = load ptr, ptr %arguments
//     %n = trunc i64 (ptrtoint ptr %p to i64) to i32
//     %w = sext i32 %n to i64
//     %m = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %w, i64 -8)
//     %first = extractvalue { i64, i1 } %m, 0
//     %unknown = extractvalue { i64, i1 } %m, 1
//     store i64 (select i1 %unknown, i64 0, i64 %first), ptr %result
//     store i64 (select i1 %unknown, i64 -1, i64 -1), ptr %result + 8
//
// Nothing in it traps, whatever the values are: a word behind a null reference
// is read from a constant instead, and makes the range unknown.
//
//===----------------------------------------------------------------------===//

#include "RangeEmitter.h"
#include "ferry/OffloadABI.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

namespace {

class RangeEmitter {
public:
  RangeEmitter(Module &M, Function &F)
      : M(M), B(BasicBlock::Create(M.getContext(), "", &F)),
        Arguments(F.getArg(0)), Result(F.getArg(1)) {}

  void emit(const std::vector<AccessRange> &Ranges) {
    for (const auto &[I, R] : enumerate(Ranges)) {
      Values.clear();
      Unknown = B.getFalse();
      for (const RangeTerm &T : R.Terms)
        Values.push_back(emitTerm(T));
      store(2 * I, 0, Values[R.First]);
      store(2 * I + 1, -1, Values[R.Last]);
    }
    B.CreateRetVoid();
  }

private:
  Module &M;
  IRBuilder<> B;
  Value *Arguments;
  Value *Result;
  /// Of the terms of the range at hand.
  std::vector<Value *> Values;
  /// Whether a demand of the range at hand is not met.
  Value *Unknown = nullptr;

  void store(uint64_t Place, int64_t IfUnknown, Value *V) {
    B.CreateStore(
        B.CreateSelect(Unknown,
                       ConstantInt::getSigned(B.getInt64Ty(), IfUnknown), V),
        B.CreateConstGEP1_64(B.getInt64Ty(), Result, Place));
  }

  void unknownIf(Value *Condition) { Unknown = B.CreateOr(Unknown, Condition); }

  Value *argument(int64_t Number) {
    return B.CreateLoad(B.getPtrTy(),
                        B.CreateConstGEP1_64(B.getPtrTy(), Arguments,
                                             static_cast<uint64_t>(Number)));
  }

  /// What is read in place of what is behind a null reference.
  Value *zero() {
    constexpr StringLiteral Name = "ferry.zero";
    GlobalVariable *G = M.getGlobalVariable(Name, /*AllowInternal=*/true);
    if (!G) {
      G = new GlobalVariable(M, B.getInt64Ty(), /*isConstant=*/true,
                             GlobalValue::PrivateLinkage, B.getInt64(0), Name);
      G->setAlignment(Align(8));
    }
    return G;
  }

  Value *word(const RangeTerm &T) {
    Value *Object = argument(T.Value);
    for (const auto &[I, Offset] : enumerate(T.Path)) {
      Value *IsNull = B.CreateIsNull(Object);
      unknownIf(IsNull);
      Value *At = B.CreateSelect(
          IsNull, zero(),
          B.CreatePtrAdd(Object, B.getInt64(static_cast<uint64_t>(Offset))));
      bool IsLast = I + 1 == T.Path.size();
      // The front end's records may be packed.
      Object = B.CreateAlignedLoad(IsLast ? B.getIntNTy(T.Bits)
                                          : static_cast<Type *>(B.getPtrTy()),
                                   At, Align(1));
    }
    return Object;
  }

  /// A sum or product: exact in 64 bits, else as the program computes it.
  Value *arithmetic(bool IsMul, Value *L, Value *R) {
    if (!L->getType()->isIntegerTy(64))
      return IsMul ? B.CreateMul(L, R) : B.CreateAdd(L, R);
    Value *Pair = B.CreateBinaryIntrinsic(IsMul ? Intrinsic::smul_with_overflow
                                                : Intrinsic::sadd_with_overflow,
                                          L, R);
    unknownIf(B.CreateExtractValue(Pair, 1));
    return B.CreateExtractValue(Pair, 0);
  }

  Value *division(bool Signed, Value *L, Value *R) {
    Value *Zero = Constant::getNullValue(R->getType());
    Value *NotPositive =
        Signed ? B.CreateICmpSLE(R, Zero) : B.CreateICmpEQ(R, Zero);
    unknownIf(NotPositive);
    R = B.CreateSelect(NotPositive, ConstantInt::get(R->getType(), 1), R);
    return Signed ? B.CreateSDiv(L, R) : B.CreateUDiv(L, R);
  }

  Value *fitting(Value *V, int64_t Bits, bool Signed) {
    if (Bits >= 64) {
      if (!Signed)
        unknownIf(B.CreateICmpSLT(V, B.getInt64(0)));
      return V;
    }
    Type *Narrow = B.getIntNTy(static_cast<unsigned>(Bits));
    Value *Cut = B.CreateTrunc(V, Narrow);
    Value *Back = Signed ? B.CreateSExt(Cut, V->getType())
                         : B.CreateZExt(Cut, V->getType());
    unknownIf(B.CreateICmpNE(V, Back));
    return V;
  }

  Value *emitTerm(const RangeTerm &T) {
    Type *Ty = B.getIntNTy(T.Bits);
    auto Left = [&] { return Values[T.Left]; };
    auto Right = [&] { return Values[T.Right]; };
    switch (T.Kind) {
    case RangeTerm::Constant:
      return ConstantInt::getSigned(Ty, T.Value);
    case RangeTerm::Argument:
      return B.CreateTrunc(B.CreatePtrToInt(argument(T.Value), B.getInt64Ty()),
                           Ty);
    case RangeTerm::BlockClauses:
    case RangeTerm::BlockThreads:
      break; // is a constant or an argument by now
    case RangeTerm::Word:
      return word(T);
    case RangeTerm::Add:
      return arithmetic(false, Left(), Right());
    case RangeTerm::Mul:
      return arithmetic(true, Left(), Right());
    case RangeTerm::SMin:
      return B.CreateBinaryIntrinsic(Intrinsic::smin, Left(), Right());
    case RangeTerm::SMax:
      return B.CreateBinaryIntrinsic(Intrinsic::smax, Left(), Right());
    case RangeTerm::UMin:
      return B.CreateBinaryIntrinsic(Intrinsic::umin, Left(), Right());
    case RangeTerm::UMax:
      return B.CreateBinaryIntrinsic(Intrinsic::umax, Left(), Right());
    case RangeTerm::SDiv:
      return division(true, Left(), Right());
    case RangeTerm::UDiv:
      return division(false, Left(), Right());
    case RangeTerm::SExt:
      return B.CreateSExt(Left(), Ty);
    case RangeTerm::ZExt:
      return B.CreateZExt(Left(), Ty);
    case RangeTerm::Trunc:
      return B.CreateTrunc(Left(), Ty);
    case RangeTerm::FitsSigned:
      return fitting(Left(), T.Value, true);
    case RangeTerm::FitsUnsigned:
      return fitting(Left(), T.Value, false);
    case RangeTerm::Given:
      return Left();
    }
    llvm_unreachable("unknown term");
  }
};

} // namespace

Function *emitRanges(Module &M, const std::vector<AccessRange> &Ranges) {
  LLVMContext &C = M.getContext();
  auto *Ptr = PointerType::getUnqual(C);
  auto *Ty = FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr}, false);
  Function *F =
      Function::Create(Ty, GlobalValue::PrivateLinkage, "ferry.ranges", M);
  F->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  F->addFnAttr(Attribute::NoUnwind);
  RangeEmitter(M, *F).emit(Ranges);
  return F;
}

/// How many threads blocks of the launch \p Site have, as libomptarget chooses
/// where no clause asks for a number.
static Value *blockThreads(const LaunchSite &Site, IRBuilder<> &B) {
  Value *Asked = B.CreateZExt(Site.Call->getArgOperand(abi::LaunchThreadLimit),
                              B.getInt64Ty());
  return B.CreateSelect(B.CreateIsNull(Asked),
                        B.getInt64(abi::DefaultBlockThreads), Asked);
}

// In a task the fallback's integers are not known yet; the offload arrays have
// them.
void storeRangeArguments(const LaunchSite &Site,
                         const std::vector<AccessRange> &Ranges, IRBuilder<> &B,
                         Value *Arguments) {
  SmallSet<int64_t, 8> Needed;
  for (const AccessRange &R : Ranges)
    for (const RangeTerm &T : R.Terms)
      if (T.Kind == RangeTerm::Argument || T.Kind == RangeTerm::Word)
        Needed.insert(T.Value);
  for (int64_t A : Needed) {
    auto At = static_cast<uint64_t>(A);
    if (At == placeOfBlockThreads(Site)) {
      B.CreateStore(B.CreateIntToPtr(blockThreads(Site, B), B.getPtrTy()),
                    B.CreateConstInBoundsGEP1_64(B.getPtrTy(), Arguments, At));
      continue;
    }
    unsigned Entry = Site.EntryOfArgument[At];
    Value *V = Site.FallbackArguments[At];
    if (Site.Types[Entry] & abi::MapLiteral) {
      Value *Field = B.CreateConstInBoundsGEP1_64(
          B.getInt8Ty(), Site.Call->getArgOperand(abi::LaunchArgs),
          abi::KernelArgsBasePtrsOffset);
      V = B.CreateLoad(
          B.getPtrTy(),
          B.CreateConstInBoundsGEP1_64(
              B.getPtrTy(), B.CreateLoad(B.getPtrTy(), Field), Entry));
    }
    B.CreateStore(V, B.CreateConstInBoundsGEP1_64(B.getPtrTy(), Arguments, At));
  }
}

} // namespace ferry
