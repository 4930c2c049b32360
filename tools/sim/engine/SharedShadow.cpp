//===- SharedShadow.cpp - Who touched which word of shared memory ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedShadow.h"

namespace ferry::sim {

/// The bytes of word \p Index that [Offset, Offset + Size) covers.
static uint8_t bytesOf(uint64_t Index, uint64_t Offset, uint32_t Size) {
  const uint64_t Begin = Index * 4, End = Offset + Size;
  uint8_t Mask = 0xf;
  if (Offset > Begin)
    Mask &= 0xf << (Offset - Begin);
  if (End < Begin + 4)
    Mask &= 0xf >> (Begin + 4 - End);
  return Mask;
}

SharedShadow::Word &SharedShadow::at(uint64_t Index, const Access &A) {
  Word &W = Words[Index];
  if (W.Block != A.Block) {
    W = Word();
    W.Block = A.Block;
    W.Epoch = A.Epoch;
  } else if (W.Epoch != A.Epoch) {
    W.Epoch = A.Epoch;
    W.WriteMask = W.ReadMask = 0;
  }
  return W;
}

SharedShadow::Answer SharedShadow::read(uint64_t Offset, uint32_t Size,
                                        const Access &A) {
  Answer Result;
  for (uint64_t I = Offset / 4; I * 4 < Offset + Size; ++I) {
    Word &W = at(I, A);
    const uint8_t Mask = bytesOf(I, Offset, Size);
    // Padding is copied without ever having been written: one byte is enough.
    if (!(W.Written & Mask) && !A.Quiet)
      return {Verdict::Uninitialized, 0};
    if ((W.WriteMask & Mask) && !A.Quiet && !(A.Atomic && W.AtomicWrite) &&
        !ordered(W.Writer, W.WriterSyncs, A))
      Result = {Verdict::Race, W.Writer};
    if (A.Quiet)
      continue;
    if (!W.ReadMask) {
      W.OtherReader = A.Thread;
      W.OtherSyncs = A.Syncs;
    } else if (W.Reader != A.Thread) {
      W.OtherReader = W.Reader;
      W.OtherSyncs = W.ReaderSyncs;
    }
    W.AtomicRead = A.Atomic && (!W.ReadMask || W.AtomicRead);
    W.ReadMask |= Mask;
    W.Reader = A.Thread;
    W.ReaderSyncs = A.Syncs;
  }
  return Result;
}

SharedShadow::Answer SharedShadow::write(uint64_t Offset, uint32_t Size,
                                         const Access &A) {
  Answer Result;
  for (uint64_t I = Offset / 4; I * 4 < Offset + Size; ++I) {
    Word &W = at(I, A);
    const uint8_t Mask = bytesOf(I, Offset, Size);
    W.Written |= Mask;
    if (A.Quiet)
      continue;
    if ((W.WriteMask & Mask) && !(A.Atomic && W.AtomicWrite) &&
        !ordered(W.Writer, W.WriterSyncs, A))
      Result = {Verdict::Race, W.Writer};
    else if ((W.ReadMask & Mask) && !(A.Atomic && W.AtomicRead)) {
      if (!ordered(W.Reader, W.ReaderSyncs, A))
        Result = {Verdict::Race, W.Reader};
      else if (!ordered(W.OtherReader, W.OtherSyncs, A))
        Result = {Verdict::Race, W.OtherReader};
    }
    W.WriteMask |= Mask;
    W.Writer = A.Thread;
    W.WriterSyncs = A.Syncs;
    W.AtomicWrite = A.Atomic;
  }
  return Result;
}

} // namespace ferry::sim
