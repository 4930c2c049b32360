//===- KernelVersionsTest.cpp - Launches that choose a version ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the text that a device's compilation leaves to the launch in the host's
// module. Which version is launched in the end, lit/stage/versions.cpp tests.
//
//===----------------------------------------------------------------------===//

#include "closure/KernelVersions.h"
#include "HostModule.h"
#include "ParseIR.h"
#include "closure/DeviceEvidence.h"
#include "closure/EvidenceText.h"
#include "ferry/OffloadABI.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using namespace ferry;
using namespace ferry::test;

namespace {

constexpr char Kernel[] = "__omp_offloading_1_2_f_l3";
constexpr char Unstaged[] = "__omp_offloading_1_2_f_l3_unstaged";

// A closure of 16 bytes, an integer, and a variable that is mapped.
constexpr StringLiteral Launch = R"(
%args = type { i32, i32, ptr, ptr, ptr, ptr, ptr, ptr, i64, i64, [3 x i32], [3 x i32], i32 }
@ident = private constant i8 0
@name = internal constant [26 x i8] c"__omp_offloading_1_2_f_l3\00"
@.__omp_offloading_1_2_f_l3.region_id = weak constant i8 0
@sizes = private unnamed_addr constant [3 x i64] [i64 16, i64 0, i64 4]
@types = private unnamed_addr constant [3 x i64] [i64 673, i64 800, i64 35]
declare i32 @__tgt_target_kernel(ptr, i64, i32, i32, ptr, ptr)

define void @f(ptr %closure, i64 %n, ptr %mapped) {
  %block = alloca %args
  %arrays = alloca [3 x ptr]
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
  call void @__omp_offloading_1_2_f_l3(ptr %closure, i64 %n, ptr %mapped)
  br label %done
done:
  ret void
}

define internal void @__omp_offloading_1_2_f_l3(ptr %f, i64 %n, ptr %mapped) {
  ret void
}
)";
constexpr StringLiteral Entry19 =
    "@.offloading.entry.__omp_offloading_1_2_f_l3 = weak constant { ptr, ptr, "
    "i64, i32, i32 } { ptr @.__omp_offloading_1_2_f_l3.region_id, ptr @name, "
    "i64 0, i32 0, i32 0 }, section \"omp_offloading_entries\", align 1\n";
constexpr StringLiteral Entry22 =
    "@.offloading.entry.__omp_offloading_1_2_f_l3 = weak constant { i64, i16, "
    "i16, i32, ptr, ptr, i64, i64, ptr } { i64 0, i16 1, i16 1, i32 0, ptr "
    "@.__omp_offloading_1_2_f_l3.region_id, ptr @name, i64 0, i64 0, ptr null "
    "}, section \"llvm_offload_entries\", align 8\n";

/// The host's module, after its launch was told to choose.
struct Chosen {
  LLVMContext Context;
  std::unique_ptr<Module> M;
  CallBase *Call;
  bool Chooses;

  Chosen(StringRef Entry, const VersionChoice &Choice,
         const KernelWords &Words = {})
      : M(parseIR(Context, Launch.str() + Entry.str())),
        Call(findLaunches(*M).front()) {
    auto Site = readLaunch(*Call);
    Chooses = chooseVersion(std::get<LaunchSite>(Site), /*Region=*/nullptr,
                            Kernel, Words, Choice);
    EXPECT_FALSE(verifyModule(*M, &errs()));
  }

  /// What the launch chooses from, as text; and all that leads to it.
  std::string text() const {
    std::string Text;
    raw_string_ostream OS(Text);
    for (const Function &F : *M)
      if (F.getName() == "ferry.ranges")
        OS << F;
    return Text;
  }
};

/// That argument \p Number is at least \p Least.
LaunchDemand atLeast(unsigned Number, int64_t Least) {
  RangeTable Table;
  const RangeTable::Term T = Table.argument(Number, 64);
  return {*Table.range(T, T, 16), Least};
}

/// The choice for Kernel by what \p Images leave.
std::string choiceOf(const std::vector<std::string> &Images) {
  LLVMContext Context;
  std::unique_ptr<Module> M = hostWith(Context, Images);
  std::string Text;
  raw_string_ostream OS(Text);
  print(OS, DeviceEvidence::read(*M).choiceFor(Kernel));
  return OS.str();
}

/// An object that leaves \p Choice for Kernel.
std::string objectWith(const VersionChoice &Choice) {
  LLVMContext Context;
  auto M = parseIR(Context, "define void @" + std::string(Kernel) +
                                "() {\n  ret void\n}\n");
  writeVersions(*M->getFunction(Kernel), Choice);
  return objectOf(*M);
}

} // namespace

TEST(KernelVersions, Chosen) {
  for (auto [Entry, Address, Name] :
       {std::tuple(Entry19, 0, 1), std::tuple(Entry22, 4, 5)}) {
    Chosen C(Entry, {{atLeast(1, 24)}});
    ASSERT_TRUE(C.Chooses);
    auto *Choice =
        dyn_cast<SelectInst>(C.Call->getArgOperand(ferry::abi::LaunchRegionId));
    ASSERT_NE(Choice, nullptr);
    EXPECT_EQ(Choice->getTrueValue()->getName(),
              "." + std::string(Kernel) + ".region_id");
    EXPECT_EQ(Choice->getFalseValue()->getName(),
              "." + std::string(Unstaged) + ".region_id");
    // libomptarget finds it.
    auto *New =
        C.M->getGlobalVariable(".offloading.entry." + std::string(Unstaged));
    ASSERT_NE(New, nullptr);
    const Constant *Fields = New->getInitializer();
    EXPECT_EQ(Fields->getAggregateElement(Address), Choice->getFalseValue());
    auto *Text = cast<GlobalVariable>(Fields->getAggregateElement(Name));
    EXPECT_EQ(cast<ConstantDataArray>(Text->getInitializer())->getAsCString(),
              Unstaged);
    const auto *Old =
        C.M->getGlobalVariable(".offloading.entry." + std::string(Kernel));
    EXPECT_EQ(New->getSection(), Old->getSection());
    EXPECT_EQ(New->getLinkage(), Old->getLinkage());
    EXPECT_EQ(New->getAlign(), Old->getAlign());
  }
}

TEST(KernelVersions, Twice) {
  Chosen C(Entry19, {{atLeast(1, 24)}});
  EXPECT_EQ(launchedKernel(*C.Call), Kernel);
  const Value *Choice = C.Call->getArgOperand(ferry::abi::LaunchRegionId);
  auto Site = readLaunch(*C.Call);
  EXPECT_FALSE(chooseVersion(std::get<LaunchSite>(Site), nullptr, Kernel, {},
                             {{atLeast(1, 24)}}));
  EXPECT_EQ(C.Call->getArgOperand(ferry::abi::LaunchRegionId), Choice);
}

// What is behind the arguments is a word of an object of the host's.
TEST(KernelVersions, Words) {
  const KernelWords Words{{0, {}, 0, 8, true}, {0, {}, 8, 4, false}};
  Chosen C(Entry19, {{atLeast(4, 24)}}, Words);
  ASSERT_TRUE(C.Chooses);
  EXPECT_NE(C.text().find("i64 8"), std::string::npos) << C.text();
  EXPECT_NE(C.text().find("load i32"), std::string::npos) << C.text();
  EXPECT_NE(C.text().find("zext i32"), std::string::npos) << C.text();
}

// Of several demands those count that are known; without one there is nothing
// to choose, and everything stays as it was.
TEST(KernelVersions, Unknown) {
  const KernelWords Words{{0, {}, 0, 8, true}, {0, {}, 8, 3, false}};
  const LaunchDemand Known = atLeast(1, 24);
  for (unsigned Unknown : {2u, 3u, 4u, 5u}) {
    Chosen C(Entry19, {{Known}, {atLeast(Unknown, 1)}}, Words);
    EXPECT_FALSE(C.Chooses) << Unknown;
    EXPECT_TRUE(
        isa<GlobalVariable>(C.Call->getArgOperand(ferry::abi::LaunchRegionId)));
    EXPECT_EQ(
        C.M->getGlobalVariable("." + std::string(Unstaged) + ".region_id"),
        nullptr);
    EXPECT_TRUE(Chosen(Entry19, {{Known, atLeast(Unknown, 1)}}, Words).Chooses);
  }
  // What lies behind a plain pointer may be the device's, or no memory at all;
  // so may what lies behind an object.
  for (std::vector<int64_t> Path : {std::vector<int64_t>{0, 0}, {16}, {-8}}) {
    RangeTable Table;
    const RangeTable::Term T =
        Table.signExtend(Table.word(0, std::move(Path), 32), 64);
    const LaunchDemand Behind{*Table.range(T, T, 16), 1};
    EXPECT_FALSE(Chosen(Entry19, {{Behind}}).Chooses);
  }
  // An entry that is not known.
  EXPECT_FALSE(Chosen("", {{Known}}).Chooses);
  EXPECT_FALSE(Chosen("@.offloading.entry.__omp_offloading_1_2_f_l3 = weak "
                      "constant { ptr } zeroinitializer\n",
                      {{Known}})
                   .Chooses);
}

TEST(KernelVersions, Evidence) {
  const std::string One = objectWith({{atLeast(1, 24)}});
  const std::string Other =
      objectWith({{atLeast(1, 16), {atLeast(2, 3).Value, INT64_MIN, -8}}});
  EXPECT_EQ(choiceOf({One}), "i64 argument 1 >= 24");
  EXPECT_EQ(choiceOf({Other}), "i64 argument 1 >= 16 and i64 argument 2 <= -8");
  // What is enough for one of the devices.
  EXPECT_EQ(choiceOf({One, Other}),
            "i64 argument 1 >= 24 or i64 argument 1 >= 16 and i64 argument 2 "
            "<= -8");
  // One of the devices has only the kernel itself.
  EXPECT_EQ(choiceOf({One, "\x7f"
                           "ELF"}),
            "");
  EXPECT_EQ(choiceOf({}), "");
}

TEST(KernelVersions, MalformedEvidence) {
  auto With = [](const std::string &Staged) {
    const std::string JSON =
        "{\"" + std::string(Kernel) + "\":{\"staged\":" + Staged + "}}";
    return choiceOf({"\x7f"
                     "ELF FERRY-USES:" +
                     std::to_string(JSON.size()) + ":" + JSON});
  };
  const std::string Value = "\"terms\":[1,64,1],\"first\":0,\"last\":0";
  EXPECT_EQ(With("[[{" + Value + ",\"least\":2,\"most\":9}]]"),
            "i64 argument 1 >= 2 <= 9");
  EXPECT_EQ(With("[[{" + Value + ",\"least\":2}]]"), "");
  EXPECT_EQ(With("[[{\"least\":2,\"most\":9}]]"), "");
  EXPECT_EQ(With("[{" + Value + ",\"least\":2,\"most\":9}]"), "");
  EXPECT_EQ(With("[[7]]"), "");
  EXPECT_EQ(With("7"), "");
}
