//===- CostsTest.cpp - Machine instructions of device code ----------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "costs/Costs.h"
#include "ParseIR.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace ferry;

namespace {

/// Machine instructions of each instruction of "f" in \p Text, memory's aside.
std::vector<double> costsOf(const std::string &Text) {
  LLVMContext C;
  std::unique_ptr<Module> M = test::parseIR(C, Text);
  std::vector<double> Costs;
  for (const Instruction &I : instructions(*M->getFunction("f"))) {
    double Sum = 0;
    for (uint64_t Work : sim::FunctionCosts::workOf(I))
      Sum += static_cast<double>(Work) / sim::WorkScale;
    Costs.push_back(Sum);
  }
  return Costs;
}

TEST(CostsTest, SharedAddressesHave32Bits) {
  EXPECT_EQ(costsOf(R"(
define void @f(ptr addrspace(1) %g, ptr addrspace(3) %s, i64 %by) {
  %g.next = getelementptr i8, ptr addrspace(1) %g, i64 %by
  %s.next = getelementptr i8, ptr addrspace(3) %s, i64 %by
  %s.one = getelementptr i8, ptr addrspace(3) %s, i64 16
  %is.g = icmp eq ptr addrspace(1) %g, %g.next
  %is.s = icmp eq ptr addrspace(3) %s, %s.next
  ret void
})"),
            (std::vector<double>{2, 1, 0, 2, 1, 1}));
}

TEST(CostsTest, PairsOfRegistersAreNoWork) {
  EXPECT_EQ(costsOf(R"(
define i64 @f(i64 %a, i32 %low, i32 %high) {
  %upper = lshr i64 %a, 32
  %taken = trunc i64 %upper to i32
  %used = lshr i64 %a, 32
  %sum = add i64 %used, %a
  %l = zext i32 %low to i64
  %h = zext i32 %high to i64
  %shifted = shl nuw i64 %h, 32
  %pair = or disjoint i64 %shifted, %l
  %other = or i64 %a, %l
  ret i64 %pair
})"),
            (std::vector<double>{0, 0, 2, 2, 0, 0, 0, 0, 2, 1}));
}

TEST(CostsTest, ProductsOf32BitsAreOneInstruction) {
  EXPECT_EQ(costsOf(R"(
define i64 @f(i64 %a, i64 %b, i32 %x, i32 %y) {
  %wide.x = zext i32 %x to i64
  %wide.y = zext i32 %y to i64
  %full = mul i64 %a, %b
  %half = mul i64 %a, %wide.x
  %wide = mul i64 %wide.x, %wide.y
  %by.number = mul i64 %wide.x, 24
  %sum = add i64 %half, %b
  %twice = mul i64 %wide, %b
  %other = add i64 %wide, %a
  ret i64 %sum
})"),
            (std::vector<double>{0, 0, 4, 3, 1, 1, 0, 4, 2, 1}));
}

TEST(CostsTest, DivisionsOf64BitsAreMostlyOf32) {
  EXPECT_EQ(costsOf(R"(
define i64 @f(i64 %a, i64 %b, i32 %x, i32 %y) {
  %short = udiv i32 %x, %y
  %wide = udiv i64 %a, %b
  %by.number = udiv i64 %a, 24
  %by.power = udiv i64 %a, 32
  ret i64 %wide
})"),
            (std::vector<double>{18, 22, 14, 1, 1}));
}

TEST(CostsTest, CopiesAreTheirRequests) {
  EXPECT_EQ(costsOf(R"(
declare void @ferry_sim_copy_async(ptr addrspace(3), ptr addrspace(1), i32, i32)
declare void @other()
define void @f(ptr addrspace(3) %s, ptr addrspace(1) %g) {
  call void @ferry_sim_copy_async(ptr addrspace(3) %s, ptr addrspace(1) %g, i32 16, i32 16)
  call void @other()
  ret void
})"),
            (std::vector<double>{0, 1, 1}));
}

TEST(CostsTest, CodeHasAccessesAndUnrolledIterations) {
  // Bytes of each block: a load and an addition of 32 bits; then
  // what the loop computes and what controls it, once or, by ptxas, unrolled.
  auto BytesOf =
      [](StringRef Metadata) {
        LLVMContext C;
        std::unique_ptr<Module> M = test::parseIR(C, (R"(
define void @f(ptr addrspace(1) %p, i32 %n) {
entry:
  %a = load i32, ptr addrspace(1) %p
  %b = add i32 %a, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %b, %entry ], [ %xored, %loop ]
  %xored = xor i32 %sum, %n
  %next = add i32 %k, 1
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %end)" + Metadata + R"(
end:
  store i32 %xored, ptr addrspace(1) %p
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"})")
                                                         .str());
        std::vector<uint64_t> Bytes;
        Function &F = *M->getFunction("f");
        const sim::FunctionCosts Costs(F);
        for (const BasicBlock &B : F)
          Bytes.push_back(Costs.codeBytes(B));
        return Bytes;
      };
  EXPECT_EQ(BytesOf(", !llvm.loop !0"), (std::vector<uint64_t>{32, 64, 32}));
  EXPECT_EQ(BytesOf(""), (std::vector<uint64_t>{32, 112, 32}));
}

TEST(CostsTest, WhatIsMadeAgainTakesNoRegister) {
  // All are live at the second load: a loaded number, and what is made of it
  // and of the argument by one instruction, or by a division.
  auto Registers = [](StringRef Maker) {
    LLVMContext C;
    std::unique_ptr<Module> M = test::parseIR(C, R"(
define i32 @f(ptr addrspace(1) %p, i32 %n) {
  %a = load i32, ptr addrspace(1) %p
  %b = )" + Maker.str() + R"( i32 %a, %n
  %c = load volatile i32, ptr addrspace(1) %p
  %sum = add i32 %a, %b
  %all = add i32 %sum, %c
  ret i32 %all
})");
    return sim::FunctionCosts(*M->getFunction("f")).total().Registers;
  };
  EXPECT_EQ(Registers("udiv"), Registers("xor") + 1);
}

} // namespace
