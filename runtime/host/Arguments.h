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
  const size_t N = Plan.NumEntries + Plan.NumWords;
  auto *New = static_cast<abi::KernelArgs *>(Memory);
  auto *Arrays = reinterpret_cast<void **>(New + 1);
  *New = Old;
  New->NumArgs = static_cast<uint32_t>(N);
  New->BasePtrs = Arrays;
  New->Ptrs = Arrays + N;
  New->Sizes = reinterpret_cast<int64_t *>(Arrays + 2 * N);
  New->Types = reinterpret_cast<int64_t *>(Arrays + 3 * N);
  for (size_t J = 0; J < Plan.NumEntries; ++J) {
    uint32_t I = Plan.Entries[J];
    New->BasePtrs[J] = Old.BasePtrs[I];
    New->Ptrs[J] = Old.Ptrs[I];
    New->Sizes[J] = Old.Sizes[I];
    New->Types[J] = Plan.Types[J];
  }
  if (Old.Names) {
    New->Names = Arrays + 4 * N;
    for (size_t J = 0; J < N; ++J)
      New->Names[J] =
          J < Plan.NumEntries ? Old.Names[Plan.Entries[J]] : nullptr;
  }
  if (Old.Mappers) {
    New->Mappers = Arrays + 5 * N;
    for (size_t J = 0; J < N; ++J)
      New->Mappers[J] =
          J < Plan.NumEntries ? Old.Mappers[Plan.Entries[J]] : nullptr;
  }
  return New;
}

/// Gives the kernel word number \p W of the plan: a piece of \p Copy, the image
/// of the object, or of none if the device has the object.
void setWord(abi::KernelArgs &Args, const LaunchPlan &Plan, uint32_t W,
             const char *Copy) {
  const PlanWord &Word = Plan.Words[W];
  const uint32_t J = Plan.NumEntries + W;
  void *Value = nullptr;
  if (Copy)
    memcpy(static_cast<void *>(&Value), Copy + Word.Offset, Word.Size);
  Args.BasePtrs[J] = Args.Ptrs[J] = Value;
  Args.Sizes[J] = 0;
  Args.Types[J] = abi::MapTargetParam | abi::MapLiteral;
}

/// Gives the kernel \p Arg for \p Root: a copy on the host that libomptarget
/// sends as firstprivate data, or an address on the device; null if it is given
/// as words.
void setRoot(abi::KernelArgs &Args, const LaunchPlan &Plan,
             const PlanRoot &Root, char *Arg, bool OnDevice) {
  uint32_t J = Root.KeptAs;
  if (Plan.Objects[Root.Object].Flags & PlanObject::Words) {
    Arg = nullptr;
    OnDevice = true;
  }
  Args.BasePtrs[J] = Args.Ptrs[J] = Arg;
  Args.Sizes[J] = static_cast<int64_t>(Plan.Objects[Root.Object].Size);
  Args.Types[J] = static_cast<int64_t>(
      abi::MapTargetParam |
      (OnDevice ? uint64_t(abi::MapLiteral)
                : abi::MapPrivate | abi::MapTo | abi::MapImplicit));
  if (Args.Mappers)
    Args.Mappers[J] = nullptr;
}

/// Sets the words of \p Args. Each object that is given as words is found once,
/// for nothing in such an object repeats.
void setWords(const LaunchState &L, abi::KernelArgs &Args) {
  const LaunchPlan &Plan = *L.Plan;
  for (uint32_t W = 0; W < Plan.NumWords; ++W) {
    const PlanObject *Object = &Plan.Objects[Plan.Words[W].Object];
    const char *Copy = nullptr;
    for (const FoundObject &O : L.Objects)
      if (O.Object == Object && O.Where == Place::Image)
        Copy = O.Copy;
    setWord(Args, Plan, W, Copy);
  }
}

/// Whether something has to be done when the launch has ended.
bool cleansUp(const LaunchState &L) {
  return L.Own.Num || L.Added.Num || L.BlockAllocation || L.Memory.Heap;
}

/// The launch's arguments with the roots' entries replaced.
///
/// \param NoMemory the device had none for images: what is not given as words
///                 stays as the program was written.
abi::KernelArgs *rewriteArgs(LaunchState &L, bool NoMemory = false) {
  using namespace abi;
  const LaunchPlan &Plan = *L.Plan;
  KernelArgs *New = copyArgs(
      Plan, *L.Args,
      allocate(L.Memory, argumentBytes(Plan.NumEntries + Plan.NumWords),
               alignof(KernelArgs)));
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
    if (O.Where != Place::Image || (NoMemory && !O.inWords()))
      continue;
    setRoot(*New, Plan, Plan.Roots[R],
            L.Block ? L.Block + (O.Copy - L.ImageBuffer) : O.Copy, L.Block);
    BigPrivate |= !L.Block && !O.inWords() && O.Object->Size > PackedLimit;
  }
  setWords(L, *New);
  // What is cleaned up after the launch must not be in use any more then. In a
  // `nowait` construct this runs in the construct's own task.
  if (cleansUp(L) || BigPrivate)
    New->Flags &= ~KernelFlagNoWait;
  return New;
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_ARGUMENTS_H
