//===- CarryBitcodePass.h - The pass ferry-carry-bitcode --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIMULATOR_CARRYBITCODEPASS_H
#define FERRY_SIMULATOR_CARRYBITCODEPASS_H

#include "llvm/IR/PassManager.h"

namespace ferry {

/// `ferry-carry-bitcode`: writes the bitcode of an nvptx module into comments
/// of the PTX that will be made of it.
class CarryBitcodePass : public llvm::PassInfoMixin<CarryBitcodePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

/// `ferry-carry-linked-bitcode`: the same after link-time optimisation.
class CarryLinkedBitcodePass
    : public llvm::PassInfoMixin<CarryLinkedBitcodePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace ferry

#endif // FERRY_SIMULATOR_CARRYBITCODEPASS_H
