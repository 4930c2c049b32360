//===- Module.cpp - What a compiler loads as Ferry ------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libferry-<version>.so and libferry-clang-<version>.so: a module that needs
// nothing of LLVM, so that any version can load it. It looks which one that is,
// and loads what Ferry is, FERRY_MODULE in the folder FERRY_MODULE_FOLDER
// beside it. In another version that one would only fail for want of a symbol,
// crash, or be ignored.
//
//===----------------------------------------------------------------------===//

// Nothing of LLVM may be referred to, not even to be checked.
#define LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING 1
#include "support/LLVMCompat.h"
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>

namespace {

[[noreturn]] void fail(const std::string &Message) {
  std::fprintf(stderr, "ferry: error: %s\n", Message.c_str());
  std::fflush(nullptr);
  std::_Exit(1);
}

/// \p Path without its folder.
std::string nameOf(const std::string &Path) {
  return Path.substr(Path.rfind('/') + 1);
}

/// Ends the program if its LLVM is not the one that \p Module is for.
void checkVersion(const std::string &Module) {
  using GetVersionTy = void(unsigned *, unsigned *, unsigned *);
  auto *GetVersion =
      reinterpret_cast<GetVersionTy *>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
  if (!GetVersion)
    return;
  unsigned Major = 0, Minor = 0, Patch = 0;
  GetVersion(&Major, &Minor, &Patch);
  if (Major == LLVM_VERSION_MAJOR)
    return;
  const std::string Own = std::to_string(LLVM_VERSION_MAJOR);
  std::string Other = nameOf(Module);
  if (const size_t At = Other.rfind(Own); At != std::string::npos)
    Other.replace(At, Own.size(), std::to_string(Major));
  fail(nameOf(Module) + " is for LLVM " + Own + ", and this is LLVM " +
       std::to_string(Major) + '.' + std::to_string(Minor) + '.' +
       std::to_string(Patch) + ": use " + Other);
}

/// Loads what the module stands for.
void *load() {
  Dl_info Here;
  if (!dladdr(reinterpret_cast<void *>(&load), &Here) || !Here.dli_fname)
    fail("the dynamic linker does not know where Ferry is");
  const std::string Module = Here.dli_fname;
  checkVersion(Module);
  const std::string Real =
      Module.substr(0, Module.size() - nameOf(Module).size()) +
      FERRY_MODULE_FOLDER "/" FERRY_MODULE;
  void *Handle = dlopen(Real.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!Handle) {
    const char *Why = dlerror();
    fail(std::string(Why ? Why : Real.c_str()) +
         "; build Ferry (tools/ferry build) or install it again (cmake "
         "--install)");
  }
  return Handle;
}

void *const Loaded = load();

} // namespace

#ifdef FERRY_PASS_PLUGIN
extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  using GetInfoTy = llvm::PassPluginLibraryInfo();
  return reinterpret_cast<GetInfoTy *>(
      dlsym(Loaded, "llvmGetPassPluginInfo"))();
}
#endif
