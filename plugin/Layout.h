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

namespace ferry {

/// The pointers and references in an object of type \p T, which has to be
/// complete and not dependent.
///
/// Followed by value: bases, members, array elements. References, the `this` of
/// a lambda and std::reference_wrapper come with the layout of what they refer
/// to.
std::vector<LayoutItem> layoutOf(clang::ASTContext &Context, clang::QualType T);

} // namespace ferry

#endif // FERRY_PLUGIN_LAYOUT_H
