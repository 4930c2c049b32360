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
//     ...                                ; Pre, as far as the loop needs it
//   panel:                               ; Depth iterations of k
//     copy A[f(i0.., k..)], B[g(j0.., k..)]      ; NestPanels.cpp
//     barrier
//     steps:                             ; several, written out, of
//       load the thread's rows and columns from shared memory
//       ...                              ; ThreadRows x ThreadColumns sums
//     step:                              ; the same for those that are left
//     barrier
//   finish:                              ; for each iteration of the thread
//     ...                                ; Pre, stores of the last step, Post
//
// With cp.async there are two panels. A thread waits for its copies, meets the
// others, and begins to copy the next panel before it computes; so no second
// barrier is needed, as all have done with that panel before they met.
//
// Why a correct program stays correct, beside what SpaceEmitter.h says:
//
// - Reads are those of iterations of the tile. What a row stream reads at k
//   depends on i and k only, so copying it for j0 reads what every iteration
//   (i, j) of the tile reads. Rows and columns beyond the end repeat the last.
// - What is read early is what would have been read later. If an iteration
//   writes what another one reads, that is a data race (section 1.4.1), so only
//   an iteration's own writes matter. Those of Post come after a barrier that
//   follows all reads of the tile, and whatever was written in an earlier tile
//   is of other iterations.
// - Stores of the steps go to one place, so those of the last step, in their
//   order, leave what all leave; and nothing of a store of Pre to that place,
//   or to one that Post writes first. No step reads them: what a step reads,
//   other iterations of the row or the column read as well, and there are
//   others where there are tiles.
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
#include "gpu/DeviceTable.h"
#include "stage/common/GpuModel.h"
#include "stage/common/LoopForm.h"
#include "stage/common/SharedBuffer.h"
#include "support/LLVMCompat.h"
#include <cmath>

using namespace llvm;

namespace ferry {

//===----------------------------------------------------------------------===//
// Which version
//===----------------------------------------------------------------------===//

/// The warps of a block of a tile, i32.
Value *NestVersion::warpsOfBlock(IRBuilder<> &B) {
  return B.CreateLShr(B.CreateTrunc(NumThreads, I32),
                      Log2_32(gpu::WarpThreads));
}

/// Of \p Length planes, rows or columns, as many as the choice of a version
/// looks at, an i32: so many fill all multiprocessors in each, and what is made
/// of them has 32 bits, which GPUs calculate with.
Value *NestVersion::shown(IRBuilder<> &B, Value *Length) {
  return B.CreateTrunc(least(B, Length, B.getInt64(Planes ? 1024 : 8192)), I32);
}

/// What the launch takes if it has so many \p Warps (i32) of the times \p Of:
/// i32, in sixteenths of a clock for a step. The units of a multiprocessor with
/// most of the blocks are busy for all of them; and its blocks take turns, in
/// each of which a warp takes what it takes alone.
Value *NestVersion::clocks(IRBuilder<> &B, Value *Warps, const NestTimes &Of) {
  auto Sixteenths = [&](double Clocks) {
    return B.getInt32(static_cast<unsigned>(std::lround(Clocks * 16)));
  };
  Value *Shift =
      B.CreateBinaryIntrinsic(Intrinsic::cttz, warpsOfBlock(B), B.getTrue());
  Value *Most = ceilDiv(B, ceilDiv(B, Warps, warpsOfBlock(B)),
                        Plan.Gain.Gpu->multiprocessors());
  return B.CreateBinaryIntrinsic(
      Intrinsic::umax,
      B.CreateMul(B.CreateShl(Most, Shift), Sixteenths(Of.Busy)),
      B.CreateMul(ceilDiv(B, Most, Of.Resident), Sixteenths(Of.OneWarp)));
}

/// The same with the tiles \p Of.
Value *NestVersion::clocksOf(IRBuilder<> &B, const NestTiles &Of) {
  // A warp has as many rows in tiles of every number of threads.
  const unsigned RowsOfWarp = Of.Shape.rows(gpu::WarpThreads);
  Value *Warps = ceilDiv(B, shown(B, Height), RowsOfWarp);
  if (Planes) {
    // Those beyond the end of a plane are as many as tiles have.
    Value *Less = B.CreateSub(warpsOfBlock(B), B.getInt32(1));
    Warps = B.CreateAnd(B.CreateAdd(Warps, Less), B.CreateNot(Less));
    Warps = B.CreateMul(Warps, shown(B, Planes));
  }
  Warps = B.CreateMul(Warps, ceilDiv(B, shown(B, Width), Of.Shape.columns()));
  return clocks(B, Warps, Of.Times);
}

/// The same with the loops as they were. Chunks longer than the block are done
/// in several rounds, by fewer blocks.
Value *NestVersion::clocksOfPlain(IRBuilder<> &B) {
  Value *All = B.CreateMul(shown(B, Height), shown(B, Width));
  if (Planes)
    All = B.CreateMul(All, shown(B, Planes));
  Value *Warps = ceilDiv(B, All, gpu::WarpThreads);
  if (!isa<Constant>(N.Chunk))
    return clocks(B, Warps, Plan.Plain);
  Value *Chunk = B.CreateZExtOrTrunc(N.Chunk, I32);
  auto Log2 = [&](Value *V) {
    return B.CreateBinaryIntrinsic(Intrinsic::cttz, V, B.getTrue());
  };
  Value *Rounds = B.CreateBinaryIntrinsic(
      Intrinsic::umax,
      B.CreateLShr(Chunk, Log2(B.CreateTrunc(NumThreads, I32))), B.getInt32(1));
  return B.CreateMul(clocks(B, B.CreateLShr(Warps, Log2(Rounds)), Plan.Plain),
                     Rounds);
}

/// Whether what the tiles save in all steps makes up for that.
Value *NestVersion::isFaster(IRBuilder<> &B) {
  Value *Saved = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, clocksOfPlain(B),
                                         clocksOf(B, Tiles));
  return B.CreateICmpUGE(B.CreateMul(B.CreateZExt(Saved, I64), TripCount),
                         B.getInt64(uint64_t(16) * Plan.clocksBeside()));
}

Value *NestVersion::requirements(IRBuilder<> &B) {
  ExpressionExpander Expander(SE, F.getDataLayout(), "ferry.tile");
  Instruction *At = Before->getTerminator();
  for (auto &[Phi, Counter] : N.Inductions)
    Steps[Phi] = Expander.expandCodeFor(Counter.Step, nullptr, At);
  TripCount = Expander.expandCodeFor(N.TripCount, I64, At);
  Value *Holds = B.CreateICmpUGE(TripCount, B.getInt64(Tiles.Depth));
  if (N.Outer) {
    // Steps have numbers of 32 bits then; so their product does not wrap.
    InnerTripCount = Expander.expandCodeFor(N.InnerTripCount, I64, At);
    for (Value *Count :
         {InnerTripCount, Expander.expandCodeFor(N.OuterTripCount, I64, At),
          TripCount})
      Holds =
          B.CreateAnd(Holds, B.CreateICmpULE(Count, B.getInt64(UINT32_MAX)));
  }
  if (Smaller)
    Holds = B.CreateAnd(
        Holds, B.CreateICmpULE(clocksOf(B, Tiles), clocksOf(B, *Smaller)));
  return Plan.OnlyIfFaster ? B.CreateAnd(Holds, isFaster(B)) : Holds;
}

//===----------------------------------------------------------------------===//
// Values of the inner loop
//===----------------------------------------------------------------------===//

/// In which iteration of its loop \p Counter is in \p Step of the inner loop.
Value *NestVersion::turnOf(IRBuilder<> &B, const NestInduction &Counter,
                           Value *Step) {
  if (!N.Outer)
    return Step;
  Value *Inner = B.CreateTrunc(InnerTripCount, I32);
  Step = B.CreateTrunc(Step, I32);
  return B.CreateZExt(Counter.OfOuter ? B.CreateUDiv(Step, Inner)
                                      : B.CreateURem(Step, Inner),
                      I64);
}

/// What a counter of the inner loop is.
Value *NestVersion::phiValue(IRBuilder<> &B, PHINode &Phi, Iteration &It) {
  assert(N.Inductions.count(&Phi) && "carried values are known");
  const NestInduction &Counter = N.Inductions.find(&Phi)->second;
  Value *Start = value(B, Counter.Start, It);
  Value *Step = Steps.lookup(&Phi);
  Value *Turn = turnOf(B, Counter, It.K);
  Value *Grown = B.CreateMul(B.CreateZExtOrTrunc(Turn, Step->getType()), Step);
  return Start->getType()->isPointerTy() ? B.CreatePtrAdd(Start, Grown)
                                         : B.CreateAdd(Start, Grown);
}

/// Finds what the inner loop computes that is needed: for its next step or by
/// Post, in Slots; and, in PreValues, what that takes of Pre.
void NestVersion::findNeeded() {
  BasicBlock *Body = N.InnerLoop->getHeader();
  SmallSetVector<Value *, 16> Work;
  for (const NestCarried &C : N.Carried) {
    Slots.push_back({&C, C.Next});
    Work.insert(C.Next);
  }
  auto Use = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (I && I->getParent() == Body && Work.insert(I))
      Slots.push_back({nullptr, I});
  };
  for (PHINode &Phi : N.After->phis())
    Use(Phi.getIncomingValueForBlock(N.last()));
  for (auto [Phi, Is] : N.Ends)
    Use(Is);
  for (StoreInst *S : N.StepStores)
    Use(S->getValueOperand());
  for (BasicBlock *B : N.Post)
    for (Instruction &I : *B)
      if (!isa<PHINode>(I) && !N.Control.contains(&I))
        for (Value *Op : I.operands())
          Use(Op);

  for (const NestCarried &C : N.Carried)
    Work.insert(C.Start);
  for (unsigned At = 0; At < Work.size(); ++At) {
    auto *I = dyn_cast<Instruction>(Work[At]);
    if (!I || !N.ThreadLoop->contains(I) || N.Control.contains(I))
      continue;
    auto *Phi = dyn_cast<PHINode>(I);
    if (!N.isOfSteps(I))
      PreValues.insert(I);
    else if (Phi && N.Inductions.count(Phi))
      Work.insert(N.Inductions.find(Phi)->second.Start);
    else if (!Phi && none_of(N.Streams,
                             [&](const NestOperand &S) { return S.Load == I; }))
      Work.insert(I->op_begin(), I->op_end());
  }
}

/// One step, \p K, of all walks of the thread, with what has been read last.
void NestVersion::emitBody(IRBuilder<> &B, Value *K) {
  Value **Now = State.begin();
  for (auto [Copy, It] : enumerate(Mine)) {
    for (Instruction &I : *N.InnerLoop->getHeader())
      It->Map.erase(&I);
    for (BasicBlock *Block : N.Around)
      for (Instruction &I : *Block)
        It->Map.erase(&I);
    It->K = K;
    for (auto [Stream, S] : enumerate(N.Streams))
      It->Map[S.Load] = element(
          Stream, S.By == NestOperand::ByRow ? Copy / Columns : Copy % Columns);
    for (auto [At, S] : enumerate(Slots))
      if (S.Carried)
        It->Map[S.Carried->Phi] = Now[At];
    for (const Slot &S : Slots)
      *Now++ = value(B, S.Next, *It);
  }
}

//===----------------------------------------------------------------------===//
// A tile
//===----------------------------------------------------------------------===//

/// The thread's number, calculated in a way that the optimiser takes for one
/// that changes with \p Less, which is never above \p More: what is derived
/// from it is not kept in registers where it is not needed.
Value *NestVersion::threadAnew(IRBuilder<> &B, Value *Less, Value *More) {
  return B.CreateAdd(Thread,
                     B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Less, More));
}

/// The row or column \p Number of the thread, which has \p First first.
Value *NestVersion::indexAt(IRBuilder<> &B, Value *First, unsigned Number,
                            unsigned Group) {
  return B.CreateAdd(
      First, B.getInt64(Number / Group * Group * Shape.ColumnsOfThreads +
                        Number % Group));
}

/// The thread's iterations of the tile; those beyond the end are repetitions.
void NestVersion::beginTile(IRBuilder<> &B) {
  Value *LastRow = B.CreateSub(Height, B.getInt64(1));
  Value *LastColumn = B.CreateSub(Width, B.getInt64(1));
  Value *Here = threadAnew(B, I0, Height);
  RowThread = B.CreateUDiv(Here, B.getInt64(Shape.ColumnsOfThreads));
  ColumnThread = B.CreateURem(Here, B.getInt64(Shape.ColumnsOfThreads));
  FirstRow = B.CreateAdd(I0, B.CreateMul(RowThread, B.getInt64(Rows)));
  FirstColumn =
      B.CreateAdd(J0, B.CreateMul(ColumnThread, B.getInt64(Tiles.ColumnGroup)));
  for (unsigned C = 0; C < Rows * Columns; ++C) {
    auto It = std::make_unique<Iteration>();
    It->I = least(B, rowAt(B, C / Columns), LastRow);
    It->J = least(B, columnAt(B, C % Columns), LastColumn);
    for (Instruction *I : PreValues)
      value(B, I, *It);
    for (const Slot &S : Slots)
      State.push_back(S.Carried ? value(B, S.Carried->Start, *It)
                                : PoisonValue::get(S.Next->getType()));
    Mine.push_back(std::move(It));
  }
  for (unsigned Stream = 0; Stream < N.Streams.size(); ++Stream)
    beginPlaces(B, Stream, Here);
}

/// Phis of the state, which comes from \p From so far.
NestVersion::Phis NestVersion::carry(IRBuilder<> &B, BasicBlock *From) {
  Phis Carried;
  for (Value *&V : State)
    V = Carried.emplace_back(phi(B, V, From));
  return Carried;
}

/// The state comes from \p From as well.
void NestVersion::close(ArrayRef<PHINode *> Carried, BasicBlock *From) {
  for (auto [Phi, V] : zip_equal(Carried, State))
    Phi->addIncoming(V, From);
}

/// The steps of the panel that lies \p Offset bytes into shared memory, \p
/// Count (i32) from \p First on, \p Together at once.
BasicBlock *NestVersion::emitSteps(BasicBlock *From, Value *Offset,
                                   Value *First, Value *Count,
                                   unsigned Together) {
  BasicBlock *Body = block(Together > 1 ? "steps" : "step"),
             *Done = block("stepped");
  IRBuilder<> B(From);
  Values Begin;
  for (unsigned Stream = 0; Stream < N.Streams.size(); ++Stream)
    Begin.push_back(threadPart(B, Stream, panel(B, Stream, Offset)));
  B.CreateBr(Body);

  B.SetInsertPoint(Body);
  PHINode *Number = phi(B, B.getInt32(0), From);
  Phis At;
  for (Value *V : Begin)
    At.push_back(phi(B, V, From));
  Phis Carried = carry(B, From);
  Value *K = B.CreateAdd(First, B.CreateZExt(Number, I64));
  for (unsigned Step = 0; Step < Together; ++Step) {
    for (unsigned Stream = 0; Stream < N.Streams.size(); ++Stream)
      read(B, Stream, At[Stream], Step, Together);
    emitBody(B, B.CreateAdd(K, B.getInt64(Step)));
  }
  Value *Next = B.CreateAdd(Number, B.getInt32(Together));
  Number->addIncoming(Next, Body);
  for (auto [Place, Panel] : zip_equal(At, Tiles.Panels))
    Place->addIncoming(
        B.CreatePtrAdd(Place, B.getInt64(uint64_t(Together) * Panel.StepPitch)),
        Body);
  close(Carried, Body);
  Instruction *Back = B.CreateCondBr(B.CreateICmpULT(Next, Count), Body, Done);
  setUnrolling(*Back, 1);
  return Done;
}

/// The steps in whole panels, one panel after the other, of which there is one
/// at least. Afterwards \p B is behind them.
NestVersion::StepsLeft NestVersion::emitPanels(IRBuilder<> &B) {
  Value *Zero = B.getInt64(0), *Depth = B.getInt32(Tiles.Depth);
  // Other threads may still read what is written over next.
  barrier(B);
  // The inner loop is at least as long as a panel.
  if (Async)
    B.SetInsertPoint(copyPanel(B.GetInsertBlock(), Zero, Zero, Depth, Thread));
  BasicBlock *From = B.GetInsertBlock(), *Panel = block("panel"),
             *Rest = block("rest");
  B.CreateBr(Panel);

  B.SetInsertPoint(Panel);
  PHINode *First = phi(B, Zero, From);
  PHINode *Offset = phi(B, Zero, From);
  Phis Carried = carry(B, From);
  StepsLeft Left;
  Left.First = B.CreateAdd(First, B.CreateZExt(Depth, I64));
  Left.Count = B.CreateSub(TripCount, Left.First);
  Left.Here = threadAnew(B, First, TripCount);
  Left.Offset = Offset;
  if (Async) {
    waitForCopies(B, 0);
    barrier(B);
    Left.Offset = B.CreateSub(B.getInt64(Tiles.panelBytes()), Offset);
    Value *Count =
        B.CreateTrunc(least(B, Left.Count, B.CreateZExt(Depth, I64)), I32);
    B.SetInsertPoint(
        copyPanel(Panel, Left.Offset, Left.First, Count, Left.Here));
  } else {
    B.SetInsertPoint(copyPanel(Panel, Offset, First, Depth, Left.Here));
    barrier(B);
  }
  BasicBlock *Next =
      emitSteps(B.GetInsertBlock(), Offset, First, Depth, Tiles.Unrolled);
  B.SetInsertPoint(Next);
  if (!Async)
    barrier(B);
  First->addIncoming(Left.First, Next);
  Offset->addIncoming(Left.Offset, Next);
  close(Carried, Next);
  B.CreateCondBr(B.CreateICmpUGE(Left.Count, B.CreateZExt(Depth, I64)), Panel,
                 Rest);
  B.SetInsertPoint(Rest);
  return Left;
}

/// The steps that are \p Left behind whole panels, if there are any.
void NestVersion::emitStepsLeft(IRBuilder<> &B, const StepsLeft &Left) {
  BasicBlock *Rest = B.GetInsertBlock(), *Some = block("rest.some"),
             *Done = block("finish");
  const Values Before = State;
  B.CreateCondBr(B.CreateIsNull(Left.Count), Done, Some);
  B.SetInsertPoint(Some);
  Value *Count = B.CreateTrunc(Left.Count, I32);
  // Asynchronous copies of them began with the last whole panel.
  if (Async)
    waitForCopies(B, 0);
  else
    B.SetInsertPoint(
        copyPanel(Some, Left.Offset, Left.First, Count, Left.Here));
  barrier(B);
  B.SetInsertPoint(
      emitSteps(B.GetInsertBlock(), Left.Offset, Left.First, Count, 1));
  BasicBlock *Stepped = B.GetInsertBlock();
  B.CreateBr(Done);

  B.SetInsertPoint(Done);
  for (auto [V, IfNone] : zip_equal(State, Before)) {
    PHINode *Either = phi(B, IfNone, Rest);
    Either->addIncoming(V, Stepped);
    V = Either;
  }
}

/// All steps of the thread's walks; \p From has no end yet.
BasicBlock *NestVersion::emitMainLoop(BasicBlock *From) {
  IRBuilder<> B(From);
  const StepsLeft Left = emitPanels(B);
  emitStepsLeft(B, Left);
  // A zero that the optimiser does not know of: what comes now is calculated
  // anew, and has no registers while the inner loops need them.
  Value *Nothing =
      B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Left.First, TripCount);
  FirstRow = B.CreateAdd(FirstRow, Nothing);
  FirstColumn = B.CreateAdd(FirstColumn, Nothing);
  return B.GetInsertBlock();
}

/// Emits the stores of the last step of \p It, whose values are known.
void NestVersion::emitStepStores(IRBuilder<> &B, Iteration &It) {
  Values Places;
  for (StoreInst *S : N.StepStores)
    Places.push_back(value(B, S->getPointerOperand(), It));
  for (auto [S, Place] : zip_equal(N.StepStores, Places)) {
    auto *Clone = cast<StoreInst>(S->clone());
    Clone->setOperand(0, value(B, S->getValueOperand(), It));
    Clone->setOperand(StoreInst::getPointerOperandIndex(), Place);
    forgetContext(*Clone);
    B.Insert(Clone);
  }
}

/// Emits Pre and Post of an iteration of the thread, unless it is beyond the
/// end, and between them what the last step writes.
BasicBlock *NestVersion::finish(BasicBlock *From, unsigned Copy) {
  BasicBlock *Begin = block("finish.one"), *End = block("finished");
  IRBuilder<> B(From);
  Iteration It;
  It.I = rowAt(B, Copy / Columns);
  It.J = columnAt(B, Copy % Columns);
  Value *Exists =
      B.CreateAnd(B.CreateICmpULT(It.I, Height), B.CreateICmpULT(It.J, Width));
  B.CreateCondBr(Exists, Begin, End);

  B.SetInsertPoint(Begin);
  for (auto [At, S] : enumerate(Slots))
    if (auto *Next = dyn_cast<Instruction>(S.Next);
        Next && N.InnerLoop->contains(Next))
      It.Map[S.Next] = State[Copy * Slots.size() + At];
  for (BasicBlock *Block : N.Pre)
    for (Instruction &I : *Block)
      if (!N.Control.contains(&I) && any_of(I.users(), [&](User *U) {
            return N.Post.contains(cast<Instruction>(U)->getParent());
          }))
        value(B, &I, It);
  value(B, N.Index, It);
  for (auto [Phi, Is] : N.Ends) {
    Value *End = value(B, Is, It);
    It.Map[Phi] = End;
  }
  for (PHINode &Phi : N.After->phis())
    It.Map[&Phi] = value(B, Phi.getIncomingValueForBlock(N.last()), It);

  emitStepStores(B, It);
  cloneBlocks(N.Post.getArrayRef(), It, End);
  B.CreateBr(cast<BasicBlock>(It.Map[N.After]));
  return End;
}

BasicBlock *NestVersion::emitTile(BasicBlock *From) {
  findNeeded();
  IRBuilder<> B(From);
  beginTile(B);
  BasicBlock *Last = emitMainLoop(From);
  Mine.clear();
  for (unsigned Copy = 0; Copy < Rows * Columns; ++Copy)
    Last = finish(Last, Copy);
  return Last;
}

/// Has small launches go past the versions' choice, which begins behind \p
/// Begin and takes longer than what they could save.
static void skipChoice(const NestPlan &Plan, Instruction &Begin,
                       Value *TripCount) {
  BasicBlock *Before = Begin.getParent();
  BasicBlock *Header = Plan.Nest.DistributeLoop->getHeader();
  BasicBlock *Choice =
      Before->splitBasicBlock(Begin.getNextNode(), "ferry.choice");
  for (PHINode &Phi : Header->phis())
    for (BasicBlock *From : predecessors(Header))
      if (!Plan.Nest.DistributeLoop->contains(From)) {
        Phi.addIncoming(Phi.getIncomingValueForBlock(From), Before);
        break;
      }
  Before->getTerminator()->eraseFromParent();
  IRBuilder<> B(Before);
  Value *Total = B.CreateZExt(Plan.Nest.Total, TripCount->getType());
  auto AtLeast = [&](Value *V, uint64_t Least) {
    return B.CreateICmpUGE(V, B.getInt64(Least));
  };
  Value *IsMany = B.CreateAnd(AtLeast(Total, Plan.manyIterations()),
                              AtLeast(TripCount, Plan.StepsForChoice));
  Value *Several = AtLeast(B.CreateMul(Total, TripCount),
                           NestPlan::MostThreads * Plan.StepsForChoice);
  Value *IsDeep = AtLeast(TripCount, Plan.minDepth());
  if (Plan.asksOnlyFew())
    IsDeep =
        B.CreateAnd(IsDeep, B.CreateNot(AtLeast(Total, Plan.manyIterations())));
  Value *IsLarge = B.CreateOr(IsDeep, B.CreateOr(IsMany, Several));
  B.CreateCondBr(IsLarge, Choice, Header);
}

void emit(const NestPlan &Plan, const PlanContext &C) {
  GlobalVariable &Shared =
      *createSharedArray(*C.Kernel.getParent(), Plan.bytes());
  Instruction *End =
      Plan.Nest.DistributeLoop->getLoopPreheader()->getTerminator();
  Value *TripCount = nullptr;
  if (Plan.OnlyIfFaster)
    TripCount =
        ExpressionExpander(C.SE, C.Kernel.getDataLayout(), "ferry.steps")
            .expandCodeFor(Plan.Nest.TripCount,
                           Type::getInt64Ty(C.Kernel.getContext()), End);
  // Where the choice begins.
  Instruction *Begin = End->getPrevNode();
  const NestTiles *Smaller = nullptr;
  std::vector<std::unique_ptr<NestVersion>> Versions;
  // All know the loops as they were.
  for (const NestTiles &Tiles : reverse(Plan.Versions)) {
    Versions.push_back(std::make_unique<NestVersion>(C.Kernel, Plan, Tiles,
                                                     Smaller, Shared, C.SE));
    Smaller = &Tiles;
  }
  for (auto &Version : Versions)
    Version->run();
  if (TripCount && Begin)
    skipChoice(Plan, *Begin, TripCount);
}

} // namespace ferry
