//===- StageRefusal.cpp - Why data is not staged --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageRefusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/ErrorHandling.h"

namespace ferry {

llvm::StringRef refusalName(StageRefusal R) {
  switch (R) {
#define FERRY_STAGE_REFUSAL(Kind, Name, Message)                               \
  case StageRefusal::Kind:                                                     \
    return Name;
#include "StageRefusals.def"
  }
  llvm_unreachable("unknown refusal");
}

llvm::StringRef refusalMessage(StageRefusal R) {
  switch (R) {
#define FERRY_STAGE_REFUSAL(Kind, Name, Message)                               \
  case StageRefusal::Kind:                                                     \
    return Message;
#include "StageRefusals.def"
  }
  llvm_unreachable("unknown refusal");
}

StageNote noteNoBudget(const llvm::Instruction &Where, uint64_t Wanted,
                       uint64_t Left) {
  return {&Where, StageRefusal::NoBudget,
          llvm::utostr(Wanted) + " bytes are wanted, " + llvm::utostr(Left) +
              " are left"};
}

StageNote noteInstruction(const llvm::Instruction &Where, StageRefusal Why) {
  StageNote Note{&Where, Why};
  auto *Call = llvm::dyn_cast<llvm::CallBase>(&Where);
  if (Call && Call->getCalledFunction())
    Note.Detail = llvm::demangle(Call->getCalledFunction()->getName());
  return Note;
}

} // namespace ferry
