//===- StencilEmitter.h - What emits a stencil ------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// StencilEmitter.cpp has the versions and the iterations, StencilCopies.cpp the
// copies.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STENCILEMITTER_H
#define FERRY_STAGE_STENCILEMITTER_H

#include "StencilPlan.h"
#include "StencilSpaceEmitter.h"
#include "llvm/IR/GlobalVariable.h"

namespace ferry {

class StencilEmitter : StencilSpaceEmitter {
public:
  StencilEmitter(llvm::Function &F, const StencilPlan &Plan,
                 llvm::ScalarEvolution &SE)
      : StencilSpaceEmitter(F, Plan.Nest, StencilPlan::Shape, Plan.MaxThreads,
                            Plan.Async, SE),
        Plan(Plan) {}

  void run();

private:
  const StencilPlan &Plan;
  llvm::SmallVector<llvm::GlobalVariable *, 2> Tiles; ///< one for each field
  llvm::SmallVector<llvm::Value *, 2> RowStrides;     ///< i64, of the fields
  llvm::SmallVector<llvm::Value *, 4> AccessStrides;  ///< i64, of N.Accesses

  // The tile's, i32.
  llvm::Value *RowsHere, *ColumnsHere;
  // The thread's, i32: its warp, its first row and column.
  llvm::Value *Warp, *Warps, *Row, *Column;

  // StencilEmitter.cpp
  llvm::Value *worthwhile(llvm::IRBuilder<> &B, unsigned Number) override;
  llvm::Value *requirements(llvm::IRBuilder<> &B) override;
  llvm::BasicBlock *emitTile(llvm::BasicBlock *From) override;

  /// Sets \p It to the one of row \p Row and column \p Column of the tile, both
  /// i32.
  void begin(llvm::IRBuilder<> &B, Iteration &It, llvm::Value *Row,
             llvm::Value *Column);
  /// Whether such an iteration exists.
  llvm::Value *exists(llvm::IRBuilder<> &B, llvm::Value *Row,
                      llvm::Value *Column) {
    return B.CreateAnd(B.CreateICmpULT(Row, RowsHere),
                       B.CreateICmpULT(Column, ColumnsHere));
  }
  llvm::Value *columnOfThread(llvm::IRBuilder<> &B, unsigned Number) {
    return B.CreateAdd(Column, B.getInt32(Number * Shape.ColumnsOfThreads));
  }

  /// A loop over the iterations of the thread. \p Do ends the block that it is
  /// given, in the end by a branch to the other one.
  using Body = llvm::function_ref<void(llvm::IRBuilder<> &, Iteration &,
                                       llvm::Value *, llvm::BasicBlock *)>;
  llvm::BasicBlock *forEachIteration(llvm::BasicBlock *From,
                                     const llvm::Twine &Name, Body Do);
  llvm::BasicBlock *allRead(llvm::BasicBlock *From, llvm::Value *&All);
  llvm::Value *mineRead(llvm::IRBuilder<> &B);
  llvm::BasicBlock *mineReadOneByOne(llvm::BasicBlock *From,
                                     llvm::Value *&Mine);

  llvm::BasicBlock *emitPlain(llvm::BasicBlock *From);
  llvm::BasicBlock *emitStaged(llvm::BasicBlock *From);
  llvm::BasicBlock *
  emitColumn(llvm::BasicBlock *From, unsigned C,
             llvm::ArrayRef<llvm::SmallVector<llvm::Value *, 4>> Addresses);
  llvm::SmallVector<llvm::SmallVector<llvm::Value *, 4>, 4>
  addressesByRow(llvm::IRBuilder<> &B);
  /// Elements of a tile, from a thread's first one on.
  using ValuesRead = std::map<std::pair<int, int>, llvm::Value *>;
  void loadField(llvm::IRBuilder<> &B, const StencilField &Field, unsigned R,
                 llvm::Value *First, ValuesRead &Read, Iteration &It);

  // StencilCopies.cpp
  llvm::Value *inTile(llvm::IRBuilder<> &B, const StencilField &S,
                      llvm::Value *Tile, llvm::Value *Row, llvm::Value *Column);
  llvm::Value *inRow(llvm::IRBuilder<> &B, unsigned Field, llvm::Value *Origin,
                     llvm::Value *Row);
  llvm::Value *toColumn(llvm::IRBuilder<> &B, const StencilField &S,
                        llvm::Value *Column);
  llvm::BasicBlock *copyField(llvm::BasicBlock *From, unsigned Field);
  llvm::BasicBlock *copyMiddle(llvm::BasicBlock *From, unsigned Field,
                               llvm::Value *Origin);
  llvm::BasicBlock *copySides(llvm::BasicBlock *From, unsigned Field,
                              llvm::Value *Origin);
  llvm::BasicBlock *copyRows(llvm::BasicBlock *From, unsigned Field,
                             llvm::Value *Origin);
  llvm::Value *isRead(llvm::IRBuilder<> &B, const StencilField &S,
                      llvm::Value *Row, llvm::Value *Column);
  llvm::BasicBlock *copyIf(llvm::BasicBlock *From, llvm::Value *Condition,
                           unsigned Field, llvm::Value *Source,
                           llvm::Value *Target);
};

} // namespace ferry

#endif // FERRY_STAGE_STENCILEMITTER_H
