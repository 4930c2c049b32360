//===- RangeEvaluation.h - Values of range expressions ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TEST_RANGEEVALUATION_H
#define FERRY_TEST_RANGEEVALUATION_H

#include "closure/RangeExpression.h"
#include <algorithm>
#include <functional>
#include <string>

namespace ferry::test {

/// Values of arguments and words, by what they are.
using RangeInputs = std::function<int64_t(const RangeTerm &)>;

/// The range at one launch as "FIRST..LAST", or "unknown": by the meaning of
/// the terms, in wider arithmetic, as the emitted code does in another way.
inline std::string evaluate(const AccessRange &R, const RangeInputs &Inputs) {
  using Wide = __int128;
  std::vector<int64_t> V;
  bool Unknown = false;
  for (const RangeTerm &T : R.Terms) {
    Wide L = T.isLeaf() ? 0 : V[T.Left], Right = T.hasRight() ? V[T.Right] : 0;
    auto Unsigned = [](Wide X, unsigned Bits) {
      return X & ((Wide(1) << Bits) - 1);
    };
    Wide UL = Unsigned(L, T.Bits), UR = Unsigned(Right, T.Bits);
    unsigned From = T.isLeaf() ? 64 : R.Terms[T.Left].Bits;
    Wide Result = L;
    switch (T.Kind) {
    case RangeTerm::Constant:
      Result = T.Value;
      break;
    case RangeTerm::Argument:
    case RangeTerm::BlockClauses:
    case RangeTerm::Word:
      Result = Inputs(T);
      break;
    case RangeTerm::Add:
      Result = L + Right;
      break;
    case RangeTerm::Mul:
      Result = L * Right;
      break;
    case RangeTerm::SMin:
      Result = std::min(L, Right);
      break;
    case RangeTerm::SMax:
      Result = std::max(L, Right);
      break;
    case RangeTerm::UMin:
      Result = std::min(UL, UR);
      break;
    case RangeTerm::UMax:
      Result = std::max(UL, UR);
      break;
    case RangeTerm::SDiv:
      Unknown |= Right <= 0;
      Result = Right > 0 ? L / Right : 0;
      break;
    case RangeTerm::UDiv:
      Unknown |= UR == 0;
      Result = UR != 0 ? UL / UR : 0;
      break;
    case RangeTerm::ZExt:
      Result = Unsigned(L, From);
      break;
    case RangeTerm::FitsSigned:
      Unknown |=
          L < -(Wide(1) << (T.Value - 1)) || L >= (Wide(1) << (T.Value - 1));
      break;
    case RangeTerm::FitsUnsigned:
      Unknown |= L < 0 || L >= (Wide(1) << T.Value);
      break;
    default:
      break;
    }
    // What does not fit: an error in 64 bits, a wrap around below.
    Wide Half = Wide(1) << (T.Bits - 1);
    Wide Wrapped = Unsigned(Result + Half, T.Bits) - Half;
    if (T.Bits == 64 && (T.Kind == RangeTerm::Add || T.Kind == RangeTerm::Mul))
      Unknown |= Wrapped != Result;
    V.push_back(static_cast<int64_t>(Wrapped));
  }
  if (Unknown || V[R.First] > V[R.Last])
    return "unknown";
  return std::to_string(V[R.First]) + ".." + std::to_string(V[R.Last]);
}

} // namespace ferry::test

#endif // FERRY_TEST_RANGEEVALUATION_H
