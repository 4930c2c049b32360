//===- ExecutionMode.cpp - How the threads of a kernel begin --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionMode.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

std::optional<omp::OMPTgtExecModeFlags> executionMode(const Function &Kernel) {
  const GlobalVariable *Environment = Kernel.getParent()->getNamedGlobal(
      (Kernel.getName() + "_kernel_environment").str());
  if (!Environment || !Environment->hasInitializer())
    return std::nullopt;
  // KernelEnvironmentTy begins with ConfigurationEnvironmentTy, whose third
  // byte is the mode (offload/include/Shared/Environment.h).
  const Constant *Configuration =
      Environment->getInitializer()->getAggregateElement(0u);
  auto *Mode = Configuration ? dyn_cast_or_null<ConstantInt>(
                                   Configuration->getAggregateElement(2u))
                             : nullptr;
  if (!Mode)
    return std::nullopt;
  return static_cast<omp::OMPTgtExecModeFlags>(Mode->getZExtValue());
}

} // namespace ferry
