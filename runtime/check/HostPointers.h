//===- HostPointers.h - Pointers of a launch --------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_HOSTPOINTERS_H
#define FERRY_CHECK_HOSTPOINTERS_H

#include "Launch.h"
#include <string>

namespace ferry::check {

/// A pointer of a plan as the host has it.
struct HostPointer {
  char *Value = nullptr;
  char *Word = nullptr;  ///< where it lies; null for an argument
  int64_t Element = 0;   ///< its index, if it is an element of a table
  bool Readable = false; ///< the host may read what it leads to
  bool IsTold = false;   ///< something was found
};

/// Where the argument \p P of \p L begins, or its value.
char *argumentOf(const Launch &L, const CheckPointer &P);

/// Reads pointer number \p I of \p L's plan for device \p Device into
/// \p Pointers, which has those before it. Readable stays as it is.
/// \p Ranges are what the plan's Ranges gives.
///
/// \returns whether the host can read it.
bool readPointer(const Launch &L, int Device, uint32_t I,
                 const SlotRange *Ranges, HostPointer *Pointers);

/// \p Name, of \p P or its own, with the index of \p H.
std::string nameOf(const char *Name, const CheckPointer &P,
                   const HostPointer &H);

} // namespace ferry::check

#endif // FERRY_CHECK_HOSTPOINTERS_H
