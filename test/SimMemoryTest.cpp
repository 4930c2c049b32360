//===- SimMemoryTest.cpp - Global memory of a simulated device ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../tools/sim/engine/Memory.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

using namespace ferry::sim;

namespace {

constexpr uint64_t Gap = GlobalMemory::GapBytes;
constexpr uint64_t Step = GlobalMemory::AlignBytes;

uint64_t number(const void *Pointer) {
  return reinterpret_cast<uint64_t>(Pointer);
}
void *pointer(uint64_t Address) { return reinterpret_cast<void *>(Address); }

class SimMemory : public testing::Test {
protected:
  static constexpr unsigned Number = 50; ///< no device of another test
  static constexpr uint64_t Size = 64 * Step;
  GlobalMemory Memory{Number, Size};

  void expectRange(const GlobalMemory::Range &R, uint64_t Begin, uint64_t End) {
    EXPECT_EQ(R.Begin, Begin);
    EXPECT_EQ(R.End, End);
  }
  /// Whether everything is free, and one piece.
  void expectEmpty() {
    EXPECT_EQ(Memory.used(), 0U);
    void *All = Memory.allocate(Size - Gap);
    ASSERT_EQ(number(All), Memory.base());
    EXPECT_TRUE(Memory.release(All));
  }
};

} // namespace

// --- Allocation
// ------------------------------------------------------------------

TEST_F(SimMemory, AddressesAreTheSameInEveryRun) {
  EXPECT_EQ(number(Memory.allocate(1)), Memory.base());
  EXPECT_EQ(Memory.base(), 0x2000'0000'0000U + Number * 0x100'0000'0000U);
  EXPECT_EQ(Memory.size(), Size);
  EXPECT_TRUE(Memory.inArena(Memory.base()));
  EXPECT_TRUE(Memory.inArena(Memory.base() + Size - 1));
  EXPECT_FALSE(Memory.inArena(Memory.base() + Size));
  EXPECT_FALSE(Memory.inArena(Memory.base() - 1));
}

TEST_F(SimMemory, AllocationsAreAlignedAndApart) {
  uint64_t Last = 0;
  for (uint64_t Bytes : {1, 511, 512, 513, 1024, 1}) {
    const uint64_t Begin = number(Memory.allocate(Bytes));
    EXPECT_EQ(Begin % Step, 0U);
    if (Last) {
      EXPECT_GE(Begin, Last + Gap);
      EXPECT_LT(Begin, Last + Gap + Step) << "no more than needed";
    }
    Last = Begin + Bytes;
  }
}

TEST_F(SimMemory, WrittenMemoryCanBeReadAndBeginsAsZero) {
  auto *Bytes = static_cast<char *>(Memory.allocate(1000));
  EXPECT_EQ(Bytes[0] | Bytes[999], 0);
  memset(Bytes, 'x', 1000);
  EXPECT_EQ(Bytes[999], 'x');
}

TEST_F(SimMemory, TheFirstHoleThatIsLargeEnough) {
  void *A = Memory.allocate(1);
  void *B = Memory.allocate(1);
  void *C = Memory.allocate(3 * Step);
  void *D = Memory.allocate(1);
  void *E = Memory.allocate(3 * Step);
  ASSERT_TRUE(Memory.allocate(1));
  for (void *Hole : {A, C, E})
    EXPECT_TRUE(Memory.release(Hole));
  EXPECT_EQ(Memory.allocate(3 * Step), C);
  EXPECT_EQ(Memory.allocate(1), A);
  EXPECT_EQ(Memory.allocate(1), E) << "a part of a hole";
  EXPECT_EQ(number(Memory.allocate(1)), number(E) + 2 * Step) << "the rest";
  EXPECT_LT(number(B), number(D));
}

TEST_F(SimMemory, EmptyAllocationsAreDistinct) {
  void *A = Memory.allocate(0);
  void *B = Memory.allocate(0);
  ASSERT_TRUE(A && B);
  EXPECT_NE(A, B);
  expectRange(Memory.find(number(A)), 0, 0);
  expectRange(Memory.nearest(number(A)), number(A), number(A));
  EXPECT_TRUE(Memory.release(A));
  EXPECT_TRUE(Memory.release(B));
  expectEmpty();
}

TEST_F(SimMemory, Exhaustion) {
  EXPECT_FALSE(Memory.allocate(Size - Gap + 1));
  EXPECT_FALSE(Memory.allocate(Size));
  EXPECT_FALSE(Memory.allocate(Size + 1));
  EXPECT_FALSE(Memory.allocate(UINT64_MAX));
  EXPECT_FALSE(Memory.allocate(UINT64_MAX - Gap));
  EXPECT_EQ(Memory.used(), 0U);
  std::vector<void *> All;
  while (void *Next = Memory.allocate(Step))
    All.push_back(Next);
  EXPECT_EQ(All.size(), Size / (2 * Step));
  EXPECT_EQ(Memory.used(), Size);
  EXPECT_FALSE(Memory.allocate(0));
  EXPECT_TRUE(Memory.release(All[7]));
  EXPECT_FALSE(Memory.allocate(Step + 1));
  EXPECT_EQ(Memory.allocate(Step), All[7]);
}

TEST_F(SimMemory, OneDeviceOfANumber) {
  EXPECT_EXIT(GlobalMemory(Number, Size), testing::ExitedWithCode(2),
              "ferry-sim: error: cannot reserve 32768 bytes of addresses for "
              "device 50");
}

// --- Release
// -----------------------------------------------------------------------

TEST_F(SimMemory, OnlyTheBeginOfAnAllocationCanBeReleased) {
  void *A = Memory.allocate(2 * Step);
  int Host = 0;
  for (uint64_t Wrong :
       {uint64_t(0), number(A) + 1, number(A) + Step, number(A) - 1,
        number(A) + 2 * Step, number(&Host), UINT64_MAX})
    EXPECT_FALSE(Memory.release(pointer(Wrong))) << Wrong;
  expectRange(Memory.find(number(A)), number(A), number(A) + 2 * Step);
  EXPECT_TRUE(Memory.release(A));
  EXPECT_FALSE(Memory.release(A)) << "twice";
  expectEmpty();
}

TEST_F(SimMemory, FreeRangesAreJoined) {
  // In every order of three neighbours.
  const unsigned Orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto &Order : Orders) {
    void *Three[3];
    for (void *&A : Three)
      A = Memory.allocate(Step);
    void *Behind = Memory.allocate(Size - Gap - 6 * Step);
    ASSERT_TRUE(Behind) << "memory is full now";
    for (unsigned I : Order)
      EXPECT_TRUE(Memory.release(Three[I]));
    void *Joined = Memory.allocate(6 * Step - Gap);
    EXPECT_EQ(Joined, Three[0]);
    EXPECT_TRUE(Memory.release(Joined));
    EXPECT_TRUE(Memory.release(Behind));
    expectEmpty();
  }
}

TEST_F(SimMemory, ReleaseChangesTheGeneration) {
  void *A = Memory.allocate(1);
  const uint64_t Before = Memory.generation();
  EXPECT_FALSE(Memory.release(pointer(1)));
  Memory.allocate(1);
  EXPECT_EQ(Memory.generation(), Before);
  Memory.release(A);
  EXPECT_NE(Memory.generation(), Before);
}

TEST(SimMemoryLarge, ReleasedMemoryIsZeroAgain) {
  constexpr uint64_t Bytes = 2 << 20;
  GlobalMemory Memory(51, 2 * Bytes);
  auto *A = static_cast<char *>(Memory.allocate(Bytes));
  memset(A, 'x', Bytes);
  EXPECT_TRUE(Memory.release(A));
  ASSERT_EQ(Memory.allocate(Bytes), A);
  EXPECT_EQ(A[0] | A[Bytes - 1], 0) << "went back to the system";
}

// --- Looking up
// ----------------------------------------------------------------------

TEST_F(SimMemory, Find) {
  const uint64_t A = number(Memory.allocate(100));
  const uint64_t B = number(Memory.allocate(600));
  expectRange(Memory.find(A), A, A + 100);
  expectRange(Memory.find(A + 99), A, A + 100);
  expectRange(Memory.find(A + 100), 0, 0);
  expectRange(Memory.find(A - 1), 0, 0);
  expectRange(Memory.find(B - 1), 0, 0);
  expectRange(Memory.find(B), B, B + 600);
  expectRange(Memory.find(B + 599), B, B + 600);
  expectRange(Memory.find(B + 600), 0, 0);
  Memory.release(pointer(A));
  expectRange(Memory.find(A), 0, 0);
}

TEST_F(SimMemory, Nearest) {
  expectRange(Memory.nearest(Memory.base()), 0, 0);
  const uint64_t A = number(Memory.allocate(100));
  const uint64_t B = number(Memory.allocate(600));
  expectRange(Memory.nearest(0), A, A + 100);
  expectRange(Memory.nearest(A - 1), A, A + 100);
  expectRange(Memory.nearest(A + 50), A, A + 100);
  expectRange(Memory.nearest(A + 100), A, A + 100);
  expectRange(Memory.nearest(B - 8), B, B + 600);
  expectRange(Memory.nearest(B), B, B + 600);
  // Inside one that ends far away, with another near its begin.
  expectRange(Memory.nearest(B + 1), B, B + 600);
  expectRange(Memory.nearest(UINT64_MAX), B, B + 600);
}

// --- Memory from elsewhere
// ---------------------------------------------------------------

TEST_F(SimMemory, ForeignMemoryIsFoundButNotReleased) {
  static int Variable[4];
  const uint64_t V = number(Variable);
  const uint64_t Before = Memory.generation();
  Memory.addForeign(Variable, sizeof(Variable));
  expectRange(Memory.find(V + 15), V, V + 16);
  expectRange(Memory.find(V + 16), 0, 0);
  expectRange(Memory.nearest(V + 20), V, V + 16);
  EXPECT_EQ(Memory.used(), 0U);
  EXPECT_FALSE(Memory.release(Variable));
  expectRange(Memory.find(V), V, V + 16);
  EXPECT_EQ(Memory.generation(), Before);
  Memory.removeForeign(Variable);
  EXPECT_NE(Memory.generation(), Before);
  expectRange(Memory.find(V), 0, 0);
  expectEmpty();
}

// --- Against a list of units
// ----------------------------------------------------------------

TEST_F(SimMemory, AnySequenceOfCallsIsFirstFit) {
  std::mt19937 Random(3);
  std::vector<bool> Taken(Size / Step);
  struct Piece {
    uint64_t Begin, Bytes;
  };
  std::vector<Piece> Pieces;
  auto Units = [](uint64_t Bytes) { return (Bytes + Gap + Step - 1) / Step; };
  auto Mark = [&](const Piece &P, bool Value) {
    const uint64_t First = (P.Begin - Memory.base()) / Step;
    for (uint64_t U = First; U < First + Units(P.Bytes); ++U)
      Taken[U] = Value;
  };
  /// The address where \p Bytes should go; 0 if there is no room.
  auto Expected = [&](uint64_t Bytes) -> uint64_t {
    uint64_t Run = 0;
    for (uint64_t U = 0; U < Taken.size(); ++U) {
      Run = Taken[U] ? 0 : Run + 1;
      if (Run == Units(Bytes))
        return Memory.base() + (U + 1 - Run) * Step;
    }
    return 0;
  };
  unsigned Full = 0;
  for (unsigned Call = 0; Call < 20000; ++Call) {
    if (Pieces.empty() || Random() % 5 < 3) {
      const uint64_t Bytes = Random() % (6 * Step);
      const Piece P{number(Memory.allocate(Bytes)), Bytes};
      ASSERT_EQ(P.Begin, Expected(Bytes)) << "call " << Call;
      Full += !P.Begin;
      if (!P.Begin)
        continue;
      Mark(P, true);
      Pieces.push_back(P);
    } else {
      std::swap(Pieces[Random() % Pieces.size()], Pieces.back());
      ASSERT_TRUE(Memory.release(pointer(Pieces.back().Begin)));
      Mark(Pieces.back(), false);
      Pieces.pop_back();
    }
    const auto Used =
        static_cast<uint64_t>(std::count(Taken.begin(), Taken.end(), true));
    ASSERT_EQ(Memory.used(), Used * Step);
  }
  EXPECT_GT(Full, 1000U);
  for (const Piece &P : Pieces)
    EXPECT_TRUE(Memory.release(pointer(P.Begin)));
  expectEmpty();
}
