//===- CopyWaits.h - What a warp waits for its asynchronous copies -*- C++ -*-//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cp.async is under way while the warp goes on (PTX ISA, "Data Movement and
// Conversion Instructions: Asynchronous copy"). When the warp waits for a group
// of them, what is left of the latency is that of memory less what the warp has
// done, and waited for, since the group was complete.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_COPYWAITS_H
#define FERRY_SIM_COPYWAITS_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ferry::sim {

/// Clocks, if what misses the first level is in the second one, and if not.
struct WaitClocks {
  double Near = 0, Far = 0;
};

/// What a lane tells when it makes a group of copies, or waits for groups: in
/// the place of an address in the log.
struct CopyEvent {
  bool Waits;
  uint32_t Last;         ///< the groups made last that are not waited for
  uint64_t Instructions; ///< since the newest group that is waited for

  static constexpr uint32_t MostLast = 127;
  uint64_t word() const {
    return uint64_t(Waits) << 47 | uint64_t(std::min(Last, MostLast)) << 40 |
           std::min(Instructions, InstructionMask);
  }
  static CopyEvent of(uint64_t Word) {
    return {(Word >> 47 & 1) != 0, static_cast<uint32_t>(Word >> 40 & MostLast),
            Word & InstructionMask};
  }

private:
  static constexpr uint64_t InstructionMask = (uint64_t(1) << 40) - 1;
};

/// The groups of copies that a warp has not waited for.
class CopyWaits {
public:
  /// A copy begins, before which the warp has waited for \p Waited in all.
  /// \p Missed: the first level.
  void start(const WaitClocks &Waited, bool Missed) {
    Open.Waited = Waited;
    Open.Any = true;
    Open.Missed |= Missed;
  }
  void commit() {
    Groups.push_back(Open);
    Open = Group();
  }
  /// What the warp, which has waited for \p Waited in all, waits for all groups
  /// but the \p Last ones. \p Busy: clocks of what it has done since the newest
  /// of them. \p Hit, \p Missed: latencies.
  WaitClocks wait(uint32_t Last, const WaitClocks &Waited, double Busy,
                  const WaitClocks &Hit, const WaitClocks &Missed) {
    WaitClocks Most;
    while (Groups.size() > Last) {
      const Group &First = Groups.front();
      const WaitClocks &Latency = First.Missed ? Missed : Hit;
      if (First.Any)
        Most = {std::max(Most.Near, Latency.Near - Busy -
                                        (Waited.Near - First.Waited.Near)),
                std::max(Most.Far,
                         Latency.Far - Busy - (Waited.Far - First.Waited.Far))};
      Groups.erase(Groups.begin());
    }
    return Most;
  }

private:
  struct Group {
    WaitClocks Waited; ///< before its last copy
    bool Any = false, Missed = false;
  };
  Group Open;
  std::vector<Group> Groups; ///< few
};

} // namespace ferry::sim

#endif // FERRY_SIM_COPYWAITS_H
