//===- SimMathTest.cpp - Tests of the simulator's device library ----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimDevice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <vector>

namespace {

constexpr double Inf = std::numeric_limits<double>::infinity();
constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

/// How far \p Value is from \p Exact, in units of the last place of \p Exact
/// as a number of type T.
template <typename T> double unitsOff(T Value, double Exact) {
  T Nearest = static_cast<T>(Exact);
  if (Value == Nearest)
    return 0;
  T Unit =
      std::nextafter(std::fabs(Nearest), std::numeric_limits<T>::infinity()) -
      std::fabs(Nearest);
  return std::fabs(double(Value - Nearest)) / Unit;
}

double nv(const std::string &Name, double A) {
  return call<double>("__nv_" + Name, A);
}

} // namespace

// --- The tables --------------------------------------------------------------

/// The symbols of this program whose names begin with ferry_sim_.
static std::set<std::string> exportedSymbols() {
  std::ifstream File("/proc/self/exe", std::ios::binary);
  std::vector<char> Image((std::istreambuf_iterator<char>(File)), {});
  auto *Header = reinterpret_cast<Elf64_Ehdr *>(Image.data());
  auto *Sections = reinterpret_cast<Elf64_Shdr *>(&Image[Header->e_shoff]);
  std::set<std::string> Names;
  for (unsigned I = 0; I < Header->e_shnum; ++I) {
    if (Sections[I].sh_type != SHT_DYNSYM)
      continue;
    auto *Symbols =
        reinterpret_cast<Elf64_Sym *>(&Image[Sections[I].sh_offset]);
    const char *Strings = &Image[Sections[Sections[I].sh_link].sh_offset];
    for (size_t S = 0; S < Sections[I].sh_size / sizeof(Elf64_Sym); ++S) {
      std::string Name = Strings + Symbols[S].st_name;
      if (Name.rfind("ferry_sim_", 0) == 0 && Symbols[S].st_shndx != SHN_UNDEF)
        Names.insert(Name);
    }
  }
  return Names;
}

TEST(SimMath, TablesNameExactlyWhatIsExported) {
  std::set<std::string> Listed;
#define FERRY_SIM_FUNCTION(Name)                                               \
  EXPECT_TRUE(Listed.insert(hostName(Name)).second) << (Name) << " twice";
#include "../tools/sim/device/Functions.def"
#undef FERRY_SIM_FUNCTION
#define FERRY_SIM_INLINE_ASM(Text, Name) Listed.insert(#Name);
#include "../tools/sim/device/InlineAsm.def"
#undef FERRY_SIM_INLINE_ASM
  EXPECT_GT(Listed.size(), 600u);

  std::set<std::string> Exported = exportedSymbols();
  for (const char *Hook : {"ferry_sim_device_malloc", "ferry_sim_device_free",
                           "ferry_sim_trap_with"})
    EXPECT_EQ(Exported.erase(Hook), 1u);
  for (const std::string &Name : Listed)
    EXPECT_EQ(Exported.count(Name), 1u) << Name << " is not defined";
  for (const std::string &Name : Exported)
    EXPECT_EQ(Listed.count(Name), 1u) << Name << " is in no table";
}

// --- Known values ------------------------------------------------------------

namespace {
struct KnownValue {
  const char *Name;
  double Argument; ///< a float, too
  double Value;    ///< computed with 50 digits
};
} // namespace

static const KnownValue KnownValues[] = {
    {"acos", 0.6875, 0.8127555613686606588},
    {"acosh", 1.6875, 1.114087001352936452},
    {"asin", 0.6875, 0.7580407654262359605},
    {"asinh", 0.6875, 0.6423961022699507951},
    {"atan", 0.6875, 0.6022873461349641817},
    {"atanh", 0.6875, 0.8431994767851143498},
    {"cbrt", 0.6875, 0.8825870838315157505},
    {"ceil", 1.6875, 2.0},
    {"cos", 0.6875, 0.7728349461524715448},
    {"cosh", 0.6875, 1.245784523776616395},
    {"cospi", 0.6875, -0.5555702330196022247},
    {"cyl_bessel_i0", 0.6875, 1.121700919400665273},
    {"cyl_bessel_i0", -50.5, 4.810847266580705737e+20},
    {"cyl_bessel_i1", 0.6875, 0.3644633846399369957},
    {"cyl_bessel_i1", -50.5, -4.762974492589793774e+20},
    {"erf", 0.6875, 0.6690846628860812822},
    {"erfc", 0.6875, 0.3309153371139187178},
    {"erfcinv", 0.6875, 0.2844337489217236539},
    {"erfcinv", 0x1p-20, 3.465505025803330717},
    {"erfcinv", 1.96875, -1.523019401996956111},
    {"erfcx", 0.6875, 0.5308708724175544746},
    {"erfcx", -3.5, 417962.4224457703141},
    {"erfcx", 30.25, 0.01864072093395571233},
    {"erfinv", 0.6875, 0.7141708976081283468},
    {"erfinv", -0.25, -0.2253120550121781047},
    {"erfinv", 1 - 0x1p-20, 3.465505025803330717},
    {"exp", 0.6875, 1.988737469582291831},
    {"exp10", 0.6875, 4.869675251658631149},
    {"exp2", 0.6875, 1.610490331949254308},
    {"expm1", 0.6875, 0.9887374695822918311},
    {"fabs", -0.6875, 0.6875},
    {"floor", -0.6875, -1.0},
    {"j0", 0.6875, 0.8852811303815143714},
    {"j1", 0.6875, 0.3238366108705722761},
    {"lgamma", 0.6875, 0.2763410724666614761},
    {"log", 0.6875, -0.3746934494414106936},
    {"log10", 0.6875, -0.1627272974976997401},
    {"log1p", 0.6875, 0.5232481437645478365},
    {"log2", 0.6875, -0.5405683813627027438},
    {"logb", 10.5, 3.0},
    {"nearbyint", 2.5, 2.0},
    {"normcdf", 0.6875, 0.7541161496197385462},
    {"normcdf", -8.5, 9.479534822203318354e-18},
    {"normcdfinv", 0.6875, 0.4887764111146694989},
    {"normcdfinv", 0x1p-20, -4.763001034267813957},
    {"rcbrt", 0.6875, 1.133032669885409471},
    {"rint", 3.5, 4.0},
    {"round", 2.5, 3.0},
    {"rsqrt", 0.6875, 1.206045378311054491},
    {"sin", 0.6875, 0.6346070800152692969},
    {"sinh", 0.6875, 0.7429529458056754357},
    {"sinpi", 0.6875, 0.8314696123025452371},
    {"sinpi", -1001.25, 0.7071067811865475244},
    {"sqrt", 0.6875, 0.8291561975888499623},
    {"tan", 0.6875, 0.8211418015898941219},
    {"tanh", 0.6875, 0.5963735554792423398},
    {"tgamma", 0.6875, 1.318297422310589859},
    {"trunc", -1.6875, -1.0},
    {"y0", 0.6875, -0.2045648213118788978},
    {"y1", 0.6875, -1.120816812372814005},
};

TEST(SimMath, KnownValuesOfBothPrecisions) {
  for (const KnownValue &Known : KnownValues) {
    EXPECT_LE(unitsOff(nv(Known.Name, Known.Argument), Known.Value), 1)
        << Known.Name << "(" << Known.Argument << ")";
    float Single = call<float>("__nv_" + std::string(Known.Name) + "f",
                               float(Known.Argument));
    EXPECT_LE(unitsOff(Single, Known.Value), 1)
        << Known.Name << "f(" << Known.Argument << ")";
  }
}

TEST(SimMath, EndsOfTheRange) {
  EXPECT_LE(unitsOff(nv("erfcinv", 1e-300), 26.209469960516123886), 1);
  EXPECT_LE(unitsOff(nv("erfcinv", 0x1p-1074), 27.213293210812948815), 1);
  EXPECT_LE(unitsOff(nv("erfinv", 1 - 0x1p-53), 5.8635847487551679272), 1);
  EXPECT_LE(unitsOff(nv("normcdf", -37), 5.7255712225245768227e-300), 1);
  EXPECT_LE(unitsOff(nv("cyl_bessel_i0", 710), 3.3453345586196559683e+306), 1);
  EXPECT_EQ(nv("erfinv", 1), Inf);
  EXPECT_EQ(nv("erfinv", -1), -Inf);
  EXPECT_TRUE(std::isnan(nv("erfinv", 1.5)));
  EXPECT_EQ(nv("erfcinv", 0), Inf);
  EXPECT_EQ(nv("erfcinv", 2), -Inf);
  EXPECT_TRUE(std::isnan(nv("erfcinv", -0.5)));
  EXPECT_EQ(nv("normcdfinv", 0), -Inf);
  EXPECT_EQ(nv("normcdfinv", 1), Inf);
  EXPECT_EQ(nv("normcdfinv", 0.5), 0);
  EXPECT_EQ(nv("erfcx", Inf), 0);
  EXPECT_EQ(nv("erfcx", -30), Inf);
  EXPECT_EQ(nv("cyl_bessel_i0", 0), 1);
  EXPECT_EQ(nv("cyl_bessel_i0", -Inf), Inf);
  EXPECT_EQ(nv("cyl_bessel_i1", -Inf), -Inf);
  for (const char *Name :
       {"erfinv", "erfcinv", "normcdfinv", "normcdf", "erfcx", "cyl_bessel_i0",
        "cyl_bessel_i1", "sinpi", "cospi", "rcbrt", "rsqrt"})
    EXPECT_TRUE(std::isnan(nv(Name, NaN))) << Name;
}

TEST(SimMath, InversesUndoTheFunctions) {
  for (double Y = -0.984375; Y < 1; Y += 0.015625) {
    EXPECT_NEAR(std::erf(nv("erfinv", Y)), Y, 3e-16);
    EXPECT_NEAR(std::erfc(nv("erfcinv", 1 + Y)), 1 + Y, 6e-16);
    double P = (1 + Y) / 2;
    EXPECT_NEAR(nv("normcdf", nv("normcdfinv", P)), P, 3e-16);
  }
  // The derivative of I0 is I1: a check of one by the other, across the place
  // where the series changes.
  for (double X = 0.5; X < 60; X += 0.5) {
    double H = 1e-4 * X;
    double Slope =
        (nv("cyl_bessel_i0", X + H) - nv("cyl_bessel_i0", X - H)) / (2 * H);
    EXPECT_NEAR(Slope / nv("cyl_bessel_i1", X), 1, 1e-5) << X;
  }
}

TEST(SimMath, MultiplesOfPiAreExact) {
  for (double N : {0.0, 1.0, 2.0, 1001.0, 0x1p60}) {
    EXPECT_EQ(nv("sinpi", N), 0);
    EXPECT_FALSE(std::signbit(nv("sinpi", N)));
    EXPECT_TRUE(std::signbit(nv("sinpi", -N)));
  }
  EXPECT_EQ(nv("sinpi", 2.5), 1);
  EXPECT_EQ(nv("sinpi", -1001.5), 1);
  EXPECT_EQ(nv("cospi", 1001.0), -1);
  EXPECT_EQ(nv("cospi", 0.5), 0);
  double Sine, Cosine;
  call<void>("__nv_sincospi", 0.5, &Sine, &Cosine);
  EXPECT_EQ(Sine, 1);
  EXPECT_EQ(Cosine, 0);
  float SineF, CosineF;
  call<void>("__nv_sincospif", 1.0f, &SineF, &CosineF);
  EXPECT_EQ(SineF, 0);
  EXPECT_EQ(CosineF, -1);
}

// --- Several arguments -------------------------------------------------------

TEST(SimMath, TwoAndThreeArguments) {
  auto Two = [](const char *Name, double A, double B) {
    auto Single =
        call<float>(std::string("__nv_") + Name + "f", float(A), float(B));
    auto Double = call<double>(std::string("__nv_") + Name, A, B);
    EXPECT_LE(unitsOff(Single, Double), 1) << Name;
    return Double;
  };
  EXPECT_LE(unitsOff(Two("pow", 1.5, -2.25), 0.40160089049326436976), 1);
  EXPECT_LE(unitsOff(Two("atan2", 1.5, -2.25), 2.5535900500422256872), 1);
  EXPECT_LE(unitsOff(Two("hypot", 1.5, -2.25), 2.7041634565979919698), 1);
  EXPECT_LE(unitsOff(Two("rhypot", 3, 4), 0.2), 1);
  EXPECT_EQ(Two("copysign", 1.5, -2.25), -1.5);
  EXPECT_EQ(Two("fdim", 3, 1), 2);
  EXPECT_EQ(Two("fdim", 1, 3), 0);
  EXPECT_EQ(Two("fmax", 3, NaN), 3);
  EXPECT_EQ(Two("fmin", 3, 1), 1);
  EXPECT_EQ(Two("fmod", 7.5, -2), 1.5);
  EXPECT_EQ(Two("remainder", 7.5, 2), -0.5);
  EXPECT_EQ(call<double>("__nv_nextafter", 1.0, 2.0), 1 + 0x1p-52);
  EXPECT_EQ(call<float>("__nv_nextafterf", 1.0f, 2.0f), 1 + 0x1p-23f);
  EXPECT_EQ(call<double>("__nv_fma", 2.0, 3.0, 4.0), 10);
  EXPECT_EQ(call<float>("__nv_fmaf", 2.0f, 3.0f, 4.0f), 10);
}

TEST(SimMath, IntegerArguments) {
  EXPECT_EQ(call<double>("__nv_ldexp", 1.5, 4), 24);
  EXPECT_EQ(call<float>("__nv_ldexpf", 1.5f, -1), 0.75f);
  EXPECT_EQ(call<double>("__nv_scalbn", 1.5, 4), 24);
  EXPECT_EQ(call<double>("__nv_powi", 1.5, -2), 1 / 2.25);
  EXPECT_EQ(call<float>("__nv_powif", -2.0f, 5), -32);
  EXPECT_EQ(call<double>("__nv_powi", 1.0, INT32_MIN), 1);
  EXPECT_LE(unitsOff(call<double>("__nv_jn", 3, 1.5), 0.060963951141139630644),
            4);
  EXPECT_LE(unitsOff(call<double>("__nv_yn", 2, 1.5), -0.93219375976297390523),
            4);
  EXPECT_TRUE(std::isnan(call<double>("__nv_jn", -1, 1.5)));
  EXPECT_TRUE(std::isnan(call<float>("__nv_ynf", -1, 1.5f)));
}

TEST(SimMath, ResultsInMemory) {
  int Exponent;
  EXPECT_EQ(call<double>("__nv_frexp", 24.0, &Exponent), 0.75);
  EXPECT_EQ(Exponent, 5);
  double Whole;
  EXPECT_EQ(call<double>("__nv_modf", -2.75, &Whole), -0.75);
  EXPECT_EQ(Whole, -2);
  float WholeF;
  EXPECT_EQ(call<float>("__nv_modff", 2.75f, &WholeF), 0.75f);
  EXPECT_EQ(WholeF, 2);
  int Quotient;
  EXPECT_EQ(call<double>("__nv_remquo", 7.5, 2.0, &Quotient), -0.5);
  EXPECT_EQ(Quotient & 7, 4);
  double Sine, Cosine;
  call<void>("__nv_sincos", 1.0, &Sine, &Cosine);
  EXPECT_EQ(Sine, std::sin(1.0));
  EXPECT_EQ(Cosine, std::cos(1.0));
  EXPECT_TRUE(std::isnan(call<double>("__nv_nan", "")));
}

TEST(SimMath, LengthsOfVectors) {
  // Squares of these overflow.
  const double Large = 0x1p600;
  const double V[] = {Large, 2 * Large, 2 * Large, 4 * Large};
  EXPECT_EQ(call<double>("__nv_norm3d", V[0], V[1], V[2]), 3 * Large);
  EXPECT_EQ(call<double>("__nv_norm4d", V[0], V[1], V[2], V[3]), 5 * Large);
  EXPECT_EQ(call<double>("__nv_norm", 4, V), 5 * Large);
  EXPECT_EQ(call<double>("__nv_rnorm", 4, V), 0.2 / Large);
  EXPECT_EQ(call<double>("__nv_norm", 0, V), 0);
  const float W[] = {2, 3, 6};
  EXPECT_EQ(call<float>("__nv_normf", 3, W), 7);
  EXPECT_EQ(call<float>("__nv_norm3df", 2.0f, 3.0f, 6.0f), 7);
  EXPECT_EQ(call<float>("__nv_rnorm3df", 2.0f, 3.0f, 6.0f), 1 / 7.0f);
  EXPECT_EQ(call<float>("__nv_rnorm4df", 1.0f, 2.0f, 2.0f, 4.0f), 0.2f);
  EXPECT_EQ(call<double>("__nv_norm3d", NaN, 1.0, -Inf), Inf);
  EXPECT_EQ(call<double>("__nv_rnorm3d", NaN, 1.0, -Inf), 0);
  EXPECT_EQ(call<double>("__nv_rhypot", 0.0, 0.0), Inf);
}

// --- Fast approximations -----------------------------------------------------

TEST(SimMath, FastFunctions) {
  auto Fast = [](const char *Name, float A) {
    return call<float>(std::string("__nv_fast_") + Name, A);
  };
  EXPECT_FLOAT_EQ(Fast("sinf", 0.5f), std::sin(0.5f));
  EXPECT_FLOAT_EQ(Fast("cosf", 0.5f), std::cos(0.5f));
  EXPECT_FLOAT_EQ(Fast("tanf", 0.5f), std::tan(0.5f));
  EXPECT_FLOAT_EQ(Fast("tanhf", 0.5f), std::tanh(0.5f));
  EXPECT_FLOAT_EQ(Fast("expf", 1.5f), std::exp(1.5f));
  EXPECT_FLOAT_EQ(Fast("exp10f", 1.5f), std::pow(10.0f, 1.5f));
  EXPECT_FLOAT_EQ(Fast("logf", 5.5f), std::log(5.5f));
  EXPECT_FLOAT_EQ(Fast("log2f", 5.5f), std::log2(5.5f));
  EXPECT_FLOAT_EQ(Fast("log10f", 5.5f), std::log10(5.5f));
  EXPECT_FLOAT_EQ(call<float>("__nv_fast_powf", 5.5f, 1.5f),
                  std::pow(5.5f, 1.5f));
  // Unlike powf.
  EXPECT_TRUE(std::isnan(call<float>("__nv_fast_powf", -2.0f, 2.0f)));
  EXPECT_EQ(call<float>("__nv_fast_fdividef", 3.0f, 4.0f), 0.75f);
  float Sine, Cosine;
  call<void>("__nv_fast_sincosf", 0.5f, &Sine, &Cosine);
  EXPECT_EQ(Sine, Fast("sinf", 0.5f));
  EXPECT_EQ(Cosine, Fast("cosf", 0.5f));
}

// --- Rounding, classes, bits, integers ---------------------------------------

TEST(SimMath, RoundingByName) {
  float Tiny = 0x1p-30f;
  EXPECT_EQ(call<float>("__nv_fadd_ru", 1.0f, Tiny), 1 + 0x1p-23f);
  EXPECT_EQ(call<float>("__nv_fsub_rd", 1.0f, Tiny), 1 - 0x1p-24f);
  EXPECT_EQ(call<float>("__nv_fsub_rn", 1.0f, Tiny), 1);
  EXPECT_EQ(call<double>("__nv_dsub_rz", 1.0, 0x1p-60), 1 - 0x1p-53);
  EXPECT_EQ(call<double>("__nv_ddiv_ru", 1.0, 3.0),
            std::nextafter(call<double>("__nv_ddiv_rd", 1.0, 3.0), 1));
  EXPECT_EQ(call<double>("__nv_drcp_rd", 3.0), 1.0 / 3);
  EXPECT_EQ(call<float>("__nv_fmaf_ieee_rz", 1 + 0x1p-23f, 1 - 0x1p-23f, 0.0f),
            1 - 0x1p-24f);
  EXPECT_EQ(call<float>("__nv_frsqrt_rn", 4.0f), 0.5f);
  EXPECT_EQ(call<float>("__nv_double2float_rd", 1 + 0x1p-30), 1);
  EXPECT_EQ(call<int32_t>("__nv_float2int_rd", -1.5f), -2);
  EXPECT_EQ(call<int32_t>("__nv_double2int_ru", -1.5), -1);
  EXPECT_EQ(call<uint32_t>("__nv_double2uint_rn", 2.5), 2u);
  EXPECT_EQ(call<int64_t>("__nv_float2ll_rz", -1.5f), -1);
  EXPECT_EQ(call<float>("__nv_int2float_ru", 16777217), 16777218);
  EXPECT_EQ(call<double>("__nv_ull2double_ru", UINT64_MAX), 0x1p64);
  EXPECT_EQ(call<int64_t>("__nv_llrint", 2.5), 2);
  EXPECT_EQ(call<int64_t>("__nv_llround", 2.5), 3);
  EXPECT_EQ(call<int64_t>("__nv_llroundf", -2.5f), -3);
  EXPECT_EQ(call<int64_t>("__nv_llrintf", 1e30f), INT64_MAX);
  EXPECT_EQ(call<float>("__nv_half2float", uint32_t(0x3e00)), 1.5f);
  EXPECT_EQ(call<uint16_t>("__nv_float2half_rn", 1.5f), 0x3e00);
}

TEST(SimMath, Classes) {
  EXPECT_EQ(call<int>("__nv_isnand", NaN), 1);
  EXPECT_EQ(call<int>("__nv_isnanf", 1.0f), 0);
  EXPECT_EQ(call<int>("__nv_isinfd", -Inf), 1);
  EXPECT_EQ(call<int>("__nv_isinff", 1.0f), 0);
  EXPECT_EQ(call<int>("__nv_isfinited", NaN), 0);
  EXPECT_EQ(call<int>("__nv_finitef", 1.0f), 1);
  EXPECT_EQ(call<int>("__nv_signbitd", -0.0), 1);
  EXPECT_EQ(call<int>("__nv_signbitf", 0.0f), 0);
  EXPECT_EQ(call<int>("__nv_ilogb", 10.0), 3);
  EXPECT_EQ(call<int>("__nv_ilogb", 0.0), INT32_MIN);
  EXPECT_EQ(call<int>("__nv_ilogbf", 0.25f), -2);
}

TEST(SimMath, Bits) {
  EXPECT_EQ(call<uint32_t>("__nv_brev", 0x80000001u), 0x80000001u);
  EXPECT_EQ(call<uint32_t>("__nv_brev", 2u), 0x40000000u);
  EXPECT_EQ(call<uint64_t>("__nv_brevll", uint64_t(1)), uint64_t(1) << 63);
  EXPECT_EQ(call<int>("__nv_clz", 1u), 31);
  EXPECT_EQ(call<int>("__nv_clz", 0u), 32);
  EXPECT_EQ(call<int>("__nv_clzll", uint64_t(0)), 64);
  EXPECT_EQ(call<int>("__nv_ffs", 8), 4);
  EXPECT_EQ(call<int>("__nv_ffsll", int64_t(0)), 0);
  EXPECT_EQ(call<int>("__nv_popc", 0xffu), 8);
  EXPECT_EQ(call<int>("__nv_popcll", UINT64_MAX), 64);
  // A selector's highest bit means nothing here.
  EXPECT_EQ(call<uint32_t>("__nv_byte_perm", 0x33221180u, 0u, 0xb998u),
            0x33111180u);
  EXPECT_EQ(call<double>("__nv_hiloint2double", 0x3ff00000u, 0u), 1);
  EXPECT_EQ(call<uint32_t>("__nv_double2hiint", 1.0), 0x3ff00000u);
  EXPECT_EQ(call<uint32_t>("__nv_double2loint", 1 + 0x1p-52), 1u);
  EXPECT_EQ(call<uint32_t>("__nv_float_as_int", 1.0f), 0x3f800000u);
  EXPECT_EQ(call<double>("__nv_longlong_as_double", 0x3ffull << 52), 1);
}

TEST(SimMath, Integers) {
  EXPECT_EQ(call<int32_t>("__nv_abs", -5), 5);
  EXPECT_EQ(call<int32_t>("__nv_abs", INT32_MIN), INT32_MIN);
  EXPECT_EQ(call<int64_t>("__nv_llabs", int64_t(-5)), 5);
  EXPECT_EQ(call<int32_t>("__nv_max", -1, 1), 1);
  EXPECT_EQ(call<uint32_t>("__nv_umax", UINT32_MAX, 1u), UINT32_MAX);
  EXPECT_EQ(call<int64_t>("__nv_llmin", int64_t(-1), int64_t(1)), -1);
  EXPECT_EQ(call<int32_t>("__nv_hadd", -3, -4), -4);
  EXPECT_EQ(call<int32_t>("__nv_rhadd", -3, -4), -3);
  EXPECT_EQ(call<uint32_t>("__nv_uhadd", UINT32_MAX, UINT32_MAX), UINT32_MAX);
  EXPECT_EQ(call<uint32_t>("__nv_urhadd", 1u, 2u), 2u);
  EXPECT_EQ(call<int32_t>("__nv_mulhi", -1, 1), -1);
  EXPECT_EQ(call<uint64_t>("__nv_umul64hi", UINT64_MAX, uint64_t(2)), 1u);
  EXPECT_EQ(call<int64_t>("__nv_mul64hi", int64_t(-1), int64_t(2)), -1);
  EXPECT_EQ(call<uint32_t>("__nv_usad", 1u, 3u, 10u), 12u);
}
