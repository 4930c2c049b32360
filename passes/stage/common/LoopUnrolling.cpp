//===- LoopUnrolling.cpp - How often LLVM unrolls a loop ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   loop of 12 instructions, -O3    ->  4  (-Rpass=loop-unroll says as much)
//
//===----------------------------------------------------------------------===//

#include "LoopUnrolling.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace ferry {

unsigned timesUnrolled(Loop &L, const TargetTransformInfo &Target,
                       ScalarEvolution &SE, unsigned SpeedupLevel) {
  if (findOptionMDForLoop(&L, "llvm.loop.unroll.disable"))
    return 1;
  if (std::optional<int> Times =
          getOptionalIntLoopAttribute(&L, "llvm.loop.unroll.count"))
    return unsigned(std::max(*Times, 1));
  OptimizationRemarkEmitter ORE(L.getHeader()->getParent());
  const TargetTransformInfo::UnrollingPreferences Limits =
      gatherUnrollingPreferences(&L, SE, Target, /*BFI=*/nullptr,
                                 /*PSI=*/nullptr, ORE, int(SpeedupLevel),
                                 std::nullopt, std::nullopt, std::nullopt,
                                 std::nullopt, std::nullopt, std::nullopt);
  const SmallPtrSet<const Value *, 8> OfAssumptions;
  const UnrollCostEstimator Size(&L, Target, OfAssumptions, Limits.BEInsns);
  if (!Limits.Runtime || !Size.canUnroll() || !Size.ConvergenceAllowsRuntime)
    return 1;
  unsigned Times = Limits.DefaultUnrollRuntimeCount;
  while (Times > 1 &&
         Size.getUnrolledLoopSize(Limits, Times) > Limits.PartialThreshold)
    Times /= 2;
  return Times;
}

} // namespace ferry
