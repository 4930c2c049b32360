//===- StageRemarks.cpp - What staging says -------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageRemarks.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Format.h"
#include <set>

using namespace llvm;

namespace ferry {

void remarkKernelLeft(OptimizationRemarkEmitter &ORE, const Function &Kernel,
                      StageRefusal Why) {
  ORE.emit([&] {
    return OptimizationRemarkMissed(RemarkPass, "KernelLeft",
                                    DiagnosticLocation(Kernel.getSubprogram()),
                                    &Kernel.getEntryBlock())
           << "not staged: " << refusalMessage(Why) << " ["
           << ore::NV("Reason", refusalName(Why)) << "]";
  });
}

void remarkLeft(OptimizationRemarkEmitter &ORE, ArrayRef<StageNote> Notes) {
  // Loads of one place in the source are one to the user.
  std::set<std::pair<const MDNode *, StageRefusal>> Said;
  for (const StageNote &N : Notes) {
    const MDNode *Where = N.Where->getDebugLoc().get();
    if (Where && !Said.insert({Where, N.Why}).second)
      continue;
    ORE.emit([&] {
      return OptimizationRemarkMissed(RemarkPass, "Left",
                                      N.Where->getDebugLoc(),
                                      N.Where->getParent())
             << "not staged: " << refusalMessage(N.Why) << " ["
             << ore::NV("Reason", refusalName(N.Why)) << "]";
    });
  }
}

std::string formatSectors(double Sectors) {
  std::string Text;
  raw_string_ostream(Text) << format("%.1f", Sectors);
  return Text;
}

OptimizationRemark remarkTiled(const LoadInst &First, unsigned Loads,
                               unsigned Bytes, unsigned Rows,
                               unsigned Columns) {
  OptimizationRemark R(RemarkPass, "Tiled", First.getDebugLoc(),
                       First.getParent());
  R << "staged " << ore::NV("Loads", Loads) << " loads through "
    << ore::NV("Bytes", Bytes)
    << " bytes of shared memory of the block, for tiles of up to "
    << ore::NV("Rows", Rows) << " x " << ore::NV("Columns", Columns);
  return R;
}

} // namespace ferry
