//===- CudaStream.cpp - Driver API: streams and events --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All work is done when the call that asks for it returns, so that streams are
// always idle and events always reached. What lies between two events is time
// of the host, which the simulation takes.
//
//===----------------------------------------------------------------------===//

#include "CudaCall.h"
#include "Driver.h"

using namespace ferry::sim;

CudaError ferry::sim::synchronize(DeviceState &State) {
  Transfers Counted;
  Counted.Synchronizations = 1;
  // Waiting for a copy of libomptarget's own is its own as well.
  count(State, Belongs::ToLastLaunch, State.LastWasSetUp, Counted);
  return State.Failed;
}

FERRY_CUDA_API cuStreamCreate(void **Stream, unsigned Flags) {
  FERRY_CONTEXT;
  constexpr unsigned NonBlocking = 1;
  if (!Stream || Flags > NonBlocking)
    return CudaError::InvalidValue;
  *Stream = insert(D->Streams, std::make_unique<Queue>(Queue{&State}));
  return CudaError::Success;
}

FERRY_CUDA_API cuStreamDestroy_v2(void *Stream) {
  FERRY_DRIVER;
  return D->Streams.erase(Stream) ? CudaError::Success
                                  : CudaError::InvalidHandle;
}

FERRY_CUDA_API cuStreamSynchronize(void *Stream) {
  FERRY_STREAM(Stream);
  return synchronize(State);
}

FERRY_CUDA_API cuStreamQuery(void *Stream) {
  FERRY_STREAM(Stream);
  return State.Failed;
}

// Work for the host is done at once, too. It may use the driver again, which
// CUDA forbids and the simulator need not.
FERRY_CUDA_API cuLaunchHostFunc(void *Stream, void (*Call)(void *),
                                void *Data) {
  FERRY_STREAM(Stream);
  if (!Call)
    return CudaError::InvalidValue;
  if (State.Failed != CudaError::Success)
    return State.Failed;
  Guard.unlock();
  Call(Data);
  return CudaError::Success;
}

FERRY_CUDA_API cuStreamAddCallback(void *Stream,
                                   void (*Call)(void *, CudaError, void *),
                                   void *Data, unsigned Flags) {
  FERRY_STREAM(Stream);
  if (!Call || Flags)
    return CudaError::InvalidValue;
  const CudaError Failed = State.Failed;
  Guard.unlock();
  Call(Stream, Failed, Data);
  return CudaError::Success;
}

FERRY_CUDA_API cuStreamWaitEvent(void *Stream, void *Event, unsigned Flags) {
  FERRY_STREAM(Stream);
  if (!find(D->Events, Event))
    return CudaError::InvalidHandle;
  return Flags ? CudaError::InvalidValue : CudaError::Success;
}

FERRY_CUDA_API cuEventCreate(void **Handle, unsigned Flags) {
  FERRY_CONTEXT;
  constexpr unsigned DisableTiming = 2, AllFlags = 7;
  if (!Handle || Flags > AllFlags)
    return CudaError::InvalidValue;
  *Handle = insert(D->Events, std::make_unique<Event>(
                                  Event{&State, !(Flags & DisableTiming), {}}));
  return CudaError::Success;
}

FERRY_CUDA_API cuEventRecord(void *Handle, void *Stream) {
  FERRY_STREAM(Stream);
  Event *E = find(D->Events, Handle);
  if (!E || E->Owner != &State)
    return CudaError::InvalidHandle;
  E->Recorded = std::chrono::steady_clock::now();
  return CudaError::Success;
}

FERRY_CUDA_API cuEventElapsedTime(float *Milliseconds, void *Start, void *End) {
  FERRY_DRIVER;
  if (!Milliseconds)
    return CudaError::InvalidValue;
  const Event *First = find(D->Events, Start), *Last = find(D->Events, End);
  for (const Event *E : {First, Last})
    if (!E || !E->TakesTime || !E->Recorded || E->Owner != First->Owner)
      return CudaError::InvalidHandle;
  if (First->Owner->Failed != CudaError::Success)
    return First->Owner->Failed;
  *Milliseconds = std::chrono::duration<float, std::milli>(*Last->Recorded -
                                                           *First->Recorded)
                      .count();
  return CudaError::Success;
}

FERRY_CUDA_API cuEventQuery(void *Handle) {
  FERRY_DRIVER;
  const Event *E = find(D->Events, Handle);
  return E ? E->Owner->Failed : CudaError::InvalidHandle;
}

FERRY_CUDA_API cuEventSynchronize(void *Handle) {
  FERRY_DRIVER;
  const Event *E = find(D->Events, Handle);
  return E ? synchronize(*E->Owner) : CudaError::InvalidHandle;
}

FERRY_CUDA_API cuEventDestroy_v2(void *Handle) {
  FERRY_DRIVER;
  return D->Events.erase(Handle) ? CudaError::Success
                                 : CudaError::InvalidHandle;
}
// libomptarget 19 asks for the old name.
FERRY_CUDA_API cuEventDestroy(void *Handle) {
  return cuEventDestroy_v2(Handle);
}
