//===- Explain.cpp - Names for the simulator ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wrong access comes about through some pointer, and an address does not tell
// which. Those that may have led there are the ones whose target is not mapped,
// for an address of the host's, or lies in the section nearest to it, for one
// of the device's. Of these, one that the line of the access surely uses is
// preferred; then the nearest one before the address. How far away it is stands
// beside it.
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "HostPointers.h"
#include "Memory.h"
#include "Thread.h"
#include "Wording.h"
#include <cstdio>
#include <dlfcn.h>
#include <string_view>

namespace ferry::check {

namespace {

/// An address that no object has.
bool isNullPage(uint64_t Address) { return Address < 4096; }

std::string_view baseName(std::string_view File) {
  return File.substr(File.rfind('/') + 1);
}

/// Whether \p P is surely used on the line of \p A.
bool isUsedThere(const CheckPlan &Plan, const CheckPointer &P,
                 const WrongAccess &A) {
  for (uint32_t U = P.FirstUse; U < P.FirstUse + P.NumUses; ++U) {
    const CheckUse &Use = Plan.Uses[U];
    if (Use.Line && Use.Line == A.Line && Use.File &&
        baseName(Use.File) == baseName(A.File))
      return true;
  }
  return false;
}

/// A pointer that may have led to an address.
struct Candidate {
  const CheckPointer *Pointer = nullptr;
  HostPointer Host;
  uint64_t Value = 0; ///< as the kernel has it
  bool IsUsedThere = false;

  std::string name() const { return nameOf(Pointer->Name, *Pointer, Host); }

  bool isBetter(const Candidate &Other, uint64_t Address) const {
    if (!Other.Pointer || IsUsedThere != Other.IsUsedThere)
      return !Other.Pointer || IsUsedThere;
    const bool IsBefore = Value <= Address, WasBefore = Other.Value <= Address;
    if (IsBefore != WasBefore)
      return IsBefore;
    return IsBefore ? Value > Other.Value : Value < Other.Value;
  }
};

/// The pointer of \p L that leads nearest to \p A, of those that may. \p Near
/// is the section nearest to it on the device.
Candidate findPointer(const Launch &L, const WrongAccess &A,
                      const std::optional<Section> &Near) {
  const int Device = static_cast<int>(L.Device);
  const CheckPlan &Plan = *L.Plan;
  std::vector<HostPointer> Pointers(Plan.NumPointers);
  std::vector<SlotRange> Ranges(Plan.NumRanges);
  if (Plan.Ranges)
    Plan.Ranges(L.Arguments, Ranges.data());
  Candidate Best;
  for (uint32_t I = 0; I < Plan.NumPointers; ++I) {
    const CheckPointer &P = Plan.Pointers[I];
    if (!readPointer(L, Device, I, Ranges.data(), Pointers.data()))
      continue;
    HostPointer &H = Pointers[I];
    if (P.Flags & CheckPointer::Variable) {
      H.Readable = H.Value;
      continue;
    }
    H.Readable = H.Value && memory().isMapped(Device, H.Value, H.Value);
    Candidate C{&P, H, reinterpret_cast<uint64_t>(H.Value),
                isUsedThere(Plan, P, A)};
    if (isNullPage(A.Address)) {
      if (H.Value)
        continue;
    } else if (A.OnHost) {
      if (!H.Value || H.Readable)
        continue;
    } else {
      if (!Near || H.Value < Near->Begin || H.Value > Near->Begin + Near->Size)
        continue;
      C.Value = reinterpret_cast<uint64_t>(Near->Device) +
                static_cast<uint64_t>(H.Value - Near->Begin);
    }
    if (C.isBetter(Best, A.Address))
      Best = C;
  }
  return Best;
}

} // namespace

std::string explain(const Launch &L, const WrongAccess &A) {
  const int Device = static_cast<int>(L.Device);
  const char *Address = reinterpret_cast<const char *>(A.Address);
  std::optional<Section> Near = A.OnHost
                                    ? memory().nearest(Device, Address, Address)
                                    : memory().nearestCopy(Device, Address);
  std::string Text;
  const Candidate C = L.Plan ? findPointer(L, A, Near) : Candidate();
  if (C.Pointer && isNullPage(A.Address))
    return "; captured pointer '" + C.name() + "' is null";
  if (C.Pointer) {
    Text += "; nearest captured pointer: '" + C.name();
    Text += C.Value == A.Address ? "', which leads there"
            : C.Value < A.Address
                ? "', " + bytes(A.Address - C.Value) + " before"
                : "', " + bytes(C.Value - A.Address) + " behind";
  }
  if (!Near || isNullPage(A.Address))
    return Text;
  const std::string What = describe(*Near);
  if (!A.OnHost)
    Near->Begin = Near->Device;
  return Text + "; nearest mapping: " + What +
         distance(*Near, Address, Address);
}

static void *launchOfThread() {
  Thread &This = thisThread();
  return This.Launches.empty() ? nullptr : &This.Launches.back();
}

static void explainTo(void *L, const WrongAccess &A, char *Text, size_t Size) {
  if (L)
    snprintf(Text, Size, "%s", explain(*static_cast<Launch *>(L), A).c_str());
}

static bool offerToSimulator() {
  static constexpr AddressExplainer Explainer{launchOfThread, explainTo};
  void *Driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  void *Offer = Driver ? dlsym(Driver, ExplainWithFunction) : nullptr;
  if (Offer)
    reinterpret_cast<void (*)(const AddressExplainer *)>(Offer)(&Explainer);
  return Offer;
}

void explainToSimulator() {
  static const bool Offered = offerToSimulator();
  (void)Offered;
}

} // namespace ferry::check
