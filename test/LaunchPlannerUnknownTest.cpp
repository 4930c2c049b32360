//===- LaunchPlannerUnknownTest.cpp - Plans where little is known ---------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that is not visible, regions that are not described, members that may be
// something else, and what happens to the entries of the launch.
//
//===----------------------------------------------------------------------===//

#include "LaunchPlannerTest.h"

using namespace llvm;
using namespace ferry;
using namespace ferry::test;

namespace {

constexpr const char HandsOn[] = "  call void @elsewhere(ptr %f)";
constexpr const char Elsewhere[] = "declare void @elsewhere(ptr)\n";

/// A closure of two pointers and a reference, of which the first is used.
Scene threeCaptures() {
  return Scene(kernel(writeThrough(0, "%p")),
               closure(24, {pointer(0, "f.a"), pointer(8, "f.b"),
                            reference(16, "f.r", 16, {pointer(8, "f.r.p")})}));
}

constexpr const char WholeLayout[] =
    "  entry 0: object 0\n"
    "  object 0: variable, 24 bytes, align 8, written\n"
    "    +0: dereferenced end unseen\n"
    "    +8: dereferenced end unseen\n"
    "    +16: dereferenced end unseen -> object 1\n"
    "  object 1: variable, 16 bytes, align 8, written\n"
    "    +8: dereferenced end unseen\n";

} // namespace

//===----------------------------------------------------------------------===//
// The whole layout
//===----------------------------------------------------------------------===//

TEST(LaunchPlannerUnknown, TheCodeIsVisible) {
  Scene S = threeCaptures();
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 24 bytes, align 8\n"
                      "    +0: dereferenced\n");
}

TEST(LaunchPlannerUnknown, TheCodeIsNotVisible) {
  Scene S = threeCaptures();
  S.Visible = false;
  S.Site.Kernel = nullptr;
  EXPECT_EQ(S.text(), WholeLayout);
  EXPECT_EQ(hints(S.plan()), "unknown-uses");
}

TEST(LaunchPlannerUnknown, TheClosureIsHandedOn) {
  Scene S(kernel(HandsOn, Elsewhere), threeCaptures().Region.Captures[0]);
  EXPECT_EQ(S.text(), WholeLayout);
  EXPECT_EQ(hints(S.plan()), "unknown-uses");
}

// What is seen counts besides.
TEST(LaunchPlannerUnknown, TheDeviceMayRunOtherCode) {
  Scene S = threeCaptures();
  S.Complete = false;
  std::string FirstIsSeen = WholeLayout;
  FirstIsSeen.erase(FirstIsSeen.find(" unseen"), sizeof(" unseen") - 1);
  EXPECT_EQ(S.text(), FirstIsSeen);
  EXPECT_EQ(hints(S.plan()), "unknown-uses");
}

TEST(LaunchPlannerUnknown, ConstObjectsAreNotWritten) {
  Scene S = threeCaptures();
  S.Visible = false;
  S.Region.Captures[0].Const = true;
  S.Region.Captures[0].Layout[2].Const = true;
  for (const PlanObject &O : S.plan().Objects)
    EXPECT_FALSE(O.Flags & PlanObject::Written);
}

TEST(LaunchPlannerUnknown, AClosureWithoutPointersNeedsNoCode) {
  Scene S(kernel(HandsOn, Elsewhere), closure(8, {}));
  EXPECT_TRUE(S.plan().empty());
  EXPECT_EQ(hints(S.plan()), "");
}

TEST(LaunchPlannerUnknown, APointerThatIsHandedOnMayBeAccessed) {
  // In a mapped object only what is accessed is attached.
  Scene S(kernel("  store i64 1, ptr %f\n"
                 "  %a = getelementptr i8, ptr %f, i64 8\n"
                 "  %p = load ptr, ptr %a\n"
                 "  call void @elsewhere(ptr %p)",
                 Elsewhere),
          closure(16, {pointer(8, "f.p")}), ToFrom);
  PlannedLaunch P = S.plan();
  ASSERT_EQ(P.Slots.size(), 1u);
  EXPECT_TRUE(P.Slots[0].Flags & PlanSlot::Dereferenced);
}

//===----------------------------------------------------------------------===//
// Unions
//===----------------------------------------------------------------------===//

namespace {

LayoutItem unionPointer() {
  LayoutItem I = pointer(0, "f.u.p");
  I.InUnion = true;
  return I;
}

} // namespace

TEST(LaunchPlannerUnknown, UnionMemberThatIsUsed) {
  Scene S(kernel(writeThrough(0, "%p")), closure(8, {unionPointer()}));
  EXPECT_EQ(S.plan().Slots.size(), 1u);
  EXPECT_EQ(left(S.plan()), "");
}

TEST(LaunchPlannerUnknown, UnionMemberThatIsReadAsANumber) {
  Scene S(kernel("  %n = load i64, ptr %f\n  call void @use(i64 %n)",
                 "declare void @use(i64)\n"),
          closure(8, {unionPointer()}));
  EXPECT_TRUE(S.plan().Slots.empty());
}

TEST(LaunchPlannerUnknown, UnionMemberThatMayBeUsed) {
  Scene S(kernel(HandsOn, Elsewhere),
          closure(16, {unionPointer(), pointer(8, "f.q")}));
  PlannedLaunch P = S.plan();
  ASSERT_EQ(P.Slots.size(), 1u);
  EXPECT_EQ(P.Slots[0].Offset, 8u);
  EXPECT_EQ(left(P), "f.u.p: union-member");
}

TEST(LaunchPlannerUnknown, UnionMemberThatIsUsedBeforeTheClosureIsHandedOn) {
  Scene S(kernel(writeThrough(0, "%p") + HandsOn, Elsewhere),
          closure(8, {unionPointer()}));
  EXPECT_EQ(S.plan().Slots.size(), 1u);
  EXPECT_EQ(left(S.plan()), "");
}

//===----------------------------------------------------------------------===//
// Function pointers and virtual bases
//===----------------------------------------------------------------------===//

namespace {

constexpr const char CallsMember[] = R"(
  %p = load ptr, ptr %f
  call void %p()
)";

} // namespace

TEST(LaunchPlannerUnknown, FunctionPointerThatIsCalled) {
  Scene S(kernel(CallsMember + writeThrough(8, "%q")),
          closure(16, {item(LayoutItem::Function, 0, "f.call"),
                       pointer(8, "f.q")}));
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 16 bytes, align 8\n"
                      "    +8: dereferenced\n");
  EXPECT_EQ(left(S.plan()), "f.call: function-pointer");
}

TEST(LaunchPlannerUnknown, FunctionPointerThatIsComparedAndCalled) {
  Scene S(kernel(R"(
  %p = load ptr, ptr %f
  %c = icmp eq ptr %p, null
  br i1 %c, label %done, label %body
body:
  call void %p()
  br label %done
done:)"),
          closure(8, {item(LayoutItem::Function, 0, "f.call")}));
  EXPECT_TRUE(S.plan().Slots.empty());
  EXPECT_EQ(left(S.plan()), "f.call: function-pointer");
}

TEST(LaunchPlannerUnknown, FunctionPointerThatIsNotUsed) {
  Scene S(kernel(writeThrough(8, "%q")),
          closure(16, {item(LayoutItem::Function, 0, "f.call"),
                       pointer(8, "f.q")}));
  EXPECT_EQ(S.plan().Slots.size(), 1u);
  EXPECT_EQ(left(S.plan()), "");
}

TEST(LaunchPlannerUnknown, FunctionPointerInTheWholeLayout) {
  Scene S(kernel(HandsOn, Elsewhere),
          closure(16, {item(LayoutItem::Function, 0, "f.call"),
                       pointer(8, "f.q")}));
  PlannedLaunch P = S.plan();
  ASSERT_EQ(P.Slots.size(), 1u);
  EXPECT_EQ(P.Slots[0].Offset, 8u);
}

TEST(LaunchPlannerUnknown, VirtualBaseInTheWholeLayout) {
  Scene S(kernel(HandsOn, Elsewhere),
          closure(24, {item(LayoutItem::VirtualBase, 0, "f.Base"),
                       pointer(8, "f.q")}));
  EXPECT_EQ(left(S.plan()), "f.Base: virtual-base");
  EXPECT_EQ(S.plan().Slots.size(), 1u);
}

TEST(LaunchPlannerUnknown, VirtualBaseThatIsUsed) {
  // The offset of the base comes from the table of virtual functions.
  Scene S(kernel(R"(
  %table = load ptr, ptr %f
  %o = getelementptr i8, ptr %table, i64 -24
  %offset = load i64, ptr %o
  %base = getelementptr i8, ptr %f, i64 %offset
  %p = load ptr, ptr %base
  store double 0.0, ptr %p
)"),
          closure(24, {item(LayoutItem::VirtualBase, 0, "f.Base")}));
  EXPECT_NE(left(S.plan()).find("f.Base: virtual-base"), std::string::npos)
      << left(S.plan());
}

TEST(LaunchPlannerUnknown, VirtualBaseThatIsNotUsed) {
  Scene S(kernel(writeThrough(8, "%q")),
          closure(24, {item(LayoutItem::VirtualBase, 0, "f.Base"),
                       pointer(8, "f.q")}));
  EXPECT_EQ(left(S.plan()), "");
  EXPECT_EQ(S.plan().Slots.size(), 1u);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

TEST(LaunchPlannerUnknown, UnifiedSharedMemory) {
  Scene S = threeCaptures();
  S.Region.UnifiedSharedMemory = true;
  std::variant<PlannedLaunch, Refusal> R = S.run();
  ASSERT_TRUE(std::holds_alternative<Refusal>(R));
  EXPECT_EQ(std::get<Refusal>(R), Refusal::UnifiedSharedMemory);
}

TEST(LaunchPlannerUnknown, NoAnnotation) {
  Scene S = threeCaptures();
  S.Annotated = false;
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 24 bytes, align 16\n"
                      "    +0: dereferenced\n");
  EXPECT_EQ(hints(S.plan()), "no-annotation");
  EXPECT_EQ(carried(S.plan(), PointerNote::InCopy), "argument 0+0");
}

TEST(LaunchPlannerUnknown, NoAnnotationAndPointerVariables) {
  Scene S(kernel(R"(
  %a = getelementptr ptr, ptr %f, i64 %i
  %row = load ptr, ptr %a
  store double 0.0, ptr %row)"),
          closure(8, {}), PointerEntry);
  S.Annotated = false;
  EXPECT_EQ(S.text(), "  entry 0: object 0 behind the pointer\n"
                      "  object 0: table\n"
                      "    +0 + i * 8: dereferenced\n");
}

TEST(LaunchPlannerUnknown, NoAnnotationAndNoCode) {
  // Clang's own entries for captured pointers are all that is left: they stay.
  Scene S = threeCaptures();
  S.addEntry(ferry::abi::withParent(
                 ferry::abi::MapLiteral | ferry::abi::MapPtrAndObj, 0),
             0);
  S.Annotated = S.Visible = false;
  PlannedLaunch P = S.plan();
  EXPECT_TRUE(P.empty() || P.Entries.size() == S.Site.Types.size());
}

TEST(LaunchPlannerUnknown, NoAnnotationAndTheClosureIsHandedOn) {
  Scene S(kernel(HandsOn, Elsewhere), closure(16, {pointer(0, "f.a")}));
  S.addEntry(ferry::abi::withParent(
                 ferry::abi::MapLiteral | ferry::abi::MapPtrAndObj, 0),
             0);
  S.Annotated = false;
  PlannedLaunch P = S.plan();
  EXPECT_TRUE(P.empty() || P.Entries.size() == S.Site.Types.size());
}

TEST(LaunchPlannerUnknown, NoAnnotationAndASizeThatIsNotKnown) {
  Scene S = threeCaptures();
  S.Annotated = false;
  S.Site.Sizes[0] = std::nullopt;
  EXPECT_TRUE(S.plan().empty());
}

TEST(LaunchPlannerUnknown, ArgumentsThatAreNotDescribed) {
  Scene S = threeCaptures();
  S.Region.Captures[0].Argument = 1;
  EXPECT_TRUE(S.plan().empty());
  S.Region.Captures[0].Argument = 7;
  EXPECT_TRUE(S.plan().empty());
}

TEST(LaunchPlannerUnknown, DescriptionsOfOtherCode) {
  // The annotation names an argument that the kernel takes by value.
  Scene S = threeCaptures();
  S.Region.Captures[0].Argument = 1;
  S.Site.Types[1] = ByValue;
  S.Visible = false;
  EXPECT_TRUE(S.plan().empty());
}

//===----------------------------------------------------------------------===//
// How objects travel, and what is said about it
//===----------------------------------------------------------------------===//

TEST(LaunchPlannerUnknown, MappedObjectsThatAreOnlyReadAreCopies) {
  Scene S(kernel(writeThrough(0, "%p")), closure(8, {pointer(0, "f.p")}),
          ToFrom);
  EXPECT_EQ(carried(S.plan(), PointerNote::InCopy | PointerNote::InMapped),
            "f.p");
}

TEST(LaunchPlannerUnknown, MappedObjectsThatAreWrittenKeepTheirPointers) {
  Scene S(kernel(writeThrough(0, "%p") + "  store i64 1, ptr %f\n"),
          closure(16, {pointer(0, "f.p")}), ToFrom);
  EXPECT_EQ(S.text(), "  entry 0: object 0\n"
                      "  object 0: variable, 16 bytes, align 8, written\n"
                      "    +0: dereferenced\n");
  EXPECT_EQ(carried(S.plan(), PointerNote::InCopy), "");
  EXPECT_EQ(carried(S.plan(), PointerNote::InMapped), "f.p");
}

TEST(LaunchPlannerUnknown, ConstantEntriesAreNotPlanned) {
  Scene S(kernel(writeThrough(0, "%p")), closure(8, {pointer(0, "f.p")}),
          ferry::abi::MapLiteral);
  EXPECT_TRUE(S.plan().empty());
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

TEST(LaunchPlannerUnknown, MembersThatClangAddsAreLeftOut) {
  Scene S = threeCaptures();
  S.addEntry(ferry::abi::withParent(
                 ferry::abi::MapLiteral | ferry::abi::MapPtrAndObj, 0),
             0);
  S.addEntry(ferry::abi::withParent(
                 ferry::abi::MapLiteral | ferry::abi::MapPtrAndObj, 0),
             0);
  PlannedLaunch P = S.plan();
  EXPECT_EQ(P.Entries, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(P.Roots[0].KeptAs, 0u);
  EXPECT_FALSE(P.Roots[0].Flags & PlanRoot::OwnMembers);
}

TEST(LaunchPlannerUnknown, OnePrivateArgumentIsSentDirectly) {
  // By an entry at the end that is a member of it and does nothing.
  Scene S(kernel(writeThrough(0, "%p")), closure(8, {pointer(0, "f.p")}));
  S.Site.EntryOfArgument.pop_back();
  S.Site.Types.pop_back();
  S.Site.Kernel = nullptr;
  S.Site.NoWait = false;
  PlannedLaunch P = S.plan();
  EXPECT_EQ(P.Entries, (std::vector<uint32_t>{0, 0}));
  ASSERT_EQ(P.Types.size(), 2u);
  EXPECT_EQ(P.Types[1], ferry::abi::withParent(ferry::abi::MapLiteral, 0));
  S.Site.NoWait = true;
  EXPECT_EQ(S.plan().Entries.size(), 1u);
  S.Site.NoWait = false;
  S.addEntry(ByValue, 8);
  EXPECT_EQ(S.plan().Entries.size(), 2u);
  EXPECT_EQ(S.plan().Entries[1], 1u);
}

TEST(LaunchPlannerUnknown, MembersOfOtherObjectsStay) {
  Scene S = threeCaptures();
  S.addEntry(ferry::abi::withParent(
                 ferry::abi::MapLiteral | ferry::abi::MapPtrAndObj, 1),
             0);
  EXPECT_EQ(S.plan().Entries, (std::vector<uint32_t>{0, 1, 2}));
}

TEST(LaunchPlannerUnknown, AClosureOfWhichNoPointerIsUsedNeedsNoMembers) {
  Scene S(kernel(""), closure(8, {pointer(0, "f.p")}));
  S.addEntry(ferry::abi::withParent(
                 ferry::abi::MapLiteral | ferry::abi::MapPtrAndObj, 0),
             0);
  PlannedLaunch P = S.plan();
  ASSERT_EQ(P.Roots.size(), 1u);
  EXPECT_TRUE(P.Slots.empty());
  EXPECT_EQ(P.Entries, (std::vector<uint32_t>{0, 1}));
}

TEST(LaunchPlannerUnknown, ParentsAreCountedAnew) {
  Scene S = threeCaptures();
  S.addEntry(ferry::abi::withParent(
                 ferry::abi::MapLiteral | ferry::abi::MapPtrAndObj, 0),
             0);
  S.addEntry(ferry::abi::MapTo, 32); // entry 3
  S.addEntry(
      ferry::abi::withParent(ferry::abi::MapTo | ferry::abi::MapPtrAndObj, 3),
      8); // its
  PlannedLaunch P = S.plan();
  EXPECT_EQ(P.Entries, (std::vector<uint32_t>{0, 1, 3, 4}));
  ASSERT_EQ(P.Types.size(), 4u);
  EXPECT_EQ(ferry::abi::parentOf(P.Types[3]), 2);
  EXPECT_EQ(P.Types[3] & 0xffff,
            uint64_t(ferry::abi::MapTo | ferry::abi::MapPtrAndObj));
}

TEST(LaunchPlannerUnknown, MembersThatTheProgramMapsAreSeen) {
  Scene S = threeCaptures();
  S.addEntry(
      ferry::abi::withParent(ferry::abi::MapTo | ferry::abi::MapPtrAndObj, 0),
      8);
  PlannedLaunch P = S.plan();
  EXPECT_TRUE(P.Roots[0].Flags & PlanRoot::OwnMembers);
  EXPECT_EQ(P.Entries.size(), 3u);
}

TEST(LaunchPlannerUnknown, AlwaysIsSeen) {
  Scene S = threeCaptures();
  EXPECT_FALSE(S.plan().Flags & LaunchPlan::Always);
  S.addEntry(ferry::abi::MapTo | ferry::abi::MapAlways, 8);
  EXPECT_TRUE(S.plan().Flags & LaunchPlan::Always);
}
