//===- Cubin.h - Device images in ELF ---------------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The object files and images that ptxas and nvlink make are called cubins.
// Those made here for the simulator hold no GPU code. They hold what Clang's
// linker wrappers and libomptarget read: the header, the symbols, and the
// values of constants.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_CUDA_CUBIN_H
#define FERRY_SIM_CUDA_CUBIN_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ferry::cuda {

// What the ELF header of a cubin says, in the form that libomptarget 19 takes.
constexpr unsigned char OSABI = 51;
constexpr unsigned char ABIVersion = 7;
/// Such headers name the toolkit, here 12.9, the last that wrote them: CUDA
/// takes what seems to be older than 12.0 for outdated.
constexpr uint32_t ToolkitVersion = 129;
constexpr uint32_t flagsFor(unsigned Architecture) {
  constexpr uint32_t UnifiedTextures = 0x100, Addresses64 = 0x400;
  return Architecture << 16 | Addresses64 | UnifiedTextures | Architecture;
}

/// The values of constants in a cubin that holds no GPU code.
constexpr llvm::StringLiteral ConstantSection = ".ferry.constants";

/// A cubin for the simulator with the symbols of \p Modules: an object file, or
/// an executable image. An error if LLVM cannot make one.
llvm::Expected<std::string>
makeCubin(llvm::ArrayRef<std::unique_ptr<llvm::Module>> Modules,
          unsigned Architecture, bool Executable);

/// Whether \p Cubin holds code for a GPU.
bool hasGPUCode(llvm::StringRef Cubin);

/// Which of the kernels that run the constructors and destructors of device
/// variables is an ordinary function in \p Cubin: libomptarget would find none
/// and run nothing. Empty if that is not so. Clang 19 compiles one in some
/// hundred such files so, by chance: its backend makes them where it may
/// remember another function (support/Retire.h).
llvm::StringRef findLostKernel(llvm::StringRef Cubin);

/// The content of a section, if the cubin has it.
std::optional<llvm::StringRef> findSection(llvm::StringRef Cubin,
                                           llvm::StringRef Name);

/// Adds a section at the end; everything else stays where it is.
llvm::Error addSection(std::string &Cubin, llvm::StringRef Name,
                       llvm::StringRef Content);

/// Undoes addSection, except that the content stays in the file.
void hideLastSection(std::string &Cubin);

/// CUDA 13 writes version 8 of the ABI, which libomptarget 19 refuses: rewrites
/// the header as version 7. The rest is laid out alike in both: of such an
/// object file CUDA's nvlink makes the same image as of the original.
void relabelForLibomptarget(std::string &Cubin);

} // namespace ferry::cuda

#endif // FERRY_SIM_CUDA_CUBIN_H
