//===- CheckEmitter.cpp - Have launches looked at -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:
//
//   %rc = call i32 @__tgt_target_kernel(ptr @id, i64 -1, ..., ptr %args)
//
// After:
//
//   store ptr %f, ptr %arguments
//   call void @__ferry_check_begin(ptr @ferry.check, i64 -1, ptr %args,
//                                  ptr %arguments)
//   %rc = call i32 @__tgt_target_kernel(ptr @id, i64 -1, ..., ptr %args)
//   call void @__ferry_check_end(i32 %rc)
//
// and, before each directive that maps or updates data,
//
//   call void @__ferry_check_data(ptr @id, i32 1, ptr %p, ptr %names, i32 0)
//
// of which the last operand is 1 if the directive does not wait.
//
//===----------------------------------------------------------------------===//

#include "CheckEmitter.h"
#include "RangeEmitter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <cstddef>

using namespace llvm;

namespace ferry {

static constexpr StringLiteral CheckedKind = "ferry.checked";

namespace {

// The emitter writes the fields in this order, without padding.
static_assert(sizeof(CheckUse) == 24 && offsetof(CheckUse, File) == 16);
static_assert(sizeof(CheckPointer) == 64 &&
              offsetof(CheckPointer, Offset) == 8 &&
              offsetof(CheckPointer, FirstUse) == 24 &&
              offsetof(CheckPointer, Name) == 32 &&
              offsetof(CheckPointer, Word) == 48);
static_assert(sizeof(CheckPlan) == 56 && offsetof(CheckPlan, Kernel) == 16 &&
              offsetof(CheckPlan, Ranges) == 48);

/// Writes plans of checks as constants, as ferry/CheckPlan.h declares them.
class CheckPlanEmitter {
public:
  explicit CheckPlanEmitter(Module &M) : M(M), B(M.getContext()) {}

  GlobalVariable *emit(const PlannedCheck &Plan) {
    SmallVector<Constant *> Pointers, Uses;
    for (const PlannedPointer &P : Plan.Pointers) {
      Pointers.push_back(record(
          {i32(static_cast<uint32_t>(P.Parent)), i32(P.Entry),
           B.getInt64(static_cast<uint64_t>(P.Offset)), i32(P.Number),
           i32(P.Flags), i32(Uses.size()), i32(P.Uses.size()), text(P.Name),
           text(P.Own), i32(P.Word), i32(P.Stride), i32(P.Extent), i32(0)}));
      for (const PlannedUse &U : P.Uses)
        Uses.push_back(record(
            {i32(U.Range), i32(U.Size), i32(U.Line), i32(0), text(U.File)}));
    }
    Constant *Ranges = null();
    if (!Plan.Ranges.empty())
      Ranges = emitRanges(M, Plan.Ranges);
    return global(
        record({i32(Pointers.size()), i32(Plan.Ranges.size()), i32(Plan.Line),
                i32(0), text(Plan.Kernel), text(Plan.File), array(Pointers),
                array(Uses), Ranges}));
  }

private:
  Module &M;
  IRBuilder<> B;

  Constant *i32(uint64_t V) { return B.getInt32(static_cast<uint32_t>(V)); }
  Constant *null() { return ConstantPointerNull::get(B.getPtrTy()); }
  Constant *record(ArrayRef<Constant *> Fields) {
    return ConstantStruct::getAnon(Fields);
  }
  Constant *text(StringRef Text) {
    return global(ConstantDataArray::getString(M.getContext(), Text));
  }
  Constant *array(ArrayRef<Constant *> Elements) {
    if (Elements.empty())
      return null();
    return global(ConstantArray::get(
        ArrayType::get(Elements.front()->getType(), Elements.size()),
        Elements));
  }
  GlobalVariable *global(Constant *Init) {
    auto *G =
        new GlobalVariable(M, Init->getType(), /*isConstant=*/true,
                           GlobalValue::PrivateLinkage, Init, "ferry.check");
    G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return G;
  }
};

} // namespace

void emitCheck(const LaunchSite &Site, const PlannedCheck &Plan) {
  CallInst *Call = Site.Call;
  Module &M = *Call->getModule();
  BasicBlock &Entry = Call->getFunction()->getEntryBlock();
  IRBuilder<> Allocas(&Entry, Entry.getFirstInsertionPt());
  auto *Ty = ArrayType::get(Allocas.getPtrTy(), Site.FallbackArguments.size());
  AllocaInst *Arguments =
      Allocas.CreateAlloca(Ty, nullptr, "ferry.check.arguments");

  IRBuilder<> B(Call);
  Type *Ptr = B.getPtrTy();
  Value *Args = Call->getArgOperand(abi::LaunchArgs);
  Value *BasePtrs = nullptr;
  for (const auto &[I, Known] : enumerate(Site.FallbackArguments)) {
    Value *V = Known ? Known : ConstantPointerNull::get(B.getPtrTy());
    const unsigned EntryOf = Site.EntryOfArgument[I];
    // In a task the fallback's integers are not known yet.
    if (Site.Types[EntryOf] & abi::MapLiteral) {
      if (!BasePtrs)
        BasePtrs = B.CreateLoad(
            Ptr, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Args,
                                              abi::KernelArgsBasePtrsOffset));
      V = B.CreateLoad(Ptr,
                       B.CreateConstInBoundsGEP1_64(Ptr, BasePtrs, EntryOf));
    }
    B.CreateStore(V, B.CreateConstInBoundsGEP2_64(Ty, Arguments, 0, I));
  }
  FunctionCallee Begin = M.getOrInsertFunction(
      CheckBeginFunction, B.getVoidTy(), Ptr, B.getInt64Ty(), Ptr, Ptr);
  FunctionCallee End =
      M.getOrInsertFunction(CheckEndFunction, B.getVoidTy(), B.getInt32Ty());
  B.CreateCall(Begin,
               {CheckPlanEmitter(M).emit(Plan),
                Call->getArgOperand(abi::LaunchDevice), Args, Arguments});
  IRBuilder<>(Call->getNextNode()).CreateCall(End, {Call});
  Call->setMetadata(CheckedKind, MDNode::get(M.getContext(), {}));
}

bool isChecked(const CallBase &Call) { return Call.hasMetadata(CheckedKind); }

bool tellNamesOfData(Module &M) {
  bool Changed = false;
  for (StringRef Name : {abi::DataBeginFunction, abi::DataBeginNowaitFunction,
                         abi::DataUpdateFunction, abi::DataUpdateNowaitFunction,
                         abi::DataEndFunction, abi::DataEndNowaitFunction}) {
    Function *F = M.getFunction(Name);
    if (!F)
      continue;
    for (User *U : F->users()) {
      auto *Call = dyn_cast<CallBase>(U);
      if (!Call || Call->getCalledOperand() != F || isChecked(*Call) ||
          Call->arg_size() < abi::DataNumOperands)
        continue;
      IRBuilder<> B(Call);
      Type *Ptr = B.getPtrTy();
      Type *Int = B.getInt32Ty();
      B.CreateCall(M.getOrInsertFunction(CheckDataFunction, B.getVoidTy(), Ptr,
                                         Int, Ptr, Ptr, Int),
                   {Call->getArgOperand(abi::DataIdent),
                    Call->getArgOperand(abi::DataNum),
                    Call->getArgOperand(abi::DataPtrs),
                    Call->getArgOperand(abi::DataNames),
                    B.getInt32(Name.contains("_nowait_"))});
      Call->setMetadata(CheckedKind, MDNode::get(M.getContext(), {}));
      Changed = true;
    }
  }
  return Changed;
}

} // namespace ferry
