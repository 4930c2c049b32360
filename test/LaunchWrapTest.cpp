//===- LaunchWrapTest.cpp - Data of the construct itself ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the construct maps is not on the device yet when its captures are
// translated: the maps are put into force around the launch.
//
//===----------------------------------------------------------------------===//

#include "LaunchRuntime.h"

using namespace ferry;
using namespace ferry::abi;
using namespace ferry::test;
using fake::offload;

namespace {

constexpr uint64_t MapClause = MapTo | MapFrom | MapTargetParam;

struct Closure {
  long *P;
  long *End;
  long N;
};

class LaunchWrap : public LaunchRuntime {
protected:
  std::vector<long> A{1, 2, 3, 4};
  Closure F{A.data(), A.data() + 4, 0};

  /// A closure that walks from P to End, and `map(tofrom: A[0:4])`.
  void captureRange(uint64_t Type = MapClause) {
    uint32_t O = Plan.variable(sizeof(F));
    Plan.pointer(O, 0);
    PlanSlot &End = Plan.pointer(O, 8);
    End.Flags = PlanSlot::MayBeEnd;
    End.EndOf = 0;
    capture(&F, sizeof(F), O);
    entry(A.data(), 32, Type);
  }

  static Closure &closure(void **Arguments) {
    return *static_cast<Closure *>(Arguments[0]);
  }
};

} // namespace

TEST_F(LaunchWrap, DataOfTheConstruct) {
  captureRange();
  launch([&](void **Arguments) {
    Closure &D = closure(Arguments);
    EXPECT_EQ(D.P, Arguments[1]);
    EXPECT_EQ(D.End, D.P + 4);
    for (long *P = D.P; P != D.End; ++P)
      *P *= 10;
    EXPECT_EQ(A[0], 1) << "the device writes to the host";
  });
  EXPECT_EQ(A, (std::vector<long>{10, 20, 30, 40}));
  EXPECT_EQ(offload().FromDevice, 1u);
}

TEST_F(LaunchWrap, DataIsSentOnce) {
  captureRange();
  transfers();
  launch([](void **) {});
  EXPECT_EQ(transfers(), 2u);
}

TEST_F(LaunchWrap, AFailedLaunchBringsNothingBack) {
  captureRange();
  mustStay(A.data(), 32);
  begin();
  static_cast<long *>(omp_get_mapped_ptr(A.data(), 0))[0] = 99;
  end(1);
  EXPECT_EQ(offload().FromDevice, 0u);
}

TEST_F(LaunchWrap, DataThatIsMappedAlreadyNeedsNoWrapping) {
  void *Device = fake::enter(A.data(), 32);
  captureRange();
  unsigned Before = offload().DataBegins;
  launch([&](void **Arguments) { EXPECT_EQ(closure(Arguments).P, Device); });
  EXPECT_EQ(offload().DataBegins, Before);
  EXPECT_EQ(A[0], 1);
  fake::leave(A.data(), 32);
}

TEST_F(LaunchWrap, DataThatNoPointerLeadsToNeedsNoWrapping) {
  std::vector<long> Other{1, 2};
  F.P = F.End = nullptr;
  captureRange();
  mustStay(Other.data(), 16);
  unsigned Before = offload().DataBegins;
  launch([&](void **Arguments) { *static_cast<long *>(Arguments[1]) = 5; });
  EXPECT_EQ(offload().DataBegins, Before);
  EXPECT_EQ(A[0], 5);
}

TEST_F(LaunchWrap, EndOfDataThatBeginsElsewhere) {
  // Only the end stands at the construct's data.
  F.P = nullptr;
  captureRange();
  launch([&](void **Arguments) {
    EXPECT_EQ(closure(Arguments).End, static_cast<long *>(Arguments[1]) + 4);
  });
}

TEST_F(LaunchWrap, SectionsOfLengthZeroMapNothing) {
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O);
  entry(A.data(), 0, MapTo | MapTargetParam);
  unsigned Before = offload().DataBegins;
  launch([&](void **Arguments) { EXPECT_EQ(closure(Arguments).P, A.data()); });
  EXPECT_EQ(offload().DataBegins, Before);
}

TEST_F(LaunchWrap, WrappedLaunchesAreWaitedFor) {
  captureRange();
  NoWait = true;
  launch([](void **) {});
  EXPECT_EQ(Launched.Flags, 0u);
}

TEST_F(LaunchWrap, VariablesThatTheConstructMaps) {
  // map(tofrom: V) and a closure [&V].
  long V = 1;
  long *G = &V;
  uint32_t O = Plan.variable(8), OV = Plan.variable(8, true);
  Plan.pointer(O, 0, static_cast<int32_t>(OV));
  capture(&G, sizeof(G), O);
  entry(&V, 8, MapClause);
  launch([&](void **Arguments) {
    EXPECT_EQ(*static_cast<long **>(Arguments[0]), Arguments[1]);
    *static_cast<long *>(Arguments[1]) = 2;
  });
  EXPECT_EQ(V, 2);
  EXPECT_EQ(offload().FromDevice, 1u);
}

TEST_F(LaunchWrap, MembersOfWhatTheConstructMaps) {
  // map(tofrom: A[0:4]) and a closure [&A[1]]: the member must not be mapped by
  // itself first.
  long *G = &A[1];
  uint32_t O = Plan.variable(8), OV = Plan.variable(8, true);
  Plan.pointer(O, 0, static_cast<int32_t>(OV));
  capture(&G, sizeof(G), O);
  entry(A.data(), 32, MapClause);
  launch([&](void **Arguments) {
    EXPECT_EQ(*static_cast<long **>(Arguments[0]),
              static_cast<long *>(Arguments[1]) + 1);
    static_cast<long *>(Arguments[1])[1] = 20;
  });
  EXPECT_EQ(A[1], 20);
}

TEST_F(LaunchWrap, MembersOfWhatTheConstructMapsBehindMappedObjects) {
  struct {
    long *R;
  } G{&A[1]};
  fake::enter(&G, sizeof(G));
  uint32_t O = Plan.variable(8), OV = Plan.variable(8, true);
  Plan.pointer(O, 0, static_cast<int32_t>(OV));
  capture(&G, sizeof(G), O, ToFrom);
  entry(A.data(), 32, MapClause);
  launch([&](void **Arguments) {
    EXPECT_EQ(*static_cast<long **>(Arguments[0]),
              static_cast<long *>(Arguments[1]) + 1);
  });
  fake::leave(&G, sizeof(G));
}

//===----------------------------------------------------------------------===//
// Objects that are mapped themselves
//===----------------------------------------------------------------------===//

TEST_F(LaunchWrap, MappedObjectsThatAreWritten) {
  Mapped<long> B({7});
  Closure G{B.data(), nullptr, 1};
  uint32_t O = Plan.variable(sizeof(G), true);
  Plan.pointer(O, 0);
  capture(&G, sizeof(G), O, ToFrom);
  mayChange(&G);
  launch([&](void **Arguments) {
    EXPECT_EQ(closure(Arguments).P, B.Device);
    closure(Arguments).N = 2;
  });
  EXPECT_EQ(G.N, 2);
  EXPECT_EQ(G.P, B.data());
}

TEST_F(LaunchWrap, MappedObjectsAndTheirDataInOneConstruct) {
  Closure G{A.data(), nullptr, 1};
  uint32_t O = Plan.variable(sizeof(G), true);
  Plan.pointer(O, 0);
  capture(&G, sizeof(G), O, ToFrom);
  mayChange(&G);
  entry(A.data(), 32, MapClause);
  launch([&](void **Arguments) {
    EXPECT_EQ(closure(Arguments).P, Arguments[1]);
    closure(Arguments).P[3] = closure(Arguments).N = 2;
  });
  EXPECT_EQ(G.N, 2);
  EXPECT_EQ(G.P, A.data());
  EXPECT_EQ(A[3], 2);
}

TEST_F(LaunchWrap, ObjectsWhoseMembersTheProgramMaps) {
  // map(to: G, G.P[0:4]): the program attaches G.P itself, and Ferry G.End.
  Mapped<long> B({7});
  Closure G{A.data(), B.data(), 1};
  uint32_t O = Plan.variable(sizeof(G));
  Plan.pointer(O, 0);
  Plan.pointer(O, 8);
  uint32_t E = capture(&G, sizeof(G), O, MapTo | MapTargetParam);
  uint32_t Member = entry(&G, 32, withParent(MapTo | MapPtrAndObj, E));
  setPointee(Member, A.data());
  launch([&](void **Arguments) {
    EXPECT_EQ(closure(Arguments).P, omp_get_mapped_ptr(A.data(), 0));
    EXPECT_EQ(closure(Arguments).End, B.Device);
    EXPECT_EQ(closure(Arguments).P[3], 4);
  });
}

TEST_F(LaunchWrap, ObjectsOfAnotherSize) {
  // The entry maps a part of what the plan calls the object: no more than that
  // is on the device, and nothing is attached outside.
  Mapped<long> B({7});
  Closure G{B.data(), B.data(), 1};
  uint32_t O = Plan.variable(sizeof(G));
  Plan.pointer(O, 0);
  Plan.pointer(O, 8);
  capture(&G, 8, O, MapTo | MapTargetParam);
  launch([&](void **Arguments) {
    EXPECT_EQ(Arguments[0], omp_get_mapped_ptr(&G, 0));
    EXPECT_EQ(closure(Arguments).P, B.Device);
  });
}

TEST_F(LaunchWrap, TheArraysTellWhereMappedObjectsAre) {
  // What is mapped is known by the address that the construct names, whatever
  // the host fallback works on.
  Mapped<long> B({7});
  Closure G{B.data(), nullptr, 1}, Copy{nullptr, nullptr, 0};
  uint32_t O = Plan.variable(sizeof(G), true);
  Plan.pointer(O, 0);
  uint32_t E = capture(&G, sizeof(G), O, ToFrom);
  source(E, &Copy);
  mayChange(&G);
  launch([&](void **Arguments) {
    EXPECT_EQ(closure(Arguments).P, B.Device);
    closure(Arguments).N = 2;
  });
  EXPECT_EQ(G.N, 2);
}

//===----------------------------------------------------------------------===//
// always
//===----------------------------------------------------------------------===//

TEST_F(LaunchWrap, AlwaysCopiesBeforeAPointerIsAttached) {
  // The object is on the device; `always, to` copies over what is attached.
  Closure G{A.data(), nullptr, 1};
  fake::enter(A.data(), 32);
  fake::enter(&G, sizeof(G));
  uint32_t O = Plan.variable(sizeof(G), true);
  Plan.pointer(O, 0);
  capture(&G, sizeof(G), O, MapTo | MapFrom | MapAlways | MapTargetParam);
  mayChange(&G);
  for (long N : {5, 6}) {
    G.N = N;
    launch([&](void **Arguments) {
      EXPECT_EQ(closure(Arguments).N, N);
      EXPECT_EQ(closure(Arguments).P, omp_get_mapped_ptr(A.data(), 0));
      closure(Arguments).N += 10;
    });
    EXPECT_EQ(G.N, N + 10);
    EXPECT_EQ(G.P, A.data());
  }
  fake::leave(&G, sizeof(G));
  fake::leave(A.data(), 32);
}

TEST_F(LaunchWrap, AlwaysCopiesOnce) {
  fake::enter(A.data(), 32);
  captureRange(MapClause | MapAlways);
  A[0] = 100;
  transfers();
  launch([&](void **Arguments) {
    EXPECT_EQ(closure(Arguments).P[0], 100);
    closure(Arguments).P[1] = 200;
  });
  EXPECT_EQ(transfers(), 2u);
  EXPECT_EQ(A[1], 200);
  EXPECT_EQ(offload().FromDevice, 1u);
  fake::leave(A.data(), 32);
}

//===----------------------------------------------------------------------===//
// Mappers
//===----------------------------------------------------------------------===//

namespace {

/// declare mapper(Closure C) map(C, C.P[0:4]). libomptarget 19 never lets go of
/// the first component of a mapper, so that one is empty.
void mapClosure(std::vector<fake::MapEntry> &Entries, void *Base, void *Ptr,
                int64_t Size, int64_t Type) {
  Entries.push_back({Base, Ptr, 0, 0});
  Entries.push_back({Base, Ptr, Size, Type & ~int64_t(MapTargetParam)});
  Entries.push_back({Ptr, static_cast<Closure *>(Ptr)->P, 32,
                     int64_t(withParent(MapTo | MapFrom | MapPtrAndObj, 0))});
}

} // namespace

TEST_F(LaunchWrap, MappersMayMapAnything) {
  // A closure points to what only the mapper of another capture maps.
  Closure G{A.data(), nullptr, 1};
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O);
  mapper(entry(&G, sizeof(G), MapClause), mapClosure);
  launch([&](void **Arguments) {
    Closure &D = *static_cast<Closure *>(Arguments[1]);
    EXPECT_EQ(closure(Arguments).P, D.P);
    D.P[2] = 30;
  });
  EXPECT_EQ(A[2], 30);
  EXPECT_EQ(G.P, A.data());
}

TEST_F(LaunchWrap, CapturesWithAMapper) {
  Closure G{A.data(), A.data() + 1, 1};
  uint32_t O = Plan.variable(sizeof(G));
  Plan.pointer(O, 0);
  Plan.pointer(O, 8);
  mapper(capture(&G, sizeof(G), O, MapClause), mapClosure);
  launch([&](void **Arguments) {
    EXPECT_EQ(closure(Arguments).P, omp_get_mapped_ptr(A.data(), 0));
    EXPECT_EQ(closure(Arguments).End, closure(Arguments).P + 1);
    closure(Arguments).P[2] = 30;
  });
  EXPECT_EQ(A[2], 30);
}

//===----------------------------------------------------------------------===//
// Copies and wrapping together
//===----------------------------------------------------------------------===//

TEST_F(LaunchWrap, CopiesAreNotMappedBesides) {
  uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  capture(&F, sizeof(F), O, ToFrom);
  entry(A.data(), 32, MapClause);
  transfers();
  launch([&](void **Arguments) {
    EXPECT_EQ(closure(Arguments).P, Arguments[1]);
    EXPECT_EQ(omp_get_mapped_ptr(&F, 0), nullptr);
  });
  EXPECT_EQ(transfers(), 2u);
}

TEST_F(LaunchWrap, ACopyThatTurnsOutToHideAWrite) {
  // G travels as a copy, since it is only read through its own parameter, until
  // it is seen that another closure writes to it. By then the construct's maps
  // are in force, and G is not among them.
  Closure G{A.data(), nullptr, 1};
  struct {
    Closure *R;
    long *P;
  } H{&G, A.data()};
  uint32_t OG = Plan.variable(sizeof(G)), OH = Plan.variable(sizeof(H)),
           OR = Plan.variable(sizeof(G), true);
  Plan.pointer(OG, 0);
  Plan.pointer(OH, 0, static_cast<int32_t>(OR));
  Plan.pointer(OH, 8);
  capture(&G, sizeof(G), OG, ToFrom);
  mayChange(&G);
  capture(&H, sizeof(H), OH);
  entry(A.data(), 32, MapClause);
  launch([&](void **Arguments) {
    Closure &D = closure(Arguments);
    EXPECT_EQ(static_cast<decltype(H) *>(Arguments[1])->R, &D);
    EXPECT_EQ(D.P, Arguments[2]);
    EXPECT_EQ(D.N, 1);
    D.N = 2;
  });
  EXPECT_EQ(G.N, 2);
  EXPECT_EQ(G.P, A.data());
}
