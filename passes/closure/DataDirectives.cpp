//===- DataDirectives.cpp - Directives that map and update data -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:
//
//   call void @__tgt_target_data_begin_mapper(ptr @id, i64 -1, i32 1, ptr %b,
//       ptr %p, ptr @.offload_sizes, ptr @.offload_maptypes, ptr null, ptr
//       null)
//
// After:
//
//   call void @__ferry_data_begin(i64 -1, i32 1, ptr %p, ptr @.offload_sizes,
//                                 ptr @.offload_maptypes, ptr null, i32 0)
//   call void @__tgt_target_data_begin_mapper(...)
//
// The runtime remembers which pointers it has attached in mapped objects, and
// libomptarget does not tell when an object is mapped anew.
//
//===----------------------------------------------------------------------===//

#include "DataDirectives.h"
#include "ferry/LaunchPlan.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

static bool isWatched(const CallBase &Call) {
  const auto *Before = dyn_cast_or_null<CallBase>(Call.getPrevNode());
  const Function *F = Before ? Before->getCalledFunction() : nullptr;
  return F && F->getName() == DataWatchFunction;
}

static void watch(CallBase &Call, bool Update) {
  Module &M = *Call.getModule();
  IRBuilder<> B(&Call);
  Type *Ptr = B.getPtrTy();
  FunctionCallee Watch =
      M.getOrInsertFunction(DataWatchFunction, B.getVoidTy(), B.getInt64Ty(),
                            B.getInt32Ty(), Ptr, Ptr, Ptr, Ptr, B.getInt32Ty());
  B.CreateCall(
      Watch,
      {Call.getArgOperand(abi::DataDevice), Call.getArgOperand(abi::DataNum),
       Call.getArgOperand(abi::DataPtrs), Call.getArgOperand(abi::DataSizes),
       Call.getArgOperand(abi::DataTypes), Call.getArgOperand(abi::DataMappers),
       B.getInt32(Update)});
}

bool watchDataDirectives(Module &M) {
  bool Changed = false;
  for (const char *Name :
       {abi::DataBeginFunction, abi::DataBeginNowaitFunction,
        abi::DataUpdateFunction, abi::DataUpdateNowaitFunction}) {
    Function *F = M.getFunction(Name);
    if (!F)
      continue;
    const bool Update = StringRef(Name) == abi::DataUpdateFunction ||
                        StringRef(Name) == abi::DataUpdateNowaitFunction;
    SmallVector<CallBase *> Calls;
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledOperand() == F &&
          Call->arg_size() >= abi::DataNumOperands && !isWatched(*Call))
        Calls.push_back(Call);
    for (CallBase *Call : Calls)
      watch(*Call, Update);
    Changed |= !Calls.empty();
  }
  return Changed;
}

} // namespace ferry
