//===- MakeCubin.cpp - Device images for the simulator --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbols decide which members of a static library are linked. Of the
// constants libomptarget reads the kernels' environments from the image.
//
//===----------------------------------------------------------------------===//

#include "Cubin.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/ObjectYAML/ELFYAML.h"
#include "llvm/ObjectYAML/yaml2obj.h"

using namespace llvm;
using namespace ferry::cuda;

static constexpr StringLiteral CodeSection = ".text";
static constexpr StringLiteral VariableSection = ".ferry.variables";

/// Writes \p C to \p Out, which is zero. Addresses stay zero: they are not
/// known.
static void writeConstant(const Constant &C, const DataLayout &Layout,
                          char *Out) {
  auto WriteInteger = [&](const APInt &Value) {
    for (unsigned Bit = 0; Bit < Value.getBitWidth(); Bit += 8)
      *Out++ = static_cast<char>(Value.extractBitsAsZExtValue(
          std::min(8u, Value.getBitWidth() - Bit), Bit));
  };
  if (auto *Integer = dyn_cast<ConstantInt>(&C))
    return WriteInteger(Integer->getValue());
  if (auto *Float = dyn_cast<ConstantFP>(&C))
    return WriteInteger(Float->getValueAPF().bitcastToAPInt());
  if (auto *Data = dyn_cast<ConstantDataSequential>(&C)) {
    copy(Data->getRawDataValues(), Out);
    return;
  }
  if (auto *Array = dyn_cast<ConstantArray>(&C)) {
    uint64_t Stride =
        Layout.getTypeAllocSize(Array->getType()->getElementType());
    for (auto [Index, Element] : enumerate(Array->operands()))
      writeConstant(*cast<Constant>(Element), Layout, Out + Index * Stride);
    return;
  }
  if (auto *Struct = dyn_cast<ConstantStruct>(&C)) {
    const StructLayout *Fields = Layout.getStructLayout(Struct->getType());
    for (auto [Index, Field] : enumerate(Struct->operands()))
      writeConstant(*cast<Constant>(Field), Layout,
                    Out + Fields->getElementOffset(Index));
  }
}

namespace {
class SymbolTable {
public:
  void add(const GlobalValue &GV);
  std::vector<ELFYAML::Symbol> take();

  std::string Constants;
  uint64_t VariableBytes = 0;

private:
  void define(const GlobalVariable &Variable, ELFYAML::Symbol &Symbol);

  MapVector<StringRef, ELFYAML::Symbol> Symbols;
};
} // namespace

void SymbolTable::add(const GlobalValue &GV) {
  if (GV.hasLocalLinkage() || GV.getName().starts_with("llvm."))
    return;
  bool Defines = !GV.isDeclarationForLinker();
  if (!Defines && GV.use_empty())
    return;
  ELFYAML::Symbol &Symbol = Symbols[GV.getName()];
  if (Symbol.Section || (!Defines && !Symbol.Name.empty()))
    return;
  Symbol.Name = GV.getName();
  Symbol.Binding = GV.isWeakForLinker() || GV.hasExternalWeakLinkage()
                       ? ELF::STB_WEAK
                       : ELF::STB_GLOBAL;
  Symbol.Type = isa<Function>(GV) ? ELF::STT_FUNC : ELF::STT_OBJECT;
  if (!Defines)
    Symbol.Type = ELF::STT_NOTYPE;
  else if (auto *Variable = dyn_cast<GlobalVariable>(&GV))
    define(*Variable, Symbol);
  else
    Symbol.Section = CodeSection;
}

void SymbolTable::define(const GlobalVariable &Variable,
                         ELFYAML::Symbol &Symbol) {
  const DataLayout &Layout = Variable.getParent()->getDataLayout();
  uint64_t Size = Layout.getTypeAllocSize(Variable.getValueType());
  Align Alignment = Layout.getPreferredAlign(&Variable);
  uint64_t Offset = alignTo(
      Variable.isConstant() ? Constants.size() : VariableBytes, Alignment);
  if (Variable.isConstant()) {
    Constants.resize(Offset + Size);
    writeConstant(*Variable.getInitializer(), Layout,
                  Constants.data() + Offset);
  } else {
    VariableBytes = Offset + Size;
  }
  Symbol.Section = Variable.isConstant() ? ConstantSection : VariableSection;
  Symbol.Value = yaml::Hex64(Offset);
  Symbol.Size = yaml::Hex64(Size);
}

std::vector<ELFYAML::Symbol> SymbolTable::take() {
  std::vector<ELFYAML::Symbol> List;
  for (auto &[Name, Symbol] : Symbols)
    List.push_back(Symbol);
  return List;
}

template <typename SectionT>
static SectionT &appendSection(ELFYAML::Object &Object, StringRef Name,
                               unsigned Flags, uint64_t Size) {
  auto Section = std::make_unique<SectionT>();
  Section->Name = Name;
  Section->Flags = ELFYAML::ELF_SHF(ELF::SHF_ALLOC | Flags);
  Section->Address = yaml::Hex64(0);
  Section->AddressAlign = yaml::Hex64(16);
  Section->Size = yaml::Hex64(Size);
  Object.Chunks.push_back(std::move(Section));
  return cast<SectionT>(*Object.Chunks.back());
}

namespace ferry::cuda {

Expected<std::string> makeCubin(ArrayRef<std::unique_ptr<Module>> Modules,
                                unsigned Architecture, bool Executable) {
  SymbolTable Table;
  for (const std::unique_ptr<Module> &M : Modules)
    for (const GlobalValue &GV : M->global_values())
      Table.add(GV);

  ELFYAML::Object Object;
  Object.Header.Class = ELF::ELFCLASS64;
  Object.Header.Data = ELF::ELFDATA2LSB;
  Object.Header.OSABI = OSABI;
  Object.Header.ABIVersion = ABIVersion;
  Object.Header.Type = Executable ? ELF::ET_EXEC : ELF::ET_REL;
  Object.Header.Machine = ELFYAML::ELF_EM(ELF::EM_CUDA);
  Object.Header.Entry = 0;
  Object.Header.Flags = ELFYAML::ELF_EF(flagsFor(Architecture));
  appendSection<ELFYAML::RawContentSection>(Object, CodeSection,
                                            ELF::SHF_EXECINSTR, 0)
      .Type = ELF::SHT_PROGBITS;
  auto &Constants = appendSection<ELFYAML::RawContentSection>(
      Object, ConstantSection, ELF::SHF_WRITE, Table.Constants.size());
  Constants.Type = ELF::SHT_PROGBITS;
  Constants.Content = yaml::BinaryRef(arrayRefFromStringRef(Table.Constants));
  appendSection<ELFYAML::NoBitsSection>(Object, VariableSection, ELF::SHF_WRITE,
                                        Table.VariableBytes)
      .Type = ELF::SHT_NOBITS;
  Object.Symbols = Table.take();

  std::string Cubin, Message;
  raw_string_ostream OS(Cubin);
  if (!yaml::yaml2elf(
          Object, OS, [&](const Twine &Error) { Message = Error.str(); },
          UINT64_MAX))
    return createStringError(Message);
  return Cubin;
}

} // namespace ferry::cuda
