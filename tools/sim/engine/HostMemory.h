//===- HostMemory.h - What of the host's memory kernels have used ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program maps and unmaps memory at any time, also while a kernel runs. So
// nothing is kept: the system is asked each time.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_HOSTMEMORY_H
#define FERRY_SIM_HOSTMEMORY_H

#include <cstdint>
#include <string>

namespace ferry::sim {

/// Whether the process has memory at \p Address. Takes less than a microsecond.
bool isHostMemory(uint64_t Address);

/// The range of the process's memory that holds \p Address, and what it is:
/// "0x7f00-0x8000 [heap]"; empty if there is none. Takes milliseconds: each
/// stack of a lane is a range of its own.
std::string hostRange(uint64_t Address);

} // namespace ferry::sim

#endif // FERRY_SIM_HOSTMEMORY_H
