//===- Link.cpp - One module from the device code of an image -------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input: one bitcode module for each object file, as Clang hands it to the
// NVPTX backend, which lowers each by itself. Output: one module in which only
// the kernels and the variables that the host asks for by name are visible.
//
//===----------------------------------------------------------------------===//

#include "Analyses.h"
#include "Translate.h"
#include "support/DeviceRuntime.h"
#include "support/LLVMCompat.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace ferry::sim {

static Expected<std::unique_ptr<Module>> parse(LLVMContext &Context,
                                               StringRef File) {
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> M = parseIRFile(File, Diagnostic, Context);
  if (!M)
    return createStringError("cannot read device code from '" + File +
                             "': " + Diagnostic.getMessage());
  if (!Triple(M->getTargetTriple()).isNVPTX())
    return createStringError("device code in '" + File + "' is for " +
                             targetTripleOf(*M) +
                             ", the simulator runs nvptx64");
  return std::move(M);
}

/// Whether \p M calls functions of the OpenMP device runtime that it lacks.
static bool needsRuntime(const Module &M) {
  return any_of(M, [](const Function &F) {
    return F.isDeclaration() && !F.use_empty() &&
           (F.getName().starts_with("__kmpc_") ||
            F.getName().starts_with("omp_") ||
            F.getName().starts_with("ompx_"));
  });
}

/// The names of the device runtime's own variables in shared memory, which it
/// reads and writes between barriers because the lanes of a warp run in step.
static bool isRuntimeState(StringRef Name) {
  // Several copies of the runtime in one module are told apart by a number, so
  // are the parts of a variable that was split; NVPTX writes the dot otherwise.
  for (unsigned Suffixes = 0; Suffixes < 2; ++Suffixes) {
    const StringRef Rest = Name.rtrim("0123456789");
    if (Rest.ends_with("."))
      Name = Rest.drop_back();
    else if (Rest.ends_with("_$_"))
      Name = Rest.drop_back(3);
  }
  static constexpr StringLiteral Names[] = {
      "IsSPMDMode",
      "_ZZ35__kmpc_nvptx_teams_reduce_nowait_v2E5Bound",
      "_ZZ35__kmpc_nvptx_teams_reduce_nowait_v2E14ChunkTeamCount",
      "_ZL20KernelEnvironmentPtr",
      "_ZL26KernelLaunchEnvironmentPtr",
      "_ZN12_GLOBAL__N_122SharedMemorySmartStackE",
      "_ZL29SharedMemVariableSharingSpace",
      "_ZL32SharedMemVariableSharingSpacePtr",
      "_ZL3Cnt",
      "_ZL9ThreadDST",
      "_ZN4ompx5state9TeamStateE",
      "_ZN4ompx5state12ThreadStatesE"};
  return is_contained(Names, Name) || any_of(Names, [&](StringRef N) {
           return N.rtrim("0123456789") == Name;
         });
}

/// Whether LLVM's OpenMPOpt moved \p G from the heap to shared memory
/// (HeapToShared). In kernels that it turns into SPMD kernels the main thread
/// alone writes such a variable, with a barrier behind but none in front: other
/// threads that still read the old value count on running in step.
static bool isHeapToShared(const GlobalVariable &G) {
  return G.hasInitializer() && isa<PoisonValue>(G.getInitializer()) &&
         G.getName().contains("_shared");
}

/// Finds the kernels, by their calling convention or as annotations say, and
/// the most threads that their blocks may have, which attributes or annotations
/// say.
static void findKernels(Module &M, Translation &T) {
  for (Function &F : M) {
    if (F.isDeclaration() || F.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    T.Kernels.push_back(&F);
    // "x" or "x,y,z"
    unsigned Most;
    StringRef Bound = F.getFnAttribute("nvvm.maxntid").getValueAsString();
    if (!Bound.consumeInteger(10, Most))
      T.MaxThreads[&F] = Most;
  }
  NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations");
  if (!Annotations)
    return;
  for (const MDNode *Node : Annotations->operands()) {
    auto *F = mdconst::dyn_extract_or_null<Function>(Node->getOperand(0));
    if (!F || F->isDeclaration())
      continue;
    for (unsigned I = 1; I + 1 < Node->getNumOperands(); I += 2) {
      auto *Key = dyn_cast<MDString>(Node->getOperand(I));
      auto *Value =
          mdconst::dyn_extract_or_null<ConstantInt>(Node->getOperand(I + 1));
      if (!Key || !Value)
        continue;
      if (Key->getString() == "kernel" && !is_contained(T.Kernels, F))
        T.Kernels.push_back(F);
      if (Key->getString() == "maxntidx")
        T.MaxThreads[F] = Value->getZExtValue();
    }
  }
}

/// Makes a function that calls \p Functions. Null if there are none.
static Function *makeCaller(Module &M, ArrayRef<Function *> Functions,
                            const Twine &Name) {
  if (Functions.empty())
    return nullptr;
  LLVMContext &C = M.getContext();
  auto *Caller = Function::Create(FunctionType::get(Type::getVoidTy(C), false),
                                  GlobalValue::ExternalLinkage, Name, M);
  IRBuilder<> Builder(BasicBlock::Create(C, "", Caller));
  for (Function *F : Functions)
    Builder.CreateCall(F)->setCallingConv(F->getCallingConv());
  Builder.CreateRetVoid();
  return Caller;
}

/// Makes a function of the constructors (or destructors) in \p List, as NVPTX
/// does in a way that needs symbols in the image.
static void gatherList(Module &M, StringRef List, const Twine &Name) {
  GlobalVariable *Array = M.getNamedGlobal(List);
  if (!Array)
    return;
  SmallVector<std::tuple<uint64_t, size_t, Function *>, 8> Functions;
  if (auto *Entries = dyn_cast<ConstantArray>(Array->getInitializer()))
    for (const Use &Entry : Entries->operands()) {
      auto *Fields = cast<ConstantStruct>(Entry);
      auto *F = dyn_cast<Function>(Fields->getOperand(1)->stripPointerCasts());
      if (F)
        Functions.push_back(
            {cast<ConstantInt>(Fields->getOperand(0))->getZExtValue(),
             Functions.size(), F});
    }
  Array->eraseFromParent();
  sort(Functions);
  SmallVector<Function *, 8> Ordered;
  for (auto [Priority, Place, F] : Functions)
    Ordered.push_back(F);
  makeCaller(M, Ordered, Name);
}

/// Makes the kernel \p Name of the functions that gatherList made.
static void makeKernel(Module &M, StringRef Name, Translation &T) {
  SmallVector<Function *, 8> Parts;
  for (Function &F : M)
    if (F.getName().starts_with(Name))
      Parts.push_back(&F);
  if (Function *Kernel = makeCaller(M, Parts, Name))
    T.Kernels.push_back(Kernel);
}

/// Reads one object file's code and lets the backend work on it.
static Expected<std::unique_ptr<Module>> prepare(LLVMContext &Context,
                                                 StringRef File,
                                                 TargetMachine &NVPTX,
                                                 bool Init, unsigned Number) {
  Expected<std::unique_ptr<Module>> M = parse(Context, File);
  if (!M)
    return M;
  // Device code of several object files may define a runtime function or a
  // template's kernel each: they were made to be merged.
  for (GlobalObject &G : (*M)->global_objects())
    G.setComdat(nullptr);
  if (Init) {
    gatherList(**M, "llvm.global_ctors",
               InitKernel + Twine('.') + Twine(Number));
    gatherList(**M, "llvm.global_dtors",
               FiniKernel + Twine('.') + Twine(Number));
  }
  if (Error E = runBackendPasses(**M, NVPTX))
    return std::move(E);
  return M;
}

/// Appends an error that LLVM reports to the string \p Text.
static void keepError(const DiagnosticInfo *Info, void *Text) {
  if (Info->getSeverity() != DS_Error)
    return;
  raw_string_ostream Stream(*static_cast<std::string *>(Text));
  DiagnosticPrinterRawOStream Printer(Stream);
  Info->print(Printer);
}

Expected<std::unique_ptr<Module>>
linkDevice(LLVMContext &Context, ArrayRef<std::string> Files,
           StringRef RuntimeDir, TargetMachine &NVPTX, Translation &T) {
  std::unique_ptr<Module> M;
  // Without a handler LLVM prints what the linker says, and exits.
  std::string Why;
  Context.setDiagnosticHandlerCallBack(keepError, &Why);
  const auto Reset = [](LLVMContext *C) {
    C->setDiagnosticHandlerCallBack(nullptr);
  };
  const std::unique_ptr<LLVMContext, decltype(Reset)> Restore(&Context, Reset);
  for (auto [Number, File] : enumerate(Files)) {
    Expected<std::unique_ptr<Module>> Next =
        prepare(Context, File, NVPTX, T.Init, Number);
    if (!Next)
      return Next.takeError();
    if (!M)
      M = std::move(*Next);
    else if (Linker::linkModules(*M, std::move(*Next)))
      return createStringError("device code in '" + Twine(File) +
                               "' cannot be linked with the others: " + Why);
  }
  if (needsRuntime(*M)) {
    const std::string File =
        deviceRuntimeFile(RuntimeDir, Triple(M->getTargetTriple()),
                          ("sm_" + Twine(T.Architecture)).str());
    Expected<std::unique_ptr<Module>> Runtime =
        prepare(Context, File, NVPTX, T.Init, Files.size());
    if (!Runtime)
      return Runtime.takeError();
    (*Runtime)->setDataLayout(M->getDataLayout());
    (*Runtime)->setTargetTriple(M->getTargetTriple());
    if (Linker::linkModules(*M, std::move(*Runtime), Linker::LinkOnlyNeeded))
      return createStringError("'" + File + "' cannot be linked: " + Why);
  }
  findKernels(*M, T);
  makeKernel(*M, InitKernel, T);
  makeKernel(*M, FiniKernel, T);
  for (GlobalVariable &G : M->globals())
    if (G.getAddressSpace() == 3 &&
        (isRuntimeState(G.getName()) || isHeapToShared(G)))
      T.RuntimeState.insert(&G);
  // What the host can ask for: kernels, and variables with a visible name.
  for (Function &F : *M)
    if (!F.isDeclaration() && !is_contained(T.Kernels, &F))
      F.setLinkage(GlobalValue::InternalLinkage);
  Analyses Known;
  Known.fill(PassBuilder());
  GlobalDCEPass().run(*M, Known.Modules);
  return std::move(M);
}

} // namespace ferry::sim
