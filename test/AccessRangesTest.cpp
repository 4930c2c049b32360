//===- AccessRangesTest.cpp - Which bytes a kernel accesses ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The closure %f holds the pointer whose range is asked for at 0, and 32-bit
// words at 8, 12, 16 and so on.
//
//===----------------------------------------------------------------------===//

#include "AccessPathsTest.h"
#include "RangeEvaluation.h"

using namespace llvm;
using namespace ferry;
using namespace ferry::test;

namespace {

/// `void @K(ptr %f, i64 %i)` that loads %p and the words %a, %b and %c.
std::string withWords(const std::string &Body) {
  return kernel(R"(
entry:
  %p = load ptr, ptr %f
  %f.a = getelementptr i8, ptr %f, i64 8
  %a = load i32, ptr %f.a
  %f.b = getelementptr i8, ptr %f, i64 12
  %b = load i32, ptr %f.b
  %f.c = getelementptr i8, ptr %f, i64 16
  %c = load i32, ptr %f.c
)" + Body,
                "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
                "declare void @__kmpc_for_static_init_4(ptr, i32, i32, ptr, "
                "ptr, ptr, ptr, i32, i32)\n"
                "declare void @__kmpc_dispatch_init_4(ptr, i32, i32, i32, i32, "
                "i32, i32)\n"
                "declare i32 @__kmpc_dispatch_next_4(ptr, i32, ptr, ptr, ptr, "
                "ptr)\n");
}

/// for (int NAME = FROM; NAME < TO; ++NAME) BODY, with NAME as i32.
std::string loop(const std::string &Name, const std::string &From,
                 const std::string &To, const std::string &Body,
                 const std::string &Before) {
  return "  br label %" + Name + ".head\n" + Name + ".head:\n  %" + Name +
         " = phi i32 [ " + From + ", %" + Before + " ], [ %" + Name +
         ".next, %" + Name + ".latch ]\n  %" + Name + ".in = icmp slt i32 %" +
         Name + ", " + To + "\n  br i1 %" + Name + ".in, label %" + Name +
         ".body, label %" + Name + ".exit\n" + Name + ".body:\n" + Body +
         "  br label %" + Name + ".latch\n" + Name + ".latch:\n  %" + Name +
         ".next = add nsw i32 %" + Name + ", 1\n  br label %" + Name +
         ".head\n" + Name + ".exit:\n";
}

/// p[INDEX] = 0.0, for an i32.
std::string store(const std::string &Index) {
  return "  %w = sext i32 " + Index +
         " to i64\n  %q = getelementptr double, ptr %p, i64 %w\n"
         "  store double 0.0, ptr %q\n";
}

std::optional<AccessRange> rangeOf(const std::string &Text) {
  Analysed A(Text);
  return A.member(0).Range;
}

/// The range in bytes for the argument %i and the words %a, %b and %c.
std::string range(const std::string &Text, int64_t A, int64_t B = 0,
                  int64_t C = 0, int64_t I = 0) {
  std::optional<AccessRange> R = rangeOf(Text);
  if (!R)
    return "none";
  return evaluate(*R, [&](const RangeTerm &T) {
    if (T.Kind == RangeTerm::Argument)
      return I;
    return T.Path.back() == 8 ? A : T.Path.back() == 12 ? B : C;
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// One access
//===----------------------------------------------------------------------===//

TEST(AccessRanges, ConstantPlaces) {
  EXPECT_EQ(range(withWords("  store double 0.0, ptr %p\n"), 0), "0..7");
  EXPECT_EQ(range(withWords("  %q = getelementptr i8, ptr %p, i64 -16\n"
                            "  store i32 0, ptr %q\n"
                            "  store i8 0, ptr %p\n"),
                  0),
            "-16..0");
}

TEST(AccessRanges, CapturedWords) {
  std::string K = withWords(store("%a"));
  EXPECT_EQ(range(K, 5), "40..47");
  EXPECT_EQ(range(K, -5), "-40..-33");
}

TEST(AccessRanges, Arguments) {
  std::string K = withWords("  %q = getelementptr i16, ptr %p, i64 %i\n"
                            "  store i16 0, ptr %q\n");
  EXPECT_EQ(range(K, 0, 0, 0, 7), "14..15");
  // More than a 64-bit distance can be.
  EXPECT_EQ(range(K, 0, 0, 0, INT64_MAX), "unknown");
}

TEST(AccessRanges, WordsBehindPointers) {
  std::optional<AccessRange> R = rangeOf(kernel(R"(
  %p = load ptr, ptr %f
  %f.o = getelementptr i8, ptr %f, i64 24
  %o = load ptr, ptr %f.o
  %o.n = getelementptr i8, ptr %o, i64 4
  %n = load i64, ptr %o.n
  %q = getelementptr i8, ptr %p, i64 %n
  store i8 0, ptr %q)"));
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Terms[R->First].Path, (std::vector<int64_t>{24, 4}));
}

TEST(AccessRanges, WordsThatTheKernelWrites) {
  EXPECT_EQ(range(withWords("  store i32 0, ptr %f.c\n" + store("%a")), 5),
            "none");
}

TEST(AccessRanges, Lengths) {
  std::string K = withWords("  %n = sext i32 %a to i64\n"
                            "  call void @llvm.memset.p0.i64(ptr %p, i8 0, "
                            "i64 %n, i1 false)\n");
  EXPECT_EQ(range(K, 100), "0..99");
  EXPECT_EQ(range(K, -1), "unknown");
}

TEST(AccessRanges, WhatCannotBeBounded) {
  EXPECT_EQ(range(withWords(R"(
  %x = load i32, ptr %p
)" + store("%x")),
                  0),
            "none");
  EXPECT_EQ(range(withWords("  store ptr %p, ptr %f.c\n"
                            "  store double 0.0, ptr %p\n"),
                  0),
            "none");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

TEST(AccessRanges, Loop) {
  std::string K = withWords(loop("j", "%a", "%b", store("%j"), "entry"));
  EXPECT_EQ(range(K, 3, 10), "24..79");
  EXPECT_EQ(range(K, -3, 1), "-24..7");
  EXPECT_EQ(range(K, 3, 4), "24..31");
  EXPECT_EQ(range(K, 3, 3), "unknown") << "no iteration";
  EXPECT_EQ(range(K, 3, -3), "unknown") << "no iteration";
}

TEST(AccessRanges, Backwards) {
  std::string K = withWords(loop(
      "j", "%a", "%b", "  %n = sub nsw i32 0, %j\n" + store("%n"), "entry"));
  EXPECT_EQ(range(K, 1, 11), "-80..-1");
}

TEST(AccessRanges, SeveralAccesses) {
  std::string K =
      withWords(loop("j", "%a", "%b",
                     "  %l = sub nsw i32 %j, 2\n" + store("%l") +
                         "  %r = add nsw i32 %j, %c\n"
                         "  %rw = sext i32 %r to i64\n"
                         "  %rq = getelementptr double, ptr %p, i64 %rw\n"
                         "  store double 0.0, ptr %rq\n",
                     "entry"));
  EXPECT_EQ(range(K, 10, 20, 3), "64..183");
  EXPECT_EQ(range(K, 10, 20, -5), "40..143");
}

TEST(AccessRanges, StridesKnownAtTheLaunch) {
  std::string K = withWords(loop(
      "j", "0", "%b", "  %m = mul nsw i32 %j, %a\n" + store("%m"), "entry"));
  EXPECT_EQ(range(K, 4, 3), "0..71");
  EXPECT_EQ(range(K, -4, 3), "-64..7");
}

TEST(AccessRanges, Planes) {
  std::string K = withWords(
      loop("i1", "%a", "%b",
           loop("j", "%a", "%c",
                "  %m = mul nsw i32 %i1, %c\n  %s = add nsw i32 %m, %j\n" +
                    store("%s"),
                "i1.body"),
           "entry"));
  EXPECT_EQ(range(K, 1, 4, 5), "48..159");
}

TEST(AccessRanges, Triangles) {
  std::string Upper =
      withWords(loop("i1", "%a", "%b",
                     loop("j", "%i1", "%b", store("%j"), "i1.body"), "entry"));
  EXPECT_EQ(range(Upper, 2, 9), "16..71");
  std::string WithoutDiagonal =
      withWords(loop("i1", "%a", "%b",
                     "  %s = add nsw i32 %i1, 1\n" +
                         loop("j", "%s", "%b", store("%j"), "i1.body"),
                     "entry"));
  EXPECT_EQ(range(WithoutDiagonal, 2, 9), "24..71");
  std::string Lower =
      withWords(loop("i1", "%a", "%b",
                     loop("j", "%a", "%i1", store("%j"), "i1.body"), "entry"));
  EXPECT_EQ(range(Lower, 2, 9), "16..63");
}

// for (__int128 K = 0; K < i1 + 1; ++K) P[5 + K] = 0
TEST(AccessRanges, CountersOfMoreThan64Bits) {
  EXPECT_EQ(range(withWords(loop("i1", "%a", "%b", R"(
  %wide = zext i32 %i1 to i128
  %limit = add nuw nsw i128 %wide, 1
  br label %head
head:
  %k = phi i128 [ 0, %i1.body ], [ %k.next, %body ]
  %j = phi i64 [ 5, %i1.body ], [ %j.next, %body ]
  %in = icmp ult i128 %k, %limit
  br i1 %in, label %body, label %done
body:
  %q = getelementptr double, ptr %p, i64 %j
  store double 0.0, ptr %q
  %k.next = add nuw nsw i128 %k, 1
  %j.next = add nsw i64 %j, 1
  br label %head
done:
)",
                                 "entry")),
                  2, 9),
            "none");
}

namespace {

/// The access p[INDEX] under the condition COMPARE (an i1), in a loop over %j.
std::string guarded(const std::string &Compare, const std::string &Index) {
  return loop("j", "%a", "%b",
              Compare + "  br i1 %if, label %then, label %join\nthen:\n" +
                  store(Index) + "  br label %join\njoin:\n",
              "entry");
}

} // namespace

TEST(AccessRanges, Conditions) {
  std::string Less = withWords(guarded("  %if = icmp slt i32 %j, %c\n", "%j"));
  EXPECT_EQ(range(Less, 2, 10, 5), "16..39");
  EXPECT_EQ(range(Less, 2, 10, 50), "16..79");
  EXPECT_EQ(range(Less, 2, 10, 1), "unknown") << "never";
  std::string Greater =
      withWords(guarded("  %if = icmp sgt i32 %j, %c\n", "%j"));
  EXPECT_EQ(range(Greater, 2, 10, 5), "48..79");
  std::string Other = withWords(
      guarded("  %m = sub nsw i32 %j, 1\n  %if = icmp sge i32 %j, 1\n", "%m"));
  EXPECT_EQ(range(Other, 0, 10), "0..71");
  std::string Negated = withWords(
      guarded("  %m = sub nsw i32 %c, %j\n  %if = icmp sgt i32 %m, 3\n", "%j"));
  EXPECT_EQ(range(Negated, 0, 10, 9), "0..47");
  std::string Both = withWords(guarded("  %l = icmp sgt i32 %j, 0\n"
                                       "  %r = icmp slt i32 %j, %c\n"
                                       "  %if = and i1 %l, %r\n",
                                       "%j"));
  EXPECT_EQ(range(Both, 0, 10, 4), "8..31");
}

TEST(AccessRanges, ConditionsThatDoNotCount) {
  // Otherwise, of another value, of both ways.
  std::string Swapped = loop("j", "%a", "%b",
                             "  %if = icmp slt i32 %j, %c\n"
                             "  br i1 %if, label %join, label %then\nthen:\n" +
                                 store("%j") + "  br label %join\njoin:\n",
                             "entry");
  EXPECT_EQ(range(withWords(Swapped), 2, 10, 5), "40..79");
  std::string Either = withWords(guarded("  %l = icmp sgt i32 %j, 4\n"
                                         "  %r = icmp slt i32 %j, %c\n"
                                         "  %if = or i1 %l, %r\n",
                                         "%j"));
  EXPECT_EQ(range(Either, 0, 10, 4), "0..79");
  std::string Joined = loop("j", "%a", "%b",
                            "  %if = icmp slt i32 %j, %c\n"
                            "  br i1 %if, label %then, label %join\nthen:\n"
                            "  store i8 0, ptr %p\n"
                            "  br label %join\njoin:\n" +
                                store("%j"),
                            "entry");
  EXPECT_EQ(range(withWords(Joined), 0, 10, 4), "0..79");
}

TEST(AccessRanges, ConditionsOnRemainders) {
  std::string K =
      withWords(guarded("  %d = sdiv i32 %j, %c\n  %m = mul i32 %d, %c\n"
                        "  %r = sub i32 %j, %m\n  %if = icmp sgt i32 %r, 1\n",
                        "%r"));
  EXPECT_EQ(range(K, 0, 20, 5), "16..39");
}

TEST(AccessRanges, WhatWrapsAroundIsUnknown) {
  std::string Signed = withWords(
      loop("j", "%a", "%b", "  %s = add i32 %j, %c\n" + store("%s"), "entry"));
  EXPECT_EQ(range(Signed, 0, 4, 100), "800..831");
  EXPECT_EQ(range(Signed, 0, 4, INT32_MAX - 3), "17179869152..17179869183");
  EXPECT_EQ(range(Signed, 0, 4, INT32_MAX - 2), "unknown");
  std::string Unsigned =
      withWords(loop("j", "%a", "%b",
                     "  %s = add i32 %j, %c\n  %w = zext i32 %s to i64\n"
                     "  %q = getelementptr double, ptr %p, i64 %w\n"
                     "  store double 0.0, ptr %q\n",
                     "entry"));
  EXPECT_EQ(range(Unsigned, 5, 8, -5), "0..23");
  EXPECT_EQ(range(Unsigned, 4, 8, -5), "unknown");
}

TEST(AccessRanges, Remainders) {
  std::string K =
      withWords(loop("j", "0", "%b",
                     "  %d = sdiv i32 %j, %a\n  %m = mul i32 %d, %a\n"
                     "  %r = sub i32 %j, %m\n  %s = mul i32 %r, %c\n"
                     "  %t = add i32 %s, %d\n" +
                         store("%t"),
                     "entry"));
  EXPECT_EQ(range(K, 5, 20, 4), "0..159");
  EXPECT_EQ(range(K, 0, 20, 4), "unknown");
  EXPECT_EQ(range(K, 50, 20, 1), "0..159");
  std::string Rem = withWords(
      loop("j", "%c", "%b", "  %r = srem i32 %j, %a\n" + store("%r"), "entry"));
  EXPECT_EQ(range(Rem, 5, 20), "0..39");
  EXPECT_EQ(range(Rem, 5, 20, -3), "unknown");
}

TEST(AccessRanges, WordsThatTheLoopReads) {
  // As a lambda does that captures by reference.
  std::string K = kernel(R"(
entry:
  %p = load ptr, ptr %f
  %f.a = getelementptr i8, ptr %f, i64 8
)" + loop("j", "0", "%b",
          "  %v = load i32, ptr %f.a\n  %s = add nsw i32 %j, %v\n" +
              store("%s"),
          "entry"));
  // The bound is read in the head of the loop.
  K.replace(K.find("  %j.in"), 0,
            "  %f.b = getelementptr i8, ptr %f, i64 12\n"
            "  %b = load i32, ptr %f.b\n");
  EXPECT_EQ(range(K, 10, 4), "80..111");
}

//===----------------------------------------------------------------------===//
// Work sharing
//===----------------------------------------------------------------------===//

namespace {

/// What Clang makes of a loop from %a to %b in which p[j] is written.
std::string workSharing(const std::string &Init, const std::string &Around,
                        const std::string &Next) {
  return withWords(R"(
  %last = alloca i32
  %lb = alloca i32
  %ub = alloca i32
  %st = alloca i32
  %n = sub i32 %b, %a
  %most = sub i32 %n, 1
  %any = icmp slt i32 %a, %b
  br i1 %any, label %go, label %done
go:
  store i32 0, ptr %lb
  store i32 %most, ptr %ub
  store i32 1, ptr %st
)" + Init + "  br label %chunk\nchunk:\n" +
                   Around + R"(
  %from = load i32, ptr %lb
  br label %head
head:
  %v = phi i32 [ %from, %run ], [ %v.next, %body ]
  %to = load i32, ptr %ub
  %end = add i32 %to, 1
  %in = icmp ult i32 %v, %end
  br i1 %in, label %body, label %after
body:
  %j = add i32 %a, %v
)" + store("%j") + "  %v.next = add i32 %v, 1\n  br label %head\nafter:\n" +
                   Next + "done:\n");
}

} // namespace

TEST(AccessRanges, StaticSchedule) {
  std::string K = workSharing(
      "  call void @__kmpc_for_static_init_4(ptr null, i32 0, i32 34, ptr "
      "%last, ptr %lb, ptr %ub, ptr %st, i32 1, i32 1)\n",
      "  br label %run\nrun:\n", "  br label %done\n");
  EXPECT_EQ(range(K, 5, 9), "40..71");
  EXPECT_EQ(range(K, -5, 9), "-40..71");
}

TEST(AccessRanges, ChunksOfAStaticSchedule) {
  std::string K = workSharing(
      "  call void @__kmpc_for_static_init_4(ptr null, i32 0, i32 33, ptr "
      "%last, ptr %lb, ptr %ub, ptr %st, i32 1, i32 4)\n",
      R"(
  %u = load i32, ptr %ub
  %over = icmp ugt i32 %u, %most
  %u.cut = select i1 %over, i32 %most, i32 %u
  store i32 %u.cut, ptr %ub
  %l = load i32, ptr %lb
  %more = icmp ule i32 %l, %u.cut
  br i1 %more, label %run, label %done
run:
)",
      R"(
  %s = load i32, ptr %st
  %l2 = load i32, ptr %lb
  %l3 = add i32 %l2, %s
  store i32 %l3, ptr %lb
  %u2 = load i32, ptr %ub
  %u3 = add i32 %u2, %s
  store i32 %u3, ptr %ub
  br label %chunk
)");
  EXPECT_EQ(range(K, 5, 9), "40..71");
}

TEST(AccessRanges, DynamicSchedule) {
  std::string K = workSharing(
      "  call void @__kmpc_dispatch_init_4(ptr null, i32 0, i32 35, i32 0, "
      "i32 %most, i32 1, i32 1)\n",
      R"(
  %more = call i32 @__kmpc_dispatch_next_4(ptr null, i32 0, ptr %last, ptr %lb, ptr %ub, ptr %st)
  %some = icmp ne i32 %more, 0
  br i1 %some, label %run, label %done
run:
)",
      "  br label %chunk\n");
  EXPECT_EQ(range(K, 5, 9), "40..71");
}

TEST(AccessRanges, TheLastIterationIsNotForgotten) {
  // What follows "if (is_last)" belongs to the kernel.
  std::string K = workSharing(
      "  store i32 0, ptr %last\n"
      "  call void @__kmpc_for_static_init_4(ptr null, i32 0, i32 34, ptr "
      "%last, ptr %lb, ptr %ub, ptr %st, i32 1, i32 1)\n",
      "  br label %run\nrun:\n", R"(
  %is = load i32, ptr %last
  %is.last = icmp ne i32 %is, 0
  br i1 %is.last, label %final, label %done
final:
  store double 1.0, ptr %p
  br label %done
)");
  EXPECT_EQ(range(K, 5, 9), "0..71");
}

namespace {

/// The same in the form of GPUs: each thread steps from its first iteration by
/// the number of threads, up to the last of the team's chunk.
std::string stepping(const std::string &Condition) {
  return withWords(R"(
  %last = alloca i32
  %lb = alloca i32
  %ub = alloca i32
  %st = alloca i32
  %n = sub i32 %b, %a
  %most = sub i32 %n, 1
  %team.last = zext i32 %most to i64
  %any = icmp slt i32 %a, %b
  br i1 %any, label %go, label %done
go:
  store i32 0, ptr %lb
  store i32 %most, ptr %ub
  store i32 1, ptr %st
  call void @__kmpc_for_static_init_4(ptr null, i32 0, i32 33, ptr %last, ptr %lb, ptr %ub, ptr %st, i32 1, i32 1)
  %from = load i32, ptr %lb
  br label %head
head:
  %v = phi i32 [ %from, %go ], [ %v.next, %body ]
)" + Condition + R"(
  br i1 %in, label %body, label %done
body:
  %j = add i32 %a, %v
)" + store("%j") +
                   R"(
  %step = load i32, ptr %st
  %v.next = add i32 %v, %step
  br label %head
done:
)");
}

} // namespace

TEST(AccessRanges, ThreadsThatStepThroughAChunk) {
  std::string K = stepping(R"(
  %v.wide = zext i32 %v to i64
  %end = add i64 %team.last, 1
  %in = icmp ult i64 %v.wide, %end
)");
  K.replace(K.find("init_4(ptr null"), 6, "init_4u");
  K += "declare void @__kmpc_for_static_init_4u(ptr, i32, i32, ptr, ptr, ptr, "
       "ptr, i32, i32)\n";
  EXPECT_EQ(range(K, 5, 9), "40..71");
  EXPECT_EQ(range(K, -5, 9), "-40..71");
}

TEST(AccessRanges, ThreadsThatStepThroughAChunkOfSignedNumbers) {
  std::string K = stepping(R"(
  %v.wide = sext i32 %v to i64
  %in = icmp ule i64 %v.wide, %team.last
)");
  EXPECT_EQ(range(K, 5, 9), "40..71");
  EXPECT_EQ(range(K, -5, 9), "-40..71");
}
