//===- MemoryModel.cpp - What a warp's access costs -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryModel.h"

#include <algorithm>
#include <cstring>

namespace ferry::sim {

AccessShape shapeOf(const WarpAccess &A) {
  // Without branches in the loops, so that they are vectorised.
  if (A.Mask == 0xffffffffu) {
    uint64_t Differs = 0, Gaps = 0;
    for (uint64_t L = 0; L < 32; ++L) {
      Differs |= A.Address[L] ^ A.Address[0];
      Gaps |= A.Address[L] ^ (A.Address[0] + L * A.Size);
    }
    return !Gaps      ? AccessShape::Consecutive
           : !Differs ? AccessShape::Same
                      : AccessShape::Other;
  }
  const uint64_t First = A.Address[__builtin_ctz(A.Mask)];
  for (uint32_t Rest = A.Mask; Rest; Rest &= Rest - 1)
    if (A.Address[__builtin_ctz(Rest)] != First)
      return AccessShape::Other;
  return AccessShape::Same;
}

unsigned sectorsOf(const WarpAccess &A, uint64_t *Sectors) {
  unsigned Num = 0;
  uint64_t Highest = 0;
  for (uint32_t Rest = A.Mask; Rest; Rest &= Rest - 1) {
    const uint64_t Begin = A.Address[__builtin_ctz(Rest)];
    const uint64_t Last = (Begin + A.Size - 1) >> SectorShift;
    for (uint64_t S = Begin >> SectorShift; S <= Last; ++S) {
      // Most accesses ascend: the search is for the others.
      if (!Num || S > Highest) {
        Sectors[Num++] = Highest = S;
      } else if (S != Highest &&
                 std::find(Sectors, Sectors + Num, S) == Sectors + Num) {
        Sectors[Num++] = S;
      }
    }
  }
  return Num;
}

namespace {

/// The words that a part of a warp wants from each bank.
class BankWords {
public:
  void add(uint64_t Address, uint32_t Size) {
    const uint64_t Last = (Address + Size - 1) / BankBytes;
    for (uint64_t Word = Address / BankBytes; Word <= Last; ++Word)
      addWord(Word);
  }

  /// Adds the words of \p Other if no bank gets a second one.
  bool merge(const BankWords &Other) {
    if (Most > 1 || Other.Most > 1)
      return false;
    for (unsigned B = 0; B < Banks; ++B)
      if (Count[B] && Other.Count[B] && Words[B][0] != Other.Words[B][0])
        return false;
    for (unsigned B = 0; B < Banks; ++B)
      if (Other.Count[B]) {
        Count[B] = 1;
        Words[B][0] = Other.Words[B][0];
      }
    return true;
  }

  uint32_t wavefronts() const { return Most; }
  void clear() {
    memset(Count, 0, sizeof(Count));
    Most = 0;
  }

private:
  uint8_t Count[Banks] = {};
  uint8_t Most = 0;
  uint64_t Words[Banks][32]; // a lane's words are all in different banks

  void addWord(uint64_t Word) {
    const unsigned B = Word % Banks;
    uint64_t *End = Words[B] + Count[B];
    if (std::find(Words[B], End, Word) != End)
      return;
    *End = Word;
    Most = std::max(Most, ++Count[B]);
  }
};

} // namespace

SharedCost sharedCostOfOther(const WarpAccess &A) {
  const unsigned Parts = partsOf(A.Size);
  SharedCost Cost{0, 0};
  BankWords Pair[2];
  BankWords *Gathered = &Pair[0], *Part = &Pair[1];
  bool Open = false; // Gathered holds parts that are not counted yet
  const unsigned Lanes = 32 / Parts;
  auto Close = [&] {
    if (!Open)
      return;
    Cost.Wavefronts += Gathered->wavefronts();
    Cost.Conflicts += Gathered->wavefronts() - 1;
  };
  for (unsigned P = 0; P < Parts; ++P) {
    Part->clear();
    for (unsigned L = P * Lanes; L < (P + 1) * Lanes; ++L)
      if (A.Mask >> L & 1)
        Part->add(A.Address[L], A.Size);
    if (!Part->wavefronts())
      continue;
    if (Parts == 1)
      return {Part->wavefronts(), Part->wavefronts() - 1};
    if (Open && Gathered->merge(*Part))
      continue;
    Close();
    std::swap(Gathered, Part);
    Open = true;
  }
  Close();
  return Cost;
}

uint32_t atomicPasses(const WarpAccess &A) {
  uint32_t OfBank[Banks] = {}, Most = 0;
  for (uint32_t Rest = A.Mask; Rest; Rest &= Rest - 1)
    Most = std::max(
        Most, ++OfBank[A.Address[__builtin_ctz(Rest)] / BankBytes % Banks]);
  return Most;
}

} // namespace ferry::sim
