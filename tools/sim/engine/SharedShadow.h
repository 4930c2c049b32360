//===- SharedShadow.h - Who touched which word of shared memory -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each word of 4 bytes: whether this block has written it, and who read and
// wrote it since the last barrier. Two lanes race if one of them writes, not
// both are atomic, and neither a barrier of the block nor, within a warp, a
// synchronisation of the warp lies between. Only the last writer and the last
// two readers are kept: of several races on a word one is found.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_SHAREDSHADOW_H
#define FERRY_SIM_SHAREDSHADOW_H

#include <cstdint>
#include <vector>

namespace ferry::sim {

class SharedShadow {
public:
  /// Who accesses, and when.
  struct Access {
    uint32_t Block;  ///< tag of the block
    uint32_t Epoch;  ///< barriers it has passed
    uint16_t Thread; ///< within the block
    uint32_t Syncs;  ///< synchronisations of the thread's warp
    bool Atomic;     ///< atomic, or volatile
    bool Quiet;      ///< of the device runtime: never part of a race
  };
  enum class Verdict { Fine, Uninitialized, Race };
  struct Answer {
    Verdict What = Verdict::Fine;
    uint16_t Other = 0; ///< the other thread of a race
  };

  void resize(uint64_t Bytes) {
    if (Words.size() < (Bytes + 3) / 4)
      Words.resize((Bytes + 3) / 4);
  }

  /// \p Offset and \p Size in bytes, inside the block's shared memory.
  Answer read(uint64_t Offset, uint32_t Size, const Access &A);
  Answer write(uint64_t Offset, uint32_t Size, const Access &A);

private:
  struct Word {
    uint32_t Block = 0, Epoch = 0;
    uint32_t WriterSyncs = 0, ReaderSyncs = 0, OtherSyncs = 0;
    uint16_t Writer = 0, Reader = 0, OtherReader = 0;
    uint8_t Written = 0;             ///< bytes, ever in this block
    uint8_t WriteMask = 0, ReadMask = 0; ///< bytes, in this epoch
    bool AtomicWrite = false, AtomicRead = false;
  };
  std::vector<Word> Words;

  Word &at(uint64_t Index, const Access &A);
  static bool ordered(uint16_t Other, uint32_t OtherSyncs, const Access &A) {
    return Other == A.Thread ||
           (Other / 32 == A.Thread / 32 && OtherSyncs != A.Syncs);
  }
};

} // namespace ferry::sim

#endif // FERRY_SIM_SHAREDSHADOW_H
