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
//   copy:                                ; rows i0 - halo .. i0 + rows + halo,
//     copy.row:                          ; a warp for each
//       copy.element:
//     barrier
//   one:                                 ; each iteration of the thread
//     load the field from shared memory
//     ...                                ; the iteration
//   plain:
//     ...                                ; the same, as it was
//
// Why a correct program stays correct, beside what SpaceEmitter.h says:
//
// - What an iteration reads: the addresses of a field's loads are polynomials
//   in i and j (IndexPolynomial.h) that differ by whole numbers of rows and
//   columns. So the load (r, c) of iteration (i, j) reads the same address as
//   the first load would in iteration (i + r, j + c), which is where the tile
//   has its element. The conditions on which this rests are tested first.
// - What is copied: of each row, what lies between the first and the last
//   element that iterations of the tile read there. All of them execute these
//   loads, or the tile is not staged. What lies between two elements of one
//   object is in the object.
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
#include "stage/common/SpaceEmitter.h"
#include "llvm/IR/Module.h"
#include <cmath>

using namespace llvm;

namespace ferry {

namespace {

class Emitter : SpaceEmitter {
public:
  Emitter(Function &F, const StencilPlan &Plan, ScalarEvolution &SE)
      : SpaceEmitter(F, Plan.Nest, StencilPlan::Shape, Plan.MaxThreads,
                     Plan.Async, SE),
        Plan(Plan), N(Plan.Nest),
        Blocks(N.Threads->getBlocks().begin(), N.Threads->getBlocks().end()) {}

  void run();

private:
  const StencilPlan &Plan;
  const KernelStencil &N;
  const SmallVector<BasicBlock *, 8> Blocks; ///< of an iteration
  SmallVector<GlobalVariable *, 2> Tiles;    ///< one for each field
  SmallVector<Value *, 2> RowSteps;          ///< i64, of the fields

  // The tile's, i64.
  Value *RowsHere, *ColumnsHere;
  Value *Row, *Column, *Together; ///< the thread's first, and the next row's

  Value *requirements(IRBuilder<> &B) override;
  BasicBlock *emitTile(BasicBlock *From) override;

  Value *atom(IRBuilder<> &B, unsigned Number);
  Value *polynomial(IRBuilder<> &B, const Polynomial &P, Value *I = nullptr,
                    Value *J = nullptr);
  Value *rangesHold(IRBuilder<> &B);
  Value *isNegativeNowhere(IRBuilder<> &B);

  /// One of the thread's iterations.
  struct One {
    Value *Row, *Column; ///< in the tile
    Value *Exists;
    Iteration It;
  };
  using Body = function_ref<void(IRBuilder<> &, One &, BasicBlock *)>;
  BasicBlock *forEachIteration(BasicBlock *From, const Twine &Name, Body Do);
  BasicBlock *allRead(BasicBlock *From, Value *&All);
  BasicBlock *copyField(BasicBlock *From, unsigned Field);
  void copyRow(BasicBlock *From, BasicBlock *End, unsigned Field, Value *Source,
               Value *At);
  BasicBlock *emitIterations(BasicBlock *From, bool Staged);
};

} // namespace

//===----------------------------------------------------------------------===//
// Which version
//===----------------------------------------------------------------------===//

/// The value of what is neither i nor j, i64.
Value *Emitter::atom(IRBuilder<> &B, unsigned Number) {
  auto [V, Bits] = N.Atoms[Number - Polynomial::FirstAtom];
  Value *Low = B.CreateTrunc(B.CreateFreeze(V), B.getIntNTy(Bits));
  return B.CreateSExt(Low, I64);
}

/// \p P for an iteration.
Value *Emitter::polynomial(IRBuilder<> &B, const Polynomial &P, Value *I,
                           Value *J) {
  Value *Sum = B.getInt64(0);
  for (const auto &[Atoms, Count] : P.terms()) {
    Value *Product = B.getInt64(Count);
    for (unsigned A : Atoms)
      Product = B.CreateMul(Product, A == Polynomial::I   ? I
                                     : A == Polynomial::J ? J
                                                          : atom(B, A));
    Sum = B.CreateAdd(Sum, Product);
  }
  return Sum;
}

/// Whether no extended value is too large, in any iteration: one sum for all of
/// as many bits, of what each product is at most.
Value *Emitter::rangesHold(IRBuilder<> &B) {
  std::map<unsigned, std::map<Polynomial::Product, uint64_t>> Bounds;
  for (const IndexPolynomials::Range &R : N.Ranges)
    for (const auto &[Atoms, Count] : R.P.terms()) {
      uint64_t &Most = Bounds[R.Bits - R.Signed][Atoms];
      Most = std::max<uint64_t>(Most, std::abs(Count));
    }
  // Products might wrap themselves; floating point is exact enough.
  Type *Float = B.getFloatTy();
  Value *Hold = B.getTrue();
  for (const auto &[Bits, Terms] : Bounds) {
    Value *Sum = ConstantFP::get(Float, 0);
    for (const auto &[Atoms, Count] : Terms) {
      Value *Product = ConstantFP::get(Float, static_cast<double>(Count));
      for (unsigned A : Atoms) {
        Value *Factor = A == Polynomial::I   ? Height
                        : A == Polynomial::J ? Width
                                             : atom(B, A);
        Product = B.CreateFMul(
            Product, B.CreateUnaryIntrinsic(Intrinsic::fabs,
                                            B.CreateSIToFP(Factor, Float)));
      }
      Sum = B.CreateFAdd(Sum, Product);
    }
    Value *Limit = ConstantFP::get(Float, 0.999 * std::pow(2.0, Bits));
    Hold = B.CreateAnd(Hold, B.CreateFCmpOLT(Sum, Limit));
  }
  return Hold;
}

/// Whether no value that is extended without its sign is negative in the tile;
/// rangesHold() for the sums not to wrap.
Value *Emitter::isNegativeNowhere(IRBuilder<> &B) {
  Value *Nowhere = B.getTrue(), *Zero = B.getInt64(0);
  auto Least = [&](const Polynomial &Factor, Value *Count) -> Value * {
    if (auto Number = Factor.asConstant(); Number && *Number >= 0)
      return Zero;
    Value *Last =
        B.CreateMul(polynomial(B, Factor), B.CreateSub(Count, B.getInt64(1)));
    return B.CreateBinaryIntrinsic(Intrinsic::smin, Last, Zero);
  };
  for (const IndexPolynomials::Range &R : N.Ranges) {
    if (R.Signed)
      continue;
    Value *Low = polynomial(B, R.P, I0, J0);
    Low = B.CreateAdd(Low, Least(*R.P.factorOf(Polynomial::I), RowsHere));
    Low = B.CreateAdd(Low, Least(*R.P.factorOf(Polynomial::J), ColumnsHere));
    Nowhere = B.CreateAnd(Nowhere, B.CreateICmpSGE(Low, Zero));
  }
  return Nowhere;
}

Value *Emitter::requirements(IRBuilder<> &B) {
  for (const StencilField &Field : N.Fields)
    RowSteps.push_back(polynomial(B, Field.RowStep));
  Value *Least = B.CreateMul(
      TileRows, B.getInt64(uint64_t(Plan.MinTiles) * Shape.columns()));
  return B.CreateAnd(rangesHold(B), B.CreateICmpUGE(Total, Least));
}

//===----------------------------------------------------------------------===//
// The thread's iterations
//===----------------------------------------------------------------------===//

/// A loop over the iterations of the thread in the tile. \p Do ends the block
/// that it is given, in the end by a branch to the block it is given.
BasicBlock *Emitter::forEachIteration(BasicBlock *From, const Twine &Name,
                                      Body Do) {
  BasicBlock *Begin = block(Name), *Next = block(Name + ".next"),
             *Done = block(Name + ".done");
  IRBuilder<> B(From);
  B.CreateBr(Begin);
  B.SetInsertPoint(Begin);
  PHINode *Number = phi(B, B.getInt64(0), From);
  Value *Columns = B.getInt64(Shape.ThreadColumns);
  One O;
  O.Row =
      B.CreateAdd(Row, B.CreateMul(B.CreateUDiv(Number, Columns), Together));
  O.Column =
      B.CreateAdd(Column, B.CreateMul(B.CreateURem(Number, Columns),
                                      B.getInt64(Shape.ColumnsOfThreads)));
  O.Exists = B.CreateAnd(B.CreateICmpULT(O.Row, RowsHere),
                         B.CreateICmpULT(O.Column, ColumnsHere));
  O.It.I = B.CreateAdd(I0, O.Row);
  O.It.J = B.CreateAdd(J0, O.Column);
  Do(B, O, Next);

  B.SetInsertPoint(Next);
  Value *Following = B.CreateAdd(Number, B.getInt64(1));
  Number->addIncoming(Following, Next);
  B.CreateCondBr(B.CreateICmpULT(Following, B.getInt64(Shape.ThreadRows *
                                                       Shape.ThreadColumns)),
                 Begin, Done);
  return Done;
}

/// Finds out whether all iterations of the tile read all of the fields, for all
/// threads, which then have all done with the last tile.
BasicBlock *Emitter::allRead(BasicBlock *From, Value *&All) {
  IRBuilder<> B(From);
  if (N.Guards.empty()) {
    barrier(B);
    All = B.getTrue();
    return From;
  }
  PHINode *Mine = PHINode::Create(B.getInt1Ty(), 2);
  Value *Now;
  BasicBlock *Done = forEachIteration(
      From, "guard", [&](IRBuilder<> &B, One &O, BasicBlock *Next) {
        Mine->insertBefore(B.GetInsertBlock()->begin());
        Mine->addIncoming(B.getTrue(), From);
        Value *Reads = B.getTrue();
        for (const GuardList &Guards : N.Guards)
          for (auto [Guard, Is] : Guards) {
            Value *Holds = value(B, Guard, O.It);
            Reads = B.CreateLogicalAnd(Reads, Is ? Holds : B.CreateNot(Holds));
          }
        Now = B.CreateLogicalAnd(
            Mine, B.CreateLogicalOr(B.CreateNot(O.Exists), Reads));
        Mine->addIncoming(Now, Next);
        B.CreateBr(Next);
      });
  B.SetInsertPoint(Done);
  All = callStageRuntime(B, StageFunction::All, Now);
  return Done;
}

/// Emits the iterations, with the fields from shared memory if \p Staged.
BasicBlock *Emitter::emitIterations(BasicBlock *From, bool Staged) {
  return forEachIteration(
      From, Staged ? "one" : "plain",
      [&](IRBuilder<> &B, One &O, BasicBlock *Next) {
        BasicBlock *Begin = block(Staged ? "iteration" : "iteration.plain");
        B.CreateCondBr(O.Exists, Begin, Next);
        B.SetInsertPoint(Begin);
        for (Instruction *I : N.Row)
          value(B, I, O.It);
        for (Instruction *J : N.Column)
          value(B, J, O.It);
        value(B, N.Index, O.It);
        for (auto [Field, Tile] : zip_equal(N.Fields, Tiles)) {
          if (!Staged)
            break;
          uint64_t Pitch = StencilPlan::pitch(Field);
          Value *At = B.CreatePtrAdd(
              Tile,
              B.CreateMul(
                  B.CreateAdd(B.CreateMul(O.Row, B.getInt64(Pitch)), O.Column),
                  B.getInt64(Field.Size)));
          for (const StencilLoad &L : Field.Loads) {
            uint64_t Offset = (L.Row - Field.FirstRow) * Pitch +
                              (L.Column - Field.FirstColumn);
            LoadInst *Load = B.CreateAlignedLoad(
                L.Load->getType(),
                B.CreatePtrAdd(At, B.getInt64(Offset * Field.Size)),
                Align(Field.Size));
            Load->setDebugLoc(L.Load->getDebugLoc());
            forgetContext(*Load);
            O.It.Map[L.Load] = Load;
          }
        }
        cloneBlocks(Blocks, O.It, Next);
        B.CreateBr(cast<BasicBlock>(O.It.Map[N.Threads->getHeader()]));
      });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Copies row \p At of the tile, if any of it is read, from the row that begins
/// at \p Source: what lies between the first and last element that is read.
void Emitter::copyRow(BasicBlock *From, BasicBlock *End, unsigned Field,
                      Value *Source, Value *At) {
  const StencilField &S = N.Fields[Field];
  IRBuilder<> B(From);
  Value *First = B.getInt64(StencilPlan::pitch(S)), *Last = B.getInt64(-1);
  for (auto [Row, Range] : S.columnsOfRows()) {
    Value *Reader = B.CreateSub(At, B.getInt64(Row - S.FirstRow));
    Value *Exists = B.CreateICmpULT(Reader, RowsHere);
    Value *Begin = B.getInt64(Range.first - S.FirstColumn);
    Value *Until =
        B.CreateAdd(ColumnsHere, B.getInt64(Range.second - S.FirstColumn - 1));
    First = B.CreateSelect(Exists, least(B, First, Begin), First);
    Last = B.CreateSelect(
        Exists, B.CreateBinaryIntrinsic(Intrinsic::smax, Last, Until), Last);
  }
  Value *Pitch = B.getInt64(uint64_t(StencilPlan::pitch(S)) * S.Size);
  Value *Target = B.CreatePtrAdd(Tiles[Field], B.CreateMul(At, Pitch));
  Value *Mine = B.CreateAdd(First, Column);
  BasicBlock *Next = block("copy.next"), *Element = block("copy.element");
  B.CreateBr(Next);

  B.SetInsertPoint(Next);
  PHINode *C = phi(B, Mine, From);
  B.CreateCondBr(B.CreateICmpSLE(C, Last), Element, End);
  B.SetInsertPoint(Element);
  Value *Offset = B.CreateMul(C, B.getInt64(S.Size));
  Align Least(S.Size);
  for (const StencilLoad &L : S.Loads)
    Least = std::min(Least, L.Load->getAlign());
  copyElement(B, *S.Loads[0].Load, B.CreatePtrAdd(Source, Offset), Least,
              B.CreatePtrAdd(Target, Offset));
  C->addIncoming(B.CreateAdd(C, B.getInt64(Shape.ColumnsOfThreads)), Element);
  B.CreateBr(Next);
}

/// Copies what the iterations of the tile read of a field.
BasicBlock *Emitter::copyField(BasicBlock *From, unsigned Field) {
  const StencilField &S = N.Fields[Field];
  BasicBlock *Rows = block("copy"), *Begin = block("copy.row"),
             *Next = block("copy.row.next"), *Done = block("copied");
  IRBuilder<> B(From);
  Iteration It;
  It.I = I0, It.J = J0;
  Value *Origin = value(B, S.Loads[0].Load->getPointerOperand(), It);
  Value *Above = B.CreateMul(RowSteps[Field], B.getInt64(S.FirstRow));
  Origin = B.CreatePtrAdd(Origin, Above);
  Origin = B.CreatePtrAdd(Origin,
                          B.getInt64(int64_t(S.FirstColumn) * int64_t(S.Size)));
  Value *All = B.CreateAdd(RowsHere, B.getInt64(S.LastRow - S.FirstRow));
  B.CreateBr(Rows);

  B.SetInsertPoint(Rows);
  PHINode *At = phi(B, Row, From);
  B.CreateCondBr(B.CreateICmpULT(At, All), Begin, Done);
  B.SetInsertPoint(Begin);
  Value *Source = B.CreatePtrAdd(Origin, B.CreateMul(RowSteps[Field], At));
  copyRow(Begin, Next, Field, Source, At);
  B.SetInsertPoint(Next);
  At->addIncoming(B.CreateAdd(At, Together), Next);
  B.CreateBr(Rows);
  return Done;
}

//===----------------------------------------------------------------------===//
// A tile
//===----------------------------------------------------------------------===//

BasicBlock *Emitter::emitTile(BasicBlock *From) {
  IRBuilder<> B(From);
  Value *Across = B.getInt64(Shape.ColumnsOfThreads);
  Row = B.CreateUDiv(Thread, Across);
  Column = B.CreateURem(Thread, Across);
  Together = B.CreateUDiv(Threads, Across);
  RowsHere = least(B, TileRows, B.CreateSub(Height, I0));
  ColumnsHere = least(B, B.getInt64(Shape.columns()), B.CreateSub(Width, J0));

  Value *Fits = isNegativeNowhere(B), *All;
  B.SetInsertPoint(allRead(From, All));
  Fits = B.CreateAnd(Fits, All);
  BasicBlock *Copy = block("copy.fields"), *Plain = block("tile.plain"),
             *Next = block("tile.next");
  B.CreateCondBr(Fits, Copy, Plain);
  B.SetInsertPoint(emitIterations(Plain, /*Staged=*/false));
  B.CreateBr(Next);
  for (unsigned Field = 0; Field < N.Fields.size(); ++Field)
    Copy = copyField(Copy, Field);
  B.SetInsertPoint(Copy);
  commitCopies(B);
  waitForCopies(B, 0);
  barrier(B);
  B.SetInsertPoint(emitIterations(Copy, /*Staged=*/true));
  B.CreateBr(Next);
  return Next;
}

void Emitter::run() {
  for (const StencilField &Field : N.Fields)
    Tiles.push_back(createSharedArray(M, Plan.bytes(Field)));
  SpaceEmitter::run();
}

void emit(const StencilPlan &Plan, const PlanContext &C) {
  Emitter(C.Kernel, Plan, C.SE).run();
}

} // namespace ferry
