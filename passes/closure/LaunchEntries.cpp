//===- LaunchEntries.cpp - What a launch hands to libomptarget ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchEntries.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ferry {

static bool isRoot(const PlannedLaunch &Plan, int Entry) {
  return any_of(Plan.Roots, [&](const PlanRoot &R) {
    return static_cast<int>(R.Entry) == Entry;
  });
}

/// Decides which entries the launch keeps.
static void keepEntries(const LaunchSite &Site, PlannedLaunch &Plan) {
  SmallVector<uint32_t> KeptAs(Site.Types.size());
  for (const auto &[I, Type] : enumerate(Site.Types)) {
    int Parent = abi::parentOf(Type);
    if ((Type & abi::MapAlways) && abi::mapsMemory(Type))
      Plan.Flags |= LaunchPlan::Always;
    if (abi::isLambdaMember(Type) && isRoot(Plan, Parent))
      continue;
    KeptAs[I] = static_cast<uint32_t>(Plan.Entries.size());
    Plan.Entries.push_back(static_cast<uint32_t>(I));
    Plan.Types.push_back(
        Parent < 0
            ? Type
            : abi::withParent(Type, KeptAs[static_cast<size_t>(Parent)]));
    for (PlanRoot &R : Plan.Roots)
      if (static_cast<int>(R.Entry) == Parent)
        R.Flags |= PlanRoot::OwnMembers;
  }
  for (PlanRoot &R : Plan.Roots)
    R.KeptAs = KeptAs[R.Entry];
}

/// How much memory the images of variables take at most.
static void sizeImages(PlannedLaunch &Plan) {
  SmallVector<bool> Root(Plan.Objects.size());
  for (const PlanRoot &R : Plan.Roots)
    Root[R.Object] = true;
  for (const auto &[I, O] : enumerate(Plan.Objects)) {
    if (!(O.Flags & PlanObject::Variable))
      continue;
    Plan.ImageAlign = std::max(Plan.ImageAlign, O.Align);
    if (Root[I] || O.Size <= ImageLimit)
      Plan.ImageBytes = SaturatingAdd<uint64_t>(
          Plan.ImageBytes, O.Size, std::max(O.Align, MinImageAlign));
  }
}

/// libomptarget collects small firstprivate data in a buffer, to send all of
/// it at once, unless the next entry is a member of it (omptarget.cpp,
/// processDataBefore). The detour does not pay where there is nothing to
/// collect; an entry that does nothing avoids it. An asynchronous launch
/// needs the buffer.
static void sendDirectly(const LaunchSite &Site, PlannedLaunch &Plan) {
  auto IsPrivate = [](uint64_t Type) {
    return (Type & abi::MapPrivate) && (Type & abi::MapTo);
  };
  if (Site.NoWait || !Plan.Words.empty() ||
      (Plan.Flags & LaunchPlan::HostMemory) || Plan.Roots.size() != 1 ||
      count_if(Plan.Types, IsPrivate) != 1 ||
      !IsPrivate(Plan.Types[Plan.Roots[0].KeptAs]) ||
      Plan.Roots[0].KeptAs + 1 != Plan.Types.size())
    return;
  Plan.Entries.push_back(Plan.Roots[0].Entry);
  Plan.Types.push_back(abi::withParent(abi::MapLiteral, Plan.Roots[0].KeptAs));
}

/// Whether \p R is as LaunchPlan::Values says.
static bool isValue(const LaunchSite &Site, const PlannedLaunch &Plan,
                    const PlanRoot &R) {
  const PlanObject &O = Plan.Objects[R.Object];
  return (Site.Types[R.Entry] & abi::MapPrivate) && O.Size <= PackedLimit &&
         O.Align <= MinImageAlign &&
         all_of(ArrayRef(Plan.Slots).slice(O.FirstSlot, O.NumSlots),
                [](const PlanSlot &S) {
                  return S.Child < 0 && S.EndOf < 0 && !S.Stride && !S.Shift &&
                         !(S.Flags & PlanSlot::PointersStored);
                });
}

void planEntries(const LaunchSite &Site, PlannedLaunch &Plan) {
  keepEntries(Site, Plan);
  sizeImages(Plan);
  sendDirectly(Site, Plan);
  if (!(Plan.Flags & LaunchPlan::Always) &&
      all_of(Plan.Roots, [&](auto &R) { return isValue(Site, Plan, R); }))
    Plan.Flags |= LaunchPlan::Values;
}

} // namespace ferry
