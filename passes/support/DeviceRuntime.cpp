//===- DeviceRuntime.cpp - LLVM's OpenMP runtime of devices ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceRuntime.h"
#include "LLVMCompat.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace ferry {

std::string deviceRuntimeFile(StringRef Dir, const Triple &Target,
                              StringRef Cpu) {
  const std::string Stem =
      (Dir + "/libomptarget-" + (Target.isNVPTX() ? "nvptx" : "amdgpu")).str();
  const std::string OfAll = Stem + ".bc";
  return sys::fs::exists(OfAll) ? OfAll : (Stem + "-" + Cpu + ".bc").str();
}

bool linkDeviceRuntime(Module &M, StringRef Cpu) {
  const Triple Target(M.getTargetTriple());
  const StringRef Dir = Target.isNVPTX() ? FERRY_NVPTX_DIR : FERRY_AMDGPU_DIR;
  SMDiagnostic Ignored;
  std::unique_ptr<Module> Runtime = getLazyIRFileModule(
      deviceRuntimeFile(Dir, Target, Cpu), Ignored, M.getContext());
  if (!Runtime)
    return false;
  Runtime->setTargetTriple(M.getTargetTriple());
  Runtime->setDataLayout(M.getDataLayout());
  // What only this module knows, the optimiser can see through.
  auto Internalize = [](Module &M, const StringSet<> &Linked) {
    internalizeModule(M, [&](const GlobalValue &G) {
      return !G.hasName() || !Linked.contains(G.getName());
    });
  };
  return !Linker::linkModules(M, std::move(Runtime),
                              Linker::Flags::LinkOnlyNeeded, Internalize);
}

} // namespace ferry
