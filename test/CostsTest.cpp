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

} // namespace
