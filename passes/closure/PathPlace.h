//===- PathPlace.h - Where in an object a pointer lies ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of an object that one load may read: a constant offset and, for
// each array on the way that is indexed by a variable, a stride and a bound.
// For
//
//   struct Row { long N; double *Cells[3]; } Rows[2];   // 32 bytes each
//   Rows[i].Cells[j]
//
// it is +8 + i * 32 (i < 2) + j * 8 (j < 3). Plain data.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_PATHPLACE_H
#define FERRY_CLOSURE_PATHPLACE_H

#include <cstdint>
#include <optional>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace ferry {

/// A variable index on the way to a word.
struct PathIndex {
  uint64_t Stride; ///< bytes from one of its values to the next
  uint64_t Count;  ///< its values are 0 to Count - 1; 0: any, negative as well

  bool operator==(const PathIndex &O) const {
    return Stride == O.Stride && Count == O.Count;
  }
  bool operator<(const PathIndex &O) const {
    return Stride != O.Stride ? Stride < O.Stride : Count < O.Count;
  }
};

/// The words at Offset plus any value of each index times its stride.
struct PathPlace {
  int64_t Offset = 0;
  std::vector<PathIndex> Indices; ///< the widest stride first

  /// One word at a known offset.
  bool constant() const { return Indices.empty(); }
  /// Whether every index has a bound.
  bool bounded() const;
  /// How many combinations of values the bounded indices have, saturating.
  uint64_t combinations() const;
  /// The greatest common divisor of the strides of the indices without bounds;
  /// 0 if there are none.
  uint64_t unboundedStride() const;
  /// Calls \p Visit(offset) for each combination of values of the
  /// bounded indices, with the others at 0.
  template <typename Fn> void forEach(Fn Visit) const;

  void add(PathIndex Index);
  /// Widens this place to one that holds \p Other and all places that steps
  /// from here to \p Other lead to.
  void join(const PathPlace &Other);

  void print(llvm::raw_ostream &OS) const;

  bool operator==(const PathPlace &O) const {
    return Offset == O.Offset && Indices == O.Indices;
  }
  bool operator<(const PathPlace &O) const {
    return Offset != O.Offset ? Offset < O.Offset : Indices < O.Indices;
  }
};

/// An array inside an object: \p Bytes from a place on.
struct PathArray {
  PathPlace Begin;
  uint64_t Bytes;

  /// Whether \p P is in the array, and known to be.
  bool holds(const PathPlace &P) const;
  /// Adds to \p P, which the array holds, an index of \p Stride whose values
  /// lead to no other place than elements of the array.
  void addIndex(PathPlace &P, uint64_t Stride) const;
};

template <typename Fn> void PathPlace::forEach(Fn Visit) const {
  const uint64_t Number = combinations();
  for (uint64_t N = 0; N < Number; ++N) {
    int64_t At = Offset;
    uint64_t Rest = N;
    for (const PathIndex &I : Indices) {
      if (I.Count == 0)
        continue;
      At += static_cast<int64_t>(Rest % I.Count * I.Stride);
      Rest /= I.Count;
    }
    Visit(At);
  }
}

} // namespace ferry

#endif // FERRY_CLOSURE_PATHPLACE_H
