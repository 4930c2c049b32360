//===- Backend.cpp - What NVPTX's code generator does to IR ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes up to CodeGenPrepare, the first that thinks of selection, or to
// what comes first after it at -O0. Among them is LoadStoreVectorizer, without
// which neighbouring loads would be counted one by one that hardware does at
// once.
//
//===----------------------------------------------------------------------===//

#include "Translate.h"

#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ferry::sim {

/// Whether the code was compiled at -O0.
static bool isUnoptimized(const Module &M) {
  return any_of(M, [](const Function &F) {
    return !F.isDeclaration() && F.hasFnAttribute(Attribute::OptimizeNone);
  });
}

Error runBackendPasses(Module &M, TargetMachine &NVPTX) {
  const bool Unoptimized = isUnoptimized(M);
  NVPTX.setOptLevel(Unoptimized ? CodeGenOptLevel::None
                                : CodeGenOptLevel::Aggressive);
  PassRegistry &Registry = *PassRegistry::getPassRegistry();
  initializeCodeGen(Registry);
  // The code generator can be stopped through its command line only.
  auto *StopBefore = static_cast<cl::opt<std::string> *>(
      cl::getRegisteredOptions().lookup("stop-before"));
  if (!StopBefore)
    return createStringError("this LLVM's code generator has no -stop-before");
  StopBefore->setValue(Unoptimized ? "stack-protector" : "codegenprepare");
  legacy::PassManager Passes;
  raw_null_ostream Nowhere;
  if (NVPTX.addPassesToEmitFile(Passes, Nowhere, nullptr,
                                CodeGenFileType::AssemblyFile))
    return createStringError("LLVM was built without NVPTX's code generator");
  Passes.run(M);
  StopBefore->setValue("");
  return Error::success();
}

} // namespace ferry::sim
