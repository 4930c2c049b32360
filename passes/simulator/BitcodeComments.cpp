//===- BitcodeComments.cpp - Bitcode as comments of PTX -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BitcodeComments.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

static constexpr StringLiteral Mark = "//.ferry.bc";
/// Characters of base64 in a line.
static constexpr size_t LineLength = 4096;

/// Takes the next line from \p Text.
static StringRef takeLine(StringRef &Text) {
  auto [Line, Rest] = Text.split('\n');
  Text = Rest;
  return Line;
}

namespace ferry {

std::string bitcodeToComments(StringRef Bitcode) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << Mark << ' ' << Bitcode.size() << ' '
     << utohexstr(xxh3_64bits(Bitcode), /*LowerCase=*/true) << '\n';
  std::string Encoded = encodeBase64(Bitcode);
  for (StringRef Rest = Encoded; !Rest.empty();
       Rest = Rest.drop_front(std::min(LineLength, Rest.size())))
    OS << Mark << ": " << Rest.take_front(LineLength) << '\n';
  return OS.str();
}

Expected<std::string> bitcodeFromComments(StringRef PTX) {
  size_t Begin = PTX.find((Mark + " ").str());
  if (Begin == StringRef::npos)
    return "";
  StringRef Rest = PTX.drop_front(Begin);
  auto [Size, Hash] = takeLine(Rest).drop_front(Mark.size() + 1).split(' ');

  std::string Encoded;
  for (StringRef Line = takeLine(Rest); Line.consume_front(Mark);
       Line = takeLine(Rest))
    if (Line.consume_front(": "))
      Encoded += Line.trim();
  std::vector<char> Bytes;
  if (Error E = decodeBase64(Encoded, Bytes))
    return std::move(E);
  std::string Bitcode(Bytes.begin(), Bytes.end());
  if (Size != utostr(Bitcode.size()) ||
      Hash.trim() != utohexstr(xxh3_64bits(Bitcode), /*LowerCase=*/true))
    return createStringError("the bitcode in its comments is damaged");
  return Bitcode;
}

std::string withoutBitcodeComments(StringRef Assembly) {
  std::string Kept;
  while (!Assembly.empty()) {
    StringRef Line = takeLine(Assembly);
    if (!Line.starts_with(Mark))
      Kept.append(Line).append("\n");
  }
  return Kept;
}

} // namespace ferry
