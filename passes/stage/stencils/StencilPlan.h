//===- StencilPlan.h - A stencil, tile by tile ------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data: StencilPlanner fills it in, StencilEmitter writes IR by it.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STENCILPLAN_H
#define FERRY_STAGE_STENCILPLAN_H

#include "stage/common/GpuModel.h"
#include "stage/common/IndexPolynomial.h"
#include "stage/common/IterationSpace.h"
#include "stage/common/PlanContext.h"
#include "stage/common/WarpPrice.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

namespace llvm {
class OptimizationRemark;
class OptimizationRemarkEmitter;
class raw_ostream;
} // namespace llvm

namespace ferry {

/// How many iterations of p, i and j an iteration is from another one.
struct StencilOffset {
  int Plane, Row, Column;
};

/// A load that reads what the field's first load reads in the iteration at this
/// offset.
struct StencilLoad : StencilOffset {
  llvm::LoadInst *Load;
};

/// Planes, near each other, of which a field's loads read the same row and
/// column.
struct PlaneRun {
  int Row, Column;
  llvm::SmallVector<int, 4> Planes; ///< sorted
  int first() const { return Planes.front(); }
  int last() const { return Planes.back(); }
  /// Planes from the first one to that before the last one.
  unsigned length() const { return last() - first(); }
  /// The last plane up to \p Plane that is read.
  int readUpTo(int Plane) const {
    return *std::prev(llvm::upper_bound(Planes, Plane));
  }
  bool hasGaps() const { return Planes.size() <= length(); }
};

/// Loads of one array around the same element. Neighbours in j are neighbours
/// in memory.
struct StencilField {
  llvm::SmallVector<StencilLoad, 8> Loads;
  unsigned Size;        ///< bytes of an element
  Polynomial RowStride; ///< bytes from one i to the next
  /// And from one p to the next; of a field in several planes.
  Polynomial PlaneStride;

  int FirstPlane = 0, LastPlane = 0;
  int FirstRow = 0, LastRow = 0, FirstColumn = 0, LastColumn = 0;

  /// What is read of each plane, the longest runs for each row and column. One
  /// plane may be missing between two.
  std::vector<PlaneRun> planeRuns() const {
    std::map<std::pair<int, int>, std::set<int>> Planes;
    for (const StencilLoad &L : Loads)
      Planes[{L.Row, L.Column}].insert(L.Plane);
    std::vector<PlaneRun> Runs;
    for (const auto &[At, OfRow] : Planes)
      for (int P : OfRow) {
        if (!OfRow.count(P - 1) && !OfRow.count(P - 2))
          Runs.push_back({At.first, At.second, {}});
        Runs.back().Planes.push_back(P);
      }
    return Runs;
  }

  /// Words of 4 bytes that a thread keeps if it walks through planes.
  unsigned keptWords() const {
    unsigned Words = 0;
    for (const PlaneRun &Run : planeRuns())
      Words += Run.length() * llvm::divideCeil(Size, 4);
    return Words;
  }

  /// The first and the last column that is read of all that \p KeyOf gives the
  /// same key.
  template <typename Function> auto columnsBy(Function KeyOf) const {
    std::map<decltype(KeyOf(Loads[0])), std::pair<int, int>> Columns;
    for (const StencilLoad &L : Loads) {
      auto &[First, Last] =
          Columns.try_emplace(KeyOf(L), L.Column, L.Column).first->second;
      First = std::min(First, L.Column);
      Last = std::max(Last, L.Column);
    }
    return Columns;
  }
  /// Of each row; and of each row of each plane.
  auto columnsOfRows() const {
    return columnsBy([](const StencilLoad &L) { return L.Row; });
  }
  auto columnsOfRowsByPlane() const {
    return columnsBy(
        [](const StencilLoad &L) { return std::pair(L.Plane, L.Row); });
  }
  /// The columns that are read of every row from the first to the last.
  std::optional<std::pair<int, int>> commonColumns() const {
    int First = FirstColumn, Last = LastColumn;
    const auto Rows = columnsOfRows();
    for (const auto &[Row, Range] : Rows) {
      First = std::max(First, Range.first);
      Last = std::min(Last, Range.second);
    }
    if (static_cast<int>(Rows.size()) <= LastRow - FirstRow || First > Last)
      return std::nullopt;
    return std::pair(First, Last);
  }
};

/// A condition, and what it is; and whether it depends on i and on j.
struct StencilGuard {
  llvm::Value *Condition;
  bool Is;
  bool OfRow = false, OfColumn = false;
};

/// Conditions that are all met (Guards.h).
using StencilGuards = llvm::SmallVector<StencilGuard, 4>;

/// An address in an iteration that is not one of a field.
struct StencilAccess {
  llvm::Instruction *Pointer;
  Polynomial RowStride; ///< bytes from one i to the next
  int64_t ColumnStride; ///< bytes from one j to the next
  /// And from one p to the next, if that is always the same.
  MaybePolynomial PlaneStride;
};

/// An iteration writes nothing before it reads the fields.
struct KernelStencil : IterationSpace {
  llvm::SmallVector<StencilField, 2> Fields;
  /// What is met where an iteration reads all of the fields.
  llvm::SmallVector<StencilGuards, 2> Guards;
  llvm::SmallVector<StencilAccess, 4> Accesses;
  /// Whether iterations of other planes read by other loads what one reads.
  bool ReadsOtherPlanes = false;

  /// All loads of the fields.
  llvm::SmallVector<llvm::LoadInst *, 8> loads() const {
    llvm::SmallVector<llvm::LoadInst *, 8> Loads;
    for (const StencilField &F : Fields)
      for (const StencilLoad &L : F.Loads)
        Loads.push_back(L.Load);
    return Loads;
  }
  /// What of an iteration uses other memory than the fields'.
  llvm::SmallVector<const llvm::Instruction *, 8> others() const;

  /// What the polynomials are about, and what must hold for them.
  llvm::SmallVector<IndexPolynomials::Atom, 8> Atoms;
  llvm::SmallVector<IndexPolynomials::Range, 8> Ranges;
};

struct StencilPlan {
  static constexpr bool NeedsSimpleLoops = false;
  KernelStencil Nest;
  static constexpr TileShape Shape = {4, 2, gpu::WarpThreads};
  unsigned MaxThreads = 0; ///< of a block that is tiled
  bool Async = false;      ///< copy by cp.async
  /// With fewer tiles are not worth it, at run time.
  uint64_t MinIterations = 0, MinRows = 0, MinColumns = 0;
  /// Of the launch that Gain is about.
  static constexpr uint64_t PricedIterations = 1 << 22;
  PredictedGain Gain;
  /// Sectors that a block loads for an iteration, each one once; and in tiles.
  double Before = 0, After = 0;

  /// Elements from one row to the next in shared memory, and rows.
  static unsigned pitch(const StencilField &S) {
    return Shape.columns() + S.LastColumn - S.FirstColumn;
  }
  static unsigned rows(const StencilField &S, unsigned Threads) {
    return Shape.rows(Threads) + S.LastRow - S.FirstRow;
  }
  unsigned bytes(const StencilField &S) const {
    return rows(S, MaxThreads) * pitch(S) * S.Size;
  }
  unsigned bytes() const {
    unsigned Sum = 0;
    for (const StencilField &S : Nest.Fields)
      Sum += llvm::alignTo(bytes(S), gpu::SharedAlignment);
    return Sum;
  }
};

/// What launches must have at least for a stencil: iterations, and of these
/// rows, if not 0, and columns; and where guards of \p N can be asked, that
/// they hold.
LaunchConditions conditionsOf(const KernelStencil &N, uint64_t MinIterations,
                              uint64_t MinRows, uint64_t MinColumns,
                              const PlanContext &C);

/// Whether a plane of \p N, or the grid if there are none, never has \p
/// Columns.
bool isNarrow(const KernelStencil &N, unsigned Columns);

/// Adds the sectors that a block loads for an iteration, as it is and staged.
void addSectors(llvm::OptimizationRemark &R, double Before, double After);

/// The tiles for a kernel that is a stencil in two or three dimensions.
template <>
std::optional<StencilPlan> findPlan(const PlanContext &C,
                                    std::vector<StageNote> &Notes);
LaunchChoice worthwhile(const StencilPlan &Plan, const PlanContext &C);
void print(llvm::raw_ostream &OS, const StencilPlan &Plan);
void remark(llvm::OptimizationRemarkEmitter &ORE, const StencilPlan &Plan);
/// Carries \p Plan out. The kernel then calls functions of runtime/device, and
/// all analyses of it are out of date.
void emit(const StencilPlan &Plan, const PlanContext &C);

} // namespace ferry

#endif // FERRY_STAGE_STENCILPLAN_H
