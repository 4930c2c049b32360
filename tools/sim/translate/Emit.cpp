//===- Emit.cpp - From a device module to a shared object of the host -----===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module has host semantics by now: what is left is to call it the host's,
// to clean up what the steps before inserted, and to generate code.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "support/LLVMCompat.h"

#include "Analyses.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace ferry::sim {

Expected<std::unique_ptr<TargetMachine>> makeTarget(StringRef TripleName,
                                                    StringRef CPU,
                                                    StringRef Features,
                                                    CodeGenOptLevel Level) {
  const Triple Name(TripleName);
  std::string Error;
  const Target *T = TargetRegistry::lookupTarget(targetName(Name), Error);
  if (!T)
    return createStringError(Error);
  return std::unique_ptr<TargetMachine>(
      T->createTargetMachine(targetName(Name), CPU, Features, TargetOptions(),
                             Reloc::PIC_, std::nullopt, Level));
}

Expected<std::unique_ptr<TargetMachine>> makeHostTarget(Translation &T) {
  // Without a fused instruction each fma is a call of a library function.
  const StringMap<bool> Has = sys::getHostCPUFeatures();
  bool Modern = all_of(ArrayRef<StringRef>{"avx2", "fma", "bmi", "bmi2"},
                       [&](StringRef F) { return Has.lookup(F); });
  if (Modern)
    T.Features = {"avx2", "fma", "bmi", "bmi2"};
  // Kernels spend their time in the engine: with code that the back end has
  // optimised they run hardly faster, and take three to four times as long to
  // translate.
  return makeTarget(sys::getDefaultTargetTriple(), "x86-64",
                    Modern ? "+avx2,+fma,+bmi,+bmi2" : "",
                    CodeGenOptLevel::None);
}

/// Takes from \p M what only its old target understands, or what was true of
/// its functions before they wrote a log.
static void retarget(Module &M, TargetMachine &Host) {
  M.setTargetTriple(targetName(Host.getTargetTriple()));
  M.setDataLayout(Host.createDataLayout());
  M.setModuleInlineAsm("");
  for (StringRef Name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *G = M.getNamedGlobal(Name))
      G->eraseFromParent();
  if (NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations"))
    Annotations->eraseFromParent();
  AttributeMask Untrue;
  for (Attribute::AttrKind Kind :
       {Attribute::Memory, Attribute::NoSync, Attribute::NoFree,
        Attribute::WillReturn, Attribute::MustProgress, Attribute::Speculatable,
        Attribute::OptimizeNone, Attribute::NoInline})
    Untrue.addAttribute(Kind);
  for (StringRef Name : {"target-cpu", "target-features", "tune-cpu",
                         "frame-pointer", "probe-stack"})
    Untrue.addAttribute(Name);
  for (Function &F : M) {
    if (F.isIntrinsic())
      continue;
    F.removeFnAttrs(Untrue);
    F.setCallingConv(CallingConv::C);
    F.setVisibility(GlobalValue::DefaultVisibility);
    if (!F.isDeclaration())
      F.setLinkage(GlobalValue::InternalLinkage);
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        const Function *Callee = Call->getCalledFunction();
        if (Callee && Callee->isIntrinsic())
          continue;
        Call->setCallingConv(CallingConv::C);
        for (Attribute::AttrKind Kind : {Attribute::Memory, Attribute::NoSync})
          Call->removeFnAttr(Kind);
      }
  }
  // The table has their addresses: no name needs to be visible. Sections have a
  // meaning of their own here: the loader would run what is in .init_array.
  for (GlobalVariable &G : M.globals())
    if (!G.isDeclaration() && G.getName() != ModuleSymbol) {
      G.setSection("");
      G.setVisibility(GlobalValue::DefaultVisibility);
      G.setComdat(nullptr);
      G.setLinkage(GlobalValue::InternalLinkage);
    }
}

static void cleanUp(Module &M, TargetMachine &Host) {
  Analyses Known;
  Known.fill(PassBuilder(&Host));
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  createModuleToFunctionPassAdaptor(std::move(Passes)).run(M, Known.Modules);
}

static Error link(StringRef Linker, StringRef Object, StringRef Driver,
                  StringRef Output) {
  std::string Message;
  // The program may not have loaded the mathematics library, and the code may
  // need what processors lack: 16-bit floats, 128-bit division.
  StringRef Arguments[] = {Linker,     "-shared", "--hash-style=gnu",
                           "-z",       "defs",    "-z",
                           "now",      "-o",      Output,
                           Object,     Driver,    FERRY_BUILTINS,
                           FERRY_LIBM, FERRY_LIBC};
  if (sys::ExecuteAndWait(Linker, Arguments, std::nullopt, {}, 0, 0, &Message))
    return createStringError("'" + Linker + "' could not link the device code" +
                             (Message.empty() ? "" : ": " + Message));
  return Error::success();
}

Error emitSharedObject(Module &M, TargetMachine &Host, StringRef Linker,
                       StringRef Driver, StringRef Output) {
  retarget(M, Host);
  StripDebugInfo(M);
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(M, &Stream))
    return createStringError("the translated module is broken, which is an "
                             "error in ferry-sim-translate: " +
                             Broken);
  cleanUp(M, Host);
  SmallString<128> Object;
  int Descriptor;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("ferry-sim", "o", Descriptor, Object))
    return createStringError("cannot make a temporary file: " + EC.message());
  FileRemover Remover(Object);
  {
    raw_fd_ostream Out(Descriptor, /*shouldClose=*/true);
    legacy::PassManager Passes;
    if (Host.addPassesToEmitFile(Passes, Out, nullptr,
                                 CodeGenFileType::ObjectFile))
      return createStringError("LLVM cannot generate code for this machine");
    Passes.run(M);
  }
  return link(Linker, Object, Driver, Output);
}

} // namespace ferry::sim
