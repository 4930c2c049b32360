//===- Faults.h - When the host's processor refuses -----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_FAULTS_H
#define FERRY_SIM_FAULTS_H

namespace ferry::sim {

struct Worker;

/// Makes the calling thread \p W's until it is called with null: a signal then
/// is the fault of the lane that W runs. It becomes a finding, and then what it
/// would have been.
void watchFaults(Worker *W);

} // namespace ferry::sim

#endif // FERRY_SIM_FAULTS_H
