//===- LaunchPlannerArrayTest.cpp - Arrays of pointers in plans -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchPlannerTest.h"

using namespace llvm;
using namespace ferry;
using namespace ferry::test;

namespace {

/// \p Count pointers "f.NAME[n]" from \p Offset on, Stride bytes apart.
std::vector<LayoutItem> row(uint64_t Offset, uint64_t Count,
                            const std::string &Name, uint64_t Stride = 8) {
  std::vector<LayoutItem> Items;
  for (uint64_t I = 0; I < Count; ++I) {
    Items.push_back(pointer(Offset + I * Stride,
                            "f." + Name + "[" + std::to_string(I) + "]"));
  }
  return Items;
}

std::vector<LayoutItem> operator+(std::vector<LayoutItem> A,
                                  const std::vector<LayoutItem> &B) {
  A.insert(A.end(), B.begin(), B.end());
  return A;
}

constexpr const char UseDecl[] = "declare void @use(i64)\n";

/// A kernel that walks from the pointer at %begin to the one at %end.
constexpr const char WalksARange[] = R"(
  %begin = load ptr, ptr %b
  %end = load ptr, ptr %e
  br label %test
test:
  %p = phi ptr [ %begin, %0 ], [ %next, %body ]
  %c = icmp eq ptr %p, %end
  br i1 %c, label %done, label %body
body:
  store double 0.0, ptr %p
  %next = getelementptr i8, ptr %p, i64 8
  br label %test
done:)";

/// The slots of \p P by their offsets, of object \p Object.
std::map<uint64_t, PlanSlot> slots(const PlannedLaunch &P,
                                   unsigned Object = 0) {
  std::map<uint64_t, PlanSlot> At;
  const PlanObject &O = P.Objects[Object];
  for (unsigned S = O.FirstSlot; S < O.FirstSlot + O.NumSlots; ++S)
    At[P.Slots[S].Offset] = P.Slots[S];
  return At;
}

} // namespace

//===----------------------------------------------------------------------===//
// Members between arrays
//===----------------------------------------------------------------------===//

TEST(LaunchPlannerArray, WhatLiesBetweenTwoArraysIsNotUsed) {
  // struct { int *A[2]; union { long N; int *P; } U; int &R; int *C[2]; }
  LayoutItem Union = pointer(16, "f.U.P");
  Union.InUnion = true;
  Scene S(kernel(R"(
  %a = getelementptr [2 x ptr], ptr %f, i64 0, i64 %i
  %p = load ptr, ptr %a
  store i32 0, ptr %p
  %m = getelementptr i8, ptr %f, i64 32
  %c = getelementptr [2 x ptr], ptr %m, i64 0, i64 %i
  %q = load ptr, ptr %c
  store i32 0, ptr %q)"),
          closure(48, row(0, 2, "A") + std::vector{Union} +
                          std::vector{reference(24, "f.R", 4)} +
                          row(32, 2, "C")));
  EXPECT_EQ(carried(S.plan(), PointerNote::InCopy),
            "f.A[0] f.A[1] f.C[0] f.C[1]");
  EXPECT_EQ(S.plan().Objects.size(), 1u);
}

TEST(LaunchPlannerArray, AWalkFromAMemberThatIsNoArray) {
  // (&f.X)[i]: the pointers that lie there, but no references and no unions.
  LayoutItem Union = pointer(32, "f.U");
  Union.InUnion = true;
  Scene S(kernel(R"(
  %a = getelementptr ptr, ptr %f, i64 %i
  %p = load ptr, ptr %a
  store i32 0, ptr %p)"),
          closure(40, {pointer(0, "f.X"), pointer(8, "f.Y"), pointer(16, "f.Z"),
                       reference(24, "f.R", 4), Union}));
  EXPECT_EQ(carried(S.plan(), PointerNote::InCopy), "f.X f.Y f.Z");
  EXPECT_EQ(noted(S.plan(), PointerNote::Variable), "");
}

TEST(LaunchPlannerArray, ArraysInArrays) {
  // struct { struct { int *P, *Q; } A[2]; int *X; } B[2], of which A[].P is
  // used
  std::vector<LayoutItem> Layout;
  for (uint64_t B : {0, 40}) {
    for (uint64_t A : {0, 16}) {
      Layout.push_back(pointer(B + A, "f.P" + std::to_string(B + A)));
      Layout.push_back(pointer(B + A + 8, "f.Q" + std::to_string(B + A)));
    }
    Layout.push_back(pointer(B + 32, "f.X" + std::to_string(B)));
  }
  Scene S(kernel(R"(
  %j = load i64, ptr @j
  %a = getelementptr [2 x { [2 x { ptr, ptr }], ptr }], ptr %f, i64 0, i64 %i, i32 0, i64 %j
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)",
                 "@j = external global i64\n"),
          closure(80, Layout));
  EXPECT_EQ(carried(S.plan(), PointerNote::InCopy), "f.P0 f.P16 f.P40 f.P56");
}

//===----------------------------------------------------------------------===//
// Several uses of a word
//===----------------------------------------------------------------------===//

TEST(LaunchPlannerArray, AConstantAndAVariableIndex) {
  // f.A[0]->N and f.A[i]->P[0]: what lies behind A[0] has both uses.
  Scene S(kernel(R"(
  %a0 = load ptr, ptr %f
  %n = load i64, ptr %a0
  call void @use(i64 %n)
  %a = getelementptr [2 x ptr], ptr %f, i64 0, i64 %i
  %r = load ptr, ptr %a
  %m = getelementptr i8, ptr %r, i64 8
  %p = load ptr, ptr %m
  store double 0.0, ptr %p)",
                 UseDecl),
          closure(16, row(0, 2, "A")));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 16 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "    +8: dereferenced -> object 2\n"
                      "  object 1: record, bytes 0 to 16\n"
                      "    +8: dereferenced\n"
                      "  object 2: record, bytes 8 to 16\n"
                      "    +8: dereferenced\n");
}

TEST(LaunchPlannerArray, AConstantAndAVariableIndexOfATable) {
  // t[2] has a use of its own: the row goes on behind it.
  Scene S(kernel(R"(
  %t = load ptr, ptr %f
  %a2 = getelementptr i8, ptr %t, i64 16
  %p2 = load ptr, ptr %a2
  %q = load ptr, ptr %p2
  store double 0.0, ptr %q
  %a = getelementptr ptr, ptr %t, i64 %i
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
          closure(8, {pointer(0, "f.t")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: table\n"
                      "    +0 + i * 8 < 16: dereferenced\n"
                      "    +16: dereferenced -> object 2\n"
                      "    +24 + i * 8: dereferenced\n"
                      "  object 2: record, bytes 0 to 8\n"
                      "    +0: dereferenced\n");
}

TEST(LaunchPlannerArray, TwoWalksOverOneTable) {
  // t[2 * i] and t[3 * i] meet: one row.
  Scene S(kernel(R"(
  %t = load ptr, ptr %f
  %two = shl nsw i64 %i, 1
  %a = getelementptr ptr, ptr %t, i64 %two
  %p = load ptr, ptr %a
  store double 0.0, ptr %p
  %three = mul nsw i64 %i, 3
  %b = getelementptr ptr, ptr %t, i64 %three
  %q = load ptr, ptr %b
  store double 0.0, ptr %q)"),
          closure(8, {pointer(0, "f.t")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: table\n"
                      "    +0 + i * 8: dereferenced\n");
}

TEST(LaunchPlannerArray, ATableOfRecordsWithArrays) {
  // { struct { int *P; long N; } A[2]; long M; } *t: two rows, 40 bytes apart.
  Scene S(kernel(R"(
  %t = load ptr, ptr %f
  %j = load i64, ptr @j
  %a = getelementptr { [2 x { ptr, i64 }], i64 }, ptr %t, i64 %i, i32 0, i64 %j
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)",
                 "@j = external global i64\n"),
          closure(8, {pointer(0, "f.t")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: table\n"
                      "    +0 + i * 40: dereferenced\n"
                      "    +16 + i * 40: dereferenced\n");
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

TEST(LaunchPlannerArray, ChoicesOfRangesEndWhereTheyBegin) {
  // const Range &R = i ? f.B : f.A; A's end is as near to B's begin as B's own.
  Scene S(kernel(R"(
  %is = icmp eq i64 %i, 0
  %other = getelementptr i8, ptr %f, i64 16
  %b = select i1 %is, ptr %other, ptr %f
  %e = getelementptr i8, ptr %b, i64 8
)" + std::string(WalksARange)),
          closure(32, {pointer(0, "f.A.Begin"), pointer(8, "f.A.End"),
                       pointer(16, "f.B.Begin"), pointer(24, "f.B.End")}));
  PlannedLaunch P = S.plan();
  auto At = slots(P);
  ASSERT_EQ(At.size(), 4u);
  for (uint64_t Begin : {0, 16}) {
    ASSERT_GE(At[Begin + 8].EndOf, 0);
    EXPECT_EQ(P.Slots[At[Begin + 8].EndOf].Offset, Begin);
    // So that both are the same in an empty range.
    EXPECT_EQ(P.Slots[At[Begin].EndOf].Offset, Begin + 8);
  }
}

TEST(LaunchPlannerArray, ATableOfRanges) {
  Scene S(kernel(R"(
  %t = load ptr, ptr %f
  %b = getelementptr { ptr, ptr }, ptr %t, i64 %i
  %e = getelementptr i8, ptr %b, i64 8
)" + std::string(WalksARange)),
          closure(8, {pointer(0, "f.t")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: table\n"
                      "    +0 + i * 16: dereferenced of slot 1\n"
                      "    +8 + i * 16: end of slot 0\n");
}

TEST(LaunchPlannerArray, ATableOfRangesBehindANumber) {
  // struct { long N; Range R[]; }: the first end lies at 16, not at 0.
  Scene S(kernel(R"(
  %t = load ptr, ptr %f
  %b = getelementptr { i64, [0 x { ptr, ptr }] }, ptr %t, i64 0, i32 1, i64 %i
  %e = getelementptr i8, ptr %b, i64 8
)" + std::string(WalksARange)),
          closure(8, {pointer(0, "f.t")}));
  auto At = slots(S.plan(), 1);
  ASSERT_EQ(At.size(), 2u);
  EXPECT_EQ(At.begin()->first, 8u);
  EXPECT_EQ(At.rbegin()->first, 16u);
  EXPECT_GE(At[16].EndOf, 0);
}

TEST(LaunchPlannerArray, EndsOfOtherElementsAreNotPaired) {
  // f.R[0].Begin is compared with f.R[i].End: nothing says that it is its own.
  Scene S(
      kernel(R"(
  %b = getelementptr i8, ptr %f, i64 0
  %r = getelementptr [2 x { ptr, ptr }], ptr %f, i64 0, i64 %i
  %e = getelementptr i8, ptr %r, i64 8
)" + std::string(WalksARange)),
      closure(32, {pointer(0, "f.R[0].Begin"), pointer(8, "f.R[0].End"),
                   pointer(16, "f.R[1].Begin"), pointer(24, "f.R[1].End")}));
  PlannedLaunch P = S.plan();
  auto At = slots(P);
  ASSERT_EQ(At.size(), 3u);
  EXPECT_TRUE(At[0].Flags & PlanSlot::Dereferenced);
  EXPECT_EQ(P.Slots[At[8].EndOf].Offset, 0u);
  EXPECT_EQ(P.Slots[At[24].EndOf].Offset, 0u);
}

//===----------------------------------------------------------------------===//
// Long arrays
//===----------------------------------------------------------------------===//

TEST(LaunchPlannerArray, LongArraysAreOneSlot) {
  // struct { Range R[65536]; int *P; }
  constexpr uint64_t Count = 65536;
  std::vector<LayoutItem> Layout = row(0, Count, "Begin", 16) +
                                   row(8, Count, "End", 16) +
                                   std::vector{pointer(Count * 16, "f.P")};
  Scene S(kernel(R"(
  %b = getelementptr [65536 x { ptr, ptr }], ptr %f, i64 0, i64 %i
  %e = getelementptr i8, ptr %b, i64 8
)" + std::string(WalksARange)),
          closure(Count * 16 + 8, Layout));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 1048584 bytes, align 8\n"
                      "    +0 + i * 16 < 1048568: dereferenced of slot 1\n"
                      "    +8 + i * 16 < 1048576: end of slot 0\n");
  EXPECT_EQ(carried(S.plan(), PointerNote::InCopy),
            "f.Begin[0]... f.End[0]...");
}

TEST(LaunchPlannerArray, LongArraysWhoseUsesAreNotVisible) {
  Scene S(
      kernel("  call void @elsewhere(ptr %f)",
             "declare void @elsewhere(ptr)\n"),
      closure(8 * 1001, row(0, 1000, "A") + std::vector{pointer(8000, "f.P")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8008 bytes, align 8, written\n"
                      "    +0 + i * 8 < 8008: dereferenced end unseen\n");
}

TEST(LaunchPlannerArray, LongArraysThatAreNotUsed) {
  Scene S(kernel(R"(
  %r = load ptr, ptr %f
  %m = getelementptr i8, ptr %r, i64 8
  %p = load ptr, ptr %m
  store double 0.0, ptr %p
  store i64 0, ptr %r)"),
          closure(8, {reference(0, "f.r", 8016, row(8, 1001, "A"))}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: variable, 8016 bytes, align 8, written\n"
                      "    +8: dereferenced\n"
                      "    +16 + i * 8 < 8016: unused\n");
}

TEST(LaunchPlannerArray, ShortArraysTravelAsValues) {
  Scene S(kernel(R"(
  %a = getelementptr [128 x ptr], ptr %f, i64 0, i64 %i
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
          closure(1024, row(0, 128, "A")));
  EXPECT_TRUE(S.plan().Flags & LaunchPlan::Values);
  EXPECT_EQ(S.plan().Slots.size(), 128u);
}

//===----------------------------------------------------------------------===//
// Arrays in closures
//===----------------------------------------------------------------------===//

TEST(LaunchPlannerArray, ArrayOfPointers) {
  Scene S(kernel(R"(
  %a = getelementptr { i64, [3 x ptr] }, ptr %f, i64 0, i32 1, i64 %i
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
          closure(32, {pointer(8, "f.p[0]"), pointer(16, "f.p[1]"),
                       pointer(24, "f.p[2]")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 32 bytes, align 8\n"
                      "    +8: dereferenced\n"
                      "    +16: dereferenced\n"
                      "    +24: dereferenced\n");
}

TEST(LaunchPlannerArray, TheOtherOfTwoArraysIsLeft) {
  // { double *a[2], *b[2], *c[2]; }, of which b is indexed.
  Scene S(kernel(R"(
  %a = getelementptr { [2 x ptr], [2 x ptr], [2 x ptr] }, ptr %f, i64 0, i32 1, i64 %i
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
          closure(48, {pointer(0, "f.a[0]"), pointer(8, "f.a[1]"),
                       pointer(16, "f.b[0]"), pointer(24, "f.b[1]"),
                       pointer(32, "f.c[0]"), pointer(40, "f.c[1]")}));
  EXPECT_EQ(carried(S.plan(), PointerNote::InCopy), "f.b[0] f.b[1]");
}

TEST(LaunchPlannerArray, PointersBeforeAnArrayAreNotItsElements) {
  // { double *unused; long n; struct { double *p; long a, b; } rows[2]; }
  // Elements lie at 16 + 24 i; 0 is not one of them.
  Scene S(kernel(R"(
  %a = getelementptr { ptr, i64, [2 x { ptr, i64, i64 }] }, ptr %f, i64 0, i32 2, i64 %i
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
          closure(64, {pointer(0, "f.unused"), pointer(16, "f.rows[0].p"),
                       pointer(40, "f.rows[1].p")}));
  constexpr const char Rows[] = "  entry 0: object 0\n"
                                "  object 0: variable, 64 bytes, align 8\n"
                                "    +16: dereferenced\n"
                                "    +40: dereferenced\n";
  EXPECT_EQ(S.text(), Rows);

  // The same where the bounds of the array are not visible.
  Scene Decayed(kernel(R"(
  %rows = getelementptr i8, ptr %f, i64 16
  %a = getelementptr { ptr, i64, i64 }, ptr %rows, i64 %i
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
                S.Region.Captures[0]);
  EXPECT_EQ(Decayed.text(), Rows);
}

TEST(LaunchPlannerArray, AnElementThatIsAlsoUsedByItsNumber) {
  // p[0] is compared, p[i] is accessed: p[0] may be p[i].
  Scene S(kernel(R"(
  %first = load ptr, ptr %f
  %other = load ptr, ptr @other
  %c = icmp eq ptr %first, %other
  br i1 %c, label %done, label %body
body:
  %a = getelementptr [2 x ptr], ptr %f, i64 0, i64 %i
  %p = load ptr, ptr %a
  store double 0.0, ptr %p
  br label %done
done:)",
                 "@other = external global ptr\n"),
          closure(16, {pointer(0, "f.p[0]"), pointer(8, "f.p[1]")}));
  PlannedLaunch P = S.plan();
  ASSERT_EQ(P.Slots.size(), 2u);
  for (const PlanSlot &Slot : P.Slots)
    EXPECT_TRUE(Slot.Flags & PlanSlot::Dereferenced) << Slot.Offset;
}

TEST(LaunchPlannerArray, AnArrayThatTheLayoutDoesNotShow) {
  // Its bounds are all that is known: { long n; void *p[3]; double *q; }
  Scene S(kernel(R"(
  %a = getelementptr { i64, [3 x ptr], ptr }, ptr %f, i64 0, i32 1, i64 %i
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
          closure(40, {}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 40 bytes, align 8\n"
                      "    +8: dereferenced\n"
                      "    +16: dereferenced\n"
                      "    +24: dereferenced\n");
}
