//===- LaunchVariableTest.cpp - What lies behind references ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variables that are written, and that are on the device already.
// LaunchPartlyTest.cpp has those that are there in part.
//
//===----------------------------------------------------------------------===//

#include "LaunchRuntime.h"

using namespace ferry;
using namespace ferry::abi;
using namespace ferry::test;
using fake::offload;

namespace {

struct Record {
  long *P;
  long N;
};

/// A closure with a reference to a record.
struct Closure {
  Record *R;
};

class LaunchVariable : public LaunchRuntime {
protected:
  Record V{nullptr, 1};
  Closure F{&V};
  uint32_t Object = 0;

  /// `[&V]`: the plan for a closure that uses V.P and, if \p Written, sets V.N.
  void captureRecord(bool Written) {
    uint32_t O = Plan.variable(sizeof(F));
    Object = Plan.variable(sizeof(V), Written);
    Plan.pointer(O, 0, static_cast<int32_t>(Object));
    Plan.pointer(Object, offsetof(Record, P));
    capture(&F, sizeof(F), O);
  }

  static Record &record(void **Arguments) {
    return *static_cast<Closure *>(Arguments[0])->R;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Written variables
//===----------------------------------------------------------------------===//

TEST_F(LaunchVariable, WrittenVariablesComeBack) {
  captureRecord(true);
  launch([&](void **Arguments) {
    EXPECT_NE(&record(Arguments), &V);
    EXPECT_EQ(record(Arguments).N, 1);
    record(Arguments).N = 2;
    EXPECT_EQ(V.N, 1) << "the device writes to the host";
  });
  EXPECT_EQ(V.N, 2);
  EXPECT_EQ(V.P, nullptr);
}

TEST_F(LaunchVariable, PointersInWrittenVariablesStayTheHosts) {
  Mapped<long> A({1, 2});
  V.P = A.data();
  captureRecord(true);
  launch([&](void **Arguments) {
    EXPECT_EQ(record(Arguments).P, A.Device);
    record(Arguments).N = 2;
  });
  EXPECT_EQ(V.N, 2);
  EXPECT_EQ(V.P, A.data());
}

TEST_F(LaunchVariable, VariablesThatAreOnlyReadDoNotComeBack) {
  captureRecord(false);
  mustStay(&V, sizeof(V));
  launch([&](void **Arguments) { record(Arguments).N = 2; });
  EXPECT_EQ(offload().FromDevice, 0u);
}

TEST_F(LaunchVariable, AFailedLaunchBringsNothingBack) {
  Mapped<long> A({1, 2});
  V.P = A.data();
  captureRecord(true);
  mustStay(&V, sizeof(V));
  begin();
  // A device that fails may have written anything.
  static_cast<Record *>(omp_get_mapped_ptr(&V, 0))->N = 99;
  end(1);
  EXPECT_EQ(offload().FromDevice, 0u);
}

TEST_F(LaunchVariable, LargeVariablesThatAreOnlyReadAreMapped) {
  std::vector<long> Large(ImageLimit / 8 + 1, 7);
  long *G = Large.data();
  uint32_t O = Plan.variable(8), OL = Plan.variable(Large.size() * 8);
  Plan.pointer(O, 0, static_cast<int32_t>(OL));
  capture(&G, sizeof(G), O);
  launch([&](void **Arguments) {
    long *D = *static_cast<long **>(Arguments[0]);
    EXPECT_EQ(D, omp_get_mapped_ptr(Large.data(), 0));
    EXPECT_EQ(D[Large.size() - 1], 7);
  });
  EXPECT_EQ(offload().FromDevice, 0u);
}

TEST_F(LaunchVariable, WrittenVariablesAreWaitedFor) {
  captureRecord(true);
  NoWait = true;
  launch([](void **) {});
  EXPECT_EQ(Launched.Flags, 0u);
}

TEST_F(LaunchVariable, VariablesThatHoldOneAnotherAreMappedOnce) {
  // References to a record and to one of its members, in both orders.
  for (bool MemberFirst : {false, true}) {
    restart();
    V = {nullptr, 1};
    struct {
      void *First, *Second;
    } G{&V, &V.N};
    if (MemberFirst)
      std::swap(G.First, G.Second);
    uint32_t O = Plan.variable(sizeof(G)),
             OFirst = Plan.variable(MemberFirst ? 8 : sizeof(V), MemberFirst),
             OSecond = Plan.variable(MemberFirst ? sizeof(V) : 8, !MemberFirst);
    Plan.pointer(O, 0, static_cast<int32_t>(OFirst));
    Plan.pointer(O, 8, static_cast<int32_t>(OSecond));
    capture(&G, sizeof(G), O);
    launch([&](void **Arguments) {
      auto *D = static_cast<decltype(G) *>(Arguments[0]);
      auto *Whole = static_cast<Record *>(MemberFirst ? D->Second : D->First);
      auto *Member = static_cast<long *>(MemberFirst ? D->First : D->Second);
      EXPECT_EQ(&Whole->N, Member);
      *Member = 2;
    });
    EXPECT_EQ(V.N, 2);
  }
}

TEST_F(LaunchVariable, CopiesThatWouldHideAWrite) {
  // One capture only reads what another one writes: both see one object.
  struct {
    Record *ReadOnly;
    long *Written;
  } G{&V, &V.N};
  uint32_t O = Plan.variable(sizeof(G)), OR = Plan.variable(sizeof(V)),
           OW = Plan.variable(8, true);
  Plan.pointer(O, 0, static_cast<int32_t>(OR));
  Plan.pointer(O, 8, static_cast<int32_t>(OW));
  capture(&G, sizeof(G), O);
  launch([&](void **Arguments) {
    auto *D = static_cast<decltype(G) *>(Arguments[0]);
    EXPECT_EQ(&D->ReadOnly->N, D->Written);
    *D->Written = 2;
  });
  EXPECT_EQ(V.N, 2);
}

//===----------------------------------------------------------------------===//
// Variables on the device
//===----------------------------------------------------------------------===//

TEST_F(LaunchVariable, TheDevicesOwnVariableIsUsed) {
  Mapped<long> A({1, 2});
  V.P = A.data();
  auto *DeviceV = static_cast<Record *>(fake::enter(&V, sizeof(V)));
  captureRecord(true);
  mustStay(&V, sizeof(V));
  launch([&](void **Arguments) {
    EXPECT_EQ(&record(Arguments), DeviceV);
    EXPECT_EQ(record(Arguments).P, A.Device);
    record(Arguments).N = 2;
  });
  EXPECT_EQ(DeviceV->N, 2);
  fake::leave(&V, sizeof(V), true);
  EXPECT_EQ(V.N, 2);
  EXPECT_EQ(V.P, A.data());
}

TEST_F(LaunchVariable, OthersMayUnmapTheVariableMeanwhile) {
  // Another thread's launch has mapped it, and ends first.
  Mapped<long> A({1, 2});
  V.P = A.data();
  void *DeviceV = fake::enter(&V, sizeof(V));
  captureRecord(true);
  OthersMap = true;
  launch([&](void **Arguments) {
    fake::leave(&V, sizeof(V), true);
    EXPECT_EQ(omp_get_mapped_ptr(&V, 0), DeviceV);
    EXPECT_EQ(&record(Arguments), DeviceV);
    EXPECT_EQ(V.N, 1);
    record(Arguments).N = 2;
  });
  EXPECT_EQ(omp_get_mapped_ptr(&V, 0), nullptr);
  EXPECT_EQ(V.N, 2);
  EXPECT_EQ(V.P, A.data());
}

TEST_F(LaunchVariable, OthersMayUnmapAVariableBehindAMappedOne) {
  fake::enter(&F, sizeof(F));
  void *DeviceV = fake::enter(&V, sizeof(V));
  uint32_t O = Plan.variable(sizeof(F)), OV = Plan.variable(sizeof(V), true);
  Plan.pointer(O, 0, static_cast<int32_t>(OV));
  capture(&F, sizeof(F), O, ToFrom);
  OthersMap = true;
  launch([&](void **Arguments) {
    fake::leave(&V, sizeof(V), true);
    EXPECT_EQ(&record(Arguments), DeviceV);
    record(Arguments).N = 2;
  });
  EXPECT_EQ(V.N, 2);
  fake::leave(&F, sizeof(F));
}

TEST_F(LaunchVariable, OthersMayHoldTheVariableAfterwards) {
  // As with map clauses, it comes back when the last launch has ended.
  captureRecord(true);
  OthersMap = true;
  launch([&](void **Arguments) {
    fake::enter(&V, sizeof(V));
    record(Arguments).N = 2;
  });
  EXPECT_EQ(V.N, 1);
  fake::leave(&V, sizeof(V), true);
  EXPECT_EQ(V.N, 2);
}

TEST_F(LaunchVariable, OthersMapTheVariableBetweenTwoLookUps) {
  // It is not taken for one that is mapped in part.
  for (bool Behind : {false, true})
    for (int LookUps = 1; LookUps < 20; ++LookUps) {
      restart();
      V.N = 1;
      if (Behind)
        fake::enter(&F, sizeof(F));
      uint32_t O = Plan.variable(sizeof(F)),
               OV = Plan.variable(sizeof(V), true);
      Plan.pointer(O, 0, static_cast<int32_t>(OV));
      capture(&F, sizeof(F), O, Behind ? ToFrom : ByValue);
      OthersMap = true;
      int Left = LookUps;
      offload().OnLookUp = [&] {
        if (--Left == 0)
          fake::enter(&V, sizeof(V));
      };
      launch([&](void **Arguments) {
        offload().OnLookUp = nullptr;
        EXPECT_LE(Left, 0);
        EXPECT_EQ(&record(Arguments), omp_get_mapped_ptr(&V, 0))
            << "after " << LookUps << " look-ups";
        record(Arguments).N = 2;
      });
      EXPECT_EQ(V.N, 1);
      fake::leave(&V, sizeof(V), true);
      EXPECT_EQ(V.N, 2);
    }
}

TEST_F(LaunchVariable, HeldVariablesAreWaitedFor) {
  fake::enter(&V, sizeof(V));
  captureRecord(true);
  NoWait = true;
  launch([](void **) {});
  EXPECT_EQ(Launched.Flags, 0u);
  fake::leave(&V, sizeof(V));
}

TEST_F(LaunchVariable, PointersThatTheHostHasChangedStayInHeldVariables) {
  // libomptarget sets a pointer that was once attached to its value of then.
  Mapped<long> A({1}), B({2});
  V.P = A.data();
  fake::enter(&V, sizeof(V));
  captureRecord(true);
  launch([&](void **Arguments) { EXPECT_EQ(record(Arguments).P, A.Device); });
  V.P = B.data();
  for (bool Used : {false, true}) {
    restartLaunch();
    captureRecord(true);
    if (!Used)
      Plan.unused(Object);
    mustStay(&V, sizeof(V));
    launch([&](void **Arguments) {
      EXPECT_EQ(record(Arguments).P, Used ? B.Device : A.Device);
    });
  }
  fake::leave(&V, sizeof(V));
}

TEST_F(LaunchVariable, APartThatIsHeldHidesNoCopyOfTheWhole) {
  // A reference to a record of which a member is mapped, one to the member, and
  // one to another variable, which travels as a copy as ever.
  long Other = 3;
  struct {
    Record *Whole;
    long *Member, *Other;
  } G{&V, &V.N, &Other};
  long *DeviceN = static_cast<long *>(fake::enter(&V.N, sizeof(V.N)));
  uint32_t O = Plan.variable(sizeof(G)), OW = Plan.variable(sizeof(V)),
           OM = Plan.variable(8, true), OO = Plan.variable(8);
  Plan.pointer(O, 0, static_cast<int32_t>(OW));
  Plan.pointer(O, 8, static_cast<int32_t>(OM));
  Plan.pointer(O, 16, static_cast<int32_t>(OO));
  capture(&G, sizeof(G), O);
  launch([&](void **Arguments) {
    auto *D = static_cast<decltype(G) *>(Arguments[0]);
    EXPECT_NE(D->Whole, &V);
    EXPECT_EQ(*D->Other, 3);
    EXPECT_EQ(omp_get_mapped_ptr(&Other, 0), nullptr);
    EXPECT_EQ(D->Member, DeviceN);
  });
  fake::leave(&V.N, sizeof(V.N));
}

TEST_F(LaunchVariable, PointersAreAttachedAgainWhenTheirDataMoved) {
  std::vector<long> A{1, 2};
  V.P = A.data();
  fake::enter(&V, sizeof(V));
  captureRecord(false);
  for (int I = 0; I < 3; ++I) {
    long Other;
    fake::enter(&Other, 8);
    void *Device = fake::enter(A.data(), 16);
    launch([&](void **Arguments) { EXPECT_EQ(record(Arguments).P, Device); });
    fake::leave(A.data(), 16);
    fake::leave(&Other, 8);
  }
  fake::leave(&V, sizeof(V));
}

TEST_F(LaunchVariable, PointersThatTheHostHasChanged) {
  Mapped<long> A({1}), B({2});
  V.P = A.data();
  fake::enter(&V, sizeof(V));
  captureRecord(false);
  launch([&](void **Arguments) { EXPECT_EQ(record(Arguments).P, A.Device); });
  V.P = B.data();
  launch([&](void **Arguments) { EXPECT_EQ(record(Arguments).P, B.Device); });
  fake::leave(&V, sizeof(V));
}

TEST_F(LaunchVariable, PointersThatAreOnlyCopiedStayInMappedObjects) {
  // A reducer holds a pointer for the host after the region.
  Mapped<long> A({1});
  V.P = A.data();
  fake::enter(&V, sizeof(V));
  uint32_t O = Plan.variable(sizeof(F)), OV = Plan.variable(sizeof(V), true);
  Plan.pointer(O, 0, static_cast<int32_t>(OV));
  Plan.pointer(OV, 0).Flags = PlanSlot::MayBeEnd;
  capture(&F, sizeof(F), O);
  launch([&](void **Arguments) { EXPECT_EQ(record(Arguments).P, A.data()); });
  fake::leave(&V, sizeof(V));
}

TEST_F(LaunchVariable, AClosureThatIsOnTheDevice) {
  Mapped<long> A({1});
  Record G{A.data(), 3};
  auto *DeviceG = static_cast<Record *>(fake::enter(&G, sizeof(G)));
  uint32_t O = Plan.variable(sizeof(G));
  Plan.pointer(O, 0);
  capture(&G, sizeof(G), O, ToFrom);
  launch([&](void **Arguments) {
    EXPECT_EQ(Arguments[0], DeviceG);
    EXPECT_EQ(DeviceG->P, A.Device);
  });
  fake::leave(&G, sizeof(G), true);
  EXPECT_EQ(G.P, A.data());
}

TEST_F(LaunchVariable, VariablesBehindMappedOnes) {
  // A mapped record refers to one that is not: it is mapped and attached.
  struct {
    Record *R;
  } G{&V};
  Mapped<long> A({1});
  V.P = A.data();
  fake::enter(&G, sizeof(G));
  uint32_t O = Plan.variable(sizeof(G)), OV = Plan.variable(sizeof(V), true);
  Plan.pointer(O, 0, static_cast<int32_t>(OV));
  Plan.pointer(OV, 0);
  capture(&G, sizeof(G), O, ToFrom);
  launch([&](void **Arguments) {
    EXPECT_EQ(record(Arguments).P, A.Device);
    record(Arguments).N = 2;
  });
  EXPECT_EQ(V.N, 2);
  EXPECT_EQ(V.P, A.data());
  fake::leave(&G, sizeof(G));
}

//===----------------------------------------------------------------------===//
// No memory on the device
//===----------------------------------------------------------------------===//

TEST_F(LaunchVariable, NoMemoryWhereSomethingIsMappedAlready) {
  // A nested copy and an attached pointer: the pointer is attached first, and
  // taken away after the launch, which then must not be asynchronous.
  Mapped<long> A({1});
  Record OnDevice{A.data(), 1}, Copied{A.data(), 2};
  fake::enter(&OnDevice, sizeof(OnDevice));
  struct {
    Record *First, *Second;
  } G{&OnDevice, &Copied};
  uint32_t O = Plan.variable(sizeof(G)), OD = Plan.variable(sizeof(Record)),
           OC = Plan.variable(sizeof(Record));
  Plan.pointer(O, 0, static_cast<int32_t>(OD));
  Plan.pointer(O, 8, static_cast<int32_t>(OC));
  Plan.pointer(OD, 0);
  Plan.pointer(OC, 0);
  capture(&G, sizeof(G), O);
  NoWait = true;
  offload().FailAllocations = true;
  begin();
  EXPECT_EQ(Launched.Flags, 0u);
  end(1);
  fake::leave(&OnDevice, sizeof(OnDevice));
}
