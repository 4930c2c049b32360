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
// two versions, and which one a launch takes is decided at its beginning.
//
// The price of a version is the time that one warp takes of its part of a
// multiprocessor for a step of the walk, in clocks: the longest of what the
// issue of instructions, the units that calculate, shared memory and the second
// level need.
//
//===----------------------------------------------------------------------===//

#include "NestAnalysis.h"
#include "NestFinder.h"
#include "gpu/DeviceTable.h"
#include "stage/common/GpuModel.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <tuple>

using namespace llvm;

namespace ferry {

namespace {

using gpu::WarpThreads;
constexpr double Parts = gpu::Schedulers; ///< of a multiprocessor

/// Finds the versions for one nest.
class NestPlanner {
public:
  NestPlanner(const KernelNest &Nest, const KernelLimits &Limits,
              uint64_t Budget);

  /// From the largest tiles on; none if there is not enough shared memory.
  SmallVector<NestTiles, 2> versions() const;
  /// Shared memory that the smallest tiles take.
  unsigned leastBytes() const;

private:
  const KernelNest &N;
  const KernelLimits &Limits;
  const uint64_t Budget;
  unsigned CarriedWords = 0; ///< of an iteration, from step to step
  unsigned Instructions = 0; ///< of an iteration's step
  double Arithmetic = 0;     ///< clocks of the unit that has most to do
  const char *Pipe = "";     ///< its name
  unsigned Largest = 0;      ///< bytes of an element
  unsigned PostInstructions = 0;

  std::optional<NestTiles> tiles(unsigned Rows, unsigned Columns,
                                 unsigned UsualThreads) const;
  unsigned registers(const NestTiles &T) const;
  void price(NestTiles &T) const;
  unsigned columnGroup() const;
  PanelLayout layout(const NestTiles &T, const NestOperand &S) const;
  void layOutPanels(NestTiles &T) const;
  bool complete(NestTiles &T) const;
};

} // namespace

/// Clocks, and what takes them.
using Spent = std::pair<double, const char *>;

static Spent longest(std::initializer_list<Spent> Times) {
  return *max_element(Times, less_first());
}

static unsigned wordsOf(const Type *Ty, const DataLayout &DL) {
  return divideCeil(DL.getTypeStoreSize(const_cast<Type *>(Ty)), 4);
}

NestPlanner::NestPlanner(const KernelNest &Nest, const KernelLimits &Limits,
                         uint64_t Budget)
    : N(Nest), Limits(Limits), Budget(Budget) {
  const BasicBlock &Walk = *N.Walk->getHeader();
  const DataLayout &DL = Walk.getDataLayout();
  for (const PHINode *Phi : N.Carried)
    CarriedWords += wordsOf(Phi->getType(), DL);
  for (const NestOperand &S : N.Streams)
    Largest = std::max(Largest, S.Size);
  double Single = 0, Double = 0;
  for (const Instruction &I : Walk) {
    // An element is converted once for all iterations that it is in.
    if (!I.getType()->isFPOrFPVectorTy() || isa<PHINode, LoadInst, CastInst>(I))
      continue;
    // A multiplication that an addition uses is fused with it.
    if (I.getOpcode() == Instruction::FMul && I.hasOneUse() &&
        I.hasAllowContract())
      continue;
    ++Instructions;
    (I.getType()->getScalarType()->isDoubleTy() ? Double : Single) += 1;
  }
  if (!Instructions)
    Instructions = N.Carried.size() * 2;
  auto Clocks = [&](double Number, double Lanes) {
    return Number * WarpThreads * Parts / Lanes;
  };
  std::tie(Arithmetic, Pipe) =
      longest({{Clocks(Single, Limits.Gpu->Fp32Lanes), "fp32"},
               {Clocks(Double, Limits.Gpu->Fp64Lanes), "fp64"},
               {Clocks(Instructions, Limits.Gpu->IssuePerClock * WarpThreads),
                "issue"}});
  for (const BasicBlock *B : N.Post)
    PostInstructions += B->sizeWithoutDebug();
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
  P.Lines = S.By == NestOperand::ByRow      ? T.Shape.rows(T.MaxThreads)
            : S.By == NestOperand::ByColumn ? T.Shape.columns()
                                            : 1;
  P.LineBytes = S.AlongK ? T.Steps * S.Size : S.Size;
  P.GroupBytes = P.Group * P.LineBytes;
  if (P.GroupBytes % (2 * Word) == 0)
    P.GroupBytes += Word;
  const unsigned Lines = P.Lines / P.Group * P.GroupBytes;
  P.StepBytes = S.AlongK ? S.Size : alignTo(Lines, Word);
  P.Bytes = alignTo(S.AlongK ? Lines : T.Steps * P.StepBytes, Word);
  const unsigned Together = S.AlongK ? T.Steps : P.Group;
  const unsigned Wide = Word / S.Size;
  P.Chunk = S.Follows ? std::min(Wide, Together) : 1;
  const unsigned Chunks = P.Lines * T.Steps / P.Chunk;
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

/// What a thread has in registers while it computes.
unsigned NestPlanner::registers(const NestTiles &T) const {
  constexpr unsigned Other = 100; // addresses, bounds, counters
  unsigned Sum = T.Shape.ThreadRows * T.Shape.ThreadColumns * CarriedWords;
  for (auto [S, P] : zip_equal(N.Streams, T.Panels))
    Sum +=
        T.linesOfThread(S) * divideCeil(S.Size * (S.AlongK ? P.Vector : 1), 4);
  return Sum + Other;
}

/// Sets the clocks of \p T and what they are spent on.
void NestPlanner::price(NestTiles &T) const {
  constexpr double L2Bytes = 28;    // from the second level in a clock
  constexpr double Copy = 14;       // instructions for a chunk
  constexpr double CopyPasses = 12; // passes of L1 and shared memory for it
  constexpr double Loop = 6;        // instructions for the unrolled steps
  constexpr double FewWarps = 1.2;  // some of their time nobody can issue
  constexpr unsigned Enough = 12;
  const double Iterations = T.Shape.ThreadRows * T.Shape.ThreadColumns;
  double Loads = 0, Chunks = 0, Bytes = 0;
  for (auto [S, P] : zip_equal(N.Streams, T.Panels)) {
    Loads += double(T.linesOfThread(S)) / P.Vector;
    Chunks += double(P.Lines) / T.MaxThreads / P.Chunk;
    Bytes += double(P.Lines) * S.Size;
  }
  double Issue =
      Instructions * Iterations + Loads + Chunks * Copy + Loop / T.Unrolled;
  if (gpu::Registers / registers(T) / WarpThreads < Enough)
    Issue *= FewWarps;
  std::tie(T.Clocks, T.Limiter) =
      longest({{Arithmetic * Iterations, Pipe},
               {Issue, "issue"},
               {(Loads + Chunks * CopyPasses) * Parts, "shared"},
               {Bytes / L2Bytes * Parts * WarpThreads / T.MaxThreads, "l2"}});
}

/// Columns of a thread that are read together, and written together.
unsigned NestPlanner::columnGroup() const {
  bool AlongK = any_of(N.Streams, [](const NestOperand &S) {
    return S.By == NestOperand::ByColumn && S.AlongK;
  });
  return AlongK ? 1 : std::clamp(gpu::MaxAccessBytes / Largest, 1u, 4u);
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
      for (T.Steps = 16; T.Steps >= Fewest; T.Steps /= 2)
        if (Fits())
          return true;
    }
  }
  return false;
}

std::optional<NestTiles> NestPlanner::tiles(unsigned Rows, unsigned Columns,
                                            unsigned UsualThreads) const {
  constexpr unsigned MostRegisters = 240;
  constexpr unsigned MostInstructions = 1600; // behind the walks
  NestTiles T;
  T.Shape = {Rows, Columns, 8};
  T.MaxThreads = TileShape::maxThreads(Limits.MaxThreads);
  T.UsualThreads = UsualThreads;
  T.ColumnGroup = columnGroup();
  const bool Least = Rows == 4 && Columns == 4;
  if (!complete(T) ||
      (!Least && (registers(T) > MostRegisters ||
                  Rows * Columns * PostInstructions > MostInstructions)))
    return std::nullopt;
  price(T);
  return T;
}

unsigned NestPlanner::leastBytes() const {
  NestTiles T;
  T.Shape = {4, 4, 8};
  T.MaxThreads = T.UsualThreads = TileShape::MinThreads;
  T.Steps = T.Unrolled;
  T.ColumnGroup = columnGroup();
  T.Async = false;
  layOutPanels(T);
  return T.bytes();
}

SmallVector<NestTiles, 2> NestPlanner::versions() const {
  constexpr double Worth = 0.97; // larger tiles are fewer
  // Launches of few iterations have blocks of one warp.
  auto Small = tiles(4, 4, TileShape::MinThreads);
  if (!Small)
    return {};
  auto Each = [](const NestTiles &T) {
    return T.Clocks / (T.Shape.ThreadRows * T.Shape.ThreadColumns);
  };
  SmallVector<NestTiles, 2> Best = {*Small};
  constexpr std::pair<unsigned, unsigned> Larger[] = {{4, 8}, {8, 4}, {8, 8}};
  for (auto [Rows, Columns] : Larger)
    if (auto T = tiles(Rows, Columns, 128);
        T && T->MaxThreads >= Small->MaxThreads &&
        Each(*T) < Worth * Each(Best.front()))
      Best = {*T, *Small};
  return Best;
}

template <>
std::optional<NestPlan> findPlan(const PlanContext &C,
                                 std::vector<StageNote> &Notes) {
  auto Nest = findSpace<KernelNest, NestFinder>(C, Notes);
  if (!Nest)
    return std::nullopt;
  NestPlan Plan;
  Plan.Nest = std::move(*Nest);
  Plan.Gpu = C.Limits.Gpu;
  const NestPlanner Planner(Plan.Nest, C.Limits, C.Budget);
  Plan.Versions = Planner.versions();
  if (!Plan.Versions.empty())
    return Plan;
  Notes.push_back(
      noteNoBudget(*Plan.Nest.Streams[0].Load, Planner.leastBytes(), C.Budget));
  return std::nullopt;
}

} // namespace ferry
