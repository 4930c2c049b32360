//===- Explain.h - Names for the simulator ----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_EXPLAIN_H
#define FERRY_CHECK_EXPLAIN_H

#include "Launch.h"
#include "ferry/AddressExplainer.h"
#include <string>

namespace ferry::check {

/// What is known of the wrong access \p A of the kernel of \p L, whose device
/// is known: a text that goes on after a sentence, or an empty one. Names the
/// captured pointer that leads nearest to it, if \p L has a plan, and the
/// section that is mapped nearest to it.
std::string explain(const Launch &L, const WrongAccess &A);

/// Lets the simulator, if the process has it, ask for explanations. To be
/// called when a kernel is submitted.
void explainToSimulator();

} // namespace ferry::check

#endif // FERRY_CHECK_EXPLAIN_H
