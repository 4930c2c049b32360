//===- DeviceWritten.h - Pointers that kernels have stored ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer in a mapped object is attached only if the device's word is the
// host's own or one that was attached before, and stayed until now. What is not
// known of it from earlier launches is read back.
//
// A word that is what would be attached may be a kernel's, or the program's own
// maps have attached it. Both stay in a program without Ferry, for as long as
// they lead to something: no kernel follows a pointer to memory that is not
// mapped any more.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_DEVICEWRITTEN_H
#define FERRY_RUNTIME_DEVICEWRITTEN_H

#include "AttachedPointers.h"
#include "LookUp.h"

namespace ferry {
namespace {

class DeviceWritten {
public:
  explicit DeviceWritten(LaunchState &L) : L(L), Ask(L) {}

  /// Takes out of the launch's Attaches what the device has written itself.
  void leaveOut() {
    for (uint32_t I = 0; I < L.Attaches.Size;) {
      const uint32_t Within = L.Attaches[I].Within;
      uint32_t End = I + 1;
      // What lies between the mapped parts of an object must not be read.
      while (L.Objects[Within].Whole && End < L.Attaches.Size &&
             L.Attaches[End].Within == Within)
        ++End;
      decide(L.Attaches.Data + I, L.Attaches.Data + End);
      I = End;
    }
    uint32_t Kept = 0;
    for (const Attach &A : L.Attaches)
      if (!A.Left)
        L.Attaches[Kept++] = A;
    L.Attaches.Size = Kept;
  }

  /// Takes note of where the kernel will store pointers.
  void noteStores() const {
    if (attachedPointers().empty())
      return;
    StoredPlaces Places{};
    for (const FoundObject &O : L.Objects)
      if ((O.Object->Flags & PlanObject::PointersStored) && O.Device &&
          O.Where == Place::Resident)
        Places.add(O.Device - O.Host);
    for (const FoundSlot &S : L.Slots)
      if ((S.Slot->Flags & PlanSlot::PointersStored) && S.Device)
        Places.add(S.Device - S.Value);
    if (Places.Num || Places.Any)
      attachedPointers().noteStores(L.DeviceNum, Places);
  }

private:
  LaunchState &L;
  const LookUp Ask;

  bool isFresh(const char *Host) const {
    for (const Range &R : L.Fresh)
      if (Host >= R.Begin && Host < R.Begin + R.Size)
        return true;
    return false;
  }

  /// Whether the construct's own maps have just copied the host's word at
  /// \p Slot over the device's. What a mapper maps is not known.
  bool alwaysCopied(const char *Slot) const {
    if (!(L.Plan->Flags & LaunchPlan::Always))
      return false;
    for (uint32_t I = 0; I < L.Own.Num; ++I) {
      auto Type = static_cast<uint64_t>(L.Own.Types[I]);
      if (!(Type & abi::MapAlways) || !abi::mapsMemory(Type))
        continue;
      auto *Begin = static_cast<char *>(L.Own.Ptrs[I]);
      if ((L.Own.Mappers && L.Own.Mappers[I]) ||
          ((Type & abi::MapTo) && Slot >= Begin &&
           Slot < Begin + L.Own.Sizes[I]))
        return true;
    }
    return false;
  }

  /// Decides on [\p Begin, \p End), pointers of one object.
  void decide(Attach *Begin, Attach *End) {
    char *First = nullptr, *Last = nullptr;
    for (Attach *A = Begin; A != End; ++A) {
      decideByMemory(*A);
      if (A->Read && (!First || A->Slot < First))
        First = A->Slot;
      if (A->Read && A->Slot > Last)
        Last = A->Slot;
    }
    if (!First)
      return;
    const auto Size = static_cast<uint64_t>(Last - First) + sizeof(void *);
    auto *Now = static_cast<char *>(allocate(L.Memory, Size, sizeof(void *)));
    if (omp_target_memcpy(Now, Begin->DeviceSlot + (First - Begin->Slot), Size,
                          0, 0, L.HostDevice, L.DeviceNum))
      return;
    for (Attach *A = Begin; A != End; ++A)
      if (A->Read)
        decideByWord(*A, load(Now + (A->Slot - First)));
  }

  AttachedWord known(const Attach &A) const {
    return attachedPointers().find(L.DeviceNum, A.Slot, A.DeviceSlot);
  }

  /// Decides on \p A by what is known without a copy, or has it read.
  void decideByMemory(Attach &A) const {
    A.Rewrite = alwaysCopied(A.Slot);
    if (!A.Value || !A.DeviceSlot || isFresh(A.Slot))
      return;
    if (A.Rewrite) {
      keepAttached(A);
      return;
    }
    const AttachedWord Known = known(A);
    A.Left = Known.State == AttachedWord::DeviceWritten && !isGone(Known);
    const bool IsKnown = Known.State == AttachedWord::Attached ||
                         Known.State == AttachedWord::MaybeStored;
    A.Read = !A.Left && (!IsKnown || Known.Value != A.Value);
  }

  /// Whether \p Known has led to memory that is not mapped there any more.
  bool isGone(const AttachedWord &Known) const {
    return Known.Word && Ask.find(Known.Pointee) != Known.PointeeDevice;
  }

  /// Decides on \p A by the device's word, \p Now.
  void decideByWord(Attach &A, char *Now) const {
    const AttachedWord Known = known(A);
    const bool InPlace = Now == A.Value;
    // Where the host's word was put, it is a kernel that has stored another;
    // where a kernel stores pointers, it may have stored the same.
    const bool IsAttached = Now && Now == Known.Value &&
                            (Known.State == AttachedWord::Unknown ||
                             Known.State == AttachedWord::Attached);
    // Any host address: the host's word may have changed since.
    A.Left = Now != load(A.Slot) && !IsAttached &&
             (InPlace || !Ask.find(Now)) &&
             !(Now == Known.Word && isGone(Known));
    A.Rewrite = !A.Left && !InPlace && Known.Value == A.Value;
    if (A.Left)
      keepWritten(A, Now, Known);
    else
      keepAttached(A);
  }

  void keepAttached(const Attach &A) const {
    attachedPointers().keep(
        inPlace(A, AttachedWord::Attached, A.Value, /*ByOthers=*/false));
  }

  /// \p Now is the device's own.
  void keepWritten(const Attach &A, char *Now, AttachedWord Known) const {
    if (Now == A.Value) {
      // Where no kernel is known to store pointers, it is the program's own
      // maps that have attached another one.
      const bool IsShadow =
          !Known.Value || Known.State == AttachedWord::Attached;
      Known = inPlace(A, Known.State, IsShadow ? Now : Known.Value,
                      IsShadow || Known.ByOthers);
    } else if (Now != Known.Word) {
      Known.Word = nullptr;
    }
    Known.State = AttachedWord::DeviceWritten;
    attachedPointers().keep(Known);
  }

  /// What is known of \p A if the device has what the host's pointer leads to.
  /// \p Shadow: what was attached last.
  AttachedWord inPlace(const Attach &A, AttachedWord::StateTy State,
                       char *Shadow, bool ByOthers) const {
    return {A.Slot,      A.DeviceSlot, Shadow,
            L.DeviceNum, State,        ByOthers,
            A.Value,     A.Pointee,    A.Value + (A.Pointee - load(A.Slot))};
  }
};

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_DEVICEWRITTEN_H
