//===- PointeeNames.cpp - What lies behind a pointer is called ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PointeeNames.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ferry {

const PointeeType *pointeeType(const RegionInfo *Region,
                               std::optional<unsigned> Number) {
  return Region && Number && *Number < Region->Types.size()
             ? &Region->Types[*Number]
             : nullptr;
}

/// A member of an object: its name behind the object's, and what it is.
struct Member {
  std::string Name;
  const LayoutItem *Item;
};

static std::string join(const std::string &Outer, const std::string &Inner) {
  if (Outer.empty() || Inner.empty() || Inner.front() == '[')
    return Outer + Inner;
  return Outer + "." + Inner;
}

/// An index: \p Value, or one that varies.
static std::string index(int64_t Value, bool Varies) {
  return "[" + (Varies ? "i" : std::to_string(Value)) + "]";
}

/// The member of \p Layout at \p Offset.
static std::optional<Member> memberAt(const std::vector<LayoutItem> &Layout,
                                      uint64_t Offset, uint64_t Stride) {
  for (const LayoutItem &I : Layout) {
    if (I.Kind == LayoutItem::VirtualBase || I.Offset > Offset)
      continue;
    if (I.Kind != LayoutItem::Array) {
      if (I.Offset == Offset)
        return Member{I.Name, &I};
      continue;
    }
    const uint64_t Rest = Offset - I.Offset;
    if (Rest / I.Stride >= I.Count)
      continue;
    std::optional<Member> Inner =
        memberAt(I.Inner, Rest % I.Stride, Stride % I.Stride);
    if (!Inner)
      continue;
    const bool Varies =
        Stride && (I.Stride % Stride == 0 ||
                   (Stride % I.Stride == 0 && Stride < I.Stride * I.Count));
    std::string Element =
        I.Name + index(static_cast<int64_t>(Rest / I.Stride), Varies);
    return Member{join(Element, Inner->Name), Inner->Item};
  }
  return std::nullopt;
}

NamedPointer pointerBehind(const NamedPointer &Pointer, int64_t Offset,
                           uint64_t Stride, const RegionInfo *Region) {
  if (const PointeeType *T = Pointer.Pointee) {
    const auto Size = static_cast<int64_t>(T->Size);
    const int64_t Element = divideFloorSigned(Offset, Size);
    const auto Rest = static_cast<uint64_t>(Offset - Element * Size);
    if (std::optional<Member> M = memberAt(T->Layout, Rest, Stride)) {
      const bool Varies = Stride && Stride % T->Size == 0;
      std::string Name = Pointer.Name;
      if (Element == 0 && !Varies && !M->Name.empty())
        Name += (Pointer.IsReference ? "." : "->") + M->Name;
      else
        Name += join(index(Element, Varies), M->Name);
      return {Name, pointeeType(Region, M->Item->Pointee),
              M->Item->Kind == LayoutItem::Reference};
    }
  }
  return {Pointer.Name + (Offset < 0 ? "" : "+") + std::to_string(Offset) +
          (Stride ? "..." : "")};
}

} // namespace ferry
