//===- AttachedPointers.h - What is known of attached words -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pointer words of objects that stay mapped from one launch to the next. The
// first launch that is to attach one reads the device's word back: it may be
// one that a kernel has stored there, which libomptarget would overwrite. Later
// launches find the answer here and copy nothing.
//
// An answer holds as long as the mapping. libomptarget tells nobody when a
// mapping ends, and the same host address may get the same device address
// again, so the directives that map and update data are watched
// (__ferry_data_begin).
//
// There is one table for the process, as there is one of an `inline` variable.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_ATTACHEDPOINTERS_H
#define FERRY_RUNTIME_ATTACHEDPOINTERS_H

#include "Interfaces.h"
#include <cstddef>
#include <cstdlib>

namespace ferry {

/// What the device has in one pointer word of a mapped object.
struct AttachedWord {
  enum StateTy : uint32_t {
    Unknown,       ///< it has to be read
    Attached,      ///< Value, by an attach entry
    DeviceWritten, ///< something of the device's own
    HostWritten,   ///< the host's word, or what a kernel has stored over it
    MaybeStored,   ///< Value was attached; a kernel may have stored another, or
                   ///< the same
  };

  char *Slot;   ///< on the host; null in a free entry
  char *Device; ///< where the device has it
  char *Value;  ///< what was attached last, as libomptarget knows; or null
  int32_t DeviceNum;
  StateTy State;
  /// Ferry has not attached Value: the program's own maps have, or nobody.
  bool ByOthers;
  /// What the device has there if it leads to mapped host memory, by which byte
  /// that was found, and where the device had it. Else null.
  char *Word;
  char *Pointee;
  char *PointeeDevice;
};

/// A hash table of such words, by device and host address. All zero is empty.
struct AttachedWords {
  int32_t Lock;
  AttachedWord *Words;
  uint64_t Capacity; ///< a power of two, or 0
  uint64_t Used;     ///< words that have an entry
  bool AnyUnaligned; ///< some are not aligned as pointers are
};

} // namespace ferry

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): must
// not clash with the program's names.
extern "C" {
/// Visible: the executable and its libraries share one. The number changes with
/// the structure.
extern ferry::AttachedWords __ferry_attached_words_2;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace ferry {
namespace {

/// Where a kernel stores pointers, by the distances from the host's objects to
/// the device's. Objects at one distance are taken for one.
struct StoredPlaces {
  static constexpr uint32_t Most = 8;
  int64_t ToDevice[Most];
  uint32_t Num;
  bool Any; ///< there are more

  bool has(int64_t Distance) const {
    for (uint32_t I = 0; I < Num; ++I)
      if (ToDevice[I] == Distance)
        return true;
    return Any;
  }
  void add(int64_t Distance) {
    if (has(Distance))
      return;
    if (Num < Most)
      ToDevice[Num++] = Distance;
    else
      Any = true;
  }
};

/// What may be done with the table, by several threads at once.
class AttachedPointers {
public:
  explicit AttachedPointers(AttachedWords &Table) : T(Table) {}

  /// What became of a range of mapped memory.
  enum EventTy {
    Mapped,  ///< it was not mapped, and is now
    Updated, ///< the host's bits went over it, and over them what is attached
    Copied,  ///< the host's bits went over it
    Changed, ///< the host's bits may have gone over it
  };

  /// What is known of the word at \p Slot, if the device has it at \p Device.
  AttachedWord find(int32_t DeviceNum, char *Slot, char *Device) {
    AttachedWord Found{};
    Found.Slot = Slot;
    Found.Device = Device;
    Found.DeviceNum = DeviceNum;
    if (!__atomic_load_n(&T.Capacity, __ATOMIC_ACQUIRE))
      return Found;
    lock();
    const AttachedWord &W = T.Words[position(DeviceNum, Slot)];
    if (W.Slot && W.Device == Device)
      Found = W;
    unlock();
    return Found;
  }

  /// Keeps \p Word for later launches. Without memory it is read again then.
  void keep(const AttachedWord &Word) {
    lock();
    if (T.Used < T.Capacity / 2 || grow()) {
      AttachedWord &W = T.Words[position(Word.DeviceNum, Word.Slot)];
      T.Used += !W.Slot;
      W = Word;
      T.AnyUnaligned |= reinterpret_cast<uintptr_t>(W.Slot) % Aligned != 0;
    }
    unlock();
  }

  /// Takes note of \p Event for [\p Begin, \p Begin + \p Size).
  void note(EventTy Event, int32_t DeviceNum, char *Begin, uint64_t Size) {
    if (!__atomic_load_n(&T.Capacity, __ATOMIC_ACQUIRE))
      return;
    lock();
    const uint64_t Step = T.AnyUnaligned ? 1 : Aligned;
    if (Size / Step < T.Capacity) {
      for (uint64_t I = -reinterpret_cast<uintptr_t>(Begin) % Step; I < Size;
           I += Step) {
        AttachedWord &W = T.Words[position(DeviceNum, Begin + I)];
        if (W.Slot)
          change(W, Event);
      }
    } else {
      for (uint64_t I = 0; I < T.Capacity; ++I)
        if (T.Words[I].Slot && T.Words[I].DeviceNum == DeviceNum &&
            T.Words[I].Slot >= Begin && T.Words[I].Slot < Begin + Size)
          change(T.Words[I], Event);
    }
    unlock();
  }

  /// Calls \p Use(word) for each word that was ever attached on the device, as
  /// long as it is mapped.
  template <typename UseTy> void forEachShadow(int32_t DeviceNum, UseTy Use) {
    lock();
    for (uint64_t I = 0; I < T.Capacity; ++I)
      if (const AttachedWord &W = T.Words[I];
          W.Slot && W.Device && W.Value && W.DeviceNum == DeviceNum)
        Use(W);
    unlock();
  }

  /// Takes note of a kernel that stores pointers in \p Places.
  void noteStores(int32_t DeviceNum, const StoredPlaces &Places) {
    lock();
    for (uint64_t I = 0; I < T.Capacity; ++I)
      if (AttachedWord &W = T.Words[I]; W.Slot && W.DeviceNum == DeviceNum &&
                                        W.State == AttachedWord::Attached &&
                                        Places.has(W.Device - W.Slot))
        W.State = AttachedWord::MaybeStored;
    unlock();
  }

  /// As note() does, for memory that nobody names, because a mapper does.
  void noteAnywhere(EventTy Event, int32_t DeviceNum) {
    lock();
    for (uint64_t I = 0; I < T.Capacity; ++I) {
      AttachedWord &W = T.Words[I];
      if (W.Slot && W.DeviceNum == DeviceNum &&
          (Event != Mapped || !isMapped(W)))
        change(W, Event);
    }
    unlock();
  }

  bool empty() const { return !__atomic_load_n(&T.Capacity, __ATOMIC_ACQUIRE); }

private:
  AttachedWords &T;

  static constexpr uint64_t Aligned = alignof(void *);

  void lock() {
    while (__atomic_exchange_n(&T.Lock, 1, __ATOMIC_ACQUIRE))
      sched_yield();
  }
  void unlock() { __atomic_store_n(&T.Lock, 0, __ATOMIC_RELEASE); }

  /// Where the word is, or where there is room for it.
  uint64_t position(int32_t DeviceNum, char *Slot) const {
    uint64_t Hash =
        (reinterpret_cast<uintptr_t>(Slot) + static_cast<uint64_t>(DeviceNum)) *
        0x9e3779b97f4a7c15;
    uint64_t I = (Hash >> 32) & (T.Capacity - 1);
    while (T.Words[I].Slot &&
           (T.Words[I].Slot != Slot || T.Words[I].DeviceNum != DeviceNum))
      I = (I + 1) & (T.Capacity - 1);
    return I;
  }

  static bool isMapped(const AttachedWord &W) {
    return omp_get_mapped_ptr(W.Slot, W.DeviceNum) == W.Device;
  }

  static void change(AttachedWord &W, EventTy Event) {
    // libomptarget sends what it has attached after an update.
    if (Event == Updated && W.State == AttachedWord::Attached)
      return;
    // It does not after a map with `always`, and thinks that it is in place.
    if (Event == Mapped)
      W.Value = W.Word = nullptr;
    W.State =
        Event == Copied ? AttachedWord::HostWritten : AttachedWord::Unknown;
  }

  /// Makes room; words that are not mapped any more are left behind.
  bool grow() {
    uint64_t Live = 0;
    for (uint64_t I = 0; I < T.Capacity; ++I) {
      if (T.Words[I].Slot && !isMapped(T.Words[I]))
        T.Words[I].Device = nullptr;
      Live += T.Words[I].Slot && T.Words[I].Device;
    }
    uint64_t NewCapacity = 64;
    while (NewCapacity < 4 * (Live + 1))
      NewCapacity *= 2;
    auto *New =
        static_cast<AttachedWord *>(calloc(NewCapacity, sizeof(AttachedWord)));
    if (!New)
      return false;
    AttachedWord *Old = T.Words;
    uint64_t OldCapacity = T.Capacity;
    T.Words = New;
    __atomic_store_n(&T.Capacity, NewCapacity, __ATOMIC_RELEASE);
    for (uint64_t I = 0; I < OldCapacity; ++I)
      if (Old[I].Slot && Old[I].Device)
        T.Words[position(Old[I].DeviceNum, Old[I].Slot)] = Old[I];
    T.Used = Live;
    free(Old);
    return true;
  }
};

AttachedPointers attachedPointers() {
  return AttachedPointers(__ferry_attached_words_2);
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_ATTACHEDPOINTERS_H
