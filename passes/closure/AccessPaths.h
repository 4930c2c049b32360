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
// LLVM's AAPointerInfo (Attributor) collects the accesses to one object, at
// offsets that are constants. Here what is behind the pointers in it counts as
// much: a tree, elements of arrays of records, and as bounds of the accesses
// what the launch's values say. PtrUseVisitor follows neither phis nor loaded
// pointers.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_CLOSURE_ACCESSPATHS_H
#define FERRY_CLOSURE_ACCESSPATHS_H

#include "PathNode.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"
#include <map>
#include <string>

namespace llvm {
class Function;
class Module;
class raw_ostream;
} // namespace llvm

namespace ferry {

/// The access paths of a module's kernels, by name.
class AccessPaths {
public:
  /// What is wanted: the uses of pointers, or also what is surely accessed.
  enum class Detail { Uses, Certain };

  /// Analyses \p Kernels of \p M: the functions to which target regions were
  /// outlined, in a host's or a device's module.
  static AccessPaths analyse(const llvm::Module &M,
                             llvm::ArrayRef<const llvm::Function *> Kernels,
                             Detail Wanted = Detail::Uses);

  /// Analyses every kernel that a launch in \p M names, or, if it is a device's
  /// module, every kernel.
  static AccessPaths analyse(llvm::Module &M, Detail Wanted = Detail::Uses);

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
