//===- Refusal.h - Why a pointer or a launch is left alone ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_REFUSAL_H
#define FERRY_CLOSURE_REFUSAL_H

#include "llvm/ADT/StringRef.h"

namespace ferry {

enum class Refusal {
#define FERRY_REFUSAL(Kind, Name, Message) Kind,
#include "Refusals.def"
};

/// The stable name, as in docs/refusals.md and in remarks.
llvm::StringRef refusalName(Refusal R);

/// One sentence for the user, without a full stop.
llvm::StringRef refusalMessage(Refusal R);

} // namespace ferry

#endif // FERRY_CLOSURE_REFUSAL_H
