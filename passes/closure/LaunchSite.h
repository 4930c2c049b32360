//===- LaunchSite.h - The kernel launches of a host module ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_LAUNCHSITE_H
#define FERRY_CLOSURE_LAUNCHSITE_H

#include "Refusal.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <variant>

namespace llvm {
class CallBase;
class CallInst;
class Function;
class Module;
class Value;
} // namespace llvm

namespace ferry {

/// One launch: a call of `__tgt_target_kernel` and what surrounds it.
struct LaunchSite {
  llvm::CallInst *Call = nullptr;
  llvm::StringRef KernelName;
  /// The host version of the kernel: its parameters are the entries with
  /// TARGET_PARAM, in order. Null under -fopenmp-offload-mandatory.
  llvm::Function *Kernel = nullptr;
  /// The launch may return before the kernel is done.
  bool NoWait = true;
  /// Map type of every entry.
  llvm::SmallVector<uint64_t> Types;
  /// Size of every entry where it is a constant.
  llvm::SmallVector<std::optional<uint64_t>> Sizes;
  /// Entry of each parameter of the kernel.
  llvm::SmallVector<unsigned> EntryOfArgument;
  /// The host fallback's arguments, by parameter; null where they are not
  /// known at the launch. In a task they lead to the task's private copies.
  llvm::SmallVector<llvm::Value *> FallbackArguments;
};

/// The calls in \p M that launch kernels.
llvm::SmallVector<llvm::CallBase *> findLaunches(llvm::Module &M);

/// Name of the kernel that \p Call launches; empty if it cannot be told.
llvm::StringRef launchedKernel(const llvm::CallBase &Call);

/// Reads what surrounds \p Call, or tells why that is not possible.
std::variant<LaunchSite, Refusal> readLaunch(llvm::CallBase &Call);

} // namespace ferry

#endif // FERRY_CLOSURE_LAUNCHSITE_H
