//===- Cubin.cpp - Device images in ELF -----------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cubin.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;
using namespace llvm::object;

template <typename T> static T readAt(StringRef File, size_t Offset) {
  T Value;
  std::memcpy(&Value, File.data() + Offset, sizeof(T));
  return Value;
}

template <typename T>
static void writeAt(std::string &File, size_t Offset, const T &Value) {
  std::memcpy(File.data() + Offset, &Value, sizeof(T));
}

template <typename T> static void append(std::string &File, const T &Value) {
  File.append(reinterpret_cast<const char *>(&Value), sizeof(T));
}

static size_t appendAligned(std::string &File, StringRef Content) {
  File.resize(alignTo(File.size(), 16));
  size_t Offset = File.size();
  File += Content;
  return Offset;
}

namespace ferry::cuda {

std::optional<StringRef> findSection(StringRef Cubin, StringRef Name) {
  Expected<ELF64LEFile> File = ELF64LEFile::create(Cubin);
  if (!File) {
    consumeError(File.takeError());
    return std::nullopt;
  }
  auto Sections = File->sections();
  if (!Sections) {
    consumeError(Sections.takeError());
    return std::nullopt;
  }
  for (const auto &Section : *Sections) {
    Expected<StringRef> Found = File->getSectionName(Section);
    if (!Found) {
      consumeError(Found.takeError());
      continue;
    }
    if (*Found != Name)
      continue;
    auto Content = File->getSectionContents(Section);
    if (Content)
      return StringRef(reinterpret_cast<const char *>(Content->data()),
                       Content->size());
    consumeError(Content.takeError());
  }
  return std::nullopt;
}

bool hasGPUCode(StringRef Cubin) {
  return !findSection(Cubin, ConstantSection);
}

StringRef findLostKernel(StringRef Cubin) {
  constexpr unsigned char IsKernel = 0x10; // STO_CUDA_ENTRY
  auto File = ELFObjectFile<ELF64LE>::create(MemoryBufferRef(Cubin, ""));
  if (!File) {
    consumeError(File.takeError());
    return "";
  }
  for (const ELFSymbolRef Symbol : File->symbols()) {
    Expected<StringRef> Name = Symbol.getName();
    if (!Name) {
      consumeError(Name.takeError());
      continue;
    }
    for (StringRef Kernel : {"nvptx$device$init", "nvptx$device$fini"})
      if (*Name == Kernel && Symbol.getELFType() == ELF::STT_FUNC &&
          !(Symbol.getOther() & IsKernel))
        return Kernel;
  }
  return "";
}

Error addSection(std::string &Cubin, StringRef Name, StringRef Content) {
  Expected<ELF64LEFile> File = ELF64LEFile::create(Cubin);
  if (!File)
    return File.takeError();
  auto Sections = File->sections();
  if (!Sections)
    return Sections.takeError();

  auto Header = readAt<ELF::Elf64_Ehdr>(Cubin, 0);
  std::vector<ELF::Elf64_Shdr> Table(Header.e_shnum);
  for (auto [Index, Section] : enumerate(Table))
    Section = readAt<ELF::Elf64_Shdr>(
        Cubin, Header.e_shoff + Index * sizeof(ELF::Elf64_Shdr));
  if (Header.e_shstrndx >= Table.size())
    return createStringError("no section names");

  // The names move to the end, to make room for one more.
  ELF::Elf64_Shdr &Names = Table[Header.e_shstrndx];
  std::string NameTable = Cubin.substr(Names.sh_offset, Names.sh_size);
  ELF::Elf64_Shdr New = {};
  New.sh_name = NameTable.size();
  New.sh_type = ELF::SHT_PROGBITS;
  New.sh_addralign = 16;
  New.sh_size = Content.size();
  NameTable.append(Name).push_back('\0');
  New.sh_offset = appendAligned(Cubin, Content);
  Names.sh_offset = appendAligned(Cubin, NameTable);
  Names.sh_size = NameTable.size();
  Table.push_back(New);

  Header.e_shoff = appendAligned(Cubin, "");
  Header.e_shnum = Table.size();
  for (const ELF::Elf64_Shdr &Section : Table)
    append(Cubin, Section);
  writeAt(Cubin, 0, Header);
  return Error::success();
}

void hideLastSection(std::string &Cubin) {
  auto Header = readAt<ELF::Elf64_Ehdr>(Cubin, 0);
  --Header.e_shnum;
  writeAt(Cubin, 0, Header);
}

void relabelForLibomptarget(std::string &Cubin) {
  if (Cubin.size() < sizeof(ELF::Elf64_Ehdr) ||
      !StringRef(Cubin).starts_with(ELF::ElfMagic))
    return;
  auto Header = readAt<ELF::Elf64_Ehdr>(Cubin, 0);
  if (Header.e_ident[ELF::EI_ABIVERSION] <= ABIVersion)
    return;
  // Version 8 has the architecture in the second byte, not in the first.
  unsigned Architecture = Header.e_flags >> 8 & 0xff;
  Header.e_ident[ELF::EI_OSABI] = OSABI;
  Header.e_ident[ELF::EI_ABIVERSION] = ABIVersion;
  Header.e_version = ToolkitVersion;
  Header.e_flags = flagsFor(Architecture);
  writeAt(Cubin, 0, Header);
}

} // namespace ferry::cuda
