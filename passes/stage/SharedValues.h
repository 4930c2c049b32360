//===- SharedValues.h - Parameters in shared memory -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_SHAREDVALUES_H
#define FERRY_STAGE_SHAREDVALUES_H

#include "llvm/IR/PassManager.h"

namespace ferry {

/// The pass ferry-shared-values. See SharedValues.cpp.
class SharedValuesPass : public llvm::PassInfoMixin<SharedValuesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace ferry

#endif // FERRY_STAGE_SHAREDVALUES_H
