//===- RowMeeting.cpp - What the threads of a warp do together ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"
#include "stage/common/GpuModel.h"
#include "stage/common/GpuTarget.h"
#include "stage/common/LoopForm.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace ferry {

Value *constantStep(IRBuilderBase &B, const RowUnitPlan &Plan, unsigned I) {
  const Stream &S = Plan.Unit.Streams[I];
  if (Plan.Unit.isStraightLine())
    return B.getInt64(S.Window);
  return S.ConstantStep ? B.getInt64(*S.ConstantStep) : nullptr;
}

/// The blocks that every thread passes between two meetings.
void RowEmitter::emitDispatch() {
  BasicBlock *Exit = Plan.Region.Exit;
  Go = block("go");
  Leave = block("leave");
  Meet = block("all");
  BasicBlock *Out = block("out");

  IRBuilder<> B(Enter->getTerminator());
  B.CreateStore(B.getFalse(), Done);
  B.CreateStore(B.getInt32(0), Place);
  redirect(Enter, Start, Go);

  // Who comes here wants a unit, or nothing any more.
  B.SetInsertPoint(Meet);
  Value *Wants = B.CreateICmpNE(B.CreateLoad(I32, Want), B.getInt32(0));
  B.CreateCondBr(createAny(B, Wants), Units.front().Meet, Out);
  B.SetInsertPoint(Out);
  B.CreateBr(Exit);

  for (BasicBlock *Inside : Region)
    if (is_contained(successors(Inside), Exit))
      redirect(Inside, Exit, Leave);
  B.SetInsertPoint(Leave);
  B.CreateStore(B.getTrue(), Done);
  B.CreateBr(Meet);

  B.SetInsertPoint(Go);
  B.CreateStore(B.getInt32(0), Want);
  for (EmittedUnit &U : Units) {
    for (StreamSlots &S : U.Streams) {
      B.CreateStore(B.getInt64(0), S.Start);
      B.CreateStore(B.getInt64(0), S.Step);
      for (AllocaInst *Slot : {S.NoFirst, S.NoLast})
        if (Slot)
          B.CreateStore(B.getFalse(), Slot);
    }
    B.CreateStore(B.getInt32(0), U.Steps);
  }
  Resume = block("resume");
  B.CreateCondBr(B.CreateLoad(I1, Done), Meet, Resume);
  B.SetInsertPoint(Resume);
  SwitchInst *Switch = B.CreateSwitch(B.CreateLoad(I32, Place), Start);
  for (auto [I, U] : enumerate(Units))
    Switch->addCase(B.getInt32(I + 1), U.After);
}

/// Agrees on stream \p I of \p U, which the threads have in common.
void RowEmitter::agreeOnUniform(IRBuilder<> &B, EmittedUnit &U, unsigned I,
                                Agreement &A) {
  const StreamSlots &S = U.Streams[I];
  Value *Row = B.CreateLoad(I64, S.Start);
  A.Row0[I] = callStageRuntime(B, StageFunction::From8, {Row, A.FirstLane});
  A.require(B, callStageRuntime(B, StageFunction::Same,
                                {A.FirstLane, A.Wanted, Row}));
  if (!U.Plan->Unit.Streams[I].Skipped)
    return;
  Value *First = B.CreateNot(B.CreateLoad(I1, S.NoFirst));
  Value *Last = B.CreateNot(B.CreateLoad(I1, S.NoLast));
  auto NobodyOf = [&](Value *Reads) {
    return B.CreateZExt(B.CreateNot(createAny(B, Reads)), I32);
  };
  Value *IsLongest = B.CreateICmpEQ(A.Steps, A.MaxSteps);
  A.CutFirst[I] = NobodyOf(B.CreateAnd(A.Wanted, First));
  A.CutLast[I] = NobodyOf(B.CreateAnd(B.CreateAnd(A.Wanted, Last), IsLongest));
}

/// Emits whether \p Rows of a warp are not few, unless the other warps are few,
/// too, and would wait for this one in the end.
Value *RowEmitter::createAreEnough(IRBuilder<> &B, Value *Rows,
                                   Value *FewWarps) {
  return B.CreateOr(
      FewWarps, B.CreateICmpUGE(Rows, B.getInt32(leastRows(Memory.WarpSize))));
}

/// Emits whether rows that are regular lie so far apart that tiles of \p U
/// pay, or there is only one; and are enough, which adjacent threads have been
/// asked.
Value *RowEmitter::createPays(IRBuilder<> &B, const EmittedUnit &U,
                              const Agreement &A) {
  const RowUnitPlan &Unit = *U.Plan;
  if (A.Adjacent && Unit.knowsWhetherNear())
    return B.getTrue();
  KindOfLaunch Kind = U.Kind ? *U.Kind : createKind(B, Unit, A.MaxSteps);
  Value *FewWarps = std::exchange(Kind.IsFew, B.getFalse());
  // That of few warps counts before threads meet.
  Value *Near = createIsNear(B, Unit, Kind, A.Stride[0]);
  Value *IsFar =
      B.CreateOr(B.CreateNot(Near), B.CreateICmpULE(A.Rows, B.getInt32(1)));
  return A.Adjacent ? IsFar
                    : B.CreateAnd(IsFar, createAreEnough(B, A.Rows, FewWarps));
}

/// Agrees on stream \p I of \p U, of which each thread has a row.
void RowEmitter::agreeOnRows(IRBuilder<> &B, EmittedUnit &U, unsigned I,
                             Agreement &A) {
  const StreamSlots &S = U.Streams[I];
  Value *Row = B.CreateLoad(I64, S.Start);
  if (U.Plan->Unit.Streams[I].Skipped) {
    auto Lanes = [&](AllocaInst *No) {
      Value *All =
          callStageRuntime(B, StageFunction::Ballot,
                           B.CreateAnd(A.Wanted, B.CreateLoad(I1, No)));
      return B.CreateLShr(All, B.CreateZExt(A.FirstLane, I64));
    };
    A.NoFirst[I] = Lanes(S.NoFirst);
    A.NoLast[I] = Lanes(S.NoLast);
    // Something has to be left of each row.
    A.Regular = B.CreateAnd(A.Regular, B.CreateICmpUGT(A.Count, B.getInt32(2)));
  }
  if (!A.Step[I]) {
    Value *Step = B.CreateLoad(I64, S.Step);
    A.require(B, callStageRuntime(B, StageFunction::Same,
                                  {A.FirstLane, A.Wanted, Step}));
    A.Step[I] = callStageRuntime(B, StageFunction::From8, {Step, A.FirstLane});
  }
  A.Row0[I] = callStageRuntime(B, StageFunction::From8, {Row, A.FirstLane});
  // Or the only one.
  Value *Second = B.CreateAdd(
      A.FirstLane, B.CreateZExt(B.CreateICmpUGT(A.Rows, B.getInt32(1)), I32));
  Value *Row1 = callStageRuntime(B, StageFunction::From8, {Row, Second});
  A.Stride[I] = B.CreateSub(Row1, A.Row0[I]);
  Value *IsRegular =
      callStageRuntime(B, StageFunction::Regular,
                       {A.Lanes, A.FirstLane, A.Wanted, Row,
                        U.Plan->Unit.UniformTripCount ? A.Count : A.Steps,
                        A.Row0[I], A.Stride[I], A.Count});
  A.Regular = B.CreateAnd(A.Regular, IsRegular);
  if (I == 0 && U.Plan->CheckProfit)
    A.require(B, createPays(B, U, A));
}

/// Agrees on \p U, which the threads \p Lanes want, the calling one if \p
/// Wanted. If these are \p Adjacent, \p Lanes may have others as well, and rows
/// have to be regular.
Agreement RowEmitter::agree(IRBuilder<> &B, EmittedUnit &U, Value *Wanted,
                            Value *Lanes,
                            std::optional<AdjacentThreads> Adjacent) {
  const RowUnit &Unit = U.Plan->Unit;
  Agreement A(B, Wanted, Lanes, Adjacent, Unit.Streams.size());
  A.Rows = Adjacent ? Adjacent->Rows
                    : callStageRuntime(B, StageFunction::Count, A.Lanes);
  A.FirstLane = Adjacent
                    ? Adjacent->FirstLane
                    : callStageRuntime(B, StageFunction::FirstLane, A.Lanes);
  A.Steps = B.CreateLoad(I32, U.Steps);
  A.Count = Adjacent ? Adjacent->Steps
                     : callStageRuntime(B, StageFunction::From4,
                                        {A.Steps, A.FirstLane});
  A.MaxSteps = Adjacent || Unit.UniformTripCount
                   ? A.Count
                   : callStageRuntime(B, StageFunction::Max, A.Steps);
  for (auto [I, S] : enumerate(Unit.Streams)) {
    A.Step[I] = constantStep(B, *U.Plan, I);
    if (S.Kind == Stream::Uniform)
      agreeOnUniform(B, U, I, A);
    else
      agreeOnRows(B, U, I, A);
  }
  // Rows that are not alike take more instructions to copy than they save.
  if (U.Plan->CheckProfit || Adjacent)
    A.require(B, std::exchange(A.Regular, B.getTrue()));
  if (const uint64_t Most = mostSteps(Unit); Unit.MaxTripCount > Most)
    A.require(B, B.CreateICmpULE(A.MaxSteps, B.getInt32(Most)));
  return A;
}

/// Copies what the threads want of \p T to its place in \p Ring.
void RowEmitter::copyTile(IRBuilder<> &B, EmittedUnit &U, const Agreement &A,
                          const TileRing &Ring, const Tile &T) {
  const RowUnit &Unit = U.Plan->Unit;
  Value *Begins = B.CreateIsNull(T.Position);
  Value *Position = B.CreateZExt(T.Position, I64);
  for (auto [I, S] : enumerate(Unit.Streams)) {
    const bool Start = U.Plan->Async && S.Word >= 4;
    Value *WarpTile = Ring.place(B, Ring.offset(B, T.Number), I);
    Value *Step = A.Step[I];
    auto Here = [&](Value *Row) {
      return B.CreateAdd(Row, B.CreateMul(Position, Step));
    };
    if (S.Kind == Stream::Uniform) {
      Value *From = B.CreateSelect(Begins, A.CutFirst[I], B.getInt32(0));
      Value *To = B.CreateBinaryIntrinsic(
          Intrinsic::umin,
          B.CreateSub(B.CreateSub(A.MaxSteps, A.CutLast[I]), T.Position),
          Ring.iterations(B));
      callStageRuntime(B, Start ? StageCopy::StartOne : StageCopy::One, S.Word,
                       {WarpTile, Here(A.Row0[I]), From, To});
      continue;
    }
    Value *Mine = Here(B.CreateLoad(I64, U.Streams[I].Start));
    Value *From = B.getInt32(0), *To = T.End;
    if (S.Skipped) {
      Value *Ends = B.CreateICmpEQ(B.CreateAdd(T.Position, T.End), A.Steps);
      Value *NoFirst = B.CreateLoad(I1, U.Streams[I].NoFirst);
      Value *NoLast = B.CreateLoad(I1, U.Streams[I].NoLast);
      From = B.CreateZExt(B.CreateAnd(Begins, NoFirst), I32);
      To = B.CreateSub(T.End, B.CreateZExt(B.CreateAnd(Ends, NoLast), I32));
      To = B.CreateBinaryIntrinsic(Intrinsic::smax, To, B.getInt32(0));
    }
    shareIfMany(*callStageRuntime(
        B, Start ? StageCopy::StartRows : StageCopy::Rows, S.Word,
        {WarpTile, A.Regular, A.Rows, A.Row0[I], A.Stride[I], A.Count,
         A.NoFirst[I], A.NoLast[I], T.Position, Mine, From, To,
         B.getInt32(U.Plan->Tile.Iterations), Ring.iterations(B),
         B.getInt32(U.Plan->Tile.Streams[I].Pitch),
         B.getInt32(U.Plan->SmallTile.Streams[I].Pitch),
         B.getInt32(S.windowWords()),
         B.getInt1(Unit.isStraightLine() || S.isDense()), Step}));
  }
}

/// Emits how many warps \p Threads are in, from the first one of a block on.
Value *RowEmitter::warpsOf(IRBuilder<> &B, Value *Threads) {
  return B.CreateUDiv(B.CreateAdd(Threads, B.getInt32(Memory.WarpSize - 1)),
                      B.getInt32(Memory.WarpSize));
}

Value *RowEmitter::warpsOfBlock(IRBuilder<> &B) {
  return warpsOf(B, callStageRuntime(B, StageFunction::Threads));
}

/// The shared memory of the thread's warp, which has \p Bytes of it.
Value *RowEmitter::ownShare(IRBuilder<> &B, Value *Bytes) {
  Value *Offset = B.CreateMul(callStageRuntime(B, StageFunction::Warp), Bytes);
  return B.CreatePtrAdd(Memory.Memory, B.CreateZExt(Offset, I64));
}

/// Emits whether the block has so few warps that each of them has \p Shares
/// times the shared memory of one of the largest blocks.
Value *RowEmitter::createHasShares(IRBuilder<> &B, Value *Warps,
                                   unsigned Shares) {
  return B.CreateICmpULE(Warps, B.getInt32(Memory.Warps / Shares));
}

/// The tiles of the thread's warp. If the block has fewer warps than shared
/// memory was reserved for, they are whole, and there may be several, if copies
/// are asynchronous.
TileRing RowEmitter::tileRing(IRBuilder<> &B, const RowUnitPlan &Unit,
                              const Agreement &A) {
  Value *Warps = warpsOfBlock(B);
  if (Unit.FullTiles) // what follows is not computed where these are read
    Warps = callStageRuntime(B, StageFunction::Hidden4, Warps);
  Value *HasTwo = createHasShares(B, Warps, 2),
        *HasMost = createHasShares(B, Warps, RowUnitPlan::MostShares);
  auto Choose = [&](unsigned Most, unsigned Two, unsigned One) {
    return B.CreateSelect(
        HasMost, B.getInt32(Most),
        B.CreateSelect(HasTwo, B.getInt32(Two), B.getInt32(One)));
  };
  Value *Share = ownShare(B, Choose(RowUnitPlan::MostShares * Memory.Bytes,
                                    2 * Memory.Bytes, Memory.Bytes));
  const unsigned Most = Unit.mostAhead();
  TileRing Ring{&Unit, nullptr, nullptr, Share, B.getFalse(), nullptr, 0, Most};
  Ring.setLane(B, callStageRuntime(B, StageFunction::Lane), A);
  if (!Unit.Async || Unit.isHalved()) {
    Ring.IsSmall = B.CreateNot(HasTwo);
    Ring.Ahead = Choose(Most, 0, 0);
  } else {
    Ring.Ahead = Choose(Most, 1, 0);
  }
  return Ring;
}

/// The same where there is room for as many as can be of use.
TileRing RowEmitter::mostTiles(IRBuilder<> &B, const RowUnitPlan &Unit,
                               const Agreement &A) {
  Value *Share =
      ownShare(B, B.getInt32(RowUnitPlan::MostShares * Memory.Bytes));
  const unsigned Most = Unit.mostAhead();
  TileRing Ring{&Unit,        nullptr,          nullptr, Share,
                B.getFalse(), B.getInt32(Most), 1,       Most};
  Ring.setLane(B, callStageRuntime(B, StageFunction::Lane), A);
  return Ring;
}

void TileRing::setLane(IRBuilder<> &B, Value *OfThread, const Agreement &A) {
  Lane = OfThread;
  // Of threads before the first one it is none.
  Row =
      B.CreateSub(Lane, B.CreateSelect(A.Regular, A.FirstLane, B.getInt32(0)));
}

Value *TileRing::offset(IRBuilder<> &B, Value *Number) const {
  // There is a power of two of them. Several are whole.
  return B.CreateMul(B.CreateAnd(Number, Ahead), B.getInt32(Plan->Tile.Bytes),
                     "", /*HasNUW=*/true, /*HasNSW=*/true);
}

Value *TileRing::place(IRBuilder<> &B, Value *Offset, unsigned Stream) const {
  Value *InTile =
      get(B, [&](const TileLayout &T) { return T.Streams[Stream].Offset; });
  return B.CreatePtrAdd(
      Share, B.CreateZExt(B.CreateNUWAdd(Offset, InTile), B.getInt64Ty()));
}

/// Where the thread's own steps of the tile \p Offset bytes behind Ring.Share
/// begin.
void RowEmitter::setTileRows(IRBuilder<> &B, EmittedUnit &U,
                             const TileRing &Ring, Value *Offset) {
  for (auto [I, Row] : enumerate(U.TileRow)) {
    Value *InTile = B.CreateZExt(B.CreateMul(Ring.Row, Ring.pitch(B, I)), I64);
    B.CreateStore(B.CreatePtrAdd(Ring.place(B, Offset, I), InTile), Row);
  }
}

/// Ends a walk of \p U at its latch after U.Left steps.
void RowEmitter::endTile(BasicBlock *Latch, EmittedUnit &U, BasicBlock *Head,
                         BasicBlock *Tiled) {
  Latch->getTerminator()->eraseFromParent();
  IRBuilder<> B(Latch);
  Value *Ends = B.CreateICmpEQ(B.CreateLoad(I64, U.Column),
                               B.CreateZExt(B.CreateLoad(I32, U.Left), I64));
  B.CreateCondBr(Ends, Tiled, Head);
}

/// Tells LLVM how the thread's parts of tiles are aligned, so that it reads
/// several steps at once.
void RowEmitter::assumeAligned(IRBuilder<> &B, const EmittedUnit &U) {
  for (auto [I, Row] : enumerate(U.TileRow))
    if (U.Plan->isWide(I))
      B.CreateAlignmentAssumption(F.getDataLayout(), B.CreateLoad(Shared, Row),
                                  gpu::MaxAccessBytes);
}

/// Walks through the thread's part of a tile, whose number of steps is in
/// U.Left, from \p Ready on, and ends at \p Tiled. Parts of a tile that are
/// full have a version of the inner loop whose number of steps is known, which
/// is unrolled if it is small.
void RowEmitter::emitTileLoop(EmittedUnit &U, BasicBlock *Ready,
                              BasicBlock *Tiled) {
  Loop &InnerLoop = *U.Plan->Unit.InnerLoop;
  BasicBlock *Latch = InnerLoop.getLoopLatch();
  IRBuilder<> B(Ready);
  size_t Instructions = 0;
  for (BasicBlock *Block : InnerLoop.blocks())
    Instructions += Block->size();
  constexpr size_t MaxUnrolled = 100;
  if (Instructions > MaxUnrolled) {
    B.CreateBr(U.StagedHead);
    endTile(Latch, U, U.StagedHead, Tiled);
    return;
  }
  const unsigned Iterations = U.Plan->unrollCount();
  ValueToValueMapTy Map;
  cloneBlocks(InnerLoop, ".full", Map);
  auto *FullHead = cast<BasicBlock>(Map[U.StagedHead]);
  BasicBlock *Part = block("part"), *Full = block("part.full"),
             *Rest = block("part.rest"), *Done = block("part.done");
  B.CreateBr(Part);
  B.SetInsertPoint(Part);
  Value *Left = B.CreateLoad(I32, U.Left);
  B.CreateStore(B.getInt64(0), U.Column);
  B.CreateCondBr(B.CreateICmpUGE(Left, B.getInt32(Iterations)), Full, Rest);
  B.SetInsertPoint(Rest);
  B.CreateCondBr(B.CreateIsNull(Left), Tiled, U.StagedHead);
  endTile(Latch, U, U.StagedHead, Tiled);

  B.SetInsertPoint(Full);
  assumeAligned(B, U);
  B.CreateStore(B.getInt32(Iterations), U.Left);
  B.CreateBr(FullHead);
  auto *FullLatch = cast<BasicBlock>(Map[Latch]);
  endTile(FullLatch, U, FullHead, Done);
  if (U.Plan->UnrollsParts)
    setUnrolling(*FullLatch->getTerminator(), AllIterations);
  B.SetInsertPoint(Done);
  for (auto [I, S] : enumerate(U.Plan->Unit.Streams)) {
    Value *Row = B.CreateLoad(Shared, U.TileRow[I]);
    Value *Bytes = B.getInt64(Iterations * S.wordsPerIteration() * S.Word);
    B.CreateStore(B.CreatePtrAdd(Row, Bytes), U.TileRow[I]);
  }
  B.CreateStore(B.CreateSub(Left, B.getInt32(Iterations)), U.Left);
  // A tile has one or two.
  setUnrolling(*B.CreateBr(Part), 1);
}

/// Tile \p Number of a warp that agrees on \p A.
Tile RowEmitter::tileOf(IRBuilder<> &B, EmittedUnit &U, const Agreement &A,
                        const TileRing &Ring, Value *Number) {
  Value *Iterations = Ring.iterations(B);
  Value *Position = B.CreateMul(Number, Iterations);
  Value *Any = A.Wanted;
  if (!U.Plan->Unit.UniformTripCount) // else the warp would not be here
    Any = B.CreateAnd(Any, B.CreateICmpULT(Position, A.Steps));
  Value *End = B.CreateBinaryIntrinsic(
      Intrinsic::umin, B.CreateSub(A.Steps, Position), Iterations);
  return {Number, Position, B.CreateSelect(Any, End, B.getInt32(0)), Any};
}

/// Waits for all but the last Ahead groups of copies of \p Ring.
void RowEmitter::emitWaits(IRBuilder<> &B, const TileRing &Ring) {
  if (auto *Known = dyn_cast<ConstantInt>(Ring.Ahead))
    return createAsyncWait(B, Known->getZExtValue());
  BasicBlock *Done = block("copied");
  SwitchInst *Switch = nullptr;
  for (unsigned Groups : {0, 1, 3}) {
    if (Groups < Ring.LeastAhead || Groups > Ring.MaxAhead)
      continue;
    BasicBlock *Wait = block("wait");
    if (Switch)
      Switch->addCase(B.getInt32(Groups), Wait);
    else
      Switch = B.CreateSwitch(Ring.Ahead, Wait);
    IRBuilder<> Then(Wait);
    createAsyncWait(Then, Groups);
    Then.CreateBr(Done);
  }
  B.SetInsertPoint(Done);
}

/// The loop over tiles, which \p Here leads to. While threads read one, the
/// next are under way. Threads that have something in one walk through it from
/// \p Ready on; at the end the warp goes to \p Finished.
void RowEmitter::emitTiles(IRBuilder<> &B, EmittedUnit &U, const Agreement &A,
                           const TileBlocks &To) {
  BasicBlock *Here = B.GetInsertBlock(), *NextTile = block("tile"),
             *Fill = block("fill"), *Filled = block("filled"),
             *Take = block("take"), *Tiled = block("tiled");
  const TileRing Ring = tileRing(B, *U.Plan, A);
  Value *Iterations = Ring.iterations(B);
  B.CreateCondBr(A.Ok, NextTile, To.Fallback);

  B.SetInsertPoint(NextTile);
  PHINode *Next = B.CreatePHI(I32, 2, "ferry.next");
  Next->addIncoming(B.getInt32(0), Here);
  Value *Number = B.CreateSub(Next, Ring.Ahead, "ferry.number");
  // What was read of the last tile may be written over now.
  callStageRuntime(B, StageFunction::Meet);
  B.CreateCondBr(B.CreateICmpSLT(B.CreateMul(Number, Iterations), A.MaxSteps),
                 To.Copy, To.Finished);

  B.SetInsertPoint(To.Copy);
  B.CreateCondBr(B.CreateICmpULT(B.CreateMul(Next, Iterations), A.MaxSteps),
                 Fill, Filled);
  B.SetInsertPoint(Fill);
  copyTile(B, U, A, Ring, tileOf(B, U, A, Ring, Next));
  B.CreateBr(Filled);
  B.SetInsertPoint(Filled);
  if (U.Plan->Async)
    createAsyncCommit(B);
  B.CreateCondBr(B.CreateICmpSLT(Number, B.getInt32(0)), Tiled, Take);

  B.SetInsertPoint(Take);
  if (U.Plan->Async)
    emitWaits(B, Ring);
  callStageRuntime(B, StageFunction::Meet);
  const Tile Taken = tileOf(B, U, A, Ring, Number);
  B.CreateCondBr(Taken.Any, To.Ready, Tiled);

  B.SetInsertPoint(Tiled);
  Next->addIncoming(B.CreateAdd(Next, B.getInt32(1), "", true, true), Tiled);
  B.CreateBr(NextTile);
  B.SetInsertPoint(To.Ready);
  B.CreateStore(B.getInt64(0), U.Column);
  B.CreateStore(Taken.End, U.Left);
  setTileRows(B, U, Ring, Ring.offset(B, Number));
  emitTileLoop(U, To.Ready, Tiled);
}

/// The one tile of a unit that needs all of its data at once.
void RowEmitter::emitWhole(IRBuilder<> &B, EmittedUnit &U, const Agreement &A,
                           const TileBlocks &To) {
  B.CreateCondBr(A.Ok, To.Copy, To.Fallback);
  B.SetInsertPoint(To.Copy);
  const TileRing Ring = tileRing(B, *U.Plan, A);
  copyTile(B, U, A, Ring, tileOf(B, U, A, Ring, B.getInt32(0)));
  if (U.Plan->Async) {
    createAsyncCommit(B);
    createAsyncWait(B, 0);
  }
  callStageRuntime(B, StageFunction::Meet);
  B.CreateCondBr(To.Wanted, To.Ready, To.Finished);
  B.SetInsertPoint(To.Ready);
  setTileRows(B, U, Ring, B.getInt32(0));
  B.CreateBr(U.StagedHead);
}

/// A thread says that it wants unit \p Number.
void RowEmitter::emitWayIn(EmittedUnit &U, unsigned Number) {
  Instruction *Old = U.Wants->getTerminator();
  IRBuilder<> B(Old);
  B.CreateStore(B.getInt32(Number), Want);
  B.CreateBr(Meet);
  Old->eraseFromParent();
}

/// Has every way to what comes after unit \p Number lead through Go, so that
/// loops of the region have one entry. Threads that do the unit alone meet
/// nobody there; the others come to \p Finished before.
void RowEmitter::emitWaysOut(EmittedUnit &U, unsigned Number,
                             BasicBlock *Finished) {
  BasicBlock *Passed = nullptr;
  for (BasicBlock *From : to_vector(predecessors(U.After))) {
    if (From == Resume)
      continue;
    const bool IsAlone = U.DivergentBlocks.contains(From);
    if (IsAlone && !Passed)
      Passed = block("passed");
    redirect(From, U.After, IsAlone ? Passed : Finished);
  }
  if (!Passed)
    return;
  IRBuilder<> B(Passed);
  B.CreateStore(B.getInt32(Number), Place);
  B.CreateBr(Go);
}

/// The meeting for unit \p Number, counted from 1, or that for others, \p Next,
/// if no thread wants this one. Then those that had it go on, and the others
/// wait for what they have wanted: where some threads have passed a unit over,
/// all have the next one together.
void RowEmitter::emitUnit(EmittedUnit &U, unsigned Number, BasicBlock *Next) {
  emitWayIn(U, Number);
  IRBuilder<> B(U.Meet);
  Value *Wanted = createWants(B, Number);
  if (Units.size() > 1) {
    BasicBlock *Some = block("agree");
    B.CreateCondBr(createAny(B, Wanted), Some, Next);
    B.SetInsertPoint(Some);
  }
  for (auto [First, Slot] : U.Firsts) // nobody has to keep it until here
    B.CreateStore(First, Slot);
  BasicBlock *Finished = block("finished");
  TileBlocks To{Wanted, block("fallback"), block("copy"), block("read"),
                Finished};
  if (U.ShortInAll) {
    BasicBlock *Long = block("long");
    B.CreateCondBr(U.ShortInAll, To.Fallback, Long);
    B.SetInsertPoint(Long);
  }
  Value *Lanes = callStageRuntime(B, StageFunction::Ballot, Wanted);
  if (U.Plan->FullTiles)
    emitFullTiles(B, U, Wanted, Lanes, To);
  const Agreement A = agree(B, U, Wanted, Lanes);
  if (U.Plan->Unit.isWhole())
    emitWhole(B, U, A, To);
  else
    emitTiles(B, U, A, To);
  B.SetInsertPoint(To.Fallback);
  B.CreateCondBr(Wanted, U.FallbackHead, Finished);

  emitWaysOut(U, Number, Finished);
  B.SetInsertPoint(Finished);
  B.CreateStore(
      B.CreateSelect(Wanted, B.getInt32(Number), B.CreateLoad(I32, Place)),
      Place);
  if (Units.size() > 1)
    B.CreateCondBr(Wanted, Go, Meet);
  else
    B.CreateBr(Go);
}

} // namespace ferry
