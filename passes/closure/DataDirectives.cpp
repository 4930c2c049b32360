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
// libomptarget does not tell when an object is mapped anew. Around directives
// that update or unmap data there are two calls,
//
//   %saved = call ptr @__ferry_update_begin(...)
//   call void @__ferry_update_end(ptr %saved)
//
// as libomptarget then writes over pointers that were attached (runtime/host/
// ShadowPointers.h). An `invoke`, and a `nowait` directive, which goes on when
// its call has returned, get the call before them only.
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
  return F && (F->getName() == DataWatchFunction ||
               F->getName() == UpdateBeginFunction);
}

/// What the launch runtime is told of a directive.
struct Operands {
  Value *Device;
  Value *Num;
  Value *Ptrs;
  Value *Sizes;
  Value *Types;
  Value *Mappers;
};

/// Has \p Function called where \p B stands, with \p Directive.
static CallInst *call(IRBuilder<> &B, StringRef Function, Type *Result,
                      const Operands &Directive, bool Update) {
  Type *Ptr = B.getPtrTy();
  FunctionCallee Watch = B.GetInsertBlock()->getModule()->getOrInsertFunction(
      Function, Result, B.getInt64Ty(), B.getInt32Ty(), Ptr, Ptr, Ptr, Ptr,
      B.getInt32Ty());
  return B.CreateCall(Watch, {Directive.Device, Directive.Num, Directive.Ptrs,
                              Directive.Sizes, Directive.Types,
                              Directive.Mappers, B.getInt32(Update)});
}

/// Has \p Function called before \p Call, with its operands.
static CallInst *callBefore(CallBase &Call, StringRef Function, Type *Result,
                            bool Update) {
  IRBuilder<> B(&Call);
  return call(
      B, Function, Result,
      {Call.getArgOperand(abi::DataDevice), Call.getArgOperand(abi::DataNum),
       Call.getArgOperand(abi::DataPtrs), Call.getArgOperand(abi::DataSizes),
       Call.getArgOperand(abi::DataTypes),
       Call.getArgOperand(abi::DataMappers)},
      Update);
}

/// A call of libomptarget's for directives of one kind.
struct DirectiveKind {
  const char *Function;
  bool CopiesTo; ///< may copy to the device, or map
  bool Update;
  bool CopiesBack; ///< and has done so when it returns
};

static constexpr DirectiveKind Kinds[] = {
    {abi::DataBeginFunction, true, false, false},
    {abi::DataBeginNowaitFunction, true, false, false},
    {abi::DataUpdateFunction, true, true, true},
    {abi::DataUpdateNowaitFunction, true, true, false},
    {abi::DataEndFunction, false, false, true},
};

static void watch(CallBase &Call, const DirectiveKind &Kind) {
  LLVMContext &Context = Call.getContext();
  Type *Void = Type::getVoidTy(Context);
  Instruction *Next = Call.getNextNode();
  if (!Kind.CopiesBack || !Next) {
    if (Kind.CopiesTo)
      callBefore(Call, DataWatchFunction, Void, Kind.Update);
    return;
  }
  Type *Ptr = PointerType::getUnqual(Context);
  Value *Saved = callBefore(Call, UpdateBeginFunction, Ptr, Kind.Update);
  IRBuilder<>(Next).CreateCall(
      Call.getModule()->getOrInsertFunction(UpdateEndFunction, Void, Ptr),
      Saved);
}

bool watchDataDirectives(Module &M) {
  bool Changed = false;
  for (const DirectiveKind &Kind : Kinds) {
    Function *F = M.getFunction(Kind.Function);
    if (!F)
      continue;
    SmallVector<CallBase *> Calls;
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledOperand() == F &&
          Call->arg_size() >= abi::DataNumOperands && !isWatched(*Call))
        Calls.push_back(Call);
    for (CallBase *Call : Calls)
      watch(*Call, Kind);
    Changed |= !Calls.empty();
  }
  return Changed;
}

bool watchLaunch(CallBase &Launch) {
  if (isWatched(Launch))
    return false;
  IRBuilder<> B(&Launch);
  Value *Args = Launch.getArgOperand(abi::LaunchArgs);
  auto Field = [&](Type *T, uint64_t Offset) -> Value * {
    return B.CreateLoad(
        T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Args, Offset));
  };
  Type *Ptr = B.getPtrTy();
  Operands Maps;
  Maps.Device = Launch.getArgOperand(abi::LaunchDevice);
  Maps.Num = Field(B.getInt32Ty(), abi::KernelArgsNumArgsOffset);
  Maps.Ptrs = Field(Ptr, abi::KernelArgsPtrsOffset);
  Maps.Sizes = Field(Ptr, abi::KernelArgsSizesOffset);
  Maps.Types = Field(Ptr, abi::KernelArgsTypesOffset);
  Maps.Mappers = Field(Ptr, abi::KernelArgsMappersOffset);
  call(B, DataWatchFunction, B.getVoidTy(), Maps, /*Update=*/false);
  return true;
}

} // namespace ferry
