//===- LaunchPlannerTest.cpp - What a launch carries over -----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans of kernels whose code is all visible. LaunchPlannerUnknownTest.cpp has
// the others.
//
//===----------------------------------------------------------------------===//

#include "LaunchPlannerTest.h"

using namespace llvm;
using namespace ferry;
using namespace ferry::test;

//===----------------------------------------------------------------------===//
// Closures by value
//===----------------------------------------------------------------------===//

TEST(LaunchPlanner, PointerByValue) {
  Scene S(kernel(writeThrough(8, "%p")), closure(16, {pointer(8, "f.p")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 16 bytes, align 8\n"
                      "    +8: dereferenced\n");
  PlannedLaunch P = S.plan();
  EXPECT_EQ(P.RootArguments, std::vector<unsigned>{0});
  EXPECT_EQ(carried(P, PointerNote::InCopy), "f.p");
  EXPECT_EQ(noted(P, PointerNote::NeedsMap), "f.p");
  EXPECT_EQ(hints(P), "");
}

TEST(LaunchPlanner, SmallClosuresOfPlainPointersAreValues) {
  auto IsValue = [](uint64_t Size, const std::string &Body,
                    std::vector<LayoutItem> Layout, uint64_t Type = ByValue,
                    uint64_t Align = 8) {
    ferry::CaptureInfo C = closure(Size, std::move(Layout));
    C.Align = Align;
    uint32_t Flags = Scene(kernel(Body), C, Type).plan().Flags;
    return (Flags & LaunchPlan::Values) != 0;
  };
  std::string UsesP = writeThrough(0, "%p");
  EXPECT_TRUE(IsValue(8, UsesP, {pointer(0, "f.p")}));
  EXPECT_TRUE(IsValue(1024, UsesP, {pointer(0, "f.p")}));
  EXPECT_FALSE(IsValue(1032, UsesP, {pointer(0, "f.p")}));
  EXPECT_FALSE(IsValue(64, UsesP, {pointer(0, "f.p")}, ByValue, 64));
  EXPECT_FALSE(IsValue(8, UsesP, {pointer(0, "f.p")}, ToFrom));
  EXPECT_FALSE(IsValue(8, UsesP, {reference(0, "f.r", 8)}));
  EXPECT_FALSE(IsValue(8,
                       "  %p = load ptr, ptr %f\n"
                       "  %q = load ptr, ptr %p\n"
                       "  store double 0.0, ptr %q",
                       {pointer(0, "f.p")}));
}

TEST(LaunchPlanner, OnlyPointersThatAreUsed) {
  Scene S(
      kernel(writeThrough(16, "%p")),
      closure(24, {pointer(0, "f.a"), pointer(8, "f.b"), pointer(16, "f.c")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 24 bytes, align 8\n"
                      "    +16: dereferenced\n");
}

TEST(LaunchPlanner, FourOfAHundredAndFiftyPointers) {
  std::vector<LayoutItem> Inner;
  for (uint64_t I = 0; I < 150; ++I)
    Inner.push_back(pointer(8 * I, "f.domain.p" + std::to_string(I)));
  std::string Body = "  %d = load ptr, ptr %f\n";
  for (uint64_t I : {3, 40, 41, 149}) {
    std::string P = "%p" + std::to_string(I);
    Body += "  " + P + ".a = getelementptr i8, ptr %d, i64 " +
            std::to_string(8 * I) + "\n  " + P + " = load ptr, ptr " + P +
            ".a\n  store double 0.0, ptr " + P + "\n";
  }
  Scene S(kernel(Body),
          closure(8, {reference(0, "f.domain", 1200, std::move(Inner))}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: variable, 1200 bytes, align 8\n"
                      "    +24: dereferenced\n"
                      "    +320: dereferenced\n"
                      "    +328: dereferenced\n"
                      "    +1192: dereferenced\n");
  EXPECT_EQ(carried(S.plan(), PointerNote::InCopy | PointerNote::InMapped),
            "f.domain.p3 f.domain.p40 f.domain.p41 f.domain.p149");
}

// OpenMP 5.2, section 5.8.6: those of a lambda, but not of what it captures.
TEST(LaunchPlanner, ALambdasOwnPointersAreCarriedUnused) {
  Scene S(kernel(writeThrough(16, "%p")),
          closure(24, {pointer(0, "f.a"), pointer(8, "f.view.data"),
                       pointer(16, "f.c")}));
  S.Region.Captures[0].IsLambda = true;
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 24 bytes, align 8\n"
                      "    +0: dereferenced end unseen\n"
                      "    +16: dereferenced\n");
}

TEST(LaunchPlanner, NothingIsUsed) {
  Scene S(kernel(""), closure(16, {pointer(0, "f.p")}));
  PlannedLaunch P = S.plan();
  EXPECT_TRUE(P.empty());
  EXPECT_TRUE(P.Objects.empty());
}

TEST(LaunchPlanner, SomethingThatIsNotInTheLayout) {
  // A pointer behind a cast: the paths are enough.
  Scene S(kernel(writeThrough(8, "%p")), closure(16, {}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 16 bytes, align 8\n"
                      "    +8: dereferenced\n");
  EXPECT_EQ(carried(S.plan(), PointerNote::InCopy), "f+8");
}

TEST(LaunchPlanner, ReadsOutsideTheObjectAreNotItsPointers) {
  Scene S(kernel(writeThrough(0, "%p") + writeThrough(12, "%q")),
          closure(16, {pointer(0, "f.p")}));
  PlannedLaunch P = S.plan();
  ASSERT_EQ(P.Slots.size(), 1u);
  EXPECT_EQ(P.Slots[0].Offset, 0u);
}

TEST(LaunchPlanner, PointersReadAsIntegers) {
  Scene S(
      kernel(R"(
  %n = load i128, ptr %f
  call void @use(i128 %n))",
             "declare void @use(i128)\n"),
      closure(24, {pointer(0, "f.a"), pointer(8, "f.b"), pointer(16, "f.c")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 24 bytes, align 8\n"
                      "    +0: dereferenced end unseen\n"
                      "    +8: dereferenced end unseen\n");
}

TEST(LaunchPlanner, AccessesThatLieOffThePointer) {
  Scene S(kernel(R"(
  %p = load ptr, ptr %f
  %a = getelementptr i8, ptr %p, i64 8000
  store double 0.0, ptr %a)"),
          closure(8, {pointer(0, "f.p")}));
  EXPECT_EQ(S.plan().Slots[0].Shift, 8000);
}

//===----------------------------------------------------------------------===//
// References and this
//===----------------------------------------------------------------------===//

namespace {

constexpr const char WritesBehind[] = R"(
  %r = load ptr, ptr %f
  store i64 1, ptr %r)";
constexpr const char ReadsBehind[] = R"(
  %r = load ptr, ptr %f
  %v = load i64, ptr %r
  call void @use(i64 %v))";
constexpr const char UseDecl[] = "declare void @use(i64)\n";

} // namespace

TEST(LaunchPlanner, ReferenceThatIsWritten) {
  Scene S(kernel(WritesBehind), closure(8, {reference(0, "f.r", 8)}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: variable, 8 bytes, align 8, written\n");
  EXPECT_EQ(noted(S.plan(), PointerNote::Variable), "f.r");
  EXPECT_EQ(noted(S.plan(), PointerNote::NeedsMap), "");
}

TEST(LaunchPlanner, ReferenceThatIsOnlyRead) {
  Scene S(kernel(ReadsBehind, UseDecl), closure(8, {reference(0, "f.r", 8)}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: variable, 8 bytes, align 8\n");
}

TEST(LaunchPlanner, UnusedPointersInWhatIsWritten) {
  // Listed, for libomptarget changes them when it ends a mapping. Functions are
  // never attached.
  LayoutItem Function = pointer(24, "f.r.call");
  Function.Kind = LayoutItem::Function;
  std::vector<LayoutItem> Inner = {pointer(8, "f.r.p"), pointer(16, "f.r.q"),
                                   Function};
  Scene S(kernel(WritesBehind), closure(8, {reference(0, "f.r", 32, Inner)}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: variable, 32 bytes, align 8, written\n"
                      "    +8: unused\n"
                      "    +16: unused\n");
  EXPECT_EQ(carried(S.plan(), PointerNote::InMapped), "");
}

TEST(LaunchPlanner, UnusedPointersInWhatIsOnlyRead) {
  Scene S(kernel(ReadsBehind, UseDecl),
          closure(8, {reference(0, "f.r", 16, {pointer(8, "f.r.p")})}));
  EXPECT_EQ(S.plan().Objects[1].NumSlots, 0u);
}

TEST(LaunchPlanner, ReferenceToConst) {
  // Whatever the code looks like, a const object is not written.
  LayoutItem R = reference(0, "f.r", 8);
  R.Const = true;
  Scene S(kernel(WritesBehind), closure(8, {R}));
  EXPECT_EQ(S.plan().Objects[1].Flags, uint32_t(PlanObject::Variable));
}

TEST(LaunchPlanner, ReferenceThatIsHandedOn) {
  Scene S(kernel(R"(
  %r = load ptr, ptr %f
  call void @elsewhere(ptr %r))",
                 "declare void @elsewhere(ptr)\n"),
          closure(8, {reference(0, "f.r", 16, {pointer(8, "f.r.p")})}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: end -> object 1\n"
                      "  object 1: variable, 16 bytes, align 8, written\n"
                      "    +8: dereferenced end unseen\n");
}

TEST(LaunchPlanner, This) {
  LayoutItem This = reference(
      0, "f.this", 24, {pointer(0, "f.this->a"), pointer(16, "f.this->b")});
  This.Kind = LayoutItem::This;
  Scene S(kernel(R"(
  %this = load ptr, ptr %f
  %a = getelementptr i8, ptr %this, i64 16
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
          closure(8, {This}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: variable, 24 bytes, align 8\n"
                      "    +16: dereferenced\n");
  EXPECT_EQ(noted(S.plan(), PointerNote::NeedsMap), "f.this->b");
}

TEST(LaunchPlanner, RecursiveTypesAreDescribedByTheirUses) {
  LayoutItem R = reference(0, "f.r", 16);
  R.Recursive = true;
  Scene S(kernel(R"(
  %r = load ptr, ptr %f
  %a = getelementptr i8, ptr %r, i64 8
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
          closure(8, {R}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: variable, 16 bytes, align 8\n"
                      "    +8: dereferenced\n");
}

//===----------------------------------------------------------------------===//
// Objects behind pointers
//===----------------------------------------------------------------------===//

TEST(LaunchPlanner, RecordBehindAPointer) {
  Scene S(kernel(R"(
  %r = load ptr, ptr %f
  %a = getelementptr i8, ptr %r, i64 8
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)"),
          closure(8, {pointer(0, "f.r")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: record, bytes 8 to 16\n"
                      "    +8: dereferenced\n");
}

TEST(LaunchPlanner, TableOfPointers) {
  Scene S(kernel(R"(
  %t = load ptr, ptr %f
  %a = getelementptr ptr, ptr %t, i64 %i
  %row = load ptr, ptr %a
  store double 0.0, ptr %row)"),
          closure(8, {pointer(0, "f.rows")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: table\n"
                      "    +0 + i * 8: dereferenced\n");
}

TEST(LaunchPlanner, RecordThatEndsInATable) {
  // { long n; double *rows[]; }: the bytes at known places are not all of it.
  Scene S(kernel(R"(
  %r = load ptr, ptr %f
  %n = load i64, ptr %r
  %rows = getelementptr i8, ptr %r, i64 8
  %a = getelementptr ptr, ptr %rows, i64 %n
  %row = load ptr, ptr %a
  store double 0.0, ptr %row)"),
          closure(8, {pointer(0, "f.r")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: dereferenced -> object 1\n"
                      "  object 1: table\n"
                      "    +0 + i * 8: dereferenced\n");
}

TEST(LaunchPlanner, PointerVariableWithPointersBehindIt) {
  ferry::CaptureInfo C;
  C.Name = "rows";
  C.IsPointer = true;
  C.Size = 8;
  C.Align = 8;
  Scene S(kernel(R"(
  %a = getelementptr ptr, ptr %f, i64 %i
  %row = load ptr, ptr %a
  store double 0.0, ptr %row)"),
          C, PointerEntry);
  EXPECT_EQ(S.text(), "  entry 0: object 0 behind the pointer\n"
                      "  object 0: table\n"
                      "    +0 + i * 8: dereferenced\n");
  EXPECT_EQ(carried(S.plan(), PointerNote::InMapped), "rows+0...");
}

TEST(LaunchPlanner, PointerVariableToPlainData) {
  ferry::CaptureInfo C;
  C.Name = "data";
  C.IsPointer = true;
  C.Size = 8;
  Scene S(kernel("  store double 0.0, ptr %f"), C, PointerEntry);
  EXPECT_TRUE(S.plan().empty());
}

namespace {

constexpr const char WalksAList[] = R"(
  br label %loop
loop:
  %node = phi ptr [ %HEAD, %0 ], [ %next, %loop ]
  store double 0.0, ptr %node
  %a = getelementptr i8, ptr %node, i64 8
  %next = load ptr, ptr %a
  %end = icmp eq ptr %next, null
  br i1 %end, label %done, label %loop
done:)";

std::string walkFrom(const std::string &Head) {
  std::string Text = WalksAList;
  return Text.replace(Text.find("%HEAD"), 5, Head);
}

} // namespace

TEST(LaunchPlanner, LinkedList) {
  Scene S(kernel("  %head = load ptr, ptr %f" + walkFrom("%head")),
          closure(8, {pointer(0, "f.head")}));
  EXPECT_EQ(left(S.plan()), "f.head: linked-structure");
  EXPECT_EQ(S.plan().Objects.size(), 1u);
}

TEST(LaunchPlanner, LinkedListBehindAPointerVariable) {
  ferry::CaptureInfo C;
  C.Name = "head";
  C.IsPointer = true;
  C.Size = 8;
  Scene S(kernel(walkFrom("%f")), C, PointerEntry);
  EXPECT_EQ(left(S.plan()), "head: linked-structure");
  EXPECT_TRUE(S.plan().empty());
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

namespace {

/// Walks from the pointer at +0 to the one at +8.
constexpr const char WalksARange[] = R"(
  %begin = load ptr, ptr %f
  %e = getelementptr i8, ptr %f, i64 8
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

} // namespace

TEST(LaunchPlanner, EndOfARange) {
  Scene S(kernel(WalksARange),
          closure(16, {pointer(0, "f.begin"), pointer(8, "f.end")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 16 bytes, align 8\n"
                      "    +0: dereferenced of slot 1\n"
                      "    +8: end of slot 0\n");
  // Only what is accessed has to be there.
  EXPECT_EQ(noted(S.plan(), PointerNote::NeedsMap), "f.begin");
}

TEST(LaunchPlanner, LengthOfARange) {
  Scene S(kernel(R"(
  %begin = load ptr, ptr %f
  %e = getelementptr i8, ptr %f, i64 8
  %end = load ptr, ptr %e
  %m = ptrtoint ptr %begin to i64
  %n = ptrtoint ptr %end to i64
  %d = sub i64 %n, %m
  store i64 %d, ptr %begin)"),
          closure(16, {pointer(0, "f.begin"), pointer(8, "f.end")}));
  EXPECT_EQ(S.plan().Slots[1].EndOf, 0);
}

TEST(LaunchPlanner, EndsThatAreOnlySubtracted) {
  // Only their distance counts, which is the same for the host's pointers.
  Scene S(kernel(R"(
  %begin = load ptr, ptr %f
  %e = getelementptr i8, ptr %f, i64 8
  %end = load ptr, ptr %e
  %m = ptrtoint ptr %begin to i64
  %n = ptrtoint ptr %end to i64
  %d = sub i64 %n, %m
  call void @use(i64 %d)
)" + writeThrough(16, "%q"),
                 UseDecl),
          closure(24, {pointer(0, "f.begin"), pointer(8, "f.end"),
                       pointer(16, "f.q")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 24 bytes, align 8\n"
                      "    +16: dereferenced\n");
}

TEST(LaunchPlanner, APointerThatIsComparedWithSomethingElse) {
  // Where it is on the device counts, and where the other one is not known.
  Scene S(kernel(R"(
  %p = load ptr, ptr %f
  %other = load ptr, ptr @other
  %c = icmp eq ptr %p, %other
  %v = zext i1 %c to i64
  call void @use(i64 %v))",
                 std::string(UseDecl) + "@other = external global ptr\n"),
          closure(8, {pointer(0, "f.p")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 8 bytes, align 8\n"
                      "    +0: end\n");
}

TEST(LaunchPlanner, APointerThatIsComparedWithNullOnly) {
  // Null stays null, and nothing else becomes null.
  Scene S(kernel(R"(
  %p = load ptr, ptr %f
  %c = icmp eq ptr %p, null
  %v = zext i1 %c to i64
  call void @use(i64 %v)
)" + writeThrough(8, "%q"),
                 UseDecl),
          closure(16, {pointer(0, "f.p"), pointer(8, "f.q")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 16 bytes, align 8\n"
                      "    +8: dereferenced\n");
}

TEST(LaunchPlanner, RangesInAnArrayEndWhereTheyBegin) {
  // struct Range { double *Begin, *End; } ranges[2]
  Scene S(
      kernel(R"(
  %r = getelementptr { ptr, ptr }, ptr %f, i64 %i
  %begin = load ptr, ptr %r
  %e = getelementptr i8, ptr %r, i64 8
  %end = load ptr, ptr %e
  %c = icmp eq ptr %begin, %end
  br i1 %c, label %done, label %body
body:
  store double 0.0, ptr %begin
  br label %done
done:)"),
      closure(32, {pointer(0, "f.r[0].Begin"), pointer(8, "f.r[0].End"),
                   pointer(16, "f.r[1].Begin"), pointer(24, "f.r[1].End")}));
  PlannedLaunch P = S.plan();
  ASSERT_EQ(P.Slots.size(), 4u);
  std::map<uint64_t, const PlanSlot *> At;
  for (const PlanSlot &Slot : P.Slots)
    At[Slot.Offset] = &Slot;
  for (uint64_t Begin : {0, 16}) {
    ASSERT_GE(At.at(Begin + 8)->EndOf, 0);
    EXPECT_EQ(P.Slots[At.at(Begin + 8)->EndOf].Offset, Begin);
  }
}
