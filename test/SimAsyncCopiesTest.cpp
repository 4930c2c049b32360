//===- SimAsyncCopiesTest.cpp - Copies that are under way -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../tools/sim/engine/AsyncCopies.h"
#include "gtest/gtest.h"
#include <vector>

using namespace ferry::sim;

namespace {

AsyncCopy numbered(uint32_t Number) {
  AsyncCopy C{};
  C.Number = Number;
  return C;
}

using Numbers = std::vector<uint32_t>;

/// What wait_group \p Last waits for.
Numbers committed(CopyQueue &Queue, uint32_t Last) {
  Numbers Taken;
  while (std::optional<AsyncCopy> C = Queue.takeCommitted(Last))
    Taken.push_back(C->Number);
  return Taken;
}

} // namespace

TEST(SimCopyQueue, GroupsArriveInOrder) {
  CopyQueue Queue;
  for (uint32_t Group = 0; Group < 3; ++Group) {
    Queue.start(numbered(10 * Group));
    Queue.start(numbered(10 * Group + 1));
    Queue.commit();
  }
  EXPECT_EQ(committed(Queue, 3), Numbers());
  EXPECT_EQ(committed(Queue, 2), (Numbers{0, 1}));
  EXPECT_EQ(committed(Queue, 2), Numbers());
  EXPECT_EQ(committed(Queue, 0), (Numbers{10, 11, 20, 21}));
  EXPECT_TRUE(Queue.pending().empty());
}

TEST(SimCopyQueue, EmptyGroupsCount) {
  CopyQueue Queue;
  Queue.start(numbered(1));
  Queue.commit();
  EXPECT_EQ(committed(Queue, 1), Numbers());
  Queue.commit();
  EXPECT_EQ(committed(Queue, 1), Numbers{1});
}

TEST(SimCopyQueue, WhatIsInNoGroupIsNotWaitedFor) {
  CopyQueue Queue;
  Queue.start(numbered(1));
  EXPECT_EQ(committed(Queue, 0), Numbers());
  Queue.commit();
  Queue.start(numbered(2));
  EXPECT_EQ(committed(Queue, 0), Numbers{1});
  EXPECT_EQ(committed(Queue, 0), Numbers());
  EXPECT_EQ(Queue.takeAny()->Number, 2U);
  EXPECT_FALSE(Queue.takeAny());
  EXPECT_EQ(committed(Queue, UINT32_MAX), Numbers());
}

TEST(SimCopyTargets, AnyByteOfATarget) {
  CopyTargets Targets;
  EXPECT_FALSE(Targets.find(0, 1 << 20));
  Targets.add(16, 16, 3);
  Targets.add(32, 4, 4);
  Targets.add(64, 8, 5);
  for (auto [Offset, Size, Thread] : {std::tuple(0, 16, -1),
                                      {0, 17, 3},
                                      {31, 1, 3},
                                      {31, 2, 4},
                                      {32, 4, 4},
                                      {36, 28, -1},
                                      {36, 29, 5},
                                      {71, 1, 5},
                                      {72, 100, -1}}) {
    std::optional<uint16_t> Found = Targets.find(Offset, Size);
    EXPECT_EQ(Found ? *Found : -1, Thread) << Offset << " " << Size;
  }
  Targets.remove(32, 4, 3); // another thread's
  EXPECT_TRUE(Targets.find(32, 4));
  Targets.remove(32, 4, 4);
  EXPECT_FALSE(Targets.find(32, 4));
  Targets.clear();
  EXPECT_TRUE(Targets.empty());
}
