//===- RowPrice.h - What rows cost as they are and in tiles -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_ROWPRICE_H
#define FERRY_STAGE_ROWPRICE_H

#include "stage/common/WarpPrice.h"

namespace ferry {

struct KernelLimits;
struct RowUnitPlan;

/// In which launches rows are read that the first level has no room for, as far
/// as they are no further apart than they are long.
struct ThrashingPoint {
  /// Rows that all multiprocessors read at a time at most.
  uint64_t MaxRows = 0;
  /// The least product of rows that are read at a time and their iterations. 0:
  /// that is not known.
  uint64_t Iterations = 0;
  /// Iterations of a row that count at most: those of a line, of which a thread
  /// needs one at a time. All count on GPUs with asynchronous copies: an H100
  /// gained from tiles of longer rows where it had room for their lines.
  uint32_t MostOfRow = UINT32_MAX;
  /// Iterations of the shortest rows that tiles pay for, in such a launch, and
  /// that make one.
  unsigned Shortest = ~0u;
};

/// Launches that memory limits in tiles as well, which gain nothing then, or
/// lose. In warps: of a multiprocessor in a price, of a grid in a plan.
struct MemoryBound {
  /// Up to how many, of launches of many warps. 0: there are none.
  unsigned Most = 0;
  /// The same where a clause says how large blocks are; as many at least.
  unsigned MostByClause = 0;
  /// From how many on, of launches of few warps. UINT_MAX: there are none.
  unsigned Least = UINT_MAX;
};

/// What tiles save, and where: a part of a sentence, empty if that is anywhere.
struct RowGain {
  const PredictedGain *Gain;
  const char *Where;
  /// Whether they are faster by prediction.
  bool pays() const;
};

/// How many iterations of a full tile of \p Plan are unrolled together: all of
/// them, if that is not more code than a launch can fetch in passing.
unsigned timesUnrolledInFull(const RowUnitPlan &Plan);

/// What rows cost as they are and in tiles, by the kind of launch.
struct RowPrice {
  /// With so many on each multiprocessor a warp waits while others go on.
  static constexpr unsigned WarpsOfMany = 8;
  /// From how many for each multiprocessor on a launch is one of many warps: as
  /// many at least.
  unsigned LeastOfMany = WarpsOfMany;
  MemoryBound OfMemory;
  /// From how many warps of a block on tiles pay in a launch of few warps,
  /// where there is no room for one that is copied ahead.
  unsigned LeastToWait = 1;
  /// Up to how many warps of a block they pay in such a launch: more keep a
  /// unit of a multiprocessor busy, and for longer in tiles.
  unsigned MostInBlock = UINT_MAX;

  // In clocks of a warp that nothing but itself keeps waiting.
  double Saved = 0; ///< by an iteration of the inner loop; negative: it costs
  /// The same if a clause asks for the largest blocks, whose tiles may be
  /// small.
  double SavedByClause = 0;
  double SavedLacking = 0;       ///< if a warp lacks threads
  double SavedOfConflicting = 0; ///< if plain loads have conflicts of banks
  double Meeting = 0; ///< what the inner loop costs beside its iterations
  /// Whether an iteration finds in the streams what it reads beside them.
  bool Follows = false;
  /// Whether it waits for what it reads beside them and does not find there,
  /// more often in tiles: ptxas seldom has registers for several of these loads
  /// where copies are asynchronous. An H100 took up to 2.3 times as long.
  bool WaitsBeside = false;
  /// Saved, if the second level has what it reads.
  double SavedOfNear = 0;
  // Measured on an H100, by tools/bench/gpu, with the second level warm:
  /// Meeting, if rows do not begin at multiples of the largest word.
  static constexpr double MeetingAnywhere = 2600;
  /// Iterations of such rows from which on all kernels gained.
  static constexpr unsigned EnoughAnywhere = 128;

  // Measured on an H100 in the same way, in launches of many warps:
  /// Iterations from which on rows gained that have no conflicts of banks.
  static constexpr unsigned EnoughWithoutConflicts = 64;
  /// Up to so many warps of each multiprocessor, in blocks of one, they did
  /// not, whatever their length.
  static constexpr unsigned WarpsInBlocksOfOne = 16;

  /// An iteration if many threads have rows that are long and far apart: by
  /// what is known, or by no multiple of what the first level reads in a pass;
  /// and by such a multiple.
  PredictedGain Many, Conflicting;
  /// An iteration if a multiprocessor has one warp.
  PredictedGain OneWarp;
  ThrashingPoint Thrashing;
  /// What an iteration asks for as it is, where the first level has room.
  WarpUse Plain;

  /// The first of these in which tiles are faster by prediction, or else Many.
  RowGain reason() const;

  /// The price of \p Plan, whose unit is a loop, on the GPU of \p Limits.
  static RowPrice of(const RowUnitPlan &Plan, const KernelLimits &Limits);
};

} // namespace ferry

#endif // FERRY_STAGE_ROWPRICE_H
