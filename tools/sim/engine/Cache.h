//===- Cache.h - A cache of lines with sectors ----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines of 128 bytes take the room, sectors of 32 bytes are fetched: so both
// levels of NVIDIA's caches since Volta (Jia et al., arXiv 1804.06826). A set
// keeps the lines that were used last.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_CACHE_H
#define FERRY_SIM_CACHE_H

#include <cstdint>
#include <vector>

namespace ferry::sim {

constexpr unsigned LineShift = 7;
constexpr unsigned LineBytes = 1u << LineShift;
constexpr unsigned SectorsPerLine = 4;

/// Where a line goes. Which it is, is known of no GPU.
enum class Placement : uint8_t {
  Modulo, ///< successive lines in successive sets
  Hashed, ///< no pattern of addresses favours a set
};

/// The part of a cache that is known by its address.
struct CacheLine {
  uint64_t Number = 0;       ///< address / LineBytes
  uint32_t Newer = 0;        ///< of its set, used next
  uint32_t Older = 0;        ///< used before
  uint32_t NextInBucket = 0; ///< of the look-up
  uint8_t Valid = 0;         ///< sectors that are there, a bit each
  uint8_t Dirty = 0;         ///< those that memory does not have
};

class SectoredCache {
public:
  /// Makes an empty cache for \p Bytes, at least one line for each set. The
  /// sets are \p Sets, or as many as sets of \p Ways lines need if that is 0.
  void configure(uint64_t Bytes, Placement P, unsigned Sets, unsigned Ways);
  bool isConfigured() const { return !Lines.empty(); }
  void clear();

  /// The line, now the last used of its set; it is new if no sector is valid.
  /// \p Evicted, if not null, becomes the line that had to go for it, if one
  /// with dirty sectors had to.
  CacheLine &access(uint64_t Number, CacheLine *Evicted = nullptr) {
    uint32_t Index = bucketOf(Number);
    while (Index != None && Lines[Index].Number != Number)
      Index = Lines[Index].NextInBucket;
    return Index != None && Lines[Index].Newer == None
               ? Lines[Index]
               : makeNewest(Number, Index, Evicted);
  }

private:
  struct Set {
    uint32_t Newest = None, Oldest = None, Used = 0;
  };
  static constexpr uint32_t None = ~uint32_t(0);
  Placement Where = Placement::Modulo;
  uint32_t NumSets = 0, Ways = 0;
  unsigned BucketShift = 64;
  std::vector<CacheLine> Lines; ///< of the first set, the second...
  std::vector<Set> Sets;
  std::vector<uint32_t> Buckets; ///< the first line of each

  static uint64_t hash(uint64_t Number) {
    // Multiplicative hashing (Knuth, volume 3, 6.4), by 2^64 / phi.
    return Number * 0x9e3779b97f4a7c15;
  }
  uint32_t &bucketOf(uint64_t Number) {
    return Buckets[hash(Number) >> BucketShift];
  }
  Set &setOf(uint64_t Number);
  void unlink(Set &S, uint32_t Index);
  void makeNewest(Set &S, uint32_t Index);
  CacheLine &makeNewest(uint64_t Number, uint32_t Index, CacheLine *Evicted);
  uint32_t takeOldest(Set &S, CacheLine *Evicted);
};

} // namespace ferry::sim

#endif // FERRY_SIM_CACHE_H
