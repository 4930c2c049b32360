//===- LaunchPlanner.h - Decide what a launch carries over ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Planning: from the launch's entries, the layout that the front end described
// and the access paths, to plain data. Nothing here touches the IR.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_LAUNCHPLANNER_H
#define FERRY_CLOSURE_LAUNCHPLANNER_H

#include "KernelParameters.h"
#include "LaunchSite.h"
#include "RegionInfo.h"
#include "ferry/LaunchPlan.h"
#include <string>
#include <vector>

namespace ferry {

/// What became of one captured pointer, for the user.
struct PointerNote {
  enum KindTy {
    Carried,    ///< a pointer, in one of Ways
    Variable,   ///< a variable behind a reference or `this`, in one of Ways
    Left,       ///< Why tells why
    NeedsMap,   ///< the data behind it has to be mapped at the launch
    LookedUp,   ///< where it points, which may not be right; Why tells why
    LeftBehind, ///< pointers that it leads to are left; Why tells why
    InMemory,   ///< a GPU does not get it as parameters; Why tells why
  };
  /// The launch takes one of them, by what is mapped.
  enum WayTy : unsigned {
    InCopy = 1,      ///< in a copy of the object
    InMapped = 2,    ///< in the mapped object
    AsParameter = 4, ///< as the kernel's parameter
  };
  KindTy Kind;
  std::string Name;
  std::optional<Refusal> Why;
  unsigned Ways = 0;
  std::optional<uint32_t> Slot; ///< of PlannedLaunch; none: it is left
};

/// The plan of one launch. Indices are as in ferry/LaunchPlan.h.
struct PlannedLaunch {
  std::vector<PlanRoot> Roots;
  std::vector<PlanObject> Objects;
  std::vector<PlanSlot> Slots;
  std::vector<PlanWord> Words;
  std::vector<uint32_t> Entries;
  std::vector<uint64_t> Types;
  /// What PlanSlot::Range refers to.
  std::vector<AccessRange> Ranges;
  uint32_t Flags = 0;
  uint32_t ImageAlign = MinImageAlign;
  uint64_t ImageBytes = 0;
  /// Parameter of the kernel for each root.
  std::vector<unsigned> RootArguments;
  std::vector<PointerNote> Notes;
  /// Something about the launch as a whole.
  std::vector<Refusal> Hints;

  bool empty() const { return Roots.empty(); }
  void print(llvm::raw_ostream &OS) const;
};

struct PlannerOptions {
  /// Pass what a kernel only reads of captured objects as its parameters.
  bool Parameters = true;
  /// Carry over every pointer of the layout, whatever the access paths say.
  bool WholeLayout = false;
  /// Take the kernel's host version for what the device's code does.
  bool HostEvidence = false;
  /// Have launches look whether what the kernels access is mapped.
  bool Check = false;

  /// What has to be known of kernels.
  AccessPaths::Detail detail() const {
    return Check ? AccessPaths::Detail::Certain : AccessPaths::Detail::Uses;
  }
};

/// What is known of the uses of a kernel's arguments.
struct KernelUses {
  const KernelPaths *Paths = nullptr;
  /// They are those of the device's code; else of the host version, and the
  /// device's may use more.
  bool Complete = false;
  /// What the kernel takes as parameters behind its arguments.
  const KernelWords *Words = nullptr;
  /// All devices that the launch may be for execute in the host's process.
  bool InHostProcess = false;
  /// Why they are not complete.
  Refusal Why = Refusal::UnknownUses;
};

/// Whether the launch \p Site can read the word \p T, if it is one: it lies in
/// a captured object, or behind references from there. What lies behind a plain
/// pointer may be device memory.
bool isReadable(const RangeTerm &T, const LaunchSite &Site,
                const RegionInfo *Region);

/// Plans the launch \p Site.
///
/// \param Region the front end's description, or null.
/// \returns a plan, which may be empty, or why there can be none.
std::variant<PlannedLaunch, Refusal> planLaunch(const LaunchSite &Site,
                                                const RegionInfo *Region,
                                                const KernelUses &Uses);

} // namespace ferry

#endif // FERRY_CLOSURE_LAUNCHPLANNER_H
