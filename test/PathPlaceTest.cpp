//===- PathPlaceTest.cpp - Where in an object pointers lie ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPathsTest.h"

using namespace llvm;
using namespace ferry;
using namespace ferry::test;

namespace {

std::string text(const PathPlace &P) {
  std::string Text;
  raw_string_ostream OS(Text);
  P.print(OS);
  return Text;
}

PathPlace place(int64_t Offset, std::vector<PathIndex> Indices) {
  PathPlace P;
  P.Offset = Offset;
  for (const PathIndex &I : Indices)
    P.add(I);
  return P;
}

/// What \p P is after one more place, \p Other, is joined to it.
std::string joined(PathPlace P, const PathPlace &Other) {
  P.join(Other);
  return text(P);
}

constexpr const char UseDecl[] = "declare void @use(i64)\n";

} // namespace

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

TEST(PathPlace, IndicesAreInTheOrderOfTheirStrides) {
  EXPECT_EQ(text(place(-8, {})), "-8");
  EXPECT_EQ(text(place(8, {{16, 2}, {40, 3}, {8, 0}})), "+8 + i * 8");
  EXPECT_EQ(text(place(8, {{16, 2}, {40, 3}})),
            "+8 + i * 40 (i < 3) + j * 16 (j < 2)");
}

TEST(PathPlace, IndicesThatSayNothingNew) {
  EXPECT_EQ(text(place(0, {{8, 1}})), "+0");
  EXPECT_EQ(text(place(0, {{0, 7}})), "+0");
  EXPECT_EQ(text(place(0, {{8, 0}, {24, 5}})), "+0 + i * 8");
  EXPECT_EQ(text(place(0, {{24, 0}, {8, 2}})), "+0 + i * 24 + j * 8 (j < 2)");
}

TEST(PathPlace, TwoIndicesOfOneStride) {
  // 0 to 2 and 0 to 3: 0 to 5.
  EXPECT_EQ(text(place(0, {{8, 3}, {8, 4}})), "+0 + i * 8 (i < 6)");
}

TEST(PathPlace, ManyIndicesBecomeOne) {
  EXPECT_EQ(text(place(4, {{640, 2}, {320, 2}, {160, 2}, {80, 2}, {48, 2}})),
            "+4 + i * 16");
}

TEST(PathPlace, JoinedPlaces) {
  EXPECT_EQ(joined(place(8, {}), place(32, {})), "+8 + i * 24");
  EXPECT_EQ(joined(place(32, {}), place(8, {})), "+32 + i * 24");
  EXPECT_EQ(joined(place(8, {}), place(8, {{40, 2}})), "+8 + i * 40");
  EXPECT_EQ(joined(place(8, {{40, 2}}), place(8, {{40, 2}})),
            "+8 + i * 40 (i < 2)");
}

TEST(PathPlace, EveryCombination) {
  std::vector<int64_t> Offsets;
  place(8, {{40, 2}, {16, 2}, {1000, 0}}).forEach([&](int64_t Offset) {
    Offsets.push_back(Offset);
  });
  sort(Offsets);
  EXPECT_EQ(Offsets, (std::vector<int64_t>{8, 24, 48, 64}));
  EXPECT_EQ(place(0, {{8, UINT64_MAX}, {16, 2}}).combinations(), UINT64_MAX);
}

TEST(PathPlace, IndicesStayInTheirArray) {
  PathArray A{place(16, {{100, 2}}), 48};
  PathPlace P = place(40, {{100, 2}});
  ASSERT_TRUE(A.holds(P));
  A.addIndex(P, 16);
  EXPECT_EQ(text(P), "+24 + i * 100 (i < 2) + j * 16 (j < 3)");
  EXPECT_FALSE(A.holds(P));
  EXPECT_FALSE(A.holds(place(64, {{100, 2}})));
  EXPECT_FALSE(A.holds(place(8, {{100, 2}})));
}

//===----------------------------------------------------------------------===//
// Arrays in kernels
//===----------------------------------------------------------------------===//

TEST(PathPlace, TwoArraysInOneObject) {
  // struct { int *A[2], *B, *C[2]; }
  EXPECT_EQ(paths(R"(
  %a = getelementptr { [2 x ptr], ptr, [2 x ptr] }, ptr %f, i64 0, i32 0, i64 %i
  %p = load ptr, ptr %a
  store i32 0, ptr %p
  %c = getelementptr { [2 x ptr], ptr, [2 x ptr] }, ptr %f, i64 0, i32 2, i64 %i
  %q = load ptr, ptr %c
  %v = load i32, ptr %q
  store i32 %v, ptr %p)"),
            "read\n"
            "[+0 + i * 8 (i < 2)] written\n"
            "[+24 + i * 8 (i < 2)] read\n");
}

TEST(PathPlace, ArraysInRecordsInArrays) {
  // Strides of 40 and 16 bytes, in one address and in steps.
  EXPECT_EQ(paths(R"(
  %j = load i64, ptr @j
  %a = getelementptr { i64, [2 x { i64, [2 x { ptr, i64 }] }] }, ptr %f, i64 0, i32 1, i64 %i, i32 1, i64 %j
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)",
                  "@j = external global i64\n"),
            "read, from 16\n"
            "[+16 + i * 40 (i < 2) + j * 16 (j < 2)] written\n");
  EXPECT_EQ(paths(R"(
  %j = load i64, ptr @j
  %b = getelementptr i8, ptr %f, i64 8
  %r = getelementptr [2 x { i64, [2 x { i64, ptr }] }], ptr %b, i64 0, i64 %i
  %m = getelementptr { i64, [2 x { i64, ptr }] }, ptr %r, i32 0, i32 1
  %c = getelementptr [2 x { i64, ptr }], ptr %m, i64 0, i64 %j
  %a = getelementptr i8, ptr %c, i64 8
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)",
                  "@j = external global i64\n"),
            "read, from 24\n"
            "[+24 + i * 40 (i < 2) + j * 16 (j < 2)] written\n");
}

TEST(PathPlace, AnArrayThatDecays) {
  // Arithmetic on a pointer to an element stays in the array.
  EXPECT_EQ(paths(R"(
  %a = getelementptr { i64, [3 x ptr], ptr }, ptr %f, i64 0, i32 1, i64 1
  %b = getelementptr ptr, ptr %a, i64 %i
  %p = load ptr, ptr %b
  store double 0.0, ptr %p)"),
            "read, from 16\n"
            "[+8 + i * 8 (i < 3)] written\n");
}

TEST(PathPlace, AnArrayThatDecaysAtTheBeginOfItsObject) {
  // Its address is the object's, also in a function that gets it.
  EXPECT_EQ(paths(R"(
  call void @body(ptr %f, i64 %i))",
                  R"(
define internal void @body(ptr %r, i64 %i) {
  %a = getelementptr { [3 x ptr], ptr }, ptr %r, i32 0, i32 0
  %d = getelementptr [3 x ptr], ptr %a, i64 0, i64 0
  %b = getelementptr ptr, ptr %d, i64 %i
  %p = load ptr, ptr %b
  store double 0.0, ptr %p
  ret void
})"),
            "read\n"
            "[+0 + i * 8 (i < 3)] written\n");
}

TEST(PathPlace, AnArrayOfArraysThatDecays) {
  // To its first row, and to the first element of that: all rows.
  EXPECT_EQ(paths(R"(
  %a = getelementptr { [2 x [3 x ptr]], ptr }, ptr %f, i32 0, i32 0
  %r = getelementptr [2 x [3 x ptr]], ptr %a, i64 0, i64 0
  %e = getelementptr [3 x ptr], ptr %r, i64 0, i64 0
  %b = getelementptr ptr, ptr %e, i64 %i
  %p = load ptr, ptr %b
  store double 0.0, ptr %p)"),
            "read\n"
            "[+0 + i * 8 (i < 6)] written\n");
  // One row that is chosen: its elements.
  EXPECT_EQ(paths(R"(
  %a = getelementptr { [2 x [3 x ptr]], ptr }, ptr %f, i32 0, i32 0
  %r = getelementptr [2 x [3 x ptr]], ptr %a, i64 0, i64 %i
  %e = getelementptr [3 x ptr], ptr %r, i64 0, i64 0
  %b = getelementptr ptr, ptr %e, i64 %i
  %p = load ptr, ptr %b
  store double 0.0, ptr %p)"),
            "read\n"
            "[+0 + i * 24 (i < 2) + j * 8 (j < 3)] written\n");
}

TEST(PathPlace, AnArrayOnTheStackThatDecays) {
  // The step past the array does not keep the variable in memory.
  EXPECT_EQ(paths(R"(
  %s = alloca { [2 x ptr], i64 }
  %p = load ptr, ptr %f
  %a = getelementptr { [2 x ptr], i64 }, ptr %s, i32 0, i32 0
  %d = getelementptr [2 x ptr], ptr %a, i64 0, i64 0
  store ptr %p, ptr %d
  %e = getelementptr [2 x ptr], ptr %a, i64 0, i64 0
  %q = load ptr, ptr %e
  store double 0.0, ptr %q)"),
            "read\n"
            "[+0] written\n");
}

TEST(PathPlace, AnArrayInARecordThatIsWalkedOver) {
  // The step is from record to record, not in the first one's array.
  EXPECT_EQ(paths(R"(
  %a = getelementptr { i64, [3 x { [2 x ptr] }] }, ptr %f, i64 0, i32 1, i64 1
  %b = getelementptr { [2 x ptr] }, ptr %a, i64 %i
  %p = load ptr, ptr %b
  store double 0.0, ptr %p)"),
            "read, from 24\n"
            "[+8 + i * 16 (i < 3)] written\n");
}

TEST(PathPlace, APointerThatWalksThroughAnArray) {
  EXPECT_EQ(paths(R"(
  %begin = getelementptr { i64, [4 x ptr], ptr }, ptr %f, i64 0, i32 1
  br label %loop
loop:
  %q = phi ptr [ %begin, %0 ], [ %next, %loop ]
  %n = phi i64 [ 0, %0 ], [ %m, %loop ]
  %p = load ptr, ptr %q
  store double 0.0, ptr %p
  %next = getelementptr ptr, ptr %q, i64 1
  %m = add i64 %n, 1
  %more = icmp ne i64 %m, %i
  br i1 %more, label %loop, label %done
done:)"),
            "read, from 8\n"
            "[+8] written\n"
            "[+8 + i * 8 (i < 4)] written\n");
}

TEST(PathPlace, EveryOtherElement) {
  EXPECT_EQ(paths(R"(
  %two = shl nsw i64 %i, 1
  %odd = add nsw i64 %two, 1
  %a = getelementptr [7 x ptr], ptr %f, i64 0, i64 %odd
  %p = load ptr, ptr %a
  store double 0.0, ptr %p
  %three = mul nsw i64 %i, 3
  %b = getelementptr [7 x ptr], ptr %f, i64 0, i64 %three
  %q = load ptr, ptr %b
  %v = load double, ptr %q
  store double %v, ptr %p)"),
            "read\n"
            "[+0 + i * 24 (i < 3)] read\n"
            "[+8 + i * 16 (i < 3)] written\n");
}

TEST(PathPlace, EveryOtherElementByNarrowNumbers) {
  // 2 * i + 1 and 3 * i - 1 of int.
  EXPECT_EQ(paths(R"(
  %n = trunc i64 %i to i32
  %two = mul nsw i32 %n, 2
  %odd = add nsw i32 %two, 1
  %x = sext i32 %odd to i64
  %a = getelementptr [7 x ptr], ptr %f, i64 0, i64 %x
  %p = load ptr, ptr %a
  store double 0.0, ptr %p
  %three = mul nsw i32 3, %n
  %m = sub nsw i32 %three, 1
  %y = sext i32 %m to i64
  %b = getelementptr [7 x ptr], ptr %f, i64 0, i64 %y
  %q = load ptr, ptr %b
  %v = load double, ptr %q
  store double %v, ptr %p)"),
            "read\n"
            "[+8 + i * 16 (i < 3)] written\n"
            "[+16 + i * 24 (i < 2)] read\n");
}

TEST(PathPlace, ALoopOverEveryOtherElement) {
  EXPECT_EQ(paths(R"(
  br label %loop
loop:
  %n = phi i64 [ 1, %0 ], [ %next, %loop ]
  %a = getelementptr [6 x ptr], ptr %f, i64 0, i64 %n
  %p = load ptr, ptr %a
  store double 0.0, ptr %p
  %next = add nsw i64 %n, 2
  %more = icmp slt i64 %next, %i
  br i1 %more, label %loop, label %done
done:)"),
            "read, from 8\n"
            "[+8 + i * 16 (i < 3)] written\n");
}

TEST(PathPlace, AnIndexThatWrapsAround) {
  // 3 * i modulo 256 is no multiple of 3.
  EXPECT_EQ(paths(R"(
  %n = trunc i64 %i to i8
  %three = mul i8 %n, 3
  %x = zext i8 %three to i64
  %a = getelementptr [256 x ptr], ptr %f, i64 0, i64 %x
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
            "read\n"
            "[+0 + i * 8 (i < 256)] written\n");
}

TEST(PathPlace, ArraysWithoutALength) {
  EXPECT_EQ(paths(R"(
  %a = getelementptr { i64, [0 x ptr] }, ptr %f, i64 0, i32 1, i64 %i
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
            "read, from 8\n"
            "[+8 + i * 8] written\n");
}

TEST(PathPlace, ElementsWithoutASize) {
  EXPECT_EQ(paths(R"(
  %a = getelementptr { i64, [4 x {}], ptr }, ptr %f, i64 0, i32 1, i64 %i
  %b = getelementptr {}, ptr %a, i64 %i
  %p = load ptr, ptr %b
  store double 0.0, ptr %p)"),
            "read, from 8\n"
            "[+8] written\n");
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

TEST(PathPlace, AChoiceBetweenMembers) {
  EXPECT_EQ(paths(R"(
  %c = icmp eq i64 %i, 0
  %a = getelementptr i8, ptr %f, i64 8
  %b = getelementptr i8, ptr %f, i64 40
  %r = select i1 %c, ptr %a, ptr %b
  %e = getelementptr i8, ptr %r, i64 8
  %p = load ptr, ptr %e
  store double 0.0, ptr %p)"),
            "read, from 16\n"
            "[+16] written\n"
            "[+48] written\n");
}

TEST(PathPlace, AChoiceBetweenArrays) {
  EXPECT_EQ(paths(R"(
  %c = icmp eq i64 %i, 0
  br i1 %c, label %left, label %right
left:
  %a = getelementptr { i64, [2 x ptr], ptr, [3 x ptr] }, ptr %f, i64 0, i32 1
  call void @use(i64 1)
  br label %both
right:
  %b = getelementptr { i64, [2 x ptr], ptr, [3 x ptr] }, ptr %f, i64 0, i32 3
  call void @use(i64 2)
  br label %both
both:
  %t = phi ptr [ %a, %left ], [ %b, %right ]
  %e = getelementptr ptr, ptr %t, i64 %i
  %p = load ptr, ptr %e
  store double 0.0, ptr %p)",
                  UseDecl),
            "read\n"
            "[+8 + i * 8 (i < 2)] written\n"
            "[+32 + i * 8 (i < 3)] written\n");
}

TEST(PathPlace, AChoiceAmongManyMembers) {
  // From the seventeenth on, the distance between two is what is known.
  std::string Body = "  %s0 = getelementptr i8, ptr %f, i64 0\n";
  for (int I = 1; I < 20; ++I) {
    std::string N = std::to_string(I), L = std::to_string(I - 1);
    Body += "  %c" + N + " = icmp eq i64 %i, " + N + "\n  %a" + N +
            " = getelementptr i8, ptr %f, i64 " + std::to_string(24 * I) +
            "\n  %s" + N + " = select i1 %c" + N + ", ptr %a" + N + ", ptr %s" +
            L + "\n";
  }
  Body += "  %p = load ptr, ptr %s19\n  store double 0.0, ptr %p";
  std::string Text = paths(Body);
  EXPECT_NE(Text.find(" + i * "), std::string::npos) << Text;
  EXPECT_EQ(Text.find(" + i * 1]"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("escapes"), std::string::npos) << Text;
}

//===----------------------------------------------------------------------===//
// Integers, and nodes as one
//===----------------------------------------------------------------------===//

TEST(PathPlace, IntegersInAnArray) {
  // Each is noted, and nothing between them.
  Analysed A(kernel(R"(
  %a = getelementptr { ptr, [3 x { ptr, i64 }] }, ptr %f, i64 0, i32 1, i64 %i, i32 1
  %n = load i64, ptr %a
  call void @use(i64 %n))",
                    UseDecl));
  auto Reads = A.argument().IntegerReads;
  llvm::sort(Reads);
  EXPECT_EQ(Reads, decltype(Reads)({{16, 8}, {32, 8}, {48, 8}}));
}

TEST(PathPlace, IntegersInALongArray) {
  Analysed A(kernel(R"(
  %a = getelementptr { ptr, [100 x { ptr, i64 }] }, ptr %f, i64 0, i32 1, i64 %i, i32 1
  %n = load i64, ptr %a
  call void @use(i64 %n))",
                    UseDecl));
  EXPECT_EQ(A.argument().IntegerReads,
            decltype(A.argument().IntegerReads)({{16, 99 * 16 + 8}}));
}

TEST(PathPlace, NodesAsOne) {
  PathNode A, B;
  A.member(8).Read = true;
  A.noteShift(16);
  B.member(8).Written = true;
  B.member(8).member(0).Escapes = true;
  B.element(place(16, {{8, 2}})).Read = true;
  B.IntegerReads.push_back({32, 8});
  B.accessed(32, 8);
  B.noteShift(8);
  B.Cyclic = B.Called = true;
  A.merge(B);
  std::string Text;
  raw_string_ostream OS(Text);
  A.print(OS);
  EXPECT_EQ(Text, "cyclic, called, from 8\n"
                  "[+8] read, written\n"
                  "  [+0] escapes\n"
                  "[+16 + i * 8 (i < 2)] read\n");
  EXPECT_EQ(A.Begin, 32);
  EXPECT_EQ(A.End, 40);
  EXPECT_EQ(A.IntegerReads.size(), 1u);
  // A node without accesses says nothing of where they are.
  A.merge(PathNode());
  EXPECT_EQ(A.Shift, 8);
}
