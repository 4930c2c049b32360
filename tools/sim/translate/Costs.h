//===- Costs.h - What device code costs as machine code -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IR is not machine code: these are estimates, from the code after the IR
// passes of the NVPTX backend. Everything is asked for before the log is
// inserted.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_COSTS_H
#define FERRY_SIM_COSTS_H

#include "Translate.h"

#include "llvm/ADT/DenseMap.h"

#include <array>

namespace ferry::sim {

/// Machine instructions by pipe, times WorkScale.
using Work = std::array<unsigned, NumPipes>;

class FunctionCosts {
public:
  explicit FunctionCosts(llvm::Function &F);

  /// The work of one execution of \p B.
  Work workOf(const llvm::BasicBlock &B) const;
  /// BeginsEpoch and InUnrolled, for a load or an atomic operation.
  unsigned epochFlags(const llvm::Instruction &I) const {
    return Epochs.lookup(&I);
  }
  /// Registers and local memory of this function alone.
  FunctionCost total() const;

private:
  llvm::Function &F;
  /// Innermost loops of one block, which ptxas unrolls.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> Unrolled;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Epochs;

  void findEpochs(const llvm::BasicBlock &B);
  unsigned mostLive() const;
};

} // namespace ferry::sim

#endif // FERRY_SIM_COSTS_H
