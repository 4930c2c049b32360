//===- RowAnalysisTest.cpp - What kernels read, and together --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageTest.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;
using namespace ferry;

namespace {

class RowAnalysisTest : public ferry::test::StageTest {
protected:
  /// The thread stride of value \p Name as text.
  std::string stride(StringRef Name) {
    BlockUniformity Uniformity(*F, *PDT);
    const SCEV *S =
        ThreadStrides(*LI, *SE, Uniformity).of(SE->getSCEV(value(Name)));
    if (!S)
      return "unknown";
    std::string Text;
    raw_string_ostream(Text) << *S;
    return Text;
  }
  bool together(StringRef Name) {
    return BlockUniformity(*F, *PDT).isReachedTogether(*block(Name));
  }
};

TEST_F(RowAnalysisTest, StrideOfExpressions) {
  parse("  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
        "  %offset = zext i32 %block to i64\n"
        "  %far = mul i64 %i, %m\n"
        "  %both = add i64 %far, %offset\n"
        "  %eight = getelementptr double, ptr %a, i64 %both\n"
        "  %back = sub i64 %n, %i\n"
        "  %square = mul i64 %i, %i\n"
        "  %third = udiv i64 %i, 3\n"
        "  %constant = udiv i64 %n, 3\n"
        "  %narrow = trunc i64 %far to i32\n"
        "  %data = load i64, ptr %eight\n"
        "  %alone = icmp eq i64 %n, 1\n"
        "  %number = select i1 %alone, i32 0, i32 %tid\n"
        "  %either = select i1 %alone, i64 %m, i64 %n\n"
        "  %other = select i1 %alone, i64 %i, i64 %far\n"
        "  ret void\n");
  EXPECT_EQ(stride("i"), "1");
  EXPECT_EQ(stride("offset"), "0");
  EXPECT_EQ(stride("far"), "%m");
  EXPECT_EQ(stride("both"), "%m");
  EXPECT_EQ(stride("eight"), "(8 * %m)");
  EXPECT_EQ(stride("back"), "-1");
  EXPECT_EQ(stride("constant"), "0");
  EXPECT_EQ(stride("narrow"), "(trunc i64 %m to i32)");
  EXPECT_EQ(stride("third"), "unknown");
  EXPECT_EQ(stride("data"), "unknown");
  EXPECT_EQ(stride("number"), "1");
  EXPECT_EQ(stride("either"), "0");
  EXPECT_EQ(stride("other"), "unknown");
  // i * i changes by another number for each thread, which is not zero.
  EXPECT_NE(stride("square"), "0");
}

TEST_F(RowAnalysisTest, StrideInLoops) {
  parse(rows("float", "%m", "5"));
  EXPECT_EQ(stride("k"), "0");
  EXPECT_EQ(stride("where"), "%m");
  EXPECT_EQ(stride("p"), "(4 * %m)");
}

TEST_F(RowAnalysisTest, StrideOfThreadsLoop) {
  // for (j = tid; j < n; j += ntid)
  parse("  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
        "  br label %loop\n"
        "loop:\n"
        "  %j = phi i32 [ %tid, %entry ], [ %next, %loop ]\n"
        "  %mine = phi i32 [ %tid, %entry ], [ %further, %loop ]\n"
        "  %next = add nuw i32 %j, %threads\n"
        "  %further = add nuw i32 %mine, %tid\n"
        "  %more = icmp ult i32 %next, 1000\n"
        "  br i1 %more, label %loop, label %end\n"
        "end:\n"
        "  ret void\n");
  EXPECT_EQ(stride("j"), "1");
  EXPECT_EQ(stride("mine"), "unknown");
}

TEST_F(RowAnalysisTest, StrideOfExtendedCounter) {
  parse("  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
        "  %some = icmp ult i64 %m, 7\n"
        "  br label %loop\n"
        "loop:\n"
        "  %j = phi i64 [ %i, %entry ], [ %next, %latch ]\n"
        "  %mine = phi i64 [ %i, %entry ], [ %further, %latch ]\n"
        "  %narrow = trunc i64 %j to i32\n"
        "  %sum = add i32 %narrow, %threads\n"
        "  %next = sext i32 %sum to i64\n"
        "  %narrow.mine = trunc i64 %mine to i32\n"
        "  %sum.mine = add i32 %narrow.mine, %tid\n"
        "  %further = sext i32 %sum.mine to i64\n"
        "  br i1 %some, label %branch, label %latch\n"
        "branch:\n"
        "  br label %latch\n"
        "latch:\n"
        "  %either = phi i64 [ %i, %loop ], [ %j, %branch ]\n"
        "  %more = icmp ult i32 %sum, 1000\n"
        "  br i1 %more, label %loop, label %end\n"
        "end:\n"
        "  ret void\n");
  EXPECT_EQ(stride("j"), "1");
  EXPECT_EQ(stride("mine"), "unknown");
  EXPECT_EQ(stride("either"), "unknown");
}

TEST_F(RowAnalysisTest, ReachedTogether) {
  parse("  %in = icmp ult i64 %i, %n\n"
        "  %some = icmp ult i64 %m, 7\n"
        "  br i1 %some, label %uniform, label %join\n"
        "uniform:\n"
        "  br i1 %in, label %divergent, label %join\n"
        "divergent:\n"
        "  br i1 %some, label %within, label %join\n"
        "within:\n"
        "  br label %join\n"
        "join:\n"
        "  ret void\n");
  EXPECT_TRUE(together("entry"));
  EXPECT_TRUE(together("uniform"));
  EXPECT_FALSE(together("divergent"));
  EXPECT_FALSE(together("within"));
  EXPECT_TRUE(together("join"));
}

TEST_F(RowAnalysisTest, ReachedTogetherByBarrier) {
  // What the program promises: all threads take the branch, or none.
  parse("  %in = icmp ult i64 %i, %n\n"
        "  br i1 %in, label %waits, label %join\n"
        "waits:\n"
        "  call void @llvm.nvvm.barrier0()\n"
        "  br label %after\n"
        "after:\n"
        "  br label %join\n"
        "join:\n"
        "  ret void\n");
  EXPECT_TRUE(together("waits"));
  EXPECT_TRUE(together("join"));
}

TEST_F(RowAnalysisTest, LoopOfDifferentLength) {
  parse("  br label %loop\n"
        "loop:\n"
        "  %k = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
        "  %next = add i64 %k, 1\n"
        "  %more = icmp ult i64 %next, %i\n"
        "  br i1 %more, label %loop, label %end\n"
        "end:\n"
        "  ret void\n");
  EXPECT_FALSE(together("loop"));
  EXPECT_TRUE(together("end"));
}

TEST_F(RowAnalysisTest, Streams) {
  parse(rows("float", "%m", "3"));
  std::vector<RowCandidate> Found = Analysis->candidates();
  ASSERT_EQ(Found.size(), 1u);
  const RowUnit &Unit = Found[0].Unit;
  EXPECT_TRUE(Unit.UniformTripCount);
  EXPECT_FALSE(Unit.isWhole());
  ASSERT_EQ(Unit.Streams.size(), 1u);
  const Stream &S = Unit.Streams[0];
  EXPECT_EQ(S.Kind, Stream::PerThread);
  EXPECT_EQ(S.ConstantStep, 12);
  EXPECT_EQ(S.Window, 4u);
  EXPECT_EQ(S.Word, 4u);
  EXPECT_TRUE(S.Global);
  EXPECT_TRUE(S.ThreadStrideSum);
  EXPECT_FALSE(S.ThreadStride);
  EXPECT_EQ(Found[0].Region.Exit, block("end"));
}

TEST_F(RowAnalysisTest, WordsFitAlignmentAndOffsets) {
  // A record of i64 and i32, 20 bytes long, so that nothing is aligned to 8.
  parse("  br label %loop\n"
        "loop:\n"
        "  %k = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
        "  %t = mul i64 %i, 4000\n"
        "  %o = mul i64 %k, 20\n"
        "  %w = add i64 %t, %o\n"
        "  %p = getelementptr i8, ptr %a, i64 %w\n"
        "  %v = load i64, ptr %p, align 4\n"
        "  %q = getelementptr i8, ptr %p, i64 12\n"
        "  %u = load i32, ptr %q, align 4\n"
        "  %next = add nuw nsw i64 %k, 1\n"
        "  %more = icmp ult i64 %next, %m\n"
        "  br i1 %more, label %loop, label %end\n"
        "end:\n"
        "  ret void\n");
  std::vector<RowCandidate> Found = Analysis->candidates();
  ASSERT_FALSE(Found.empty());
  const Stream &S = Found[0].Unit.Streams[0];
  ASSERT_EQ(S.Loads.size(), 2u);
  EXPECT_EQ(S.Loads[1].Offset, 12u);
  EXPECT_EQ(S.Window, 16u);
  EXPECT_EQ(S.Word, 4u);
  EXPECT_FALSE(S.isDense());
  EXPECT_EQ(S.wordsPerIteration(), 4u);
  EXPECT_EQ(S.ThreadStride, 4000);
}

} // namespace
