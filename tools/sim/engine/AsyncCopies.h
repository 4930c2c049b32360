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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

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
  /// Makes a group of the copies since the last one; it may be empty. \p Done:
  /// instructions that the lane has done.
  void commit(uint64_t Done) { DoneAt[Groups++ % MostKept] = Done; }
  /// The instructions that the lane had done when the newest group but \p Last
  /// was made.
  uint64_t doneAtCommit(uint32_t Last) const {
    const uint32_t Kept = std::min(Groups, MostKept);
    return Kept ? DoneAt[(Groups - 1 - std::min(Last, Kept - 1)) % MostKept]
                : 0;
  }
  /// Takes the next copy that is in none of the \p Last groups made last, nor
  /// without a group.
  std::optional<AsyncCopy> takeCommitted(uint32_t Last) {
    if (Taken == Copies.size() ||
        uint64_t(Copies[Taken].Group) + Last >= Groups)
      return std::nullopt;
    AsyncCopy C = Copies[Taken++];
    if (Taken > MostTaken) {
      Copies.erase(Copies.begin(), Copies.begin() + MostTaken);
      Taken -= MostTaken;
    }
    return C;
  }
  std::vector<AsyncCopy> pending() const {
    return {Copies.begin() + static_cast<ptrdiff_t>(Taken), Copies.end()};
  }
  void clear() {
    Copies.clear();
    Taken = 0;
    Groups = 0;
  }

private:
  static constexpr ptrdiff_t MostTaken = 64;
  static constexpr uint32_t MostKept = 8; // groups; more are rarely under way
  std::vector<AsyncCopy> Copies; ///< in order, the first Taken of them done
  size_t Taken = 0;
  uint32_t Groups = 0;
  uint64_t DoneAt[MostKept] = {};
};

/// The parts of a block's shared memory that copies are on their way to, as the
/// reader of the logs knows them. Offsets and sizes are in bytes.
class CopyTargets {
public:
  bool empty() const { return !Pending; }
  /// The thread whose copy is on its way to [\p Offset, \p Offset + \p Size).
  std::optional<uint16_t> find(uint64_t Offset, uint32_t Size) const {
    const uint64_t End =
        std::min<uint64_t>((Offset + Size + 3) / 4, Words.size());
    for (uint64_t I = End; I > Offset / 4; --I)
      if (Words[I - 1])
        return static_cast<uint16_t>(Words[I - 1] - 1);
    return std::nullopt;
  }
  /// Copies have 4, 8 or 16 bytes and go to a multiple of that.
  void add(uint64_t Offset, uint32_t Size, uint16_t Thread) {
    if (Words.size() < (Offset + Size) / 4)
      Words.resize((Offset + Size) / 4);
    for (uint64_t I = Offset / 4; I < (Offset + Size) / 4; ++I) {
      Pending += !Words[I];
      Words[I] = Thread + 1;
    }
  }
  /// What another thread's copy is on its way to, is left.
  void remove(uint64_t Offset, uint32_t Size, uint16_t Thread) {
    const uint64_t End = std::min<uint64_t>((Offset + Size) / 4, Words.size());
    for (uint64_t I = Offset / 4; I < End; ++I)
      if (Words[I] == Thread + 1u) {
        Words[I] = 0;
        --Pending;
      }
  }
  void clear() {
    if (Pending)
      std::fill(Words.begin(), Words.end(), 0);
    Pending = 0;
  }

private:
  std::vector<uint32_t> Words; ///< of 4 bytes: thread of the block + 1, or 0
  uint64_t Pending = 0;        ///< words that are not 0
};

} // namespace ferry::sim

#endif // FERRY_SIM_ASYNCCOPIES_H
