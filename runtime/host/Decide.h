//===- Decide.h - Where the device finds an object --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decisions from facts: nothing here looks anything up or changes anything.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_RUNTIME_DECIDE_H
#define FERRY_RUNTIME_DECIDE_H

#include "ferry/LaunchState.h"

namespace ferry {
namespace {

/// What is known of a variable behind a reference or `this`.
struct VariableFacts {
  bool Written;       ///< by the kernel
  bool InImage;       ///< the reference is a word of an image
  bool ImagesAllowed; ///< no image hides a write to the same variable
  uint64_t Size;
};

/// Whether a variable that is not all mapped is given as an image, however much
/// of it is mapped. This saves looking at every byte of it.
bool isImageUnseen(const VariableFacts &F) {
  return F.InImage && !F.Written && F.ImagesAllowed && F.Size <= ImageLimit;
}

/// Where the device will find a variable of which \p P is mapped.
Place placeVariable(const VariableFacts &F, Presence P) {
  if (P == Presence::Whole)
    return Place::Resident;
  if (isImageUnseen(F))
    return Place::Image;
  if (P == Presence::Nothing)
    return Place::Mapped;
  // An overlap with something that is mapped only in part cannot be mapped
  // whole; the host's copy is what the program sees there. A mapped object
  // cannot refer to an image.
  return F.InImage ? Place::Image : Place::Left;
}

/// What is known of an argument of the kernel.
struct RootFacts {
  uint64_t Type; ///< of its entry
  bool Resident;
  bool ImagesAllowed;
  bool OwnMembers;  ///< entries of the program's own map parts of it
  bool HasMapper;   ///< its entry has one
  bool SizeMatches; ///< its entry maps just the object
  bool Written;     ///< by the kernel
};

/// Whether what the kernel does to a root goes back to the host.
bool comesBack(const RootFacts &F) {
  return (F.Type & abi::MapFrom) && F.Written;
}

/// Where the device will find a root, before anything is mapped here.
Place placeRoot(const RootFacts &F) {
  using namespace abi;
  if (F.Type & MapPrivate)
    return Place::Image;
  if (F.Resident)
    return Place::Resident;
  bool Plain = !F.OwnMembers && !F.HasMapper && F.SizeMatches &&
               !(F.Type & (MapAlways | MapPresent | MapClose | MapOmpxHold));
  return Plain && (F.Type & MapTo) && !comesBack(F) && F.ImagesAllowed
             ? Place::Image
             : Place::Mapped;
}

/// Whether an image shows a variable that is also mapped for writing.
bool imagesHideWrites(const List<FoundObject> &Objects) {
  for (const FoundObject &I : Objects) {
    if (I.Where != Place::Image || I.Private)
      continue;
    for (const FoundObject &M : Objects)
      if (M.Where == Place::Mapped && I.Host < M.Host + M.Object->Size &&
          M.Host < I.Host + I.Object->Size)
        return true;
  }
  return false;
}

} // namespace
} // namespace ferry

#endif // FERRY_RUNTIME_DECIDE_H
