//===- SimMemoryModelTest.cpp - What a warp's access costs ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../tools/sim/engine/MemoryModel.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

using namespace ferry::sim;

namespace {

constexpr uint32_t All = 0xffffffff;

/// Lane i accesses \p Size bytes at \p Begin + i * \p Stride.
WarpAccess strided(uint64_t Begin, uint64_t Stride, uint32_t Size,
                   uint32_t Mask = All) {
  WarpAccess A;
  for (unsigned L = 0; L < 32; ++L)
    // What lanes that take no part have there is arbitrary.
    A.Address[L] = Mask >> L & 1 ? Begin + L * Stride
                                 : 0xdead'0000'0000'0000 + uint64_t(L) * 977;
  A.Mask = Mask;
  A.Size = Size;
  return A;
}

// --- The reference
// ---------------------------------------------------------------

bool active(const WarpAccess &A, unsigned Lane) { return A.Mask >> Lane & 1; }

std::set<uint64_t> sectorSet(const WarpAccess &A) {
  std::set<uint64_t> Sectors;
  for (unsigned L = 0; L < 32; ++L)
    for (uint64_t B = 0; active(A, L) && B < A.Size; ++B)
      Sectors.insert((A.Address[L] + B) / 32);
  return Sectors;
}

/// The most words that one bank has to deliver.
unsigned mostOfABank(const std::set<uint64_t> &Words) {
  std::map<uint64_t, unsigned> Banks;
  unsigned Most = 0;
  for (uint64_t W : Words)
    Most = std::max(Most, ++Banks[W % 32]);
  return Most;
}

/// Parts of a warp, in order, and those that need no bank twice together.
SharedCost costOf(const WarpAccess &A) {
  const unsigned Lanes = A.Size <= 4 ? 32 : A.Size <= 8 ? 16 : 8;
  SharedCost Cost{0, 0};
  std::set<uint64_t> Open;
  auto Close = [&] {
    if (Open.empty())
      return;
    Cost.Wavefronts += mostOfABank(Open);
    Cost.Conflicts += mostOfABank(Open) - 1;
  };
  for (unsigned Begin = 0; Begin < 32; Begin += Lanes) {
    std::set<uint64_t> Words;
    for (unsigned L = Begin; L < Begin + Lanes; ++L)
      for (uint64_t B = 0; active(A, L) && B < A.Size; ++B)
        Words.insert((A.Address[L] + B) / 4);
    if (Words.empty())
      continue;
    std::set<uint64_t> Both = Open;
    Both.insert(Words.begin(), Words.end());
    if (mostOfABank(Both) == 1) {
      Open = Both;
      continue;
    }
    Close();
    Open = Words;
  }
  Close();
  return Cost;
}

AccessShape shape(const WarpAccess &A) {
  bool Same = true, Consecutive = A.Mask == All;
  const unsigned First = static_cast<unsigned>(__builtin_ctz(A.Mask));
  for (unsigned L = 0; L < 32; ++L) {
    Same &= !active(A, L) || A.Address[L] == A.Address[First];
    Consecutive &= A.Address[L] == A.Address[0] + uint64_t(L) * A.Size;
  }
  return Consecutive ? AccessShape::Consecutive
         : Same      ? AccessShape::Same
                     : AccessShape::Other;
}

std::string text(const WarpAccess &A) {
  std::string Text = "size " + std::to_string(A.Size) + ", lanes:";
  for (unsigned L = 0; L < 32; ++L)
    Text += active(A, L) ? " " + std::to_string(A.Address[L]) : " -";
  return Text;
}

void compare(const WarpAccess &A) {
  ASSERT_EQ(shapeOf(A), shape(A)) << text(A);
  uint64_t Sectors[MaxSectors];
  const unsigned Num = sectorsOf(A, Sectors);
  const std::set<uint64_t> Distinct(Sectors, Sectors + Num);
  ASSERT_EQ(Distinct.size(), Num) << "one sector twice: " << text(A);
  ASSERT_EQ(Distinct, sectorSet(A)) << text(A);
  const SharedCost Cost = sharedCost(A, shapeOf(A)), Expected = costOf(A);
  ASSERT_EQ(Cost.Wavefronts, Expected.Wavefronts) << text(A);
  ASSERT_EQ(Cost.Conflicts, Expected.Conflicts) << text(A);
  // What the shape tells is no more than a short cut.
  const SharedCost Slow = sharedCost(A, AccessShape::Other);
  ASSERT_EQ(Slow.Wavefronts, Expected.Wavefronts) << text(A);
  ASSERT_EQ(Slow.Conflicts, Expected.Conflicts) << text(A);
}

unsigned sectors(const WarpAccess &A) {
  uint64_t Sectors[MaxSectors];
  return sectorsOf(A, Sectors);
}

void expectCost(const WarpAccess &A, uint32_t Wavefronts, uint32_t Conflicts) {
  const SharedCost Cost = sharedCost(A, shapeOf(A));
  EXPECT_EQ(Cost.Wavefronts, Wavefronts) << text(A);
  EXPECT_EQ(Cost.Conflicts, Conflicts) << text(A);
}

constexpr uint32_t Masks[] = {All,        1,          0x80000000, 0x0000ffff,
                              0xffff0000, 0x55555555, 0x00ff00ff, 0xfffffffe,
                              0x80000001, 0x0f0f0000};

} // namespace

// --- Shapes
// -------------------------------------------------------------------------

TEST(SimMemoryModel, Shapes) {
  EXPECT_EQ(shapeOf(strided(96, 0, 4)), AccessShape::Same);
  EXPECT_EQ(shapeOf(strided(96, 4, 4)), AccessShape::Consecutive);
  EXPECT_EQ(shapeOf(strided(97, 4, 4)), AccessShape::Consecutive);
  EXPECT_EQ(shapeOf(strided(96, 8, 4)), AccessShape::Other);
  EXPECT_EQ(shapeOf(strided(96, 4, 8)), AccessShape::Other);
  EXPECT_EQ(shapeOf(strided(4096, -4, 4)), AccessShape::Other);
  // A gap makes it another shape, however many lanes there are.
  EXPECT_EQ(shapeOf(strided(96, 4, 4, 0x7fffffff)), AccessShape::Other);
  EXPECT_EQ(shapeOf(strided(96, 0, 4, 0x7fffffff)), AccessShape::Same);
  EXPECT_EQ(shapeOf(strided(96, 4, 4, 0x00800000)), AccessShape::Same);
}

TEST(SimMemoryModel, OneLaneMakesTheShape) {
  for (unsigned Lane = 0; Lane < 32; ++Lane)
    for (uint64_t Stride : {0, 4}) {
      WarpAccess A = strided(1 << 20, Stride, 4);
      A.Address[Lane] += 1 << 12;
      EXPECT_EQ(shapeOf(A), AccessShape::Other) << Lane;
    }
}

// --- Sectors
// --------------------------------------------------------------------------

TEST(SimMemoryModel, SectorsByStrideOfWords) {
  const std::pair<uint64_t, unsigned> Expected[] = {
      {0, 1}, {1, 4}, {2, 8}, {3, 12}, {4, 16}, {8, 32}, {17, 32}};
  for (auto [Stride, Sectors] : Expected)
    EXPECT_EQ(sectors(strided(0, Stride * 4, 4)), Sectors) << Stride;
}

TEST(SimMemoryModel, SectorsByStrideOfDoubles) {
  const std::pair<uint64_t, unsigned> Expected[] = {
      {0, 1}, {1, 8}, {2, 16}, {3, 24}, {4, 32}, {8, 32}, {17, 32}};
  for (auto [Stride, Sectors] : Expected)
    EXPECT_EQ(sectors(strided(0, Stride * 8, 8)), Sectors) << Stride;
}

TEST(SimMemoryModel, AnOffsetCostsOneSectorMore) {
  EXPECT_EQ(sectors(strided(4, 4, 4)), 5U);
  EXPECT_EQ(sectors(strided(8, 8, 8)), 9U);
  EXPECT_EQ(sectors(strided(1, 1, 1)), 2U);
  EXPECT_EQ(sectors(strided(32, 4, 4)), 4U);
}

TEST(SimMemoryModel, SectorsOfWideAccesses) {
  EXPECT_EQ(sectors(strided(0, 16, 16)), 16U);
  EXPECT_EQ(sectors(strided(24, 64, 16)), MaxSectors) << "each in two sectors";
}

TEST(SimMemoryModel, SectorsOfAPartOfTheWarp) {
  EXPECT_EQ(sectors(strided(0, 4, 4, 0x000000ff)), 1U);
  EXPECT_EQ(sectors(strided(0, 4, 4, 0x80000001)), 2U);
  EXPECT_EQ(sectors(strided(0, 4, 4, 0x01010101)), 4U);
  EXPECT_EQ(sectors(strided(0, 128, 4, 0x00010000)), 1U);
}

TEST(SimMemoryModel, SectorsAtTheTopOfTheLog) {
  EXPECT_EQ(sectors(strided((uint64_t(1) << 48) - 128, 4, 4)), 4U);
}

// --- Banks
// -----------------------------------------------------------------------------

TEST(SimMemoryModel, ConflictsByStrideOfWords) {
  // The greatest common divisor with the number of banks.
  for (uint64_t Stride = 1; Stride <= 64; ++Stride) {
    unsigned Ways = 1;
    while (Ways < 32 && Stride % (uint64_t(2) * Ways) == 0)
      Ways *= 2;
    expectCost(strided(0, Stride * 4, 4), Ways, Ways - 1);
  }
  expectCost(strided(0, 0, 4), 1, 0);
}

TEST(SimMemoryModel, AColumnOfAMatrix) {
  expectCost(strided(128, 128, 4), 32, 31);
  expectCost(strided(128, 132, 4), 1, 0); // padded
  // Each half of the warp has 16 lanes for 2 banks.
  expectCost(strided(0, 256, 8), 32, 30);
  expectCost(strided(0, 264, 8), 2, 0);
}

TEST(SimMemoryModel, BroadcastsOfEverySize) {
  for (uint32_t Size : {1, 2, 4, 8, 16})
    for (uint32_t Mask : Masks)
      expectCost(strided(64, 0, Size, Mask), 1, 0);
}

TEST(SimMemoryModel, WideAccessesTakeAWavefrontForEachPart) {
  expectCost(strided(0, 8, 8), 2, 0);
  expectCost(strided(0, 16, 16), 4, 0);
  // Parts that take no part cost nothing.
  expectCost(strided(0, 8, 8, 0x0000ffff), 1, 0);
  expectCost(strided(0, 8, 8, 0xffff0000), 1, 0);
  expectCost(strided(0, 16, 16, 0x00ff0000), 1, 0);
  expectCost(strided(0, 16, 16, 0xff0000ff), 2, 0);
}

TEST(SimMemoryModel, PartsThatReadTheSameWordsShareAWavefront) {
  WarpAccess Halves = strided(0, 8, 8);
  for (unsigned L = 16; L < 32; ++L)
    Halves.Address[L] = Halves.Address[L - 16];
  expectCost(Halves, 1, 0);
  // One lane that wants another word of a bank is enough to part them.
  Halves.Address[31] += 128;
  expectCost(Halves, 2, 0);

  WarpAccess Quarters = strided(0, 16, 16);
  for (unsigned L = 8; L < 32; ++L)
    Quarters.Address[L] = Quarters.Address[L % 8];
  expectCost(Quarters, 1, 0);
  for (unsigned L = 16; L < 32; ++L)
    Quarters.Address[L] += 128;
  expectCost(Quarters, 2, 0);
}

TEST(SimMemoryModel, PartsWithConflictsAreApart) {
  // Lanes 0 and 1 collide, and the other half reads the same.
  WarpAccess A = strided(0, 0, 8);
  A.Address[1] = A.Address[17] = 128;
  expectCost(A, 4, 2);
}

TEST(SimMemoryModel, SmallAccessesToOneWordDoNotCollide) {
  expectCost(strided(0, 1, 1), 1, 0);
  expectCost(strided(0, 2, 2), 1, 0);
  expectCost(strided(0, 64, 2), 16, 15);
  // Across the border of two words, as hardware refuses to.
  expectCost(strided(2, 4, 4), 2, 1);
}

// --- Against the reference
// ------------------------------------------------------------

TEST(SimMemoryModel, EveryStrideSizeOffsetAndMask) {
  for (uint32_t Size : {1, 2, 4, 8, 16})
    for (uint64_t Stride : {0, 1, 2, 3, 4, 8, 17, 32, 33})
      for (uint64_t Offset : {0, 1, 4, 31, 124})
        for (uint32_t Mask : Masks) {
          compare(strided(4096 + Offset * Size, Stride * Size, Size, Mask));
          compare(strided(4096 + Offset, Stride * Size, Size, Mask));
          compare(strided(1 << 20, -Stride * Size, Size, Mask));
        }
}

TEST(SimMemoryModel, AccessesAtRandom) {
  std::mt19937_64 Random(1);
  for (unsigned Round = 0; Round < 4000; ++Round) {
    const uint32_t Size = 1U << Random() % 5;
    const uint64_t Span = uint64_t(1) << Random() % 14;
    auto Mask = static_cast<uint32_t>(Random());
    if (Round % 3 == 0)
      Mask = All;
    else if (Round % 3 == 1)
      Mask &= static_cast<uint32_t>(Random() >> 32 & Random());
    WarpAccess A = strided(0, 0, Size, Mask ? Mask : 1);
    for (unsigned L = 0; L < 32; ++L)
      if (active(A, L))
        A.Address[L] = 0x2000'0000'0000 + Random() % Span * Size;
    ASSERT_NO_FATAL_FAILURE(compare(A));
  }
}

// Parts of a warp that often want the same words.
TEST(SimMemoryModel, FewWordsAtRandom) {
  std::mt19937_64 Random(2);
  for (unsigned Round = 0; Round < 4000; ++Round) {
    const uint32_t Size = Round % 2 ? 8 : 16;
    WarpAccess A = strided(0, 0, Size);
    const uint64_t Words = 1 + Random() % 6;
    for (uint64_t &Address : A.Address)
      Address = Random() % Words * Size;
    A.Address[Random() % 32] += Random() % 3 * 128;
    ASSERT_NO_FATAL_FAILURE(compare(A));
  }
}
