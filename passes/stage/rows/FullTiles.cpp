//===- FullTiles.cpp - Tiles that a whole warp reads in full --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop in which nothing is asked any more; RowEmitter.cpp shows it.
//
//===----------------------------------------------------------------------===//

#include "RowEmitterInternal.h"
#include "stage/common/GpuTarget.h"
#include "stage/common/LoopForm.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace ferry {

/// Emits whether all rows of stream \p I begin at multiples of \p Bytes.
static Value *createAreAligned(IRBuilder<> &B, const Agreement &A, unsigned I,
                               unsigned Bytes) {
  return B.CreateIsNull(
      B.CreateAnd(B.CreateOr(A.Row0[I], A.Stride[I]), B.getInt64(Bytes - 1)));
}

/// Emits where the words are that the thread copies of the first rows of stream
/// \p I by \p C, in memory and in the first tile.
static std::pair<Value *, Value *>
createOwnWords(IRBuilder<> &B, const TileRing &Ring, unsigned I,
               const Agreement &A, const FullCopy &C) {
  const Stream &S = Ring.Plan->Unit.Streams[I];
  Value *Row = B.CreateUDiv(Ring.Lane, B.getInt32(C.Columns));
  Value *Column = B.CreateURem(Ring.Lane, B.getInt32(C.Columns));
  Value *Bytes = B.CreateMul(Column, B.getInt32(C.WordBytes));
  auto Long = [&](Value *V) { return B.CreateZExt(V, B.getInt64Ty()); };
  Value *InRow = Long(Bytes);
  if (!S.isDense()) {
    Value *Window = B.getInt32(S.windowWords());
    InRow = B.CreateAdd(
        B.CreateMul(Long(B.CreateUDiv(Column, Window)), A.Step[I]),
        Long(B.CreateMul(B.CreateURem(Column, Window), B.getInt32(S.Word))));
  }
  Value *From = B.CreateAdd(
      A.Row0[I], B.CreateAdd(B.CreateMul(Long(Row), A.Stride[I]), InRow));
  Value *InTile = B.CreateAdd(
      B.CreateMul(Row, B.getInt32(Ring.Plan->Tile.Streams[I].Pitch)), Bytes);
  return {From, B.CreatePtrAdd(Ring.place(B, B.getInt32(0), I), Long(InTile))};
}

/// Calls \p Then for each of \p Copies, where \p IsIt says that it is the one;
/// the last one is if no other is. Afterwards \p B is where all of them end.
static void emitCases(IRBuilder<> &B, ArrayRef<FullCopy> Copies,
                      function_ref<Value *(unsigned)> IsIt,
                      function_ref<void(unsigned)> Then) {
  Function &F = *B.GetInsertBlock()->getParent();
  auto Block = [&](const char *Name) {
    return BasicBlock::Create(F.getContext(), Name, &F);
  };
  BasicBlock *End = Block("ferry.full.chosen");
  for (unsigned I = 0; I < Copies.size(); ++I) {
    BasicBlock *Else = nullptr;
    if (I + 1 < Copies.size()) {
      BasicBlock *This = Block("ferry.full.by");
      Else = Block("ferry.full.else");
      B.CreateCondBr(IsIt(I), This, Else);
      B.SetInsertPoint(This);
    }
    Then(I);
    B.CreateBr(End);
    B.SetInsertPoint(Else ? Else : End);
  }
}

/// Chooses how the warp copies stream \p I of full tiles.
FullStream RowEmitter::chooseFullCopy(IRBuilder<> &B, const TileRing &Ring,
                                      unsigned I, const Agreement &A) {
  const SmallVector<FullCopy, 3> Copies = Ring.Plan->fullCopies(I);
  SmallVector<std::tuple<BasicBlock *, Value *, Value *>, 3> Cases;
  emitCases(
      B, Copies,
      [&](unsigned N) {
        return createAreAligned(B, A, I, Copies[N].WordBytes);
      },
      [&](unsigned N) {
        auto [From, To] = createOwnWords(B, Ring, I, A, Copies[N]);
        Cases.push_back({B.GetInsertBlock(), From, To});
      });
  FullStream Own{B.CreatePHI(I32, Cases.size()), B.CreatePHI(I64, Cases.size()),
                 B.CreatePHI(Shared, Cases.size())};
  for (auto [N, Case] : enumerate(Cases)) {
    auto [Block, From, To] = Case;
    Own.Copy->addIncoming(B.getInt32(N), Block);
    Own.From->addIncoming(From, Block);
    Own.To->addIncoming(To, Block);
  }
  return Own;
}

/// Copies stream \p I of tile \p Number, which all threads of the warp read in
/// full, to \p Offset bytes behind Ring.Share; as \p Own says, if each has a
/// row.
void RowEmitter::copyFullStream(IRBuilder<> &B, const TileRing &Ring,
                                unsigned I, const Agreement &A,
                                const FullStream &Own, Value *Number,
                                Value *Offset) {
  const RowUnitPlan &Plan = *Ring.Plan;
  const Stream &S = Plan.Unit.Streams[I];
  const int64_t Step = *S.ConstantStep * int64_t(Plan.Tile.Iterations);
  // What is read of a row without gaps has 32 bits.
  Value *Begin =
      S.isDense() ? B.CreateZExt(B.CreateNUWMul(Number, B.getInt32(Step)), I64)
                  : B.CreateMul(B.CreateZExt(Number, I64), B.getInt64(Step));
  if (S.Kind == Stream::Uniform) {
    callStageRuntime(B, StageCopy::StartOne, S.Word,
                     {Ring.place(B, Offset, I), B.CreateAdd(A.Row0[I], Begin),
                      B.getInt32(0), B.getInt32(Plan.Tile.Iterations)});
    return;
  }
  Value *From = B.CreateAdd(Own.From, Begin);
  Value *To = B.CreatePtrAdd(Own.To, B.CreateZExt(Offset, I64));
  const SmallVector<FullCopy, 3> Copies = Plan.fullCopies(I);
  emitCases(
      B, Copies,
      [&](unsigned N) { return B.CreateICmpEQ(Own.Copy, B.getInt32(N)); },
      [&](unsigned N) {
        const FullCopy &C = Copies[N];
        callStageRuntime(B, StageCopy::StartFull, C.WordBytes,
                         {To, From, A.Stride[I], B.getInt32(C.Words),
                          B.getInt32(C.Columns),
                          B.getInt32(Plan.Tile.Streams[I].Pitch),
                          B.getInt32(S.windowWords()), B.getInt1(S.isDense()),
                          B.getInt64(*S.ConstantStep)});
      });
}

/// Reads a tile of \p U that is full, \p Offset bytes behind Ring.Share, and
/// goes on to \p Tiled.
void RowEmitter::emitFullRead(IRBuilder<> &B, EmittedUnit &U,
                              const TileRing &Ring, Value *Offset,
                              BasicBlock *Tiled) {
  setTileRows(B, U, Ring, Offset);
  assumeAligned(B, U);
  B.CreateStore(B.getInt64(0), U.Column);
  B.CreateStore(B.getInt32(U.Plan->Tile.Iterations), U.Left);
  Loop &InnerLoop = *U.Plan->Unit.InnerLoop;
  ValueToValueMapTy Map;
  cloneBlocks(InnerLoop, ".whole", Map);
  auto *Head = cast<BasicBlock>(Map[U.StagedHead]);
  auto *Latch = cast<BasicBlock>(Map[InnerLoop.getLoopLatch()]);
  B.CreateBr(Head);
  endTile(Latch, U, Head, Tiled);
  setUnrolling(*Latch->getTerminator(), "full");
}

/// Emits whether each thread of the warp has a row, all are alike and
/// can be copied as full tiles are, and no step is left out.
Value *RowEmitter::createAreFull(IRBuilder<> &B, const RowUnitPlan &Plan,
                                 const Agreement &A) {
  Value *AreFull = B.CreateAnd(
      A.Regular, B.CreateICmpEQ(A.Rows, B.getInt32(Memory.WarpSize)));
  for (auto [I, S] : enumerate(Plan.Unit.Streams)) {
    if (S.Kind == Stream::PerThread)
      if (unsigned Least = Plan.fullCopies(I).back().WordBytes; Least > S.Word)
        AreFull = B.CreateAnd(AreFull, createAreAligned(B, A, I, Least));
    if (S.Skipped)
      for (auto *Cuts : {&A.NoFirst, &A.NoLast, &A.CutFirst, &A.CutLast})
        AreFull = B.CreateAnd(AreFull, B.CreateIsNull((*Cuts)[I]));
  }
  return AreFull;
}

/// Where rows consist of tiles that all threads of the warp read in full, and
/// perhaps a part of one, leads from \p B to a loop over these tiles, in which
/// nothing is asked any more. It ends at \p Finished or, where that part has
/// still to be copied, goes on to \p Rest, as do all others: its phi \p Next is
/// the tile to be copied next.
void RowEmitter::emitFullTiles(IRBuilder<> &B, EmittedUnit &U,
                               const Agreement &A, const TileRing &Among,
                               BasicBlock *Rest, PHINode *Next,
                               BasicBlock *Finished) {
  BasicBlock *Here = B.GetInsertBlock(), *Begin = block("full"),
             *Ahead = block("full.ahead"), *Tile = block("full.tile"),
             *Copy = block("full.copy"), *Read = block("full.read"),
             *Tiled = block("full.tiled"), *Done = block("full.done");
  Value *Iterations = B.getInt32(U.Plan->Tile.Iterations);
  TileRing Ring = Among;
  Ring.IsSmall = B.getFalse();
  Ring.Ahead = B.getInt32(Among.MaxAhead);
  Value *Tiles = B.CreateUDiv(A.Count, Iterations);
  Value *HasAll = B.CreateAnd(B.CreateICmpEQ(Among.Ahead, Ring.Ahead),
                              B.CreateICmpUGE(Tiles, Ring.Ahead));
  Next->addIncoming(B.getInt32(0), Here);
  B.CreateCondBr(B.CreateAnd(createAreFull(B, *U.Plan, A), HasAll), Begin,
                 Rest);

  B.SetInsertPoint(Begin);
  Value *HasPart = B.CreateIsNotNull(B.CreateURem(A.Count, Iterations));
  Value *End = B.CreateSelect(HasPart, Tiles, B.CreateAdd(Tiles, Ring.Ahead));
  SmallVector<FullStream, 4> Own(U.Plan->Unit.Streams.size());
  for (auto [I, S] : enumerate(U.Plan->Unit.Streams))
    if (S.Kind == Stream::PerThread)
      Own[I] = chooseFullCopy(B, Ring, I, A);
  auto CopyTile = [&](Value *Number, Value *Offset) {
    for (unsigned I = 0; I < Own.size(); ++I)
      copyFullStream(B, Ring, I, A, Own[I], Number, Offset);
  };
  BasicBlock *Chosen = B.GetInsertBlock();
  B.CreateBr(Ahead);

  B.SetInsertPoint(Ahead);
  PHINode *First = B.CreatePHI(I32, 2);
  CopyTile(First, Ring.offset(B, First));
  createAsyncCommit(B);
  Value *Second = B.CreateNUWAdd(First, B.getInt32(1));
  BasicBlock *Begun = block("full.begun");
  First->addIncoming(B.getInt32(0), Chosen);
  First->addIncoming(Second, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpULT(Second, Ring.Ahead), Ahead, Begun);
  B.SetInsertPoint(Begun);
  Next->addIncoming(Ring.Ahead, Begun);
  B.CreateCondBr(B.CreateICmpULT(Ring.Ahead, End), Tile, Rest);

  // Where a tile is copied to, the one was that has been read before.
  B.SetInsertPoint(Tile);
  PHINode *Copied = B.CreatePHI(I32, 2), *Free = B.CreatePHI(I32, 2),
          *Taken = B.CreatePHI(I32, 2);
  callStageRuntime(B, StageFunction::Meet);
  B.CreateCondBr(B.CreateICmpULT(Copied, Tiles), Copy, Read);
  B.SetInsertPoint(Copy);
  CopyTile(Copied, Free);
  B.CreateBr(Read);
  B.SetInsertPoint(Read);
  createAsyncCommit(B);
  createAsyncWait(B, Among.MaxAhead);
  callStageRuntime(B, StageFunction::Meet);
  emitFullRead(B, U, Ring, Taken, Tiled);

  B.SetInsertPoint(Tiled);
  Value *NextCopied = B.CreateNUWAdd(Copied, B.getInt32(1));
  // As many behind as there are in the ring, but for one.
  Value *NextTaken = Ring.offset(B, B.CreateAdd(NextCopied, B.getInt32(1)));
  for (auto [Phi, Before, Then] :
       {std::tuple(Copied, Ring.Ahead, NextCopied),
        std::tuple(Free, Ring.offset(B, Ring.Ahead),
                   static_cast<Value *>(Taken)),
        std::tuple(Taken, Ring.offset(B, B.getInt32(0)), NextTaken)}) {
    Phi->addIncoming(Before, Begun);
    Phi->addIncoming(Then, Tiled);
  }
  B.CreateCondBr(B.CreateICmpULT(NextCopied, End), Tile, Done);
  B.SetInsertPoint(Done);
  Next->addIncoming(NextCopied, Done);
  B.CreateCondBr(HasPart, Rest, Finished);
}

} // namespace ferry
