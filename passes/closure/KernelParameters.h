//===- KernelParameters.h - Captured words as parameters --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel only reads of a captured object, at constant offsets, need not
// lie in memory: each piece travels as a parameter of the kernel, as in a loop
// over plain variables. Nothing has to be copied for a launch then, and the
// optimiser sees values where there were loads.
//
// Before, with Struct { double *Data; double Factor; } captured by value:
//
//   define void @K(ptr %env, ptr %f) {
//     call void @body(ptr %f)
//
// After:
//
//   define void @K_ferry_5e6a7b01(ptr %env, ptr %f, ptr %w0, i64 %w1) {
//     %object = alloca [16 x i8]
//     store ptr %w0, ptr %object
//     %object.8 = getelementptr i8, ptr %object, i64 8
//     store i64 %w1, ptr %object.8
//     call void @body(ptr %object)
//
// The objects behind references and `this` are rebuilt in the same way. They,
// and objects that are not private to the launch, may be mapped: then the host
// gives their address, and the pieces are loaded from there, once, at the
// beginning.
//
// The list of words is a part of the kernel's name, so a host's module and a
// device's that do not agree on it never meet. The device's compilation makes
// the list, the host's reads it from the device's object (DeviceEvidence.h).
//
// All devices that a program is compiled for have to take the same words. The
// compilation for one does not know what those for others do, so there are none
// where a program is compiled for devices of several kinds.
//
// What may be mapped is read once only where no iteration can rely on seeing
// what it wrote itself by another way: in loops whose iterations any thread may
// execute. Elsewhere it stays in memory.
//
// Left in memory: objects that the kernel may write to, of which it reads at
// offsets that are not constant, or whose address goes where the analysis does
// not follow; all of a launch's beyond MaxWords; kernels in generic mode, whose
// threads share their variables. A device that is a CPU takes no words: it
// executes kernels in the host's process, where objects need no copy, and calls
// them by libffi, whose cost grows with each parameter.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_KERNELPARAMETERS_H
#define FERRY_CLOSURE_KERNELPARAMETERS_H

#include "AccessPaths.h"
#include "RegionInfo.h"
#include "ferry/LaunchPlan.h"

namespace ferry {

/// One piece of a captured object, of at most 8 bytes.
struct KernelWord {
  /// The kernel's parameter that is the object, counted as in its host version,
  /// and the offsets of the references that lead on from there.
  unsigned Argument = 0;
  std::vector<int64_t> Path;
  uint64_t Offset = 0;
  uint64_t Size = 0;
  bool IsPointer = false;

  bool operator==(const KernelWord &O) const {
    return Argument == O.Argument && Path == O.Path && Offset == O.Offset &&
           Size == O.Size && IsPointer == O.IsPointer;
  }
};

/// The words of a kernel, the words of one object one behind the other.
using KernelWords = std::vector<KernelWord>;

/// The words that the kernel of \p Region can take as parameters, by what its
/// code does (\p Paths, without the launch environment).
KernelWords chooseWords(const RegionInfo &Region,
                        llvm::ArrayRef<PathNode> Paths);

/// What is added to the name of a kernel that takes \p Words.
std::string wordsSuffix(const KernelWords &Words);

/// Has \p M, a host's or a device's module, name the kernel \p Old \p New,
/// together with all that libomptarget finds by its name; but for the kernel
/// itself. \returns whether there was anything to rename.
bool renameKernel(llvm::Module &M, llvm::StringRef Old, llvm::StringRef New);

/// Whether the objects that \p Kernel, of a device's module, makes itself are
/// seen by all threads that execute the region.
bool canBuildObjects(const llvm::Function &Kernel);

/// Replaces \p Kernel, of a device's module, by one that takes \p Words behind
/// its parameters, under another name.
/// \returns the new kernel.
llvm::Function *addParameters(llvm::Function &Kernel, const RegionInfo &Region,
                              const KernelWords &Words);

} // namespace ferry

#endif // FERRY_CLOSURE_KERNELPARAMETERS_H
