//===- PathPosition.h - Where a walk along pointers is ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_PATHPOSITION_H
#define FERRY_CLOSURE_PATHPOSITION_H

#include "PathPlace.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"

namespace llvm {
class ArrayType;
class SCEV;
class Value;
} // namespace llvm

namespace ferry {

/// An address relative to a base: Const + the sum of unknown multiples.
struct PathAddress {
  int64_t Const = 0;
  uint64_t Stride = 0; ///< 0: the address is Const exactly
  bool Up = false;     ///< some term may add
  bool Down = false;   ///< some term may subtract

  /// Adds \p S, \p Factor times.
  void add(const llvm::SCEV *S, int64_t Factor);

private:
  void addTerm(const llvm::SCEV *S, int64_t Factor);
};

/// Where the walk stands: at \p Where of a node's object. \p Base is a value at
/// \p BaseOffset of the object.
struct PathPosition {
  PathPlace Where;
  llvm::Value *Base;
  int64_t BaseOffset;
  bool IsCopy; ///< in a copy of the object on the kernel's own stack
  /// The arrays of the object that the address was made in, the innermost last.
  llvm::SmallVector<std::pair<PathArray, llvm::ArrayType *>, 2> Arrays;

  /// Where \p Pointer leads to.
  static PathPosition atBegin(llvm::Value &Pointer) {
    return {{}, &Pointer, 0, false, {}};
  }

  void enterArray(llvm::ArrayType *Ty, const llvm::DataLayout &DL);

  /// Moves by \p First bytes and a variable number of steps of \p Stride bytes.
  /// An array that is not wider than a step is not what is walked.
  void moveBy(int64_t First, uint64_t Stride);

  /// Moves by \p Bytes, from one element of an array to another. An index of
  /// that array has led to either of them already.
  void moveByConstant(int64_t Bytes);
};

} // namespace ferry

#endif // FERRY_CLOSURE_PATHPOSITION_H
