//===- Wording.cpp - What findings say of memory --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wording.h"
#include <cstdio>

namespace ferry::check {

std::string hex(const void *Address) {
  char Text[32];
  snprintf(Text, sizeof(Text), "%p", Address);
  return Text;
}

std::string bytes(uint64_t Number) {
  return std::to_string(Number) + (Number == 1 ? " byte" : " bytes");
}

std::string quoted(const DataName &Name) {
  return Name.Name.empty() ? "data without a name (compile with -g)"
                           : "'" + Name.Name + "'";
}

std::string describe(const Section &S) {
  std::string Text = S.Name.Name.empty() ? hex(S.Begin) : S.Name.Name;
  Text += " (" + bytes(S.Size);
  if (S.Name.Line)
    Text += ", " + S.Name.File + ":" + std::to_string(S.Name.Line);
  return Text + ")";
}

std::string distance(const Section &S, const char *First, const char *Last) {
  const char *End = S.Begin + S.Size;
  if (End <= First)
    return ", ends " + bytes(static_cast<uint64_t>(First - End)) + " before";
  if (S.Begin > Last)
    return ", begins " + bytes(static_cast<uint64_t>(S.Begin - Last - 1)) +
           " behind";
  return "";
}

} // namespace ferry::check
