//===- Tool.cpp - The checks as an OMPT tool ------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that is built with --ferry-check has this library in it. libomp
// finds the tool by the name ompt_start_tool (OpenMP 5.2, section 19.2.1), and
// libomptarget tells it what it allocates, copies, frees and launches. The
// program itself tells, before each launch, what its kernel will access, and
// before each directive how the source calls what it maps.
//
// A launch is looked at when its kernel is submitted: all that the construct
// maps is in place then, and a launch that ends on the host never comes there.
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "Findings.h"
#include "Launch.h"
#include "Memory.h"
#include "Settings.h"
#include "Transfers.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <omp-tools.h>
#include <string_view>

extern "C" int omp_get_default_device(void);

namespace ferry::check {
namespace {

std::atomic<uint64_t> Launches{0};

/// What this thread is doing.
struct Thread {
  std::vector<Launch> Current; ///< the innermost last
  bool Inside = false;         ///< a callback calls libomptarget itself
};
thread_local Thread This;

/// Part \p Number of a text of Clang's for libomptarget, of which the parts
/// stand behind semicolons: ";X.Data[0:N];um.cpp;9;8;;".
std::string partOf(std::string_view Text, unsigned Number) {
  for (; Number; --Number) {
    const size_t Next = Text.find(';');
    if (Next == Text.npos)
      return "";
    Text.remove_prefix(Next + 1);
  }
  std::string Part(Text.substr(0, Text.find(';')));
  return Part == "unknown" ? "" : Part;
}

void noteNames(uint32_t Number, void *const *Pointers, void *const *Names,
               const std::string &File, unsigned Line) {
  for (uint32_t I = 0; Names && I < Number; ++I)
    if (Names[I] && Pointers[I])
      memory().named(
          static_cast<char *>(Pointers[I]),
          {partOf(static_cast<const char *>(Names[I]), 1), File, Line});
}

/// Tells that the copy \p T, or the end of a mapping, at \p By is a mistake.
void tellStale(int Device, const char *Begin, const DataName &By,
               const char *What, const char *Hint) {
  Finding F;
  F.Kind = "stale";
  F.File = By.File;
  F.Line = By.Line;
  F.Device = Device;
  F.Launch = Launches;
  F.Pointer = By.Name;
  F.Message =
      "'" + (By.Name.empty() ? std::string("data") : By.Name) + "' " + What;
  F.Hint = Hint;
  F.Numbers = {{"address", reinterpret_cast<uint64_t>(Begin)}};
  tell(F,
       {nullptr, std::hash<std::string>()(By.File + ":" + By.Name) + By.Line});
}

void onSend(const Transfer &T) {
  const DataName By = memory().nameOf(T.Host);
  if (settings().Stale && copies().sends(T))
    tellStale(T.Device, T.Host, By,
              "is sent over what the device has written since, and the host "
              "has not written it",
              "target update from");
  if (settings().Transfers && memory().find(T.Device, T.Host))
    transfers().sends(T, By, Launches);
}

void onFetch(const Transfer &T) {
  const DataName By = memory().nameOf(T.Host);
  // First, as it compares with what the host has.
  if (settings().Transfers)
    transfers().fetches(T, By);
  if (settings().Stale && copies().fetches(T))
    tellStale(T.Device, T.Host, By,
              "is brought back over what the host has written since, and the "
              "device has not written it",
              "target update to");
}

/// Names what a launch of this thread is about to map at \p Host.
void nameOfLaunch(const char *Host) {
  if (This.Current.empty())
    return;
  const Launch &L = This.Current.back();
  for (uint32_t I = 0; L.Args->Names && I < L.Args->NumArgs; ++I)
    if (L.Args->Ptrs[I] == Host)
      return noteNames(1, L.Args->Ptrs + I, L.Args->Names + I, L.Plan->File,
                       L.Plan->Line);
}

void onUnmap(int Device, char *OnDevice) {
  if (settings().Stale || settings().Transfers)
    if (auto S = memory().sectionOf(Device, OnDevice)) {
      if (settings().Stale && copies().loses(Device, *S))
        tellStale(Device, S->Begin, memory().nameOf(S->Begin),
                  "is unmapped, and what the device has written is lost",
                  "map(from:), or map(alloc:) if nobody needs it");
      if (settings().Transfers)
        transfers().unmaps(Device, *S, Launches);
    }
  memory().freed(Device, OnDevice, Launches);
}

void onDataOp(ompt_scope_endpoint_t End, ompt_data_t *, ompt_data_t *,
              ompt_id_t *, ompt_target_data_op_t Operation, void *Source,
              int SourceDevice, void *Destination, int DestinationDevice,
              size_t Size, const void *) {
  if (This.Inside)
    return;
  auto *From = static_cast<char *>(Source);
  auto *To = static_cast<char *>(Destination);
  This.Inside = true;
  switch (Operation) {
  case ompt_target_data_alloc:
    if (End == ompt_scope_begin && From)
      nameOfLaunch(From);
    else if (End == ompt_scope_end && Destination)
      memory().allocated(DestinationDevice, From, To, Size, Launches);
    break;
  case ompt_target_data_delete:
    if (End == ompt_scope_begin)
      onUnmap(SourceDevice, From);
    break;
  case ompt_target_data_transfer_to_device:
    if (End == ompt_scope_begin && Size)
      onSend({DestinationDevice, From, To, Size});
    break;
  case ompt_target_data_transfer_from_device:
    if (End == ompt_scope_begin && Size)
      onFetch({SourceDevice, To, From, Size});
    break;
  default:
    break;
  }
  This.Inside = false;
}

void onSubmit(ompt_scope_endpoint_t End, ompt_data_t *, ompt_id_t *, unsigned) {
  if (End != ompt_scope_begin || This.Inside)
    return;
  const uint64_t Number = ++Launches;
  if (This.Current.empty())
    return;
  const Launch &L = This.Current.back();
  This.Inside = true;
  look(L,
       L.Device == abi::DefaultDevice ? omp_get_default_device()
                                      : static_cast<int>(L.Device),
       Number);
  This.Inside = false;
}

void onExit(int Status, void *) {
  if (settings().Transfers)
    transfers().tellAll();
  if (!finish() || !settings().Error || Status != 0)
    return;
  // The handlers that are left are still called.
  exit(ExitCode);
}

int initialize(ompt_function_lookup_t Find, int, ompt_data_t *) {
  auto Set = reinterpret_cast<ompt_set_callback_t>(Find("ompt_set_callback"));
  auto Hear = [&](ompt_callbacks_t Event, auto *Callback) {
    Set(Event, reinterpret_cast<ompt_callback_t>(Callback));
  };
  Hear(ompt_callback_target_data_op_emi, onDataOp);
  Hear(ompt_callback_target_submit_emi, onSubmit);
  return 1;
}

void finalize(ompt_data_t *) {}

} // namespace
} // namespace ferry::check

using namespace ferry;
using namespace ferry::check;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): what
// the pass and libomp call.
extern "C" {

ompt_start_tool_result_t *ompt_start_tool(unsigned, const char *) {
  static ompt_start_tool_result_t Result{initialize, finalize, {}};
  if (!settings().On)
    return nullptr;
  on_exit(onExit, nullptr);
  return &Result;
}

/// Stands before a launch.
///
/// \param Plan      what it is looked at for.
/// \param Device    its device number, -1 for the default device.
/// \param Args      its argument block, as the program gives it.
/// \param Arguments of the kernel; null where they are not known.
void __ferry_check_begin(const CheckPlan *Plan, int64_t Device,
                         const abi::KernelArgs *Args,
                         const void *const *Arguments) {
  if (!settings().On || Args->Version != abi::KernelArgsVersion)
    return;
  This.Current.push_back({Plan, Device, Args, Arguments});
}

/// Stands behind the launch.
void __ferry_check_end(int32_t) {
  if (!This.Current.empty())
    This.Current.pop_back();
}

/// Stands before a directive that maps, unmaps or updates data, with its
/// operands.
void __ferry_check_data(const abi::Ident *Where, int32_t Number,
                        void *const *Pointers, void *const *Names) {
  if (!settings().On || Number <= 0)
    return;
  std::string File = partOf(Where->Source, 1);
  File.erase(0, File.rfind('/') + 1);
  noteNames(static_cast<uint32_t>(Number), Pointers, Names, File,
            static_cast<unsigned>(atoi(partOf(Where->Source, 3).c_str())));
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
