//===- Settings.h - What the user wants of the checks -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CHECK_SETTINGS_H
#define FERRY_CHECK_SETTINGS_H

#include <string>

namespace ferry::check {

/// FERRY_CHECK and FERRY_CHECK_FILE, as docs/check.md describes them.
struct Settings {
  bool On = true;
  bool Error = false;     ///< findings make the program end with ExitCode
  bool All = false;       ///< also what the kernel may access
  bool Stale = false;     ///< look for copies that are out of date
  bool Transfers = false; ///< look at what is copied
  std::string File;       ///< for JSON; empty: none
  int Rank = -1;          ///< of the process under MPI, or -1
  /// libomptarget prints copies (LIBOMPTARGET_INFO), and for that takes locks
  /// that it may have already while it maps and unmaps.
  bool PrintsCopies = false;
};

/// With FERRY_CHECK=error, of a program that would end with 0.
constexpr int ExitCode = 3;

/// The settings in the environment. A value that is not known ends the program
/// with one sentence and exit code 2.
const Settings &settings();

} // namespace ferry::check

#endif // FERRY_CHECK_SETTINGS_H
