//===- PointerWays.cpp - Which way pointers go to the device --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PointerWays.h"

using namespace llvm;

namespace ferry {

/// In which ways the launch may bring the members of object \p O to the device.
static unsigned waysOf(uint32_t O, const LaunchSite &Site,
                       const PlannedLaunch &Plan) {
  const PlanObject &Object = Plan.Objects[O];
  if (!(Object.Flags & PlanObject::Variable))
    return PointerNote::InMapped;
  auto Root =
      find_if(Plan.Roots, [&](const PlanRoot &R) { return R.Object == O; });
  const uint64_t Type = Root != Plan.Roots.end() ? Site.Types[Root->Entry] : 0;
  if (Type & abi::MapPrivate)
    return PointerNote::InCopy;
  const bool Sent = (Type & abi::MapTo) && !(Type & abi::MapFrom);
  return (Object.Flags & PlanObject::Written) && !Sent
             ? PointerNote::InMapped
             : PointerNote::InCopy | PointerNote::InMapped;
}

/// Whether the word of \p Slot in object \p O is a parameter of the kernel.
static bool isParameter(uint32_t O, const PlanSlot &Slot,
                        const PlannedLaunch &Plan) {
  return any_of(Plan.Words, [&](const PlanWord &W) {
    return W.Object == O && W.Offset == Slot.Offset;
  });
}

void tellWays(const LaunchSite &Site, PlannedLaunch &Plan) {
  SmallVector<uint32_t> ObjectOf(Plan.Slots.size());
  for (const auto &[I, O] : enumerate(Plan.Objects))
    for (uint32_t S = O.FirstSlot; S < O.FirstSlot + O.NumSlots; ++S)
      ObjectOf[S] = static_cast<uint32_t>(I);
  erase_if(Plan.Notes, [&](PointerNote &N) {
    if (!N.Slot)
      return false;
    const PlanSlot &Slot = Plan.Slots[*N.Slot];
    const bool IsVariable = N.Kind == PointerNote::Variable;
    const uint32_t O =
        IsVariable ? static_cast<uint32_t>(Slot.Child) : ObjectOf[*N.Slot];
    N.Ways = waysOf(O, Site, Plan);
    if (!(N.Ways & PointerNote::InCopy) ||
        !(Plan.Objects[O].Flags & PlanObject::Words))
      return false;
    N.Ways ^= PointerNote::InCopy | PointerNote::AsParameter;
    return !IsVariable && !isParameter(O, Slot, Plan);
  });
}

} // namespace ferry
