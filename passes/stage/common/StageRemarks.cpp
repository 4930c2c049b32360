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

/// Where \p I is in the source; phis and branches seldom say it themselves.
static DebugLoc placeOf(const Instruction &I) {
  for (const Instruction *At = &I; At; At = At->getNextNode())
    if (At->getDebugLoc())
      return At->getDebugLoc();
  return {};
}

/// What is said of \p N.
static OptimizationRemarkMissed remarkNote(const StageNote &N, DebugLoc Where) {
  OptimizationRemarkMissed R(RemarkPass, "Left", Where, N.Where->getParent());
  R << "not staged: " << refusalMessage(N.Why);
  if (!N.Detail.empty())
    R << ": " << ore::NV("Detail", N.Detail);
  R << " [" << ore::NV("Reason", refusalName(N.Why)) << "]";
  return R;
}

void remarkLeft(OptimizationRemarkEmitter &ORE, ArrayRef<StageNote> Notes) {
  // Loads of one place in the source are one to the user.
  std::set<std::pair<const MDNode *, StageRefusal>> Said;
  for (const StageNote &N : Notes) {
    DebugLoc Where = placeOf(*N.Where);
    if (!Where || Said.insert({Where.get(), N.Why}).second)
      ORE.emit([&] { return remarkNote(N, Where); });
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
