//===- Wording.h - What findings say of memory ------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_WORDING_H
#define FERRY_CHECK_WORDING_H

#include "Memory.h"

namespace ferry::check {

/// "0x55..."
std::string hex(const void *Address);

/// "64 bytes"
std::string bytes(uint64_t Number);

/// "'X.Data[0:N]'", or what stands for data without a name.
std::string quoted(const DataName &Name);

/// "X.Data[0:N] (800 bytes, um.cpp:10)"
std::string describe(const Section &S);

/// How the section \p S lies to what is accessed from \p First to \p Last,
/// behind its description: ", ends 64 bytes before", or nothing if it has some
/// of that. They are addresses as S.Begin is.
std::string distance(const Section &S, const char *First, const char *Last);

} // namespace ferry::check

#endif // FERRY_CHECK_WORDING_H
