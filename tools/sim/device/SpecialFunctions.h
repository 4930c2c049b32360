//===- SpecialFunctions.h - Functions the C library lacks -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each takes numbers of single or double precision and gives a result that is
// within 1 unit in the last place once it is rounded to the same precision.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_SPECIALFUNCTIONS_H
#define FERRY_SIM_SPECIALFUNCTIONS_H

namespace ferry::sim {

/// The sine and cosine of pi * \p X.
long double sinPi(long double X);
long double cosPi(long double X);

/// exp(X^2) * erfc(X).
long double scaledErfc(long double X);
/// The X for which erf(X) is \p Y.
long double inverseErf(long double Y);
/// The X for which erfc(X) is \p Y.
long double inverseErfc(long double Y);
/// The normal distribution: the probability of a value below \p X.
long double normalDistribution(long double X);
/// The X for which that is \p Y.
long double inverseNormalDistribution(long double Y);

/// The modified Bessel function of the first kind, of order \p Order: 0 or 1.
long double besselI(int Order, long double X);

/// The length of a vector of \p Count elements: no overflow, and infinite if
/// an element is, whatever the others are.
template <typename T> long double euclideanNorm(const T *Vector, int Count);

} // namespace ferry::sim

#endif // FERRY_SIM_SPECIALFUNCTIONS_H
