//===- RangeExpressionTest.cpp - Bounds known at the launch ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "closure/RangeExpression.h"
#include "RangeEvaluation.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace ferry;
using namespace ferry::test;

namespace {

std::string text(const AccessRange &R) {
  std::string Text;
  raw_string_ostream OS(Text);
  R.print(OS);
  return Text;
}

std::string text(const RangeTable &T, RangeTable::Term First) {
  return text(*T.range(First, First, 100));
}

} // namespace

TEST(RangeExpression, EqualTermsAreOne) {
  RangeTable T;
  auto A = T.argument(0, 64), B = T.word(1, {8, 0}, 64);
  EXPECT_EQ(T.add(A, B), T.add(B, A));
  EXPECT_EQ(T.mul(A, B), T.mul(B, A));
  EXPECT_EQ(T.argument(0, 64), A);
  EXPECT_NE(T.argument(0, 32), A);
  EXPECT_NE(T.word(1, {8}, 64), B);
}

TEST(RangeExpression, ConstantsAreFolded) {
  RangeTable T;
  auto A = T.argument(0, 64);
  auto Plus = [&](RangeTable::Term X, int64_t C) {
    return T.add(X, T.constant(C));
  };
  EXPECT_EQ(Plus(Plus(A, 3), -3), A);
  EXPECT_EQ(T.add(Plus(A, 3), Plus(A, 4)), Plus(T.add(A, A), 7));
  EXPECT_EQ(T.mul(A, T.constant(1)), A);
  EXPECT_EQ(T.constantOf(T.mul(A, T.constant(0))), 0);
  EXPECT_EQ(T.constantOf(T.add(T.constant(INT32_MAX, 32), T.constant(1, 32))),
            INT32_MIN);
  EXPECT_FALSE(T.constantOf(T.add(T.constant(INT64_MAX), T.constant(1))));
  EXPECT_EQ(T.constantOf(T.zeroExtend(T.constant(-1, 8), 64)), 255);
  EXPECT_EQ(T.constantOf(T.signExtend(T.constant(255, 8), 64)), -1);
}

TEST(RangeExpression, ChoicesOfOneTermAndConstants) {
  RangeTable T;
  auto A = T.argument(0, 64), B = T.argument(1, 64);
  auto Less = T.add(A, T.constant(-8)), More = T.add(A, T.constant(8));
  EXPECT_EQ(T.choose(RangeTerm::SMin, Less, More), Less);
  EXPECT_EQ(T.choose(RangeTerm::SMax, A, More), More);
  EXPECT_EQ(T.choose(RangeTerm::SMin, A, B), T.choose(RangeTerm::SMin, B, A));
  EXPECT_EQ(
      T.constantOf(T.choose(RangeTerm::UMax, T.constant(-1), T.constant(1))),
      -1);
}

TEST(RangeExpression, DemandsThatAreMetAnyway) {
  RangeTable T;
  auto A = T.argument(0, 32), Wide = T.signExtend(A, 64);
  EXPECT_EQ(T.fitsSigned(Wide, 32), Wide);
  EXPECT_NE(T.fitsUnsigned(Wide, 32), Wide);
  EXPECT_EQ(T.fitsUnsigned(T.zeroExtend(A, 64), 32), T.zeroExtend(A, 64));
  EXPECT_EQ(T.fitsUnsigned(T.constant(7), 3), T.constant(7));
  EXPECT_NE(T.fitsUnsigned(T.constant(8), 3), T.constant(8));
  auto Fits = T.fitsUnsigned(Wide, 32);
  EXPECT_EQ(T.fitsUnsigned(Fits, 64), Fits);
  EXPECT_EQ(T.given(Wide, Wide), Wide);
  auto Given = T.given(Wide, Fits);
  EXPECT_NE(Given, Wide);
  EXPECT_EQ(T.given(Given, Fits), Given);
}

TEST(RangeExpression, Text) {
  RangeTable T;
  auto N = T.signExtend(T.word(2, {8, -4}, 32), 64);
  EXPECT_EQ(text(T, T.mul(N, T.constant(-8))),
            "(sext64(i32 argument 2[+8][-4]) * -8) to "
            "(sext64(i32 argument 2[+8][-4]) * -8)");
  // What is used more than once is written once.
  auto M = T.choose(RangeTerm::SMin, N, T.argument(0, 64));
  auto R = T.range(T.negate(M), T.add(M, T.constant(7)), 100);
  EXPECT_EQ(text(*R), "(%0 * -1) to (%0 + 7) with %0 = "
                      "smin(sext64(i32 argument 2[+8][-4]), i64 argument 0)");
}

TEST(RangeExpression, RangesAreEqualByWhatTheySay) {
  RangeTable T, U;
  U.argument(7, 8); // something else first
  auto Make = [](RangeTable &In) {
    auto A = In.argument(0, 64);
    return *In.range(A, In.add(A, In.constant(7)), 100);
  };
  EXPECT_EQ(Make(T), Make(U));
  EXPECT_FALSE(Make(T) == *T.range(T.argument(0, 64), T.argument(0, 64), 100));
  EXPECT_EQ(Make(T).Terms.size(), 3u);
  EXPECT_EQ(Make(T).constantFirst(), std::nullopt);
}

TEST(RangeExpression, RangesHaveALimit) {
  RangeTable T;
  auto A = T.argument(0, 64);
  for (unsigned I = 1; I < 10; ++I)
    A = T.add(A, T.argument(I, 64));
  EXPECT_FALSE(T.range(A, A, 18));
  EXPECT_TRUE(T.range(A, A, 19));
}

TEST(RangeExpression, ConstantRanges) {
  RangeTable T;
  auto R = *T.range(T.constant(-8), T.constant(-1), 100);
  EXPECT_EQ(R.constantFirst(), -8);
  EXPECT_EQ(R.constantLast(), -1);
  EXPECT_EQ(evaluate(R, nullptr), "-8..-1");
}

TEST(RangeExpression, RangesThatAlwaysHaveThePointer) {
  RangeTable T;
  auto Has = [&](RangeTable::Term First, RangeTable::Term Last) {
    return T.range(First, Last, 100)->alwaysHasPointer();
  };
  auto Zero = T.constant(0), A = T.argument(0, 64);
  auto Count = T.fitsUnsigned(A, 64), Way = T.mul(A, Count);
  auto Below = T.choose(RangeTerm::SMin, Zero, Way);
  auto Above = T.choose(RangeTerm::SMax, Zero, Way);
  EXPECT_TRUE(Has(Zero, Zero));
  EXPECT_TRUE(Has(Zero, T.add(T.mul(Count, T.constant(8)), T.constant(7))));
  EXPECT_TRUE(Has(Below, T.add(Above, T.constant(7))));
  EXPECT_TRUE(Has(T.negate(Count), Above));
  EXPECT_TRUE(Has(T.mul(Below, T.constant(8)), T.given(Above, Count)));
  EXPECT_FALSE(Has(T.constant(8), Count));
  EXPECT_FALSE(Has(Zero, A));
  EXPECT_FALSE(Has(A, Zero));
  EXPECT_FALSE(Has(T.negate(Count), T.constant(-1)));
  EXPECT_FALSE(Has(T.add(Below, T.constant(8)), Above));
  EXPECT_FALSE(Has(Below, T.mul(Above, A)));
}

TEST(RangeExpression, Evaluation) {
  RangeTable T;
  auto A = T.argument(0, 32);
  auto Wide = T.signExtend(T.add(A, T.constant(1, 32)), 64);
  auto Of = [&](RangeTable::Term Term, int64_t Value) {
    return evaluate(*T.range(Term, Term, 100),
                    [&](const RangeTerm &) { return Value; });
  };
  EXPECT_EQ(Of(Wide, INT32_MAX), "-2147483648..-2147483648");
  EXPECT_EQ(Of(T.fitsUnsigned(Wide, 31), 4), "5..5");
  EXPECT_EQ(Of(T.fitsUnsigned(Wide, 31), -4), "unknown");
  auto Ten = T.constant(10);
  EXPECT_EQ(Of(T.divide(RangeTerm::SDiv, Ten, Wide), 2), "3..3");
  EXPECT_EQ(Of(T.divide(RangeTerm::SDiv, Ten, Wide), -1), "unknown");
  EXPECT_EQ(Of(T.mul(T.mul(Wide, T.constant(INT64_MAX / 4)), Wide), 5),
            "unknown");
}
