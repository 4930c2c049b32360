//===- UnstagedVersion.cpp - A kernel as it would be without staging ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnstagedVersion.h"
#include "closure/DeviceEvidence.h"
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
    Copy->eraseFromParent();
}

void UnstagedVersion::keep(const VersionChoice &Choice) {
  Copy->setName(Kernel.getName() + UnstagedSuffix);
  copyKernelIdentity(Kernel, *Copy);
  writeVersions(Kernel, Choice);
  Copy = nullptr;
}

} // namespace ferry
