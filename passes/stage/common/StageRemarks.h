//===- StageRemarks.h - What staging says -----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STAGEREMARKS_H
#define FERRY_STAGE_STAGEREMARKS_H

#include "IterationSpace.h"
#include "StageRefusal.h"
#include "WarpPrice.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"

namespace ferry {

/// The name behind -Rpass, -Rpass-missed and -Rpass-analysis.
inline constexpr char RemarkPass[] = "ferry-stage";

/// Says that \p Kernel is left, and why.
void remarkKernelLeft(llvm::OptimizationRemarkEmitter &ORE,
                      const llvm::Function &Kernel, StageRefusal Why);

/// Says that \p Kernel is staged for blocks of \p Least to \p Most threads, of
/// which only the launch knows how many they have.
void remarkBlockThreads(llvm::OptimizationRemarkEmitter &ORE,
                        const llvm::Function &Kernel, unsigned Least,
                        unsigned Most);

/// How much \p Why tells of a load: an address that is not a row's less than
/// how neighbouring threads read it, and any other reason more. Of several that
/// are found for one load, those that tell most are said.
unsigned weightOf(StageRefusal Why);

/// Says of each place in the source once what is left there, and why.
void remarkLeft(llvm::OptimizationRemarkEmitter &ORE,
                llvm::ArrayRef<StageNote> Notes);

/// \p Figure with one digit behind the point; below 1 with two.
std::string formatFigure(double Figure);

/// Where \p I is in the source; phis and branches seldom say it themselves, and
/// what was one of several has line 0.
llvm::DebugLoc placeOf(const llvm::Instruction &I);

/// Adds \p Gain to what is said.
void addGain(llvm::DiagnosticInfoOptimizationBase &R,
             const PredictedGain &Gain);
/// Prints \p Gain in one line, for tests.
void print(llvm::raw_ostream &OS, const PredictedGain &Gain);

/// The beginning of what is said of \p Loads loads, \p First among them, that
/// come from tiles of \p Bytes bytes and at most \p Rows x \p Columns
/// iterations.
llvm::OptimizationRemark remarkTiled(const llvm::LoadInst &First,
                                     unsigned Loads, unsigned Bytes,
                                     unsigned Rows, unsigned Columns);

} // namespace ferry

#endif // FERRY_STAGE_STAGEREMARKS_H
