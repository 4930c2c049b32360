//===- NestPlan.cpp - A nest of loops, tile by tile -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestPlan.h"
#include "stage/common/StageRemarks.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ferry {

void print(raw_ostream &OS, const NestPlan &P) {
  OS << "  nest in tiles of up to " << NestPlan::Shape.rows(P.MaxThreads)
     << " x " << NestPlan::Shape.columns() << " iterations, " << P.Steps
     << " steps at a time, " << P.bytes() << " bytes\n";
  for (const NestOperand &S : P.Nest.Streams)
    OS << "    by " << (S.ByRow ? "row" : "column") << ":" << *S.Load << "\n";
}

void remark(OptimizationRemarkEmitter &ORE, const NestPlan &P) {
  ORE.emit([&] {
    return remarkTiled(*P.Nest.Streams[0].Load, P.Nest.Streams.size(),
                       P.bytes(), NestPlan::Shape.rows(P.MaxThreads),
                       NestPlan::Shape.columns())
           << " iterations, " << ore::NV("Steps", P.Steps)
           << " steps at a time";
  });
}

} // namespace ferry
