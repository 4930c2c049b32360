//===- Phases.h - What blocks do between barriers -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block waits at its barriers: loads before one do not overlap with the
// arithmetic behind it, unless another block of the multiprocessor has some.
// So the time that a block takes if it is alone is the sum over its phases, the
// parts between barriers, of
//
//   max(T + W / n, C + T' / n)
//
// where T is what all its warps ask of the unit that has most to do, T' what
// the others beside the slowest warp do, C the chain of instructions and waits
// of the slowest warp, W its waits alone, and n how often it waits. If warps
// have enough to do (first term) the unit is busy all the time, and the last
// warp still waits for its last load. If they do not (second term) the slowest
// warp has had to let the others go once before it. With n = 1, a phase that
// loads and then needs what is loaded, nothing overlaps; with n large, all.
// This is the time of N customers that make n rounds between a server and a
// delay (asymptotic bounds of closed networks; Lazowska et al., Quantitative
// System Performance, 1984, chapter 5).
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_PHASES_H
#define FERRY_SIM_PHASES_H

#include "CopyWaits.h"
#include "SimABI.h"

#include <cstdint>
#include <deque>

namespace ferry::sim {

struct DeviceModel;

/// What a warp asks of its multiprocessor in a phase.
struct WarpUse {
  uint64_t Passes = 0;          ///< through the first level's data stage
  uint64_t Requests = 0;        ///< instructions, to any memory
  uint64_t SharedEpochs = 0;    ///< waits for shared memory
  uint64_t LinkEpochs = 0;      ///< waits for the host's memory
  uint64_t Work[NumPipes] = {}; ///< times WorkScale
};

/// What a warp waits for loads of global memory in a phase, in clocks: if what
/// misses the first level is all in the second one, and if none of it is.
struct WarpWaits : WaitClocks {
  uint64_t Epochs = 0;
};

/// Clocks that a block takes, for the same two cases.
struct BlockTime {
  double Near = 0, Far = 0;
  BlockTime &operator+=(const BlockTime &Other) {
    Near += Other.Near;
    Far += Other.Far;
    return *this;
  }
};

/// The phases of one block.
class BlockPhases {
public:
  /// \p Warps: of the block.
  explicit BlockPhases(uint64_t Warps) : Warps(Warps) {}

  /// What one warp has done in phase \p Number, counted from 0.
  void add(const DeviceModel &Model, uint64_t Number, const WarpUse &Use,
           const WarpWaits &Waits);
  /// The time of all phases. None may be added afterwards.
  BlockTime end();

private:
  enum Server : unsigned { L1, Issue, Fp32, Fp64, Int, NumServers };
  struct Phase {
    uint64_t Arrived = 0;
    double All[NumServers] = {}; ///< clocks of all warps
    // Of the slowest warp:
    double Own[NumServers] = {};
    double Instructions = -1; ///< clocks without waits; less: no warp yet
    WarpWaits Waits;          ///< those for shared memory and the link too
  };
  uint64_t Warps;
  uint64_t Closed = 0;    ///< phases
  std::deque<Phase> Open; ///< those behind
  BlockTime Sum;

  void closeFirst();
  static double timeOf(const Phase &P, double Waiting);
};

} // namespace ferry::sim

#endif // FERRY_SIM_PHASES_H
