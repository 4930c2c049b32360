//===- BitcodeComments.h - Bitcode as comments of PTX -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between Clang's two device jobs, compiler and assembler, there is nothing but
// PTX text. Device code for the simulator travels in comments of it, which any
// assembler skips:
//
//   //.ferry.bc <bytes> <xxh3 of the bitcode, hexadecimal>
//   //.ferry.bc: <base64>
//   ...
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIMULATOR_BITCODECOMMENTS_H
#define FERRY_SIMULATOR_BITCODECOMMENTS_H

#include "llvm/Support/Error.h"
#include <string>

namespace ferry {

std::string bitcodeToComments(llvm::StringRef Bitcode);

/// The bitcode in the comments of \p PTX, or "" if there is none. An error if
/// the comments are damaged.
llvm::Expected<std::string> bitcodeFromComments(llvm::StringRef PTX);

/// \p Assembly without such comments.
std::string withoutBitcodeComments(llvm::StringRef Assembly);

} // namespace ferry

#endif // FERRY_SIMULATOR_BITCODECOMMENTS_H
