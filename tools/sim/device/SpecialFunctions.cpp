//===- SpecialFunctions.cpp - Functions the C library lacks ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All in the extended precision of x86, eleven bits more than the results have.
//
//===----------------------------------------------------------------------===//

#include "SpecialFunctions.h"

#include <cmath>
#include <limits>

namespace ferry::sim {

constexpr long double Pi = 3.14159265358979323846264338327950288L;
constexpr long double RootPi = 1.77245385090551602729816748334114518L;
constexpr long double RootTwo = 1.41421356237309504880168872420969808L;
constexpr long double Infinity = std::numeric_limits<long double>::infinity();
constexpr long double NotANumber =
    std::numeric_limits<long double>::quiet_NaN();
constexpr long double Epsilon = std::numeric_limits<long double>::epsilon();

// --- Trigonometry ------------------------------------------------------------

long double sinPi(long double X) {
  // Exact: in [-1, 1], then in [-1/2, 1/2].
  long double Rest = std::remainder(X, 2.0L);
  if (std::fabs(Rest) > 0.5L)
    Rest = std::copysign(1.0L, Rest) - Rest;
  if (Rest == 0)
    return std::copysign(0.0L, X);
  return std::sin(Pi * Rest);
}

long double cosPi(long double X) {
  return std::sin(Pi * (0.5L - std::fabs(std::remainder(X, 2.0L))));
}

// --- Error function ----------------------------------------------------------

long double scaledErfc(long double X) {
  if (X < 10)
    return std::exp(X * X) * std::erfc(X);
  // The asymptotic series; its smallest term is about exp(-X^2).
  long double Term = 1, Sum = 1;
  for (int K = 1; std::fabs(Term) > Epsilon / 4; ++K) {
    Term *= -(2 * K - 1) / (2 * X * X);
    Sum += Term;
  }
  return Sum / (X * RootPi);
}

/// Within a few thousandths of the inverse of erf, from the logarithm of
/// 1 - y^2 (S. Winitzki's formula).
static long double guessInverseErf(long double Logarithm) {
  constexpr long double A = 0.147L;
  long double Half = 2 / (Pi * A) + Logarithm / 2;
  return std::sqrt(std::sqrt(Half * Half - Logarithm / A) - Half);
}

/// For a \p Y in (0, 1/2]: Newton's method on the logarithm, which is nearly
/// a parabola in the tail.
static long double inverseErfcTail(long double Y) {
  long double X = guessInverseErf(std::log(Y) + std::log(2 - Y));
  for (int Step = 0; Step < 8; ++Step) {
    long double Value = std::erfc(X);
    long double Slope = -2 / RootPi * std::exp(-X * X) / Value;
    long double Change = std::log(Value / Y) / Slope;
    X -= Change;
    if (std::fabs(Change) <= Epsilon * std::fabs(X))
      break;
  }
  return X;
}

/// For a \p Y in [-1/2, 1/2]: Newton's method.
static long double inverseErfCentre(long double Y) {
  long double X = Y * RootPi / 2;
  for (int Step = 0; Step < 10; ++Step) {
    long double Change = (std::erf(X) - Y) / (2 / RootPi * std::exp(-X * X));
    X -= Change;
    if (std::fabs(Change) <= Epsilon * std::fabs(X))
      break;
  }
  return X;
}

long double inverseErf(long double Y) {
  if (std::fabs(Y) <= 0.5L)
    return inverseErfCentre(Y);
  if (std::fabs(Y) < 1)
    return std::copysign(inverseErfcTail(1 - std::fabs(Y)), Y);
  return std::fabs(Y) == 1 ? std::copysign(Infinity, Y) : NotANumber;
}

long double inverseErfc(long double Y) {
  if (Y > 0 && Y < 0.5L)
    return inverseErfcTail(Y);
  if (Y >= 0.5L && Y <= 1.5L)
    return inverseErfCentre(1 - Y);
  if (Y > 1.5L && Y < 2)
    return -inverseErfcTail(2 - Y);
  if (Y == 0)
    return Infinity;
  return Y == 2 ? -Infinity : NotANumber;
}

long double normalDistribution(long double X) {
  return std::erfc(-X / RootTwo) / 2;
}

long double inverseNormalDistribution(long double Y) {
  return -RootTwo * inverseErfc(2 * Y);
}

// --- Bessel functions --------------------------------------------------------

/// exp(X) / sqrt(2 pi X) times the asymptotic series.
static long double besselIOfLarge(int Order, long double X) {
  if (std::isinf(X))
    return X;
  long double Term = 1, Sum = 1;
  for (int K = 1; std::fabs(Term) > Epsilon / 4; ++K) {
    long double Odd = 2 * K - 1;
    Term *= (Odd * Odd - 4 * Order * Order) / (8 * K * X);
    Sum += Term;
  }
  return std::exp(X) / std::sqrt(2 * Pi * X) * Sum;
}

long double besselI(int Order, long double X) {
  if (std::isnan(X))
    return X;
  long double Sign = Order == 1 && std::signbit(X) ? -1 : 1;
  if (std::fabs(X) > 40)
    return Sign * besselIOfLarge(Order, std::fabs(X));
  // The power series: no term is negative.
  long double Quarter = X * X / 4;
  long double Term = Order == 1 ? std::fabs(X) / 2 : 1;
  long double Sum = Term;
  for (int K = 1; Term > Sum * Epsilon / 4; ++K) {
    Term *= Quarter / (K * (K + Order));
    Sum += Term;
  }
  return Sign * Sum;
}

// --- Vectors -----------------------------------------------------------------

template <typename T> long double euclideanNorm(const T *Vector, int Count) {
  long double Sum = 0;
  bool Infinite = false;
  for (int I = 0; I < Count; ++I) {
    long double Element = Vector[I];
    Infinite |= std::isinf(Element);
    Sum += Element * Element;
  }
  return Infinite ? Infinity : std::sqrt(Sum);
}
template long double euclideanNorm(const float *, int);
template long double euclideanNorm(const double *, int);

} // namespace ferry::sim
