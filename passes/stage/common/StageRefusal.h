//===- StageRefusal.h - Why data is not staged ------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_STAGEREFUSAL_H
#define FERRY_STAGE_STAGEREFUSAL_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace llvm {
class Instruction;
} // namespace llvm

namespace ferry {

enum class StageRefusal {
#define FERRY_STAGE_REFUSAL(Kind, Name, Message) Kind,
#include "StageRefusals.def"
};

/// Something that is left as it is.
struct StageNote {
  /// What is in the way: a load, a store, a call; if it is a loop, the branch
  /// that it goes on by.
  const llvm::Instruction *Where;
  StageRefusal Why;
  std::string Detail = {}; ///< what the refusal's sentence cannot say
};

/// The stable name, as in docs/staging.md and in remarks.
llvm::StringRef refusalName(StageRefusal R);

/// One sentence for the user, without a full stop.
llvm::StringRef refusalMessage(StageRefusal R);

/// That \p Wanted bytes of shared memory do not fit into \p Left.
StageNote noteNoBudget(const llvm::Instruction &Where, uint64_t Wanted,
                       uint64_t Left);
/// That \p Where is in the way; if it calls a function, with its name.
StageNote noteInstruction(const llvm::Instruction &Where, StageRefusal Why);

} // namespace ferry

#endif // FERRY_STAGE_STAGEREFUSAL_H
