//===- StageRefusal.h - Why data is not staged ------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STAGEREFUSAL_H
#define FERRY_STAGE_STAGEREFUSAL_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Instruction;
}

namespace ferry {

enum class StageRefusal {
#define FERRY_STAGE_REFUSAL(Kind, Name, Message) Kind,
#include "StageRefusals.def"
};

/// A loop, a load or a kernel that is left as it is.
struct StageNote {
  const llvm::Instruction *Where;
  StageRefusal Why;
};

/// The stable name, as in docs/staging.md and in remarks.
llvm::StringRef refusalName(StageRefusal R);

/// One sentence for the user, without a full stop.
llvm::StringRef refusalMessage(StageRefusal R);

} // namespace ferry

#endif // FERRY_STAGE_STAGEREFUSAL_H
