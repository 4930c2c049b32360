//===- AccessPaths.h - Which pointers does a kernel use? --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An interprocedural analysis of target regions, in a device's module or, for
// their host versions, in a host's. For each parameter of a kernel it answers
// which words of the object behind it are loaded as pointers and what is done
// with them, to any depth: a tree of access paths. For
//
//   struct View { double *Data; long N; };
//   [v](int i) { v.Data[i] = 0; }
//
// the tree of the closure parameter is
//
//   [+0] read, written
//
// The analysis works on a clone of the code that the kernels reach, which it
// inlines and simplifies first, so that what remains are loads at constant
// offsets. It never changes the module.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_ACCESSPATHS_H
#define FERRY_CLOSURE_ACCESSPATHS_H

#include "PathPlace.h"
#include "RangeExpression.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/PassManager.h"
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace llvm {
class Function;
class Module;
class Value;
class raw_ostream;
} // namespace llvm

namespace ferry {

/// An object, seen through a pointer to it, and what the kernel does with it.
struct PathNode {
  /// Pointers loaded at constant offsets.
  std::map<int64_t, std::unique_ptr<PathNode>> Members;
  /// Pointers loaded at variable indices. Places may overlap: a word belongs to
  /// every element, and member, whose place holds it.
  std::map<PathPlace, std::unique_ptr<PathNode>> Elements;
  /// Words read as integers: {offset, size}. They may be pointers.
  llvm::SmallVector<std::pair<int64_t, uint64_t>, 0> IntegerReads;
  /// Bytes read at constant offsets: {offset, size}.
  std::set<std::pair<int64_t, uint64_t>> Reads;
  /// Bytes are also read at offsets that are not constant.
  bool ReadsElsewhere = false;

  bool Read = false;
  bool Written = false;
  /// Its address goes where the analysis cannot follow.
  bool Escapes = false;
  /// A pointer in a chain that leads back to itself, such as a linked list.
  bool Cyclic = false;
  /// Called: it is a function.
  bool Called = false;
  /// Comparisons and differences in which the pointer takes part, by number.
  std::set<unsigned> Comparisons;
  /// Distances to the words of the object with whose pointers it is compared,
  /// where they are constant: from the begin of a range to its own end.
  std::set<int64_t> ComparedAt;

  /// Bytes accessed at constant offsets, [Begin, End); empty if Begin >= End.
  int64_t Begin = INT64_MAX;
  int64_t End = INT64_MIN;
  /// Accesses lie at or beyond this offset (positive), below it (negative), or
  /// around the pointer (0).
  std::optional<int64_t> Shift;
  /// The bytes accessed, relative to the pointer, or more, if all accesses can
  /// be bounded at the launch.
  std::optional<AccessRange> Range;

  bool dereferenced() const {
    return Read || Written || !Members.empty() || !Elements.empty();
  }
  bool used() const {
    return dereferenced() || Escapes || !Comparisons.empty();
  }
  bool hasInner() const { return !Members.empty() || !Elements.empty(); }

  PathNode &member(int64_t Offset);
  PathNode &element(const PathPlace &Place);
  void accessed(std::optional<int64_t> Offset, uint64_t Size);
  /// Keeps in Shift the access nearest to the pointer, on the side where all of
  /// them lie; 0 is an access around it.
  void noteShift(int64_t Offset);
  /// Adds all uses of \p Other, of what lies behind it as well.
  void merge(const PathNode &Other);

  /// \p Ranges: with the bytes accessed, where they are not the same at every
  /// launch.
  void print(llvm::raw_ostream &OS, unsigned Indent = 0,
             bool Ranges = false) const;
};

/// The access paths of the parameters of one kernel, as its host version counts
/// them.
using KernelPaths = llvm::SmallVector<PathNode, 0>;

/// The access paths of a module's kernels, by name.
class AccessPaths {
public:
  /// Analyses \p Kernels of \p M: the functions to which target regions were
  /// outlined, in a host's or a device's module.
  static AccessPaths analyse(const llvm::Module &M,
                             llvm::ArrayRef<const llvm::Function *> Kernels);

  /// Analyses every kernel that a launch in \p M names, or, if it is a device's
  /// module, every kernel.
  static AccessPaths analyse(llvm::Module &M);

  /// The paths of \p Kernel, or null.
  const KernelPaths *find(llvm::StringRef Kernel) const;

  /// The paths of \p Kernel, which are removed, or none.
  KernelPaths take(llvm::StringRef Kernel);

  void print(llvm::raw_ostream &OS) const;

  bool invalidate(llvm::Module &, const llvm::PreservedAnalyses &PA,
                  llvm::ModuleAnalysisManager::Invalidator &);

private:
  std::map<std::string, KernelPaths, std::less<>> Paths;
};

/// Whether \p M is a device's module.
bool isDeviceModule(const llvm::Module &M);

/// The kernels in the device's module \p M. Their first parameter is the launch
/// environment; the others are those of the host version.
llvm::SmallVector<llvm::Function *> deviceKernels(llvm::Module &M);

/// Analysis pass `ferry-access-paths`: AccessPaths::analyse of the module.
class AccessPathsAnalysis
    : public llvm::AnalysisInfoMixin<AccessPathsAnalysis> {
public:
  using Result = AccessPaths;
  Result run(llvm::Module &M, llvm::ModuleAnalysisManager &);

private:
  friend llvm::AnalysisInfoMixin<AccessPathsAnalysis>;
  static llvm::AnalysisKey Key;
};

/// `print<ferry-access-paths>`.
class AccessPathsPrinterPass
    : public llvm::PassInfoMixin<AccessPathsPrinterPass> {
public:
  explicit AccessPathsPrinterPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

} // namespace ferry

#endif // FERRY_CLOSURE_ACCESSPATHS_H
