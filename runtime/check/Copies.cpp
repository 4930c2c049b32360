//===- Copies.cpp - Two copies of the same data ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "OpenMP.h"
#include "Settings.h"
#include <cstring>
#include <utility>

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
  // Another thread may map it anew before the end of the old one is heard of.
  if (Result.Bytes.size() != S.Size || Result.Device != S.Device) {
    Result.Device = S.Device;
    Result.Number = ++Created;
    Result.Bytes.assign(S.Size, 0);
    Result.Known.assign(S.Size, false);
  }
  return Result;
}

Copies::Part Copies::partOf(int Device, const Section &S, const char *First) {
  Same &Both = sameOf(Device, S);
  const ptrdiff_t At = First - S.Begin;
  return {Both.Bytes.data() + At, Both.Known.begin() + At, Both.WasReadOld,
          Both.Number};
}

/// Whether the pointer \p Now, where \p Was was, is an address of device
/// \p Device that is attached there: what it leads to may be unmapped by now.
static bool isAttached(int Device, const char *Now, const char *Was) {
  if (memory().isDevices(Now))
    return true;
  const auto Former = memory().former(Device, Was, Was);
  return Former && Former->Device + (Was - Former->Begin) == Now;
}

/// Whether \p Now differs from what was the same in \p Was and is known, on
/// the host or on \p Device. An address of the device's stands for the host's,
/// where it is attached.
static bool differs(int Device, const char *Now, const char *Was,
                    std::vector<bool>::const_iterator Known, uint64_t Size) {
  for (uint64_t I = 0; I < Size; ++I) {
    if (!Known[static_cast<ptrdiff_t>(I)] || Now[I] == Was[I])
      continue;
    const uint64_t Word = I & ~uint64_t{7};
    const char *Pointer = nullptr, *Before = nullptr;
    if (Word + sizeof(Pointer) <= Size) {
      memcpy(&Pointer, Now + Word, sizeof(Pointer));
      memcpy(&Before, Was + Word, sizeof(Before));
    }
    if (!Pointer || !isAttached(Device, Pointer, Before))
      return true;
    I = Word + 7;
  }
  return false;
}

// The device is read without the lock: libomptarget may wait for another thread
// that waits for the lock.

bool Copies::isSame(int Device, const Section &S, const char *First,
                    const char *Now, uint64_t Size) {
  std::lock_guard Guard(Lock);
  const Part P = partOf(Device, S, First);
  return !differs(Device, Now, P.Bytes, P.Known, Size);
}

bool Copies::sends(const Transfer &T) {
  std::optional<Section> S = memory().find(T.Device, T.Host);
  if (!S || !S->holds(T.Host, T.Host + T.Size - 1))
    return false;
  std::vector<char> OnDevice;
  const bool Lost = !settings().PrintsCopies &&
                    isSame(T.Device, *S, T.Host, T.Host, T.Size) &&
                    readDevice(T.Device, T.OnDevice, T.Size, OnDevice) &&
                    !isSame(T.Device, *S, T.Host, OnDevice.data(), T.Size);
  std::lock_guard Guard(Lock);
  const Part P = partOf(T.Device, *S, T.Host);
  memcpy(P.Bytes, T.Host, T.Size);
  std::fill_n(P.Known, T.Size, true);
  P.WasReadOld = false;
  return Lost;
}

Copies::Same Copies::fetches(const Transfer &T) {
  Same Was;
  std::optional<Section> S = memory().find(T.Device, T.Host);
  if (!S || !S->holds(T.Host, T.Host + T.Size - 1))
    return Was;
  std::lock_guard Guard(Lock);
  const Part P = partOf(T.Device, *S, T.Host);
  Was.Bytes.assign(P.Bytes, P.Bytes + T.Size);
  Was.Known.assign(P.Known, P.Known + static_cast<ptrdiff_t>(T.Size));
  Was.WasReadOld = std::exchange(P.WasReadOld, false);
  Was.Number = P.Number;
  std::fill_n(P.Known, T.Size, false);
  return Was;
}

bool Copies::fetched(const Transfer &T, const Same &Was, const char *Before,
                     const char *Arrived) {
  if (Was.Bytes.empty())
    return false;
  std::optional<Section> S = memory().find(T.Device, T.Host);
  std::lock_guard Guard(Lock);
  if (S && S->holds(T.Host, T.Host + T.Size - 1)) {
    const Part P = partOf(T.Device, *S, T.Host);
    // Unless another thread has mapped it anew.
    if (P.Number == Was.Number) {
      memcpy(P.Bytes, Arrived, T.Size);
      std::fill_n(P.Known, T.Size, true);
    }
  }
  return !Was.WasReadOld &&
         differs(T.Device, Before, Was.Bytes.data(), Was.Known.begin(),
                 T.Size) &&
         !differs(T.Device, Arrived, Was.Bytes.data(), Was.Known.begin(),
                  T.Size);
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
  std::vector<char> OnDevice;
  if (isSame(R.Device, *S, R.First, R.First, Size) ||
      !readDevice(R.Device, S->Device + (R.First - S->Begin), Size, OnDevice) ||
      !isSame(R.Device, *S, R.First, OnDevice.data(), Size))
    return false;
  std::lock_guard Guard(Lock);
  partOf(R.Device, *S, R.First).WasReadOld = true;
  return true;
}

bool Copies::loses(int Device, const Section &S) {
  Same Both;
  {
    std::lock_guard Guard(Lock);
    Both = std::move(sameOf(Device, S));
    Sections.erase({Device, S.Begin});
  }
  std::vector<char> OnDevice;
  return !settings().PrintsCopies &&
         readDevice(Device, S.Device, S.Size, OnDevice) &&
         differs(Device, OnDevice.data(), Both.Bytes.data(), Both.Known.begin(),
                 S.Size);
}

} // namespace ferry::check
