//===- DeviceEvidence.h - What the device's code uses -----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's version for the device may be other code than its host version:
// by `declare variant`, by macros, by asking where it runs. So what a launch
// carries over is decided by what the device's code uses. Clang compiles it
// first, and embeds the object in the host's module before any pass sees that:
//
//   device compilation   access paths --> a constant in the device's object
//   host compilation     .llvm.offloading --> objects --> access paths
//
// The constant is text, so that it is found in objects of all kinds:
//
//   FERRY-USES:<bytes of JSON>:<JSON>
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_DEVICEEVIDENCE_H
#define FERRY_CLOSURE_DEVICEEVIDENCE_H

#include "AccessPaths.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace ferry {

/// The access paths \p Paths as JSON, and back. Numbers of comparisons are
/// moved up by \p FirstComparison.
llvm::json::Value toJSON(llvm::ArrayRef<PathNode> Paths);
std::optional<KernelPaths> pathsFromJSON(const llvm::json::Value &V,
                                         unsigned FirstComparison = 0);

/// Adds to \p Paths what \p Other says beyond it.
void merge(KernelPaths &Paths, KernelPaths Other);

/// Leaves the access paths of \p M's kernels, \p Paths, in \p M, a device's
/// module, for the host's compilation.
void writeEvidence(llvm::Module &M, const AccessPaths &Paths);

/// What the device objects that are embedded in a host's module tell.
class DeviceEvidence {
public:
  /// Reads the objects embedded in \p M. An object that holds no evidence, or
  /// evidence that cannot be read, makes all of it incomplete.
  static DeviceEvidence read(const llvm::Module &M);

  /// The paths of the kernel \p Name in the code of every device that the
  /// module was compiled for, or null if not all of them are known. Parameters
  /// are counted as in the host version.
  const KernelPaths *find(llvm::StringRef Name) const;

private:
  struct Kernel {
    KernelPaths Paths;
    unsigned NumImages = 0; ///< in which it was found
  };

  std::map<std::string, Kernel, std::less<>> Kernels;
  unsigned NumImages = 0;

  void add(llvm::StringRef Text);
  void add(const std::string &Name, KernelPaths Paths);
};

/// The texts that writeEvidence left in \p Image, a device object or bitcode.
llvm::SmallVector<std::string> evidenceIn(llvm::MemoryBufferRef Image);

} // namespace ferry

#endif // FERRY_CLOSURE_DEVICEEVIDENCE_H
