//===- CommandLine.h - The options of ferry-sim ---------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_COMMANDLINE_H
#define FERRY_SIM_COMMANDLINE_H

#include <string>
#include <utility>
#include <vector>

namespace ferry::sim {

struct CommandLine {
  bool Help = false, Version = false;
  bool Strict = false;
  std::string JsonFile; ///< empty: none
  std::string HtmlFile; ///< of --report; empty: none
  /// The architecture that --sm names, or empty.
  std::string Architecture;
  /// What the driver has to know: variables and their values.
  std::vector<std::pair<std::string, std::string>> Environment;
  std::vector<std::string> Program; ///< with its arguments
};

/// Reads what stands behind the name of the command. False if that makes no
/// sense, with one sentence in \p Error.
bool parseCommandLine(const std::vector<std::string> &Arguments,
                      CommandLine &Result, std::string &Error);

/// What --help prints.
extern const char HelpText[];

} // namespace ferry::sim

#endif // FERRY_SIM_COMMANDLINE_H
