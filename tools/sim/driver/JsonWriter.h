//===- JsonWriter.h - Writes JSON -----------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_JSONWRITER_H
#define FERRY_SIM_JSONWRITER_H

#include <cstdint>
#include <string>
#include <string_view>

namespace ferry::sim {

/// Builds one JSON text from front to back, indented by two blanks. Objects and
/// arrays are opened and closed in pairs by the caller.
class JsonWriter {
public:
  /// Within an array \p Key is empty.
  void beginObject(std::string_view Key = {}) { begin(Key, '{'); }
  void endObject() { end('}'); }
  void beginArray(std::string_view Key = {}) { begin(Key, '['); }
  void endArray() { end(']'); }

  void string(std::string_view Key, std::string_view Value);
  void number(std::string_view Key, uint64_t Value);
  /// As short as it can be read back; not infinite.
  void real(std::string_view Key, double Value);
  /// Not negative; to the microsecond.
  void seconds(std::string_view Key, double Value);
  /// Three numbers on one line.
  void triple(std::string_view Key, const uint32_t Values[3]);

  /// The text so far, with a line break at its end.
  std::string take();

private:
  void key(std::string_view Key);
  void quote(std::string_view Value);
  void begin(std::string_view Key, char Bracket);
  void end(char Bracket);

  std::string Text;
  unsigned Depth = 0;
  bool First = true; ///< nothing stands behind the last bracket yet
};

} // namespace ferry::sim

#endif // FERRY_SIM_JSONWRITER_H
