//===- StageNotes.h - What is said of a kernel's places ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pattern says why it leaves a place. Here that becomes what is true of
// the kernel: one reason for a load.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STAGENOTES_H
#define FERRY_STAGE_STAGENOTES_H

#include "stage/common/PlanContext.h"
#include "stage/common/StageRefusal.h"

namespace ferry {

/// Rows are looked for in each innermost loop, so in that over the iterations
/// of a thread as well, where no row is walked along. Replaces what \p Notes,
/// those of the rows of \p C's kernel, say of such a loop by how neighbouring
/// threads read memory in it, as far as that is known.
void describeIterations(std::vector<StageNote> &Notes, const PlanContext &C);

/// Adds \p More, those of a pattern, to \p Notes, those of patterns that were
/// asked before it; without what adds nothing to another reason for the same
/// load. Both are of one kernel, perhaps of two copies of it.
void addNotes(std::vector<StageNote> &Notes, std::vector<StageNote> More);

} // namespace ferry

#endif // FERRY_STAGE_STAGENOTES_H
