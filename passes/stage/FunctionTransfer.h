//===- FunctionTransfer.h - Functions of one module in another --*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_STAGE_FUNCTIONTRANSFER_H
#define FERRY_STAGE_FUNCTIONTRANSFER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <utility>

namespace llvm {
class Function;
class GlobalValue;
class GlobalVariable;
class Module;
} // namespace llvm

namespace ferry {

/// Whether each launch of a kernel has a \p G of its own: one in the shared
/// memory of its blocks. No other variable is so.
bool belongsToLaunch(const llvm::GlobalVariable &G);

/// Whether code that is copied gets a \p G of its own: one that belongs to a
/// launch, or a constant of which nobody has another value.
bool isCopiedWithCode(const llvm::GlobalVariable &G);

/// Leaves of \p M, a copy of which only functions are wanted, nothing that a
/// linker would look at: variables that are neither constant nor belong to a
/// launch are declarations.
void declareVariables(llvm::Module &M);

/// Copies functions from one module into another of the same context. Variables
/// that are there already have to be told of; of others that are constant or
/// belong to a launch, and of functions, what is copied gets a copy of its own.
class FunctionTransfer final : llvm::ValueMaterializer {
public:
  /// With \p DeclareUnknown, what is not known in \p To and cannot be copied is
  /// declared there, by a name that nothing has. Without, the caller has made
  /// sure that nothing but debug information refers to it.
  FunctionTransfer(llvm::Module &To, bool DeclareUnknown)
      : To(To), DeclareUnknown(DeclareUnknown) {}

  /// Says that \p There is \p Here in the module that is copied to.
  void map(const llvm::GlobalValue &There, llvm::GlobalValue &Here);

  /// Makes of \p Here what \p There is, and copies what that calls. \p Here
  /// keeps its name, linkage and visibility.
  void copy(const llvm::Function &There, llvm::Function &Here);

private:
  llvm::Value *materialize(llvm::Value *There) override;
  llvm::Value *materializeFunction(llvm::Function &There);
  llvm::Value *materializeVariable(llvm::GlobalVariable &There);
  void copyBody(const llvm::Function &There, llvm::Function &Here);
  void finish();

  llvm::Module &To;
  bool DeclareUnknown;
  llvm::ValueToValueMapTy Map;
  llvm::SmallVector<std::pair<llvm::Function *, llvm::Function *>, 8> Functions;
  llvm::SmallVector<std::pair<llvm::GlobalVariable *, llvm::GlobalVariable *>,
                    8>
      Variables;
};

} // namespace ferry

#endif // FERRY_STAGE_FUNCTIONTRANSFER_H
