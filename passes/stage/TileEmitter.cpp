//===- TileEmitter.cpp - A nest of loops, tile by tile --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A second version of the distribute loop that TileAnalysis.cpp shows, chosen
// where the block comes to it:
//
//   before:
//     br %fits, %tiles, %distribute
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
// Why a correct program stays correct:
//
// - Any thread may execute any iteration: the construct has no clause that
//   says otherwise, and a program must not depend on it (OpenMP 5.2, section
//   11.5.3 and 11.6). The version is taken by all threads of a block, by its
//   number of threads, the loops' bounds and what the kernel was given; these
//   are the same in all blocks, so either all take it or none does.
// - Every iteration is executed once: i and j go through all pairs, and
//   i * Width + j through all indices, as Width divides Total.
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
// Requires: what planTiles() found. Refuses nothing.
//
// Source of the idea: tiles in shared memory are what the CUDA C++ Best
// Practices Guide recommends for a matrix product; a thread that computes
// several elements of it is common practice in linear algebra libraries.
//
//===----------------------------------------------------------------------===//

#include "TileEmitter.h"
#include "SharedBuffer.h"
#include "StageAnalysis.h"
#include "support/StageLibrary.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace ferry {

namespace {

/// The values of one iteration of the nest, as they are emitted.
struct Iteration {
  Value *I, *J;          ///< i64
  Value *K = nullptr;    ///< i64, of the walk
  ValueToValueMapTy Map; ///< from the nest's values
};

class Emitter {
public:
  Emitter(Function &F, const TilePlan &Plan, ScalarEvolution &SE)
      : F(F), M(*F.getParent()), Plan(Plan), N(Plan.Nest), SE(SE),
        I32(Type::getInt32Ty(F.getContext())),
        I64(Type::getInt64Ty(F.getContext())),
        Before(N.Distribute->getLoopPreheader()),
        Exit(N.Distribute->getUniqueExitBlock()) {}

  void run();

private:
  static constexpr unsigned Rows = TilePlan::ThreadRows,
                            Columns = TilePlan::ThreadColumns,
                            Copies = Rows * Columns;

  Function &F;
  Module &M;
  const TilePlan &Plan;
  const TileNest &N;
  ScalarEvolution &SE;
  Type *I32, *I64;
  BasicBlock *Before, *Exit;
  DenseMap<const PHINode *, Value *> Steps; ///< of inductions
  SmallVector<GlobalVariable *, 2> Tiles;   ///< one for each stream

  SmallSetVector<Value *, 4> WalkValues;
  SmallSetVector<Instruction *, 4> PreValues;

  // The block's, i64.
  Value *Threads, *TileRows, *Total, *Width, *Height, *Trips;
  Value *RowTiles, *ColumnTiles, *Thread;
  // The tile's, i64.
  Value *I0, *J0;                         ///< where it begins
  SmallVector<Value *, Rows> RowAt;       ///< the thread's, from there
  SmallVector<Value *, Columns> ColumnAt; ///< the thread's, from there
  SmallVector<std::unique_ptr<Iteration>, Copies> Mine;

  BasicBlock *block(const Twine &Name) {
    return BasicBlock::Create(F.getContext(), "ferry." + Name, &F);
  }
  Value *call(IRBuilder<> &B, StringRef Name, Type *Result) {
    return callStageRuntime(B, Name, Result, {});
  }
  static Value *least(IRBuilder<> &B, Value *V, Value *Limit) {
    return B.CreateBinaryIntrinsic(Intrinsic::umin, V, Limit);
  }
  static Value *ceilDiv(IRBuilder<> &B, Value *V, Value *By) {
    return B.CreateUDiv(B.CreateAdd(V, B.CreateSub(By, B.getInt64(1))), By);
  }

  Value *startOf(const PHINode &Phi) {
    const BasicBlock *Walk = N.Walk->getHeader();
    return Phi.getIncomingValue(Phi.getIncomingBlock(0) == Walk ? 1 : 0);
  }

  void choose();
  Value *fits(IRBuilder<> &B);
  Value *value(IRBuilder<> &B, Value *V, Iteration &It);
  Value *cloneInto(IRBuilder<> &B, Instruction &I, Iteration &It);
  void makeTiles();
  Value *element(IRBuilder<> &B, unsigned Stream, Value *Buffer, Value *Step,
                 Value *At);
  void copyElement(IRBuilder<> &B, const TileStream &S, Iteration &It,
                   Value *To);
  BasicBlock *copyStream(BasicBlock *From, unsigned Stream, Value *Buffer,
                         Value *First, Value *Count);
  BasicBlock *copyPanel(BasicBlock *From, Value *Buffer, Value *First,
                        Value *Count);
  void findNeeded();
  void beginTile(IRBuilder<> &B, Value *Number);
  void walkStep(IRBuilder<> &B, Value *Buffer, Value *K, Value *Step);
  BasicBlock *emitSteps(BasicBlock *Filled, Value *Buffer, Value *First,
                        Value *Count, ArrayRef<PHINode *> Start);
  BasicBlock *emitWalks(BasicBlock *From);
  BasicBlock *finish(BasicBlock *From, unsigned Copy);
  BasicBlock *emitTile(BasicBlock *From, Value *Number);
};

} // namespace

//===----------------------------------------------------------------------===//
// Values of an iteration
//===----------------------------------------------------------------------===//

static void forgetContext(Instruction &I) {
  // Scopes hold for one iteration of a loop.
  I.setMetadata(LLVMContext::MD_noalias, nullptr);
  I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
  if (auto *Load = dyn_cast<LoadInst>(&I))
    markStaged(*Load);
}

Value *Emitter::cloneInto(IRBuilder<> &B, Instruction &I, Iteration &It) {
  Instruction *Clone = I.clone();
  for (Use &Op : Clone->operands())
    if (!isa<BasicBlock>(Op) && !isa<MetadataAsValue>(Op))
      Op.set(value(B, Op, It));
  forgetContext(*Clone);
  B.Insert(Clone);
  Clone->setDebugLoc(I.getDebugLoc());
  return Clone;
}

/// What \p V of the nest is in iteration \p It.
Value *Emitter::value(IRBuilder<> &B, Value *V, Iteration &It) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !N.Threads->contains(I))
    return V;
  auto Known = It.Map.find(I);
  if (Known != It.Map.end())
    return Known->second;
  auto *Phi = dyn_cast<PHINode>(I);
  Value *Is;
  if (N.Row.contains(I)) {
    Is = B.CreateTrunc(It.I, I->getType());
  } else if (N.Column.contains(I)) {
    Is = B.CreateTrunc(It.J, I->getType());
  } else if (I == N.Index) {
    Is = B.CreateTrunc(B.CreateAdd(B.CreateMul(It.I, Width), It.J),
                       I->getType());
  } else if (Phi) {
    assert(N.Inductions.count(Phi) && "carried values are known");
    const TileInduction &Counter = N.Inductions.find(Phi)->second;
    Value *Start = value(B, Counter.Start, It);
    Value *Step = Steps.lookup(Phi);
    Value *Grown =
        B.CreateMul(B.CreateZExtOrTrunc(It.K, Step->getType()), Step);
    Is = Start->getType()->isPointerTy() ? B.CreatePtrAdd(Start, Grown)
                                         : B.CreateAdd(Start, Grown);
  } else {
    Is = cloneInto(B, *I, It);
  }
  It.Map[I] = Is;
  return Is;
}

//===----------------------------------------------------------------------===//
// Which version
//===----------------------------------------------------------------------===//

/// Whether the nest is as the plan has it, and tiles pay.
Value *Emitter::fits(IRBuilder<> &B) {
  SCEVExpander Expander(SE, F.getDataLayout(), "ferry.tile");
  Instruction *At = Before->getTerminator();
  Value *Fits = B.getTrue();
  auto Require = [&](Value *Condition) {
    Fits = B.CreateLogicalAnd(Fits, Condition);
  };
  for (auto [Condition, Holds] : N.Conditions)
    Require(Holds ? Condition : B.CreateNot(Condition));
  if (Plan.Async)
    for (Value *Base : N.Bases)
      Require(B.CreateIntrinsic(Intrinsic::nvvm_isspacep_global, {},
                                B.CreateFreeze(Base)));
  for (auto [Same, Bits] : N.Widths) {
    Type *Ty = IntegerType::get(F.getContext(), Bits);
    Require(B.CreateICmpEQ(B.CreateTrunc(B.CreateFreeze(Same), Ty),
                           B.CreateTrunc(N.Width, Ty)));
  }
  for (auto &[Phi, Counter] : N.Inductions)
    Steps[Phi] = Expander.expandCodeFor(Counter.Step, nullptr, At);
  Trips = Expander.expandCodeFor(N.Trips, I64, At);

  Value *Zero = ConstantInt::get(N.Width->getType(), 0);
  Require(B.CreateICmpSGT(N.Width, Zero));
  Require(B.CreateICmpSGT(N.Total, Zero));
  Total = B.CreateZExt(N.Total, I64);
  Width = B.CreateZExt(N.Width, I64);
  Height = B.CreateUDiv(
      Total, B.CreateBinaryIntrinsic(Intrinsic::umax, Width, B.getInt64(1)));
  Require(B.CreateICmpEQ(B.CreateMul(Height, Width), Total));

  Threads = B.CreateZExt(call(B, "threads", I32), I64);
  constexpr unsigned Least = TilePlan::MinThreads;
  Require(B.CreateICmpULE(B.CreateSub(Threads, B.getInt64(Least)),
                          B.getInt64(Plan.MaxThreads - Least)));
  Require(
      B.CreateICmpEQ(B.CreateAnd(Threads, B.CreateSub(Threads, B.getInt64(1))),
                     B.getInt64(0)));
  TileRows =
      B.CreateMul(B.CreateUDiv(Threads, B.getInt64(TilePlan::ColumnsOfThreads)),
                  B.getInt64(Rows));
  Value *TileColumns = B.getInt64(TilePlan::Columns);
  Require(B.CreateICmpUGE(Trips, B.getInt64(Plan.Steps)));
  Require(B.CreateICmpUGE(Height, TileRows));
  Require(B.CreateICmpUGE(Width, TileColumns));
  return Fits;
}

void Emitter::choose() {
  IRBuilder<> B(Before->getTerminator());
  Value *Fits = fits(B);
  BasicBlock *Tiled = block("tiles"), *Next = block("tile"),
             *Body = block("tile.begin");
  B.CreateCondBr(Fits, Tiled, N.Distribute->getHeader());
  Before->getTerminator()->eraseFromParent();

  B.SetInsertPoint(Tiled);
  RowTiles = ceilDiv(B, Height, TileRows);
  ColumnTiles = ceilDiv(B, Width, B.getInt64(TilePlan::Columns));
  Value *All = B.CreateMul(RowTiles, ColumnTiles);
  Thread = B.CreateZExt(call(B, "thread", I32), I64);
  // Blocks that have no chunk do not come here.
  Value *Blocks = least(B, B.CreateZExt(call(B, "blocks", I32), I64),
                        ceilDiv(B, Total, B.getInt64(N.Chunk)));
  Value *First = B.CreateZExt(call(B, "block", I32), I64);
  B.CreateBr(Next);

  B.SetInsertPoint(Next);
  PHINode *Number = B.CreatePHI(I64, 2, "ferry.tile.number");
  Number->addIncoming(First, Tiled);
  B.CreateCondBr(B.CreateICmpULT(Number, All), Body, Exit);
  BasicBlock *Last = emitTile(Body, Number);
  B.SetInsertPoint(Last);
  Number->addIncoming(B.CreateAdd(Number, Blocks), Last);
  B.CreateBr(Next);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

void Emitter::makeTiles() {
  for (const TileStream &S : N.Streams)
    Tiles.push_back(
        createSharedArray(M, uint64_t(Plan.bytes(S)) * Plan.buffers()));
}

/// The address in shared memory of row or column \p At in step \p Step, in the
/// tile with number \p Buffer.
Value *Emitter::element(IRBuilder<> &B, unsigned Stream, Value *Buffer,
                        Value *Step, Value *At) {
  const TileStream &S = N.Streams[Stream];
  Value *Tile = B.CreatePtrAdd(Tiles[Stream],
                               B.CreateMul(Buffer, B.getInt64(Plan.bytes(S))));
  Value *Row = B.CreatePtrAdd(Tile, B.CreateMul(At, B.getInt64(S.Size)));
  return B.CreatePtrAdd(
      Row, B.CreateMul(Step, B.getInt64(uint64_t(S.Size) * Plan.pitch(S))));
}

/// Copies what \p S reads in iteration \p It.
void Emitter::copyElement(IRBuilder<> &B, const TileStream &S, Iteration &It,
                          Value *To) {
  if (!Plan.Async) {
    B.CreateAlignedStore(value(B, S.Load, It), To, Align(S.Size));
    return;
  }
  Value *From = B.CreateAddrSpaceCast(value(B, S.Load->getPointerOperand(), It),
                                      PointerType::get(F.getContext(), 1));
  CallInst *Copy = B.CreateIntrinsic(
      S.Size == 4   ? Intrinsic::nvvm_cp_async_ca_shared_global_4
      : S.Size == 8 ? Intrinsic::nvvm_cp_async_ca_shared_global_8
                    : Intrinsic::nvvm_cp_async_ca_shared_global_16,
      {}, {To, From});
  Copy->setDebugLoc(S.Load->getDebugLoc());
}

/// Copies steps [\p First, \p First + \p Count) of a stream. Consecutive
/// threads take consecutive elements of memory.
BasicBlock *Emitter::copyStream(BasicBlock *From, unsigned Stream,
                                Value *Buffer, Value *First, Value *Count) {
  const TileStream &S = N.Streams[Stream];
  BasicBlock *Copy = block("copy"), *Body = block("copy.element"),
             *Next = block("copied");
  IRBuilder<> B(From);
  Value *Lines = S.ByRow ? TileRows : B.getInt64(TilePlan::Columns);
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
  copyElement(B, S, It, element(B, Stream, Buffer, Step, Line));
  At->addIncoming(B.CreateAdd(At, Together), Body);
  B.CreateBr(Copy);
  return Next;
}

/// Copies steps [\p First, \p First + \p Count) of all streams, or begins to.
BasicBlock *Emitter::copyPanel(BasicBlock *From, Value *Buffer, Value *First,
                               Value *Count) {
  for (unsigned I = 0; I < N.Streams.size(); ++I)
    From = copyStream(From, I, Buffer, First, Count);
  if (Plan.Async)
    IRBuilder<>(From).CreateIntrinsic(Intrinsic::nvvm_cp_async_commit_group, {},
                                      {});
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
                             [&](const TileStream &S) { return S.Load == I; }))
      Work.insert(I->op_begin(), I->op_end());
  }
}

/// The thread's iterations of the tile; those beyond the end are repetitions.
void Emitter::beginTile(IRBuilder<> &B, Value *Number) {
  Value *RowTile = B.CreateUDiv(Number, ColumnTiles);
  Value *ColumnTile = B.CreateSub(Number, B.CreateMul(RowTile, ColumnTiles));
  I0 = B.CreateMul(RowTile, TileRows);
  J0 = B.CreateMul(ColumnTile, B.getInt64(TilePlan::Columns));
  Value *Across = B.getInt64(TilePlan::ColumnsOfThreads);
  Value *Row = B.CreateUDiv(Thread, Across);
  Value *Column = B.CreateURem(Thread, Across);
  Value *Distance = B.CreateUDiv(Threads, Across);
  Value *Next = Row;
  for (unsigned R = 0; R < Rows; ++R, Next = B.CreateAdd(Next, Distance))
    RowAt.push_back(Next);
  for (unsigned C = 0; C < Columns; ++C)
    ColumnAt.push_back(B.CreateAdd(
        Column, B.getInt64(uint64_t(C) * TilePlan::ColumnsOfThreads)));
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

static PHINode *phi(IRBuilder<> &B, Value *Start, BasicBlock *Entering) {
  PHINode *New = B.CreatePHI(Start->getType(), 2);
  New->addIncoming(Start, Entering);
  return New;
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
    B.CreateIntrinsic(Intrinsic::nvvm_cp_async_wait_group, {}, B.getInt32(1));
  } else {
    Filled = copyPanel(Panel, Zero, First, Count);
    B.SetInsertPoint(Filled);
  }
  call(B, "barrier", B.getVoidTy());
  BasicBlock *Next =
      emitSteps(Filled, Buffer ? Buffer : Zero, First, Count, Carried);

  B.SetInsertPoint(Next);
  // Other threads may still read what is written over next.
  call(B, "barrier", B.getVoidTy());
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

  SmallVector<Instruction *, 32> Clones;
  for (BasicBlock *Block : N.Post)
    It.Map[Block] = block("post");
  B.CreateBr(cast<BasicBlock>(It.Map[N.After]));
  for (BasicBlock *Block : N.Post) {
    B.SetInsertPoint(cast<BasicBlock>(It.Map[Block]));
    for (Instruction &I : *Block) {
      if (N.Control.contains(&I) || (isa<PHINode>(I) && Block == N.After) ||
          isa<DbgInfoIntrinsic, NoAliasScopeDeclInst>(I))
        continue;
      Instruction *Clone = I.clone();
      forgetContext(*Clone);
      Clones.push_back(B.Insert(Clone));
      It.Map[&I] = Clone;
    }
    if (Block == N.Threads->getLoopLatch())
      B.CreateBr(End);
  }
  for (Instruction *Clone : Clones)
    RemapInstruction(Clone, It.Map,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  return End;
}

BasicBlock *Emitter::emitTile(BasicBlock *From, Value *Number) {
  findNeeded();
  IRBuilder<> B(From);
  beginTile(B, Number);
  BasicBlock *Last = emitWalks(From);
  for (unsigned Copy = 0; Copy < Copies; ++Copy)
    Last = finish(Last, Copy);
  return Last;
}

void Emitter::run() {
  makeTiles();
  choose();
}

void emitTiles(Function &Kernel, const TilePlan &Plan, ScalarEvolution &SE) {
  Emitter(Kernel, Plan, SE).run();
}

} // namespace ferry
