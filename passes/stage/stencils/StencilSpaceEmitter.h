//===- StencilSpaceEmitter.h - Iterations of a stencil ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stencils in tiles and in walks have in common: the polynomials of
// addresses, what must hold for them, and the iterations.
//
// Why a correct program stays correct, as far as it is about addresses:
//
// - What an iteration reads: the addresses of a field's loads are polynomials
//   in i, j and p (IndexPolynomial.h) that differ by whole numbers of planes,
//   rows and columns. So the load at one of these offsets reads the same
//   address as the first load would in the iteration so far away. The
//   conditions on which this rests are tested first.
// - Other addresses: they are polynomials, too, with no other conditions. That
//   of a thread's first iteration is computed whether or not that iteration
//   comes to it, so it keeps no flag that promises something.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STENCILSPACEEMITTER_H
#define FERRY_STAGE_STENCILSPACEEMITTER_H

#include "StencilPlan.h"
#include "stage/common/SpaceEmitter.h"

namespace ferry {

class StencilSpaceEmitter : protected SpaceEmitter {
protected:
  StencilSpaceEmitter(llvm::Function &F, const KernelStencil &N,
                      TileShape Shape, unsigned MaxThreads, bool Async,
                      llvm::ScalarEvolution &SE)
      : SpaceEmitter(F, N, Shape, MaxThreads, Async, SE), N(N),
        Blocks(N.ThreadLoop->getBlocks().begin(),
               N.ThreadLoop->getBlocks().end()) {}

  const KernelStencil &N;
  /// Of an iteration.
  const llvm::SmallVector<llvm::BasicBlock *, 8> Blocks;

  /// The value of what is neither i, j nor p, i64.
  llvm::Value *atom(llvm::IRBuilder<> &B, unsigned Number);
  /// \p P for an iteration of the tile's plane.
  llvm::Value *polynomial(llvm::IRBuilder<> &B, const Polynomial &P,
                          llvm::Value *I = nullptr, llvm::Value *J = nullptr);
  /// Whether no extended value is too large, in any iteration: one sum for all
  /// of as many bits, of what each product is at most.
  llvm::Value *rangesHold(llvm::IRBuilder<> &B);
  /// Whether no value that is extended without its sign is negative in the tile
  /// of so many planes (null: one), rows and columns, i64; rangesHold() for the
  /// sums not to wrap.
  llvm::Value *isNegativeNowhere(llvm::IRBuilder<> &B, llvm::Value *Planes,
                                 llvm::Value *Rows, llvm::Value *Columns);

  /// Whether the guards that \p Asked chooses are met in iteration \p It.
  llvm::Value *guardsHold(llvm::IRBuilder<> &B, Iteration &It,
                          llvm::function_ref<bool(const StencilGuard &)> Asked);
  /// Fills in what does not come from a clone.
  void mapIteration(llvm::IRBuilder<> &B, Iteration &It);
  /// Fills in that the guards are met.
  void mapGuards(Iteration &It) {
    for (const StencilGuards &Guards : N.Guards)
      for (const StencilGuard &G : Guards)
        It.Map[G.Condition] = llvm::ConstantInt::getBool(F.getContext(), G.Is);
  }
  /// What \p Pointers are in iteration \p It, which may not come to them.
  llvm::SmallVector<llvm::Value *, 4>
  addressesIn(llvm::IRBuilder<> &B, Iteration &It,
              llvm::ArrayRef<llvm::Value *> Pointers);
};

} // namespace ferry

#endif // FERRY_STAGE_STENCILSPACEEMITTER_H
