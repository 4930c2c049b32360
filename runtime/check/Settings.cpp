//===- Settings.cpp - What the user wants of the checks -------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settings.h"
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace ferry::check {

/// The number of the process, by what starters of MPI programs say.
static int rankOfProcess() {
  for (const char *Name :
       {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
    if (const char *Value = getenv(Name))
      return atoi(Value);
  return -1;
}

/// \p Pattern with %p for the process's number, and a rank's own before the
/// ending: run.json is run.3.json of rank 3.
static std::string fileName(std::string Pattern, int Rank) {
  const std::string Process = std::to_string(getpid());
  bool Named = false;
  for (size_t At; (At = Pattern.find("%p")) != std::string::npos; Named = true)
    Pattern.replace(At, 2, Process);
  if (Named || Rank < 0 || Pattern.empty())
    return Pattern;
  size_t Folder = Pattern.rfind('/');
  size_t Dot = Pattern.rfind('.');
  if (Dot == std::string::npos ||
      (Folder != std::string::npos && Dot < Folder + 2))
    Dot = Pattern.size();
  return Pattern.insert(Dot, "." + std::to_string(Rank));
}

[[noreturn]] static void refuse(std::string_view Value) {
  fprintf(stderr,
          "ferry-check: error: FERRY_CHECK has no value '%.*s'; it takes off, "
          "warn or error, and all, stale and transfers, with commas between "
          "them\n",
          static_cast<int>(Value.size()), Value.data());
  _exit(2);
}

static Settings readSettings() {
  Settings S;
  const char *Given = getenv("FERRY_CHECK");
  std::string_view Rest = Given ? Given : "";
  while (!Rest.empty()) {
    const size_t Comma = Rest.find(',');
    const std::string_view Value = Rest.substr(0, Comma);
    Rest = Comma == std::string_view::npos ? "" : Rest.substr(Comma + 1);
    if (Value == "off")
      S.On = false;
    else if (Value == "error")
      S.Error = true;
    else if (Value == "all")
      S.All = true;
    else if (Value == "stale")
      S.Stale = true;
    else if (Value == "transfers")
      S.Transfers = true;
    else if (Value != "warn")
      refuse(Value);
  }
  constexpr int PrintCopies = 0x20;
  const char *Info = getenv("LIBOMPTARGET_INFO");
  S.PrintsCopies = Info && (atoi(Info) & PrintCopies);
  const char *File = getenv("FERRY_CHECK_FILE");
  S.Rank = rankOfProcess();
  S.File = fileName(File ? File : "", S.Rank);
  return S;
}

const Settings &settings() {
  static const Settings S = readSettings();
  return S;
}

} // namespace ferry::check
