//===- Values.h - Launches of plain values ----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_VALUES_H
#define FERRY_RUNTIME_VALUES_H

#include "Arguments.h"

namespace ferry {
namespace {

/// The way of a plan with the flag Values: copies with pointers to mapped data
/// and nothing else, in as few steps as that takes.
///
/// \returns null where a pointer needs more thought.
abi::KernelArgs *launchValues(const LaunchPlan &Plan, int32_t DeviceNum,
                              abi::KernelArgs &Args, char *const *Sources,
                              const SlotRange *Ranges, char *Memory) {
  char *Image = alignUp(Memory + argumentBytes(Plan.NumEntries + Plan.NumWords),
                        MinImageAlign);
  abi::KernelArgs *New = copyArgs(Plan, Args, Memory);
  uint32_t W = 0;
  for (uint32_t R = 0; R < Plan.NumRoots; ++R) {
    const PlanRoot &Root = Plan.Roots[R];
    const PlanObject &Object = Plan.Objects[Root.Object];
    const char *Host = Sources[R]
                           ? Sources[R]
                           : static_cast<char *>(Args.BasePtrs[Root.Entry]);
    memcpy(Image, Host, Object.Size);
    const PlanSlot *Slot = Plan.Slots + Object.FirstSlot;
    for (uint32_t S = 0; S < Object.NumSlots; ++S, ++Slot) {
      const char *V = load(Host + Slot->Offset);
      if (!V)
        continue;
      if (Slot->Range && firstByte(*Slot, Ranges))
        return nullptr;
      const void *D = omp_get_mapped_ptr(V, DeviceNum);
      if (!D)
        return nullptr;
      store(Image + Slot->Offset, D);
    }
    setRoot(*New, Plan, Root, Image, Plan.Flags & LaunchPlan::HostMemory);
    // Nothing lies behind a root here, and words are in the roots' order.
    for (; W < Plan.NumWords && Plan.Words[W].Object == Root.Object; ++W)
      setWord(*New, Plan, W, Image);
    Image += (Object.Size + MinImageAlign - 1) & -uint64_t(MinImageAlign);
  }
  return New;
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_VALUES_H
