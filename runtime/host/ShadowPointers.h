//===- ShadowPointers.h - Attached words around an update -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libomptarget keeps for each pointer that was attached the value that the
// device got and the one that the host had then ("shadow"). An update of any
// part of a mapped object writes all shadows of the object: to the device after
// a copy to it (targetDataContiguous), to the host after one from it
// (postProcessingTargetDataEnd). What a kernel or the host has stored there
// since is lost, although the program's directive does not name it. So these
// words are saved before such a directive and put right behind it.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_SHADOWPOINTERS_H
#define FERRY_RUNTIME_SHADOWPOINTERS_H

#include "Arena.h"
#include "AttachedPointers.h"

namespace ferry {
namespace {

/// The operands of a directive that updates or unmaps data.
struct DataOperands {
  int32_t DeviceNum;
  int32_t Num;
  void **Ptrs;
  const int64_t *Sizes;
  const int64_t *Types;
  void **Mappers;
  bool Update; ///< not an `exit data`, or the end of a `target data`
};

/// Attached words of the objects that a directive names.
class ShadowPointers {
public:
  explicit ShadowPointers(int32_t DeviceNum) : DeviceNum(DeviceNum) {}

  /// Saves the words that \p Directive may change. \returns whether there are
  /// any.
  bool save(const DataOperands &Directive) {
    for (int32_t I = 0; I < Directive.Num; ++I)
      addPart(Directive, I);
    if (!Parts.Size)
      return false;
    attachedPointers().forEachShadow(DeviceNum, [&](const AttachedWord &W) {
      Word Saved{W.Slot, W.Device, W.Value, nullptr, nullptr, W.ByOthers, 0, 0};
      if (isNamed(Saved))
        push(Memory, Words, Saved);
    });
    if (!Words.Size)
      return false;
    HostDevice = omp_get_num_devices();
    for (Word &W : Words) {
      W.OnHost = load(W.Slot);
      copy(&W.OnDevice, W.Device, HostDevice, DeviceNum);
    }
    return true;
  }

  /// Puts them right once the directive has been carried out.
  void restore() const {
    for (const Word &W : Words) {
      restoreHost(W);
      if (isMapped(W))
        restoreDevice(W);
    }
  }

  void forget() { release(Memory); }

private:
  /// What a directive copies: MapTo, MapFrom, and MapAlways if the copy is made
  /// whether or not the object stays mapped.
  struct Part {
    char *Begin;
    uint64_t Size;
    int64_t ToDevice; ///< from the host's bytes to the device's
    uint64_t Copies;
  };

  struct Word {
    char *Slot;
    char *Device;
    char *Shadow; ///< what was attached last
    char *OnHost; ///< before the directive, as is OnDevice
    char *OnDevice;
    bool ByOthers;
    uint64_t Copies;       ///< of the parts that the word lies in
    uint64_t ObjectCopies; ///< of those in the same object
  };

  const int32_t DeviceNum;
  int32_t HostDevice = 0;
  Arena Memory{};
  List<Part> Parts{};
  List<Word> Words{};

  void addPart(const DataOperands &Directive, int32_t I) {
    auto Type = static_cast<uint64_t>(Directive.Types[I]);
    auto *Begin = static_cast<char *>(Directive.Ptrs[I]);
    uint64_t Copies =
        Directive.Update ? (Type & (abi::MapTo | abi::MapFrom)) | abi::MapAlways
                         : Type & (abi::MapFrom | abi::MapAlways);
    if (!(Copies & (abi::MapTo | abi::MapFrom)))
      return;
    // Of what a mapper and strides name, the parts are not known.
    bool Known = !(Directive.Mappers && Directive.Mappers[I]) &&
                 !(Type & abi::MapNonContiguous);
    if (auto *Device = static_cast<char *>(
            Begin ? omp_get_mapped_ptr(Begin, DeviceNum) : nullptr);
        Device && Known)
      push(Memory, Parts,
           {Begin, static_cast<uint64_t>(Directive.Sizes[I]), Device - Begin,
            Copies});
  }

  void copy(void *To, const void *From, int32_t ToDevice,
            int32_t FromDevice) const {
    omp_target_memcpy(To, From, sizeof(char *), 0, 0, ToDevice, FromDevice);
  }

  bool isMapped(const Word &W) const {
    return omp_get_mapped_ptr(W.Slot, DeviceNum) == W.Device;
  }

  /// Whether \p W lies in an object of which a part is copied. Objects at one
  /// distance from their copies are taken for one.
  bool isNamed(Word &W) const {
    for (const Part &P : Parts) {
      if (P.ToDevice != W.Device - W.Slot)
        continue;
      W.ObjectCopies |= P.Copies;
      if (W.Slot >= P.Begin && W.Slot < P.Begin + P.Size)
        W.Copies |= P.Copies;
    }
    return W.ObjectCopies && isMapped(W);
  }

  /// What a kernel has stored comes home, an attached pointer does not.
  void restoreHost(const Word &W) const {
    if (!(W.ObjectCopies & abi::MapFrom))
      return;
    const bool Copied = (W.Copies & abi::MapFrom) &&
                        ((W.Copies & abi::MapAlways) || !isMapped(W));
    if (!Copied)
      store(W.Slot, W.OnHost);
    else if (W.OnDevice != W.Shadow)
      store(W.Slot, W.OnDevice);
  }

  /// The device gets the host's word where the directive says so, and keeps its
  /// own elsewhere.
  void restoreDevice(const Word &W) const {
    if (!(W.ObjectCopies & abi::MapTo))
      return;
    const bool Copied = W.Copies & abi::MapTo;
    char *Value = Copied ? W.OnHost : W.OnDevice;
    if (Copied && Value && omp_get_mapped_ptr(Value, DeviceNum) == W.Shadow)
      return;
    if (Value != W.Shadow)
      copy(W.Device, &Value, DeviceNum, HostDevice);
    if (Copied)
      attachedPointers().keep({W.Slot, W.Device, W.Shadow, DeviceNum,
                               AttachedWord::HostWritten, W.ByOthers, nullptr,
                               nullptr, nullptr});
  }
};

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_SHADOWPOINTERS_H
