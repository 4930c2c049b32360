//===- LaunchValues.h - Values that a launch gives a kernel -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A captured word is a parameter, or, if its object is mapped, what the kernel
// reads there at its beginning (closure/KernelParameters.h):
//
//   entry:
//     %absent = icmp eq ptr %object, null
//     br i1 %absent, label %go, label %read
//   read:
//     %there = load i64, ptr %object
//     br label %go
//   go:
//     %word = phi i64 [ %parameter, %entry ], [ %there, %read ]
//
// All threads of the launch have the same value. Each reads it before it writes
// anything or waits for anybody, so nothing orders its read behind another
// thread's write: if one changed it, that would be a data race (OpenMP 5.2,
// section 1.4.1).
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_LAUNCHVALUES_H
#define FERRY_STAGE_LAUNCHVALUES_H

namespace llvm {
class Argument;
class SCEV;
class Value;
} // namespace llvm

namespace ferry {

/// Whether \p V, in a kernel, is the same in all threads of a launch, as far as
/// the kernel's parameters, constants and words make it up.
bool isLaunchValue(const llvm::Value *V);

/// Whether \p S is the same in all threads of a launch, in every iteration.
bool isSameEverywhere(const llvm::SCEV *S);

/// The parameter that \p V, a word as above, is if its object is not mapped, or
/// null if \p V is no such word.
const llvm::Argument *parameterOf(const llvm::Value *V);

} // namespace ferry

#endif // FERRY_STAGE_LAUNCHVALUES_H
