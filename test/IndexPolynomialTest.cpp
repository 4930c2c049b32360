//===- IndexPolynomialTest.cpp - Addresses as polynomials -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "stage/common/IndexPolynomial.h"
#include "ParseIR.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ferry;

namespace {

class IndexPolynomialTest : public ::testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;
  std::optional<IndexPolynomials> Polynomials;

  /// \p Body computes with i64 %i and %j, which are Polynomial::I and J, and
  /// i64 %n, i32 %m and ptr %p, which may be atoms.
  void parse(const std::string &Body) {
    M = ferry::test::parseIR(Context,
                             "define void @f(i64 %i, i64 %j, i64 %n, i32 %m, "
                             "ptr %p) {\n" +
                                 Body + "  ret void\n}\n");
    ASSERT_TRUE(M);
    Function *F = M->getFunction("f");
    Polynomials.emplace(
        M->getDataLayout(),
        [F](Value *V) -> std::optional<Polynomial> {
          if (V == F->getArg(0))
            return Polynomial::atom(Polynomial::I);
          if (V == F->getArg(1))
            return Polynomial::atom(Polynomial::J);
          return std::nullopt;
        },
        [](Value *V) { return isa<Argument>(V); });
  }

  std::string text(const Polynomial &P) {
    std::string Text;
    raw_string_ostream OS(Text);
    for (const auto &[Product, Count] : P.terms()) {
      OS << (Count < 0 ? "-" : "+") << std::abs(Count);
      for (unsigned A : Product)
        if (A < Polynomial::FirstAtom)
          OS << (A == Polynomial::I ? "i" : "j");
        else
          OS << Polynomials->atom(A).V->getName();
    }
    return Text;
  }
  bool within(StringRef Name) {
    for (Instruction &I : instructions(M->getFunction("f")))
      if (I.getName() == Name)
        return Polynomials->getWithin(&I).has_value();
    return false;
  }
  std::string of(StringRef Name) {
    for (Instruction &I : instructions(M->getFunction("f")))
      if (I.getName() == Name) {
        auto P = Polynomials->get(&I);
        return P ? text(*P) : "none";
      }
    return "no such value";
  }
  std::string ranges() {
    std::string Text;
    for (const IndexPolynomials::Range &R : Polynomials->ranges())
      Text += (R.Signed ? "i" : "u") + std::to_string(R.Bits) + " " +
              text(R.P) + ";";
    return Text;
  }
};

TEST_F(IndexPolynomialTest, ProductsAreMultipliedOut) {
  parse("  %next = add i64 %i, 1\n"
        "  %row = mul i64 %next, %n\n"
        "  %at = add i64 %row, %j\n"
        "  %back = sub i64 %at, %row\n"
        "  %not = xor i64 %at, -1\n"
        "  %eight = shl i64 %at, 3\n"
        "  %square = mul i64 %at, %at\n"
        "  %bits = and i64 %at, 5\n"
        "  %third = udiv i64 %at, 3\n"
        "  %mixed = add i64 %third, %at\n");
  EXPECT_EQ(of("at"), "+1in+1j+1n");
  EXPECT_EQ(of("back"), "+1j");
  EXPECT_EQ(of("not"), "-1-1in-1j-1n");
  EXPECT_EQ(of("eight"), "+8in+8j+8n");
  EXPECT_EQ(of("square"), "+1iinn+2ijn+2inn+1jj+2jn+1nn");
  EXPECT_EQ(of("bits"), "none");
  EXPECT_EQ(of("mixed"), "none");
  EXPECT_EQ(ranges(), "");
}

TEST_F(IndexPolynomialTest, ExtensionsAreConditions) {
  parse("  %narrow = trunc i64 %i to i32\n"
        "  %row = mul i32 %narrow, %m\n"
        "  %back = add i32 %row, -1\n"
        "  %wide = sext i32 %back to i64\n"
        "  %kept = trunc i64 %wide to i32\n"
        "  %unsigned = zext i32 %row to i64\n"
        "  %negative = zext i32 %back to i64\n"
        "  %signed = zext nneg i32 %row to i64\n"
        "  %j.narrow = trunc i64 %j to i32\n"
        "  %product = mul i32 %row, %j.narrow\n"
        "  %both = zext i32 %product to i64\n"
        "  %m.wide = sext i32 %m to i64\n");
  EXPECT_EQ(of("back"), "-1+1im");
  EXPECT_EQ(of("kept"), "-1+1im");
  EXPECT_EQ(of("m.wide"), "+1m");
  EXPECT_EQ(ranges(), "");
  EXPECT_EQ(of("wide"), "-1+1im");
  EXPECT_EQ(ranges(), "i32 -1+1im;");
  EXPECT_EQ(of("wide"), "-1+1im");
  EXPECT_EQ(ranges(), "i32 -1+1im;") << "the same condition once more";
  EXPECT_EQ(of("unsigned"), "+1im");
  EXPECT_EQ(ranges(), "i32 -1+1im;u32 +1im;");
  EXPECT_EQ(of("negative"), "-1+1im");
  EXPECT_EQ(ranges(), "i32 -1+1im;u32 +1im;u32 -1+1im;");
  EXPECT_EQ(of("signed"), "+1im");
  EXPECT_EQ(of("both"), "none");
  EXPECT_EQ(ranges(), "i32 -1+1im;u32 +1im;u32 -1+1im;i32 +1im;");
}

TEST_F(IndexPolynomialTest, ShiftsAndMasksThatExtend) {
  parse("  %up = shl i64 %n, 32\n"
        "  %two = add i64 %up, -8589934592\n"
        "  %down = ashr i64 %two, 32\n"
        "  %eight = ashr i64 %two, 29\n"
        "  %odd = ashr i64 %two, 33\n"
        "  %low = and i64 %n, 2147483647\n"
        "  %less = add i64 %n, -1\n"
        "  %short = and i64 %less, 4294967295\n");
  // All are about the low half of %n.
  EXPECT_EQ(of("down"), "-2+1n");
  EXPECT_EQ(Polynomials->numAtoms(), 1u);
  EXPECT_EQ(Polynomials->atom(Polynomial::FirstAtom).Bits, 32u);
  EXPECT_EQ(of("eight"), "-16+8n");
  EXPECT_EQ(ranges(), "i32 -2+1n;i35 -16+8n;");
  EXPECT_EQ(of("odd"), "none");
  EXPECT_EQ(of("low"), "+1n");
  EXPECT_EQ(of("short"), "-1+1n");
  EXPECT_EQ(Polynomials->numAtoms(), 1u);
  EXPECT_EQ(ranges(), "i32 -2+1n;i35 -16+8n;u31 +1n;u32 -1+1n;");
}

TEST_F(IndexPolynomialTest, WithinTheConditionsThatThereAre) {
  parse("  %narrow = trunc i64 %i to i32\n"
        "  %one = sext i32 %narrow to i64\n"
        "  %twice = add i64 %one, %one\n"
        "  %next = add i32 %narrow, 1\n"
        "  %other = sext i32 %next to i64\n");
  EXPECT_EQ(of("one"), "+1i");
  const std::string Before = ranges();
  EXPECT_TRUE(within("twice"));
  EXPECT_FALSE(within("other"));
  EXPECT_EQ(ranges(), Before);
}

TEST_F(IndexPolynomialTest, Addresses) {
  parse("  %narrow = trunc i64 %j to i32\n"
        "  %row = getelementptr [100 x { i32, double }], ptr %p, i64 %i\n"
        "  %at = getelementptr { i32, double }, ptr %row, i32 %narrow, i32 1\n"
        "  %global = addrspacecast ptr %at to ptr addrspace(1)\n"
        "  %next = getelementptr i8, ptr addrspace(1) %global, i64 -16\n");
  EXPECT_EQ(of("next"), "-8+1600i+16j+1p");
  EXPECT_EQ(ranges(), "i32 +1j;");
}

TEST_F(IndexPolynomialTest, OverflowIsRefused) {
  parse("  %large = mul i64 %i, 4611686018427387904\n"
        "  %larger = add i64 %large, %large\n"
        "  %fits = sub i64 %larger, %large\n");
  EXPECT_EQ(of("large"), "+4611686018427387904i");
  EXPECT_EQ(of("larger"), "none");
  EXPECT_EQ(of("fits"), "none");
}

TEST_F(IndexPolynomialTest, LongSumsEnd) {
  std::string Body = "  %x0 = add i64 %i, %n\n";
  for (int K = 1; K < 60; ++K)
    Body += "  %x" + std::to_string(K) + " = mul i64 %x" +
            std::to_string(K - 1) + ", %x" + std::to_string(K - 1) + "\n";
  parse(Body);
  EXPECT_EQ(of("x59"), "none");
}

TEST_F(IndexPolynomialTest, LargeOnesAreRefused) {
  // (n0 + n1 + ...)^2 has more than MaxTerms terms.
  Polynomial Sum;
  for (unsigned K = 0; K < 8; ++K)
    Sum = *Sum.plus(Polynomial::atom(K));
  EXPECT_FALSE(Sum.times(Sum));
  EXPECT_FALSE(Polynomial::constant(INT64_MIN).plus(Polynomial()) &&
               Polynomial().plus(Polynomial::constant(INT64_MIN)));
  parse("  %wide = sext i64 %i to i128\n"
        "  %more = add i128 %wide, 1\n"
        "  %back = trunc i128 %more to i64\n"
        "  %least = add i64 %i, -9223372036854775808\n");
  EXPECT_EQ(of("more"), "none");
  EXPECT_EQ(of("back"), "none");
  EXPECT_EQ(of("least"), "none");
}

TEST_F(IndexPolynomialTest, FactorsAndMultiples) {
  auto I = Polynomial::atom(Polynomial::I), J = Polynomial::atom(Polynomial::J),
       A = Polynomial::atom(Polynomial::FirstAtom),
       Eight = Polynomial::constant(8);
  Polynomial Step = *A.times(Eight);
  Polynomial At = *I.times(Step)->plus(J, 8)->plus(A);
  EXPECT_EQ(At.factorOf(Polynomial::I), Step);
  EXPECT_EQ(At.factorOf(Polynomial::J), Eight);
  EXPECT_FALSE(I.times(J)->factorOf(Polynomial::I));
  EXPECT_EQ(I.times(I)->factorOf(Polynomial::I), std::nullopt);
  EXPECT_EQ(At.asConstant(), std::nullopt);
  EXPECT_EQ(At.plus(At, -1)->asConstant(), 0);

  // 16 a - 24 is twice 8 a, and a rest.
  EXPECT_EQ(
      A.plus(A)->times(Eight)->plus(Polynomial::constant(-24))->timesOf(Step),
      2);
  EXPECT_EQ(Polynomial::constant(24).timesOf(Step), 0);
  EXPECT_EQ(A.timesOf(Step), std::nullopt);
  EXPECT_EQ(J.timesOf(Step), std::nullopt);
  // Of numbers the nearest multiple.
  Polynomial Row = Polynomial::constant(800);
  EXPECT_EQ(Polynomial::constant(792).timesOf(Row), 1);
  EXPECT_EQ(Polynomial::constant(-808).timesOf(Row), -1);
  EXPECT_EQ(Polynomial::constant(-1592).timesOf(Row), -2);
  EXPECT_EQ(Polynomial::constant(8).timesOf(Row), 0);
  EXPECT_EQ(Polynomial::constant(792).timesOf(Polynomial::constant(-800)), -1);
}

} // namespace
