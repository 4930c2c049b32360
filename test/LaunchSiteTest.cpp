//===- LaunchSiteTest.cpp - Reading a launch from the IR ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One launch as Clang emits it, read as it is and after damage by hand.
//
//===----------------------------------------------------------------------===//

#include "closure/LaunchSite.h"
#include "ParseIR.h"
#include "ferry/OffloadABI.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace ferry;
using ferry::test::parseIR;

namespace {

constexpr StringLiteral Launch = R"(
%args = type { i32, i32, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64, [3 x i32], [3 x i32], i32 }
@ident = private constant i8 0
@.__omp_offloading_1_2_f_l3.region_id = weak constant i8 0
@sizes = private unnamed_addr constant [3 x i64] [i64 16, i64 0, i64 8]
@types = private unnamed_addr constant [3 x i64] [i64 673, i64 281474976711440, i64 800]
declare i32 @__tgt_target_kernel(ptr, i64, i32, i32, ptr, ptr)
declare i32 @__gxx_personality_v0(...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @f(ptr %closure, ptr %data, i64 %n) personality ptr @__gxx_personality_v0 {
  %block = alloca %args
  %arrays = alloca [6 x ptr]
  %copy = alloca [3 x i64]
  %version = getelementptr %args, ptr %block, i32 0, i32 0
  store i32 3, ptr %version
  %num = getelementptr %args, ptr %block, i32 0, i32 1
  store i32 3, ptr %num
  %bases = getelementptr %args, ptr %block, i32 0, i32 2
  store ptr %arrays, ptr %bases
  %sizes = getelementptr %args, ptr %block, i32 0, i32 4
  store ptr @sizes, ptr %sizes
  %types = getelementptr %args, ptr %block, i32 0, i32 5
  store ptr @types, ptr %types
  %rc = call i32 @__tgt_target_kernel(ptr @ident, i64 -1, i32 0, i32 0, ptr @.__omp_offloading_1_2_f_l3.region_id, ptr %block)
  %failed = icmp ne i32 %rc, 0
  br i1 %failed, label %host, label %done
host:
  call void @__omp_offloading_1_2_f_l3(ptr %closure, i64 %n)
  br label %done
done:
  ret void
}

define internal void @__omp_offloading_1_2_f_l3(ptr %f, i64 %n) {
  ret void
}
)";

/// The launch, with every occurrence of \p From replaced by \p To.
struct Damaged {
  LLVMContext Context;
  std::unique_ptr<Module> M;
  std::variant<LaunchSite, Refusal> Result = Refusal::InvokedLaunch;

  Damaged(ArrayRef<std::pair<StringRef, StringRef>> Changes) {
    std::string Text = Launch.str();
    for (auto [From, To] : Changes) {
      size_t At = Text.find(From);
      EXPECT_NE(At, std::string::npos) << From.str();
      for (; At != std::string::npos; At = Text.find(From, At + To.size()))
        Text.replace(At, From.size(), To);
    }
    M = parseIR(Context, Text);
    SmallVector<CallBase *> Launches = findLaunches(*M);
    EXPECT_EQ(Launches.size(), 1u);
    if (!Launches.empty())
      Result = readLaunch(*Launches[0]);
  }
  Damaged() : Damaged(ArrayRef<std::pair<StringRef, StringRef>>()) {}
  Damaged(StringRef From, StringRef To)
      : Damaged(ArrayRef(std::pair(From, To))) {}

  /// The name of the refusal, or "accepted".
  std::string outcome() const {
    const auto *R = std::get_if<Refusal>(&Result);
    return R ? refusalName(*R).str() : "accepted";
  }

  const LaunchSite &site() const { return std::get<LaunchSite>(Result); }
};

/// The outcome after one change.
std::string with(StringRef From, StringRef To) {
  return Damaged(From, To).outcome();
}

std::vector<int64_t> sizes(const LaunchSite &S) {
  std::vector<int64_t> Result;
  for (std::optional<uint64_t> Size : S.Sizes)
    Result.push_back(Size ? static_cast<int64_t>(*Size) : -1);
  return Result;
}

constexpr StringLiteral Fallback =
    "call void @__omp_offloading_1_2_f_l3(ptr %closure, i64 %n)";
constexpr StringLiteral Call = "%rc = call i32 @__tgt_target_kernel(ptr "
                               "@ident, i64 -1, i32 0, i32 0, ptr "
                               "@.__omp_offloading_1_2_f_l3.region_id, ptr "
                               "%block)";
constexpr StringLiteral TypesStore = "store ptr @types, ptr %types";
constexpr StringLiteral SizesStore = "store ptr @sizes, ptr %sizes";

} // namespace

//===----------------------------------------------------------------------===//
// Well-formed launches
//===----------------------------------------------------------------------===//

TEST(LaunchSite, EveryField) {
  Damaged D;
  ASSERT_EQ(D.outcome(), "accepted");
  const LaunchSite &S = D.site();
  EXPECT_EQ(S.KernelName, "__omp_offloading_1_2_f_l3");
  EXPECT_EQ(S.Kernel, D.M->getFunction("__omp_offloading_1_2_f_l3"));
  EXPECT_EQ(S.Call, findLaunches(*D.M)[0]);
  EXPECT_EQ(S.Types, (SmallVector<uint64_t>{0x2a1, 0x1000000000310, 0x320}));
  EXPECT_EQ(sizes(S), (std::vector<int64_t>{16, 0, 8}));
  EXPECT_EQ(S.EntryOfArgument, (SmallVector<unsigned>{0, 2}));
  ASSERT_EQ(S.FallbackArguments.size(), 2u);
  EXPECT_EQ(S.FallbackArguments[0], D.M->getFunction("f")->getArg(0));
  EXPECT_EQ(S.FallbackArguments[1], nullptr);
}

TEST(LaunchSite, AsynchronousLaunches) {
  // Unless it is known to wait, a launch is taken to be asynchronous.
  EXPECT_TRUE(Damaged().site().NoWait);
  auto WithFlags = [](StringRef Value) {
    return Damaged(SizesStore,
                   (SizesStore +
                    "\n  %flags = getelementptr %args, ptr %block, i32 0, i32 "
                    "9\n  store i64 " +
                    Value + ", ptr %flags")
                       .str())
        .site()
        .NoWait;
  };
  EXPECT_FALSE(WithFlags("0"));
  EXPECT_TRUE(WithFlags("1"));
  EXPECT_FALSE(WithFlags("2"));
  EXPECT_TRUE(WithFlags("%n"));
}

TEST(LaunchSite, NoEntries) {
  Damaged D({{"store i32 3, ptr %num", "store i32 0, ptr %num"},
             {TypesStore, "store ptr null, ptr %types"},
             {SizesStore, "store ptr null, ptr %sizes"}});
  ASSERT_EQ(D.outcome(), "accepted");
  EXPECT_TRUE(D.site().Types.empty());
  EXPECT_TRUE(D.site().EntryOfArgument.empty());
}

TEST(LaunchSite, WithoutAHostVersion) {
  // -fopenmp-offload-mandatory
  Damaged D(Fallback, "");
  EXPECT_EQ(D.outcome(), "accepted");
  EXPECT_EQ(D.site().FallbackArguments[0], nullptr);
  Damaged E({{Fallback, ""},
             {"define internal void @__omp_offloading_1_2_f_l3(ptr %f, i64 "
              "%n) {\n  ret void\n}",
              "declare void @__omp_offloading_1_2_f_l3(ptr, i64)"}});
  ASSERT_EQ(E.outcome(), "accepted");
  EXPECT_EQ(E.site().Kernel, nullptr);
  EXPECT_EQ(E.site().EntryOfArgument.size(), 2u);
}

TEST(LaunchSite, SizesThatAreKnownAtRunTimeOnly) {
  Damaged D(SizesStore,
            "call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr @sizes, i64 24, "
            "i1 false)\n"
            "  %third = getelementptr [3 x i64], ptr %copy, i32 0, i32 2\n"
            "  store i64 %n, ptr %third\n"
            "  store ptr %copy, ptr %sizes");
  ASSERT_EQ(D.outcome(), "accepted");
  EXPECT_EQ(sizes(D.site()), (std::vector<int64_t>{16, 0, -1}));
}

TEST(LaunchSite, SizesThatAreNotKnownAtAll) {
  Damaged D(SizesStore, "store ptr %data, ptr %sizes");
  ASSERT_EQ(D.outcome(), "accepted");
  EXPECT_EQ(sizes(D.site()), (std::vector<int64_t>{-1, -1, -1}));
}

TEST(LaunchSite, SizesThatAreStoredAtUnknownPlaces) {
  Damaged D(SizesStore,
            "call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr @sizes, i64 24, "
            "i1 false)\n"
            "  %one = getelementptr [3 x i64], ptr %copy, i32 0, i64 %n\n"
            "  store i64 %n, ptr %one\n"
            "  store ptr %copy, ptr %sizes");
  ASSERT_EQ(D.outcome(), "accepted");
  EXPECT_EQ(sizes(D.site()), (std::vector<int64_t>{-1, -1, -1}));
}

TEST(LaunchSite, SizesOfAnotherLength) {
  Damaged D("@sizes = private unnamed_addr constant [3 x i64] [i64 16, i64 0, "
            "i64 8]",
            "@sizes = private unnamed_addr constant [2 x i64] [i64 16, i64 0]");
  ASSERT_EQ(D.outcome(), "accepted");
  EXPECT_EQ(sizes(D.site()), (std::vector<int64_t>{-1, -1, -1}));
}

TEST(LaunchSite, FallbackArgumentsThatAreNotAvailableAtTheLaunch) {
  Damaged D(Fallback,
            "%late = getelementptr i8, ptr %closure, i64 0\n  "
            "call void @__omp_offloading_1_2_f_l3(ptr %late, i64 %n)");
  ASSERT_EQ(D.outcome(), "accepted");
  EXPECT_EQ(D.site().FallbackArguments[0], nullptr);
}

TEST(LaunchSite, SeveralFallbacks) {
  // `if` clauses call the host version too, from other places.
  Damaged D("done:\n", "done:\n  call void @__omp_offloading_1_2_f_l3(ptr "
                       "%data, i64 0)\n");
  ASSERT_EQ(D.outcome(), "accepted");
  EXPECT_TRUE(D.site().FallbackArguments[0]);
}

TEST(LaunchSite, FallbacksOfOtherFunctions) {
  Damaged D({{Fallback, ""},
             {"define internal void @__omp", "define void @other(ptr %x) {\n  "
                                             "call void @__omp_offloading_1_2_"
                                             "f_l3(ptr %x, i64 0)\n  ret "
                                             "void\n}\n"
                                             "define internal void @__omp"}});
  ASSERT_EQ(D.outcome(), "accepted");
  EXPECT_EQ(D.site().FallbackArguments[0], nullptr);
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

TEST(LaunchSite, Invoke) {
  EXPECT_EQ(with(Call, "%rc = invoke i32 @__tgt_target_kernel(ptr @ident, i64 "
                       "-1, i32 0, i32 0, ptr "
                       "@.__omp_offloading_1_2_f_l3.region_id, ptr %block)\n"
                       "      to label %on unwind label %bad\n"
                       "bad:\n"
                       "  %pad = landingpad { ptr, i32 } cleanup\n"
                       "  unreachable\n"
                       "on:"),
            "invoked-launch");
}

TEST(LaunchSite, WrongNumberOfOperands) {
  EXPECT_EQ(with(Call, "%rc = call i32 @__tgt_target_kernel(ptr @ident, i64 "
                       "-1, i32 0, ptr @.__omp_offloading_1_2_f_l3.region_id, "
                       "ptr %block)"),
            "invoked-launch");
  EXPECT_EQ(with(Call, "%rc = call i32 @__tgt_target_kernel()"),
            "invoked-launch");
}

TEST(LaunchSite, OperandsOfOtherTypes) {
  EXPECT_EQ(with(Call, "%rc = call i32 @__tgt_target_kernel(ptr @ident, i32 "
                       "-1, i32 0, i32 0, ptr "
                       "@.__omp_offloading_1_2_f_l3.region_id, ptr %block)"),
            "invoked-launch");
  EXPECT_EQ(with(Call, "%rc = call i32 @__tgt_target_kernel(ptr @ident, i64 "
                       "-1, i32 0, i32 0, ptr "
                       "@.__omp_offloading_1_2_f_l3.region_id, i64 0)"),
            "invoked-launch");
  EXPECT_EQ(with(Call,
                 "%wide = call i64 @__tgt_target_kernel(ptr @ident, i64 -1, "
                 "i32 0, i32 0, ptr @.__omp_offloading_1_2_f_l3.region_id, "
                 "ptr %block)\n  %rc = trunc i64 %wide to i32"),
            "invoked-launch");
}

TEST(LaunchSite, RegionThatIsNotAGlobal) {
  for (StringRef Region : {"ptr %data", "ptr null", "ptr @f", "i64 7"})
    EXPECT_EQ(with("ptr @.__omp_offloading_1_2_f_l3.region_id, ptr %block",
                   (Region + ", ptr %block").str()),
              "unknown-region");
}

TEST(LaunchSite, RegionOfAnotherName) {
  EXPECT_EQ(with("@.__omp_offloading_1_2_f_l3.region_id", "@region"),
            "unknown-region");
  EXPECT_EQ(with("@.__omp_offloading_1_2_f_l3.region_id", "@..region_id"),
            "unknown-region");
}

TEST(LaunchSite, AnotherVersion) {
  EXPECT_EQ(with("store i32 3, ptr %version", "store i32 2, ptr %version"),
            "unknown-version");
  EXPECT_EQ(with("store i32 3, ptr %version", "store i32 4, ptr %version"),
            "unknown-version");
}

TEST(LaunchSite, FieldsThatAreNotConstants) {
  EXPECT_EQ(with("store i32 3, ptr %version",
                 "%v = trunc i64 %n to i32\n  store i32 %v, ptr %version"),
            "unreadable-arrays");
  EXPECT_EQ(with("store i32 3, ptr %num",
                 "%v = trunc i64 %n to i32\n  store i32 %v, ptr %num"),
            "unreadable-arrays");
  EXPECT_EQ(with(TypesStore, "store ptr %data, ptr %types"),
            "unreadable-arrays");
}

TEST(LaunchSite, FieldsThatAreNotStored) {
  for (StringRef Field :
       {"store i32 3, ptr %version", "store i32 3, ptr %num",
        "store ptr @sizes, ptr %sizes", "store ptr @types, ptr %types"})
    EXPECT_EQ(with(Field, ""), "unreadable-arrays") << Field.str();
}

TEST(LaunchSite, FieldsThatAreStoredTwice) {
  for (StringRef Field :
       {"store i32 3, ptr %version", "store i32 3, ptr %num",
        "store ptr @sizes, ptr %sizes", "store ptr @types, ptr %types"})
    EXPECT_EQ(with(Field, (Field + "\n  " + Field).str()), "unreadable-arrays")
        << Field.str();
}

TEST(LaunchSite, FieldsOfOtherTypes) {
  EXPECT_EQ(with("store i32 3, ptr %num", "store float 3.0, ptr %num"),
            "unreadable-arrays");
  EXPECT_EQ(with(TypesStore, "store i64 0, ptr %types"), "unreadable-arrays");
}

TEST(LaunchSite, ABlockThatIsNull) {
  EXPECT_EQ(with("region_id, ptr %block", "region_id, ptr null"),
            "unreadable-arrays");
  EXPECT_EQ(with("region_id, ptr %block", "region_id, ptr poison"),
            "unreadable-arrays");
  // What is stored to null elsewhere has nothing to do with it.
  EXPECT_EQ(Damaged({{"%block = alloca %args", ""}, {"ptr %block", "ptr null"}})
                .outcome(),
            "unreadable-arrays");
}

TEST(LaunchSite, ABlockThatIsAnArgument) {
  EXPECT_EQ(with("region_id, ptr %block", "region_id, ptr %data"),
            "unreadable-arrays");
}

TEST(LaunchSite, TypesThatAreNoConstantArray) {
  constexpr StringLiteral Types =
      "@types = private unnamed_addr constant [3 x i64] [i64 673, i64 "
      "281474976711440, i64 800]";
  for (StringRef Other :
       {"@types = external constant [3 x i64]",
        "@types = private global [3 x i64] [i64 673, i64 0, i64 800]",
        "@types = private constant [3 x i32] [i32 673, i32 0, i32 800]",
        "@types = private constant [2 x i64] [i64 673, i64 800]",
        "@types = private constant [4 x i64] [i64 673, i64 0, i64 800, i64 1]",
        "@types = private constant i64 673",
        "@types = private constant [3 x ptr] [ptr @f, ptr null, ptr null]",
        "@types = private constant [0 x i64] zeroinitializer"})
    EXPECT_EQ(with(Types, Other), "unreadable-arrays") << Other.str();
}

TEST(LaunchSite, TypesThatAreAllZero) {
  // zeroinitializer: no parameter, so the kernel has too many.
  EXPECT_EQ(with("[i64 673, i64 281474976711440, i64 800]", "zeroinitializer"),
            "unreadable-arrays");
}

TEST(LaunchSite, TypesThatAreCopiedToTheStack) {
  EXPECT_EQ(with(TypesStore,
                 "call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr @types, i64 "
                 "24, i1 false)\n"
                 "  store ptr %copy, ptr %types"),
            "unreadable-arrays");
}

TEST(LaunchSite, ANumberThatDoesNotFitTheArrays) {
  for (StringRef Num : {"2", "4", "-1"})
    EXPECT_EQ(with("store i32 3, ptr %num",
                   ("store i32 " + Num + ", ptr %num").str()),
              "unreadable-arrays")
        << Num.str();
}

TEST(LaunchSite, MemberOfAnEntryThatIsNotThere) {
  // Entry 4 of 3.
  EXPECT_EQ(with("i64 281474976711440", "i64 1125899906843408"),
            "unreadable-arrays");
  EXPECT_EQ(with("i64 281474976711440", "i64 -281474976709872"),
            "unreadable-arrays");
  // Entry 3 of 3 is there.
  EXPECT_EQ(with("i64 281474976711440", "i64 844424930132752"), "accepted");
}

TEST(LaunchSite, AKernelWithOtherParameters) {
  constexpr StringLiteral Kernel = "@__omp_offloading_1_2_f_l3(ptr %f, i64 %n)";
  EXPECT_EQ(
      Damaged({{Fallback, ""}, {Kernel, "@__omp_offloading_1_2_f_l3(ptr %f)"}})
          .outcome(),
      "argument-mismatch");
  EXPECT_EQ(
      Damaged({{Fallback, ""},
               {Kernel, "@__omp_offloading_1_2_f_l3(ptr %f, i64 %n, i64 %m)"}})
          .outcome(),
      "argument-mismatch");
  EXPECT_EQ(Damaged({{Fallback, ""}, {Kernel, "@__omp_offloading_1_2_f_l3()"}})
                .outcome(),
            "argument-mismatch");
}

TEST(LaunchSite, AFallbackWithOtherArguments) {
  // A call through another type is no call of the host version.
  Damaged D(Fallback, "call void @__omp_offloading_1_2_f_l3(ptr %closure)");
  ASSERT_EQ(D.outcome(), "accepted");
  EXPECT_EQ(D.site().FallbackArguments[0], nullptr);
}

//===----------------------------------------------------------------------===//
// Finding launches
//===----------------------------------------------------------------------===//

TEST(LaunchSite, OnlyCallsAreLaunches) {
  LLVMContext C;
  auto M = parseIR(C, R"(
@table = global [1 x ptr] [ptr @__tgt_target_kernel]
declare i32 @__tgt_target_kernel(ptr, i64, i32, i32, ptr, ptr)
declare void @hand_on(ptr)
define void @f() {
  call void @hand_on(ptr @__tgt_target_kernel)
  ret void
})");
  EXPECT_TRUE(findLaunches(*M).empty());
}

TEST(LaunchSite, ModulesWithoutLaunches) {
  LLVMContext C;
  auto M = parseIR(C, "define void @f() { ret void }\n");
  EXPECT_TRUE(findLaunches(*M).empty());
  auto N = parseIR(C, "@__tgt_target_kernel = global i32 0\n");
  EXPECT_TRUE(findLaunches(*N).empty());
}

TEST(LaunchSite, EveryRefusalHasANameAndAMessage) {
  std::vector<Refusal> All = {
#define FERRY_REFUSAL(Kind, Name, Message) Refusal::Kind,
#include "closure/Refusals.def"
  };
  std::vector<std::string> Names;
  for (Refusal R : All) {
    Names.push_back(refusalName(R).str());
    EXPECT_FALSE(refusalMessage(R).empty());
    EXPECT_FALSE(refusalMessage(R).ends_with("."));
  }
  llvm::sort(Names);
  EXPECT_TRUE(std::adjacent_find(Names.begin(), Names.end()) == Names.end());
}
