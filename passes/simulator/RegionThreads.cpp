//===- RegionThreads.cpp - Parallel regions of a part of a block ----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionThreads.h"
#include "ferry/OffloadABI.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

static constexpr StringLiteral AttributeName = "ferry-region-threads";

uint32_t regionThreads(const Function &F) {
  uint32_t Threads = 0;
  F.getFnAttribute(AttributeName).getValueAsString().getAsInteger(10, Threads);
  return Threads;
}

/// Adds a region of \p Threads to the attribute of \p F. False if it has it.
static bool addRegion(Function &F, uint32_t Threads) {
  const uint32_t Known = regionThreads(F);
  if (Known && Known != Threads)
    Threads = AnyRegionThreads;
  if (Known == Threads)
    return false;
  F.addFnAttr(AttributeName, Twine(Threads).str());
  return true;
}

/// The threads that \p Call, which starts a parallel region, asks for; 0 if it
/// does not.
static uint32_t requestedThreads(const CallBase &Call) {
  constexpr unsigned NumThreads = 3; // loc, id, condition, number of threads
  if (Call.arg_size() <= NumThreads)
    return 0;
  auto *Number = dyn_cast<ConstantInt>(Call.getArgOperand(NumThreads));
  if (!Number)
    return AnyRegionThreads;
  return Number->isMinusOne() ? 0 : Number->getLimitedValue(AnyRegionThreads);
}

PreservedAnalyses RegionThreadsPass::run(Module &M, ModuleAnalysisManager &) {
  SmallVector<Function *, 16> Left;
  auto Add = [&Left](Function &F, uint32_t Threads) {
    if (Threads && addRegion(F, Threads))
      Left.push_back(&F);
  };
  for (const abi::Version &V : abi::Versions)
    if (const Function *Parallel = M.getFunction(V.Parallel))
      for (const User *U : Parallel->users())
        if (auto *Call = dyn_cast<CallBase>(U))
          Add(*const_cast<Function *>(Call->getFunction()),
              requestedThreads(*Call));
  // An argument of a call may be what is called.
  while (!Left.empty()) {
    Function &F = *Left.pop_back_val();
    for (const User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Add(*const_cast<Function *>(Call->getFunction()), regionThreads(F));
  }
  return PreservedAnalyses::all();
}

} // namespace ferry
