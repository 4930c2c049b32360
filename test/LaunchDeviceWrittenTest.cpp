//===- LaunchDeviceWrittenTest.cpp - Pointers that kernels store ----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../runtime/host/Interfaces.h"
#include "LaunchRuntime.h"

using namespace ferry;
using namespace ferry::abi;
using namespace ferry::test;
using fake::offload;

namespace {

using Pointers = std::vector<long *>;

/// A mapped table whose pointers lead to one mapped array, and another array
/// whose device pointers the kernels store in it.
class LaunchDeviceWritten : public LaunchRuntime {
protected:
  long A[4] = {1, 2, 3, 4}, B[4] = {5, 6, 7, 8};
  long *DeviceA = nullptr, *DeviceB = nullptr;
  long *Table[3] = {A, A + 1, A + 2};
  long **DeviceTable = nullptr;
  int Number = 0;

  void SetUp() override {
    LaunchRuntime::SetUp();
    enterAll();
  }
  void enterAll() {
    DeviceA = static_cast<long *>(fake::enter(A, sizeof(A), Number));
    DeviceB = static_cast<long *>(fake::enter(B, sizeof(B), Number));
    map();
  }
  void map() {
    DeviceTable =
        static_cast<long **>(fake::enter(Table, sizeof(Table), Number));
  }
  void unmap(bool CopyBack = false) {
    fake::leave(Table, sizeof(Table), CopyBack, Number);
  }

  /// What the device has in the table when a kernel reads through it.
  Pointers launchReader(uint64_t TableType = 0) {
    restartLaunch();
    DeviceNumber = Number;
    long **F = Table;
    uint32_t O = Plan.variable(8), OT = Plan.behind(0);
    Plan.pointer(O, 0, static_cast<int32_t>(OT));
    Plan.pointer(OT, 0).Stride = 8;
    capture(&F, sizeof(F), O);
    if (TableType)
      entry(Table, sizeof(Table), TableType);
    offload().ToDevice = offload().FromDevice = 0;
    Pointers Result;
    launch([&](void **Arguments) {
      auto *D = *static_cast<long ***>(Arguments[0]);
      Result.assign(D, D + 3);
    });
    return Result;
  }
  /// A kernel stores pointers in the table, or in the one that \p Closure
  /// leads to. \p IsSlot: the plan knows the table by a captured pointer alone.
  void launchWriter(bool IsSlot, long ***Closure = nullptr) {
    restartLaunch();
    DeviceNumber = Number;
    long **F = Table;
    if (IsSlot) {
      uint32_t O = Plan.variable(8);
      Plan.pointer(O, 0).Flags |= PlanSlot::PointersStored;
      capture(Closure ? Closure : &F, sizeof(F), O);
    } else {
      uint32_t OT = Plan.behind(0);
      Plan.pointersStored(OT);
      uint32_t E = entry(Table, 0, MapTargetParam);
      Plan.root(E, OT, PlanRoot::PointerValue);
    }
    launch([](void **) {});
  }
  unsigned fromDevice() { return std::exchange(offload().FromDevice, 0); }

  Pointers attached() const { return {DeviceA, DeviceA + 1, DeviceA + 2}; }
};

} // namespace

TEST_F(LaunchDeviceWritten, WordsThatNobodyWroteAreReadOnce) {
  EXPECT_EQ(launchReader(), attached());
  EXPECT_EQ(fromDevice(), 1u);
  EXPECT_EQ(transfers(), 4u);
  EXPECT_EQ(launchReader(), attached());
  EXPECT_EQ(fromDevice(), 0u);
  EXPECT_EQ(transfers(), 1u); // the closure
}

TEST_F(LaunchDeviceWritten, WhatAKernelStoredStays) {
  DeviceTable[0] = DeviceB;
  DeviceTable[2] = nullptr;
  EXPECT_EQ(launchReader(), (Pointers{DeviceB, DeviceA + 1, nullptr}));
  EXPECT_EQ(fromDevice(), 1u);
  EXPECT_EQ(launchReader(), (Pointers{DeviceB, DeviceA + 1, nullptr}));
  EXPECT_EQ(fromDevice(), 0u);
  unmap(/*CopyBack=*/true);
  EXPECT_EQ(Table[0], DeviceB);
  EXPECT_EQ(Table[1], A + 1);
}

TEST_F(LaunchDeviceWritten, WhatWasAttachedMayBeSwapped) {
  launchReader();
  std::swap(DeviceTable[0], DeviceTable[1]);
  EXPECT_EQ(launchReader(), (Pointers{DeviceA + 1, DeviceA, DeviceA + 2}));
  EXPECT_EQ(fromDevice(), 0u);
}

TEST_F(LaunchDeviceWritten, TheBitsThatAreAttachedAnyway) {
  DeviceTable[0] = DeviceA;
  EXPECT_EQ(launchReader(), attached());
  // It is the kernel's all the same.
  Table[0] = Table[1] = B;
  EXPECT_EQ(launchReader(), (Pointers{DeviceA, DeviceB, DeviceA + 2}));
  fake::updateFrom(Table, sizeof(Table));
  EXPECT_EQ(Table[0], DeviceA);
  EXPECT_EQ(Table[1], B);
}

TEST_F(LaunchDeviceWritten, TheBitsThatWereAttached) {
  for (bool IsSlot : {false, true}) {
    launchReader();
    launchWriter(IsSlot);
    // Nothing is read while the host's pointers are the same.
    EXPECT_EQ(launchReader(), attached());
    EXPECT_EQ(fromDevice(), 0u);
    Table[1] = B;
    EXPECT_EQ(launchReader(), attached());
    EXPECT_EQ(fromDevice(), 1u);
    Table[1] = A + 1;
    unmap();
    map();
  }
}

TEST_F(LaunchDeviceWritten, ElsewhereThanWhereAKernelStores) {
  long *Other[3] = {A, A + 1, A + 2};
  fake::enter(Other, sizeof(Other));
  launchReader();
  long **Written = Other;
  launchWriter(/*IsSlot=*/true, &Written);
  Table[1] = B;
  EXPECT_EQ(launchReader(), (Pointers{DeviceA, DeviceB, DeviceA + 2}));
  fake::leave(Other, sizeof(Other));
}

TEST_F(LaunchDeviceWritten, TheHostsNewPointerTakesThePlaceOfTheAttachedOne) {
  launchReader();
  Table[1] = B;
  EXPECT_EQ(launchReader(), (Pointers{DeviceA, DeviceB, DeviceA + 2}));
  EXPECT_EQ(fromDevice(), 1u);
  EXPECT_EQ(launchReader(), (Pointers{DeviceA, DeviceB, DeviceA + 2}));
  EXPECT_EQ(fromDevice(), 0u);
}

TEST_F(LaunchDeviceWritten, TheHostsNewPointerBeforeTheFirstLaunch) {
  // The device has a host address that the host has changed since.
  Table[1] = B;
  EXPECT_EQ(launchReader(), (Pointers{DeviceA, DeviceB, DeviceA + 2}));
}

TEST_F(LaunchDeviceWritten, TheHostsNewPointerIsNotTheDevices) {
  launchReader();
  DeviceTable[1] = DeviceB + 1;
  Table[1] = B;
  EXPECT_EQ(launchReader(), (Pointers{DeviceA, DeviceB + 1, DeviceA + 2}));
  EXPECT_EQ(launchReader(), (Pointers{DeviceA, DeviceB + 1, DeviceA + 2}));
}

TEST_F(LaunchDeviceWritten, AnUpdateBringsTheHostsPointers) {
  DeviceTable[0] = DeviceTable[1] = DeviceB;
  launchReader();
  fake::updateTo(Table, 8);
  EXPECT_EQ(launchReader(), (Pointers{DeviceA, DeviceB, DeviceA + 2}));
  EXPECT_EQ(fromDevice(), 1u);
  EXPECT_EQ(launchReader(), (Pointers{DeviceA, DeviceB, DeviceA + 2}));
  EXPECT_EQ(fromDevice(), 0u);
}

TEST_F(LaunchDeviceWritten, AnUpdateOfWhatIsAttachedCostsNothing) {
  launchReader();
  fake::updateTo(Table, sizeof(Table));
  EXPECT_EQ(launchReader(), attached());
  EXPECT_EQ(fromDevice(), 0u);
}

TEST_F(LaunchDeviceWritten, AnUpdateFromTheDevice) {
  DeviceTable[0] = DeviceB;
  launchReader();
  fake::updateFrom(Table, sizeof(Table));
  EXPECT_EQ(Table[0], DeviceB);
  EXPECT_EQ(Table[1], A + 1);
  EXPECT_EQ(launchReader(), (Pointers{DeviceB, DeviceA + 1, DeviceA + 2}));
}

TEST_F(LaunchDeviceWritten, ATableThatIsMappedAgain) {
  offload().FreedBlockComesNext = true;
  long **Block = DeviceTable;
  for (int Round = 0; Round < 4; ++Round) {
    EXPECT_EQ(DeviceTable, Block);
    if (Round % 2)
      DeviceTable[1] = DeviceB;
    EXPECT_EQ(
        launchReader(),
        (Pointers{DeviceA, Round % 2 ? DeviceB : DeviceA + 1, DeviceA + 2}));
    EXPECT_EQ(fromDevice(), 1u);
    unmap();
    map();
  }
}

TEST_F(LaunchDeviceWritten, ATableThatIsMappedAgainElsewhere) {
  // By code that Ferry has not compiled.
  DeviceTable[1] = DeviceB;
  launchReader();
  unmap();
  char Other[sizeof(Table)]; // takes the old place
  offload().FreedBlockComesNext = true;
  fake::enter(Other, sizeof(Other));
  void *Ptr = Table;
  int64_t Size = sizeof(Table), Type = MapTo;
  __tgt_target_data_begin_mapper(nullptr, 0, 1, &Ptr, &Ptr, &Size, &Type,
                                 nullptr, nullptr);
  EXPECT_EQ(launchReader(), attached());
  fake::leave(Other, sizeof(Other));
}

TEST_F(LaunchDeviceWritten, ATableThatOthersMapDuringTheLaunch) {
  offload().FreedBlockComesNext = true;
  DeviceTable[1] = DeviceB;
  launchReader();
  unmap();
  // The construct maps it again, at the same place, and another thread too: it
  // stays mapped.
  restartLaunch();
  OthersMap = true;
  uint32_t OT = Plan.behind(0);
  Plan.pointer(OT, 0).Stride = 8;
  uint32_t E = entry(Table, sizeof(Table), MapTo | MapTargetParam);
  Plan.root(E, OT, PlanRoot::PointerValue);
  launch([&](void **Arguments) {
    EXPECT_EQ(Arguments[0], DeviceTable);
    map();
  });
  EXPECT_EQ(launchReader(), attached());
  EXPECT_EQ(fromDevice(), 1u);
}

TEST_F(LaunchDeviceWritten, ATableThatAMapperMaps) {
  offload().FreedBlockComesNext = true;
  DeviceTable[1] = DeviceB;
  launchReader();
  unmap();
  restartLaunch();
  uint32_t OT = Plan.behind(0);
  Plan.pointer(OT, 0).Stride = 8;
  uint32_t E = entry(Table, sizeof(Table), MapTo | MapTargetParam);
  Plan.root(E, OT, PlanRoot::PointerValue);
  mapper(E, [](std::vector<fake::MapEntry> &Entries, void *Base, void *Ptr,
               int64_t Size, int64_t Type) {
    // libomptarget 19 never lets go of the first component.
    Entries.push_back({Base, Ptr, 0, 0});
    Entries.push_back({Base, Ptr, Size, Type & ~int64_t(MapTargetParam)});
  });
  launch([&](void **) {
    EXPECT_EQ((Pointers{DeviceTable[0], DeviceTable[1], DeviceTable[2]}),
              attached());
  });
}

TEST_F(LaunchDeviceWritten, ObjectsOfWhichPartsAreMapped) {
  struct {
    long *P;
    long N;
    long *Q;
  } F{A, 1, B};
  // Not at the same distance as on the host.
  auto *DeviceQ = static_cast<long **>(fake::enter(&F.Q, 8));
  char Between[64];
  fake::enter(Between, sizeof(Between));
  auto *DeviceP = static_cast<long **>(fake::enter(&F.P, 8));
  uint32_t O = Plan.variable(sizeof(F), /*Written=*/true);
  Plan.pointer(O, 0);
  Plan.pointer(O, 16);
  capture(&F, sizeof(F), O, ToFrom);
  launch([&](void **) {
    EXPECT_EQ(*DeviceP, DeviceA);
    EXPECT_EQ(*DeviceQ, DeviceB);
  });
  fake::leave(Between, sizeof(Between));
  fake::leave(&F.P, 8);
  fake::leave(&F.Q, 8);
}

TEST_F(LaunchDeviceWritten, ATableThatIsMappedTwiceAtOnce) {
  launchReader();
  map();
  DeviceTable[1] = DeviceB;
  unmap();
  EXPECT_EQ(launchReader(), (Pointers{DeviceA, DeviceB, DeviceA + 2}));
  EXPECT_EQ(fromDevice(), 0u);
}

TEST_F(LaunchDeviceWritten, RowsThatMove) {
  launchReader();
  fake::leave(A, sizeof(A));
  std::vector<char> Other(sizeof(A)); // takes the old place
  fake::enter(Other.data(), Other.size());
  DeviceA = static_cast<long *>(fake::enter(A, sizeof(A)));
  EXPECT_EQ(launchReader(), attached());
  fake::leave(Other.data(), Other.size());
}

TEST_F(LaunchDeviceWritten, RowsThatMoveAfterOthersAttachedThem) {
  for (bool IsWriter : {false, true}) {
    // What the program's own maps have attached, or a kernel has stored.
    if (IsWriter)
      launchWriter(/*IsSlot=*/true);
    for (int I = 0; I < 3; ++I)
      DeviceTable[I] = DeviceA + I;
    EXPECT_EQ(launchReader(), attached());
    Table[2] = B;
    EXPECT_EQ(launchReader(), attached());
    fake::leave(A, sizeof(A));
    std::vector<char> Other(sizeof(A)); // takes the old place
    fake::enter(Other.data(), Other.size());
    long *Moved = static_cast<long *>(fake::enter(A, sizeof(A)));
    EXPECT_NE(std::exchange(DeviceA, Moved), Moved);
    EXPECT_EQ(launchReader(), (Pointers{DeviceA, DeviceA + 1, DeviceB}));
    fake::leave(Other.data(), Other.size());
    Table[2] = A + 2;
    unmap();
    map();
  }
}

TEST_F(LaunchDeviceWritten, RowsThatMoveUnderAnotherPointer) {
  for (int I = 0; I < 3; ++I)
    DeviceTable[I] = DeviceA + I;
  launchReader();
  DeviceTable[1] = DeviceB;
  fake::leave(A, sizeof(A));
  std::vector<char> Other(sizeof(A));
  fake::enter(Other.data(), Other.size());
  DeviceA = static_cast<long *>(fake::enter(A, sizeof(A)));
  EXPECT_EQ(launchReader(), (Pointers{DeviceA, DeviceB, DeviceA + 2}));
  fake::leave(Other.data(), Other.size());
}

TEST_F(LaunchDeviceWritten, CopiesThatAreAlwaysMade) {
  DeviceTable[1] = DeviceB;
  launchReader();
  // By the construct.
  EXPECT_EQ(launchReader(MapTo | MapAlways), attached());
  EXPECT_EQ(fromDevice(), 0u);
  // Before it: libomptarget does not send what it has attached.
  fake::enter(Table, sizeof(Table), 0, /*Always=*/true);
  EXPECT_EQ(DeviceTable[0], A);
  EXPECT_EQ(launchReader(), attached());
  unmap();
}

TEST_F(LaunchDeviceWritten, WhatWasAttachedBeforeCopiesThatAreAlwaysMade) {
  launchReader();
  Table[1] = B;
  fake::enter(Table, sizeof(Table), 0, /*Always=*/true);
  DeviceTable[1] = DeviceA + 1;
  EXPECT_EQ(launchReader(), attached());
  unmap();
}

TEST_F(LaunchDeviceWritten, CopiesOfSomethingElseThatAreAlwaysMade) {
  launchReader();
  DeviceTable[1] = DeviceB;
  restartLaunch();
  long **F = Table, Other = 0;
  uint32_t O = Plan.variable(8), OT = Plan.behind(0);
  Plan.pointer(O, 0, static_cast<int32_t>(OT));
  Plan.pointer(OT, 0).Stride = 8;
  capture(&F, sizeof(F), O);
  entry(&Other, sizeof(Other), MapTo | MapAlways);
  launch([&](void **Arguments) {
    EXPECT_EQ((*static_cast<long ***>(Arguments[0]))[1], DeviceB);
  });
}

TEST_F(LaunchDeviceWritten, TablesOfTheConstructAreNotRead) {
  unmap();
  for (int Round = 0; Round < 2; ++Round) {
    EXPECT_EQ(launchReader(MapTo), attached());
    EXPECT_EQ(fromDevice(), 0u);
  }
  // What was known of an earlier mapping does not count.
  map();
  DeviceTable[0] = DeviceB;
  EXPECT_EQ(launchReader(MapTo), (Pointers{DeviceB, DeviceA + 1, DeviceA + 2}));
  unmap();
  EXPECT_EQ(launchReader(MapTo), attached());
  map();
}

TEST_F(LaunchDeviceWritten, DevicesAreApart) {
  DeviceTable[0] = DeviceB;
  long *OnFirst = DeviceB;
  EXPECT_EQ(launchReader()[0], OnFirst);
  Number = 1;
  enterAll();
  EXPECT_EQ(launchReader(), attached());
  EXPECT_EQ(fromDevice(), 1u);
  Number = 0;
  EXPECT_EQ(launchReader()[0], OnFirst);
  EXPECT_EQ(fromDevice(), 0u);
}

TEST_F(LaunchDeviceWritten, RecordsAreReadInOneCopy) {
  struct Record {
    long *P;
    long N;
    long *Q;
  } R{A, 1, B};
  auto *D = static_cast<Record *>(fake::enter(&R, sizeof(R)));
  D->Q = DeviceA + 3;
  for (int Round = 0; Round < 2; ++Round) {
    restartLaunch();
    Record *F = &R;
    uint32_t O = Plan.variable(8), OR = Plan.behind(sizeof(R));
    Plan.pointer(O, 0, static_cast<int32_t>(OR));
    Plan.pointer(OR, 0);
    Plan.pointer(OR, 16);
    capture(&F, sizeof(F), O);
    offload().FromDevice = 0;
    launch([&](void **) {
      EXPECT_EQ(D->P, DeviceA);
      EXPECT_EQ(D->Q, DeviceA + 3);
    });
    EXPECT_EQ(fromDevice(), Round == 0 ? 1u : 0u);
  }
  fake::leave(&R, sizeof(R));
}

TEST_F(LaunchDeviceWritten, ManyTablesAreRemembered) {
  std::vector<std::vector<long *>> Tables(200, {A, A + 1});
  std::vector<long **> Device;
  for (auto &T : Tables)
    Device.push_back(static_cast<long **>(fake::enter(T.data(), 16)));
  for (int Round = 0; Round < 2; ++Round)
    for (size_t I = 0; I < Tables.size(); ++I) {
      if (Round == 0 && I % 3 == 0)
        Device[I][1] = DeviceB;
      restartLaunch();
      long **F = Tables[I].data();
      uint32_t O = Plan.variable(8), OT = Plan.behind(0);
      Plan.pointer(O, 0, static_cast<int32_t>(OT));
      Plan.pointer(OT, 0).Stride = 8;
      capture(&F, sizeof(F), O);
      offload().FromDevice = 0;
      launch([&](void **) {
        EXPECT_EQ(Device[I][1], I % 3 ? DeviceA + 1 : DeviceB);
      });
      EXPECT_EQ(fromDevice(), Round ? 0u : 1u);
    }
  for (auto &T : Tables)
    fake::leave(T.data(), 16);
}
