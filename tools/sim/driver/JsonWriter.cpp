//===- JsonWriter.cpp - Writes JSON ---------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonWriter.h"
#include <charconv>
#include <cstdio>
#include <iterator>

using namespace ferry::sim;

/// The bytes of the UTF-8 character at the begin of \p Text, or 0 if there is
/// none (RFC 3629).
static size_t utf8Length(std::string_view Text) {
  auto Byte = [&](size_t I) { return static_cast<unsigned char>(Text[I]); };
  size_t Length = Byte(0) < 0x80   ? 1
                  : Byte(0) < 0xc2 ? 0
                  : Byte(0) < 0xe0 ? 2
                  : Byte(0) < 0xf0 ? 3
                  : Byte(0) < 0xf5 ? 4
                                   : 0;
  if (Length > Text.size())
    return 0;
  for (size_t I = 1; I < Length; ++I)
    if ((Byte(I) & 0xc0) != 0x80)
      return 0;
  // Longer than needed, half of a surrogate pair, beyond the last character.
  if ((Byte(0) == 0xe0 && Byte(1) < 0xa0) ||
      (Byte(0) == 0xed && Byte(1) > 0x9f) ||
      (Byte(0) == 0xf0 && Byte(1) < 0x90) ||
      (Byte(0) == 0xf4 && Byte(1) > 0x8f))
    return 0;
  return Length;
}

void JsonWriter::quote(std::string_view Value) {
  Text += '"';
  while (!Value.empty()) {
    char Character = Value.front();
    size_t Length = utf8Length(Value);
    if (Length == 0) {
      // File names may be of any bytes, JSON may not.
      Text += "\xef\xbf\xbd";
      Length = 1;
    } else if (Character == '"' || Character == '\\') {
      Text += '\\';
      Text += Character;
    } else if (Character == '\n') {
      Text += "\\n";
    } else if (Character == '\t') {
      Text += "\\t";
    } else if (static_cast<unsigned char>(Character) < 0x20) {
      char Escape[8];
      std::snprintf(Escape, sizeof(Escape), "\\u%04x", Character);
      Text += Escape;
    } else {
      Text += Value.substr(0, Length);
    }
    Value.remove_prefix(Length);
  }
  Text += '"';
}

void JsonWriter::key(std::string_view Key) {
  if (!First)
    Text += ',';
  if (!Text.empty())
    Text += '\n';
  Text.append(size_t(2) * Depth, ' ');
  First = false;
  if (Key.empty())
    return;
  quote(Key);
  Text += ": ";
}

void JsonWriter::begin(std::string_view Key, char Bracket) {
  key(Key);
  Text += Bracket;
  ++Depth;
  First = true;
}

void JsonWriter::end(char Bracket) {
  --Depth;
  if (!First) {
    Text += '\n';
    Text.append(size_t(2) * Depth, ' ');
  }
  Text += Bracket;
  First = false;
}

void JsonWriter::string(std::string_view Key, std::string_view Value) {
  key(Key);
  quote(Value);
}

void JsonWriter::number(std::string_view Key, uint64_t Value) {
  key(Key);
  Text += std::to_string(Value);
}

void JsonWriter::real(std::string_view Key, double Value) {
  char Digits[32];
  key(Key);
  Text.append(Digits, std::to_chars(Digits, std::end(Digits), Value).ptr);
}

void JsonWriter::seconds(std::string_view Key, double Value) {
  // By whole numbers: printf would follow the program's locale.
  auto Microseconds = static_cast<uint64_t>(Value * 1e6);
  std::string Digits = std::to_string(Microseconds % 1000000);
  key(Key);
  Text += std::to_string(Microseconds / 1000000) + '.' +
          std::string(6 - Digits.size(), '0') + Digits;
}

void JsonWriter::triple(std::string_view Key, const uint32_t Values[3]) {
  key(Key);
  Text += '[' + std::to_string(Values[0]) + ", " + std::to_string(Values[1]) +
          ", " + std::to_string(Values[2]) + ']';
}

std::string JsonWriter::take() { return std::move(Text) + '\n'; }
