//===- ElfFile.cpp - Finds sections in ELF files, whatever they hold ------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElfFile.h"
#include "../engine/SimABI.h"
#include "ferry/OffloadABI.h"
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ferry::sim;
namespace abi = ferry::abi;

/// Copies a \p T out of \p From; its place need not be aligned.
template <typename T>
static bool readAt(Bytes From, uint64_t Offset, T &Result) {
  if (Offset > From.size() || From.size() - Offset < sizeof(T))
    return false;
  std::memcpy(&Result, From.data() + Offset, sizeof(T));
  return true;
}

static bool slice(Bytes From, uint64_t Offset, uint64_t Size, Bytes &Result) {
  if (Offset > From.size() || From.size() - Offset < Size)
    return false;
  Result = From.substr(Offset, Size);
  return true;
}

/// The string that begins at \p Offset and ends within \p From.
static bool stringAt(Bytes From, uint64_t Offset, std::string_view &Result) {
  if (Offset >= From.size())
    return false;
  size_t End = From.find('\0', Offset);
  if (End == Bytes::npos)
    return false;
  Result = From.substr(Offset, End - Offset);
  return true;
}

bool ElfFile::open(Bytes Content) {
  Sections.clear();
  Elf64_Ehdr Header;
  if (!readAt(Content, 0, Header) ||
      std::memcmp(Header.e_ident, ELFMAG, SELFMAG) != 0 ||
      Header.e_ident[EI_CLASS] != ELFCLASS64 ||
      Header.e_ident[EI_DATA] != ELFDATA2LSB) {
    Error = "it is no 64-bit ELF file";
    return false;
  }
  Machine = Header.e_machine;
  Flags = Header.e_flags;
  if (Header.e_shnum == 0)
    return true;
  Elf64_Shdr Names;
  Bytes Strings;
  if (Header.e_shentsize != sizeof(Elf64_Shdr) ||
      Header.e_shstrndx >= Header.e_shnum || Header.e_shoff > Content.size() ||
      !readAt(Content, Header.e_shoff + Header.e_shstrndx * sizeof(Elf64_Shdr),
              Names) ||
      !slice(Content, Names.sh_offset, Names.sh_size, Strings)) {
    Error = "its section table is damaged";
    return false;
  }
  for (unsigned I = 0; I < Header.e_shnum; ++I) {
    Elf64_Shdr Entry;
    Section S;
    if (!readAt(Content, Header.e_shoff + I * sizeof(Elf64_Shdr), Entry) ||
        !stringAt(Strings, Entry.sh_name, S.Name)) {
      Error = "its section table is damaged";
      return false;
    }
    if (Entry.sh_type == SHT_NULL || Entry.sh_type == SHT_NOBITS)
      continue;
    if (!slice(Content, Entry.sh_offset, Entry.sh_size, S.Content)) {
      Error = "section '" + std::string(S.Name) + "' goes beyond its end";
      return false;
    }
    Sections.push_back(S);
  }
  return true;
}

bool ElfFile::section(std::string_view Name, Bytes &Result) const {
  for (const Section &S : Sections)
    if (S.Name == Name) {
      Result = S.Content;
      return true;
    }
  return false;
}

// --- Images for GPUs ---------------------------------------------------------

std::map<std::string, uint32_t>
ferry::sim::registersOf(Bytes Info, Bytes Symbols, Bytes Strings) {
  // Attributes, some of which have a value behind them (EIFMT_SVAL: as many
  // bytes as their size tells).
  struct Attribute {
    uint8_t Format, Kind;
    uint16_t Size;
  };
  struct {
    uint32_t Symbol, Registers;
  } Value;
  constexpr uint8_t Sized = 4, RegisterCount = 0x2f;
  std::map<std::string, uint32_t> Result;
  Attribute A;
  for (uint64_t At = 0; readAt(Info, At, A); At += sizeof(A)) {
    if (A.Format != Sized)
      continue;
    Elf64_Sym Symbol;
    std::string_view Name;
    if (A.Kind == RegisterCount && A.Size == sizeof(Value) &&
        readAt(Info, At + sizeof(A), Value) &&
        readAt(Symbols, uint64_t(Value.Symbol) * sizeof(Symbol), Symbol) &&
        stringAt(Strings, Symbol.st_name, Name))
      Result[std::string(Name)] = Value.Registers;
    At += A.Size;
  }
  return Result;
}

std::map<std::string, uint32_t> ferry::sim::registersOf(const ElfFile &Image) {
  Bytes Info, Symbols, Strings;
  if (!Image.section(".nv.info", Info) || !Image.section(".symtab", Symbols) ||
      !Image.section(".strtab", Strings))
    return {};
  return registersOf(Info, Symbols, Strings);
}

// --- Programs ----------------------------------------------------------------

// As in llvm/Object/OffloadBinary.h, version 1.
namespace {
struct OffloadHeader {
  unsigned char Magic[4];
  uint32_t Version;
  uint64_t Size, EntryOffset, EntrySize;
};
struct OffloadEntry {
  uint16_t ImageKind, OffloadKind;
  uint32_t Flags;
  uint64_t StringOffset, NumStrings, ImageOffset, ImageSize;
};
struct OffloadString {
  uint64_t KeyOffset, ValueOffset;
};
} // namespace

static bool readOffloadImage(Bytes Binary, const OffloadHeader &Header,
                             OffloadImage &Result) {
  OffloadEntry Entry;
  if (!readAt(Binary, Header.EntryOffset, Entry) ||
      !slice(Binary, Entry.ImageOffset, Entry.ImageSize, Result.Image) ||
      Entry.StringOffset > Binary.size() ||
      Entry.NumStrings > Binary.size() / sizeof(OffloadString))
    return false;
  for (uint64_t I = 0; I < Entry.NumStrings; ++I) {
    OffloadString String;
    std::string_view Key, Value;
    if (!readAt(Binary, Entry.StringOffset + I * sizeof(String), String) ||
        !stringAt(Binary, String.KeyOffset, Key) ||
        !stringAt(Binary, String.ValueOffset, Value))
      return false;
    if (Key == "triple")
      Result.Triple = Value;
    else if (Key == "arch")
      Result.Architecture = Value;
  }
  return true;
}

bool ferry::sim::readOffloadImages(Bytes Section,
                                   std::vector<OffloadImage> &Images) {
  constexpr unsigned char Magic[4] = {0x10, 0xff, 0x10, 0xad};
  constexpr uint64_t Alignment = 8;
  while (!Section.empty()) {
    OffloadHeader Header;
    Bytes Binary;
    OffloadImage Image;
    if (!readAt(Section, 0, Header) ||
        std::memcmp(Header.Magic, Magic, sizeof(Magic)) != 0 ||
        Header.Size < sizeof(Header) ||
        !slice(Section, 0, Header.Size, Binary) ||
        !readOffloadImage(Binary, Header, Image))
      return false;
    Images.push_back(Image);
    uint64_t Next = (Header.Size + Alignment - 1) / Alignment * Alignment;
    if (Next >= Section.size())
      break;
    Section.remove_prefix(Next);
  }
  return true;
}

/// A file in memory, as long as this lives.
namespace {
class MappedFile {
public:
  explicit MappedFile(const std::string &Path) {
    int File = ::open(Path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat Status;
    if (File < 0)
      return;
    if (::fstat(File, &Status) == 0 && S_ISREG(Status.st_mode) &&
        Status.st_size > 0) {
      size_t Size = static_cast<size_t>(Status.st_size);
      void *Address = ::mmap(nullptr, Size, PROT_READ, MAP_PRIVATE, File, 0);
      if (Address != MAP_FAILED)
        Content = Bytes(static_cast<const char *>(Address), Size);
    }
    ::close(File);
  }
  ~MappedFile() {
    if (!Content.empty())
      ::munmap(const_cast<char *>(Content.data()), Content.size());
  }
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  Bytes Content;
};
} // namespace

/// Whether one of the entries for libomptarget that Clang writes to section
/// \p Name of \p Program says that kernels use the host's memory.
template <typename EntryT>
static bool requiresUnifiedSharedMemory(const ElfFile &Program,
                                        const char *Name) {
  Bytes Section;
  if (!Program.section(Name, Section))
    return false;
  EntryT E;
  for (uint64_t At = 0; readAt(Section, At, E); At += sizeof(E))
    if (static_cast<uint32_t>(E.Flags) == abi::EntryRequirements &&
        E.Data & abi::RequiresUnifiedSharedMemory)
      return true;
  return false;
}

bool ferry::sim::readDeviceCode(const std::string &Path, DeviceCode &Code) {
  MappedFile File(Path);
  if (File.Content.empty())
    return false;
  ElfFile Program;
  Bytes Section;
  std::vector<OffloadImage> Images;
  Code.IsElf = Program.open(File.Content);
  if (Code.IsElf)
    Code.UnifiedSharedMemory =
        requiresUnifiedSharedMemory<abi::Entry19>(Program,
                                                  abi::EntrySection19) ||
        requiresUnifiedSharedMemory<abi::Entry21>(Program, abi::EntrySection21);
  if (!Code.IsElf || !Program.section(".llvm.offloading", Section) ||
      !readOffloadImages(Section, Images))
    return true;
  for (const OffloadImage &Image : Images) {
    ElfFile Device;
    Bytes Translated;
    Code.Images.push_back(
        {Image.Triple, Image.Architecture,
         Device.open(Image.Image) && Device.section(ImageSection, Translated)});
  }
  return true;
}
