//===- RowMeeting.cpp - What the threads of a warp do together ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowEmitterInternal.h"
#include "stage/common/GpuModel.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace ferry {

Value *constantStep(IRBuilderBase &B, const RowUnitPlan &Plan, unsigned I) {
  const Stream &S = Plan.Unit.Streams[I];
  if (Plan.Unit.isLine())
    return B.getInt64(S.Window);
  return S.ConstantStep ? B.getInt64(*S.ConstantStep) : nullptr;
}

Value *skewStep(IRBuilderBase &B, const RowUnitPlan &Plan, Value *Step) {
  if (!Plan.MaxSkew)
    return B.getInt64(0);
  Value *Word = B.getInt64(Plan.Unit.Streams[0].Word);
  return B.CreateSelect(B.CreateICmpEQ(Step, Word), Word, B.getInt64(0));
}

/// The blocks that every thread passes between two meetings.
void RowEmitter::emitDispatch() {
  BasicBlock *Entry = Plan.Region.Entry, *Exit = Plan.Region.Exit;
  Go = block("go");
  Leave = block("leave");
  Meet = block("all");
  BasicBlock *Out = block("out");

  IRBuilder<> B(Entry->getTerminator());
  B.CreateStore(B.getFalse(), Done);
  B.CreateStore(B.getInt32(0), Place);
  redirect(Entry, Start, Go);

  // Who comes here wants a unit, or nothing any more.
  B.SetInsertPoint(Meet);
  Value *Wants = B.CreateICmpNE(B.CreateLoad(I32, Want), B.getInt32(0));
  B.CreateCondBr(any(B, Wants), Units.front().Meet, Out);
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
      B.CreateStore(B.getInt64(0), S.Row);
      B.CreateStore(B.getInt64(0), S.Step);
      for (AllocaInst *Slot : {S.NoFirst, S.NoLast})
        if (Slot)
          B.CreateStore(B.getFalse(), Slot);
    }
    B.CreateStore(B.getInt64(0), U.Trips);
    B.CreateStore(B.getInt32(0), U.Skew);
  }
  Resume = block("resume");
  B.CreateCondBr(B.CreateLoad(I1, Done), Meet, Resume);
  B.SetInsertPoint(Resume);
  SwitchInst *Switch = B.CreateSwitch(B.CreateLoad(I32, Place), Start);
  for (auto [I, U] : enumerate(Units))
    Switch->addCase(B.getInt32(I + 1), U.After);
}

Agreement RowEmitter::agree(IRBuilder<> &B, EmittedUnit &U, Value *Wanted) {
  const RowUnit &Unit = U.Plan->Unit;
  Agreement A;
  A.Wanted = Wanted;
  A.Ok = B.getTrue();
  auto Require = [&](Value *Condition) { A.Ok = B.CreateAnd(A.Ok, Condition); };
  Value *Trips = B.CreateLoad(I64, U.Trips);
  A.MaxTrips = Unit.SameTrips
                   ? callStageRuntime(B, "wanted", I64, {Wanted, Trips})
                   : callStageRuntime(B, "max", I64, Trips);
  A.Count =
      Unit.SameTrips ? A.MaxTrips : callStageRuntime(B, "first", I64, Trips);
  A.Rows = callStageRuntime(B, "count", I32, Wanted);
  A.Regular = B.getTrue();
  for (auto [I, S] : enumerate(Unit.Streams)) {
    Value *Row = B.CreateLoad(I64, U.Streams[I].Row);
    A.Row0.push_back(nullptr);
    A.Stride.push_back(nullptr);
    A.Step.push_back(constantStep(B, *U.Plan, I));
    for (auto *Cut : {&A.CutFirst, &A.CutLast, &A.NoFirst, &A.NoLast})
      Cut->push_back(B.getInt64(0));
    Value *NoFirst = nullptr, *NoLast = nullptr;
    if (S.Skipped) {
      NoFirst = B.CreateLoad(I1, U.Streams[I].NoFirst);
      NoLast = B.CreateLoad(I1, U.Streams[I].NoLast);
    }
    if (S.Kind == Stream::Common) {
      Require(callStageRuntime(B, "same", I1, {Wanted, Row}));
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
    if (S.Skipped) {
      auto Lanes = [&](Value *No) {
        return callStageRuntime(B, "ballot", I64, B.CreateAnd(Wanted, No));
      };
      A.NoFirst.back() = Lanes(NoFirst);
      A.NoLast.back() = Lanes(NoLast);
      // Something has to be left of each row.
      A.Regular =
          B.CreateAnd(A.Regular, B.CreateICmpUGT(A.Count, B.getInt64(2)));
    }
    Value *Distance = callStageRuntime(B, "distance", I64, Row);
    if (I == 0 && U.Plan->CheckProfit)
      Require(callStageRuntime(
          B, "pays", I1, {Wanted, Distance, B.getInt64(gpu::SectorBytes)}));
    if (!A.Step.back()) {
      Value *Step = B.CreateLoad(I64, U.Streams[I].Step);
      Require(callStageRuntime(B, "same", I1, {Wanted, Step}));
      A.Step.back() = callStageRuntime(B, "wanted", I64, {Wanted, Step});
    }
    A.Row0.back() = callStageRuntime(B, "first", I64, Row);
    A.Stride.back() = callStageRuntime(B, "first", I64, Distance);
    A.Regular = B.CreateAnd(A.Regular,
                            callStageRuntime(B, "regular", I1,
                                             {Wanted, Row, Trips, A.Row0.back(),
                                              A.Stride.back(), A.Count}));
  }
  // Rows that are not alike take more instructions to copy than they save.
  if (U.Plan->CheckProfit)
    Require(std::exchange(A.Regular, B.getTrue()));
  if (!Unit.isWhole()) {
    A.Skewed = any(B, B.CreateICmpNE(B.CreateLoad(I32, U.Skew), B.getInt32(0)));
    // A row's first and last tile are copied word by word then.
    if (U.Plan->CheckProfit)
      Require(B.CreateOr(
          B.CreateNot(A.Skewed),
          B.CreateICmpUGE(A.Count, B.getInt64(U.Plan->leastSkewedTrips()))));
  }
  A.SkewStep = skewStep(B, *U.Plan, A.Step[0]);
  return A;
}

/// Copies what the threads want of \p T.
void RowEmitter::copyTile(IRBuilder<> &B, EmittedUnit &U, const Agreement &A,
                          const Tile &T) {
  auto [Position, Length, First, End] = T;
  const RowUnit &Unit = U.Plan->Unit;
  Value *Skew = B.CreateZExt(B.CreateLoad(I32, U.Skew), I64);
  Value *Share = warpShare(B);
  for (auto [I, S] : enumerate(Unit.Streams)) {
    const StreamLayout &Layout = U.Plan->Layout[I];
    Value *WarpTile = B.CreatePtrAdd(Share, B.getInt64(Layout.Offset));
    Value *Row = B.CreateLoad(I64, U.Streams[I].Row);
    Value *Step = A.Step[I];
    if (S.Kind == Stream::Common) {
      // Threads may be up to Ahead steps behind each other, by their skews.
      Value *Ahead = B.getInt64(U.Plan->MaxSkew);
      Value *From = B.CreateSelect(
          B.CreateICmpEQ(Position, B.getInt64(0)),
          B.CreateTrunc(B.CreateAdd(Ahead, A.CutFirst[I]), I32), B.getInt32(0));
      Value *To = B.CreateTrunc(
          B.CreateBinaryIntrinsic(
              Intrinsic::umin,
              B.CreateAdd(
                  B.CreateSub(B.CreateSub(A.MaxTrips, A.CutLast[I]), Position),
                  Ahead),
              B.CreateAdd(Length, Ahead)),
          I32);
      Value *Begin =
          B.CreateAdd(Row, B.CreateMul(B.CreateSub(Position, Ahead), Step));
      callStageRuntime(B, ("one" + Twine(S.Word)).str(), B.getVoidTy(),
                       {WarpTile, A.Wanted, Begin, From, To});
      continue;
    }
    Value *Mine =
        B.CreateAdd(Row, B.CreateMul(B.CreateSub(Position, Skew), Step));
    Value *From = First, *To = End;
    if (S.Skipped) {
      Value *Begins = B.CreateICmpEQ(Position, B.getInt64(0));
      Value *Last = B.CreateAdd(B.CreateLoad(I64, U.Trips), Skew);
      Value *Ends =
          B.CreateICmpEQ(B.CreateAdd(Position, B.CreateZExt(End, I64)), Last);
      Value *NoFirst = B.CreateLoad(I1, U.Streams[I].NoFirst);
      Value *NoLast = B.CreateLoad(I1, U.Streams[I].NoLast);
      From =
          B.CreateAdd(First, B.CreateZExt(B.CreateAnd(Begins, NoFirst), I32));
      To = B.CreateSub(End, B.CreateZExt(B.CreateAnd(Ends, NoLast), I32));
      To = B.CreateBinaryIntrinsic(Intrinsic::smax, To, B.getInt32(0));
    }
    callStageRuntime(B, ("rows" + Twine(S.Word)).str(), B.getVoidTy(),
                     {WarpTile,
                      A.Regular,
                      A.Rows,
                      A.Row0[I],
                      A.Stride[I],
                      A.Count,
                      A.Row0[0],
                      A.Stride[0],
                      A.SkewStep,
                      A.NoFirst[I],
                      A.NoLast[I],
                      Position,
                      Mine,
                      From,
                      To,
                      B.getInt32(U.Plan->Steps),
                      B.CreateTrunc(Length, I32),
                      B.getInt32(Layout.Pitch),
                      B.getInt32(S.windowWords()),
                      B.getInt1(Unit.isLine() || S.isDense()),
                      Step});
  }
}

/// Where the shared memory of the thread's warp begins.
Value *RowEmitter::warpShare(IRBuilder<> &B) {
  Value *Offset = B.CreateMul(callStageRuntime(B, "warp", I32, {}),
                              B.getInt32(Memory.Bytes));
  return B.CreatePtrAdd(Memory.Memory, B.CreateZExt(Offset, I64));
}

/// Where the thread's own steps of each tile begin, \p First being the first.
void RowEmitter::setTileRows(IRBuilder<> &B, EmittedUnit &U, Value *First) {
  Value *Lane = callStageRuntime(B, "lane", I32, {});
  Value *Share = warpShare(B);
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

/// Ends a walk of \p U at its latch after U.Left steps.
void RowEmitter::endTile(BasicBlock *Latch, EmittedUnit &U, BasicBlock *Head,
                         BasicBlock *Tiled) {
  Latch->getTerminator()->eraseFromParent();
  IRBuilder<> B(Latch);
  Value *Ends =
      B.CreateICmpEQ(B.CreateLoad(I64, U.Column), B.CreateLoad(I64, U.Left));
  B.CreateCondBr(Ends, Tiled, Head);
}

/// Walks through the thread's part of a tile, whose number of steps is in
/// U.Left, from \p Ready on, and ends at \p Tiled. Parts of a tile that are
/// full have a version of the walk whose number of steps is known, so that LLVM
/// can unroll a small loop.
void RowEmitter::emitWalk(EmittedUnit &U, BasicBlock *Ready,
                          BasicBlock *Tiled) {
  Loop &Walk = *U.Plan->Unit.Walk;
  BasicBlock *Latch = Walk.getLoopLatch();
  IRBuilder<> B(Ready);
  size_t Instructions = 0;
  for (BasicBlock *Block : Walk.blocks())
    Instructions += Block->size();
  constexpr size_t MaxUnrolled = 100;
  if (Instructions > MaxUnrolled) {
    B.CreateBr(U.StagedHead);
    endTile(Latch, U, U.StagedHead, Tiled);
    return;
  }
  const unsigned Steps = U.Plan->partSteps();
  ValueToValueMapTy Map;
  cloneBlocks(Walk, ".full", Map);
  auto *FullHead = cast<BasicBlock>(Map[U.StagedHead]);
  BasicBlock *Part = block("part"), *Full = block("part.full"),
             *Rest = block("part.rest"), *Done = block("part.done");
  B.CreateBr(Part);
  B.SetInsertPoint(Part);
  Value *Left = B.CreateLoad(I64, U.Left);
  B.CreateStore(B.getInt64(0), U.Column);
  B.CreateCondBr(B.CreateICmpUGE(Left, B.getInt64(Steps)), Full, Rest);
  B.SetInsertPoint(Rest);
  B.CreateCondBr(B.CreateIsNull(Left), Tiled, U.StagedHead);
  endTile(Latch, U, U.StagedHead, Tiled);

  B.SetInsertPoint(Full);
  B.CreateStore(B.getInt64(Steps), U.Left);
  B.CreateBr(FullHead);
  endTile(cast<BasicBlock>(Map[Latch]), U, FullHead, Done);
  B.SetInsertPoint(Done);
  for (auto [I, S] : enumerate(U.Plan->Unit.Streams)) {
    Value *Row = B.CreateLoad(Shared, U.TileRow[I]);
    Value *Bytes = B.getInt64(Steps * S.wordsPerStep() * S.Word);
    B.CreateStore(B.CreatePtrAdd(Row, Bytes), U.TileRow[I]);
  }
  B.CreateStore(B.CreateSub(Left, B.getInt64(Steps)), U.Left);
  B.CreateBr(Part);
}

/// The loop over tiles, which \p Here leads to. Threads that have something in
/// one walk through it from \p Ready on; at the end the warp goes to
/// \p Finished.
void RowEmitter::emitTiles(IRBuilder<> &B, EmittedUnit &U, const Agreement &A,
                           const TileBlocks &To) {
  Value *Trips = B.CreateLoad(I64, U.Trips);
  BasicBlock *Here = B.GetInsertBlock(), *NextTile = block("tile"),
             *Tiled = block("tiled");
  const unsigned Steps = U.Plan->Steps, Part = U.Plan->partSteps();
  Value *Slack =
      B.CreateSelect(A.Skewed, B.getInt64(U.Plan->MaxSkew), B.getInt64(0));
  Value *AllEnd = B.CreateAdd(A.MaxTrips, Slack);
  Value *Skew = B.CreateLoad(I32, U.Skew);
  Value *Last = B.CreateAdd(Trips, B.CreateZExt(Skew, I64));
  B.CreateCondBr(A.Ok, NextTile, To.Own);

  B.SetInsertPoint(NextTile);
  PHINode *Position = B.CreatePHI(I64, 2, "ferry.position");
  Position->addIncoming(B.getInt64(0), Here);
  // What was read of the last tile may be written over now.
  callStageRuntime(B, "meet", B.getVoidTy(), {});
  B.CreateCondBr(B.CreateICmpULT(Position, AllEnd), To.Copy, To.Finished);

  B.SetInsertPoint(To.Copy);
  // A part of a tile, if that is full and the whole would not be.
  Value *AllLeft = B.CreateSub(AllEnd, Position);
  Value *IsPart =
      B.CreateAnd(B.CreateNot(A.Skewed),
                  B.CreateAnd(B.CreateICmpULT(AllLeft, B.getInt64(Steps)),
                              B.CreateICmpUGE(AllLeft, B.getInt64(Part))));
  Value *Length = B.CreateSelect(IsPart, B.getInt64(Part), B.getInt64(Steps));
  Value *Left = B.CreateAnd(To.Wanted, B.CreateICmpULT(Position, Last));
  Value *First =
      B.CreateSelect(B.CreateAnd(Left, B.CreateICmpEQ(Position, B.getInt64(0))),
                     Skew, B.getInt32(0));
  Value *End = B.CreateSelect(
      Left,
      B.CreateTrunc(B.CreateBinaryIntrinsic(
                        Intrinsic::umin, B.CreateSub(Last, Position), Length),
                    I32),
      B.getInt32(0));
  B.CreateStore(B.getInt64(0), U.Column);
  B.CreateStore(B.CreateZExt(B.CreateSub(End, First), I64), U.Left);
  copyTile(B, U, A, {Position, Length, First, End});
  callStageRuntime(B, "meet", B.getVoidTy(), {});
  B.CreateCondBr(Left, To.Ready, Tiled);

  B.SetInsertPoint(Tiled);
  Position->addIncoming(B.CreateAdd(Position, Length, "", true, true), Tiled);
  B.CreateBr(NextTile);
  B.SetInsertPoint(To.Ready);
  setTileRows(B, U, First);
  emitWalk(U, To.Ready, Tiled);
}

/// The one tile of a unit that needs all of its data at once.
void RowEmitter::emitWhole(IRBuilder<> &B, EmittedUnit &U, const Agreement &A,
                           const TileBlocks &To) {
  Value *Trips = B.CreateLoad(I64, U.Trips), *First = B.getInt32(0);
  B.CreateCondBr(A.Ok, To.Copy, To.Own);
  B.SetInsertPoint(To.Copy);
  Value *End =
      B.CreateSelect(To.Wanted, B.CreateTrunc(Trips, I32), B.getInt32(0));
  copyTile(B, U, A, {B.getInt64(0), B.getInt64(U.Plan->Steps), First, End});
  callStageRuntime(B, "meet", B.getVoidTy(), {});
  B.CreateCondBr(To.Wanted, To.Ready, To.Finished);
  B.SetInsertPoint(To.Ready);
  setTileRows(B, U, First);
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

/// The meeting for unit \p Number, counted from 1; then the warp goes on to
/// \p Next.
void RowEmitter::emitUnit(EmittedUnit &U, unsigned Number, BasicBlock *Next) {
  emitWayIn(U, Number);
  IRBuilder<> B(U.Meet);
  Value *Wanted = wants(B, Number);
  if (Units.size() > 1) {
    BasicBlock *Some = block("agree");
    B.CreateCondBr(any(B, Wanted), Some, Next);
    B.SetInsertPoint(Some);
  }
  Agreement A = agree(B, U, Wanted);
  BasicBlock *Finished = block("finished");
  TileBlocks To{Wanted, block("own"), block("copy"), block("read"), Finished};
  if (U.Plan->Unit.isWhole())
    emitWhole(B, U, A, To);
  else
    emitTiles(B, U, A, To);
  B.SetInsertPoint(To.Own);
  B.CreateCondBr(Wanted, U.OwnHead, Finished);

  // Every way to what comes after the unit leads through the next meeting, but
  // for threads that do it alone.
  for (BasicBlock *From : to_vector(predecessors(U.After)))
    if (From != Resume && !U.AloneBlocks.contains(From))
      redirect(From, U.After, Finished);
  B.SetInsertPoint(Finished);
  B.CreateStore(
      B.CreateSelect(Wanted, B.getInt32(Number), B.CreateLoad(I32, Place)),
      Place);
  B.CreateBr(Next);
}

} // namespace ferry
