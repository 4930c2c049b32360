//===- ConstructMaps.h - What the construct itself maps ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer may lead to what the same construct maps: then its maps are put in
// force before the launch, and pointers are looked up with them.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_CONSTRUCTMAPS_H
#define FERRY_RUNTIME_CONSTRUCTMAPS_H

#include "AlwaysCopies.h"
#include "AttachedPointers.h"
#include "DataEntries.h"
#include "LookUp.h"

namespace ferry {
namespace {

uint64_t entryType(const LaunchState &L, uint32_t Entry) {
  return static_cast<uint64_t>(L.Args->Types[Entry]);
}

/// Whether entry \p Entry is that of a root which is given as an image.
bool isImageEntry(const LaunchState &L, uint32_t Entry) {
  for (uint32_t R = 0; R < L.Plan->NumRoots; ++R)
    if (L.Plan->Roots[R].Entry == Entry && L.RootObjects[R] >= 0 &&
        L.Objects[static_cast<uint32_t>(L.RootObjects[R])].Where ==
            Place::Image)
      return true;
  return false;
}

/// Whether the construct itself maps memory at [\p Host, \p Host + \p Size].
/// The end belongs to it: pointers may stand there.
bool constructMaps(const LaunchState &L, char *Host, uint64_t Size) {
  if (!Host)
    return false;
  for (uint32_t I = 0; I < L.Args->NumArgs; ++I) {
    if (!abi::mapsMemory(entryType(L, I)))
      continue;
    if (L.Args->Mappers && L.Args->Mappers[I])
      return true;
    auto *Begin = static_cast<char *>(L.Args->Ptrs[I]);
    // A section of length 0 maps nothing.
    if (L.Args->Sizes[I] && Host <= Begin + L.Args->Sizes[I] &&
        Begin <= Host + Size && !isImageEntry(L, I))
      return true;
  }
  return false;
}

/// Whether another pointer of the launch leads into a variable that the
/// construct maps and that is given as an image all the same. By that pointer
/// the kernel may write to the variable.
bool imagesArePointedTo(const LaunchState &L) {
  for (uint32_t R = 0; R < L.Plan->NumRoots; ++R) {
    const uint32_t Entry = L.Plan->Roots[R].Entry;
    if (!isImageEntry(L, Entry) || (entryType(L, Entry) & abi::MapPrivate))
      continue;
    auto LeadsThere = [&](const void *P) {
      const char *Host = L.RootHosts[R];
      return Host <= P && P < Host + L.Args->Sizes[Entry];
    };
    for (uint32_t I = 0; I < L.Args->NumArgs; ++I)
      if (I != Entry && LeadsThere(L.Args->Ptrs[I]) &&
          abi::mapsMemory(entryType(L, I)))
        return true;
    for (const FoundSlot &S : L.Slots)
      if (S.Child < 0 && LeadsThere(S.Value))
        return true;
  }
  return false;
}

/// Whether something that was not found may be mapped by the construct.
bool refersToConstruct(const LaunchState &L) {
  const LookUp Ask(L);
  for (uint32_t R = 0; R < L.Plan->NumRoots; ++R) {
    const PlanRoot &Root = L.Plan->Roots[R];
    if (Root.Flags & PlanRoot::PointerValue) {
      const PlanObject &Object = L.Plan->Objects[Root.Object];
      if (Object.NumSlots && constructMaps(L, L.RootHosts[R] + Object.Begin, 0))
        return true;
    } else if (L.Objects[static_cast<uint32_t>(L.RootObjects[R])].Where ==
               Place::Mapped) {
      return true;
    }
  }
  for (const FoundObject &O : L.Objects)
    if (O.As == Role::Variable && O.Where != Place::Resident &&
        constructMaps(L, O.Host, O.Object->Size - 1))
      return true;
  for (const FoundSlot &S : L.Slots) {
    if (S.Child >= 0 || !S.Value)
      continue;
    const int64_t First = Ask.shiftOf(*S.Slot);
    const SlotRange *R = Ask.rangeOf(*S.Slot);
    // Found by another byte than the one that is accessed first.
    const bool Elsewhere = First && S.Found != S.Value + First;
    if ((!S.Device || Elsewhere) &&
        (constructMaps(L, S.Value + First, 0) ||
         (First && R && constructMaps(L, S.Value + R->Last, 0))))
      return true;
    if (!S.Device && (constructMaps(L, S.Value + S.Slot->Shift, 0) ||
                      (S.Slot->EndOf >= 0 && constructMaps(L, S.Value, 0))))
      return true;
  }
  return false;
}

/// Nobody has written on the device to what the construct maps first.
void noteNewMappings(LaunchState &L) {
  const LookUp Ask(L);
  bool ByMapper = false;
  for (uint32_t I = 0; I < L.Own.Num; ++I) {
    auto *Begin = static_cast<char *>(L.Own.Ptrs[I]);
    auto Size = static_cast<uint64_t>(L.Own.Sizes[I]);
    if (!abi::mapsMemory(static_cast<uint64_t>(L.Own.Types[I])))
      continue;
    if (L.Own.Mappers && L.Own.Mappers[I]) {
      ByMapper = true;
    } else if (Size && !Ask.find(Begin)) {
      push(L.Memory, L.Fresh, {Begin, Size});
      attachedPointers().note(AttachedPointers::Mapped, L.DeviceNum, Begin,
                              Size);
    }
  }
  if (ByMapper && !attachedPointers().empty())
    attachedPointers().noteAnywhere(AttachedPointers::Mapped, L.DeviceNum);
}

/// Maps what the construct maps, before the launch does it again.
void putConstructInForce(LaunchState &L) {
  allocateEntries(L.Memory, L.Own, L.Args->NumArgs);
  for (uint32_t I = 0; I < L.Args->NumArgs; ++I) {
    uint64_t Type = entryType(L, I);
    bool Skip =
        (Type & (abi::MapPrivate | abi::MapLiteral)) || isImageEntry(L, I);
    if (!Skip && !(L.Args->Mappers && L.Args->Mappers[I]))
      copyAlways(L.DeviceNum, Type, static_cast<char *>(L.Args->Ptrs[I]),
                 static_cast<uint64_t>(L.Args->Sizes[I]));
    addEntry(L.Own, L.Args->BasePtrs[I], L.Args->Ptrs[I], L.Args->Sizes[I],
             Skip ? uint64_t(abi::MapLiteral)
                  : Type & ~uint64_t(abi::MapTargetParam));
  }
  L.Own.Names = L.Args->Names;
  L.Own.Mappers = L.Args->Mappers;
  noteNewMappings(L);
  beginData(L, L.Own);
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_CONSTRUCTMAPS_H
