//===- StencilEmitter.cpp - A stencil, tile by tile -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles of SpaceEmitter.h, for the stencil that StencilAnalysis.cpp shows:
//
//   tile:                                ; i0, j0: the tile's first iteration
//     %fits = all iterations of the tile read the field?
//     br %fits, %copy, %plain            ; the same for all threads
//   copy:                                ; StencilCopies.cpp
//     ...
//     barrier
//   iteration:                           ; for each iteration of the thread,
//     load the field from shared memory  ; one row below the other
//     ...                                ; the iteration
//   plain:
//     ...                                ; the same, as it was, in a loop
//
// What a thread has read of shared memory for one row it has in registers for
// the next. Where its iterations read and write elsewhere, the addresses are a
// step apart from row to row, so the program's arithmetic with i and j is done
// once for a tile.
//
// Why a correct program stays correct, beside what SpaceEmitter.h and
// StencilSpaceEmitter.h say:
//
// - What is copied: of each row, for each of the loads' rows, what lies between
//   the first and the last element that iterations of the tile read there. All
//   of them execute these loads, or the tile is not staged. What lies between
//   two elements of one object is in the object.
// - Conditions that depend on i only, or on j only, are asked once for each row
//   and column. One that would be poison somewhere is asked only of iterations
//   that do not come to it; then the one before it is false in the tile.
// - When it is copied: as in NestEmitter.cpp. An iteration writes after it has
//   read the field, what others write is not what it reads, or there is a data
//   race, and a barrier stands between a tile's reads and the next copy. What
//   others write and no iteration reads may be copied; nobody uses it.
//
// Requires: what findPlan() found. Refuses nothing.
//
// Source of the idea: tiles with halos are the usual way to write stencils for
// GPUs by hand, as in NVIDIA's blog on finite differences in CUDA.
//
//===----------------------------------------------------------------------===//

#include "StencilEmitter.h"
#include "stage/common/SharedBuffer.h"

using namespace llvm;

namespace ferry {

//===----------------------------------------------------------------------===//
// Which version
//===----------------------------------------------------------------------===//

Value *StencilEmitter::worthwhile(IRBuilder<> &B, unsigned Number) {
  auto AtLeast = [&](Value *V, uint64_t Least) -> Value * {
    const unsigned Bits = V->getType()->getScalarSizeInBits();
    return isUIntN(Bits - 1, Least)
               ? B.CreateICmpSGE(V, ConstantInt::get(V->getType(), Least))
               : B.getFalse();
  };
  if (Number == 0 && Plan.MinIterations)
    return AtLeast(Space.Total, Plan.MinIterations);
  if (Number == 1 && Plan.MinColumns)
    return AtLeast(Space.Width, Plan.MinColumns);
  if (Number == 2 && Plan.MinRows)
    return B.CreateICmpUGE(
        B.CreateZExt(Space.Total, I64),
        B.CreateMul(B.CreateZExt(Space.Width, I64), B.getInt64(Plan.MinRows)));
  return nullptr;
}

Value *StencilEmitter::requirements(IRBuilder<> &B) {
  for (const StencilField &Field : N.Fields)
    RowStrides.push_back(polynomial(B, Field.RowStride));
  for (const StencilAccess &A : N.Accesses)
    AccessStrides.push_back(polynomial(B, A.RowStride));
  return rangesHold(B);
}

//===----------------------------------------------------------------------===//
// Whether a tile is read
//===----------------------------------------------------------------------===//

void StencilEmitter::begin(IRBuilder<> &B, Iteration &It, Value *Row,
                           Value *Column) {
  It.I = B.CreateAdd(I0, B.CreateZExt(Row, I64));
  It.J = B.CreateAdd(J0, B.CreateZExt(Column, I64));
}

BasicBlock *StencilEmitter::forEachIteration(BasicBlock *From,
                                             const Twine &Name, Body Do) {
  BasicBlock *Begin = block(Name), *Next = block(Name + ".next"),
             *Done = block(Name + ".done");
  IRBuilder<> B(From);
  B.CreateBr(Begin);
  B.SetInsertPoint(Begin);
  PHINode *Number = phi(B, B.getInt32(0), From);
  Value *Columns = B.getInt32(Shape.ThreadColumns);
  Value *R = B.CreateAdd(Row, B.CreateUDiv(Number, Columns));
  Value *C =
      B.CreateAdd(Column, B.CreateMul(B.CreateURem(Number, Columns),
                                      B.getInt32(Shape.ColumnsOfThreads)));
  Iteration It;
  begin(B, It, R, C);
  Do(B, It, exists(B, R, C), Next);

  B.SetInsertPoint(Next);
  Value *Following = B.CreateAdd(Number, B.getInt32(1));
  Number->addIncoming(Following, Next);
  B.CreateCondBr(B.CreateICmpULT(Following, B.getInt32(Shape.ThreadRows *
                                                       Shape.ThreadColumns)),
                 Begin, Done);
  return Done;
}

/// Whether the guards are met in the row and the columns that this thread asks
/// for. Together the threads ask for all of the tile.
Value *StencilEmitter::mineRead(IRBuilder<> &B) {
  static_assert(StencilPlan::Shape.rows(TileShape::MinThreads) <=
                TileShape::MinThreads);
  auto Last = [&](Value *Count) { return B.CreateSub(Count, B.getInt32(1)); };
  Value *AskedRow = least(B, B.CreateTrunc(Thread, I32), Last(RowsHere));
  Iteration InRow;
  begin(B, InRow, AskedRow, B.getInt32(0));
  Value *Hold = B.CreateFreeze(
      guardsHold(B, InRow, [](const StencilGuard &G) { return !G.OfColumn; }));
  for (unsigned C = 0; C < Shape.ThreadColumns; ++C) {
    Value *AskedColumn = least(B, columnOfThread(B, C), Last(ColumnsHere));
    Iteration InColumn;
    begin(B, InColumn, B.getInt32(0), AskedColumn);
    Value *Holds = B.CreateFreeze(guardsHold(
        B, InColumn, [](const StencilGuard &G) { return G.OfColumn; }));
    Hold = B.CreateAnd(Hold, Holds);
  }
  return Hold;
}

/// The same for the thread's iterations, where guards depend on both i and j.
BasicBlock *StencilEmitter::mineReadOneByOne(BasicBlock *From, Value *&Mine) {
  PHINode *So = PHINode::Create(IntegerType::getInt1Ty(F.getContext()), 2);
  return forEachIteration(
      From, "guard",
      [&](IRBuilder<> &B, Iteration &It, Value *Exists, BasicBlock *Next) {
        So->insertBefore(B.GetInsertBlock()->begin());
        So->addIncoming(B.getTrue(), From);
        Value *Hold =
            guardsHold(B, It, [](const StencilGuard &) { return true; });
        Mine = B.CreateLogicalAnd(So,
                                  B.CreateLogicalOr(B.CreateNot(Exists), Hold));
        So->addIncoming(Mine, Next);
        B.CreateBr(Next);
      });
}

/// Finds out whether all iterations of the tile read all of the fields, for all
/// threads, which then have all done with the last tile.
BasicBlock *StencilEmitter::allRead(BasicBlock *From, Value *&All) {
  IRBuilder<> B(From);
  if (N.Guards.empty()) {
    barrier(B);
    All = B.getTrue();
    return From;
  }
  bool OfBoth = any_of(N.Guards, [](const StencilGuards &Guards) {
    return any_of(Guards,
                  [](const StencilGuard &G) { return G.OfRow && G.OfColumn; });
  });
  Value *Mine;
  BasicBlock *Done = From;
  if (OfBoth)
    Done = mineReadOneByOne(From, Mine);
  else
    Mine = mineRead(B);
  B.SetInsertPoint(Done);
  All = callStageRuntime(B, StageFunction::All, Mine);
  return Done;
}

//===----------------------------------------------------------------------===//
// The thread's iterations
//===----------------------------------------------------------------------===//

/// Emits the iterations as they were.
BasicBlock *StencilEmitter::emitPlain(BasicBlock *From) {
  return forEachIteration(
      From, "plain",
      [&](IRBuilder<> &B, Iteration &It, Value *Exists, BasicBlock *Next) {
        BasicBlock *Begin = block("iteration.plain");
        B.CreateCondBr(Exists, Begin, Next);
        B.SetInsertPoint(Begin);
        mapIteration(B, It);
        cloneBlocks(Blocks, It, Next);
        B.CreateBr(cast<BasicBlock>(It.Map[N.ThreadLoop->getHeader()]));
      });
}

/// The addresses of N.Accesses in the thread's first column, by row.
SmallVector<SmallVector<Value *, 4>, 4>
StencilEmitter::addressesByRow(IRBuilder<> &B) {
  Iteration First;
  begin(B, First, Row, Column);
  SmallVector<Value *, 4> Pointers;
  for (const StencilAccess &A : N.Accesses)
    Pointers.push_back(A.Pointer);
  SmallVector<SmallVector<Value *, 4>, 4> Rows = {
      addressesIn(B, First, Pointers)};
  for (unsigned R = 1; R < Shape.ThreadRows; ++R) {
    Rows.emplace_back();
    for (auto [Above, Step] : zip_equal(Rows[R - 1], AccessStrides))
      Rows[R].push_back(B.CreatePtrAdd(Above, Step));
  }
  return Rows;
}

/// Gives the loads of \p Field in the thread's row \p R their values, from
/// what starts at \p First in shared memory; those that rows above have read
/// are in \p Read.
void StencilEmitter::loadField(IRBuilder<> &B, const StencilField &Field,
                               unsigned R, Value *First, ValuesRead &Read,
                               Iteration &It) {
  for (const StencilLoad &L : Field.Loads) {
    const int Row = static_cast<int>(R) + L.Row - Field.FirstRow,
              Column = L.Column - Field.FirstColumn;
    Value *&Known = Read[{Row, Column}];
    if (!Known) {
      const int64_t Offset = int64_t(Row) * StencilPlan::pitch(Field) + Column;
      LoadInst *Load = B.CreateAlignedLoad(
          L.Load->getType(),
          B.CreatePtrAdd(First, B.getInt64(Offset * Field.Size)),
          Align(Field.Size));
      Load->setDebugLoc(L.Load->getDebugLoc());
      Known = Load;
    }
    It.Map[L.Load] = Known;
  }
}

/// Emits the thread's iterations of its column \p C, behind each other.
BasicBlock *
StencilEmitter::emitColumn(BasicBlock *From, unsigned C,
                           ArrayRef<SmallVector<Value *, 4>> Addresses) {
  IRBuilder<> B(From);
  BasicBlock *Done = block("column.done");
  Value *J = columnOfThread(B, C);
  Value *HasColumn = B.CreateICmpULT(J, ColumnsHere);
  SmallVector<Value *, 2> Firsts; // of the thread in the tiles
  for (auto [Field, Tile] : zip_equal(N.Fields, Tiles))
    Firsts.push_back(inTile(B, Field, Tile, Row, J));
  SmallVector<ValuesRead, 2> Read(N.Fields.size());
  for (unsigned R = 0; R < Shape.ThreadRows; ++R) {
    BasicBlock *Begin = block("iteration"), *Next = block("iteration.next");
    Value *I = B.CreateAdd(Row, B.getInt32(R));
    Value *Exists = B.CreateICmpULT(I, RowsHere);
    B.CreateCondBr(R ? Exists : B.CreateAnd(Exists, HasColumn), Begin, Done);
    B.SetInsertPoint(Begin);
    Iteration It;
    begin(B, It, I, J);
    mapIteration(B, It);
    mapGuards(It);
    const int64_t Columns = C * Shape.ColumnsOfThreads;
    for (auto [A, First] : zip_equal(N.Accesses, Addresses[R]))
      It.Map[A.Pointer] =
          B.CreatePtrAdd(First, B.getInt64(A.ColumnStride * Columns));
    for (auto [Field, First, Values] : zip_equal(N.Fields, Firsts, Read))
      loadField(B, Field, R, First, Values, It);
    cloneBlocks(Blocks, It, Next);
    B.CreateBr(cast<BasicBlock>(It.Map[N.ThreadLoop->getHeader()]));
    B.SetInsertPoint(Next);
  }
  B.CreateBr(Done);
  return Done;
}

/// Emits the iterations, with the fields from shared memory.
BasicBlock *StencilEmitter::emitStaged(BasicBlock *From) {
  IRBuilder<> B(From);
  const auto Addresses = addressesByRow(B);
  for (unsigned C = 0; C < Shape.ThreadColumns; ++C)
    From = emitColumn(From, C, Addresses);
  return From;
}

//===----------------------------------------------------------------------===//
// A tile
//===----------------------------------------------------------------------===//

BasicBlock *StencilEmitter::emitTile(BasicBlock *From) {
  IRBuilder<> B(From);
  Value *Across = B.getInt32(Shape.ColumnsOfThreads);
  Value *Number = B.CreateTrunc(Thread, I32);
  Warp = B.CreateUDiv(Number, Across);
  Warps = B.CreateUDiv(B.CreateTrunc(NumThreads, I32), Across);
  Row = B.CreateMul(Warp, B.getInt32(Shape.ThreadRows));
  Column = B.CreateURem(Number, Across);
  RowsHere = B.CreateTrunc(least(B, TileRows, B.CreateSub(Height, I0)), I32);
  ColumnsHere = B.CreateTrunc(
      least(B, B.getInt64(Shape.columns()), B.CreateSub(Width, J0)), I32);

  Value *Fits =
      isNegativeNowhere(B, /*Planes=*/nullptr, B.CreateZExt(RowsHere, I64),
                        B.CreateZExt(ColumnsHere, I64));
  Value *All;
  B.SetInsertPoint(allRead(From, All));
  Fits = B.CreateAnd(Fits, All);
  BasicBlock *Copy = block("copy.fields"), *Plain = block("tile.plain"),
             *Next = block("tile.next");
  B.CreateCondBr(Fits, Copy, Plain);
  B.SetInsertPoint(emitPlain(Plain));
  B.CreateBr(Next);
  for (unsigned Field = 0; Field < N.Fields.size(); ++Field)
    Copy = copyField(Copy, Field);
  B.SetInsertPoint(Copy);
  commitCopies(B);
  waitForCopies(B, 0);
  barrier(B);
  B.SetInsertPoint(emitStaged(Copy));
  B.CreateBr(Next);
  return Next;
}

void StencilEmitter::run() {
  for (const StencilField &Field : N.Fields)
    Tiles.push_back(createSharedArray(M, Plan.bytes(Field)));
  SpaceEmitter::run();
}

void emit(const StencilPlan &Plan, const PlanContext &C) {
  StencilEmitter(C.Kernel, Plan, C.SE).run();
}

} // namespace ferry
