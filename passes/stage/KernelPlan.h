//===- KernelPlan.h - What is staged in a kernel ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_KERNELPLAN_H
#define FERRY_STAGE_KERNELPLAN_H

#include "closure/KernelVersions.h"
#include "nests/NestPlan.h"
#include "rows/RowPlan.h"
#include "stage/common/PlanContext.h"
#include "stencils/StencilPlan.h"
#include "walks/WalkPlan.h"
#include <variant>

namespace ferry {

/// The patterns, in the order in which they are asked. A new one has a folder
/// and a place here; its plan's header declares findPlan(), worthwhile(),
/// print(), remark() and emit() for it.
using PatternPlan = std::variant<NestPlan, WalkPlan, StencilPlan, RowPlan>;

/// What is done with a kernel.
struct KernelPlan {
  std::optional<PatternPlan> Pattern; ///< nothing: the kernel is left
  std::vector<StageNote> Notes;       ///< what is left in it, and why

  /// Whether the plan is for loops in simplified form.
  bool needsSimpleLoops() const;
};

/// Decides what is done with a kernel. The only place where patterns are
/// weighed against each other and against leaving the kernel as it is; the
/// pass, its printers and link-time staging all ask here. \p Simplified is the
/// kernel with loops in LLVM's simplified form, or a copy of it, for plans that
/// need it.
KernelPlan decide(const PlanContext &C, const PlanContext &Simplified);

/// What a launch has to be for \p Plan, which decide() made of \p C and \p
/// Simplified, to be worth it; empty if a launch cannot tell.
VersionChoice choiceOf(const KernelPlan &Plan, const PlanContext &C,
                       const PlanContext &Simplified);

/// Prints \p Plan for tests.
void print(llvm::raw_ostream &OS, const KernelPlan &Plan);
/// Says to the user what \p Plan does and leaves.
void remark(llvm::OptimizationRemarkEmitter &ORE, const KernelPlan &Plan);
/// Carries \p Plan out, which decide() made of \p C alone. If it has a pattern,
/// all analyses of the kernel are out of date then.
void emit(const KernelPlan &Plan, const PlanContext &C);

/// Prints what is left.
void print(llvm::raw_ostream &OS, llvm::ArrayRef<StageNote> Notes);

} // namespace ferry

#endif // FERRY_STAGE_KERNELPLAN_H
