//===- LaunchPlanner.cpp - Decide what a launch carries over --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules, in the order in which they are applied to a captured object:
//
//  1. Where all uses by the device's code are visible, the access paths decide:
//     a word is a pointer to carry over if the kernel loads it as a pointer and
//     accesses, compares or hands on what it loaded.
//  2. Where they are not, the layout adds to that: every pointer is carried
//     over and every non-const variable behind a reference may be written. What
//     a lambda captures by value is always carried over, as OpenMP 5.2, section
//     5.8.6, demands.
//  3. What lies behind a reference, `this` or a reference wrapper is a variable
//     and may be copied; what lies behind a plain pointer may not, for it may
//     be device memory already.
//  4. Function pointers, unions whose pointer member is not visibly in use,
//     virtual bases and linked lists are left, and the user is told.
//
//===----------------------------------------------------------------------===//

#include "LaunchPlanner.h"
#include "LaunchEntries.h"
#include "PointerWays.h"
#include "SlotCandidate.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;

namespace ferry {

/// What \p Region captures as parameter \p A, or null.
static const CaptureInfo *captureOf(const RegionInfo &Region, unsigned A) {
  for (const CaptureInfo &C : Region.Captures)
    if (C.Argument == A)
      return &C;
  return nullptr;
}

/// The front end's description of parameter \p A; without one, what the
/// launch's entries tell.
static std::optional<CaptureInfo>
captureAt(const LaunchSite &Site, const RegionInfo *Region, unsigned A) {
  if (Region) {
    const CaptureInfo *C = captureOf(*Region, A);
    return C ? std::optional(*C) : std::nullopt;
  }
  unsigned Entry = Site.EntryOfArgument[A];
  CaptureInfo C;
  C.Argument = A;
  C.Name = "argument " + std::to_string(A);
  uint64_t Type = Site.Types[Entry];
  C.IsPointer = !(Type & (abi::MapTo | abi::MapFrom | abi::MapPrivate));
  C.Size = Site.Sizes[Entry].value_or(0);
  C.Align = alignof(std::max_align_t);
  if (!C.IsPointer && C.Size < sizeof(void *))
    return std::nullopt;
  return C;
}

bool isReadable(const RangeTerm &T, const LaunchSite &Site,
                const RegionInfo *Region) {
  auto A = static_cast<size_t>(T.Value);
  if (T.Kind != RangeTerm::Argument && T.Kind != RangeTerm::Word)
    return true;
  if (A >= Site.EntryOfArgument.size())
    return false;
  bool IsLiteral = Site.Types[Site.EntryOfArgument[A]] & abi::MapLiteral;
  if (T.Kind == RangeTerm::Argument)
    return IsLiteral;
  if (IsLiteral || A >= Site.FallbackArguments.size() ||
      !Site.FallbackArguments[A])
    return false;
  std::optional<CaptureInfo> C =
      captureAt(Site, Region, static_cast<unsigned>(A));
  if (!C || C->IsPointer)
    return false;
  const std::vector<LayoutItem> *Layout = &C->Layout;
  uint64_t Size = C->Size;
  for (int64_t Offset : drop_end(T.Path)) {
    auto It = find_if(*Layout, [&](const LayoutItem &I) {
      return static_cast<int64_t>(I.Offset) == Offset &&
             (I.Kind == LayoutItem::Reference || I.Kind == LayoutItem::This);
    });
    if (It == Layout->end())
      return false;
    Size = It->Size;
    Layout = &It->Inner;
  }
  int64_t At = T.Path.back();
  return At >= 0 && static_cast<uint64_t>(At) + T.Bits / 8 <= Size;
}

namespace {

class Planner {
public:
  Planner(const LaunchSite &Site, const RegionInfo *Region,
          const KernelUses &Uses)
      : Site(Site), Region(Region), Paths(Uses.Paths), Words(Uses.Words),
        Complete(Uses.Complete), WhyLayout(Uses.Why) {
    if (Uses.InHostProcess)
      Plan.Flags |= LaunchPlan::HostMemory;
    if (Paths && Paths->size() != Site.EntryOfArgument.size())
      Paths = nullptr;
  }

  std::variant<PlannedLaunch, Refusal> run() {
    if (Region && Region->UnifiedSharedMemory)
      return Refusal::UnifiedSharedMemory;
    if (!Region)
      Plan.Hints.push_back(Refusal::NoAnnotation);
    for (unsigned A = 0; A < Site.EntryOfArgument.size(); ++A)
      planArgument(A);
    if (!planWords())
      return Refusal::ArgumentMismatch;
    if (UsedLayout)
      Plan.Hints.push_back(WhyLayout);
    tellWays(Site, Plan);
    planEntries(Site, Plan);
    return std::move(Plan);
  }

private:
  const LaunchSite &Site;
  const RegionInfo *Region;
  const KernelPaths *Paths;
  const KernelWords *Words;
  bool Complete;
  Refusal WhyLayout;
  PlannedLaunch Plan;
  bool UsedLayout = false;
  /// Nodes that stand for several, by these.
  std::map<std::vector<const PathNode *>, std::unique_ptr<PathNode>> Joined;

  void note(PointerNote::KindTy Kind, const std::string &Name,
            std::optional<Refusal> Why = std::nullopt,
            std::optional<uint32_t> Slot = std::nullopt) {
    PointerNote &N = Plan.Notes.emplace_back();
    N.Kind = Kind;
    N.Name = Name;
    N.Why = Why;
    N.Slot = Slot;
  }

  const CaptureInfo *captureOf(unsigned A) const {
    return ferry::captureOf(*Region, A);
  }

  bool hasLambdaMembers(unsigned Entry) const {
    return any_of(Site.Types, [&](uint64_t Type) {
      return abi::isLambdaMember(Type) &&
             abi::parentOf(Type) == static_cast<int>(Entry);
    });
  }

  bool hasWords(unsigned Argument) const {
    return Words && any_of(*Words, [&](const KernelWord &W) {
             return W.Argument == Argument;
           });
  }

  /// The object that \p W is a piece of, or nothing.
  std::optional<uint32_t> objectOf(const KernelWord &W) const {
    auto Root = find(Plan.RootArguments, W.Argument);
    if (Root == Plan.RootArguments.end())
      return std::nullopt;
    uint32_t Object = Plan.Roots[Root - Plan.RootArguments.begin()].Object;
    for (int64_t Step : W.Path) {
      const PlanObject &O = Plan.Objects[Object];
      auto Slots = ArrayRef(Plan.Slots).slice(O.FirstSlot, O.NumSlots);
      const auto *Slot = find_if(Slots, [&](const PlanSlot &S) {
        return !S.Stride && S.Child >= 0 &&
               static_cast<int64_t>(S.Offset) == Step;
      });
      if (Slot == Slots.end())
        return std::nullopt;
      Object = static_cast<uint32_t>(Slot->Child);
    }
    return Object;
  }

  /// Finds the words that the kernel takes. \returns false if that is another
  /// kernel than the launch's.
  bool planWords() {
    if (!Words || Words->empty())
      return true;
    if (!Region)
      return false;
    for (const KernelWord &W : *Words) {
      std::optional<uint32_t> Object = objectOf(W);
      if (!Object || W.Offset + W.Size > Plan.Objects[*Object].Size)
        return false;
      Plan.Objects[*Object].Flags |= PlanObject::Words;
      Plan.Words.push_back({*Object, static_cast<uint32_t>(W.Size), W.Offset});
    }
    return all_of(zip_equal(Plan.Roots, Plan.RootArguments), [&](auto Pair) {
      // The kernel does not look whether what is private is mapped.
      auto &[Root, Argument] = Pair;
      return !(Plan.Objects[Root.Object].Flags & PlanObject::Words) ||
             !captureOf(Argument)->IsPrivate ||
             (Site.Types[Root.Entry] & abi::MapPrivate);
    });
  }

  void planArgument(unsigned A) {
    unsigned Entry = Site.EntryOfArgument[A];
    uint64_t Type = Site.Types[Entry];
    if (Type & abi::MapLiteral)
      return;
    if (Site.Kernel && !Site.Kernel->getArg(A)->getType()->isPointerTy())
      return;
    std::optional<CaptureInfo> C = captureAt(Site, Region, A);
    if (!C)
      return;
    const PathNode *Node = Paths ? &(*Paths)[A] : nullptr;
    // Without a layout, what is not visible is not known at all.
    if (!Region && (!Node || Node->Escapes))
      return;

    PlanRoot Root{};
    Root.Entry = Entry;
    if (C->IsPointer) {
      noteUnseen(Node, {C->Name, pointeeType(Region, C->Pointee)});
      if (!Node || !(Node->hasInner() || Node->PointersStored))
        return;
      if (Node->Cyclic) {
        note(PointerNote::LeftBehind, C->Name, Refusal::LinkedStructure);
        return;
      }
      Root.Flags = PlanRoot::PointerValue;
      Root.Object =
          addBehind(*Node, {C->Name, pointeeType(Region, C->Pointee)});
    } else {
      Root.Object = addVariable(Node, C->Layout, C->Size, C->Align, C->Const,
                                C->Name, C->IsLambda ? Lambda : Captured);
    }
    if (Plan.Objects[Root.Object].NumSlots == 0 && !hasLambdaMembers(Entry) &&
        !hasWords(A) &&
        !(Plan.Objects[Root.Object].Flags & PlanObject::PointersStored)) {
      Plan.Objects.resize(Root.Object);
      return;
    }
    Plan.Roots.push_back(Root);
    Plan.RootArguments.push_back(A);
  }

  /// Captured by the region itself, or what one of its captures leads to.
  enum VariableKind { Lambda, Captured, Inner };

  /// Adds an object for a variable of which \p Node tells the uses.
  uint32_t addVariable(const PathNode *Node, const std::vector<LayoutItem> &L,
                       uint64_t Size, uint64_t Align, bool Const,
                       const std::string &Name, VariableKind Kind) {
    bool Known = Complete && Node && !Node->Escapes;
    if (!Known && Kind != Inner && !L.empty())
      UsedLayout = true;
    PlanObject O{};
    O.Size = Size;
    O.Align = static_cast<uint32_t>(Align);
    O.Flags = PlanObject::Variable;
    if (!Const && (!Known || Node->Written))
      O.Flags |= PlanObject::Written;
    if (Node && Node->PointersStored)
      O.Flags |= PlanObject::PointersStored;
    std::vector<SlotCandidate> Candidates;
    if (Node)
      Candidates = fromPaths(*Node, &L, Size, {Name, nullptr});
    if (!Known || Kind == Lambda)
      addFromLayout(Candidates, L, Known ? Name + "." : "");
    return addObject(
        O, std::move(Candidates), Known,
        Kind == Inner && (O.Flags & PlanObject::Written) ? &L : nullptr);
  }

  /// Adds an object for what lies behind the plain pointer \p Pointer.
  uint32_t addBehind(const PathNode &Node, const NamedPointer &Pointer) {
    PlanObject O{};
    O.Align = 1;
    if (Node.PointersStored)
      O.Flags |= PlanObject::PointersStored;
    if (Node.Elements.empty() && Node.Begin < Node.End) {
      O.Begin = Node.Begin;
      O.Size = static_cast<uint64_t>(Node.End - Node.Begin);
    }
    noteIntegerReads(Node, Pointer);
    return addObject(O, fromPaths(Node, nullptr, 0, Pointer), Complete);
  }

  /// The uses of a word as one node; null if there are none.
  const PathNode *joined(ArrayRef<WordUse> Uses) {
    if (Uses.size() <= 1)
      return Uses.empty() ? nullptr : Uses[0].Node;
    std::vector<const PathNode *> Nodes;
    for (const WordUse &U : Uses)
      Nodes.push_back(U.Node);
    std::unique_ptr<PathNode> &Whole = Joined[Nodes];
    if (!Whole) {
      Whole = std::make_unique<PathNode>();
      for (const PathNode *N : Nodes)
        Whole->merge(*N);
    }
    return Whole.get();
  }

  /// Notes that there are pointers behind \p Pointer of which not all uses are
  /// visible by \p Node, if that is so.
  void noteUnseen(const PathNode *Node, const NamedPointer &Pointer,
                  std::optional<uint32_t> Slot = std::nullopt) {
    const bool Seen = Node && !Node->Escapes && (Complete || Node->hasInner());
    if (!Seen && Pointer.Pointee && !Pointer.Pointee->Layout.empty())
      note(PointerNote::LeftBehind, Pointer.Name, Refusal::UnseenTable, Slot);
  }

  /// Notes the pointers behind \p Pointer that the kernel reads as integers:
  /// they may be numbers, for all that the launch knows, and are left.
  void noteIntegerReads(const PathNode &Node, const NamedPointer &Pointer) {
    if (!Pointer.Pointee)
      return;
    for (const LayoutItem &I : Pointer.Pointee->Layout) {
      const auto At = static_cast<int64_t>(I.Offset);
      if (I.Kind == LayoutItem::Pointer && !Node.Members.count(At) &&
          is_contained(Node.IntegerReads, std::pair(At, sizeof(void *))))
        note(PointerNote::Left, pointerBehind(Pointer, At, 0, Region).Name,
             Refusal::ReadAsInteger);
    }
  }

  /// A slot for \p W, which lies behind \p Pointer or is in the layout.
  SlotCandidate candidate(const PointerWords &W, const NamedPointer &Pointer) {
    SlotCandidate C;
    C.Slot.Offset = static_cast<uint64_t>(W.Offset);
    C.Slot.Stride = W.Stride;
    if (W.Stride && W.Count)
      C.Slot.Limit = C.Slot.Offset + (W.Count - 1) * W.Stride + sizeof(void *);
    C.Item = W.Item;
    C.Node = joined(W.Uses);
    C.Uses = W.Uses;
    if (W.Item)
      C.Named = {W.Item->Name + (W.Stride ? "..." : ""),
                 pointeeType(Region, W.Item->Pointee)};
    else
      C.Named = pointerBehind(Pointer, W.Offset, W.Stride, Region);
    return C;
  }

  /// Candidates by the access paths.
  std::vector<SlotCandidate> fromPaths(const PathNode &Node,
                                       const std::vector<LayoutItem> *L,
                                       uint64_t Size,
                                       const NamedPointer &Pointer) {
    if (L)
      for (const LayoutItem &I : *L) {
        auto Table = Node.Members.find(static_cast<int64_t>(I.Offset));
        if (I.Kind == LayoutItem::VirtualBase && Table != Node.Members.end() &&
            Table->second->used())
          note(PointerNote::Left, I.Name, Refusal::VirtualBase);
      }
    std::vector<SlotCandidate> Result;
    for (const PointerWords &W : usedPointers(Node, L, Size))
      Result.push_back(candidate(W, Pointer));
    return Result;
  }

  /// Adds the pointers of the layout \p L that are none of \p Candidates. If
  /// there is \p OwnPrefix, those alone that a lambda itself captures by value,
  /// whose names begin with it.
  void addFromLayout(std::vector<SlotCandidate> &Candidates,
                     const std::vector<LayoutItem> &L,
                     const std::string &OwnPrefix) {
    auto IsOwn = [&](const LayoutItem &I) {
      StringRef Name = I.Name;
      return I.Kind == LayoutItem::Pointer && !I.InUnion &&
             Name.consume_front(OwnPrefix) &&
             Name.find_first_of(".[") == StringRef::npos;
    };
    std::vector<PointerWords> Words;
    for (const LayoutItem &I : L) {
      if ((!OwnPrefix.empty() && !IsOwn(I)) ||
          any_of(Candidates,
                 [&](const SlotCandidate &C) { return C.holds(I.Offset); }))
        continue;
      if (I.InUnion && I.Kind == LayoutItem::Pointer) {
        note(PointerNote::Left, I.Name, Refusal::UnionMember);
        continue;
      }
      PointerWords &W = Words.emplace_back();
      W.Offset = static_cast<int64_t>(I.Offset);
      W.Item = &I;
    }
    joinRows(Words);
    for (const PointerWords &W : Words)
      Candidates.push_back(candidate(W, {}));
    sort(Candidates, [](const SlotCandidate &A, const SlotCandidate &B) {
      return A.Slot.Offset < B.Slot.Offset;
    });
  }

  /// Adds the slots of the pointers in \p L that are none of \p Candidates.
  void addUnused(const std::vector<LayoutItem> &L,
                 const std::vector<SlotCandidate> &Candidates) {
    std::set<uint64_t> Single;
    SmallVector<const SlotCandidate *> Rows;
    for (const SlotCandidate &C : Candidates)
      if (C.Slot.Stride)
        Rows.push_back(&C);
      else
        Single.insert(C.Slot.Offset);
    std::vector<PointerWords> Words;
    for (const LayoutItem &I : L) {
      if (I.Kind == LayoutItem::Function || I.Kind == LayoutItem::VirtualBase ||
          Single.count(I.Offset) || any_of(Rows, [&](const SlotCandidate *C) {
            return C->holds(I.Offset);
          }))
        continue;
      PointerWords W;
      W.Offset = static_cast<int64_t>(I.Offset);
      W.Item = &I;
      Words.push_back(std::move(W));
    }
    joinRows(Words);
    for (const PointerWords &W : Words) {
      PlanSlot Slot = candidate(W, {}).Slot;
      Slot.Child = Slot.EndOf = -1;
      Slot.Flags = PlanSlot::Unused;
      Plan.Slots.push_back(Slot);
    }
  }

  /// Adds \p O with \p Candidates, of which all uses are \p Known or not, and
  /// with the other pointers of \p Layout.
  uint32_t addObject(PlanObject O, std::vector<SlotCandidate> Candidates,
                     bool Known,
                     const std::vector<LayoutItem> *Layout = nullptr) {
    erase_if(Candidates, [&](const SlotCandidate &C) { return !admit(C); });
    linkCompared(Candidates, Known);

    auto Index = static_cast<uint32_t>(Plan.Objects.size());
    O.FirstSlot = static_cast<uint32_t>(Plan.Slots.size());
    Plan.Slots.resize(Plan.Slots.size() + Candidates.size());
    if (Layout)
      addUnused(*Layout, Candidates);
    O.NumSlots = static_cast<uint32_t>(Plan.Slots.size()) - O.FirstSlot;
    Plan.Objects.push_back(O);
    for (const auto &[I, C] : enumerate(Candidates)) {
      PlanSlot Slot = C.Slot;
      planSlot(C, Known, O.FirstSlot + static_cast<uint32_t>(I), Slot);
      Plan.Slots[O.FirstSlot + I] = Slot;
    }
    return Index;
  }

  /// Whether \p C is a pointer to carry over; notes why not.
  bool admit(const SlotCandidate &C) {
    if (C.Node && C.Node->Called && !C.Node->dereferenced()) {
      note(PointerNote::Left, C.Named.Name, Refusal::FunctionPointer);
      return false;
    }
    if (!C.Item)
      return true;
    switch (C.Item->Kind) {
    case LayoutItem::Function:
      if (C.Node)
        note(PointerNote::Left, C.Named.Name, Refusal::FunctionPointer);
      return false;
    case LayoutItem::VirtualBase:
      note(PointerNote::Left, C.Named.Name, Refusal::VirtualBase);
      return false;
    default:
      return true;
    }
  }

  /// Gives \p Slot the range \p R, unless a byte that is the same at every
  /// launch finds the array as well: Shift, or the pointer itself.
  void planRange(const SlotCandidate &C, const AccessRange &R, PlanSlot &Slot) {
    if (R.alwaysHasPointer() || (R.constantFirst() && Slot.Shift))
      return;
    std::vector<bool> First = R.needs(R.First);
    bool FirstKnown = true, Known = true;
    for (const auto &[I, T] : enumerate(R.Terms)) {
      Known &= isReadable(T, Site, Region);
      FirstKnown &= !First[I] || isReadable(T, Site, Region);
    }
    if (!FirstKnown)
      note(PointerNote::LookedUp, C.Named.Name, Refusal::UnknownDistance);
    if (!Known)
      return;
    auto It = find(Plan.Ranges, R);
    if (It == Plan.Ranges.end() && Plan.Ranges.size() == MaxRanges)
      return;
    Slot.Range = static_cast<uint32_t>(It - Plan.Ranges.begin()) + 1;
    if (It == Plan.Ranges.end())
      Plan.Ranges.push_back(R);
  }

  /// Plans \p Slot, which will be number \p Index.
  void planSlot(const SlotCandidate &C, bool Known, uint32_t Index,
                PlanSlot &Slot) {
    // What the kernel hands on may be accessed elsewhere.
    bool IsVariable = C.Item && (C.Item->Kind == LayoutItem::Reference ||
                                 C.Item->Kind == LayoutItem::This);
    bool Deref = !C.Node || C.Node->dereferenced() ||
                 (C.Node->Escapes && !IsVariable) || (!Known && Slot.EndOf < 0);
    if (Deref)
      Slot.Flags |= PlanSlot::Dereferenced;
    if (!Known || !C.Node || !C.Node->dereferenced())
      Slot.Flags |= PlanSlot::MayBeEnd;
    if (!C.Node)
      Slot.Flags |= PlanSlot::Unseen;

    if (IsVariable) {
      note(PointerNote::Variable, C.Named.Name, std::nullopt, Index);
      Slot.Child = static_cast<int32_t>(
          addVariable(C.Node, C.Item->Inner, C.Item->Size, C.Item->Align,
                      C.Item->Const, C.Named.Name, Inner));
      return;
    }
    note(PointerNote::Carried, C.Named.Name, std::nullopt, Index);
    if (Deref)
      note(PointerNote::NeedsMap, C.Named.Name, std::nullopt, Index);
    if (C.Node && C.Node->Cyclic)
      note(PointerNote::LeftBehind, C.Named.Name, Refusal::LinkedStructure,
           Index);
    else if (C.Node && C.Node->hasInner())
      Slot.Child = static_cast<int32_t>(addBehind(*C.Node, C.Named));
    if (C.Node && C.Node->PointersStored && Slot.Child < 0)
      Slot.Flags |= PlanSlot::PointersStored;
    if (Deref)
      noteUnseen(C.Node, C.Named, Index);
    if (C.Node && C.Node->Shift && Slot.Child < 0)
      Slot.Shift = *C.Node->Shift;
    if (C.Node && C.Node->Range && Slot.Child < 0)
      planRange(C, *C.Node->Range, Slot);
  }
};

} // namespace

std::variant<PlannedLaunch, Refusal> planLaunch(const LaunchSite &Site,
                                                const RegionInfo *Region,
                                                const KernelUses &Uses) {
  return Planner(Site, Region, Uses).run();
}

} // namespace ferry
