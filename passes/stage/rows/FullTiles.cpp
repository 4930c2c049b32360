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

#include "RowEmitter.h"
#include "stage/common/GpuTarget.h"
#include "stage/common/LoopForm.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/Local.h"
#include <array>

using namespace llvm;

namespace ferry {

/// Emits whether all rows of stream \p I begin at multiples of \p Bytes and, if
/// that is given, are \p Length bytes long, an i32, which is one as well.
static Value *createAreAligned(IRBuilder<> &B, const Agreement &A, unsigned I,
                               unsigned Bytes, Value *Length = nullptr) {
  Value *Together = B.CreateOr(A.Row0[I], A.Stride[I]);
  if (Length)
    Together = B.CreateOr(Together, B.CreateZExt(Length, B.getInt64Ty()));
  return B.CreateIsNull(B.CreateAnd(Together, B.getInt64(Bytes - 1)));
}

/// Emits how many bytes behind \p Address, an i64, the next multiple of the
/// largest word is, an i32.
static Value *createToLargestWord(IRBuilder<> &B, Value *Address) {
  return B.CreateAnd(B.CreateNeg(B.CreateTrunc(Address, B.getInt32Ty())),
                     B.getInt32(gpu::MaxAccessBytes - 1));
}

/// Calls \p Then for each of \p Cases, where \p IsIt says that it is the one;
/// the last one is if no other is. Afterwards \p B is where all of them end.
static void emitCases(IRBuilder<> &B, unsigned Cases,
                      function_ref<Value *(unsigned)> IsIt,
                      function_ref<void(unsigned)> Then) {
  Function &F = *B.GetInsertBlock()->getParent();
  auto Block = [&](const char *Name) {
    return BasicBlock::Create(F.getContext(), Name, &F);
  };
  BasicBlock *End = Block("ferry.full.chosen");
  for (unsigned I = 0; I < Cases; ++I) {
    BasicBlock *Else = nullptr;
    if (I + 1 < Cases) {
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

/// Calls \p Then for each way to copy rows of stream \p I, where it is the one:
/// they begin at multiples of its words and, if that is given, are \p Length
/// bytes long, which is one as well; or they are copied from the first multiple
/// of the largest word on.
static void
emitChoiceOfCopy(IRBuilder<> &B, const RowUnitPlan &Plan, unsigned I,
                 const Agreement &A, Value *Length,
                 function_ref<void(const FullCopy &, bool SkipsBefore)> Then) {
  SmallVector<FullCopy, 4> Copies(Plan.fullCopies(I));
  const bool MaySkip = Plan.mostBefore();
  if (MaySkip)
    Copies.insert(Copies.begin() + 1, Copies.front());
  auto Skips = [&](unsigned N) { return MaySkip && N == 1; };
  emitCases(
      B, Copies.size(),
      [&](unsigned N) {
        return Skips(N)
                   ? A.SkipsBefore
                   : createAreAligned(B, A, I, Copies[N].WordBytes, Length);
      },
      [&](unsigned N) { Then(Copies[N], Skips(N)); });
}

namespace {
/// The words that the thread copies of the first rows of a stream.
struct OwnWords {
  Value *From;    ///< i64, where they are in memory,
  Value *To;      ///< and in the first tile
  Value *Skipped; ///< i32, the bytes of such a row that are not copied
};
} // namespace

/// Emits where the words are that the thread copies of the first rows of stream
/// \p I by \p C, from the first multiple of the largest word on if \p
/// SkipsBefore.
static OwnWords createOwnWords(IRBuilder<> &B, const TileRing &Ring, unsigned I,
                               const Agreement &A, const FullCopy &C,
                               bool SkipsBefore) {
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
  Value *Begin = B.CreateAdd(A.Row0[I], B.CreateMul(Long(Row), A.Stride[I]));
  Value *Skipped = SkipsBefore ? createToLargestWord(B, Begin) : B.getInt32(0);
  Value *InTile = B.CreateAdd(
      B.CreateMul(Row, B.getInt32(Ring.Plan->Tile.Streams[I].Pitch)), Bytes);
  return {B.CreateAdd(B.CreateAdd(Begin, Long(Skipped)), InRow),
          B.CreatePtrAdd(Ring.place(B, B.getInt32(0), I), Long(InTile)),
          Skipped};
}

/// Emits how many bytes \p Steps steps of \p S are, an i32.
static Value *createRowBytes(IRBuilder<> &B, const Stream &S, Value *Steps) {
  const unsigned Over = S.windowWords() - S.wordsPerIteration();
  return B.CreateAdd(
      B.CreateMul(Steps, B.getInt32(S.wordsPerIteration() * S.Word)),
      B.getInt32(Over * S.Word));
}

/// Emits how far it is, of rows \p Stride apart, to the next that a thread
/// copies by \p C.
static Value *createToNextRows(IRBuilder<> &B, unsigned WarpSize, Value *Stride,
                               const FullCopy &C) {
  return B.CreateMul(Stride, B.getInt64(WarpSize / C.Columns));
}

/// Emits how many rows there are that the thread copies by \p C, i32.
static Value *createOwnRows(IRBuilder<> &B, unsigned WarpSize,
                            const Agreement &A, const FullCopy &C,
                            bool HaveAll) {
  const unsigned Together = WarpSize / C.Columns;
  if (HaveAll)
    return B.getInt32(C.Columns); // WarpSize / Together
  Value *Rows = callStageRuntime(B, StageFunction::Hidden4, A.Rows);
  Value *First = B.CreateUDiv(callStageRuntime(B, StageFunction::Lane),
                              B.getInt32(C.Columns));
  return B.CreateUDiv(
      B.CreateSub(B.CreateAdd(Rows, B.getInt32(Together - 1)), First),
      B.getInt32(Together));
}

/// What FullStream::Way is of \p C, by whether all threads have a row.
static Value *wayToCopy(IRBuilder<> &B, const FullCopy &C, bool HaveAll) {
  return B.getInt32(HaveAll ? C.WordBytes : C.WordBytes + 1);
}

/// Chooses how the warp copies stream \p I of full tiles.
FullStream RowEmitter::chooseFullCopy(IRBuilder<> &B, const TileRing &Ring,
                                      unsigned I, const Agreement &A) {
  FullStream Choice{PHINode::Create(I32, 4), PHINode::Create(I64, 4),
                    PHINode::Create(I64, 4), PHINode::Create(Shared, 4)};
  emitChoiceOfCopy(
      B, *Ring.Plan, I, A, /*Length=*/nullptr,
      [&](const FullCopy &C, bool SkipsBefore) {
        const OwnWords Words = createOwnWords(B, Ring, I, A, C, SkipsBefore);
        Value *Next = createToNextRows(B, Memory.WarpSize, A.Stride[I], C);
        Value *Way = B.CreateSelect(A.Adjacent->AreAll, wayToCopy(B, C, true),
                                    wayToCopy(B, C, false));
        for (auto [Phi, V] :
             {std::pair(Choice.Way, Way), std::pair(Choice.From, Words.From),
              std::pair(Choice.Next, Next), std::pair(Choice.To, Words.To)})
          Phi->addIncoming(V, B.GetInsertBlock());
      });
  for (PHINode *Phi : {Choice.Way, Choice.From, Choice.Next, Choice.To})
    B.Insert(Phi);
  return Choice;
}

/// Emits where in row 0 stream \p I of tile \p Number begins, in bytes from
/// its first word.
static Value *createBeginOfTile(IRBuilder<> &B, const RowUnitPlan &Plan,
                                unsigned I, Value *Number) {
  const Stream &S = Plan.Unit.Streams[I];
  const int64_t Step = *S.ConstantStep * int64_t(Plan.Tile.Iterations);
  // What is read of a row without gaps has 32 bits.
  return S.isDense() ? B.CreateZExt(B.CreateNUWMul(Number, B.getInt32(Step)),
                                    B.getInt64Ty())
                     : B.CreateMul(B.CreateZExt(Number, B.getInt64Ty()),
                                   B.getInt64(Step));
}

/// Copies \p Steps steps of stream \p I, which all threads have in common, from
/// tile \p Number, to \p Offset bytes behind Ring.Share.
static void copyCommonStream(IRBuilder<> &B, const TileRing &Ring, unsigned I,
                             const Agreement &A, Value *Number, Value *Offset,
                             Value *Steps) {
  Value *From =
      B.CreateAdd(A.Row0[I], createBeginOfTile(B, *Ring.Plan, I, Number));
  callStageRuntime(B, StageCopy::StartOne, Ring.Plan->Unit.Streams[I].Word,
                   {Ring.place(B, Offset, I), From, B.getInt32(0), Steps});
}

/// The last arguments of a copy of stream \p I: where its words are, in a tile
/// and in memory.
static std::array<Value *, 4> shapeOf(IRBuilder<> &B, const RowUnitPlan &Plan,
                                      unsigned I) {
  const Stream &S = Plan.Unit.Streams[I];
  return {B.getInt32(Plan.Tile.Streams[I].Pitch), B.getInt32(S.windowWords()),
          B.getInt1(S.isDense()), B.getInt64(*S.ConstantStep)};
}

/// Copies stream \p I of tile \p Number, which adjacent threads of the warp
/// read in full, to \p Offset bytes behind Ring.Share; as \p Choice says, if
/// each has a row of its own.
void RowEmitter::copyFullStream(IRBuilder<> &B, const TileRing &Ring,
                                unsigned I, const Agreement &A,
                                const FullStream &Choice, Value *Number,
                                Value *Offset) {
  const RowUnitPlan &Plan = *Ring.Plan;
  if (Plan.Unit.Streams[I].Kind == Stream::Uniform)
    return copyCommonStream(B, Ring, I, A, Number, Offset,
                            B.getInt32(Plan.Tile.Iterations));
  Value *From = B.CreateAdd(Choice.From, createBeginOfTile(B, Plan, I, Number));
  Value *To = B.CreatePtrAdd(Choice.To, B.CreateZExt(Offset, I64));
  const SmallVector<FullCopy, 3> Copies = Plan.fullCopies(I);
  auto HaveAll = [&](unsigned N) { return N < Copies.size(); };
  auto CopyOf = [&](unsigned N) -> const FullCopy & {
    return Copies[N % Copies.size()];
  };
  emitCases(
      B, 2 * Copies.size(),
      [&](unsigned N) {
        return B.CreateICmpEQ(Choice.Way, wayToCopy(B, CopyOf(N), HaveAll(N)));
      },
      [&](unsigned N) {
        const FullCopy &C = CopyOf(N);
        Value *Rows = createOwnRows(B, Memory.WarpSize, A, C, HaveAll(N));
        SmallVector<Value *, 11> Args{To,
                                      From,
                                      Choice.Next,
                                      B.getInt32(C.Words),
                                      B.getInt32(C.Columns),
                                      Rows,
                                      B.getInt32(C.Columns)};
        append_range(Args, shapeOf(B, Plan, I));
        callStageRuntime(B, StageCopy::StartFull, C.WordBytes, Args);
      });
}

/// The same of the first \p Steps steps of a tile, of which rows have no more:
/// by the largest words that end where they do. Where threads do steps before
/// the first tile by themselves, they have fewer left, U.InPart, and copy by
/// themselves what such words leave.
void RowEmitter::copyPartOfStream(IRBuilder<> &B, EmittedUnit &U,
                                  const TileRing &Ring, unsigned I,
                                  const Agreement &A, Value *Number,
                                  Value *Offset, Value *Steps) {
  const RowUnitPlan &Plan = *Ring.Plan;
  const Stream &S = Plan.Unit.Streams[I];
  if (S.Kind == Stream::Uniform)
    return copyCommonStream(B, Ring, I, A, Number, Offset, Steps);
  Value *Begin = createBeginOfTile(B, Plan, I, Number);
  Value *Bytes = createRowBytes(B, S, Steps);
  auto CopyBy = [&](const FullCopy &C, bool SkipsBefore, bool HaveAll) {
    const OwnWords Words = createOwnWords(B, Ring, I, A, C, SkipsBefore);
    Value *Stride = callStageRuntime(B, StageFunction::Hidden8, A.Stride[I]);
    Value *WordBytes = B.getInt32(C.WordBytes);
    SmallVector<Value *, 10> Args{
        B.CreatePtrAdd(Words.To, B.CreateZExt(Offset, I64)),
        B.CreateAdd(Words.From, Begin),
        createToNextRows(B, Memory.WarpSize, Stride, C),
        B.CreateUDiv(B.CreateSub(Bytes, Words.Skipped), WordBytes),
        createOwnRows(B, Memory.WarpSize, A, C, HaveAll),
        B.getInt32(C.Columns)};
    append_range(Args, shapeOf(B, Plan, I));
    shareIfMany(*callStageRuntime(B, StageCopy::StartPart, C.WordBytes, Args));
    if (!SkipsBefore)
      return;
    Value *Mine = callStageRuntime(B, StageFunction::Hidden4,
                                   B.CreateLoad(I32, U.InPart));
    Value *Left = B.CreateURem(Mine, B.getInt32(C.WordBytes / S.Word));
    Value *InRow = createRowBytes(B, S, B.CreateSub(A.Count, Left)),
          *InTile = createRowBytes(B, S, B.CreateSub(Mine, Left));
    Value *Row = B.CreateLoad(I64, U.Streams[I].Start);
    Value *TileRow = B.CreateMul(Ring.Row, Ring.pitch(B, I));
    callStageRuntime(
        B, StageCopy::StartOwn, S.Word,
        {B.CreatePtrAdd(Ring.place(B, Offset, I),
                        B.CreateZExt(B.CreateAdd(TileRow, InTile), I64)),
         B.CreateAdd(Row, B.CreateZExt(InRow, I64)),
         HaveAll ? Left : B.CreateSelect(A.Wanted, Left, B.getInt32(0))});
  };
  emitCases(
      B, 2, [&](unsigned) { return A.Adjacent->AreAll; },
      [&](unsigned N) {
        emitChoiceOfCopy(B, Plan, I, A, Bytes,
                         [&](const FullCopy &C, bool SkipsBefore) {
                           CopyBy(C, SkipsBefore, /*HaveAll=*/N == 0);
                         });
      });
}

/// A copy of the loop of \p U that reads a tile, for \p Steps steps from \p B
/// on, which goes on to \p Then; \p Map has what the copies are of.
TileLoop RowEmitter::copyTileLoop(IRBuilder<> &B, EmittedUnit &U, Value *Steps,
                                  const char *Suffix, ValueToValueMapTy &Map,
                                  BasicBlock *Then) {
  B.CreateStore(B.getInt64(0), U.Column);
  B.CreateStore(Steps, U.Left);
  Loop &InnerLoop = *U.Plan->Unit.InnerLoop;
  cloneBlocks(InnerLoop, Suffix, Map);
  const TileLoop Copy{cast<BasicBlock>(Map[U.StagedHead]),
                      cast<BasicBlock>(Map[InnerLoop.getLoopLatch()])};
  endTile(Copy.Latch, U, Copy.Head, Then);
  return Copy;
}

/// Has all steps of a copy of the loop of \p Plan, which \p Map leads to, run
/// RowUnitPlan::InAllSteps. What these set, which is in slots of the stack,
/// they leave as it was in the step that would leave them out.
static void runInAllSteps(const RowUnitPlan &Plan,
                          const ValueToValueMapTy &Map) {
  for (BasicBlock *Of : Plan.InAllSteps) {
    auto *Part = cast<BasicBlock>(Map.lookup(Of));
    BasicBlock *Before = Part->getSinglePredecessor(),
               *Then = Part->getSingleSuccessor();
    assert(Then->phis().empty() && "values are in slots");
    auto *Branch = cast<BranchInst>(Before->getTerminator());
    const bool IfTrue = Branch->getSuccessor(0) == Part;
    for (Instruction &I : *Part)
      if (auto *Store = dyn_cast<StoreInst>(&I)) {
        assert(isa<AllocaInst>(Store->getPointerOperand()) && "a slot");
        IRBuilder<> B(Store);
        Value *New = Store->getValueOperand(),
              *Old = B.CreateLoad(New->getType(), Store->getPointerOperand());
        Store->setOperand(0, B.CreateSelect(Branch->getCondition(),
                                            IfTrue ? New : Old,
                                            IfTrue ? Old : New));
      }
    hoistAllInstructionsInto(Before, Branch, Part);
    IRBuilder<>(Branch).CreateBr(Then);
    Branch->eraseFromParent();
    Part->eraseFromParent();
  }
}

/// Has threads that have a row, \p Wanted, read \p Steps steps of the tile \p
/// Offset bytes behind Ring.Share, a constant if it is full, and goes on to \p
/// Tiled.
void RowEmitter::emitFullRead(IRBuilder<> &B, EmittedUnit &U,
                              const TileRing &Ring, Value *Offset,
                              Value *Wanted, Value *Steps, BasicBlock *Tiled) {
  const bool IsFull = isa<Constant>(Steps);
  setTileRows(B, U, Ring, Offset);
  assumeAligned(B, U);
  ValueToValueMapTy Map;
  const TileLoop Loop =
      copyTileLoop(B, U, Steps, IsFull ? ".whole" : ".part", Map, Tiled);
  B.CreateCondBr(Wanted, Loop.Head, Tiled);
  runInAllSteps(*U.Plan, Map);
  if (IsFull)
    setUnrolling(*Loop.Latch->getTerminator(),
                 U.Plan->FullUnroll == U.Plan->Tile.Iterations
                     ? AllIterations
                     : U.Plan->FullUnroll);
}

/// Emits whether rows that adjacent threads of the warp have, and that are
/// alike, can be copied as full tiles are, and no step is left out.
static Value *createAreFull(IRBuilder<> &B, const RowUnitPlan &Plan,
                            const Agreement &A) {
  Value *AreFull = B.getTrue();
  for (auto [I, S] : enumerate(Plan.Unit.Streams)) {
    if (S.Kind == Stream::PerThread)
      if (unsigned Least = Plan.fullCopies(I).back().WordBytes; Least > S.Word)
        AreFull = B.CreateAnd(
            AreFull,
            createAreAligned(B, A, I, Least, createRowBytes(B, S, A.Count)));
    if (S.Skipped)
      for (auto *Cuts : {&A.NoFirst, &A.NoLast, &A.CutFirst, &A.CutLast})
        AreFull = B.CreateAnd(AreFull, B.CreateIsNull((*Cuts)[I]));
  }
  return AreFull;
}

/// Emits how many full tiles the rows of \p Plan have, and sets A.SkipsBefore:
/// they do not begin at multiples of the largest word, a thread's do so as many
/// steps before one in all streams, and they are long enough for that.
FullRows RowEmitter::countFullTiles(IRBuilder<> &B, const RowUnitPlan &Plan,
                                    Agreement &A) {
  constexpr unsigned LeastTiles = 3;
  const unsigned Most = Plan.mostBefore();
  Value *Iterations = B.getInt32(Plan.Tile.Iterations);
  const FullRows All{B.CreateUDiv(A.Count, Iterations),
                     B.CreateURem(A.Count, Iterations)};
  if (!Most)
    return All;
  BasicBlock *Aligned = B.GetInsertBlock(),
             *Unaligned = block("full.unaligned"),
             *Counted = block("full.counted");
  B.CreateCondBr(createAreAligned(B, A, 0, gpu::MaxAccessBytes), Counted,
                 Unaligned);
  B.SetInsertPoint(Unaligned);
  // What follows is not computed before the branch.
  Value *Count = callStageRuntime(B, StageFunction::Hidden4, A.Count);
  Value *Apart = B.getInt64(0);
  for (unsigned I = 1; I < A.Row0.size(); ++I)
    for (auto *Of : {&A.Row0, &A.Stride})
      Apart = B.CreateOr(Apart, B.CreateXor((*Of)[0], (*Of)[I]));
  Value *Skips = B.CreateAnd(
      B.CreateIsNull(B.CreateAnd(Apart, B.getInt64(gpu::MaxAccessBytes - 1))),
      B.CreateICmpUGT(Count,
                      B.getInt32(LeastTiles * Plan.Tile.Iterations + Most)));
  // Each thread has a step behind its full tiles.
  Value *Tiles =
      B.CreateUDiv(B.CreateSub(Count, B.getInt32(Most + 1)), Iterations);
  Value *InPart = B.CreateSub(Count, B.CreateMul(Tiles, Iterations));
  Tiles = B.CreateSelect(Skips, Tiles, All.Tiles);
  InPart = B.CreateSelect(Skips, InPart, All.InPart);
  B.CreateBr(Counted);
  B.SetInsertPoint(Counted);
  auto Choose = [&](Value *IfAligned, Value *Else) {
    PHINode *Phi = B.CreatePHI(Else->getType(), 2);
    Phi->addIncoming(IfAligned, Aligned);
    Phi->addIncoming(Else, Unaligned);
    return Phi;
  };
  A.SkipsBefore = Choose(B.getFalse(), Skips);
  return {Choose(All.Tiles, Tiles), Choose(All.InPart, InPart)};
}

/// Has the thread do the steps by itself that are before the first multiple of
/// the largest word in its row, if it has one, \p Wanted, and goes on to \p
/// Then. So many fewer, perhaps none, are in U.InPart.
void RowEmitter::emitStepsBefore(IRBuilder<> &B, EmittedUnit &U, Value *Wanted,
                                 BasicBlock *Then) {
  Value *Row = B.CreateLoad(I64, U.Streams[0].Start);
  Value *Steps = B.CreateUDiv(createToLargestWord(B, Row),
                              B.getInt32(U.Plan->Unit.Streams[0].Word));
  B.CreateStore(B.CreateSub(B.CreateLoad(I32, U.InPart), Steps), U.InPart);
  ValueToValueMapTy Map;
  const TileLoop Loop = copyTileLoop(B, U, Steps, ".before", Map, Then);
  B.CreateCondBr(B.CreateAnd(Wanted, B.CreateIsNotNull(Steps)), Loop.Head,
                 Then);
  setUnrolling(*Loop.Latch->getTerminator(), 1);
  for (const TileLoad &T : U.TileLoads) {
    auto *OfTile = cast<LoadInst>(Map[T.Load]);
    IRBuilder<> At(OfTile);
    Value *Address = At.CreateAdd(
        At.CreateLoad(I64, U.Streams[T.Stream].Start),
        At.CreateAdd(At.CreateMul(At.CreateLoad(I64, U.Column),
                                  constantStep(At, *U.Plan, T.Stream)),
                     At.getInt64(T.Offset)));
    LoadInst *OfRow = At.CreateAlignedLoad(OfTile->getType(),
                                           At.CreateIntToPtr(Address, Global),
                                           OfTile->getAlign());
    OfRow->setDebugLoc(OfTile->getDebugLoc());
    OfTile->replaceAllUsesWith(OfRow);
    OfTile->eraseFromParent();
  }
}

/// Copies the full tile \p Number to \p Offset bytes behind the ring's Share.
void RowEmitter::copyFullTile(IRBuilder<> &B, const FullLoop &L, Value *Number,
                              Value *Offset) {
  for (unsigned I = 0; I < L.Choices.size(); ++I)
    copyFullStream(B, L.Ring, I, L.A, L.Choices[I], Number, Offset);
}

/// Begins to copy the tiles that are copied before the first is read.
void RowEmitter::copyFirstTiles(IRBuilder<> &B, const FullLoop &L) {
  BasicBlock *Before = B.GetInsertBlock(), *Ahead = block("full.ahead"),
             *Begun = block("full.begun");
  B.CreateBr(Ahead);

  B.SetInsertPoint(Ahead);
  PHINode *Number = B.CreatePHI(I32, 2);
  copyFullTile(B, L, Number, L.Ring.offset(B, Number));
  createAsyncCommit(B);
  Value *Next = B.CreateNUWAdd(Number, B.getInt32(1));
  Number->addIncoming(B.getInt32(0), Before);
  Number->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpULT(Next, L.Ring.Ahead), Ahead, Begun);
  B.SetInsertPoint(Begun);
}

/// Has each thread do what comes before its full tiles, if anything does, and
/// keep in U.InPart what comes behind them.
void RowEmitter::emitBeginOfRows(IRBuilder<> &B, EmittedUnit &U,
                                 const FullLoop &L) {
  B.CreateStore(L.Rows.InPart, U.InPart);
  if (!U.Plan->mostBefore())
    return;
  BasicBlock *Skips = block("full.before"), *Then = block("full.begun");
  B.CreateCondBr(L.A.SkipsBefore, Skips, Then);
  B.SetInsertPoint(Skips);
  emitStepsBefore(B, U, L.A.Wanted, Then);
  B.SetInsertPoint(Then);
}

/// Begins to copy tile \p Number to \p Offset bytes behind the ring's Share: a
/// full one, the part behind the last of these, or nothing if there is no more.
void RowEmitter::copyTileAhead(IRBuilder<> &B, EmittedUnit &U,
                               const FullLoop &L, Value *Number,
                               Value *Offset) {
  BasicBlock *Last = block("full.last"), *Full = block("full.copy"),
             *Part = block("full.copy.part"), *Begun = block("full.read");
  B.CreateCondBr(B.CreateICmpULT(Number, L.Rows.Tiles), Full, Last);
  B.SetInsertPoint(Last);
  B.CreateCondBr(B.CreateICmpULT(Number, L.Copies), Part, Begun);

  B.SetInsertPoint(Full);
  copyFullTile(B, L, Number, Offset);
  B.CreateBr(Begun);
  // What it takes is not computed before the loop: most rows have no part, and
  // the others have one.
  B.SetInsertPoint(Part);
  Value *Left = callStageRuntime(B, StageFunction::Hidden4, L.Rows.InPart);
  TileRing OfPart = L.Ring;
  OfPart.setLane(B, callStageRuntime(B, StageFunction::Lane), L.A);
  for (unsigned I = 0; I < L.Choices.size(); ++I)
    copyPartOfStream(B, U, OfPart, I, L.A, Number, Offset, Left);
  B.CreateBr(Begun);
  B.SetInsertPoint(Begun);
}

/// Has threads read the part behind the full tiles, if there is one, \p Offset
/// bytes behind the ring's Share, and go on to \p Finished.
void RowEmitter::readPart(IRBuilder<> &B, EmittedUnit &U, const FullLoop &L,
                          Value *Offset, BasicBlock *Finished) {
  BasicBlock *Part = block("full.part");
  B.CreateCondBr(L.HasPart, Part, Finished);
  B.SetInsertPoint(Part);
  createAsyncWait(B, 0);
  callStageRuntime(B, StageFunction::Meet);
  emitFullRead(B, U, L.Ring, Offset, L.A.Wanted, B.CreateLoad(I32, U.InPart),
               Finished);
}

/// The loop over the full tiles of a warp that agrees on \p A, and what is left
/// of the rows behind them; leads to \p Finished.
void RowEmitter::emitFullLoop(IRBuilder<> &B, EmittedUnit &U,
                              const TileRing &Ring, const Agreement &A,
                              const FullRows &Rows, BasicBlock *Finished) {
  FullLoop L{Ring, A, Rows, B.CreateIsNotNull(Rows.InPart)};
  L.Copies = B.CreateAdd(Rows.Tiles, B.CreateZExt(L.HasPart, I32));
  L.Choices.resize(U.Plan->Unit.Streams.size());
  for (auto [I, S] : enumerate(U.Plan->Unit.Streams))
    if (S.Kind == Stream::PerThread)
      L.Choices[I] = chooseFullCopy(B, Ring, I, A);
  copyFirstTiles(B, L);
  // While these are under way.
  emitBeginOfRows(B, U, L);
  Value *End = B.CreateNUWAdd(Rows.Tiles, Ring.Ahead);
  Value *FirstFree = Ring.offset(B, Ring.Ahead);
  BasicBlock *Begun = B.GetInsertBlock(), *Tile = block("full.tile"),
             *Tiled = block("full.tiled"), *Done = block("full.done");
  B.CreateBr(Tile);

  // Where a tile is copied to, the one was that has been read before.
  B.SetInsertPoint(Tile);
  PHINode *Copied = B.CreatePHI(I32, 2), *Free = B.CreatePHI(I32, 2),
          *Taken = B.CreatePHI(I32, 2);
  callStageRuntime(B, StageFunction::Meet);
  copyTileAhead(B, U, L, Copied, Free);
  createAsyncCommit(B);
  emitWaits(B, Ring);
  callStageRuntime(B, StageFunction::Meet);
  emitFullRead(B, U, Ring, Taken, A.Wanted, B.getInt32(U.Plan->Tile.Iterations),
               Tiled);

  B.SetInsertPoint(Tiled);
  Value *NextCopied = B.CreateNUWAdd(Copied, B.getInt32(1));
  // As many behind as there are in the ring, but for one. Two change places.
  Value *NextTaken =
      Ring.MaxAhead == 1
          ? Free
          : Ring.offset(B, B.CreateAdd(NextCopied, B.getInt32(1)));
  for (auto [Phi, Before, Then] :
       {std::tuple(Copied, Ring.Ahead, NextCopied),
        std::tuple(Free, FirstFree, static_cast<Value *>(Taken)),
        std::tuple(Taken, static_cast<Value *>(B.getInt32(0)), NextTaken)}) {
    Phi->addIncoming(Before, Begun);
    Phi->addIncoming(Then, Tiled);
  }
  B.CreateCondBr(B.CreateICmpULT(NextCopied, End), Tile, Done);
  B.SetInsertPoint(Done);
  readPart(B, U, L, NextTaken, Finished);
}

/// Leads from \p B to a block where only threads of the warp that are next to
/// each other have a row, those of \p Lanes, and a tile can be copied ahead:
/// there \p B goes on. Other warps go to \p Others.
AdjacentThreads RowEmitter::emitWayOfAdjacent(IRBuilder<> &B, EmittedUnit &U,
                                              Value *Lanes,
                                              BasicBlock *Others) {
  BasicBlock *Begin = B.GetInsertBlock(), *Lack = block("full.lack"),
             *Agree = block("full.agree");
  const bool AreSame = U.Plan->Unit.UniformTripCount;
  auto StepsOf = [&](Value *OwnSteps, Value *Lane) {
    return callStageRuntime(B, StageFunction::From4, {OwnSteps, Lane});
  };
  Value *HasMost = createHasShares(B, warpsOfBlock(B), RowUnitPlan::MostShares);
  Value *OwnSteps = B.CreateLoad(I32, U.Steps);
  Value *Steps = AreSame ? OwnSteps : StepsOf(OwnSteps, B.getInt32(0));
  B.CreateCondBr(B.CreateAnd(B.CreateICmpEQ(Lanes, allLanes(B)), HasMost),
                 Agree, Lack);

  B.SetInsertPoint(Lack);
  Value *FirstLane = callStageRuntime(B, StageFunction::FirstLane, Lanes);
  Value *StepsOfFirst = StepsOf(OwnSteps, FirstLane);
  Value *Rows = callStageRuntime(B, StageFunction::Count, Lanes);
  Value *FromFirst = B.CreateLShr(Lanes, B.CreateZExt(FirstLane, I64));
  Value *AreAdjacent = B.CreateIsNull(
      B.CreateAnd(FromFirst, B.CreateAdd(FromFirst, B.getInt64(1))));
  Value *LacksNone =
      B.CreateIsNull(B.CreateURem(callStageRuntime(B, StageFunction::Threads),
                                  B.getInt32(Memory.WarpSize)));
  Value *AreEnough = B.getTrue();
  if (U.Plan->CheckProfit)
    AreEnough = createAreEnough(
        B, Rows,
        (U.Kind ? *U.Kind : createKind(B, *U.Plan, StepsOfFirst)).IsFew);
  B.CreateCondBr(B.CreateAnd({AreAdjacent, LacksNone, AreEnough, HasMost}),
                 Agree, Others);

  B.SetInsertPoint(Agree);
  auto Choose = [&](Value *IfAll, Value *Else) {
    PHINode *Phi = B.CreatePHI(Else->getType(), 2);
    Phi->addIncoming(IfAll, Begin);
    Phi->addIncoming(Else, Lack);
    return Phi;
  };
  return {Choose(B.getTrue(), B.getFalse()), Choose(B.getInt32(0), FirstLane),
          Choose(B.getInt32(Memory.WarpSize), Rows),
          Choose(Steps, StepsOfFirst)};
}

/// Where threads of the warp that are next to each other have a row, those of
/// \p Lanes, and no others, all rows are alike and a tile can be copied ahead,
/// leads from \p B to a loop over full tiles in which nothing is asked any
/// more. Other warps go on at \p B.
void RowEmitter::emitFullTiles(IRBuilder<> &B, EmittedUnit &U, Value *Wanted,
                               Value *Lanes, const TileBlocks &To) {
  BasicBlock *Agreed = block("full.agreed"), *Full = block("full"),
             *Others = block("others");
  const AdjacentThreads Adjacent = emitWayOfAdjacent(B, U, Lanes, Others);
  Agreement A = agree(B, U, Wanted, allLanes(B), Adjacent);
  B.CreateCondBr(A.Ok, Agreed, U.Plan->CheckProfit ? To.Fallback : Others);
  B.SetInsertPoint(Agreed);
  TileRing Ring = mostTiles(B, *U.Plan, A);
  const FullRows Rows = countFullTiles(B, *U.Plan, A);
  // In rows of few tiles fewer are copied ahead.
  if (Ring.MaxAhead > 1)
    Ring.Ahead = B.CreateSelect(B.CreateICmpUGE(Rows.Tiles, Ring.Ahead),
                                Ring.Ahead, B.getInt32(Ring.LeastAhead));
  B.CreateCondBr(B.CreateAnd(createAreFull(B, *U.Plan, A),
                             B.CreateICmpUGE(Rows.Tiles, Ring.Ahead)),
                 Full, Others);
  B.SetInsertPoint(Full);
  emitFullLoop(B, U, Ring, A, Rows, To.Finished);
  B.SetInsertPoint(Others);
}

} // namespace ferry
