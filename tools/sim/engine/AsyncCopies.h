//===- AsyncCopies.h - Copies to shared memory that are under way ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy that a lane starts (PTX ISA, "Data Movement and Conversion
// Instructions: Non-bulk copy") arrives when the lane waits for its group, and
// not before: a program that forgets to wait never gets its data by chance.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_ASYNCCOPIES_H
#define FERRY_SIM_ASYNCCOPIES_H

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace ferry::sim {

struct AsyncCopy {
  char *To;
  const char *From;
  uint32_t Size;   ///< bytes written, at most MaxBytes
  uint32_t Bytes;  ///< bytes read, the first ones; the others become 0
  uint32_t Number; ///< of its load; the instructions behind it are its store
                   ///< and its arrival
  static constexpr uint32_t MaxBytes = 16;
  char Source[MaxBytes]; ///< what From held at the start
  uint32_t Group = 0;    ///< the queue's
};

/// The copies that one lane has started and not waited for.
class CopyQueue {
public:
  void start(const AsyncCopy &C) {
    Copies.push_back(C);
    Copies.back().Group = Groups;
  }
  /// Makes a group of the copies since the last one; it may be empty.
  void commit() { ++Groups; }
  /// Takes the next copy that is in none of the \p Last groups made last, nor
  /// without a group.
  std::optional<AsyncCopy> takeCommitted(uint32_t Last) {
    if (Copies.empty() || uint64_t(Copies.front().Group) + Last >= Groups)
      return std::nullopt;
    return takeAny();
  }
  std::optional<AsyncCopy> takeAny() {
    if (Copies.empty())
      return std::nullopt;
    AsyncCopy C = Copies.front();
    Copies.pop_front();
    return C;
  }
  const std::deque<AsyncCopy> &pending() const { return Copies; }

private:
  std::deque<AsyncCopy> Copies;
  uint32_t Groups = 0;
};

/// The parts of a block's shared memory that copies are on their way to, as the
/// reader of the logs knows them. Offsets and sizes are in bytes.
class CopyTargets {
public:
  bool empty() const { return Targets.empty(); }
  /// The thread whose copy is on its way to [\p Offset, \p Offset + \p Size).
  std::optional<uint16_t> find(uint64_t Offset, uint32_t Size) const {
    auto Next = Targets.lower_bound(Offset + Size);
    if (Next == Targets.begin())
      return std::nullopt;
    const auto &[Begin, Last] = *std::prev(Next);
    return Begin + Last.Size > Offset ? std::optional(Last.Thread)
                                      : std::nullopt;
  }
  /// Nothing may be on its way there.
  void add(uint64_t Offset, uint32_t Size, uint16_t Thread) {
    Targets[Offset] = {Size, Thread};
  }
  void remove(uint64_t Offset, uint16_t Thread) {
    auto Found = Targets.find(Offset);
    if (Found != Targets.end() && Found->second.Thread == Thread)
      Targets.erase(Found);
  }
  void clear() { Targets.clear(); }

private:
  struct Target {
    uint32_t Size;
    uint16_t Thread; ///< within the block
  };
  std::map<uint64_t, Target> Targets; ///< by offset; none overlaps another
};

} // namespace ferry::sim

#endif // FERRY_SIM_ASYNCCOPIES_H
