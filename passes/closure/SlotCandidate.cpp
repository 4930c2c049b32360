//===- SlotCandidate.cpp - Slots of a plan in the making ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SlotCandidate.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <tuple>

using namespace llvm;

namespace ferry {

/// Whether a use of \p C at base \p A and one of \p Other at base \p B are of
/// the same element, where they are of elements.
static bool sameElement(const SlotCandidate &C, std::optional<int64_t> A,
                        const SlotCandidate &Other, std::optional<int64_t> B) {
  if (!A || !B)
    return !Other.Slot.Stride;
  if (C.Slot.Stride != Other.Slot.Stride)
    return false;
  const auto Off =
      static_cast<int64_t>(Other.Slot.Offset - C.Slot.Offset) - (*B - *A);
  if (C.Slot.Stride && !C.Slot.Limit && !Other.Slot.Limit)
    return Off % static_cast<int64_t>(C.Slot.Stride) == 0;
  return Off == 0 &&
         (!C.Slot.Stride ||
          C.Slot.Limit - C.Slot.Offset == Other.Slot.Limit - Other.Slot.Offset);
}

/// Takes what \p C and \p Other are compared by from \p Unknown.
/// \returns the distance from \p C to \p Other, if there is something.
static std::optional<int64_t> compared(const SlotCandidate &C,
                                       const SlotCandidate &Other,
                                       std::set<unsigned> &Unknown) {
  std::optional<int64_t> Distance;
  for (const WordUse &A : C.Uses)
    for (const WordUse &B : Other.Uses) {
      if (!sameElement(C, A.Base, Other, B.Base))
        continue;
      for (unsigned Number : B.Node->Comparisons)
        if (A.Node->Comparisons.count(Number)) {
          Unknown.erase(Number);
          Distance =
              C.Slot.Stride && Other.Slot.Stride
                  ? *B.Base - *A.Base
                  : static_cast<int64_t>(Other.Slot.Offset - C.Slot.Offset);
        }
    }
  return Distance;
}

/// Whether memory behind \p C is accessed, or may be.
static bool followed(const SlotCandidate &C) {
  return !C.Node || C.Node->dereferenced() || C.Node->Escapes;
}

/// Has two rows of members of the same elements, \p Distance apart, begin
/// with the same element.
static void alignRows(PlanSlot &A, PlanSlot &B, int64_t Distance) {
  if (!A.Stride || !B.Stride)
    return;
  auto Off = static_cast<int64_t>(B.Offset - A.Offset) - Distance;
  if (Off > 0)
    A.Offset += static_cast<uint64_t>(Off);
  else
    B.Offset += static_cast<uint64_t>(-Off);
}

namespace {

/// What a pointer is compared with.
struct Partner {
  size_t Index;     ///< among the candidates
  int64_t Distance; ///< to it
  bool Followed;    ///< memory behind one of the two is accessed, or may be
};

} // namespace

/// What \p Candidates[\p I] is linked with. Takes what it is compared by from
/// \p Unknown.
static std::optional<Partner> findPartner(ArrayRef<SlotCandidate> Candidates,
                                          size_t I,
                                          std::set<unsigned> &Unknown) {
  const SlotCandidate &C = Candidates[I];
  std::optional<Partner> Best;
  auto Rank = [&](const Partner &P) {
    return std::tuple(!P.Followed, !C.Node->ComparedAt.count(P.Distance),
                      std::abs(P.Distance));
  };
  for (const auto &[J, Other] : enumerate(Candidates)) {
    if (I == J)
      continue;
    std::optional<int64_t> Distance = compared(C, Other, Unknown);
    if (!Distance)
      continue;
    Partner P{J, *Distance, followed(C) || followed(Other)};
    if (!Best || Rank(P) < Rank(*Best))
      Best = P;
  }
  return Best;
}

void linkCompared(std::vector<SlotCandidate> &Candidates, bool Known) {
  SmallVector<bool> Needed(Candidates.size(), true);
  for (auto [I, C] : enumerate(Candidates)) {
    C.Slot.Child = C.Slot.EndOf = -1;
    if (!C.Node || C.Node->Comparisons.empty())
      continue;
    std::set<unsigned> Unknown(C.Node->Comparisons);
    std::optional<Partner> P = findPartner(Candidates, I, Unknown);
    if (P) {
      C.Slot.EndOf = static_cast<int32_t>(P->Index);
      alignRows(C.Slot, Candidates[P->Index].Slot, P->Distance);
    }
    Needed[I] = !Known || followed(C) || (P && P->Followed) || !Unknown.empty();
  }
  // The links are by index: what is left keeps its place until the end.
  std::vector<int32_t> NewIndex;
  int32_t Kept = 0;
  for (bool N : Needed)
    NewIndex.push_back(N ? Kept++ : -1);
  for (SlotCandidate &C : Candidates)
    if (C.Slot.EndOf >= 0)
      C.Slot.EndOf = NewIndex[static_cast<size_t>(C.Slot.EndOf)];
  size_t At = 0;
  erase_if(Candidates, [&](const SlotCandidate &) { return !Needed[At++]; });
}

} // namespace ferry
