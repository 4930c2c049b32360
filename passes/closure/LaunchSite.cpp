//===- LaunchSite.cpp - The kernel launches of a host module --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How Clang lowers a target region on the host (CGOpenMPRuntime.cpp,
// emitTargetCallKernelLaunch; OMPIRBuilder.cpp, emitTargetKernel):
//
//   %args = alloca %struct.__tgt_kernel_arguments
//   store ... the number of entries and the arrays' addresses into %args
//   %rc = call i32 @__tgt_target_kernel(ptr @ident, i64 device, i32 teams,
//                                       i32 threads, ptr @.K.region_id, ptr
//                                       %args)
//   br (%rc != 0), %failed, %cont
// failed:
//   call void @K(<the parameters of the host version>)
//
// The map types are a constant array, the sizes one too or copied from one.
//
//===----------------------------------------------------------------------===//

#include "LaunchSite.h"
#include "ferry/OffloadABI.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ferry {

SmallVector<CallBase *> findLaunches(Module &M) {
  SmallVector<CallBase *> Result;
  if (Function *F = M.getFunction(abi::LaunchFunction))
    for (User *U : F->users())
      if (auto *CB = dyn_cast<CallBase>(U); CB && CB->getCalledOperand() == F)
        Result.push_back(CB);
  return Result;
}

StringRef launchedKernel(const CallBase &Call) {
  if (Call.arg_size() != abi::LaunchNumOperands)
    return "";
  const Value *Region = Call.getArgOperand(abi::LaunchRegionId);
  // Of several versions, the one that has the kernel's name.
  if (const auto *Choice = dyn_cast<SelectInst>(Region))
    Region = Choice->getTrueValue();
  const auto *Id = dyn_cast<GlobalVariable>(Region->stripPointerCasts());
  if (!Id)
    return "";
  StringRef Name = Id->getName();
  if (!Name.consume_front(abi::RegionIdPrefix) ||
      !Name.consume_back(abi::RegionIdSuffix))
    return "";
  return Name;
}

/// The value stored at \p Offset of the argument block \p Args; null unless it
/// is stored exactly once.
static Value *storedField(Value *Args, uint64_t Offset, const DataLayout &DL) {
  Value *Result = nullptr;
  SmallVector<std::pair<Value *, uint64_t>> Worklist{{Args, 0}};
  while (!Worklist.empty()) {
    auto [V, At] = Worklist.pop_back_val();
    for (User *U : V->users()) {
      if (auto *G = dyn_cast<GetElementPtrInst>(U)) {
        APInt Delta(64, 0);
        if (G->accumulateConstantOffset(DL, Delta))
          Worklist.push_back({G, At + Delta.getZExtValue()});
      } else if (auto *S = dyn_cast<StoreInst>(U)) {
        if (S->getPointerOperand() != V || At != Offset)
          continue;
        if (Result)
          return nullptr;
        Result = S->getValueOperand();
      }
    }
  }
  return Result;
}

/// The constant array that \p V points to, possibly through a copy on the stack
/// that was initialised from it.
static const ConstantDataArray *constantArray(const Value *V) {
  V = V->stripPointerCasts();
  if (const auto *G = dyn_cast<GlobalVariable>(V))
    return G->isConstant() && G->hasInitializer()
               ? dyn_cast<ConstantDataArray>(G->getInitializer())
               : nullptr;
  return nullptr;
}

/// Reads the sizes: a constant array, or a stack array copied from one whose
/// elements are overwritten where the size is known only at run time.
static SmallVector<std::optional<uint64_t>>
readSizes(Value *Array, uint64_t Num, const DataLayout &DL) {
  SmallVector<std::optional<uint64_t>> Sizes(Num);
  auto Fill = [&](const Value *V) {
    const ConstantDataArray *D = constantArray(V);
    if (D && D->getNumElements() == Num && D->getElementType()->isIntegerTy(64))
      for (uint64_t I = 0; I < Num; ++I)
        Sizes[I] = D->getElementAsInteger(I);
  };
  Fill(Array);
  APInt Zero(64, 0);
  Value *Base =
      Array->stripAndAccumulateConstantOffsets(DL, Zero, /*NonInbounds=*/true);
  if (!isa<AllocaInst>(Base))
    return Sizes;
  SmallVector<std::pair<Value *, int64_t>> Worklist{{Base, 0}};
  SmallVector<int64_t> Stored;
  while (!Worklist.empty()) {
    auto [V, At] = Worklist.pop_back_val();
    for (User *U : V->users()) {
      if (auto *G = dyn_cast<GetElementPtrInst>(U)) {
        APInt Delta(64, 0);
        if (!G->accumulateConstantOffset(DL, Delta))
          return SmallVector<std::optional<uint64_t>>(Num);
        Worklist.push_back({G, At + Delta.getSExtValue()});
      } else if (auto *S = dyn_cast<StoreInst>(U)) {
        if (S->getPointerOperand() == V)
          Stored.push_back(At);
      } else if (auto *C = dyn_cast<MemCpyInst>(U)) {
        if (C->getRawDest() == V && At == 0)
          Fill(C->getRawSource());
      }
    }
  }
  for (int64_t At : Stored)
    if (At >= 0 && At % 8 == 0 && static_cast<uint64_t>(At / 8) < Num)
      Sizes[At / 8] = std::nullopt;
  return Sizes;
}

/// Whether \p V is available where \p Call stands.
static bool availableAt(const Value *V, const CallBase &Call,
                        std::optional<DominatorTree> &DT) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return true;
  if (!DT)
    DT.emplace(*const_cast<Function *>(Call.getFunction()));
  return DT->dominates(I, &Call);
}

/// Reads the arguments of the launch into \p Site.
/// \returns why they cannot be read, if they cannot.
static std::optional<Refusal> readEntries(LaunchSite &Site) {
  const DataLayout &DL = Site.Call->getDataLayout();
  Value *Args = Site.Call->getArgOperand(abi::LaunchArgs);
  if (isa<Constant>(Args))
    return Refusal::UnreadableArrays;
  Value *Version = storedField(Args, 0, DL);
  Value *Num = storedField(Args, abi::KernelArgsNumArgsOffset, DL);
  Value *Types = storedField(Args, abi::KernelArgsTypesOffset, DL);
  Value *Sizes = storedField(Args, abi::KernelArgsSizesOffset, DL);
  const auto *VersionC = dyn_cast_or_null<ConstantInt>(Version);
  const auto *NumC = dyn_cast_or_null<ConstantInt>(Num);
  if (!VersionC || !NumC || !Types || !Sizes)
    return Refusal::UnreadableArrays;
  if (VersionC->getZExtValue() != abi::KernelArgsVersion)
    return Refusal::UnknownVersion;
  if (const auto *Flags = dyn_cast_or_null<ConstantInt>(
          storedField(Args, abi::KernelArgsFlagsOffset, DL)))
    Site.NoWait = Flags->getZExtValue() & abi::KernelFlagNoWait;
  if (NumC->isZero())
    return std::nullopt;
  const ConstantDataArray *TypeArray = constantArray(Types);
  uint64_t NumEntries = NumC->getZExtValue();
  if (!TypeArray || TypeArray->getNumElements() != NumEntries ||
      !TypeArray->getElementType()->isIntegerTy(64))
    return Refusal::UnreadableArrays;
  for (uint64_t I = 0; I < NumEntries; ++I) {
    Site.Types.push_back(TypeArray->getElementAsInteger(I));
    if (abi::parentOf(Site.Types.back()) >= static_cast<int64_t>(NumEntries))
      return Refusal::UnreadableArrays;
    if (Site.Types.back() & abi::MapTargetParam)
      Site.EntryOfArgument.push_back(static_cast<unsigned>(I));
  }
  Site.Sizes = readSizes(Sizes, NumEntries, DL);
  return std::nullopt;
}

/// Finds the arguments of \p Site's kernel where the host calls it itself.
static void findFallbackArguments(LaunchSite &Site) {
  std::optional<DominatorTree> DT;
  for (User *U : Site.Kernel->users()) {
    auto *Fallback = dyn_cast<CallInst>(U);
    if (!Fallback || Fallback->getCalledFunction() != Site.Kernel ||
        Fallback->getFunction() != Site.Call->getFunction())
      continue;
    for (auto [Known, Argument] :
         zip_equal(Site.FallbackArguments, Fallback->args()))
      if (!Known && Argument->getType()->isPointerTy() &&
          availableAt(Argument, *Site.Call, DT))
        Known = Argument;
  }
}

std::variant<LaunchSite, Refusal> readLaunch(CallBase &CB) {
  auto *Call = dyn_cast<CallInst>(&CB);
  if (!Call || Call->arg_size() != abi::LaunchNumOperands ||
      !Call->getType()->isIntegerTy(32) ||
      !Call->getArgOperand(abi::LaunchDevice)->getType()->isIntegerTy(64) ||
      !Call->getArgOperand(abi::LaunchArgs)->getType()->isPointerTy())
    return Refusal::InvokedLaunch;

  LaunchSite Site;
  Site.Call = Call;
  Site.KernelName = launchedKernel(CB);
  if (Site.KernelName.empty())
    return Refusal::UnknownRegion;
  if (std::optional<Refusal> Why = readEntries(Site))
    return *Why;
  if (Site.Types.empty())
    return Site;

  Site.FallbackArguments.resize(Site.EntryOfArgument.size());
  Function *Kernel = Call->getModule()->getFunction(Site.KernelName);
  if (!Kernel || Kernel->isDeclaration())
    return Site;
  if (Kernel->arg_size() != Site.EntryOfArgument.size())
    return Refusal::ArgumentMismatch;
  Site.Kernel = Kernel;
  findFallbackArguments(Site);
  return Site;
}

} // namespace ferry
