//===- StageRemarks.cpp - What staging says -------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageRemarks.h"
#include "gpu/DeviceTable.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Format.h"
#include <map>
#include <set>
#include <tuple>

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

void remarkBlockThreads(OptimizationRemarkEmitter &ORE, const Function &Kernel,
                        unsigned Least, unsigned Most) {
  ORE.emit([&] {
    return OptimizationRemark(RemarkPass, "BlockThreads",
                              DiagnosticLocation(Kernel.getSubprogram()),
                              &Kernel.getEntryBlock())
           << "staged in blocks of " << ore::NV("Least", Least) << " to "
           << ore::NV("Most", Most)
           << " threads; only the launch knows how many a block has";
  });
}

DebugLoc placeOf(const Instruction &I) {
  for (const Instruction *At = &I; At; At = At->getNextNode())
    if (At->getDebugLoc() && At->getDebugLoc().getLine())
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

unsigned weightOf(StageRefusal Why) {
  switch (Why) {
  case StageRefusal::NotAffine:
    return 0;
  case StageRefusal::AlreadyCoalesced:
    return 1;
  case StageRefusal::Conditional:
    return 2;
  default:
    return 3;
  }
}

void remarkLeft(OptimizationRemarkEmitter &ORE, ArrayRef<StageNote> Notes) {
  // Loads of one place in the source are one to the user.
  using Place = std::tuple<StringRef, unsigned, unsigned>;
  auto PlaceOf = [](const DebugLoc &At) {
    return Place(At->getFilename(), At.getLine(), At.getCol());
  };
  std::map<Place, unsigned> Most; // weight
  for (const StageNote &N : Notes)
    if (DebugLoc Where = placeOf(*N.Where))
      Most[PlaceOf(Where)] = std::max(Most[PlaceOf(Where)], weightOf(N.Why));
  std::set<std::pair<Place, StageRefusal>> Said;
  for (const StageNote &N : Notes) {
    DebugLoc Where = placeOf(*N.Where);
    if (!Where || (weightOf(N.Why) == Most[PlaceOf(Where)] &&
                   Said.insert({PlaceOf(Where), N.Why}).second))
      ORE.emit([&] { return remarkNote(N, Where); });
  }
}

std::string formatFigure(double Figure) {
  std::string Text;
  raw_string_ostream(Text) << format(Figure < 1 ? "%.2f" : "%.1f", Figure);
  return Text;
}

void addGain(DiagnosticInfoOptimizationBase &R, const PredictedGain &Gain) {
  R << "; predicted for " << ore::NV("Gpu", Gain.Gpu->Name) << ": "
    << ore::NV("ClocksAfter", formatFigure(Gain.Staged.Clocks))
    << " instead of "
    << ore::NV("ClocksBefore", formatFigure(Gain.Plain.Clocks))
    << " clocks of a multiprocessor for an iteration of a warp, limited by "
    << ore::NV("LimiterAfter", Gain.Staged.Limiter) << " instead of "
    << ore::NV("LimiterBefore", Gain.Plain.Limiter);
}

void print(raw_ostream &OS, const PredictedGain &Gain) {
  OS << "predicted for " << Gain.Gpu->Name << ": "
     << formatFigure(Gain.Plain.Clocks) << " clocks (" << Gain.Plain.Limiter
     << "), staged " << formatFigure(Gain.Staged.Clocks) << " ("
     << Gain.Staged.Limiter << ")\n";
}

OptimizationRemark remarkTiled(const LoadInst &First, unsigned Loads,
                               unsigned Bytes, unsigned Rows,
                               unsigned Columns) {
  OptimizationRemark R(RemarkPass, "Tiled", placeOf(First), First.getParent());
  R << "staged " << ore::NV("Loads", Loads) << " loads through "
    << ore::NV("Bytes", Bytes)
    << " bytes of shared memory of the block, for tiles of up to "
    << ore::NV("Rows", Rows) << " x " << ore::NV("Columns", Columns);
  return R;
}

} // namespace ferry
