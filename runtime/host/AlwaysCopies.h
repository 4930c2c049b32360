//===- AlwaysCopies.h - `always` over attached pointers ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For map(always, to:) libomptarget 22 copies nothing of a range in which a
// pointer was attached, so that the pointer stays. The program knows nothing of
// pointers that Ferry has attached, and has to get all of it: it is copied
// here, before the directive.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_ALWAYSCOPIES_H
#define FERRY_RUNTIME_ALWAYSCOPIES_H

#include "Arena.h"
#include "AttachedPointers.h"

namespace ferry {
namespace {

/// The runtime is compiled by the Clang whose libomptarget it calls.
#ifdef __clang_major__
constexpr bool AlwaysSparesAttached = __clang_major__ >= 22;
#else
constexpr bool AlwaysSparesAttached = false;
#endif

/// Stands before a map of [\p Begin, \p Begin + \p Size) by \p Type: takes note
/// of what it copies over attached pointers, and copies what libomptarget would
/// not. An attached pointer stays where the host's leads to the same, and is
/// lost elsewhere.
void copyAlways(int32_t DeviceNum, uint64_t Type, char *Begin, uint64_t Size) {
  if (!(Type & abi::MapAlways) || !(Type & abi::MapTo) ||
      !abi::mapsMemory(Type))
    return;
  AttachedPointers Known = attachedPointers();
  Known.note(AttachedPointers::Copied, DeviceNum, Begin, Size);
  auto *Device = static_cast<char *>(omp_get_mapped_ptr(Begin, DeviceNum));
  if (!AlwaysSparesAttached || !Device || Device == Begin)
    return;
  Arena Memory{};
  List<AttachedWord> Words{};
  Known.forEachShadow(DeviceNum, [&](const AttachedWord &W) {
    if (W.Slot >= Begin && W.Slot < Begin + Size &&
        W.Device == Device + (W.Slot - Begin))
      push(Memory, Words, W);
  });
  const int32_t HostDevice = Words.Size ? omp_get_num_devices() : 0;
  if (Words.Size)
    omp_target_memcpy(Device, Begin, Size, 0, 0, DeviceNum, HostDevice);
  for (AttachedWord &W : Words) {
    char *Host = load(W.Slot);
    if (!Host || omp_get_mapped_ptr(Host, DeviceNum) != W.Value)
      continue;
    omp_target_memcpy(W.Device, static_cast<const void *>(&W.Value),
                      sizeof(W.Value), 0, 0, DeviceNum, HostDevice);
    W.State = AttachedWord::Attached;
    W.Word = W.PointeeDevice = W.Value;
    W.Pointee = Host;
    Known.keep(W);
  }
  release(Memory);
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_ALWAYSCOPIES_H
