//===- CudaCall.h - How every function of the driver API begins -----------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_CUDACALL_H
#define FERRY_SIM_CUDACALL_H

#include "Driver.h"

/// D is the driver, locked until the function returns.
#define FERRY_DRIVER                                                           \
  Driver *const D = Driver::get();                                             \
  if (!D)                                                                      \
    return CudaError::NotInitialized;                                          \
  std::unique_lock<std::recursive_mutex> Guard(D->Lock)

/// State is the device whose context is current.
#define FERRY_CONTEXT                                                          \
  FERRY_DRIVER;                                                                \
  if (!currentDevice())                                                        \
    return CudaError::InvalidContext;                                          \
  [[maybe_unused]] DeviceState &State = *currentDevice()

/// State is the device of \p Stream: a call that names a stream needs no
/// current context, and libomptarget's helper threads count on it.
#define FERRY_STREAM(Stream)                                                   \
  FERRY_DRIVER;                                                                \
  if ((Stream) && !find(D->Streams, Stream))                                   \
    return CudaError::InvalidHandle;                                           \
  if (!(Stream) && !currentDevice())                                           \
    return CudaError::InvalidContext;                                          \
  [[maybe_unused]] DeviceState &State =                                        \
      (Stream) ? *find(D->Streams, Stream)->Owner : *currentDevice()

namespace ferry::sim {

/// Counts a synchronisation; gives the error of a launch that went wrong.
CudaError synchronize(DeviceState &State);

/// Where a transfer is counted. What goes to the device belongs to the launch
/// that follows, what comes from it to the launch before.
enum class Belongs { ToNextLaunch, ToLastLaunch };
void count(DeviceState &State, Belongs To, bool Internal,
           const Transfers &Counted);

} // namespace ferry::sim

#endif // FERRY_SIM_CUDACALL_H
