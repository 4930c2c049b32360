//===- CheckPlanner.cpp - What a launch is looked at for ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device's access paths as a list: every captured pointer, by name, and
// what is surely accessed through it. Of the pointers at a variable index of a
// table those are in it whose index the launch can compute, as that of the
// first and of the last round of a loop; what lies behind them is left out.
//
//===----------------------------------------------------------------------===//

#include "CheckPlanner.h"
#include "PointeeNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ferry {

namespace {

/// The pointers of a table that an index chooses from.
struct NamedElements {
  NamedPointer Any; ///< "rows[i]"
  int64_t First;    ///< offset of the one with index 0
  uint32_t Stride;  ///< from each to the next
};

/// The one index in which the names \p A and \p B differ.
struct DifferentIndex {
  int64_t InA, InB;
  std::string AnyName; ///< with "i" in its place
};

std::optional<DifferentIndex> differentIndex(StringRef A, StringRef B) {
  size_t Same = 0;
  while (Same < std::min(A.size(), B.size()) && A[Same] == B[Same])
    ++Same;
  const size_t Begin = A.take_front(Same).rfind('[') + 1;
  StringRef RestA = A.drop_front(Begin), RestB = B.drop_front(Begin);
  DifferentIndex D;
  if (RestA.consumeInteger(10, D.InA) || RestB.consumeInteger(10, D.InB) ||
      RestA != RestB || !RestA.starts_with("]"))
    return std::nullopt;
  D.AnyName = (A.take_front(Begin) + "i" + RestA).str();
  return D;
}

/// What the pointers at \p Place are called, where \p PointerAt gives the one
/// at an offset. Nothing, if they are no pointers or have several indices.
template <typename Fn>
std::optional<NamedElements> nameElements(const PathPlace &Place,
                                          Fn PointerAt) {
  if (Place.Indices.size() != 1)
    return std::nullopt;
  const auto Stride = static_cast<int64_t>(Place.Indices[0].Stride);
  // The first one may be named as if there was no other: "p->data",
  // "p[1].data".
  for (int64_t Number : {0, 1}) {
    const int64_t Offset = Place.Offset + Number * Stride;
    std::optional<NamedPointer> A = PointerAt(Offset);
    std::optional<NamedPointer> B = PointerAt(Offset + Stride);
    std::optional<DifferentIndex> D;
    if (A && B)
      D = differentIndex(A->Name, B->Name);
    if (!D || D->InA >= D->InB || Stride % (D->InB - D->InA) != 0)
      continue;
    const int64_t One = Stride / (D->InB - D->InA);
    if (One > UINT32_MAX)
      return std::nullopt;
    A->Name = D->AnyName;
    return NamedElements{*A, Offset - D->InA * One, static_cast<uint32_t>(One)};
  }
  return std::nullopt;
}

class CheckPlanner {
public:
  CheckPlanner(const LaunchSite &Site, const RegionInfo &Region,
               PlannedCheck &Plan)
      : Site(Site), Region(Region), Plan(Plan) {}

  void addArgument(const CaptureInfo &C, const PathNode &Node) {
    const unsigned Entry = Site.EntryOfArgument[C.Argument];
    if (Site.Types[Entry] & abi::MapLiteral)
      return;
    PlannedPointer P;
    P.Entry = Entry;
    P.Number = C.Argument;
    P.Name = C.Name;
    Lambda = C.IsLambda ? C.Name + "." : "";
    const NamedPointer Named{C.Name, pointeeType(&Region, C.Pointee)};
    if (C.IsPointer) {
      if (Node.dereferenced())
        addPointer(std::move(P), Node, Named);
      return;
    }
    P.Flags = CheckPointer::Variable;
    addVariable(std::move(P), Node, C.Layout, C.Size);
  }

private:
  const LaunchSite &Site;
  const RegionInfo &Region;
  PlannedCheck &Plan;
  std::string Lambda; ///< what names in it begin with

  int32_t add(PlannedPointer P) {
    P.Own = P.Name;
    if (!Lambda.empty() && StringRef(P.Name).starts_with(Lambda))
      P.Own = P.Name.substr(Lambda.size());
    Plan.Pointers.push_back(std::move(P));
    return static_cast<int32_t>(Plan.Pointers.size() - 1);
  }

  /// \param Size of the variable, in bytes.
  void addVariable(PlannedPointer P, const PathNode &Node,
                   const std::vector<LayoutItem> &Layout, uint64_t Size) {
    const size_t Before = Plan.Pointers.size();
    const int32_t Index = add(std::move(P));
    for (const auto &[Offset, Inner] : Node.Members)
      for (const LayoutItem &I : Layout)
        if (static_cast<int64_t>(I.Offset) == Offset && !I.InUnion &&
            Inner->dereferenced())
          addItem(Index, *Inner, I);
    auto PointerAt = [&](int64_t Offset) -> std::optional<NamedPointer> {
      for (const LayoutItem &I : Layout)
        if (static_cast<int64_t>(I.Offset) == Offset && !I.InUnion &&
            I.Kind == LayoutItem::Pointer)
          return NamedPointer{I.Name, pointeeType(&Region, I.Pointee)};
      return std::nullopt;
    };
    if (Size && Size <= UINT32_MAX)
      for (const auto &[Place, Inner] : Node.Elements)
        addElements(Index, *Inner, Place, static_cast<uint32_t>(Size),
                    PointerAt);
    // On the way to nothing.
    if (Plan.Pointers.size() == Before + 1)
      Plan.Pointers.pop_back();
  }

  void addItem(int32_t Parent, const PathNode &Node, const LayoutItem &I) {
    PlannedPointer P;
    P.Parent = Parent;
    P.Offset = static_cast<int64_t>(I.Offset);
    P.Name = I.Name;
    if (I.Kind == LayoutItem::Reference || I.Kind == LayoutItem::This) {
      P.Flags = CheckPointer::Variable;
      addVariable(std::move(P), Node, I.Inner, I.Size);
    } else if (I.Kind == LayoutItem::Pointer) {
      const NamedPointer Named{I.Name, pointeeType(&Region, I.Pointee)};
      addPointer(std::move(P), Node, Named);
    }
  }

  void addPointer(PlannedPointer P, const PathNode &Node,
                  const NamedPointer &Named) {
    P.Flags = flagsOf(Node);
    for (const CertainAccess &A : Node.Certain)
      addUse(P, A, Named.Pointee ? Named.Pointee->Size : A.Size);
    const int32_t Index = add(std::move(P));
    if (Node.Cyclic)
      return;
    for (const auto &[Offset, Inner] : Node.Members) {
      if (!Inner->dereferenced())
        continue;
      const NamedPointer Behind = pointerBehind(Named, Offset, 0, &Region);
      PlannedPointer Next;
      Next.Parent = Index;
      Next.Offset = Offset;
      Next.Name = Behind.Name;
      addPointer(std::move(Next), *Inner, Behind);
    }
    auto PointerAt = [&](int64_t Offset) -> std::optional<NamedPointer> {
      return pointerBehind(Named, Offset, 0, &Region);
    };
    for (const auto &[Place, Inner] : Node.Elements)
      addElements(Index, *Inner, Place, 0, PointerAt);
  }

  /// Adds the pointers at \p Place, of which the index is known, of the table
  /// number \p Parent. \p Extent: its size, if it is a variable. \p PointerAt
  /// gives the pointer at an offset.
  template <typename Fn>
  void addElements(int32_t Parent, const PathNode &Node, const PathPlace &Place,
                   uint32_t Extent, Fn PointerAt) {
    std::optional<NamedElements> Named = nameElements(Place, PointerAt);
    if (!Named || Node.Cyclic)
      return;
    std::vector<PlannedPointer> Elements;
    for (const CertainAccess &A : Node.Certain) {
      std::optional<uint32_t> Word = A.Word ? rangeOf(*A.Word) : std::nullopt;
      if (!Word)
        continue;
      auto It = find_if(Elements, [&](const PlannedPointer &P) {
        return P.Word == *Word + 1;
      });
      if (It == Elements.end()) {
        PlannedPointer P;
        P.Parent = Parent;
        P.Offset = Named->First;
        P.Word = *Word + 1;
        P.Stride = Named->Stride;
        P.Extent = Extent;
        P.Flags = flagsOf(Node);
        P.Name = Named->Any.Name;
        It = Elements.insert(Elements.end(), std::move(P));
      }
      const PointeeType *Pointee = Named->Any.Pointee;
      addUse(*It, A, Pointee ? Pointee->Size : A.Size);
    }
    for (PlannedPointer &P : Elements)
      add(std::move(P));
  }

  static uint32_t flagsOf(const PathNode &Node) {
    return (Node.Read ? CheckPointer::Read : 0) |
           (Node.Written ? CheckPointer::Written : 0) |
           (Node.hasInner() ? CheckPointer::Record : 0);
  }

  /// The place of \p R in the plan, if the launch can compute it.
  std::optional<uint32_t> rangeOf(const AccessRange &R) {
    if (!all_of(R.Terms, [&](const RangeTerm &T) {
          return isReadable(T, Site, &Region);
        }))
      return std::nullopt;
    auto It = find(Plan.Ranges, R);
    const auto Range = static_cast<uint32_t>(It - Plan.Ranges.begin());
    if (It == Plan.Ranges.end())
      Plan.Ranges.push_back(R);
    return Range;
  }

  /// \param Element size of what \p P points to, in bytes.
  void addUse(PlannedPointer &P, const CertainAccess &A, uint64_t Element) {
    if (std::optional<uint32_t> Range = rangeOf(A.Range))
      P.Uses.push_back({*Range, static_cast<uint32_t>(Element), A.Line,
                        sys::path::filename(A.File).str()});
  }
};

} // namespace

void PlannedCheck::print(raw_ostream &OS) const {
  for (const auto &[I, P] : enumerate(Pointers)) {
    OS << "  check " << I << ": " << P.Name;
    if (P.Parent >= 0)
      OS << ", at " << P.Offset << " behind " << P.Parent;
    if (P.Word) {
      OS << ", word ";
      Ranges[P.Word - 1].print(OS);
    }
    for (auto [Is, Word] : {std::pair{CheckPointer::Variable, "variable"},
                            {CheckPointer::Read, "read"},
                            {CheckPointer::Written, "written"},
                            {CheckPointer::Record, "record"}})
      if (P.Flags & Is)
        OS << ", " << Word;
    OS << "\n";
    for (const PlannedUse &U : P.Uses) {
      OS << "    " << U.File << ":" << U.Line << ": bytes ";
      Ranges[U.Range].print(OS);
      OS << "\n";
    }
  }
}

std::string fileOf(const CallBase &Call) {
  StringRef File = Call.getModule()->getSourceFileName();
  if (const DebugLoc &Where = Call.getDebugLoc())
    File = cast<DIScope>(Where.getScope())->getFilename();
  return sys::path::filename(File).str();
}

PlannedCheck planCheck(const LaunchSite &Site, const RegionInfo *Region,
                       const KernelUses &Uses) {
  PlannedCheck Plan;
  Plan.Kernel =
      Region && !Region->Name.empty() ? Region->Name : Site.KernelName.str();
  Plan.Line = Region ? Region->Line : 0;
  Plan.File = fileOf(*Site.Call);
  if (!Region || Region->UnifiedSharedMemory || !Uses.Complete || !Uses.Paths ||
      Uses.Paths->size() != Site.EntryOfArgument.size())
    return Plan;
  CheckPlanner Planner(Site, *Region, Plan);
  for (const CaptureInfo &C : Region->Captures)
    if (C.Argument < Uses.Paths->size())
      Planner.addArgument(C, (*Uses.Paths)[C.Argument]);
  return Plan;
}

} // namespace ferry
