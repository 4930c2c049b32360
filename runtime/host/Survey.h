//===- Survey.h - What a launch finds of its plan ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk through the plan: every object that the launch leads to, where the
// device will find it, and what the device gets for each pointer in it. Nothing
// but the lists of the launch is written.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_SURVEY_H
#define FERRY_RUNTIME_SURVEY_H

#include "Decide.h"
#include "LookUp.h"

namespace ferry {
namespace {

class Survey {
public:
  /// \param ImagesAllowed whether variables that are only read may be images.
  Survey(LaunchState &L, bool ImagesAllowed)
      : L(L), Plan(*L.Plan), Ask(L), ImagesAllowed(ImagesAllowed) {}

  void run() {
    L.Objects.Size = L.Slots.Size = 0;
    reserve(L.Memory, L.Objects, Plan.NumObjects);
    reserve(L.Memory, L.Slots, Plan.NumSlots);
    for (uint32_t R = 0; R < Plan.NumRoots; ++R)
      L.RootObjects[R] = addRoot(Plan.Roots[R], L.RootHosts[R]);
    for (uint32_t I = 0; I < L.Objects.Size; ++I)
      visit(I);
  }

private:
  LaunchState &L;
  const LaunchPlan &Plan;
  const LookUp Ask;
  const bool ImagesAllowed;

  int32_t add(const FoundObject &O) {
    push(L.Memory, L.Objects, O);
    return static_cast<int32_t>(L.Objects.Size - 1);
  }

  static FoundObject found(const PlanObject &Object, char *Host, Role As) {
    FoundObject O{};
    O.Object = &Object;
    O.Host = Host;
    O.As = As;
    return O;
  }

  /// Whether the construct attaches a pointer in [\p Host, \p Host + \p Size).
  bool holdsAttached(const char *Host, uint64_t Size) const {
    for (uint32_t I = 0; I < L.Args->NumArgs; ++I)
      if (L.Args->Types[I] & abi::MapAttach && L.Args->BasePtrs[I] >= Host &&
          L.Args->BasePtrs[I] < Host + Size)
        return true;
    return false;
  }

  int32_t addRoot(const PlanRoot &Root, char *Host) {
    const PlanObject &Object = Plan.Objects[Root.Object];
    if (Root.Flags & PlanRoot::PointerValue)
      return addBehind(Object, Host);
    const uint32_t Entry = Root.Entry;
    RootFacts F{};
    F.Type = static_cast<uint64_t>(L.Args->Types[Entry]);
    F.ImagesAllowed = ImagesAllowed;
    F.OwnMembers =
        Root.Flags & PlanRoot::OwnMembers || holdsAttached(Host, Object.Size);
    F.HasMapper = L.Args->Mappers && L.Args->Mappers[Entry];
    F.SizeMatches = static_cast<uint64_t>(L.Args->Sizes[Entry]) == Object.Size;
    F.Written = Object.Flags & PlanObject::Written;
    FoundObject O = found(Object, Host, Role::Root);
    O.Private = F.Type & abi::MapPrivate;
    O.ComesBack = !O.Private && comesBack(F);
    O.Device = O.Private ? nullptr : Ask.resident(Host, Object.Size);
    F.Resident = O.Device;
    O.Where = placeRoot(F);
    // An entry that was left out when the construct's maps were put in force is
    // made up for; else a part of it is mapped, and maybe some pointers.
    if (O.Where == Place::Mapped && L.Own.Num && Ask.touched(Object, Host))
      O.Where = Place::Resident;
    else
      O.Whole = true;
    return add(O);
  }

  /// The object behind the plain pointer \p V, if it is mapped.
  int32_t addBehind(const PlanObject &Object, char *V) {
    char *Device = Ask.resident(V + Object.Begin, Object.Size);
    if (!Device)
      return -1;
    FoundObject O = found(Object, V, Role::Behind);
    O.Device = Device - Object.Begin;
    O.Where = Place::Resident;
    O.Whole = true;
    return add(O);
  }

  int32_t addVariable(const PlanObject &Object, char *Host, bool InImage) {
    FoundObject O = found(Object, Host, Role::Variable);
    O.Whole = true;
    O.ComesBack = Object.Flags & PlanObject::Written;
    const VariableFacts F{O.ComesBack, InImage, ImagesAllowed, Object.Size};
    Presence P = Presence::Nothing;
    O.Device = Ask.resident(Host, Object.Size);
    if (O.Device)
      P = Presence::Whole;
    else if (!isImageUnseen(F))
      P = Ask.presence(Object, Host);
    O.Where = placeVariable(F, P);
    if (O.Where == Place::Resident && !O.Device)
      O.Device = Ask.find(Host); // mapped since
    return add(O);
  }

  void visit(uint32_t I) {
    const FoundObject O = L.Objects[I]; // the list grows
    if (O.Where == Place::Left)
      return;
    const uint32_t First = L.Slots.Size;
    Ask.forEachSlot(*O.Object, O.Host, [&](const PlanSlot &Slot, char *At) {
      if (!(Slot.Flags & PlanSlot::Unused))
        addSlot(O, Slot, At);
    });
    L.Objects[I].FirstSlot = First;
    L.Objects[I].NumSlots = L.Slots.Size - First;
  }

  void addSlot(const FoundObject &O, const PlanSlot &Slot, char *At) {
    const bool InImage = O.Where == Place::Image;
    // An attach entry would map a pointer that is not.
    if (!O.Whole && !Ask.resident(At, sizeof(void *)))
      return;
    FoundSlot S{&Slot, At, load(At), nullptr, nullptr, -1};
    const PlanObject *Child =
        Slot.Child < 0 ? nullptr : &Plan.Objects[Slot.Child];
    if (Child && (Child->Flags & PlanObject::Variable)) {
      if (!S.Value)
        return;
      S.Child = addVariable(*Child, S.Value, InImage);
      push(L.Memory, L.Slots, S);
      return;
    }
    // A mapped object may hold pointers that the host wants back as they are:
    // attach only what the kernel accesses or compares with it.
    if (!InImage && !(Slot.Flags & PlanSlot::Dereferenced) && Slot.EndOf < 0)
      return;
    const Translation T = Ask.translate(*O.Object, Slot, O.Host, At, S.Value);
    S.Device = T.Device;
    S.Found = T.Found;
    push(L.Memory, L.Slots, S);
    if (T.Device && Child)
      addBehind(*Child, S.Value);
  }
};

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_SURVEY_H
