//===- RowPrice.h - What a meeting has to make up for -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_ROWPRICE_H
#define FERRY_STAGE_ROWPRICE_H

namespace ferry {

struct KernelLimits;
struct RowUnitPlan;

/// In clocks of a warp that nothing but itself keeps waiting.
struct RowPrice {
  double Saved = 0;   ///< by an iteration of the walk; negative: it costs
  double Meeting = 0; ///< what the walk costs beside its iterations

  /// The price of \p Plan, whose unit is a loop, on the GPU of \p Limits.
  static RowPrice of(const RowUnitPlan &Plan, const KernelLimits &Limits);
};

} // namespace ferry

#endif // FERRY_STAGE_ROWPRICE_H
