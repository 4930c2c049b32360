//===- Numeric.h - Rounding, flushing and saturation as PTX has them ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rounding modes are those of <cfenv>. Results are those of the PTX ISA, with
// its one NaN of single precision; NaNs of double precision are the host's.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_NUMERIC_H
#define FERRY_SIM_NUMERIC_H

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace ferry::sim {

template <typename To, typename From> To bitCast(From Value) {
  static_assert(sizeof(To) == sizeof(From));
  To Result;
  std::memcpy(&Result, &Value, sizeof(To));
  return Result;
}

/// A subnormal number becomes a zero of its sign (.ftz).
inline float flushed(float Value) {
  return std::fpclassify(Value) == FP_SUBNORMAL ? std::copysign(0.0f, Value)
                                                : Value;
}

/// What an instruction writes to its destination.
inline float canonical(float Value) {
  return std::isnan(Value) ? bitCast<float>(0x7fffffffu) : Value;
}
inline double canonical(double Value) { return Value; }

/// \p Value, of which the compiler knows nothing: it can neither compute with
/// it before run time nor move its use across a change of the rounding mode.
template <typename T> T opaque(T Value) {
  volatile T Hidden = Value;
  return Hidden;
}

/// \p Operation on \p Operands, rounded in \p Mode to a \p T.
template <typename T, typename Operation, typename... Operands>
T rounded(int Mode, Operation Do, Operands... Values) {
  if (Mode == FE_TONEAREST)
    return canonical(static_cast<T>(Do(Values...)));
  int Before = std::fegetround();
  std::fesetround(Mode);
  T Result = opaque(static_cast<T>(Do(opaque(Values)...)));
  std::fesetround(Before);
  return canonical(Result);
}

/// The operations that are rounded.
struct Add {
  template <typename T> T operator()(T A, T B) const { return A + B; }
};
struct Subtract {
  template <typename T> T operator()(T A, T B) const { return A - B; }
};
struct Multiply {
  template <typename T> T operator()(T A, T B) const { return A * B; }
};
struct Divide {
  template <typename T> T operator()(T A, T B) const { return A / B; }
};
struct FusedMultiplyAdd {
  template <typename T> T operator()(T A, T B, T C) const {
    return std::fma(A, B, C);
  }
};
struct Reciprocal {
  template <typename T> T operator()(T A) const { return T(1) / A; }
};
struct SquareRoot {
  template <typename T> T operator()(T A) const { return std::sqrt(A); }
};

/// A number as a \p To, rounded in \p Mode.
template <typename To, typename From> To toFloating(From Value, int Mode) {
  if constexpr (std::is_same_v<From, uint64_t>) {
    // Compilers convert large unsigned numbers in steps that are right for
    // rounding to nearest only. The lowest bit keeps what is shifted out.
    if (Value >> 63)
      return 2 * toFloating<To>(static_cast<int64_t>(Value >> 1 | (Value & 1)),
                                Mode);
    return toFloating<To>(static_cast<int64_t>(Value), Mode);
  } else {
    return rounded<To>(Mode, [](From V) { return static_cast<To>(V); }, Value);
  }
}

/// \p Value rounded to an integer in \p Mode.
template <typename T> T toIntegral(T Value, int Mode) {
  switch (Mode) {
  case FE_TOWARDZERO:
    return std::trunc(Value);
  case FE_DOWNWARD:
    return std::floor(Value);
  case FE_UPWARD:
    return std::ceil(Value);
  default:
    return std::nearbyint(Value);
  }
}

/// As cvt does: values out of range become the nearest one in range; a NaN
/// becomes 0 if both sides have 32 bits, else the highest bit alone.
template <typename To, typename From> To toInteger(From Value, int Mode) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(Value))
    return sizeof(From) == 4 && sizeof(To) == 4
               ? 0
               : static_cast<To>(uint64_t(1) << (8 * sizeof(To) - 1));
  From Rounded = toIntegral(Value, Mode);
  if (Rounded < static_cast<From>(Limits::min()))
    return Limits::min();
  if (Rounded >= std::ldexp(From(1), Limits::digits))
    return Limits::max();
  return static_cast<To>(Rounded);
}

/// The smaller number, a zero with a sign before one without. \p PropagateNaN:
/// a NaN among the operands is the result; otherwise the other operand is.
template <typename T> T minimum(T A, T B, bool PropagateNaN = false) {
  if (std::isnan(A) || std::isnan(B)) {
    if (PropagateNaN || (std::isnan(A) && std::isnan(B)))
      return canonical(A + B);
    return std::isnan(A) ? B : A;
  }
  if (A == B)
    return std::signbit(A) ? A : B;
  return A < B ? A : B;
}
template <typename T> T maximum(T A, T B, bool PropagateNaN = false) {
  return canonical(-minimum(-A, -B, PropagateNaN));
}

/// Within [0, 1]; a NaN becomes 0.
template <typename T> T saturated(T Value) {
  return Value > 0 ? (Value < 1 ? Value : T(1)) : T(0);
}

/// A number of half precision, as bits.
inline uint16_t toHalf(float Value) {
  if (std::isnan(Value))
    return 0x7fff;
  return bitCast<uint16_t>(static_cast<_Float16>(Value));
}

/// The upper half of the double product.
inline uint64_t multiplyHigh(uint64_t A, uint64_t B) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(A) * B >> 64);
}
inline int64_t multiplyHigh(int64_t A, int64_t B) {
  return static_cast<int64_t>(static_cast<__int128>(A) * B >> 64);
}

/// The product of the lower 24 bits.
inline int32_t multiply24(int32_t A, int32_t B) {
  auto Low = [](int32_t V) {
    return static_cast<int32_t>(static_cast<uint32_t>(V) << 8) >> 8;
  };
  return static_cast<int32_t>(int64_t(Low(A)) * Low(B));
}
inline uint32_t multiply24(uint32_t A, uint32_t B) {
  return (A & 0xffffff) * (B & 0xffffff);
}

/// Sum + |A - B|, modulo 2^n.
template <typename T> T absoluteDifference(T A, T B, T Sum) {
  using U = std::make_unsigned_t<T>;
  U Difference = A < B ? U(B) - U(A) : U(A) - U(B);
  return static_cast<T>(U(Sum) + Difference);
}

/// Picks four of the eight bytes of \p A and \p B; the upper bit of a selector
/// asks for the byte's sign in its place.
inline uint32_t permute(uint32_t A, uint32_t B, uint32_t Selectors) {
  uint64_t Bytes = uint64_t(B) << 32 | A;
  uint32_t Result = 0;
  for (unsigned I = 0; I < 4; ++I) {
    unsigned Selector = Selectors >> (4 * I) & 15;
    uint32_t Byte = Bytes >> (8 * (Selector & 7)) & 0xff;
    if (Selector & 8)
      Byte = Byte & 0x80 ? 0xff : 0;
    Result |= Byte << (8 * I);
  }
  return Result;
}

// The approximations of the hardware are computed in a higher precision and
// rounded once here: within 0.51 units in the last place of the exact value,
// where the hardware may be a few units off.

inline float approximateExp2(float A) {
  return canonical(static_cast<float>(std::exp2(double(A))));
}
inline float approximateLog2(float A) {
  return canonical(static_cast<float>(std::log2(double(A))));
}
inline float approximateSin(float A) {
  return canonical(static_cast<float>(std::sin(double(A))));
}
inline float approximateCos(float A) {
  return canonical(static_cast<float>(std::cos(double(A))));
}
inline float approximateTanh(float A) {
  return canonical(static_cast<float>(std::tanh(double(A))));
}
inline float approximateRsqrt(float A) {
  return canonical(static_cast<float>(1 / std::sqrt(double(A))));
}
inline double approximateRsqrt(double A) {
  return static_cast<double>(1 / std::sqrt(static_cast<long double>(A)));
}
/// Divisors above 2^126 are beyond what the instruction can do.
inline float approximateDivide(float A, float B) {
  float Magnitude = std::fabs(B);
  if (Magnitude > 0x1p126f && !std::isinf(B))
    return canonical(std::copysign(0.0f, B) * A);
  return canonical(A / B);
}

/// The upper half of a number: what the rough approximations of double
/// precision give. Subnormal numbers become zero.
inline double upperHalf(double Value) {
  if (std::fpclassify(Value) == FP_SUBNORMAL)
    return std::copysign(0.0, Value);
  if (std::isnan(Value))
    return Value;
  return bitCast<double>(bitCast<uint64_t>(Value) & 0xffffffff00000000);
}

} // namespace ferry::sim

#endif // FERRY_SIM_NUMERIC_H
