//===- SimSharedShadowTest.cpp - Who touched shared memory ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../tools/sim/engine/SharedShadow.h"
#include "gtest/gtest.h"
#include <random>
#include <vector>

using namespace ferry::sim;
using Access = SharedShadow::Access;
using Verdict = SharedShadow::Verdict;

namespace {

/// An ordinary access of \p Thread in block 1.
Access by(uint16_t Thread, uint32_t Epoch = 0, uint32_t Syncs = 0) {
  return {1, Epoch, Thread, Syncs, /*Atomic=*/false, /*Quiet=*/false};
}
Access atomicBy(uint16_t Thread) {
  Access A = by(Thread);
  A.Atomic = true;
  return A;
}
Access quietBy(uint16_t Thread) {
  Access A = by(Thread);
  A.Quiet = true;
  return A;
}

class SimSharedShadow : public testing::Test {
protected:
  SharedShadow Shadow;
  void SetUp() override { Shadow.resize(64); }

  void reads(uint64_t Offset, uint32_t Size, const Access &A,
             Verdict Expected = Verdict::Fine, int Other = -1) {
    check(Shadow.read(Offset, Size, A), Expected, Other);
  }
  void writes(uint64_t Offset, uint32_t Size, const Access &A,
              Verdict Expected = Verdict::Fine, int Other = -1) {
    check(Shadow.write(Offset, Size, A), Expected, Other);
  }

private:
  static void check(const SharedShadow::Answer &Answer, Verdict Expected,
                    int Other) {
    EXPECT_EQ(Answer.What, Expected);
    if (Other >= 0)
      EXPECT_EQ(Answer.Other, Other);
  }
};

} // namespace

TEST_F(SimSharedShadow, WhoOfARaceWrites) {
  writes(8, 4, by(0));
  SharedShadow::Answer Answer = Shadow.read(8, 4, by(40));
  EXPECT_EQ(Answer.What, Verdict::Race);
  EXPECT_TRUE(Answer.OtherWrites);
  Answer = Shadow.write(8, 4, by(80));
  EXPECT_TRUE(Answer.OtherWrites);
  writes(16, 4, by(0), Verdict::Fine);
  reads(16, 4, by(1, 1));
  Answer = Shadow.write(16, 4, by(40, 1));
  EXPECT_EQ(Answer.What, Verdict::Race);
  EXPECT_EQ(Answer.Other, 1);
  EXPECT_FALSE(Answer.OtherWrites);
}

// --- Uninitialised memory ----------------------------------------------------

TEST_F(SimSharedShadow, ReadOfWhatNobodyWrote) {
  reads(8, 4, by(0), Verdict::Uninitialized);
  writes(8, 4, by(0));
  reads(8, 4, by(0));
  reads(4, 4, by(0), Verdict::Uninitialized);
  reads(12, 4, by(0), Verdict::Uninitialized);
}

TEST_F(SimSharedShadow, WrittenBeforeABarrierStaysWritten) {
  writes(8, 4, by(0));
  reads(8, 4, by(5, 1));
  reads(8, 4, by(40, 7));
}

TEST_F(SimSharedShadow, ANewBlockFindsNothingWritten) {
  writes(0, 4, by(0));
  writes(4, 1, by(0)); // a split word
  Access Next = by(0);
  Next.Block = 2;
  reads(0, 4, Next, Verdict::Uninitialized);
  reads(4, 1, Next, Verdict::Uninitialized);
  writes(0, 4, Next);
  reads(0, 4, Next);
}

TEST_F(SimSharedShadow, ANewBlockDoesNotRaceWithTheLast) {
  writes(0, 4, by(0));
  writes(4, 1, by(0));
  Access Next = by(40);
  Next.Block = 2;
  writes(0, 4, Next);
  writes(4, 1, Next);
}

TEST_F(SimSharedShadow, EveryWordOfAWideReadMustBeWritten) {
  writes(16, 8, by(0));
  writes(28, 4, by(0));
  reads(16, 8, by(0));
  reads(16, 16, by(0), Verdict::Uninitialized);
  writes(24, 4, by(0));
  reads(16, 16, by(0));
}

// A structure is copied with its padding, which nobody has written.
TEST_F(SimSharedShadow, OneByteOfAWordIsEnough) {
  writes(8, 1, by(0));
  reads(8, 4, by(0));
  reads(9, 1, by(0), Verdict::Uninitialized);
  reads(10, 2, by(0), Verdict::Uninitialized);
}

// --- Races
// --------------------------------------------------------------------

TEST_F(SimSharedShadow, ReadAfterWrite) {
  writes(8, 4, by(3));
  reads(8, 4, by(3));
  reads(8, 4, by(40), Verdict::Race, 3);
}

TEST_F(SimSharedShadow, WriteAfterWrite) {
  writes(8, 4, by(3));
  writes(8, 4, by(3));
  writes(8, 4, by(40), Verdict::Race, 3);
  writes(8, 4, by(3), Verdict::Race, 40);
}

TEST_F(SimSharedShadow, WriteAfterRead) {
  writes(8, 4, by(0));
  reads(8, 4, by(3, 1));
  writes(8, 4, by(3, 1));
  reads(12, 4, by(3, 1), Verdict::Uninitialized);
  writes(16, 4, by(0));
  reads(16, 4, by(3, 1));
  writes(16, 4, by(40, 1), Verdict::Race, 3);
}

TEST_F(SimSharedShadow, WriteAfterReadsOfOthersAndItself) {
  writes(8, 4, by(0));
  reads(8, 4, by(3, 1));
  reads(8, 4, by(40, 1));
  writes(8, 4, by(40, 1), Verdict::Race, 3);
  writes(12, 4, by(0));
  reads(12, 4, by(40, 1));
  reads(12, 4, by(3, 1));
  reads(12, 4, by(40, 1));
  writes(12, 4, by(40, 1), Verdict::Race, 3);
}

TEST_F(SimSharedShadow, ReadsDoNotRace) {
  writes(8, 4, by(0));
  for (uint16_t T : {0, 1, 31, 32, 1023})
    reads(8, 4, by(T, 1));
}

TEST_F(SimSharedShadow, NeighboursDoNotRace) {
  for (uint16_t T = 0; T < 16; ++T)
    writes(uint64_t(T) * 4, 4, by(T));
  for (uint16_t T = 0; T < 16; ++T)
    reads(uint64_t(T) * 4, 4, by(T));
}

TEST_F(SimSharedShadow, WideAccessesRaceInAnyOfTheirWords) {
  writes(0, 16, by(3));
  writes(16, 16, by(3));
  reads(12, 4, by(40), Verdict::Race, 3);
  writes(16, 8, by(40), Verdict::Race, 3);
  for (uint64_t Word = 0; Word < 4; ++Word) {
    const auto Epoch = static_cast<uint32_t>(Word + 1);
    writes(Word * 4, 4, by(7, Epoch));
    reads(0, 16, by(40, Epoch), Verdict::Race, 7);
  }
}

TEST_F(SimSharedShadow, TheHighestThread) {
  writes(8, 4, by(1023));
  reads(8, 4, by(1022), Verdict::Race, 1023);
}

// --- What orders accesses
// -------------------------------------------------------

TEST_F(SimSharedShadow, ABarrierOrdersEverything) {
  writes(8, 4, by(3));
  reads(8, 4, by(40, 1));
  reads(8, 4, by(2, 1));
  writes(8, 4, by(70, 2));
  writes(8, 4, by(1, 3));
  reads(8, 4, by(70, 3), Verdict::Race, 1);
}

TEST_F(SimSharedShadow, WarpSynchronisationOrdersWithinAWarp) {
  writes(8, 4, by(3, 0, 5));
  reads(8, 4, by(4, 0, 5), Verdict::Race, 3);
  writes(12, 4, by(3, 0, 5));
  reads(12, 4, by(4, 0, 6));
  writes(12, 4, by(3, 0, 7));
  writes(12, 4, by(4, 0, 8));
}

// Number 6 of one warp says nothing about number 5 of another.
TEST_F(SimSharedShadow, WarpSynchronisationDoesNotOrderWarps) {
  writes(8, 4, by(31, 0, 5));
  reads(8, 4, by(32, 0, 6), Verdict::Race, 31);
  writes(12, 4, by(0));
  reads(12, 4, by(31, 1, 5));
  writes(12, 4, by(32, 1, 6), Verdict::Race, 31);
}

TEST_F(SimSharedShadow, ASynchronisedReaderDoesNotHideAnother) {
  writes(8, 4, by(0));
  reads(8, 4, by(40, 1, 0));
  reads(8, 4, by(2, 1, 0));
  writes(8, 4, by(3, 1, 1), Verdict::Race, 40);
}

// --- Atomics
// ----------------------------------------------------------------------

TEST_F(SimSharedShadow, AtomicsDoNotRaceWithEachOther) {
  writes(8, 4, by(0));
  for (uint16_t T : {0, 1, 40, 1023}) {
    Access A = atomicBy(T);
    A.Epoch = 1;
    reads(8, 4, A);
    writes(8, 4, A);
  }
}

TEST_F(SimSharedShadow, AtomicsRaceWithOrdinaryAccesses) {
  writes(8, 4, atomicBy(3));
  reads(8, 4, by(40), Verdict::Race, 3);
  writes(12, 4, atomicBy(3));
  writes(12, 4, by(40), Verdict::Race, 3);
  writes(16, 4, by(3));
  reads(16, 4, atomicBy(40), Verdict::Race, 3);
  writes(20, 4, by(3));
  writes(20, 4, atomicBy(40), Verdict::Race, 3);
}

TEST_F(SimSharedShadow, AnOrdinaryReadRacesWithAnAtomicWrite) {
  writes(8, 4, atomicBy(3));
  reads(8, 4, by(3));
  reads(8, 4, atomicBy(3));
  writes(8, 4, atomicBy(40), Verdict::Race, 3);
}

// As of a thread that sets a counter to 0 and goes on to count.
TEST_F(SimSharedShadow, AnAtomicWriteDoesNotUndoAnOrdinaryOne) {
  writes(8, 4, by(3));
  reads(8, 4, atomicBy(3));
  writes(8, 4, atomicBy(3));
  reads(8, 4, atomicBy(40), Verdict::Race, 3);
}

TEST_F(SimSharedShadow, AnAtomicReadBesideAnOwnOrdinaryOne) {
  writes(8, 4, atomicBy(3));
  reads(8, 4, by(3));
  reads(8, 4, atomicBy(40));
  writes(8, 4, atomicBy(3));
}

// --- The device runtime
// -------------------------------------------------------------

TEST_F(SimSharedShadow, TheRuntimeInitialisesButDoesNotRace) {
  reads(8, 4, quietBy(0));
  writes(8, 4, quietBy(0));
  reads(8, 4, by(40));
  writes(8, 4, by(40));
  reads(8, 4, quietBy(0));
  writes(8, 4, quietBy(0));
  reads(8, 4, by(40));
}

// --- Bytes
// ----------------------------------------------------------------------------

// Every thread updates its own element of an array of char or short.
TEST_F(SimSharedShadow, BytesOfAWordAreApart) {
  for (uint32_t Size : {1, 2})
    for (bool Sorted : {true, false}) {
      Shadow = SharedShadow();
      Shadow.resize(16);
      const unsigned Threads = 16 / Size;
      auto All = [&](auto Access) {
        for (unsigned I = 0; I < Threads; ++I) {
          unsigned T = Sorted ? I : (I * 5 + 3) % Threads;
          Access(uint64_t(T) * Size, by(static_cast<uint16_t>(T * 31)));
        }
      };
      All([&](uint64_t Offset, Access A) { writes(Offset, Size, A); });
      All([&](uint64_t Offset, Access A) { reads(Offset, Size, A); });
      All([&](uint64_t Offset, Access A) { writes(Offset, Size, A); });
      All([&](uint64_t Offset, Access A) { reads(Offset, Size, A); });
    }
}

TEST_F(SimSharedShadow, BytesOfAWordRace) {
  for (uint64_t Byte = 8; Byte < 12; ++Byte)
    writes(Byte, 1, by(static_cast<uint16_t>(Byte)));
  for (uint64_t Byte = 8; Byte < 12; ++Byte)
    reads(Byte, 1, by(40), Verdict::Race, static_cast<int>(Byte));
}

TEST_F(SimSharedShadow, AWordAndItsBytes) {
  writes(8, 4, by(3));
  reads(10, 1, by(40), Verdict::Race, 3);
  writes(9, 1, by(3, 1));
  reads(8, 4, by(40, 1), Verdict::Race, 3);
  writes(11, 2, by(3, 2)); // the last byte and the first of the next word
  reads(12, 1, by(40, 2), Verdict::Race, 3);
  reads(11, 1, by(40, 2), Verdict::Race, 3);
  reads(8, 2, by(40, 2));
  reads(13, 1, by(40, 2), Verdict::Uninitialized);
}

TEST_F(SimSharedShadow, ABarrierOrdersBytes) {
  writes(8, 1, by(3));
  writes(8, 1, by(40, 1));
  reads(8, 1, by(3, 2));
}

TEST_F(SimSharedShadow, GrowingKeepsWhatIsKnown) {
  writes(8, 4, by(3));
  writes(12, 1, by(3));
  Shadow.resize(200);
  reads(8, 4, by(40), Verdict::Race, 3);
  reads(12, 1, by(40), Verdict::Race, 3);
  writes(196, 4, by(3));
  writes(199, 1, by(3));
  Shadow.resize(4); // never shrinks
  reads(199, 1, by(40), Verdict::Race, 3);
}

// --- Against the whole history
// ------------------------------------------------------------

namespace {

/// Every access to one byte since the last barrier.
struct Event {
  Access By;
  bool Write;
};

bool race(const Event &A, const Event &B) {
  const bool Together = A.By.Thread / 32 == B.By.Thread / 32;
  return A.By.Thread != B.By.Thread && (A.Write || B.Write) &&
         !(A.By.Atomic && B.By.Atomic) &&
         !(Together && A.By.Syncs != B.By.Syncs);
}

/// Lets threads access memory at random. What is reported did happen; if there
/// are no atomics and no synchronisations of warps (\p Plain), everything that
/// happens is reported, until the first race.
void runAtRandom(const std::vector<uint16_t> &Threads, bool Plain) {
  constexpr unsigned Size = 16;
  std::mt19937 Random(7);
  auto Pick = [&](size_t N) { return static_cast<unsigned>(Random() % N); };
  unsigned Reported = 0, Clean = 0;
  for (unsigned Round = 0; Round < 5000; ++Round) {
    SharedShadow Shadow;
    Shadow.resize(Size);
    Shadow.write(0, Size, by(0));
    std::vector<Event> History[Size];
    uint32_t WarpSyncs[2] = {0, 0};
    for (unsigned Step = 0; Step < 12; ++Step) {
      Access A = by(Threads[Pick(Threads.size())], 1);
      A.Atomic = !Plain && Pick(3) == 0;
      A.Syncs = WarpSyncs[A.Thread / 32] += !Plain && Pick(4) == 0;
      const uint32_t Bytes = 1U << Pick(4);
      const uint64_t Offset = Pick(Size / Bytes) * uint64_t(Bytes);
      const Event E{A, Pick(2) == 0};
      const SharedShadow::Answer Answer = E.Write
                                              ? Shadow.write(Offset, Bytes, A)
                                              : Shadow.read(Offset, Bytes, A);
      bool Any = false, Named = false;
      for (uint64_t B = Offset; B < Offset + Bytes; ++B) {
        for (const Event &Old : History[B])
          if (race(E, Old)) {
            Any = true;
            Named |= Old.By.Thread == Answer.Other;
          }
        History[B].push_back(E);
      }
      if (Answer.What == Verdict::Race) {
        ASSERT_TRUE(Named) << "round " << Round << ", step " << Step;
        ++Reported;
      } else {
        ASSERT_EQ(Answer.What, Verdict::Fine);
        ASSERT_FALSE(Plain && Any) << "round " << Round << ", step " << Step;
        ++Clean;
      }
      if (Any && Plain)
        break;
    }
  }
  EXPECT_GT(Reported, 3000U);
  EXPECT_GT(Clean, 3000U);
}

} // namespace

TEST(SimSharedShadowRandom, NoRaceIsInvented) {
  runAtRandom({0, 1, 40, 41}, /*Plain=*/false);
}

TEST(SimSharedShadowRandom, TheFirstRaceOfTwoThreadsIsFound) {
  runAtRandom({3, 40}, /*Plain=*/true);
}
