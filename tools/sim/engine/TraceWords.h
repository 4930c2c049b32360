//===- TraceWords.h - What is written down of a warp's requests -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request is a word that tells what it is and how many lines it has
// (Request), then a word for each line (LineWord). What is no request (Mark)
// has words of its own behind the first: a barrier a WarpUse, a wait for copies
// the groups that are left and the clocks since the newest of the others.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_TRACEWORDS_H
#define FERRY_SIM_TRACEWORDS_H

#include "../gpu/Rates.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace ferry::sim {

/// How a request is served.
enum class RequestKind : uint8_t {
  Load,
  Store,
  Atomic,   ///< by the second level
  Uncached, ///< a load past the first level: volatile, atomic
};

/// What is no request.
enum class Mark : uint8_t { None, Barrier, Commit, Wait };

/// The first word of a request.
struct Request {
  uint32_t Number; ///< of the instruction
  uint8_t Lines;
  RequestKind Kind;
  bool Epoch;        ///< begins one
  bool Copy = false; ///< the load of an asynchronous copy
  Mark Is = Mark::None;

  /// The first of \p Words that are no request.
  static Request mark(Mark Is, unsigned Words) {
    return {0, static_cast<uint8_t>(Words - 1), RequestKind::Load, false, false,
            Is};
  }
  uint64_t word() const {
    return Number | uint64_t(Lines) << 16 | uint64_t(Kind) << 24 |
           uint64_t(Epoch) << 32 | uint64_t(Copy) << 33 | uint64_t(Is) << 34;
  }
  static Request of(uint64_t Word) {
    return {static_cast<uint32_t>(Word & 0xffff),
            static_cast<uint8_t>(Word >> 16),
            static_cast<RequestKind>(Word >> 24 & 0xff),
            (Word >> 32 & 1) != 0,
            (Word >> 33 & 1) != 0,
            static_cast<Mark>(Word >> 34 & 3)};
  }
};

/// A line, in traces and behind the first level: its number, the kind and the
/// sectors.
struct LineWord {
  uint64_t Line;
  RequestKind Kind;
  bool Full; ///< whole sectors are stored
  uint8_t Sectors;

  uint64_t word() const {
    return Line << 8 | uint64_t(Full) << 6 | uint64_t(Kind) << 4 | Sectors;
  }
  static LineWord of(uint64_t Word) {
    return {Word >> 8, static_cast<RequestKind>(Word >> 4 & 3),
            (Word >> 6 & 1) != 0, static_cast<uint8_t>(Word & 15)};
  }
  /// The sectors that the second level could read or write in the time that
  /// this takes it.
  unsigned timeInSectors() const {
    const unsigned Num = __builtin_popcount(Sectors);
    return Kind == RequestKind::Store && !Full ? std::max(Num, SectorsOfPart)
                                               : Num;
  }
};

/// Words in the order in which they are written. They are written in place: it
/// is done for each request.
class TraceWords {
public:
  /// Room for \p Most words behind the last one, until append().
  uint64_t *room(size_t Most) {
    if (Room - Num < Most)
      grow(Most);
    return Data.get() + Num;
  }
  /// The first \p Written of these words are there.
  void append(size_t Written) { Num += Written; }
  const uint64_t *at(size_t Place) const { return Data.get() + Place; }
  size_t size() const { return Num; }
  void clear() { Num = 0; }

private:
  std::unique_ptr<uint64_t[]> Data;
  size_t Num = 0, Room = 0;

  void grow(size_t Most) {
    Room = std::max(Num + Most, 2 * Room);
    std::unique_ptr<uint64_t[]> Grown(new uint64_t[Room]);
    std::copy_n(Data.get(), Num, Grown.get());
    Data = std::move(Grown);
  }
};

} // namespace ferry::sim

#endif // FERRY_SIM_TRACEWORDS_H
