//===- IndexResidue.h - What is known of an index modulo a number -*- C++ -*-=//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_INDEXRESIDUE_H
#define FERRY_CLOSURE_INDEXRESIDUE_H

#include <cstdint>

namespace llvm {
class ScalarEvolution;
class Value;
} // namespace llvm

namespace ferry {

/// All values of an index are First plus a multiple of Step; Step 0: First.
struct IndexResidue {
  int64_t First;
  uint64_t Step;
};

/// What is known of the integer \p Index: 2 * i + 1 is 1 modulo 2. Where Step
/// is not 0, First is from 0 to Step - 1.
IndexResidue indexResidue(llvm::Value *Index, llvm::ScalarEvolution &SE);

} // namespace ferry

#endif // FERRY_CLOSURE_INDEXRESIDUE_H
