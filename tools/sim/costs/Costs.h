//===- Costs.h - What device code costs as machine code -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IR is not machine code: these are estimates. The simulator asks for those of
// the code after the IR passes of the NVPTX backend, before the log is
// inserted; the passes for those of a kernel that they may stage data of.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_COSTS_H
#define FERRY_SIM_COSTS_H

#include "../engine/SimABI.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"

#include <array>

namespace ferry::sim {

/// Metadata of instructions that are the simulator's and do not count.
constexpr char OwnMark[] = "ferry.own";
/// The engine's function for asynchronous copies.
constexpr char CopyFunction[] = "ferry_sim_copy_async";

/// What the machine code of a function is estimated to take.
struct FunctionCost {
  unsigned Registers = 0; ///< of 32 bits, live at once
  uint64_t LocalBytes = 0;
};

/// Machine instructions by pipe, times WorkScale.
using Work = std::array<unsigned, NumPipes>;

class FunctionCosts {
public:
  explicit FunctionCosts(llvm::Function &F);

  /// The work of one execution of \p B.
  Work workOf(const llvm::BasicBlock &B) const;
  /// The work of one execution of \p I alone.
  static Work workOf(const llvm::Instruction &I);
  /// The machine code of \p B, in bytes; of a loop that ptxas unrolls, of all
  /// iterations.
  uint64_t codeBytes(const llvm::BasicBlock &B) const;
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
