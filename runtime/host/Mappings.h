//===- Mappings.h - What is mapped around a launch --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variables that the kernel writes to are mapped, and pointers in mapped
// objects attached, by entries of the launch's own.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_MAPPINGS_H
#define FERRY_RUNTIME_MAPPINGS_H

#include "DataEntries.h"
#include "LookUp.h"

namespace ferry {
namespace {

/// A parent index that no entry has: the attach entries' own container is
/// mapped already, and as members they leave its reference count alone.
constexpr uint64_t NoParent = 0xfffe;

/// One mapping for variables that contain one another: the innermost would
/// otherwise forbid the outer ones, and only the last to be unmapped is copied
/// back.
void mergeExtras(List<Extra> &Extras) {
  uint32_t Kept = 0;
  for (uint32_t I = 0; I < Extras.Size; ++I) {
    Extra E = Extras[I];
    uint32_t J = 0;
    while (J < Kept) {
      Extra &K = Extras[J];
      if (E.Host >= K.Host && E.Host + E.Size <= K.Host + K.Size) {
        K.Written |= E.Written;
        K.Hold &= E.Hold;
        break;
      }
      if (K.Host >= E.Host && K.Host + K.Size <= E.Host + E.Size) {
        E.Written |= K.Written;
        E.Hold &= K.Hold;
        K = Extras[--Kept];
        continue;
      }
      ++J;
    }
    if (J == Kept)
      Extras[Kept++] = E;
  }
  Extras.Size = Kept;
}

/// Lists what is not mapped and has to be, and what has to stay mapped: another
/// thread's launch may be what has mapped it, and end first.
void listExtras(LaunchState &L) {
  for (const FoundObject &O : L.Objects)
    if (O.Where == Place::Mapped || O.isHeld())
      push(L.Memory, L.Extras,
           {O.Host, O.Object->Size, O.ComesBack, O.isHeld()});
  mergeExtras(L.Extras);
}

/// Whether the launch attaches the pointer at \p At, which is in object number
/// \p Within, by another object with a slot of which uses are visible.
bool isSeenElsewhere(const LaunchState &L, uint32_t Within, const char *At) {
  for (uint32_t I = 0; I < L.Objects.Size; ++I) {
    const FoundObject &O = L.Objects[I];
    if (I == Within || (O.Where != Place::Resident && O.Where != Place::Mapped))
      continue;
    if (O.Object->Size && (At < O.Host + O.Object->Begin ||
                           At >= O.Host + O.Object->Begin + O.Object->Size))
      continue;
    for (uint32_t J = 0; J < O.NumSlots; ++J) {
      const FoundSlot &S = L.Slots[O.FirstSlot + J];
      if (S.At == At && !(S.Slot->Flags & PlanSlot::Unseen))
        return true;
    }
  }
  return false;
}

/// Lists the pointers in mapped objects that lead to something mapped.
void listAttaches(LaunchState &L) {
  const LookUp Ask(L);
  for (uint32_t I = 0; I < L.Objects.Size; ++I) {
    const FoundObject &O = L.Objects[I];
    if (O.Where != Place::Resident && O.Where != Place::Mapped)
      continue;
    for (uint32_t J = 0; J < O.NumSlots; ++J) {
      const FoundSlot &S = L.Slots[O.FirstSlot + J];
      const bool IsReference = S.Child >= 0;
      if (IsReference
              ? L.Objects[static_cast<uint32_t>(S.Child)].Where == Place::Left
              : !S.Device)
        continue;
      if ((S.Slot->Flags & PlanSlot::Unseen) && isSeenElsewhere(L, I, S.At))
        continue;
      Attach A{};
      A.Slot = S.At;
      A.Pointee = IsReference ? S.Value : S.Found;
      A.Value = S.Device;
      A.DeviceSlot = O.Device   ? O.Device + (S.At - O.Host)
                     : !O.Whole ? Ask.find(S.At)
                                : nullptr;
      A.Within = I;
      reserve(L.Memory, L.Attaches, L.Slots.Size);
      push(L.Memory, L.Attaches, A);
    }
  }
}

/// Maps the Extras and attaches the Attaches.
void mapAdded(LaunchState &L) {
  const uint32_t Num = L.Extras.Size + L.Attaches.Size;
  if (!Num)
    return;
  allocateEntries(L.Memory, L.Added, Num);
  for (const Extra &E : L.Extras)
    // Implicit: what is held may be part of one mapping or of two neighbours.
    addEntry(L.Added, E.Host, E.Host, static_cast<int64_t>(E.Size),
             abi::MapTo | (E.Written ? uint64_t(abi::MapFrom) : 0) |
                 (E.Hold ? uint64_t(abi::MapImplicit) : 0));
  for (const Attach &A : L.Attaches)
    addEntry(L.Added, A.Slot, A.Pointee, 0,
             abi::withParent(abi::MapImplicit | abi::MapPtrAndObj | abi::MapTo,
                             NoParent));
  beginData(L, L.Added);
  // Copies went over what was attached, and libomptarget does not attach again
  // what it thinks is in place.
  const LookUp Ask(L);
  for (const Attach &A : L.Attaches) {
    if (!A.Rewrite)
      continue;
    char *Value = Ask.find(A.Pointee) - (A.Pointee - load(A.Slot));
    omp_target_memcpy(Ask.find(A.Slot), static_cast<const void *>(&Value),
                      sizeof(Value), 0, 0, L.DeviceNum, L.HostDevice);
  }
}

/// Ends what was mapped around the launch. libomptarget then sets every pointer
/// that was ever attached in a variable to the host's value of that time
/// (postProcessingTargetDataEnd). In a variable that stays mapped, the host
/// keeps what it has now.
void unmapAdded(LaunchState &L, bool Failed) {
  struct Kept {
    char *Word;
    char *Value;
  };
  const LookUp Ask(L);
  List<Kept> Pointers{};
  for (const FoundObject &O : L.Objects)
    if (O.isHeld())
      Ask.forEachSlot(*O.Object, O.Host, [&](const PlanSlot &, char *At) {
        push(L.Memory, Pointers, {At, load(At)});
      });
  endData(L, L.Added, Failed);
  for (const Kept &P : Pointers)
    if (load(P.Word) != P.Value && Ask.find(P.Word))
      store(P.Word, P.Value);
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_MAPPINGS_H
