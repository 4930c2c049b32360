//===- StencilPrice.h - What tiles of a stencil save ------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STENCILPRICE_H
#define FERRY_STAGE_STENCILPRICE_H

#include "StencilPlan.h"
#include "costs/Costs.h"
#include "stage/common/PlanContext.h"

namespace ferry {

/// Sectors of \p Rows rows of \p Columns elements of \p Size bytes that begin
/// anywhere.
double sectorsOf(unsigned Rows, unsigned Columns, unsigned Size);
/// Sectors that a block of \p Threads loads of \p F for an iteration of the
/// kernel as it is, each one once.
double sectorsAsItIs(const StencilField &F, unsigned Threads);
/// Sectors that a block of \p Threads loads for an iteration of what is not in
/// \p N's fields.
double sectorsOfOthers(const KernelStencil &N, unsigned Threads);

/// What stencils in tiles and in walks have in common. All figures are those of
/// a warp's iteration.
class StencilPrice {
protected:
  StencilPrice(const KernelStencil &N, const PlanContext &C,
               uint64_t Iterations);

  const KernelStencil &N;
  const PlanContext &C;
  const sim::DeviceModel &Gpu;
  const sim::FunctionCosts Costs;
  const double Iterations; ///< of the launch
  /// What uses other memory than the fields'.
  const llvm::SmallVector<const llvm::Instruction *, 8> Others;
  unsigned Threads; ///< of a block
  double IterationsOfThread;

  /// Passes of a request of a warp for elements of \p Bytes next to each other.
  static double passes(unsigned Bytes);
  /// The kernel as it is, of which a block loads \p Before sectors for an
  /// iteration.
  WarpUse plain(double Before) const;
  double warpsOfPlain() const;
  /// What is done once for a block that does not take plain iterations.
  WarpUse block() const;
  /// Adds what of an iteration's instructions is left: not those that compute
  /// i, j, guards, and addresses that are a step apart.
  void addWork(WarpUse &Use) const;
  /// Adds what both versions do with other memory than the fields'.
  void addOthers(WarpUse &Use) const;
  /// Bytes that are read from memory if each is once.
  double bytesRead() const;
  /// The same with what is written, where \p Read are read. What a launch
  /// writes stays in the second level as far as there is room.
  double bytesOfMemory(double Read) const;
  double warps(unsigned Registers, unsigned LocalBytes,
               uint64_t SharedBytes) const;

private:
  /// Instructions that choose the version, without those of ranges: where there
  /// are planes, or the number of rows is not known, numbers of 64 bits are
  /// divided for it.
  double choice() const;
};

/// The times of an iteration of a warp of \p Plan's kernel, as it is and in
/// tiles, in a launch of \p Iterations. Reads IR only.
PredictedGain priceOf(const StencilPlan &Plan, const PlanContext &C,
                      uint64_t Iterations);

} // namespace ferry

#endif // FERRY_STAGE_STENCILPRICE_H
