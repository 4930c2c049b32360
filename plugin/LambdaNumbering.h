//===- LambdaNumbering.h - The same lambda names everywhere -----*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang gives a lambda of a function with internal linkage, such as one in
// `main`, a number (`$_0`) when its name is first needed. The host and the
// device compilation need names in different orders, so kernels of lambdas
// nested in lambdas get different names and are not found on the device.
//
// Here every such lambda is numbered by its place in the source, which both
// compilations agree on, before Clang mangles it.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_PLUGIN_LAMBDANUMBERING_H
#define FERRY_PLUGIN_LAMBDANUMBERING_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace ferry {

class LambdaNumbering {
public:
  /// \p KeepPlaces: the simulator is to know where the lambdas are.
  LambdaNumbering(clang::ASTContext &Context, bool KeepPlaces)
      : Context(Context), KeepPlaces(KeepPlaces) {}

  /// Numbers \p Lambda unless Clang has done it.
  void number(clang::CXXRecordDecl *Lambda);

  /// Annotates \p CallOperator, a lambda's, with the places of those of the
  /// lambda and the ones around it that are numbered here, if places are kept.
  void describe(clang::CXXMethodDecl &CallOperator);

private:
  clang::ASTContext &Context;
  bool KeepPlaces;
  llvm::DenseSet<const clang::CXXMethodDecl *> Described;
  llvm::DenseMap<const clang::DeclContext *, llvm::DenseSet<unsigned>> Used;
};

} // namespace ferry

#endif // FERRY_PLUGIN_LAMBDANUMBERING_H
