//===- Launch.cpp - Look at one launch ------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the pointers of a launch's plan on the host, as the kernel will on
// the device, and compares what is surely accessed with what is mapped. A
// finding is a mistake, so wherever the host cannot know what the device sees,
// nothing is found:
//
//  - memory of a device, shared with one or page-locked may be accessed, and
//    what a pointer leads to that a device has brought to the host;
//  - where the object that a pointer lies in is mapped, the device's copy of it
//    counts: it may have another pointer there, for example one that a kernel
//    has written;
//  - behind memory of a device no host pointer is read.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "Arrivals.h"
#include "Copies.h"
#include "Findings.h"
#include "HostPointers.h"
#include "Memory.h"
#include "OpenMP.h"
#include "Settings.h"
#include "Wording.h"
#include <algorithm>
#include <cstring>

namespace ferry::check {

namespace {

class Look {
public:
  Look(const Launch &L, uint64_t Number)
      : L(L), Plan(*L.Plan), Device(static_cast<int>(L.Device)),
        Number(Number) {}

  void run() {
    SlotRange OnStack[MaxRanges];
    std::vector<SlotRange> OnHeap;
    Ranges = OnStack;
    if (Plan.NumRanges > MaxRanges) {
      OnHeap.resize(Plan.NumRanges);
      Ranges = OnHeap.data();
    }
    if (Plan.Ranges)
      Plan.Ranges(L.Arguments, Ranges);
    HostPointer FewFound[16];
    std::vector<HostPointer> ManyFound;
    Pointers = FewFound;
    if (Plan.NumPointers > 16) {
      ManyFound.resize(Plan.NumPointers);
      Pointers = ManyFound.data();
    }
    const uint64_t Version = memory().version();
    Seen &Before = seen();
    if (!settings().Stale && isAsBefore(Before, Version))
      return;
    for (uint32_t I = 0; I < Plan.NumPointers; ++I)
      visit(I);
    Before.Plan = Repeatable ? &Plan : nullptr;
    if (!Repeatable)
      return;
    Before.Version = Version;
    Before.Device = Device;
    Before.Ranges.assign(Ranges, Ranges + Plan.NumRanges);
    Before.Pointers.assign(Pointers, Pointers + Plan.NumPointers);
  }

private:
  const Launch &L;
  const CheckPlan &Plan;
  const int Device;
  const uint64_t Number;
  SlotRange *Ranges = nullptr;
  HostPointer *Pointers = nullptr;
  /// Nothing was found, and whatever was accepted is known by Memory.
  bool Repeatable = true;

  /// Launches of a place are much alike: what this thread has seen of one when
  /// nothing was found.
  struct Seen {
    const CheckPlan *Plan = nullptr;
    uint64_t Version = 0;
    int Device = 0;
    std::vector<SlotRange> Ranges;
    std::vector<HostPointer> Pointers;
  };

  Seen &seen() const {
    constexpr size_t Places = 64;
    static thread_local Seen Table[Places];
    return Table[(reinterpret_cast<uintptr_t>(&Plan) >> 4) % Places];
  }

  /// Whether all is as it was then.
  bool isAsBefore(const Seen &Before, uint64_t Version) const {
    if (Before.Plan != &Plan || Before.Version != Version ||
        Before.Device != Device)
      return false;
    for (uint32_t I = 0; I < Plan.NumRanges; ++I)
      if (Ranges[I].First != Before.Ranges[I].First ||
          Ranges[I].Last != Before.Ranges[I].Last)
        return false;
    for (uint32_t I = 0; I < Plan.NumPointers; ++I) {
      const CheckPointer &P = Plan.Pointers[I];
      const HostPointer &Was = Before.Pointers[I];
      char *Value = nullptr;
      if (P.Parent < 0)
        Value = argumentOf(L, P);
      else if (Was.Word) // readable then, and nothing was unmapped since
        memcpy(&Value, Was.Word, sizeof(Value));
      if (Value != Was.Value)
        return false;
    }
    return true;
  }

  void visit(uint32_t I) {
    const CheckPointer &P = Plan.Pointers[I];
    HostPointer &F = Pointers[I];
    if (!readPointer(L, Device, I, Ranges, Pointers))
      return;
    if (P.Flags & CheckPointer::Variable) {
      F.Readable = F.Value;
      return;
    }
    if (P.Word && (!isUsed(P) || isToldBefore(I)))
      return;
    F.Readable = isReached(P, F, I);
  }

  /// Whether an access through \p P is made.
  bool isUsed(const CheckPointer &P) const {
    return firstUse(P) != P.FirstUse + P.NumUses;
  }

  /// Whether something was found of the element \p I when it was another round
  /// that had chosen it.
  bool isToldBefore(uint32_t I) const {
    return std::any_of(Pointers, Pointers + I, [&](const HostPointer &Before) {
      return Before.IsTold && Before.Word == Pointers[I].Word;
    });
  }

  void tell(const Finding &F, uint32_t I) {
    Pointers[I].IsTold = true;
    check::tell(F, {&Plan, I});
  }

  /// Looks whether all that is surely accessed through \p F is there.
  /// \returns whether the host has a copy of it.
  bool isReached(const CheckPointer &P, const HostPointer &F, uint32_t I) {
    const bool OnHost = F.Value && memory().isMapped(Device, F.Value, F.Value);
    for (uint32_t U = P.FirstUse; U < P.FirstUse + P.NumUses; ++U) {
      const SlotRange &R = Ranges[Plan.Uses[U].Range];
      if (R.First > R.Last)
        continue;
      if (!F.Value) {
        Repeatable = false;
        if (deviceHas(F))
          tellNull(P, Plan.Uses[U], F, I);
        return false;
      }
      const char *First = F.Value + R.First, *Last = F.Value + R.Last;
      if (!isThere(First, Last)) {
        if (deviceHas(F) && !arrivals().has(F.Value))
          tellMissing(P, F, I);
        return false;
      }
      if (settings().Stale && (P.Flags & CheckPointer::Read) &&
          copies().readsOld({Device, First, Last}))
        tellOld(P, Plan.Uses[U], F, I);
    }
    if (settings().All && F.Value && !OnHost && !isThere(F.Value, F.Value) &&
        deviceHas(F))
      tellMaybe(P, F, I);
    return OnHost;
  }

  /// Whether the kernel may access all from \p First to \p Last.
  bool isThere(const char *First, const char *Last) {
    if (memory().isMapped(Device, First, Last))
      return true;
    if (memory().isAllocated(First) || memory().isAllocated(Last))
      return true;
    // What is associated, or a variable of the device's, has no section.
    Repeatable = false;
    auto *OnDevice =
        static_cast<const char *>(omp_get_mapped_ptr(First, Device));
    if (OnDevice &&
        omp_get_mapped_ptr(Last, Device) == OnDevice + (Last - First))
      return true;
    return memory().isDevices(First) || memory().isDevices(Last);
  }

  /// Whether the device sees the pointer \p F as the host does.
  bool deviceHas(const HostPointer &F) const {
    if (!F.Word)
      return true;
    void *OnDevice = omp_get_mapped_ptr(F.Word, Device);
    if (!OnDevice)
      return true;
    char *Value = nullptr;
    return omp_target_memcpy(&Value, OnDevice, sizeof(Value), 0, 0,
                             omp_get_initial_device(), Device) == 0 &&
           (Value == F.Value || isCopyOf(F.Value, Value));
  }

  /// Whether the device has what \p Host leads to at \p Value, or had it there
  /// until it was unmapped: an earlier launch has translated the pointer in the
  /// device's copy of its object. A launch since then might have put another
  /// one there, to memory that a kernel has got in the same place.
  bool isCopyOf(const char *Host, const char *Value) const {
    if (!Host)
      return false;
    if (omp_get_mapped_ptr(Host, Device) == Value)
      return true;
    const auto Former = memory().former(Device, Host, Host);
    return Former && Former->LastLaunch + 1 == Number &&
           Value == Former->Device + (Host - Former->Begin) &&
           !memory().isAllocated(Value);
  }

  Finding finding(const CheckPointer &P, const CheckUse &U,
                  const HostPointer &Pointer) const {
    Finding F;
    F.File = Plan.File;
    F.Line = Plan.Line;
    F.Kernel = Plan.Kernel;
    F.Device = Device;
    F.Launch = Number;
    F.Pointer = nameOf(P.Name, P, Pointer);
    F.UsedFile = U.File ? U.File : "";
    F.UsedLine = U.Line;
    return F;
  }

  /// All that is surely accessed through \p P, from the first to the last byte.
  SlotRange accessed(const CheckPointer &P) const {
    SlotRange All{INT64_MAX, INT64_MIN};
    for (uint32_t U = P.FirstUse; U < P.FirstUse + P.NumUses; ++U) {
      const SlotRange &R = Ranges[Plan.Uses[U].Range];
      if (R.First > R.Last)
        continue;
      All.First = std::min(All.First, R.First);
      All.Last = std::max(All.Last, R.Last);
    }
    return All;
  }

  /// Number of the first use of \p P that is made, of which the line is known
  /// if there is one.
  uint32_t firstUse(const CheckPointer &P) const {
    uint32_t First = P.FirstUse + P.NumUses;
    for (uint32_t U = P.FirstUse; U < P.FirstUse + P.NumUses; ++U) {
      const SlotRange &R = Ranges[Plan.Uses[U].Range];
      if (R.First > R.Last)
        continue;
      if (Plan.Uses[U].Line)
        return U;
      First = std::min(First, U);
    }
    return First;
  }

  /// "'Loop.Y' = 0x55..., used at um.cpp:11, "
  static std::string subject(const CheckPointer &P, const CheckUse &U,
                             const HostPointer &Pointer) {
    std::string Text =
        "'" + nameOf(P.Name, P, Pointer) +
        "' = " + (Pointer.Value ? hex(Pointer.Value) : std::string("null"));
    if (U.Line)
      Text += ", used at " + std::string(U.File) + ":" + std::to_string(U.Line);
    return Text + ", ";
  }

  /// "target enter data map(to: Y[0:100])"
  std::string hint(const CheckPointer &P, const HostPointer &Pointer,
                   SlotRange R, uint64_t Size) const {
    const std::string Name = nameOf(P.Own, P, Pointer);
    if (Name.find_first_of("+?") != std::string::npos || !Size)
      return "";
    const auto Element = static_cast<int64_t>(Size);
    int64_t First = R.First / Element - (R.First % Element < 0);
    int64_t Last = R.Last / Element - (R.Last % Element < 0);
    const std::string Section = "[" + std::to_string(First) + ":" +
                                std::to_string(Last - First + 1) + "]";
    return std::string("target enter data map(") +
           (P.Flags & CheckPointer::Written ? "tofrom: " : "to: ") + Name +
           Section + ")";
  }

  void tellMaybe(const CheckPointer &P, const HostPointer &Pointer,
                 uint32_t I) {
    const CheckUse Unknown{};
    Finding F =
        finding(P, P.NumUses ? Plan.Uses[P.FirstUse] : Unknown, Pointer);
    F.Kind = "may-be-not-mapped";
    F.IsAdvice = true;
    F.Message = subject(P, Unknown, Pointer) +
                "is not mapped where it points, and may be followed";
    F.Numbers = {{"address", reinterpret_cast<uint64_t>(Pointer.Value)}};
    tell(F, I);
  }

  void tellNull(const CheckPointer &P, const CheckUse &U,
                const HostPointer &Pointer, uint32_t I) {
    Finding F = finding(P, U, Pointer);
    F.Kind = "null-followed";
    F.Message = subject(P, U, Pointer) + "is followed";
    tell(F, I);
  }

  /// Whether a map clause of the construct says that the host's copy of
  /// \p First to \p Last is to be sent.
  bool sends(const char *First, const char *Last) const {
    for (uint32_t I = 0; I < L.Args->NumArgs; ++I) {
      const auto Type = static_cast<uint64_t>(L.Args->Types[I]);
      const auto *Begin = static_cast<const char *>(L.Args->Ptrs[I]);
      if (abi::mapsMemory(Type) && (Type & abi::MapTo) &&
          !(Type & abi::MapImplicit) && Begin <= First &&
          Last < Begin + L.Args->Sizes[I])
        return true;
    }
    return false;
  }

  void tellOld(const CheckPointer &P, const CheckUse &U,
               const HostPointer &Pointer, uint32_t I) {
    Finding F = finding(P, U, Pointer);
    F.Kind = "stale";
    const SlotRange &R = Ranges[U.Range];
    F.IsAdvice = !sends(Pointer.Value + R.First, Pointer.Value + R.Last);
    F.Message = subject(P, U, Pointer) +
                "was written by the host since it was copied, and the kernel "
                "reads the device's copy";
    if (!F.IsAdvice)
      F.Message += ": map(to:) sends nothing of what is mapped already";
    F.Hint = "target update to(" + nameOf(P.Own, P, Pointer) + "[...])";
    F.Numbers = {{"address", reinterpret_cast<uint64_t>(Pointer.Value)}};
    tell(F, I);
  }

  void tellMissing(const CheckPointer &P, const HostPointer &Pointer,
                   uint32_t I) {
    const SlotRange R = accessed(P);
    const CheckUse &U = Plan.Uses[firstUse(P)];
    const char *First = Pointer.Value + R.First;
    const char *Last = Pointer.Value + R.Last;
    Finding F = finding(P, U, Pointer);
    F.Message = subject(P, U, Pointer);
    F.Hint = hint(P, Pointer, R, U.Size);
    F.Numbers = {{"address", reinterpret_cast<uint64_t>(Pointer.Value)},
                 {"first_byte", static_cast<uint64_t>(R.First)},
                 {"last_byte", static_cast<uint64_t>(R.Last)}};
    const std::optional<Section> Near = memory().nearest(Device, First, Last);
    const bool Partly =
        Near && Near->Begin <= Last && Near->Begin + Near->Size > First;
    const auto Former = memory().former(Device, First, Last);
    if (Partly) {
      F.Kind = "partly-mapped";
      F.Message += "is partly mapped: bytes " + std::to_string(R.First) +
                   " to " + std::to_string(R.Last) + " are accessed, " +
                   std::to_string(Near->Begin - Pointer.Value) + " to " +
                   std::to_string(Near->Begin - Pointer.Value +
                                  static_cast<int64_t>(Near->Size) - 1) +
                   " are mapped";
    } else if (Former) {
      F.Kind = "was-mapped";
      F.Message +=
          "was mapped until launch " + std::to_string(Former->LastLaunch);
      F.Hint = "unmap " + describe(*Former) + " behind this launch";
    } else if (P.Flags & CheckPointer::Record) {
      F.Kind = "record-not-mapped";
      F.Message += "leads to pointers and is not mapped";
    } else {
      F.Kind = "not-mapped";
      F.Message += "is not mapped";
    }
    if (Near)
      F.Nearest = describe(*Near) + distance(*Near, First, Last);
    tell(F, I);
  }
};

} // namespace

void look(const Launch &L, uint64_t Number) { Look(L, Number).run(); }

} // namespace ferry::check
