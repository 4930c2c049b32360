//===- LogReader.cpp - From what lanes did to counters and findings -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row n of the log holds what each lane did n-th since the log was empty. Lanes
// that run together write the same number in a row: one request of the warp.
// Where a row holds several numbers the lanes went different ways: one request
// for each.
//
//===----------------------------------------------------------------------===//

#include "HostMemory.h"
#include "Lanes.h"
#include "MemoryModel.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace ferry::sim {

void addFinding(FindingKind Kind, const Lane &L, uint32_t Number,
                uint64_t Address, const FindingText &Text) {
  const Launch &Current = *L.warp().Owner->Owner->Current;
  Finding F;
  F.Kind = Kind;
  F.Kernel = Current.Kernel->Info->Name;
  const ModuleInfo &M = *Current.Kernel->Module;
  F.Where =
      Number && Number < M.NumInstructions ? &M.Instructions[Number] : nullptr;
  if (Current.Found->countIfKnown(F))
    return;
  std::copy(L.BlockId, L.BlockId + 3, F.Block);
  std::copy(L.ThreadId, L.ThreadId + 3, F.Thread);
  F.Address = Address;
  F.Text = Text();
  Current.Found->add(std::move(F));
}

void addFinding(FindingKind Kind, const Lane &L, uint32_t Number,
                uint64_t Address, std::string Text) {
  addFinding(Kind, L, Number, Address,
             FindingText([&Text] { return std::move(Text); }));
}

namespace {

/// Reads one warp's log.
class Reader {
public:
  explicit Reader(Warp &W)
      : W(W), B(*W.Owner), Host(*B.Owner), Current(*Host.Current),
        Module(*Current.Kernel->Module) {}

  void read() {
    uint32_t Longest = 0, Present = 0;
    bool Even = true;
    for (uint32_t Rest = W.All; Rest; Rest &= Rest - 1) {
      const unsigned L = __builtin_ctz(Rest);
      if (!W.Rows[L])
        continue;
      Even &= !Longest || W.Rows[L] == Longest;
      Longest = std::max(Longest, W.Rows[L]);
      Present |= 1u << L;
    }
    for (uint32_t Row = 0; Row < Longest; ++Row) {
      uint32_t Mask = Present;
      if (!Even)
        for (uint32_t Rest = Present; Rest; Rest &= Rest - 1)
          if (W.Rows[__builtin_ctz(Rest)] <= Row)
            Mask &= ~(Rest & -Rest);
      readRow(W.Log + size_t(Row) * WarpSize, Mask);
    }
    for (uint32_t &Rows : W.Rows)
      Rows = 0;
  }

private:
  Warp &W;
  Block &B;
  Worker &Host;
  Launch &Current;
  const ModuleInfo &Module;

  void readRow(const uint64_t *Words, uint32_t Mask) {
    while (Mask) {
      const uint64_t First = Words[__builtin_ctz(Mask)];
      const uint64_t Number = First >> LogShift;
      uint32_t Same = 0;
      if (Mask == ~0u) {
        uint64_t Differs = 0;
        for (unsigned L = 0; L < WarpSize; ++L)
          Differs |= Words[L] ^ First;
        if (!(Differs >> LogShift))
          Same = Mask;
      }
      if (!Same)
        for (uint32_t Rest = Mask; Rest; Rest &= Rest - 1)
          if (Words[__builtin_ctz(Rest)] >> LogShift == Number)
            Same |= Rest & -Rest;
      Mask &= ~Same;
      if (Number && Number < Module.NumInstructions)
        countRequest(Number, Words, Same);
    }
  }

  void countRequest(uint64_t Number, const uint64_t *Words, uint32_t Mask) {
    const InstructionInfo &Info = Module.Instructions[Number];
    if (Info.Kind == InstructionKind::Arrival) {
      noteArrival(Info, Words, Mask);
      return;
    }
    if (Info.Kind == InstructionKind::Sync) {
      noteCopies(CopyEvent::of(Words[__builtin_ctz(Mask)]));
      return;
    }
    InstructionState &State = Host.Instructions[Number];
    if (!State.Counts.Lanes)
      Host.Touched.push_back(Number);
    State.Counts.Lanes += __builtin_popcount(Mask);
    WarpAccess A;
    A.Mask = Mask;
    A.Size = Info.Size;
    for (unsigned L = 0; L < WarpSize; ++L)
      A.Address[L] = Words[L] & LogAddressMask;
    if (Info.Kind == InstructionKind::Branch) {
      ++State.Counts.Requests;
      A.Size = 0;
      State.Counts.Divergent += shapeOf(A) == AccessShape::Other;
      return;
    }
    if (Info.Align > 1)
      checkAlignment(Number, A, Info.Align);
    const AccessShape Shape = shapeOf(A);
    // Generic pointers may lead lanes of one request to different memories.
    uint32_t Shared = 0, Own = 0;
    const uint64_t First = A.Address[__builtin_ctz(Mask)];
    if (Shape != AccessShape::Other) {
      Shared = slots::isShared(First) ? Mask : 0;
      Own = slots::isStack(First) ? Mask : 0;
    } else if (Mask == ~0u && allInShared(A)) {
      Shared = Mask;
    } else {
      for (uint32_t Rest = Mask; Rest; Rest &= Rest - 1) {
        const uint64_t Address = A.Address[__builtin_ctz(Rest)];
        if (slots::isShared(Address))
          Shared |= Rest & -Rest;
        else if (slots::isStack(Address))
          Own |= Rest & -Rest;
      }
    }
    if (Shared) {
      A.Mask = Shared;
      countShared(Number, Info, State, A, Shape);
    }
    A.Mask = Mask & ~Shared & ~Own;
    if (A.Mask)
      countGlobal(Number, Info, State, A, Shape);
  }

  /// Whether all lanes' addresses are in the block's shared memory.
  bool allInShared(const WarpAccess &A) const {
    bool All = true;
    for (const uint64_t Address : A.Address)
      All &= offsetOf(Address) < Current.SharedBytes;
    return All;
  }

  const Lane &lane(uint32_t Mask) const {
    return *W.Lanes[__builtin_ctz(Mask)];
  }

  void checkAlignment(uint64_t Number, const WarpAccess &A, unsigned Align) {
    uint64_t Bits = 0;
    for (uint32_t Rest = A.Mask; Rest; Rest &= Rest - 1)
      Bits |= A.Address[__builtin_ctz(Rest)];
    if (!(Bits & (Align - 1)))
      return;
    for (uint32_t Rest = A.Mask; Rest; Rest &= Rest - 1) {
      const uint64_t Address = A.Address[__builtin_ctz(Rest)];
      if (!(Address & (Align - 1)))
        continue;
      char Text[160];
      snprintf(Text, sizeof(Text),
               "access of %u bytes at an address that is no multiple of %u",
               A.Size, Align);
      addFinding(FindingKind::Misaligned, lane(Rest), Number, Address, Text);
      return;
    }
  }

  // --- Global memory
  // ----------------------------------------------------------

  void countGlobal(uint64_t Number, const InstructionInfo &Info,
                   InstructionState &State, const WarpAccess &A,
                   AccessShape Shape) {
    ++State.Counts.Requests;
    const uint32_t Hosts = Current.HostMemory ? hostLanes(State, A, Shape) : 0;
    if (!Hosts) {
      countDevice(Number, Info, State, A, Shape);
      return;
    }
    WarpAccess Part = A;
    Part.Mask = Hosts;
    countHost(Number, Info, State, Part, Shape);
    Part.Mask = A.Mask & ~Hosts;
    if (Part.Mask)
      countDevice(Number, Info, State, Part, AccessShape::Other);
  }

  /// The lanes of \p A that access the host's memory.
  uint32_t hostLanes(InstructionState &State, const WarpAccess &A,
                     AccessShape Shape) {
    if (Shape == AccessShape::Same)
      return isHosts(State, A.Address[__builtin_ctz(A.Mask)]) ? A.Mask : 0;
    uint32_t Hosts = 0;
    for (uint32_t Rest = A.Mask; Rest; Rest &= Rest - 1)
      if (isHosts(State, A.Address[__builtin_ctz(Rest)]))
        Hosts |= Rest & -Rest;
    return Hosts;
  }

  /// Whether \p Address, which a lane has accessed, is the host's.
  bool isHosts(InstructionState &State, uint64_t Address) {
    constexpr uint64_t PageShift = 12;
    if (GlobalMemory::inAnyArena(Address))
      return false;
    if (Address >> PageShift == State.HostPage)
      return true;
    if (Current.Memory->find(Address).End)
      return false; // a module's variable
    State.HostPage = Address >> PageShift;
    return true;
  }

  /// Of lanes that access the host's memory, over the link.
  void countHost(uint64_t Number, const InstructionInfo &Info,
                 InstructionState &State, const WarpAccess &A,
                 AccessShape Shape) {
    const bool Store = Info.Kind != InstructionKind::Load;
    uint64_t Sectors[MaxSectors];
    const unsigned Num = sectorsOf(A, Sectors);
    State.Counts.Sectors += Num;
    for (unsigned I = 0; I < Num; ++I)
      State.Counts.LeastSectors += isNewForeign(Sectors[I], Store);
    ++State.Counts.LinkRequests;
    State.Counts.LinkSectors += Num;
    if (W.Trace)
      State.Counts.L1Wavefronts += Current.Traffic->recordLink(
          *B.Group, *W.Trace, kindOf(Info), static_cast<uint32_t>(Number),
          Info.Flags, sharedCost(A, Shape).Wavefronts);
  }

  /// Of lanes that access the device's memory, or what they should not.
  void countDevice(uint64_t Number, const InstructionInfo &Info,
                   InstructionState &State, const WarpAccess &A,
                   AccessShape Shape) {
    const bool Store = Info.Kind != InstructionKind::Load;
    if (Shape != AccessShape::Other) {
      const uint64_t First = A.Address[__builtin_ctz(A.Mask)];
      const uint64_t Bytes =
          Shape == AccessShape::Same ? A.Size : uint64_t(A.Size) * WarpSize;
      const uint64_t From = First >> SectorShift;
      const uint64_t To = (First + Bytes - 1) >> SectorShift;
      State.Counts.Sectors += To - From + 1;
      for (uint64_t S = From; S <= To; ++S)
        State.Counts.LeastSectors += isNew(S, Store);
      if (W.Trace) {
        uint64_t Sectors[MaxSectors];
        std::iota(Sectors, Sectors + (To - From + 1), From);
        record(Number, Info, State, A, Shape, Sectors, To - From + 1);
      }
      if (First < State.Begin || First + Bytes > State.End ||
          Host.Generation != Current.Memory->generation())
        checkBounds(Number, State, A);
      return;
    }
    uint64_t Sectors[MaxSectors];
    const unsigned Num = sectorsOf(A, Sectors);
    State.Counts.Sectors += Num;
    for (unsigned I = 0; I < Num; ++I)
      State.Counts.LeastSectors += isNew(Sectors[I], Store);
    if (W.Trace)
      record(Number, Info, State, A, Shape, Sectors, Num);
    checkBounds(Number, State, A);
  }

  static RequestKind kindOf(const InstructionInfo &Info) {
    return Info.Kind == InstructionKind::Atomic  ? RequestKind::Atomic
           : Info.Kind == InstructionKind::Store ? RequestKind::Store
           : Info.Flags & Volatile               ? RequestKind::Uncached
                                                 : RequestKind::Load;
  }

  /// What the caches are asked for.
  void record(uint64_t Number, const InstructionInfo &Info,
              InstructionState &State, const WarpAccess &A, AccessShape Shape,
              const uint64_t *Sectors, unsigned Num) {
    uint32_t Wavefronts = sharedCost(A, Shape).Wavefronts;
    // Atomics at one address are done one after the other.
    if (Info.Kind == InstructionKind::Atomic && Shape == AccessShape::Same)
      Wavefronts = __builtin_popcount(A.Mask);
    const bool Full = Info.Kind == InstructionKind::Store &&
                      uint64_t(__builtin_popcount(A.Mask)) * A.Size >=
                          uint64_t(Num) * SectorBytes;
    if (Info.Kind == InstructionKind::Atomic)
      Current.Traffic->noteAtomics(*B.Group, A);
    State.Counts.L1Wavefronts += Current.Traffic->record(
        *B.Group, *W.Trace, kindOf(Info), static_cast<uint32_t>(Number),
        Info.Flags, Wavefronts, Sectors, Num, Full);
  }

  /// Whether no load (or store) of this block touched \p Sector before.
  bool isNew(uint64_t Sector, bool Store) {
    const uint64_t Index = Sector - (Current.Memory->base() >> SectorShift);
    if (Index >= Host.NumSectors)
      return isNewForeign(Sector, Store);
    uint32_t &Tag = Host.SectorTags[Store][Index];
    const bool New = Tag != B.Tag;
    Tag = B.Tag;
    return New;
  }

  /// The same for memory that is not in the device's range: a module's
  /// variables, and addresses that should not be used at all.
  bool isNewForeign(uint64_t Sector, bool Store) {
    uint32_t &Tag = Host.ForeignTags[Sector << 1 | Store];
    const bool New = Tag != B.Tag;
    Tag = B.Tag;
    return New;
  }

  void checkBounds(uint64_t Number, InstructionState &State,
                   const WarpAccess &A) {
    if (Host.Generation != Current.Memory->generation()) {
      // What was known may be gone.
      Host.Generation = Current.Memory->generation();
      for (InstructionState &I : Host.Instructions)
        I.Begin = I.End = I.HostPage = 0;
    }
    for (uint32_t Rest = A.Mask; Rest; Rest &= Rest - 1) {
      const uint64_t Address = A.Address[__builtin_ctz(Rest)];
      if (Address >= State.Begin && Address + A.Size <= State.End)
        continue;
      const GlobalMemory::Range R = Current.Memory->find(Address);
      if (R.End && Address + A.Size <= R.End) {
        State.Begin = R.Begin;
        State.End = R.End;
        continue;
      }
      reportBadAddress(Number, lane(Rest), Address, A.Size);
    }
  }

  void reportBadAddress(uint64_t Number, const Lane &L, uint64_t Address,
                        unsigned Size);
  std::string describeOutside(uint64_t Address, unsigned Size) const;

  // --- Shared memory
  // ----------------------------------------------------------

  void countShared(uint64_t Number, const InstructionInfo &Info,
                   InstructionState &State, const WarpAccess &A,
                   AccessShape Shape) {
    ++State.Counts.SharedRequests;
    const SharedCost Cost = sharedCost(A, Shape);
    State.Counts.Wavefronts += Cost.Wavefronts;
    State.Counts.BankConflicts += Cost.Conflicts;
    if (W.Trace)
      Current.Traffic->recordShared(
          *B.Group, *W.Trace, static_cast<uint32_t>(Number), Info.Flags,
          Info.Kind == InstructionKind::Atomic ? atomicPasses(A)
                                               : Cost.Wavefronts);
    SharedShadow::Access Who = accessOf(Info);
    for (uint32_t Rest = A.Mask; Rest; Rest &= Rest - 1) {
      const unsigned L = __builtin_ctz(Rest);
      const uint64_t Offset = offsetOf(A.Address[L]);
      if (Offset + A.Size > Current.SharedBytes) {
        char Text[160];
        snprintf(Text, sizeof(Text),
                 "shared memory offset %lld, of which the block has %llu bytes",
                 static_cast<long long>(Offset),
                 static_cast<unsigned long long>(Current.SharedBytes));
        addFinding(FindingKind::OutOfBounds, *W.Lanes[L], Number, A.Address[L],
                   Text);
        continue;
      }
      Who.Thread = W.threadOf(L);
      if (!B.Targets.empty())
        if (std::optional<uint16_t> Other = B.Targets.find(Offset, A.Size)) {
          reportCopied(Number, *W.Lanes[L], *Other, Offset,
                       Info.Kind != InstructionKind::Load);
          continue;
        }
      SharedShadow::Answer Answer;
      if (Info.Kind != InstructionKind::Store)
        Answer = B.Shadow.read(Offset, A.Size, Who);
      if (Info.Kind != InstructionKind::Load &&
          Answer.What == SharedShadow::Verdict::Fine)
        Answer = B.Shadow.write(Offset, A.Size, Who);
      if (Answer.What != SharedShadow::Verdict::Fine && !isRuntimeState(Offset))
        reportShared(Number, *W.Lanes[L], Answer, Offset,
                     Info.Kind != InstructionKind::Load);
      if (Info.Flags & AsyncStore)
        B.Targets.add(Offset, A.Size, Who.Thread);
    }
  }

  /// To others an asynchronous copy is a store at its start, and another one
  /// when it has arrived; there the first tells what may be wrong.
  void noteArrival(const InstructionInfo &Info, const uint64_t *Words,
                   uint32_t Mask) {
    SharedShadow::Access Who = accessOf(Info);
    for (uint32_t Rest = Mask; Rest; Rest &= Rest - 1) {
      const unsigned L = __builtin_ctz(Rest);
      const uint64_t Offset = offsetOf(Words[L] & LogAddressMask);
      if (Offset + Info.Size > Current.SharedBytes)
        continue; // reported at its start
      Who.Thread = W.threadOf(L);
      B.Targets.remove(Offset, Info.Size, Who.Thread);
      B.Shadow.write(Offset, Info.Size, Who);
    }
  }

  /// The lanes make a group of copies, or wait for groups.
  void noteCopies(const CopyEvent &Event) {
    if (!W.Trace)
      return;
    if (Event.Waits)
      Current.Traffic->waitForCopies(*B.Group, *W.Trace, Event);
    else
      Current.Traffic->commitCopies(*B.Group, *W.Trace);
  }

  /// What the shadow wants to know of an access; not by which thread.
  SharedShadow::Access accessOf(const InstructionInfo &Info) const {
    SharedShadow::Access Who{};
    Who.Block = B.Tag;
    Who.Epoch = B.Epoch;
    Who.Syncs = W.Syncs;
    Who.Quiet = Info.Runtime;
    Who.Atomic =
        Info.Kind == InstructionKind::Atomic || (Info.Flags & Volatile);
    return Who;
  }

  uint64_t offsetOf(uint64_t Address) const {
    return Address - reinterpret_cast<uint64_t>(B.Shared);
  }

  /// The runtime reaches its state through pointers as well.
  bool isRuntimeState(uint64_t Offset) const {
    for (uint32_t R = 0; R < Module.NumRuntimeState; ++R)
      if (Offset >= Module.RuntimeState[R].Begin &&
          Offset < Module.RuntimeState[R].End)
        return true;
    return false;
  }

  void reportShared(uint64_t Number, const Lane &L,
                    const SharedShadow::Answer &Answer, uint64_t Offset,
                    bool Writes) {
    char Text[200];
    if (Answer.What == SharedShadow::Verdict::Uninitialized) {
      snprintf(Text, sizeof(Text),
               "reads offset %llu of shared memory, which no thread has "
               "written",
               static_cast<unsigned long long>(Offset));
      addFinding(FindingKind::UninitializedShared, L, Number, Offset, Text);
      return;
    }
    snprintf(
        Text, sizeof(Text),
        "%s offset %llu of shared memory, which thread %s %s, with no "
        "barrier between",
        Writes ? "writes" : "reads", static_cast<unsigned long long>(Offset),
        nameOf(Answer.Other).c_str(), Answer.OtherWrites ? "writes" : "reads");
    addFinding(FindingKind::SharedRace, L, Number, Offset, Text);
  }

  void reportCopied(uint64_t Number, const Lane &L, uint16_t Copier,
                    uint64_t Offset, bool Writes) {
    char Text[200];
    snprintf(Text, sizeof(Text),
             "%s offset %llu of shared memory, to which thread %s has started "
             "an asynchronous copy that it has not waited for",
             Writes ? "writes" : "reads",
             static_cast<unsigned long long>(Offset), nameOf(Copier).c_str());
    addFinding(FindingKind::AsyncCopy, L, Number, Offset, Text);
  }

  /// A thread of the block as "(x,y,z)".
  std::string nameOf(unsigned Thread) const {
    const uint32_t *Dim = Current.BlockDim;
    char Text[40];
    snprintf(Text, sizeof(Text), "(%u,%u,%u)", Thread % Dim[0],
             Thread / Dim[0] % Dim[1], Thread / Dim[0] / Dim[1]);
    return Text;
  }
};

} // namespace

std::string explainAddress(const Lane &L, uint64_t Number, uint64_t Address,
                           bool OnHost) {
  const Launch &Current = *L.warp().Owner->Owner->Current;
  if (!Current.Explainer)
    return "";
  const ModuleInfo &M = *Current.Kernel->Module;
  WrongAccess A{Address, OnHost, "", 0};
  if (Number && Number < M.NumInstructions) {
    A.File = M.Instructions[Number].File;
    A.Line = M.Instructions[Number].Line;
  }
  char Text[512] = "";
  Current.Explainer->Explain(Current.Explained, A, Text, sizeof(Text));
  return Text;
}

void Reader::reportBadAddress(uint64_t Number, const Lane &L, uint64_t Address,
                              unsigned Size) {
  const bool Own = Current.Memory->inArena(Address);
  if (!Own && GlobalMemory::inAnyArena(Address)) {
    addFinding(FindingKind::OutOfBounds, L, Number, Address,
               "access of " + std::to_string(Size) +
                   " bytes to the memory of another device");
    return;
  }
  if (!Own && isHostMemory(Address)) {
    addFinding(FindingKind::HostPointer, L, Number, Address,
               [&L, Number, Address] {
                 const std::string Range = hostRange(Address);
                 return "the address is the host's (" +
                        (Range.empty() ? "unmapped since then" : Range) +
                        "): the pointer was not mapped" +
                        explainAddress(L, Number, Address, true);
               });
    return;
  }
  addFinding(FindingKind::OutOfBounds, L, Number, Address,
             [this, &L, Number, Address, Size] {
               return describeOutside(Address, Size) +
                      explainAddress(L, Number, Address, false);
             });
}

/// What is wrong with an access of \p Size bytes that is in no allocation.
std::string Reader::describeOutside(uint64_t Address, unsigned Size) const {
  char Text[256];
  const GlobalMemory::Range R = Current.Memory->nearest(Address);
  // A module's variables lie elsewhere.
  if (!R.End ||
      Current.Memory->inArena(Address) != Current.Memory->inArena(R.Begin))
    snprintf(Text, sizeof(Text),
             "access of %u bytes; the device has no allocation", Size);
  else
    snprintf(
        Text, sizeof(Text),
        "access of %u bytes; the nearest allocation has %llu bytes, the "
        "access is %llu bytes %s",
        Size, static_cast<unsigned long long>(R.End - R.Begin),
        static_cast<unsigned long long>(Address < R.Begin ? R.Begin - Address
                                        : Address < R.End ? R.End - Address
                                                          : Address - R.End),
        Address < R.Begin ? "in front of it"
        : Address < R.End ? "in front of its end"
                          : "behind its end");
  return Text;
}

void readLog(Warp &W) { Reader(W).read(); }

} // namespace ferry::sim
