//===- CheckPlanner.h - What a launch is looked at for ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_CHECKPLANNER_H
#define FERRY_CLOSURE_CHECKPLANNER_H

#include "LaunchPlanner.h"
#include "ferry/CheckPlan.h"

namespace ferry {

/// Accesses through a pointer of a PlannedCheck.
struct PlannedUse {
  uint32_t Range; ///< in PlannedCheck::Ranges
  uint32_t Size;
  unsigned Line;
  std::string File;
};

/// A pointer, as CheckPointer has it.
struct PlannedPointer {
  int32_t Parent = -1;
  uint32_t Entry = 0;
  int64_t Offset = 0;
  uint32_t Word = 0; ///< 1 + place in PlannedCheck::Ranges, or 0
  uint32_t Stride = 0;
  uint32_t Extent = 0;
  uint32_t Number = 0;
  uint32_t Flags = 0;
  std::string Name;
  std::string Own;
  std::vector<PlannedUse> Uses;
};

/// The checks of one launch, as plain data.
struct PlannedCheck {
  std::string Kernel;
  std::string File;
  unsigned Line = 0;
  std::vector<PlannedPointer> Pointers;
  std::vector<AccessRange> Ranges;

  void print(llvm::raw_ostream &OS) const;
};

/// What the launch \p Site is looked at for. Without \p Region or without
/// complete uses nothing is said of its pointers.
PlannedCheck planCheck(const LaunchSite &Site, const RegionInfo *Region,
                       const KernelUses &Uses);

/// Name of the source file of \p Call, without its folder.
std::string fileOf(const llvm::CallBase &Call);

} // namespace ferry

#endif // FERRY_CLOSURE_CHECKPLANNER_H
