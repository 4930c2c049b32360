//===- PreparedCode.cpp - A file's device code for staging at the link ----===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PreparedCode.h"
#include "FunctionTransfer.h"
#include "stage/common/KernelLimits.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/MD5.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ferry {

static constexpr char Prepared[] = "ferry.prepared";

/// Where what is in a node of code stands in it; behind that, pairs of a name
/// and a global value.
enum PreparedOperand : unsigned { KeyOperand, CodeOperand, FirstPlace };

//===----------------------------------------------------------------------===//
// When a file is compiled
//===----------------------------------------------------------------------===//

/// Makes of the alias or resolver \p G a declaration of what it stands for.
static void declare(GlobalValue &G) {
  Module &M = *G.getParent();
  GlobalValue *Declared;
  if (auto *Type = dyn_cast<FunctionType>(G.getValueType()))
    Declared = Function::Create(Type, GlobalValue::ExternalLinkage,
                                G.getAddressSpace(), "", &M);
  else
    Declared = new GlobalVariable(
        M, G.getValueType(), /*isConstant=*/false, GlobalValue::ExternalLinkage,
        nullptr, "", nullptr, GlobalValue::NotThreadLocal, G.getAddressSpace());
  Declared->takeName(&G);
  G.replaceAllUsesWith(Declared);
  G.eraseFromParent();
}

/// Erases what nothing uses and no other file can refer to.
template <typename RangeT> static bool eraseUnusedOf(RangeT Values) {
  bool Any = false;
  for (GlobalValue &G : make_early_inc_range(Values)) {
    G.removeDeadConstantUsers();
    if (G.use_empty() && (G.isDeclaration() || G.isDiscardableIfUnused())) {
      G.eraseFromParent();
      Any = true;
    }
  }
  return Any;
}

/// Leaves of \p Code what staging needs.
static void strip(Module &Code) {
  for (NamedMDNode &Node : make_early_inc_range(Code.named_metadata()))
    // The version of debug information, and what it is of.
    if (Node.getName() != "llvm.module.flags" &&
        Node.getName() != "llvm.dbg.cu")
      Node.eraseFromParent();
  Code.setModuleInlineAsm("");
  for (GlobalAlias &A : make_early_inc_range(Code.aliases()))
    declare(A);
  for (GlobalIFunc &I : make_early_inc_range(Code.ifuncs()))
    declare(I);
  declareVariables(Code);
  while (eraseUnusedOf(Code.functions()) || eraseUnusedOf(Code.globals()))
    ;
}

/// What the functions and variables of \p Code, a copy by \p Map of \p Other's
/// or else of \p M, are in \p M, by their names in it. What has no name there
/// gets one.
static StringMap<GlobalValue *> placesOf(Module &M, const ModuleCopy *Other,
                                         const ValueToValueMapTy &Map) {
  StringMap<GlobalValue *> Places;
  for (GlobalValue &G : (Other ? Other->module() : M).global_values()) {
    Value *Copy = Map.lookup(&G);
    if (!Copy->hasName())
      Copy->setName("unnamed");
    // A function of the file's alone may take other arguments there by now.
    if (!Other)
      Places[Copy->getName()] = &G;
    else if (!isa<Function>(G) || !G.hasLocalLinkage())
      Places[Copy->getName()] = Other->original(G);
  }
  return Places;
}

/// \p Code as metadata of \p M, where its names are at \p Places.
static void write(const Module &Code, Module &M,
                  const StringMap<GlobalValue *> &Places) {
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(Code, OS);
  LLVMContext &C = M.getContext();
  Metadata *Key =
      MDString::get(C, toHex(MD5::hash(arrayRefFromStringRef(OS.str()))));
  SmallVector<Metadata *, 64> Operands{Key, MDString::get(C, OS.str())};
  for (const GlobalValue &G : Code.global_values()) {
    GlobalValue *Place = Places.lookup(G.getName());
    if (auto *F = dyn_cast<Function>(&G); !Place || (F && F->isIntrinsic()))
      continue;
    Operands.push_back(MDString::get(C, G.getName()));
    Operands.push_back(ConstantAsMetadata::get(Place));
    if (auto *F = dyn_cast<Function>(&G); F && !F->isDeclaration())
      cast<Function>(Place)->setMetadata(Prepared, MDNode::get(C, Key));
  }
  M.getOrInsertNamedMetadata(Prepared)->addOperand(MDNode::get(C, Operands));
}

void addPreparedCode(Module &M, const ModuleCopy *Other,
                     const StageOptions &Options) {
  if (none_of(kernelsOf(M), [&](Function *F) {
        return Options.modeFor(F->getName()) != StageMode::Off;
      }))
    return;
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Code = CloneModule(Other ? Other->module() : M, Map);
  for (Function *Kernel : kernelsOf(*Code))
    if (!noteStageOptions(*Kernel, Options))
      Kernel->deleteBody();
  const StringMap<GlobalValue *> Places = placesOf(M, Other, Map);
  strip(*Code);
  write(*Code, M, Places);
}

//===----------------------------------------------------------------------===//
// When a program is linked
//===----------------------------------------------------------------------===//

static StringRef keyOf(const MDNode &Node) {
  return cast<MDString>(Node.getOperand(KeyOperand))->getString();
}

/// Whether the definition of \p F in the program is from the file of \p Key.
static bool isFrom(const Function &F, StringRef Key) {
  const MDNode *Of = F.getMetadata(Prepared);
  return Of && keyOf(*Of) == Key;
}

/// The code of \p Node, or none if this version of LLVM cannot read it.
static std::optional<PreparedCode> read(const MDNode &Node, LLVMContext &C) {
  StringRef Bitcode = cast<MDString>(Node.getOperand(CodeOperand))->getString();
  Expected<std::unique_ptr<Module>> Code =
      parseBitcodeFile(MemoryBufferRef(Bitcode, Prepared), C);
  if (!Code) {
    consumeError(Code.takeError());
    return std::nullopt;
  }
  PreparedCode Read{std::move(*Code), {}, {}};
  for (unsigned I = FirstPlace; I + 1 < Node.getNumOperands(); I += 2) {
    // What nothing in the program uses any more, it need not have.
    auto *There =
        dyn_cast_or_null<ConstantAsMetadata>(Node.getOperand(I + 1).get());
    auto *Place = There ? dyn_cast<GlobalValue>(There->getValue()) : nullptr;
    GlobalValue *G = Read.Code->getNamedValue(
        cast<MDString>(Node.getOperand(I))->getString());
    if (!G || !Place)
      continue;
    auto *F = dyn_cast<Function>(G);
    auto *Of = dyn_cast<Function>(Place);
    const bool Same = F && Of && !F->isDeclaration() && !Of->isDeclaration() &&
                      F->getFunctionType() == Of->getFunctionType() &&
                      isFrom(*Of, keyOf(Node));
    if (Same)
      Read.Functions.push_back({F, Of});
    // What is the file's alone and has changed, the code has for itself.
    if (Same || !F || !F->hasLocalLinkage())
      Read.Places.push_back({G, Place});
  }
  return Read;
}

std::vector<PreparedCode> takePreparedCode(Module &M) {
  std::vector<PreparedCode> Codes;
  if (NamedMDNode *Nodes = M.getNamedMetadata(Prepared)) {
    // Of two files with the same code nobody knows what is from which.
    StringMap<unsigned> Files;
    for (const MDNode *Node : Nodes->operands())
      ++Files[keyOf(*Node)];
    for (const MDNode *Node : Nodes->operands())
      if (Files[keyOf(*Node)] == 1)
        if (std::optional<PreparedCode> Code = read(*Node, M.getContext()))
          Codes.push_back(std::move(*Code));
  }
  removePreparedCode(M);
  return Codes;
}

void removePreparedCode(Module &M) {
  NamedMDNode *Nodes = M.getNamedMetadata(Prepared);
  if (!Nodes)
    return;
  Nodes->eraseFromParent();
  for (Function &F : M)
    F.setMetadata(Prepared, nullptr);
}

} // namespace ferry
