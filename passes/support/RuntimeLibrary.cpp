//===- RuntimeLibrary.cpp - The embedded launch runtime -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeLibrary.h"
#include "ferry/LaunchPlan.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

// The text of runtime/host/Launch.cpp as assembly; the build names the file.
asm(".section .rodata\n"
    "FerryLaunchAssembly:\n"
    ".incbin \"" FERRY_LAUNCH_ASSEMBLY "\"\n"
    "FerryLaunchAssemblyEnd:\n"
    ".previous\n");

extern "C" {
extern const char FerryLaunchAssembly[] __attribute__((visibility("hidden")));
extern const char FerryLaunchAssemblyEnd[]
    __attribute__((visibility("hidden")));
}

namespace ferry {

bool launchRuntimeFits(const Module &M) {
  Triple Host(sys::getDefaultTargetTriple());
  Triple T(M.getTargetTriple());
  return T.getArch() == Host.getArch() && T.getOS() == Host.getOS() &&
         M.getDataLayout().getPointerSizeInBits() == 64;
}

void addLaunchRuntime(Module &M) {
  StringRef Assembly(
      FerryLaunchAssembly,
      static_cast<size_t>(FerryLaunchAssemblyEnd - FerryLaunchAssembly));
  M.appendModuleInlineAsm(Assembly);
  for (StringRef Name :
       {LaunchBeginFunction, LaunchEndFunction, DataWatchFunction,
        UpdateBeginFunction, UpdateEndFunction})
    if (Function *F = M.getFunction(Name)) {
      F->setVisibility(GlobalValue::HiddenVisibility);
      F->setDSOLocal(true);
    }
}

} // namespace ferry
