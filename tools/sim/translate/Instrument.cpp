//===- Instrument.cpp - The log and the count of instructions -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   loop:
//     %v = load double, ptr %p
//     %w = load double, ptr %q
//     br i1 %uniform, label %loop, label %end
// becomes
//   loop:
//     %last = getelementptr i64, ptr %log, i64 32
//     br i1 (%last < %log.end), label %room, label %full, !prof unlikely
//   full:
//     store ptr %log, ptr %lane.log
//     call void @ferry_sim_log_full()
//     %log.empty = load ptr, ptr %lane.log
//   room:
//     store i64 (%p | 1 << 48), ptr %log.a      ; then the access itself
//     store i64 (%q | 2 << 48), ptr %log.a + 256
//
// The place in the log and the count live in variables of the function, which
// mem2reg turns into registers. They go back to the lane's context around calls
// of functions that use the log too, and at the function's end.
//
//===----------------------------------------------------------------------===//

#include "Translate.h"
#include "costs/Costs.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ferry::sim {
namespace {

/// A word for the log: what goes into it, and before which instruction.
struct Word {
  Instruction *Before;
  Value *Payload;  ///< a pointer, or for a branch an integer; may be null
  uint64_t Offset; ///< bytes from the pointer
  uint64_t Number;
};

class Instrumenter {
public:
  Instrumenter(Function &F, Translation &T)
      : F(F), T(T), M(*F.getParent()), DL(M.getDataLayout()), Costs(F),
        I64(Type::getInt64Ty(M.getContext())),
        Ptr(PointerType::get(M.getContext(), 0)) {}

  void run() {
    // Everything is looked at before anything is inserted.
    SmallVector<BasicBlock *, 32> Blocks;
    SmallVector<uint64_t, 32> Executed;
    SmallVector<Work, 32> Works;
    const size_t FirstBlock = T.CodeBytes.size();
    for (BasicBlock &B : F) {
      Blocks.push_back(&B);
      Executed.push_back(countInstructions(B));
      Works.push_back(Costs.workOf(B));
      T.CodeBytes.push_back(Costs.codeBytes(B));
    }
    T.Costs[&F] = Costs.total();
    Lane = laneContext(F);
    makeVariables();
    for (auto [Index, B] : enumerate(Blocks))
      instrumentBlock(*B, FirstBlock + Index, Executed[Index], Works[Index]);
  }

private:
  Function &F;
  Translation &T;
  Module &M;
  const DataLayout &DL;
  const FunctionCosts Costs;
  Type *I64;
  Type *Ptr;
  Value *Lane = nullptr;
  Value *LogEnd = nullptr;
  Value *Reached = nullptr;
  AllocaInst *Log = nullptr;         ///< where the next word goes
  AllocaInst *Count = nullptr;       ///< instructions of this activation
  AllocaInst *Worked[NumPipes] = {}; ///< the same, by pipe

  // --- What counts ----------------------------------------------------------

  static bool isOurs(const CallInst &Call) {
    const Function *Callee = Call.getCalledFunction();
    return Callee && (Callee->getName() == "ferry_sim_join" ||
                      Callee->getName() == "llvm.frameaddress.p0");
  }

  static uint64_t countInstructions(const BasicBlock &B) {
    uint64_t N = 0;
    for (const Instruction &I : B) {
      if (isa<PHINode, AllocaInst>(I) || I.isDebugOrPseudoInst() ||
          I.isLifetimeStartOrEnd() || isa<AssumeInst>(I) ||
          I.hasMetadata(OwnMark))
        continue;
      auto *Call = dyn_cast<CallInst>(&I);
      N += !(Call && isOurs(*Call));
    }
    return N;
  }

  Value *field(IRBuilder<> &Builder, size_t Offset) {
    return Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Lane,
                                              Offset);
  }

  void makeVariables() {
    auto *After = cast<Instruction>(Lane)->getNextNode();
    IRBuilder<> Builder(After);
    Builder.SetCurrentDebugLocation(DebugLoc());
    Log = Builder.CreateAlloca(Ptr, nullptr, "log");
    Count = Builder.CreateAlloca(I64, nullptr, "count");
    Builder.CreateStore(Builder.getInt64(0), Count);
    for (AllocaInst *&W : Worked) {
      W = Builder.CreateAlloca(I64, nullptr, "work");
      Builder.CreateStore(Builder.getInt64(0), W);
    }
    LogEnd = Builder.CreateLoad(
        Ptr, field(Builder, offsetof(LaneContext, LogEnd)), "log.end");
    Reached = Builder.CreateLoad(
        Ptr, field(Builder, offsetof(LaneContext, Reached)), "reached");
    reload(Builder);
  }

  void save(IRBuilder<> &Builder) {
    Builder.CreateStore(Builder.CreateLoad(Ptr, Log),
                        field(Builder, offsetof(LaneContext, Log)));
  }

  void reload(IRBuilder<> &Builder) {
    Builder.CreateStore(
        Builder.CreateLoad(Ptr, field(Builder, offsetof(LaneContext, Log))),
        Log);
  }

  // --- What is logged -------------------------------------------------------

  /// The object that \p Pointer points into, if it is of no interest: memory of
  /// the lane's own, parameters and constants, which have caches apart.
  bool isSilent(const Value *Pointer) const {
    const Value *Object = getUnderlyingObject(Pointer, 32);
    if (isa<AllocaInst>(Object) || Object == Lane)
      return true;
    unsigned Space = Pointer->getType()->getPointerAddressSpace();
    if (Space == 4 || Space == 5 || Space == 101)
      return true;
    auto *Global = dyn_cast<GlobalVariable>(Object);
    return Global && Global->getAddressSpace() == 4;
  }

  /// An entry of the table for an access of \p Size bytes at \p Pointer, or for
  /// what is no access.
  uint64_t addEntry(const Instruction &I, InstructionKind Kind,
                    uint64_t Size = 0, const Value *Pointer = nullptr) {
    TableEntry Entry{};
    Entry.Kind = Kind;
    if (Pointer) {
      Entry.Size = Entry.Align = Size;
      auto *Global = dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer, 32));
      Entry.Runtime = Global && T.RuntimeState.contains(Global);
    }
    if (I.isVolatile() || (I.isAtomic() && Kind != InstructionKind::Atomic))
      Entry.Flags |= Volatile;
    Entry.Flags |= Costs.epochFlags(I);
    Entry.Function = F.getName();
    if (const DILocation *Location = I.getDebugLoc().get()) {
      Entry.Line = Location->getLine();
      Entry.Column = Location->getColumn();
      Entry.File = Location->getFilename();
      if (const DISubprogram *Program = Location->getScope()->getSubprogram())
        if (!Program->getLinkageName().empty())
          Entry.Function = Program->getLinkageName();
    }
    T.Instructions.push_back(std::move(Entry));
    return T.Instructions.size() - 1;
  }

  /// The entries of an asynchronous copy, whose words the engine writes.
  uint64_t addCopy(const CallInst &Copy) {
    const Value *To = Copy.getArgOperand(0), *From = Copy.getArgOperand(1);
    const unsigned Size =
        cast<ConstantInt>(Copy.getArgOperand(2))->getZExtValue();
    const bool Whole = Copy.getArgOperand(3) == Copy.getArgOperand(2);
    const uint64_t Number =
        addEntry(Copy, InstructionKind::Load, Whole ? Size : 1, From);
    T.Instructions.back().Flags |= AsyncLoad;
    addEntry(Copy, InstructionKind::Store, Size, To);
    T.Instructions.back().Flags |= AsyncStore;
    addEntry(Copy, InstructionKind::Arrival, Size, To);
    return Number;
  }

  /// The words of an access that NVPTX does in pieces: of what the alignment
  /// allows, of at most 8 bytes, and 16 if it is a vector; the rest of a size
  /// that is no power of two in smaller ones.
  SmallVector<Word, 1> piecesOf(Instruction &I, InstructionKind Kind,
                                Value *Pointer, Type *Accessed,
                                Align Alignment) {
    SmallVector<Word, 1> Words;
    if (isSilent(Pointer))
      return Words;
    const uint64_t Size = DL.getTypeStoreSize(Accessed);
    uint64_t Piece =
        std::min<uint64_t>(Alignment.value(), Accessed->isVectorTy() ? 16 : 8);
    for (uint64_t Offset = 0, Last = 0; Offset < Size; Offset += Piece) {
      while (Offset + Piece > Size)
        Piece /= 2;
      // The pieces behind the first are under way with it.
      const bool New = Piece != std::exchange(Last, Piece);
      if (New || (Offset && T.Instructions.back().Flags & BeginsEpoch)) {
        addEntry(I, Kind, Piece, Pointer);
        if (Offset)
          T.Instructions.back().Flags &= ~unsigned(BeginsEpoch);
      }
      Words.push_back({&I, Pointer, Offset, T.Instructions.size() - 1});
    }
    // What a whole access needs not, the program may have promised.
    if (Words.size() == 1)
      T.Instructions.back().Align = std::min<uint64_t>(Alignment.value(), 128);
    return Words;
  }

  /// The words that \p I writes.
  SmallVector<Word, 1> wordsOf(Instruction &I) {
    auto Access = [&](InstructionKind Kind, Value *Pointer, Type *Accessed,
                      Align Alignment) {
      return piecesOf(I, Kind, Pointer, Accessed, Alignment);
    };
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Access(InstructionKind::Load, Load->getPointerOperand(),
                    Load->getType(), Load->getAlign());
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return Access(InstructionKind::Store, Store->getPointerOperand(),
                    Store->getValueOperand()->getType(), Store->getAlign());
    if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
      return Access(InstructionKind::Atomic, RMW->getPointerOperand(),
                    RMW->getType(), RMW->getAlign());
    if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      return Access(InstructionKind::Atomic, Exchange->getPointerOperand(),
                    Exchange->getNewValOperand()->getType(),
                    Exchange->getAlign());
    if (!T.DivergentBranches.contains(&I))
      return {};
    Value *Direction = nullptr;
    if (auto *Branch = dyn_cast<BranchInst>(&I))
      Direction = Branch->getCondition();
    else if (auto *Switch = dyn_cast<SwitchInst>(&I))
      Direction = Switch->getCondition();
    return {Word{&I, Direction, 0, addEntry(I, InstructionKind::Branch)}};
  }

  /// Whether the log is used by what \p I calls.
  static bool usesLog(const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return false;
    const Function *Callee = Call->getCalledFunction();
    return !Callee || !isPlainHostFunction(*Callee);
  }

  // --- Emission -------------------------------------------------------------

  void instrumentBlock(BasicBlock &B, size_t Number, uint64_t Executed,
                       const Work &Worked) {
    SmallVector<Instruction *, 64> Original;
    for (Instruction &I : B)
      Original.push_back(&I);
    noteReached(B, Number);
    addToCount(B, Executed, Worked);
    SmallVector<Word, MaxWordsAtOnce> Group;
    for (Instruction *I : Original) {
      if (isa<PHINode>(I) || I->isDebugOrPseudoInst())
        continue;
      const SmallVector<Word, 1> Words = wordsOf(*I);
      if (!Words.empty()) {
        const TableEntry &Entry = T.Instructions.back();
        if (Entry.Flags & Volatile || Entry.Kind == InstructionKind::Atomic) {
          emit(Group);
          callEngine(*I, "ferry_sim_spin", Words.back().Number);
        } else if (Entry.Runtime) {
          emit(Group);
          callEngine(*I, "ferry_sim_step");
        }
      }
      for (const Word &W : Words) {
        Group.push_back(W);
        if (Group.size() == MaxWordsAtOnce)
          emit(Group);
      }
      if (usesLog(*I)) {
        emit(Group);
        noteSite(*I);
        tellWork(*I);
        aroundCall(*I);
      }
      if (isa<ReturnInst>(I)) {
        emit(Group);
        atReturn(*I);
      }
    }
    emit(Group);
  }

  /// The place in \p B behind the variables of the function, which stand in its
  /// entry block.
  Instruction *beginOf(BasicBlock &B) const {
    return &B == &F.getEntryBlock() ? cast<Instruction>(Reached)->getNextNode()
                                    : &*B.getFirstNonPHIOrDbgOrAlloca();
  }

  void noteReached(BasicBlock &B, size_t Number) {
    if (!T.CodeBytes[Number])
      return;
    IRBuilder<> Builder(beginOf(B));
    Builder.SetCurrentDebugLocation(DebugLoc());
    Builder.CreateStore(Builder.getInt8(1),
                        Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(),
                                                           Reached, Number));
  }

  void addToCount(BasicBlock &B, uint64_t Executed, const Work &ByPipe) {
    IRBuilder<> Builder(beginOf(B));
    Builder.SetCurrentDebugLocation(DebugLoc());
    auto Add = [&](AllocaInst *Sum, uint64_t Number) {
      if (Number)
        Builder.CreateStore(Builder.CreateAdd(Builder.CreateLoad(I64, Sum),
                                              Builder.getInt64(Number)),
                            Sum);
    };
    Add(Count, Executed);
    for (unsigned P = 0; P < NumPipes; ++P)
      Add(Worked[P], ByPipe[P]);
  }

  void callEngine(Instruction &Before, StringRef Name,
                  std::optional<uint32_t> Number = std::nullopt) {
    IRBuilder<> Builder(&Before);
    Builder.SetCurrentDebugLocation(DebugLoc());
    SmallVector<Value *, 1> Arguments;
    SmallVector<Type *, 1> Types;
    if (Number) {
      Arguments.push_back(Builder.getInt32(*Number));
      Types.push_back(Builder.getInt32Ty());
    }
    FunctionCallee Callee = M.getOrInsertFunction(
        Name, FunctionType::get(Builder.getVoidTy(), Types, false));
    aroundCall(*Builder.CreateCall(Callee, Arguments));
  }

  /// Tells the engine where it is called, for its reports.
  void noteSite(Instruction &I) {
    const Function *Callee = cast<CallBase>(I).getCalledFunction();
    if (!Callee || !Callee->getName().starts_with("ferry_sim_") ||
        isOurs(*cast<CallInst>(&I)))
      return;
    uint64_t Number = Callee->getName() == CopyFunction
                          ? addCopy(cast<CallInst>(I))
                          : addEntry(I, InstructionKind::Sync);
    IRBuilder<> Builder(&I);
    Builder.SetCurrentDebugLocation(DebugLoc());
    Builder.CreateStore(Builder.getInt32(Number),
                        field(Builder, offsetof(LaneContext, Site)));
  }

  void aroundCall(Instruction &Call) {
    IRBuilder<> Builder(&Call);
    Builder.SetCurrentDebugLocation(DebugLoc());
    save(Builder);
    if (auto *Next = Call.getNextNode()) {
      Builder.SetInsertPoint(Next);
      Builder.SetCurrentDebugLocation(DebugLoc());
      reload(Builder);
    }
  }

  /// Adds \p Sum to a member of the lane's context.
  void addToField(IRBuilder<> &Builder, size_t Offset, AllocaInst *Sum) {
    Value *Total = field(Builder, Offset);
    Builder.CreateStore(Builder.CreateAdd(Builder.CreateLoad(I64, Total),
                                          Builder.CreateLoad(I64, Sum)),
                        Total);
  }

  /// Before a call behind which a barrier may be: there the engine asks what
  /// has been done so far.
  void tellWork(Instruction &Before) {
    IRBuilder<> Builder(&Before);
    Builder.SetCurrentDebugLocation(DebugLoc());
    for (unsigned P = 0; P < NumPipes; ++P) {
      addToField(Builder, offsetof(LaneContext, Work) + P * sizeof(uint64_t),
                 Worked[P]);
      Builder.CreateStore(Builder.getInt64(0), Worked[P]);
    }
  }

  void atReturn(Instruction &Return) {
    IRBuilder<> Builder(&Return);
    Builder.SetCurrentDebugLocation(DebugLoc());
    save(Builder);
    addToField(Builder, offsetof(LaneContext, Instructions), Count);
    for (unsigned P = 0; P < NumPipes; ++P)
      addToField(Builder, offsetof(LaneContext, Work) + P * sizeof(uint64_t),
                 Worked[P]);
  }

  /// Makes room for the words of \p Group before the first of them, and writes
  /// each before its instruction.
  void emit(SmallVectorImpl<Word> &Group) {
    if (Group.empty())
      return;
    IRBuilder<> Builder(Group.front().Before);
    Builder.SetCurrentDebugLocation(DebugLoc());
    Value *Begin = Builder.CreateLoad(Ptr, Log);
    Value *Last =
        Builder.CreateConstGEP1_64(I64, Begin, (Group.size() - 1) * WarpSize);
    Value *Full = Builder.CreateICmpUGE(Last, LogEnd);
    Instruction *Then = SplitBlockAndInsertIfThen(
        Full, Group.front().Before->getIterator(), /*Unreachable=*/false,
        MDBuilder(M.getContext()).createUnlikelyBranchWeights());
    callEngine(*Then, "ferry_sim_log_full");
    Builder.SetInsertPoint(Group.front().Before);
    Builder.SetCurrentDebugLocation(DebugLoc());
    Value *Place = Builder.CreateLoad(Ptr, Log);
    for (auto [Index, W] : enumerate(Group)) {
      Builder.SetInsertPoint(W.Before);
      Builder.SetCurrentDebugLocation(DebugLoc());
      Value *Slot = Builder.CreateConstGEP1_64(I64, Place, Index * WarpSize);
      Value *Number = Builder.getInt64(W.Number << LogShift);
      Value *Payload = Number;
      if (W.Payload && W.Payload->getType()->isPointerTy()) {
        Value *Address = Builder.CreatePtrToInt(W.Payload, I64);
        if (W.Offset)
          Address = Builder.CreateAdd(Address, Builder.getInt64(W.Offset));
        Payload = Builder.CreateOr(Address, Number);
      } else if (W.Payload) {
        Payload = Builder.CreateOr(
            Builder.CreateAnd(Builder.CreateZExtOrTrunc(W.Payload, I64),
                              Builder.getInt64(LogAddressMask)),
            Number);
      }
      Builder.CreateStore(Payload, Slot);
    }
    Builder.CreateStore(
        Builder.CreateConstGEP1_64(I64, Place, Group.size() * WarpSize), Log);
    Group.clear();
  }
};

} // namespace

Error instrument(Module &M, Translation &T) {
  T.Instructions.resize(1);
  for (Function &F : M)
    if (!F.isDeclaration() && !T.Unknown.contains(&F))
      Instrumenter(F, T).run();
  if (T.Instructions.size() > MaxInstructions)
    return createStringError(
        "the device code has " + Twine(T.Instructions.size() - 1) +
        " memory accesses and divergent branches; the simulator can tell " +
        Twine(MaxInstructions - 1) +
        " apart: split the program into shared libraries");
  return Error::success();
}

} // namespace ferry::sim
