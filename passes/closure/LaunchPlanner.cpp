//===- LaunchPlanner.cpp - Decide what a launch carries over --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules, in the order in which they are applied to a captured object:
//
//  1. Where all uses are visible, the access paths decide: a word is a pointer
//     to carry over if the kernel loads it as a pointer and accesses, compares
//     or hands on what it loaded.
//  2. Where they are not, the layout decides: every pointer is carried over and
//     every non-const variable behind a reference may be written.
//  3. What lies behind a reference, `this` or a reference wrapper is a variable
//     and may be copied; what lies behind a plain pointer may not, for it may
//     be device memory already.
//  4. Function pointers, unions whose pointer member is not visibly in use,
//     virtual bases and linked lists are left, and the user is told.
//
//===----------------------------------------------------------------------===//

#include "LaunchPlanner.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ferry {

void PlannedLaunch::print(raw_ostream &OS) const {
  if (!empty() && (Flags & LaunchPlan::Values))
    OS << "  by value\n";
  for (const PlanRoot &R : Roots)
    OS << "  entry " << R.Entry << ": object " << R.Object
       << (R.Flags & PlanRoot::PointerValue ? " behind the pointer" : "")
       << (R.Flags & PlanRoot::OwnMembers ? ", members mapped" : "") << "\n";
  for (const auto &[I, O] : enumerate(Objects)) {
    OS << "  object " << I << ": ";
    if (O.Flags & PlanObject::Variable)
      OS << "variable, " << O.Size << " bytes, align " << O.Align
         << (O.Flags & PlanObject::Written ? ", written" : "");
    else if (O.Size)
      OS << "record, bytes " << O.Begin << " to "
         << O.Begin + static_cast<int64_t>(O.Size);
    else
      OS << "table";
    OS << "\n";
    for (unsigned S = O.FirstSlot; S < O.FirstSlot + O.NumSlots; ++S) {
      const PlanSlot &Slot = Slots[S];
      OS << "    +" << Slot.Offset;
      if (Slot.Stride)
        OS << " + i * " << Slot.Stride;
      if (Slot.Limit)
        OS << " < " << Slot.Limit;
      OS << ":";
      if (Slot.Flags & PlanSlot::Dereferenced)
        OS << " dereferenced";
      if (Slot.Flags & PlanSlot::MayBeEnd)
        OS << " end";
      if (Slot.Flags & PlanSlot::Unused)
        OS << " unused";
      if (Slot.EndOf >= 0)
        OS << " of slot " << Slot.EndOf;
      if (Slot.Shift)
        OS << " from " << Slot.Shift;
      if (Slot.Range) {
        OS << " bytes ";
        Ranges[Slot.Range - 1].print(OS);
      }
      if (Slot.Child >= 0)
        OS << " -> object " << Slot.Child;
      OS << "\n";
    }
  }
}

namespace {

/// A slot being planned, with what is known about it.
struct Candidate {
  PlanSlot Slot{};
  const LayoutItem *Item = nullptr; ///< null: not in the layout
  const PathNode *Node = nullptr;   ///< null: its uses are not visible
  uint64_t Element = 0;             ///< of the array that it belongs to
  bool Accessed = false;            ///< also through an index
  std::string Name;
};

class Planner {
public:
  Planner(const LaunchSite &Site, const RegionInfo *Region,
          const KernelPaths *Paths, const PlannerOptions &Options)
      : Site(Site), Region(Region),
        Paths(Options.WholeLayout || (Region && Region->Variants) ? nullptr
                                                                  : Paths) {}

  std::variant<PlannedLaunch, Refusal> run() {
    if (Region && Region->UnifiedSharedMemory)
      return Refusal::UnifiedSharedMemory;
    if (!Region)
      Plan.Hints.push_back(Refusal::NoAnnotation);
    for (unsigned A = 0; A < Site.EntryOfArgument.size(); ++A)
      planArgument(A);
    if (UsedLayout)
      Plan.Hints.push_back(Refusal::UnknownUses);
    keepEntries();
    sizeImages();
    sendDirectly();
    if (!(Plan.Flags & LaunchPlan::Always) &&
        all_of(Plan.Roots, [&](auto &R) { return isValue(R); }))
      Plan.Flags |= LaunchPlan::Values;
    return std::move(Plan);
  }

private:
  const LaunchSite &Site;
  const RegionInfo *Region;
  const KernelPaths *Paths;
  PlannedLaunch Plan;
  bool UsedLayout = false;
  bool InCopy = false; ///< the root at hand travels as a copy

  void note(PointerNote::KindTy Kind, const std::string &Name,
            std::optional<Refusal> Why = std::nullopt) {
    Plan.Notes.push_back({Kind, Name, Why});
  }

  /// The front end's description of parameter \p A; without one, what the
  /// launch's entries tell.
  std::optional<CaptureInfo> capture(unsigned A, unsigned Entry) const {
    if (Region) {
      for (const CaptureInfo &C : Region->Captures)
        if (C.Argument == A)
          return C;
      return std::nullopt;
    }
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

  bool hasLambdaMembers(unsigned Entry) const {
    return any_of(Site.Types, [&](uint64_t Type) {
      return abi::isLambdaMember(Type) &&
             abi::parentOf(Type) == static_cast<int>(Entry);
    });
  }

  bool isRoot(int Entry) const {
    return any_of(Plan.Roots, [&](const PlanRoot &R) {
      return static_cast<int>(R.Entry) == Entry;
    });
  }

  /// Decides which entries the launch keeps.
  void keepEntries() {
    SmallVector<uint32_t> KeptAs(Site.Types.size());
    for (const auto &[I, Type] : enumerate(Site.Types)) {
      int Parent = abi::parentOf(Type);
      if ((Type & abi::MapAlways) &&
          !(Type & (abi::MapPrivate | abi::MapLiteral)))
        Plan.Flags |= LaunchPlan::Always;
      if (abi::isLambdaMember(Type) && isRoot(Parent))
        continue;
      KeptAs[I] = static_cast<uint32_t>(Plan.Entries.size());
      Plan.Entries.push_back(static_cast<uint32_t>(I));
      Plan.Types.push_back(
          Parent < 0
              ? Type
              : abi::withParent(Type, KeptAs[static_cast<size_t>(Parent)]));
      for (PlanRoot &R : Plan.Roots)
        if (static_cast<int>(R.Entry) == Parent)
          R.Flags |= PlanRoot::OwnMembers;
    }
    for (PlanRoot &R : Plan.Roots)
      R.KeptAs = KeptAs[R.Entry];
  }

  bool isValue(const PlanRoot &R) const {
    const PlanObject &O = Plan.Objects[R.Object];
    return (Site.Types[R.Entry] & abi::MapPrivate) && O.Size <= PackedLimit &&
           O.Align <= MinImageAlign &&
           all_of(ArrayRef(Plan.Slots).slice(O.FirstSlot, O.NumSlots),
                  [](const PlanSlot &S) {
                    return S.Child < 0 && S.EndOf < 0 && !S.Stride && !S.Shift;
                  });
  }

  /// libomptarget collects small firstprivate data in a buffer, to send all of
  /// it at once, unless the next entry is a member of it (omptarget.cpp,
  /// processDataBefore). The detour does not pay where there is nothing to
  /// collect; an entry that does nothing avoids it. An asynchronous launch
  /// needs the buffer.
  void sendDirectly() {
    auto IsPrivate = [](uint64_t Type) {
      return (Type & abi::MapPrivate) && (Type & abi::MapTo);
    };
    if (Site.NoWait || Plan.Roots.size() != 1 ||
        count_if(Plan.Types, IsPrivate) != 1 ||
        !IsPrivate(Plan.Types[Plan.Roots[0].KeptAs]) ||
        Plan.Roots[0].KeptAs + 1 != Plan.Types.size())
      return;
    Plan.Entries.push_back(Plan.Roots[0].Entry);
    Plan.Types.push_back(
        abi::withParent(abi::MapLiteral, Plan.Roots[0].KeptAs));
  }

  void sizeImages() {
    SmallVector<bool> Root(Plan.Objects.size());
    for (const PlanRoot &R : Plan.Roots)
      Root[R.Object] = true;
    for (const auto &[I, O] : enumerate(Plan.Objects)) {
      if (!(O.Flags & PlanObject::Variable))
        continue;
      Plan.ImageAlign = std::max(Plan.ImageAlign, O.Align);
      if (Root[I] || O.Size <= ImageLimit)
        Plan.ImageBytes = SaturatingAdd<uint64_t>(
            Plan.ImageBytes, O.Size, std::max(O.Align, MinImageAlign));
    }
  }

  void planArgument(unsigned A) {
    unsigned Entry = Site.EntryOfArgument[A];
    uint64_t Type = Site.Types[Entry];
    if (Type & abi::MapLiteral)
      return;
    if (Site.Kernel && !Site.Kernel->getArg(A)->getType()->isPointerTy())
      return;
    std::optional<CaptureInfo> C = capture(A, Entry);
    if (!C)
      return;
    const PathNode *Node = Paths ? &(*Paths)[A] : nullptr;
    // Without a layout, what is not visible is not known at all.
    if (!Region && (!Node || Node->Escapes))
      return;

    PlanRoot Root{};
    Root.Entry = Entry;
    InCopy = (Type & abi::MapPrivate) ||
             ((Type & abi::MapTo) &&
              (!(Type & abi::MapFrom) || (Node && !Node->Written)));
    if (C->IsPointer) {
      if (!Node || !Node->hasInner())
        return;
      if (Node->Cyclic) {
        note(PointerNote::Left, C->Name, Refusal::LinkedStructure);
        return;
      }
      InCopy = false;
      Root.Flags = PlanRoot::PointerValue;
      Root.Object = addBehind(*Node, C->Name);
    } else {
      Root.Object = addVariable(Node, C->Layout, C->Size, C->Align, C->Const,
                                C->Name, /*IsClosure=*/true);
    }
    if (Plan.Objects[Root.Object].NumSlots == 0 && !hasLambdaMembers(Entry)) {
      Plan.Objects.resize(Root.Object);
      return;
    }
    Plan.Roots.push_back(Root);
    Plan.RootArguments.push_back(A);
  }

  /// Adds an object for a variable of which \p Node tells the uses.
  uint32_t addVariable(const PathNode *Node, const std::vector<LayoutItem> &L,
                       uint64_t Size, uint64_t Align, bool Const,
                       const std::string &Name, bool IsClosure = false) {
    bool Known = Node && !Node->Escapes;
    if (!Known && IsClosure && !L.empty())
      UsedLayout = true;
    PlanObject O{};
    O.Size = Size;
    O.Align = static_cast<uint32_t>(Align);
    O.Flags = PlanObject::Variable;
    if (!Const && (!Known || Node->Written))
      O.Flags |= PlanObject::Written;
    return addObject(
        O, Known ? fromPaths(*Node, &L, Size, Name) : fromLayout(Node, L),
        !IsClosure && (O.Flags & PlanObject::Written) ? &L : nullptr);
  }

  /// Adds an object for what lies behind a plain pointer.
  uint32_t addBehind(const PathNode &Node, const std::string &Name) {
    PlanObject O{};
    O.Align = 1;
    if (Node.Elements.empty() && Node.Begin < Node.End) {
      O.Begin = Node.Begin;
      O.Size = static_cast<uint64_t>(Node.End - Node.Begin);
    }
    return addObject(O, fromPaths(Node, nullptr, 0, Name));
  }

  /// Candidates by the access paths.
  std::vector<Candidate> fromPaths(const PathNode &Node,
                                   const std::vector<LayoutItem> *L,
                                   uint64_t Size, const std::string &Name) {
    std::vector<Candidate> Result;
    auto Add = [&](uint64_t Offset, uint64_t Stride, const LayoutItem *Item,
                   const PathNode &N) {
      Candidate C;
      C.Slot.Offset = Offset;
      C.Slot.Stride = Stride;
      C.Item = Item;
      C.Node = &N;
      C.Name =
          Item ? Item->Name
               : Name + "+" + std::to_string(Offset) + (Stride ? "..." : "");
      Result.push_back(std::move(C));
    };
    auto ItemAt = [&](uint64_t Offset) -> const LayoutItem * {
      if (!L)
        return nullptr;
      for (const LayoutItem &I : *L)
        if (I.Offset == Offset && I.Kind != LayoutItem::VirtualBase)
          return &I;
      return nullptr;
    };
    auto Taken = [&](uint64_t Offset) {
      return any_of(Result, [&](const Candidate &C) {
        return !C.Slot.Stride && C.Slot.Offset == Offset;
      });
    };

    if (L)
      for (const LayoutItem &I : *L) {
        auto Table = Node.Members.find(static_cast<int64_t>(I.Offset));
        if (I.Kind == LayoutItem::VirtualBase && Table != Node.Members.end() &&
            Table->second->used())
          note(PointerNote::Left, I.Name, Refusal::VirtualBase);
      }
    for (const auto &[Offset, N] : Node.Members)
      if ((N->used() || N->Called) &&
          (!L || (Offset >= 0 && Offset + sizeof(void *) <= Size)))
        Add(static_cast<uint64_t>(Offset), 0, ItemAt(Offset), *N);
    // From the widest stride down: an element of a record in an array is told
    // apart from one of an array in it.
    for (const auto &[Where, N] : reverse(Node.Elements)) {
      if (!N->used())
        continue;
      auto [Stride, First] = Where;
      bool Matched = false;
      if (L)
        for (const LayoutItem &I : *L)
          if (I.Kind != LayoutItem::VirtualBase && I.Offset >= First &&
              (I.Offset - First) % Stride == 0 &&
              static_cast<int64_t>(I.Offset) >= N->First &&
              static_cast<int64_t>(I.Offset) < N->Last) {
            Matched = true;
            for (Candidate &C : Result)
              C.Accessed |= C.Item == &I && N->dereferenced();
            if (!Taken(I.Offset)) {
              Add(I.Offset, 0, &I, *N);
              Result.back().Element = (I.Offset - First) / Stride;
            }
          }
      if (!Matched)
        addRepeated(*N, Stride, First, Add, Result);
    }
    // Read as an integer: a pointer, unless the word is a union's.
    if (L)
      for (const LayoutItem &I : *L) {
        bool Covered = any_of(Node.IntegerReads, [&](auto Read) {
          auto [At, Bytes] = Read;
          return Bytes == UINT64_MAX ||
                 (At < static_cast<int64_t>(I.Offset + sizeof(void *)) &&
                  static_cast<int64_t>(I.Offset) <
                      At + static_cast<int64_t>(Bytes));
        });
        if (Covered && !Taken(I.Offset) && I.Kind == LayoutItem::Pointer) {
          if (I.InUnion)
            continue;
          Candidate C;
          C.Slot.Offset = I.Offset;
          C.Item = &I;
          C.Name = I.Name;
          Result.push_back(std::move(C));
        }
      }
    return Result;
  }

  /// Adds the candidate for an array of pointers that the layout does not show.
  template <typename Fn>
  static void addRepeated(const PathNode &N, uint64_t Stride, uint64_t First,
                          Fn Add, std::vector<Candidate> &Result) {
    if (N.First > 0) {
      auto From = static_cast<uint64_t>(N.First);
      First = From + (First + Stride - From % Stride) % Stride;
    }
    Add(First, Stride, nullptr, N);
    if (N.Last != INT64_MAX)
      Result.back().Slot.Limit = static_cast<uint64_t>(N.Last);
  }

  /// Candidates by the layout alone. \p Node, if any, tells of some uses.
  std::vector<Candidate> fromLayout(const PathNode *Node,
                                    const std::vector<LayoutItem> &L) {
    std::vector<Candidate> Result;
    for (const LayoutItem &I : L) {
      Candidate C;
      C.Slot.Offset = I.Offset;
      C.Item = &I;
      C.Name = I.Name;
      if (Node) {
        auto It = Node->Members.find(static_cast<int64_t>(I.Offset));
        if (It != Node->Members.end() && It->second->dereferenced())
          C.Node = It->second.get();
      }
      if (I.InUnion && !C.Node && I.Kind == LayoutItem::Pointer) {
        note(PointerNote::Left, I.Name, Refusal::UnionMember);
        continue;
      }
      Result.push_back(std::move(C));
    }
    return Result;
  }

  /// Links pointers that are compared with or subtracted from each other, such
  /// as the two ends of a range: they have to stay in one array. Where neither
  /// of two is followed, nothing but their distance counts, and they are left.
  static void pairComparisons(std::vector<Candidate> &Candidates) {
    auto Followed = [](const Candidate &C) {
      return !C.Node || C.Node->dereferenced() || C.Node->Escapes || C.Accessed;
    };
    SmallVector<bool> Needed(Candidates.size(), true);
    for (size_t I = 0; I < Candidates.size(); ++I) {
      Candidate &C = Candidates[I];
      C.Slot.Child = C.Slot.EndOf = -1;
      if (!C.Node || C.Node->Comparisons.empty() || C.Slot.Stride)
        continue;
      SmallPtrSet<const Value *, 4> Unknown(C.Node->Comparisons);
      bool WithFollowed = false;
      for (size_t J = 0; J < Candidates.size(); ++J) {
        const Candidate &Other = Candidates[J];
        if (I == J || !Other.Node || Other.Slot.Stride ||
            Other.Element != C.Element)
          continue;
        bool Shared = false;
        for (const Value *V : Other.Node->Comparisons)
          Shared |= Unknown.erase(V) || C.Node->Comparisons.contains(V);
        if (!Shared || WithFollowed)
          continue;
        C.Slot.EndOf = static_cast<int32_t>(J);
        WithFollowed = Followed(Other);
      }
      Needed[I] = Followed(C) || WithFollowed || !Unknown.empty();
    }
    // The links are by index: what is left keeps its place until the end.
    std::vector<int32_t> NewIndex;
    int32_t Kept = 0;
    for (bool N : Needed)
      NewIndex.push_back(N ? Kept++ : -1);
    for (Candidate &C : Candidates)
      if (C.Slot.EndOf >= 0)
        C.Slot.EndOf = NewIndex[static_cast<size_t>(C.Slot.EndOf)];
    size_t At = 0;
    erase_if(Candidates, [&](const Candidate &) { return !Needed[At++]; });
  }

  /// Adds the slots of the pointers in \p L that are none of \p Candidates.
  void addUnused(const std::vector<LayoutItem> &L,
                 const std::vector<Candidate> &Candidates) {
    for (const LayoutItem &I : L) {
      if (I.Kind == LayoutItem::Function || I.Kind == LayoutItem::VirtualBase ||
          any_of(Candidates, [&](const Candidate &C) {
            return C.Slot.Offset == I.Offset && !C.Slot.Stride;
          }))
        continue;
      PlanSlot Slot{};
      Slot.Offset = I.Offset;
      Slot.Child = Slot.EndOf = -1;
      Slot.Flags = PlanSlot::Unused;
      Plan.Slots.push_back(Slot);
    }
  }

  /// Adds \p O with \p Candidates, and with the other pointers of \p Layout.
  uint32_t addObject(PlanObject O, std::vector<Candidate> Candidates,
                     const std::vector<LayoutItem> *Layout = nullptr) {
    erase_if(Candidates, [&](const Candidate &C) { return !admit(C); });
    pairComparisons(Candidates);

    auto Index = static_cast<uint32_t>(Plan.Objects.size());
    O.FirstSlot = static_cast<uint32_t>(Plan.Slots.size());
    Plan.Slots.resize(Plan.Slots.size() + Candidates.size());
    if (Layout)
      addUnused(*Layout, Candidates);
    O.NumSlots = static_cast<uint32_t>(Plan.Slots.size()) - O.FirstSlot;
    Plan.Objects.push_back(O);
    for (const auto &[I, C] : enumerate(Candidates)) {
      PlanSlot Slot = C.Slot;
      planSlot(C, Slot);
      Plan.Slots[O.FirstSlot + I] = Slot;
    }
    return Index;
  }

  /// Whether \p C is a pointer to carry over; notes why not.
  bool admit(const Candidate &C) {
    if (C.Node && C.Node->Called && !C.Node->dereferenced()) {
      note(PointerNote::Left, C.Name, Refusal::FunctionPointer);
      return false;
    }
    if (!C.Item)
      return true;
    switch (C.Item->Kind) {
    case LayoutItem::Function:
      if (C.Node)
        note(PointerNote::Left, C.Name, Refusal::FunctionPointer);
      return false;
    case LayoutItem::VirtualBase:
      note(PointerNote::Left, C.Name, Refusal::VirtualBase);
      return false;
    default:
      return true;
    }
  }

  /// Whether the launch can read the word \p T: it lies in a captured object,
  /// or behind references from there. What lies behind a plain pointer may be
  /// device memory.
  bool isReadable(const RangeTerm &T) const {
    auto A = static_cast<size_t>(T.Value);
    if (T.Kind != RangeTerm::Argument && T.Kind != RangeTerm::Word)
      return true;
    if (A >= Site.EntryOfArgument.size())
      return false;
    unsigned Entry = Site.EntryOfArgument[A];
    bool IsLiteral = Site.Types[Entry] & abi::MapLiteral;
    if (T.Kind == RangeTerm::Argument)
      return IsLiteral;
    if (IsLiteral || A >= Site.FallbackArguments.size() ||
        !Site.FallbackArguments[A])
      return false;
    std::optional<CaptureInfo> C = capture(static_cast<unsigned>(A), Entry);
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

  /// Gives \p Slot the range \p R, unless a byte that is the same at every
  /// launch finds the array as well: Shift, or the pointer itself.
  void planRange(const Candidate &C, const AccessRange &R, PlanSlot &Slot) {
    if (R.alwaysHasPointer() || (R.constantFirst() && Slot.Shift))
      return;
    std::vector<bool> First = R.needs(R.First);
    bool FirstKnown = true, Known = true;
    for (const auto &[I, T] : enumerate(R.Terms)) {
      Known &= isReadable(T);
      FirstKnown &= !First[I] || isReadable(T);
    }
    if (!FirstKnown)
      note(PointerNote::LookedUp, C.Name, Refusal::UnknownDistance);
    if (!Known)
      return;
    auto It = find(Plan.Ranges, R);
    if (It == Plan.Ranges.end() && Plan.Ranges.size() == MaxRanges)
      return;
    Slot.Range = static_cast<uint32_t>(It - Plan.Ranges.begin()) + 1;
    if (It == Plan.Ranges.end())
      Plan.Ranges.push_back(R);
  }

  void planSlot(const Candidate &C, PlanSlot &Slot) {
    // What the kernel hands on may be accessed elsewhere.
    bool IsVariable = C.Item && (C.Item->Kind == LayoutItem::Reference ||
                                 C.Item->Kind == LayoutItem::This);
    bool Deref = !C.Node || C.Node->dereferenced() || C.Accessed ||
                 (C.Node->Escapes && !IsVariable);
    if (Deref)
      Slot.Flags |= PlanSlot::Dereferenced;
    if (!C.Node || !C.Node->dereferenced())
      Slot.Flags |= PlanSlot::MayBeEnd;

    if (IsVariable) {
      Slot.Child = static_cast<int32_t>(addVariable(C.Node, C.Item->Inner,
                                                    C.Item->Size, C.Item->Align,
                                                    C.Item->Const, C.Name));
      note(PointerNote::Variable, C.Name);
      return;
    }
    if (C.Node && C.Node->Cyclic)
      note(PointerNote::Left, C.Name, Refusal::LinkedStructure);
    else if (C.Node && C.Node->hasInner())
      Slot.Child = static_cast<int32_t>(addBehind(*C.Node, C.Name));
    if (C.Node && C.Node->Shift && Slot.Child < 0)
      Slot.Shift = *C.Node->Shift;
    if (C.Node && C.Node->Range && Slot.Child < 0)
      planRange(C, *C.Node->Range, Slot);
    note(InCopy ? PointerNote::Translated : PointerNote::Attached, C.Name);
    if (Deref)
      note(PointerNote::NeedsMap, C.Name);
  }
};

} // namespace

std::variant<PlannedLaunch, Refusal> planLaunch(const LaunchSite &Site,
                                                const RegionInfo *Region,
                                                const KernelPaths *Paths,
                                                const PlannerOptions &Options) {
  return Planner(Site, Region, Paths, Options).run();
}

} // namespace ferry
