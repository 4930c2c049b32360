//===- PathWalk.h - Follow a pointer through a kernel -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a parameter of a kernel, inlined and simplified, through all that is
// done with it: to the words that are loaded of the object behind it, and from
// those that are pointers on.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_PATHWALK_H
#define FERRY_CLOSURE_PATHWALK_H

#include "AccessRanges.h"
#include "PathNode.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class DataLayout;
class Function;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace ferry {

/// Numbers of the comparisons in one kernel.
using ComparisonNumbers = llvm::DenseMap<const llvm::Value *, unsigned>;

/// Where what a kernel surely accesses is wanted.
struct CertainRanges {
  AccessRanges &Ranges; ///< none but those
  bool WritesPointers;  ///< by writesPointers
};

/// Adds to \p Root what is done with the object behind \p Argument, a parameter
/// of the kernel that \p SE and \p Ranges are of; with \p Certain, unless that
/// is null, what surely is.
void walkPaths(llvm::Value &Argument, PathNode &Root,
               const llvm::DataLayout &DL, llvm::ScalarEvolution &SE,
               AccessRanges &Ranges, CertainRanges *Certain,
               ComparisonNumbers &Numbers);

/// Whether \p F, a clone of a kernel, may write pointers to memory that others
/// reach.
bool writesPointers(const llvm::Function &F);

} // namespace ferry

#endif // FERRY_CLOSURE_PATHWALK_H
