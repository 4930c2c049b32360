//===- NestPlannerTest.cpp - Which tiles a nest is taken in ---------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseIR.h"
#include "gpu/DeviceTable.h"
#include "stage/nests/NestPlan.h"
#include "llvm-c/Target.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace ferry;

namespace {

/// c = a * b, with operands of the type \p Element, sums of the type \p Sum and
/// %a.at and %b.at of \p Addresses.
std::string product(StringRef Element, StringRef Sum, StringRef Addresses) {
  const bool Same = Element == Sum;
  auto Wide = [&](const char *Name) {
    const std::string From = Element.str() + " %" + Name;
    return Same ? "bitcast " + From + " to " + Sum.str()
                : "fpext " + From + " to " + Sum.str();
  };
  return R"(
target triple = "nvptx64-nvidia-cuda"
@__omp_offloading_k_kernel_environment = constant { { i8, i8, i8 } } { { i8, i8, i8 } { i8 0, i8 0, i8 2 } }
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()
declare i64 @llvm.umin.i64(i64, i64)
define void @__omp_offloading_k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr %c, i64 %rows, i64 %width, i64 %steps) #0 {
entry:
  %total = mul nuw nsw i64 %rows, %width
  %last = add nsw i64 %total, -1
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %block.wide = zext nneg i32 %block to i64
  %begin = shl nuw nsw i64 %block.wide, 7
  %blocks.wide = zext nneg i32 %blocks to i64
  %stride = shl nuw nsw i64 %blocks.wide, 7
  %chunk.end = or disjoint i64 %begin, 127
  %end = call i64 @llvm.umin.i64(i64 %chunk.end, i64 %last)
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread = zext nneg i32 %tid to i64
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %threads = zext nneg i32 %ntid to i64
  br label %distribute
distribute:
  %upper = phi i64 [ %end, %entry ], [ %upper.next, %latch ]
  %lower = phi i64 [ %begin, %entry ], [ %lower.next, %latch ]
  %first = add nuw nsw i64 %lower, %thread
  %none = icmp ugt i64 %first, %upper
  br i1 %none, label %latch, label %iteration
iteration:
  %index = phi i64 [ %index.next, %after ], [ %first, %distribute ]
  %i = udiv i64 %index, %width
  %i.begin = mul i64 %i, %width
  %j = sub i64 %index, %i.begin
  br label %walk
walk:
  %k = phi i64 [ 0, %iteration ], [ %k.next, %walk ]
  %sum = phi )" +
         Sum.str() + " [ 0.0, %iteration ], [ %sum.next, %walk ]\n" +
         Addresses.str() + "\n  %pa = getelementptr " + Element.str() +
         ", ptr addrspace(1) %a, i64 %a.at\n  %va = load " + Element.str() +
         ", ptr addrspace(1) %pa\n  %pb = getelementptr " + Element.str() +
         ", ptr addrspace(1) %b, i64 %b.at\n  %vb = load " + Element.str() +
         ", ptr addrspace(1) %pb\n  %wa = " + Wide("va") +
         "\n  %wb = " + Wide("vb") + "\n  %product = fmul contract " +
         Sum.str() + " %wa, %wb\n  %sum.next = fadd contract " + Sum.str() +
         " %sum, %product\n" + R"(
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %steps
  br i1 %k.more, label %walk, label %after
after:
  %pc = getelementptr )" +
         Sum.str() + ", ptr %c, i64 %index\n  store " + Sum.str() +
         " %sum.next, ptr %pc\n" + R"(
  %index.next = add nuw nsw i64 %index, %threads
  %done = icmp ugt i64 %index.next, %upper
  br i1 %done, label %latch, label %iteration
latch:
  %lower.next = add nuw nsw i64 %lower, %stride
  %upper.far = add nuw nsw i64 %upper, %stride
  %upper.next = call i64 @llvm.umin.i64(i64 %upper.far, i64 %last)
  %more = icmp ult i64 %lower.next, %total
  br i1 %more, label %distribute, label %exit
exit:
  ret void
}
attributes #0 = { "kernel" "llvm.assume"="ferry_free_schedule" "omp_target_thread_limit"="128" "target-cpu"="sm_90" }
)";
}

constexpr char RowsOfA[] = "%a.row = mul i64 %i, %steps\n"
                           "%a.at = add i64 %a.row, %k\n";
constexpr char ColumnsOfA[] = "%a.row = mul i64 %k, %rows\n"
                              "%a.at = add i64 %a.row, %i\n";
constexpr char RowsOfB[] = "%b.row = mul i64 %j, %steps\n"
                           "%b.at = add i64 %b.row, %k\n";
constexpr char ColumnsOfB[] = "%b.row = mul i64 %k, %width\n"
                              "%b.at = add i64 %b.row, %j\n";

class NestPlannerTest : public ::testing::Test {
protected:
  StageOptions Options;
  std::vector<StageNote> Notes;

  /// Has LLVM's limits for these GPUs, by which it unrolls loops. Made through
  /// C, where it is done alike in all versions.
  static TargetMachine *nvptx() {
    static const LLVMTargetMachineRef Machine = [] {
      LLVMInitializeNVPTXTargetInfo();
      LLVMInitializeNVPTXTarget();
      LLVMInitializeNVPTXTargetMC();
      LLVMTargetRef Target = nullptr;
      char *Error = nullptr;
      EXPECT_FALSE(
          LLVMGetTargetFromTriple("nvptx64-nvidia-cuda", &Target, &Error));
      return LLVMCreateTargetMachine(Target, "nvptx64-nvidia-cuda", "sm_90", "",
                                     LLVMCodeGenLevelDefault, LLVMRelocDefault,
                                     LLVMCodeModelDefault);
    }();
    return reinterpret_cast<TargetMachine *>(Machine);
  }

  std::optional<NestPlan> plan(const std::string &Text) {
    FAM.clear();
    MAM.clear();
    M = ferry::test::parseIR(Context, Text);
    Function &F = *M->getFunction("__omp_offloading_k");
    PassBuilder PB(nvptx());
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
    KernelLimits Limits;
    EXPECT_FALSE(readLimits(F, Limits, Options));
    return findPlan<NestPlan>(
        PlanContext(F, FAM, Limits, Options, StageMode::On), Notes);
  }

private:
  // Analyses go before what they are of.
  LLVMContext Context;
  std::unique_ptr<Module> M;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
};

/// Whether the threads of a warp that read together, so many apart in shared
/// memory, read from different banks.
bool isFreeOfConflicts(const PanelLayout &P, unsigned Threads, unsigned Bytes) {
  std::vector<bool> Used(32);
  for (unsigned Thread = 0; Thread < Threads; ++Thread)
    for (unsigned Byte = 0; Byte < Bytes; Byte += 4) {
      unsigned Bank = (Thread * P.GroupPitch + Byte) / 4 % 32;
      if (Used[Bank])
        return false;
      Used[Bank] = true;
    }
  return true;
}

TEST_F(NestPlannerTest, LargerTilesFirst) {
  auto P = plan(product("double", "double", std::string(RowsOfA) + ColumnsOfB));
  ASSERT_TRUE(P);
  ASSERT_EQ(P->Versions.size(), 3u);
  EXPECT_EQ(P->Gain.Gpu->multiprocessors(), 132u);
  const NestTiles &Large = P->Versions[0], &Small = P->Versions[1];
  EXPECT_EQ(Large.Shape.ThreadRows * Large.Shape.ThreadColumns, 32u);
  EXPECT_EQ(Small.Shape.ThreadRows * Small.Shape.ThreadColumns, 16u);
  EXPECT_EQ(P->Versions[2].iterations(), 4u);
  // More for each step, less for each iteration.
  EXPECT_GT(Large.Time.Clocks, Small.Time.Clocks);
  EXPECT_LT(Large.Time.Clocks, 2 * Small.Time.Clocks);
  EXPECT_LE(P->bytes(), 48u * 1024);
  EXPECT_TRUE(Large.Async);
}

TEST_F(NestPlannerTest, PanelsLieAsInMemory) {
  auto P = plan(product("float", "float", std::string(ColumnsOfA) + RowsOfB));
  ASSERT_TRUE(P);
  const KernelNest &N = P->Nest;
  ASSERT_EQ(N.Streams.size(), 2u);
  EXPECT_EQ(N.Streams[0].By, NestOperand::ByRow);
  EXPECT_FALSE(N.Streams[0].AlongK);
  EXPECT_EQ(N.Streams[1].By, NestOperand::ByColumn);
  EXPECT_TRUE(N.Streams[1].AlongK);
  // The smallest have two rows for a thread, which lie side by side.
  ASSERT_EQ(P->Versions.back().iterations(), 8u);
  for (const NestTiles &T : ArrayRef(P->Versions).drop_back())
    for (const PanelLayout &Panel : T.Panels) {
      EXPECT_EQ(Panel.Chunk * 4, 16u);
      EXPECT_EQ(Panel.Vector * 4, 16u);
    }
}

TEST_F(NestPlannerTest, PanelsAreFreeOfConflicts) {
  for (const char *A : {RowsOfA, ColumnsOfA})
    for (const char *B : {RowsOfB, ColumnsOfB})
      for (const char *Type : {"float", "double"})
        for (uint64_t Bytes : {48u << 10, 12u << 10, 4u << 10}) {
          SCOPED_TRACE(std::string(Type) + A + B + std::to_string(Bytes));
          Options.MaxBytes = Bytes;
          auto P = plan(product(Type, Type, std::string(A) + B));
          ASSERT_TRUE(P);
          EXPECT_LE(P->bytes(), Bytes);
          for (const NestTiles &T : P->Versions) {
            // A thread reads so many bytes at once: 16, but for two rows.
            const unsigned Size = P->Nest.Streams[0].Size;
            const PanelLayout &Rows = T.Panels[0], &Columns = T.Panels[1];
            EXPECT_TRUE(isFreeOfConflicts(Rows, 4, Rows.Vector * Size));
            EXPECT_TRUE(isFreeOfConflicts(Columns, 8, Columns.Vector * Size));
          }
        }
}

TEST_F(NestPlannerTest, SumsOfMoreBytesThanOperands) {
  auto P = plan(product("float", "double", std::string(RowsOfA) + ColumnsOfB));
  ASSERT_TRUE(P);
  EXPECT_EQ(P->Nest.Streams[0].Size, 4u);
}

TEST_F(NestPlannerTest, WhatMayWrap) {
  auto P = plan(product("float", "float",
                        "%i.32 = trunc i64 %i to i32\n"
                        "%l.32 = trunc i64 %steps to i32\n"
                        "%k.32 = trunc nsw i64 %k to i32\n"
                        "%a.row = mul i32 %i.32, %l.32\n"
                        "%a.32 = add i32 %a.row, %k.32\n"
                        "%a.at = sext i32 %a.32 to i64\n"
                        "%j.32 = trunc i64 %j to i32\n"
                        "%w.32 = trunc i64 %width to i32\n"
                        "%b.row = mul nsw i32 %k.32, %w.32\n"
                        "%b.32 = add nsw i32 %b.row, %j.32\n"
                        "%b.at = sext i32 %b.32 to i64\n"));
  ASSERT_TRUE(P);
  // The sum may.
  EXPECT_TRUE(P->Nest.Streams[0].MayWrap);
  EXPECT_TRUE(P->Nest.Streams[0].Linear);
  // An overflow would be undefined.
  EXPECT_FALSE(P->Nest.Streams[1].MayWrap);
  EXPECT_TRUE(P->Nest.Streams[1].Linear);
}

TEST_F(NestPlannerTest, WhatMayWrapTwice) {
  auto P = plan(product("float", "float",
                        std::string("%k.32 = trunc i64 %k to i32\n"
                                    "%k.2 = mul i32 %k.32, 2\n"
                                    "%up = zext i32 %k.2 to i64\n"
                                    "%down = zext i32 %k.32 to i64\n"
                                    "%a.k = sub i64 %up, %down\n"
                                    "%a.row = mul i64 %i, %steps\n"
                                    "%a.at = add i64 %a.row, %a.k\n") +
                            ColumnsOfB));
  ASSERT_TRUE(P);
  EXPECT_TRUE(P->Nest.Streams[0].AlongK);
  EXPECT_FALSE(P->Nest.Streams[0].Linear);
  EXPECT_FALSE(P->Nest.Streams[0].Follows);
}

TEST_F(NestPlannerTest, ShiftsThatMultiply) {
  // (k << 32) >> 32 is k, (k << 32) >> 29 is 8 * k.
  auto Shifted = [&](const char *Right) {
    return plan(product("double", "double",
                        ColumnsOfB +
                            std::string("%a.step = mul i64 %i, %steps\n"
                                        "%a.high = shl i64 %k, 32\n"
                                        "%a.low = ashr i64 %a.high, ") +
                            Right + "\n%a.at = add i64 %a.step, %a.low\n"));
  };
  auto Same = Shifted("32");
  ASSERT_TRUE(Same);
  EXPECT_EQ(Same->Nest.Streams.front().Apart, 1);
  auto Times8 = Shifted("29");
  EXPECT_FALSE(Times8 && Times8->Nest.Streams.front().Apart == 1);
}

TEST_F(NestPlannerTest, RecordsAreReadTogether) {
  // 64 bytes of each k, two sectors, in each of which there is more to read.
  std::string Rest;
  for (unsigned E = 1; E < 8; ++E) {
    const std::string Number = std::to_string(E);
    Rest += "%at." + Number + " = add i64 %a.at, " + Number + "\n%p." + Number +
            " = getelementptr double, ptr addrspace(1) %a, i64 %at." + Number +
            "\n%v." + Number + " = load double, ptr addrspace(1) %p." + Number +
            "\n";
  }
  const std::string First = "%a.step = mul i64 %i, %steps\n"
                            "%a.record = add i64 %a.step, %k\n"
                            "%a.at = mul i64 %a.record, 8\n";
  auto P = plan(product("double", "double", ColumnsOfB + First + Rest));
  ASSERT_TRUE(P);
  ASSERT_EQ(P->Nest.Streams.size(), 9u);
  for (const NestOperand &S : ArrayRef(P->Nest.Streams).take_front(8)) {
    EXPECT_EQ(S.By, NestOperand::ByRow);
    EXPECT_TRUE(S.AlongK);
    EXPECT_EQ(S.Apart, 8);
  }
  // One element of each takes as many sectors as there are.
  Notes.clear();
  EXPECT_FALSE(plan(product("double", "double", ColumnsOfB + First)));
  ASSERT_EQ(Notes.size(), 1u);
  EXPECT_EQ(Notes[0].Why, StageRefusal::NoReuse);
}

TEST_F(NestPlannerTest, PriceOfBoth) {
  auto P = plan(product("double", "double", std::string(RowsOfA) + ColumnsOfB));
  ASSERT_TRUE(P);
  // 32 additions and multiplications by 64 units; loads of 1 and 2 passes, and
  // a third of two lines.
  EXPECT_EQ(StringRef(P->Gain.Staged.Limiter), "fp64");
  EXPECT_DOUBLE_EQ(P->Gain.Staged.Clocks, 0.5);
  EXPECT_EQ(StringRef(P->Gain.Plain.Limiter), "l1");
  EXPECT_NEAR(P->Gain.Plain.Clocks, 3 + 2. / 3, 0.1);
  // Each thread its own line: nine passes, and a fourth of them is fetched.
  auto Rows = plan(product("double", "double", std::string(RowsOfA) + RowsOfB));
  ASSERT_TRUE(Rows);
  EXPECT_EQ(StringRef(Rows->Gain.Plain.Limiter), "l1");
  EXPECT_NEAR(Rows->Gain.Plain.Clocks, 1 + 9 + 8, 0.1);
}

TEST_F(NestPlannerTest, LittleGain) {
  const std::string Doubles =
      product("double", "double", std::string(RowsOfA) + ColumnsOfB);
  auto Gpu = std::make_shared<sim::DeviceModel>(*sim::findDeviceModel(90));
  Gpu->Fp64Lanes = 2;
  Options.Gpu = Gpu;
  EXPECT_FALSE(plan(Doubles));
  ASSERT_EQ(Notes.size(), 1u);
  EXPECT_EQ(Notes[0].Why, StageRefusal::LittleGain);
}

TEST_F(NestPlannerTest, NoBudget) {
  Options.MaxBytes = 1000;
  EXPECT_FALSE(
      plan(product("double", "double", std::string(RowsOfA) + ColumnsOfB)));
  ASSERT_EQ(Notes.size(), 1u);
  EXPECT_EQ(Notes[0].Why, StageRefusal::NoBudget);
}

} // namespace
