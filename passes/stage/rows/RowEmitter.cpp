//===- RowEmitter.cpp - Stages rows of memory, warp by warp ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a warp go freely through the region, up to the loop that
// reads. There they meet, and those that have left the region meet them, too.
// Together they copy a tile of the rows that are wanted, then each goes on
// along its own:
//
//   entry:                          entry:
//     br %c, %pre, %exit              br %short, %plain, %enter
//                                   plain:               ; all of it as it was
//                                   enter:               ; what never changes
//                                     br %go
//                                   go:                  ; where it was
//                                     done: %all, first time: %start,
//                                     else %after
//                                   start:
//                                     br %c, %pre, %leave   ; done = true
//   pre:                            pre:                    ; want = row
//     br %loop                        br %mine, %alone, %all
//                                   all:                 ; nobody wants a row?
//                                     br any(%want), %meet, %exit
//   loop:                           meet:                ; does staging pay?
//     %a = load ptr %row.k            br %ok, %tile, %own
//     ...                           tile:                ; something left?
//     br %more, %loop, %after         br any(%left), %fill, %go
//   after:                          fill:                ; all threads: a tile
//     ...                             call @__ferry_stage_start8(...)  ; ahead
//     br %exit                        call @llvm.nvvm.cp.async.commit.group()
//   exit:                           take:                ; the one to be read
//                                     call @llvm.nvvm.cp.async.wait.group(1)
//                                     call @__ferry_stage_meet()
//                                     br %left, %loop, %tile
//                                   loop:                ; to the tile's end
//                                     %a = load ptr addrspace(3) %tile.k
//                                     br %in.tile, %loop, %tile
//                                   own:                 ; the loop as it was
//                                   alone:               ; the same, for one
//                                                        ; thread: its row is
//                                                        ; short, or it writes
//                                                        ; what it reads
//
// Where threads of the warp that are next to each other have rows of full
// tiles, and no other has any, meet leads to a loop in which nothing is asked,
// and which LLVM unrolls:
//
//   full.tile:
//     call @__ferry_stage_meet()
//     call @__ferry_stage_start_full16(...)
//     call @llvm.nvvm.cp.async.commit.group()
//     call @llvm.nvvm.cp.async.wait.group(1)
//     call @__ferry_stage_meet()
//     br %mine, %full.read, %full.tiled
//   full.read:
//     %a0 = load ptr addrspace(3) %tile.0
//     ...
//     br %full.tiled
//   full.tiled:
//     br %more, %full.tile, %part    ; what is left of rows, if anything is
//
// What one step leaves out (if (k != i)) all steps run there, on what the tile
// has, and what it sets in that step is not taken.
//
// Rows that do not begin at multiples of 16 bytes are copied from the first
// such multiple on. What is before it each thread does by itself, while the
// first tiles are under way:
//
//   full.before:
//     %a = load ptr addrspace(1) %row.k
//     br %before, %full.before, %full.tile
//
// Without cp.async fill copies, by __ferry_stage_rows8, the tile that is read
// next, and there is nothing to wait for.
//
// No thread reads what the program would not have it read: a row is copied from
// its first to its last byte, by other threads of the warp. What it held when
// the warp met is what the thread would have read later: only stores of its own
// within the loop could change it (another thread's would be a data race,
// OpenMP 5.2, section 1.4.1), and for these a check at run time has the thread
// do the loop as it was, alone. docs/staging.md has the whole argument.
//
// All ways on lead through go, so that loops of the program within the region
// keep one entry, without which LLVM would neither unroll them nor know what
// holds in them. Values that live across these blocks go through memory while
// the edges are moved, and come back from it by LLVM's mem2reg; but for what
// the region does not change, and what nobody reads any more is forgotten at
// go.
//
// Requires: loops in simplified form. Refuses nothing; see RowAnalysis.
//
// Source of the idea: the meeting of all threads, with done threads taking
// part, is Ferry's own. Padded tiles are what the CUDA C++ Best Practices Guide
// recommends ("Shared Memory in Matrix Multiplication").
//
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"
#include "stage/common/SharedBuffer.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <list>

using namespace llvm;

namespace ferry {

//===----------------------------------------------------------------------===//
// Through memory and back
//===----------------------------------------------------------------------===//

bool RowEmitter::isInvariant(const Instruction &V) {
  auto IsInside = [&](const Instruction &I) {
    return Region.contains(const_cast<BasicBlock *>(I.getParent()));
  };
  if (!IsInside(V))
    return true;
  auto [At, IsNew] = AreInvariant.insert({&V, false});
  if (!IsNew)
    return At->second;
  return AreInvariant[&V] = !isa<PHINode>(V) && !V.mayReadFromMemory() &&
                            isSafeToSpeculativelyExecute(&V) &&
                            all_of(V.users(),
                                   [&](const User *U) {
                                     return IsInside(*cast<Instruction>(U));
                                   }) &&
                            all_of(V.operands(), [&](const Value *Op) {
                              auto *I = dyn_cast<Instruction>(Op);
                              return !I || isInvariant(*I);
                            });
}

/// Puts \p V, which is invariant in \p Region, before \p At.
static void hoist(Instruction &V, const SetVector<BasicBlock *> &Region,
                  Instruction *At) {
  if (!Region.contains(V.getParent()))
    return;
  for (Value *Op : V.operands())
    if (auto *I = dyn_cast<Instruction>(Op))
      hoist(*I, Region, At);
  V.moveBefore(*At->getParent(), At->getIterator());
  V.dropUBImplyingAttrsAndMetadata();
}

/// Puts every value of the region that another block uses into memory, but for
/// those that are invariant in it.
void RowEmitter::demote() {
  auto At = F.getEntryBlock().begin();
  OwnSlots = Slots.size();
  SmallVector<PHINode *, 16> Phis;
  for (BasicBlock *B : Region)
    for (PHINode &Phi : B->phis())
      Phis.push_back(&Phi);
  for (PHINode &Phi : Plan.Region.Exit->phis())
    Phis.push_back(&Phi);
  for (PHINode *Phi : Phis) {
    auto U = find_if(Units, [&](const EmittedUnit &U) {
      return is_contained({U.StagedHead, U.FallbackHead}, Phi->getParent());
    });
    Value *First =
        U != Units.end() ? Phi->getIncomingValueForBlock(U->Wants) : nullptr;
    AllocaInst *A = DemotePHIToStack(Phi, At);
    if (!A)
      continue;
    Slots.push_back(A);
    if (auto *I = dyn_cast_or_null<Instruction>(First);
        First && (!I || isInvariant(*I)))
      U->Firsts.push_back({First, A});
  }
  SmallVector<Instruction *, 32> Values;
  for (BasicBlock *B : Region)
    for (Instruction &I : *B)
      if (any_of(I.users(), [&](const User *U) {
            return cast<Instruction>(U)->getParent() != B;
          }))
        Values.push_back(&I);
  for (Instruction *I : Values)
    if (isInvariant(*I))
      Invariants.push_back(I);
    else if (AllocaInst *A = DemoteRegToStack(*I, false, At))
      Slots.push_back(A);
}

/// Whether a thread that goes on, or leaves the region with all others, reads
/// \p Slot before it writes it and before it goes on again.
bool RowEmitter::isReadBehindMeeting(const AllocaInst &Slot) const {
  DenseMap<const BasicBlock *, const Instruction *> First;
  for (const User *U : Slot.users()) {
    auto *I = cast<Instruction>(U);
    const Instruction *&Access = First[I->getParent()];
    if (!Access || I->comesBefore(Access))
      Access = I;
  }
  // It comes to the meeting for what it wants, and waits in others.
  SmallPtrSet<const BasicBlock *, 32> Seen{Go, Leave};
  DenseMap<const BasicBlock *, const BasicBlock *> MeetingOf;
  for (const EmittedUnit &U : Units) {
    Seen.insert(U.Meet);
    MeetingOf[U.Wants] = U.Meet;
  }
  SmallVector<const BasicBlock *, 32> Next{Resume, Plan.Region.Exit};
  while (!Next.empty()) {
    const BasicBlock *B = Next.pop_back_val();
    if (!Seen.insert(B).second)
      continue;
    const Instruction *Access = First.lookup(B);
    if (isa_and_nonnull<LoadInst>(Access))
      return true;
    const BasicBlock *Meeting = MeetingOf.lookup(B);
    if (!Access)
      append_range(Next, successors(Meeting ? Meeting : B));
  }
  return false;
}

/// Has threads that go on forget what they do not read any more. LLVM would
/// keep it: it does not know that those that have left the region, or have
/// come to another unit, read nothing where they meet the others.
void RowEmitter::forgetSlots() {
  IRBuilder<> B(Go->getTerminator());
  for (AllocaInst *Slot : ArrayRef(Slots).drop_front(OwnSlots))
    if (!isReadBehindMeeting(*Slot))
      B.CreateStore(PoisonValue::get(Slot->getAllocatedType()), Slot);
}

/// Takes what is in \p Slots out of memory again.
static void promote(Function &F, ArrayRef<AllocaInst *> Slots) {
  removeUnreachableBlocks(F);
  DominatorTree NewDT(F);
  assert(all_of(Slots, isAllocaPromotable) && "slots are loaded and stored");
  PromoteMemToReg(Slots, NewDT);
}

void RowEmitter::makeSlots() {
  Done = slot(I1, "done");
  Place = slot(I32, "place");
  Want = slot(I32, "want");
  for (const RowUnitPlan &P : Plan.Units) {
    EmittedUnit U;
    U.Plan = &P;
    U.Steps = slot(I32, "steps");
    U.Column = slot(I64, "column");
    U.Left = slot(I32, "left");
    U.InPart = slot(I32, "in.part");
    U.Meet = block("meet");
    for (size_t I = 0; I < P.Unit.Streams.size(); ++I) {
      bool Skips = P.Unit.Streams[I].Skipped;
      U.Streams.push_back({slot(I64, "row"), slot(I64, "step"),
                           Skips ? slot(I1, "no.first") : nullptr,
                           Skips ? slot(I1, "no.last") : nullptr});
      U.TileRow.push_back(slot(Shared, "tile.row"));
    }
    Units.push_back(std::move(U));
  }
}

void RowEmitter::begin() {
  for (const RowUnitPlan &P : Plan.Units)
    if (!P.Unit.isStraightLine())
      formLCSSARecursively(*P.Unit.OuterLoop, DT, &LI, &SE);
  makeSlots();
  auto Split = [&](BasicBlock *B, const char *Name) {
    return SplitBlock(B, B->getTerminator(), &DT, &LI, nullptr, Name);
  };
  Enter = Split(Plan.Region.Entry, "ferry.enter");
  Start = Split(Enter, "ferry.start");
  Region.insert(Start);
}

/// Where what holds for the whole launch is found out: before all loops around
/// the region, if the lengths of rows are known there and how many threads have
/// one, else before the region.
Instruction *RowEmitter::whereToAsk(const ExpressionExpander &Expander) const {
  const Loop *Around = LI.getLoopFor(Plan.Region.Entry);
  if (Around)
    Around = Around->getOutermostLoop();
  if (Around && Around->getLoopPreheader()) {
    Instruction *At = Around->getLoopPreheader()->getTerminator();
    auto IsKnown = [&](const SCEV *S) {
      return SE.isLoopInvariant(S, Around) && Expander.isSafeToExpandAt(S, At);
    };
    if (all_of(Units, [&](const EmittedUnit &U) {
          const RowUnit &Unit = U.Plan->Unit;
          return IsKnown(Unit.TripCount) &&
                 (!Unit.ThreadsInBlock || IsKnown(Unit.ThreadsInBlock));
        }))
      return At;
  }
  return Plan.Region.Entry->getTerminator();
}

/// Finds out before the region whether no thread can have a row that is long
/// enough: where that is asked, they are as long in all threads.
void RowEmitter::askLengths() {
  if (!all_of(Units, [](const EmittedUnit &U) { return U.Plan->canBeShort(); }))
    return;
  ExpressionExpander Expander(SE, F.getDataLayout(), "ferry");
  Instruction *At = whereToAsk(Expander);
  IRBuilder<> B(At);
  Value *Short = B.getTrue();
  for (EmittedUnit &U : Units) {
    const SCEV *TripCount = U.Plan->Unit.TripCount;
    if (!Expander.isSafeToExpandAt(TripCount, At))
      return;
    Value *Steps = createStepsToAsk(B, U.Plan->Unit, Expander);
    const KindOfLaunch Kind = createKind(B, *U.Plan, Steps);
    Value *IsShort = createIsShort(B, *U.Plan, Kind, Steps, Expander);
    if (U.Plan->Unit.UniformTripCount) {
      U.Kind = Kind;
      if (U.Plan->ComesApart)
        U.ShortInAll = IsShort;
      const SCEV *Distance = U.Plan->distance();
      U.IsLong = Units.size() == 1 &&
                 (!Distance || Expander.isSafeToExpandAt(Distance, At));
    }
    Short = B.CreateAnd(Short, IsShort);
  }
  AllShort = Short;
}

/// Leaves the region as it was for rows that are short in all threads.
void RowEmitter::keepPlainRegion() {
  if (!AllShort)
    return;
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 16> Plain;
  for (BasicBlock *B : Region) {
    Plain.push_back(CloneBasicBlock(B, Map, ".plain", &F));
    Map[B] = Plain.back();
  }
  remapInstructionsInBlocks(Plain, Map);
  for (const EmittedUnit &U : Units) {
    BasicBlock *Asks = U.Long->getSinglePredecessor();
    ReplaceInstWithInst(
        cast<BasicBlock>(Map[Asks])->getTerminator(),
        BranchInst::Create(cast<BasicBlock>(Map[U.DivergentHead])));
    if (U.IsLong)
      ReplaceInstWithInst(Asks->getTerminator(), BranchInst::Create(U.Long));
  }
  Choice = BranchInst::Create(cast<BasicBlock>(Map[Start]), Enter, AllShort);
  ReplaceInstWithInst(Plan.Region.Entry->getTerminator(), Choice);
}

void RowEmitter::describeUnits() {
  askLengths();
  // A line's block may be what leads to a loop.
  for (EmittedUnit &U : Units)
    if (const RowUnit &Unit = U.Plan->Unit; Unit.isStraightLine())
      describe(U, Unit.Streams[0].Loads[0].Load->getIterator());
  for (EmittedUnit &U : Units)
    if (const RowUnit &Unit = U.Plan->Unit; !Unit.isStraightLine()) {
      askLength(U);
      describe(
          U,
          Unit.OuterLoop->getLoopPreheader()->getTerminator()->getIterator());
    }
}

void RowEmitter::makeVersions() {
  for (EmittedUnit &U : Units)
    if (U.Plan->Unit.isStraightLine())
      makeVersionsOfStraightLine(U);
  for (EmittedUnit &U : Units)
    if (!U.Plan->Unit.isStraightLine())
      makeVersionsOfLoop(U);
}

void RowEmitter::connect() {
  demote();
  keepPlainRegion();
  // What threads ask for later in different places is known to be the same.
  for (Instruction *I : Invariants)
    hoist(*I, Region, Enter->getTerminator());
  emitDispatch();
  for (auto [I, U] : enumerate(Units))
    emitUnit(U, I + 1, I + 1 < Units.size() ? Units[I + 1].Meet : Go);
  forgetSlots();
}

void emit(const RowPlan &Plan, const PlanContext &C) {
  WarpMemory Memory{
      createSharedArray(*C.Kernel.getParent(),
                        uint64_t(Plan.warpBytes()) * Plan.warps()),
      Plan.warpBytes(),
      Plan.warps(),
      C.Limits.maxWarps(),
      C.Limits.MayHaveMore,
      C.Limits.WarpSize};
  std::list<RowEmitter> Regions;
  for (const RowRegionPlan &R : Plan.Regions)
    Regions.emplace_back(R, Memory, C);
  for (auto Step : {&RowEmitter::begin, &RowEmitter::describeUnits,
                    &RowEmitter::makeVersions, &RowEmitter::connect})
    for (RowEmitter &R : Regions)
      (R.*Step)();
  SmallVector<AllocaInst *, 32> Slots;
  SmallVector<BranchInst *, 2> Choices;
  for (const RowEmitter &R : Regions) {
    append_range(Slots, R.slots());
    if (R.choice())
      Choices.push_back(R.choice());
  }
  promote(C.Kernel, Slots);
  if (Choices.size() == Plan.Regions.size())
    keepPlainLoops(C.Kernel, Choices);
}

} // namespace ferry
