//===- RegionNames.h - What remarks call a target region --------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_PLUGIN_REGIONNAMES_H
#define FERRY_PLUGIN_REGIONNAMES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include <string>

namespace ferry {

/// The name of \p F with its template arguments. A lambda among them is called
/// by the function around it and its place: "forall<main::lambda at
/// app.cpp:12>".
std::string nameForPeople(const clang::FunctionDecl &F,
                          const clang::ASTContext &Context);

} // namespace ferry

#endif // FERRY_PLUGIN_REGIONNAMES_H
