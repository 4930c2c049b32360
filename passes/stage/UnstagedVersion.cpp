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
  const std::string Name = (Kernel.getName() + UnstagedSuffix).str();
  Copy->setName(Name);
  copyKernelIdentity(Kernel, *Copy);
  // How many copies it takes depends on addresses, and nothing else may: a name
  // that is taken for a while changes the numbers of later ones, and a copy
  // that is made here has its uses behind those of the kernel.
  Copy->setName("");
  do {
    ValueToValueMapTy Map;
    Function *Again = CloneFunction(Copy, Map);
    Copy->replaceAllUsesWith(Again); // in annotations
    retire(*Copy);
    Copy = Again;
  } while (!isTakenFor(*Copy, Kernel, Target));
  Copy->setName(Name);
  writeVersions(Kernel, Choice);
  Copy = nullptr;
}

} // namespace ferry
