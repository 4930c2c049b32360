//===- FakeOffload.h - A stand-in for libomptarget --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of libomp and libomptarget that the launch runtime calls, over
// "device" memory that is plain memory of this process. It follows LLVM 19,
// offload/src/omptarget.cpp and offload/src/OpenMP/Mapping.cpp: reference
// counts, MEMBER_OF, PTR_AND_OBJ with shadow pointers, `always`, implicit
// overlaps. What libomptarget would complain about is kept in Errors.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_TEST_FAKEOFFLOAD_H
#define FERRY_TEST_FAKEOFFLOAD_H

#include "ferry/OffloadABI.h"
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ferry::fake {

struct Mapping {
  char *Begin;
  char *End;
  char *Base;
  char *Device;
  int RefCount;
  int EndUsers; ///< entries of the running `end` that are not done with it
  /// Attached pointers: host address to {host value, device value}.
  std::map<char *, std::pair<char *, char *>> Shadows;
};

/// What a user-defined mapper gives back.
struct MapEntry {
  void *Base;
  void *Ptr;
  int64_t Size;
  int64_t Type;
};
using Mapper = void (*)(std::vector<MapEntry> &, void *Base, void *Ptr,
                        int64_t Size, int64_t Type);

struct Device {
  std::map<char *, Mapping> Table; ///< by Mapping::Begin
  std::set<char *> Blocks;         ///< allocated device memory
  char *Freed;                     ///< a block that waits for its next use
  size_t FreedSize;
};

struct Offload {
  std::vector<Device> Devices;
  int DefaultDevice;
  bool FailAllocations;
  bool FreedBlockComesNext; ///< as with libomptarget's memory manager
  unsigned ToDevice;        ///< transfers
  unsigned FromDevice;      ///< transfers
  unsigned DataBegins;      ///< calls of __tgt_target_data_begin_mapper
  std::vector<std::string> Errors;
  /// What other threads do after a look-up.
  std::function<void()> OnLookUp;
};

/// The state of everything.
Offload &offload();

/// Forgets everything and frees all device memory.
void reset();

/// `target enter data`, `target update` and `target exit data` for [Host,
/// Host+Size), as Ferry compiles them: the launch runtime is told.
void *enter(void *Host, size_t Size, int Device = 0, bool Always = false);
void updateTo(void *Host, size_t Size, int Device = 0);
void updateFrom(void *Host, size_t Size, int Device = 0);
void leave(void *Host, size_t Size, bool CopyBack = false, int Device = 0);

/// What `__tgt_target_kernel` does: maps, collects the kernel's arguments, runs
/// \p Kernel with them and unmaps. With a \p Status other than 0 nothing
/// happens, as if the device had refused.
void runKernel(int64_t DeviceNum, abi::KernelArgs *Args,
               const std::function<void(void **)> &Kernel);

} // namespace ferry::fake

#endif // FERRY_TEST_FAKEOFFLOAD_H
