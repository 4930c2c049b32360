//===- AccessPathsTest.cpp - What a kernel does with a pointer ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPathsTest.h"

using namespace llvm;
using namespace ferry;
using namespace ferry::test;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

TEST(AccessPaths, UnusedParameter) {
  EXPECT_EQ(paths(""), "\n");
  Analysed A(kernel(""));
  EXPECT_FALSE(A.argument().used());
}

TEST(AccessPaths, Member) {
  EXPECT_EQ(paths(R"(
  %a = getelementptr i8, ptr %f, i64 8
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
            "read, from 8\n"
            "[+8] written\n");
}

TEST(AccessPaths, NestedMembers) {
  EXPECT_EQ(paths(R"(
  %a = getelementptr { i64, { i64, ptr } }, ptr %f, i32 0, i32 1, i32 1
  %p = load ptr, ptr %a
  %b = getelementptr i8, ptr %p, i64 24
  %q = load ptr, ptr %b
  %v = load double, ptr %q
  %w = fadd double %v, 1.0
  store double %w, ptr %q)"),
            "read, from 16\n"
            "[+16] read, from 24\n"
            "  [+24] read, written\n");
}

TEST(AccessPaths, MemberBeforeTheObject) {
  EXPECT_EQ(paths(R"(
  %a = getelementptr i8, ptr %f, i64 -8
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
            "read, from -8\n"
            "[-8] written\n");
}

TEST(AccessPaths, ElementsOfAnArray) {
  EXPECT_EQ(paths(R"(
  %a = getelementptr [4 x ptr], ptr %f, i64 0, i64 %i
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
            "read\n"
            "[+0 + i * 8 (i < 4)] written\n");
}

TEST(AccessPaths, ElementsOfAnArrayOfRecords) {
  EXPECT_EQ(paths(R"(
  %a = getelementptr { i64, [3 x { i64, ptr, i64 }] }, ptr %f, i64 0, i32 1, i64 %i, i32 1
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
            "read, from 16\n"
            "[+16 + i * 24 (i < 3)] written\n");
}

TEST(AccessPaths, ElementsOfWhatAPointerLeadsTo) {
  // The first index of a getelementptr has no bounds.
  EXPECT_EQ(paths(R"(
  %a = getelementptr [4 x ptr], ptr %f, i64 %i, i64 1
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
            "read, from 8\n"
            "[+8 + i * 32] written\n");
}

TEST(AccessPaths, ElementsOfElements) {
  // Rows of three records of 16 bytes, of which each has a pointer. Every other
  // one is used.
  EXPECT_EQ(paths(R"(
  %j = load i64, ptr @j
  %row = getelementptr [3 x { i64, ptr }], ptr %f, i64 %i
  %two = shl nsw i64 %j, 1
  %a = getelementptr { i64, ptr }, ptr %row, i64 %two, i32 1
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)",
                  "@j = external global i64\n"),
            "read, from 8\n"
            "[+8 + i * 48 + j * 32 (j < 2)] written\n");
}

TEST(AccessPaths, IndexOfThirtyTwoBits) {
  // An unknown index is taken to be non-negative: arrays that count from 1 are
  // more frequent than arrays that are accessed backwards from their middle.
  EXPECT_EQ(paths(R"(
  %n = trunc i64 %i to i32
  %m = add nsw i32 %n, 1
  %x = sext i32 %m to i64
  %a = getelementptr [4 x ptr], ptr %f, i64 0, i64 %x
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
            "read, from 8\n"
            "[+0 + i * 8 (i < 4)] written\n");
}

TEST(AccessPaths, RowTable) {
  EXPECT_EQ(paths(R"(
  %t = load ptr, ptr %f
  %a = getelementptr ptr, ptr %t, i64 %i
  %row = load ptr, ptr %a
  %b = getelementptr double, ptr %row, i64 %i
  store double 0.0, ptr %b)"),
            "read\n"
            "[+0] read\n"
            "  [+0 + i * 8] written\n");
}

TEST(AccessPaths, APointerThatMovesThroughALoop) {
  EXPECT_EQ(paths(R"(
  br label %loop
loop:
  %q = phi ptr [ %f, %0 ], [ %next, %loop ]
  %p = load ptr, ptr %q
  store double 0.0, ptr %p
  %next = getelementptr i8, ptr %q, i64 16
  %n = ptrtoint ptr %p to i64
  %more = icmp ne i64 %n, %i
  br i1 %more, label %loop, label %done
done:)"),
            "read\n"
            "[+0] written, compared\n"
            "[+0 + i * 16] written, compared\n");
}

TEST(AccessPaths, AnAddressThatNothingIsKnownOf) {
  // The index is data: the offset may be any multiple of a byte.
  EXPECT_EQ(paths(R"(
  %o = load i64, ptr %f
  %a = getelementptr i8, ptr %f, i64 %o
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
            "read\n"
            "[+0 + i * 1] written\n");
}

TEST(AccessPaths, ExtentOfTheAccesses) {
  Analysed A(kernel(R"(
  %p = load ptr, ptr %f
  %a = getelementptr i8, ptr %p, i64 -16
  store i64 0, ptr %a
  %b = getelementptr i8, ptr %p, i64 40
  store i32 0, ptr %b)"));
  EXPECT_EQ(A.argument().Begin, 0);
  EXPECT_EQ(A.argument().End, 8);
  EXPECT_EQ(A.member(0).Begin, -16);
  EXPECT_EQ(A.member(0).End, 44);
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

TEST(AccessPaths, LoadedButNotUsed) {
  Analysed A(kernel("  %p = load volatile ptr, ptr %f"));
  ASSERT_EQ(A.argument().Members.count(0), 1u);
  EXPECT_FALSE(A.member(0).used());
}

TEST(AccessPaths, Comparison) {
  Analysed A(kernel(R"(
  %p = load ptr, ptr %f
  %a = getelementptr i8, ptr %f, i64 8
  %q = load ptr, ptr %a
  %b = getelementptr i8, ptr %f, i64 16
  %r = load ptr, ptr %b
  %c = icmp ne ptr %p, %q
  call void @use(i1 %c)
  %d = icmp eq ptr %r, null
  call void @use(i1 %d))",
                    "declare void @use(i1)\n"));
  ASSERT_EQ(A.argument().Members.size(), 3u);
  EXPECT_FALSE(A.member(0).dereferenced());
  EXPECT_TRUE(A.member(0).used());
  ASSERT_EQ(A.member(0).Comparisons.size(), 1u);
  EXPECT_EQ(A.member(0).Comparisons, A.member(8).Comparisons);
  EXPECT_NE(A.member(0).Comparisons, A.member(16).Comparisons);
}

TEST(AccessPaths, Difference) {
  Analysed A(kernel(R"(
  %p = load ptr, ptr %f
  %a = getelementptr i8, ptr %f, i64 8
  %q = load ptr, ptr %a
  %m = ptrtoint ptr %p to i64
  %n = ptrtoint ptr %q to i64
  %d = sub i64 %n, %m
  call void @use(i64 %d))",
                    "declare void @use(i64)\n"));
  EXPECT_EQ(A.member(0).Comparisons, A.member(8).Comparisons);
  EXPECT_EQ(A.member(0).Comparisons.size(), 1u);
  EXPECT_FALSE(A.member(0).Escapes);
}

TEST(AccessPaths, OtherArithmeticEscapes) {
  EXPECT_EQ(paths(R"(
  %p = load ptr, ptr %f
  %n = ptrtoint ptr %p to i64
  %m = and i64 %n, -64
  %q = inttoptr i64 %m to ptr
  store double 0.0, ptr %q)"),
            "read\n"
            "[+0] escapes\n");
}

TEST(AccessPaths, StoredToMemoryEscapes) {
  EXPECT_EQ(paths(R"(
  %p = load ptr, ptr %f
  store ptr %p, ptr @somewhere)",
                  "@somewhere = external global ptr\n"),
            "read\n"
            "[+0] escapes\n");
}

TEST(AccessPaths, AtomicUpdates) {
  EXPECT_EQ(paths(R"(
  %p = load ptr, ptr %f
  %o = atomicrmw fadd ptr %p, double 1.0 monotonic
  %a = getelementptr i8, ptr %f, i64 8
  %q = load ptr, ptr %a
  %x = cmpxchg ptr %q, i64 0, i64 1 monotonic monotonic
  %l = load atomic double, ptr %p monotonic, align 8)"),
            "read\n"
            "[+0] read, written\n"
            "[+8] written\n");
}

TEST(AccessPaths, AtomicallyExchangedPointersEscape) {
  EXPECT_EQ(paths(R"(
  %p = load ptr, ptr %f
  %o = atomicrmw xchg ptr @somewhere, ptr %p monotonic
  %a = getelementptr i8, ptr %f, i64 8
  %q = load ptr, ptr %a
  %x = cmpxchg ptr @somewhere, ptr null, ptr %q monotonic monotonic)",
                  "@somewhere = external global ptr\n"),
            "read\n"
            "[+0] escapes\n"
            "[+8] escapes\n");
}

TEST(AccessPaths, APointerThatAnAtomicUpdateReads) {
  // The old value is dereferenced: it is a pointer that the kernel uses.
  EXPECT_EQ(paths(R"(
  %p = atomicrmw xchg ptr %f, ptr null monotonic
  store double 0.0, ptr %p)"),
            "read, written\n"
            "[+0] written\n");
}

TEST(AccessPaths, FilledMemory) {
  EXPECT_EQ(paths(R"(
  %p = load ptr, ptr %f
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 64, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %i, i1 false))",
                  "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"),
            "read\n"
            "[+0] written\n");
}

TEST(AccessPaths, CopyFromOneArrayToAnother) {
  Analysed A(
      kernel(R"(
  %p = load ptr, ptr %f
  %a = getelementptr i8, ptr %f, i64 8
  %q = load ptr, ptr %a
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 %i, i1 false))",
             "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"));
  // What the source holds goes where the analysis does not follow.
  EXPECT_TRUE(A.member(0).Read);
  EXPECT_TRUE(A.member(0).Escapes);
  EXPECT_FALSE(A.member(0).Written);
  EXPECT_TRUE(A.member(8).Written);
  EXPECT_FALSE(A.member(8).Escapes);
}

TEST(AccessPaths, CalledFunction) {
  Analysed A(kernel(R"(
  %p = load ptr, ptr %f
  call void %p(i64 %i))"));
  EXPECT_TRUE(A.member(0).Called);
  EXPECT_FALSE(A.member(0).dereferenced());
  EXPECT_FALSE(A.member(0).Escapes);
}

TEST(AccessPaths, AnnotationsAndLifetimesAreNoUses) {
  EXPECT_EQ(paths(R"(
  %p = load ptr, ptr %f
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 64) ]
  %s = call ptr @llvm.invariant.start.p0(i64 8, ptr %p)
  store double 0.0, ptr %p)",
                  "declare void @llvm.assume(i1)\n"
                  "declare ptr @llvm.invariant.start.p0(i64, ptr)\n"),
            "read\n"
            "[+0] written\n");
}

TEST(AccessPaths, AnnotatedFields) {
  // __attribute__((annotate("..."))) on a member: Clang accesses it through the
  // result.
  EXPECT_EQ(
      paths(
          R"(
  %a = getelementptr i8, ptr %f, i64 8
  %b = call ptr @llvm.ptr.annotation.p0.p0(ptr %a, ptr @s, ptr @s, i32 1, ptr null)
  %p = load ptr, ptr %b
  store double 0.0, ptr %p)",
          "@s = private constant [2 x i8] c\"s\\00\"\n"
          "declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)\n"),
      "read, from 8\n"
      "[+8] written\n");
}

//===----------------------------------------------------------------------===//
// Distance of the accesses from the pointer
//===----------------------------------------------------------------------===//

namespace {

/// The shift of the pointer at +0 when it is accessed at every \p Offsets.
std::optional<int64_t> shiftOf(ArrayRef<std::string> Offsets) {
  std::string Body = "  %p = load ptr, ptr %f\n"
                     "  %up = and i64 %i, 1023\n";
  for (auto [N, Offset] : enumerate(Offsets)) {
    std::string A = "%a" + std::to_string(N);
    Body += "  " + A + " = getelementptr i8, ptr %p, i64 " + Offset +
            "\n  store double 0.0, ptr " + A + "\n";
  }
  Analysed A(kernel(Body));
  return A.member(0).Shift;
}

/// The same for `p[i + Plus]` of doubles in a loop over i = 0, Step, ...
std::optional<int64_t> shiftInLoop(int64_t Plus, int64_t Step) {
  Analysed A(kernel("  %p = load ptr, ptr %f\n"
                    "  br label %loop\n"
                    "loop:\n"
                    "  %n = phi i64 [ 0, %0 ], [ %next, %loop ]\n"
                    "  %x = add nsw i64 %n, " +
                    std::to_string(Plus) +
                    "\n"
                    "  %a = getelementptr double, ptr %p, i64 %x\n"
                    "  store double 0.0, ptr %a\n"
                    "  %next = add nsw i64 %n, " +
                    std::to_string(Step) +
                    "\n"
                    "  %more = icmp slt i64 %next, %i\n"
                    "  br i1 %more, label %loop, label %done\n"
                    "done:"));
  return A.member(0).Shift;
}

} // namespace

TEST(AccessPaths, ShiftOfConstantOffsets) {
  EXPECT_EQ(shiftOf({"0"}), 0);
  EXPECT_EQ(shiftOf({"24"}), 24);
  EXPECT_EQ(shiftOf({"24", "8"}), 8);
  EXPECT_EQ(shiftOf({"-24"}), -24);
  EXPECT_EQ(shiftOf({"-24", "-8"}), -8);
}

TEST(AccessPaths, ShiftOnBothSidesIsNone) {
  EXPECT_EQ(shiftOf({"24", "-8"}), 0);
  EXPECT_EQ(shiftOf({"24", "0"}), 0);
  EXPECT_EQ(shiftOf({"-24", "0", "-24"}), 0);
}

TEST(AccessPaths, ShiftInLoops) {
  EXPECT_EQ(shiftInLoop(0, 1), 0);
  EXPECT_EQ(shiftInLoop(3, 1), 24);
  EXPECT_EQ(shiftInLoop(-1, -1), -8);
}

TEST(AccessPaths, ShiftThatALoopMayCross) {
  EXPECT_EQ(shiftInLoop(-3, 1), 0);
  EXPECT_EQ(shiftInLoop(3, -1), 0);
}

TEST(AccessPaths, ShiftOfAnUnknownIndex) {
  // Nothing says that %i is not negative.
  EXPECT_EQ(shiftOf({"%i"}), 0);
}
