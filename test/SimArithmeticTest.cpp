//===- SimArithmeticTest.cpp - Tests of NVVM's arithmetic -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimDevice.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <random>

namespace {

constexpr float Inf = std::numeric_limits<float>::infinity();
constexpr float NaN = std::numeric_limits<float>::quiet_NaN();
constexpr float Subnormal = 0x1p-140f;
constexpr uint32_t CanonicalNaN = 0x7fffffff;

uint32_t bits(float Value) { return bitsAs<uint32_t>(Value); }

std::string nvvm(const std::string &Name) { return "llvm.nvvm." + Name; }

/// \p Exact as a float, rounded by \p Mode (rn, rz, rm, rp) with no use of the
/// processor's rounding mode.
float roundTo(const std::string &Mode, double Exact) {
  auto Nearest = static_cast<float>(Exact);
  if (Mode == "rn" || Nearest == Exact)
    return Nearest;
  bool Up = Mode == "rp" || (Mode == "rz" && Exact < 0);
  if (Up)
    return Nearest > Exact ? Nearest : std::nextafter(Nearest, Inf);
  return Nearest < Exact ? Nearest : std::nextafter(Nearest, -Inf);
}

const char *const Modes[] = {"rn", "rz", "rm", "rp"};

} // namespace

// --- Rounding ----------------------------------------------------------------

TEST(SimArithmetic, FloatOperationsAreRoundedAsExactResultsAre) {
  std::mt19937 Random(1);
  std::uniform_real_distribution<float> Numbers(-4, 4);
  for (int I = 0; I < 2000; ++I) {
    float A = Numbers(Random), B = Numbers(Random);
    for (std::string Mode : Modes) {
      // Of floats of like size both are exact in double precision.
      EXPECT_EQ(call<float>(nvvm("mul." + Mode + ".f"), A, B),
                roundTo(Mode, double(A) * B));
      EXPECT_EQ(call<float>(nvvm("add." + Mode + ".f"), A, B),
                roundTo(Mode, double(A) + B));
      EXPECT_EQ(call<float>(nvvm("d2f." + Mode), double(A) / B),
                roundTo(Mode, double(A) / B));
      EXPECT_EQ(callSymbol<float>("ferry_sim_asm_sub_" + Mode + "_f32", A, B),
                roundTo(Mode, double(A) - B));
    }
    ASSERT_EQ(std::fegetround(), FE_TONEAREST);
  }
}

TEST(SimArithmetic, DirectedResultsEncloseTheExactOne) {
  std::mt19937_64 Random(2);
  std::uniform_real_distribution<double> Numbers(0.5, 8);
  int Inexact = 0;
  for (int I = 0; I < 1000; ++I) {
    double A = Numbers(Random), B = Numbers(Random);
    // The sign of R * B - A, of R * R - A and of R * A - 1 is exact by fma.
    double Down = call<double>("llvm.nvvm.div.rm.d", A, B);
    double Up = call<double>("llvm.nvvm.div.rp.d", A, B);
    EXPECT_LE(std::fma(Down, B, -A), 0);
    EXPECT_GE(std::fma(Up, B, -A), 0);
    EXPECT_EQ(call<double>("llvm.nvvm.div.rz.d", -A, B), -Down);
    Inexact += Down != Up && Up == std::nextafter(Down, Up);

    Down = call<double>("llvm.nvvm.sqrt.rm.d", A);
    Up = call<double>("llvm.nvvm.sqrt.rp.d", A);
    EXPECT_LE(std::fma(Down, Down, -A), 0);
    EXPECT_GE(std::fma(Up, Up, -A), 0);
    EXPECT_EQ(call<double>("llvm.nvvm.sqrt.rz.d", A), Down);
    Inexact += Down != Up && Up == std::nextafter(Down, Up);

    Down = call<double>("llvm.nvvm.rcp.rm.d", A);
    Up = call<double>("llvm.nvvm.rcp.rp.d", A);
    EXPECT_LE(std::fma(Down, A, -1), 0);
    EXPECT_GE(std::fma(Up, A, -1), 0);
    EXPECT_EQ(call<double>("llvm.nvvm.rcp.rz.d", -A), -Down);
    Inexact += Down != Up && Up == std::nextafter(Down, Up);
  }
  EXPECT_GT(Inexact, 2900);
}

TEST(SimArithmetic, DoubleSumsAndProducts) {
  double Half = 0x1p-54; // half a unit below 1, a quarter above it
  EXPECT_EQ(call<double>("llvm.nvvm.add.rn.d", 1.0, Half), 1);
  EXPECT_EQ(call<double>("llvm.nvvm.add.rz.d", 1.0, Half), 1);
  EXPECT_EQ(call<double>("llvm.nvvm.add.rm.d", 1.0, Half), 1);
  EXPECT_EQ(call<double>("llvm.nvvm.add.rp.d", 1.0, Half), 1 + 0x1p-52);
  EXPECT_EQ(call<double>("llvm.nvvm.add.rm.d", 1.0, -Half), 1 - 0x1p-53);
  EXPECT_EQ(call<double>("llvm.nvvm.add.rz.d", 1.0, -Half), 1 - 0x1p-53);
  EXPECT_EQ(callSymbol<double>("ferry_sim_asm_sub_rm_f64", 1.0, Half),
            1 - 0x1p-53);
  double A = 1 + 0x1p-52; // its square is 1 + 2^-51 + 2^-104
  EXPECT_EQ(call<double>("llvm.nvvm.mul.rn.d", A, A), 1 + 0x1p-51);
  EXPECT_EQ(call<double>("llvm.nvvm.mul.rp.d", A, A), 1 + 0x1p-51 + 0x1p-52);
  EXPECT_EQ(call<double>("llvm.nvvm.mul.rm.d", A, -A),
            -(1 + 0x1p-51 + 0x1p-52));
  EXPECT_EQ(call<double>("llvm.nvvm.mul.rz.d", A, -A), -(1 + 0x1p-51));
}

TEST(SimArithmetic, FusedMultiplyAddRoundsOnce) {
  double A = 1 + 0x1p-52, B = 1 - 0x1p-52;
  for (std::string Mode : Modes)
    EXPECT_EQ(call<double>(nvvm("fma." + Mode + ".d"), A, B, -1.0), -0x1p-104);
  EXPECT_EQ(call<double>("llvm.nvvm.fma.rm.d", A, B, 0.0), 1 - 0x1p-53);
  EXPECT_EQ(call<double>("llvm.nvvm.fma.rp.d", A, B, 0.0), 1);
  float F = 1 + 0x1p-23f, G = 1 - 0x1p-23f;
  EXPECT_EQ(call<float>("llvm.nvvm.fma.rn.f", F, G, -1.0f), -0x1p-46f);
  EXPECT_EQ(call<float>("llvm.nvvm.fma.rz.f", F, G, 0.0f), 1 - 0x1p-24f);
}

TEST(SimArithmetic, SubnormalNumbersAreFlushedWhereAsked) {
  EXPECT_EQ(call<float>("llvm.nvvm.add.rn.f", Subnormal, 0.0f), Subnormal);
  EXPECT_EQ(call<float>("llvm.nvvm.add.rn.ftz.f", Subnormal, 0.0f), 0);
  // The result, too.
  EXPECT_EQ(call<float>("llvm.nvvm.mul.rn.f", 0x1p-70f, 0x1p-70f), Subnormal);
  float Product = call<float>("llvm.nvvm.mul.rn.ftz.f", -0x1p-70f, 0x1p-70f);
  EXPECT_EQ(bits(Product), bits(-0.0f));
  EXPECT_EQ(call<float>("llvm.nvvm.rcp.rn.ftz.f", Subnormal), Inf);
  EXPECT_EQ(call<float>("llvm.nvvm.sqrt.rn.ftz.f", Subnormal), 0);
  EXPECT_EQ(call<float>("llvm.nvvm.fma.rn.ftz.f", Subnormal, 0x1p20f, 1.0f), 1);
  EXPECT_EQ(call<float>("llvm.nvvm.fabs.ftz.f", -Subnormal), 0);
  EXPECT_EQ(call<float>("llvm.nvvm.ceil.f", Subnormal), 1);
  EXPECT_EQ(call<float>("llvm.nvvm.ceil.ftz.f", Subnormal), 0);
  EXPECT_EQ(call<int32_t>("llvm.nvvm.f2i.rp", Subnormal), 1);
  EXPECT_EQ(call<int32_t>("llvm.nvvm.f2i.rp.ftz", Subnormal), 0);
  EXPECT_EQ(call<float>("llvm.nvvm.d2f.rn.ftz", 0x1p-140), 0);
}

TEST(SimArithmetic, OneNaNOfSinglePrecision) {
  float Payload = bitsAs<float>(0xffc12345u);
  EXPECT_EQ(bits(call<float>("llvm.nvvm.add.rn.f", Payload, 1.0f)),
            CanonicalNaN);
  EXPECT_EQ(bits(call<float>("llvm.nvvm.add.rm.f", Inf, -Inf)), CanonicalNaN);
  EXPECT_EQ(bits(call<float>("llvm.nvvm.sqrt.rn.f", -1.0f)), CanonicalNaN);
  EXPECT_EQ(bits(call<float>("llvm.nvvm.sin.approx.f", Inf)), CanonicalNaN);
  EXPECT_EQ(bits(call<float>("llvm.nvvm.fmax.f", Payload, NaN)), CanonicalNaN);
}

// --- Other operations of one and two numbers ---------------------------------

TEST(SimArithmetic, RoundingToIntegersAndSaturation) {
  EXPECT_EQ(call<double>("llvm.nvvm.round.d", 2.5), 2);
  EXPECT_EQ(call<float>("llvm.nvvm.round.f", -3.5f), -4);
  EXPECT_EQ(call<double>("llvm.nvvm.floor.d", -0.5), -1);
  EXPECT_EQ(call<double>("llvm.nvvm.trunc.d", -1.5), -1);
  EXPECT_EQ(call<double>("llvm.nvvm.ceil.d", -1.5), -1);
  EXPECT_EQ(call<float>("llvm.nvvm.saturate.f", 1.5f), 1);
  EXPECT_EQ(call<float>("llvm.nvvm.saturate.f", 0.25f), 0.25f);
  EXPECT_EQ(bits(call<float>("llvm.nvvm.saturate.f", -0.0f)), 0u);
  EXPECT_EQ(call<float>("llvm.nvvm.saturate.f", NaN), 0);
  EXPECT_EQ(call<double>("llvm.nvvm.saturate.d", -7.0), 0);
}

TEST(SimArithmetic, MinimumAndMaximum) {
  EXPECT_EQ(call<float>("llvm.nvvm.fmin.f", 1.0f, NaN), 1);
  EXPECT_EQ(call<double>("llvm.nvvm.fmax.d", double(NaN), 1.0), 1);
  EXPECT_EQ(bits(call<float>("llvm.nvvm.fmin.f", 0.0f, -0.0f)), bits(-0.0f));
  EXPECT_EQ(bits(call<float>("llvm.nvvm.fmax.f", -0.0f, 0.0f)), bits(0.0f));
  EXPECT_EQ(call<float>("llvm.nvvm.fmin.ftz.f", Subnormal, 1.0f), 0);
  EXPECT_EQ(bits(call<float>("llvm.nvvm.fmin.nan.f", 1.0f, NaN)), CanonicalNaN);
  EXPECT_EQ(call<float>("llvm.nvvm.fmax.nan.f", 1.0f, 2.0f), 2);
  EXPECT_EQ(call<float>("llvm.nvvm.fmax.xorsign.abs.f", -3.0f, 2.0f), -3);
  EXPECT_EQ(call<float>("llvm.nvvm.fmin.xorsign.abs.f", -3.0f, -2.0f), 2);
  EXPECT_EQ(call<float>("llvm.nvvm.fmin.xorsign.abs.f", NaN, -2.0f), -2);
  EXPECT_TRUE(std::isnan(
      call<float>("llvm.nvvm.fmin.ftz.nan.xorsign.abs.f", NaN, -2.0f)));
}

TEST(SimArithmetic, Approximations) {
  EXPECT_EQ(call<float>("llvm.nvvm.ex2.approx.f", 10.0f), 1024);
  EXPECT_EQ(call<float>("llvm.nvvm.lg2.approx.f", 0.125f), -3);
  EXPECT_EQ(call<float>("llvm.nvvm.lg2.approx.ftz.f", Subnormal), -Inf);
  EXPECT_FLOAT_EQ(call<float>("llvm.nvvm.sin.approx.f", 1.0f), 0.84147098f);
  EXPECT_FLOAT_EQ(call<float>("llvm.nvvm.cos.approx.f", 1.0f), 0.54030231f);
  EXPECT_FLOAT_EQ(call<float>("llvm.nvvm.tanh.approx.f32", 1.0f), 0.76159416f);
  EXPECT_EQ(call<float>("llvm.nvvm.rsqrt.approx.f", 0.25f), 2);
  EXPECT_EQ(call<double>("llvm.nvvm.rsqrt.approx.d", 0.0625), 4);
  EXPECT_EQ(call<float>("llvm.nvvm.sqrt.approx.f", 2.25f), 1.5f);
  EXPECT_EQ(call<float>("llvm.nvvm.div.approx.f", 3.0f, 2.0f), 1.5f);
  EXPECT_EQ(call<float>("llvm.nvvm.div.approx.f", 0x1p127f, 0x1p127f), 0);
  EXPECT_TRUE(std::isnan(call<float>("llvm.nvvm.div.approx.f", Inf, 0x1p127f)));
  // Only the upper half of a double comes out.
  double Third = call<double>("llvm.nvvm.rcp.approx.ftz.d", 3.0);
  EXPECT_EQ(bitsAs<uint64_t>(Third), 0x3fd5555500000000u);
  EXPECT_EQ(call<double>("llvm.nvvm.rcp.approx.ftz.d", 0x1p-1070), Inf);
  EXPECT_EQ(call<double>("llvm.nvvm.rcp.approx.ftz.d", 0x1p1023), 0);
  double Root = callSymbol<double>("ferry_sim_asm_rsqrt_approx_ftz_f64", 2.0);
  EXPECT_EQ(bitsAs<uint64_t>(Root), 0x3fe6a09e00000000u);
}

// --- Conversions -------------------------------------------------------------

TEST(SimArithmetic, FloatingPointToInteger) {
  const double Halves[] = {2.5, -2.5, 3.5, 0.5};
  const int32_t Expected[][4] = {
      {2, -2, 4, 0}, {2, -2, 3, 0}, {2, -3, 3, 0}, {3, -2, 4, 1}};
  for (int Mode = 0; Mode < 4; ++Mode)
    for (int I = 0; I < 4; ++I) {
      std::string M = Modes[Mode];
      EXPECT_EQ(call<int32_t>(nvvm("d2i." + M), Halves[I]), Expected[Mode][I]);
      EXPECT_EQ(call<int32_t>(nvvm("f2i." + M), float(Halves[I])),
                Expected[Mode][I]);
      EXPECT_EQ(call<int64_t>(nvvm("d2ll." + M), Halves[I]), Expected[Mode][I]);
    }
  EXPECT_EQ(call<int64_t>("llvm.nvvm.f2ll.rz", 0x1p40f), int64_t(1) << 40);
  EXPECT_EQ(call<uint64_t>("llvm.nvvm.d2ull.rn", 0x1p63), uint64_t(1) << 63);
}

TEST(SimArithmetic, IntegersSaturate) {
  EXPECT_EQ(call<int32_t>("llvm.nvvm.d2i.rz", 1e10), INT32_MAX);
  EXPECT_EQ(call<int32_t>("llvm.nvvm.d2i.rz", -1e10), INT32_MIN);
  EXPECT_EQ(call<int32_t>("llvm.nvvm.d2i.rn", 2147483647.5), INT32_MAX);
  EXPECT_EQ(call<int32_t>("llvm.nvvm.f2i.rn", -0x1p31f), INT32_MIN);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.f2ui.rn", -1.0f), 0u);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.d2ui.rn", 4294967295.0), UINT32_MAX);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.f2ui.rn", Inf), UINT32_MAX);
  EXPECT_EQ(call<int64_t>("llvm.nvvm.f2ll.rn", 0x1p63f), INT64_MAX);
  EXPECT_EQ(call<uint64_t>("llvm.nvvm.f2ull.rn", 0x1p64f), UINT64_MAX);
  EXPECT_EQ(call<uint64_t>("llvm.nvvm.d2ull.rz", -5.0), 0u);
}

TEST(SimArithmetic, NaNToIntegerDependsOnTheSizes) {
  EXPECT_EQ(call<int32_t>("llvm.nvvm.f2i.rn", NaN), 0);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.f2ui.rz", NaN), 0u);
  EXPECT_EQ(call<int32_t>("llvm.nvvm.d2i.rn", double(NaN)), INT32_MIN);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.d2ui.rn", double(NaN)), 0x80000000u);
  EXPECT_EQ(call<int64_t>("llvm.nvvm.f2ll.rn", NaN), INT64_MIN);
  EXPECT_EQ(call<uint64_t>("llvm.nvvm.d2ull.rn", double(NaN)), uint64_t(1)
                                                                   << 63);
}

TEST(SimArithmetic, IntegerToFloatingPoint) {
  EXPECT_EQ(call<float>("llvm.nvvm.i2f.rn", 16777217), 16777216);
  EXPECT_EQ(call<float>("llvm.nvvm.i2f.rp", 16777217), 16777218);
  EXPECT_EQ(call<float>("llvm.nvvm.i2f.rm", -16777217), -16777218);
  EXPECT_EQ(call<float>("llvm.nvvm.ui2f.rz", UINT32_MAX), 0x1.fffffep31f);
  EXPECT_EQ(call<double>("llvm.nvvm.ui2d.rn", UINT32_MAX), 4294967295.0);
  EXPECT_EQ(call<double>("llvm.nvvm.ll2d.rm", INT64_MAX), 0x1.fffffffffffffp62);
  EXPECT_EQ(call<double>("llvm.nvvm.ll2d.rp", INT64_MAX), 0x1p63);
  // A large unsigned number that is just above the middle of two floats.
  uint64_t Middle = (uint64_t(1) << 63) + (uint64_t(1) << 39);
  EXPECT_EQ(call<float>("llvm.nvvm.ull2f.rn", Middle), 0x1p63f);
  EXPECT_EQ(call<float>("llvm.nvvm.ull2f.rn", Middle + 1), 0x1.000002p63f);
  EXPECT_EQ(call<float>("llvm.nvvm.ull2f.rz", UINT64_MAX), 0x1.fffffep63f);
  EXPECT_EQ(call<double>("llvm.nvvm.ull2d.rm", UINT64_MAX),
            0x1.fffffffffffffp63);
  EXPECT_EQ(call<double>("llvm.nvvm.ull2d.rp", UINT64_MAX), 0x1p64);
  for (std::string Mode : Modes)
    EXPECT_FALSE(
        std::signbit(call<double>(nvvm("ull2d." + Mode), uint64_t(0))));
}

TEST(SimArithmetic, NarrowFormats) {
  EXPECT_EQ(call<uint16_t>("llvm.nvvm.f2h.rn", 1.0f), 0x3c00);
  EXPECT_EQ(call<uint16_t>("llvm.nvvm.f2h.rn", 65520.0f), 0x7c00);
  EXPECT_EQ(call<uint16_t>("llvm.nvvm.f2h.rn", 0x1p-24f), 1);
  EXPECT_EQ(call<uint16_t>("llvm.nvvm.f2h.rn", 1 + 0x1p-11f), 0x3c00);
  EXPECT_EQ(call<uint16_t>("llvm.nvvm.f2h.rn", NaN), 0x7fff);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.f2tf32.rna", 1 + 0x1p-11f), 0x3f802000u);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.f2tf32.rna", 1 + 0x1p-12f), 0x3f800000u);
}

TEST(SimArithmetic, BitsOfNumbers) {
  double Pi = 0x1.921fb54442d18p+1;
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.d2i.hi", Pi), 0x400921fbu);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.d2i.lo", Pi), 0x54442d18u);
  EXPECT_EQ(call<double>("llvm.nvvm.lohi.i2d", 0x54442d18u, 0x400921fbu), Pi);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.bitcast.f2i", 1.0f), 0x3f800000u);
  EXPECT_EQ(call<float>("llvm.nvvm.bitcast.i2f", 0x40000000u), 2.0f);
  EXPECT_EQ(call<double>("llvm.nvvm.bitcast.ll2d", bitsAs<uint64_t>(Pi)), Pi);
  EXPECT_EQ(call<uint64_t>("llvm.nvvm.bitcast.d2ll", 1.0), 0x3ffull << 52);
}

// --- Integers ----------------------------------------------------------------

TEST(SimArithmetic, UpperHalvesOfProducts) {
  EXPECT_EQ(call<int32_t>("llvm.nvvm.mulhi.i", -3, 5), -1);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.mulhi.ui", UINT32_MAX, UINT32_MAX),
            UINT32_MAX - 1);
  EXPECT_EQ(call<int64_t>("llvm.nvvm.mulhi.ll", INT64_MIN, INT64_MIN),
            int64_t(1) << 62);
  EXPECT_EQ(call<uint64_t>("llvm.nvvm.mulhi.ull", UINT64_MAX, UINT64_MAX),
            UINT64_MAX - 1);
  // Only the lower 16 bits of arguments and results count.
  EXPECT_EQ(int16_t(call<int32_t>("llvm.nvvm.mulhi.s", 0x77778000, 0x10002)),
            -1);
  EXPECT_EQ(uint16_t(call<uint32_t>("llvm.nvvm.mulhi.us", 0x5000ffffu, 2u)), 1);
  EXPECT_EQ(call<int32_t>("llvm.nvvm.mul24.i", 0xffffff, 2), -2);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.mul24.ui", 0xff000003u, 5u), 15u);
}

TEST(SimArithmetic, SumOfAbsoluteDifferences) {
  EXPECT_EQ(call<int32_t>("llvm.nvvm.sad.i", -3, 4, 10), 17);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.sad.ui", 3u, UINT32_MAX, 4u), 0u);
  EXPECT_EQ(
      call<int64_t>("llvm.nvvm.sad.ll", int64_t(5), int64_t(-5), int64_t(1)),
      11);
  EXPECT_EQ(call<uint64_t>("llvm.nvvm.sad.ull", uint64_t(5), uint64_t(7),
                           uint64_t(1)),
            3u);
  EXPECT_EQ(int16_t(call<int32_t>("llvm.nvvm.sad.s", 0x1fffd, 4, 1)), 8);
  EXPECT_EQ(uint16_t(call<uint32_t>("llvm.nvvm.sad.us", 0x1fffdu, 4u, 1u)),
            0xfffa);
}

TEST(SimArithmetic, BytesAndRotations) {
  const char *Permute = "llvm.nvvm.prmt";
  EXPECT_EQ(call<uint32_t>(Permute, 0x33221100u, 0x77665544u, 0x7410u),
            0x77441100u);
  // With its highest bit set a selector asks for the sign.
  EXPECT_EQ(call<uint32_t>(Permute, 0x00008055u, 0u, 0x9810u), 0xff008055u);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.rotate.b32", 0x80000001u, 4u), 0x18u);
  EXPECT_EQ(call<uint32_t>("llvm.nvvm.rotate.b32", 5u, 32u), 5u);
  EXPECT_EQ(call<uint64_t>("llvm.nvvm.rotate.b64", uint64_t(1) << 63, 1u), 1u);
  EXPECT_EQ(call<uint64_t>("llvm.nvvm.rotate.right.b64", uint64_t(1), 1u),
            uint64_t(1) << 63);
  EXPECT_EQ(call<uint64_t>("llvm.nvvm.swap.lo.hi.b64", 0x1122334455667788ull),
            0x5566778811223344ull);
}

TEST(SimArithmetic, NthSetBit) {
  const char *Find = "llvm.nvvm.fns";
  EXPECT_EQ(call<uint32_t>(Find, 0xb0u, 0u, 1), 4u);
  EXPECT_EQ(call<uint32_t>(Find, 0xb0u, 5u, 2), 7u);
  EXPECT_EQ(call<uint32_t>(Find, 0xb0u, 31u, -2), 5u);
  EXPECT_EQ(call<uint32_t>(Find, 0xb0u, 0u, 4), UINT32_MAX);
  EXPECT_EQ(call<uint32_t>(Find, 0xb0u, 5u, 0), 5u);
  EXPECT_EQ(call<uint32_t>(Find, 0xb0u, 6u, 0), UINT32_MAX);
}

// --- Inline assembly ---------------------------------------------------------

namespace {
/// LLVM returns two integers in two registers, whatever their size.
struct Registers {
  uint64_t First, Second;
};
} // namespace

TEST(SimArithmetic, InlineAssemblyOfTwoResults) {
  uint64_t Most = UINT64_MAX;
  auto R = callSymbol<Registers>("ferry_sim_asm_mad_wide_u32", UINT32_MAX,
                                 UINT32_MAX, UINT32_MAX);
  EXPECT_EQ(uint32_t(R.First), 0u);
  EXPECT_EQ(uint32_t(R.Second), UINT32_MAX);
  R = callSymbol<Registers>("ferry_sim_asm_mul_wide_u64", Most, Most);
  EXPECT_EQ(R.First, 1u);
  EXPECT_EQ(R.Second, Most - 1);
  R = callSymbol<Registers>("ferry_sim_asm_mad_wide_u64", Most, Most, Most);
  EXPECT_EQ(R.First, 0u);
  EXPECT_EQ(R.Second, Most);
  R = callSymbol<Registers>("ferry_sim_asm_add_u128", Most, uint64_t(1),
                            uint64_t(1), uint64_t(2));
  EXPECT_EQ(R.First, 0u);
  EXPECT_EQ(R.Second, 4u);
  R = callSymbol<Registers>("ferry_sim_asm_sub_u128", uint64_t(0), uint64_t(4),
                            uint64_t(1), uint64_t(2));
  EXPECT_EQ(R.First, Most);
  EXPECT_EQ(R.Second, 1u);
}

TEST(SimArithmetic, InlineAssemblyOfOneResult) {
  const char *Shift = "ferry_sim_asm_bfind_shiftamt_u32";
  EXPECT_EQ(callSymbol<uint32_t>(Shift, 1u), 31u);
  EXPECT_EQ(callSymbol<uint32_t>(Shift, 0u), UINT32_MAX);
  const char *Select = "ferry_sim_asm_select_equal_or_nan_f64";
  EXPECT_EQ(callSymbol<double>(Select, 1.0, 1.0, 5.0, 6.0), 5);
  EXPECT_EQ(callSymbol<double>(Select, 1.0, 2.0, 5.0, 6.0), 6);
  EXPECT_EQ(callSymbol<double>(Select, 1.0, double(NaN), 5.0, 6.0), 5);
  EXPECT_EQ(callSymbol<float>("ferry_sim_asm_rcp_approx_ftz_f32", 4.0f), 0.25f);
}
