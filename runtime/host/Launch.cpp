//===- Launch.cpp - Carry out a launch plan ---------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two functions that `ferry-map` puts around a kernel launch:
//
//   args' = __ferry_launch_begin(plan, ident, device, args, sources, ws, size)
//   rc    = __tgt_target_kernel(ident, device, teams, threads, region, args')
//           __ferry_launch_end(ws, rc)
//
// This file is compiled to assembly when Ferry is built, embedded in the pass
// plugin and added to every module that has rewritten launches, so that a
// program needs no library of Ferry's.
//
// `begin` decides for every captured object and everything it leads to where
// the device finds it:
//
//   Image     a copy made here, with its pointers translated. The images of the
//             arguments alone travel as packed firstprivate data; as soon as
//             one image points to another, all of them share one device block
//             and one transfer.
//   Resident  it is mapped already: the device has its own. Pointers inside it
//             are attached (PTR_AND_OBJ), which keeps the host's values safe
//             when it is copied back.
//   Mapped    the kernel writes to it and it is not mapped: mapped around the
//             launch as a map clause would (OpenMP 5.2, 5.8.3), then like
//             Resident.
//
// A resident variable that the kernel writes to is held during the launch, for
// another thread's launch may be what has mapped it, and end first.
//
// Neither the program's objects nor its offload arrays are ever modified, so
// the host fallback sees what it would have seen without Ferry. A host address
// is translated only if it is mapped on the device of the launch; every other
// value is passed on bit for bit.
//
//===----------------------------------------------------------------------===//

#include "AttachedPointers.h"
#include "Interfaces.h"
#include "ferry/LaunchPlan.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>

using namespace ferry;
using namespace ferry::abi;

#define FERRY_SHARED __attribute__((visibility("hidden"), weak))

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
__attribute__((weak)) AttachedWords __ferry_attached_words;

namespace ferry {
namespace {

/// A parent index that no entry has: the attach entries' own container is
/// mapped already, and as members they leave its reference count alone.
constexpr uint64_t NoParent = 0xfffe;

constexpr uint32_t NoContainer = ~0u;

char *load(const char *Address) {
  char *Value;
  memcpy(static_cast<void *>(&Value), Address, sizeof(Value));
  return Value;
}

void store(char *Address, const void *Value) {
  memcpy(Address, static_cast<const void *>(&Value), sizeof(Value));
}

/// The first address from \p Address on that is aligned to \p Align bytes.
char *alignUp(char *Address, uint64_t Align) {
  return Address + (-reinterpret_cast<uintptr_t>(Address) & (Align - 1));
}

/// Bump allocation in the caller's workspace, then on the heap.
struct Arena {
  struct Chunk {
    Chunk *Next;
  };
  char *Next;
  char *End;
  Chunk *Heap;

  void *allocate(uint64_t Size, uint64_t Align) {
    char *At = alignUp(Next, Align);
    if (At <= End && Size <= static_cast<uint64_t>(End - At)) {
      Next = At + Size;
      return At;
    }
    auto *C = static_cast<Chunk *>(malloc(sizeof(Chunk) + Align + Size));
    if (!C)
      abort();
    C->Next = Heap;
    Heap = C;
    return alignUp(reinterpret_cast<char *>(C + 1), Align);
  }

  template <typename T> T *array(uint64_t N) {
    return static_cast<T *>(allocate(N * sizeof(T), alignof(T)));
  }

  void release() {
    while (Heap) {
      Chunk *C = Heap;
      Heap = C->Next;
      free(C);
    }
  }
};

/// A growing array in an arena.
template <typename T> struct List {
  T *Data = nullptr;
  uint32_t Size = 0;
  uint32_t Capacity = 0;

  void push(Arena &A, const T &Value) {
    if (Size == Capacity) {
      uint32_t Wanted = Capacity ? 2 * Capacity : 4;
      T *New = A.array<T>(Wanted);
      for (uint32_t I = 0; I < Size; ++I)
        New[I] = Data[I];
      Data = New;
      Capacity = Wanted;
    }
    Data[Size++] = Value;
  }
};

/// The arrays of one call to the data-mapping interface.
struct Entries {
  uint32_t Num = 0;
  void **BasePtrs = nullptr;
  void **Ptrs = nullptr;
  int64_t *Sizes = nullptr;
  int64_t *Types = nullptr;
  void **Names = nullptr;
  void **Mappers = nullptr;

  void allocate(Arena &A, uint32_t Capacity) {
    BasePtrs = A.array<void *>(Capacity);
    Ptrs = A.array<void *>(Capacity);
    Sizes = A.array<int64_t>(Capacity);
    Types = A.array<int64_t>(Capacity);
  }

  void add(void *Base, void *Ptr, int64_t Size, uint64_t Type) {
    BasePtrs[Num] = Base;
    Ptrs[Num] = Ptr;
    Sizes[Num] = Size;
    Types[Num++] = static_cast<int64_t>(Type);
  }
};

/// A variable to be mapped around the launch.
struct Extra {
  char *Host;
  uint64_t Size;
  bool Written;
  bool Hold; ///< it is mapped already, and has to stay so
};

/// A variable of which an Extra holds the mapping.
struct Held {
  char *Host;
  const PlanObject *Object;
};

/// A pointer on the host, to be kept as it is.
struct Kept {
  char *Word;
  char *Value;
};

/// A pointer inside a mapped object, to be attached to what it points to.
struct Attach {
  char *Slot;
  char *Pointee; ///< the byte that is looked up; keeps its distance
  char *Value;   ///< what the device gets; null for a reference, which a kernel
                 ///< cannot set
  uint32_t Within; ///< index of the object that it is in
  bool Read;       ///< the device's word has to be seen first
  bool Left;       ///< the device's word stays
  bool Rewrite;    ///< libomptarget thinks wrongly that it is in place
};

/// A mapped object in which pointers are attached.
struct Container {
  char *Host;   ///< some byte of it
  char *Device; ///< where the device has that byte; null if not mapped yet
  char *Begin;  ///< the words that have to be read, on the host
  char *End;
  char *Now; ///< a copy of the device's
};

/// Host memory.
struct Range {
  char *Begin;
  uint64_t Size;
};

/// An image made on the host.
struct Image {
  char *Host;
  char *Copy;
  uint64_t Size;
  bool WriteBack; ///< what the kernel changes goes back to Host
  bool Private;   ///< a private copy by the program's own wish
};

/// A word of an image that receives a device address once it is known.
struct Fixup {
  char *Word;
  char *Target; ///< an image's copy, or a host address that will be mapped
  bool ToImage;
};

/// Where the device finds an object.
enum class Place { Image, Resident, Mapped };

/// Everything that lives from `begin` to `end`, at the start of the workspace.
struct Launch {
  const LaunchPlan *Plan;
  void *Ident;
  int64_t Device;
  int32_t DeviceNum;
  int32_t HostDevice; ///< once it was asked for, else 0
  bool Wrapped;       ///< the construct's own maps are in force
  bool NoImages;      ///< an image would hide a write to the same variable
  bool BigImages;     ///< variables above ImageLimit may need an image
  bool WrapNeeded;    ///< something refers to what the construct itself maps
  bool Restart;       ///< a fact came up that changes earlier decisions
  KernelArgs *Args;
  Arena Memory;
  char *Images; ///< one buffer for all images
  uint64_t ImageBytes;
  uint64_t ImageAlign;
  char *Block; ///< the device's copy of Images, or null
  void *BlockAllocation;
  List<Extra> Extras;
  List<Extra> Wholes; ///< variables of which a part got an image first
  List<Held> Holds;
  List<Attach> Attaches;
  List<Container> Containers;
  List<Range> Fresh; ///< what the construct's maps have mapped, and nothing
                     ///< before them
  List<Image> ImageList;
  List<Fixup> Fixups;
  Entries Own;   ///< the construct's maps, when Wrapped
  Entries Added; ///< Extras and Attaches, as mapped

  // --- questions --------------------------------------------------------

  char *lookup(const char *Host) const {
    return Host ? static_cast<char *>(omp_get_mapped_ptr(Host, DeviceNum))
                : nullptr;
  }

  /// The device address of [Host, Host+Size) if all of it is one mapping.
  char *resident(char *Host, uint64_t Size) const {
    char *First = lookup(Host);
    if (!First || Size <= 1)
      return First;
    return lookup(Host + Size - 1) == First + (Size - 1) ? First : nullptr;
  }

  /// Whether a part of \p Object at \p Host is mapped: looked for byte by byte
  /// in small records, in larger ones in steps of int's alignment at most.
  bool touched(const PlanObject &Object, char *Host) const {
    uint64_t Step = Object.Align < sizeof(int) ? Object.Align : sizeof(int);
    if (Object.Size == Object.Align)
      Step = Object.Align; // a scalar
    else if (Object.Size <= 64)
      Step = 1;
    for (uint64_t At = 0; At < Object.Size; At += Step)
      if (lookup(Host + At))
        return true;
    return lookup(Host + Object.Size - 1);
  }

  bool isRoot(uint32_t Entry) const {
    for (uint32_t R = 0; R < Plan->NumRoots; ++R)
      if (Plan->Roots[R].Entry == Entry)
        return true;
    return false;
  }

  uint64_t type(uint32_t Entry) const {
    return static_cast<uint64_t>(Args->Types[Entry]);
  }

  bool wrapNeeded() { return Restart = WrapNeeded = true; }

  /// Whether the construct itself maps memory at [Host, Host+Size]. The end
  /// belongs to it: pointers may stand there. If so, everything is decided
  /// again with the construct's maps in force.
  bool mappedByConstruct(char *Host, uint64_t Size) {
    if (Wrapped || !Host)
      return false;
    for (uint32_t I = 0; I < Args->NumArgs; ++I) {
      if (type(I) & (MapPrivate | MapLiteral))
        continue;
      if (Args->Mappers && Args->Mappers[I])
        return wrapNeeded();
      auto *Begin = static_cast<char *>(Args->Ptrs[I]);
      // A section of length 0 maps nothing.
      if (Args->Sizes[I] && Host <= Begin + Args->Sizes[I] &&
          Begin <= Host + Size && !isImage(Begin))
        return wrapNeeded();
    }
    return false;
  }

  bool isImage(const char *Host) const {
    for (uint32_t I = 0; I < ImageList.Size; ++I)
      if (ImageList.Data[I].Host == Host)
        return true;
    return false;
  }

  /// Where \p Slot's pointer value \p V points to on the device, found by the
  /// byte at \p Found, where the kernel accesses it. False if nothing is mapped
  /// there.
  [[gnu::always_inline]] bool translation(const PlanSlot &Slot, char *V,
                                          char *&Device, char *&Found) {
    Found = V;
    if (!V)
      return false;
    if (!Slot.Shift) {
      Device = lookup(V);
      if (Device)
        return true;
    }
    return translationElsewhere(Slot, V, Device, Found);
  }

  [[gnu::noinline]] bool translationElsewhere(const PlanSlot &Slot, char *V,
                                              char *&Device, char *&Found) {
    if (Slot.Shift) {
      Found = V + Slot.Shift;
      if (char *D = lookup(Found)) {
        Device = D - Slot.Shift;
        return true;
      }
      Found = V;
      Device = lookup(V);
      if (Device)
        return true;
    }
    if (Slot.Flags & PlanSlot::MayBeEnd) {
      Found = V - 1;
      if (char *D = lookup(Found)) {
        Device = D + 1;
        return true;
      }
    }
    mappedByConstruct(V + Slot.Shift, 0);
    return false;
  }

  /// The same for a slot of the object at \p Host, which may have to stay in
  /// the array of another slot.
  [[gnu::always_inline]] bool translateSlot(const PlanObject &Object,
                                            const PlanSlot &Slot, char *Host,
                                            char *V, char *&Device,
                                            char *&Found) {
    return Slot.EndOf < 0 ? translation(Slot, V, Device, Found)
                          : translateEnd(Object, Slot, Host, V, Device, Found);
  }

  [[gnu::noinline]] bool translateEnd(const PlanObject &Object,
                                      const PlanSlot &Slot, char *Host, char *V,
                                      char *&Device, char *&Found) {
    const PlanSlot &Begin =
        Plan->Slots[Object.FirstSlot + static_cast<uint32_t>(Slot.EndOf)];
    char *B = load(Host + Begin.Offset), *BDevice, *BFound;
    if (V && V == B) {
      // An empty range: both ends are translated alike, whatever else they are.
      PlanSlot Plain{};
      Plain.Flags = PlanSlot::MayBeEnd;
      return translation(Plain, V, Device, Found);
    }
    if (!(Slot.Flags & PlanSlot::Dereferenced) && B && V &&
        translation(Begin, B, BDevice, BFound)) {
      // Both in one mapping: the distance between them is kept.
      ptrdiff_t Distance = V - B;
      Found = Distance > 0 ? V - 1 : V;
      Device = BDevice + Distance;
      if (lookup(Found) == Device + (Found - V))
        return true;
    }
    if (Restart)
      return false;
    return translation(Slot, V, Device, Found);
  }

  // --- decisions --------------------------------------------------------

  /// Whether all of \p Object at \p Host is mapped (Resident), nothing of it
  /// (Mapped: it can be), or a part (Image). Other threads may map and unmap it
  /// between any two lookups, so a part has to be seen again and again.
  Place presence(const PlanObject &Object, char *Host) const {
    for (int Look = 0; Look < 16; ++Look) {
      if (resident(Host, Object.Size))
        return Place::Resident;
      if (!touched(Object, Host))
        return Place::Mapped;
    }
    return Place::Image;
  }

  /// Where the device will find the variable \p Object at \p Host.
  Place placeVariable(const PlanObject &Object, char *Host) {
    if (resident(Host, Object.Size))
      return Place::Resident;
    if (mappedByConstruct(Host, Object.Size - 1))
      return Place::Resident;
    bool Written = Object.Flags & PlanObject::Written;
    if (!Written && !NoImages && Object.Size <= ImageLimit)
      return Place::Image;
    // An overlap with something that is mapped only in part cannot be mapped
    // whole; the host's copy is what the program sees there.
    Place Where = presence(Object, Host);
    if (Where != Place::Image)
      return Where;
    if (Object.Size > ImageLimit && !BigImages) {
      Restart = BigImages = true;
      return Place::Resident; // decided again with room for the image
    }
    return Place::Image;
  }

  /// Room for every image that this launch can need.
  void allocateImages() {
    uint64_t Bytes = Plan->ImageBytes;
    if (BigImages)
      for (uint32_t O = 0; O < Plan->NumObjects; ++O)
        if ((Plan->Objects[O].Flags & PlanObject::Variable) &&
            Plan->Objects[O].Size > ImageLimit)
          Bytes += Plan->Objects[O].Size + Plan->ImageAlign;
    Bytes += uint64_t{Wholes.Size} * Plan->ImageAlign;
    Images = static_cast<char *>(Memory.allocate(Bytes, Plan->ImageAlign));
  }

  /// The copy of \p Object at \p Host: a part of one that is there already, or
  /// a new one. A \p Private copy is nobody else's.
  char *addImage(const PlanObject &Object, char *Host, bool WriteBack,
                 bool Private) {
    for (uint32_t I = 0; I < ImageList.Size && !Private; ++I) {
      Image &Im = ImageList.Data[I];
      if (Im.Private || Host < Im.Host ||
          Host + Object.Size > Im.Host + Im.Size)
        continue;
      Im.WriteBack |= WriteBack;
      return Im.Copy + (Host - Im.Host);
    }
    // The image of a member has to be a part of this one: begin again with it.
    for (uint32_t I = 0; I < ImageList.Size && !Private; ++I) {
      const Image &Im = ImageList.Data[I];
      if (Im.Private || Im.Host < Host ||
          Im.Host + Im.Size > Host + Object.Size)
        continue;
      Wholes.push(Memory, {Host, Object.Size, WriteBack, false});
      Restart = true;
      return Im.Copy;
    }
    uint64_t Align =
        Object.Align > MinImageAlign ? Object.Align : MinImageAlign;
    if (Align > ImageAlign)
      ImageAlign = Align;
    ImageBytes = (ImageBytes + Align - 1) & -Align;
    char *Copy = Images + ImageBytes;
    memcpy(Copy, Host, Object.Size);
    ImageBytes += Object.Size;
    ImageList.push(Memory, {Host, Copy, Object.Size, WriteBack, Private});
    return Copy;
  }

  /// Calls \p Visit(slot, offset) for every instance of \p Object's slots.
  template <typename Fn>
  void forEachSlot(const PlanObject &Object, char *Host, Fn Visit) {
    for (uint32_t S = 0; S < Object.NumSlots && !Restart; ++S) {
      const PlanSlot &Slot = Plan->Slots[Object.FirstSlot + S];
      if (!Slot.Stride) {
        Visit(Slot, Slot.Offset);
        continue;
      }
      const uint64_t Limit = Slot.Limit ? Slot.Limit : Object.Size;
      uint64_t Offset = Slot.Offset;
      if (Limit) {
        for (; Offset + sizeof(void *) <= Limit && !Restart;
             Offset += Slot.Stride)
          Visit(Slot, Offset);
        continue;
      }
      char *First = lookup(Host + Offset);
      for (; First && !Restart &&
             resident(Host + Offset, sizeof(void *)) ==
                 First + (Offset - Slot.Offset);
           Offset += Slot.Stride)
        Visit(Slot, Offset);
    }
  }

  /// Translates the pointers in \p Copy, the image of \p Object at \p Host.
  void translateImage(const PlanObject &Object, char *Host, char *Copy) {
    forEachSlot(Object, Host, [&](const PlanSlot &Slot, uint64_t Offset) {
      if (Slot.Flags & PlanSlot::Unused)
        return;
      char *V = load(Host + Offset), *Device, *Found;
      const PlanObject *Child =
          Slot.Child < 0 ? nullptr : &Plan->Objects[Slot.Child];
      if (!Child || !(Child->Flags & PlanObject::Variable)) {
        if (translateSlot(Object, Slot, Host, V, Device, Found)) {
          store(Copy + Offset, Device);
          if (Child)
            attachBehind(*Child, V);
        }
        return;
      }
      if (!V)
        return;
      switch (placeVariable(*Child, V)) {
      case Place::Resident:
        if (hold(*Child, V))
          Fixups.push(Memory, {Copy + Offset, V, false});
        else
          store(Copy + Offset, lookup(V));
        attachObject(*Child, V, true);
        break;
      case Place::Image: {
        char *ChildCopy =
            addImage(*Child, V, Child->Flags & PlanObject::Written, false);
        Fixups.push(Memory, {Copy + Offset, ChildCopy, true});
        translateImage(*Child, V, ChildCopy);
        break;
      }
      case Place::Mapped:
        mapVariable(*Child, V);
        Fixups.push(Memory, {Copy + Offset, V, false});
        break;
      }
    });
  }

  void mapVariable(const PlanObject &Object, char *Host) {
    Extras.push(Memory,
                {Host, Object.Size, (Object.Flags & PlanObject::Written) != 0,
                 /*Hold=*/false});
    attachObject(Object, Host, true);
  }

  /// Has the resident variable \p Object stay mapped until the launch has
  /// ended, if the kernel writes to it.
  bool hold(const PlanObject &Object, char *Host) {
    if (!(Object.Flags & PlanObject::Written))
      return false;
    Extras.push(Memory, {Host, Object.Size, true, /*Hold=*/true});
    Holds.push(Memory, {Host, &Object});
    return true;
  }

  /// Attaches the pointers in the object behind the plain pointer \p V.
  void attachBehind(const PlanObject &Object, char *V) {
    if (resident(V + Object.Begin, Object.Size))
      attachObject(Object, V, true);
  }

  /// Attaches the pointers in \p Object at \p Host. If \p Whole, it is mapped
  /// or will be; else only some of its members may be.
  void attachObject(const PlanObject &Object, char *Host, bool Whole) {
    uint32_t Within = NoContainer;
    forEachSlot(Object, Host, [&](const PlanSlot &Slot, uint64_t Offset) {
      if (Slot.Flags & PlanSlot::Unused)
        return;
      // An attach entry would map a pointer that is not.
      if (!Whole && !resident(Host + Offset, sizeof(void *)))
        return;
      if (!Whole)
        Within = NoContainer;
      char *V = load(Host + Offset), *Device, *Found;
      const PlanObject *Child =
          Slot.Child < 0 ? nullptr : &Plan->Objects[Slot.Child];
      if (!Child || !(Child->Flags & PlanObject::Variable)) {
        // A mapped object may hold pointers that the host wants back as they
        // are: attach only what the kernel accesses or compares with it.
        if (!(Slot.Flags & PlanSlot::Dereferenced) && Slot.EndOf < 0)
          return;
        if (translateSlot(Object, Slot, Host, V, Device, Found)) {
          attach(Host + Offset, Found, Device, Within);
          if (Child)
            attachBehind(*Child, V);
        }
        return;
      }
      if (!V)
        return;
      if (!resident(V, Child->Size) && mappedByConstruct(V, Child->Size - 1))
        return;
      switch (presence(*Child, V)) {
      case Place::Resident:
        hold(*Child, V);
        attachObject(*Child, V, true);
        break;
      case Place::Mapped:
        mapVariable(*Child, V);
        break;
      case Place::Image:
        return;
      }
      attach(Host + Offset, V, nullptr, Within);
    });
  }

  /// Has the pointer at \p Slot attached to the byte at \p Pointee, by which
  /// the device gets \p Value. \p Within is its object's number, if it has one.
  void attach(char *Slot, char *Pointee, char *Value, uint32_t &Within) {
    if (Within == NoContainer) {
      Within = Containers.Size;
      Containers.push(Memory, {Slot, lookup(Slot), nullptr, nullptr, nullptr});
    }
    Attaches.push(Memory, {Slot, Pointee, Value, Within, /*Read=*/false,
                           /*Left=*/false, /*Rewrite=*/false});
  }

  /// The same for a root that is mapped by its own entry. An entry that was
  /// left out when the construct's maps were put in force is made up for.
  void attachRoot(const PlanRoot &Root, const PlanObject &Object, char *Host) {
    bool Whole = resident(Host, Object.Size);
    if (!Whole && Wrapped && !touched(Object, Host)) {
      bool ComesBack =
          (type(Root.Entry) & MapFrom) && (Object.Flags & PlanObject::Written);
      Extras.push(Memory, {Host, Object.Size, ComesBack, false});
      Whole = true;
    }
    attachObject(Object, Host, Whole);
  }

  /// Where the device will find root \p R, before anything is mapped here.
  Place placeRoot(const PlanRoot &Root, const PlanObject &Object, char *Host) {
    uint64_t Type = type(Root.Entry);
    if (Type & MapPrivate)
      return Place::Image;
    if (resident(Host, Object.Size))
      return Place::Resident;
    bool Plain = !(Root.Flags & PlanRoot::OwnMembers) &&
                 !(Args->Mappers && Args->Mappers[Root.Entry]) &&
                 !(Type & (MapAlways | MapPresent | MapClose | MapOmpxHold)) &&
                 static_cast<uint64_t>(Args->Sizes[Root.Entry]) == Object.Size;
    bool ComesBack = (Type & MapFrom) && (Object.Flags & PlanObject::Written);
    return Plain && (Type & MapTo) && !ComesBack && !NoImages ? Place::Image
                                                              : Place::Mapped;
  }

  /// Whether the device is there. Look-ups can do without knowing, and libomp
  /// answers by a search of the program's symbols that costs as much as five of
  /// them, so this is asked only before more than a look-up.
  bool deviceExists() {
    HostDevice = omp_get_num_devices(); // which is the host's own number
    return DeviceNum < HostDevice;
  }

  // --- actions ----------------------------------------------------------

  /// Maps what the construct maps, before the launch does it again: pointers
  /// to it can be translated then.
  void wrap() {
    Own.allocate(Memory, Args->NumArgs);
    for (uint32_t I = 0; I < Args->NumArgs; ++I) {
      uint64_t Type = type(I);
      bool Skip = (Type & (MapPrivate | MapLiteral)) ||
                  (isRoot(I) && isImage(static_cast<char *>(Args->Ptrs[I])));
      Own.add(Args->BasePtrs[I], Args->Ptrs[I], Args->Sizes[I],
              Skip ? uint64_t(MapLiteral) : Type & ~uint64_t(MapTargetParam));
    }
    Own.Names = Args->Names;
    Own.Mappers = Args->Mappers;
    Wrapped = Restart = true;
    noteNewMappings();
    begin(Own);
  }

  /// Nobody has written on the device to what Own maps first.
  void noteNewMappings() {
    for (uint32_t I = 0; I < Own.Num; ++I) {
      auto *Begin = static_cast<char *>(Own.Ptrs[I]);
      auto Size = static_cast<uint64_t>(Own.Sizes[I]);
      if ((Own.Types[I] & (MapPrivate | MapLiteral)) || !Size ||
          (Own.Mappers && Own.Mappers[I]) || lookup(Begin))
        continue;
      Fresh.push(Memory, {Begin, Size});
      attachedPointers().note(AttachedPointers::Mapped, DeviceNum, Begin, Size);
    }
  }

  void begin(Entries &E) {
    __tgt_target_data_begin_mapper(Ident, Device, static_cast<int32_t>(E.Num),
                                   E.BasePtrs, E.Ptrs, E.Sizes, E.Types,
                                   E.Names, E.Mappers);
  }

  void end(Entries &E, bool Failed) {
    if (!E.Num)
      return;
    // A kernel that did not run has nothing to give back.
    if (Failed)
      for (uint32_t I = 0; I < E.Num; ++I)
        E.Types[I] &= ~int64_t(MapFrom);
    __tgt_target_data_end_mapper(Ident, Device, static_cast<int32_t>(E.Num),
                                 E.BasePtrs, E.Ptrs, E.Sizes, E.Types, E.Names,
                                 E.Mappers);
  }

  /// Ends what was mapped around the launch. libomptarget then sets every
  /// pointer that was ever attached in a variable to the host's value of that
  /// time (postProcessingTargetDataEnd). In a variable that stays mapped, the
  /// host keeps what it has now.
  void endAdded(bool Failed) {
    List<Kept> Pointers;
    for (uint32_t I = 0; I < Holds.Size; ++I) {
      const Held &H = Holds.Data[I];
      forEachSlot(*H.Object, H.Host, [&](const PlanSlot &, uint64_t Offset) {
        Pointers.push(Memory, {H.Host + Offset, load(H.Host + Offset)});
      });
    }
    end(Added, Failed);
    for (uint32_t I = 0; I < Pointers.Size; ++I) {
      const Kept &P = Pointers.Data[I];
      if (load(P.Word) != P.Value && lookup(P.Word))
        store(P.Word, P.Value);
    }
  }

  /// One mapping for variables that contain one another: the innermost would
  /// otherwise forbid the outer ones, and only the last to be unmapped is
  /// copied back.
  void mergeExtras() {
    uint32_t Kept = 0;
    for (uint32_t I = 0; I < Extras.Size; ++I) {
      Extra E = Extras.Data[I];
      uint32_t J = 0;
      while (J < Kept) {
        Extra &K = Extras.Data[J];
        if (E.Host >= K.Host && E.Host + E.Size <= K.Host + K.Size) {
          K.Written |= E.Written;
          K.Hold &= E.Hold;
          break;
        }
        if (K.Host >= E.Host && K.Host + K.Size <= E.Host + E.Size) {
          E.Written |= K.Written;
          E.Hold &= K.Hold;
          K = Extras.Data[--Kept];
          continue;
        }
        ++J;
      }
      if (J == Kept)
        Extras.Data[Kept++] = E;
    }
    Extras.Size = Kept;
  }

  void mapExtras() {
    mergeExtras();
    uint32_t Num = Extras.Size + Attaches.Size;
    if (!Num)
      return;
    Added.allocate(Memory, Num);
    for (uint32_t I = 0; I < Extras.Size; ++I) {
      const Extra &E = Extras.Data[I];
      // Implicit: what is held may be part of one mapping or of two neighbours.
      Added.add(E.Host, E.Host, static_cast<int64_t>(E.Size),
                MapTo | (E.Written ? uint64_t(MapFrom) : 0) |
                    (E.Hold ? uint64_t(MapImplicit) : 0));
    }
    for (uint32_t I = 0; I < Attaches.Size; ++I) {
      const Attach &A = Attaches.Data[I];
      Added.add(A.Slot, A.Pointee, 0,
                withParent(MapImplicit | MapPtrAndObj | MapTo, NoParent));
    }
    begin(Added);
    for (uint32_t I = 0; I < Attaches.Size; ++I) {
      const Attach &A = Attaches.Data[I];
      if (!A.Rewrite)
        continue;
      char *Value = lookup(A.Pointee) - (A.Pointee - load(A.Slot));
      omp_target_memcpy(lookup(A.Slot), static_cast<const void *>(&Value),
                        sizeof(Value), 0, 0, DeviceNum, HostDevice);
    }
  }

  // --- what the device wrote --------------------------------------------

  bool isFresh(const char *Host) const {
    for (uint32_t I = 0; I < Fresh.Size; ++I)
      if (Host >= Fresh.Data[I].Begin &&
          Host < Fresh.Data[I].Begin + Fresh.Data[I].Size)
        return true;
    return false;
  }

  /// Whether the construct's own maps have just copied the host's word at
  /// \p Slot over the device's. What a mapper maps is not known.
  bool alwaysCopied(const char *Slot) const {
    for (uint32_t I = 0; I < Own.Num; ++I) {
      auto Type = static_cast<uint64_t>(Own.Types[I]);
      if (!(Type & MapAlways) || (Type & (MapPrivate | MapLiteral)))
        continue;
      auto *Begin = static_cast<char *>(Own.Ptrs[I]);
      if ((Own.Mappers && Own.Mappers[I]) ||
          ((Type & MapTo) && Slot >= Begin && Slot < Begin + Own.Sizes[I]))
        return true;
    }
    return false;
  }

  /// Leaves out of Attaches what the device has written itself. A word is
  /// attached only if the device's is the host's own or one attached before.
  void leaveDeviceWritten() {
    for (uint32_t I = 0; I < Attaches.Size; ++I)
      recall(Attaches.Data[I]);
    for (uint32_t I = 0; I < Containers.Size; ++I)
      readBack(Containers.Data[I]);
    uint32_t Kept = 0;
    for (uint32_t I = 0; I < Attaches.Size; ++I) {
      Attach &A = Attaches.Data[I];
      if (A.Read)
        compare(A);
      if (!A.Left)
        Attaches.Data[Kept++] = A;
    }
    Attaches.Size = Kept;
  }

  char *deviceSlot(const Attach &A) const {
    const Container &C = Containers.Data[A.Within];
    return C.Device ? C.Device + (A.Slot - C.Host) : nullptr;
  }

  /// Decides on \p A by what is known without a copy, or has it read.
  void recall(Attach &A) {
    A.Rewrite = (Plan->Flags & LaunchPlan::Always) && alwaysCopied(A.Slot);
    char *Device = deviceSlot(A);
    if (!A.Value || !Device || isFresh(A.Slot))
      return;
    if (A.Rewrite) {
      keep(A, AttachedWord::Attached);
      return;
    }
    AttachedWord Known = attachedPointers().find(DeviceNum, A.Slot, Device);
    A.Left = Known.State == AttachedWord::DeviceWritten;
    A.Read = !A.Left &&
             (Known.State == AttachedWord::Unknown || Known.Value != A.Value);
    if (!A.Read)
      return;
    Container &C = Containers.Data[A.Within];
    if (!C.Begin || A.Slot < C.Begin)
      C.Begin = A.Slot;
    if (A.Slot + sizeof(void *) > C.End)
      C.End = A.Slot + sizeof(void *);
  }

  /// One copy for all words of an object that have to be seen.
  void readBack(Container &C) {
    if (!C.Begin)
      return;
    auto Size = static_cast<uint64_t>(C.End - C.Begin);
    auto *Copy = static_cast<char *>(Memory.allocate(Size, sizeof(void *)));
    if (!omp_target_memcpy(Copy, C.Device + (C.Begin - C.Host), Size, 0, 0,
                           HostDevice, DeviceNum))
      C.Now = Copy;
  }

  /// Decides on \p A by the device's word.
  void compare(Attach &A) {
    const Container &C = Containers.Data[A.Within];
    if (!C.Now)
      return;
    char *Now = load(C.Now + (A.Slot - C.Begin));
    AttachedWord Known =
        attachedPointers().find(DeviceNum, A.Slot, deviceSlot(A));
    bool InPlace = Now == A.Value;
    // Any host address: the host's word may have changed since.
    if (!InPlace && Now != load(A.Slot) && !(Now && Now == Known.Value) &&
        !lookup(Now)) {
      A.Left = true;
      keep(A, AttachedWord::DeviceWritten);
      return;
    }
    A.Rewrite = !InPlace && Known.Value == A.Value;
    keep(A, AttachedWord::Attached);
  }

  void keep(const Attach &A, AttachedWord::StateTy State) {
    attachedPointers().keep(
        {A.Slot, deviceSlot(A),
         State == AttachedWord::Attached ? A.Value : nullptr, DeviceNum,
         State});
  }

  /// Whether an image shows a variable that is also mapped for writing.
  bool imagesHideWrites() const {
    for (uint32_t I = 0; I < ImageList.Size; ++I) {
      const Image &Im = ImageList.Data[I];
      for (uint32_t E = 0; !Im.Private && E < Extras.Size; ++E)
        if (!Extras.Data[E].Hold &&
            Im.Host < Extras.Data[E].Host + Extras.Data[E].Size &&
            Extras.Data[E].Host < Im.Host + Im.Size)
          return true;
    }
    return false;
  }

  void reset() {
    allocateImages();
    Restart = false;
    ImageBytes = 0;
    ImageAlign = MinImageAlign;
    Extras.Size = Holds.Size = Attaches.Size = Containers.Size = 0;
    ImageList.Size = Fixups.Size = 0;
    for (uint32_t I = 0; I < Wholes.Size; ++I) {
      PlanObject Whole{};
      Whole.Size = Wholes.Data[I].Size;
      Whole.Align = Plan->ImageAlign;
      addImage(Whole, Wholes.Data[I].Host, Wholes.Data[I].Written, false);
    }
  }

  /// Sends the image buffer to the device as one block.
  bool sendBlock(const Fixup *Words, uint32_t NumWords) {
    BlockAllocation = omp_target_alloc(ImageBytes + ImageAlign, DeviceNum);
    if (!BlockAllocation)
      return false;
    Block = alignUp(static_cast<char *>(BlockAllocation), ImageAlign);
    for (uint32_t I = 0; I < NumWords; ++I)
      if (Words[I].ToImage)
        store(Words[I].Word, Block + (Words[I].Target - Images));
    return omp_target_memcpy(Block, Images, ImageBytes, 0, 0, DeviceNum,
                             HostDevice) == 0;
  }

  bool cleansUp() const {
    return Own.Num || Added.Num || BlockAllocation || Memory.Heap;
  }
};

/// Words that a launch's new argument block and arrays take.
constexpr uint64_t argumentBytes(const LaunchPlan &Plan) {
  return sizeof(KernelArgs) + sizeof(void *) * 6 * Plan.NumEntries;
}

/// The argument block \p Old in \p Memory, with the entries that the plan
/// keeps.
KernelArgs *copyArgs(const LaunchPlan &Plan, const KernelArgs &Old,
                     void *Memory) {
  const size_t N = Plan.NumEntries;
  auto *New = static_cast<KernelArgs *>(Memory);
  auto *Arrays = reinterpret_cast<void **>(New + 1);
  *New = Old;
  New->NumArgs = Plan.NumEntries;
  New->BasePtrs = Arrays;
  New->Ptrs = Arrays + N;
  New->Sizes = reinterpret_cast<int64_t *>(Arrays + 2 * N);
  New->Types = reinterpret_cast<int64_t *>(Arrays + 3 * N);
  for (size_t J = 0; J < N; ++J) {
    uint32_t I = Plan.Entries[J];
    New->BasePtrs[J] = Old.BasePtrs[I];
    New->Ptrs[J] = Old.Ptrs[I];
    New->Sizes[J] = Old.Sizes[I];
    New->Types[J] = Plan.Types[J];
  }
  if (Old.Names) {
    New->Names = Arrays + 4 * N;
    for (size_t J = 0; J < N; ++J)
      New->Names[J] = Old.Names[Plan.Entries[J]];
  }
  if (Old.Mappers) {
    New->Mappers = Arrays + 5 * N;
    for (size_t J = 0; J < N; ++J)
      New->Mappers[J] = Old.Mappers[Plan.Entries[J]];
  }
  return New;
}

/// Gives the kernel \p Arg for \p Root: a copy on the host that libomptarget
/// sends as firstprivate data, or an address on the device.
void setRoot(KernelArgs &Args, const LaunchPlan &Plan, const PlanRoot &Root,
             char *Arg, bool OnDevice) {
  uint32_t J = Root.KeptAs;
  Args.BasePtrs[J] = Args.Ptrs[J] = Arg;
  Args.Sizes[J] = static_cast<int64_t>(Plan.Objects[Root.Object].Size);
  Args.Types[J] = static_cast<int64_t>(
      MapTargetParam |
      (OnDevice ? uint64_t(MapLiteral) : MapPrivate | MapTo | MapImplicit));
  if (Args.Mappers)
    Args.Mappers[J] = nullptr;
}

/// The launch's arguments with the roots' entries replaced.
KernelArgs *rewriteArgs(Launch &L, char *const *RootImages) {
  const LaunchPlan &Plan = *L.Plan;
  KernelArgs *New =
      copyArgs(Plan, *L.Args,
               L.Memory.allocate(argumentBytes(Plan), alignof(KernelArgs)));
  // Mapped around the launch already: here it is only looked up. Copies, and
  // mappers, whose reference counts do not nest, have done their work.
  for (uint32_t J = 0; J < Plan.NumEntries && L.Wrapped; ++J) {
    if (New->Types[J] & (MapPrivate | MapLiteral))
      continue;
    New->Types[J] &= ~int64_t(MapTo | MapFrom | MapAlways);
    if (New->Mappers)
      New->Mappers[J] = nullptr;
  }
  bool BigPrivate = false;
  for (uint32_t R = 0; R < Plan.NumRoots; ++R) {
    if (!RootImages[R])
      continue;
    setRoot(*New, Plan, Plan.Roots[R],
            L.Block ? L.Block + (RootImages[R] - L.Images) : RootImages[R],
            L.Block);
    BigPrivate |=
        !L.Block && Plan.Objects[Plan.Roots[R].Object].Size > PackedLimit;
  }
  // What is cleaned up after the launch must not be in use any more then. In a
  // `nowait` construct this runs in the construct's own task.
  if (L.cleansUp() || BigPrivate)
    New->Flags &= ~KernelFlagNoWait;
  return New;
}

/// The way of a plan with the flag Values: copies with pointers to mapped data
/// and nothing else, in as few steps as that takes.
///
/// \returns null where a pointer needs more thought.
KernelArgs *launchValues(const LaunchPlan &Plan, int32_t DeviceNum,
                         KernelArgs &Args, char *const *Sources, char *Memory) {
  char *Image = alignUp(Memory + argumentBytes(Plan), MinImageAlign);
  KernelArgs *New = copyArgs(Plan, Args, Memory);
  for (uint32_t R = 0; R < Plan.NumRoots; ++R) {
    const PlanRoot &Root = Plan.Roots[R];
    const PlanObject &Object = Plan.Objects[Root.Object];
    const char *Host = Sources[R]
                           ? Sources[R]
                           : static_cast<char *>(Args.BasePtrs[Root.Entry]);
    memcpy(Image, Host, Object.Size);
    const PlanSlot *Slot = Plan.Slots + Object.FirstSlot;
    for (uint32_t S = 0; S < Object.NumSlots; ++S, ++Slot) {
      const char *V = load(Host + Slot->Offset);
      if (!V)
        continue;
      const void *D = omp_get_mapped_ptr(V, DeviceNum);
      if (!D)
        return nullptr;
      store(Image + Slot->Offset, D);
    }
    setRoot(*New, Plan, Root, Image, false);
    Image += (Object.Size + MinImageAlign - 1) & -uint64_t(MinImageAlign);
  }
  return New;
}

} // namespace
} // namespace ferry

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): what
// the pass calls must not clash with the program's names.
extern "C" {

/// Prepares a launch.
///
/// \param Plan      what the launch carries over.
/// \param Ident     the launch's source location, for libomptarget.
/// \param Device    its device number, -1 for the default device.
/// \param Args      its argument block; it and its arrays are left as they are.
/// \param Sources   for each root its address on the host, or null where the
///                  offload arrays have it.
/// \param Workspace \p Size bytes, aligned to 16, that live until
///                  __ferry_launch_end.
/// \returns the argument block to launch with.
FERRY_SHARED KernelArgs *__ferry_launch_begin(const LaunchPlan *Plan,
                                              void *Ident, int64_t Device,
                                              KernelArgs *Args,
                                              char *const *Sources,
                                              void *Workspace, uint64_t Size) {
  auto *State = static_cast<Launch *>(Workspace);
  State->Plan = nullptr;
  int64_t DeviceNum =
      Device == DefaultDevice ? omp_get_default_device() : Device;
  if (DeviceNum < 0 || Args->Version != KernelArgsVersion)
    return Args;

  auto *Bytes = static_cast<char *>(Workspace);
  if ((Plan->Flags & LaunchPlan::Values) &&
      sizeof(Launch) + argumentBytes(*Plan) + Plan->ImageBytes +
              MinImageAlign <=
          Size)
    if (KernelArgs *New = launchValues(*Plan, static_cast<int32_t>(DeviceNum),
                                       *Args, Sources, Bytes + sizeof(Launch)))
      return New;

  *State = Launch{};
  Launch &L = *State;
  L.Plan = Plan;
  L.Ident = Ident;
  L.Device = Device;
  L.DeviceNum = static_cast<int32_t>(DeviceNum);
  L.Args = Args;
  L.Memory = {Bytes + sizeof(Launch), Bytes + Size, nullptr};

  auto *RootImages = L.Memory.array<char *>(Plan->NumRoots);
  auto *RootHosts = L.Memory.array<char *>(Plan->NumRoots);
  for (uint32_t R = 0; R < Plan->NumRoots; ++R) {
    uint32_t Entry = Plan->Roots[R].Entry;
    // In a task, the arrays lead to the encountering frame's variable, which
    // may be gone; what is mapped is known by that address all the same.
    bool Private = L.type(Entry) & MapPrivate;
    RootHosts[R] = Private && Sources[R]
                       ? Sources[R]
                       : static_cast<char *>(Args->BasePtrs[Entry]);
  }
  L.WrapNeeded = Plan->Flags & LaunchPlan::Always;
  do {
    L.reset();
    // All roots first: whether the construct's maps have to be in force before
    // depends on them.
    for (uint32_t R = 0; R < Plan->NumRoots; ++R) {
      const PlanRoot &Root = Plan->Roots[R];
      const PlanObject &Object = Plan->Objects[Root.Object];
      RootImages[R] = nullptr;
      if (Root.Flags & PlanRoot::PointerValue)
        continue;
      char *Host = RootHosts[R];
      Place Where = L.placeRoot(Root, Object, Host);
      if (Where == Place::Image)
        RootImages[R] =
            L.addImage(Object, Host, false, L.type(Root.Entry) & MapPrivate);
      else if (Where == Place::Mapped && !L.Wrapped)
        L.wrapNeeded();
    }
    for (uint32_t R = 0; R < Plan->NumRoots && !L.Restart; ++R) {
      const PlanRoot &Root = Plan->Roots[R];
      const PlanObject &Object = Plan->Objects[Root.Object];
      char *Host = RootHosts[R];
      if (RootImages[R])
        L.translateImage(Object, Host, RootImages[R]);
      else if (!(Root.Flags & PlanRoot::PointerValue))
        L.attachRoot(Root, Object, Host);
      else if (!L.mappedByConstruct(Host + Object.Begin, 0))
        L.attachBehind(Object, Host);
    }
    if (L.WrapNeeded && !L.Wrapped) {
      if (!L.deviceExists())
        return Args;
      L.wrap();
    } else if (!L.Restart && !L.NoImages && L.imagesHideWrites())
      L.Restart = L.NoImages = true;
  } while (L.Restart);

  bool Nested = L.ImageAlign > MinImageAlign;
  if ((Nested || L.Extras.Size || L.Attaches.Size || L.Fixups.Size) &&
      !L.deviceExists())
    return Args;
  L.leaveDeviceWritten();
  L.mapExtras();
  for (uint32_t I = 0; I < L.Fixups.Size; ++I) {
    const Fixup &F = L.Fixups.Data[I];
    if (F.ToImage)
      Nested = true;
    else if (char *D = L.lookup(F.Target))
      store(F.Word, D);
  }
  if (Nested && !L.sendBlock(L.Fixups.Data, L.Fixups.Size)) {
    // No memory on the device: launch as the program was written; libomptarget
    // reports what it makes of it.
    omp_target_free(L.BlockAllocation, L.DeviceNum);
    L.BlockAllocation = L.Block = nullptr;
    if (!L.cleansUp())
      return Args;
    auto *Waiting = L.Memory.array<KernelArgs>(1);
    *Waiting = *Args;
    Waiting->Flags &= ~KernelFlagNoWait;
    return Waiting;
  }
  return rewriteArgs(L, RootImages);
}

/// Cleans up after the launch that \p Workspace was prepared for.
///
/// \param Status what `__tgt_target_kernel` returned: not 0 when the kernel did
///               not run.
FERRY_SHARED void __ferry_launch_end(void *Workspace, int32_t Status) {
  auto &L = *static_cast<Launch *>(Workspace);
  if (!L.Plan || !L.cleansUp())
    return;
  if (L.Block) {
    for (uint32_t I = 0; I < L.ImageList.Size && !Status; ++I) {
      const Image &Im = L.ImageList.Data[I];
      if (!Im.WriteBack)
        continue;
      auto *Now = static_cast<char *>(L.Memory.allocate(Im.Size, 1));
      if (omp_target_memcpy(Now, L.Block, Im.Size, 0,
                            static_cast<size_t>(Im.Copy - L.Images),
                            L.HostDevice, L.DeviceNum))
        continue;
      // Only what the kernel changed: translated pointers stay the host's.
      for (uint64_t B = 0; B < Im.Size; ++B)
        if (Now[B] != Im.Copy[B])
          Im.Host[B] = Now[B];
    }
    omp_target_free(L.BlockAllocation, L.DeviceNum);
  }
  L.endAdded(Status != 0);
  L.end(L.Own, Status != 0);
  L.Memory.release();
}

/// Stands before a directive that maps or updates data, with its operands.
///
/// \param Update not 0 for `target update`.
FERRY_SHARED void __ferry_data_begin(int64_t Device, int32_t Num, void **Ptrs,
                                     const int64_t *Sizes, const int64_t *Types,
                                     void **Mappers, int32_t Update) {
  AttachedPointers &Known = attachedPointers();
  if (Known.empty())
    return;
  int32_t DeviceNum = Device == DefaultDevice ? omp_get_default_device()
                                              : static_cast<int32_t>(Device);
  for (int32_t I = 0; I < Num; ++I) {
    auto Type = static_cast<uint64_t>(Types[I]);
    bool Copies = (Type & MapTo) && (Update || (Type & MapAlways));
    auto Copied = Update ? AttachedPointers::Updated : AttachedPointers::Copied;
    if (Type & (MapPrivate | MapLiteral))
      continue;
    if ((Mappers && Mappers[I]) || (Type & MapNonContiguous)) {
      if (!Update)
        Known.noteAnywhere(AttachedPointers::Mapped, DeviceNum);
      if (Update || (Type & MapAlways))
        Known.noteAnywhere(Copied, DeviceNum);
      continue;
    }
    auto *Begin = static_cast<char *>(Ptrs[I]);
    auto Size = static_cast<uint64_t>(Sizes[I]);
    if (!Size || !Begin)
      continue;
    if (Copies)
      Known.note(Copied, DeviceNum, Begin, Size);
    if (!Update && !omp_get_mapped_ptr(Begin, DeviceNum))
      Known.note(AttachedPointers::Mapped, DeviceNum, Begin, Size);
  }
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
