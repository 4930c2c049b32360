//===- LaunchPlan.h - What one launch has to carry over ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plan of one kernel launch, as plain constant data: which captured objects
// ("roots") the kernel takes, which objects they lead to, and which words in
// them are pointers that the kernel uses. The pass `ferry-map` computes it and
// emits it as a constant; the launch runtime (runtime/host) carries
// it out at every launch. Nothing in a plan depends on run-time values.
//
// Plans are trees: an object is reached through exactly one slot.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LAUNCHPLAN_H
#define FERRY_LAUNCHPLAN_H

#include "ferry/OffloadABI.h"

namespace ferry {

/// One pointer inside an object.
struct PlanSlot {
  enum FlagBits : uint32_t {
    /// The kernel accesses memory through this pointer. Where it is not set the
    /// pointer is only compared, copied or handed on.
    Dereferenced = 1,
    /// The pointer may stand one past the end of its array.
    MayBeEnd = 2,
    /// The kernel does not use the pointer. It is listed where libomptarget may
    /// set it to an old value when the launch has ended.
    Unused = 4,
    /// No use of the pointer is visible: the layout alone shows it. Where the
    /// launch reaches the same pointer another way, that one decides.
    Unseen = 8,
    /// The kernel stores pointers where this one leads to. An object behind it
    /// says so itself.
    PointersStored = 16,
  };

  uint64_t Offset; ///< of the pointer in its object, in bytes
  int64_t Shift;   ///< from the pointer to the first byte accessed through it
  uint64_t Stride; ///< 0, or the slot repeats every Stride bytes
  uint64_t Limit;  ///< it repeats below this offset; 0: as far as the object,
                   ///< or the mapping of a table of unknown length, goes
  int32_t Child;   ///< index of the object behind the pointer, or -1
  int32_t EndOf;   ///< index in the same object of the slot that this pointer
                   ///< is compared with, as the ends of a range are, or -1
  uint32_t Flags;
  uint32_t Range; ///< 1 + index in what LaunchPlan::Ranges gives, or 0
};

/// The bytes that a launch accesses through a pointer, relative to it. Both
/// ends are inside; it is not known, or empty, if Last < First.
struct SlotRange {
  int64_t First;
  int64_t Last;
};

/// The bytes that are accessed through \p Slot's pointer, by what LaunchPlan's
/// Ranges gave; null if they are not known, or none.
inline const SlotRange *accessedRange(const PlanSlot &Slot,
                                      const SlotRange *Ranges) {
  if (!Slot.Range)
    return nullptr;
  const SlotRange &R = Ranges[Slot.Range - 1];
  return R.First <= R.Last ? &R : nullptr;
}

/// How far from \p Slot's pointer the first byte lies that is looked up.
inline int64_t firstByte(const PlanSlot &Slot, const SlotRange *Ranges) {
  const SlotRange *R = accessedRange(Slot, Ranges);
  return R ? R->First : Slot.Shift;
}

/// One object: a captured variable, or what a reference, `this` or a pointer
/// leads to.
struct PlanObject {
  enum FlagBits : uint32_t {
    /// A reference, `this`, or captured variable: it stands for the variable
    /// itself and may be copied. Without it the object lies behind a plain
    /// pointer, and host memory must not be read before it is known to be
    /// mapped.
    Variable = 1,
    /// The kernel may write to it.
    Written = 2,
    /// What the kernel reads of it travels as parameters, unless it is mapped.
    Words = 4,
    /// The kernel stores pointers in it.
    PointersStored = 8,
  };

  int64_t Begin; ///< first byte used, relative to the pointer (0 for variables)
  uint64_t Size; ///< in bytes, from Begin; 0: a table of unknown length
  uint32_t Align;
  uint32_t Flags;
  uint32_t FirstSlot;
  uint32_t NumSlots;
};

/// One captured object that the kernel takes as an argument.
struct PlanRoot {
  enum FlagBits : uint32_t {
    /// The argument is a pointer variable's value; the object lies behind it.
    PointerValue = 1,
    /// Members of the object are mapped by entries of the program's own.
    OwnMembers = 2,
  };

  uint32_t Entry;  ///< index in the offload arrays of the launch
  uint32_t KeptAs; ///< index in LaunchPlan::Entries
  uint32_t Object;
  uint32_t Flags;
};

/// A piece of an object that the kernel takes as a parameter, as an integer of
/// 64 bits. It counts where the kernel gets null for the object's address.
struct PlanWord {
  uint32_t Object;
  uint32_t Size;   ///< at most 8
  uint64_t Offset; ///< in the object, in bytes
};

/// Words that a kernel takes at most. With their entries a launch stays below
/// the 4 KB of parameters that GPUs take.
constexpr uint64_t MaxWords = 128;

/// Between a kernel's name and what tells which words it takes.
constexpr const char KernelWordsSuffix[] = "_ferry_";

/// The plan of one launch.
struct LaunchPlan {
  enum FlagBits : uint32_t {
    /// Some entry has the `always` modifier.
    Always = 1,
    /// All roots are passed by value, are small, and hold pointers to data that
    /// is looked up where they point; nothing lies behind them.
    Values = 2,
    /// Every device that the launch may be for executes in the host's process,
    /// as libomptarget's host plugin does: images stay where they are made.
    HostMemory = 4,
  };

  uint32_t NumRoots;
  uint32_t NumObjects;
  uint32_t NumSlots;
  uint32_t NumEntries; ///< that the launch keeps
  uint32_t NumWords;   ///< that the kernel takes behind its arguments
  uint32_t Flags;
  /// Alignment and size of a buffer for the images of all roots and of all
  /// other variables up to ImageLimit.
  uint32_t ImageAlign;
  uint32_t Reserved;
  uint64_t ImageBytes;
  const PlanRoot *Roots;
  const PlanObject *Objects;
  const PlanSlot *Slots;
  const PlanWord *Words;
  /// The entries that the launch keeps: all but the members that Clang adds for
  /// the captured pointers of a root, which Ferry carries over by itself.
  const uint32_t *Entries;
  /// Their map types, with MEMBER_OF counted anew.
  const int64_t *Types;
  /// Computes the slots' ranges from the kernel's arguments, as the host
  /// fallback gets them; those that it does not need are null. Null if there
  /// are no ranges.
  void (*Ranges)(const void *const *Arguments, SlotRange *Result);
};

/// Ranges of one launch at most; other slots go without.
constexpr uint32_t MaxRanges = 32;

/// A variable that is not mapped and only read travels as an image up to this
/// size in bytes; above it, mapping it saves a copy on the host.
constexpr uint64_t ImageLimit = uint64_t{64} * 1024;

/// libomptarget packs firstprivate data up to this size in bytes and keeps it;
/// larger data is copied from where it is, maybe asynchronously.
constexpr uint64_t PackedLimit = 1024;

/// Images are aligned to this many bytes at least, as libomptarget aligns
/// packed firstprivate data.
constexpr uint32_t MinImageAlign = 16;

/// Names of the functions that rewritten launches call.
constexpr const char LaunchBeginFunction[] = "__ferry_launch_begin";
constexpr const char LaunchEndFunction[] = "__ferry_launch_end";

/// Names of the functions that are called before data is mapped, and before and
/// after it is updated or unmapped.
constexpr const char DataWatchFunction[] = "__ferry_data_begin";
constexpr const char UpdateBeginFunction[] = "__ferry_update_begin";
constexpr const char UpdateEndFunction[] = "__ferry_update_end";

} // namespace ferry

#endif // FERRY_LAUNCHPLAN_H
