//===- InlineAsm.cpp - PTX within device code -----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   call void asm "cp.async.ca.shared.global [$0], [$1], 8;", "r,l"(%to, %from)
// becomes
//   call void @llvm.nvvm.cp.async.ca.shared.global.8(%to, %from)
//
// and what device/InlineAsm.def names a call of the function there. PTX is not
// interpreted: all other text is unknown.
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace ferry::sim {
namespace {

/// One PTX instruction of cp.async.
struct AsyncStatement {
  Intrinsic::ID Id = Intrinsic::not_intrinsic;
  SmallVector<Value *, 4> Operands; ///< without the number of bytes written
};

} // namespace

/// The text with one blank for each run of them.
static std::string normalized(StringRef Text) {
  SmallVector<StringRef, 16> Words;
  for (StringRef Rest = Text.ltrim(); !Rest.empty(); Rest = Rest.ltrim()) {
    Words.push_back(Rest.take_until([](char C) { return isSpace(C); }));
    Rest = Rest.drop_front(Words.back().size());
  }
  return join(Words, " ");
}

/// What an operand as in "$0", "[$1]" or "16" stands for, or null.
static Value *valueOf(StringRef Operand, const CallInst &Call) {
  Operand = Operand.trim();
  if (Operand.consume_front("["))
    Operand = Operand.consume_back("]") ? Operand.trim() : "";
  const bool IsArgument = Operand.consume_front("$");
  unsigned Number = 0;
  if (Operand.getAsInteger(10, Number))
    return nullptr;
  if (!IsArgument)
    return ConstantInt::get(Type::getInt32Ty(Call.getContext()), Number);
  return Number < Call.arg_size() ? Call.getArgOperand(Number) : nullptr;
}

/// cp.async.ca or .cg of \p Bytes, with or without the number of bytes to read.
static Intrinsic::ID copyOf(StringRef Cache, uint64_t Bytes, bool Partial) {
  if (Cache == "cg")
    return Bytes != 16 ? Intrinsic::not_intrinsic
           : Partial   ? Intrinsic::nvvm_cp_async_cg_shared_global_16_s
                       : Intrinsic::nvvm_cp_async_cg_shared_global_16;
  switch (Bytes) {
  case 4:
    return Partial ? Intrinsic::nvvm_cp_async_ca_shared_global_4_s
                   : Intrinsic::nvvm_cp_async_ca_shared_global_4;
  case 8:
    return Partial ? Intrinsic::nvvm_cp_async_ca_shared_global_8_s
                   : Intrinsic::nvvm_cp_async_ca_shared_global_8;
  case 16:
    return Partial ? Intrinsic::nvvm_cp_async_ca_shared_global_16_s
                   : Intrinsic::nvvm_cp_async_ca_shared_global_16;
  default:
    return Intrinsic::not_intrinsic;
  }
}

/// \p Text, one instruction (PTX ISA, "cp.async"), or nothing.
static AsyncStatement parseAsync(StringRef Text, const CallInst &Call) {
  auto [Name, Rest] = Text.split(' ');
  AsyncStatement S;
  SmallVector<StringRef, 4> Operands;
  Rest.split(Operands, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Operand : Operands) {
    S.Operands.push_back(valueOf(Operand, Call));
    if (!S.Operands.back())
      return {};
  }
  if (!Name.consume_front("cp.async."))
    return {};
  auto IsConstant = [&](unsigned Number) {
    return Number < S.Operands.size() && isa<ConstantInt>(S.Operands[Number]);
  };
  if (Name == "commit_group" && Operands.empty()) {
    S.Id = Intrinsic::nvvm_cp_async_commit_group;
  } else if (Name == "wait_all" && Operands.empty()) {
    S.Id = Intrinsic::nvvm_cp_async_wait_all;
  } else if (Name == "wait_group" && Operands.size() == 1 && IsConstant(0)) {
    S.Id = Intrinsic::nvvm_cp_async_wait_group;
  } else {
    StringRef Cache = Name.take_front(2);
    Name = Name.drop_front(Cache.size());
    // How far ahead the cache reads does not matter.
    for (StringRef Prefetch : {".L2::64B", ".L2::128B", ".L2::256B"})
      Name.consume_back(Prefetch);
    if ((Cache != "ca" && Cache != "cg") ||
        (Name != ".shared.global" && Name != ".shared::cta.global") ||
        Operands.size() > 4 || !IsConstant(2))
      return {};
    S.Id = copyOf(Cache, cast<ConstantInt>(S.Operands[2])->getZExtValue(),
                  Operands.size() == 4);
    S.Operands.erase(S.Operands.begin() + 2);
  }
  return S;
}

/// The pointer to shared memory that \p Address stands for. PTX takes 32 bits
/// of it: the upper ones are those of the block's shared memory.
static Value *sharedPointer(IRBuilder<> &Builder, Value *Address) {
  auto *Shared = PointerType::get(Builder.getContext(), 3);
  if (Address->getType()->isPointerTy())
    return Builder.CreateAddrSpaceCast(Address, Shared);
  Type *I32 = Builder.getInt32Ty(), *I64 = Builder.getInt64Ty();
  Value *Base = loadField(Builder, offsetof(LaneContext, Shared), I64);
  Value *Low = Builder.CreateTrunc(Base, I32);
  Value *Difference =
      Builder.CreateSub(Builder.CreateZExtOrTrunc(Address, I32), Low);
  Value *Offset = Builder.CreateZExt(Difference, I64);
  Value *Sum = Builder.CreateAdd(Base, Offset);
  Value *Pointer = Builder.CreateIntToPtr(Sum, Shared);
  for (Value *V : {Base, Low, Difference, Offset, Sum, Pointer})
    markOwn(V);
  return Pointer;
}

static Value *globalPointer(IRBuilder<> &Builder, Value *Address) {
  auto *Global = PointerType::get(Builder.getContext(), 1);
  return Address->getType()->isPointerTy()
             ? Builder.CreateAddrSpaceCast(Address, Global)
             : Builder.CreateIntToPtr(Address, Global);
}

/// True if \p Call is cp.async and nothing else; it is then replaced.
static bool lowerAsync(CallInst &Call, StringRef Text) {
  if (!Call.getType()->isVoidTy())
    return false;
  SmallVector<StringRef, 4> Parts;
  Text.split(Parts, ';');
  SmallVector<AsyncStatement, 4> Statements;
  for (StringRef Part : Parts) {
    if (Part.trim().empty())
      continue;
    Statements.push_back(parseAsync(Part.trim(), Call));
    if (Statements.back().Id == Intrinsic::not_intrinsic)
      return false;
  }
  IRBuilder<> Builder(&Call);
  for (AsyncStatement &S : Statements) {
    const bool IsCopy = S.Operands.size() > 1;
    for (auto [Index, Operand] : enumerate(S.Operands))
      Operand = !IsCopy || Index == 2
                    ? Builder.CreateZExtOrTrunc(Operand, Builder.getInt32Ty())
                : Index == 0 ? sharedPointer(Builder, Operand)
                             : globalPointer(Builder, Operand);
    Builder.CreateIntrinsic(S.Id, {}, S.Operands);
  }
  Call.eraseFromParent();
  return true;
}

static const StringMap<StringRef> &knownTexts() {
  static const StringMap<StringRef> Known = [] {
    StringMap<StringRef> Names;
#define FERRY_SIM_INLINE_ASM(Text, Name) Names[normalized(Text)] = #Name;
#include "../device/InlineAsm.def"
#undef FERRY_SIM_INLINE_ASM
    return Names;
  }();
  return Known;
}

static void lower(CallInst &Call, Translation &T) {
  auto &Asm = *cast<InlineAsm>(Call.getCalledOperand());
  const std::string Text = normalized(Asm.getAsmString());
  // Compiler barriers hold nothing up here. What goes through one, as an output
  // that is an input as well, comes out as it was.
  if (Text.empty() && Call.getType()->isVoidTy()) {
    Call.eraseFromParent();
    return;
  }
  if (Text.empty() && Call.arg_size() == 1 &&
      Call.getArgOperand(0)->getType() == Call.getType()) {
    Call.replaceAllUsesWith(Call.getArgOperand(0));
    Call.eraseFromParent();
    return;
  }
  if (lowerAsync(Call, Text))
    return;
  Module &M = *Call.getModule();
  Function *Host;
  auto Found = knownTexts().find(Text);
  if (Found != knownTexts().end()) {
    FunctionCallee Callee =
        M.getOrInsertFunction(Found->second, Call.getFunctionType());
    Host = cast<Function>(Callee.getCallee());
    setBoolExtension(*Host);
  } else {
    Host =
        Function::Create(Call.getFunctionType(), GlobalValue::InternalLinkage,
                         "ferry_sim_inline_assembly", M);
    defineUnknown(*Host, "inline assembly '" + Text + "'", T);
  }
  Call.setCalledOperand(Host);
  Call.setAttributes(Host->getAttributes());
}

void lowerInlineAssembly(Module &M, Translation &T) {
  SmallVector<CallInst *, 16> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
        Calls.push_back(Call);
  for (CallInst *Call : Calls)
    lower(*Call, T);
}

} // namespace ferry::sim
