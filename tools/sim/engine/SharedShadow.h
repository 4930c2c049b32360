//===- SharedShadow.h - Who touched which word of shared memory -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each word of 4 bytes: whether this block has written it, and who read and
// wrote it since the last barrier; for each byte once a thread has accessed a
// part of the word. Two lanes race if one of them writes, not both are atomic,
// and neither a barrier of the block nor, within a warp, a synchronisation of
// the warp lies between. Only the last writer and the last two readers are
// kept: every race that is found is one, but not every one is found.
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
    uint16_t Other = 0;       ///< the other thread of a race
    bool OtherWrites = false; ///< that one does
  };

  void resize(uint64_t Bytes) {
    if (Words.size() < (Bytes + 3) / 4)
      Words.resize((Bytes + 3) / 4);
  }

  /// \p Offset and \p Size in bytes, inside the block's shared memory.
  Answer read(uint64_t Offset, uint32_t Size, const Access &A) {
    const uint64_t End = Offset + Size;
    if ((Offset | Size) % 4 || A.Quiet)
      return readCells(Offset, End, A);
    for (; Offset < End; Offset += 4) {
      Cell &C = Words[Offset / 4];
      if (!C.Written || C.Block != A.Block || C.Split)
        return readCells(Offset, End, A);
      if (C.Epoch != A.Epoch) {
        C.Epoch = A.Epoch;
        C.Writer.Happened = C.OtherReader.Happened = false;
        C.Reader = {A.Syncs, A.Thread, A.Atomic, true};
      } else if (!C.Writer.Happened) {
        noteRead(C, A);
      } else {
        return readCells(Offset, End, A);
      }
    }
    return {};
  }
  Answer write(uint64_t Offset, uint32_t Size, const Access &A) {
    const uint64_t End = Offset + Size;
    if ((Offset | Size) % 4 || A.Quiet)
      return writeCells(Offset, End, A);
    for (; Offset < End; Offset += 4) {
      Cell &C = Words[Offset / 4];
      if (C.Block != A.Block || C.Epoch == A.Epoch || C.Split)
        return writeCells(Offset, End, A);
      C.Epoch = A.Epoch;
      C.Reader.Happened = C.OtherReader.Happened = false;
      C.Writer = {A.Syncs, A.Thread, A.Atomic, true};
      C.Written = true;
    }
    return {};
  }

private:
  /// The last that a thread did in an epoch.
  struct Event {
    uint32_t Syncs = 0;
    uint16_t Thread = 0;
    bool Atomic = false;
    bool Happened = false;
  };
  /// What is known of a word, or of a byte of a word that is split.
  struct Cell {
    uint32_t Block = 0, Epoch = 0;
    Event Writer, Reader, OtherReader;
    bool Written = false; ///< ever in this block
    bool Split = false;   ///< its bytes are in Bytes
  };
  std::vector<Cell> Words;
  std::vector<Cell> Bytes; ///< 4 for each word; none before the first is split

  // What read() and write(), which do the most frequent cases, leave over.
  Answer readCells(uint64_t Offset, uint64_t End, const Access &A);
  Answer writeCells(uint64_t Offset, uint64_t End, const Access &A);
  static void begin(Cell &C, const Access &A);
  template <typename Action>
  void forCells(uint64_t Index, uint8_t Mask, const Access &A, Action Act);
  static bool races(const Event &E, const Access &A) {
    return E.Happened && !(E.Atomic && A.Atomic) && E.Thread != A.Thread &&
           (E.Thread / 32 != A.Thread / 32 || E.Syncs == A.Syncs);
  }
  static void note(Event &E, const Access &A) {
    // An atomic access does not undo an ordinary one just before.
    const bool Ordinary =
        E.Happened && !E.Atomic && E.Thread == A.Thread && E.Syncs == A.Syncs;
    E = {A.Syncs, A.Thread, A.Atomic && !Ordinary, true};
  }
  static void noteRead(Cell &C, const Access &A) {
    if (C.Reader.Happened && C.Reader.Thread != A.Thread)
      std::swap(C.Reader, C.OtherReader);
    note(C.Reader, A);
  }
};

} // namespace ferry::sim

#endif // FERRY_SIM_SHAREDSHADOW_H
