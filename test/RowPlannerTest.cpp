//===- RowPlannerTest.cpp - What is worth staging, and where it lies ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageTest.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace ferry;

namespace {

class RowPlannerTest : public ferry::test::StageTest {
protected:
  StageOptions Options;
  std::vector<StageNote> Notes;
  KernelLimits Limits;

  std::vector<RowRegionPlan> plan(StageMode Mode = StageMode::On) {
    EXPECT_FALSE(readLimits(*F, Limits));
    Notes.clear();
    std::vector<RowCandidate> Candidates = Analysis->candidates();
    for (RowCandidate &Its : Candidates) // as findPlan() asks LLVM
      Its.Unit.TimesUnrolled = Its.Unit.Stores.empty() ? 8 : 0;
    return chooseRows(std::move(Candidates), Limits,
                      std::max(Limits.maxWarps(), 2u), Limits.budget(Options),
                      Mode, Notes);
  }
  StageRefusal refusal() {
    EXPECT_TRUE(plan().empty());
    EXPECT_EQ(Notes.size(), 1u);
    return Notes.empty() ? StageRefusal::GenericMode : Notes[0].Why;
  }
};

/// Different banks for the same column of the rows of the threads that access
/// shared memory at a time: accesses of 8 and 16 bytes are made by a half and a
/// quarter of the warp.
bool isFreeOfConflicts(unsigned Pitch, unsigned Size) {
  unsigned Together = Size <= 4 ? 32 : 128 / Size;
  std::vector<unsigned> User(32, ~0u);
  for (unsigned Thread = 0; Thread < Together; ++Thread)
    for (unsigned Byte = 0; Byte < Size; Byte += 4) {
      unsigned Word = (Thread * Pitch + Byte) / 4;
      if (User[Word % 32] != ~0u && User[Word % 32] != Word)
        return false;
      User[Word % 32] = Word;
    }
  return true;
}

TEST_F(RowPlannerTest, PitchIsFreeOfConflicts) {
  for (auto [Type, Size] :
       {std::pair("i8", 1u), std::pair("i16", 2u), std::pair("float", 4u),
        std::pair("double", 8u), std::pair("<4 x float>", 16u)})
    for (uint64_t Bytes : {48u * 1024, 24u * 1024, 14u * 1024}) {
      SCOPED_TRACE(std::string(Type) + " in " + std::to_string(Bytes));
      parse(rows(Type, "%m"), "\"omp_target_thread_limit\"=\"128\"");
      Options.MaxBytes = Bytes;
      std::vector<RowRegionPlan> Plans = plan(StageMode::Always);
      ASSERT_EQ(Plans.size(), 1u);
      const RowUnitPlan &P = Plans[0].Units[0];
      EXPECT_LE(P.BlockBytes, Bytes);
      EXPECT_GE(P.Tile.Streams[0].Pitch, P.Tile.Iterations * Size);
      EXPECT_EQ(P.Tile.Streams[0].Pitch % Size, 0u);
      EXPECT_TRUE(
          isFreeOfConflicts(P.Tile.Streams[0].Pitch, P.isWide(0) ? 16 : Size));
    }
}

TEST_F(RowPlannerTest, TilesAreHalvedToFit) {
  parse(rows("double", "%m"), "\"omp_target_thread_limit\"=\"128\"");
  unsigned Steps = plan()[0].Units[0].Tile.Iterations;
  auto TakeAByte = [&] {
    Options.MaxBytes = plan()[0].Units[0].BlockBytes - 1;
  };
  for (; Steps > 16; Steps /= 2) {
    // First its rows lie nearer to each other.
    for (unsigned Is : {Steps, Steps / 2}) {
      TakeAByte();
      ASSERT_EQ(plan().size(), 1u);
      EXPECT_EQ(plan()[0].Units[0].Tile.Iterations, Is);
      EXPECT_EQ(plan()[0].Units[0].isWide(0), Is != Steps);
    }
  }
  TakeAByte();
  TakeAByte();
  EXPECT_EQ(refusal(), StageRefusal::NoBudget);
}

TEST_F(RowPlannerTest, FourTilesOfFloatsHaveTheRoomOfTwoOfDoubles) {
  auto Plan = [&](const char *Type, const char *Arch) {
    parse(rows(Type, "%m"), std::string("\"omp_target_thread_limit\"=\"128\" "
                                        "\"target-cpu\"=\"") +
                                Arch + "\"");
    const RowUnitPlan U = plan().at(0).Units.at(0);
    return std::tuple(U.mostAhead(), U.isHalved(), U.BlockBytes);
  };
  // 32 rows of 32 or, for the largest blocks, 16 numbers, each with 16 bytes
  // behind it.
  EXPECT_EQ(Plan("float", "sm_80"), std::tuple(3u, false, 4 * 4608u));
  EXPECT_EQ(Plan("double", "sm_80"), std::tuple(1u, true, 4 * 4608u));
  // Nobody reads ahead there.
  EXPECT_EQ(Plan("float", "sm_70"), std::tuple(0u, true, 4 * 2560u));
}

TEST_F(RowPlannerTest, SharedMemoryOfTheProgramCounts) {
  parse(rows("double", "%m"), "\"omp_target_thread_limit\"=\"128\"");
  unsigned Bytes = plan()[0].Units[0].BlockBytes;
  // As much as is left over beside the tiles, and a byte more.
  auto Use = [&](unsigned Size) {
    auto *Ty = ArrayType::get(Type::getInt8Ty(Context), Size);
    auto *G = new GlobalVariable(*M, Ty, false, GlobalValue::InternalLinkage,
                                 PoisonValue::get(Ty), "fallback", nullptr,
                                 GlobalValue::NotThreadLocal, 3);
    new StoreInst(ConstantInt::getFalse(Context), G, false, Align(1),
                  block("end")->getTerminator()->getIterator());
    return G;
  };
  Use(48 * 1024 - Bytes);
  EXPECT_EQ(plan()[0].Units[0].BlockBytes, Bytes);
  Use(1);
  EXPECT_LT(plan()[0].Units[0].BlockBytes, Bytes);
}

TEST_F(RowPlannerTest, Limits) {
  parse(rows("double", "%m"));
  ASSERT_FALSE(readLimits(*F, Limits));
  EXPECT_EQ(Limits.MaxThreads, 256u);
  EXPECT_TRUE(Limits.MayHaveMore);
  // Whole warps.
  parse(rows("double", "%m"), "\"omp_target_thread_limit\"=\"50\"");
  ASSERT_FALSE(readLimits(*F, Limits));
  EXPECT_EQ(Limits.MaxThreads, 64u);
  EXPECT_FALSE(Limits.MayHaveMore);
  EXPECT_EQ(Limits.WarpSize, 32u);
  F->addFnAttr("target-cpu", "sm_62");
  EXPECT_EQ(readLimits(*F, Limits), StageRefusal::UnsupportedTarget);
  F->addFnAttr("target-cpu", "sm_70");
  EXPECT_FALSE(readLimits(*F, Limits));
  M->getNamedGlobal("__omp_offloading_k_kernel_environment")
      ->setName("elsewhere");
  EXPECT_EQ(readLimits(*F, Limits), StageRefusal::GenericMode);
}

TEST_F(RowPlannerTest, Profit) {
  parse(rows("double", "1", "%n"));
  EXPECT_EQ(refusal(), StageRefusal::AlreadyCoalesced);
  parse(rows("double", "0"));
  EXPECT_EQ(refusal(), StageRefusal::SharedRow);
  parse(rows("double", "1000", "16"));
  EXPECT_EQ(refusal(), StageRefusal::LongStep);
  // All of them but what is one for all can be staged.
  parse(rows("double", "1000", "16"));
  EXPECT_EQ(plan(StageMode::Always).size(), 1u);
  parse(rows("double", "0"));
  EXPECT_TRUE(plan(StageMode::Always).empty());
}

/// A remark has the first gain that is one.
TEST(RowPriceTest, ReasonIsTheFirstThatPays) {
  RowPrice Price;
  auto Set = [](PredictedGain &Gain, double Plain, double Staged) {
    Gain.Plain.Clocks = Plain;
    Gain.Staged.Clocks = Staged;
  };
  Set(Price.Many, 20, 19.9);
  Set(Price.Conflicting, 40, 39.9);
  Set(Price.OneWarp, 60, 59.9);
  EXPECT_EQ(Price.reason().Gain, &Price.Many);
  EXPECT_FALSE(Price.reason().pays());
  Set(Price.OneWarp, 60, 30);
  EXPECT_EQ(Price.reason().Gain, &Price.OneWarp);
  EXPECT_TRUE(Price.reason().pays());
  Set(Price.Conflicting, 40, 20);
  EXPECT_EQ(Price.reason().Gain, &Price.Conflicting);
  EXPECT_STREQ(Price.reason().Where, "where rows begin in the same banks");
  Set(Price.Many, 20, 10);
  EXPECT_EQ(Price.reason().Gain, &Price.Many);
  EXPECT_STREQ(Price.reason().Where, "");
}

/// In a launch of few warps the iterations that make up for a meeting depend on
/// how much one saves, and on the GPU.
TEST_F(RowPlannerTest, FewWarps) {
  auto Replaced = [](std::string Text, StringRef From, const char *To) {
    return Text.replace(Text.find(From), From.size(), To);
  };
  const std::string One = rows("double", "%m");
  const std::string Two = Replaced(One, "  %next =",
                                   "  %q = getelementptr double, ptr %b, "
                                   "i64 %where\n"
                                   "  %w = load double, ptr %q\n"
                                   "  %next =");
  // Then the next iteration waits for this one.
  const std::string Stored =
      Replaced(Two, "  %next =", "  store double %w, ptr %q\n  %next =");
  auto Least = [&](const std::string &Body, const char *Cpu) {
    parse(Body, "\"omp_target_thread_limit\"=\"128\"");
    F->addFnAttr("target-cpu", Cpu);
    std::vector<RowRegionPlan> Plans = plan();
    EXPECT_EQ(Plans.size(), 1u);
    return Plans.empty() ? 0
                         : Plans[0].Units[0].minTripCount(LaunchKind::FewWarps);
  };
  for (const std::string &Body : {One, Two, Stored})
    EXPECT_EQ(Least(Body, "sm_80"), 64u); // two tiles
  // Without asynchronous copies.
  EXPECT_GT(Least(One, "sm_70"), 128u);
  EXPECT_LT(Least(One, "sm_70"), 160u);
  EXPECT_EQ(Least(Two, "sm_70"), UINT64_MAX);
  EXPECT_EQ(Least(Stored, "sm_70"), 64u);
  parse(One, "\"omp_target_thread_limit\"=\"128\"");
  EXPECT_EQ(plan()[0].Units[0].minTripCount(LaunchKind::ManyWarps), 32u);
}

/// A tile may have one long iteration. Even then it is asked whether it pays.
TEST(RowUnitPlanTest, OneIterationIsAskedFor) {
  RowUnitPlan Plan;
  Plan.Tile.Iterations = 1;
  EXPECT_EQ(Plan.minTripCount(LaunchKind::ManyWarps), 1u);
  EXPECT_EQ(Plan.minTripCount(LaunchKind::FewWarps), UINT64_MAX);
  EXPECT_TRUE(Plan.canBeShort());
}

/// Where threads are so many that the first level has no room for their rows,
/// rows pay that are shorter: by how much memory reads in vain, and by what a
/// GPU has for a byte of it.
TEST_F(RowPlannerTest, Thrashing) {
  auto Unit = [&](const char *Type, const char *Cpu) {
    parse(rows(Type, "%m"), "\"omp_target_thread_limit\"=\"128\"");
    F->addFnAttr("target-cpu", Cpu);
    std::vector<RowRegionPlan> Plans = plan();
    EXPECT_EQ(Plans.size(), 1u);
    return Plans.at(0).Units.at(0);
  };
  const RowUnitPlan Volta = Unit("double", "sm_70"),
                    Ampere = Unit("double", "sm_80"),
                    Floats = Unit("float", "sm_80");
  const auto &Point = Volta.Price.Thrashing;
  EXPECT_EQ(Point.MaxRows, 80u * 2048);
  EXPECT_GE(Point.Iterations, 80u * (96 << 10) / 8);
  EXPECT_LE(Point.Iterations, 80u * (128 << 10) / 8);
  auto Shortest = [](const RowUnitPlan &P) {
    return P.minTripCount(LaunchKind::Thrashing);
  };
  EXPECT_LT(Shortest(Volta), Shortest(Ampere));
  EXPECT_LT(Shortest(Ampere), Shortest(Floats));
  for (const RowUnitPlan &P : {Volta, Ampere, Floats}) {
    EXPECT_LE(Shortest(P), P.minTripCount(LaunchKind::ManyWarps));
    EXPECT_EQ(Shortest(P), P.minTripCount());
    EXPECT_LE(P.leastDistance(0, LaunchKind::Thrashing),
              P.leastDistance(0, LaunchKind::ManyWarps));
  }
  // Of a longer row a thread needs a line at a time.
  EXPECT_EQ(Point.MostOfRow, 128u / 8);
  // As many bytes.
  EXPECT_EQ(Ampere.Price.Thrashing.Iterations,
            Floats.Price.Thrashing.Iterations / 2);
}

TEST_F(RowPlannerTest, ModelCountsSectors) {
  constexpr char Blocks[] = "\"omp_target_thread_limit\"=\"128\"";
  parse(rows("double", "%m"), Blocks);
  RowCost Cost = plan()[0].Units[0].Cost;
  EXPECT_EQ(Cost.SectorsBefore, 32);
  EXPECT_EQ(Cost.SectorsAfter, 8);
  parse(rows("i8", "%m"));
  EXPECT_EQ(plan(StageMode::Always)[0].Units[0].Cost.SectorsAfter, 1);
  EXPECT_EQ(refusal(), StageRefusal::ShortWord);
  parse(rows("float", "100", "2"), Blocks);
  EXPECT_EQ(plan()[0].Units[0].Cost.SectorsAfter, 8);
}

TEST_F(RowPlannerTest, KernelsByName) {
  Options.Kernels = {{"_k", StageMode::Off}, {"offloading", StageMode::Always}};
  EXPECT_EQ(Options.modeFor("__omp_offloading_k"), StageMode::Always);
  EXPECT_EQ(Options.modeFor("other_k"), StageMode::Off);
  EXPECT_EQ(Options.modeFor("other"), StageMode::On);
}

} // namespace
