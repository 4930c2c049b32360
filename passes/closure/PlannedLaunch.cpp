//===- PlannedLaunch.cpp - Show a plan ------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchPlanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ferry {

void PlannedLaunch::print(raw_ostream &OS) const {
  if (!empty() && (Flags & LaunchPlan::Values))
    OS << "  by value\n";
  if (Flags & LaunchPlan::HostMemory)
    OS << "  images stay in the host's memory\n";
  for (const PlanRoot &R : Roots)
    OS << "  entry " << R.Entry << ": object " << R.Object
       << (R.Flags & PlanRoot::PointerValue ? " behind the pointer" : "")
       << (R.Flags & PlanRoot::OwnMembers ? ", members mapped" : "") << "\n";
  for (const auto &[I, O] : enumerate(Objects)) {
    OS << "  object " << I << ": ";
    if (O.Flags & PlanObject::Variable)
      OS << "variable, " << O.Size << " bytes, align " << O.Align
         << (O.Flags & PlanObject::Written ? ", written" : "");
    else if (O.Size)
      OS << "record, bytes " << O.Begin << " to "
         << O.Begin + static_cast<int64_t>(O.Size);
    else
      OS << "table";
    if (O.Flags & PlanObject::PointersStored)
      OS << ", pointers stored";
    OS << "\n";
    for (unsigned S = O.FirstSlot; S < O.FirstSlot + O.NumSlots; ++S) {
      const PlanSlot &Slot = Slots[S];
      OS << "    +" << Slot.Offset;
      if (Slot.Stride)
        OS << " + i * " << Slot.Stride;
      if (Slot.Limit)
        OS << " < " << Slot.Limit;
      OS << ":";
      if (Slot.Flags & PlanSlot::Dereferenced)
        OS << " dereferenced";
      if (Slot.Flags & PlanSlot::MayBeEnd)
        OS << " end";
      if (Slot.Flags & PlanSlot::Unused)
        OS << " unused";
      if (Slot.Flags & PlanSlot::Unseen)
        OS << " unseen";
      if (Slot.Flags & PlanSlot::PointersStored)
        OS << " pointers stored";
      if (Slot.EndOf >= 0)
        OS << " of slot " << Slot.EndOf;
      if (Slot.Shift)
        OS << " from " << Slot.Shift;
      if (Slot.Range) {
        OS << " bytes ";
        Ranges[Slot.Range - 1].print(OS);
      }
      if (Slot.Child >= 0)
        OS << " -> object " << Slot.Child;
      OS << "\n";
    }
  }
  for (const PlanWord &W : Words)
    OS << "  word: object " << W.Object << " +" << W.Offset << ", " << W.Size
       << " bytes\n";
}

} // namespace ferry
