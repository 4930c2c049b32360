//===- LaunchPartlyTest.cpp - Variables that are there in part ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variables behind references, of which a part is on the device already.
//
//===----------------------------------------------------------------------===//

#include "LaunchRuntime.h"

using namespace ferry;
using namespace ferry::abi;
using namespace ferry::test;
using fake::offload;

namespace {

struct Mixed {
  int A;
  int B;
  long *P;
  long C[4];
};

class LaunchPartly : public LaunchRuntime {
protected:
  Mixed V{1, 2, nullptr, {3, 4, 5, 6}};
  struct {
    Mixed *R;
  } F{&V};

  void captureMixed(bool Written) {
    uint32_t O = Plan.variable(sizeof(F));
    uint32_t OV = Plan.variable(sizeof(V), Written);
    Plan.pointer(O, 0, static_cast<int32_t>(OV));
    Plan.pointer(OV, offsetof(Mixed, P));
    capture(&F, sizeof(F), O);
  }

  Mixed &mixed(void **Arguments) {
    return *static_cast<decltype(F) *>(Arguments[0])->R;
  }
};

} // namespace

TEST_F(LaunchPartly, WhatTheKernelChangesGoesBack) {
  Mapped<long> A({1});
  V.P = A.data();
  fake::enter(V.C, sizeof(V.C));
  captureMixed(true);
  launch([&](void **Arguments) {
    Mixed &D = mixed(Arguments);
    EXPECT_EQ(D.P, A.Device);
    EXPECT_EQ(D.C[3], 6);
    D.B = 20;
    V.A = 10; // by the host, meanwhile
  });
  EXPECT_EQ(V.A, 10);
  EXPECT_EQ(V.B, 20);
  EXPECT_EQ(V.P, A.data());
  fake::leave(V.C, sizeof(V.C));
}

TEST_F(LaunchPartly, AFailedLaunchBringsNothingBack) {
  fake::enter(V.C, sizeof(V.C));
  captureMixed(true);
  mustStay(&V, sizeof(V));
  begin();
  mixed(Launched.BasePtrs).B = 99;
  end(1);
  fake::leave(V.C, sizeof(V.C));
}

TEST_F(LaunchPartly, OnlyReadIsNotBroughtBack) {
  fake::enter(V.C, sizeof(V.C));
  captureMixed(false);
  mustStay(&V, sizeof(V));
  launch([&](void **Arguments) {
    EXPECT_EQ(mixed(Arguments).C[0], 3);
    EXPECT_EQ(mixed(Arguments).B, 2);
  });
  EXPECT_EQ(offload().FromDevice, 0u);
  fake::leave(V.C, sizeof(V.C));
}

TEST_F(LaunchPartly, TheFirstPart) {
  fake::enter(&V.A, 4);
  captureMixed(true);
  launch([&](void **Arguments) { mixed(Arguments).C[3] = 60; });
  EXPECT_EQ(V.C[3], 60);
  fake::leave(&V.A, 4);
}

TEST_F(LaunchPartly, APartThatIsNotAWord) {
  // Mapping the whole variable would extend a mapping, which is an error.
  fake::enter(&V.B, 4);
  captureMixed(true);
  launch([&](void **Arguments) { mixed(Arguments).C[0] = 30; });
  EXPECT_EQ(V.C[0], 30);
  fake::leave(&V.B, 4);
}

TEST_F(LaunchPartly, APartOfOneByte) {
  struct {
    int A;
    bool Unmapped, Flag;
    long N;
  } W{1, false, true, 2};
  void *G = &W;
  fake::enter(&W.Flag, 1);
  uint32_t O = Plan.variable(sizeof(G)), OW = Plan.variable(sizeof(W), true);
  Plan.pointer(O, 0, static_cast<int32_t>(OW));
  capture(&G, sizeof(G), O);
  launch([&](void **Arguments) {
    (*static_cast<decltype(W) **>(Arguments[0]))->N = 3;
  });
  EXPECT_EQ(W.N, 3);
  fake::leave(&W.Flag, 1);
}

TEST_F(LaunchPartly, BehindAMappedObject) {
  // Neither a copy nor a mapping would do: the reference stays the host's.
  fake::enter(V.C, sizeof(V.C));
  fake::enter(&F, sizeof(F));
  uint32_t O = Plan.variable(sizeof(F)), OV = Plan.variable(sizeof(V), true);
  Plan.pointer(O, 0, static_cast<int32_t>(OV));
  capture(&F, sizeof(F), O, ToFrom);
  launch([&](void **Arguments) { EXPECT_EQ(&mixed(Arguments), &V); });
  fake::leave(&F, sizeof(F));
  fake::leave(V.C, sizeof(V.C));
}

TEST_F(LaunchPartly, LargeVariables) {
  std::vector<long> Large(ImageLimit / 8 + 1, 7);
  long *G = Large.data();
  fake::enter(Large.data() + 8, 80);
  uint32_t O = Plan.variable(8), OL = Plan.variable(Large.size() * 8, true);
  Plan.pointer(O, 0, static_cast<int32_t>(OL));
  capture(&G, sizeof(G), O);
  launch([&](void **Arguments) {
    long *D = *static_cast<long **>(Arguments[0]);
    EXPECT_EQ(D[Large.size() - 1], 7);
    D[0] = 8;
  });
  EXPECT_EQ(Large[0], 8);
  EXPECT_EQ(Large[1], 7);
  fake::leave(Large.data() + 8, 80);
}

TEST_F(LaunchPartly, TwoWaysToOneVariable) {
  // What is written through one reference is read through the other, in
  // whatever order they stand in the closure.
  for (bool ReadFirst : {false, true}) {
    restart();
    V.A = 1;
    struct {
      Mixed *First, *Second;
    } G{&V, &V};
    fake::enter(V.C, sizeof(V.C));
    uint32_t O = Plan.variable(sizeof(G)),
             OFirst = Plan.variable(sizeof(V), !ReadFirst),
             OSecond = Plan.variable(sizeof(V), ReadFirst);
    Plan.pointer(O, 0, static_cast<int32_t>(OFirst));
    Plan.pointer(O, 8, static_cast<int32_t>(OSecond));
    capture(&G, sizeof(G), O);
    launch([&](void **Arguments) {
      auto *D = static_cast<decltype(G) *>(Arguments[0]);
      D->First->A = 7;
      EXPECT_EQ(D->Second->A, 7);
    });
    EXPECT_EQ(V.A, 7);
    fake::leave(V.C, sizeof(V.C));
  }
}

TEST_F(LaunchPartly, AReferenceToTheVariableAndOneToItsMember) {
  for (bool MemberFirst : {false, true}) {
    restart();
    V.A = 1;
    struct {
      void *First, *Second;
    } G{&V, &V.A};
    if (MemberFirst)
      std::swap(G.First, G.Second);
    fake::enter(V.C, sizeof(V.C));
    uint32_t O = Plan.variable(sizeof(G)),
             OWhole = Plan.variable(sizeof(V), true),
             OMember = Plan.variable(sizeof(V.A), false, 4);
    Plan.pointer(O, MemberFirst ? 8 : 0, static_cast<int32_t>(OWhole));
    Plan.pointer(O, MemberFirst ? 0 : 8, static_cast<int32_t>(OMember));
    if (MemberFirst)
      Plan.reverse(O);
    capture(&G, sizeof(G), O);
    launch([&](void **Arguments) {
      auto *D = static_cast<decltype(G) *>(Arguments[0]);
      auto *Whole = static_cast<Mixed *>(MemberFirst ? D->Second : D->First);
      auto *Member = static_cast<int *>(MemberFirst ? D->First : D->Second);
      Whole->A = 7;
      EXPECT_EQ(*Member, 7);
    });
    EXPECT_EQ(V.A, 7);
    fake::leave(V.C, sizeof(V.C));
  }
}

TEST_F(LaunchPartly, HeapMemoryIsFreed) {
  // Under the sanitizers: everything that begin allocates, end frees.
  Mapped<long> A({1});
  V.P = A.data();
  fake::enter(V.C, sizeof(V.C));
  captureMixed(true);
  WorkspaceSize = 384;
  launch([&](void **Arguments) { mixed(Arguments).B = 20; });
  EXPECT_EQ(V.B, 20);
  launch([&](void **) {}, 1);
  DeviceNumber = 99;
  launch([&](void **) {}, 1);
  fake::leave(V.C, sizeof(V.C));
}
