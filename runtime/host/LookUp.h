//===- LookUp.h - What is mapped where --------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions to libomptarget about one device. They change nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_LOOKUP_H
#define FERRY_RUNTIME_LOOKUP_H

#include "Arena.h"
#include "Interfaces.h"

namespace ferry {
namespace {

/// What the device gets for a pointer.
struct Translation {
  char *Device; ///< null if nothing is mapped there
  char *Found;  ///< the byte that was looked up: where the kernel accesses it
};

class LookUp {
public:
  LookUp(const LaunchPlan &Plan, int32_t DeviceNum)
      : Plan(Plan), DeviceNum(DeviceNum) {}
  explicit LookUp(const LaunchState &L) : LookUp(*L.Plan, L.DeviceNum) {}

  /// From the pointer in \p Slot to the first byte that is accessed through it.
  /// The one place that knows.
  int64_t shiftOf(const PlanSlot &Slot) const { return Slot.Shift; }

  /// The device address of the byte at \p Host, or null.
  char *find(const char *Host) const {
    return Host ? static_cast<char *>(omp_get_mapped_ptr(Host, DeviceNum))
                : nullptr;
  }

  /// The device address of [Host, Host+Size) if all of it is one mapping.
  char *resident(char *Host, uint64_t Size) const {
    char *First = find(Host);
    if (!First || Size <= 1)
      return First;
    return find(Host + Size - 1) == First + (Size - 1) ? First : nullptr;
  }

  /// Whether a part of \p Object at \p Host is mapped: looked for byte by byte
  /// in small records, in larger ones in steps of int's alignment at most.
  bool touched(const PlanObject &Object, char *Host) const {
    uint64_t Step = Object.Align < sizeof(int) ? Object.Align : sizeof(int);
    if (Object.Size == Object.Align)
      Step = Object.Align; // a scalar
    else if (Object.Size <= 64)
      Step = 1;
    for (uint64_t At = 0; At < Object.Size; At += Step)
      if (find(Host + At))
        return true;
    return find(Host + Object.Size - 1);
  }

  /// How much of \p Object at \p Host is mapped. Other threads may map and
  /// unmap it between any two look-ups, so a part has to be seen again and
  /// again.
  Presence presence(const PlanObject &Object, char *Host) const {
    for (int Look = 0; Look < 16; ++Look) {
      if (resident(Host, Object.Size))
        return Presence::Whole;
      if (!touched(Object, Host))
        return Presence::Nothing;
    }
    return Presence::Part;
  }

  /// What the device gets for \p V, the pointer in \p Slot of \p Object at
  /// \p Host: it may have to stay in the array of another slot.
  [[gnu::always_inline]] Translation translate(const PlanObject &Object,
                                               const PlanSlot &Slot, char *Host,
                                               char *V) const {
    return Slot.EndOf < 0 ? translate(Slot, V)
                          : translateEnd(Object, Slot, Host, V);
  }

  /// Calls \p Visit(slot, address) for every instance of the slots of
  /// \p Object at \p Host.
  template <typename Fn>
  void forEachSlot(const PlanObject &Object, char *Host, Fn Visit) const {
    for (uint32_t S = 0; S < Object.NumSlots; ++S) {
      const PlanSlot &Slot = Plan.Slots[Object.FirstSlot + S];
      if (!Slot.Stride) {
        Visit(Slot, Host + Slot.Offset);
        continue;
      }
      const uint64_t Limit = Slot.Limit ? Slot.Limit : Object.Size;
      uint64_t Offset = Slot.Offset;
      if (Limit) {
        for (; Offset + sizeof(void *) <= Limit; Offset += Slot.Stride)
          Visit(Slot, Host + Offset);
        continue;
      }
      char *First = find(Host + Offset);
      for (; First && resident(Host + Offset, sizeof(void *)) ==
                          First + (Offset - Slot.Offset);
           Offset += Slot.Stride)
        Visit(Slot, Host + Offset);
    }
  }

private:
  const LaunchPlan &Plan;
  int32_t DeviceNum;

  [[gnu::always_inline]] Translation translate(const PlanSlot &Slot,
                                               char *V) const {
    if (!V)
      return {nullptr, V};
    if (!shiftOf(Slot))
      if (char *D = find(V))
        return {D, V};
    return translateElsewhere(Slot, V);
  }

  [[gnu::noinline]] Translation translateElsewhere(const PlanSlot &Slot,
                                                   char *V) const {
    if (const int64_t Shift = shiftOf(Slot)) {
      if (char *D = find(V + Shift))
        return {D - Shift, V + Shift};
      if (char *D = find(V))
        return {D, V};
    }
    if (Slot.Flags & PlanSlot::MayBeEnd)
      if (char *D = find(V - 1))
        return {D + 1, V - 1};
    return {nullptr, V};
  }

  [[gnu::noinline]] Translation translateEnd(const PlanObject &Object,
                                             const PlanSlot &Slot, char *Host,
                                             char *V) const {
    const PlanSlot &Begin =
        Plan.Slots[Object.FirstSlot + static_cast<uint32_t>(Slot.EndOf)];
    char *B = load(Host + Begin.Offset);
    if (V && V == B) {
      // An empty range: both ends are translated alike, whatever else they are.
      PlanSlot Plain{};
      Plain.Flags = PlanSlot::MayBeEnd;
      return translate(Plain, V);
    }
    if (!(Slot.Flags & PlanSlot::Dereferenced) && B && V) {
      if (char *BDevice = translate(Begin, B).Device) {
        // Both in one mapping: the distance between them is kept.
        ptrdiff_t Distance = V - B;
        char *Found = Distance > 0 ? V - 1 : V;
        char *Device = BDevice + Distance;
        if (find(Found) == Device + (Found - V))
          return {Device, Found};
      }
    }
    return translate(Slot, V);
  }
};

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_LOOKUP_H
