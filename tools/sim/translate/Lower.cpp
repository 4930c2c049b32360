//===- Lower.cpp - What only a GPU has, in terms of the simulator ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
//   call void @llvm.nvvm.barrier0()
// becomes
//   %t = load i32, ptr %lane.tid.x
//   call void @ferry_sim_llvm_nvvm_barrier0()
//
// What neither the engine nor device/ defines becomes a function that ends the
// launch with a report: a program may hold code that it never runs.
//
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"
#include <map>

using namespace llvm;

namespace ferry::sim {

// --- Names ------------------------------------------------------------------

// NOLINTBEGIN(bugprone-suspicious-missing-comma): the files have none.
static const StringSet<> &plainFunctions() {
  static const StringSet<> Names = {
#define FERRY_SIM_FUNCTION(Name) Name,
#include "../device/Functions.def"
#undef FERRY_SIM_FUNCTION
  };
  return Names;
}

static const StringSet<> &engineFunctions() {
  static const StringSet<> Names = {
#define FERRY_SIM_FUNCTION(Name) Name,
#include "../engine/Functions.def"
#undef FERRY_SIM_FUNCTION
  };
  return Names;
}
// NOLINTEND(bugprone-suspicious-missing-comma)

static std::string hostName(StringRef DeviceName) {
  std::string Name = ("ferry_sim_" + DeviceName).str();
  std::replace(Name.begin(), Name.end(), '.', '_');
  return Name;
}

bool isPlainHostFunction(const Function &F) {
  static const StringSet<> HostNames = [] {
    StringSet<> Names;
    for (const auto &Entry : plainFunctions())
      // Where a failed assertion was is of interest.
      if (!Entry.getKey().starts_with("__assert"))
        Names.insert(hostName(Entry.getKey()));
#define FERRY_SIM_INLINE_ASM(Text, Name) Names.insert(#Name);
#include "../device/InlineAsm.def"
#undef FERRY_SIM_INLINE_ASM
    return Names;
  }();
  return F.isIntrinsic() || HostNames.contains(F.getName());
}

// --- Special registers -------------------------------------------------------

void markOwn(Value *V) {
  if (auto *I = dyn_cast<Instruction>(V))
    I->setMetadata(OwnMark, MDNode::get(I->getContext(), {}));
}

Value *laneContext(Function &F) {
  // Made once for each function, at its entry.
  static constexpr StringLiteral Name = "lane";
  for (Instruction &I : F.getEntryBlock())
    if (I.getName() == Name && isa<IntToPtrInst>(I))
      return &I;
  IRBuilder<> Builder(&*F.getEntryBlock().getFirstInsertionPt());
  Type *I64 = Builder.getInt64Ty();
  Value *Frame = Builder.CreateIntrinsic(
      Intrinsic::frameaddress, {Builder.getPtrTy()}, {Builder.getInt32(0)});
  // contextAddress in engine/SimABI.h.
  Value *Bits = Builder.CreatePtrToInt(Frame, I64);
  Value *Color = Builder.CreateAnd(Builder.CreateLShr(Bits, StackShift),
                                   Builder.getInt64(ContextColors - 1));
  Value *Top = Builder.CreateAdd(
      Builder.CreateOr(Bits, Builder.getInt64(StackBytes - 1)),
      Builder.getInt64(1));
  Value *Below =
      Builder.CreateMul(Builder.CreateAdd(Color, Builder.getInt64(1)),
                        Builder.getInt64(ContextBytes));
  Value *Address = Builder.CreateSub(Top, Below);
  auto *Lane = cast<Instruction>(
      Builder.CreateIntToPtr(Address, Builder.getPtrTy(), Name));
  for (auto *I = cast<Instruction>(Frame); I != Lane; I = I->getNextNode())
    markOwn(I);
  markOwn(Lane);
  return Lane;
}

Value *loadField(IRBuilder<> &Builder, size_t Offset, Type *Type) {
  Function &F = *Builder.GetInsertBlock()->getParent();
  Value *Field = Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(),
                                                    laneContext(F), Offset);
  markOwn(Field);
  LoadInst *Load = Builder.CreateLoad(Type, Field);
  // Nothing that the program does changes it.
  Load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(F.getContext(), {}));
  return Load;
}

static Value *loadWord(IRBuilder<> &Builder, size_t Offset) {
  return loadField(Builder, Offset, Builder.getInt32Ty());
}

/// The value of the special register that intrinsic \p Name reads, or null.
static Value *readRegister(IRBuilder<> &Builder, StringRef Name) {
  if (!Name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return nullptr;
  if (Name.size() > 2 && Name[Name.size() - 2] == '.') {
    unsigned Axis = Name.back() - 'x';
    size_t Base = StringSwitch<size_t>(Name.drop_back(2))
                      .Case("tid", offsetof(LaneContext, ThreadId))
                      .Case("ntid", offsetof(LaneContext, BlockDim))
                      .Case("ctaid", offsetof(LaneContext, BlockId))
                      .Case("nctaid", offsetof(LaneContext, GridDim))
                      .Default(0);
    return Base && Axis < 3 ? loadWord(Builder, Base + size_t(4) * Axis)
                            : nullptr;
  }
  auto Lane = [&] { return loadWord(Builder, offsetof(LaneContext, LaneId)); };
  auto Bit = [&] { return Builder.CreateShl(Builder.getInt32(1), Lane()); };
  if (Name == "laneid")
    return Lane();
  if (Name == "warpsize")
    return Builder.getInt32(WarpSize);
  if (Name == "lanemask.eq")
    return Bit();
  if (Name == "lanemask.lt")
    return Builder.CreateSub(Bit(), Builder.getInt32(1));
  if (Name == "lanemask.le")
    return Builder.CreateNot(Builder.CreateShl(Builder.getInt32(-2), Lane()));
  if (Name == "lanemask.ge")
    return Builder.CreateShl(Builder.getInt32(-1), Lane());
  if (Name == "lanemask.gt")
    return Builder.CreateShl(Builder.getInt32(-2), Lane());
  if (Name == "dynamic_smem_size")
    return loadWord(Builder, offsetof(LaneContext, DynamicShared));
  return nullptr;
}

// --- Memory ------------------------------------------------------------------

/// cp.async, with or without the number of bytes to read (.s).
static bool lowerAsyncCopy(CallInst &Call, StringRef Name) {
  if (!Name.consume_front("llvm.nvvm.cp.async.ca.shared.global.") &&
      !Name.consume_front("llvm.nvvm.cp.async.cg.shared.global."))
    return false;
  const bool Partial = Name.consume_back(".s");
  unsigned Size = 0;
  if (Name.getAsInteger(10, Size))
    return false;
  IRBuilder<> Builder(&Call);
  Value *To = Call.getArgOperand(0), *From = Call.getArgOperand(1);
  Type *I32 = Builder.getInt32Ty();
  FunctionCallee Copy = Call.getModule()->getOrInsertFunction(
      CopyFunction, Builder.getVoidTy(), To->getType(), From->getType(), I32,
      I32);
  Builder.CreateCall(
      Copy, {To, From, Builder.getInt32(Size),
             Partial ? Call.getArgOperand(2) : Builder.getInt32(Size)});
  Call.eraseFromParent();
  return true;
}

/// Intrinsics that stand for an ordinary instruction. True if \p Call is gone.
static bool lowerToInstruction(CallInst &Call, StringRef Name) {
  IRBuilder<> Builder(&Call);
  Value *New = nullptr;
  if (Value *Register = readRegister(Builder, Name)) {
    New = Builder.CreateZExtOrTrunc(Register, Call.getType());
  } else if (Name.starts_with("llvm.nvvm.ldg.") ||
             Name.starts_with("llvm.nvvm.ldu.")) {
    auto *Alignment = cast<ConstantInt>(Call.getArgOperand(1));
    New = Builder.CreateAlignedLoad(Call.getType(), Call.getArgOperand(0),
                                    MaybeAlign(Alignment->getZExtValue()));
  } else if (Name.starts_with("llvm.nvvm.ptr.") ||
             Name.starts_with("llvm.nvvm.internal.addrspace.wrap")) {
    New = Builder.CreateAddrSpaceCast(Call.getArgOperand(0), Call.getType());
  } else if (Name.starts_with("llvm.fmuladd.") ||
             Name == "llvm.nvvm.fma.rn.d" || Name == "llvm.nvvm.fma.rn.f") {
    // The hardware has a fused instruction for it, and NVPTX uses it.
    New = Builder.CreateIntrinsic(
        Intrinsic::fma, {Call.getType()},
        {Call.getArgOperand(0), Call.getArgOperand(1), Call.getArgOperand(2)});
  } else if (Name.starts_with("llvm.nvvm.atomic.load.inc.32") ||
             Name.starts_with("llvm.nvvm.atomic.load.dec.32")) {
    auto Op = Name.contains("inc") ? AtomicRMWInst::UIncWrap
                                   : AtomicRMWInst::UDecWrap;
    New = Builder.CreateAtomicRMW(Op, Call.getArgOperand(0),
                                  Call.getArgOperand(1), Align(4),
                                  AtomicOrdering::SequentiallyConsistent);
  } else {
    return false;
  }
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
  return true;
}

/// A copy or fill of at most this many bytes is straight-line code on the
/// device (NVPTXLowerAggrCopies.cpp, MaxAggrCopySize).
constexpr uint64_t InlineBytes = 128;

/// Straight-line code for \p Call, in words that its alignments allow.
static void expandInline(MemIntrinsic &Call, uint64_t Bytes) {
  IRBuilder<> Builder(&Call);
  auto *Transfer = dyn_cast<MemTransferInst>(&Call);
  uint64_t Word =
      std::min<uint64_t>(8, Call.getDestAlign().valueOrOne().value());
  if (Transfer)
    Word = std::min(Word, Transfer->getSourceAlign().valueOrOne().value());
  struct Piece {
    uint64_t Offset;
    Value *Word;
  };
  SmallVector<Piece, 16> Pieces;
  auto At = [&](Value *Base, uint64_t Offset) {
    return Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Base,
                                              Offset);
  };
  for (uint64_t Offset = 0; Offset < Bytes; Offset += Word) {
    while (Offset + Word > Bytes)
      Word /= 2;
    Type *T = Builder.getIntNTy(Word * 8);
    if (Transfer) {
      Pieces.push_back({Offset, Builder.CreateAlignedLoad(
                                    T, At(Transfer->getRawSource(), Offset),
                                    Align(Word), Call.isVolatile())});
      continue;
    }
    Value *Byte = Builder.CreateZExt(cast<MemSetInst>(Call).getValue(), T);
    APInt Ones = APInt::getSplat(Word * 8, APInt(8, 1));
    Pieces.push_back(
        {Offset, Builder.CreateMul(Byte, ConstantInt::get(T, Ones))});
  }
  for (const Piece &P : Pieces)
    Builder.CreateAlignedStore(
        P.Word, At(Call.getRawDest(), P.Offset),
        Align(P.Word->getType()->getIntegerBitWidth() / 8), Call.isVolatile());
}

/// Copies and fills of memory are loads and stores on the device, to be counted
/// as such.
static void lowerMemoryIntrinsic(CallInst &Call) {
  auto *Memory = dyn_cast<MemIntrinsic>(&Call);
  if (!Memory)
    return;
  auto IsOwn = [](const Value *Pointer) {
    return isa<AllocaInst>(getUnderlyingObject(Pointer, 32));
  };
  auto *Transfer = dyn_cast<MemTransferInst>(Memory);
  if (IsOwn(Memory->getDest()) && (!Transfer || IsOwn(Transfer->getSource())))
    return;
  TargetTransformInfo TTI(Call.getModule()->getDataLayout());
  auto *Length = dyn_cast<ConstantInt>(Memory->getLength());
  if (Length && Length->getZExtValue() <= InlineBytes)
    expandInline(*Memory, Length->getZExtValue());
  else if (auto *Copy = dyn_cast<MemCpyInst>(Memory))
    expandMemCpyAsLoop(Copy, TTI);
  else if (auto *Move = dyn_cast<MemMoveInst>(Memory))
    expandMemMoveAsLoop(Move, TTI);
  else
    expandMemSetAsLoop(cast<MemSetInst>(Memory));
  Memory->eraseFromParent();
}

/// Gives a local variable of a word or more the alignment of one. Clang's
/// reductions move records as words, whatever their members are, and where a
/// GPU has them on its stack is not known: whether such an access is misaligned
/// there must not depend on where they are on this one's.
static void alignLocal(AllocaInst &Local) {
  constexpr uint64_t Word = 8;
  const std::optional<TypeSize> Size =
      Local.getAllocationSize(Local.getDataLayout());
  if (Size && Size->getFixedValue() >= Word)
    Local.setAlignment(std::max(Local.getAlign(), Align(Word)));
}

// --- Calls -------------------------------------------------------------------

void setBoolExtension(Function &F) {
  if (F.getReturnType()->isIntegerTy(1))
    F.addRetAttr(Attribute::ZExt);
  for (Argument &A : F.args())
    if (A.getType()->isIntegerTy(1))
      F.addParamAttr(A.getArgNo(), Attribute::ZExt);
}

/// Lets every call of \p F call the host's function \p Name.
static Function *redirect(Function &F, StringRef Name) {
  Module &M = *F.getParent();
  Function *Host = M.getFunction(Name);
  if (!Host) {
    Host = Function::Create(F.getFunctionType(), GlobalValue::ExternalLinkage,
                            Name, M);
    setBoolExtension(*Host);
  }
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallInst>(U);
        Call && Call->getCalledOperand() == &F)
      Call->setAttributes(Host->getAttributes());
  F.replaceAllUsesWith(Host);
  F.eraseFromParent();
  return Host;
}

/// What the user calls \p F: a kernel by its function and line.
static std::string nameForUser(const Function &F) {
  StringRef Rest = F.getName();
  // Copies of functions have more behind the name; NVPTX writes no dots.
  if (!Rest.consume_front("__omp_offloading_"))
    return demangle(Rest.split("_$_").first);
  // Two numbers that tell the file, the function, and the line.
  auto [Function, Line] = Rest.split('_').second.split('_').second.rsplit("_l");
  return demangle(Function) + ", line " +
         Line.take_while([](char C) { return llvm::isDigit(C); }).str();
}

std::vector<std::string> unknownCalls(const Translation &T) {
  // By what is called and who calls it, the place of the first call.
  std::map<std::string, std::map<std::string, std::string>> Calls;
  for (const auto &[F, What] : T.UnknownNames) {
    // NVPTX puts it where no thread comes to, behind a trap.
    if (What == "inline assembly 'exit;'")
      continue;
    for (const User *U : F->users())
      if (auto *Call = dyn_cast<Instruction>(U)) {
        std::string &Place = Calls[What][nameForUser(*Call->getFunction())];
        if (const DILocation *Location = Call->getDebugLoc().get();
            Location && Place.empty())
          Place = (" (" + sys::path::filename(Location->getFilename()) + ":" +
                   Twine(Location->getLine()) + ")")
                      .str();
      }
  }
  std::vector<std::string> Sentences;
  for (const auto &[What, Callers] : Calls) {
    std::string Text;
    for (const auto &[Name, Place] : Callers)
      Text += (Text.empty() ? "" : "; ") + Name + Place;
    Sentences.push_back(What + ": called by " + Text);
  }
  return Sentences;
}

void defineUnknown(Function &F, StringRef What, Translation &T) {
  T.Unknown.insert(&F);
  T.UnknownNames.emplace_back(&F, What.str());
  F.setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> Builder(BasicBlock::Create(F.getContext(), "unknown", &F));
  FunctionCallee Report = F.getParent()->getOrInsertFunction(
      "ferry_sim_unknown", Builder.getVoidTy(), Builder.getPtrTy());
  Builder.CreateCall(Report, Builder.CreateGlobalString(What, "ferry.unknown"));
  Builder.CreateUnreachable();
}

void lowerDevice(Module &M, Translation &T) {
  lowerInlineAssembly(M, T);
  // Expanding a copy splits blocks, so the calls are gathered first.
  SmallVector<CallInst *, 64> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        Calls.push_back(Call);
      else if (auto *Local = dyn_cast<AllocaInst>(&I))
        alignLocal(*Local);
  for (CallInst *Call : Calls) {
    const Function *Callee = Call->getCalledFunction();
    if (!Callee)
      continue;
    StringRef Name = Callee->getName();
    if (Name.starts_with("llvm.") && !lowerAsyncCopy(*Call, Name) &&
        !lowerToInstruction(*Call, Name))
      lowerMemoryIntrinsic(*Call);
  }
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || F.getName().starts_with("ferry_sim_"))
      continue;
    StringRef Name = F.getName();
    if (F.use_empty()) {
      F.eraseFromParent();
    } else if (plainFunctions().contains(Name) ||
               engineFunctions().contains(Name)) {
      redirect(F, hostName(Name));
    } else if (Name.starts_with("llvm.nvvm.") || !F.isIntrinsic()) {
      std::string What = Name.str();
      // Without a toolkit the functions of libdevice are left to the simulator.
      if (!F.isIntrinsic() && !Name.starts_with("__nv_"))
        What = demangle(What) + ", which no device code of the program defines";
      defineUnknown(*redirect(F, hostName(Name)), What, T);
    }
  }
}

} // namespace ferry::sim
