//===- SimDevice.h - Calls the simulator's device functions by name -------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TEST_SIMDEVICE_H
#define FERRY_TEST_SIMDEVICE_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

/// The symbol that stands for \p DeviceName.
inline std::string hostName(std::string DeviceName) {
  std::replace(DeviceName.begin(), DeviceName.end(), '.', '_');
  return "ferry_sim_" + DeviceName;
}

/// Calls a function of tools/sim/device as translated code does: by its name,
/// with nothing known of it but what the arguments are. So the sign of an
/// integer need not be the one that the function is defined with.
template <typename Result, typename... Arguments>
__attribute__((no_sanitize("undefined"))) Result
callSymbol(const std::string &Name, Arguments... Values) {
  void *Symbol = dlsym(RTLD_DEFAULT, Name.c_str());
  if (!Symbol) {
    std::fprintf(stderr, "no function %s\n", Name.c_str());
    std::abort();
  }
  return reinterpret_cast<Result (*)(Arguments...)>(Symbol)(Values...);
}

/// The same, by the name in device code.
template <typename Result, typename... Arguments>
Result call(const std::string &DeviceName, Arguments... Values) {
  return callSymbol<Result>(hostName(DeviceName), Values...);
}

template <typename To, typename From> To bitsAs(From Value) {
  static_assert(sizeof(To) == sizeof(From));
  To Result;
  std::memcpy(&Result, &Value, sizeof(To));
  return Result;
}

#endif // FERRY_TEST_SIMDEVICE_H
