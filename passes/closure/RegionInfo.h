//===- RegionInfo.h - What the front end tells the passes -------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every target region the Clang plugin describes the captured variables:
// where pointers and references lie in them and what they are called in the
// source. The description travels as one JSON string in an annotation of the
// function that contains the region (`llvm.global.annotations`), and this file
// is the one place that knows its format: the plugin writes it, the passes read
// it.
//
// A region is found again by the name of its kernel, which Clang composes of
// the enclosing function's name, the line of the directive and the number of
// the region on that line (CGOpenMPRuntime.cpp, getTargetEntryUniqueInfo).
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_REGIONINFO_H
#define FERRY_CLOSURE_REGIONINFO_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
class Triple;
} // namespace llvm

namespace ferry {

/// An assumption ("llvm.assume") on a kernel: it is one combined construct
/// whose iterations any thread may execute, by the clauses.
inline constexpr char FreeScheduleAssumption[] = "ferry_free_schedule";
/// Another one beside it: by schedule(static, 1) that holds where there are
/// several blocks.
inline constexpr char DealtScheduleAssumption[] = "ferry_dealt_schedule";
/// Another one: that would hold but for a reduction clause.
inline constexpr char ReductionAssumption[] = "ferry_reduction";
/// Another one: the launch gives its blocks dynamic shared memory, by a clause.
inline constexpr char DynamicMemoryAssumption[] = "ferry_dynamic_memory";

/// One pointer-like member at a fixed offset of a captured object.
struct LayoutItem {
  enum KindTy {
    Pointer,     ///< a pointer to data
    Reference,   ///< a reference, or what stands for one
    This,        ///< the captured `this` of a lambda
    Function,    ///< a pointer to a function or member: never translated
    VirtualBase, ///< a virtual base class begins here
    Array,       ///< Count repetitions of Inner, Stride bytes apart
  };

  KindTy Kind = Pointer;
  uint64_t Offset = 0;
  std::string Name;       ///< as in the source, e.g. "grid.data"
  bool InUnion = false;   ///< shares its bytes with another member
  uint64_t Size = 0;      ///< of the referenced object, in bytes
  uint64_t Align = 1;     ///< of the referenced object
  bool Const = false;     ///< the referenced object is const
  bool Recursive = false; ///< its type contains itself: not described again
  uint64_t Count = 0;
  uint64_t Stride = 0;
  std::vector<LayoutItem> Inner; ///< of the referenced object or the element
  /// What a pointer leads to, in RegionInfo::Types.
  std::optional<unsigned> Pointee;
};

/// A type behind a pointer, described so far that remarks can name what lies in
/// it. References lead to other types, as pointers do; arrays stay whole.
struct PointeeType {
  uint64_t Size = 0; ///< of one object, in bytes
  std::vector<LayoutItem> Layout;
};

/// One captured variable of a target region.
struct CaptureInfo {
  unsigned Argument = 0; ///< which parameter of the kernel
  std::string Name;
  bool IsPointer = false; ///< a pointer whose value is the argument
  bool IsLambda = false;
  /// Each launch gets a copy of its own, never what may be mapped.
  bool IsPrivate = false;
  bool Const = false;
  uint64_t Size = 0;
  uint64_t Align = 1;
  std::vector<LayoutItem> Layout;
  /// What it leads to, in RegionInfo::Types, if it is a pointer.
  std::optional<unsigned> Pointee;
};

/// One target region.
struct RegionInfo {
  unsigned Line = 0;
  unsigned Column = 0;
  unsigned Index = 0;   ///< among the regions of the function on this line
  std::string Function; ///< name in kernel names; empty: the annotated function
  bool UnifiedSharedMemory = false;
  /// A loop of which any thread may execute any iteration: none can see what
  /// another one writes.
  bool Independent = false;
  /// The program is compiled for devices of several kinds.
  bool SeveralTargets = false;
  std::vector<CaptureInfo> Captures;

  // For remarks; empty unless the compilation was asked for some.

  /// The function that contains it, with its template arguments, for people:
  /// "forall<main::lambda at app.cpp:12>".
  std::string Name;
  /// In a device's module, the file of the host's IR.
  std::string HostIR;
  std::vector<PointeeType> Types;
};

/// Whether kernels for \p Target may take the words of captured objects as
/// parameters (KernelParameters.h). On a CPU, each would have to be passed by
/// libffi, which costs more than what it saves.
bool mayTakeWords(const llvm::Triple &Target);

/// Text of the annotation for \p Region.
std::string toAnnotation(const RegionInfo &Region);

/// The same as an assumption ("llvm.assume") on the kernel, which is how a
/// device's module describes it.
std::string toAssumption(const RegionInfo &Region);

/// The region that \p Kernel, in a device's module, was made of, if it is
/// described.
std::optional<RegionInfo> regionOf(const llvm::Function &Kernel);

/// Deletes the description of \p Kernel.
void removeRegionAssumption(llvm::Function &Kernel);

/// Whether \p Text is an annotation of Ferry's, well-formed or not.
bool isAnnotation(llvm::StringRef Text);

/// Reads an annotation. Arrays come back expanded, so that no item is an Array.
llvm::Expected<RegionInfo> fromAnnotation(llvm::StringRef Text);

/// All regions of a module, by kernel name without its device and file number.
struct RegionTable {
  llvm::StringMap<RegionInfo> Regions;
  std::vector<std::string> Errors; ///< a message for each malformed annotation

  /// The region of the kernel \p Name, or null.
  const RegionInfo *find(llvm::StringRef KernelName) const;
};

/// Reads the annotations of \p M.
RegionTable readRegions(const llvm::Module &M);

/// Deletes Ferry's annotations from \p M, which would keep functions alive.
/// \returns whether there were any.
bool removeRegionAnnotations(llvm::Module &M);

} // namespace ferry

#endif // FERRY_CLOSURE_REGIONINFO_H
