//===- PathNode.h - What a kernel does with an object -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_PATHNODE_H
#define FERRY_CLOSURE_PATHNODE_H

#include "PathPlace.h"
#include "RangeExpression.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace ferry {

/// Bytes that a launch surely accesses through a pointer; none, where the range
/// is empty.
struct CertainAccess {
  AccessRange Range;
  /// Of an element of a table, the bytes of the table at which the pointer
  /// lies.
  std::optional<AccessRange> Word;
  uint64_t Size = 0; ///< of one access, in bytes
  unsigned Line = 0; ///< of the first access, 0 if it is not known
  std::string File;

  bool operator==(const CertainAccess &A) const {
    return Range == A.Range && Word == A.Word && Size == A.Size &&
           Line == A.Line && File == A.File;
  }
};

/// An object, seen through a pointer to it, and what the kernel does with it.
struct PathNode {
  /// Pointers loaded at constant offsets.
  std::map<int64_t, std::unique_ptr<PathNode>> Members;
  /// Pointers loaded at variable indices. Places may overlap: a word belongs to
  /// every element, and member, whose place holds it.
  std::map<PathPlace, std::unique_ptr<PathNode>> Elements;
  /// Words read as integers: {offset, size}. They may be pointers.
  llvm::SmallVector<std::pair<int64_t, uint64_t>, 0> IntegerReads;
  /// Bytes read at constant offsets: {offset, size}.
  std::set<std::pair<int64_t, uint64_t>> Reads;
  /// Bytes are also read at offsets that are not constant.
  bool ReadsElsewhere = false;
  /// What is read may have been changed since the kernel's beginning, by other
  /// pointers to the object (ReadOrder.h). A device's compilation uses that for
  /// itself, the host's does not get it.
  bool Changeable = false;

  bool Read = false;
  bool Written = false;
  /// Pointers are stored in it, as such.
  bool PointersStored = false;
  /// Its address goes where the analysis cannot follow.
  bool Escapes = false;
  /// A pointer in a chain that leads back to itself, such as a linked list.
  bool Cyclic = false;
  /// Called: it is a function.
  bool Called = false;
  /// Comparisons and differences in which the pointer takes part, by number.
  std::set<unsigned> Comparisons;
  /// Distances to the words of the object with whose pointers it is compared,
  /// where they are constant: from the begin of a range to its own end.
  std::set<int64_t> ComparedAt;

  /// Bytes accessed at constant offsets, [Begin, End); empty if Begin >= End.
  int64_t Begin = INT64_MAX;
  int64_t End = INT64_MIN;
  /// Accesses lie at or beyond this offset (positive), below it (negative), or
  /// around the pointer (0).
  std::optional<int64_t> Shift;
  /// The bytes accessed, relative to the pointer, or more, if all accesses can
  /// be bounded at the launch.
  std::optional<AccessRange> Range;
  /// Bytes that are surely accessed; only where checks are wanted.
  std::vector<CertainAccess> Certain;

  bool dereferenced() const {
    return Read || Written || !Members.empty() || !Elements.empty();
  }
  bool used() const {
    return dereferenced() || Escapes || !Comparisons.empty();
  }
  bool hasInner() const { return !Members.empty() || !Elements.empty(); }

  PathNode &member(int64_t Offset);
  PathNode &element(const PathPlace &Place);
  void accessed(std::optional<int64_t> Offset, uint64_t Size);
  /// Keeps in Shift the access nearest to the pointer, on the side where all of
  /// them lie; 0 is an access around it.
  void noteShift(int64_t Offset);
  /// Adds all uses of \p Other, of what lies behind it as well.
  void merge(const PathNode &Other);

  /// \p Ranges: with the bytes accessed, where they are not the same at every
  /// launch.
  void print(llvm::raw_ostream &OS, unsigned Indent = 0,
             bool Ranges = false) const;
};

/// The access paths of the parameters of one kernel, as its host version counts
/// them.
using KernelPaths = llvm::SmallVector<PathNode, 0>;

} // namespace ferry

#endif // FERRY_CLOSURE_PATHNODE_H
