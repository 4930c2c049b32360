//===- StageLibraryTest.cpp - The embedded staging runtime ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/StageLibrary.h"
#include "ParseIR.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

using namespace ferry;
using namespace llvm;

namespace {

/// A module for one kind of GPU, with a function that calls the runtime.
class StageLibraryTest : public ::testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;

  /// Poison of the types in StageFunctions.def.
  Value *I1 = PoisonValue::get(Type::getInt1Ty(Context));
  Value *I32 = PoisonValue::get(Type::getInt32Ty(Context));
  Value *I64 = PoisonValue::get(Type::getInt64Ty(Context));
  Value *SharedPtr = PoisonValue::get(PointerType::get(Context, 3));

  IRBuilder<> begin(const std::string &Triple) {
    M = ferry::test::parseIR(Context, "target triple = \"" + Triple +
                                          "\"\n"
                                          "define void @kernel() {\n"
                                          "  ret void\n"
                                          "}\n");
    return IRBuilder<>(
        M->getFunction("kernel")->getEntryBlock().getTerminator());
  }

  static unsigned calls(const Function &F) {
    return count_if(F.getEntryBlock(), [](const Instruction &I) {
      auto *Call = dyn_cast<CallBase>(&I);
      return Call && isStageRuntime(*Call->getCalledFunction());
    });
  }

  /// Whether all calls of the runtime can be replaced by what they do.
  void expectInlined() {
    ASSERT_GT(calls(*M->getFunction("kernel")), 0U);
    EXPECT_FALSE(verifyModule(*M, &errs()));
    inlineStageRuntime(*M);
    EXPECT_FALSE(verifyModule(*M, &errs()));
    for (const Function &F : *M)
      EXPECT_FALSE(isStageRuntime(F)) << F.getName().str();
  }

  void callFunctions(IRBuilderBase &B) {
#define FERRY_STAGE_FUNCTION(Kind, Name, Result, ...)                          \
  callStageRuntime(B, StageFunction::Kind, {__VA_ARGS__});
#include "ferry/StageFunctions.def"
  }
  /// Calls what copies, also what only starts if \p Async.
  void callCopies(IRBuilderBase &B, bool Async) {
    for (unsigned Word : {1, 2, 4, 8, 16}) {
      auto Call = [&](StageCopy Copy, StringRef Name, ArrayRef<Value *> Args) {
        if (!Name.starts_with("start") || (Async && Word >= 4))
          callStageRuntime(B, Copy, Word, Args);
      };
#define FERRY_STAGE_COPY(Kind, Name, ...)                                      \
  Call(StageCopy::Kind, #Name, {__VA_ARGS__});
#include "ferry/StageFunctions.def"
    }
  }
};

TEST_F(StageLibraryTest, HasAllForNVIDIA) {
  IRBuilder<> B = begin("nvptx64-nvidia-cuda");
  callFunctions(B);
  callCopies(B, /*Async=*/true);
  expectInlined();
}

TEST_F(StageLibraryTest, HasAllForAMD) {
  IRBuilder<> B = begin("amdgcn-amd-amdhsa");
  callFunctions(B);
  callCopies(B, /*Async=*/false);
  expectInlined();
}

} // namespace
