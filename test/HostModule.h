//===- HostModule.h - Device objects in a host's module ---------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TEST_HOSTMODULE_H
#define FERRY_TEST_HOSTMODULE_H

#include "ParseIR.h"
#include "llvm/IR/Constants.h"
#include "llvm/Object/OffloadBinary.h"
#include <string>
#include <vector>

namespace ferry::test {

/// What an assembler makes of \p M, as far as the host's compilation reads it.
inline std::string objectOf(const llvm::Module &M) {
  std::string Bytes = "\x7f"
                      "ELF and more";
  for (const llvm::GlobalVariable &G : M.globals())
    if (auto *Data =
            llvm::dyn_cast<llvm::ConstantDataSequential>(G.getInitializer()))
      Bytes += Data->getRawDataValues();
  return Bytes;
}

/// A host's module in which \p Images are embedded, as clang-offload-packager
/// lays them out.
inline std::unique_ptr<llvm::Module>
hostWith(llvm::LLVMContext &Context, const std::vector<std::string> &Images) {
  std::unique_ptr<llvm::Module> M = parseIR(Context, "");
  std::string Packed;
  for (const std::string &Image : Images) {
    llvm::object::OffloadBinary::OffloadingImage I{};
    I.TheImageKind = llvm::object::IMG_Object;
    I.TheOffloadKind = llvm::object::OFK_OpenMP;
    I.Image = llvm::MemoryBuffer::getMemBufferCopy(Image);
    Packed += llvm::object::OffloadBinary::write(I).str();
  }
  llvm::Constant *Bytes =
      llvm::ConstantDataArray::getString(Context, Packed, false);
  auto *G = new llvm::GlobalVariable(*M, Bytes->getType(), true,
                                     llvm::GlobalValue::PrivateLinkage, Bytes,
                                     "llvm.embedded.object");
  G->setSection(".llvm.offloading");
  return M;
}

} // namespace ferry::test

#endif // FERRY_TEST_HOSTMODULE_H
