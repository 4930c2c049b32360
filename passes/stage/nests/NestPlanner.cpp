//===- NestPlanner.cpp - Which tiles a nest is taken in -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that computes r x c iterations reads r + c elements for them, so
// larger tiles of a thread leave more of its instructions for the program's own
// arithmetic, until its values do not fit into registers. But they leave fewer
// tiles, which may be too few to keep all multiprocessors at work. So there are
// up to three versions, and which one a launch takes is decided at its
// beginning, by their prices (NestPrice.h).
//
//===----------------------------------------------------------------------===//

#include "NestFinder.h"
#include "NestPrice.h"
#include "gpu/DeviceTable.h"
#include "stage/common/GpuModel.h"
#include "stage/common/LoopUnrolling.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/CommandLine.h"
#include <cmath>

using namespace llvm;

/// More than once: tiles have ends.
static cl::opt<double>
    LeastNestGain("ferry-stage-nest-gain", cl::Hidden, cl::init(1 / 0.9),
                  cl::desc("How many times the time of tiles a nest has to "
                           "take, by prediction"));

namespace ferry {

namespace {

/// Finds the versions for one nest.
class NestPlanner {
public:
  NestPlanner(const KernelNest &Nest, const KernelLimits &Limits,
              uint64_t Budget);

  /// From the largest tiles on; none if there is not enough shared memory.
  SmallVector<NestTiles, 3> versions() const;
  /// Sets the times of \p Plan, whose versions are known.
  void setTimes(NestPlan &Plan) const;
  /// Shared memory that the smallest tiles take.
  unsigned leastBytes() const;

private:
  const KernelNest &N;
  const KernelLimits &Limits;
  const uint64_t Budget;
  const NestPrice Price;
  unsigned Largest = 0; ///< bytes of an element
  unsigned PostInstructions = 0;

  /// Consecutive columns that a thread reads together.
  unsigned neighbours() const {
    return std::clamp(gpu::MaxAccessBytes / Largest, 1u, 4u);
  }
  /// Rows and columns of the threads of the smallest tiles that any launch of
  /// some size takes. With many sums larger ones may take too many registers.
  std::pair<unsigned, unsigned> smallest() const {
    constexpr unsigned Few = 4, Many = 8; // words
    const unsigned Words = Price.carriedWords();
    return {Words > Many ? 2 : 4, Words > Few ? 2 : 4};
  }
  std::optional<NestTiles> tiles(unsigned Rows, unsigned Columns,
                                 unsigned UsualThreads) const;
  unsigned columnGroup(unsigned Columns) const;
  PanelLayout layout(const NestTiles &T, const NestOperand &S) const;
  void layOutPanels(NestTiles &T) const;
  bool complete(NestTiles &T) const;
};

} // namespace

NestPlanner::NestPlanner(const KernelNest &Nest, const KernelLimits &Limits,
                         uint64_t Budget)
    : N(Nest), Limits(Limits), Budget(Budget), Price(Nest, Limits) {
  for (const NestOperand &S : N.Streams)
    Largest = std::max(Largest, S.Size);
  for (const BasicBlock *B : N.Post)
    PostInstructions += B->sizeWithoutDebug();
  PostInstructions += N.StepStores.size();
}

/// How a panel of \p S lies in shared memory. Groups are an odd number of 16
/// bytes apart, so that the threads of a warp read from different banks.
PanelLayout NestPlanner::layout(const NestTiles &T,
                                const NestOperand &S) const {
  constexpr unsigned Word = gpu::MaxAccessBytes;
  PanelLayout P;
  P.Group = S.By == NestOperand::ByRow      ? T.Shape.ThreadRows
            : S.By == NestOperand::ByColumn ? T.ColumnGroup
                                            : 1;
  P.Rows = S.By == NestOperand::ByRow      ? T.Shape.rows(T.MaxThreads)
           : S.By == NestOperand::ByColumn ? T.Shape.columns()
                                           : 1;
  P.RowPitch = S.AlongK ? T.Depth * S.Size : S.Size;
  P.GroupPitch = P.Group * P.RowPitch;
  if (P.GroupPitch % (2 * Word) == 0)
    P.GroupPitch += Word;
  const unsigned RowBytes = P.Rows / P.Group * P.GroupPitch;
  P.StepPitch = S.AlongK ? S.Size : alignTo(RowBytes, Word);
  P.Bytes = alignTo(S.AlongK ? RowBytes : T.Depth * P.StepPitch, Word);
  const unsigned Together = S.AlongK ? T.Depth : P.Group;
  const unsigned Wide = Word / S.Size;
  P.Chunk = S.Follows ? std::min(Wide, Together) : 1;
  const unsigned Chunks = P.Rows * T.Depth / P.Chunk;
  const bool Grows = S.By == NestOperand::ByRow;
  const unsigned Most = Grows ? T.MaxThreads : T.UsualThreads;
  P.Places = S.Linear ? divideCeil(Chunks, Most) : 0;
  P.SomeThreads = Chunks < P.Places * T.MaxThreads;
  P.MoreThanPlaces =
      Chunks > P.Places * (Grows ? T.MaxThreads : TileShape::MinThreads);
  P.Vector = 1;
  if (VectorType::isValidElementType(S.Load->getType()))
    P.Vector = std::min({Wide, S.AlongK ? T.Unrolled : Together, 4u});
  return P;
}

/// Columns of a thread, of which it has \p Columns, that are read together, and
/// written together.
unsigned NestPlanner::columnGroup(unsigned Columns) const {
  bool AlongK = any_of(N.Streams, [](const NestOperand &S) {
    return S.By == NestOperand::ByColumn && S.AlongK;
  });
  return AlongK ? 1 : std::min(Columns, neighbours());
}

void NestPlanner::layOutPanels(NestTiles &T) const {
  T.Panels.clear();
  for (const NestOperand &S : N.Streams)
    T.Panels.push_back(layout(T, S));
}

/// Fills in what follows from the shape, for as many threads and steps as fit;
/// whether any do.
bool NestPlanner::complete(NestTiles &T) const {
  const unsigned Fewest = T.Unrolled;
  auto Fits = [&] {
    layOutPanels(T);
    return T.bytes() <= Budget;
  };
  for (; T.MaxThreads >= TileShape::MinThreads; T.MaxThreads /= 2) {
    T.UsualThreads = std::min(T.UsualThreads, T.MaxThreads);
    for (bool Async : {true, false}) {
      T.Async = Async;
      if (Async && !(Limits.AsyncCopies && N.CanBeAsync))
        continue;
      for (T.Depth = 16; T.Depth >= Fewest; T.Depth /= 2)
        if (Fits())
          return true;
    }
  }
  return false;
}

std::optional<NestTiles> NestPlanner::tiles(unsigned Rows, unsigned Columns,
                                            unsigned UsualThreads) const {
  constexpr unsigned MostRegisters = 240;
  constexpr unsigned MostInstructions = 1600; // behind the inner loops
  NestTiles T;
  T.Shape = {Rows, Columns, 8};
  T.MaxThreads = TileShape::maxThreads(Limits.MaxThreads);
  T.UsualThreads = UsualThreads;
  T.ColumnGroup = columnGroup(Columns);
  const bool Least = std::pair(Rows, Columns) == smallest();
  if (!complete(T) ||
      (!Least && (Price.registers(T) > MostRegisters ||
                  Rows * Columns * PostInstructions > MostInstructions)))
    return std::nullopt;
  Price.setTimes(T, T.bytes());
  return T;
}

unsigned NestPlanner::leastBytes() const {
  NestTiles T;
  T.Shape = {smallest().first, smallest().second, 8};
  T.MaxThreads = T.UsualThreads = TileShape::MinThreads;
  T.Depth = T.Unrolled;
  T.ColumnGroup = columnGroup(T.Shape.ThreadColumns);
  T.Async = false;
  layOutPanels(T);
  return T.bytes();
}

SmallVector<NestTiles, 3> NestPlanner::versions() const {
  constexpr double Worth = 0.97; // larger tiles are fewer
  // Launches of few iterations have blocks of one warp.
  auto [LeastRows, LeastColumns] = smallest();
  auto Small = tiles(LeastRows, LeastColumns, TileShape::MinThreads);
  if (!Small)
    return {};
  std::optional<NestTiles> Large;
  constexpr std::pair<unsigned, unsigned> Larger[] = {
      {4, 4}, {4, 8}, {8, 4}, {8, 8}};
  for (auto [Rows, Columns] : Larger)
    if (auto T = tiles(Rows, Columns, gpu::DefaultBlockThreads);
        T && Rows * Columns > Small->iterations() &&
        T->MaxThreads >= Small->MaxThreads &&
        T->clocksOfEach() < Worth * (Large ? *Large : *Small).clocksOfEach())
      Large = T;
  // Of the smallest launches the time is what one warp takes; without
  // asynchronous copies it waits for memory most of it, whatever the tiles.
  std::optional<NestTiles> Least;
  if (Small->Async)
    Least = tiles(2, std::max(2u, std::min(neighbours(), LeastColumns)),
                  TileShape::MinThreads);
  SmallVector<NestTiles, 3> All;
  for (const auto &T : {Large, Small, Least})
    if (T && T->MaxThreads >= Small->MaxThreads &&
        (All.empty() || T->iterations() < All.back().iterations()))
      All.push_back(*T);
  return All;
}

void NestPlanner::setTimes(NestPlan &Plan) const {
  unsigned Registers = 0;
  for (NestTiles &T : Plan.Versions) {
    Price.setTimes(T, Plan.bytes());
    Registers = std::max(Registers, Price.registers(T));
  }
  const NestTiles &T = Plan.Versions.front();
  Plan.Gain = {Price.plain(), {T.clocksOfEach(), T.Time.Limiter}, Limits.Gpu};
  Plan.Plain = Price.plainTimes(Plan.bytes(), Registers);
  // Clocks of all that a warp does beside the steps, for 32 iterations, more
  // than a plain one. Found with the simulator, from where on products of 700 x
  // 512 numbers gain; there the first level has what the plain loop reads,
  // which its integers limit.
  // Stores limit it there as well; in products of 500 x 500 floats tiles make
  // up for twice as much.
  const bool Stores = !N.StepStores.empty();
  const double Beside = (T.Async ? 100 : 60) * (Stores ? 2 : 1);
  const double AsIs = Stores ? Plan.Gain.Plain.Clocks : Price.plainIntegers();
  Plan.StepsForChoice = static_cast<unsigned>(
      std::ceil(Beside / std::max(AsIs - T.clocksOfEach(), 0.1)));
  Plan.StepsForChoice = std::max(Plan.StepsForChoice, Plan.leastSteps());
}

/// Whether planes, if there are any, are known to fill the smallest tiles but
/// for a fifth. A batch of smaller ones would be done as it was by fewer warps
/// at a time, for the shared memory of tiles.
static bool planesFillTiles(const NestPlan &Plan) {
  if (!Plan.Nest.PlaneSize)
    return true;
  auto *Size = dyn_cast<ConstantInt>(Plan.Nest.PlaneSize);
  auto *Width = dyn_cast<ConstantInt>(Plan.Nest.Width);
  if (!Size || !Width)
    return false;
  const NestTiles &T = Plan.Versions.back();
  const uint64_t All = Size->getLimitedValue(UINT32_MAX),
                 Columns = Width->getLimitedValue(UINT32_MAX);
  const uint64_t Rows = Columns ? All / Columns : 0;
  const unsigned TileRows = T.Shape.rows(T.MaxThreads);
  return Rows >= TileRows && Columns >= T.Shape.columns() &&
         4 * alignTo(Rows, TileRows) * alignTo(Columns, T.Shape.columns()) <=
             5 * All;
}

template <>
std::optional<NestPlan> findPlan(const PlanContext &C,
                                 std::vector<StageNote> &Notes) {
  auto Nest = findSpace<KernelNest, NestFinder>(C, Notes);
  if (!Nest)
    return std::nullopt;
  NestPlan Plan;
  Plan.Nest = std::move(*Nest);
  Plan.Nest.TimesUnrolled = timesUnrolled(*Plan.Nest.InnerLoop, C.Target, C.SE,
                                          C.Limits.SpeedupLevel);
  const NestPlanner Planner(Plan.Nest, C.Limits, C.Budget);
  Plan.Versions = Planner.versions();
  LoadInst &First = *Plan.Nest.Streams[0].Load;
  if (Plan.Versions.empty()) {
    Notes.push_back(noteNoBudget(First, Planner.leastBytes(), C.Budget));
    return std::nullopt;
  }
  Planner.setTimes(Plan);
  Plan.OnlyIfFaster = C.Mode == StageMode::On;
  if (Plan.OnlyIfFaster && !Plan.Nest.IsCollapsible) {
    Notes.push_back({&First, StageRefusal::LittleGain,
                     "operands that two loops do not read as one would"});
    return std::nullopt;
  }
  if (Plan.OnlyIfFaster && !planesFillTiles(Plan)) {
    Notes.push_back({&First, StageRefusal::LittleGain,
                     "planes that are not known to fill tiles"});
    return std::nullopt;
  }
  if (Plan.OnlyIfFaster &&
      LeastNestGain * Plan.Gain.Staged.Clocks > Plan.Gain.Plain.Clocks) {
    Notes.push_back({&First, StageRefusal::LittleGain});
    return std::nullopt;
  }
  return Plan;
}

} // namespace ferry
