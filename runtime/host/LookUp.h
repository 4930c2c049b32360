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
  explicit LookUp(const LaunchState &L)
      : Plan(*L.Plan), DeviceNum(L.DeviceNum), Ranges(L.Ranges) {}

  /// The bytes that are accessed through \p Slot's pointer; null if they are
  /// not known, or none.
  const SlotRange *rangeOf(const PlanSlot &Slot) const {
    return accessedRange(Slot, Ranges);
  }

  /// From the pointer in \p Slot to the first byte that is looked up.
  int64_t shiftOf(const PlanSlot &Slot) const {
    return firstByte(Slot, Ranges);
  }

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

  /// What the device gets for \p V, the pointer at \p At, which is in \p Slot
  /// of \p Object at \p Host: it may have to stay in the array of another slot.
  [[gnu::always_inline]] Translation translate(const PlanObject &Object,
                                               const PlanSlot &Slot, char *Host,
                                               const char *At, char *V) const {
    return Slot.EndOf < 0 ? translate(Slot, V)
                          : translateEnd(Object, Slot, Host, At, V);
  }

  /// Calls \p Visit(slot, address) for every instance of the slots of
  /// \p Object at \p Host. Of a table nobody knows how much is mapped: only
  /// what is, is visited.
  template <typename Fn>
  void forEachSlot(const PlanObject &Object, char *Host, Fn Visit) const {
    for (uint32_t S = 0; S < Object.NumSlots; ++S) {
      const PlanSlot &Slot = Plan.Slots[Object.FirstSlot + S];
      if (!Slot.Stride) {
        if (Object.Size || resident(Host + Slot.Offset, sizeof(void *)))
          Visit(Slot, Host + Slot.Offset);
        continue;
      }
      const uint64_t Limit = Slot.Limit ? Slot.Limit : Object.Size;
      uint64_t Offset = Slot.Offset;
      if (Limit) {
        for (; Offset + sizeof(void *) <= Limit; Offset += Slot.Stride)
          if (Object.Size || resident(Host + Offset, sizeof(void *)))
            Visit(Slot, Host + Offset);
        continue;
      }
      char *First = find(Host + Offset);
      // The host itself, or a device that shares its memory: everything is
      // mapped there, and no pointer has to be another one.
      if (First == Host + Offset)
        continue;
      for (; First && resident(Host + Offset, sizeof(void *)) ==
                          First + (Offset - Slot.Offset);
           Offset += Slot.Stride)
        Visit(Slot, Host + Offset);
    }
  }

private:
  const LaunchPlan &Plan;
  int32_t DeviceNum;
  const SlotRange *Ranges;

  [[gnu::always_inline]] Translation translate(const PlanSlot &Slot,
                                               char *V) const {
    if (!V)
      return {nullptr, V};
    if (!shiftOf(Slot))
      if (char *D = find(V))
        return {D, V};
    return translateElsewhere(Slot, V);
  }

  /// By the byte at \p Distance from \p V alone.
  Translation translateBy(int64_t Distance, char *V) const {
    char *D = find(V + Distance);
    return {D ? D - Distance : nullptr, V + Distance};
  }

  [[gnu::noinline]] Translation translateElsewhere(const PlanSlot &Slot,
                                                   char *V) const {
    const SlotRange *R = shiftOf(Slot) ? rangeOf(Slot) : nullptr;
    if (!R)
      return translateInPlace(Slot, V);
    // What is accessed at most is in one mapping.
    const Translation ByFirst = translateBy(R->First, V);
    if (ByFirst.Device && find(V + R->Last) == ByFirst.Device + R->Last)
      return ByFirst;
    // Some of it may not be accessed after all.
    const Translation InPlace = translateInPlace(Slot, V);
    if (InPlace.Device)
      return InPlace;
    if (ByFirst.Device)
      return ByFirst;
    const Translation ByLast = translateBy(R->Last, V);
    return ByLast.Device ? ByLast : Translation{nullptr, V};
  }

  /// Without the slot's range.
  Translation translateInPlace(const PlanSlot &Slot, char *V) const {
    if (Slot.Shift) {
      const Translation T = translateBy(Slot.Shift, V);
      if (T.Device)
        return T;
    }
    if (shiftOf(Slot))
      if (char *D = find(V))
        return {D, V};
    if (Slot.Flags & PlanSlot::MayBeEnd)
      if (char *D = find(V - 1))
        return {D + 1, V - 1};
    return {nullptr, V};
  }

  [[gnu::noinline]] Translation translateEnd(const PlanObject &Object,
                                             const PlanSlot &Slot, char *Host,
                                             const char *At, char *V) const {
    const PlanSlot &Begin =
        Plan.Slots[Object.FirstSlot + static_cast<uint32_t>(Slot.EndOf)];
    // The other one of the same element, where both repeat.
    const ptrdiff_t Element =
        Begin.Stride ? (At - Host) - static_cast<ptrdiff_t>(Slot.Offset) : 0;
    char *Word = Host + Begin.Offset + Element;
    // A table may end between the two.
    if (!Object.Size && !resident(Word, sizeof(void *)))
      return translate(Slot, V);
    char *B = load(Word);
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
