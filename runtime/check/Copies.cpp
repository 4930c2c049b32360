//===- Copies.cpp - Two copies of the same data ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "OpenMP.h"
#include <cstring>

namespace ferry::check {

Copies &copies() {
  static Copies &C = *new Copies;
  return C;
}

bool readDevice(int Device, const char *OnDevice, uint64_t Size,
                std::vector<char> &Result) {
  Result.resize(Size);
  return omp_target_memcpy(Result.data(), OnDevice, Size, 0, 0,
                           omp_get_initial_device(), Device) == 0;
}

Copies::Same &Copies::sameOf(int Device, const Section &S) {
  Same &Result = Sections[{Device, S.Begin}];
  if (Result.Bytes.size() != S.Size) {
    Result.Bytes.assign(S.Size, 0);
    Result.Known.assign(S.Size, false);
  }
  return Result;
}

Copies::Part Copies::partOf(int Device, const Section &S, const char *First) {
  Same &Both = sameOf(Device, S);
  const ptrdiff_t At = First - S.Begin;
  return {Both.Bytes.data() + At, Both.Known.begin() + At};
}

/// Whether \p Now differs from what was the same in \p Was and is known. An
/// address of the device's stands for the host's, where it is attached.
static bool differs(const char *Now, const char *Was,
                    std::vector<bool>::const_iterator Known, uint64_t Size) {
  for (uint64_t I = 0; I < Size; ++I) {
    if (!Known[static_cast<ptrdiff_t>(I)] || Now[I] == Was[I])
      continue;
    const uint64_t Word = I & ~uint64_t{7};
    const char *Pointer = nullptr;
    if (Word + sizeof(Pointer) <= Size)
      memcpy(&Pointer, Now + Word, sizeof(Pointer));
    if (!Pointer || !memory().isDevices(Pointer))
      return true;
    I = Word + 7;
  }
  return false;
}

bool Copies::sends(const Transfer &T) {
  std::optional<Section> S = memory().find(T.Device, T.Host);
  if (!S || !S->holds(T.Host, T.Host + T.Size - 1))
    return false;
  std::lock_guard Guard(Lock);
  const auto [Was, Known] = partOf(T.Device, *S, T.Host);
  std::vector<char> OnDevice;
  const bool Lost = !differs(T.Host, Was, Known, T.Size) &&
                    readDevice(T.Device, T.OnDevice, T.Size, OnDevice) &&
                    differs(OnDevice.data(), Was, Known, T.Size);
  memcpy(Was, T.Host, T.Size);
  std::fill_n(Known, T.Size, true);
  return Lost;
}

bool Copies::fetched(const Transfer &T, const char *Before,
                     const char *Arrived) {
  std::optional<Section> S = memory().find(T.Device, T.Host);
  if (!S || !S->holds(T.Host, T.Host + T.Size - 1))
    return false;
  std::lock_guard Guard(Lock);
  const auto [Was, Known] = partOf(T.Device, *S, T.Host);
  const bool Lost = differs(Before, Was, Known, T.Size) &&
                    !differs(Arrived, Was, Known, T.Size);
  memcpy(Was, Arrived, T.Size);
  std::fill_n(Known, T.Size, true);
  return Lost;
}

void Copies::forget(const Transfer &T) {
  std::optional<Section> S = memory().find(T.Device, T.Host);
  if (!S || !S->holds(T.Host, T.Host + T.Size - 1))
    return;
  std::lock_guard Guard(Lock);
  std::fill_n(partOf(T.Device, *S, T.Host).Known, T.Size, false);
}

bool Copies::readsOld(const SureRead &R) {
  std::optional<Section> S = memory().find(R.Device, R.First);
  if (!S || !S->holds(R.First, R.Last))
    return false;
  const auto Size = static_cast<uint64_t>(R.Last - R.First) + 1;
  std::lock_guard Guard(Lock);
  const auto [Was, Known] = partOf(R.Device, *S, R.First);
  std::vector<char> OnDevice;
  return differs(R.First, Was, Known, Size) &&
         readDevice(R.Device, S->Device + (R.First - S->Begin), Size,
                    OnDevice) &&
         !differs(OnDevice.data(), Was, Known, Size);
}

bool Copies::loses(int Device, const Section &S) {
  std::vector<char> OnDevice;
  std::lock_guard Guard(Lock);
  const Same Both = std::move(sameOf(Device, S));
  Sections.erase({Device, S.Begin});
  return readDevice(Device, S.Device, S.Size, OnDevice) &&
         differs(OnDevice.data(), Both.Bytes.data(), Both.Known.begin(),
                 S.Size);
}

} // namespace ferry::check
