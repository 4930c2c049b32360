//===- LaunchRewriter.cpp - Emit a planned launch -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:
//
//   %rc = call i32 @__tgt_target_kernel(ptr @id, i64 -1, i32 0, i32 0,
//                                       ptr @.K.region_id, ptr %args)
//
// After:
//
//   store ptr %f, ptr %sources
//   %a = call ptr @__ferry_launch_begin(ptr @ferry.plan, ptr @id, i64 -1,
//                                       ptr %args, ptr %sources,
//                                       ptr %workspace, i64 824)
//   %rc = call i32 @__tgt_target_kernel(ptr @id, i64 -1, i32 0, i32 0,
//                                       ptr @.K.region_id, ptr %a)
//   call void @__ferry_launch_end(ptr %workspace, i32 %rc)
//
//===----------------------------------------------------------------------===//

#include "LaunchRewriter.h"
#include "RangeEmitter.h"
#include "ferry/LaunchState.h"
#include "support/LLVMCompat.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <cstddef>

using namespace llvm;

namespace ferry {

namespace {

// The emitter writes the fields in this order, without padding.
#define FERRY_FIELD(Struct, Field, Offset)                                     \
  static_assert(offsetof(Struct, Field) == (Offset))
FERRY_FIELD(PlanRoot, Entry, 0);
FERRY_FIELD(PlanRoot, KeptAs, 4);
FERRY_FIELD(PlanRoot, Object, 8);
FERRY_FIELD(PlanRoot, Flags, 12);
static_assert(sizeof(PlanRoot) == 16);
FERRY_FIELD(PlanObject, Begin, 0);
FERRY_FIELD(PlanObject, Size, 8);
FERRY_FIELD(PlanObject, Align, 16);
FERRY_FIELD(PlanObject, Flags, 20);
FERRY_FIELD(PlanObject, FirstSlot, 24);
FERRY_FIELD(PlanObject, NumSlots, 28);
static_assert(sizeof(PlanObject) == 32);
FERRY_FIELD(PlanSlot, Offset, 0);
FERRY_FIELD(PlanSlot, Shift, 8);
FERRY_FIELD(PlanSlot, Stride, 16);
FERRY_FIELD(PlanSlot, Limit, 24);
FERRY_FIELD(PlanSlot, Child, 32);
FERRY_FIELD(PlanSlot, EndOf, 36);
FERRY_FIELD(PlanSlot, Flags, 40);
FERRY_FIELD(PlanSlot, Range, 44);
static_assert(sizeof(PlanSlot) == 48);
FERRY_FIELD(PlanWord, Object, 0);
FERRY_FIELD(PlanWord, Size, 4);
FERRY_FIELD(PlanWord, Offset, 8);
static_assert(sizeof(PlanWord) == 16);
FERRY_FIELD(LaunchPlan, NumRoots, 0);
FERRY_FIELD(LaunchPlan, NumObjects, 4);
FERRY_FIELD(LaunchPlan, NumSlots, 8);
FERRY_FIELD(LaunchPlan, NumEntries, 12);
FERRY_FIELD(LaunchPlan, NumWords, 16);
FERRY_FIELD(LaunchPlan, Flags, 20);
FERRY_FIELD(LaunchPlan, ImageAlign, 24);
FERRY_FIELD(LaunchPlan, Reserved, 28);
FERRY_FIELD(LaunchPlan, ImageBytes, 32);
FERRY_FIELD(LaunchPlan, Roots, 40);
FERRY_FIELD(LaunchPlan, Objects, 48);
FERRY_FIELD(LaunchPlan, Slots, 56);
FERRY_FIELD(LaunchPlan, Words, 64);
FERRY_FIELD(LaunchPlan, Entries, 72);
FERRY_FIELD(LaunchPlan, Types, 80);
FERRY_FIELD(LaunchPlan, Ranges, 88);
static_assert(sizeof(LaunchPlan) == 96);
#undef FERRY_FIELD

/// Writes plan structures as constants, field by field as they are declared in
/// ferry/LaunchPlan.h.
class PlanEmitter {
public:
  explicit PlanEmitter(Module &M)
      : M(M), I32(Type::getInt32Ty(M.getContext())),
        I64(Type::getInt64Ty(M.getContext())) {}

  GlobalVariable *emit(const PlannedLaunch &Plan) {
    auto *Roots = array(Plan.Roots, "ferry.roots", [&](const PlanRoot &R) {
      return record({i32(R.Entry), i32(R.KeptAs), i32(R.Object), i32(R.Flags)});
    });
    auto *Objects =
        array(Plan.Objects, "ferry.objects", [&](const PlanObject &O) {
          return record({i64(static_cast<uint64_t>(O.Begin)), i64(O.Size),
                         i32(O.Align), i32(O.Flags), i32(O.FirstSlot),
                         i32(O.NumSlots)});
        });
    auto *Slots = array(Plan.Slots, "ferry.slots", [&](const PlanSlot &S) {
      return record(
          {i64(S.Offset), i64(static_cast<uint64_t>(S.Shift)), i64(S.Stride),
           i64(S.Limit), i32(static_cast<uint32_t>(S.Child)),
           i32(static_cast<uint32_t>(S.EndOf)), i32(S.Flags), i32(S.Range)});
    });
    auto *Words = array(Plan.Words, "ferry.words", [&](const PlanWord &W) {
      return record({i32(W.Object), i32(W.Size), i64(W.Offset)});
    });
    auto *Entries = array(Plan.Entries, "ferry.entries",
                          [&](uint32_t E) { return i32(E); });
    auto *Types =
        array(Plan.Types, "ferry.types", [&](uint64_t T) { return i64(T); });
    return global(
        record({i32(Plan.Roots.size()), i32(Plan.Objects.size()),
                i32(Plan.Slots.size()), i32(Plan.Entries.size()),
                i32(Plan.Words.size()), i32(Plan.Flags), i32(Plan.ImageAlign),
                i32(0), i64(Plan.ImageBytes), Roots, Objects, Slots, Words,
                Entries, Types, ranges(Plan)}),
        "ferry.plan");
  }

private:
  Module &M;
  Type *I32;
  Type *I64;

  Constant *i32(uint64_t V) {
    return ConstantInt::get(I32, static_cast<uint32_t>(V));
  }
  Constant *i64(uint64_t V) { return ConstantInt::get(I64, V); }
  Constant *record(ArrayRef<Constant *> Fields) {
    return ConstantStruct::getAnon(Fields);
  }

  Constant *ranges(const PlannedLaunch &Plan) {
    if (Plan.Ranges.empty())
      return ConstantPointerNull::get(PointerType::getUnqual(M.getContext()));
    return emitRanges(M, Plan.Ranges);
  }

  GlobalVariable *global(Constant *Init, StringRef Name) {
    auto *G = new GlobalVariable(M, Init->getType(), /*isConstant=*/true,
                                 GlobalValue::PrivateLinkage, Init, Name);
    G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    G->setAlignment(Align(8));
    return G;
  }

  template <typename T, typename Fn>
  Constant *array(const std::vector<T> &Values, StringRef Name, Fn Emit) {
    if (Values.empty())
      return ConstantPointerNull::get(PointerType::getUnqual(M.getContext()));
    SmallVector<Constant *> Elements;
    for (const T &V : Values)
      Elements.push_back(Emit(V));
    auto *Ty = ArrayType::get(Elements.front()->getType(), Elements.size());
    return global(ConstantArray::get(Ty, Elements), Name);
  }
};

} // namespace

/// libomptarget takes the source location apart at every launch, and Clang's
/// text for an unknown one is just long enough to be copied on the heap. \p
/// Ident, or one that says the same in fewer letters: that saves more than all
/// of Ferry's own work for a closure of one pointer (tools/bench/launch).
///
/// \param Known also where it is known.
static Value *shortLocation(Value *Ident, Module &M, bool Known) {
  constexpr StringLiteral Unknown = ";unknown;unknown;0;0;;";
  constexpr StringLiteral Short = ";;;0;0;;";
  constexpr StringLiteral Name = "ferry.unknown.location";
  auto *G = dyn_cast<GlobalVariable>(Ident);
  if (!G || !G->isConstant() || !G->hasInitializer())
    return Ident;
  auto *Fields = dyn_cast<ConstantStruct>(G->getInitializer());
  if (!Fields || Fields->getNumOperands() != 5)
    return Ident;
  auto *Source = dyn_cast<GlobalVariable>(Fields->getOperand(4));
  auto *Text = Source && Source->hasInitializer()
                   ? dyn_cast<ConstantDataArray>(Source->getInitializer())
                   : nullptr;
  if (!Text || !Text->isCString() ||
      (!Known && Text->getAsCString() != Unknown))
    return Ident;
  GlobalVariable *New = M.getGlobalVariable(Name, /*AllowInternal=*/true);
  if (New)
    return New;
  Constant *NewText = ConstantDataArray::getString(M.getContext(), Short);
  auto *NewSource =
      new GlobalVariable(M, NewText->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, NewText, Name + ".text");
  NewSource->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Constant *Length =
      ConstantInt::get(Fields->getOperand(3)->getType(), Short.size());
  New = new GlobalVariable(
      M, G->getValueType(), /*isConstant=*/true, GlobalValue::PrivateLinkage,
      ConstantStruct::get(Fields->getType(),
                          {Fields->getOperand(0), Fields->getOperand(1),
                           Fields->getOperand(2), Length, NewSource}),
      Name);
  New->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  New->setAlignment(G->getAlign());
  return New;
}

void shortenLocation(CallInst &Call, bool Known) {
  Call.setArgOperand(abi::LaunchIdent,
                     shortLocation(Call.getArgOperand(abi::LaunchIdent),
                                   *Call.getModule(), Known));
}

void rewriteLaunch(const LaunchSite &Site, const PlannedLaunch &Plan) {
  CallInst *Call = Site.Call;
  Module &M = *Call->getModule();
  LLVMContext &C = M.getContext();
  Type *Void = Type::getVoidTy(C);
  Type *I32 = Type::getInt32Ty(C);
  Type *I64 = Type::getInt64Ty(C);
  auto *Ptr = PointerType::getUnqual(C);
  FunctionCallee Begin = M.getOrInsertFunction(LaunchBeginFunction, Ptr, Ptr,
                                               Ptr, I64, Ptr, Ptr, Ptr, I64);
  FunctionCallee End = M.getOrInsertFunction(LaunchEndFunction, Void, Ptr, I32);

  uint64_t Bytes =
      workspaceBytes(Site.Types.size() + Plan.Words.size(), Plan.Objects.size(),
                     Plan.Slots.size(), Plan.ImageBytes);
  BasicBlock &Entry = Call->getFunction()->getEntryBlock();
  IRBuilder<> Allocas(&Entry, Entry.getFirstInsertionPt());
  AllocaInst *Workspace = Allocas.CreateAlloca(
      ArrayType::get(Allocas.getInt8Ty(), Bytes), nullptr, "ferry.workspace");
  Workspace->setAlignment(Align(16));
  uint64_t NumSources =
      Plan.Roots.size() +
      (Plan.Ranges.empty() ? 0 : Site.FallbackArguments.size());
  auto *SourcesTy = ArrayType::get(Ptr, NumSources);
  AllocaInst *Sources =
      Allocas.CreateAlloca(SourcesTy, nullptr, "ferry.sources");

  IRBuilder<> B(Call);
  uint64_t SourcesBytes = NumSources * sizeof(void *);
  createLifetimeStart(B, Workspace, Bytes);
  createLifetimeStart(B, Sources, SourcesBytes);
  for (const auto &[I, Argument] : enumerate(Plan.RootArguments)) {
    Value *Known = Site.FallbackArguments[Argument];
    B.CreateStore(Known ? Known : ConstantPointerNull::get(Ptr),
                  B.CreateConstInBoundsGEP2_64(SourcesTy, Sources, 0, I));
  }
  if (!Plan.Ranges.empty())
    storeRangeArguments(
        Site, Plan.Ranges, B,
        B.CreateConstInBoundsGEP2_64(SourcesTy, Sources, 0, Plan.Roots.size()));
  CallInst *NewArgs = B.CreateCall(Begin,
                                   {PlanEmitter(M).emit(Plan),
                                    Call->getArgOperand(abi::LaunchIdent),
                                    Call->getArgOperand(abi::LaunchDevice),
                                    Call->getArgOperand(abi::LaunchArgs),
                                    Sources, Workspace, B.getInt64(Bytes)},
                                   "ferry.args");
  Call->setArgOperand(abi::LaunchArgs, NewArgs);
  shortenLocation(*Call, /*Known=*/false);

  B.SetInsertPoint(Call->getNextNode());
  B.SetCurrentDebugLocation(Call->getDebugLoc());
  B.CreateCall(End, {Workspace, Call});
  createLifetimeEnd(B, Sources, SourcesBytes);
  createLifetimeEnd(B, Workspace, Bytes);
}

} // namespace ferry
