//===- Retire.cpp - Functions whose address is not used again -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Retire.h"
#include "LLVMCompat.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

/// Has metadata forget \p V, as if it were deleted.
static void forgetInMetadata(Value &V) {
  if (V.isUsedByMetadata())
    ValueAsMetadata::handleDeletion(&V);
}

void retire(Function &F) {
  forgetInMetadata(F);
  for (Argument &A : F.args())
    forgetInMetadata(A);
  auto Retired = std::make_unique<Module>("ferry.retired", F.getContext());
  F.setComdat(nullptr);
  F.removeFromParent();
  Retired->getFunctionList().push_back(&F);
  retire(std::move(Retired));
}

void retire(std::unique_ptr<Module> M) {
  M->dropAllReferences();
  M.release(); // the context's, as every module is
}

bool isTakenFor(const Function &Copy, const Function &Kernel,
                const TargetTransformInfo &Target) {
  // Parameters are the same in all threads only if it is a kernel that has
  // them.
  return Kernel.arg_empty() || isDivergent(Target, *Copy.getArg(0)) ==
                                   isDivergent(Target, *Kernel.getArg(0));
}

} // namespace ferry
