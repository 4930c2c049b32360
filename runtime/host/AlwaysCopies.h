//===- AlwaysCopies.h - `always` over attached pointers ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For map(always, to:) libomptarget 22 copies nothing of a range in which a
// pointer was attached, so that the pointer stays. The program knows nothing of
// pointers that Ferry has attached, and has to get the rest: it is copied here,
// before the directive.
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

/// Copies [\p Begin, \p Begin + \p Size) to the device if it is mapped there
/// and libomptarget would not copy it for a map of \p Type. Attached pointers
/// stay.
void copyAlways(int32_t DeviceNum, uint64_t Type, char *Begin, uint64_t Size) {
  if (!AlwaysSparesAttached || !(Type & abi::MapAlways) ||
      !(Type & abi::MapTo) || !abi::mapsMemory(Type))
    return;
  auto *Device = static_cast<char *>(omp_get_mapped_ptr(Begin, DeviceNum));
  if (!Device || Device == Begin)
    return;
  Arena Memory{};
  List<AttachedWord> Words{};
  attachedPointers().forEachShadow(DeviceNum, [&](const AttachedWord &W) {
    if (W.Slot >= Begin && W.Slot < Begin + Size &&
        W.Device == Device + (W.Slot - Begin))
      push(Memory, Words, W);
  });
  if (Words.Size) {
    const int32_t HostDevice = omp_get_num_devices();
    omp_target_memcpy(Device, Begin, Size, 0, 0, DeviceNum, HostDevice);
    for (const AttachedWord &W : Words)
      omp_target_memcpy(W.Device, static_cast<const void *>(&W.Value),
                        sizeof(W.Value), 0, 0, DeviceNum, HostDevice);
  }
  release(Memory);
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_ALWAYSCOPIES_H
