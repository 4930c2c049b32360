//===- LaunchWordsTest.cpp - Captured words as parameters -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchRuntime.h"
#include "ferry/LaunchState.h"
#include <cstring>

using namespace ferry;
using namespace ferry::abi;
using namespace ferry::test;

namespace {

/// Each test takes the short way of plain values and the general one.
class LaunchWords : public LaunchRuntime,
                    public ::testing::WithParamInterface<bool> {
protected:
  void restart() override {
    LaunchRuntime::restart();
    Plan.AllowValues = GetParam();
  }

  /// Argument number \p W, which is a word.
  template <typename T> static T word(void **Arguments, unsigned W) {
    T Value;
    memcpy(static_cast<void *>(&Value), static_cast<void *>(Arguments + W),
           sizeof(Value));
    return Value;
  }
};

INSTANTIATE_TEST_SUITE_P(Ways, LaunchWords, ::testing::Bool(),
                         [](const auto &Info) {
                           return Info.param ? "Values" : "General";
                         });

struct Closure {
  long *P;
  double Factor;
  short Small;
};

} // namespace

TEST_P(LaunchWords, ByValueWithoutATransfer) {
  Mapped<long> A({1, 2, 3});
  Closure F{A.data(), 2.5, -3};
  const uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  Plan.word(O, 0);
  Plan.word(O, 8);
  Plan.word(O, 16, 2);
  capture(&F, sizeof(F), O);
  NoWait = true;
  transfers();
  launch([&](void **Arguments) {
    EXPECT_EQ(Arguments[0], nullptr);
    EXPECT_EQ(word<long *>(Arguments, 1), A.Device);
    EXPECT_EQ(word<double>(Arguments, 2), 2.5);
    EXPECT_EQ(word<long>(Arguments, 3), 0xfffd);
  });
  EXPECT_EQ(transfers(), 0u);
  EXPECT_EQ(Launched.NumArgs, 4u);
  EXPECT_EQ(Launched.Flags, KernelFlagNoWait);
}

TEST_P(LaunchWords, TwoClosuresBesideOtherArguments) {
  Mapped<long> A({1}), B({2});
  Closure F{A.data(), 1, 1}, G{B.data(), 2, 2};
  long Before = 5;
  entry(&Before, sizeof(Before), MapTargetParam | MapTo);
  for (Closure *C : {&F, &G}) {
    const uint32_t O = Plan.variable(sizeof(F));
    Plan.pointer(O, 0);
    Plan.word(O, 8);
    Plan.word(O, 0);
    capture(C, sizeof(F), O);
  }
  launch([&](void **Arguments) {
    EXPECT_EQ(*static_cast<long *>(Arguments[0]), 5);
    EXPECT_EQ(word<double>(Arguments, 3), 1);
    EXPECT_EQ(word<long *>(Arguments, 4), A.Device);
    EXPECT_EQ(word<double>(Arguments, 5), 2);
    EXPECT_EQ(word<long *>(Arguments, 6), B.Device);
  });
  EXPECT_EQ(Launched.NumArgs, 7u);
}

// The device's own counts: the kernel gets its address, and words of nothing.
TEST_P(LaunchWords, OfAVariableThatIsMapped) {
  Mapped<long> A({1});
  Mapped<Closure> F({Closure{A.data(), 2, 3}});
  const uint32_t O = Plan.variable(sizeof(Closure));
  Plan.pointer(O, 0);
  Plan.word(O, 0);
  capture(F.data(), sizeof(Closure), O, ToFrom);
  launch([&](void **Arguments) {
    EXPECT_EQ(Arguments[0], F.Device);
    EXPECT_EQ(F.Device->P, A.Device);
    EXPECT_EQ(word<long *>(Arguments, 1), nullptr);
  });
}

TEST_P(LaunchWords, BehindAReference) {
  Mapped<long> A({1});
  Closure Inner{A.data(), 4, 5};
  struct {
    Closure *Inner;
  } F{&Inner};
  const uint32_t O = Plan.variable(sizeof(F));
  const uint32_t I = Plan.variable(sizeof(Inner));
  Plan.pointer(O, 0, static_cast<int32_t>(I));
  Plan.pointer(I, 0);
  Plan.word(O, 0);
  Plan.word(I, 0);
  Plan.word(I, 8);
  capture(&F, sizeof(F), O);
  transfers();
  launch([&](void **Arguments) {
    EXPECT_EQ(word<void *>(Arguments, 1), nullptr);
    EXPECT_EQ(word<long *>(Arguments, 2), A.Device);
    EXPECT_EQ(word<double>(Arguments, 3), 4);
  });
  EXPECT_EQ(transfers(), 0u);
}

TEST_P(LaunchWords, MoreThanTheWorkspaceHolds) {
  std::vector<long> F(MaxWords);
  const uint32_t O = Plan.variable(MaxWords * sizeof(long));
  for (unsigned W = 0; W < MaxWords; ++W) {
    F[W] = W + 1;
    Plan.word(O, W * sizeof(long));
  }
  capture(F.data(), MaxWords * sizeof(long), O);
  WorkspaceSize = sizeof(LaunchState) + 16;
  launch([&](void **Arguments) {
    for (unsigned W = 0; W < MaxWords; ++W)
      EXPECT_EQ(word<long>(Arguments, 1 + W), W + 1);
  });
}

//===----------------------------------------------------------------------===//
// Devices in the host's process
//===----------------------------------------------------------------------===//

TEST_P(LaunchWords, ImagesStayWhereTheyAreMade) {
  Mapped<long> A({1, 2});
  Closure F{A.data(), 2.5, 7};
  const uint32_t O = Plan.variable(sizeof(F));
  Plan.pointer(O, 0);
  Plan.HostMemory = true;
  capture(&F, sizeof(F), O);
  NoWait = true;
  transfers();
  launch([&](void **Arguments) {
    auto *D = static_cast<Closure *>(Arguments[0]);
    EXPECT_NE(D, &F);
    EXPECT_EQ(D->P, A.Device);
    EXPECT_EQ(D->Factor, 2.5);
    D->Small = 8; // its own copy
  });
  EXPECT_EQ(F.Small, 7);
  EXPECT_EQ(transfers(), 0u);
  EXPECT_EQ(Launched.NumArgs, 1u);
  EXPECT_EQ(Launched.Flags, KernelFlagNoWait);
}

TEST_P(LaunchWords, ImagesThatLeadToOthersStayWhereTheyAreMade) {
  Mapped<long> A({1});
  Closure Inner{A.data(), 4, 5};
  Closure *F[] = {&Inner, &Inner};
  const uint32_t O = Plan.variable(sizeof(F));
  const uint32_t I = Plan.variable(sizeof(Inner), /*Written=*/false, 64);
  Plan.pointer(O, 8, static_cast<int32_t>(I));
  Plan.pointer(I, 0);
  Plan.HostMemory = true;
  capture(static_cast<void *>(F), sizeof(F), O);
  transfers();
  launch([&](void **Arguments) {
    auto *D = static_cast<Closure **>(Arguments[0])[1];
    EXPECT_NE(D, &Inner);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(D) % 64, 0u);
    EXPECT_EQ(D->P, A.Device);
    EXPECT_EQ(D->Factor, 4);
  });
  EXPECT_EQ(transfers(), 0u);
}
