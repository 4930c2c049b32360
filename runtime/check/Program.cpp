//===- Program.cpp - What the program tells -------------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Memory.h"
#include "Settings.h"
#include "Thread.h"
#include <cstdlib>
#include <string_view>

namespace ferry::check {

/// Part \p Number of a text of Clang's for libomptarget, of which the parts
/// stand behind semicolons: ";X.Data[0:N];um.cpp;9;8;;".
static std::string partOf(std::string_view Text, unsigned Number) {
  for (; Number; --Number) {
    const size_t Next = Text.find(';');
    if (Next == Text.npos)
      return "";
    Text.remove_prefix(Next + 1);
  }
  std::string Part(Text.substr(0, Text.find(';')));
  return Part == "unknown" ? "" : Part;
}

/// A place in the source.
struct Place {
  std::string File;
  unsigned Line = 0;
};

static Place placeOf(const abi::Ident *Where) {
  if (!Where || !Where->Source)
    return {};
  std::string File = partOf(Where->Source, 1);
  File.erase(0, File.rfind('/') + 1);
  return {File, static_cast<unsigned>(atoi(partOf(Where->Source, 3).c_str()))};
}

/// Keeps what the directive at \p Where calls its operands.
static void noteNames(uint32_t Number, void *const *Pointers,
                      void *const *Names, const Place &Where) {
  for (uint32_t I = 0; Names && I < Number; ++I)
    if (Names[I] && Pointers[I])
      memory().named(static_cast<char *>(Pointers[I]),
                     {partOf(static_cast<const char *>(Names[I]), 1),
                      Where.File, Where.Line});
}

void beginLaunch(const Launch &L) { thisThread().Launches.push_back(L); }

void endLaunch() {
  if (!thisThread().Launches.empty())
    thisThread().Launches.pop_back();
}

void beginData(const abi::Ident *Where, int32_t Number, void *const *Pointers,
               void *const *Names, bool IsNowait) {
  thisThread().IsNowait = IsNowait;
  if (Number > 0)
    noteNames(static_cast<uint32_t>(Number), Pointers, Names, placeOf(Where));
}

void nameDataOfLaunch(const char *Host) {
  if (thisThread().Launches.empty())
    return;
  const Launch &L = thisThread().Launches.back();
  for (uint32_t I = 0; L.Args->Names && I < L.Args->NumArgs; ++I)
    if (L.Args->Ptrs[I] == Host)
      return noteNames(1, L.Args->Ptrs + I, L.Args->Names + I,
                       L.Plan ? Place{L.Plan->File, L.Plan->Line}
                              : placeOf(L.Where));
}

} // namespace ferry::check

using namespace ferry;
using namespace ferry::check;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): what
// the pass makes programs call.
extern "C" {

/// Stands before a launch.
///
/// \param Plan      what it is looked at for.
/// \param Device    its device number, -1 for the default device.
/// \param Args      its argument block, as the program gives it.
/// \param Arguments of the kernel; null where they are not known.
void __ferry_check_begin(const CheckPlan *Plan, int64_t Device,
                         const abi::KernelArgs *Args,
                         const void *const *Arguments) {
  if (settings().On && Args->Version == abi::KernelArgsVersion)
    beginLaunch({Plan, nullptr, Device, Args, Arguments});
}

/// Stands behind the launch.
void __ferry_check_end(int32_t) { endLaunch(); }

/// Stands before a directive that maps, unmaps or updates data, with its
/// operands.
void __ferry_check_data(const abi::Ident *Where, int32_t Number,
                        void *const *Pointers, void *const *Names,
                        int32_t IsNowait) {
  if (settings().On)
    beginData(Where, Number, Pointers, Names, IsNowait);
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
