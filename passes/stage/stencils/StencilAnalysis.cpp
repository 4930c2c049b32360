//===- StencilAnalysis.cpp - Stencils that tiles pay for ------------------===//
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
// an element alone is read where it is.
//
//===----------------------------------------------------------------------===//

#include "StencilAnalysis.h"
#include "StencilPrice.h"
#include "gpu/DeviceTable.h"
#include "stage/common/GpuModel.h"
#include "stage/common/Guards.h"
#include "stage/common/KernelInstructions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static cl::opt<double>
    LeastStencilGain("ferry-stage-stencil-gain", cl::Hidden, cl::init(1.1),
                     cl::desc("How many times the time of tiles a stencil has "
                              "to take, by prediction"));

// With fewer, what each block has to find out before its first tile takes as
// long as tiles of most stencils save: by the model of time, on grids of fewer
// than 700 x 700.
static cl::opt<unsigned> LeastStencilIterations(
    "ferry-stage-stencil-iterations", cl::Hidden, cl::init(512 * 1024),
    cl::desc("Iterations that a grid has to have. Default: by prediction, "
             "524288 at least"));

namespace ferry {

namespace {

/// Finds the stencil in the loop of a thread.
class StencilFinder : SpaceFinder {
public:
  StencilFinder(Function &F, DominatorTree &DT, PostDominatorTree &PDT,
                ScalarEvolution &SE)
      : SpaceFinder(N, F, DT, PDT, SE),
        Polynomials(
            F.getDataLayout(), [this](Value *V) { return known(*V); },
            [this](Value *V) { return isInvariant(V) && isGridUniform(V); }) {}

  using SpaceFinder::refusals;
  bool find(Loop &ThreadLoop, KernelStencil &Found);

private:
  /// How far from its own element an iteration reads.
  static constexpr int MaxDistance = 8;

  KernelStencil N;
  IndexPolynomials Polynomials;
  SmallVector<Polynomial, 2> Addresses; ///< of the fields' first loads
  LoadInst *ReadAgain = nullptr;        ///< of an array that another one reads

  /// Whether \p I is p, i, j, the index, or that in a plane.
  bool isPosition(Instruction *I) const {
    return N.isInPlane(I) || N.PlaneIndices.contains(I);
  }
  MaybePolynomial known(Value &V);
  SmallSetVector<Instruction *, 16> partsOf(Value *Condition);
  bool isGuard(Value *Condition);
  StencilGuards withDimensions(const GuardList &Guards);
  bool isWrittenBefore(BasicBlock *Block);
  void findFields(bool BehindWrites);
  SmallVector<LoadInst *, 8> loads() const;
  bool refuseWritten();
  void findOtherPlanes();
  void findAccesses();
  void addLoad(LoadInst &Load);
  static std::optional<std::pair<int, int>>
  nearby(const StencilField &Field, const MaybePolynomial &Bytes);
  bool joins(StencilField &Field, const Polynomial &First, LoadInst &Load,
             const Polynomial &Address);
  bool isOfOtherPlane(const StencilField &Field, const Polynomial &Address,
                      const Polynomial &Other);
};

} // namespace

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
std::optional<std::pair<int, int>>
StencilFinder::nearby(const StencilField &Field, const MaybePolynomial &Bytes) {
  auto Rows = Bytes ? Bytes->timesOf(Field.RowStride) : std::nullopt;
  if (!Rows)
    return std::nullopt;
  auto Left = Bytes->plus(Field.RowStride, -*Rows)->asConstant();
  int64_t Columns = *Left / Field.Size;
  if (*Left % Field.Size || std::abs(*Rows) > MaxDistance ||
      std::abs(Columns) > MaxDistance)
    return std::nullopt;
  return std::pair(static_cast<int>(*Rows), static_cast<int>(Columns));
}

/// Adds \p Load to \p Field, whose first load reads from \p First, if it reads
/// the same at an iteration nearby.
bool StencilFinder::joins(StencilField &Field, const Polynomial &First,
                          LoadInst &Load, const Polynomial &Address) {
  if (Load.getType() != Field.Loads[0].Load->getType())
    return false;
  auto Distance = nearby(Field, Address.plus(First, -1));
  if (!Distance)
    return false;
  auto [Row, Column] = *Distance;
  Field.Loads.push_back({&Load, Row, Column});
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
  for (auto [Field, First] : zip_equal(N.Fields, Addresses))
    if (joins(Field, First, Load, *Address))
      return;
  N.Fields.push_back({{{&Load, 0, 0}}, Size, *Rows});
  Addresses.push_back(*Address);
}

/// Whether \p Field reads at \p Address what an iteration of a plane nearby
/// reads at \p Other.
bool StencilFinder::isOfOtherPlane(const StencilField &Field,
                                   const Polynomial &Address,
                                   const Polynomial &Other) {
  auto Step = Address.factorOf(Polynomial::P);
  auto Difference = Address.plus(Other, -1);
  if (!Step || Step->terms().empty() || !Difference)
    return false;
  return any_of(seq(-MaxDistance, MaxDistance + 1), [&](int Planes) {
    return nearby(Field, Difference->plus(*Step, Planes)).has_value();
  });
}

/// Finds what is read of planes that other loads of an iteration read in
/// others.
void StencilFinder::findOtherPlanes() {
  for (unsigned This = 1; This < N.Fields.size(); ++This)
    if (any_of(ArrayRef(Addresses).take_front(This), [&](const auto &Other) {
          return isOfOtherPlane(N.Fields[This], Addresses[This], Other);
        }))
      for (const StencilLoad &L : N.Fields[This].Loads)
        N.OfOtherPlanes.insert(L.Load);
}

/// Takes the loads together that read the same array around an element; with \p
/// BehindWrites, those that come when an iteration has written.
void StencilFinder::findFields(bool BehindWrites) {
  N.Fields.clear();
  Addresses.clear();
  DenseMap<BasicBlock *, GuardList> Guards;
  for (BasicBlock *B : N.ThreadLoop->blocks()) {
    auto Found = findGuards(*N.ThreadLoop->getHeader(), *B, DT, PDT,
                            [this](Value *V) { return isGuard(V); });
    if (!Found || (!BehindWrites && isWrittenBefore(B)))
      continue;
    Guards[B] = std::move(*Found);
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
  findOtherPlanes();
  erase_if(N.Fields,
           [](const StencilField &F) { return F.FirstRow == F.LastRow; });
  SmallSetVector<BasicBlock *, 4> Blocks;
  for (const StencilField &F : N.Fields)
    for (const StencilLoad &L : F.Loads)
      Blocks.insert(L.Load->getParent());
  for (BasicBlock *B : Blocks)
    if (!Guards[B].empty())
      N.Guards.push_back(withDimensions(Guards[B]));
}

SmallVector<LoadInst *, 8> StencilFinder::loads() const {
  SmallVector<LoadInst *, 8> Loads;
  for (const StencilField &F : N.Fields)
    for (const StencilLoad &L : F.Loads)
      Loads.push_back(L.Load);
  return Loads;
}

/// Says so if an iteration writes before it reads several rows: in tiles they
/// would be read first. Returns false.
bool StencilFinder::refuseWritten() {
  findFields(/*BehindWrites=*/true);
  for (const LoadInst *Load : loads())
    Refusals.push_back({Load, StageRefusal::UnknownStore,
                        "the iteration writes before it reads this"});
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
        N.Accesses.push_back({Pointer, *Rows, *Columns->asConstant()});
    }
}

bool StencilFinder::find(Loop &ThreadLoop, KernelStencil &Found) {
  if (!findLoops(ThreadLoop, /*Inner=*/0) || !checkOperands() ||
      !findWidth(ThreadLoop.getBlocks()))
    return false;
  findFields(/*BehindWrites=*/false);
  const SmallVector<LoadInst *, 8> Loads = loads();
  if (Loads.empty())
    return ReadAgain ? refuse(*ReadAgain, StageRefusal::NoNeighbours)
                     : refuseWritten();
  if (Reduces)
    return refuseReduced(Loads);
  findBases(Loads);
  findAccesses();
  for (unsigned A = 0; A < Polynomials.numAtoms(); ++A)
    N.Atoms.push_back(Polynomials.atom(Polynomial::FirstAtom + A));
  N.Ranges.append(Polynomials.ranges().begin(), Polynomials.ranges().end());
  Found = std::move(N);
  return true;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Sectors of \p Rows rows of \p Columns elements of \p Size bytes that begin
/// anywhere.
static double sectors(unsigned Rows, unsigned Columns, unsigned Size) {
  constexpr double Sector = gpu::SectorBytes;
  return Rows * (Columns * Size + Sector - Size) / Sector;
}

/// Counts what a block loads, each sector once: more often a sector comes from
/// the first-level cache.
static void estimate(StencilPlan &Plan) {
  constexpr TileShape Shape = StencilPlan::Shape;
  unsigned Threads = Plan.MaxThreads;
  unsigned Iterations = Shape.rows(Threads) * Shape.columns();
  for (const StencilField &F : Plan.Nest.Fields) {
    for (const auto &[Row, Range] : F.columnsOfRows())
      Plan.Before +=
          sectors(1, Threads + Range.second - Range.first, F.Size) / Threads;
    Plan.After +=
        sectors(StencilPlan::rows(F, Threads), StencilPlan::pitch(F), F.Size) /
        Iterations;
  }
  // What else is loaded is loaded by both.
  double Other = 0;
  for (const Instruction *I : Plan.others())
    if (isa<LoadInst>(I))
      Other += sectors(1, Threads, accessBytes(*I)) / Threads;
  Plan.Before += Other;
  Plan.After += Other;
}

/// Whether the second level keeps planes until iterations of others have read
/// them. Nothing if their size is not known.
static std::optional<bool> planesStay(const StencilPlan &Plan,
                                      const PlanContext &C) {
  if (Plan.Nest.OfOtherPlanes.empty())
    return true;
  auto *Size = dyn_cast<ConstantInt>(Plan.Nest.PlaneSize);
  if (!Size)
    return std::nullopt;
  unsigned Bytes = 0; // of an iteration
  for (const Instruction *I : Plan.others())
    Bytes += accessBytes(*I);
  for (const StencilField &F : Plan.Nest.Fields)
    Bytes += F.Size;
  return Size->getValue().ule(C.Limits.Gpu->l2Bytes() / Bytes);
}

/// The fewest iterations of a launch from which on \p Plan gains: blocks choose
/// the version before their first tile, and in small launches few have one.
static uint64_t leastToGain(const StencilPlan &Plan, const PlanContext &C) {
  constexpr uint64_t Step = 64 * 1024;
  // The instructions of both versions are known to a tenth.
  constexpr double Worth = 1.2;
  uint64_t Least = LeastStencilIterations;
  if (LeastStencilIterations.getNumOccurrences())
    return Least;
  // Planes of so few iterations stay in the second level.
  for (; Least < StencilPlan::PricedIterations; Least += Step) {
    const PredictedGain G = priceOf(Plan, C, /*PlanesStay=*/true, Least);
    if (G.Plain.Clocks >= Worth * G.Staged.Clocks)
      break;
  }
  return Least;
}

/// Sets how large a launch has to be. Tiles at the border of a grid, where
/// guards do not hold, are slower than the loops, so they have to be few.
static void setLeast(StencilPlan &Plan, const PlanContext &C) {
  const bool Guarded = !Plan.Nest.Guards.empty();
  Plan.MinIterations = std::max<uint64_t>(
      (Guarded ? 2 : 1) * LeastStencilIterations, leastToGain(Plan, C));
  Plan.MinRows = Guarded ? 128 : 0;
  Plan.MinColumns = (Guarded ? 4 : 1) * StencilPlan::Shape.columns();
}

/// Sets the predicted gain of \p Plan.
/// \returns whether that is enough, wherever the planes are. If it is not known
/// whether they stay, it is enough that nothing is lost where they do not,
/// which only large grids see.
static bool gains(StencilPlan &Plan, const PlanContext &C) {
  auto Gains = [&](bool PlanesStay, double Least) {
    Plan.Gain = priceOf(Plan, C, PlanesStay, StencilPlan::PricedIterations);
    return Plan.Gain.Plain.Clocks >= Least * Plan.Gain.Staged.Clocks;
  };
  if (const std::optional<bool> Stay = planesStay(Plan, C))
    return Gains(*Stay, LeastStencilGain);
  return Gains(/*PlanesStay=*/false, 1) &&
         Gains(/*PlanesStay=*/true, LeastStencilGain);
}

/// Whether a plane, or the grid if there are none, never has a tile's columns.
static bool isNarrow(const KernelStencil &N) {
  auto *Width = dyn_cast<ConstantInt>(N.Width);
  return Width && Width->getValue().ult(StencilPlan::Shape.columns());
}

template <>
std::optional<StencilPlan> findPlan(const PlanContext &C,
                                    std::vector<StageNote> &Notes) {
  auto Nest = findSpace<KernelStencil, StencilFinder>(C, Notes);
  if (!Nest)
    return std::nullopt;
  StencilPlan Plan;
  Plan.Nest = std::move(*Nest);
  auto Leave = [&](StageRefusal Why) {
    for (const StencilField &F : Plan.Nest.Fields)
      for (const StencilLoad &L : F.Loads)
        Notes.push_back({L.Load, Why});
    return std::nullopt;
  };
  if (isNarrow(Plan.Nest))
    return Leave(StageRefusal::NarrowGrid);
  Plan.Async = C.Limits.AsyncCopies && Plan.Nest.CanBeAsync;
  Plan.MaxThreads = TileShape::maxThreads(C.Limits.MaxThreads);
  if (!shrinkTo(Plan, C.Budget)) {
    Plan.MaxThreads = TileShape::MinThreads;
    Notes.push_back(noteNoBudget(*Plan.Nest.Fields[0].Loads[0].Load,
                                 Plan.bytes(), C.Budget));
    return std::nullopt;
  }
  estimate(Plan);
  const bool Gains = gains(Plan, C);
  if (C.Mode == StageMode::Always)
    return Plan;
  if (!Gains)
    return Leave(StageRefusal::LittleGain);
  setLeast(Plan, C);
  return Plan;
}

} // namespace ferry
