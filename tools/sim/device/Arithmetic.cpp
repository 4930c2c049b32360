//===- Arithmetic.cpp - NVVM's arithmetic intrinsics ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As the PTX ISA defines the instructions that LLVM 19 selects for them. Not
// here: arithmetic of half precision, which has no CUDA-free user.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Numeric.h"

using namespace ferry::sim;

/// Expands \p FAMILY for each rounding mode, with the letters of NVVM.
#define FERRY_SIM_MODES(FAMILY, ...)                                           \
  FAMILY(rn, FE_TONEAREST, __VA_ARGS__)                                        \
  FAMILY(rz, FE_TOWARDZERO, __VA_ARGS__)                                       \
  FAMILY(rm, FE_DOWNWARD, __VA_ARGS__)                                         \
  FAMILY(rp, FE_UPWARD, __VA_ARGS__)

// --- Rounded operations ------------------------------------------------------

#define FERRY_SIM_UNARY(R, MODE, NAME, OPERATION)                              \
  FERRY_SIM_DEVICE double ferry_sim_llvm_nvvm_##NAME##_##R##_d(double A) {     \
    return rounded<double>(MODE, OPERATION(), A);                              \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_##NAME##_##R##_f(float A) {       \
    return rounded<float>(MODE, OPERATION(), A);                               \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_##NAME##_##R##_ftz_f(float A) {   \
    return flushed(rounded<float>(MODE, OPERATION(), flushed(A)));             \
  }
FERRY_SIM_MODES(FERRY_SIM_UNARY, rcp, Reciprocal)
FERRY_SIM_MODES(FERRY_SIM_UNARY, sqrt, SquareRoot)

#define FERRY_SIM_BINARY(R, MODE, NAME, OPERATION)                             \
  FERRY_SIM_DEVICE double ferry_sim_llvm_nvvm_##NAME##_##R##_d(double A,       \
                                                               double B) {     \
    return rounded<double>(MODE, OPERATION(), A, B);                           \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_##NAME##_##R##_f(float A,         \
                                                              float B) {       \
    return rounded<float>(MODE, OPERATION(), A, B);                            \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_##NAME##_##R##_ftz_f(float A,     \
                                                                  float B) {   \
    return flushed(rounded<float>(MODE, OPERATION(), flushed(A), flushed(B))); \
  }
FERRY_SIM_MODES(FERRY_SIM_BINARY, add, Add)
FERRY_SIM_MODES(FERRY_SIM_BINARY, mul, Multiply)
FERRY_SIM_MODES(FERRY_SIM_BINARY, div, Divide)

#define FERRY_SIM_FMA(R, MODE, ...)                                            \
  FERRY_SIM_DEVICE double ferry_sim_llvm_nvvm_fma_##R##_d(double A, double B,  \
                                                          double C) {          \
    return rounded<double>(MODE, FusedMultiplyAdd(), A, B, C);                 \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_fma_##R##_f(float A, float B,     \
                                                         float C) {            \
    return rounded<float>(MODE, FusedMultiplyAdd(), A, B, C);                  \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_fma_##R##_ftz_f(float A, float B, \
                                                             float C) {        \
    return flushed(rounded<float>(MODE, FusedMultiplyAdd(), flushed(A),        \
                                  flushed(B), flushed(C)));                    \
  }
FERRY_SIM_MODES(FERRY_SIM_FMA, )

FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_sqrt_f(float A) {
  return canonical(std::sqrt(A));
}

// --- Approximations ----------------------------------------------------------

#define FERRY_SIM_APPROXIMATE(NAME, FUNCTION)                                  \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_##NAME##_approx_f(float A) {      \
    return FUNCTION(A);                                                        \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_##NAME##_approx_ftz_f(float A) {  \
    return flushed(FUNCTION(flushed(A)));                                      \
  }
FERRY_SIM_APPROXIMATE(ex2, approximateExp2)
FERRY_SIM_APPROXIMATE(lg2, approximateLog2)
FERRY_SIM_APPROXIMATE(sin, approximateSin)
FERRY_SIM_APPROXIMATE(cos, approximateCos)
FERRY_SIM_APPROXIMATE(rsqrt, approximateRsqrt)
FERRY_SIM_APPROXIMATE(sqrt, ferry_sim_llvm_nvvm_sqrt_f)

FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_tanh_approx_f32(float A) {
  return approximateTanh(A);
}
FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_div_approx_f(float A, float B) {
  return approximateDivide(A, B);
}
FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_div_approx_ftz_f(float A, float B) {
  return flushed(approximateDivide(flushed(A), flushed(B)));
}
FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_rcp_approx_ftz_f(float A) {
  return flushed(canonical(1 / flushed(A)));
}
FERRY_SIM_DEVICE double ferry_sim_llvm_nvvm_ex2_approx_d(double A) {
  return std::exp2(A);
}
FERRY_SIM_DEVICE double ferry_sim_llvm_nvvm_lg2_approx_d(double A) {
  return std::log2(A);
}
FERRY_SIM_DEVICE double ferry_sim_llvm_nvvm_rsqrt_approx_d(double A) {
  return approximateRsqrt(A);
}
FERRY_SIM_DEVICE double ferry_sim_llvm_nvvm_rsqrt_approx_ftz_d(double A) {
  return upperHalf(approximateRsqrt(upperHalf(A)));
}
FERRY_SIM_DEVICE double ferry_sim_llvm_nvvm_rcp_approx_ftz_d(double A) {
  return upperHalf(1 / upperHalf(A));
}

// --- One operand, exact ------------------------------------------------------

#define FERRY_SIM_EXACT(NAME, FUNCTION)                                        \
  FERRY_SIM_DEVICE double ferry_sim_llvm_nvvm_##NAME##_d(double A) {           \
    return FUNCTION(A);                                                        \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_##NAME##_f(float A) {             \
    return canonical(FUNCTION(A));                                             \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_##NAME##_ftz_f(float A) {         \
    return canonical(FUNCTION(flushed(A)));                                    \
  }
FERRY_SIM_EXACT(fabs, std::fabs)
FERRY_SIM_EXACT(ceil, std::ceil)
FERRY_SIM_EXACT(floor, std::floor)
FERRY_SIM_EXACT(trunc, std::trunc)
FERRY_SIM_EXACT(round, std::nearbyint)
FERRY_SIM_EXACT(saturate, saturated)

// --- Minimum and maximum -----------------------------------------------------

/// The .xorsign.abs variant: of the magnitudes, with the sign that the product
/// has.
template <typename Operation>
static float ofMagnitudes(Operation Do, float A, float B, bool PropagateNaN) {
  float Result = Do(std::fabs(A), std::fabs(B), PropagateNaN);
  if (std::isnan(Result))
    return Result;
  return std::signbit(A) != std::signbit(B) ? -Result : Result;
}

#define FERRY_SIM_MINIMUM_FTZ(NAME, FUNCTION, FTZ, FLUSH)                      \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_##NAME##FTZ##_f(float A,          \
                                                             float B) {        \
    return FUNCTION(FLUSH(A), FLUSH(B));                                       \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_##NAME##FTZ##_nan_f(float A,      \
                                                                 float B) {    \
    return FUNCTION(FLUSH(A), FLUSH(B), true);                                 \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_##NAME##FTZ##_xorsign_abs_f(      \
      float A, float B) {                                                      \
    auto Do = [](auto... Values) { return FUNCTION(Values...); };              \
    return ofMagnitudes(Do, FLUSH(A), FLUSH(B), false);                        \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_##NAME##FTZ##_nan_xorsign_abs_f(  \
      float A, float B) {                                                      \
    auto Do = [](auto... Values) { return FUNCTION(Values...); };              \
    return ofMagnitudes(Do, FLUSH(A), FLUSH(B), true);                         \
  }
#define FERRY_SIM_MINIMUM(NAME, FUNCTION)                                      \
  FERRY_SIM_MINIMUM_FTZ(NAME, FUNCTION, , )                                    \
  FERRY_SIM_MINIMUM_FTZ(NAME, FUNCTION, _ftz, flushed)                         \
  FERRY_SIM_DEVICE double ferry_sim_llvm_nvvm_##NAME##_d(double A, double B) { \
    return FUNCTION(A, B);                                                     \
  }
FERRY_SIM_MINIMUM(fmin, minimum)
FERRY_SIM_MINIMUM(fmax, maximum)

// --- Conversions -------------------------------------------------------------

#define FERRY_SIM_FROM_INTEGER(R, MODE, NAME, TO, FROM)                        \
  FERRY_SIM_DEVICE TO ferry_sim_llvm_nvvm_##NAME##_##R(FROM A) {               \
    return toFloating<TO>(A, MODE);                                            \
  }
FERRY_SIM_MODES(FERRY_SIM_FROM_INTEGER, i2f, float, int32_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_INTEGER, ui2f, float, uint32_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_INTEGER, ll2f, float, int64_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_INTEGER, ull2f, float, uint64_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_INTEGER, i2d, double, int32_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_INTEGER, ui2d, double, uint32_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_INTEGER, ll2d, double, int64_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_INTEGER, ull2d, double, uint64_t)

#define FERRY_SIM_FROM_DOUBLE(R, MODE, NAME, TO)                               \
  FERRY_SIM_DEVICE TO ferry_sim_llvm_nvvm_##NAME##_##R(double A) {             \
    return toInteger<TO>(A, MODE);                                             \
  }
FERRY_SIM_MODES(FERRY_SIM_FROM_DOUBLE, d2i, int32_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_DOUBLE, d2ui, uint32_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_DOUBLE, d2ll, int64_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_DOUBLE, d2ull, uint64_t)

#define FERRY_SIM_FROM_FLOAT(R, MODE, NAME, TO)                                \
  FERRY_SIM_DEVICE TO ferry_sim_llvm_nvvm_##NAME##_##R(float A) {              \
    return toInteger<TO>(A, MODE);                                             \
  }                                                                            \
  FERRY_SIM_DEVICE TO ferry_sim_llvm_nvvm_##NAME##_##R##_ftz(float A) {        \
    return toInteger<TO>(flushed(A), MODE);                                    \
  }
FERRY_SIM_MODES(FERRY_SIM_FROM_FLOAT, f2i, int32_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_FLOAT, f2ui, uint32_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_FLOAT, f2ll, int64_t)
FERRY_SIM_MODES(FERRY_SIM_FROM_FLOAT, f2ull, uint64_t)

#define FERRY_SIM_NARROW(R, MODE, ...)                                         \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_d2f_##R(double A) {               \
    return toFloating<float>(A, MODE);                                         \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_d2f_##R##_ftz(double A) {         \
    return flushed(toFloating<float>(A, MODE));                                \
  }
FERRY_SIM_MODES(FERRY_SIM_NARROW, )

FERRY_SIM_DEVICE uint16_t ferry_sim_llvm_nvvm_f2h_rn(float A) {
  return toHalf(A);
}
FERRY_SIM_DEVICE uint16_t ferry_sim_llvm_nvvm_f2h_rn_ftz(float A) {
  return toHalf(flushed(A));
}
/// To ten bits of fraction, ties away from zero.
FERRY_SIM_DEVICE uint32_t ferry_sim_llvm_nvvm_f2tf32_rna(float A) {
  uint32_t Bits = bitCast<uint32_t>(canonical(A));
  return std::isfinite(A) ? (Bits + 0x1000) & 0xffffe000 : Bits;
}

FERRY_SIM_DEVICE uint32_t ferry_sim_llvm_nvvm_d2i_hi(double A) {
  return static_cast<uint32_t>(bitCast<uint64_t>(A) >> 32);
}
FERRY_SIM_DEVICE uint32_t ferry_sim_llvm_nvvm_d2i_lo(double A) {
  return static_cast<uint32_t>(bitCast<uint64_t>(A));
}
FERRY_SIM_DEVICE double ferry_sim_llvm_nvvm_lohi_i2d(uint32_t Low,
                                                     uint32_t High) {
  return bitCast<double>(uint64_t(High) << 32 | Low);
}
FERRY_SIM_DEVICE uint32_t ferry_sim_llvm_nvvm_bitcast_f2i(float A) {
  return bitCast<uint32_t>(A);
}
FERRY_SIM_DEVICE float ferry_sim_llvm_nvvm_bitcast_i2f(uint32_t A) {
  return bitCast<float>(A);
}
FERRY_SIM_DEVICE uint64_t ferry_sim_llvm_nvvm_bitcast_d2ll(double A) {
  return bitCast<uint64_t>(A);
}
FERRY_SIM_DEVICE double ferry_sim_llvm_nvvm_bitcast_ll2d(uint64_t A) {
  return bitCast<double>(A);
}

// --- Integers ----------------------------------------------------------------

FERRY_SIM_DEVICE int32_t ferry_sim_llvm_nvvm_mulhi_s(int32_t A, int32_t B) {
  return int16_t(A) * int16_t(B) >> 16;
}
FERRY_SIM_DEVICE uint32_t ferry_sim_llvm_nvvm_mulhi_us(uint32_t A, uint32_t B) {
  return uint32_t(uint16_t(A)) * uint16_t(B) >> 16;
}
FERRY_SIM_DEVICE int32_t ferry_sim_llvm_nvvm_mulhi_i(int32_t A, int32_t B) {
  return static_cast<int32_t>(int64_t(A) * B >> 32);
}
FERRY_SIM_DEVICE uint32_t ferry_sim_llvm_nvvm_mulhi_ui(uint32_t A, uint32_t B) {
  return static_cast<uint32_t>(uint64_t(A) * B >> 32);
}
FERRY_SIM_DEVICE int64_t ferry_sim_llvm_nvvm_mulhi_ll(int64_t A, int64_t B) {
  return multiplyHigh(A, B);
}
FERRY_SIM_DEVICE uint64_t ferry_sim_llvm_nvvm_mulhi_ull(uint64_t A,
                                                        uint64_t B) {
  return multiplyHigh(A, B);
}
FERRY_SIM_DEVICE int32_t ferry_sim_llvm_nvvm_mul24_i(int32_t A, int32_t B) {
  return multiply24(A, B);
}
FERRY_SIM_DEVICE uint32_t ferry_sim_llvm_nvvm_mul24_ui(uint32_t A, uint32_t B) {
  return multiply24(A, B);
}

#define FERRY_SIM_SAD(NAME, REGISTER, TYPE)                                    \
  FERRY_SIM_DEVICE REGISTER ferry_sim_llvm_nvvm_sad_##NAME(                    \
      REGISTER A, REGISTER B, REGISTER C) {                                    \
    return absoluteDifference(static_cast<TYPE>(A), static_cast<TYPE>(B),      \
                              static_cast<TYPE>(C));                           \
  }
FERRY_SIM_SAD(s, int32_t, int16_t)
FERRY_SIM_SAD(us, uint32_t, uint16_t)
FERRY_SIM_SAD(i, int32_t, int32_t)
FERRY_SIM_SAD(ui, uint32_t, uint32_t)
FERRY_SIM_SAD(ll, int64_t, int64_t)
FERRY_SIM_SAD(ull, uint64_t, uint64_t)

FERRY_SIM_DEVICE uint32_t ferry_sim_llvm_nvvm_prmt(uint32_t A, uint32_t B,
                                                   uint32_t Selectors) {
  return permute(A, B, Selectors);
}

/// The position of the |Offset|-th set bit of \p Mask from \p Base on, upwards
/// if \p Offset is positive; -1 if there is none. Offset 0 asks for Base.
FERRY_SIM_DEVICE uint32_t ferry_sim_llvm_nvvm_fns(uint32_t Mask, uint32_t Base,
                                                  int32_t Offset) {
  if (Offset == 0)
    return Base < 32 && Mask >> Base & 1 ? Base : ~0u;
  int64_t Step = Offset > 0 ? 1 : -1;
  int64_t Left = Offset < 0 ? -int64_t(Offset) : Offset;
  for (int64_t Position = Base; Position >= 0 && Position < 32;
       Position += Step)
    if (Mask >> Position & 1 && --Left == 0)
      return static_cast<uint32_t>(Position);
  return ~0u;
}

FERRY_SIM_DEVICE uint32_t ferry_sim_llvm_nvvm_rotate_b32(uint32_t A,
                                                         uint32_t Bits) {
  return A << (Bits & 31) | A >> (-Bits & 31);
}
FERRY_SIM_DEVICE uint64_t ferry_sim_llvm_nvvm_rotate_b64(uint64_t A,
                                                         uint32_t Bits) {
  return A << (Bits & 63) | A >> (-Bits & 63);
}
FERRY_SIM_DEVICE uint64_t ferry_sim_llvm_nvvm_rotate_right_b64(uint64_t A,
                                                               uint32_t Bits) {
  return A >> (Bits & 63) | A << (-Bits & 63);
}
FERRY_SIM_DEVICE uint64_t ferry_sim_llvm_nvvm_swap_lo_hi_b64(uint64_t A) {
  return A << 32 | A >> 32;
}

#define FERRY_SIM_MOVE(NAME, TYPE)                                             \
  FERRY_SIM_DEVICE TYPE ferry_sim_llvm_nvvm_move_##NAME(TYPE A) { return A; }
FERRY_SIM_MOVE(i16, uint32_t)
FERRY_SIM_MOVE(i32, uint32_t)
FERRY_SIM_MOVE(i64, uint64_t)
FERRY_SIM_MOVE(float, float)
FERRY_SIM_MOVE(double, double)
