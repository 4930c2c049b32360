//===- NestEmitter.h - The parts of the nest emitter ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_NESTEMITTER_H
#define FERRY_STAGE_NESTEMITTER_H

#include "NestPlan.h"
#include "stage/common/SpaceEmitter.h"

namespace ferry {

/// Emits one version of a nest.
class NestVersion : SpaceEmitter {
public:
  /// \p Shared has the panels. \p Smaller is the version that is emitted before
  /// this one, if there is one.
  NestVersion(llvm::Function &F, const NestPlan &Plan, const NestTiles &Tiles,
              const NestTiles *Smaller, llvm::GlobalVariable &Shared,
              llvm::ScalarEvolution &SE)
      : SpaceEmitter(F, Plan.Nest, Tiles.Shape, Tiles.MaxThreads, Tiles.Async,
                     SE),
        Plan(Plan), N(Plan.Nest), Tiles(Tiles), Smaller(Smaller),
        Shared(Shared), Rows(Tiles.Shape.ThreadRows),
        Columns(Tiles.Shape.ThreadColumns) {}

  using SpaceEmitter::run;

private:
  using Values = llvm::SmallVector<llvm::Value *, 64>;
  using Phis = llvm::SmallVector<llvm::PHINode *, 64>;

  const NestPlan &Plan;
  const KernelNest &N;
  const NestTiles &Tiles;
  const NestTiles *Smaller;
  llvm::GlobalVariable &Shared;
  const unsigned Rows, Columns; ///< of a thread

  llvm::Value *TripCount;                ///< i64
  llvm::Value *InnerTripCount = nullptr; ///< i64, of the inner loop of two
  llvm::DenseMap<const llvm::PHINode *, llvm::Value *> Steps; ///< of inductions

  llvm::SmallSetVector<llvm::Instruction *, 4> PreValues;
  /// What goes from step to step, or to Post: of a phi of the inner loop, or of
  /// none.
  struct Slot {
    const NestCarried *Carried;
    llvm::Value *Next;
  };
  llvm::SmallVector<Slot, 4> Slots;

  /// A chunk that the thread copies of every panel of a stream.
  struct Place {
    llvm::Value *Exists;       ///< whether the thread has it, if not all have
    llvm::Value *PanelRow, *K; ///< i64
    llvm::Value *To;           ///< i32, from the panel's begin
    llvm::Value *From;         ///< in the tile's first panel
    llvm::Value *RowsLeft;     ///< i32, rows of the panel from its own on
  };
  /// How places are copied: at once, element by element, or that with what is
  /// beyond the end repeating the last; in all steps of a panel, or in few.
  enum class CopyKind { Chunks, Elements, Edge, FewSteps };
  /// How the thread copies a stream in a tile.
  struct Copying {
    llvm::SmallVector<Place, 4> Places;
    llvm::Value *Regular;  ///< whether elements are behind each other, and
                           ///< from panel to panel as far apart
    llvm::Value *Direct;   ///< and all of each place is there
    llvm::Value *Aligned;  ///< to its size, in every panel
    llvm::Value *Distance; ///< i64, bytes from one step to the next
  };

  /// The steps that are left behind whole panels.
  struct StepsLeft {
    llvm::Value *First, *Count; ///< i64
    llvm::Value *Offset;        ///< i64, of their panel in shared memory
    llvm::Value *Here;          ///< the thread's number, for copies of them
  };

  // The tile's.
  llvm::Value *RowThread, *ColumnThread; ///< i64, the thread's place in it
  llvm::SmallVector<Copying, 2> Copies;
  llvm::Value *FirstRow, *FirstColumn; ///< i64, of the thread
  llvm::SmallVector<std::unique_ptr<Iteration>, 16> Mine;
  Values State; ///< of each iteration, each slot
  /// What the thread has read of each stream.
  llvm::SmallVector<Values, 2> Elements;

  // NestEmitter.cpp
  llvm::Value *requirements(llvm::IRBuilder<> &B) override;
  llvm::Value *turnOf(llvm::IRBuilder<> &B, const NestInduction &Counter,
                      llvm::Value *Step);
  llvm::Value *phiValue(llvm::IRBuilder<> &B, llvm::PHINode &Phi,
                        Iteration &It) override;
  llvm::BasicBlock *emitTile(llvm::BasicBlock *From) override;
  llvm::Value *warpsOfBlock(llvm::IRBuilder<> &B);
  llvm::Value *shown(llvm::IRBuilder<> &B, llvm::Value *Length);
  llvm::Value *clocks(llvm::IRBuilder<> &B, llvm::Value *Warps,
                      const NestTimes &Of);
  llvm::Value *clocksOf(llvm::IRBuilder<> &B, const NestTiles &Of);
  llvm::Value *clocksOfPlain(llvm::IRBuilder<> &B);
  llvm::Value *isFaster(llvm::IRBuilder<> &B);
  void findNeeded();
  void beginTile(llvm::IRBuilder<> &B);
  llvm::Value *indexAt(llvm::IRBuilder<> &B, llvm::Value *First,
                       unsigned Number, unsigned Group);
  llvm::Value *rowAt(llvm::IRBuilder<> &B, unsigned Row) {
    return indexAt(B, FirstRow, Row, Rows);
  }
  llvm::Value *columnAt(llvm::IRBuilder<> &B, unsigned Column) {
    return indexAt(B, FirstColumn, Column, Tiles.ColumnGroup);
  }
  llvm::Value *threadAnew(llvm::IRBuilder<> &B, llvm::Value *Less,
                          llvm::Value *More);
  void emitBody(llvm::IRBuilder<> &B, llvm::Value *K);
  Phis carry(llvm::IRBuilder<> &B, llvm::BasicBlock *From);
  void close(llvm::ArrayRef<llvm::PHINode *> Carried, llvm::BasicBlock *From);
  llvm::BasicBlock *emitSteps(llvm::BasicBlock *From, llvm::Value *Offset,
                              llvm::Value *First, llvm::Value *Count,
                              unsigned Together);
  StepsLeft emitPanels(llvm::IRBuilder<> &B);
  void emitStepsLeft(llvm::IRBuilder<> &B, const StepsLeft &Left);
  llvm::BasicBlock *emitMainLoop(llvm::BasicBlock *From);
  void emitStepStores(llvm::IRBuilder<> &B, Iteration &It);
  llvm::BasicBlock *finish(llvm::BasicBlock *From, unsigned Copy);

  // NestPanels.cpp
  llvm::Value *panel(llvm::IRBuilder<> &B, unsigned Stream,
                     llvm::Value *Offset);
  llvm::Value *threadPart(llvm::IRBuilder<> &B, unsigned Stream,
                          llvm::Value *Panel);
  unsigned offset(unsigned Stream, unsigned PanelRow) const;
  void read(llvm::IRBuilder<> &B, unsigned Stream, llvm::Value *At,
            unsigned Step, unsigned Together);
  llvm::Value *element(unsigned Stream, unsigned PanelRow) const;
  llvm::Value *source(llvm::IRBuilder<> &B, const NestOperand &S,
                      llvm::Value *PanelRow, llvm::Value *K);
  llvm::Value *sideBySide(llvm::IRBuilder<> &B, unsigned Stream,
                          unsigned Chunk);
  llvm::Value *chunksOf(llvm::IRBuilder<> &B, unsigned Stream,
                        llvm::Value *Count, unsigned Chunk);
  llvm::Value *panelRowsFrom(llvm::IRBuilder<> &B, const NestOperand &S,
                             llvm::Value *PanelRow);
  llvm::Value *isCollapsible(llvm::IRBuilder<> &B, unsigned Stream,
                             llvm::Value *PanelRow);
  llvm::Value *noneWraps(llvm::IRBuilder<> &B, unsigned Stream,
                         const Place &At);
  Place place(llvm::IRBuilder<> &B, unsigned Stream, llvm::Value *Number,
              unsigned Chunk);
  static void repeatFirst(llvm::IRBuilder<> &B, Place &At, const Place &First);
  void beginPlaces(llvm::IRBuilder<> &B, unsigned Stream, llvm::Value *Here);
  void copyIf(llvm::IRBuilder<> &B, llvm::Value *Is,
              llvm::function_ref<void()> Copy);
  void copyOneByOne(llvm::IRBuilder<> &B, const NestOperand &S,
                    llvm::Value *Source, llvm::Value *To, unsigned Number,
                    llvm::Value *Last);
  void copyPlace(llvm::IRBuilder<> &B, unsigned Stream, const Place &At,
                 llvm::Value *Panel, llvm::Value *Offset, llvm::Value *Count,
                 CopyKind Kind);
  llvm::BasicBlock *copyPlaces(llvm::BasicBlock *From, unsigned Stream,
                               llvm::Value *Panel, llvm::Value *First,
                               llvm::Value *Count, CopyKind Kind);
  void copyElements(llvm::BasicBlock *From, llvm::BasicBlock *Next,
                    unsigned Stream, llvm::Value *Panel, llvm::Value *First,
                    llvm::Value *Count, llvm::Value *Begin);
  llvm::BasicBlock *copyStream(llvm::BasicBlock *From, unsigned Stream,
                               llvm::Value *Panel, llvm::Value *First,
                               llvm::Value *Count, llvm::Value *Here);
  llvm::BasicBlock *copyPanel(llvm::BasicBlock *From, llvm::Value *Offset,
                              llvm::Value *First, llvm::Value *Count,
                              llvm::Value *Here);
};

} // namespace ferry

#endif // FERRY_STAGE_NESTEMITTER_H
