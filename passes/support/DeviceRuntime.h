//===- DeviceRuntime.h - LLVM's OpenMP runtime of devices -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SUPPORT_DEVICERUNTIME_H
#define FERRY_SUPPORT_DEVICERUNTIME_H

#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace llvm {
class Module;
class Triple;
} // namespace llvm

namespace ferry {

/// Where in the folder \p Dir the bitcode of OpenMP's device runtime for \p Cpu
/// is, a GPU of \p Target; it may not be there. LLVM 19 has one for each GPU,
/// later versions have one for all.
std::string deviceRuntimeFile(llvm::StringRef Dir, const llvm::Triple &Target,
                              llvm::StringRef Cpu);

/// Links what the device module \p M needs of the device runtime, for \p Cpu,
/// of the LLVM that Ferry was built with. \returns whether it is linked: not
/// where that has none, and then \p M is as it was.
bool linkDeviceRuntime(llvm::Module &M, llvm::StringRef Cpu);

} // namespace ferry

#endif // FERRY_SUPPORT_DEVICERUNTIME_H
