//===- LambdaPlaces.h - Where the lambdas of a program are ------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ferry numbers lambdas of functions with internal linkage by their place in
// the source (plugin/LambdaNumbering.h), and their mangled names hold the
// number. ferry-sim's reports give the place in its stead. It comes there on
// this way:
//
//   plugin      an annotation of the lambda's call operator
//   pass        named metadata of the module, which keeps no function alive
//   translator  a table in the image
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_SIMULATOR_LAMBDAPLACES_H
#define FERRY_SIMULATOR_LAMBDAPLACES_H

#include "llvm/IR/PassManager.h"
#include <string>
#include <vector>

namespace ferry {

/// The place of a lambda that has Ferry's number.
struct LambdaPlace {
  uint32_t Number;
  uint32_t Line;
  std::string File;
};

/// The annotation that tells \p Place.
std::string toAnnotation(const LambdaPlace &Place);

/// `ferry-lambda-places`: turns the annotations into named metadata.
class LambdaPlacesPass : public llvm::PassInfoMixin<LambdaPlacesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

/// What the named metadata of \p M tells.
std::vector<LambdaPlace> lambdaPlaces(const llvm::Module &M);

} // namespace ferry

#endif // FERRY_SIMULATOR_LAMBDAPLACES_H
