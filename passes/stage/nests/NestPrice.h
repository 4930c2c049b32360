//===- NestPrice.h - What a step of a nest takes ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The price of a nest is the time of a step of its inner loop, in a launch that
// fills the GPU: as it is, and in tiles. NestPrice.cpp tells what goes into it.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_NESTPRICE_H
#define FERRY_STAGE_NESTPRICE_H

#include "NestPlan.h"
#include "stage/common/WarpPrice.h"

namespace ferry {

struct KernelLimits;

class NestPrice {
public:
  /// Of \p Nest, in a kernel with \p Limits. Both have to live as long.
  NestPrice(const KernelNest &Nest, const KernelLimits &Limits);

  /// The time of 32 neighbouring iterations, as they are.
  PredictedTime plain() const;
  /// What of that the integers take, in clocks: addresses, mostly.
  double plainIntegers() const;
  /// The same as far as launches of few warps need it, in a kernel that has so
  /// many bytes for tiles and registers.
  NestTimes plainTimes(unsigned SharedBytes, unsigned Registers) const;
  /// Sets the times of the tiles \p T, whose panels are known, in a kernel that
  /// has \p SharedBytes for its tiles.
  void setTimes(NestTiles &T, unsigned SharedBytes) const;
  /// What a thread has in registers while it computes in \p T.
  unsigned registers(const NestTiles &T) const;
  /// Words that an iteration has from step to step.
  unsigned carriedWords() const { return CarriedWords; }

private:
  /// How often a value of the inner loop is calculated in a step of a thread
  /// with several iterations: once, for each of its rows or columns, or for
  /// each.
  enum Repeated : unsigned { Once = 0, EachRow = 1, EachColumn = 2, Each = 3 };

  const KernelNest &N;
  const KernelLimits &Limits;
  WarpUse Plain;
  unsigned PlainRegisters = 0;
  WarpUse Computed[Each + 1]; ///< by Repeated
  unsigned CarriedWords = 0;  ///< of an iteration, from step to step

  void findPlain();
  void findComputed();
  WarpUse useOf(const NestTiles &T) const;
  NestTimes timesOf(const WarpUse &Use, unsigned SharedBytes,
                    unsigned Registers) const;
};

} // namespace ferry

#endif // FERRY_STAGE_NESTPRICE_H
