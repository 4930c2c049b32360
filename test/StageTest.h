//===- StageTest.h - Kernels from text --------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TEST_STAGETEST_H
#define FERRY_TEST_STAGETEST_H

#include "ParseIR.h"
#include "stage/rows/RowAnalysis.h"
#include "stage/rows/RowPlanner.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/TargetParser/Triple.h"
#include <optional>

namespace ferry::test {

/// A kernel for an NVIDIA GPU, and what RowAnalysis sees in it.
class StageTest : public ::testing::Test {
protected:
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  llvm::Function *F = nullptr;

  /// \p Body is that of a kernel with the parameters ptr %a, ptr %b, i64 %n,
  /// i64 %m and the thread's number, %tid and %i.
  void parse(const std::string &Body, const std::string &Attributes = "") {
    // In the other order than they were made.
    Analysis.reset();
    SE.reset();
    AC.reset();
    LI.reset();
    PDT.reset();
    DT.reset();
    M = parseIR(Context,
                "target triple = \"nvptx64-nvidia-cuda\"\n"
                "@__omp_offloading_k_kernel_environment = constant "
                "{ { i8, i8, i8 } } { { i8, i8, i8 } { i8 0, i8 0, i8 2 } }\n"
                "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
                "declare void @llvm.nvvm.barrier0()\n"
                "define void @__omp_offloading_k(ptr %a, ptr %b, i64 %n, "
                "i64 %m) \"kernel\" \"target-cpu\"=\"sm_90\" " +
                    Attributes +
                    " {\n"
                    "entry:\n"
                    "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                    "  %i = zext i32 %tid to i64\n" +
                    Body + "}\n");
    ASSERT_TRUE(M);
    F = M->getFunction("__omp_offloading_k");
    DT.emplace(*F);
    PDT.emplace(*F);
    LI.emplace(*DT);
    AC.emplace(*F);
    TLI.emplace(
        llvm::TargetLibraryInfoImpl(llvm::Triple(M->getTargetTriple())));
    Info.emplace(*TLI);
    SE.emplace(*F, *Info, *AC, *DT, *LI);
    Analysis.emplace(*F, *DT, *PDT, *LI, *SE);
  }

  llvm::Instruction *value(llvm::StringRef Name) {
    for (llvm::BasicBlock &B : *F)
      for (llvm::Instruction &I : B)
        if (I.getName() == Name)
          return &I;
    ADD_FAILURE() << "no value " << Name.str();
    return nullptr;
  }
  llvm::BasicBlock *block(llvm::StringRef Name) {
    for (llvm::BasicBlock &B : *F)
      if (B.getName() == Name)
        return &B;
    ADD_FAILURE() << "no block " << Name.str();
    return nullptr;
  }

  /// A row of elements of \p Type for each thread, \p First elements from the
  /// one before, walked by %m steps of \p Step elements.
  static std::string rows(const std::string &Type, const std::string &First,
                          const std::string &Step = "1") {
    return "  br label %begin\n"
           "begin:\n"
           "  %first = mul i64 %i, " +
           First +
           "\n"
           "  br label %loop\n"
           "loop:\n"
           "  %k = phi i64 [ 0, %begin ], [ %next, %loop ]\n"
           "  %at = mul i64 %k, " +
           Step +
           "\n"
           "  %where = add i64 %first, %at\n"
           "  %p = getelementptr " +
           Type +
           ", ptr %a, i64 %where\n"
           "  %v = load " +
           Type +
           ", ptr %p\n"
           "  %next = add nuw nsw i64 %k, 1\n"
           "  %more = icmp ult i64 %next, %m\n"
           "  br i1 %more, label %loop, label %end\n"
           "end:\n"
           "  store " +
           Type +
           " %v, ptr %b\n"
           "  ret void\n";
  }

  std::optional<llvm::DominatorTree> DT;
  std::optional<llvm::PostDominatorTree> PDT;
  std::optional<llvm::LoopInfo> LI;
  std::optional<llvm::AssumptionCache> AC;
  std::optional<llvm::TargetLibraryInfoImpl> TLI;
  std::optional<llvm::TargetLibraryInfo> Info;
  std::optional<llvm::ScalarEvolution> SE;
  std::optional<RowAnalysis> Analysis;
};

} // namespace ferry::test

#endif // FERRY_TEST_STAGETEST_H
