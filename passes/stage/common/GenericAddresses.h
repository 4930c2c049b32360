//===- GenericAddresses.h - Addresses as staging reads them --*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_GENERICADDRESSES_H
#define FERRY_STAGE_GENERICADDRESSES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/ValueHandle.h"

namespace ferry {

/// Lets the loads and stores of a kernel use the generic addresses that were
/// cast to global ones for them, as LLVM 22 does early and LLVM 19 at the end.
/// Scalar evolution sees nothing through such a cast. When this goes, what is
/// left of them has its cast again.
class GenericAddresses {
public:
  explicit GenericAddresses(llvm::Function &F);
  GenericAddresses(const GenericAddresses &) = delete;
  GenericAddresses &operator=(const GenericAddresses &) = delete;
  ~GenericAddresses();

private:
  struct Access {
    llvm::WeakVH Instruction; ///< a load or store
    llvm::WeakVH Generic;     ///< its address, while this lives
    llvm::WeakVH Cast;        ///< that address, before
    llvm::Type *Global;       ///< the type of Cast
  };
  llvm::SmallVector<Access, 16> Accesses;
};

} // namespace ferry

#endif // FERRY_STAGE_GENERICADDRESSES_H
