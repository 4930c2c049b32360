//===- Thread.h - What a thread is doing ------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_THREAD_H
#define FERRY_CHECK_THREAD_H

#include "Copies.h"
#include "Launch.h"
#include <vector>

namespace ferry::check {

/// A copy from a device that is under way.
struct Fetch {
  Transfer What;
  DataName By;
  std::vector<char> Before; ///< what the host had
  Copies::Same Was;         ///< with FERRY_CHECK=stale
};

struct Thread {
  std::vector<Launch> Launches; ///< the innermost last
  std::vector<Fetch> Fetches;   ///< of the construct
  std::vector<char> Arriving;   ///< what the host had where a copy arrives
  bool Inside = false;          ///< a callback calls libomptarget itself
  bool InConstruct = false;
  /// The directive does not wait for what it starts.
  bool IsNowait = false;
};

/// Whether libomp has taken this copy of the checks for its tool.
bool isActive();

/// The calling thread's.
Thread &thisThread();

} // namespace ferry::check

#endif // FERRY_CHECK_THREAD_H
