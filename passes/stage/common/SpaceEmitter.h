//===- SpaceEmitter.h - Iterations, tile by tile ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A second version of the loops that IterationSpace.cpp shows:
//
//   before:
//     br %fits, %tiles, %distribute
//   tile:                                ; i0, j0: the tile's first iteration
//     ...                                ; emitTile()
//     br %tile
//
// Why a correct program stays correct, as far as it is about iterations:
//
// - Any thread may execute any iteration: the construct has no clause that
//   says otherwise, and a program must not depend on it (OpenMP 5.2, section
//   11.5.3 and 11.6). With schedule(static, 1) the iterations of a block are
//   dealt out to its threads; but which these are it must not depend on, so of
//   no two it can know that one thread does them, unless there is one block.
//   The version is taken by all threads of a block, by its number of threads,
//   the loops' bounds and what the kernel was given; these are the same in all
//   blocks, so either all take it or none does.
// - Every iteration is executed once: i and j go through all pairs, and
//   i * Width + j through all indices, as Width divides Total; or, where there
//   are planes, those of a plane, which Width divides as its size does Total.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_SPACEEMITTER_H
#define FERRY_STAGE_SPACEEMITTER_H

#include "IterationSpace.h"
#include "support/StageLibrary.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace ferry {

/// The values of one iteration, as they are emitted.
struct Iteration {
  llvm::Value *I, *J;          ///< i64
  llvm::Value *K = nullptr;    ///< i64, of the inner loop, if there is one
  llvm::ValueToValueMapTy Map; ///< from the iteration's values
};

class SpaceEmitter {
public:
  virtual ~SpaceEmitter() = default;

protected:
  /// For blocks of at most \p MaxThreads threads; with \p Async, which copy
  /// asynchronously.
  SpaceEmitter(llvm::Function &F, const IterationSpace &Space, TileShape Shape,
               unsigned MaxThreads, bool Async, llvm::ScalarEvolution &SE)
      : F(F), M(*F.getParent()), SE(SE), Space(Space), Shape(Shape),
        MaxThreads(MaxThreads), Async(Async),
        I32(llvm::Type::getInt32Ty(F.getContext())),
        I64(llvm::Type::getInt64Ty(F.getContext())),
        Before(Space.DistributeLoop->getLoopPreheader()),
        Exit(Space.DistributeLoop->getUniqueExitBlock()) {}

  llvm::Function &F;
  llvm::Module &M;
  llvm::ScalarEvolution &SE;
  const IterationSpace &Space;
  const TileShape Shape;
  const unsigned MaxThreads;
  const bool Async;
  llvm::Type *I32, *I64;
  llvm::BasicBlock *Before, *Exit; ///< Before asks which version it is

  // The block's, i64.
  llvm::Value *NumThreads, *TileRows, *Total, *Width, *Height, *Thread;
  /// Of a plane, and how many there are; null if there are none.
  llvm::Value *PlaneSize = nullptr, *Planes = nullptr;
  /// Planes of a tile, a power of two; null: one. requirements() may set it.
  llvm::Value *Depth = nullptr;
  // The tile's, i64: its (first) plane, if there are any, and where it begins
  // there.
  llvm::Value *P = nullptr, *I0, *J0;

  /// Emits both versions' choice and the tiles. Of several for one space, the
  /// one that is emitted last is asked first.
  void run();
  /// What is asked before all else, one after the other: condition \p Number
  /// for tiles to be worth it; null if there are no more.
  virtual llvm::Value *worthwhile(llvm::IRBuilder<> &, unsigned /*Number*/) {
    return nullptr;
  }
  /// What else must hold for the tiles, there before the loops.
  virtual llvm::Value *requirements(llvm::IRBuilder<> &B) = 0;
  /// Fills the block \p From with a tile; where it ends, has no end yet.
  virtual llvm::BasicBlock *emitTile(llvm::BasicBlock *From) = 0;

  /// What \p V is in iteration \p It.
  llvm::Value *value(llvm::IRBuilder<> &B, llvm::Value *V, Iteration &It);
  /// The same for a phi.
  virtual llvm::Value *phiValue(llvm::IRBuilder<> &B, llvm::PHINode &Phi,
                                Iteration &It);
  /// Clones \p Blocks, all or the end of the iteration \p It, as far as values
  /// are not known; they lead to \p End.
  void cloneBlocks(llvm::ArrayRef<llvm::BasicBlock *> Blocks, Iteration &It,
                   llvm::BasicBlock *End);

  /// Copies what \p Load would read at \p From to shared memory.
  void copyElement(llvm::IRBuilder<> &B, const llvm::LoadInst &Load,
                   llvm::Value *From, llvm::Align Alignment, llvm::Value *To);
  /// Copies \p Bytes, a power of two of at most 16 and aligned to their number,
  /// what \p Load and others like it would read at \p From.
  void copyBytes(llvm::IRBuilder<> &B, const llvm::LoadInst &Load,
                 llvm::Value *From, llvm::Value *To, unsigned Bytes);
  /// Ends what was copied since the last call.
  void commitCopies(llvm::IRBuilder<> &B);
  /// Waits for all but the last \p Left of such groups.
  void waitForCopies(llvm::IRBuilder<> &B, unsigned Left);

  llvm::BasicBlock *block(const llvm::Twine &Name) {
    return llvm::BasicBlock::Create(F.getContext(), "ferry." + Name, &F);
  }
  void barrier(llvm::IRBuilder<> &B) {
    callStageRuntime(B, StageFunction::Barrier);
  }
  static llvm::Value *least(llvm::IRBuilder<> &B, llvm::Value *V,
                            llvm::Value *Limit) {
    return B.CreateBinaryIntrinsic(llvm::Intrinsic::umin, V, Limit);
  }
  /// \p V by \p By, rounded up. \p By is a power of two if it is no constant:
  /// every block asks, and division is long.
  static llvm::Value *ceilDiv(llvm::IRBuilder<> &B, llvm::Value *V,
                              llvm::Value *By);
  static llvm::Value *ceilDiv(llvm::IRBuilder<> &B, llvm::Value *V,
                              uint64_t By) {
    return ceilDiv(B, V, llvm::ConstantInt::get(V->getType(), By));
  }
  static llvm::PHINode *phi(llvm::IRBuilder<> &B, llvm::Value *Start,
                            llvm::BasicBlock *Entering) {
    llvm::PHINode *New = B.CreatePHI(Start->getType(), 2);
    New->addIncoming(Start, Entering);
    return New;
  }
  /// Takes from \p I what holds only where it came from.
  static void forgetContext(llvm::Instruction &I);

private:
  void emitSizes(llvm::IRBuilder<> &B);
  llvm::Value *emitFitsPlanes(llvm::IRBuilder<> &B);
  llvm::Value *emitFits(llvm::IRBuilder<> &B);
  llvm::BasicBlock *otherwise();
  void askFirst();
};

} // namespace ferry

#endif // FERRY_STAGE_SPACEEMITTER_H
