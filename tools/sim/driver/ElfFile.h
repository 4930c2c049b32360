//===- ElfFile.h - Finds sections in ELF files, whatever they hold --------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device images and programs come from outside, so every offset and size in
// them is checked before it is used.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_ELFFILE_H
#define FERRY_SIM_ELFFILE_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::sim {

/// Bytes that are in memory already.
using Bytes = std::string_view;

constexpr uint16_t MachineCuda = 190; ///< EM_CUDA

/// A 64-bit little-endian ELF file.
class ElfFile {
public:
  /// Reads the header and the section table. False if \p Content is no such
  /// file or damaged; error() says why.
  bool open(Bytes Content);
  const std::string &error() const { return Error; }

  uint16_t machine() const { return Machine; }
  uint32_t flags() const { return Flags; }
  /// The bytes of the first section of this name. False if there is none, or
  /// it has no bytes in the file.
  bool section(std::string_view Name, Bytes &Result) const;

private:
  struct Section {
    std::string_view Name;
    Bytes Content;
  };
  std::vector<Section> Sections;
  uint16_t Machine = 0;
  uint32_t Flags = 0;
  std::string Error;
};

/// The registers of a thread that ptxas gave each kernel, by the kernel's name.
/// \p Info, \p Symbols and \p Strings: sections .nv.info, .symtab and .strtab
/// of an image for GPUs. What is damaged is left out.
std::map<std::string, uint32_t> registersOf(Bytes Info, Bytes Symbols,
                                            Bytes Strings);
/// Those of \p Image; none if ptxas did not make it.
std::map<std::string, uint32_t> registersOf(const ElfFile &Image);

/// A device image in a program.
struct OffloadImage {
  std::string Triple;       ///< "nvptx64-nvidia-cuda"
  std::string Architecture; ///< "sm_90"
  Bytes Image;
};

/// Reads the images that clang-linker-wrapper packs, one behind the other, into
/// section ".llvm.offloading". False if they are damaged.
bool readOffloadImages(Bytes Section, std::vector<OffloadImage> &Images);

/// What a program's device code was built for.
struct DeviceCode {
  struct Image {
    std::string Triple, Architecture;
    bool Translated; ///< has the section that --ferry-sim adds
  };
  bool IsElf = false;
  std::vector<Image> Images;
  /// It has "requires unified_shared_memory".
  bool UnifiedSharedMemory = false;
};
/// Looks into the program or shared library at \p Path. False if it cannot be
/// read.
bool readDeviceCode(const std::string &Path, DeviceCode &Code);

} // namespace ferry::sim

#endif // FERRY_SIM_ELFFILE_H
