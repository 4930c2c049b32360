//===- StageLibrary.cpp - The embedded staging runtime --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageLibrary.h"
#include "AddressSpace.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace llvm;

// runtime/device/Stage.cpp as bitcode; the build names the files.
#define EMBED(Name, File)                                                      \
  asm(".section .rodata\n" Name ":\n"                                          \
      ".incbin \"" File "\"\n" Name "End:\n"                                   \
      ".previous\n")
EMBED("FerryStageNVPTX", FERRY_STAGE_NVPTX);
EMBED("FerryStageAMDGCN", FERRY_STAGE_AMDGCN);
#undef EMBED

extern "C" {
#define DECLARE(Name)                                                          \
  extern const char Name[] __attribute__((visibility("hidden")));              \
  extern const char Name##End[] __attribute__((visibility("hidden")))
DECLARE(FerryStageNVPTX);
DECLARE(FerryStageAMDGCN);
#undef DECLARE
}

namespace ferry {

bool stageRuntimeFits(const Module &M) {
  Triple T(M.getTargetTriple());
  return (T.isNVPTX() && T.isArch64Bit()) || T.isAMDGCN();
}

static std::unique_ptr<Module> readRuntime(const Module &For) {
  bool NVPTX = Triple(For.getTargetTriple()).isNVPTX();
  const char *Begin = NVPTX ? FerryStageNVPTX : FerryStageAMDGCN;
  const char *End = NVPTX ? FerryStageNVPTXEnd : FerryStageAMDGCNEnd;
  StringRef Bytes(Begin, static_cast<size_t>(End - Begin));
  std::unique_ptr<Module> Runtime = cantFail(parseBitcodeFile(
      MemoryBufferRef(Bytes, "ferry-stage-runtime"), For.getContext()));
  Runtime->setTargetTriple(For.getTargetTriple());
  Runtime->setDataLayout(For.getDataLayout());
  // The target's flags are those of the program.
  if (NamedMDNode *Flags = Runtime->getModuleFlagsMetadata())
    Flags->eraseFromParent();
  for (Function &F : *Runtime) {
    F.removeFnAttr("target-cpu");
    F.removeFnAttr("target-features");
  }
  return Runtime;
}

static constexpr char Prefix[] = "__ferry_stage_";

/// The signature that \p Make gives with the types of StageFunctions.def.
template <typename Maker>
static FunctionType *signature(LLVMContext &Context, Maker Make) {
  return Make(Type::getVoidTy(Context), Type::getInt1Ty(Context),
              Type::getInt32Ty(Context), Type::getInt64Ty(Context),
              PointerType::get(Context, SharedMemory));
}

/// The signature of a function with \p Result and these parameters.
#define SIGNATURE(Result, ...)                                                 \
  signature(Context,                                                           \
            []([[maybe_unused]] Type *Void, [[maybe_unused]] Type *I1,         \
               [[maybe_unused]] Type *I32, [[maybe_unused]] Type *I64,         \
               [[maybe_unused]] Type *SharedPtr) {                             \
              return FunctionType::get(Result, {__VA_ARGS__}, false);          \
            })

static CallInst *call(IRBuilderBase &B, const Twine &Name, FunctionType *Type,
                      ArrayRef<Value *> Args) {
  FunctionCallee Callee = B.GetInsertBlock()->getModule()->getOrInsertFunction(
      (Prefix + Name).str(), Type);
  CallInst *Call = B.CreateCall(Callee, Args);
  Call->setConvergent();
  // What the program does behind it still happens.
  Call->setDoesNotThrow();
  Call->addFnAttr(Attribute::WillReturn);
  return Call;
}

Value *callStageRuntime(IRBuilderBase &B, StageFunction Function,
                        ArrayRef<Value *> Args) {
  LLVMContext &Context = B.getContext();
  switch (Function) {
#define FERRY_STAGE_FUNCTION(Kind, Name, ...)                                  \
  case StageFunction::Kind:                                                    \
    return call(B, #Name, SIGNATURE(__VA_ARGS__), Args);
#include "ferry/StageFunctions.def"
  }
  llvm_unreachable("unknown function");
}

CallInst *callStageRuntime(IRBuilderBase &B, StageCopy Copy, unsigned WordBytes,
                           ArrayRef<Value *> Args) {
  LLVMContext &Context = B.getContext();
  switch (Copy) {
#define FERRY_STAGE_COPY(Kind, Name, ...)                                      \
  case StageCopy::Kind:                                                        \
    return call(B, #Name + Twine(WordBytes), SIGNATURE(Void, __VA_ARGS__),     \
                Args);
#include "ferry/StageFunctions.def"
  }
  llvm_unreachable("unknown function");
}

bool isStageRuntime(const Function &F) {
  return F.getName().starts_with(Prefix);
}

static constexpr char SharedName[] = "ferry-shared";

void shareCode(CallBase &Call) {
  Call.addFnAttr(Attribute::get(Call.getContext(), SharedName));
}

/// A function that calls \p Copy, of the runtime, with \p Args, and takes those
/// that are null; for \p User.
static Function *createShared(Function &Copy, ArrayRef<Value *> Args,
                              const Function &User) {
  SmallVector<Type *, 16> Taken;
  for (auto [Arg, Parameter] : zip_equal(Args, Copy.args()))
    if (!Arg)
      Taken.push_back(Parameter.getType());
  auto *Shared = Function::Create(
      FunctionType::get(Copy.getReturnType(), Taken, /*isVarArg=*/false),
      GlobalValue::InternalLinkage, "__ferry_copy", Copy.getParent());
  Shared->addFnAttr(Attribute::NoInline);
  Shared->addFnAttr(Attribute::WillReturn);
  Shared->setConvergent();
  Shared->setDoesNotThrow();
  for (StringRef Target : {"target-cpu", "target-features"})
    if (Attribute A = User.getFnAttribute(Target); A.isValid())
      Shared->addFnAttr(A);
  IRBuilder<> B(BasicBlock::Create(Copy.getContext(), "", Shared));
  SmallVector<Value *, 16> All;
  auto *Own = Shared->arg_begin();
  for (Value *Arg : Args)
    All.push_back(Arg ? Arg : Own++);
  B.CreateCall(&Copy, All)->setConvergent();
  B.CreateRetVoid();
  return Shared;
}

/// Has the calls of \p Copy that are to share code call functions that do.
static void shareCalls(Function &Copy) {
  std::map<std::vector<Value *>, Function *> Known;
  for (User *U : make_early_inc_range(Copy.users())) {
    auto &Call = cast<CallBase>(*U);
    if (!Call.hasFnAttr(SharedName))
      continue;
    std::vector<Value *> Constants;
    SmallVector<Value *, 16> Others;
    for (Value *Arg : Call.args()) {
      const bool IsKnown = isa<ConstantInt>(Arg);
      Constants.push_back(IsKnown ? Arg : nullptr);
      if (!IsKnown)
        Others.push_back(Arg);
    }
    Function *&Shared = Known[Constants];
    if (!Shared)
      Shared = createShared(Copy, Constants, *Call.getFunction());
    IRBuilder<> B(&Call);
    B.CreateCall(Shared, Others)->setConvergent();
    Call.eraseFromParent();
  }
}

void inlineStageRuntime(Module &M) {
  SmallVector<std::string, 16> Names;
  for (Function &F : M)
    if (F.isDeclaration() && isStageRuntime(F))
      Names.push_back(F.getName().str());
  [[maybe_unused]] bool Failed =
      Linker::linkModules(M, readRuntime(M), Linker::Flags::LinkOnlyNeeded);
  assert(!Failed && "the runtime fits every module");
  for (const std::string &Name : Names) {
    Function *F = M.getFunction(Name);
    if (F->isDeclaration())
      report_fatal_error("the staging runtime of Ferry has no " + Twine(Name) +
                         ": it and the plugin are of different versions");
    shareCalls(*F);
    for (User *U : make_early_inc_range(F->users())) {
      InlineFunctionInfo Info;
      [[maybe_unused]] InlineResult Result =
          InlineFunction(*cast<CallBase>(U), Info);
      assert(Result.isSuccess() && "the runtime's functions can be inlined");
    }
    F->eraseFromParent();
  }
}

} // namespace ferry
