//===- RowEmitter.cpp - Stages rows of memory, warp by warp ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a warp go freely through the region, up to the loop that
// reads. There they meet, and those that have left the region meet them, too.
// Together they copy a tile of the rows that are wanted, then each goes on
// along its own:
//
//   entry:                          entry:
//     br %c, %pre, %exit              br %all
//                                   all:                 ; some not done?
//                                     br any(!%done), %go, %exit
//                                   go:                  ; where it was
//                                     done: %meet, first time: %start,
//                                     else %after
//                                   start:
//                                     br %c, %pre, %leave   ; done = true
//   pre:                            pre:                    ; want = row
//     br %loop                        br %meet
//   loop:                           meet:                ; staging pays, and
//     %a = load ptr %row.k            br %ok, %tile, %own    ; is correct?
//     ...                           tile:                ; something left?
//     br %more, %loop, %after         br any(%left), %copy, %all
//   after:                          copy:                ; all threads
//     ...                             call @__ferry_stage_rows8(...)
//     br %exit                        call @__ferry_stage_meet()
//   exit:                             br %left, %loop, %tile
//                                   loop:                ; to the tile's end
//                                     %a = load ptr addrspace(3) %tile.k
//                                     br %in.tile, %loop, %tile
//                                   own:                 ; the loop as it was
//
// No thread reads what the program would not have it read: a row is copied from
// its first to its last byte, by other threads of the warp. What it held when
// the warp met is what the thread would have read later: only stores of its own
// within the loop could change it (another thread's would be a data race,
// OpenMP 5.2, section 1.4.1), and for these a check at run time takes the loop
// as it was. docs/staging.md has the whole argument.
//
// Values that live across these blocks go through memory while the edges are
// moved, and come back from it by LLVM's mem2reg.
//
// Requires: loops in simplified form. Refuses nothing; see StageAnalysis.
//
// Source of the idea: the meeting of all threads, with done threads taking
// part, is Ferry's own. Padded tiles are what the CUDA C++ Best Practices Guide
// recommends ("Shared Memory in Matrix Multiplication").
//
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"
#include "StageAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ferry {

namespace {

/// What a thread says of itself when it comes to a unit; in memory until the
/// end.
struct StreamSlots {
  AllocaInst *Row;  ///< i64, address of the first step
  AllocaInst *Step; ///< i64, bytes
  /// i1, whether the first, the last iteration reads nothing; or null
  AllocaInst *NoFirst, *NoLast;
};

/// One unit and its blocks.
struct EmittedUnit {
  const UnitPlan *Plan;
  BasicBlock *Before = nullptr;     ///< ends where the unit begins
  BasicBlock *StagedHead = nullptr; ///< the unit, reading tiles
  BasicBlock *OwnHead = nullptr;    ///< the unit as it was
  BasicBlock *After = nullptr;
  BasicBlock *Meet = nullptr;
  SmallVector<StreamSlots, 4> Streams;
  AllocaInst *Trips = nullptr, *Skew = nullptr, *Bad = nullptr;
  AllocaInst *Column = nullptr, *End = nullptr;
  bool MayBeBad = true;
  SmallVector<AllocaInst *, 4> TileRow; ///< ptr addrspace(3), the thread's own
};

/// What a warp agrees on when it meets for a unit.
struct Agreement {
  Value *Wanted; ///< the thread's own: whether it wants this unit
  Value *Ok;     ///< stage, or let everybody do as it was
  /// Whether the rows are as many as Rows, equally far apart, and of Count
  /// steps.
  Value *Regular, *Rows, *Count;
  SmallVector<Value *, 4> Row0, Stride, Step; ///< of each stream
  /// i64, how many steps at the ends of a common stream no thread reads: 0
  /// or 1.
  SmallVector<Value *, 4> CutFirst, CutLast;
  Value *SkewStep;
  Value *MaxTrips; ///< of the warp
  Value *Skewed;   ///< whether a thread's tiles begin before its row
};

class Emitter {
public:
  Emitter(Function &F, const StagePlan &Plan, SharedBuffer &Buffer,
          DominatorTree &DT, LoopInfo &LI, ScalarEvolution &SE)
      : F(F), M(*F.getParent()), Plan(Plan), Buffer(Buffer), DT(DT), LI(LI),
        SE(SE), I1(Type::getInt1Ty(F.getContext())),
        I32(Type::getInt32Ty(F.getContext())),
        I64(Type::getInt64Ty(F.getContext())),
        Shared(PointerType::get(F.getContext(), 3)),
        Region(Plan.Region.Blocks.begin(), Plan.Region.Blocks.end()) {}

  void run();

private:
  Function &F;
  Module &M;
  const StagePlan &Plan;
  SharedBuffer &Buffer;
  DominatorTree &DT;
  LoopInfo &LI;
  ScalarEvolution &SE;
  Type *I1, *I32, *I64, *Shared;
  SetVector<BasicBlock *> Region;
  std::vector<EmittedUnit> Units;
  SmallVector<AllocaInst *, 32> Slots;
  AllocaInst *Done, *Place, *Want; ///< i1; i32: 0 start, n after unit n; i32

  BasicBlock *Start, *All, *Go, *Resume, *Leave, *FirstMeet;

  //--- helpers
  AllocaInst *slot(Type *Ty, const Twine &Name) {
    IRBuilder<> B(&*F.getEntryBlock().begin());
    AllocaInst *A = B.CreateAlloca(Ty, nullptr, Name);
    Slots.push_back(A);
    return A;
  }
  BasicBlock *block(const Twine &Name) {
    return BasicBlock::Create(F.getContext(), "ferry." + Name, &F);
  }
  Value *call(IRBuilder<> &B, StringRef Name, Type *Result,
              ArrayRef<Value *> Args) {
    SmallVector<Type *, 10> Types;
    for (Value *A : Args)
      Types.push_back(A->getType());
    FunctionCallee Callee =
        M.getOrInsertFunction(("__ferry_stage_" + Name).str(),
                              FunctionType::get(Result, Types, false));
    CallInst *Call = B.CreateCall(Callee, Args);
    Call->setConvergent();
    return Call;
  }
  Value *any(IRBuilder<> &B, Value *Condition) {
    return call(B, "any", I1, Condition);
  }
  static void redirect(BasicBlock *From, BasicBlock *Old, BasicBlock *New) {
    From->getTerminator()->replaceSuccessorWith(Old, New);
  }

  //--- before memory is used
  void prepareLoop(EmittedUnit &U);
  void prepareLine(EmittedUnit &U);
  void describe(EmittedUnit &U, BasicBlock::iterator At);
  Value *conflict(IRBuilder<> &B, EmittedUnit &U, SCEVExpander &Expander,
                  ArrayRef<Value *> Rows, ArrayRef<Value *> Steps,
                  Value *Trips);
  void demote();

  //--- edges
  void emitDispatch();
  void emitUnit(EmittedUnit &U, unsigned Number, BasicBlock *Next);
  Agreement agree(IRBuilder<> &B, EmittedUnit &U, Value *Wanted);
  void copyTile(IRBuilder<> &B, EmittedUnit &U, const Agreement &A, Value *Tile,
                Value *First, Value *End);
  Value *warpShare(IRBuilder<> &B, EmittedUnit &U);
  Value *constantStep(IRBuilder<> &B, EmittedUnit &U, unsigned I);
  Value *skewStep(IRBuilder<> &B, EmittedUnit &U, Value *Step);
  void setTileRows(IRBuilder<> &B, EmittedUnit &U, Value *First);
  SmallVector<BasicBlock *, 8> cloneBlocks(Loop &L, const char *Suffix,
                                           ValueToValueMapTy &Map);
  void replaceLoads(EmittedUnit &U);
  void promote();
};

} // namespace

//===----------------------------------------------------------------------===//
// What a thread publishes
//===----------------------------------------------------------------------===//

/// Whether a store at \p Address, in steps as long as those of \p S, writes
/// between what the thread reads at \p Row, always to the same fields of
/// records.
static Value *writesOtherFields(IRBuilder<> &B, const OwnStore &Store,
                                Value *Address, const Stream &S, Value *Row) {
  if (Store.Step <= 0 || S.ConstantStep != static_cast<uint64_t>(Store.Step))
    return B.getFalse();
  Value *Step = B.getInt64(Store.Step);
  Value *Distance = B.CreateSRem(B.CreateSub(Address, Row), Step);
  Value *Begin = B.CreateSelect(B.CreateICmpSLT(Distance, B.getInt64(0)),
                                B.CreateAdd(Distance, Step), Distance);
  Value *End = B.CreateAdd(Begin, B.getInt64(Store.Size));
  Value *Apart = B.getTrue();
  for (const StreamLoad &L : S.Loads) {
    uint64_t LoadEnd =
        L.Offset + L.Load->getDataLayout().getTypeStoreSize(L.Load->getType());
    // In front of the load, or behind it and in front of the next step's.
    Value *Before = B.CreateICmpULE(End, B.getInt64(L.Offset));
    Value *After =
        B.CreateAnd(B.CreateICmpUGE(Begin, B.getInt64(LoadEnd)),
                    B.CreateICmpULE(End, B.getInt64(L.Offset + Store.Step)));
    Apart = B.CreateAnd(Apart, B.CreateOr(Before, After));
  }
  return Apart;
}

/// Whether a store of the loop may change what the thread reads in it.
Value *Emitter::conflict(IRBuilder<> &B, EmittedUnit &U, SCEVExpander &Expander,
                         ArrayRef<Value *> Rows, ArrayRef<Value *> Steps,
                         Value *Trips) {
  const StageUnit &Unit = U.Plan->Unit;
  Value *Last = B.CreateSub(Trips, B.getInt64(1));
  Value *Found = B.getFalse();
  for (const OwnStore &S : Unit.Stores) {
    Value *Address = B.CreatePtrToInt(
        Expander.expandCodeFor(S.Start, nullptr, B.GetInsertPoint()), I64);
    Value *Far = B.CreateAdd(Address, B.CreateMul(Last, B.getInt64(S.Step)));
    Value *Low = S.Step < 0 ? Far : Address;
    Value *High = B.CreateAdd(S.Step < 0 ? Address : Far, B.getInt64(S.Size));
    for (auto [I, Stream] : enumerate(Unit.Streams)) {
      Value *RowEnd =
          B.CreateAdd(B.CreateAdd(Rows[I], B.CreateMul(Last, Steps[I])),
                      B.getInt64(Stream.Window));
      Value *Overlap = B.CreateAnd(B.CreateICmpULT(Low, RowEnd),
                                   B.CreateICmpULT(Rows[I], High));
      Found = B.CreateOr(
          Found, B.CreateAnd(Overlap, B.CreateNot(writesOtherFields(
                                          B, S, Address, Stream, Rows[I]))));
    }
  }
  for (auto [I, Stream] : enumerate(Unit.Streams)) {
    // Backwards, or steps that are too long to be of use.
    if (!Stream.ConstantStep && !Unit.isLine()) {
      Found = B.CreateOr(Found, B.CreateICmpSLE(Steps[I], B.getInt64(0)));
      if (U.Plan->CheckProfit)
        Found = B.CreateOr(
            Found, B.CreateICmpSGT(Steps[I], B.getInt64(2 * Stream.Window)));
    }
    if (!Stream.Global)
      Found = B.CreateOr(Found, B.CreateNot(B.CreateIntrinsic(
                                    Intrinsic::nvvm_isspacep_global, {},
                                    B.CreateIntToPtr(Rows[I], B.getPtrTy()))));
  }
  return Found;
}

/// Writes what the thread wants of \p U to its slots.
void Emitter::describe(EmittedUnit &U, BasicBlock::iterator At) {
  const StageUnit &Unit = U.Plan->Unit;
  SCEVExpander Expander(SE, F.getDataLayout(), "ferry");
  IRBuilder<> B(At->getParent(), At);
  SmallVector<Value *, 4> Rows, Steps;
  for (const Stream &S : Unit.Streams) {
    Value *Start, *Step = B.getInt64(0);
    if (Unit.isLine()) {
      const StreamLoad &First = S.Loads[0];
      Start = B.CreatePtrAdd(First.Load->getPointerOperand(),
                             B.getInt64(-static_cast<int64_t>(First.Offset)));
    } else {
      Start = Expander.expandCodeFor(S.Start, nullptr, At);
      if (S.StartOfSecond)
        Start = B.CreateSelect(
            B.CreateIsNull(Expander.expandCodeFor(S.Skipped, nullptr, At)),
            Expander.expandCodeFor(S.StartOfSecond, nullptr, At), Start);
      Step = Expander.expandCodeFor(S.Step, I64, At);
    }
    Rows.push_back(B.CreatePtrToInt(Start, I64));
    Steps.push_back(Step);
  }
  Value *Trips = Expander.expandCodeFor(Unit.Trips, I64, At);
  Value *Bad = conflict(B, U, Expander, Rows, Steps, Trips);
  for (auto [Condition, Expected] : Unit.Guards)
    Bad = B.CreateOr(Bad, B.CreateICmpNE(Condition, B.getInt1(Expected)));
  Value *Skew = B.getInt32(0);
  if (Unit.isWhole()) {
    Bad = B.CreateOr(Bad, B.CreateICmpUGT(Trips, B.getInt64(U.Plan->Steps)));
  } else {
    Value *Step = skewStep(B, U, Steps[0]);
    Skew = call(B, "skew", I32, {Rows[0], Step});
  }
  for (unsigned I = 0; I < Rows.size(); ++I) {
    B.CreateStore(Rows[I], U.Streams[I].Row);
    B.CreateStore(Steps[I], U.Streams[I].Step);
  }
  for (auto [I, S] : enumerate(Unit.Streams))
    if (S.Skipped) {
      // What lies between two addresses that are read can be read; what is
      // before the first or behind the last one perhaps cannot.
      Value *Skipped = Expander.expandCodeFor(S.Skipped, nullptr, At);
      Value *Last = B.CreateZExtOrTrunc(B.CreateSub(Trips, B.getInt64(1)),
                                        Skipped->getType());
      B.CreateStore(B.CreateIsNull(Skipped), U.Streams[I].NoFirst);
      B.CreateStore(B.CreateICmpEQ(Skipped, Last), U.Streams[I].NoLast);
    }
  B.CreateStore(Trips, U.Trips);
  B.CreateStore(Skew, U.Skew);
  B.CreateStore(Bad, U.Bad);
  U.MayBeBad = !isa<Constant>(Bad);
}

//===----------------------------------------------------------------------===//
// The unit and its other version
//===----------------------------------------------------------------------===//

static void markLoads(BasicBlock &B) {
  for (Instruction &I : B)
    if (auto *Load = dyn_cast<LoadInst>(&I))
      markStaged(*Load);
}

void Emitter::prepareLoop(EmittedUnit &U) {
  Loop &L = *U.Plan->Unit.Outer;
  U.Before = L.getLoopPreheader();
  U.StagedHead = L.getHeader();
  U.After = L.getUniqueExitBlock();
  if (!Region.contains(U.After)) {
    // The region ends with the loop: what comes after needs a place in it.
    U.After = SplitBlockPredecessors(
        U.After,
        to_vector(
            make_filter_range(predecessors(U.After),
                              [&](BasicBlock *B) { return L.contains(B); })),
        ".after", &DT, &LI, nullptr, /*PreserveLCSSA=*/true);
    Region.insert(U.After);
  }
  describe(U, U.Before->getTerminator()->getIterator());

  for (BasicBlock *B : L.blocks())
    markLoads(*B);
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 8> Own = cloneBlocks(L, ".own", Map);
  U.OwnHead = cast<BasicBlock>(Map[U.StagedHead]);
  for (PHINode &Phi : U.After->phis())
    for (BasicBlock *B : L.blocks()) {
      int From = Phi.getBasicBlockIndex(B);
      if (From < 0)
        continue;
      Value *V = Phi.getIncomingValue(From);
      auto Mapped = Map.find(V);
      Phi.addIncoming(Mapped == Map.end() ? V : &*Mapped->second,
                      cast<BasicBlock>(Map[B]));
    }
  // Both are reached, until the edges are moved.
  Instruction *Old = U.Before->getTerminator();
  IRBuilder<>(Old).CreateCondBr(ConstantInt::getTrue(F.getContext()),
                                U.StagedHead, U.OwnHead);
  Old->eraseFromParent();
  Region.insert(Own.begin(), Own.end());
  replaceLoads(U);
}

/// Copies of the blocks of \p L, with edges to each other in place of the
/// loop's.
SmallVector<BasicBlock *, 8> Emitter::cloneBlocks(Loop &L, const char *Suffix,
                                                  ValueToValueMapTy &Map) {
  SmallVector<BasicBlock *, 8> Clones;
  for (BasicBlock *B : L.blocks()) {
    BasicBlock *Clone = CloneBasicBlock(B, Map, Suffix, &F);
    Map[B] = Clone;
    Clones.push_back(Clone);
  }
  remapInstructionsInBlocks(Clones, Map);
  return Clones;
}

/// The loads of a line come all at its first, from memory or from the tile.
void Emitter::prepareLine(EmittedUnit &U) {
  const Stream &S = U.Plan->Unit.Streams[0];
  Instruction *First = S.Loads[0].Load;
  U.Before = First->getParent();
  describe(U, First->getIterator());
  U.After = SplitBlock(U.Before, First, &DT, &LI);
  U.StagedHead = block("record");
  U.OwnHead = block("record.own");
  Region.insert(U.After);
  Region.insert(U.StagedHead);
  Region.insert(U.OwnHead);
  IRBuilder<> Before(U.Before->getTerminator());
  Before.CreateCondBr(Before.getTrue(), U.StagedHead, U.OwnHead);
  Before.GetInsertPoint()->eraseFromParent();
  IRBuilder<> Staged(U.StagedHead), Own(U.OwnHead);
  Value *Row = Own.CreateIntToPtr(Own.CreateLoad(I64, U.Streams[0].Row),
                                  First->getOperand(0)->getType());
  Value *Tile = Staged.CreateLoad(Shared, U.TileRow[0]);
  for (const StreamLoad &L : S.Loads) {
    auto *FromMemory = cast<LoadInst>(L.Load->clone());
    FromMemory->setOperand(0, Own.CreatePtrAdd(Row, Own.getInt64(L.Offset)));
    markStaged(*FromMemory);
    Own.Insert(FromMemory);
    Value *FromTile = Staged.CreateAlignedLoad(
        L.Load->getType(), Staged.CreatePtrAdd(Tile, Staged.getInt32(L.Offset)),
        commonAlignment(Align(S.Word), L.Offset));
    IRBuilder<> After(&U.After->front());
    PHINode *Phi = After.CreatePHI(L.Load->getType(), 2);
    Phi->addIncoming(FromTile, U.StagedHead);
    Phi->addIncoming(FromMemory, U.OwnHead);
    L.Load->replaceAllUsesWith(Phi);
    L.Load->eraseFromParent();
  }
  Staged.CreateBr(U.After);
  Own.CreateBr(U.After);
}

void Emitter::replaceLoads(EmittedUnit &U) {
  const StageUnit &Unit = U.Plan->Unit;
  Loop &L = *Unit.Walk;
  // The column counts the steps since the tile, or the walk, began.
  if (Unit.isWhole()) {
    IRBuilder<> B(L.getLoopPreheader()->getTerminator());
    B.CreateStore(B.getInt64(0), U.Column);
  }
  for (auto [I, S] : enumerate(Unit.Streams))
    for (const StreamLoad &Read : S.Loads) {
      IRBuilder<> B(Read.Load);
      Value *Step = B.CreateMul(B.CreateLoad(I64, U.Column),
                                B.getInt64(S.wordsPerStep() * S.Word), "",
                                /*HasNUW=*/true, /*HasNSW=*/true);
      Value *Pointer = B.CreatePtrAdd(
          B.CreatePtrAdd(B.CreateLoad(Shared, U.TileRow[I]), Step),
          B.getInt64(Read.Offset));
      auto *New =
          B.CreateAlignedLoad(Read.Load->getType(), Pointer, Align(S.Word));
      New->setDebugLoc(Read.Load->getDebugLoc());
      markStaged(*New);
      Read.Load->replaceAllUsesWith(New);
      Read.Load->eraseFromParent();
    }
  IRBuilder<> B(L.getLoopLatch()->getTerminator());
  B.CreateStore(B.CreateAdd(B.CreateLoad(I64, U.Column), B.getInt64(1), "",
                            /*HasNUW=*/true, /*HasNSW=*/true),
                U.Column);
}

//===----------------------------------------------------------------------===//
// Through memory and back
//===----------------------------------------------------------------------===//

/// Puts every value of the region that another block uses into memory.
void Emitter::demote() {
  auto At = F.getEntryBlock().begin();
  SmallVector<PHINode *, 16> Phis;
  for (BasicBlock *B : Region)
    for (PHINode &Phi : B->phis())
      Phis.push_back(&Phi);
  for (PHINode &Phi : Plan.Region.Exit->phis())
    Phis.push_back(&Phi);
  for (PHINode *Phi : Phis)
    if (AllocaInst *A = DemotePHIToStack(Phi, At))
      Slots.push_back(A);
  SmallVector<Instruction *, 32> Values;
  for (BasicBlock *B : Region)
    for (Instruction &I : *B)
      if (any_of(I.users(), [&](const User *U) {
            return cast<Instruction>(U)->getParent() != B;
          }))
        Values.push_back(&I);
  for (Instruction *I : Values)
    if (AllocaInst *A = DemoteRegToStack(*I, false, At))
      Slots.push_back(A);
}

void Emitter::promote() {
  removeUnreachableBlocks(F);
  DominatorTree NewDT(F);
  SmallVector<AllocaInst *, 32> Ready;
  for (AllocaInst *A : Slots)
    if (isAllocaPromotable(A))
      Ready.push_back(A);
  assert(Ready.size() == Slots.size() && "slots are only loaded and stored");
  PromoteMemToReg(Ready, NewDT);
}

//===----------------------------------------------------------------------===//
// The meeting
//===----------------------------------------------------------------------===//

/// The blocks that every thread passes between two meetings.
void Emitter::emitDispatch() {
  BasicBlock *Entry = Plan.Region.Entry, *Exit = Plan.Region.Exit;
  All = block("all");
  Go = block("go");
  Leave = block("leave");
  BasicBlock *Out = block("out");

  IRBuilder<> B(Entry->getTerminator());
  B.CreateStore(B.getFalse(), Done);
  B.CreateStore(B.getInt32(0), Place);
  redirect(Entry, Start, All);

  B.SetInsertPoint(All);
  B.CreateCondBr(any(B, B.CreateNot(B.CreateLoad(I1, Done))), Go, Out);
  B.SetInsertPoint(Out);
  B.CreateBr(Exit);

  for (BasicBlock *Inside : Region)
    if (is_contained(successors(Inside), Exit))
      redirect(Inside, Exit, Leave);
  B.SetInsertPoint(Leave);
  B.CreateStore(B.getTrue(), Done);
  B.CreateBr(FirstMeet);

  B.SetInsertPoint(Go);
  B.CreateStore(B.getInt32(0), Want);
  for (EmittedUnit &U : Units) {
    for (StreamSlots &S : U.Streams) {
      B.CreateStore(B.getInt64(0), S.Row);
      B.CreateStore(B.getInt64(0), S.Step);
      for (AllocaInst *Slot : {S.NoFirst, S.NoLast})
        if (Slot)
          B.CreateStore(B.getFalse(), Slot);
    }
    B.CreateStore(B.getInt64(0), U.Trips);
    B.CreateStore(B.getInt32(0), U.Skew);
    B.CreateStore(B.getFalse(), U.Bad);
  }
  Resume = block("resume");
  B.CreateCondBr(B.CreateLoad(I1, Done), FirstMeet, Resume);
  B.SetInsertPoint(Resume);
  SwitchInst *Switch = B.CreateSwitch(B.CreateLoad(I32, Place), Start);
  for (auto [I, U] : enumerate(Units))
    Switch->addCase(B.getInt32(I + 1), U.After);
}

Agreement Emitter::agree(IRBuilder<> &B, EmittedUnit &U, Value *Wanted) {
  const StageUnit &Unit = U.Plan->Unit;
  Agreement A;
  A.Wanted = Wanted;
  A.Ok = B.getTrue();
  auto Require = [&](Value *Condition) { A.Ok = B.CreateAnd(A.Ok, Condition); };
  if (U.MayBeBad)
    Require(B.CreateNot(any(B, B.CreateLoad(I1, U.Bad))));
  Value *Trips = B.CreateLoad(I64, U.Trips);
  A.MaxTrips = Unit.SameTrips ? call(B, "wanted", I64, {Wanted, Trips})
                              : call(B, "max", I64, Trips);
  A.Count = Unit.SameTrips ? A.MaxTrips : call(B, "first", I64, Trips);
  A.Rows = call(B, "count", I32, Wanted);
  A.Regular = B.getTrue();
  for (auto [I, S] : enumerate(Unit.Streams)) {
    Value *Row = B.CreateLoad(I64, U.Streams[I].Row);
    A.Row0.push_back(nullptr);
    A.Stride.push_back(nullptr);
    A.Step.push_back(constantStep(B, U, I));
    A.CutFirst.push_back(B.getInt64(0));
    A.CutLast.push_back(B.getInt64(0));
    Value *NoFirst = nullptr, *NoLast = nullptr;
    if (S.Skipped) {
      NoFirst = B.CreateLoad(I1, U.Streams[I].NoFirst);
      NoLast = B.CreateLoad(I1, U.Streams[I].NoLast);
    }
    if (S.Kind == Stream::Common) {
      Require(call(B, "same", I1, {Wanted, Row}));
      if (S.Skipped) {
        auto NobodyOf = [&](Value *Reads) {
          return B.CreateZExt(B.CreateNot(any(B, Reads)), I64);
        };
        A.CutFirst.back() = NobodyOf(B.CreateAnd(Wanted, B.CreateNot(NoFirst)));
        A.CutLast.back() =
            NobodyOf(B.CreateAnd(B.CreateAnd(Wanted, B.CreateNot(NoLast)),
                                 B.CreateICmpEQ(Trips, A.MaxTrips)));
      }
      continue;
    }
    if (S.Skipped)
      A.Regular = B.CreateAnd(A.Regular,
                              B.CreateNot(any(B, B.CreateOr(NoFirst, NoLast))));
    Value *Distance = call(B, "distance", I64, Row);
    if (I == 0 && U.Plan->CheckProfit)
      Require(
          call(B, "pays", I1,
               {Wanted, Distance, B.getInt64(Unit.isLine() ? S.Window : 32)}));
    if (!A.Step.back()) {
      Value *Step = B.CreateLoad(I64, U.Streams[I].Step);
      Require(call(B, "same", I1, {Wanted, Step}));
      A.Step.back() = call(B, "wanted", I64, {Wanted, Step});
    }
    A.Row0.back() = call(B, "first", I64, Row);
    A.Stride.back() = call(B, "first", I64, Distance);
    A.Regular = B.CreateAnd(A.Regular, call(B, "regular", I1,
                                            {Wanted, Row, Trips, A.Row0.back(),
                                             A.Stride.back(), A.Count}));
  }
  // One tile does not make up for a meeting.
  if (!Unit.isWhole() && U.Plan->CheckProfit)
    Require(B.CreateICmpUGE(A.MaxTrips, B.getInt64(2 * U.Plan->Steps)));
  if (!Unit.isWhole())
    A.Skewed = any(B, B.CreateICmpNE(B.CreateLoad(I32, U.Skew), B.getInt32(0)));
  A.SkewStep = skewStep(B, U, A.Step[0]);
  return A;
}

/// The bytes from step to step of stream \p I, where known now.
Value *Emitter::constantStep(IRBuilder<> &B, EmittedUnit &U, unsigned I) {
  const Stream &S = U.Plan->Unit.Streams[I];
  if (U.Plan->Unit.isLine())
    return B.getInt64(S.Window);
  return S.ConstantStep ? B.getInt64(*S.ConstantStep) : nullptr;
}

/// The step of the first stream where its tiles are to begin with a sector,
/// else 0: only where a step is a word can they begin anywhere in one.
Value *Emitter::skewStep(IRBuilder<> &B, EmittedUnit &U, Value *Step) {
  if (!U.Plan->MaxSkew)
    return B.getInt64(0);
  Value *Word = B.getInt64(U.Plan->Unit.Streams[0].Word);
  return B.CreateSelect(B.CreateICmpEQ(Step, Word), Word, B.getInt64(0));
}

/// Copies steps [\p First, \p End) of the tile that begins at step \p Tile.
void Emitter::copyTile(IRBuilder<> &B, EmittedUnit &U, const Agreement &A,
                       Value *Tile, Value *First, Value *End) {
  const StageUnit &Unit = U.Plan->Unit;
  Value *Skew = B.CreateZExt(B.CreateLoad(I32, U.Skew), I64);
  Value *Share = warpShare(B, U);
  for (auto [I, S] : enumerate(Unit.Streams)) {
    const StreamLayout &Layout = U.Plan->Layout[I];
    Value *WarpTile = B.CreatePtrAdd(Share, B.getInt64(Layout.Offset));
    Value *Row = B.CreateLoad(I64, U.Streams[I].Row);
    Value *Step = A.Step[I];
    if (S.Kind == Stream::Common) {
      // Threads may be up to Ahead steps behind each other, by their skews.
      Value *Ahead = B.getInt64(U.Plan->MaxSkew);
      Value *From = B.CreateSelect(
          B.CreateICmpEQ(Tile, B.getInt64(0)),
          B.CreateTrunc(B.CreateAdd(Ahead, A.CutFirst[I]), I32), B.getInt32(0));
      Value *To = B.CreateTrunc(
          B.CreateBinaryIntrinsic(
              Intrinsic::umin,
              B.CreateAdd(
                  B.CreateSub(B.CreateSub(A.MaxTrips, A.CutLast[I]), Tile),
                  Ahead),
              B.getInt64(Layout.Words)),
          I32);
      Value *Begin =
          B.CreateAdd(Row, B.CreateMul(B.CreateSub(Tile, Ahead), Step));
      call(B, ("one" + Twine(S.Word)).str(), B.getVoidTy(),
           {WarpTile, A.Wanted, Begin, From, To});
      continue;
    }
    Value *Mine = B.CreateAdd(Row, B.CreateMul(B.CreateSub(Tile, Skew), Step));
    Value *From = First, *To = End;
    if (S.Skipped) {
      Value *Begins = B.CreateICmpEQ(Tile, B.getInt64(0));
      Value *Last = B.CreateAdd(B.CreateLoad(I64, U.Trips), Skew);
      Value *Ends =
          B.CreateICmpEQ(B.CreateAdd(Tile, B.CreateZExt(End, I64)), Last);
      Value *NoFirst = B.CreateLoad(I1, U.Streams[I].NoFirst);
      Value *NoLast = B.CreateLoad(I1, U.Streams[I].NoLast);
      From =
          B.CreateAdd(First, B.CreateZExt(B.CreateAnd(Begins, NoFirst), I32));
      To = B.CreateSub(End, B.CreateZExt(B.CreateAnd(Ends, NoLast), I32));
      To = B.CreateBinaryIntrinsic(Intrinsic::smax, To, B.getInt32(0));
    }
    call(B, ("rows" + Twine(S.Word)).str(), B.getVoidTy(),
         {WarpTile, A.Regular, A.Rows, A.Row0[I], A.Stride[I], A.Count,
          A.Row0[0], A.Stride[0], A.SkewStep, Tile, Mine, From, To,
          B.getInt32(U.Plan->Steps), B.getInt32(Layout.Pitch),
          B.getInt32(S.windowWords()), B.getInt1(Unit.isLine() || S.isDense()),
          Step});
  }
}

Value *Emitter::warpShare(IRBuilder<> &B, EmittedUnit &U) {
  return Buffer.share(B, call(B, "warp", I32, {}), U.Plan->WarpBytes);
}

/// Where the thread's own steps of each tile begin, \p First being the first.
void Emitter::setTileRows(IRBuilder<> &B, EmittedUnit &U, Value *First) {
  Value *Lane = call(B, "lane", I32, {});
  Value *Share = warpShare(B, U);
  for (auto [I, S] : enumerate(U.Plan->Unit.Streams)) {
    const StreamLayout &Layout = U.Plan->Layout[I];
    Value *Begin = First;
    if (S.Kind == Stream::Common)
      Begin = B.CreateAdd(First, B.CreateSub(B.getInt32(U.Plan->MaxSkew),
                                             B.CreateLoad(I32, U.Skew)));
    Value *Offset =
        B.CreateAdd(B.CreateAdd(B.CreateMul(Lane, B.getInt32(Layout.Pitch)),
                                B.getInt32(Layout.Offset)),
                    B.CreateMul(Begin, B.getInt32(S.wordsPerStep() * S.Word)));
    Offset = B.CreateZExt(Offset, I64);
    B.CreateStore(B.CreatePtrAdd(Share, Offset), U.TileRow[I]);
  }
}

/// Ends a walk at its latch when \p Column comes to \p End.
static void endTile(BasicBlock *Latch, AllocaInst *Column, Value *End,
                    BasicBlock *Head, BasicBlock *Tiled) {
  Latch->getTerminator()->eraseFromParent();
  IRBuilder<> B(Latch);
  Value *At = B.CreateLoad(Column->getAllocatedType(), Column);
  B.CreateCondBr(B.CreateICmpEQ(At, End), Tiled, Head);
}

/// The meeting for unit \p Number, counted from 1; then the warp goes on to
/// \p Next.
void Emitter::emitUnit(EmittedUnit &U, unsigned Number, BasicBlock *Next) {
  const StageUnit &Unit = U.Plan->Unit;
  BasicBlock *Here = U.Meet;
  BasicBlock *FullHead = nullptr;
  BasicBlock *Own = block("own"), *Copy = block("copy"), *Ready = block("read"),
             *Finished = block("finished");

  // The way in: a thread says that it wants this unit.
  {
    IRBuilder<> B(U.Before->getTerminator());
    B.CreateStore(B.getInt32(Number), Want);
    B.CreateBr(FirstMeet);
    U.Before->getTerminator()->eraseFromParent();
  }
  IRBuilder<> B(Here);
  Value *Wanted = B.CreateICmpEQ(B.CreateLoad(I32, Want), B.getInt32(Number));
  BasicBlock *Some = block("agree");
  B.CreateCondBr(any(B, Wanted), Some, Next);
  B.SetInsertPoint(Here = Some);
  Agreement A = agree(B, U, Wanted);
  Value *Trips = B.CreateLoad(I64, U.Trips), *FirstStep = B.getInt32(0);
  if (Unit.isWhole()) {
    B.CreateCondBr(A.Ok, Copy, Own);
    B.SetInsertPoint(Copy);
    Value *End =
        B.CreateSelect(Wanted, B.CreateTrunc(Trips, I32), B.getInt32(0));
    copyTile(B, U, A, B.getInt64(0), FirstStep, End);
    call(B, "meet", B.getVoidTy(), {});
    B.CreateCondBr(Wanted, Ready, Finished);
  } else {
    BasicBlock *NextTile = block("tile"), *Tiled = block("tiled");
    Value *Slack =
        B.CreateSelect(A.Skewed, B.getInt64(U.Plan->MaxSkew), B.getInt64(0));
    Value *AllEnd = B.CreateAdd(A.MaxTrips, Slack);
    Value *Skew = B.CreateLoad(I32, U.Skew);
    Value *Last = B.CreateAdd(Trips, B.CreateZExt(Skew, I64));
    B.CreateCondBr(A.Ok, NextTile, Own);
    B.SetInsertPoint(NextTile);
    PHINode *Position = B.CreatePHI(I64, 2, "ferry.position");
    Position->addIncoming(B.getInt64(0), Here);
    // What was read of the last tile may be written over now.
    call(B, "meet", B.getVoidTy(), {});
    B.CreateCondBr(B.CreateICmpULT(Position, AllEnd), Copy, Finished);
    B.SetInsertPoint(Copy);
    Value *Left = B.CreateAnd(Wanted, B.CreateICmpULT(Position, Last));
    FirstStep = B.CreateSelect(
        B.CreateAnd(Left, B.CreateICmpEQ(Position, B.getInt64(0))), Skew,
        B.getInt32(0));
    Value *End = B.CreateSelect(
        Left,
        B.CreateTrunc(B.CreateBinaryIntrinsic(Intrinsic::umin,
                                              B.CreateSub(Last, Position),
                                              B.getInt64(U.Plan->Steps)),
                      I32),
        B.getInt32(0));
    B.CreateStore(B.getInt64(0), U.Column);
    Value *Count = B.CreateZExt(B.CreateSub(End, FirstStep), I64);
    B.CreateStore(Count, U.End);
    copyTile(B, U, A, Position, FirstStep, End);
    call(B, "meet", B.getVoidTy(), {});
    B.CreateCondBr(Left, Ready, Tiled);
    // The walk goes on to the tile's end. That of a full tile is known, so that
    // LLVM can unroll a small loop.
    BasicBlock *Latch = Unit.Walk->getLoopLatch();
    size_t Instructions = 0;
    for (BasicBlock *B : Unit.Walk->blocks())
      Instructions += B->size();
    constexpr size_t MaxUnrolled = 100;
    if (Instructions <= MaxUnrolled) {
      ValueToValueMapTy Map;
      cloneBlocks(*Unit.Walk, ".full", Map);
      FullHead = cast<BasicBlock>(Map[U.StagedHead]);
      endTile(cast<BasicBlock>(Map[Latch]), U.Column, B.getInt64(U.Plan->Steps),
              FullHead, Tiled);
    }
    endTile(Latch, U.Column, Count, U.StagedHead, Tiled);
    B.SetInsertPoint(Tiled);
    Position->addIncoming(
        B.CreateAdd(Position, B.getInt64(U.Plan->Steps), "", true, true),
        Tiled);
    B.CreateBr(NextTile);
  }
  B.SetInsertPoint(Ready);
  setTileRows(B, U, FirstStep);
  if (FullHead)
    B.CreateCondBr(
        B.CreateICmpEQ(B.CreateLoad(I64, U.End), B.getInt64(U.Plan->Steps)),
        FullHead, U.StagedHead);
  else
    B.CreateBr(U.StagedHead);
  B.SetInsertPoint(Own);
  B.CreateCondBr(Wanted, U.OwnHead, Finished);

  // Every way to what comes after the unit leads through the next meeting.
  for (BasicBlock *From : to_vector(predecessors(U.After)))
    if (From != Resume)
      redirect(From, U.After, Finished);
  B.SetInsertPoint(Finished);
  B.CreateStore(
      B.CreateSelect(Wanted, B.getInt32(Number), B.CreateLoad(I32, Place)),
      Place);
  B.CreateBr(Next);
}

void Emitter::run() {
  Done = slot(I1, "done");
  Place = slot(I32, "place");
  Want = slot(I32, "want");
  for (const UnitPlan &P : Plan.Units)
    if (!P.Unit.isLine())
      formLCSSARecursively(*P.Unit.Outer, DT, &LI, &SE);
  for (const UnitPlan &P : Plan.Units) {
    EmittedUnit U;
    U.Plan = &P;
    U.Trips = slot(I64, "trips");
    U.Skew = slot(I32, "skew");
    U.Bad = slot(I1, "bad");
    U.Column = slot(I64, "column");
    U.End = slot(I64, "end");
    U.Meet = block("meet");
    for (size_t I = 0; I < P.Unit.Streams.size(); ++I) {
      bool Skips = P.Unit.Streams[I].Skipped;
      U.Streams.push_back({slot(I64, "row"), slot(I64, "step"),
                           Skips ? slot(I1, "no.first") : nullptr,
                           Skips ? slot(I1, "no.last") : nullptr});
      U.TileRow.push_back(slot(Shared, "tile.row"));
    }
    Units.push_back(std::move(U));
  }
  Start = SplitBlock(Plan.Region.Entry, Plan.Region.Entry->getTerminator(), &DT,
                     &LI);
  Region.insert(Start);
  // A line's block may be what leads to a loop.
  for (EmittedUnit &U : Units)
    if (U.Plan->Unit.isLine())
      prepareLine(U);
  for (EmittedUnit &U : Units)
    if (!U.Plan->Unit.isLine())
      prepareLoop(U);
  demote();
  FirstMeet = Units.front().Meet;
  emitDispatch();
  for (auto [I, U] : enumerate(Units))
    emitUnit(U, I + 1, I + 1 < Units.size() ? Units[I + 1].Meet : All);
  promote();
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

static GlobalVariable *sharedArray(Module &M, uint64_t Bytes) {
  auto *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), Bytes);
  auto *G = new GlobalVariable(M, Ty, /*isConstant=*/false,
                               GlobalValue::InternalLinkage,
                               PoisonValue::get(Ty), "ferry.tile", nullptr,
                               GlobalValue::NotThreadLocal, /*AddressSpace=*/3);
  G->setAlignment(Align(16));
  return G;
}

Value *SharedBuffer::share(IRBuilderBase &B, Value *Warp, unsigned Bytes) {
  Module &M = *Kernel.getParent();
  if (!Memory) {
    Memory = sharedArray(M, 0);
    WarpBytes =
        Function::Create(FunctionType::get(B.getInt32Ty(), false),
                         GlobalValue::ExternalLinkage, "ferry.warp.bytes", M);
    WarpBytes->setDoesNotAccessMemory();
  }
  Most = std::max(Most, Bytes);
  Value *Offset = B.CreateMul(Warp, B.CreateCall(WarpBytes));
  return B.CreatePtrAdd(Memory, B.CreateZExt(Offset, B.getInt64Ty()));
}

void SharedBuffer::finish(unsigned Warps) {
  if (!Memory)
    return;
  GlobalVariable *Final =
      sharedArray(*Kernel.getParent(), uint64_t(Most) * Warps);
  Final->takeName(Memory);
  Memory->replaceAllUsesWith(Final);
  Memory->eraseFromParent();
  for (User *U : make_early_inc_range(WarpBytes->users())) {
    U->replaceAllUsesWith(ConstantInt::get(U->getType(), Most));
    cast<Instruction>(U)->eraseFromParent();
  }
  WarpBytes->eraseFromParent();
}

void emitRows(Function &Kernel, const StagePlan &Plan, SharedBuffer &Buffer,
              DominatorTree &DT, LoopInfo &LI, ScalarEvolution &SE) {
  Emitter(Kernel, Plan, Buffer, DT, LI, SE).run();
}

} // namespace ferry
