//===- GPUFile.h - Descriptions of GPUs that users write ------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIM_GPU_GPUFILE_H
#define FERRY_SIM_GPU_GPUFILE_H

#include "DeviceTable.h"
#include <string>

namespace ferry::sim {

/// The GPU that --gpu names: a built-in one, or the one that a JSON file
/// describes; what the file does not tell comes from the first built-in GPU of
/// its architecture. False if there is none or it makes no sense, with a
/// sentence in \p Error.
bool findGPU(const std::string &NameOrFile, DeviceModel &Model,
             std::string &Error);

} // namespace ferry::sim

#endif // FERRY_SIM_GPU_GPUFILE_H
