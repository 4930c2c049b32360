//===- ReadOrderTest.cpp - What a kernel may write before it reads --------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "closure/ReadOrder.h"
#include "AccessPathsTest.h"
#include "closure/RegionInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace ferry;
using namespace ferry::test;

namespace {

/// The names of the loads in `@K` with \p Body that may be changed, separated
/// by spaces.
std::string changeable(const std::string &Body, bool Independent = false) {
  LLVMContext Context;
  auto M = parseIR(
      Context, "define void @K(ptr %f, ptr %p, i1 %c) {\n" + Body +
                   "\n  ret void\n}\n"
                   "declare void @unknown()\n"
                   "declare double @__nv_modf(double, ptr)\n"
                   "declare void @__kmpc_barrier(ptr, i32)\n"
                   "declare void @__kmpc_critical(ptr, i32, ptr)\n"
                   "declare void @ferry.next_iteration()\n"
                   "!0 = !{!\"int\", !2}\n!1 = !{!\"double\", !2}\n"
                   "!2 = !{!\"omnipotent char\", !3}\n!3 = !{!\"C++ TBAA\"}\n"
                   "!4 = !{!0, !0, i64 0}\n!5 = !{!1, !1, i64 0}\n");
  Function &F = *M->getFunction("K");
  noteChangeableLoads(F, Independent);
  std::string Names;
  for (const Instruction &I : instructions(F))
    if (mayBeChanged(I))
      Names += (Names.empty() ? "" : " ") + I.getName().str();
  return Names;
}

constexpr char Loop[] = "  br label %loop\n"
                        "loop:\n"
                        "  %a = load double, ptr %f, !tbaa !5\n"
                        "  %n = load i32, ptr %f, !tbaa !4\n"
                        "  store double 1.0, ptr %p, !tbaa !5\n";

} // namespace

TEST(ReadOrder, ProgramOrder) {
  EXPECT_EQ(changeable("  %a = load i32, ptr %f\n"
                       "  store i32 1, ptr %p\n"
                       "  %b = load i32, ptr %f"),
            "b");
  EXPECT_EQ(changeable("  br i1 %c, label %then, label %else\n"
                       "then:\n  store i32 1, ptr %p\n  br label %end\n"
                       "else:\n  %a = load i32, ptr %f\n  br label %end\n"
                       "end:\n  %b = load i32, ptr %f"),
            "b");
}

TEST(ReadOrder, OtherTypesAreOtherMemory) {
  const std::string Store = "  store double 1.0, ptr %p, !tbaa !5\n";
  EXPECT_EQ(changeable(Store + "  %a = load i32, ptr %f, !tbaa !4\n"
                               "  %b = load double, ptr %f, !tbaa !5\n"
                               "  %c1 = load i32, ptr %f"),
            "b c1");
  EXPECT_EQ(changeable("  store double 1.0, ptr %p\n"
                       "  %a = load i32, ptr %f, !tbaa !4"),
            "a");
}

TEST(ReadOrder, OwnVariables) {
  EXPECT_EQ(changeable("  %s = call ptr @llvm.stacksave.p0()\n"
                       "  call void @llvm.stackrestore.p0(ptr %s)\n"
                       "  %a = load i32, ptr %f"),
            "");
  EXPECT_EQ(changeable("  %x = alloca i32\n  store i32 1, ptr %x\n"
                       "  call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 4, "
                       "i1 false)\n"
                       "  %m = call double @__nv_modf(double 1.0, ptr %x)\n"
                       "  %a = load i32, ptr %f"),
            "");
  EXPECT_EQ(changeable("  %m = call double @__nv_modf(double 1.0, ptr %p)\n"
                       "  %a = load i32, ptr %f"),
            "a");
}

TEST(ReadOrder, Loops) {
  const std::string End = "  br i1 %c, label %loop, label %end\nend:\n";
  EXPECT_EQ(changeable(Loop + End), "a");
  // Where iterations are not ordered, and are marked as such.
  const std::string Marked = "  call void @ferry.next_iteration()\n" + End;
  EXPECT_EQ(changeable(Loop + Marked, /*Independent=*/true), "");
  EXPECT_EQ(changeable(Loop + Marked, /*Independent=*/false), "a");
  EXPECT_EQ(changeable(Loop + End, /*Independent=*/true), "a");
  // In one iteration there is an order.
  EXPECT_EQ(
      changeable(Loop + std::string("  %b = load double, ptr %f, !tbaa !5\n") +
                     Marked,
                 /*Independent=*/true),
      "b");
}

TEST(ReadOrder, Synchronisation) {
  const std::string Read = "  %a = load i32, ptr %f, !tbaa !4\n";
  EXPECT_EQ(changeable("  call void @__kmpc_barrier(ptr null, i32 0)\n" + Read),
            "");
  for (const char *Order :
       {"  fence acquire\n", "  call void @unknown()\n",
        "  call void @__kmpc_critical(ptr null, i32 0, ptr null)\n",
        "  %x = load atomic i32, ptr %p acquire, align 4, !tbaa !5\n",
        "  %x = atomicrmw add ptr %p, i32 1 monotonic, !tbaa !5\n"})
    EXPECT_TRUE(StringRef(changeable(Order + Read)).ends_with("a")) << Order;
  // Reads that may see changes by themselves.
  EXPECT_EQ(changeable("  %v = load volatile i32, ptr %f\n"
                       "  %w = load atomic i32, ptr %f monotonic, align 4"),
            "v w");
}

namespace {

/// Whether what is read of the closure may be changed in a kernel as Clang
/// outlines it, with \p Body in the loop, where %x is a captured number and %q
/// an array.
bool changeableInClone(const std::string &Body, bool Independent) {
  LLVMContext Context;
  RegionInfo Region;
  Region.Independent = Independent;
  const std::string Name = "__omp_offloading_1_2_run_l2";
  auto M = parseIR(
      Context,
      "define weak void @" + Name +
          "(ptr %env, ptr %f) #0 {\n"
          "  call void @" +
          Name +
          ".omp_outlined(ptr %f)\n  ret void\n}\n"
          "define internal void @" +
          Name +
          ".omp_outlined(ptr %f) {\n"
          "entry:\n"
          "  %last = alloca i32\n  %lb = alloca i32\n  %ub = alloca i32\n"
          "  %step = alloca i32\n  %iv = alloca i32\n"
          "  store i32 0, ptr %lb\n  store i32 99, ptr %ub\n"
          "  call void @__kmpc_for_static_init_4(ptr null, i32 0, i32 34, "
          "ptr %last, ptr %lb, ptr %ub, ptr %step, i32 1, i32 1)\n"
          "  %first = load i32, ptr %lb\n  store i32 %first, ptr %iv\n"
          "  br label %cond\n"
          "cond:\n"
          "  %i = load i32, ptr %iv\n  %end = load i32, ptr %ub\n"
          "  %more = icmp sle i32 %i, %end\n"
          "  br i1 %more, label %body, label %exit\n"
          "body:\n" +
          Body +
          "  br label %inc\n"
          "inc:\n"
          "  %next = add i32 %i, 1\n  store i32 %next, ptr %iv\n"
          "  br label %cond\n"
          "exit:\n  ret void\n}\n"
          "declare void @__kmpc_for_static_init_4(ptr, i32, i32, ptr, ptr, "
          "ptr, "
          "ptr, i32, i32)\n"
          "attributes #0 = { \"llvm.assume\"=\"" +
          toAssumption(Region) +
          "\" }\n"
          "!llvm.module.flags = !{!0}\n"
          "!0 = !{i32 7, !\"openmp-device\", i32 51}\n");
  const Function *Kernel = M->getFunction(Name);
  AccessPaths Paths = AccessPaths::analyse(*M, Kernel);
  const PathNode &F = (*Paths.find(Name))[0];
  EXPECT_TRUE(F.Read);
  return F.Changeable;
}

constexpr char ReadsThenWrites[] =
    "  %q.a = getelementptr i8, ptr %f, i64 8\n  %q = load ptr, ptr %q.a\n"
    "  %x = load i32, ptr %f\n"
    "  %at = getelementptr i32, ptr %q, i32 %i\n  store i32 %x, ptr %at\n";

} // namespace

TEST(ReadOrder, WorkSharingLoops) {
  EXPECT_FALSE(changeableInClone(ReadsThenWrites, /*Independent=*/true));
  EXPECT_TRUE(changeableInClone(ReadsThenWrites, /*Independent=*/false));
  const std::string ReadsAgain = "  %y = load i32, ptr %f\n"
                                 "  store i32 %y, ptr %q\n";
  EXPECT_TRUE(
      changeableInClone(ReadsThenWrites + ReadsAgain, /*Independent=*/true));
}
