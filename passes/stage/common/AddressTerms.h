//===- AddressTerms.h - What addresses are the sum of -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each value is taken apart by itself, and whoever asks goes on with the terms:
// IndexPolynomial multiplies them out, for the distances between elements that
// stencils and nests read; NestAddresses.cpp asks of which loops they are.
// Rows are read from loops whose addresses scalar evolution has taken apart
// (LoopForm.h, ThreadStrides.h). The mapping's AccessPaths follow loads from
// parameters of kernels on: which objects there are, not which elements.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_ADDRESSTERMS_H
#define FERRY_STAGE_ADDRESSTERMS_H

#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class DataLayout;
class Value;
} // namespace llvm

namespace ferry {

/// Factor times the low bits of a value, as they are or extended.
struct AddressTerm {
  enum Extension { None, Sign, Zero }; ///< Sign if it makes no difference

  llvm::Value *V;
  int64_t Factor;
  unsigned Bits;
  Extension Extended = None;
};

struct AddressTerms {
  llvm::SmallVector<AddressTerm, 3> Terms;
  int64_t Constant = 0;
};

/// The sum that the low \p Bits bits of \p V are, if nothing wraps: an address
/// is that of a pointer and of indices. Nothing if \p V is no such sum.
std::optional<AddressTerms> termsOf(llvm::Value &V, unsigned Bits,
                                    const llvm::DataLayout &DL);

} // namespace ferry

#endif // FERRY_STAGE_ADDRESSTERMS_H
