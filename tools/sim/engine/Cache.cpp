//===- Cache.cpp - A cache of lines with sectors --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cache.h"

#include <algorithm>

namespace ferry::sim {

void SectoredCache::configure(uint64_t Bytes, Placement P, unsigned SetCount,
                              unsigned WayCount) {
  const uint64_t All = std::max<uint64_t>(Bytes / LineBytes, 1);
  Where = P;
  NumSets = static_cast<uint32_t>(
      SetCount ? SetCount : std::max<uint64_t>(All / WayCount, 1));
  Ways = static_cast<uint32_t>(std::max<uint64_t>(All / NumSets, 1));
  Lines.resize(size_t(NumSets) * Ways);
  Sets.resize(NumSets);
  unsigned Bits = 4;
  while ((size_t(1) << Bits) < Lines.size())
    ++Bits;
  BucketShift = 64 - Bits;
  Buckets.resize(size_t(1) << Bits);
  clear();
}

void SectoredCache::clear() {
  std::fill(Sets.begin(), Sets.end(), Set());
  std::fill(Buckets.begin(), Buckets.end(), None);
}

SectoredCache::Set &SectoredCache::setOf(uint64_t Number) {
  if (Where == Placement::Modulo)
    return Sets[Number % NumSets];
  // The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  uint64_t Mixed = (Number ^ Number >> 30) * 0xbf58476d1ce4e5b9;
  Mixed = (Mixed ^ Mixed >> 27) * 0x94d049bb133111eb;
  Mixed ^= Mixed >> 31;
  return Sets[(Mixed >> 32) * NumSets >> 32];
}

void SectoredCache::unlink(Set &S, uint32_t Index) {
  const CacheLine &L = Lines[Index];
  (L.Newer == None ? S.Newest : Lines[L.Newer].Older) = L.Older;
  (L.Older == None ? S.Oldest : Lines[L.Older].Newer) = L.Newer;
}

void SectoredCache::makeNewest(Set &S, uint32_t Index) {
  CacheLine &L = Lines[Index];
  L.Newer = None;
  L.Older = S.Newest;
  (S.Newest == None ? S.Oldest : Lines[S.Newest].Newer) = Index;
  S.Newest = Index;
}

uint32_t SectoredCache::takeOldest(Set &S, CacheLine *Evicted) {
  const uint32_t Index = S.Oldest;
  CacheLine &L = Lines[Index];
  if (L.Dirty && Evicted)
    *Evicted = L;
  uint32_t *Link = &bucketOf(L.Number);
  while (*Link != Index)
    Link = &Lines[*Link].NextInBucket;
  *Link = L.NextInBucket;
  unlink(S, Index);
  return Index;
}

/// Line \p Number, which is at \p Index, or nowhere.
CacheLine &SectoredCache::makeNewest(uint64_t Number, uint32_t Index,
                                     CacheLine *Evicted) {
  Set &S = setOf(Number);
  if (Index != None) {
    unlink(S, Index);
    makeNewest(S, Index);
    return Lines[Index];
  }
  Index = S.Used < Ways
              ? static_cast<uint32_t>(&S - Sets.data()) * Ways + S.Used++
              : takeOldest(S, Evicted);
  CacheLine &L = Lines[Index];
  L.Number = Number;
  L.Valid = L.Dirty = 0;
  uint32_t &Bucket = bucketOf(Number);
  L.NextInBucket = Bucket;
  Bucket = Index;
  makeNewest(S, Index);
  return L;
}

} // namespace ferry::sim
