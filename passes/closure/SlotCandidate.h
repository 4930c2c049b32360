//===- SlotCandidate.h - Slots of a plan in the making ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_SLOTCANDIDATE_H
#define FERRY_CLOSURE_SLOTCANDIDATE_H

#include "PointeeNames.h"
#include "PointerWords.h"
#include "ferry/LaunchPlan.h"

namespace ferry {

/// A slot being planned, with what is known about it.
struct SlotCandidate {
  PlanSlot Slot{};
  const LayoutItem *Item = nullptr;   ///< null: not in the layout
  const PathNode *Node = nullptr;     ///< null: its uses are not visible
  llvm::SmallVector<WordUse, 1> Uses; ///< that Node is made of
  NamedPointer Named;

  bool holds(uint64_t Offset) const {
    if (!Slot.Stride)
      return Offset == Slot.Offset;
    return Offset >= Slot.Offset && (!Slot.Limit || Offset < Slot.Limit) &&
           (Offset - Slot.Offset) % Slot.Stride == 0;
  }
};

/// Links those of \p Candidates, the pointers of one object, that are compared
/// with or subtracted from each other, such as the two ends of a range: they
/// have to stay in one array. Of several, such as ends of ranges among which
/// code chooses, it is the one at the distance that the code shows, else the
/// nearest; for an end, one that is followed. Where neither of two is followed,
/// nothing but their distance counts, and they are taken out, if all uses are
/// \p Known.
void linkCompared(std::vector<SlotCandidate> &Candidates, bool Known);

} // namespace ferry

#endif // FERRY_CLOSURE_SLOTCANDIDATE_H
