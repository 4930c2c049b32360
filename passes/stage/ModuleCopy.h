//===- ModuleCopy.h - A copy of a module, for some kernels ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before staging, kernels may need passes that are not to change those in which
// nothing is staged then. So these passes run on a copy of the module:
//
//   module:  define void @K()   ; as with staging off
//   copy:    define void @K()   ; simplified in another way; then, perhaps,
//                               ; staged
//
// A kernel that is staged there replaces the module's; nothing else in the
// module changes. With it comes what it calls, and what belongs to a launch, as
// the runtime's state in shared memory does. Other variables are the module's,
// and passes over the copy know nothing of them but that they exist, for what
// the module's other kernels do to them is not in the copy.
//
// Refuses: kernels that refer to something which cannot be replaced so.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_MODULECOPY_H
#define FERRY_STAGE_MODULECOPY_H

#include "FunctionTransfer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/IR/ValueMap.h"
#include <memory>

namespace ferry {

class ModuleCopy {
public:
  explicit ModuleCopy(llvm::Module &Original);
  ModuleCopy(const ModuleCopy &) = delete;
  ModuleCopy &operator=(const ModuleCopy &) = delete;
  ~ModuleCopy();

  llvm::Module &module() const { return *Copy; }
  /// What \p Here, of the module, is in the copy; nothing, if it is not there
  /// any more.
  llvm::GlobalValue *copyOf(const llvm::GlobalValue &Here) const;
  /// What \p There, of the copy, is in the module; nothing, if passes over the
  /// copy have made it, or the module does not have it any more.
  llvm::GlobalValue *original(const llvm::GlobalValue &There) const;
  /// Says that \p There is \p Here, before anything is put into the module.
  void setOriginal(const llvm::GlobalValue &There, llvm::GlobalValue &Here) {
    Places[&There] = llvm::WeakTrackingVH(&Here);
  }

  /// Leaves of the copy what \p Kernels and kernels that are called are made
  /// of, and has passes over it know of functions and variables what they may.
  void keepOnly(llvm::function_ref<bool(const llvm::Function &)> IsKept,
                llvm::ModuleAnalysisManager &MAM);
  /// Does what \p Run does with the copy, and keeps remarks about it, which
  /// Clang gives for the module, from the user.
  void runQuietly(llvm::function_ref<void(llvm::Module &)> Run);

  /// Whether \p Kernel, of the copy, can be in the place of the module's.
  bool canReplace(const llvm::Function &Kernel) const;
  /// Makes of \p Here, of the module, what \p Kernel is in the copy.
  void put(const llvm::Function &Kernel, llvm::Function &Here);
  /// Puts \p Kernels, of the copy, in the place of the module's.
  void replace(llvm::ArrayRef<llvm::Function *> Kernels);

private:
  using ConstantSet = llvm::SmallPtrSet<const llvm::Constant *, 8>;
  bool canReplace(const llvm::Constant &Used, ConstantSet &Seen) const;
  bool isCopied(const llvm::GlobalValue &G) const;
  bool isOutside(const llvm::Function &F) const;
  void replaceEnvironment(const llvm::Function &Kernel,
                          const llvm::Function &Here);

  llvm::Module &Original;
  std::unique_ptr<llvm::Module> Copy;
  llvm::DenseMap<const llvm::GlobalValue *, llvm::WeakTrackingVH> Copies;
  struct OnlyThese : llvm::ValueMapConfig<const llvm::Value *> {
    enum { FollowRAUW = false };
  };
  /// What globals of the copy, but for those that passes have made of them, are
  /// in the module.
  llvm::ValueMap<const llvm::Value *, llvm::WeakTrackingVH, OnlyThese> Places;
  /// Takes what is not there yet into the module.
  std::unique_ptr<FunctionTransfer> Transfer;
};

} // namespace ferry

#endif // FERRY_STAGE_MODULECOPY_H
