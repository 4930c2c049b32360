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
//             and one transfer. A device in the host's process uses them where
//             they are.
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
// A launch goes through these files, which make one translation unit:
//
//   Values.h         the short way of plans that hold plain pointers only
//   Survey.h         finds the objects and pointers, by LookUp.h, and places
//                    the objects, by Decide.h
//   ConstructMaps.h  puts the construct's maps in force if those lead to them
//   Images.h         makes the images and sends them
//   Mappings.h       lists and makes the mappings, but for what the device has
//                    written itself (DeviceWritten.h, AttachedPointers.h)
//   Arguments.h      the argument block to launch with
//   ShadowPointers.h what updates would do to attached pointers
//
//===----------------------------------------------------------------------===//

#include "AlwaysCopies.h"
#include "Arguments.h"
#include "AttachedPointers.h"
#include "ConstructMaps.h"
#include "DeviceWritten.h"
#include "Images.h"
#include "Mappings.h"
#include "ShadowPointers.h"
#include "Survey.h"
#include "Values.h"

using namespace ferry;
using namespace ferry::abi;

#define FERRY_SHARED __attribute__((visibility("hidden"), weak))

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
__attribute__((weak)) AttachedWords __ferry_attached_words_2;

namespace ferry {
namespace {

/// Whether the device is there. Look-ups can do without knowing, and libomp
/// answers by a search of the program's symbols that costs as much as five of
/// them, so this is asked only before more than a look-up.
bool findDevice(LaunchState &L) {
  L.HostDevice = omp_get_num_devices(); // which is the host's own number
  return L.DeviceNum < L.HostDevice;
}

/// Where each root is on the host.
void findRoots(LaunchState &L, char *const *Sources) {
  L.RootHosts = allocateArray<char *>(L.Memory, L.Plan->NumRoots);
  L.RootObjects = allocateArray<int32_t>(L.Memory, L.Plan->NumRoots);
  for (uint32_t R = 0; R < L.Plan->NumRoots; ++R) {
    const uint32_t Entry = L.Plan->Roots[R].Entry;
    // In a task, the arrays lead to the encountering frame's variable, which
    // may be gone; what is mapped is known by that address all the same.
    bool Private = entryType(L, Entry) & MapPrivate;
    L.RootHosts[R] = Private && Sources[R]
                         ? Sources[R]
                         : static_cast<char *>(L.Args->BasePtrs[Entry]);
  }
}

/// Finds all that the launch leads to, with the construct's maps in force if it
/// leads to what they map. \returns false if the device does not exist.
bool findObjects(LaunchState &L, bool ImagesAllowed) {
  Survey(L, ImagesAllowed).run();
  if (ImagesAllowed && imagesArePointedTo(L)) {
    ImagesAllowed = false;
    Survey(L, ImagesAllowed).run();
  }
  if (L.Own.Num ||
      (!(L.Plan->Flags & LaunchPlan::Always) && !refersToConstruct(L)))
    return true;
  if (!findDevice(L))
    return false;
  putConstructInForce(L);
  Survey(L, ImagesAllowed).run();
  return true;
}

/// Has the device ready for the kernel. \returns the arguments to launch with.
KernelArgs *carry(LaunchState &L) {
  copyImages(L);
  translateImages(L);
  listExtras(L);
  listAttaches(L);
  const bool Shares = sharesImages(L);
  const bool HasWork = (needsAlignment(L) && !Shares) || L.Extras.Size ||
                       L.Attaches.Size || L.Fixups.Size;
  if (HasWork && !findDevice(L))
    return L.Args;
  DeviceWritten Written(L);
  Written.leaveOut();
  Written.noteStores();
  mapAdded(L);
  const bool Nested = fixImages(L);
  if (Shares) {
    L.Block = L.ImageBuffer;
    placeImages(L);
  }
  if (Shares || !Nested || sendBlock(L))
    return rewriteArgs(L);
  // No memory on the device: launch as the program was written; libomptarget
  // reports what it makes of it.
  omp_target_free(L.BlockAllocation, L.DeviceNum);
  L.BlockAllocation = L.Block = nullptr;
  return cleansUp(L) || L.Plan->NumWords ? rewriteArgs(L, /*NoMemory=*/true)
                                         : L.Args;
}

int32_t deviceNumber(int64_t Device) {
  return Device == DefaultDevice ? omp_get_default_device()
                                 : static_cast<int32_t>(Device);
}

/// Takes note of what \p Directive maps and copies to the device.
void noteDirective(const DataOperands &Directive) {
  AttachedPointers Known = attachedPointers();
  const int32_t DeviceNum = Directive.DeviceNum;
  const bool Update = Directive.Update;
  for (int32_t I = 0; I < Directive.Num; ++I) {
    auto Type = static_cast<uint64_t>(Directive.Types[I]);
    if (!mapsMemory(Type))
      continue;
    if ((Directive.Mappers && Directive.Mappers[I]) ||
        (Type & MapNonContiguous)) {
      if (!Update)
        Known.noteAnywhere(AttachedPointers::Mapped, DeviceNum);
      if (Update || (Type & MapAlways))
        Known.noteAnywhere(Update ? AttachedPointers::Updated
                                  : AttachedPointers::Changed,
                           DeviceNum);
      continue;
    }
    auto *Begin = static_cast<char *>(Directive.Ptrs[I]);
    auto Size = static_cast<uint64_t>(Directive.Sizes[I]);
    if (!Size || !Begin)
      continue;
    if (Update) {
      if (Type & MapTo)
        Known.note(AttachedPointers::Updated, DeviceNum, Begin, Size);
      continue;
    }
    copyAlways(DeviceNum, Type, Begin, Size);
    if (!omp_get_mapped_ptr(Begin, DeviceNum))
      Known.note(AttachedPointers::Mapped, DeviceNum, Begin, Size);
  }
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
///                  offload arrays have it; then, if the plan has ranges, their
///                  arguments.
/// \param Workspace \p Size bytes, aligned to 16, that live until
///                  __ferry_launch_end.
/// \returns the argument block to launch with.
FERRY_SHARED KernelArgs *__ferry_launch_begin(const LaunchPlan *Plan,
                                              void *Ident, int64_t Device,
                                              KernelArgs *Args,
                                              char *const *Sources,
                                              void *Workspace, uint64_t Size) {
  auto *State = static_cast<LaunchState *>(Workspace);
  State->Plan = nullptr;
  const int32_t DeviceNum = deviceNumber(Device);
  if (DeviceNum < 0 || Args->Version != KernelArgsVersion)
    return Args;

  SlotRange Ranges[MaxRanges];
  if (Plan->Ranges)
    Plan->Ranges(reinterpret_cast<const void *const *>(Sources) +
                     Plan->NumRoots,
                 Ranges);
  auto *Bytes = static_cast<char *>(Workspace);
  if ((Plan->Flags & LaunchPlan::Values) &&
      sizeof(LaunchState) + argumentBytes(Plan->NumEntries + Plan->NumWords) +
              Plan->ImageBytes + MinImageAlign <=
          Size)
    if (KernelArgs *New = launchValues(*Plan, DeviceNum, *Args, Sources, Ranges,
                                       Bytes + sizeof(LaunchState)))
      return New;

  *State = LaunchState{};
  LaunchState &L = *State;
  L.Plan = Plan;
  L.Ident = Ident;
  L.Device = Device;
  L.DeviceNum = DeviceNum;
  L.Args = Args;
  L.Ranges = Ranges;
  L.Memory = {Bytes + sizeof(LaunchState), Bytes + Size, nullptr};
  findRoots(L, Sources);
  if (!findObjects(L, /*ImagesAllowed=*/true))
    return Args;
  if (imagesHideWrites(L.Objects) && !findObjects(L, /*ImagesAllowed=*/false))
    return Args;
  return carry(L);
}

/// Cleans up after the launch that \p Workspace was prepared for.
///
/// \param Status what `__tgt_target_kernel` returned: not 0 when the kernel did
///               not run.
FERRY_SHARED void __ferry_launch_end(void *Workspace, int32_t Status) {
  auto &L = *static_cast<LaunchState *>(Workspace);
  if (!L.Plan || !cleansUp(L))
    return;
  if (L.Block) {
    if (!Status)
      copyBackImages(L);
    omp_target_free(L.BlockAllocation, L.DeviceNum);
  }
  unmapAdded(L, Status != 0);
  endData(L, L.Own, Status != 0);
  release(L.Memory);
}

/// Stands before a directive that maps or updates data, with its operands.
///
/// \param Update not 0 for `target update`.
FERRY_SHARED void __ferry_data_begin(int64_t Device, int32_t Num, void **Ptrs,
                                     const int64_t *Sizes, const int64_t *Types,
                                     void **Mappers, int32_t Update) {
  if (!attachedPointers().empty())
    noteDirective(
        {deviceNumber(Device), Num, Ptrs, Sizes, Types, Mappers, Update != 0});
}

/// Stands before a directive that updates or unmaps data, with its operands.
///
/// \param Update not 0 for `target update`.
/// \returns what __ferry_update_end takes.
FERRY_SHARED void *__ferry_update_begin(int64_t Device, int32_t Num,
                                        void **Ptrs, const int64_t *Sizes,
                                        const int64_t *Types, void **Mappers,
                                        int32_t Update) {
  if (attachedPointers().empty())
    return nullptr;
  const DataOperands Directive{
      deviceNumber(Device), Num, Ptrs, Sizes, Types, Mappers, Update != 0};
  ShadowPointers Pointers(Directive.DeviceNum);
  void *Saved = nullptr;
  if (Pointers.save(Directive) && (Saved = malloc(sizeof(Pointers))))
    memcpy(Saved, static_cast<const void *>(&Pointers), sizeof(Pointers));
  else
    Pointers.forget();
  if (Update)
    noteDirective(Directive);
  return Saved;
}

/// Stands behind the directive.
FERRY_SHARED void __ferry_update_end(void *Saved) {
  if (!Saved)
    return;
  auto *Pointers = static_cast<ShadowPointers *>(Saved);
  Pointers->restore();
  Pointers->forget();
  free(Saved);
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
