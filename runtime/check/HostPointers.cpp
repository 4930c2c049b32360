//===- HostPointers.cpp - Pointers of a launch ----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostPointers.h"
#include "Memory.h"
#include <cstring>

namespace ferry::check {

char *argumentOf(const Launch &L, const CheckPointer &P) {
  const bool Private =
      static_cast<uint64_t>(L.Args->Types[P.Entry]) & abi::MapPrivate;
  const void *Known = L.Arguments[P.Number];
  if ((P.Flags & CheckPointer::Variable) && Private && Known)
    return static_cast<char *>(const_cast<void *>(Known));
  return static_cast<char *>(L.Args->BasePtrs[P.Entry]);
}

bool readPointer(const Launch &L, int Device, uint32_t I,
                 HostPointer *Pointers) {
  const CheckPointer &P = L.Plan->Pointers[I];
  HostPointer &Result = Pointers[I];
  if (P.Parent < 0) {
    Result.Value = argumentOf(L, P);
    return true;
  }
  const HostPointer &Parent = Pointers[P.Parent];
  if (!Parent.Readable)
    return false;
  char *Word = Parent.Value + P.Offset;
  const bool IsVariables =
      L.Plan->Pointers[P.Parent].Flags & CheckPointer::Variable;
  if (!IsVariables &&
      !memory().isMapped(Device, Word, Word + sizeof(char *) - 1))
    return false;
  Result.Word = Word;
  memcpy(&Result.Value, Word, sizeof(char *));
  return true;
}

} // namespace ferry::check
