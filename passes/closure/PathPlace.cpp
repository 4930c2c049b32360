//===- PathPlace.cpp - Where in an object a pointer lies ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathPlace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;

namespace ferry {

/// More indices than this are taken for one.
static constexpr size_t MaxIndices = 4;

bool PathPlace::bounded() const {
  return all_of(Indices, [](const PathIndex &I) { return I.Count != 0; });
}

uint64_t PathPlace::combinations() const {
  uint64_t Number = 1;
  for (const PathIndex &I : Indices)
    if (I.Count)
      Number = SaturatingMultiply(Number, I.Count);
  return Number;
}

uint64_t PathPlace::unboundedStride() const {
  uint64_t Stride = 0;
  for (const PathIndex &I : Indices)
    if (I.Count == 0)
      Stride = std::gcd(Stride, I.Stride);
  return Stride;
}

void PathPlace::add(PathIndex Index) {
  if (Index.Stride == 0 || Index.Count == 1)
    return;
  auto Covers = [](const PathIndex &Wide, const PathIndex &Narrow) {
    return Narrow.Count == 0 && Wide.Stride % Narrow.Stride == 0;
  };
  if (any_of(Indices, [&](const PathIndex &I) { return Covers(Index, I); }))
    return;
  erase_if(Indices, [&](const PathIndex &I) { return Covers(I, Index); });
  for (PathIndex &I : Indices)
    if (I.Stride == Index.Stride) {
      I.Count += Index.Count - 1;
      return;
    }
  if (Indices.size() == MaxIndices) {
    for (const PathIndex &I : Indices)
      Index.Stride = std::gcd(Index.Stride, I.Stride);
    Index.Count = 0;
    Indices.clear();
  }
  Indices.insert(lower_bound(Indices, Index,
                             [](const PathIndex &A, const PathIndex &B) {
                               return A.Stride > B.Stride;
                             }),
                 Index);
}

void PathPlace::join(const PathPlace &Other) {
  for (const PathIndex &I : Other.Indices)
    if (!is_contained(Indices, I))
      add({I.Stride, 0});
  add({static_cast<uint64_t>(std::abs(Other.Offset - Offset)), 0});
}

void PathPlace::print(raw_ostream &OS) const {
  OS << (Offset < 0 ? "" : "+") << Offset;
  char Name = 'i';
  for (const PathIndex &I : Indices) {
    OS << " + " << Name << " * " << I.Stride;
    if (I.Count)
      OS << " (" << Name << " < " << I.Count << ")";
    ++Name;
  }
}

bool PathArray::holds(const PathPlace &P) const {
  return P.Indices == Begin.Indices && P.Offset >= Begin.Offset &&
         P.Offset - Begin.Offset < static_cast<int64_t>(Bytes);
}

void PathArray::addIndex(PathPlace &P, uint64_t Stride) const {
  uint64_t First = static_cast<uint64_t>(P.Offset - Begin.Offset) % Stride;
  P.Offset = Begin.Offset + static_cast<int64_t>(First);
  P.add({Stride, (Bytes - First + Stride - 1) / Stride});
}

} // namespace ferry
