//===- ParseIR.h - Modules from text ----------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TEST_PARSEIR_H
#define FERRY_TEST_PARSEIR_H

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <memory>
#include <string>

namespace ferry::test {

/// What a module for the host begins with.
constexpr const char HostPrologue[] =
    "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-"
    "i128:128-f80:128-n8:16:32:64-S128\"\n"
    "target triple = \"x86_64-pc-linux-gnu\"\n";

/// The module that \p Text describes. It is correct IR, or the test fails.
inline std::unique_ptr<llvm::Module> parseIR(llvm::LLVMContext &Context,
                                             const std::string &Text) {
  llvm::SMDiagnostic Error;
  std::unique_ptr<llvm::Module> M =
      llvm::parseAssemblyString(HostPrologue + Text, Error, Context);
  std::string Message;
  llvm::raw_string_ostream OS(Message);
  if (!M)
    Error.print("", OS);
  EXPECT_TRUE(M && !llvm::verifyModule(*M, &OS)) << Message;
  return M;
}

} // namespace ferry::test

#endif // FERRY_TEST_PARSEIR_H
