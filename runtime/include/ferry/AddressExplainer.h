//===- AddressExplainer.h - What an address is called -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulator finds that a kernel accesses a wrong address; ferry-check knows
// what the source calls the pointers that a launch captures and the data that
// is mapped. If both are in one process, the check tells the simulator.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_ADDRESSEXPLAINER_H
#define FERRY_ADDRESSEXPLAINER_H

#include <cstddef>
#include <cstdint>

namespace ferry {

/// An access of a kernel to memory that it cannot access.
struct WrongAccess {
  uint64_t Address;
  bool OnHost; ///< the host has memory there
  const char *File;
  uint32_t Line; ///< of the access, or 0
};

struct AddressExplainer {
  /// \returns what stands for the launch that the calling thread is making,
  /// until it has made it.
  void *(*Launch)();

  /// Writes what is known of \p A, on any thread: a text that goes on after a
  /// sentence, such as "; 'Loop.Y' leads there", or an empty one.
  ///
  /// \param Launch what Launch() gave.
  void (*Explain)(void *Launch, const WrongAccess &A, char *Text, size_t Size);
};

/// Name of the simulator's function that takes an AddressExplainer, which has
/// to stay.
constexpr const char ExplainWithFunction[] = "ferry_sim_explain_with";

} // namespace ferry

#endif // FERRY_ADDRESSEXPLAINER_H
