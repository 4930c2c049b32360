//===- Arrivals.cpp - Pointers that devices have made ---------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrivals.h"
#include <cstring>

namespace ferry::check {

Arrivals &arrivals() {
  static Arrivals &A = *new Arrivals;
  return A;
}

static constexpr uint64_t WordSize = sizeof(char *);

void Arrivals::note(const char *Host, uint64_t Size, const char *Before,
                    const char *Arrived) {
  if (Size < WordSize || memcmp(Before, Arrived, Size) == 0)
    return;
  std::lock_guard Guard(Lock);
  if (Pieces.size() >= MaxPieces && !Pieces.count(Host))
    Pieces.clear();
  Piece &P = Pieces[Host];
  if (P.Bytes.size() != Size)
    P.Changed.assign(Size / WordSize, false);
  P.Bytes.assign(Arrived, Arrived + Size);
  for (uint64_t I = 0; I < P.Changed.size(); ++I)
    if (memcmp(Before + I * WordSize, Arrived + I * WordSize, WordSize) != 0)
      P.Changed[I] = true;
}

bool Arrivals::has(const char *Pointer) const {
  std::lock_guard Guard(Lock);
  for (const auto &[Host, P] : Pieces)
    for (uint64_t I = 0; I < P.Changed.size(); ++I) {
      const char *Word = nullptr;
      memcpy(&Word, P.Bytes.data() + I * WordSize, WordSize);
      if (P.Changed[I] && Word == Pointer)
        return true;
    }
  return false;
}

} // namespace ferry::check
