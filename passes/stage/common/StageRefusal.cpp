//===- StageRefusal.cpp - Why data is not staged --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageRefusal.h"
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

} // namespace ferry
