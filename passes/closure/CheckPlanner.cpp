//===- CheckPlanner.cpp - What a launch is looked at for ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device's access paths as a list: every captured pointer, by name, and
// what is surely accessed through it. A pointer at a variable index of a table
// is left out, since it is not known which of them is followed.
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
    addVariable(std::move(P), Node, C.Layout);
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

  void addVariable(PlannedPointer P, const PathNode &Node,
                   const std::vector<LayoutItem> &Layout) {
    const size_t Before = Plan.Pointers.size();
    const int32_t Index = add(std::move(P));
    for (const auto &[Offset, Inner] : Node.Members)
      for (const LayoutItem &I : Layout)
        if (static_cast<int64_t>(I.Offset) == Offset && !I.InUnion &&
            Inner->dereferenced())
          addItem(Index, *Inner, I);
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
      addVariable(std::move(P), Node, I.Inner);
    } else if (I.Kind == LayoutItem::Pointer) {
      const NamedPointer Named{I.Name, pointeeType(&Region, I.Pointee)};
      addPointer(std::move(P), Node, Named);
    }
  }

  void addPointer(PlannedPointer P, const PathNode &Node,
                  const NamedPointer &Named) {
    P.Flags = (Node.Read ? CheckPointer::Read : 0) |
              (Node.Written ? CheckPointer::Written : 0) |
              (Node.hasInner() ? CheckPointer::Record : 0);
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
  }

  /// \param Element size of what \p P points to, in bytes.
  void addUse(PlannedPointer &P, const CertainAccess &A, uint64_t Element) {
    if (!all_of(A.Range.Terms, [&](const RangeTerm &T) {
          return isReadable(T, Site, &Region);
        }))
      return;
    auto It = find(Plan.Ranges, A.Range);
    const auto Range = static_cast<uint32_t>(It - Plan.Ranges.begin());
    if (It == Plan.Ranges.end())
      Plan.Ranges.push_back(A.Range);
    P.Uses.push_back({Range, static_cast<uint32_t>(Element), A.Line,
                      sys::path::filename(A.File).str()});
  }
};

} // namespace

void PlannedCheck::print(raw_ostream &OS) const {
  for (const auto &[I, P] : enumerate(Pointers)) {
    OS << "  check " << I << ": " << P.Name;
    if (P.Parent >= 0)
      OS << ", at " << P.Offset << " behind " << P.Parent;
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
