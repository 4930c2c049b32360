//===- DeviceEvidence.cpp - What the device's code uses -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the device's object:
//
//   @__ferry_uses_5e6a... = weak_odr constant [n x i8] c"FERRY-USES:412:{...}"
//
// As a constant that other objects may name it survives every assembler and
// linker that device code goes through, and stands in cubins, ELF objects and
// what the simulator runs as these very bytes. Bitcode, which link-time
// optimisation of device code leaves, is read instead of searched.
//
//===----------------------------------------------------------------------===//

#include "DeviceEvidence.h"
#include "EvidenceText.h"
#include "ferry/OffloadABI.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace ferry {

/// Before the text of an object's evidence.
static constexpr StringLiteral Mark = "FERRY-USES:";
static constexpr StringLiteral VariablePrefix = "__ferry_uses_";

//===----------------------------------------------------------------------===//
// In the device's module
//===----------------------------------------------------------------------===//

/// Leaves in \p M the object whose attributes \p Write writes.
static void leave(Module &M, function_ref<void(json::OStream &)> Write) {
  std::string JSON;
  raw_string_ostream OS(JSON);
  json::OStream J(OS);
  J.object([&] { Write(J); });
  std::string Text = (Mark + Twine(JSON.size()) + ":" + JSON).str();
  Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text,
                                                 /*AddNull=*/false);
  auto *G = new GlobalVariable(
      M, Bytes->getType(), /*isConstant=*/true, GlobalValue::WeakODRLinkage,
      Bytes, VariablePrefix + Twine::utohexstr(xxh3_64bits(Text)));
  G->setVisibility(GlobalValue::ProtectedVisibility);
  G->setAlignment(Align(1));
  appendToCompilerUsed(M, {G});
}

void writeEvidence(Module &M, const EvidenceTable &Kernels) {
  leave(M, [&](json::OStream &J) {
    for (const auto &[Name, Kernel] : Kernels)
      J.attributeObject(Name, [&, &Kernel = Kernel] {
        J.attributeBegin("paths");
        writePaths(J, Kernel.Paths);
        J.attributeEnd();
        J.attributeBegin("words");
        writeWords(J, Kernel.Words);
        J.attributeEnd();
      });
  });
}

void writeVersions(const Function &Kernel, const VersionChoice &Choice) {
  leave(*const_cast<Function &>(Kernel).getParent(), [&](json::OStream &J) {
    J.attributeObject(Kernel.getName(), [&] {
      J.attributeBegin("staged");
      writeChoice(J, Choice);
      J.attributeEnd();
    });
  });
}

//===----------------------------------------------------------------------===//
// In the host's module
//===----------------------------------------------------------------------===//

SmallVector<std::string> evidenceIn(MemoryBufferRef Image) {
  SmallVector<std::string> Texts;
  auto Search = [&](StringRef Bytes) {
    for (size_t At = 0; (At = Bytes.find(Mark, At)) != StringRef::npos;) {
      At += Mark.size();
      StringRef Rest = Bytes.drop_front(At);
      uint64_t Size;
      if (!Rest.consumeInteger(10, Size) && Rest.consume_front(":") &&
          Size <= Rest.size())
        Texts.push_back(Rest.take_front(Size).str());
    }
  };
  if (identify_magic(Image.getBuffer()) != file_magic::bitcode) {
    Search(Image.getBuffer());
    return Texts;
  }
  LLVMContext Context;
  auto M = getLazyBitcodeModule(Image, Context);
  if (!M) {
    consumeError(M.takeError());
    return Texts;
  }
  for (const GlobalVariable &G : (*M)->globals())
    if (G.getName().starts_with(VariablePrefix) && G.hasInitializer())
      if (auto *Data = dyn_cast<ConstantDataSequential>(G.getInitializer()))
        Search(Data->getRawDataValues());
  return Texts;
}

/// The device images that Clang embedded in \p M.
static SmallVector<object::OffloadFile> embeddedImages(const Module &M) {
  SmallVector<object::OffloadFile> Images;
  for (const GlobalVariable &G : M.globals()) {
    if (G.getSection() != ".llvm.offloading" || !G.hasInitializer())
      continue;
    auto *Data = dyn_cast<ConstantDataSequential>(G.getInitializer());
    if (!Data)
      continue;
    // Where the data lies need not be aligned as the reader wants it.
    auto Copy = MemoryBuffer::getMemBufferCopy(Data->getRawDataValues());
    consumeError(
        object::extractOffloadBinaries(Copy->getMemBufferRef(), Images));
  }
  return Images;
}

DeviceEvidence DeviceEvidence::read(const Module &M) {
  DeviceEvidence Result;
  for (const object::OffloadFile &File : embeddedImages(M)) {
    const object::OffloadBinary &Binary = *File.getBinary();
    if (Binary.getOffloadKind() != object::OFK_OpenMP)
      continue;
    // An image without evidence counts, and so nothing is known for all.
    ++Result.NumImages;
    Result.Elsewhere |= Triple(Binary.getTriple()).getArch() !=
                        Triple(M.getTargetTriple()).getArch();
    // What the simulator runs has it twice: as data, and in the code it
    // carries.
    std::set<std::string> Texts;
    for (std::string &Text :
         evidenceIn(MemoryBufferRef(Binary.getImage(), "device image")))
      if (Texts.insert(Text).second)
        Result.add(Text);
  }
  return Result;
}

DeviceEvidence DeviceEvidence::of(EvidenceTable Kernels, bool Elsewhere) {
  DeviceEvidence Result;
  Result.NumImages = 1;
  Result.Elsewhere = Elsewhere;
  for (auto &[Name, Kernel] : Kernels)
    Result.add(Name, std::move(Kernel));
  return Result;
}

void DeviceEvidence::add(StringRef Text) {
  Expected<json::Value> V = json::parse(Text);
  if (!V) {
    consumeError(V.takeError());
    return;
  }
  // Numbers of comparisons in one image are far below this.
  const unsigned FirstComparison = NumImages << 24;
  if (const json::Object *Object = V->getAsObject())
    for (const auto &[Name, Value] : *Object) {
      const json::Object *Kernel = Value.getAsObject();
      if (const json::Array *Staged =
              Kernel ? Kernel->getArray("staged") : nullptr)
        if (auto Choice = readChoice(*Staged))
          add(Name.str(), std::move(*Choice));
      const json::Array *Roots = Kernel ? Kernel->getArray("paths") : nullptr;
      const json::Array *List = Kernel ? Kernel->getArray("words") : nullptr;
      if (!Roots || !List)
        continue;
      auto Paths = readPaths(*Roots, FirstComparison);
      auto Words = readWords(*List);
      if (Paths && Words)
        add(Name.str(), {std::move(*Paths), std::move(*Words)});
    }
}

/// Nothing is surely accessed by \p N or behind it.
static void forgetCertain(PathNode &N) {
  N.Certain.clear();
  for (auto &[Offset, Inner] : N.Members)
    forgetCertain(*Inner);
  for (auto &[Place, Inner] : N.Elements)
    forgetCertain(*Inner);
}

/// Keeps of what \p A and \p B, uses by two devices, surely access what both
/// do.
static void keepCommon(PathNode &A, PathNode &B) {
  erase_if(A.Certain, [&](const auto &Access) {
    return !is_contained(B.Certain, Access);
  });
  B.Certain = A.Certain;
  auto Each = [](auto &Mine, auto &Theirs) {
    for (auto &[Place, Inner] : Mine) {
      auto It = Theirs.find(Place);
      if (It == Theirs.end())
        forgetCertain(*Inner);
      else
        keepCommon(*Inner, *It->second);
    }
    for (auto &[Place, Inner] : Theirs)
      if (!Mine.count(Place))
        forgetCertain(*Inner);
  };
  Each(A.Members, B.Members);
  Each(A.Elements, B.Elements);
}

void DeviceEvidence::add(const std::string &Name, KernelEvidence Evidence) {
  auto [It, First] = Kernels.try_emplace(Name);
  Kernel &K = It->second;
  if (K.LastImage != NumImages)
    ++K.NumImages;
  K.LastImage = NumImages;
  if (First) {
    static_cast<KernelEvidence &>(K) = std::move(Evidence);
    return;
  }
  // Not only the words differ where the parameters do.
  K.Differs |=
      K.Words != Evidence.Words || K.Paths.size() != Evidence.Paths.size();
  for (auto [Mine, Theirs] : zip(K.Paths, Evidence.Paths)) {
    keepCommon(Mine, Theirs);
    Mine.merge(Theirs);
  }
}

void DeviceEvidence::add(const std::string &Name, VersionChoice Choice) {
  Versions &V = Choices[Name];
  if (V.LastImage != NumImages)
    ++V.NumImages;
  V.LastImage = NumImages;
  append_range(V.Choice, std::move(Choice));
}

VersionChoice DeviceEvidence::choiceFor(StringRef Name) const {
  auto It = Choices.find(Name);
  return It != Choices.end() && It->second.NumImages == NumImages
             ? It->second.Choice
             : VersionChoice();
}

const KernelEvidence *DeviceEvidence::find(StringRef Name) const {
  auto It = Kernels.find(Name);
  return It != Kernels.end() && It->second.NumImages == NumImages &&
                 !It->second.Differs
             ? &It->second
             : nullptr;
}

std::vector<StringRef> DeviceEvidence::kernelsWithWords() const {
  std::vector<StringRef> Names;
  for (const auto &[Name, K] : Kernels)
    if (!K.Words.empty())
      Names.push_back(Name);
  return Names;
}

std::vector<StringRef> DeviceEvidence::conflicts() const {
  std::vector<StringRef> Names;
  for (const auto &[Name, K] : Kernels)
    if (K.Differs || (!K.Words.empty() && K.NumImages != NumImages))
      Names.push_back(Name);
  return Names;
}

} // namespace ferry
