//===- RowUnits.cpp - The two versions of what is staged ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"
#include "stage/common/GpuTarget.h"
#include "stage/common/KernelInstructions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

//===----------------------------------------------------------------------===//
// What a thread publishes
//===----------------------------------------------------------------------===//

/// Emits whether a store at \p Address, in steps as long as those of \p S,
/// writes between what the thread reads at \p Row, always to the same fields of
/// records.
static Value *createWritesOtherFields(IRBuilder<> &B, const LoopStore &Store,
                                      Value *Address, const Stream &S,
                                      Value *Row) {
  if (Store.Step <= 0 || S.ConstantStep != Store.Step)
    return B.getFalse();
  Value *Step = B.getInt64(Store.Step);
  Value *Distance = B.CreateSRem(B.CreateSub(Address, Row), Step);
  Value *Begin = B.CreateSelect(B.CreateICmpSLT(Distance, B.getInt64(0)),
                                B.CreateAdd(Distance, Step), Distance);
  Value *End = B.CreateAdd(Begin, B.getInt64(Store.Size));
  Value *Apart = B.getTrue();
  for (const StreamLoad &L : S.Loads) {
    // A load may be of a field of one of the next records.
    uint64_t LoadBegin = L.Offset % static_cast<uint64_t>(Store.Step);
    uint64_t LoadEnd = LoadBegin + accessBytes(*L.Load);
    if (LoadEnd > static_cast<uint64_t>(Store.Step))
      return B.getFalse();
    // In front of the load, or behind it and in front of the next step's.
    Value *Before = B.CreateICmpULE(End, B.getInt64(LoadBegin));
    Value *After =
        B.CreateAnd(B.CreateICmpUGE(Begin, B.getInt64(LoadEnd)),
                    B.CreateICmpULE(End, B.getInt64(LoadBegin + Store.Step)));
    Apart = B.CreateAnd(Apart, B.CreateOr(Before, After));
  }
  return Apart;
}

/// Emits whether a store at \p Address, in steps as long as those of \p S,
/// writes only where later iterations do not read any more, as an update in
/// place does.
static Value *createWritesBehind(IRBuilder<> &B, const LoopStore &Store,
                                 Value *Address, const Stream &S, Value *Row) {
  if (!Store.AfterLoads || S.ConstantStep != Store.Step)
    return B.getFalse();
  Value *Distance = B.CreateSub(Address, Row);
  const int64_t Size = Store.Size, Window = S.Window;
  return S.isBackwards()
             ? B.CreateICmpSGE(Distance, B.getInt64(Window + Store.Step))
             : B.CreateICmpSLE(Distance, B.getInt64(Store.Step - Size));
}

/// Emits whether a store of the loop may change what the thread reads in it.
Value *RowEmitter::createConflict(IRBuilder<> &B, EmittedUnit &U,
                                  ExpressionExpander &Expander,
                                  ArrayRef<Value *> Rows,
                                  ArrayRef<Value *> Steps, Value *TripCount) {
  const RowUnit &Unit = U.Plan->Unit;
  Value *Last = B.CreateSub(TripCount, B.getInt64(1));
  Value *Found = B.getFalse();
  for (const LoopStore &S : Unit.Stores) {
    Value *Address = B.CreatePtrToInt(
        Expander.expandCodeFor(S.Start, nullptr, B.GetInsertPoint()), I64);
    Value *Far = B.CreateAdd(Address, B.CreateMul(Last, B.getInt64(S.Step)));
    Value *Low = S.Step < 0 ? Far : Address;
    Value *High = B.CreateAdd(S.Step < 0 ? Address : Far, B.getInt64(S.Size));
    for (auto [I, Stream] : enumerate(Unit.Streams)) {
      Value *RowLow = Rows[I];
      Value *RowHigh = B.CreateAdd(RowLow, B.CreateMul(Last, Steps[I]));
      if (Stream.isBackwards())
        std::swap(RowLow, RowHigh);
      RowHigh = B.CreateAdd(RowHigh, B.getInt64(Stream.Window));
      Value *Overlap = B.CreateAnd(B.CreateICmpULT(Low, RowHigh),
                                   B.CreateICmpULT(RowLow, High));
      Value *Harmless =
          B.CreateOr(createWritesOtherFields(B, S, Address, Stream, Rows[I]),
                     createWritesBehind(B, S, Address, Stream, Rows[I]));
      Found = B.CreateOr(Found, B.CreateAnd(Overlap, B.CreateNot(Harmless)));
    }
  }
  for (auto [I, Stream] : enumerate(Unit.Streams)) {
    // Steps that are too long to be of use, or backwards: whether a store
    // touches the row was asked as if they were not.
    if (!Stream.ConstantStep && !Unit.isStraightLine()) {
      Found = B.CreateOr(Found, B.CreateICmpSLE(Steps[I], B.getInt64(0)));
      if (U.Plan->CheckProfit)
        Found = B.CreateOr(
            Found, B.CreateICmpSGT(Steps[I], B.getInt64(Stream.longestStep())));
    }
    if (!Stream.Global)
      Found =
          B.CreateOr(Found, B.CreateNot(createIsGlobal(
                                B, B.CreateIntToPtr(Rows[I], B.getPtrTy()))));
  }
  return Found;
}

uint64_t mostSteps(const RowUnit &Unit) {
  constexpr uint64_t MostBytes = uint64_t(1) << 30;
  uint64_t StepBytes = 1;
  for (const Stream &S : Unit.Streams)
    StepBytes = std::max(StepBytes, S.Window);
  return MostBytes / StepBytes;
}

Value *createSteps(IRBuilder<> &B, const RowUnit &Unit, Value *TripCount) {
  if (const uint64_t Most = mostSteps(Unit); Unit.MaxTripCount > Most)
    TripCount = B.CreateBinaryIntrinsic(Intrinsic::umin, TripCount,
                                        B.getInt64(Most + 1));
  return B.CreateTrunc(TripCount, B.getInt32Ty());
}

Value *KindOfLaunch::choose(IRBuilder<> &B,
                            function_ref<Value *(LaunchKind)> Of) const {
  return B.CreateSelect(IsFew, Of(LaunchKind::FewWarps),
                        B.CreateSelect(Thrashes, Of(LaunchKind::Thrashing),
                                       Of(LaunchKind::ManyWarps)));
}

/// Emits how many threads of a block have rows of \p Unit, or what blocks have
/// at most if these are more. Null if that is not known at \p B.
Value *RowEmitter::threadsWithRows(IRBuilder<> &B, const RowUnit &Unit) {
  ExpressionExpander Expander(SE, F.getDataLayout(), "ferry");
  Instruction *At = &*B.GetInsertPoint();
  const SCEV *Threads = Unit.ThreadsInBlock;
  if (!Threads || !Expander.isSafeToExpandAt(Threads, At))
    return nullptr;
  return B.CreateTrunc(
      B.CreateBinaryIntrinsic(
          Intrinsic::umin,
          B.CreateFreeze(Expander.expandCodeFor(Threads, I64, At)),
          B.getInt64(Memory.MostWarps * Memory.WarpSize)),
      I32);
}

/// Emits how many warps of a block have rows of \p Unit at most.
Value *RowEmitter::warpsWithRows(IRBuilder<> &B, const RowUnit &Unit) {
  Value *Warps = warpsOfBlock(B);
  Value *Threads = threadsWithRows(B, Unit);
  return Threads ? B.CreateBinaryIntrinsic(Intrinsic::umin, Warps,
                                           warpsOf(B, Threads))
                 : Warps;
}

/// Emits whether so few threads of a block have rows of \p Unit that a warp
/// which lacks some counts. Null where launches do not ask that either, or it
/// is not known.
Value *RowEmitter::createLacksRows(IRBuilder<> &B, const RowUnit &Unit) {
  Value *Threads = Plan.Blocks ? threadsWithRows(B, Unit) : nullptr;
  if (!Threads)
    return nullptr;
  return B.CreateAnd(
      B.CreateICmpULT(Threads, B.getInt32(leastInBlock(Memory.WarpSize))),
      B.CreateIsNotNull(B.CreateURem(Threads, B.getInt32(Memory.WarpSize))));
}

/// Emits of which kind this launch is for rows of \p Steps iterations.
KindOfLaunch RowEmitter::createKind(IRBuilder<> &B, const RowUnitPlan &Unit,
                                    Value *Steps) {
  Value *Blocks = callStageRuntime(B, StageFunction::Blocks);
  Value *Warps = B.CreateMul(Blocks, warpsWithRows(B, Unit.Unit));
  // Whether memory limits it, only the launch asks: a kernel that has its tiles
  // already is not faster without them, and has less of the first level.
  KindOfLaunch Kind{B.CreateICmpULT(Warps, B.getInt32(Unit.FewWarps)),
                    B.getFalse()};
  if (Unit.canBeCrowded())
    Kind.IsCrowded = B.CreateAnd(
        Kind.IsFew, B.CreateICmpUGT(Blocks, B.getInt32(Unit.RoomFor)));
  if (!Unit.Price.Thrashing.Iterations)
    return Kind;
  const auto InWarps = [&](uint64_t Rows) {
    return uint32_t(divideCeil(Rows, Memory.WarpSize));
  };
  const uint32_t Most = InWarps(Unit.Price.Thrashing.MaxRows),
                 Enough = InWarps(Unit.Price.Thrashing.Iterations),
                 OfRow = std::min(Enough, Unit.Price.Thrashing.MostOfRow);
  Type *Wide = isUInt<32>(uint64_t(Most) * Enough) ? I32 : I64;
  auto AtMost = [&](Value *V, uint32_t Limit) {
    return B.CreateZExt(
        B.CreateBinaryIntrinsic(Intrinsic::umin, V, B.getInt32(Limit)), Wide);
  };
  Kind.Thrashes =
      B.CreateICmpUGE(B.CreateMul(AtMost(Warps, Most), AtMost(Steps, OfRow)),
                      ConstantInt::get(Wide, Enough));
  return Kind;
}

/// Emits whether rows of \p Unit that are \p Distance bytes apart, forwards or
/// backwards, lie too near to each other in a launch of \p Kind.
Value *RowEmitter::createIsNear(IRBuilder<> &B, const RowUnitPlan &Unit,
                                const KindOfLaunch &Kind, Value *Distance) {
  // -Least < Distance < Least
  auto ByKind = [&](auto Of) {
    return Kind.choose(B, [&](LaunchKind K) {
      return B.getInt64(Of(Unit.leastDistance(0, K)));
    });
  };
  return B.CreateICmpULT(
      B.CreateAdd(Distance, ByKind([](uint64_t Least) { return Least - 1; })),
      ByKind([](uint64_t Least) { return 2 * Least - 1; }));
}

/// Emits whether the first rows of \p Unit, as a meeting would find them, lie
/// too near to each other in a launch of \p Kind; null where that is not asked
/// at \p B.
Value *RowEmitter::createIsNear(IRBuilder<> &B, const RowUnitPlan &Unit,
                                const KindOfLaunch &Kind,
                                ExpressionExpander &Expander) {
  Instruction *At = &*B.GetInsertPoint();
  if (Unit.areNear(LaunchKind::FewWarps))
    return Kind.choose(
        B, [&](LaunchKind K) { return B.getInt1(*Unit.areNear(K)); });
  const SCEV *Sum = Unit.distanceToAsk();
  if (!Sum || !Expander.isSafeToExpandAt(Sum, At))
    return nullptr;
  Value *Stride = B.CreateFreeze(Expander.expandCodeFor(Sum, I64, At));
  return createIsNear(B, Unit, Kind, Stride);
}

/// Emits whether it is known at \p B that the first rows of \p Unit lie a
/// multiple of \p Apart bytes apart, a power of two, so that plain loads have
/// conflicts of banks.
Value *RowEmitter::createConflicts(IRBuilder<> &B, const RowUnitPlan &Unit,
                                   unsigned Apart,
                                   ExpressionExpander &Expander) {
  const SCEV *Distance = Unit.distance();
  Instruction *At = &*B.GetInsertPoint();
  if (!Apart || !Distance || !Expander.isSafeToExpandAt(Distance, At))
    return B.getFalse();
  Value *Bytes = B.CreateFreeze(Expander.expandCodeFor(Distance, I64, At));
  return B.CreateIsNull(
      B.CreateAnd(B.CreateTrunc(Bytes, I32), B.getInt32(Apart - 1)));
}

/// Emits whether warps of a launch of \p Kind would wait for each tile of \p
/// Unit, since there is no room for one that is copied ahead, and are so few in
/// a block that plain loads, if they have no conflicts of banks, wait less.
/// Null where none are.
Value *RowEmitter::createWaitsForCopies(IRBuilder<> &B, const RowUnitPlan &Unit,
                                        const KindOfLaunch &Kind,
                                        ExpressionExpander &Expander) {
  const unsigned First = Unit.mostWarpsAhead() + 1;
  // Of a loop of blocks it is not known how many warps have rows.
  const unsigned End = std::min(
      Plan.OfThreads ? Unit.Price.LeastToWait : UINT_MAX, Memory.MostWarps + 1);
  if (!Unit.Async || Unit.Unit.isWhole() || First >= End)
    return nullptr;
  Value *Waits = B.CreateAnd(
      Kind.IsFew,
      B.CreateNot(createConflicts(B, Unit, gpu::LineBytes, Expander)));
  if (First <= 1 && End > Memory.MostWarps)
    return Waits;
  Value *BehindFirst = B.CreateSub(warpsOfBlock(B), B.getInt32(First));
  return B.CreateAnd(Waits,
                     B.CreateICmpULT(BehindFirst, B.getInt32(End - First)));
}

/// Emits whether the warps of a block of a launch of \p Kind keep a unit of
/// their multiprocessor busy, for longer in tiles of \p Unit: not where plain
/// loads have conflicts of banks. Null where they do not.
Value *RowEmitter::createIsBusy(IRBuilder<> &B, const RowUnitPlan &Unit,
                                const KindOfLaunch &Kind,
                                ExpressionExpander &Expander) {
  if (!Plan.OfThreads || Unit.Price.MostInBlock >= Memory.MostWarps)
    return nullptr;
  Value *AreMany =
      B.CreateICmpUGT(warpsOfBlock(B), B.getInt32(Unit.Price.MostInBlock));
  return B.CreateAnd(
      {Kind.IsFew, AreMany,
       B.CreateNot(createConflicts(B, Unit, gpu::LineBytes, Expander))});
}

/// Emits whether the block has more warps than there are tiles for. Null where
/// none has.
Value *RowEmitter::createHasMoreWarps(IRBuilder<> &B) {
  if (!Memory.MayHaveMore)
    return nullptr;
  return B.CreateICmpUGT(warpsOfBlock(B), B.getInt32(Memory.MostWarps));
}

/// \p Iterations, more than any row has if there is no end of them.
static Value *createLeast(IRBuilder<> &B, uint64_t Iterations) {
  return B.getInt32(std::min<uint64_t>(Iterations, UINT32_MAX));
}

/// Emits whether rows of \p Steps iterations are too short for a meeting of
/// \p Unit in a launch of \p Kind, or too near to each other, or no tile can be
/// copied ahead where that counts, or the block's last warp lacks threads: they
/// would copy rows one by one.
Value *RowEmitter::createIsShort(IRBuilder<> &B, const RowUnitPlan &Unit,
                                 const KindOfLaunch &Kind, Value *Steps,
                                 ExpressionExpander &Expander) {
  Value *LackThreads = B.CreateIsNotNull(
      B.CreateURem(callStageRuntime(B, StageFunction::Threads),
                   B.getInt32(Memory.WarpSize)));
  Value *Least = Kind.choose(
      B, [&](LaunchKind K) { return createLeast(B, Unit.minTripCount(K)); });
  if (Unit.asksBanks())
    Least = B.CreateSelect(
        createConflicts(B, Unit, Unit.ConflictingBytes, Expander), Least,
        Kind.choose(B, [&](LaunchKind K) {
          return createLeast(B, Unit.minTripCountOfCached(K));
        }));
  if (Unit.asksAlignment())
    Least =
        B.CreateSelect(createConflicts(B, Unit, gpu::MaxAccessBytes, Expander),
                       Least, Kind.choose(B, [&](LaunchKind K) {
                         return createLeast(B, Unit.minTripCountAnywhere(K));
                       }));
  Value *Short = B.CreateICmpULT(Steps, Least);
  Short = B.CreateOr(Short, LackThreads);
  for (Value *Or :
       {createHasMoreWarps(B), Kind.IsCrowded, createLacksRows(B, Unit.Unit),
        createWaitsForCopies(B, Unit, Kind, Expander),
        createIsBusy(B, Unit, Kind, Expander),
        createIsNear(B, Unit, Kind, Expander)})
    if (Or)
      Short = B.CreateOr(Short, Or);
  return Short;
}

Value *RowEmitter::createStepsToAsk(IRBuilder<> &B, const RowUnit &Unit,
                                    ExpressionExpander &Expander) {
  Value *TripCount =
      Expander.expandCodeFor(Unit.TripCount, I64, B.GetInsertPoint());
  if (!Unit.Guards.empty()) // perhaps poison where they are not met
    TripCount = B.CreateFreeze(TripCount);
  return createSteps(B, Unit, TripCount);
}

/// Has a thread with a short row find that out before all else: it does the
/// unit alone, and nobody waits for it.
void RowEmitter::askLength(EmittedUnit &U) {
  if (!U.Plan->canBeShort())
    return;
  const RowUnit &Unit = U.Plan->Unit;
  Instruction *End = Unit.OuterLoop->getLoopPreheader()->getTerminator();
  ExpressionExpander Expander(SE, F.getDataLayout(), "ferry");
  IRBuilder<> B(End);
  Value *Steps = createStepsToAsk(B, Unit, Expander);
  const KindOfLaunch Kind = U.Kind ? *U.Kind : createKind(B, *U.Plan, Steps);
  U.Short = U.ShortInAll ? B.getFalse()
                         : createIsShort(B, *U.Plan, Kind, Steps, Expander);
  U.Long = SplitBlock(End->getParent(), End, &DT, &LI);
  Region.insert(U.Long);
}

/// Computes what the thread says of \p U, if it wants it.
void RowEmitter::describe(EmittedUnit &U, BasicBlock::iterator At) {
  const RowUnit &Unit = U.Plan->Unit;
  ExpressionExpander Expander(SE, F.getDataLayout(), "ferry");
  IRBuilder<> B(At->getParent(), At);
  SmallVector<Value *, 4> Rows, Steps;
  for (const Stream &S : Unit.Streams) {
    Value *Start, *Step = B.getInt64(0);
    if (Unit.isStraightLine()) {
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
  Value *TripCount = Expander.expandCodeFor(Unit.TripCount, I64, At);
  Value *Diverges = createConflict(B, U, Expander, Rows, Steps, TripCount);
  if (Unit.isWhole())
    Diverges = B.CreateOr(
        Diverges,
        B.CreateICmpUGT(TripCount, B.getInt64(U.Plan->Tile.Iterations)));
  // Where it is not asked whether rows are long, this is not either.
  if (Value *HasMore = U.Plan->canBeShort() ? nullptr : createHasMoreWarps(B))
    Diverges = B.CreateOr(HasMore, Diverges);
  // What stands behind a guard may be poison where that is not met.
  for (auto [Condition, Expected] : reverse(Unit.Guards))
    Diverges = B.CreateLogicalOr(Expected ? B.CreateNot(Condition) : Condition,
                                 Diverges);
  auto Say = [&](Value *V, AllocaInst *Slot) { U.Said.push_back({V, Slot}); };
  for (unsigned I = 0; I < Rows.size(); ++I) {
    Say(Rows[I], U.Streams[I].Start);
    Say(Steps[I], U.Streams[I].Step);
  }
  for (auto [I, S] : enumerate(Unit.Streams))
    if (S.Skipped) {
      // What lies between two addresses that are read can be read; what is
      // before the first or behind the last one perhaps cannot.
      Value *Skipped = Expander.expandCodeFor(S.Skipped, nullptr, At);
      Value *Last = B.CreateZExtOrTrunc(B.CreateSub(TripCount, B.getInt64(1)),
                                        Skipped->getType());
      Say(B.CreateIsNull(Skipped), U.Streams[I].NoFirst);
      Say(B.CreateICmpEQ(Skipped, Last), U.Streams[I].NoLast);
    }
  Say(createSteps(B, Unit, TripCount), U.Steps);
  U.Diverges = Diverges;
}

//===----------------------------------------------------------------------===//
// The unit and its other version
//===----------------------------------------------------------------------===//

/// Begins the versions of \p U, the first blocks of which are there: all are
/// reached, until threads meet.
void RowEmitter::emitChoice(EmittedUnit &U) {
  U.Wants = block("want");
  Region.insert(U.Wants);
  IRBuilder<> B(U.Wants);
  for (auto [V, Slot] : U.Said)
    B.CreateStore(V, Slot);
  B.CreateCondBr(B.getTrue(), U.StagedHead, U.FallbackHead);
  auto Lead = [&](BasicBlock *From, Value *Diverges, BasicBlock *Else) {
    Instruction *Old = From->getTerminator();
    IRBuilder<> B(Old);
    if (U.DivergentHead)
      B.CreateCondBr(Diverges, U.DivergentHead, Else);
    else
      B.CreateBr(Else);
    Old->eraseFromParent();
  };
  Lead(U.Before, U.Diverges, U.Wants);
  if (U.Long)
    Lead(U.Long->getSinglePredecessor(), U.Short, U.Long);
}

/// A copy of the loop of \p U as it is, which goes on to U.After: its blocks,
/// the header first.
SmallVector<BasicBlock *, 8> RowEmitter::addVersion(EmittedUnit &U,
                                                    const char *Suffix) {
  Loop &L = *U.Plan->Unit.OuterLoop;
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 8> Copy = cloneBlocks(L, Suffix, Map);
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
  Region.insert(Copy.begin(), Copy.end());
  return Copy;
}

void RowEmitter::makeVersionsOfLoop(EmittedUnit &U) {
  Loop &L = *U.Plan->Unit.OuterLoop;
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
  U.FallbackHead = addVersion(U, ".fallback").front();
  if (U.mayDiverge()) {
    SmallVector<BasicBlock *, 8> Divergent = addVersion(U, ".divergent");
    U.DivergentHead = Divergent.front();
    U.DivergentBlocks.insert(Divergent.begin(), Divergent.end());
  }
  replaceLoads(U);
  emitChoice(U);
  for (PHINode &Phi : U.StagedHead->phis())
    Phi.replaceIncomingBlockWith(U.Before, U.Wants);
  for (PHINode &Phi : U.FallbackHead->phis())
    Phi.replaceIncomingBlockWith(U.Before, U.Wants);
  if (U.Long)
    for (PHINode &Phi : U.DivergentHead->phis())
      Phi.addIncoming(Phi.getIncomingValueForBlock(U.Before),
                      U.Long->getSinglePredecessor());
}

/// Copies of the blocks of \p L, with edges to each other in place of the
/// loop's.
SmallVector<BasicBlock *, 8>
RowEmitter::cloneBlocks(Loop &L, const char *Suffix, ValueToValueMapTy &Map) {
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
void RowEmitter::makeVersionsOfStraightLine(EmittedUnit &U) {
  const Stream &S = U.Plan->Unit.Streams[0];
  Instruction *First = S.Loads[0].Load;
  U.Before = First->getParent();
  U.After = SplitBlock(U.Before, First, &DT, &LI);
  Region.insert(U.After);
  SmallVector<PHINode *, 8> Loaded;
  IRBuilder<> After(&U.After->front());
  for (const StreamLoad &L : S.Loads)
    Loaded.push_back(After.CreatePHI(L.Load->getType(), 3));
  auto AddVersion = [&](const char *Name, bool Tile) {
    BasicBlock *New = block(Name);
    Region.insert(New);
    IRBuilder<> B(New);
    Value *Row = Tile ? B.CreateLoad(Shared, U.TileRow[0])
                      : B.CreateIntToPtr(U.Said[0].first,
                                         First->getOperand(0)->getType());
    for (auto [L, Phi] : zip_equal(S.Loads, Loaded)) {
      Value *At = B.CreatePtrAdd(Row, B.getIntN(Tile ? 32 : 64, L.Offset));
      LoadInst *Load;
      if (Tile) {
        Load = B.CreateAlignedLoad(L.Load->getType(), At,
                                   commonAlignment(Align(S.Word), L.Offset));
      } else {
        Load = cast<LoadInst>(L.Load->clone());
        Load->setOperand(0, At);
        B.Insert(Load);
      }
      Phi->addIncoming(Load, New);
    }
    B.CreateBr(U.After);
    return New;
  };
  U.StagedHead = AddVersion("record", true);
  U.FallbackHead = AddVersion("record.fallback", false);
  if (U.mayDiverge())
    U.DivergentBlocks.insert(U.DivergentHead =
                                 AddVersion("record.divergent", false));
  for (auto [L, Phi] : zip_equal(S.Loads, Loaded)) {
    L.Load->replaceAllUsesWith(Phi);
    L.Load->eraseFromParent();
  }
  emitChoice(U);
}

void RowEmitter::replaceLoads(EmittedUnit &U) {
  const RowUnit &Unit = U.Plan->Unit;
  Loop &L = *Unit.InnerLoop;
  // The column counts the steps since the tile, or the inner loop, began.
  if (Unit.isWhole()) {
    IRBuilder<> B(L.getLoopPreheader()->getTerminator());
    B.CreateStore(B.getInt64(0), U.Column);
  }
  for (auto [I, S] : enumerate(Unit.Streams))
    for (const StreamLoad &Read : S.Loads) {
      IRBuilder<> B(Read.Load);
      Value *Step = B.CreateMul(B.CreateLoad(I64, U.Column),
                                B.getInt64(S.wordsPerIteration() * S.Word), "",
                                /*HasNUW=*/true, /*HasNSW=*/true);
      Value *Pointer = B.CreatePtrAdd(
          B.CreatePtrAdd(B.CreateLoad(Shared, U.TileRow[I]), Step),
          B.getInt64(Read.Offset));
      auto *New =
          B.CreateAlignedLoad(Read.Load->getType(), Pointer,
                              commonAlignment(Align(S.Word), Read.Offset));
      New->setDebugLoc(Read.Load->getDebugLoc());
      U.TileLoads.push_back({New, static_cast<unsigned>(I), Read.Offset});
      Read.Load->replaceAllUsesWith(New);
      Read.Load->eraseFromParent();
    }
  IRBuilder<> B(L.getLoopLatch()->getTerminator());
  B.CreateStore(B.CreateAdd(B.CreateLoad(I64, U.Column), B.getInt64(1), "",
                            /*HasNUW=*/true, /*HasNSW=*/true),
                U.Column);
}

} // namespace ferry
