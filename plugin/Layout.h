//===- Layout.h - Where the pointers lie in a type --------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_PLUGIN_LAYOUT_H
#define FERRY_PLUGIN_LAYOUT_H

#include "closure/RegionInfo.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/TypeOrdering.h"

namespace ferry {

/// The types behind the pointers of a region's captures, for names in remarks.
class PointeeTypes {
public:
  explicit PointeeTypes(clang::ASTContext &Context) : Context(Context) {}

  /// The number of \p T, or nothing if there can be no pointers in it.
  std::optional<unsigned> number(clang::QualType T);

  /// Describes all types that have a number, and those they lead to.
  std::vector<PointeeType> describe();

private:
  clang::ASTContext &Context;
  llvm::SmallVector<clang::QualType> Types;
  llvm::DenseMap<clang::QualType, unsigned> Numbers;
};

/// The pointers and references in an object of type \p T, which has to be
/// complete and not dependent.
///
/// Followed by value: bases, members, array elements. References, the `this` of
/// a lambda and std::reference_wrapper come with the layout of what they refer
/// to. What pointers lead to gets a number of \p Types, if there are any.
std::vector<LayoutItem> layoutOf(clang::ASTContext &Context, clang::QualType T,
                                 PointeeTypes *Types = nullptr);

} // namespace ferry

#endif // FERRY_PLUGIN_LAYOUT_H
