//===- Memory.cpp - Global memory of a simulated device -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace ferry::sim {

// Far from where Linux puts programs, heaps, stacks and libraries.
constexpr uint64_t FirstBase = 0x2000'0000'0000;
constexpr uint64_t BaseStep = 0x0100'0000'0000;
/// Memory of released allocations from this size on goes back to the system.
constexpr uint64_t TrimBytes = 1 << 20;

GlobalMemory::GlobalMemory(unsigned Number, uint64_t Bytes) : Bytes(Bytes) {
  void *Wanted = reinterpret_cast<void *>(FirstBase + Number * BaseStep);
  void *Got = mmap(
      Wanted, Bytes, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (Got == MAP_FAILED) {
    fprintf(stderr,
            "ferry-sim: error: cannot reserve %llu bytes of addresses for "
            "device %u; is there a limit on virtual memory (ulimit -v)?\n",
            static_cast<unsigned long long>(Bytes), Number);
    exit(2);
  }
  Base = reinterpret_cast<uint64_t>(Got);
  Free[Base] = Base + Bytes;
}

GlobalMemory::~GlobalMemory() { munmap(reinterpret_cast<void *>(Base), Bytes); }

bool GlobalMemory::inAnyArena(uint64_t Address) {
  return Address - FirstBase < MostDevices * BaseStep;
}

uint64_t GlobalMemory::footprint(uint64_t Bytes) {
  return (Bytes + GapBytes + AlignBytes - 1) & -AlignBytes;
}

void *GlobalMemory::allocate(uint64_t Wanted) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Wanted > Bytes)
    return nullptr;
  const uint64_t Need = footprint(Wanted);
  // First fit, so that addresses depend on nothing but the calls before.
  for (auto It = Free.begin(); It != Free.end(); ++It) {
    auto [Begin, End] = *It;
    if (End - Begin < Need)
      continue;
    Free.erase(It);
    if (End - Begin > Need)
      Free[Begin + Need] = End;
    Allocations[Begin] = Begin + Wanted;
    Used += Need;
    return reinterpret_cast<void *>(Begin);
  }
  return nullptr;
}

bool GlobalMemory::release(void *Address) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = Allocations.find(reinterpret_cast<uint64_t>(Address));
  if (Found == Allocations.end() || !inArena(Found->first))
    return false;
  uint64_t Begin = Found->first;
  uint64_t End = Begin + footprint(Found->second - Begin);
  Allocations.erase(Found);
  Used -= End - Begin;
  ++Generation;
  if (End - Begin >= TrimBytes)
    madvise(reinterpret_cast<void *>(Begin), End - Begin, MADV_DONTNEED);
  auto Next = Free.lower_bound(Begin);
  if (Next != Free.end() && Next->first == End) {
    End = Next->second;
    Next = Free.erase(Next);
  }
  if (Next != Free.begin() && std::prev(Next)->second == Begin)
    std::prev(Next)->second = End;
  else
    Free[Begin] = End;
  return true;
}

void GlobalMemory::addForeign(const void *Address, uint64_t Bytes) {
  std::lock_guard<std::mutex> Guard(Lock);
  const auto Begin = reinterpret_cast<uint64_t>(Address);
  Allocations[Begin] = Begin + Bytes;
}

void GlobalMemory::removeForeign(const void *Address) {
  std::lock_guard<std::mutex> Guard(Lock);
  Allocations.erase(reinterpret_cast<uint64_t>(Address));
  ++Generation;
}

GlobalMemory::Range GlobalMemory::find(uint64_t Address) const {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Next = Allocations.upper_bound(Address);
  if (Next == Allocations.begin())
    return {};
  auto [Begin, End] = *std::prev(Next);
  return Address < End ? Range{Begin, End} : Range{};
}

GlobalMemory::Range GlobalMemory::nearest(uint64_t Address) const {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Next = Allocations.upper_bound(Address);
  Range Best;
  uint64_t Distance = UINT64_MAX;
  if (Next != Allocations.end()) {
    Best = {Next->first, Next->second};
    Distance = Next->first - Address;
  }
  if (Next != Allocations.begin()) {
    auto [Begin, End] = *std::prev(Next);
    if (Address < End || Address - End < Distance)
      Best = {Begin, End};
  }
  return Best;
}

} // namespace ferry::sim
