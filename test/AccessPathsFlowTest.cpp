//===- AccessPathsFlowTest.cpp - Pointers on their way through a kernel ---===//
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

constexpr const char Copy[] =
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n";

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TEST(AccessPathsFlow, PhisAndSelects) {
  EXPECT_EQ(paths(R"(
  %c = icmp eq i64 %i, 0
  %p = load ptr, ptr %f
  %a = getelementptr i8, ptr %f, i64 8
  %q = load ptr, ptr %a
  %s = select i1 %c, ptr %p, ptr %q
  store double 0.0, ptr %s
  br i1 %c, label %left, label %right
left:
  call void @other()
  br label %both
right:
  br label %both
both:
  %b = phi ptr [ %p, %left ], [ %q, %right ]
  %v = load double, ptr %b
  call void @use(double %v))",
                  "declare void @other()\ndeclare void @use(double)\n"),
            "read\n"
            "[+0] read, written\n"
            "[+8] read, written\n");
}

TEST(AccessPathsFlow, FreezeAndAddressSpaces) {
  EXPECT_EQ(paths(R"(
  %p = load ptr, ptr %f
  %q = freeze ptr %p
  %r = addrspacecast ptr %q to ptr addrspace(1)
  store double 0.0, ptr addrspace(1) %r)"),
            "read\n"
            "[+0] written\n");
}

TEST(AccessPathsFlow, IntegersThatBecomePointers) {
  EXPECT_EQ(paths(R"(
  %n = load i64, ptr %f
  %p = inttoptr i64 %n to ptr
  store double 0.0, ptr %p)"),
            "read\n"
            "[+0] written\n");
}

TEST(AccessPathsFlow, IntegersThatMayBePointers) {
  Analysed A(kernel(R"(
  %a = getelementptr i8, ptr %f, i64 16
  %n = load i64, ptr %a
  call void @use(i64 %n))",
                    "declare void @use(i64)\n"));
  EXPECT_TRUE(A.argument().Members.empty());
  ASSERT_EQ(A.argument().IntegerReads.size(), 1u);
  EXPECT_EQ(A.argument().IntegerReads[0].first, 16);
  EXPECT_EQ(A.argument().IntegerReads[0].second, 8u);
}

TEST(AccessPathsFlow, AggregatesAndVectorsThatMayHoldPointers) {
  Analysed A(kernel(R"(
  %v = load { ptr, i64 }, ptr %f
  call void @use({ ptr, i64 } %v)
  %a = getelementptr i8, ptr %f, i64 16
  %w = load <2 x ptr>, ptr %a
  call void @use.v(<2 x ptr> %w))",
                    "declare void @use({ ptr, i64 })\n"
                    "declare void @use.v(<2 x ptr>)\n"));
  auto Reads = A.argument().IntegerReads;
  llvm::sort(Reads);
  EXPECT_EQ(Reads, decltype(Reads)({{0, 16}, {16, 16}}));
}

TEST(AccessPathsFlow, SmallIntegersAndFloatsAreNoPointers) {
  Analysed A(kernel(R"(
  %n = load i32, ptr %f
  %d = load double, ptr %f
  call void @use(i32 %n, double %d))",
                    "declare void @use(i32, double)\n"));
  EXPECT_TRUE(A.argument().IntegerReads.empty());
}

TEST(AccessPathsFlow, IntegersAtUnknownPlaces) {
  Analysed A(kernel(R"(
  %a = getelementptr i64, ptr %f, i64 %i
  %n = load i64, ptr %a
  call void @use(i64 %n))",
                    "declare void @use(i64)\n"));
  ASSERT_EQ(A.argument().IntegerReads.size(), 1u);
  EXPECT_EQ(A.argument().IntegerReads[0].second, UINT64_MAX);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

TEST(AccessPathsFlow, ACopyOnTheStackIsAnAlias) {
  // Too irregular for SROA: the copy is indexed.
  EXPECT_EQ(paths(R"(
  %c = alloca [4 x ptr]
  call void @llvm.memcpy.p0.p0.i64(ptr %c, ptr %f, i64 32, i1 false)
  %a = getelementptr [4 x ptr], ptr %c, i64 0, i64 %i
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)",
                  Copy),
            "read\n"
            "[+0 + i * 8 (i < 4)] written\n");
}

TEST(AccessPathsFlow, ACopyOfAPart) {
  EXPECT_EQ(paths(R"(
  %c = alloca [6 x ptr]
  %d = getelementptr i8, ptr %c, i64 16
  %s = getelementptr i8, ptr %f, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 32, i1 false)
  call void @opaque(i64 %i)
  %a = getelementptr i8, ptr %c, i64 24
  %b = getelementptr [6 x ptr], ptr %c, i64 0, i64 %i
  store ptr null, ptr %b
  %p = load ptr, ptr %a
  store double 0.0, ptr %p)",
                  std::string(Copy) + "declare void @opaque(i64)\n"),
            "read, from 24\n"
            "[+32] written\n");
}

TEST(AccessPathsFlow, WritingToACopyIsNotWritingToTheObject) {
  Analysed A(kernel(R"(
  %c = alloca [4 x i64]
  call void @llvm.memcpy.p0.p0.i64(ptr %c, ptr %f, i64 32, i1 false)
  %a = getelementptr [4 x i64], ptr %c, i64 0, i64 %i
  store i64 1, ptr %a)",
                    Copy));
  EXPECT_FALSE(A.argument().Written);
  EXPECT_TRUE(A.argument().Read);
}

TEST(AccessPathsFlow, ACopyOutsideTheKernelEscapes) {
  EXPECT_EQ(paths(R"(
  call void @llvm.memcpy.p0.p0.i64(ptr @somewhere, ptr %f, i64 32, i1 false))",
                  std::string(Copy) + "@somewhere = global [32 x i8] "
                                      "zeroinitializer\n"),
            "read, escapes\n");
}

TEST(AccessPathsFlow, ByValueArguments) {
  EXPECT_EQ(paths(R"(
  call void @body(ptr byval({ ptr, ptr }) %f))",
                  R"(
define internal void @body(ptr byval({ ptr, ptr }) %g) {
  %a = getelementptr i8, ptr %g, i64 8
  %p = load ptr, ptr %a
  store double 0.0, ptr %p
  ret void
})"),
            "read, from 8\n"
            "[+8] written\n");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {

constexpr const char Body[] = R"(
define internal void @body(ptr %g) noinline optnone {
  %a = alloca ptr
  store ptr %g, ptr %a
  %h = load ptr, ptr %a
  %p = load ptr, ptr %h
  store double 0.0, ptr %p
  ret void
}
)";

constexpr const char Outlined[] = R"(
@loc = external constant i8
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare void @__kmpc_fork_teams(ptr, i32, ptr, ...)
declare void @__kmpc_fork_call_if(ptr, i32, ptr, i32, ptr)
define internal void @outlined(ptr noalias %gtid, ptr noalias %btid, ptr %g) noinline optnone {
  call void @body(ptr %g)
  ret void
}
define internal void @teams(ptr noalias %gtid, ptr noalias %btid, ptr %g) {
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @loc, i32 1, ptr @outlined, ptr %g)
  ret void
}
)";

constexpr const char WrittenMember[] = "read\n"
                                       "[+0] written\n";

} // namespace

TEST(AccessPathsFlow, CallsAreFollowedWhateverTheirAttributes) {
  EXPECT_EQ(paths("  call void @body(ptr %f) noinline", Body), WrittenMember);
}

TEST(AccessPathsFlow, ParallelRegions) {
  EXPECT_EQ(paths("  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr "
                  "@loc, i32 1, ptr @outlined, ptr %f)",
                  std::string(Outlined) + Body),
            WrittenMember);
}

TEST(AccessPathsFlow, ParallelRegionsWithAnIfClause) {
  EXPECT_EQ(paths("  call void @__kmpc_fork_call_if(ptr @loc, i32 1, ptr "
                  "@outlined, i32 1, ptr %f)",
                  std::string(Outlined) + Body),
            WrittenMember);
}

TEST(AccessPathsFlow, TeamsWithParallelRegionsInside) {
  EXPECT_EQ(paths("  call void (ptr, i32, ptr, ...) @__kmpc_fork_teams(ptr "
                  "@loc, i32 1, ptr @teams, ptr %f)",
                  std::string(Outlined) + Body),
            WrittenMember);
}

TEST(AccessPathsFlow, InvokedParallelRegions) {
  EXPECT_EQ(paths(R"(
  call void @inner(ptr %f))",
                  std::string(Outlined) + Body + R"(
declare i32 @__gxx_personality_v0(...)
define internal void @inner(ptr %g) personality ptr @__gxx_personality_v0 {
  invoke void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @loc, i32 1, ptr @outlined, ptr %g)
      to label %ok unwind label %bad
ok:
  ret void
bad:
  %l = landingpad { ptr, i32 } catch ptr null
  unreachable
})"),
            WrittenMember);
}

TEST(AccessPathsFlow, ForksOfAnUnknownFormEscape) {
  // One argument too few, a function that is not known, a function pointer.
  EXPECT_EQ(paths("  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr "
                  "@loc, i32 2, ptr @outlined, ptr %f, ptr %f)",
                  std::string(Outlined) + Body),
            "escapes\n");
  EXPECT_EQ(paths("  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr "
                  "@loc, i32 1, ptr @elsewhere, ptr %f)",
                  std::string(Outlined) + Body +
                      "declare void @elsewhere(ptr, ptr, ptr)\n"),
            "escapes\n");
  EXPECT_EQ(paths("  %g = load ptr, ptr @loc\n"
                  "  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr "
                  "@loc, i32 1, ptr %g, ptr %f)",
                  std::string(Outlined) + Body),
            "escapes\n");
}

TEST(AccessPathsFlow, ExternalCalleesEscape) {
  EXPECT_EQ(
      paths("  call void @elsewhere(ptr %f)", "declare void @elsewhere(ptr)\n"),
      "escapes\n");
  EXPECT_EQ(paths("  %p = load ptr, ptr %f\n"
                  "  call void @elsewhere(ptr %p)",
                  "declare void @elsewhere(ptr)\n"),
            "read\n[+0] escapes\n");
}

TEST(AccessPathsFlow, RecursionEscapes) {
  std::string Text = paths("  call void @again(ptr %f, i64 %i)", R"(
define internal void @again(ptr %g, i64 %n) {
  %p = load ptr, ptr %g
  store double 0.0, ptr %p
  %c = icmp eq i64 %n, 0
  br i1 %c, label %done, label %more
more:
  %m = add i64 %n, -1
  call void @again(ptr %g, i64 %m)
  br label %done
done:
  ret void
})");
  EXPECT_NE(Text.find("escapes"), std::string::npos) << Text;
}

TEST(AccessPathsFlow, MutualRecursionEscapes) {
  std::string Text = paths("  call void @ping(ptr %f)", R"(
define internal void @ping(ptr %g) {
  call void @pong(ptr %g)
  ret void
}
define internal void @pong(ptr %g) {
  call void @ping(ptr %g)
  ret void
})");
  EXPECT_NE(Text.find("escapes"), std::string::npos) << Text;
}

TEST(AccessPathsFlow, IndirectCallsEscape) {
  EXPECT_EQ(paths("  %g = load ptr, ptr @callback\n"
                  "  call void %g(ptr %f)",
                  "@callback = external global ptr\n"),
            "escapes\n");
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

TEST(AccessPathsFlow, LinkedList) {
  Analysed A(kernel(R"(
  %head = load ptr, ptr %f
  br label %loop
loop:
  %node = phi ptr [ %head, %0 ], [ %next, %loop ]
  store double 0.0, ptr %node
  %a = getelementptr i8, ptr %node, i64 8
  %next = load ptr, ptr %a
  %end = icmp eq ptr %next, null
  br i1 %end, label %done, label %loop
done:)"));
  EXPECT_TRUE(A.member(0).Cyclic);
  EXPECT_FALSE(A.argument().Cyclic);
}

TEST(AccessPathsFlow, LinkedListThatBeginsInTheClosure) {
  Analysed A(kernel(R"(
  br label %loop
loop:
  %node = phi ptr [ %f, %0 ], [ %next, %loop ]
  %next = load ptr, ptr %node
  %end = icmp eq ptr %next, null
  br i1 %end, label %done, label %loop
done:)"));
  EXPECT_TRUE(A.argument().Cyclic);
}

TEST(AccessPathsFlow, ABinaryTree) {
  Analysed A(kernel(R"(
  %root = load ptr, ptr %f
  br label %loop
loop:
  %node = phi ptr [ %root, %0 ], [ %child, %loop ]
  %v = load i64, ptr %node
  %c = icmp slt i64 %v, %i
  %left = getelementptr i8, ptr %node, i64 8
  %right = getelementptr i8, ptr %node, i64 16
  %where = select i1 %c, ptr %left, ptr %right
  %child = load ptr, ptr %where
  %end = icmp eq ptr %child, null
  br i1 %end, label %done, label %loop
done:)"));
  EXPECT_TRUE(A.member(0).Cyclic);
}

TEST(AccessPathsFlow, AChainOfConstantLengthIsNotCyclic) {
  Analysed A(kernel(R"(
  %a = load ptr, ptr %f
  %b = load ptr, ptr %a
  %c = load ptr, ptr %b
  store double 0.0, ptr %c)"));
  EXPECT_FALSE(A.member(0).Cyclic);
  EXPECT_TRUE(A.member(0).Members.at(0)->Members.at(0)->Written);
}

TEST(AccessPathsFlow, AVeryLongChainEscapes) {
  std::string Body = "  %p0 = load ptr, ptr %f\n";
  for (int I = 1; I < 40; ++I)
    Body += "  %p" + std::to_string(I) + " = load ptr, ptr %p" +
            std::to_string(I - 1) + "\n";
  Body += "  store double 0.0, ptr %p39";
  EXPECT_NE(paths(Body).find("escapes"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

TEST(AccessPathsFlow, EveryPointerParameter) {
  Analysed A(R"(
define void @K(ptr %f, i64 %i, ptr %g) {
  %p = load ptr, ptr %f
  store ptr %p, ptr %g
  ret void
})");
  EXPECT_TRUE(A.argument(0).Read);
  EXPECT_FALSE(A.argument(1).used());
  EXPECT_TRUE(A.argument(2).Written);
}

TEST(AccessPathsFlow, SeveralKernels) {
  LLVMContext C;
  auto M = parseIR(C, kernel("  store i64 0, ptr %f") +
                          "define void @L(ptr %f) {\n"
                          "  call void @K(ptr %f, i64 0)\n"
                          "  %p = load ptr, ptr %f\n"
                          "  store i64 0, ptr %p\n"
                          "  ret void\n}\n");
  auto Paths =
      AccessPaths::analyse(*M, {M->getFunction("K"), M->getFunction("L")});
  ASSERT_TRUE(Paths.find("K") && Paths.find("L"));
  EXPECT_EQ(Paths.find("M"), nullptr);
  EXPECT_TRUE((*Paths.find("K"))[0].Members.empty());
  EXPECT_EQ((*Paths.find("L"))[0].Members.size(), 1u);
}

TEST(AccessPathsFlow, NoKernels) {
  LLVMContext C;
  auto M = parseIR(C, kernel(""));
  EXPECT_EQ(AccessPaths::analyse(*M, {}).find("K"), nullptr);
}

TEST(AccessPathsFlow, TheModuleIsNotChanged) {
  LLVMContext C;
  auto M = parseIR(C, kernel("  call void (ptr, i32, ptr, ...) "
                             "@__kmpc_fork_teams(ptr @loc, i32 1, ptr @teams, "
                             "ptr %f)",
                             std::string(Outlined) + Body));
  auto Print = [&] {
    std::string Text;
    raw_string_ostream OS(Text);
    M->print(OS, nullptr);
    return Text;
  };
  std::string Before = Print();
  AccessPaths::analyse(*M, M->getFunction("K"));
  EXPECT_EQ(Before, Print());
}
