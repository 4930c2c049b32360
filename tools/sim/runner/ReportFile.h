//===- ReportFile.h - The file that --json names ----------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_RUNNER_REPORTFILE_H
#define FERRY_SIM_RUNNER_REPORTFILE_H

#include <string>

namespace ferry::sim {

/// Why \p File cannot be made, which is better known before the program runs;
/// empty if it can.
std::string whyNotWritable(const std::string &File);

/// The file for the report of process \p Number, the first being 1. All reports
/// go to the same pipe or device.
std::string numberedFile(const std::string &File, unsigned Number);

/// Writes all of it or nothing.
bool writeReport(const std::string &File, const std::string &Text);

} // namespace ferry::sim

#endif // FERRY_SIM_RUNNER_REPORTFILE_H
