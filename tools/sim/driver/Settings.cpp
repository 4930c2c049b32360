//===- Settings.cpp - What ferry-sim tells the stand-in driver ------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settings.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sstream>

using namespace ferry::sim;

const char *const ferry::sim::SettingVariables[] = {ResultsVariable,
                                                    PerLineVariable,
                                                    QuietVariable,
                                                    NoTimeVariable,
                                                    ArchitectureVariable,
                                                    GPUVariable,
                                                    BlocksPerSMSetting.Variable,
                                                    SeedSetting.Variable,
                                                    JobsSetting.Variable,
                                                    DevicesSetting.Variable,
                                                    WatchdogSetting.Variable,
                                                    SampleSetting.Variable,
                                                    nullptr};

bool ferry::sim::parseNumber(const NumberSetting &Setting, const char *Text,
                             uint64_t &Number) {
  if (*Text < '0' || *Text > '9')
    return false;
  char *End = nullptr;
  errno = 0;
  unsigned long long Value = std::strtoull(Text, &End, 10);
  if (errno || *End || Value < Setting.Least || Value > Setting.Most)
    return false;
  Number = Value;
  return true;
}

std::string ferry::sim::writeStatus(const ProcessStatus &Status) {
  std::string Text = "used " + std::to_string(Status.Used) + "\nfindings " +
                     std::to_string(Status.Findings) + "\n";
  for (std::string Error : Status.Errors) {
    std::replace(Error.begin(), Error.end(), '\n', ' ');
    Text += "error " + Error + "\n";
  }
  return Text + (Status.Ended ? "end ended\n" : "end early\n");
}

bool ferry::sim::readStatus(const std::string &Text, ProcessStatus &Status) {
  Status = ProcessStatus();
  std::istringstream In(Text);
  std::string Line;
  while (std::getline(In, Line)) {
    size_t Space = Line.find(' ');
    std::string Key = Line.substr(0, Space);
    std::string Value =
        Space == std::string::npos ? "" : Line.substr(Space + 1);
    if (Key == "end") {
      Status.Ended = Value == "ended";
      return true;
    }
    if (Key == "error")
      Status.Errors.push_back(Value);
    else if (Key == "used")
      Status.Used = Value == "1";
    else if (Key == "findings")
      Status.Findings = std::strtoull(Value.c_str(), nullptr, 10);
    else
      return false;
  }
  return false;
}
