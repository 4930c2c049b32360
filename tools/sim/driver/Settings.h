//===- Settings.h - What ferry-sim tells the stand-in driver --------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runner and the driver live in different processes; settings travel in
// environment variables. This is the one place for their names and limits, and
// the layout of the folder in which the driver leaves its results:
//
//   $FERRY_SIM_RESULTS/<process id>/report.txt   the tables
//                                   report.json
//                                   status       see ProcessStatus
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_SETTINGS_H
#define FERRY_SIM_SETTINGS_H

#include "../engine/Memory.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ferry::sim {

constexpr char ResultsVariable[] = "FERRY_SIM_RESULTS";
constexpr char PerLineVariable[] = "FERRY_SIM_PER_LINE";
constexpr char QuietVariable[] = "FERRY_SIM_QUIET";
constexpr char NoTimeVariable[] = "FERRY_SIM_NO_TIME";
constexpr char ArchitectureVariable[] = "FERRY_SIM_SM";
/// A description, as writeModel in ../gpu/DeviceTable.h has it.
constexpr char GPUVariable[] = "FERRY_SIM_GPU";

constexpr char TableFile[] = "report.txt";
constexpr char JsonFile[] = "report.json";
constexpr char StatusFile[] = "status";

/// A setting that is a number.
struct NumberSetting {
  const char *Option;   ///< of ferry-sim
  const char *Variable; ///< of the environment
  uint64_t Least, Most;
};
constexpr NumberSetting BlocksPerSMSetting = {"--blocks-per-sm",
                                              "FERRY_SIM_BLOCKS_PER_SM", 1, 32};
constexpr NumberSetting SeedSetting = {"--seed", "FERRY_SIM_SEED", 0,
                                       UINT64_MAX};
constexpr NumberSetting JobsSetting = {"--jobs", "FERRY_SIM_JOBS", 1, 1024};
constexpr NumberSetting DevicesSetting = {"--devices", "FERRY_SIM_DEVICES", 1,
                                          MostDevices};
constexpr NumberSetting WatchdogSetting = {"--watchdog", "FERRY_SIM_WATCHDOG",
                                           1, UINT64_MAX};
constexpr NumberSetting SampleSetting = {"--sample-blocks", "FERRY_SIM_SAMPLE",
                                         1, UINT32_MAX};

/// All variables, ended by null.
extern const char *const SettingVariables[];

/// Decimal digits that stand for a number within the setting's limits.
bool parseNumber(const NumberSetting &Setting, const char *Text,
                 uint64_t &Number);

/// What the runner has to know about a process that used the driver.
struct ProcessStatus {
  bool Ended = false;    ///< it came to its end, and nothing is missing
  bool Used = false;     ///< it loaded code, allocated or copied
  uint64_t Findings = 0; ///< different ones
  std::vector<std::string> Errors; ///< a sentence each
};
std::string writeStatus(const ProcessStatus &Status);
/// False if \p Text was not written by writeStatus.
bool readStatus(const std::string &Text, ProcessStatus &Status);

} // namespace ferry::sim

#endif // FERRY_SIM_SETTINGS_H
