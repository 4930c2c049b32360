//===- SharedShadow.cpp - Who touched which word of shared memory ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedShadow.h"

#include <algorithm>
#include <utility>

namespace ferry::sim {

/// The bytes of word \p Index that [Offset, End) covers.
static uint8_t bytesOf(uint64_t Index, uint64_t Offset, uint64_t End) {
  const uint64_t Begin = Index * 4;
  uint8_t Mask = 0xf;
  if (Offset > Begin)
    Mask &= 0xf << (Offset - Begin);
  if (End < Begin + 4)
    Mask &= 0xf >> (Begin + 4 - End);
  return Mask;
}

/// Forgets what \p C knows of other blocks and epochs.
void SharedShadow::begin(Cell &C, const Access &A) {
  if (C.Block != A.Block) {
    C = Cell();
    C.Block = A.Block;
    C.Epoch = A.Epoch;
  } else if (C.Epoch != A.Epoch) {
    C.Epoch = A.Epoch;
    C.Writer.Happened = C.Reader.Happened = C.OtherReader.Happened = false;
  }
}

/// Calls \p Act for the cells of the bytes \p Mask of word \p Index.
template <typename Action>
void SharedShadow::forCells(uint64_t Index, uint8_t Mask, const Access &A,
                            Action Act) {
  Cell &Word = Words[Index];
  begin(Word, A);
  if (Mask == 0xf && !Word.Split) {
    Act(Word);
    return;
  }
  if (Bytes.size() < Words.size() * 4)
    Bytes.resize(Words.size() * 4);
  if (!Word.Split) {
    std::fill_n(&Bytes[Index * 4], 4, Word);
    Word.Split = true;
  }
  for (unsigned B = 0; B < 4; ++B)
    if (Mask >> B & 1) {
      begin(Bytes[Index * 4 + B], A);
      Act(Bytes[Index * 4 + B]);
    }
}

SharedShadow::Answer SharedShadow::readCells(uint64_t Offset, uint64_t End,
                                             const Access &A) {
  Answer Result;
  for (uint64_t I = Offset / 4; I * 4 < End; ++I) {
    // Padding is copied without ever having been written: one byte is enough.
    bool Written = A.Quiet;
    forCells(I, bytesOf(I, Offset, End), A, [&](Cell &C) {
      Written |= C.Written;
      if (A.Quiet)
        return;
      if (races(C.Writer, A))
        Result = {Verdict::Race, C.Writer.Thread, /*OtherWrites=*/true};
      noteRead(C, A);
    });
    if (!Written)
      return {Verdict::Uninitialized};
  }
  return Result;
}

SharedShadow::Answer SharedShadow::writeCells(uint64_t Offset, uint64_t End,
                                              const Access &A) {
  Answer Result;
  for (uint64_t I = Offset / 4; I * 4 < End; ++I)
    forCells(I, bytesOf(I, Offset, End), A, [&](Cell &C) {
      C.Written = true;
      if (A.Quiet)
        return;
      for (const Event *E : {&C.OtherReader, &C.Reader, &C.Writer})
        if (races(*E, A))
          Result = {Verdict::Race, E->Thread, E == &C.Writer};
      note(C.Writer, A);
    });
  return Result;
}

} // namespace ferry::sim
