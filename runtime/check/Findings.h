//===- Findings.h - What the user is told -----------------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_FINDINGS_H
#define FERRY_CHECK_FINDINGS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ferry::check {

/// Something that was found. What is not known is empty, or 0.
struct Finding {
  const char *Kind = ""; ///< the name in docs/check.md
  bool IsAdvice = false; ///< no mistake: it does not count for the exit code
  std::string File;      ///< of the region, or of the directive
  unsigned Line = 0;
  std::string Kernel;
  int Device = 0;
  uint64_t Launch = 0;
  std::string Pointer;
  std::string UsedFile;
  unsigned UsedLine = 0;
  /// Lines of text, without indentation: what, what is near, a hint.
  std::string Message;
  std::string Nearest;
  std::string Hint;
  /// What else there is in numbers: address, first and last byte, and others.
  std::vector<std::pair<const char *, uint64_t>> Numbers;
};

/// Tells of \p F, unless the same was told of the same \p Place before. Writes
/// FERRY_CHECK_FILE anew.
///
/// \param Place tells apart what is told once: addresses of constants.
void tell(const Finding &F, std::pair<const void *, uint64_t> Place);

/// Writes FERRY_CHECK_FILE as it is at the end.
///
/// \returns whether a mistake was found.
bool finish();

} // namespace ferry::check

#endif // FERRY_CHECK_FINDINGS_H
