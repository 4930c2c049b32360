//===- CheckPlan.h - What a launch is looked at for -------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With --ferry-check each launch has, beside its plan, a constant that tells by
// name which pointers its kernel surely follows, and which bytes it surely
// accesses through them. The pass `ferry-map` emits it; the library
// runtime/check looks at every launch with it.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECKPLAN_H
#define FERRY_CHECKPLAN_H

#include "ferry/LaunchPlan.h"

namespace ferry {

/// Accesses through one pointer.
struct CheckUse {
  uint32_t Range; ///< index in what CheckPlan::Ranges gives
  uint32_t Size;  ///< of what the pointer points to, in bytes
  uint32_t Line;  ///< of the first, or 0
  uint32_t Reserved;
  const char *File;
};

/// One pointer, or a reference or object on the way to some.
struct CheckPointer {
  enum FlagBits : uint32_t {
    /// What it leads to is a variable, which the launch carries over itself.
    Variable = 1,
    /// The kernel writes to what it leads to.
    Written = 2,
    /// It leads to pointers.
    Record = 4,
    /// The kernel reads what it leads to.
    Read = 8,
  };

  int32_t Parent;  ///< the pointer behind which this one lies, or -1: it is an
                   ///< argument of the kernel
  uint32_t Entry;  ///< of the argument in the offload arrays
  int64_t Offset;  ///< from where the parent points to; of an element, that of
                   ///< element 0
  uint32_t Number; ///< of the argument
  uint32_t Flags;
  uint32_t FirstUse;
  uint32_t NumUses;
  const char *Name;
  const char *Own; ///< the name without that of a lambda that has it
  /// Of an element of a table, at an index that the launch computes: 1 + the
  /// index, in what CheckPlan::Ranges gives, of the bytes at which it lies.
  /// Else 0.
  uint32_t Word;
  uint32_t Stride; ///< from one element to the next, which the name calls [i]
  uint32_t Extent; ///< size of the variable that the table is, or 0
  uint32_t Reserved;
};

/// The checks of one launch. Pointers stand behind their parents.
struct CheckPlan {
  uint32_t NumPointers;
  uint32_t NumRanges;
  uint32_t Line; ///< of the region
  uint32_t Reserved;
  const char *Kernel; ///< for people
  const char *File;
  const CheckPointer *Pointers;
  const CheckUse *Uses;
  /// As LaunchPlan::Ranges; null if there are none.
  void (*Ranges)(const void *const *Arguments, SlotRange *Result);
};

/// Names of the functions that checked programs call.
constexpr const char CheckBeginFunction[] = "__ferry_check_begin";
constexpr const char CheckEndFunction[] = "__ferry_check_end";
constexpr const char CheckDataFunction[] = "__ferry_check_data";

} // namespace ferry

#endif // FERRY_CHECKPLAN_H
