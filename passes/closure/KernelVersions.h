//===- KernelVersions.h - Which version of a kernel is launched -*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that staging has changed needs registers and shared memory for that,
// also in a launch whose rows turn out too short. So the device's object has it
// twice: as K, and, as it would be without staging, as K_unstaged. What a
// launch has to be for K to be worth it, the device's compilation leaves beside
// its other evidence (DeviceEvidence.h), and the host's puts the question
// before the launch:
//
// Before:
//   %rc = call i32 @__tgt_target_kernel(..., ptr @.K.region_id, ptr %args)
//
// After:
//   store i64 %n, ptr %arguments
//   call void @ferry.ranges(ptr %arguments, ptr %values)
//   %trips = load i64, ptr %values
//   %long = icmp sge i64 %trips, 24
//   %region = select i1 %long, ptr @.K.region_id, ptr @.K_unstaged.region_id
//   %rc = call i32 @__tgt_target_kernel(..., ptr %region, ptr %args)
//
// The choice is one of time alone: K asks again what the launch cannot know,
// and both compute the same. Where something is not known, K is launched, as it
// is in a program for devices of which one does not have both.
//
// Source of the idea: versions of a kernel that are chosen when it is launched
// are what people write by hand; LLVM's loop versioning asks within the
// function.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_KERNELVERSIONS_H
#define FERRY_CLOSURE_KERNELVERSIONS_H

#include "KernelParameters.h"
#include "LaunchSite.h"
#include "RangeExpression.h"

namespace ferry {

/// A value that the launch computes, and between which limits it has to be.
struct LaunchDemand {
  AccessRange Value; ///< First and Last are the same
  int64_t Least = INT64_MIN, Most = INT64_MAX;
};

/// Demands all of which have to be met.
using LaunchDemands = std::vector<LaunchDemand>;

/// What a launch has to be for a kernel's staged version: what one of these
/// says. Arguments are counted as in the kernel's host version; those behind
/// them are its words (KernelParameters.h).
using VersionChoice = std::vector<LaunchDemands>;

/// What is added to the name of a kernel's version without staging.
inline constexpr char UnstagedSuffix[] = "_unstaged";

/// Prints \p Choice for tests and people.
void print(llvm::raw_ostream &OS, const VersionChoice &Choice);

/// Gives the kernel \p To all that libomptarget and LLVM know of \p From by its
/// name, in a module of the device's.
void copyKernelIdentity(const llvm::Function &From, llvm::Function &To);

/// Has the launch \p Site choose between the versions of the kernel that is
/// called \p Name on the device and takes \p Words, by \p Choice, as far as
/// \p Region, which may be null, tells what the host can read. Before the
/// launch is rewritten. \returns whether it does now: not where the launch
/// knows too little, nor a second time.
bool chooseVersion(const LaunchSite &Site, const RegionInfo *Region,
                   llvm::StringRef Name, const KernelWords &Words,
                   const VersionChoice &Choice);

} // namespace ferry

#endif // FERRY_CLOSURE_KERNELVERSIONS_H
