//===- UnstagedVersion.h - A kernel as it would be without staging -*- C++
//-*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:                          After:
//   define void @K(...) {            define void @K(...) {
//     ...                              ...                       ; staged
//   }                                }
//                                    define void @K_unstaged(...) {
//                                      ...                       ; as it was
//                                    }
//                                    @__ferry_uses_... = constant
//                                      c"FERRY-USES:...{"K":{"staged":...}}"
//
// What a staged kernel needs, registers and shared memory, it has in every
// launch, also in those in which it finds at its beginning that tiles do not
// pay. Where the launch can tell that beforehand, it takes the other version
// (closure/KernelVersions.h).
//
// Requires: a kernel that nothing has changed yet, before the host is compiled,
// which reads what it needs to choose in the device's object. Of a kernel that
// is staged when a program is linked, see LinkTimeStaging.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_UNSTAGEDVERSION_H
#define FERRY_STAGE_UNSTAGEDVERSION_H

#include "closure/KernelVersions.h"

namespace llvm {
class Function;
class TargetTransformInfo;
} // namespace llvm

namespace ferry {

/// A copy of a kernel, which goes again unless it is kept.
class UnstagedVersion {
public:
  explicit UnstagedVersion(llvm::Function &Kernel);
  UnstagedVersion(const UnstagedVersion &) = delete;
  UnstagedVersion &operator=(const UnstagedVersion &) = delete;
  ~UnstagedVersion();

  /// Leaves the copy and \p Choice, by which a launch takes the kernel instead.
  /// \p Target is that of the kernel.
  void keep(const VersionChoice &Choice,
            const llvm::TargetTransformInfo &Target);

private:
  llvm::Function &Kernel;
  llvm::Function *Copy;
};

} // namespace ferry

#endif // FERRY_STAGE_UNSTAGEDVERSION_H
