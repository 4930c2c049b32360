//===- LibDevice.cpp - CUDA's device library, without CUDA ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions __nv_* that Clang's device headers call. Most are the host's C
// library's, others are in SpecialFunctions.cpp, and what PTX has an
// instruction for is done as that does it. Nothing is flushed to zero.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Numeric.h"
#include "SpecialFunctions.h"

#include <algorithm>
#include <cstdlib>

using namespace ferry::sim;

// --- Mathematics: the C library's --------------------------------------------

#define FERRY_SIM_MATH1(NAME)                                                  \
  FERRY_SIM_DEVICE double ferry_sim___nv_##NAME(double A) {                    \
    return ::NAME(A);                                                          \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim___nv_##NAME##f(float A) {                   \
    return ::NAME##f(A);                                                       \
  }
FERRY_SIM_MATH1(acos)
FERRY_SIM_MATH1(acosh)
FERRY_SIM_MATH1(asin)
FERRY_SIM_MATH1(asinh)
FERRY_SIM_MATH1(atan)
FERRY_SIM_MATH1(atanh)
FERRY_SIM_MATH1(cbrt)
FERRY_SIM_MATH1(ceil)
FERRY_SIM_MATH1(cos)
FERRY_SIM_MATH1(cosh)
FERRY_SIM_MATH1(erf)
FERRY_SIM_MATH1(erfc)
FERRY_SIM_MATH1(exp)
FERRY_SIM_MATH1(exp10)
FERRY_SIM_MATH1(exp2)
FERRY_SIM_MATH1(expm1)
FERRY_SIM_MATH1(fabs)
FERRY_SIM_MATH1(floor)
FERRY_SIM_MATH1(j0)
FERRY_SIM_MATH1(j1)
FERRY_SIM_MATH1(log)
FERRY_SIM_MATH1(log10)
FERRY_SIM_MATH1(log1p)
FERRY_SIM_MATH1(log2)
FERRY_SIM_MATH1(logb)
FERRY_SIM_MATH1(nearbyint)
FERRY_SIM_MATH1(rint)
FERRY_SIM_MATH1(round)
FERRY_SIM_MATH1(sin)
FERRY_SIM_MATH1(sinh)
FERRY_SIM_MATH1(sqrt)
FERRY_SIM_MATH1(tan)
FERRY_SIM_MATH1(tanh)
FERRY_SIM_MATH1(tgamma)
FERRY_SIM_MATH1(trunc)
FERRY_SIM_MATH1(y0)
FERRY_SIM_MATH1(y1)

#define FERRY_SIM_MATH2(NAME)                                                  \
  FERRY_SIM_DEVICE double ferry_sim___nv_##NAME(double A, double B) {          \
    return ::NAME(A, B);                                                       \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim___nv_##NAME##f(float A, float B) {          \
    return ::NAME##f(A, B);                                                    \
  }
FERRY_SIM_MATH2(atan2)
FERRY_SIM_MATH2(copysign)
FERRY_SIM_MATH2(fdim)
FERRY_SIM_MATH2(fmod)
FERRY_SIM_MATH2(hypot)
FERRY_SIM_MATH2(nextafter)
FERRY_SIM_MATH2(pow)
FERRY_SIM_MATH2(remainder)

#define FERRY_SIM_MATH1_INT(RESULT, NAME)                                      \
  FERRY_SIM_DEVICE RESULT ferry_sim___nv_##NAME(double A) {                    \
    return ::NAME(A);                                                          \
  }                                                                            \
  FERRY_SIM_DEVICE RESULT ferry_sim___nv_##NAME##f(float A) {                  \
    return ::NAME##f(A);                                                       \
  }
FERRY_SIM_MATH1_INT(int, ilogb)

/// Functions whose last parameter is an int or a pointer.
#define FERRY_SIM_MATH_WITH(NAME, TYPE_D, TYPE_F)                              \
  FERRY_SIM_DEVICE double ferry_sim___nv_##NAME(double A, TYPE_D B) {          \
    return ::NAME(A, B);                                                       \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim___nv_##NAME##f(float A, TYPE_F B) {         \
    return ::NAME##f(A, B);                                                    \
  }
FERRY_SIM_MATH_WITH(frexp, int *, int *)
FERRY_SIM_MATH_WITH(ldexp, int, int)
FERRY_SIM_MATH_WITH(modf, double *, float *)
FERRY_SIM_MATH_WITH(scalbn, int, int)

FERRY_SIM_DEVICE double ferry_sim___nv_fma(double A, double B, double C) {
  return std::fma(A, B, C);
}
FERRY_SIM_DEVICE float ferry_sim___nv_fmaf(float A, float B, float C) {
  return std::fma(A, B, C);
}
FERRY_SIM_DEVICE double ferry_sim___nv_remquo(double A, double B, int *Bits) {
  return std::remquo(A, B, Bits);
}
FERRY_SIM_DEVICE float ferry_sim___nv_remquof(float A, float B, int *Bits) {
  return std::remquo(A, B, Bits);
}
FERRY_SIM_DEVICE void ferry_sim___nv_sincos(double A, double *Sine,
                                            double *Cosine) {
  ::sincos(A, Sine, Cosine);
}
FERRY_SIM_DEVICE void ferry_sim___nv_sincosf(float A, float *Sine,
                                             float *Cosine) {
  ::sincosf(A, Sine, Cosine);
}
FERRY_SIM_DEVICE double ferry_sim___nv_nan(const char *Payload) {
  return std::nan(Payload ? Payload : "");
}
FERRY_SIM_DEVICE float ferry_sim___nv_nanf(const char *Payload) {
  return std::nanf(Payload ? Payload : "");
}
// lgamma itself writes to a variable that all threads share.
FERRY_SIM_DEVICE double ferry_sim___nv_lgamma(double A) {
  int Sign;
  return ::lgamma_r(A, &Sign);
}
FERRY_SIM_DEVICE float ferry_sim___nv_lgammaf(float A) {
  int Sign;
  return ::lgammaf_r(A, &Sign);
}

// CUDA has no Bessel functions of negative order.
#define FERRY_SIM_BESSEL(NAME)                                                 \
  FERRY_SIM_DEVICE double ferry_sim___nv_##NAME(int Order, double A) {         \
    return Order < 0 ? std::nan("") : ::NAME(Order, A);                        \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim___nv_##NAME##f(int Order, float A) {        \
    return Order < 0 ? std::nanf("") : ::NAME##f(Order, A);                    \
  }
FERRY_SIM_BESSEL(jn)
FERRY_SIM_BESSEL(yn)

// --- Mathematics: what the C library lacks -----------------------------------

/// Defines NAME for both precisions by an expression of extended precision.
#define FERRY_SIM_LONG1(NAME, EXPRESSION)                                      \
  FERRY_SIM_DEVICE double ferry_sim___nv_##NAME(double Argument) {             \
    long double A = Argument;                                                  \
    return static_cast<double>(EXPRESSION);                                    \
  }                                                                            \
  FERRY_SIM_DEVICE float ferry_sim___nv_##NAME##f(float Argument) {            \
    long double A = Argument;                                                  \
    return static_cast<float>(EXPRESSION);                                     \
  }
FERRY_SIM_LONG1(cospi, cosPi(A))
FERRY_SIM_LONG1(cyl_bessel_i0, besselI(0, A))
FERRY_SIM_LONG1(cyl_bessel_i1, besselI(1, A))
FERRY_SIM_LONG1(erfcinv, inverseErfc(A))
FERRY_SIM_LONG1(erfcx, scaledErfc(A))
FERRY_SIM_LONG1(erfinv, inverseErf(A))
FERRY_SIM_LONG1(normcdf, normalDistribution(A))
FERRY_SIM_LONG1(normcdfinv, inverseNormalDistribution(A))
FERRY_SIM_LONG1(rcbrt, 1 / std::cbrt(A))
FERRY_SIM_LONG1(rsqrt, 1 / std::sqrt(A))
FERRY_SIM_LONG1(sinpi, sinPi(A))

FERRY_SIM_DEVICE float ferry_sim___nv_frsqrt_rn(float A) {
  return ferry_sim___nv_rsqrtf(A);
}
FERRY_SIM_DEVICE void ferry_sim___nv_sincospi(double A, double *Sine,
                                              double *Cosine) {
  *Sine = ferry_sim___nv_sinpi(A);
  *Cosine = ferry_sim___nv_cospi(A);
}
FERRY_SIM_DEVICE void ferry_sim___nv_sincospif(float A, float *Sine,
                                               float *Cosine) {
  *Sine = ferry_sim___nv_sinpif(A);
  *Cosine = ferry_sim___nv_cospif(A);
}

/// Lengths of vectors, and one over them.
static long double length(long double Norm) { return Norm; }
static long double reciprocal(long double Norm) { return 1 / Norm; }

#define FERRY_SIM_NORMS(T, PREFIX, SUFFIX, FINISH)                             \
  FERRY_SIM_DEVICE T ferry_sim___nv_##PREFIX##norm##SUFFIX(int Count,          \
                                                           const T *Vector) {  \
    return static_cast<T>(FINISH(euclideanNorm(Vector, Count)));               \
  }                                                                            \
  FERRY_SIM_DEVICE T ferry_sim___nv_##PREFIX##norm3d##SUFFIX(T A, T B, T C) {  \
    T Vector[] = {A, B, C};                                                    \
    return static_cast<T>(FINISH(euclideanNorm(Vector, 3)));                   \
  }                                                                            \
  FERRY_SIM_DEVICE T ferry_sim___nv_##PREFIX##norm4d##SUFFIX(T A, T B, T C,    \
                                                             T D) {            \
    T Vector[] = {A, B, C, D};                                                 \
    return static_cast<T>(FINISH(euclideanNorm(Vector, 4)));                   \
  }
FERRY_SIM_NORMS(double, , , length)
FERRY_SIM_NORMS(float, , f, length)
FERRY_SIM_NORMS(double, r, , reciprocal)
FERRY_SIM_NORMS(float, r, f, reciprocal)

FERRY_SIM_DEVICE double ferry_sim___nv_rhypot(double A, double B) {
  double Vector[] = {A, B};
  return static_cast<double>(reciprocal(euclideanNorm(Vector, 2)));
}
FERRY_SIM_DEVICE float ferry_sim___nv_rhypotf(float A, float B) {
  float Vector[] = {A, B};
  return static_cast<float>(reciprocal(euclideanNorm(Vector, 2)));
}

/// By squaring: what the device library does, so with its rounding errors.
template <typename T> static T integerPower(T Base, int Exponent) {
  T Result = 1;
  uint32_t Left = Exponent < 0 ? -static_cast<uint32_t>(Exponent) : Exponent;
  for (; Left; Left >>= 1, Base *= Base)
    if (Left & 1)
      Result *= Base;
  return Exponent < 0 ? 1 / Result : Result;
}
FERRY_SIM_DEVICE double ferry_sim___nv_powi(double A, int Exponent) {
  return integerPower(A, Exponent);
}
FERRY_SIM_DEVICE float ferry_sim___nv_powif(float A, int Exponent) {
  return integerPower(A, Exponent);
}

// --- Mathematics: fast approximations ----------------------------------------

// Products of the approximations of exp2 and log2, rounded as on the device:
// far from 1 they have its errors.
constexpr float LogTwo = 0.693147181f;
constexpr float LogTenOfTwo = 0.301029996f;
constexpr float LogTwoOfE = 1.44269504f;
constexpr float LogTwoOfTen = 3.32192809f;

FERRY_SIM_DEVICE float ferry_sim___nv_fast_sinf(float A) {
  return approximateSin(A);
}
FERRY_SIM_DEVICE float ferry_sim___nv_fast_cosf(float A) {
  return approximateCos(A);
}
FERRY_SIM_DEVICE void ferry_sim___nv_fast_sincosf(float A, float *Sine,
                                                  float *Cosine) {
  *Sine = approximateSin(A);
  *Cosine = approximateCos(A);
}
FERRY_SIM_DEVICE float ferry_sim___nv_fast_tanf(float A) {
  return approximateDivide(approximateSin(A), approximateCos(A));
}
FERRY_SIM_DEVICE float ferry_sim___nv_fast_tanhf(float A) {
  return approximateTanh(A);
}
FERRY_SIM_DEVICE float ferry_sim___nv_fast_expf(float A) {
  return approximateExp2(A * LogTwoOfE);
}
FERRY_SIM_DEVICE float ferry_sim___nv_fast_exp10f(float A) {
  return approximateExp2(A * LogTwoOfTen);
}
FERRY_SIM_DEVICE float ferry_sim___nv_fast_log2f(float A) {
  return approximateLog2(A);
}
FERRY_SIM_DEVICE float ferry_sim___nv_fast_logf(float A) {
  return LogTwo * approximateLog2(A);
}
FERRY_SIM_DEVICE float ferry_sim___nv_fast_log10f(float A) {
  return LogTenOfTwo * approximateLog2(A);
}
FERRY_SIM_DEVICE float ferry_sim___nv_fast_powf(float A, float B) {
  return approximateExp2(B * approximateLog2(A));
}
FERRY_SIM_DEVICE float ferry_sim___nv_fast_fdividef(float A, float B) {
  return approximateDivide(A, B);
}
FERRY_SIM_DEVICE double ferry_sim___nv_rcp64h(double A) {
  return upperHalf(1 / upperHalf(A));
}

// --- Classes, minimum and maximum --------------------------------------------

#define FERRY_SIM_CLASS(NAME, T, FUNCTION)                                     \
  FERRY_SIM_DEVICE int ferry_sim___nv_##NAME(T A) { return FUNCTION(A); }
FERRY_SIM_CLASS(finitef, float, std::isfinite)
FERRY_SIM_CLASS(isfinited, double, std::isfinite)
FERRY_SIM_CLASS(isinff, float, std::isinf)
FERRY_SIM_CLASS(isinfd, double, std::isinf)
FERRY_SIM_CLASS(isnanf, float, std::isnan)
FERRY_SIM_CLASS(isnand, double, std::isnan)
FERRY_SIM_CLASS(signbitf, float, std::signbit)
FERRY_SIM_CLASS(signbitd, double, std::signbit)

#define FERRY_SIM_CHOICE(NAME, T, FUNCTION)                                    \
  FERRY_SIM_DEVICE T ferry_sim___nv_##NAME(T A, T B) { return FUNCTION(A, B); }
FERRY_SIM_CHOICE(fmax, double, maximum)
FERRY_SIM_CHOICE(fmaxf, float, maximum)
FERRY_SIM_CHOICE(fmin, double, minimum)
FERRY_SIM_CHOICE(fminf, float, minimum)
FERRY_SIM_CHOICE(max, int32_t, std::max)
FERRY_SIM_CHOICE(min, int32_t, std::min)
FERRY_SIM_CHOICE(umax, uint32_t, std::max)
FERRY_SIM_CHOICE(umin, uint32_t, std::min)
FERRY_SIM_CHOICE(llmax, int64_t, std::max)
FERRY_SIM_CHOICE(llmin, int64_t, std::min)
FERRY_SIM_CHOICE(ullmax, uint64_t, std::max)
FERRY_SIM_CHOICE(ullmin, uint64_t, std::min)

FERRY_SIM_DEVICE float ferry_sim___nv_saturatef(float A) {
  return saturated(A);
}

// --- Rounding by name --------------------------------------------------------

#define FERRY_SIM_NV1(NAME, TO, FROM, VALUE)                                   \
  FERRY_SIM_DEVICE TO ferry_sim___nv_##NAME(FROM A) { return VALUE; }
#define FERRY_SIM_NV2(NAME, T, VALUE)                                          \
  FERRY_SIM_DEVICE T ferry_sim___nv_##NAME(T A, T B) { return VALUE; }
#define FERRY_SIM_NV3(NAME, T, VALUE)                                          \
  FERRY_SIM_DEVICE T ferry_sim___nv_##NAME(T A, T B, T C) { return VALUE; }

#define FERRY_SIM_ROUNDED_OF(T, P, M, R, MODE)                                 \
  FERRY_SIM_NV2(P##add_##R, T, rounded<T>(MODE, Add(), A, B))                  \
  FERRY_SIM_NV2(P##sub_##R, T, rounded<T>(MODE, Subtract(), A, B))             \
  FERRY_SIM_NV2(P##mul_##R, T, rounded<T>(MODE, Multiply(), A, B))             \
  FERRY_SIM_NV2(P##div_##R, T, rounded<T>(MODE, Divide(), A, B))               \
  FERRY_SIM_NV1(P##rcp_##R, T, T, rounded<T>(MODE, Reciprocal(), A))           \
  FERRY_SIM_NV1(P##sqrt_##R, T, T, rounded<T>(MODE, SquareRoot(), A))          \
  FERRY_SIM_NV3(M##_##R, T, rounded<T>(MODE, FusedMultiplyAdd(), A, B, C))
#define FERRY_SIM_ROUNDED(R, MODE)                                             \
  FERRY_SIM_ROUNDED_OF(double, d, fma, R, MODE)                                \
  FERRY_SIM_ROUNDED_OF(float, f, fmaf, R, MODE)                                \
  FERRY_SIM_NV3(fmaf_ieee_##R, float,                                          \
                rounded<float>(MODE, FusedMultiplyAdd(), A, B, C))             \
  FERRY_SIM_NV1(double2float_##R, float, double, toFloating<float>(A, MODE))   \
  FERRY_SIM_NV1(int2float_##R, float, int32_t, toFloating<float>(A, MODE))     \
  FERRY_SIM_NV1(uint2float_##R, float, uint32_t, toFloating<float>(A, MODE))   \
  FERRY_SIM_NV1(ll2float_##R, float, int64_t, toFloating<float>(A, MODE))      \
  FERRY_SIM_NV1(ull2float_##R, float, uint64_t, toFloating<float>(A, MODE))    \
  FERRY_SIM_NV1(ll2double_##R, double, int64_t, toFloating<double>(A, MODE))   \
  FERRY_SIM_NV1(ull2double_##R, double, uint64_t, toFloating<double>(A, MODE)) \
  FERRY_SIM_NV1(double2int_##R, int32_t, double, toInteger<int32_t>(A, MODE))  \
  FERRY_SIM_NV1(double2uint_##R, uint32_t, double,                             \
                toInteger<uint32_t>(A, MODE))                                  \
  FERRY_SIM_NV1(double2ll_##R, int64_t, double, toInteger<int64_t>(A, MODE))   \
  FERRY_SIM_NV1(double2ull_##R, uint64_t, double,                              \
                toInteger<uint64_t>(A, MODE))                                  \
  FERRY_SIM_NV1(float2int_##R, int32_t, float, toInteger<int32_t>(A, MODE))    \
  FERRY_SIM_NV1(float2uint_##R, uint32_t, float, toInteger<uint32_t>(A, MODE)) \
  FERRY_SIM_NV1(float2ll_##R, int64_t, float, toInteger<int64_t>(A, MODE))     \
  FERRY_SIM_NV1(float2ull_##R, uint64_t, float, toInteger<uint64_t>(A, MODE))
FERRY_SIM_ROUNDED(rn, FE_TONEAREST)
FERRY_SIM_ROUNDED(rz, FE_TOWARDZERO)
FERRY_SIM_ROUNDED(rd, FE_DOWNWARD)
FERRY_SIM_ROUNDED(ru, FE_UPWARD)

FERRY_SIM_NV1(int2double_rn, double, int32_t, A)
FERRY_SIM_NV1(uint2double_rn, double, uint32_t, A)
FERRY_SIM_NV1(float2half_rn, uint16_t, float, toHalf(A))
FERRY_SIM_NV1(half2float, float, uint32_t,
              bitCast<_Float16>(static_cast<uint16_t>(A)))

FERRY_SIM_NV1(llrint, int64_t, double, toInteger<int64_t>(A, FE_TONEAREST))
FERRY_SIM_NV1(llrintf, int64_t, float, toInteger<int64_t>(A, FE_TONEAREST))
FERRY_SIM_NV1(llround, int64_t, double,
              toInteger<int64_t>(std::round(A), FE_TOWARDZERO))
FERRY_SIM_NV1(llroundf, int64_t, float,
              toInteger<int64_t>(std::round(A), FE_TOWARDZERO))

// --- Bits --------------------------------------------------------------------

FERRY_SIM_NV1(double2hiint, uint32_t, double, bitCast<uint64_t>(A) >> 32)
FERRY_SIM_NV1(double2loint, uint32_t, double, bitCast<uint64_t>(A))
FERRY_SIM_NV1(double_as_longlong, uint64_t, double, bitCast<uint64_t>(A))
FERRY_SIM_NV1(longlong_as_double, double, uint64_t, bitCast<double>(A))
FERRY_SIM_NV1(float_as_int, uint32_t, float, bitCast<uint32_t>(A))
FERRY_SIM_NV1(float_as_uint, uint32_t, float, bitCast<uint32_t>(A))
FERRY_SIM_NV1(int_as_float, float, uint32_t, bitCast<float>(A))
FERRY_SIM_NV1(uint_as_float, float, uint32_t, bitCast<float>(A))
FERRY_SIM_DEVICE double ferry_sim___nv_hiloint2double(uint32_t High,
                                                      uint32_t Low) {
  return bitCast<double>(uint64_t(High) << 32 | Low);
}

template <typename T> static T reversed(T Bits) {
  T Result = 0;
  for (unsigned I = 0; I < 8 * sizeof(T); ++I, Bits >>= 1)
    Result = Result << 1 | (Bits & 1);
  return Result;
}
FERRY_SIM_NV1(brev, uint32_t, uint32_t, reversed(A))
FERRY_SIM_NV1(brevll, uint64_t, uint64_t, reversed(A))
FERRY_SIM_NV1(clz, int, uint32_t, A ? __builtin_clz(A) : 32)
FERRY_SIM_NV1(clzll, int, uint64_t, A ? __builtin_clzll(A) : 64)
FERRY_SIM_NV1(ffs, int, int32_t, __builtin_ffs(A))
FERRY_SIM_NV1(ffsll, int, int64_t, __builtin_ffsll(A))
FERRY_SIM_NV1(popc, int, uint32_t, __builtin_popcount(A))
FERRY_SIM_NV1(popcll, int, uint64_t, __builtin_popcountll(A))
// Only here the selectors have three bits.
FERRY_SIM_NV3(byte_perm, uint32_t, permute(A, B, C & 0x7777))

// --- Integers ----------------------------------------------------------------

FERRY_SIM_NV1(abs, uint32_t, int32_t, A < 0 ? -uint32_t(A) : A)
FERRY_SIM_NV1(llabs, uint64_t, int64_t, A < 0 ? -uint64_t(A) : A)
FERRY_SIM_NV2(hadd, int32_t, (A & B) + ((A ^ B) >> 1))
FERRY_SIM_NV2(uhadd, uint32_t, (A & B) + ((A ^ B) >> 1))
FERRY_SIM_NV2(rhadd, int32_t, (A | B) - ((A ^ B) >> 1))
FERRY_SIM_NV2(urhadd, uint32_t, (A | B) - ((A ^ B) >> 1))
FERRY_SIM_NV2(mul24, int32_t, multiply24(A, B))
FERRY_SIM_NV2(umul24, uint32_t, multiply24(A, B))
FERRY_SIM_NV2(mulhi, int32_t, static_cast<int32_t>(int64_t(A) * B >> 32))
FERRY_SIM_NV2(umulhi, uint32_t, static_cast<uint32_t>(uint64_t(A) * B >> 32))
FERRY_SIM_NV2(mul64hi, int64_t, multiplyHigh(A, B))
FERRY_SIM_NV2(umul64hi, uint64_t, multiplyHigh(A, B))
FERRY_SIM_DEVICE int32_t ferry_sim___nv_sad(int32_t A, int32_t B, int32_t C) {
  return absoluteDifference(A, B, C);
}
FERRY_SIM_NV3(usad, uint32_t, absoluteDifference(A, B, C))
