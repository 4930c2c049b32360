//===- SimCubinTest.cpp - Headers of device images ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What nvlink makes of the images of CUDA 13, without a toolkit. The headers
// of version 8 are those that ptxas 13.0 writes.
//
//===----------------------------------------------------------------------===//

#include "../tools/sim/cuda/Cubin.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ObjectYAML/yaml2obj.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/YAMLTraits.h"
#include "gtest/gtest.h"
#include <cstring>
#include <elf.h>

using namespace ferry::cuda;
using namespace llvm;

static std::string makeCubin(unsigned char OSABI, unsigned char Version,
                             unsigned Toolkit, unsigned Flags) {
  Elf64_Ehdr Header = {};
  std::memcpy(Header.e_ident, ELFMAG, SELFMAG);
  Header.e_ident[EI_CLASS] = ELFCLASS64;
  Header.e_ident[EI_DATA] = ELFDATA2LSB;
  Header.e_ident[EI_VERSION] = EV_CURRENT;
  Header.e_ident[EI_OSABI] = OSABI;
  Header.e_ident[EI_ABIVERSION] = Version;
  Header.e_type = ET_EXEC;
  Header.e_machine = 190;
  Header.e_version = Toolkit;
  Header.e_flags = Flags;
  Header.e_shoff = 0x1288;
  Header.e_shnum = 18;
  return std::string(reinterpret_cast<char *>(&Header), sizeof(Header)) +
         "code and data";
}

/// An object file of ptxas with a kernel of LLVM's, whose other bits are \p
/// Other.
static std::string makeObject(StringRef Kernel, const char *Other) {
  const std::string Text =
      formatv("--- !ELF\nFileHeader: {{ Class: ELFCLASS64, Data: ELFDATA2LSB, "
              "Type: ET_REL, Machine: EM_CUDA }\nSections: [{{ Name: .text, "
              "Type: SHT_PROGBITS }]\nSymbols: [{{ Name: __init_array_end, "
              "Type: STT_OBJECT, Section: .text }, {{ Name: {0}, Type: "
              "STT_FUNC, Section: .text, Binding: STB_WEAK, Other: [{1}] }]\n",
              Kernel, Other);
  SmallString<0> Object;
  raw_svector_ostream OS(Object);
  yaml::Input In(Text);
  EXPECT_TRUE(yaml::convertYAML(
      In, OS, [](const Twine &Message) { ADD_FAILURE() << Message.str(); }));
  return std::string(Object);
}

TEST(SimCubin, FunctionsInThePlaceOfConstructorsKernelsAreFound) {
  EXPECT_EQ(findLostKernel(makeObject("nvptx$device$init", "")),
            "nvptx$device$init");
  EXPECT_EQ(findLostKernel(makeObject("nvptx$device$fini", "")),
            "nvptx$device$fini");
  EXPECT_EQ(findLostKernel(makeObject("nvptx$device$init", "0x10")), "");
  EXPECT_EQ(findLostKernel(makeObject("f", "")), "");
  EXPECT_EQ(findLostKernel("no object file"), "");
}

TEST(SimCubin, ImagesOfCuda13BecomeThoseOfCuda12) {
  std::string Cubin = makeCubin(0x41, 8, 1, 0x6005a04);
  relabelForLibomptarget(Cubin);
  EXPECT_EQ(Cubin, makeCubin(0x33, 7, 129, 0x5a055a));
}

TEST(SimCubin, TheArchitectureIsKept) {
  std::string Cubin = makeCubin(0x41, 8, 1, 0x6004b04);
  relabelForLibomptarget(Cubin);
  EXPECT_EQ(Cubin, makeCubin(0x33, 7, 129, 0x4b054b));
}

TEST(SimCubin, OtherImagesAreLeftAsTheyAre) {
  const std::string Old = makeCubin(0x33, 7, 124, 0x5a055a);
  for (const std::string &Original :
       {Old, std::string(), Old.substr(0, 40), std::string(100, 'x')}) {
    std::string Cubin = Original;
    relabelForLibomptarget(Cubin);
    EXPECT_EQ(Cubin, Original);
  }
}
