//===- SpaceEmitter.cpp - Iterations, tile by tile ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceEmitter.h"
#include "GpuTarget.h"
#include "KernelInstructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

//===----------------------------------------------------------------------===//
// Values of an iteration
//===----------------------------------------------------------------------===//

void SpaceEmitter::forgetContext(Instruction &I) {
  // Scopes hold for one iteration of a loop.
  I.setMetadata(LLVMContext::MD_noalias, nullptr);
  I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
}

Value *SpaceEmitter::phiValue(IRBuilder<> &, PHINode &, Iteration &) {
  llvm_unreachable("phis of an iteration are known");
}

Value *SpaceEmitter::value(IRBuilder<> &B, Value *V, Iteration &It) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Space.ThreadLoop->contains(I))
    return V;
  auto Known = It.Map.find(I);
  if (Known != It.Map.end())
    return Known->second;
  Value *Is;
  if (Space.RowIndices.contains(I)) {
    Is = B.CreateTrunc(It.I, I->getType());
  } else if (Space.ColumnIndices.contains(I)) {
    Is = B.CreateTrunc(It.J, I->getType());
  } else if (Space.PlaneIndices.contains(I)) {
    Is = B.CreateTrunc(P, I->getType());
  } else if (I == Space.Index || Space.InPlaneIndices.contains(I)) {
    Value *Row = It.I;
    if (P && I == Space.Index)
      Row = B.CreateAdd(B.CreateMul(P, Height), Row);
    Is =
        B.CreateTrunc(B.CreateAdd(B.CreateMul(Row, Width), It.J), I->getType());
  } else if (auto *Phi = dyn_cast<PHINode>(I)) {
    Is = phiValue(B, *Phi, It);
  } else {
    Instruction *Clone = I->clone();
    for (Use &Op : Clone->operands())
      if (!isa<BasicBlock>(Op) && !isa<MetadataAsValue>(Op))
        Op.set(value(B, Op, It));
    forgetContext(*Clone);
    B.Insert(Clone);
    Clone->setDebugLoc(I->getDebugLoc());
    Is = Clone;
  }
  It.Map[I] = Is;
  return Is;
}

void SpaceEmitter::cloneBlocks(ArrayRef<BasicBlock *> Blocks, Iteration &It,
                               BasicBlock *End) {
  SmallVector<Instruction *, 32> Clones;
  for (BasicBlock *Block : Blocks)
    It.Map[Block] = block("post");
  for (BasicBlock *Block : Blocks) {
    IRBuilder<> B(cast<BasicBlock>(It.Map[Block]));
    for (Instruction &I : *Block) {
      if (Space.Control.contains(&I) || It.Map.count(&I) ||
          isa<DbgInfoIntrinsic, NoAliasScopeDeclInst>(I))
        continue;
      Instruction *Clone = I.clone();
      forgetContext(*Clone);
      Clones.push_back(B.Insert(Clone));
      It.Map[&I] = Clone;
    }
    if (Block == Space.ThreadLoop->getLoopLatch())
      B.CreateBr(End);
  }
  for (Instruction *Clone : Clones)
    RemapInstruction(Clone, It.Map,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
}

//===----------------------------------------------------------------------===//
// Which version
//===----------------------------------------------------------------------===//

Value *SpaceEmitter::ceilDiv(IRBuilder<> &B, Value *V, Value *By) {
  Value *Sum =
      B.CreateAdd(V, B.CreateSub(By, ConstantInt::get(By->getType(), 1)));
  auto *Number = dyn_cast<ConstantInt>(By);
  if (Number && !Number->getValue().isPowerOf2())
    return B.CreateUDiv(Sum, Number);
  return B.CreateLShr(
      Sum, Number
               ? ConstantInt::get(By->getType(), Number->getValue().logBase2())
               : B.CreateBinaryIntrinsic(Intrinsic::cttz, By, B.getTrue()));
}

/// \p V (i64) by \p By (i32), both less than 2^32: 64 bits are long to divide.
static Value *divided(IRBuilder<> &B, Value *V, Value *By) {
  return B.CreateZExt(B.CreateUDiv(B.CreateTrunc(V, By->getType()), By),
                      V->getType());
}

static Value *orOne(IRBuilder<> &B, Value *V) {
  return B.CreateBinaryIntrinsic(Intrinsic::umax, V,
                                 ConstantInt::get(V->getType(), 1));
}

/// Emits the sizes of the space and of the block's tiles.
void SpaceEmitter::emitSizes(IRBuilder<> &B) {
  Total = B.CreateZExt(Space.Total, I64);
  Width = B.CreateZExt(Space.Width, I64);
  if (Space.PlaneSize) {
    PlaneSize = B.CreateZExt(Space.PlaneSize, I64);
    // That these are the rows, and that 32 bits are enough, emitFitsPlanes()
    // asks.
    Height = Space.Height
                 ? B.CreateZExtOrTrunc(Space.Height, I64)
                 : divided(B, PlaneSize, orOne(B, B.CreateTrunc(Width, I32)));
    Planes = divided(B, Total, orOne(B, B.CreateTrunc(PlaneSize, I32)));
  } else {
    Height = Space.Height ? B.CreateZExt(Space.Height, I64)
                          : B.CreateUDiv(Total, orOne(B, Width));
  }
  NumThreads = B.CreateZExt(callStageRuntime(B, StageFunction::Threads), I64);
  TileRows =
      B.CreateMul(B.CreateUDiv(NumThreads, B.getInt64(Shape.ColumnsOfThreads)),
                  B.getInt64(Shape.ThreadRows));
}

/// Emits whether Width divides the size of a plane, and that Total; all are of
/// 32 bits, so no product of two wraps.
Value *SpaceEmitter::emitFitsPlanes(IRBuilder<> &B) {
  Value *Fits = B.CreateICmpULE(Total, B.getInt64(UINT32_MAX));
  auto Require = [&](Value *Condition) {
    Fits = B.CreateLogicalAnd(Fits, Condition);
  };
  Require(B.CreateICmpULE(Width, PlaneSize));
  Require(B.CreateICmpULE(PlaneSize, Total));
  // Or the product might wrap.
  Require(B.CreateICmpULE(Height, PlaneSize));
  Require(B.CreateICmpEQ(B.CreateMul(Height, Width), PlaneSize));
  Require(B.CreateICmpEQ(B.CreateMul(Planes, PlaneSize), Total));
  return Fits;
}

/// Emits whether the space is as it was found, and the block one for tiles.
Value *SpaceEmitter::emitFits(IRBuilder<> &B) {
  Value *Fits = B.getTrue();
  auto Require = [&](Value *Condition) {
    Fits = B.CreateLogicalAnd(Fits, Condition);
  };
  for (auto [Condition, Holds] : Space.Conditions)
    Require(Holds ? Condition : B.CreateNot(Condition));
  if (Space.NeedsBlocks)
    Require(B.CreateICmpUGT(callStageRuntime(B, StageFunction::Blocks),
                            B.getInt32(1)));
  if (Async)
    for (Value *Base : Space.Bases)
      Require(createIsGlobal(B, B.CreateFreeze(Base)));
  auto RequireSame = [&](ArrayRef<IterationSpace::SameInBits> Sames,
                         Value *Is) {
    for (auto [Same, Bits] : Sames) {
      Type *Ty = IntegerType::get(F.getContext(), Bits);
      Require(B.CreateICmpEQ(B.CreateTrunc(B.CreateFreeze(Same), Ty),
                             B.CreateTrunc(Is, Ty)));
    }
  };
  RequireSame(Space.Widths, Space.Width);
  RequireSame(Space.PlaneSizes, Space.PlaneSize);
  RequireSame(Space.Heights, Height);
  Value *Zero = ConstantInt::get(Space.Width->getType(), 0);
  Require(B.CreateICmpSGT(Space.Width, Zero));
  Require(B.CreateICmpSGT(Space.Total, Zero));
  // Width divides Total.
  Require(Space.PlaneSize ? emitFitsPlanes(B)
          : Space.Height
              ? B.CreateICmpEQ(B.CreateZExt(Space.Columns, I64), Width)
              : B.CreateICmpEQ(B.CreateMul(Height, Width), Total));
  constexpr unsigned Least = TileShape::MinThreads;
  Require(B.CreateICmpULE(B.CreateSub(NumThreads, B.getInt64(Least)),
                          B.getInt64(MaxThreads - Least)));
  Require(B.CreateICmpEQ(
      B.CreateAnd(NumThreads, B.CreateSub(NumThreads, B.getInt64(1))),
      B.getInt64(0)));
  Require(requirements(B));
  // Tiles are numbered by 32 bits; each has an iteration of each thread.
  Require(B.CreateICmpULE(Total, B.getInt64(uint64_t(INT32_MAX) * Least)));
  Require(B.CreateICmpUGE(Height, TileRows));
  Require(B.CreateICmpUGE(Width, B.getInt64(Shape.columns())));
  return Fits;
}

/// Where threads go that do not take the tiles: to the loops as they were, or
/// to the choice that has been emitted before.
BasicBlock *SpaceEmitter::otherwise() {
  Instruction *End = Before->getTerminator();
  if (End->getNumSuccessors() == 1)
    return End->getSuccessor(0);
  BasicBlock *Next = block("otherwise");
  End->clone()->insertInto(Next, Next->end());
  for (BasicBlock *To : successors(Next))
    To->replacePhiUsesWith(Before, Next);
  return Next;
}

/// Asks worthwhile() before all else. Each question counts where the answer is
/// no.
void SpaceEmitter::askFirst() {
  BasicBlock *Plain = nullptr;
  for (unsigned Number = 0;; ++Number) {
    IRBuilder<> B(Before->getTerminator());
    Value *Worth = worthwhile(B, Number);
    if (!Worth)
      return;
    if (!Plain) {
      BasicBlock *Loops = Before->getSingleSuccessor();
      Plain = block("plain.loops");
      Loops->replacePhiUsesWith(Before, Plain);
      BranchInst::Create(Loops, Plain);
    }
    BasicBlock *Choice = block("choice");
    auto *Ask = BranchInst::Create(Choice, Plain, Worth);
    // Or the optimiser asks all at once.
    Ask->setMetadata(LLVMContext::MD_prof,
                     MDBuilder(F.getContext()).createUnlikelyBranchWeights());
    ReplaceInstWithInst(Before->getTerminator(), Ask);
    BranchInst::Create(Plain, Choice);
    Before = Choice;
  }
}

void SpaceEmitter::run() {
  askFirst();
  IRBuilder<> B(Before->getTerminator());
  emitSizes(B);
  Value *Fits = emitFits(B);
  BasicBlock *Tiled = block("tiles"), *Next = block("tile"),
             *Body = block("tile.begin");
  B.CreateCondBr(Fits, Tiled, otherwise());
  Before->getTerminator()->eraseFromParent();

  B.SetInsertPoint(Tiled);
  Value *Columns = B.getInt64(Shape.columns());
  Value *ColumnTiles = ceilDiv(B, Width, Columns);
  Value *OfPlane = B.CreateMul(ceilDiv(B, Height, TileRows), ColumnTiles);
  Value *All = OfPlane;
  if (Planes)
    All = B.CreateMul(Depth ? ceilDiv(B, Planes, Depth) : Planes, OfPlane);
  Thread = B.CreateZExt(callStageRuntime(B, StageFunction::Thread), I64);
  // Blocks that have no chunk do not come here.
  Value *Blocks =
      least(B, B.CreateZExt(callStageRuntime(B, StageFunction::Blocks), I64),
            ceilDiv(B, Total, B.CreateZExtOrTrunc(Space.Chunk, I64)));
  Value *First = B.CreateZExt(callStageRuntime(B, StageFunction::Block), I64);
  B.CreateBr(Next);

  B.SetInsertPoint(Next);
  PHINode *Number = phi(B, First, Tiled);
  Number->setName("ferry.tile.number");
  B.CreateCondBr(B.CreateICmpULT(Number, All), Body, Exit);

  B.SetInsertPoint(Body);
  Value *Tile = Number;
  if (Planes) {
    P = divided(B, Number, B.CreateTrunc(OfPlane, I32));
    Tile = B.CreateSub(Number, B.CreateMul(P, OfPlane));
    if (Depth)
      P = B.CreateMul(P, Depth);
  }
  Value *RowTile = divided(B, Tile, B.CreateTrunc(ColumnTiles, I32));
  Value *ColumnTile = B.CreateSub(Tile, B.CreateMul(RowTile, ColumnTiles));
  I0 = B.CreateMul(RowTile, TileRows);
  J0 = B.CreateMul(ColumnTile, Columns);
  BasicBlock *Last = emitTile(Body);
  B.SetInsertPoint(Last);
  Number->addIncoming(B.CreateAdd(Number, Blocks), Last);
  B.CreateBr(Next);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void SpaceEmitter::copyElement(IRBuilder<> &B, const LoadInst &Load,
                               Value *From, Align Alignment, Value *To) {
  uint64_t Size = accessBytes(Load);
  Instruction *Copy;
  if (Async) {
    Copy = createAsyncCopy(B, Size, From, To);
  } else {
    LoadInst *Value = B.CreateAlignedLoad(Load.getType(), From, Alignment);
    // Not what holds for values that the program reads only.
    Value->copyMetadata(Load, LLVMContext::MD_tbaa);
    Copy = Value;
    B.CreateAlignedStore(Value, To, Align(Size));
  }
  Copy->setDebugLoc(Load.getDebugLoc());
}

void SpaceEmitter::copyBytes(IRBuilder<> &B, const LoadInst &Load, Value *From,
                             Value *To, unsigned Bytes) {
  Instruction *Copy;
  if (Async && Bytes >= 4) {
    Copy = createAsyncCopy(B, Bytes, From, To);
  } else {
    Type *Ty = B.getIntNTy(8 * std::min(Bytes, 4u));
    if (Bytes > 4)
      Ty = FixedVectorType::get(Ty, Bytes / 4);
    Copy = B.CreateAlignedStore(B.CreateAlignedLoad(Ty, From, Align(Bytes)), To,
                                Align(Bytes));
  }
  Copy->setDebugLoc(Load.getDebugLoc());
}

void SpaceEmitter::commitCopies(IRBuilder<> &B) {
  if (Async)
    createAsyncCommit(B);
}

void SpaceEmitter::waitForCopies(IRBuilder<> &B, unsigned Left) {
  if (Async)
    createAsyncWait(B, Left);
}

} // namespace ferry
