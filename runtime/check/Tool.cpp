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

#include "Arrivals.h"
#include "Explain.h"
#include "Findings.h"
#include "Memory.h"
#include "OpenMP.h"
#include "Program.h"
#include "Settings.h"
#include "Thread.h"
#include "Transfers.h"
#include "Wording.h"
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <omp-tools.h>

namespace ferry::check {

static std::atomic<bool> Active{false};

bool isActive() { return Active; }

Thread &thisThread() {
  static thread_local Thread This;
  return This;
}

namespace {

std::atomic<uint64_t> Launches{0};

/// Tells that a copy, or the end of a mapping, at \p By is a mistake, or
/// may be one.
void tellStale(int Device, const char *Begin, const DataName &By,
               const char *What, const char *Hint, bool IsAdvice = false) {
  Finding F;
  F.Kind = "stale";
  F.IsAdvice = IsAdvice;
  F.File = By.File;
  F.Line = By.Line;
  F.Device = Device;
  F.Launch = Launches;
  F.Pointer = By.Name;
  F.Message = quoted(By) + " " + What;
  F.Hint = Hint;
  F.Numbers = {{"address", reinterpret_cast<uint64_t>(Begin)}};
  tell(F,
       {nullptr, std::hash<std::string>()(By.File + ":" + By.Name) + By.Line});
}

/// Whether what this thread starts goes on behind the construct.
bool isNowait() {
  const Thread &This = thisThread();
  return This.Launches.empty()
             ? This.IsNowait
             : This.Launches.back().Args->Flags & abi::KernelFlagNoWait;
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

/// Whether launches have plans, so that pointers that arrive are of interest.
std::atomic<bool> HasPlans{false};

/// Whether \p T brings a section's copy back to it. What goes elsewhere is
/// Ferry's, or the program's own, which looks at what the device has.
bool mayBringPointers(const Transfer &T) {
  if (T.Size > Arrivals::MaxBytes)
    return false;
  const std::optional<Section> S = memory().find(T.Device, T.Host);
  return S && S->Device + (T.Host - S->Begin) == T.OnDevice;
}

/// The device's \p Arrived have replaced what the host had.
void onFetched(const Fetch &F, const char *Arrived) {
  if (mayBringPointers(F.What))
    arrivals().note(F.What.Host, F.What.Size, F.Before.data(), Arrived);
  if (settings().Stale &&
      copies().fetched(F.What, F.Was, F.Before.data(), Arrived))
    tellStale(F.What.Device, F.What.Host, F.By,
              "is brought back over what the host has written since, and the "
              "device has not written it",
              "target update to");
  if (settings().Transfers &&
      memcmp(F.Before.data(), Arrived, F.What.Size) == 0)
    transfers().fetchesUnchanged(F.What, F.By);
}

/// What the program reads of a section's copy by itself is not lost: as by
/// omp_target_memcpy, to another place than the host's copy.
void noteReadElsewhere(const Transfer &T) {
  const std::optional<Section> S = memory().nearestCopy(T.Device, T.OnDevice);
  if (!S || T.OnDevice < S->Device || T.OnDevice >= S->Device + S->Size)
    return;
  char *Host = S->Begin + (T.OnDevice - S->Device);
  if (Host != T.Host)
    copies().forget({T.Device, Host, T.OnDevice, T.Size});
}

/// Whether the ends of constructs are heard of, which costs some time.
bool hearsConstructs() { return settings().Stale || settings().Transfers; }

void onFetch(const Transfer &T) {
  Thread &This = thisThread();
  if (!hearsConstructs()) {
    if (HasPlans && mayBringPointers(T))
      This.Arriving.assign(T.Host, T.Host + T.Size);
    return;
  }
  if (settings().Stale)
    noteReadElsewhere(T);
  if (isNowait()) {
    if (settings().Stale)
      copies().forget(T);
    return;
  }
  Fetch F{T, memory().nameOf(T.Host), {T.Host, T.Host + T.Size}, {}};
  if (settings().Stale)
    F.Was = copies().fetches(T);
  // A construct copies behind its kernel, and waits for both.
  if (This.InConstruct)
    return This.Fetches.push_back(std::move(F));
  std::vector<char> OnDevice;
  if (!settings().PrintsCopies &&
      readDevice(T.Device, T.OnDevice, T.Size, OnDevice))
    onFetched(F, OnDevice.data());
}

/// \p T is there, if the device does what it is told at once. If it is not,
/// nothing has arrived yet.
void onFetchEnd(const Transfer &T) {
  std::vector<char> &Before = thisThread().Arriving;
  if (Before.size() == T.Size)
    arrivals().note(T.Host, T.Size, Before.data(), T.Host);
  Before.clear();
}

/// What the constructs of this thread have copied from devices is there.
void settleFetches() {
  if (thisThread().Fetches.empty())
    return;
  std::vector<Fetch> Done;
  Done.swap(thisThread().Fetches);
  for (const Fetch &F : Done)
    onFetched(F, F.What.Host);
}

void onUnmap(int Device, char *OnDevice) {
  settleFetches();
  if (settings().Stale || settings().Transfers)
    if (auto S = memory().sectionOf(Device, OnDevice)) {
      if (settings().Stale && copies().loses(Device, *S))
        tellStale(Device, S->Begin, memory().nameOf(S->Begin),
                  "is unmapped, and what the device has written is lost",
                  "map(from:), or map(alloc:) if nobody needs it",
                  /*IsAdvice=*/true);
      if (settings().Transfers)
        transfers().unmaps(Device, *S, Launches);
    }
  memory().freed(Device, OnDevice, Launches);
}

void onDataOp(ompt_scope_endpoint_t End, ompt_data_t *, ompt_data_t *,
              ompt_id_t *, ompt_target_data_op_t Operation, void *Source,
              int SourceDevice, void *Destination, int DestinationDevice,
              size_t Size, const void *) {
  Thread &This = thisThread();
  if (This.Inside)
    return;
  auto *From = static_cast<char *>(Source);
  auto *To = static_cast<char *>(Destination);
  This.Inside = true;
  switch (Operation) {
  case ompt_target_data_alloc:
    if (End == ompt_scope_begin && From)
      nameDataOfLaunch(From);
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
    if (Size && End == ompt_scope_begin)
      onFetch({SourceDevice, To, From, Size});
    else if (Size && !This.Arriving.empty())
      onFetchEnd({SourceDevice, To, From, Size});
    break;
  default:
    break;
  }
  This.Inside = false;
}

void onSubmit(ompt_scope_endpoint_t End, ompt_data_t *, ompt_id_t *, unsigned) {
  Thread &This = thisThread();
  if (End != ompt_scope_begin || This.Inside)
    return;
  const uint64_t Number = ++Launches;
  if (This.Launches.empty())
    return;
  This.Inside = true;
  explainToSimulator();
  Launch &L = This.Launches.back();
  if (L.Device == abi::DefaultDevice)
    L.Device = omp_get_default_device();
  if (L.Plan) {
    HasPlans = true;
    look(L, Number);
  }
  This.Inside = false;
}

void onConstruct(ompt_target_t, ompt_scope_endpoint_t End, int, ompt_data_t *,
                 ompt_data_t *, ompt_data_t *, const void *) {
  Thread &This = thisThread();
  if (This.Inside)
    return;
  This.InConstruct = End == ompt_scope_begin;
  if (End == ompt_scope_begin)
    return;
  settleFetches();
  This.IsNowait = false;
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
  Active = true;
  Hear(ompt_callback_target_data_op_emi, onDataOp);
  Hear(ompt_callback_target_submit_emi, onSubmit);
  if (hearsConstructs())
    Hear(ompt_callback_target_emi, onConstruct);
  return 1;
}

void finalize(ompt_data_t *) {}

} // namespace
} // namespace ferry::check

using namespace ferry;
using namespace ferry::check;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): what
// libomp calls.
extern "C" {

ompt_start_tool_result_t *ompt_start_tool(unsigned, const char *) {
  static ompt_start_tool_result_t Result{initialize, finalize, {}};
  if (!settings().On)
    return nullptr;
  on_exit(onExit, nullptr);
  return &Result;
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
