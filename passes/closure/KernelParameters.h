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
// gives their address. Where nothing can have changed them before the kernel
// reads them (ReadOrder.h), the pieces are loaded from there, once, at the
// beginning; else the kernel uses the object there, and its own only if it is
// not mapped:
//
//   %f.mapped = icmp ne ptr %f, null
//   %f.used = select i1 %f.mapped, ptr %f, ptr %object
//
// The list of words is a part of the kernel's name, so a host's module and a
// device's that do not agree on it never meet. The device's compilation makes
// the list, the host's reads it from the device's object (DeviceEvidence.h).
//
// All devices that a program is compiled for have to take the same words. The
// compilation for one does not know what those for others do, so there are none
// where a program is compiled for devices of several kinds.
//
// Left in memory: objects that the kernel may write to, of which it reads at
// offsets that are not constant, or whose address goes where the analysis does
// not follow; all of a launch's beyond MaxWords.
//
// In generic mode one thread of a GPU's team executes the region, and others
// its parallel regions, with the addresses of that thread's variables. So it
// builds the objects in shared memory, where Clang puts such variables as well,
// up to MaxSharedBytes. If LLVM finds that all threads can execute the region,
// it has one of them do the stores.
//
// A device that is a CPU takes no words: it executes kernels in the host's
// process, where objects need no copy, and calls them by libffi, whose cost
// grows with each parameter.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_KERNELPARAMETERS_H
#define FERRY_CLOSURE_KERNELPARAMETERS_H

#include "AccessPaths.h"
#include "Refusal.h"
#include "RegionInfo.h"
#include "ferry/LaunchPlan.h"

namespace llvm {
class Constant;
class GlobalVariable;
} // namespace llvm

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
  /// The object may be read at the kernel's beginning if it is mapped. That is
  /// a matter of the kernel alone.
  bool ReadOnce = false;

  bool operator==(const KernelWord &O) const {
    return Argument == O.Argument && Path == O.Path && Offset == O.Offset &&
           Size == O.Size && IsPointer == O.IsPointer;
  }
};

/// The words of a kernel, the words of one object one behind the other.
using KernelWords = std::vector<KernelWord>;

/// Where the objects that a kernel makes lie, so that all threads that execute
/// the region find them.
enum class ObjectPlace {
  None,   ///< none are made: a CPU's kernel, or it is not known how it works
  Stack,  ///< each thread has its own
  Shared, ///< in shared memory: one thread makes them for the team
};

/// The place of the objects of \p Kernel, of a device's module.
ObjectPlace placeOfObjects(const llvm::Function &Kernel);

/// Bytes of the objects that a kernel makes in shared memory at most: little of
/// what a team may have (48 KB without asking for more), and more than closures
/// take.
constexpr uint64_t MaxSharedBytes = 1024;

/// The words that the kernel of \p Region can take as parameters, by what its
/// code does (\p Paths, without the launch environment), if its objects are at
/// \p Place.
KernelWords chooseWords(const RegionInfo &Region,
                        llvm::ArrayRef<PathNode> Paths, ObjectPlace Place);

/// An object with pointers that a kernel reads and that does not travel as
/// parameters.
struct ObjectInMemory {
  std::string Name; ///< "Loop", "Loop.this"
  Refusal Why;
};

/// The objects that stay in memory though the kernel of \p Region reads them:
/// by what its code does (\p Paths), and, if it is known, by what it takes,
/// \p Taken.
std::vector<ObjectInMemory> objectsInMemory(const RegionInfo &Region,
                                            llvm::ArrayRef<PathNode> Paths,
                                            const KernelWords *Taken);

/// What \p Kernel is called if it takes \p Words.
std::string nameWithWords(llvm::StringRef Kernel, const KernelWords &Words);

/// Has \p M, a host's or a device's module, name the kernel \p Old \p New,
/// together with all that libomptarget finds by its name; but for the kernel
/// itself. \returns whether there was anything to rename.
bool renameKernel(llvm::Module &M, llvm::StringRef Old, llvm::StringRef New);

/// What the offload entry \p Entry has to be for the kernel \p Name, and, if it
/// is given, the region at \p Address. Null if it is not as Clang makes them.
llvm::Constant *entryWith(const llvm::GlobalVariable &Entry,
                          llvm::StringRef Name, llvm::Constant *Address);

/// Replaces \p Kernel, of a device's module, by one that takes \p Words behind
/// its parameters, under another name.
/// \returns the new kernel.
llvm::Function *addParameters(llvm::Function &Kernel, const RegionInfo &Region,
                              const KernelWords &Words);

} // namespace ferry

#endif // FERRY_CLOSURE_KERNELPARAMETERS_H
