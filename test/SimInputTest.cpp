//===- SimInputTest.cpp - What ferry-sim is given -------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Command lines, settings and images, good and damaged.
//
//===----------------------------------------------------------------------===//

#include "../tools/sim/driver/ElfFile.h"
#include "../tools/sim/driver/Settings.h"
#include "../tools/sim/engine/SimABI.h"
#include "../tools/sim/gpu/DeviceTable.h"
#include "../tools/sim/runner/CommandLine.h"
#include "gtest/gtest.h"
#include <cstring>
#include <elf.h>
#include <memory>

using namespace ferry::sim;

// --- ELF files ---------------------------------------------------------------

static constexpr char Payload[] = "the translated module";

/// An image as nvlink makes it: header, the section's bytes, names, table.
static std::string makeImage() {
  const std::string Names =
      std::string("\0.shstrtab\0", 11) + ImageSection + std::string(1, '\0');
  Elf64_Ehdr Header = {};
  std::memcpy(Header.e_ident, ELFMAG, SELFMAG);
  Header.e_ident[EI_CLASS] = ELFCLASS64;
  Header.e_ident[EI_DATA] = ELFDATA2LSB;
  Header.e_machine = MachineCuda;
  Header.e_flags = 90;
  Header.e_shentsize = sizeof(Elf64_Shdr);
  Header.e_shnum = 3;
  Header.e_shstrndx = 1;
  Elf64_Shdr Sections[3] = {};
  Sections[1].sh_name = 1;
  Sections[1].sh_type = SHT_STRTAB;
  Sections[1].sh_offset = sizeof(Header) + sizeof(Payload);
  Sections[1].sh_size = Names.size();
  Sections[2].sh_name = 11;
  Sections[2].sh_type = SHT_PROGBITS;
  Sections[2].sh_offset = sizeof(Header);
  Sections[2].sh_size = sizeof(Payload);
  Header.e_shoff = sizeof(Header) + sizeof(Payload) + Names.size();
  std::string Image(reinterpret_cast<char *>(&Header), sizeof(Header));
  Image.append(Payload, sizeof(Payload));
  Image += Names;
  Image.append(reinterpret_cast<char *>(Sections), sizeof(Sections));
  return Image;
}

/// Looks for the section in a copy that ends exactly where the image does, so
/// that a sanitizer sees each step beyond it.
static bool findSection(const std::string &Image, Bytes &Found,
                        std::unique_ptr<char[]> &Copy) {
  Copy = std::make_unique<char[]>(Image.size());
  std::memcpy(Copy.get(), Image.data(), Image.size());
  ElfFile Elf;
  if (!Elf.open(Bytes(Copy.get(), Image.size()))) {
    EXPECT_NE(Elf.error(), "");
    return false;
  }
  return Elf.section(ImageSection, Found);
}

TEST(SimImage, FindsTheSection) {
  std::string Image = makeImage();
  ElfFile Elf;
  ASSERT_TRUE(Elf.open(Image)) << Elf.error();
  EXPECT_EQ(Elf.machine(), MachineCuda);
  EXPECT_EQ(Elf.flags(), 90U);
  Bytes Found;
  ASSERT_TRUE(Elf.section(ImageSection, Found));
  EXPECT_EQ(Found, Bytes(Payload, sizeof(Payload)));
  EXPECT_FALSE(Elf.section(".other", Found));
}

TEST(SimImage, NeedsNoAlignment) {
  std::string Shifted = "x" + makeImage();
  ElfFile Elf;
  Bytes Found;
  ASSERT_TRUE(Elf.open(Bytes(Shifted).substr(1)));
  EXPECT_TRUE(Elf.section(ImageSection, Found));
}

TEST(SimImage, CutOffAnywhere) {
  const std::string Image = makeImage();
  for (size_t Size = 0; Size < Image.size(); ++Size) {
    Bytes Found;
    std::unique_ptr<char[]> Copy;
    // The section table stands at the end.
    EXPECT_FALSE(findSection(Image.substr(0, Size), Found, Copy)) << Size;
  }
}

TEST(SimImage, AnyFieldDamaged) {
  const std::string Image = makeImage();
  for (size_t Offset = 0; Offset < Image.size(); ++Offset)
    for (size_t Width : {1, 2, 4, 8})
      for (char Byte : {'\0', '\x7f', '\x80', '\xff'}) {
        if (Offset + Width > Image.size())
          continue;
        std::string Damaged = Image;
        Damaged.replace(Offset, Width, Width, Byte);
        Bytes Found;
        std::unique_ptr<char[]> Copy;
        if (!findSection(Damaged, Found, Copy))
          continue;
        // Within the file, whatever it says.
        EXPECT_GE(Found.data(), Copy.get());
        EXPECT_LE(Found.data() + Found.size(), Copy.get() + Damaged.size());
      }
}

/// The image with the field of type \p T at \p Offset changed.
/// Attributes as ptxas writes them: one without a value, the registers of
/// symbols 1 and 2, something else of symbol 1.
TEST(SimElfFile, RegistersOfKernels) {
  Elf64_Sym Table[3] = {};
  Table[1].st_name = 1, Table[2].st_name = 5;
  const std::string Strings("\0one\0two\0", 9);
  const Bytes Symbols(reinterpret_cast<const char *>(Table), sizeof(Table));
  const std::string Info("\x01\x35\0\0"
                         "\x04\x2f\x08\0\x02\0\0\0\x28\0\0\0"
                         "\x04\x11\x08\0\x01\0\0\0\x07\0\0\0"
                         "\x04\x2f\x08\0\x01\0\0\0\xff\0\0\0",
                         40);
  using Map = std::map<std::string, uint32_t>;
  EXPECT_EQ(registersOf(Info, Symbols, Strings),
            (Map{{"one", 255}, {"two", 40}}));
  EXPECT_EQ(registersOf("", Symbols, Strings), Map());
  EXPECT_EQ(
      registersOf(Info, Symbols.substr(0, 2 * sizeof(Elf64_Sym)), Strings),
      (Map{{"one", 255}}));
  EXPECT_EQ(registersOf(Info, Symbols, Strings.substr(0, 8)),
            (Map{{"one", 255}}));
  for (size_t Length = 0; Length < Info.size(); ++Length)
    EXPECT_LE(registersOf(Info.substr(0, Length), Symbols, Strings).size(),
              Length / 16);
}

template <typename T>
static std::string withField(std::string Image, size_t Offset, T Value) {
  std::memcpy(Image.data() + Offset, &Value, sizeof(T));
  return Image;
}

TEST(SimImage, SaysWhatIsWrong) {
  const std::string Image = makeImage();
  auto Error = [](const std::string &Text) {
    ElfFile Elf;
    EXPECT_FALSE(Elf.open(Text));
    return Elf.error();
  };
  const std::string NoElf = "it is no 64-bit ELF file",
                    Table = "its section table is damaged",
                    Beyond = "section '.ferry.sim' goes beyond its end";
  EXPECT_EQ(Error(""), NoElf);
  EXPECT_EQ(Error("PTX"), NoElf);
  EXPECT_EQ(Error(withField<uint8_t>(Image, EI_CLASS, ELFCLASS32)), NoElf);
  EXPECT_EQ(Error(withField<uint8_t>(Image, EI_DATA, ELFDATA2MSB)), NoElf);
  EXPECT_EQ(Error(withField<uint64_t>(Image, offsetof(Elf64_Ehdr, e_shoff),
                                      UINT64_MAX - 63)),
            Table);
  EXPECT_EQ(
      Error(withField<uint16_t>(Image, offsetof(Elf64_Ehdr, e_shnum), 0xffff)),
      Table);
  EXPECT_EQ(
      Error(withField<uint16_t>(Image, offsetof(Elf64_Ehdr, e_shstrndx), 3)),
      Table);
  EXPECT_EQ(
      Error(withField<uint16_t>(Image, offsetof(Elf64_Ehdr, e_shentsize), 40)),
      Table);
  size_t Last = Image.size() - sizeof(Elf64_Shdr);
  EXPECT_EQ(Error(withField<uint64_t>(
                Image, Last + offsetof(Elf64_Shdr, sh_size), UINT64_MAX)),
            Beyond);
  EXPECT_EQ(Error(withField<uint64_t>(
                Image, Last + offsetof(Elf64_Shdr, sh_offset), Image.size())),
            Beyond);
  EXPECT_EQ(Error(withField<uint32_t>(
                Image, Last + offsetof(Elf64_Shdr, sh_name), 0xffffff)),
            Table);
}

// --- Images in a program -----------------------------------------------------

/// A packed image as clang-linker-wrapper makes it (llvm/Object/OffloadBinary).
static std::string makeOffloadBinary(const std::string &Architecture) {
  struct {
    unsigned char Magic[4] = {0x10, 0xff, 0x10, 0xad};
    uint32_t Version = 1;
    uint64_t Size = 0, EntryOffset = 32, EntrySize = 40;
    uint16_t ImageKind = 0, OffloadKind = 0;
    uint32_t Flags = 0;
    uint64_t StringOffset = 72, NumStrings = 2, ImageOffset = 0, ImageSize = 0;
    uint64_t Strings[4] = {};
  } Binary;
  std::string Strings;
  unsigned Next = 0;
  for (const std::string &Text :
       {std::string("triple"), std::string("nvptx64-nvidia-cuda"),
        std::string("arch"), Architecture}) {
    Binary.Strings[Next++] = sizeof(Binary) + Strings.size();
    Strings += Text + '\0';
  }
  std::string Image = makeImage();
  Strings.resize((Strings.size() + 7) / 8 * 8);
  Binary.ImageOffset = sizeof(Binary) + Strings.size();
  Binary.ImageSize = Image.size();
  Binary.Size = Binary.ImageOffset + Image.size();
  std::string All(reinterpret_cast<char *>(&Binary), sizeof(Binary));
  All += Strings + Image;
  All.resize((All.size() + 7) / 8 * 8);
  return All;
}

TEST(SimProgram, SeveralImages) {
  std::vector<OffloadImage> Images;
  ASSERT_TRUE(readOffloadImages(
      makeOffloadBinary("sm_80") + makeOffloadBinary("sm_90"), Images));
  ASSERT_EQ(Images.size(), 2U);
  EXPECT_EQ(Images[0].Triple, "nvptx64-nvidia-cuda");
  EXPECT_EQ(Images[0].Architecture, "sm_80");
  EXPECT_EQ(Images[1].Architecture, "sm_90");
}

TEST(SimProgram, DamagedImages) {
  const std::string Section = makeOffloadBinary("sm_90");
  for (size_t Offset = 0; Offset < Section.size(); ++Offset) {
    std::vector<OffloadImage> Images;
    auto Copy = std::make_unique<char[]>(Offset);
    std::memcpy(Copy.get(), Section.data(), Offset);
    readOffloadImages(Bytes(Copy.get(), Offset), Images);
    std::string Damaged = Section;
    Damaged.replace(Offset, 8, std::min<size_t>(8, Section.size() - Offset),
                    '\xff');
    Images.clear();
    readOffloadImages(Damaged, Images);
    for (const OffloadImage &Image : Images)
      EXPECT_LE(Image.Image.data() + Image.Image.size(),
                Damaged.data() + Damaged.size());
  }
}

TEST(SimProgram, FilesThatAreNoPrograms) {
  DeviceCode Code;
  EXPECT_FALSE(readDeviceCode("/no/such/file", Code));
  EXPECT_FALSE(readDeviceCode("/", Code));
  EXPECT_FALSE(readDeviceCode("/dev/null", Code));
  ASSERT_TRUE(readDeviceCode("/proc/self/exe", Code));
  EXPECT_TRUE(Code.IsElf);
  EXPECT_TRUE(Code.Images.empty());
}

// --- Architectures -----------------------------------------------------------

TEST(SimDeviceTable, Architectures) {
  for (uint32_t Known : {70, 75, 80, 86, 89, 90}) {
    const DeviceModel *Model = findDeviceModel(Known);
    ASSERT_TRUE(Model);
    EXPECT_EQ(parseArchitecture(("sm_" + std::to_string(Known)).c_str()),
              Known);
    EXPECT_LE(Model->sharedPerBlockOptin(), Model->sharedPerMultiprocessor());
    EXPECT_GE(Model->sharedPerBlockOptin(), SharedPerBlock);
  }
  EXPECT_FALSE(findDeviceModel(0u));
  EXPECT_FALSE(findDeviceModel(91));
  for (const char *Bad : {"", "sm_", "90", "sm_090", "sm_-1", "sm_9x", "sm_90 ",
                          "gfx90a", "sm_99999999999999999999"})
    EXPECT_EQ(parseArchitecture(Bad), 0U) << Bad;
}

TEST(SimDeviceTable, WhatRunsWhere) {
  // Those that are not in the table get the next one that runs their code.
  EXPECT_EQ(findDeviceModelFor(80)->Architecture, 80U);
  EXPECT_EQ(findDeviceModelFor(72)->Architecture, 75U);
  EXPECT_EQ(findDeviceModelFor(87)->Architecture, 89U);
  EXPECT_FALSE(findDeviceModelFor(61));
  EXPECT_FALSE(findDeviceModelFor(100));
  EXPECT_TRUE(runsOn(80, 80));
  EXPECT_TRUE(runsOn(80, 86));
  EXPECT_FALSE(runsOn(86, 80));
  EXPECT_FALSE(runsOn(80, 90));
  EXPECT_FALSE(runsOn(90, 80));
}

// --- Settings ----------------------------------------------------------------

TEST(SimSettings, Numbers) {
  uint64_t Number = 7;
  EXPECT_TRUE(parseNumber(JobsSetting, "16", Number));
  EXPECT_EQ(Number, 16U);
  EXPECT_TRUE(parseNumber(SeedSetting, "18446744073709551615", Number));
  EXPECT_EQ(Number, UINT64_MAX);
  for (const char *Bad : {"", " 1", "+1", "-1", "1 ", "0x1", "1e3", "1025", "0",
                          "18446744073709551617"}) {
    Number = 7;
    EXPECT_FALSE(parseNumber(JobsSetting, Bad, Number)) << Bad;
    EXPECT_EQ(Number, 7U) << Bad;
  }
}

TEST(SimSettings, StatusThereAndBack) {
  ProcessStatus Status, Read;
  Status.Ended = true;
  Status.Used = true;
  Status.Findings = 3;
  Status.Errors = {"one error", "error with\na break"};
  std::string Text = writeStatus(Status);
  ASSERT_TRUE(readStatus(Text, Read));
  EXPECT_TRUE(Read.Ended);
  EXPECT_TRUE(Read.Used);
  EXPECT_EQ(Read.Findings, 3U);
  ASSERT_EQ(Read.Errors.size(), 2U);
  EXPECT_EQ(Read.Errors[0], "one error");
  EXPECT_EQ(Read.Errors[1], "error with a break");
  // Without its last line it is not whole.
  EXPECT_FALSE(readStatus(Text.substr(0, Text.rfind("end ended")), Read));
  EXPECT_FALSE(readStatus("", Read));
  EXPECT_FALSE(readStatus("something else\n", Read));
}

// --- Command lines -----------------------------------------------------------

static std::string errorOf(const std::vector<std::string> &Arguments) {
  CommandLine Result;
  std::string Error;
  EXPECT_FALSE(parseCommandLine(Arguments, Result, Error));
  return Error;
}

TEST(SimCommandLine, Program) {
  for (const std::vector<std::string> &Arguments :
       std::vector<std::vector<std::string>>{
           {"--", "./app", "--strict", "--", "-x"},
           {"./app", "--strict", "--", "-x"}}) {
    CommandLine Result;
    std::string Error;
    ASSERT_TRUE(parseCommandLine(Arguments, Result, Error)) << Error;
    EXPECT_EQ(Result.Program,
              (std::vector<std::string>{"./app", "--strict", "--", "-x"}));
    EXPECT_FALSE(Result.Strict);
    EXPECT_TRUE(Result.Environment.empty());
  }
}

TEST(SimCommandLine, Options) {
  CommandLine Result;
  std::string Error;
  ASSERT_TRUE(parseCommandLine({"--json", "out.json", "--per-line", "--quiet",
                                "--strict", "--sm=sm_80", "--blocks-per-sm=4",
                                "--seed", "0", "--jobs", "2", "--devices=3",
                                "--watchdog", "99", "--", "app"},
                               Result, Error))
      << Error;
  EXPECT_EQ(Result.JsonFile, "out.json");
  EXPECT_TRUE(Result.Strict);
  EXPECT_EQ(Result.Architecture, "sm_80");
  using Variables = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(Result.Environment, (Variables{{"FERRY_SIM_PER_LINE", "1"},
                                           {"FERRY_SIM_QUIET", "1"},
                                           {"FERRY_SIM_SM", "sm_80"},
                                           {"FERRY_SIM_BLOCKS_PER_SM", "4"},
                                           {"FERRY_SIM_SEED", "0"},
                                           {"FERRY_SIM_JOBS", "2"},
                                           {"FERRY_SIM_DEVICES", "3"},
                                           {"FERRY_SIM_WATCHDOG", "99"}}));
  // Each travels in a variable that the program does not inherit otherwise.
  for (const auto &[Name, Value] : Result.Environment) {
    bool Known = false;
    for (const char *const *V = SettingVariables; *V; ++V)
      Known |= Name == *V;
    EXPECT_TRUE(Known) << Name;
  }
}

TEST(SimCommandLine, Errors) {
  EXPECT_EQ(errorOf({}), "no program is given: ferry-sim [options] -- program");
  EXPECT_EQ(errorOf({"--strict", "--"}),
            "no program is given: ferry-sim [options] -- program");
  EXPECT_EQ(errorOf({"--", ""}), "the name of the program is empty");
  EXPECT_EQ(errorOf({"--stric", "app"}),
            "unknown option '--stric' (ferry-sim --help lists them)");
  EXPECT_EQ(errorOf({"--strict=1", "app"}),
            "unknown option '--strict=1' (ferry-sim --help lists them)");
  EXPECT_EQ(errorOf({"--json"}), "option '--json' needs a value");
  EXPECT_EQ(errorOf({"--json", "--", "app"}), "option '--json' needs a value");
  EXPECT_EQ(errorOf({"--seed=", "app"}), "option '--seed' needs a value");
  EXPECT_EQ(errorOf({"--jobs", "0", "app"}),
            "option '--jobs' takes a number from 1 to 1024, not '0'");
  EXPECT_EQ(errorOf({"--devices", "many", "app"}),
            "option '--devices' takes a number from 1 to 16, not 'many'");
  EXPECT_EQ(errorOf({"--sm", "sm_12", "app"}),
            "unknown architecture 'sm_12'; known are " + knownArchitectures());
}

TEST(SimCommandLine, HelpListsEveryOption) {
  const std::string Help = HelpText;
  for (const NumberSetting &Setting :
       {BlocksPerSMSetting, SeedSetting, JobsSetting, DevicesSetting,
        WatchdogSetting})
    EXPECT_NE(Help.find(Setting.Option), std::string::npos) << Setting.Option;
  CommandLine Result;
  std::string Error;
  EXPECT_TRUE(parseCommandLine({"--help"}, Result, Error));
  EXPECT_TRUE(Result.Help);
}
