//===- Images.h - Copies of objects for the device --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images are made on the host, with their pointers translated. Those of the
// arguments alone travel as packed firstprivate data; as soon as one points to
// another, all of them share one device block and one transfer. A device in the
// host's process uses them where they are.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_IMAGES_H
#define FERRY_RUNTIME_IMAGES_H

#include "LookUp.h"

namespace ferry {
namespace {

/// Whether \p I is to be a part of the image of \p Of. Of two that are the
/// same, the first is it.
bool isPartOf(const FoundObject &I, const FoundObject &Of) {
  return !I.Private && !Of.Private && I.Host >= Of.Host &&
         I.Host + I.Object->Size <= Of.Host + Of.Object->Size &&
         (I.Object->Size < Of.Object->Size || &Of < &I);
}

/// The largest image that \p I is a part of, or itself.
FoundObject *wholeOf(FoundObject *I, const List<ImagePart> &Parts) {
  for (const ImagePart &Of : Parts)
    if (isPartOf(*I, *Of.Object))
      return wholeOf(Of.Object, Parts);
  return I;
}

/// Room for the image of \p O at the end of the buffer. \returns its offset.
uint64_t addToBuffer(LaunchState &L, const FoundObject &O, uint64_t Align) {
  if (Align > L.ImageAlign)
    L.ImageAlign = Align;
  L.ImageBytes = (L.ImageBytes + Align - 1) & -Align;
  uint64_t Offset = L.ImageBytes;
  L.ImageBytes += O.Object->Size;
  return Offset;
}

/// The objects that are images, and of which they are a part.
List<ImagePart> findImages(LaunchState &L) {
  List<ImagePart> Parts{};
  reserve(L.Memory, Parts, L.Objects.Size);
  for (FoundObject &O : L.Objects)
    if (O.Where == Place::Image)
      push(L.Memory, Parts, {&O, &O, 0});
  for (ImagePart &P : Parts)
    P.Whole = wholeOf(P.Object, Parts);
  return Parts;
}

/// Lays the images out in one buffer.
void allocateImages(LaunchState &L, const List<ImagePart> &Parts) {
  L.ImageAlign = MinImageAlign;
  for (ImagePart &P : Parts) {
    if (P.Whole != P.Object)
      continue;
    uint64_t Align = MinImageAlign;
    for (const ImagePart &Q : Parts)
      if (Q.Whole == P.Object && Q.Object->Object->Align > Align)
        Align = Q.Object->Object->Align;
    P.Offset = addToBuffer(L, *P.Object, Align);
  }
  L.ImageBuffer =
      static_cast<char *>(allocate(L.Memory, L.ImageBytes, L.ImageAlign));
}

/// Copies every object that is an image. One that lies in another is a part of
/// its image.
void copyImages(LaunchState &L) {
  const List<ImagePart> Parts = findImages(L);
  allocateImages(L, Parts);
  reserve(L.Memory, L.Images, Parts.Size);
  for (const ImagePart &P : Parts) {
    FoundObject &O = *P.Object;
    if (P.Whole != &O)
      continue;
    O.Copy = L.ImageBuffer + P.Offset;
    memcpy(O.Copy, O.Host, O.Object->Size);
    bool WriteBack = false;
    for (const ImagePart &Q : Parts)
      if (Q.Whole == &O) {
        Q.Object->Copy = O.Copy + (Q.Object->Host - O.Host);
        WriteBack |= Q.Object->As == Role::Variable && Q.Object->ComesBack;
      }
    push(L.Memory, L.Images, {O.Host, O.Copy, O.Object->Size, WriteBack});
  }
}

/// Sets the pointers in the images. Addresses that are not known yet become
/// fixups.
void translateImages(LaunchState &L) {
  for (const FoundObject &O : L.Objects)
    for (uint32_t I = 0; O.Where == Place::Image && I < O.NumSlots; ++I) {
      const FoundSlot &S = L.Slots[O.FirstSlot + I];
      char *Word = O.Copy + (S.At - O.Host);
      if (S.Child < 0) {
        if (S.Device)
          store(Word, S.Device);
        continue;
      }
      const FoundObject &Child = L.Objects[static_cast<uint32_t>(S.Child)];
      if (Child.inWords())
        store(Word, nullptr);
      else if (Child.Where == Place::Image)
        push(L.Memory, L.Fixups, {Word, Child.Copy, true});
      else if (Child.Where == Place::Mapped || Child.isHeld())
        push(L.Memory, L.Fixups, {Word, S.Value, false});
      else
        store(Word, Child.Device);
    }
}

/// Whether an argument that travels as an image has to be aligned as
/// libomptarget does not align firstprivate data.
bool needsAlignment(const LaunchState &L) {
  for (const FoundObject &O : L.Objects)
    if (O.As == Role::Root && O.Where == Place::Image && !O.inWords() &&
        O.Object->Align > MinImageAlign)
      return true;
  return false;
}

/// Sets the words that lead to what has been mapped since.
/// \returns whether the device needs the images in one block: one leads to
/// another, or has to be aligned.
bool fixImages(const LaunchState &L) {
  const LookUp Ask(L);
  bool Nested = needsAlignment(L);
  for (const Fixup &F : L.Fixups)
    if (F.ToImage)
      Nested = true;
    else if (char *D = Ask.find(F.Target))
      store(F.Word, D);
  return Nested;
}

/// Whether the device can use the images where they are. What goes back to the
/// host is found by comparison with them, so they have to stay as they are.
bool sharesImages(const LaunchState &L) {
  if (!(L.Plan->Flags & LaunchPlan::HostMemory))
    return false;
  for (const Image &Im : L.Images)
    if (Im.WriteBack)
      return false;
  return true;
}

/// Sets the words that lead to images; the device has those at L.Block.
void placeImages(const LaunchState &L) {
  for (const Fixup &F : L.Fixups)
    if (F.ToImage)
      store(F.Word, L.Block + (F.Target - L.ImageBuffer));
}

/// Sends the image buffer to the device as one block. \returns whether there
/// was memory for it.
bool sendBlock(LaunchState &L) {
  L.BlockAllocation =
      omp_target_alloc(L.ImageBytes + L.ImageAlign, L.DeviceNum);
  if (!L.BlockAllocation)
    return false;
  L.Block = alignUp(static_cast<char *>(L.BlockAllocation), L.ImageAlign);
  placeImages(L);
  return omp_target_memcpy(L.Block, L.ImageBuffer, L.ImageBytes, 0, 0,
                           L.DeviceNum, L.HostDevice) == 0;
}

/// Copies back what the kernel changed in the images. Only that: translated
/// pointers stay the host's.
void copyBackImages(LaunchState &L) {
  for (const Image &Im : L.Images) {
    if (!Im.WriteBack)
      continue;
    auto *Now = static_cast<char *>(allocate(L.Memory, Im.Size, 1));
    if (omp_target_memcpy(Now, L.Block, Im.Size, 0,
                          static_cast<size_t>(Im.Copy - L.ImageBuffer),
                          L.HostDevice, L.DeviceNum))
      continue;
    for (uint64_t B = 0; B < Im.Size; ++B)
      if (Now[B] != Im.Copy[B])
        Im.Host[B] = Now[B];
  }
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_IMAGES_H
