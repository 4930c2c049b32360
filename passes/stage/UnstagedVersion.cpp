//===- UnstagedVersion.cpp - A kernel as it would be without staging ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnstagedVersion.h"
#include "closure/DeviceEvidence.h"
#include "support/Retire.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

UnstagedVersion::UnstagedVersion(Function &Kernel) : Kernel(Kernel) {
  ValueToValueMapTy Map;
  Copy = CloneFunction(&Kernel, Map);
}

UnstagedVersion::~UnstagedVersion() {
  if (Copy)
    retire(*Copy);
}

void UnstagedVersion::keep(const VersionChoice &Choice,
                           const TargetTransformInfo &Target) {
  Copy->setName(Kernel.getName() + UnstagedSuffix);
  copyKernelIdentity(Kernel, *Copy);
  while (!isTakenFor(*Copy, Kernel, Target)) {
    ValueToValueMapTy Map;
    Function *Again = CloneFunction(Copy, Map);
    Again->takeName(Copy);
    Copy->replaceAllUsesWith(Again); // in annotations
    retire(*Copy);
    Copy = Again;
  }
  writeVersions(Kernel, Choice);
  Copy = nullptr;
}

} // namespace ferry
