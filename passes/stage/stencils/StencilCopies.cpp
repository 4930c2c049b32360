//===- StencilCopies.cpp - What a tile of a stencil reads -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile with its halo is copied in two parts:
//
//     l m m m m m r       m  the middle, as many columns as the tile has,
//     l m m m m m r          a warp for each row, neighbouring threads
//     l m m m m m r          neighbouring elements
//     l m m m m m r       l, r  the sides, a few columns, all threads together
//
// if all rows that are read have columns in common, as the rows of a star have
// that of its centre. The middle begins with these, and all of it is read; at
// the sides each element is asked for. Otherwise a warp copies of each row what
// lies between the first and the last element that is read there.
//
//===----------------------------------------------------------------------===//

#include "StencilEmitter.h"

using namespace llvm;

namespace ferry {

/// The first column of the middle, counted from the field's first one.
static unsigned middleOf(const StencilField &S) {
  return S.commonColumns()->first - S.FirstColumn;
}

/// Where row \p Row and column \p Column, both i32, of the tile of \p S are.
Value *StencilEmitter::inTile(IRBuilder<> &B, const StencilField &S,
                              Value *Tile, Value *Row, Value *Column) {
  Value *At =
      B.CreateAdd(B.CreateMul(Row, B.getInt32(StencilPlan::pitch(S))), Column);
  return B.CreatePtrAdd(Tile, toColumn(B, S, At));
}

/// Where row \p Row of field \p Field is, i32, if the first is at \p Origin.
Value *StencilEmitter::inRow(IRBuilder<> &B, unsigned Field, Value *Origin,
                             Value *Row) {
  return B.CreatePtrAdd(Origin,
                        B.CreateMul(RowStrides[Field], B.CreateZExt(Row, I64)));
}

/// Bytes from the beginning of a row of \p S to its column \p Column, i32.
Value *StencilEmitter::toColumn(IRBuilder<> &B, const StencilField &S,
                                Value *Column) {
  return B.CreateZExt(B.CreateMul(Column, B.getInt32(S.Size)), I64);
}

/// Whether an iteration of the tile reads row \p Row and column \p Column of
/// \p S, or what is left and right of it in that row.
Value *StencilEmitter::isRead(IRBuilder<> &B, const StencilField &S, Value *Row,
                              Value *Column) {
  Value *Is = B.getFalse();
  for (auto [Reads, Range] : S.columnsOfRows()) {
    Value *Reader = B.CreateSub(Row, B.getInt32(Reads - S.FirstRow));
    Value *First = B.CreateSub(Column, B.getInt32(Range.first - S.FirstColumn));
    Value *Columns =
        B.CreateAdd(ColumnsHere, B.getInt32(Range.second - Range.first));
    Is = B.CreateOr(Is, B.CreateAnd(B.CreateICmpULT(Reader, RowsHere),
                                    B.CreateICmpULT(First, Columns)));
  }
  return Is;
}

/// Copies an element of \p Field on \p Condition.
BasicBlock *StencilEmitter::copyIf(BasicBlock *From, Value *Condition,
                                   unsigned Field, Value *Source,
                                   Value *Target) {
  const StencilField &S = N.Fields[Field];
  BasicBlock *Element = block("copy.element"), *Next = block("copy.next");
  Align Least(S.Size);
  for (const StencilLoad &L : S.Loads)
    Least = std::min(Least, L.Load->getAlign());
  IRBuilder<> B(From);
  B.CreateCondBr(Condition, Element, Next);
  B.SetInsertPoint(Element);
  copyElement(B, *S.Loads[0].Load, Source, Least, Target);
  B.CreateBr(Next);
  return Next;
}

/// Copies the middle of the tile, whose first element is from \p Origin.
BasicBlock *StencilEmitter::copyMiddle(BasicBlock *From, unsigned Field,
                                       Value *Origin) {
  const StencilField &S = N.Fields[Field];
  BasicBlock *Rows = block("copy"), *Begin = block("copy.row"),
             *Done = block("copied");
  IRBuilder<> B(From);
  Value *C = B.CreateAdd(Column, B.getInt32(middleOf(S)));
  Value *All = B.CreateAdd(RowsHere, B.getInt32(S.LastRow - S.FirstRow));
  Value *FirstSource =
      B.CreatePtrAdd(inRow(B, Field, Origin, Warp), toColumn(B, S, C));
  Value *FirstTarget = inTile(B, S, Tiles[Field], Warp, C);
  Value *SourceStep = B.CreateMul(RowStrides[Field], B.CreateZExt(Warps, I64));
  Value *TargetStep = B.CreateZExt(
      B.CreateMul(Warps, B.getInt32(StencilPlan::pitch(S) * S.Size)), I64);
  SmallVector<Value *, 2> InMiddle;
  for (unsigned K = 0; K < Shape.ThreadColumns; ++K)
    InMiddle.push_back(B.CreateICmpULT(columnOfThread(B, K), ColumnsHere));
  B.CreateBr(Rows);

  B.SetInsertPoint(Rows);
  PHINode *At = phi(B, Warp, From), *Source = phi(B, FirstSource, From),
          *Target = phi(B, FirstTarget, From);
  B.CreateCondBr(B.CreateICmpULT(At, All), Begin, Done);
  for (unsigned K = 0; K < Shape.ThreadColumns; ++K) {
    B.SetInsertPoint(Begin);
    const unsigned Columns = K * Shape.ColumnsOfThreads;
    Value *Offset = B.getInt64(uint64_t(Columns) * S.Size);
    Value *Element = B.CreatePtrAdd(Source, Offset);
    Begin = copyIf(Begin, InMiddle[K], Field, Element,
                   B.CreatePtrAdd(Target, Offset));
  }
  B.SetInsertPoint(Begin);
  At->addIncoming(B.CreateAdd(At, Warps), Begin);
  Source->addIncoming(B.CreatePtrAdd(Source, SourceStep), Begin);
  Target->addIncoming(B.CreatePtrAdd(Target, TargetStep), Begin);
  B.CreateBr(Rows);
  return Done;
}

/// Copies what is left and right of the middle.
BasicBlock *StencilEmitter::copySides(BasicBlock *From, unsigned Field,
                                      Value *Origin) {
  const StencilField &S = N.Fields[Field];
  const unsigned Left = middleOf(S), Both = S.LastColumn - S.FirstColumn;
  const unsigned Lanes = PowerOf2Ceil(Both); // threads for a row
  BasicBlock *Rows = block("copy.sides"), *Begin = block("copy.side"),
             *Done = block("copied.sides");
  IRBuilder<> B(From);
  Value *Number = B.CreateTrunc(Thread, I32);
  Value *Lane = B.CreateURem(Number, B.getInt32(Lanes));
  Value *First = B.CreateUDiv(Number, B.getInt32(Lanes));
  Value *Step = B.CreateUDiv(B.CreateTrunc(NumThreads, I32), B.getInt32(Lanes));
  Value *C = B.CreateSelect(B.CreateICmpULT(Lane, B.getInt32(Left)), Lane,
                            B.CreateAdd(Lane, ColumnsHere));
  Value *All = B.CreateAdd(RowsHere, B.getInt32(S.LastRow - S.FirstRow));
  B.CreateBr(Rows);

  B.SetInsertPoint(Rows);
  PHINode *At = phi(B, First, From);
  B.CreateCondBr(B.CreateICmpULT(At, All), Begin, Done);
  B.SetInsertPoint(Begin);
  Value *Copied =
      B.CreateAnd(B.CreateICmpULT(Lane, B.getInt32(Both)), isRead(B, S, At, C));
  Value *Source =
      B.CreatePtrAdd(inRow(B, Field, Origin, At), toColumn(B, S, C));
  Begin =
      copyIf(Begin, Copied, Field, Source, inTile(B, S, Tiles[Field], At, C));
  B.SetInsertPoint(Begin);
  At->addIncoming(B.CreateAdd(At, Step), Begin);
  B.CreateBr(Rows);
  return Done;
}

/// Copies each row by itself, where rows have no columns in common; some may
/// not be read at all.
BasicBlock *StencilEmitter::copyRows(BasicBlock *From, unsigned Field,
                                     Value *Origin) {
  const StencilField &S = N.Fields[Field];
  BasicBlock *Rows = block("copy"), *Begin = block("copy.row"),
             *Elements = block("copy.elements"), *Next = block("copy.row.next"),
             *Done = block("copied");
  IRBuilder<> B(From);
  Value *All = B.CreateAdd(RowsHere, B.getInt32(S.LastRow - S.FirstRow));
  B.CreateBr(Rows);
  B.SetInsertPoint(Rows);
  PHINode *At = phi(B, Warp, From);
  B.CreateCondBr(B.CreateICmpULT(At, All), Begin, Done);

  B.SetInsertPoint(Begin);
  Value *First = B.getInt32(StencilPlan::pitch(S)), *End = B.getInt32(0);
  for (auto [Reads, Range] : S.columnsOfRows()) {
    Value *Reader = B.CreateSub(At, B.getInt32(Reads - S.FirstRow));
    Value *Exists = B.CreateICmpULT(Reader, RowsHere);
    Value *Mine = B.getInt32(Range.first - S.FirstColumn);
    Value *Until =
        B.CreateAdd(ColumnsHere, B.getInt32(Range.second - S.FirstColumn));
    First = B.CreateSelect(Exists, least(B, First, Mine), First);
    End = B.CreateSelect(
        Exists, B.CreateBinaryIntrinsic(Intrinsic::umax, End, Until), End);
  }
  Value *Source = inRow(B, Field, Origin, At);
  Value *Mine = B.CreateAdd(First, Column);
  B.CreateBr(Elements);

  B.SetInsertPoint(Elements);
  PHINode *C = phi(B, Mine, Begin);
  Value *Offset = toColumn(B, S, C);
  Value *Copied = B.CreateICmpULT(C, End);
  BasicBlock *Last =
      copyIf(Elements, Copied, Field, B.CreatePtrAdd(Source, Offset),
             inTile(B, S, Tiles[Field], At, C));
  B.SetInsertPoint(Last);
  C->addIncoming(B.CreateAdd(C, B.getInt32(Shape.ColumnsOfThreads)), Last);
  B.CreateCondBr(Copied, Elements, Next);
  B.SetInsertPoint(Next);
  At->addIncoming(B.CreateAdd(At, Warps), Next);
  B.CreateBr(Rows);
  return Done;
}

/// Copies what the iterations of the tile read of a field.
BasicBlock *StencilEmitter::copyField(BasicBlock *From, unsigned Field) {
  const StencilField &S = N.Fields[Field];
  IRBuilder<> B(From);
  Iteration It;
  It.I = I0, It.J = J0;
  Value *Origin = value(B, S.Loads[0].Load->getPointerOperand(), It);
  Value *Above = B.CreateMul(RowStrides[Field], B.getInt64(S.FirstRow));
  Origin = B.CreatePtrAdd(Origin, Above);
  Origin = B.CreatePtrAdd(Origin,
                          B.getInt64(int64_t(S.FirstColumn) * int64_t(S.Size)));
  if (!S.commonColumns())
    return copyRows(From, Field, Origin);
  From = copyMiddle(From, Field, Origin);
  return S.LastColumn > S.FirstColumn ? copySides(From, Field, Origin) : From;
}

} // namespace ferry
