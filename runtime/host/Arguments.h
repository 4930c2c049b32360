//===- Arguments.h - A launch's new argument block --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_ARGUMENTS_H
#define FERRY_RUNTIME_ARGUMENTS_H

#include "Arena.h"
#include "Interfaces.h"

namespace ferry {
namespace {

/// The argument block \p Old in \p Memory, with the entries that the plan
/// keeps.
abi::KernelArgs *copyArgs(const LaunchPlan &Plan, const abi::KernelArgs &Old,
                          void *Memory) {
  const size_t N = Plan.NumEntries;
  auto *New = static_cast<abi::KernelArgs *>(Memory);
  auto *Arrays = reinterpret_cast<void **>(New + 1);
  *New = Old;
  New->NumArgs = Plan.NumEntries;
  New->BasePtrs = Arrays;
  New->Ptrs = Arrays + N;
  New->Sizes = reinterpret_cast<int64_t *>(Arrays + 2 * N);
  New->Types = reinterpret_cast<int64_t *>(Arrays + 3 * N);
  for (size_t J = 0; J < N; ++J) {
    uint32_t I = Plan.Entries[J];
    New->BasePtrs[J] = Old.BasePtrs[I];
    New->Ptrs[J] = Old.Ptrs[I];
    New->Sizes[J] = Old.Sizes[I];
    New->Types[J] = Plan.Types[J];
  }
  if (Old.Names) {
    New->Names = Arrays + 4 * N;
    for (size_t J = 0; J < N; ++J)
      New->Names[J] = Old.Names[Plan.Entries[J]];
  }
  if (Old.Mappers) {
    New->Mappers = Arrays + 5 * N;
    for (size_t J = 0; J < N; ++J)
      New->Mappers[J] = Old.Mappers[Plan.Entries[J]];
  }
  return New;
}

/// Gives the kernel \p Arg for \p Root: a copy on the host that libomptarget
/// sends as firstprivate data, or an address on the device.
void setRoot(abi::KernelArgs &Args, const LaunchPlan &Plan,
             const PlanRoot &Root, char *Arg, bool OnDevice) {
  uint32_t J = Root.KeptAs;
  Args.BasePtrs[J] = Args.Ptrs[J] = Arg;
  Args.Sizes[J] = static_cast<int64_t>(Plan.Objects[Root.Object].Size);
  Args.Types[J] = static_cast<int64_t>(
      abi::MapTargetParam |
      (OnDevice ? uint64_t(abi::MapLiteral)
                : abi::MapPrivate | abi::MapTo | abi::MapImplicit));
  if (Args.Mappers)
    Args.Mappers[J] = nullptr;
}

/// Whether something has to be done when the launch has ended.
bool cleansUp(const LaunchState &L) {
  return L.Own.Num || L.Added.Num || L.BlockAllocation || L.Memory.Heap;
}

/// The launch's arguments with the roots' entries replaced.
abi::KernelArgs *rewriteArgs(LaunchState &L) {
  using namespace abi;
  const LaunchPlan &Plan = *L.Plan;
  KernelArgs *New = copyArgs(
      Plan, *L.Args,
      allocate(L.Memory, argumentBytes(Plan.NumEntries), alignof(KernelArgs)));
  // Mapped around the launch already: here it is only looked up. Copies, and
  // mappers, whose reference counts do not nest, have done their work.
  for (uint32_t J = 0; J < Plan.NumEntries && L.Own.Num; ++J) {
    if (New->Types[J] & (MapPrivate | MapLiteral))
      continue;
    New->Types[J] &= ~int64_t(MapTo | MapFrom | MapAlways);
    if (New->Mappers)
      New->Mappers[J] = nullptr;
  }
  bool BigPrivate = false;
  for (uint32_t R = 0; R < Plan.NumRoots; ++R) {
    if (L.RootObjects[R] < 0)
      continue;
    const FoundObject &O = L.Objects[static_cast<uint32_t>(L.RootObjects[R])];
    if (O.Where != Place::Image)
      continue;
    setRoot(*New, Plan, Plan.Roots[R],
            L.Block ? L.Block + (O.Copy - L.ImageBuffer) : O.Copy, L.Block);
    BigPrivate |= !L.Block && O.Object->Size > PackedLimit;
  }
  // What is cleaned up after the launch must not be in use any more then. In a
  // `nowait` construct this runs in the construct's own task.
  if (cleansUp(L) || BigPrivate)
    New->Flags &= ~KernelFlagNoWait;
  return New;
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_ARGUMENTS_H
