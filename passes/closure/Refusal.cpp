//===- Refusal.cpp - Why a pointer or a launch is left alone --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Refusal.h"
#include "support/ModuleNames.h"
#include "llvm/Support/ErrorHandling.h"

namespace ferry {

llvm::StringRef refusalName(Refusal R) {
  switch (R) {
#define FERRY_REFUSAL(Kind, Name, Message)                                     \
  case Refusal::Kind:                                                          \
    return Name;
#include "Refusals.def"
  }
  llvm_unreachable("unknown refusal");
}

llvm::StringRef refusalMessage(Refusal R) {
  switch (R) {
#define FERRY_REFUSAL(Kind, Name, Message)                                     \
  case Refusal::Kind:                                                          \
    return Message;
#include "Refusals.def"
  }
  llvm_unreachable("unknown refusal");
}

} // namespace ferry
