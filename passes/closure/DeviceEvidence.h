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

#include "KernelParameters.h"
#include "KernelVersions.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace ferry {

/// What a device's compilation tells of a kernel. Parameters are counted as in
/// the host version.
struct KernelEvidence {
  KernelPaths Paths;
  KernelWords Words; ///< that it takes behind its parameters
};

/// By the kernel's name, as the host knows it.
using EvidenceTable = std::map<std::string, KernelEvidence, std::less<>>;

/// Leaves \p Kernels in \p M, a device's module, for the host's compilation.
void writeEvidence(llvm::Module &M, const EvidenceTable &Kernels);

/// Leaves \p Choice between the versions of \p Kernel, as it is called in a
/// device's module, for the host's compilation.
void writeVersions(const llvm::Function &Kernel, const VersionChoice &Choice);

/// What the device objects that are embedded in a host's module tell.
class DeviceEvidence {
public:
  /// Reads the objects embedded in \p M. An object that holds no evidence, or
  /// evidence that cannot be read, makes all of it incomplete.
  static DeviceEvidence read(const llvm::Module &M);

  /// What \p Kernels, those of one device, tell. \p Elsewhere: it does not
  /// execute in the host's process.
  static DeviceEvidence of(EvidenceTable Kernels, bool Elsewhere);

  /// What the code of all devices that the module was compiled for does with
  /// the arguments of the kernel \p Name, or null if that is not known.
  const KernelEvidence *find(llvm::StringRef Name) const;

  /// What a launch of the kernel that is called \p Name on devices has to be
  /// for its staged version, if all devices have another one as well. Empty if
  /// there is no choice.
  VersionChoice choiceFor(llvm::StringRef Name) const;

  /// Whether all devices that the module was compiled for execute in the
  /// host's process: libomptarget's host plugin runs the host's own code only.
  bool inHostProcess() const { return NumImages && !Elsewhere; }

  /// The kernels that take words.
  std::vector<llvm::StringRef> kernelsWithWords() const;

  /// Kernels that take other words on one device than on another.
  std::vector<llvm::StringRef> conflicts() const;

private:
  struct Kernel : KernelEvidence {
    unsigned NumImages = 0; ///< in which it was found
    unsigned LastImage = 0;
    bool Differs = false; ///< it takes other words in one than in another
  };

  /// The choices that images leave, of which a launch has to meet one.
  struct Versions {
    VersionChoice Choice;
    unsigned NumImages = 0;
    unsigned LastImage = 0;
  };

  std::map<std::string, Kernel, std::less<>> Kernels;
  std::map<std::string, Versions, std::less<>> Choices;
  unsigned NumImages = 0;
  bool Elsewhere = false;

  void add(llvm::StringRef Text);
  void add(const std::string &Name, KernelEvidence Evidence);
  void add(const std::string &Name, VersionChoice Choice);
};

/// The texts that writeEvidence left in \p Image, a device object or bitcode.
llvm::SmallVector<std::string> evidenceIn(llvm::MemoryBufferRef Image);

} // namespace ferry

#endif // FERRY_CLOSURE_DEVICEEVIDENCE_H
