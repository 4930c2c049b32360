//===- CarryBitcodePass.cpp - The pass ferry-carry-bitcode ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulator runs the device code that the GPU would run, so it needs the
// module as the NVPTX backend gets it. The pass appends
//
//   module asm "//.ferry.bc 5324 9e0f..."
//   module asm "//.ferry.bc: QkPA3j..."
//
// which the backend copies to the beginning of the PTX. Link-time optimisation
// replaces them by what it has made. It also runs for the members of Clang's
// device runtime that a program of several files links, which are bitcode.
//
//===----------------------------------------------------------------------===//

#include "CarryBitcodePass.h"
#include "BitcodeComments.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

/// What the module carried before is stale, and not carried along.
static void carry(Module &M) {
  M.setModuleInlineAsm(ferry::withoutBitcodeComments(M.getModuleInlineAsm()));
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS);
  M.appendModuleInlineAsm(ferry::bitcodeToComments(OS.str()));
}

namespace ferry {

PreservedAnalyses CarryBitcodePass::run(Module &M, ModuleAnalysisManager &) {
  if (Triple(M.getTargetTriple()).isNVPTX())
    carry(M);
  return PreservedAnalyses::all();
}

PreservedAnalyses CarryLinkedBitcodePass::run(Module &M,
                                              ModuleAnalysisManager &AM) {
  // A directive that link-time optimisation puts before inline assembly; ptxas
  // does not know it.
  std::string Kept;
  for (StringRef Line : split(M.getModuleInlineAsm(), '\n'))
    if (!Line.empty() && !Line.starts_with(".lto_discard"))
      Kept.append(Line).append("\n");
  M.setModuleInlineAsm(Kept);
  CarryBitcodePass().run(M, AM);
  return PreservedAnalyses::all();
}

} // namespace ferry
