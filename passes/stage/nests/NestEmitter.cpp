//===- NestEmitter.cpp - A nest of loops, tile by tile --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles of SpaceEmitter.h, for the nest that NestAnalysis.cpp shows:
//
//   tile:                                ; i0, j0: the tile's first iteration
//     ...                                ; Pre, as far as the walk needs it
//   panel:                               ; Steps of the walk
//     copy.row:                          ; A[f(i0.., k..)], all threads
//     copy.column:                       ; B[g(j0.., k..)]
//     barrier                            ; with cp.async: of the next panel,
//                                        ; and wait for this one's
//     step:                              ; ThreadRows x ThreadColumns walks
//       load the thread's rows and columns from shared memory
//       ...
//     barrier
//   finish:                              ; for each iteration of the thread
//     ...                                ; Pre and Post
//
// Why a correct program stays correct, beside what SpaceEmitter.h says:
//
// - Reads are those of iterations of the tile. What a row stream reads at k
//   depends on i and k only, so copying it for j0 reads what every iteration
//   (i, j) of the tile reads. Rows and columns beyond the end repeat the last.
// - What is read early is what would have been read later: only Post writes. If
//   an iteration writes what another one reads, that is a data race (section
//   1.4.1), so only an iteration's own writes matter; these come in Post, after
//   a barrier that follows all reads of the tile, and whatever was written in
//   an earlier tile is of other iterations.
// - The order of operations of an iteration is kept: results are bit-identical.
//
// Requires: what findPlan() found. Refuses nothing.
//
// Source of the idea: tiles in shared memory are what the CUDA C++ Best
// Practices Guide recommends for a matrix product; a thread that computes
// several elements of it is common practice in linear algebra libraries.
//
//===----------------------------------------------------------------------===//

#include "NestEmitter.h"
#include "stage/common/SharedBuffer.h"
#include "stage/common/SpaceEmitter.h"

using namespace llvm;

namespace ferry {

namespace {

class Emitter : SpaceEmitter {
public:
  Emitter(Function &F, const NestPlan &Plan, ScalarEvolution &SE)
      : SpaceEmitter(F, Plan.Nest, NestPlan::Shape, Plan.MaxThreads, Plan.Async,
                     SE),
        Plan(Plan), N(Plan.Nest) {}

  void run();

private:
  static constexpr unsigned Rows = NestPlan::Shape.ThreadRows,
                            Columns = NestPlan::Shape.ThreadColumns,
                            Copies = Rows * Columns;

  const NestPlan &Plan;
  const KernelNest &N;
  Value *Trips;                             ///< i64
  DenseMap<const PHINode *, Value *> Steps; ///< of inductions
  SmallVector<GlobalVariable *, 2> Tiles;   ///< one for each stream

  SmallSetVector<Value *, 4> WalkValues;
  SmallSetVector<Instruction *, 4> PreValues;

  // The tile's, i64.
  SmallVector<Value *, Rows> RowAt;       ///< the thread's, from I0
  SmallVector<Value *, Columns> ColumnAt; ///< the thread's, from J0
  SmallVector<std::unique_ptr<Iteration>, Copies> Mine;

  Value *startOf(const PHINode &Phi) {
    const BasicBlock *Walk = N.Walk->getHeader();
    return Phi.getIncomingValue(Phi.getIncomingBlock(0) == Walk ? 1 : 0);
  }

  Value *requirements(IRBuilder<> &B) override;
  Value *phiValue(IRBuilder<> &B, PHINode &Phi, Iteration &It) override;
  BasicBlock *emitTile(BasicBlock *From) override;
  Value *element(IRBuilder<> &B, unsigned Stream, Value *Buffer, Value *Step,
                 Value *At);
  BasicBlock *copyStream(BasicBlock *From, unsigned Stream, Value *Buffer,
                         Value *First, Value *Count);
  BasicBlock *copyPanel(BasicBlock *From, Value *Buffer, Value *First,
                        Value *Count);
  void findNeeded();
  void beginTile(IRBuilder<> &B);
  void walkStep(IRBuilder<> &B, Value *Buffer, Value *K, Value *Step);
  BasicBlock *emitSteps(BasicBlock *Filled, Value *Buffer, Value *First,
                        Value *Count, ArrayRef<PHINode *> Start);
  BasicBlock *emitWalks(BasicBlock *From);
  BasicBlock *finish(BasicBlock *From, unsigned Copy);
};

} // namespace

Value *Emitter::requirements(IRBuilder<> &B) {
  ExpressionExpander Expander(SE, F.getDataLayout(), "ferry.tile");
  Instruction *At = Before->getTerminator();
  for (auto &[Phi, Counter] : N.Inductions)
    Steps[Phi] = Expander.expandCodeFor(Counter.Step, nullptr, At);
  Trips = Expander.expandCodeFor(N.Trips, I64, At);
  return B.CreateICmpUGE(Trips, B.getInt64(Plan.Steps));
}

/// What a counter of the walk is.
Value *Emitter::phiValue(IRBuilder<> &B, PHINode &Phi, Iteration &It) {
  assert(N.Inductions.count(&Phi) && "carried values are known");
  const NestInduction &Counter = N.Inductions.find(&Phi)->second;
  Value *Start = value(B, Counter.Start, It);
  Value *Step = Steps.lookup(&Phi);
  Value *Grown = B.CreateMul(B.CreateZExtOrTrunc(It.K, Step->getType()), Step);
  return Start->getType()->isPointerTy() ? B.CreatePtrAdd(Start, Grown)
                                         : B.CreateAdd(Start, Grown);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The address in shared memory of row or column \p At in step \p Step, in the
/// tile with number \p Buffer.
Value *Emitter::element(IRBuilder<> &B, unsigned Stream, Value *Buffer,
                        Value *Step, Value *At) {
  const NestOperand &S = N.Streams[Stream];
  Value *Tile = B.CreatePtrAdd(Tiles[Stream],
                               B.CreateMul(Buffer, B.getInt64(Plan.bytes(S))));
  Value *Row = B.CreatePtrAdd(Tile, B.CreateMul(At, B.getInt64(S.Size)));
  return B.CreatePtrAdd(
      Row, B.CreateMul(Step, B.getInt64(uint64_t(S.Size) * Plan.pitch(S))));
}

/// Copies steps [\p First, \p First + \p Count) of a stream. Consecutive
/// threads take consecutive elements of memory.
BasicBlock *Emitter::copyStream(BasicBlock *From, unsigned Stream,
                                Value *Buffer, Value *First, Value *Count) {
  const NestOperand &S = N.Streams[Stream];
  BasicBlock *Copy = block("copy"), *Body = block("copy.element"),
             *Next = block("copied");
  IRBuilder<> B(From);
  Value *Lines = S.ByRow ? TileRows : B.getInt64(Shape.columns());
  // All lengths are powers of two, at most the number of threads.
  Value *Inner = S.AlongK ? B.getInt64(Plan.Steps) : Lines;
  Value *Outer = S.AlongK ? Lines : Count;
  Value *InnerAt = B.CreateURem(Thread, Inner);
  Value *OuterAt = B.CreateUDiv(Thread, Inner);
  Value *Together = B.CreateUDiv(Threads, Inner);
  if (S.AlongK)
    B.CreateCondBr(B.CreateICmpULT(InnerAt, Count), Copy, Next);
  else
    B.CreateBr(Copy);

  B.SetInsertPoint(Copy);
  PHINode *At = B.CreatePHI(I64, 2);
  At->addIncoming(OuterAt, From);
  B.CreateCondBr(B.CreateICmpULT(At, Outer), Body, Next);

  B.SetInsertPoint(Body);
  Value *Step = S.AlongK ? InnerAt : At, *Line = S.AlongK ? At : InnerAt;
  Iteration It;
  It.I = I0, It.J = J0;
  Value *LastLine = B.CreateSub(S.ByRow ? Height : Width, B.getInt64(1));
  Value *&Own = S.ByRow ? It.I : It.J;
  Own = least(B, B.CreateAdd(Own, Line), LastLine);
  It.K = B.CreateAdd(First, Step);
  copyElement(B, *S.Load, value(B, S.Load->getPointerOperand(), It),
              S.Load->getAlign(), element(B, Stream, Buffer, Step, Line));
  At->addIncoming(B.CreateAdd(At, Together), Body);
  B.CreateBr(Copy);
  return Next;
}

/// Copies steps [\p First, \p First + \p Count) of all streams, or begins to.
BasicBlock *Emitter::copyPanel(BasicBlock *From, Value *Buffer, Value *First,
                               Value *Count) {
  for (unsigned I = 0; I < N.Streams.size(); ++I)
    From = copyStream(From, I, Buffer, First, Count);
  IRBuilder<> B(From);
  commitCopies(B);
  return From;
}

//===----------------------------------------------------------------------===//
// A tile
//===----------------------------------------------------------------------===//

/// Finds what the walk computes that is needed: for its next step, in
/// WalkValues, or by Post; and, in PreValues, what that takes of Pre.
void Emitter::findNeeded() {
  BasicBlock *Walk = N.Walk->getHeader();
  for (PHINode *Phi : N.Carried)
    WalkValues.insert(Phi->getIncomingValueForBlock(Walk));
  auto Use = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (I && I->getParent() == Walk)
      WalkValues.insert(I);
  };
  for (PHINode &Phi : N.After->phis())
    Use(Phi.getIncomingValueForBlock(Walk));
  for (BasicBlock *B : N.Post)
    for (Instruction &I : *B)
      if (!isa<PHINode>(I) && !N.Control.contains(&I))
        for (Value *Op : I.operands())
          Use(Op);

  SmallSetVector<Value *, 16> Work;
  Work.insert(WalkValues.begin(), WalkValues.end());
  for (PHINode *Phi : N.Carried)
    Work.insert(startOf(*Phi));
  for (unsigned At = 0; At < Work.size(); ++At) {
    auto *I = dyn_cast<Instruction>(Work[At]);
    if (!I || !N.Threads->contains(I) || N.Control.contains(I))
      continue;
    auto *Phi = dyn_cast<PHINode>(I);
    if (I->getParent() != Walk)
      PreValues.insert(I);
    else if (Phi && N.Inductions.count(Phi))
      Work.insert(N.Inductions.find(Phi)->second.Start);
    else if (!Phi && none_of(N.Streams,
                             [&](const NestOperand &S) { return S.Load == I; }))
      Work.insert(I->op_begin(), I->op_end());
  }
}

/// The thread's iterations of the tile; those beyond the end are repetitions.
void Emitter::beginTile(IRBuilder<> &B) {
  Value *Across = B.getInt64(Shape.ColumnsOfThreads);
  Value *Row = B.CreateUDiv(Thread, Across);
  Value *Column = B.CreateURem(Thread, Across);
  Value *Distance = B.CreateUDiv(Threads, Across);
  Value *Next = Row;
  for (unsigned R = 0; R < Rows; ++R, Next = B.CreateAdd(Next, Distance))
    RowAt.push_back(Next);
  for (unsigned C = 0; C < Columns; ++C)
    ColumnAt.push_back(
        B.CreateAdd(Column, B.getInt64(uint64_t(C) * Shape.ColumnsOfThreads)));
  Value *LastRow = B.CreateSub(Height, B.getInt64(1));
  Value *LastColumn = B.CreateSub(Width, B.getInt64(1));
  for (unsigned C = 0; C < Copies; ++C) {
    auto It = std::make_unique<Iteration>();
    It->I = least(B, B.CreateAdd(I0, RowAt[C / Columns]), LastRow);
    It->J = least(B, B.CreateAdd(J0, ColumnAt[C % Columns]), LastColumn);
    for (Instruction *I : PreValues)
      value(B, I, *It);
    Mine.push_back(std::move(It));
  }
}

/// One step, \p K, of all walks of the thread: the \p Step th of the panel.
void Emitter::walkStep(IRBuilder<> &B, Value *Buffer, Value *K, Value *Step) {
  for (auto [Stream, S] : enumerate(N.Streams)) {
    SmallVector<Value *, 4> Elements;
    for (Value *At : S.ByRow ? RowAt : ColumnAt) {
      LoadInst *Load = B.CreateAlignedLoad(S.Load->getType(),
                                           element(B, Stream, Buffer, Step, At),
                                           Align(S.Size));
      forgetContext(*Load);
      Elements.push_back(Load);
    }
    for (unsigned C = 0; C < Copies; ++C)
      Mine[C]->Map[S.Load] = Elements[S.ByRow ? C / Columns : C % Columns];
  }
  for (auto &It : Mine) {
    It->K = K;
    for (Value *V : WalkValues)
      value(B, V, *It);
  }
}

/// The steps of a panel, \p Count from \p First on, which \p Filled leads to.
/// Carried values are in \p Start at first and get what they are at the end.
BasicBlock *Emitter::emitSteps(BasicBlock *Filled, Value *Buffer, Value *First,
                               Value *Count, ArrayRef<PHINode *> Start) {
  BasicBlock *Step = block("step"), *Next = block("panel.next");
  IRBuilder<> B(Filled);
  B.CreateBr(Step);
  B.SetInsertPoint(Step);
  PHINode *Number = phi(B, B.getInt64(0), Filled);
  SmallVector<PHINode *, 2 * Copies> Now;
  for (PHINode *Outer : Start)
    Now.push_back(phi(B, Outer, Filled));
  auto *At = Now.begin();
  for (auto &It : Mine)
    for (PHINode *Carried : N.Carried)
      It->Map[Carried] = *At++;
  walkStep(B, Buffer, B.CreateAdd(First, Number), Number);
  Value *NextStep = B.CreateAdd(Number, B.getInt64(1));
  Number->addIncoming(NextStep, Step);
  B.CreateCondBr(B.CreateICmpULT(NextStep, Count), Step, Next);

  B.SetInsertPoint(Next);
  At = Now.begin();
  const auto *Outer = Start.begin();
  for (auto &It : Mine)
    for (PHINode *Carried : N.Carried) {
      Value *Result =
          value(B, Carried->getIncomingValueForBlock(N.Walk->getHeader()), *It);
      (*At++)->addIncoming(Result, Step);
      (*Outer++)->addIncoming(Result, Next);
    }
  return Next;
}

/// All steps of the thread's walks, panel by panel; \p From has no end yet.
BasicBlock *Emitter::emitWalks(BasicBlock *From) {
  IRBuilder<> B(From);
  SmallVector<Value *, 2 * Copies> Starts;
  for (auto &It : Mine)
    for (PHINode *Carried : N.Carried)
      Starts.push_back(value(B, startOf(*Carried), *It));
  Value *Zero = B.getInt64(0), *PanelSteps = B.getInt64(Plan.Steps);
  // The walk is at least as long as a panel.
  if (Plan.Async)
    B.SetInsertPoint(From = copyPanel(From, Zero, Zero, PanelSteps));
  BasicBlock *Panel = block("panel");
  B.CreateBr(Panel);

  B.SetInsertPoint(Panel);
  PHINode *First = phi(B, Zero, From);
  PHINode *Buffer = Plan.Async ? phi(B, Zero, From) : nullptr;
  SmallVector<PHINode *, 2 * Copies> Carried;
  for (Value *Start : Starts)
    Carried.push_back(phi(B, Start, From));
  Value *Left = B.CreateSub(Trips, First);
  Value *Count = least(B, Left, PanelSteps);
  Value *NextFirst = B.CreateAdd(First, PanelSteps);
  Value *NextBuffer = nullptr;
  BasicBlock *Filled;
  if (Plan.Async) {
    NextBuffer = B.CreateXor(Buffer, B.getInt64(1));
    Value *NextCount = least(B, B.CreateSub(Left, Count), PanelSteps);
    Filled = copyPanel(Panel, NextBuffer, NextFirst, NextCount);
    B.SetInsertPoint(Filled);
    waitForCopies(B, 1);
  } else {
    Filled = copyPanel(Panel, Zero, First, Count);
    B.SetInsertPoint(Filled);
  }
  barrier(B);
  BasicBlock *Next =
      emitSteps(Filled, Buffer ? Buffer : Zero, First, Count, Carried);

  B.SetInsertPoint(Next);
  // Other threads may still read what is written over next.
  barrier(B);
  First->addIncoming(NextFirst, Next);
  if (Buffer)
    Buffer->addIncoming(NextBuffer, Next);
  BasicBlock *Done = block("finish");
  B.CreateCondBr(B.CreateICmpULT(NextFirst, Trips), Panel, Done);
  return Done;
}

/// Emits Pre and Post of \p It, unless it is beyond the end.
BasicBlock *Emitter::finish(BasicBlock *From, unsigned Copy) {
  Iteration &It = *Mine[Copy];
  BasicBlock *Begin = block("finish.one"), *End = block("finished");
  IRBuilder<> B(From);
  Value *Exists = B.CreateAnd(
      B.CreateICmpULT(B.CreateAdd(I0, RowAt[Copy / Columns]), Height),
      B.CreateICmpULT(B.CreateAdd(J0, ColumnAt[Copy % Columns]), Width));
  B.CreateCondBr(Exists, Begin, End);

  B.SetInsertPoint(Begin);
  for (BasicBlock *Block : N.Pre)
    for (Instruction &I : *Block)
      if (!N.Control.contains(&I) && any_of(I.users(), [&](User *U) {
            return N.Post.contains(cast<Instruction>(U)->getParent());
          }))
        value(B, &I, It);
  value(B, N.Index, It);
  for (PHINode &Phi : N.After->phis())
    It.Map[&Phi] =
        value(B, Phi.getIncomingValueForBlock(N.Walk->getHeader()), It);

  cloneBlocks(N.Post.getArrayRef(), It, End);
  B.CreateBr(cast<BasicBlock>(It.Map[N.After]));
  return End;
}

BasicBlock *Emitter::emitTile(BasicBlock *From) {
  findNeeded();
  IRBuilder<> B(From);
  beginTile(B);
  BasicBlock *Last = emitWalks(From);
  for (unsigned Copy = 0; Copy < Copies; ++Copy)
    Last = finish(Last, Copy);
  return Last;
}

void Emitter::run() {
  for (const NestOperand &S : N.Streams)
    Tiles.push_back(
        createSharedArray(M, uint64_t(Plan.bytes(S)) * Plan.buffers()));
  SpaceEmitter::run();
}

void emit(const NestPlan &Plan, const PlanContext &C) {
  Emitter(C.Kernel, Plan, C.SE).run();
}

} // namespace ferry
