//===- Device.h - What this folder exports and needs ----------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This folder defines the functions that device code calls and that concern no
// other lane: arithmetic, mathematics, printf. They are listed in Functions.def
// and InlineAsm.def.
//
// Translated code calls them as LLVM declares them. An integer narrower than 32
// bits may come with garbage above it, so they take those as 32 bits and cut
// them off.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_DEVICE_H
#define FERRY_SIM_DEVICE_H

#include <cstdint>

#define FERRY_SIM_DEVICE extern "C" __attribute__((visibility("default")))

// What the engine defines.
extern "C" {
/// The heap of the device that the calling lane runs on. Null if it is
/// exhausted.
void *ferry_sim_device_malloc(uint64_t Bytes);
/// \p Pointer may be null.
void ferry_sim_device_free(void *Pointer);
/// Ends the launch, as a trap does. \p What is one sentence, copied.
[[noreturn]] void ferry_sim_trap_with(const char *What);
}

#endif // FERRY_SIM_DEVICE_H
