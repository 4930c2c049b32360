//===- PointerWords.h - The pointers of an object that are used -*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings together what the access paths say of an object and its layout: which
// words are pointers that the kernel uses, what each is in the source, and all
// uses of it. A constant index and a variable one may lead to the same word.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_POINTERWORDS_H
#define FERRY_CLOSURE_POINTERWORDS_H

#include "AccessPaths.h"
#include "RegionInfo.h"

namespace ferry {

/// A use of a word.
struct WordUse {
  const PathNode *Node;
  /// Where the word would lie if all indices on the way were 0; nothing if
  /// there are none. Words whose distance is that of their bases are members of
  /// the same element.
  std::optional<int64_t> Base;
};

/// A pointer of an object, or several that are used alike.
struct PointerWords {
  int64_t Offset = 0;
  uint64_t Stride = 0;                ///< 0: one word
  uint64_t Count = 1;                 ///< 0: as far as the object goes
  const LayoutItem *Item = nullptr;   ///< of the first; null: not in the layout
  llvm::SmallVector<WordUse, 1> Uses; ///< none: read as an integer
};

/// The pointers of an object that its paths \p Node show, in the order of their
/// offsets. \p Layout describes the object, of \p Size bytes, or is null.
std::vector<PointerWords> usedPointers(const PathNode &Node,
                                       const std::vector<LayoutItem> *Layout,
                                       uint64_t Size);

/// Makes one of each long row of plain pointers in \p Words that are used
/// alike. Short ones stay single: a copy that travels by value has no others.
void joinRows(std::vector<PointerWords> &Words);

} // namespace ferry

#endif // FERRY_CLOSURE_POINTERWORDS_H
