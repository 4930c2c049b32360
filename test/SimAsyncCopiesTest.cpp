//===- SimAsyncCopiesTest.cpp - Copies that are under way -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../tools/sim/engine/AsyncCopies.h"
#include "../tools/sim/engine/CopyWaits.h"
#include "../tools/sim/engine/SimABI.h"
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
    Queue.commit(0);
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
  Queue.commit(0);
  EXPECT_EQ(committed(Queue, 1), Numbers());
  Queue.commit(0);
  EXPECT_EQ(committed(Queue, 1), Numbers{1});
}

TEST(SimCopyQueue, WhatIsInNoGroupIsNotWaitedFor) {
  CopyQueue Queue;
  Queue.start(numbered(1));
  EXPECT_EQ(committed(Queue, 0), Numbers());
  Queue.commit(0);
  Queue.start(numbered(2));
  EXPECT_EQ(committed(Queue, 0), Numbers{1});
  EXPECT_EQ(committed(Queue, 0), Numbers());
  EXPECT_EQ(committed(Queue, UINT32_MAX), Numbers());
  Queue.commit(0);
  EXPECT_EQ(committed(Queue, 0), Numbers{2});
}

TEST(SimCopyQueue, KnowsWhatWasDoneAtEachOfTheLastGroups) {
  CopyQueue Queue;
  EXPECT_EQ(Queue.doneAtCommit(0), 0U);
  for (uint64_t Done = 100; Done <= 1200; Done += 100)
    Queue.commit(Done);
  EXPECT_EQ(Queue.doneAtCommit(0), 1200U);
  EXPECT_EQ(Queue.doneAtCommit(2), 1000U);
  EXPECT_EQ(Queue.doneAtCommit(100), 500U); // eight are kept
}

TEST(SimCopyEvent, IsKeptInALogsWord) {
  for (const CopyEvent &Event :
       {CopyEvent{false, 0, 0}, CopyEvent{true, 3, 123456789}}) {
    const CopyEvent Read = CopyEvent::of(Event.word());
    EXPECT_EQ(Read.Waits, Event.Waits);
    EXPECT_EQ(Read.Last, Event.Last);
    EXPECT_EQ(Read.Instructions, Event.Instructions);
  }
  EXPECT_LT((CopyEvent{true, 1000, ~uint64_t(0)}.word()), uint64_t(1)
                                                              << LogShift);
}

TEST(SimCopyWaits, OnlyWhatIsLeftOfTheLatency) {
  const WaitClocks Hit{30, 30}, Missed{200, 500};
  CopyWaits Waits;
  Waits.start({}, true);
  Waits.commit();
  Waits.start({}, false);
  Waits.commit();
  // The first group has been under way for 120 clocks of instructions, and for
  // 100 or 150 that were waited for something else.
  WaitClocks Left = Waits.wait(1, {100, 150}, 120, Hit, Missed);
  EXPECT_EQ(Left.Near, 0);
  EXPECT_EQ(Left.Far, 230);
  Left = Waits.wait(0, {}, 10, Hit, Missed);
  EXPECT_EQ(Left.Far, 20);
  EXPECT_EQ(Waits.wait(0, {}, 0, Hit, Missed).Far, 0);
  Waits.commit(); // of no copy
  EXPECT_EQ(Waits.wait(0, {}, 0, Hit, Missed).Far, 0);
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
