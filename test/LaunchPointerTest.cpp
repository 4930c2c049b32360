//===- LaunchPointerTest.cpp - Ends, shifts, tables and records -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchRuntime.h"

using namespace ferry;
using namespace ferry::abi;
using namespace ferry::test;

namespace {

/// Two arrays of which one begins where the other ends, both mapped.
class LaunchPointer : public LaunchRuntime {
protected:
  long Host[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  long *A = Host, *B = Host + 4;
  long *DeviceA = nullptr, *DeviceB = nullptr;

  void SetUp() override {
    LaunchRuntime::SetUp();
    // Device memory in the other order, so that nothing fits by chance.
    DeviceB = static_cast<long *>(fake::enter(B, 32));
    DeviceA = static_cast<long *>(fake::enter(A, 32));
  }
  void TearDown() override {
    Ranges.clear();
    fake::leave(A, 32);
    fake::leave(B, 32);
    LaunchRuntime::TearDown();
  }

  /// What the device gets for pointers \p F, with \p Slots for them.
  template <size_t N>
  std::vector<long *> translated(long *(&F)[N],
                                 const std::vector<PlanSlot> &Slots) {
    restartLaunch();
    uint32_t O = Plan.variable(sizeof(F));
    for (size_t I = 0; I < N; ++I) {
      PlanSlot &S = Plan.pointer(O, 8 * I);
      S.Flags = Slots[I].Flags;
      S.EndOf = Slots[I].EndOf;
      S.Shift = Slots[I].Shift;
      S.Range = Slots[I].Range;
    }
    Plan.Ranges = computeRanges;
    capture(F, sizeof(F), O);
    std::vector<long *> Result;
    launch([&](void **Arguments) {
      auto *D = static_cast<long **>(Arguments[0]);
      Result.assign(D, D + N);
    });
    return Result;
  }

  /// What the plan's ranges are at the next launches, by number.
  static inline std::vector<SlotRange> Ranges;
  static void computeRanges(const void *const *, SlotRange *Result) {
    std::copy(Ranges.begin(), Ranges.end(), Result);
  }

  /// A pointer through which bytes \p First to \p Last are accessed.
  static PlanSlot accessed(int64_t First, int64_t Last) {
    Ranges.push_back({First, Last});
    PlanSlot S = accessed();
    S.Range = static_cast<uint32_t>(Ranges.size());
    return S;
  }
  static PlanSlot accessed(int64_t Shift = 0) {
    PlanSlot S{};
    S.EndOf = -1;
    S.Shift = Shift;
    S.Flags = PlanSlot::Dereferenced;
    return S;
  }
  static PlanSlot endOf(int32_t Slot) {
    PlanSlot S{};
    S.EndOf = Slot;
    S.Flags = PlanSlot::MayBeEnd;
    return S;
  }
};

using Pointers = std::vector<long *>;

} // namespace

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

TEST_F(LaunchPointer, TheEndOfAnArrayIsNotTheBeginOfTheNext) {
  long *F[] = {A, A + 4};
  EXPECT_EQ(translated(F, {accessed(), endOf(0)}),
            (Pointers{DeviceA, DeviceA + 4}));
}

TEST_F(LaunchPointer, TheBeginOfAnArrayIsNotTheEndOfTheOneBefore) {
  long *F[] = {B, B};
  EXPECT_EQ(translated(F, {accessed(), endOf(0)}),
            (Pointers{DeviceB, DeviceB}));
}

TEST_F(LaunchPointer, EmptyRangesStayEmpty) {
  // However the begin is looked up: the kernel compares the two.
  long *F[] = {A + 3, A + 3};
  PlanSlot Begin = accessed(8);
  Begin.EndOf = 1;
  Pointers P = translated(F, {Begin, endOf(0)});
  EXPECT_EQ(P[0], P[1]);
}

TEST_F(LaunchPointer, EndsThatStandBeforeTheirBegin) {
  // The order in the closure does not matter.
  long *F[] = {A + 4, A + 1};
  EXPECT_EQ(translated(F, {endOf(1), accessed()}),
            (Pointers{DeviceA + 4, DeviceA + 1}));
}

TEST_F(LaunchPointer, RangesThatAreWalkedBackwards) {
  long *F[] = {A + 3, A};
  EXPECT_EQ(translated(F, {accessed(), endOf(0)}),
            (Pointers{DeviceA + 3, DeviceA}));
}

TEST_F(LaunchPointer, EndsInOtherArrays) {
  // Compared with something that it does not belong to.
  long *F[] = {A, B + 2};
  EXPECT_EQ(translated(F, {accessed(), endOf(0)}),
            (Pointers{DeviceA, DeviceB + 2}));
}

TEST_F(LaunchPointer, EndsOfWhatIsNotMapped) {
  long Local[2], Other = 0;
  long *F[] = {Local, Local + 2};
  EXPECT_EQ(translated(F, {accessed(), endOf(0)}),
            (Pointers{Local, Local + 2}));
  long *G[] = {nullptr, nullptr};
  EXPECT_EQ(translated(G, {accessed(), endOf(0)}),
            (Pointers{nullptr, nullptr}));
  long *H[] = {nullptr, A};
  EXPECT_EQ(translated(H, {accessed(), endOf(0)}),
            (Pointers{nullptr, DeviceA}));
  long *I[] = {&Other, B + 4};
  EXPECT_EQ(translated(I, {accessed(), endOf(0)}),
            (Pointers{&Other, DeviceB + 4}));
}

TEST_F(LaunchPointer, EndsThatNothingIsKnownOf) {
  PlanSlot Unknown = accessed();
  Unknown.Flags |= PlanSlot::MayBeEnd;
  // What stands in an array belongs to it; one past the end of all is an end.
  long *F[] = {A + 4, B + 4};
  EXPECT_EQ(translated(F, {Unknown, Unknown}),
            (Pointers{DeviceB, DeviceB + 4}));
}

TEST_F(LaunchPointer, PointersThatAreAccessedAreNoEnds) {
  long *F[] = {B + 4};
  EXPECT_EQ(translated(F, {accessed()}), (Pointers{B + 4}));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

TEST_F(LaunchPointer, TheFirstByteDecides) {
  // The end of A, followed backwards; one past the end of all; before A.
  long *F[] = {A + 4, B + 4, A - 100};
  EXPECT_EQ(
      translated(F, {accessed(-32, -1), accessed(-16, -9), accessed(800, 831)}),
      (Pointers{DeviceA + 4, DeviceB + 4, DeviceA - 100}));
}

TEST_F(LaunchPointer, RangesFromThePointerItself) {
  long *F[] = {A, B, A + 1};
  EXPECT_EQ(translated(F, {accessed(0, 31), accessed(0, 7), accessed(-8, 7)}),
            (Pointers{DeviceA, DeviceB, DeviceA + 1}));
}

TEST_F(LaunchPointer, RangesThatAreTooLarge) {
  // Of two arrays, the one in which the pointer stands. Where it stands in
  // none, the first byte's, or else the last one's.
  long *F[] = {A, B, A - 2, B + 6};
  EXPECT_EQ(translated(F, {accessed(-8, 31), accessed(-8, 31),
                           accessed(16, 1000), accessed(-1000, -32)}),
            (Pointers{DeviceA, DeviceB, DeviceA - 2, DeviceB + 6}));
}

TEST_F(LaunchPointer, RangesThatAreEmptyOrUnknown) {
  long *F[] = {A, B, B + 4, nullptr};
  EXPECT_EQ(translated(F, {accessed(0, -1), accessed(800, 799), accessed(0, -1),
                           accessed(8, 15)}),
            (Pointers{DeviceA, DeviceB, B + 4, nullptr}));
}

TEST_F(LaunchPointer, RangesOfWhatIsNotMapped) {
  long Local[4];
  long *F[] = {Local, Local + 4};
  EXPECT_EQ(translated(F, {accessed(8, 15), accessed(-32, -1)}),
            (Pointers{Local, Local + 4}));
}

TEST_F(LaunchPointer, EndsOfRangesThatAreFoundByTheirFirstByte) {
  long *F[] = {A + 4, A};
  EXPECT_EQ(translated(F, {accessed(-32, -1), endOf(0)}),
            (Pointers{DeviceA + 4, DeviceA}));
}

TEST_F(LaunchPointer, RangesFromZeroCostOneLookUp) {
  long *F[] = {A, B};
  unsigned LookUps = 0;
  fake::offload().OnLookUp = [&] { ++LookUps; };
  translated(F, {accessed(0, 31), accessed(0, 31)});
  fake::offload().OnLookUp = nullptr;
  EXPECT_EQ(LookUps, 2u);
}

TEST_F(LaunchPointer, RangesInMappedObjects) {
  struct {
    long *P;
  } F{A + 4};
  fake::enter(&F, sizeof(F));
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0).Range = accessed(-32, -1).Range;
  Plan.Ranges = computeRanges;
  capture(&F, sizeof(F), O, ToFrom);
  launch([&](void **Arguments) {
    EXPECT_EQ(*static_cast<long **>(Arguments[0]), DeviceA + 4);
  });
  fake::leave(&F, sizeof(F));
}

TEST_F(LaunchPointer, RangesInWhatTheConstructMaps) {
  // The end of what is mapped with the launch; behind it is another array.
  long Own[8] = {};
  auto *Next = static_cast<long *>(fake::enter(Own + 4, 32));
  long *F[] = {Own + 4}, *Translated = nullptr, *Mapped = nullptr;
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0).Range = accessed(-32, -1).Range;
  Plan.Ranges = computeRanges;
  capture(F, sizeof(F), O);
  entry(Own, 32, ToFrom);
  launch([&](void **Arguments) {
    Translated = *static_cast<long **>(Arguments[0]);
    Mapped = static_cast<long *>(Arguments[1]);
  });
  EXPECT_EQ(Translated, Mapped + 4);
  EXPECT_NE(Translated, Next);
  fake::leave(Own + 4, 32);
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

TEST_F(LaunchPointer, PointersThatLieBeforeTheirArray) {
  // Fortran's arrays count from 1: p[1] is the first element.
  long *F[] = {A - 1, B - 1};
  EXPECT_EQ(translated(F, {accessed(8), accessed(8)}),
            (Pointers{DeviceA - 1, DeviceB - 1}));
}

TEST_F(LaunchPointer, PointersThatLieBehindTheirArray) {
  long *F[] = {A + 4, B + 5};
  EXPECT_EQ(translated(F, {accessed(-8), accessed(-16)}),
            (Pointers{DeviceA + 4, DeviceB + 5}));
}

TEST_F(LaunchPointer, ShiftsThatLeadNowhere) {
  // The access is conditional, and this time the pointer is what is mapped.
  long *F[] = {B + 3, A};
  EXPECT_EQ(translated(F, {accessed(80), accessed(-80)}),
            (Pointers{DeviceB + 3, DeviceA}));
  long *G[] = {B + 40};
  EXPECT_EQ(translated(G, {accessed(8)}), (Pointers{B + 40}));
}

TEST_F(LaunchPointer, ShiftsInMappedObjects) {
  struct {
    long *P;
  } F{A - 1};
  fake::enter(&F, sizeof(F));
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0).Shift = 8;
  capture(&F, sizeof(F), O, ToFrom);
  launch([&](void **Arguments) {
    EXPECT_EQ(*static_cast<long **>(Arguments[0]), DeviceA - 1);
  });
  fake::leave(&F, sizeof(F));
}

TEST_F(LaunchPointer, EndsInMappedObjects) {
  struct {
    long *Begin, *End;
  } F{A, A + 4};
  fake::enter(&F, sizeof(F));
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  PlanSlot &End = Plan.pointer(O, 8);
  End.EndOf = 0;
  End.Flags = PlanSlot::MayBeEnd;
  capture(&F, sizeof(F), O, ToFrom);
  launch([&](void **Arguments) {
    auto *D = static_cast<decltype(F) *>(Arguments[0]);
    EXPECT_EQ(D->Begin, DeviceA);
    EXPECT_EQ(D->End, DeviceA + 4);
  });
  fake::leave(&F, sizeof(F));
}

//===----------------------------------------------------------------------===//
// Tables and records behind pointers
//===----------------------------------------------------------------------===//

TEST_F(LaunchPointer, TablesOfPointers) {
  // Its length is not known: it ends where its mapping ends.
  long *Table[] = {A, B, nullptr, A + 2, B + 1};
  auto *DeviceTable = static_cast<long **>(fake::enter(Table, 32));
  long **F = Table;
  uint32_t O = Plan.variable(8), OT = Plan.behind(0);
  Plan.pointer(O, 0, static_cast<int32_t>(OT));
  Plan.pointer(OT, 0).Stride = 8;
  capture(&F, sizeof(F), O);
  mustStay(Table, sizeof(Table));
  launch([&](void **Arguments) {
    auto *D = *static_cast<long ***>(Arguments[0]);
    EXPECT_EQ(D, DeviceTable);
    EXPECT_EQ(D[0], DeviceA);
    EXPECT_EQ(D[1], DeviceB);
    EXPECT_EQ(D[2], nullptr);
    EXPECT_EQ(D[3], DeviceA + 2);
  });
  fake::leave(Table, 32, true);
  EXPECT_EQ(Table[0], A);
}

TEST_F(LaunchPointer, TablesAreFollowedFromTheirMiddle) {
  struct Row {
    long N;
    long *P;
  } Table[] = {{1, A}, {2, B}, {3, A}};
  auto *DeviceTable = static_cast<Row *>(fake::enter(Table, sizeof(Table)));
  Row *F = Table + 1;
  uint32_t O = Plan.variable(8), OT = Plan.behind(0);
  Plan.pointer(O, 0, static_cast<int32_t>(OT));
  PlanSlot &S = Plan.pointer(OT, 8);
  S.Stride = 16;
  capture(&F, sizeof(F), O);
  launch([&](void **Arguments) {
    auto *D = *static_cast<Row **>(Arguments[0]);
    EXPECT_EQ(D, DeviceTable + 1);
    EXPECT_EQ(D[0].P, DeviceB);
    EXPECT_EQ(D[1].P, DeviceA);
  });
  fake::leave(Table, sizeof(Table));
}

TEST_F(LaunchPointer, TablesOfRanges) {
  // The end of each stays in the array of its own begin.
  struct Range {
    long *Begin, *End;
  } Table[] = {{B, B + 4}, {A, A + 4}, {A + 1, A + 4}};
  auto *DeviceTable = static_cast<Range *>(fake::enter(Table, sizeof(Table)));
  Range *F = Table;
  uint32_t O = Plan.variable(8), OT = Plan.behind(0);
  Plan.pointer(O, 0, static_cast<int32_t>(OT));
  Plan.pointer(OT, 0).Stride = 16;
  PlanSlot &End = Plan.pointer(OT, 8);
  End.Stride = 16;
  End.EndOf = 0;
  End.Flags = PlanSlot::MayBeEnd;
  capture(&F, sizeof(F), O);
  mustStay(Table, sizeof(Table));
  launch([&](void **) {
    EXPECT_EQ(DeviceTable[0].End, DeviceB + 4);
    EXPECT_EQ(DeviceTable[1].Begin, DeviceA);
    EXPECT_EQ(DeviceTable[1].End, DeviceA + 4);
    EXPECT_EQ(DeviceTable[2].End, DeviceA + 4);
  });
  fake::leave(Table, sizeof(Table), true);
  EXPECT_EQ(Table[1].End, A + 4);
}

TEST_F(LaunchPointer, TablesThatEndBetweenTwoSlots) {
  // The other end of the last range is not mapped: only its own value counts.
  struct Range {
    long *End, *Begin;
  } Table[] = {{A + 4, A}, {B + 4, nullptr}};
  auto *DeviceTable = static_cast<Range *>(fake::enter(Table, 24));
  Range *F = Table;
  uint32_t O = Plan.variable(8), OT = Plan.behind(0);
  Plan.pointer(O, 0, static_cast<int32_t>(OT));
  PlanSlot &End = Plan.pointer(OT, 0);
  End.Stride = 16;
  End.EndOf = 1;
  End.Flags = PlanSlot::MayBeEnd;
  Plan.pointer(OT, 8).Stride = 16;
  capture(&F, sizeof(F), O);
  launch([&](void **) {
    EXPECT_EQ(DeviceTable[0].End, DeviceA + 4);
    EXPECT_EQ(DeviceTable[0].Begin, DeviceA);
    EXPECT_EQ(DeviceTable[1].End, DeviceB + 4);
  });
  fake::leave(Table, 24);
}

TEST_F(LaunchPointer, EndsThatRepeatInAnObjectWithOneBegin) {
  long *F[] = {A, A + 1, A + 2, A + 4};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  PlanSlot &End = Plan.pointer(O, 8);
  End.Stride = 8;
  End.EndOf = 0;
  End.Flags = PlanSlot::MayBeEnd;
  capture(F, sizeof(F), O);
  launch([&](void **Arguments) {
    auto *D = static_cast<long **>(Arguments[0]);
    EXPECT_EQ(D[1], DeviceA + 1);
    EXPECT_EQ(D[3], DeviceA + 4);
  });
}

TEST_F(LaunchPointer, TablesOfWhichOnlyAPartIsMapped) {
  // Words at known places, and arrays in it, are looked for one by one.
  long *Table[] = {A, B, A + 1, B + 1, A + 2};
  auto *DeviceTable = static_cast<long **>(fake::enter(Table, 16));
  long **F = Table;
  uint32_t O = Plan.variable(8), OT = Plan.behind(0);
  Plan.pointer(O, 0, static_cast<int32_t>(OT));
  Plan.pointer(OT, 0);
  PlanSlot &Row = Plan.pointer(OT, 8);
  Row.Stride = 8;
  Row.Limit = 32;
  Plan.pointer(OT, 32);
  capture(&F, sizeof(F), O);
  launch([&](void **) {
    EXPECT_EQ(DeviceTable[0], DeviceA);
    EXPECT_EQ(DeviceTable[1], DeviceB);
  });
  fake::leave(Table, 16);
}

TEST_F(LaunchPointer, TablesThatAreNotMapped) {
  long *Table[] = {A, B};
  long **F = Table;
  uint32_t O = Plan.variable(8), OT = Plan.behind(0);
  Plan.pointer(O, 0, static_cast<int32_t>(OT));
  Plan.pointer(OT, 0).Stride = 8;
  capture(&F, sizeof(F), O);
  launch([&](void **Arguments) {
    EXPECT_EQ(*static_cast<long ***>(Arguments[0]), Table);
  });
}

TEST_F(LaunchPointer, APointerVariableToATable) {
  long *Table[] = {A, B};
  auto *DeviceTable = static_cast<long **>(fake::enter(Table, sizeof(Table)));
  uint32_t OT = Plan.behind(0);
  Plan.pointer(OT, 0).Stride = 8;
  uint32_t E = entry(Table, 0, MapTargetParam | MapImplicit);
  Plan.root(E, OT, PlanRoot::PointerValue);
  launch([&](void **Arguments) {
    EXPECT_EQ(Arguments[0], DeviceTable);
    EXPECT_EQ(DeviceTable[1], DeviceB);
  });
  fake::leave(Table, sizeof(Table), true);
  EXPECT_EQ(Table[1], B);
}

TEST_F(LaunchPointer, APointerVariableToATableOfTheSameConstruct) {
  long *Table[] = {A, B};
  uint32_t OT = Plan.behind(0);
  Plan.pointer(OT, 0).Stride = 8;
  uint32_t E = entry(Table, sizeof(Table), MapTo | MapFrom | MapTargetParam);
  Plan.root(E, OT, PlanRoot::PointerValue);
  launch([&](void **Arguments) {
    auto *D = static_cast<long **>(Arguments[0]);
    EXPECT_EQ(D[0], DeviceA);
    EXPECT_EQ(D[1], DeviceB);
  });
  EXPECT_EQ(Table[0], A);
  EXPECT_EQ(Table[1], B);
}

TEST_F(LaunchPointer, APointerVariableThatIsNull) {
  uint32_t OT = Plan.behind(0);
  Plan.pointer(OT, 0).Stride = 8;
  Plan.root(entry(nullptr, 0, MapTargetParam | MapImplicit), OT,
            PlanRoot::PointerValue);
  launch([&](void **Arguments) { EXPECT_EQ(Arguments[0], nullptr); });
}

TEST_F(LaunchPointer, RecordsBehindPointers) {
  struct Record {
    long N;
    long *P;
  } R{1, A};
  auto *DeviceR = static_cast<Record *>(fake::enter(&R, sizeof(R)));
  Record *F = &R;
  uint32_t O = Plan.variable(8), OR = Plan.behind(8, 8);
  Plan.pointer(O, 0, static_cast<int32_t>(OR));
  Plan.pointer(OR, 8);
  capture(&F, sizeof(F), O);
  mustStay(&R, sizeof(R));
  launch([&](void **Arguments) {
    EXPECT_EQ(*static_cast<Record **>(Arguments[0]), DeviceR);
    EXPECT_EQ(DeviceR->P, DeviceA);
  });
  fake::leave(&R, sizeof(R));
}

TEST_F(LaunchPointer, RecordsBehindPointersInMappedObjects) {
  struct Record {
    long *P;
  } R{A};
  struct {
    Record *R;
  } F{&R};
  auto *DeviceR = static_cast<Record *>(fake::enter(&R, sizeof(R)));
  fake::enter(&F, sizeof(F));
  uint32_t O = Plan.variable(8), OR = Plan.behind(8);
  Plan.pointer(O, 0, static_cast<int32_t>(OR));
  Plan.pointer(OR, 0);
  capture(&F, sizeof(F), O, ToFrom);
  launch([&](void **Arguments) {
    EXPECT_EQ(*static_cast<Record **>(Arguments[0]), DeviceR);
    EXPECT_EQ(DeviceR->P, DeviceA);
  });
  fake::leave(&F, sizeof(F));
  fake::leave(&R, sizeof(R));
}

TEST_F(LaunchPointer, RecordsOfWhichOnlyAPartIsMapped) {
  // What the kernel uses lies outside: it is not read, and nothing is attached.
  struct Record {
    long N[2];
    long *P;
  } R{{1, 2}, A};
  fake::enter(R.N, sizeof(R.N));
  Record *F = &R;
  uint32_t O = Plan.variable(8), OR = Plan.behind(8, 16);
  Plan.pointer(O, 0, static_cast<int32_t>(OR));
  Plan.pointer(OR, 16);
  capture(&F, sizeof(F), O);
  launch([&](void **) {});
  fake::leave(R.N, sizeof(R.N));
}

TEST_F(LaunchPointer, RecordsOnTheDeviceOnlyAreNotRead) {
  // A device pointer: its memory must not be touched from the host.
  auto **F = reinterpret_cast<long **>(0x7f0000000010);
  uint32_t O = Plan.variable(8), OR = Plan.behind(8);
  Plan.pointer(O, 0, static_cast<int32_t>(OR));
  Plan.pointer(OR, 0);
  capture(&F, sizeof(F), O);
  launch([&](void **Arguments) {
    EXPECT_EQ(*static_cast<long ***>(Arguments[0]), F);
  });
}

TEST_F(LaunchPointer, ArraysThatEndBeforeTheirObject) {
  // { double *p[2]; double *unused; }, of which p is indexed.
  long *F[3] = {A, B, A + 1};
  uint32_t O = Plan.variable(sizeof(F));
  PlanSlot &S = Plan.pointer(O, 0);
  S.Stride = 8;
  S.Limit = 16;
  capture(F, sizeof(F), O);
  launch([&](void **Arguments) {
    auto *D = static_cast<long **>(Arguments[0]);
    EXPECT_EQ(D[0], DeviceA);
    EXPECT_EQ(D[1], DeviceB);
    EXPECT_EQ(D[2], A + 1);
  });
}

TEST_F(LaunchPointer, ArraysInAVariableWithoutALayout) {
  struct Row {
    long N;
    long *P;
  } F[3] = {{1, A}, {2, nullptr}, {3, B}};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 8).Stride = 16;
  capture(F, sizeof(F), O);
  launch([&](void **Arguments) {
    auto *D = static_cast<Row *>(Arguments[0]);
    EXPECT_EQ(D[0].P, DeviceA);
    EXPECT_EQ(D[1].P, nullptr);
    EXPECT_EQ(D[2].P, DeviceB);
    EXPECT_EQ(D[2].N, 3);
  });
}
