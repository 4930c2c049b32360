//===- LaunchState.h - What one launch works with ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data that the launch runtime keeps from `__ferry_launch_begin` to
// `__ferry_launch_end`, in the workspace that the rewritten launch gives it.
// Plain data: the passes need the sizes, the files in runtime/host do the work.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_LAUNCHSTATE_H
#define FERRY_LAUNCHSTATE_H

#include "ferry/LaunchPlan.h"

namespace ferry {

/// Bump allocation in the workspace, then on the heap (runtime/host/Arena.h).
struct Arena {
  struct Chunk {
    Chunk *Next;
  };
  char *Next;
  char *End;
  Chunk *Heap;
};

/// A growing array in an arena.
template <typename T> struct List {
  T *Data;
  uint32_t Size;
  uint32_t Capacity;

  T &operator[](uint32_t I) const { return Data[I]; }
  T *begin() const { return Data; }
  T *end() const { return Data + Size; }
};

/// The arrays of one call to the data-mapping interface.
struct Entries {
  uint32_t Num;
  void **BasePtrs;
  void **Ptrs;
  int64_t *Sizes;
  int64_t *Types;
  void **Names;
  void **Mappers;
};

/// How much of an object is mapped.
enum class Presence { Nothing, Part, Whole };

/// Where the device finds an object.
enum class Place : uint8_t {
  Image,    ///< a copy made here, with its pointers translated
  Resident, ///< it is mapped already
  Mapped,   ///< mapped around the launch
  Left,     ///< a part of it is mapped: nothing is carried over
};

/// What an object is to the launch.
enum class Role : uint8_t {
  Root,     ///< an argument of the kernel
  Variable, ///< behind a reference or `this`
  Behind,   ///< behind a plain pointer
};

/// An object of the plan as this launch has found it. After Images.h has been
/// at it, the device has it at Copy's place in the block of images, or at
/// Device; a Mapped one is looked up once it is mapped.
struct FoundObject {
  const PlanObject *Object;
  char *Host;
  char *Device; ///< where a Resident one is; null if only a part is mapped
  char *Copy;   ///< of an Image
  uint32_t FirstSlot; ///< of its FoundSlots
  uint32_t NumSlots;
  Place Where;
  Role As;
  bool Whole;     ///< all of it is mapped, or will be
  bool Private;   ///< a copy of its own by the program's wish
  bool ComesBack; ///< what the kernel changes goes back to the host

  /// Whether the kernel takes what it reads of the image as parameters.
  bool inWords() const {
    return Where == Place::Image && (Object->Flags & PlanObject::Words);
  }
  bool isHeld() const {
    return As == Role::Variable && Where == Place::Resident && ComesBack;
  }
};

/// A pointer in a found object.
struct FoundSlot {
  const PlanSlot *Slot;
  char *At;      ///< the pointer's address on the host
  char *Value;   ///< the pointer
  char *Device;  ///< what the device gets for it, or null
  char *Found;   ///< the byte by which Device was found
  int32_t Child; ///< the found variable behind it, or -1
};

/// A variable to be mapped around the launch.
struct Extra {
  char *Host;
  uint64_t Size;
  bool Written;
  bool Hold; ///< it is mapped already, and has to stay so
};

/// A pointer inside a mapped object, to be attached to what it points to.
struct Attach {
  char *Slot;
  char *Pointee;    ///< the byte that is looked up; keeps its distance
  char *Value;      ///< what the device gets; null for a reference, which no
                    ///< kernel can set
  char *DeviceSlot; ///< null if it is not mapped yet
  uint32_t Within;  ///< number of the object
  bool Read;        ///< the device's word has to be seen
  bool Left;        ///< the device's word stays
  bool Rewrite;     ///< libomptarget thinks wrongly that it is in place
};

/// An object that is an image or a part of one.
struct ImagePart {
  FoundObject *Object;
  FoundObject *Whole; ///< the object whose image it is a part of
  uint64_t Offset;    ///< of the image in the buffer
};

/// An image, or several of which one contains the others.
struct Image {
  char *Host;
  char *Copy;
  uint64_t Size;
  bool WriteBack; ///< what the kernel changes goes back to Host
};

/// A word of an image that receives a device address once it is known.
struct Fixup {
  char *Word;
  char *Target; ///< an image's copy, or a host address that will be mapped
  bool ToImage;
};

/// Host memory.
struct Range {
  char *Begin;
  uint64_t Size;
};

/// Everything that lives from `begin` to `end`, at the start of the workspace.
struct LaunchState {
  const LaunchPlan *Plan; ///< null if there is nothing to clean up
  void *Ident;
  int64_t Device;
  int32_t DeviceNum;
  int32_t HostDevice; ///< once it was asked for, else 0
  abi::KernelArgs *Args;
  const SlotRange *Ranges; ///< while the launch is prepared
  Arena Memory;
  char **RootHosts;
  List<FoundObject> Objects; ///< the roots first, those that are there
  List<FoundSlot> Slots;
  int32_t *RootObjects; ///< numbers of the roots in Objects, or -1
  List<Image> Images;
  char *ImageBuffer; ///< one for all images
  uint64_t ImageBytes;
  uint64_t ImageAlign;
  char *Block; ///< the device's copy of ImageBuffer, or null
  void *BlockAllocation;
  List<Fixup> Fixups;
  List<Extra> Extras;
  List<Attach> Attaches;
  List<Range> Fresh; ///< what the construct's maps have mapped first
  Entries Own;       ///< the construct's maps, once they are in force
  Entries Added;     ///< Extras and Attaches, as mapped
};

/// Bytes that the new argument block of a launch with \p NumEntries offload
/// entries and its six arrays take.
constexpr uint64_t argumentBytes(uint64_t NumEntries) {
  return sizeof(abi::KernelArgs) + 6 * sizeof(void *) * NumEntries;
}

/// More stack than this is not asked for: threads may have little.
constexpr uint64_t WorkspaceLimit = 8192;

/// Bytes of stack that a launch with \p NumEntries offload entries and
/// \p NumObjects objects with \p NumSlots pointers and images of \p ImageBytes
/// bytes in all gives the runtime to work in. What does not fit is allocated on
/// the heap.
constexpr uint64_t workspaceBytes(uint64_t NumEntries, uint64_t NumObjects,
                                  uint64_t NumSlots, uint64_t ImageBytes) {
  constexpr uint64_t ObjectBytes = sizeof(FoundObject) + sizeof(Image) +
                                   sizeof(ImagePart) + sizeof(char *) +
                                   sizeof(int32_t);
  constexpr uint64_t SlotBytes = sizeof(FoundSlot) + sizeof(Attach);
  uint64_t Wanted = sizeof(LaunchState) + argumentBytes(NumEntries) +
                    ImageBytes + MinImageAlign + NumObjects * ObjectBytes +
                    NumSlots * SlotBytes;
  return Wanted < WorkspaceLimit ? Wanted : WorkspaceLimit;
}

} // namespace ferry

#endif // FERRY_LAUNCHSTATE_H
