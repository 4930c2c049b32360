//===- HostPointers.cpp - Pointers of a launch ----------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostPointers.h"
#include "Memory.h"
#include <cstring>
#include <optional>

namespace ferry::check {

char *argumentOf(const Launch &L, const CheckPointer &P) {
  const bool Private =
      static_cast<uint64_t>(L.Args->Types[P.Entry]) & abi::MapPrivate;
  const void *Known = L.Arguments[P.Number];
  if ((P.Flags & CheckPointer::Variable) && Private && Known)
    return static_cast<char *>(const_cast<void *>(Known));
  return static_cast<char *>(L.Args->BasePtrs[P.Entry]);
}

/// Where behind its parent \p P lies; for an element \p Element becomes its
/// index. Nothing, if the launch does not have it there.
static std::optional<int64_t>
offsetOf(const CheckPointer &P, const SlotRange *Ranges, int64_t &Element) {
  if (!P.Word)
    return P.Offset;
  const SlotRange &At = Ranges[P.Word - 1];
  constexpr int64_t Size = sizeof(char *);
  if (At.First > At.Last || (At.First - P.Offset) % P.Stride != 0 ||
      (P.Extent && (At.First < 0 || At.First > int64_t{P.Extent} - Size)))
    return std::nullopt;
  Element = (At.First - P.Offset) / P.Stride;
  return At.First;
}

bool readPointer(const Launch &L, int Device, uint32_t I,
                 const SlotRange *Ranges, HostPointer *Pointers) {
  const CheckPointer &P = L.Plan->Pointers[I];
  HostPointer &Result = Pointers[I];
  if (P.Parent < 0) {
    Result.Value = argumentOf(L, P);
    return true;
  }
  const HostPointer &Parent = Pointers[P.Parent];
  if (!Parent.Readable)
    return false;
  const std::optional<int64_t> Offset = offsetOf(P, Ranges, Result.Element);
  if (!Offset)
    return false;
  char *Word = Parent.Value + *Offset;
  const bool IsVariables =
      L.Plan->Pointers[P.Parent].Flags & CheckPointer::Variable;
  if (!IsVariables &&
      !memory().isMapped(Device, Word, Word + sizeof(char *) - 1))
    return false;
  Result.Word = Word;
  memcpy(&Result.Value, Word, sizeof(char *));
  return true;
}

std::string nameOf(const char *Name, const CheckPointer &P,
                   const HostPointer &H) {
  std::string Text = Name;
  if (P.Word)
    if (const size_t At = Text.find("[i]"); At != std::string::npos)
      Text.replace(At + 1, 1, std::to_string(H.Element));
  return Text;
}

} // namespace ferry::check
