//===- LaunchPlannerRangeTest.cpp - Ranges of accesses in plans -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchPlannerTest.h"

using namespace llvm;
using namespace ferry;
using namespace ferry::test;

namespace {

/// Writes to the bytes of the pointer at 0 that begin at the number that \p
/// Load gives as %n.
std::string writeAt(const std::string &Load) {
  return kernel("  %p = load ptr, ptr %f\n" + Load +
                "  %q = getelementptr i8, ptr %p, i64 %n\n"
                "  store i8 0, ptr %q");
}

constexpr char WordAt8[] = "  %f.n = getelementptr i8, ptr %f, i64 8\n"
                           "  %n = load i64, ptr %f.n\n";
constexpr char WordBehind8[] = "  %f.r = getelementptr i8, ptr %f, i64 8\n"
                               "  %r = load ptr, ptr %f.r\n"
                               "  %n = load i64, ptr %r\n";

/// The ranges of the plan of \p S, whose fallback gets a known object.
std::string ranges(Scene &S) {
  S.Site.FallbackArguments.resize(S.Site.EntryOfArgument.size());
  S.Site.FallbackArguments[0] = S.Site.Kernel->getArg(0);
  PlannedLaunch P = S.plan();
  std::string Text;
  raw_string_ostream OS(Text);
  for (const AccessRange &R : P.Ranges) {
    R.print(OS);
    OS << "; ";
  }
  OS << noted(P, PointerNote::LookedUp);
  return Text;
}

} // namespace

TEST(LaunchPlannerRange, RangesByWordsOfTheClosure) {
  Scene S(writeAt(WordAt8), closure(16, {pointer(0, "f.p")}));
  EXPECT_EQ(ranges(S), "i64 argument 0[+8] to i64 argument 0[+8]; ");
  // Beyond the object that is captured.
  Scene Small(writeAt(WordAt8), closure(8, {pointer(0, "f.p")}));
  EXPECT_EQ(ranges(Small), "f.p");
}

TEST(LaunchPlannerRange, RangesByWordsBehindReferences) {
  Scene S(writeAt(WordBehind8),
          closure(16, {pointer(0, "f.p"), reference(8, "f.n", 8)}));
  EXPECT_EQ(ranges(S), "i64 argument 0[+8][+0] to i64 argument 0[+8][+0]; ");
  Scene Pointer(writeAt(WordBehind8),
                closure(16, {pointer(0, "f.p"), pointer(8, "f.n")}));
  EXPECT_EQ(ranges(Pointer), "f.p");
}

TEST(LaunchPlannerRange, RangesByArguments) {
  Scene S(writeAt("  %n = add i64 %i, 0\n"), closure(16, {pointer(0, "f.p")}));
  EXPECT_EQ(ranges(S), "i64 argument 1 to i64 argument 1; ");
  // Of an entry that is no literal.
  S.Site.Types[S.Site.EntryOfArgument[1]] = PointerEntry;
  EXPECT_EQ(ranges(S), "f.p");
}

TEST(LaunchPlannerRange, RangesWhereTheObjectIsNotKnown) {
  Scene S(writeAt(WordAt8), closure(16, {pointer(0, "f.p")}));
  EXPECT_TRUE(S.plan().Ranges.empty());
  EXPECT_EQ(noted(S.plan(), PointerNote::LookedUp), "f.p");
}

TEST(LaunchPlannerRange, EqualRangesAreOne) {
  Scene S(kernel(R"(
  %p = load ptr, ptr %f
  %f.o = getelementptr i8, ptr %f, i64 8
  %o = load ptr, ptr %f.o
  %a = getelementptr i8, ptr %p, i64 %i
  store i8 0, ptr %a
  %b = getelementptr i8, ptr %o, i64 %i
  store i8 0, ptr %b)"),
          closure(16, {pointer(0, "f.p"), pointer(8, "f.o")}));
  PlannedLaunch P = S.plan();
  EXPECT_EQ(P.Ranges.size(), 1u);
  EXPECT_EQ(P.Slots[0].Range, 1u);
  EXPECT_EQ(P.Slots[1].Range, 1u);
  EXPECT_TRUE(P.Flags & LaunchPlan::Values);
}
