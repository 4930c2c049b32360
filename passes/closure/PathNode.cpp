//===- PathNode.cpp - What a kernel does with an object -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathNode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ferry {

PathNode &PathNode::member(int64_t Offset) {
  auto &P = Members[Offset];
  if (!P)
    P = std::make_unique<PathNode>();
  return *P;
}

PathNode &PathNode::element(const PathPlace &Place) {
  auto &P = Elements[Place];
  if (!P)
    P = std::make_unique<PathNode>();
  return *P;
}

void PathNode::accessed(std::optional<int64_t> Offset, uint64_t Size) {
  if (!Offset)
    return;
  Begin = std::min(Begin, *Offset);
  End = std::max(End, *Offset + static_cast<int64_t>(Size));
}

void PathNode::noteShift(int64_t S) {
  if (!Shift)
    Shift = S;
  else if (*Shift > 0 && S > 0)
    Shift = std::min(*Shift, S);
  else if (*Shift < 0 && S < 0)
    Shift = std::max(*Shift, S);
  else
    Shift = 0;
}

void PathNode::merge(const PathNode &Other) {
  if (!Read && !Written)
    Range = Other.Range;
  else if ((Other.Read || Other.Written) && !(Range == Other.Range))
    Range = std::nullopt;
  for (const CertainAccess &A : Other.Certain)
    if (!is_contained(Certain, A))
      Certain.push_back(A);
  for (const auto &[Offset, Node] : Other.Members)
    member(Offset).merge(*Node);
  for (const auto &[Place, Node] : Other.Elements)
    element(Place).merge(*Node);
  IntegerReads.append(Other.IntegerReads);
  Reads.insert(Other.Reads.begin(), Other.Reads.end());
  ReadsElsewhere |= Other.ReadsElsewhere;
  Changeable |= Other.Changeable;
  Read |= Other.Read;
  Written |= Other.Written;
  PointersStored |= Other.PointersStored;
  Escapes |= Other.Escapes;
  Cyclic |= Other.Cyclic;
  Called |= Other.Called;
  Comparisons.insert(Other.Comparisons.begin(), Other.Comparisons.end());
  ComparedAt.insert(Other.ComparedAt.begin(), Other.ComparedAt.end());
  Begin = std::min(Begin, Other.Begin);
  End = std::max(End, Other.End);
  if (Other.Shift)
    noteShift(*Other.Shift);
}

void PathNode::print(raw_ostream &OS, unsigned Indent, bool Ranges) const {
  ListSeparator LS;
  for (auto [Is, Word] : {std::pair{Read, "read"},
                          {Written, "written"},
                          {Escapes, "escapes"},
                          {Cyclic, "cyclic"},
                          {Called, "called"},
                          {!Comparisons.empty(), "compared"}})
    if (Is)
      OS << LS << Word;
  for (int64_t Distance : ComparedAt)
    OS << " at " << (Distance < 0 ? "" : "+") << Distance;
  if (Shift && *Shift)
    OS << LS << "from " << *Shift;
  if (Ranges && Range && !(Range->constantFirst() && Range->constantLast())) {
    OS << LS << "bytes ";
    Range->print(OS);
  }
  OS << "\n";
  for (const auto &[Offset, Node] : Members) {
    OS.indent(Indent) << "[" << (Offset < 0 ? "" : "+") << Offset << "] ";
    Node->print(OS, Indent + 2, Ranges);
  }
  for (const auto &[Place, Node] : Elements) {
    OS.indent(Indent) << "[";
    Place.print(OS);
    OS << "] ";
    Node->print(OS, Indent + 2, Ranges);
  }
}

} // namespace ferry
