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
// here, before the directive. Where the program may have attached pointers
// itself and Ferry has not, it is left to libomptarget.
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

/// Copies [\p Begin, \p Begin + \p Size) to the device, which has it at
/// \p Device. Of the pointers \p Attached in it those stay that the host's lead
/// to as well.
void copyAround(const List<AttachedWord> &Attached, int32_t DeviceNum,
                char *Begin, char *Device, uint64_t Size) {
  const int32_t HostDevice = omp_get_num_devices();
  omp_target_memcpy(Device, Begin, Size, 0, 0, DeviceNum, HostDevice);
  for (AttachedWord &W : Attached) {
    const char *Host = load(W.Slot);
    if (!Host || omp_get_mapped_ptr(Host, DeviceNum) != W.Value)
      continue;
    omp_target_memcpy(W.Device, static_cast<const void *>(&W.Value),
                      sizeof(W.Value), 0, 0, DeviceNum, HostDevice);
    W.State = AttachedWord::Unknown;
    attachedPointers().keep(W);
  }
}

/// Stands before a map of [\p Begin, \p Begin + \p Size) by \p Type: takes note
/// of what it copies over attached pointers, and copies what libomptarget would
/// not.
void copyAlways(int32_t DeviceNum, uint64_t Type, char *Begin, uint64_t Size) {
  if (!(Type & abi::MapAlways) || !(Type & abi::MapTo) ||
      !abi::mapsMemory(Type))
    return;
  AttachedPointers Known = attachedPointers();
  Arena Memory{};
  List<AttachedWord> Attached{};
  bool AnyByFerry = false;
  auto *Device = static_cast<char *>(omp_get_mapped_ptr(Begin, DeviceNum));
  if (AlwaysSparesAttached && Device && Device != Begin)
    Known.forEachShadow(DeviceNum, [&](const AttachedWord &W) {
      if (W.Slot < Begin || W.Slot >= Begin + Size ||
          W.Device != Device + (W.Slot - Begin))
        return;
      push(Memory, Attached, W);
      AnyByFerry |= !W.ByOthers;
    });
  Known.note(Attached.Size && !AnyByFerry ? AttachedPointers::Changed
                                          : AttachedPointers::Copied,
             DeviceNum, Begin, Size);
  if (AnyByFerry)
    copyAround(Attached, DeviceNum, Begin, Device, Size);
  release(Memory);
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_ALWAYSCOPIES_H
