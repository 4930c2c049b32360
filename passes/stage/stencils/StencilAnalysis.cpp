//===- StencilAnalysis.cpp - What iterations read around them -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An iteration (IterationSpace.cpp) that reads elements around its own:
//
//   threads:
//     ...                                ; perhaps branches
//     load A[i * m + j], load A[(i - 1) * m + j], load A[i * m + j + 1], ...
//     ...                                ; the stores
//
// Threads of a block have neighbouring j, and mostly one i: what they read
// above and below, no other thread of theirs reads. Blocks of a tile of (i, j)
// read it once.
//
// In three dimensions, A[(p * n + i) * m + j], a tile is one of a plane p. What
// is read of the planes around, in several rows of each, makes other fields;
// an element alone is read where it is. Walks (walks/WalkEmitter.cpp) want
// fields across planes, of which some element is read in two that follow each
// other.
//
//===----------------------------------------------------------------------===//

#include "StencilAnalysis.h"
#include "stage/common/KernelInstructions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ferry {

MaybePolynomial StencilFinder::known(Value &V) {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return std::nullopt;
  if (N.PlaneIndices.contains(I))
    return Polynomial::atom(Polynomial::P);
  if (N.RowIndices.contains(I))
    return Polynomial::atom(Polynomial::I);
  if (N.ColumnIndices.contains(I))
    return Polynomial::atom(Polynomial::J);
  // The upper bits of the index, perhaps but for some that are 0.
  const APInt *Mask = N.rowMask(*I);
  unsigned First, Count;
  const bool HasRowMask =
      Mask && Mask->isShiftedMask(First, Count) &&
      First == cast<ConstantInt>(N.Width)->getValue().logBase2();
  const bool IsLessJ = N.isRowStart(*I);
  if (!HasRowMask && !IsLessJ && !N.isInPlane(I))
    return std::nullopt;
  MaybePolynomial Start =
      product(Polynomials.get(N.Width), Polynomial::atom(Polynomial::I));
  if (IsLessJ)
    return Start;
  if (N.PlaneSize && !N.InPlaneIndices.contains(I))
    Start = sum(Start, product(Polynomials.get(N.PlaneSize),
                               Polynomial::atom(Polynomial::P)));
  return HasRowMask
             ? Polynomials.inRange(Start, First + Count, /*Signed=*/false)
             : sum(Start, Polynomial::atom(Polynomial::J));
}

//===----------------------------------------------------------------------===//
// Which iterations come to the loads
//===----------------------------------------------------------------------===//

/// What an iteration computes \p Condition of, positions as they are.
SmallSetVector<Instruction *, 16> StencilFinder::partsOf(Value *Condition) {
  SmallSetVector<Instruction *, 16> Parts;
  auto Add = [&](Value *V) {
    if (auto *I = dyn_cast<Instruction>(V); I && N.ThreadLoop->contains(I))
      Parts.insert(I);
  };
  Add(Condition);
  for (unsigned At = 0; At < Parts.size(); ++At)
    if (!isPosition(Parts[At]))
      for_each(Parts[At]->operands(), Add);
  return Parts;
}

/// Whether all threads can compute \p Condition before any does the iteration.
bool StencilFinder::isGuard(Value *Condition) {
  return all_of(partsOf(Condition), [this](Instruction *I) {
    return isPosition(I) || (!isa<PHINode>(I) && !I->mayReadOrWriteMemory() &&
                             isSafeToSpeculativelyExecute(I));
  });
}

/// What each of \p Guards depends on.
StencilGuards StencilFinder::withDimensions(const GuardList &Guards) {
  StencilGuards Result;
  for (auto [Condition, Is] : Guards) {
    const auto Parts = partsOf(Condition);
    Result.push_back(
        {Condition, Is,
         any_of(Parts, [this](Instruction *I) { return N.isOfRow(I); }),
         any_of(Parts, [this](Instruction *I) { return N.isOfColumn(I); })});
  }
  return Result;
}

/// Whether an iteration may write before it comes to \p Block.
bool StencilFinder::isWrittenBefore(BasicBlock *Block) {
  SmallSetVector<BasicBlock *, 8> Above;
  Above.insert(Block);
  for (unsigned At = 0; At < Above.size(); ++At) {
    BasicBlock *B = Above[At];
    if (B != Block && any_of(*B, writesMemory))
      return true;
    if (B != N.ThreadLoop->getHeader())
      Above.insert(pred_begin(B), pred_end(B));
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// How many rows and columns of \p Field are \p Bytes, if that is nearby.
std::optional<StencilOffset>
StencilFinder::inPlane(const StencilField &Field,
                       const MaybePolynomial &Bytes) {
  auto Rows = Bytes ? Bytes->timesOf(Field.RowStride) : std::nullopt;
  if (!Rows)
    return std::nullopt;
  auto Left = Bytes->plus(Field.RowStride, -*Rows)->asConstant();
  int64_t Columns = *Left / Field.Size;
  if (*Left % Field.Size || std::abs(*Rows) > MaxDistance ||
      std::abs(Columns) > MaxDistance)
    return std::nullopt;
  return StencilOffset{0, static_cast<int>(*Rows), static_cast<int>(Columns)};
}

/// The same where planes of \p Field are \p PlaneStride bytes apart; the
/// fewest planes.
std::optional<StencilOffset>
StencilFinder::nearby(const StencilField &Field, const Polynomial &PlaneStride,
                      const Polynomial &Bytes) {
  for (int Far = 0; Far <= MaxDistance; ++Far)
    for (int Planes : {Far, -Far})
      if (auto At = inPlane(Field, Bytes.plus(PlaneStride, -Planes))) {
        At->Plane = Planes;
        return At;
      }
  return std::nullopt;
}

/// Adds \p Load to \p Field, whose first load reads from \p First, if it reads
/// the same at an iteration nearby.
bool StencilFinder::joins(StencilField &Field, const Polynomial &First,
                          LoadInst &Load, const Polynomial &Address) {
  if (Load.getType() != Field.Loads[0].Load->getType())
    return false;
  auto Bytes = Address.plus(First, -1);
  auto At = !Bytes         ? std::nullopt
            : AcrossPlanes ? nearby(Field, Field.PlaneStride, *Bytes)
                           : inPlane(Field, Bytes);
  if (!At)
    return false;
  auto [Plane, Row, Column] = *At;
  Field.Loads.push_back({*At, &Load});
  Field.FirstPlane = std::min(Field.FirstPlane, Plane);
  Field.LastPlane = std::max(Field.LastPlane, Plane);
  Field.FirstRow = std::min(Field.FirstRow, Row);
  Field.LastRow = std::max(Field.LastRow, Row);
  Field.FirstColumn = std::min(Field.FirstColumn, Column);
  Field.LastColumn = std::max(Field.LastColumn, Column);
  return true;
}

void StencilFinder::addLoad(LoadInst &Load) {
  auto Address = Polynomials.get(Load.getPointerOperand());
  unsigned Size = accessBytes(Load);
  auto Rows = factorOf(Polynomial::I, Address);
  auto Columns = factorOf(Polynomial::J, Address);
  if (!Rows || Rows->terms().empty() || !Columns ||
      Columns->asConstant() != Size)
    return;
  auto Planes = factorOf(Polynomial::P, Address);
  if (AcrossPlanes && (!Planes || Planes->terms().empty()))
    return;
  for (auto [Field, First] : zip_equal(N.Fields, Addresses))
    if (joins(Field, First, Load, *Address))
      return;
  N.Fields.push_back(
      {{{{0, 0, 0}, &Load}}, Size, *Rows, Planes.value_or(Polynomial())});
  Addresses.push_back(*Address);
}

/// Whether \p Field reads at \p Address what an iteration of a plane nearby
/// reads at \p Other.
bool StencilFinder::isOfOtherPlane(const StencilField &Field,
                                   const Polynomial &Address,
                                   const Polynomial &Other) {
  auto Difference = Address.plus(Other, -1);
  return Difference && !Field.PlaneStride.terms().empty() &&
         nearby(Field, Field.PlaneStride, *Difference);
}

/// Whether other threads, or, across planes, other iterations of a thread read
/// what one reads of \p Field.
bool StencilFinder::isUseful(const StencilField &Field) const {
  if (!AcrossPlanes)
    return Field.FirstRow != Field.LastRow;
  return any_of(Field.planeRuns(),
                [](const PlaneRun &Run) { return Run.length() > 0; });
}

/// Whether iterations of other planes read by other loads what one reads.
bool StencilFinder::readsOtherPlanes() {
  return any_of(seq<unsigned>(1, N.Fields.size()), [&](unsigned This) {
    return any_of(ArrayRef(Addresses).take_front(This), [&](const auto &Other) {
      return isOfOtherPlane(N.Fields[This], Addresses[This], Other);
    });
  });
}

/// Takes the loads together that read the same array around an element, of
/// those that are in reach.
void StencilFinder::findFields(Reach Of) {
  const bool BehindWrites = Of != Reach::Before;
  N.Fields.clear();
  Addresses.clear();
  DenseMap<BasicBlock *, GuardList> Guards;
  for (BasicBlock *B : N.ThreadLoop->blocks()) {
    auto Found = findGuards(*N.ThreadLoop->getHeader(), *B, DT, PDT,
                            [this](Value *V) { return isGuard(V); });
    if ((!Found && Of != Reach::BehindBranches) ||
        (!BehindWrites && isWrittenBefore(B)))
      continue;
    Guards[B] = Found.value_or(GuardList());
    for (Instruction &I : *B) {
      if (!BehindWrites && writesMemory(I))
        break;
      auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && fitsInTile(*Load))
        addLoad(*Load);
    }
  }
  for (const StencilField &F : N.Fields)
    if (F.Loads.size() > 1)
      ReadAgain = F.Loads[1].Load;
  N.ReadsOtherPlanes = readsOtherPlanes();
  erase_if(N.Fields, [this](const StencilField &F) { return !isUseful(F); });
  SmallSetVector<BasicBlock *, 4> Blocks;
  for (const StencilField &F : N.Fields)
    for (const StencilLoad &L : F.Loads)
      Blocks.insert(L.Load->getParent());
  for (BasicBlock *B : Blocks)
    if (!Guards[B].empty())
      N.Guards.push_back(withDimensions(Guards[B]));
}

/// Says so if an iteration writes before it reads several rows, or reads them
/// in a branch on what it has read: in tiles they would be read first. Returns
/// false.
bool StencilFinder::refuseLate() {
  findFields(Reach::BehindWrites);
  for (const LoadInst *Load : N.loads())
    Refusals.push_back({Load, StageRefusal::UnknownStore,
                        "the iteration writes before it reads this"});
  if (!Refusals.empty())
    return false;
  findFields(Reach::BehindBranches);
  for (const LoadInst *Load : N.loads())
    Refusals.push_back({Load, StageRefusal::Conditional,
                        "whether it is read is known only in the iteration"});
  return false;
}

/// Finds the other addresses that are as far apart in all iterations that
/// follow each other.
void StencilFinder::findAccesses() {
  SmallPtrSet<const Value *, 16> Seen;
  for (const StencilField &F : N.Fields)
    for (const StencilLoad &L : F.Loads)
      Seen.insert(L.Load->getPointerOperand());
  for (BasicBlock *B : N.ThreadLoop->blocks())
    for (Instruction &I : *B) {
      auto *Pointer =
          dyn_cast_or_null<Instruction>(getLoadStorePointerOperand(&I));
      if (!Pointer || !N.ThreadLoop->contains(Pointer) ||
          !Seen.insert(Pointer).second)
        continue;
      auto Address = Polynomials.getWithin(Pointer);
      auto Rows = factorOf(Polynomial::I, Address);
      auto Columns = factorOf(Polynomial::J, Address);
      if (Rows && Columns && Columns->asConstant())
        N.Accesses.push_back({Pointer, *Rows, *Columns->asConstant(),
                              factorOf(Polynomial::P, Address)});
    }
}

bool StencilFinder::find(Loop &ThreadLoop, KernelStencil &Found) {
  if (!findLoops(ThreadLoop, /*Inner=*/0) || !checkOperands() ||
      !findWidth(ThreadLoop.getBlocks()) || (AcrossPlanes && !N.PlaneSize))
    return false;
  findFields(Reach::Before);
  const SmallVector<LoadInst *, 8> Loads = N.loads();
  if (Loads.empty())
    return ReadAgain ? refuse(*ReadAgain, StageRefusal::NoNeighbours)
                     : refuseLate();
  if (Reduces)
    return refuseReduced(Loads);
  // What may be negative in some plane of several has to grow with p evenly.
  if (AcrossPlanes && !all_of(Polynomials.ranges(), [](const auto &R) {
        return R.Signed || R.P.factorOf(Polynomial::P);
      }))
    return false;
  findBases(Loads);
  findAccesses();
  for (unsigned A = 0; A < Polynomials.numAtoms(); ++A)
    N.Atoms.push_back(Polynomials.atom(Polynomial::FirstAtom + A));
  N.Ranges.append(Polynomials.ranges().begin(), Polynomials.ranges().end());
  Found = std::move(N);
  return true;
}

} // namespace ferry
