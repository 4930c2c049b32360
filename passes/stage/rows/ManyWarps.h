//===- ManyWarps.h - What rows cost in launches of many warps ---*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a launch of many warps units are busy: then the price is the time of the
// one that has most to do (common/WarpPrice.h). As the loop is, rows that a
// multiprocessor's warps walk along are in the first level, if there is room
// for a line of each; every load of a warp has to look for its lines there. In
// tiles each sector is loaded once, by few requests.
//
// Short rows lie close together, so that what counts is how many bytes of them
// are being read at a time: where they are more than the first level has, lines
// are gone before the thread comes to their next words, and a launch that fills
// the GPU reads memory over and over.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_MANYWARPS_H
#define FERRY_STAGE_MANYWARPS_H

#include "RowPlan.h"
#include "RowPrice.h"
#include "gpu/Occupancy.h"
#include "stage/common/GpuModel.h"
#include "stage/common/KernelInstructions.h"
#include "stage/common/KernelLimits.h"
#include "stage/common/WarpPrice.h"
#include <cmath>
#include <optional>

namespace ferry {

/// What warps ask for in a launch that fills the GPU with the largest blocks.
class ManyWarps {
public:
  ManyWarps(const RowUnitPlan &Plan, const KernelLimits &Limits);

  /// The gain where rows whose distance is not known are \p Distance bytes
  /// apart, with as many warps as there is room for.
  PredictedGain gain(std::optional<int64_t> Distance) const {
    return gain(Distance, Before, After, Plan.Tile);
  }
  /// The gain of a warp that a multiprocessor has alone.
  PredictedGain gainOfOne() const {
    return gain(std::nullopt, atMost(Before, 1), atMost(After, 1), Plan.Tile);
  }

  /// From how many warps for each multiprocessor on, in blocks of one, tiles
  /// pay as they do in a launch that fills the GPU: such a block has the shared
  /// memory of the largest one, and with few there is room for all as the loop
  /// is, and for what they read.
  unsigned leastToGain() const;

  /// With how many warps for each multiprocessor memory is busiest, and in
  /// tiles as long or longer: as the loop is, both levels have what its rows
  /// share. From \p Many on they are many. \p ByClause: whether blocks are as
  /// large as a clause says in any launch; else they may be of one warp.
  MemoryBound ofMemory(unsigned Many, bool ByClause) const;

  /// From how many warps of a block on, which a multiprocessor has alone, tiles
  /// pay although each is waited for. Above \p MostWarps: no block can be that
  /// large.
  unsigned leastToWait(unsigned MostWarps) const;

  /// Up to how many warps of a block, which a multiprocessor has alone, tiles
  /// do not keep a unit of it busy for longer; \p MostWarps at most.
  unsigned mostInBlock(unsigned MostWarps) const;

  /// In which launches rows are read that the first level has no room for.
  ThrashingPoint thrashing() const;

  /// What an iteration asks for as it is, where that has room.
  WarpUse plain() const {
    WarpUse Use = Both;
    for (const Stream &S : Plan.Unit.Streams)
      addPlain(Use, S, Cached(), std::nullopt);
    Use.Waiting += StreamsWait;
    return Use;
  }

private:
  /// Parts of what is read again that the two levels still have.
  struct Cached {
    double First = 1, Second = 1;
  };

  const RowUnitPlan &Plan;
  const sim::DeviceModel &Gpu;
  const double Rows; ///< of a warp
  const sim::FunctionCosts Costs;
  /// As loops over tiles are unrolled, these take many registers; words on
  /// their way take some as well.
  const unsigned ManyRegisters;
  const sim::Occupancy Before, After; ///< of the largest blocks
  /// After, if these are few: what more warps read, caches have less of.
  const sim::Occupancy MostAfter;
  static constexpr unsigned FewRegisters = 96;
  const sim::Occupancy AfterOfOne; ///< of blocks of one warp
  const WarpUse Both; ///< what an iteration asks for beside the streams
  // Clocks, for what the streams read: from memory, and if the first level has
  // some of it.
  const double PlainWait, StreamsWait;
  static constexpr double SectorBytes = gpu::SectorBytes;
  WarpUse both() const;
  static sim::Occupancy withTiles(const RowUnitPlan &Plan,
                                  const KernelLimits &Limits, uint32_t Threads,
                                  uint32_t Registers) {
    return residentBlocks(Limits, {Threads, Plan.BlockBytes, Registers, 0});
  }
  unsigned mostOfMemory(unsigned Many, bool ByClause) const;
  unsigned leastOfMemory(unsigned Many, bool ByClause) const;
  /// Whether memory is busiest with \p Warps warps, of blocks as \p ByClause
  /// tells, and in tiles for so long that plain loads take no more than \p
  /// Worth times that.
  bool isOfMemory(unsigned Warps, bool ByClause, double Worth) const;
  static sim::Occupancy atMost(sim::Occupancy Resident, unsigned Warps) {
    Resident.Warps = std::min<uint32_t>(Resident.Warps, Warps);
    return Resident;
  }
  /// The same with the warps that are resident \p Before and \p After, in tiles
  /// as \p Tile.
  PredictedGain gain(std::optional<int64_t> Distance,
                     const sim::Occupancy &Before, const sim::Occupancy &After,
                     const TileLayout &Tile) const;
  /// The gain of whole rows of \p Steps iterations, at most a tile, that are no
  /// further apart than they are long, if all multiprocessors are full.
  PredictedGain gainOfShort(unsigned Steps) const;
  /// The fewest iterations from which on these pay.
  unsigned shortest() const;
  void addPlain(WarpUse &Use, const Stream &S, const Cached &C,
                std::optional<int64_t> Distance) const;
  void addStaged(WarpUse &Use, const Stream &S, const Cached &C,
                 const TileLayout &Tile) const;
  Cached cached(const sim::Occupancy &Resident, double Lines) const;
  /// Bytes of a row that an iteration goes on by.
  static double stepBytes(const Stream &S) {
    return S.ConstantStep ? std::abs(double(*S.ConstantStep)) : SectorBytes;
  }
};

} // namespace ferry

#endif // FERRY_STAGE_MANYWARPS_H
