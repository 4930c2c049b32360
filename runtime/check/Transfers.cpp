//===- Transfers.cpp - Copies that could be left out ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transfers.h"
#include "Findings.h"
#include "Wording.h"
#include <string_view>

namespace ferry::check {

Transfers &transfers() {
  static Transfers &T = *new Transfers;
  return T;
}

void Transfers::count(KindTy Kind, int Device, const DataName &By,
                      uint64_t Bytes) {
  Count &C = Counts[{Kind, Device, By.File, By.Line, By.Name}];
  C.By = By;
  ++C.Times;
  C.Bytes += Bytes;
}

void Transfers::sends(const Transfer &T, const DataName &By,
                      uint64_t Launches) {
  const uint64_t Hash =
      std::hash<std::string_view>()(std::string_view(T.Host, T.Size));
  std::lock_guard Guard(Lock);
  auto [It, New] = Last.try_emplace({T.Device, T.Host});
  Sent &S = It->second;
  if (!New && S.Pending && S.Launches == Launches)
    count(NeverRead, T.Device, By, S.Size);
  if (!New && S.Hash == Hash && S.Size == T.Size)
    count(SentAgain, T.Device, By, T.Size);
  S = {Hash, T.Size, Launches, true};
}

void Transfers::fetchesUnchanged(const Transfer &T, const DataName &By) {
  std::lock_guard Guard(Lock);
  count(Unchanged, T.Device, By, T.Size);
}

void Transfers::unmaps(int Device, const Section &S, uint64_t Launches) {
  std::lock_guard Guard(Lock);
  auto It = Last.find({Device, S.Begin});
  if (It != Last.end() && It->second.Pending) {
    if (It->second.Launches == Launches)
      count(NeverRead, Device, S.Name, It->second.Size);
    It->second.Pending = false;
  }
  if (Launches - S.Launches == 1)
    count(AroundLaunch, Device, S.Name, S.Size);
}

/// The kind's name, what it says and what to do.
static std::tuple<const char *, const char *, const char *> words(int Kind) {
  switch (Kind) {
  case 0:
    return {"sent-again", "is sent again as the device was sent it before",
            "map it once around the loop: target data, or target enter data"};
  case 1:
    return {"never-read",
            "is sent, and no kernel runs before it is replaced "
            "or unmapped",
            "leave the copy out: map(alloc:)"};
  case 2:
    return {"brought-back-unchanged", "is brought back as the host has it",
            "leave the copy out: map(to:)"};
  default:
    return {"allocated-for-one-launch",
            "is allocated and freed around one "
            "launch",
            "map it once around the loop: target data, or target enter data"};
  }
}

void Transfers::tellAll() {
  std::lock_guard Guard(Lock);
  uint64_t Number = 0;
  for (const auto &[Key, C] : Counts) {
    const KindTy Kind = std::get<0>(Key);
    // Once is the way it has to be for some of them.
    const uint64_t Few = Kind == AroundLaunch ? 2 : 1;
    if (C.Times < Few)
      continue;
    auto [Name, What, Hint] = words(Kind);
    Finding F;
    F.Kind = Name;
    F.IsAdvice = true;
    F.File = C.By.File;
    F.Line = C.By.Line;
    F.Device = std::get<1>(Key);
    F.Pointer = C.By.Name;
    F.Message = quoted(C.By) + " " + What + ": " + std::to_string(C.Times) +
                (C.Times == 1 ? " time, " : " times, ") +
                std::to_string(C.Bytes) + " bytes";
    F.Hint = Hint;
    F.Numbers = {{"copies", C.Times}, {"bytes", C.Bytes}};
    tell(F, {this, ++Number});
  }
}

} // namespace ferry::check
