//===- RuntimeLibrary.cpp - The embedded launch runtime -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeLibrary.h"
#include "ferry/LaunchPlan.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

// The bitcode of runtime/host/Launch.cpp; the build names the file.
asm(".section .rodata\n"
    ".balign 16\n"
    "ferry_launch_bitcode:\n"
    ".incbin \"" FERRY_LAUNCH_BITCODE "\"\n"
    "ferry_launch_bitcode_end:\n"
    ".previous\n");

extern "C" const char ferry_launch_bitcode[]
    __attribute__((visibility("hidden")));
extern "C" const char ferry_launch_bitcode_end[]
    __attribute__((visibility("hidden")));

namespace ferry {

bool launchRuntimeFits(const Module &M) {
  Triple Host(sys::getDefaultTargetTriple());
  Triple T(M.getTargetTriple());
  return T.getArch() == Host.getArch() && T.getOS() == Host.getOS();
}

void linkLaunchRuntime(Module &M) {
  StringRef Bitcode(
      ferry_launch_bitcode,
      static_cast<size_t>(ferry_launch_bitcode_end - ferry_launch_bitcode));
  Expected<std::unique_ptr<Module>> Parsed = parseBitcodeFile(
      MemoryBufferRef(Bitcode, "ferry launch runtime"), M.getContext());
  if (!Parsed)
    report_fatal_error(Parsed.takeError());
  std::unique_ptr<Module> Runtime = std::move(*Parsed);
  Runtime->setTargetTriple(M.getTargetTriple());
  Runtime->setDataLayout(M.getDataLayout());
  // Code-generation options are the program's.
  if (NamedMDNode *Flags = Runtime->getModuleFlagsMetadata())
    Flags->eraseFromParent();
  for (Function &F : *Runtime) {
    F.removeFnAttr("target-cpu");
    F.removeFnAttr("target-features");
    F.removeFnAttr("tune-cpu");
    F.setDSOLocal(false);
    if (F.isDeclaration())
      continue;
    if (F.hasExternalLinkage()) {
      F.setLinkage(GlobalValue::LinkOnceODRLinkage);
      F.setVisibility(GlobalValue::HiddenVisibility);
      F.setComdat(Runtime->getOrInsertComdat(F.getName()));
    }
  }
  if (Linker::linkModules(M, std::move(Runtime), Linker::LinkOnlyNeeded))
    report_fatal_error("ferry: the launch runtime does not link");
}

} // namespace ferry
