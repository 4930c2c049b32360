//===- Process.h - Runs the program ---------------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_PROCESS_H
#define FERRY_SIM_PROCESS_H

#include <string>
#include <utility>
#include <vector>

namespace ferry::sim {

/// The file that a shell would run for \p Name; if there is none, empty, with
/// the reason in \p Error.
std::string findProgram(const std::string &Name, std::string &Error);

/// Runs \p Path with the arguments \p Program and \p Environment in place of
/// the settings in this process's, and waits for its end. False if it could not
/// be started, with the reason in \p Error. \p Status is that of waitpid.
bool runProgram(
    const std::string &Path, const std::vector<std::string> &Program,
    const std::vector<std::pair<std::string, std::string>> &Environment,
    int &Status, std::string &Error);

} // namespace ferry::sim

#endif // FERRY_SIM_PROCESS_H
